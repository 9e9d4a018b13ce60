-- SPDX-License-Identifier: MIT
-- steps.lua -- the longest step of fleece.parser and the longest piece of fleece.writer, 64 KB each:
--
--   lua bench/steps.lua DIRECTORY [TRIES]      DIRECTORY: of fleece.so
--
-- The collector is stopped while a step is timed. The result is the minimum of several tries, so that other work on the
-- machine does not count. "The table in Lua" is the floor: the longest of steps of 8192 assignments by which Lua itself
-- fills a table of as many items or members, which it doubles now and then.

package.cpath = assert(arg[1], "the directory of fleece.so expected") .. "/?.so;" .. package.cpath
local fleece = require "fleece"

local PIECE = 64 * 1024
local tries = tonumber(arg[2]) or 5

-- Calls step() until it returns false; returns the time of the longest call.
local function longest(step)
  local most = 0
  collectgarbage()
  collectgarbage "stop"
  repeat
    local start = os.clock()
    local more = step()
    most = math.max(most, os.clock() - start)
  until not more
  collectgarbage "restart"
  return most
end

local function parse(text)
  local parser = fleece.parser()
  for i = 1, #text, PIECE do parser:feed(text:sub(i, i + PIECE - 1)) end
  local most = longest(function() return parser:step(PIECE) end)
  parser:finish()
  return most
end

local function write(value)
  local writer = fleece.writer(value)
  return longest(function() return writer:next(PIECE) end)
end

local function list(n, item)
  local items = {}
  for i = 1, n do items[i] = item(i) end
  return "[" .. table.concat(items, ",") .. "]"
end

local function record(i)
  return ('{"id":%d,"name":"somebody %d","mail":"%d@example.com","active":true,"score":%d.5}'):format(i, i, i, i % 100)
end

local function member(i) return ('"name%d":%d'):format(i, i) end

-- As longest, for a table that plain Lua fills.
local function fill(n, key)
  local keys, most = {}, 0
  for i = 1, n do keys[i] = key(i) end
  collectgarbage()
  collectgarbage "stop"
  local table = {}
  for from = 1, n, 8192 do
    local start = os.clock()
    for i = from, math.min(n, from + 8191) do table[keys[i]] = true end
    most = math.max(most, os.clock() - start)
  end
  collectgarbage "restart"
  return most
end

local function number(i) return i end
local function name(i) return "name" .. i end

local cases = {
  { "1,000 records", list(1000, record) },
  { "150,000 records", list(150000, record) },
  { "1,000,000 numbers", list(1000000, number), 1000000, number },
  { "10,000,000 numbers", list(10000000, function(i) return i % 1000 end), 10000000, number },
  { "an object of 10,000 members", "{" .. list(10000, member):sub(2, -2) .. "}", 10000, name },
  { "an object of 1,000,000 members", "{" .. list(1000000, member):sub(2, -2) .. "}", 1000000, name },
  { "a string of 10 MB", '["' .. ("x"):rep(10000000) .. '"]' },
}

print "| document | parser, ms | the table in Lua, ms | writer, ms |"
print "|---|--:|--:|--:|"
for _, case in ipairs(cases) do
  local least_parse, least_write, least_fill = math.huge, math.huge, math.huge
  for _ = 1, tries do
    least_parse = math.min(least_parse, parse(case[2]))
    if case[3] then least_fill = math.min(least_fill, fill(case[3], case[4])) end
  end
  local value = fleece.decode(case[2])
  for _ = 1, tries do least_write = math.min(least_write, write(value)) end
  print(("| %s, %.1f MB | %.1f | %s | %.1f |"):format(case[1], #case[2] / 1e6, least_parse * 1e3,
    case[3] and ("%.1f"):format(least_fill * 1e3) or "", least_write * 1e3))
end
