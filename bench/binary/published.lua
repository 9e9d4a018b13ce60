-- SPDX-License-Identifier: MIT
-- published.lua -- the table that was published with the binary format, next to figures measured here, in the same
-- units.
--
--   lua bench/binary/published.lua [--quick] [--lookup PROGRAM] [FILE.md]
--
-- Writes to standard output, or between the marker lines of the file (docs/binary.md). `make bench-published` builds
-- and runs it. The document has the structure of the published one: 1000 generated people. Each figure is the minimum
-- of many samples, because other work on the machine can only add time.

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/../?.lua;" .. package.path
local markdown, host = require "report.markdown", require "measure.host"
local people, new_random = require "workloads.people", require "workloads.random"
local fleece = require "fleece"
local has_cjson, cjson = pcall(require, "cjson")

local BEGIN, END = "<!-- published: begin -->", "<!-- published: end -->"
local clock = os.clock
local quick, file, lookup

local i = 1
while arg[i] do
  if arg[i] == "--quick" then quick = true
  elseif arg[i] == "--lookup" then lookup, i = arg[i + 1], i + 1
  elseif arg[i]:sub(1, 1) == "-" then error("unknown option " .. arg[i], 0)
  else file = arg[i] end
  i = i + 1
end
local SAMPLES, SECONDS = quick and 3 or 60, quick and 0.002 or 0.01

-- The least seconds of one call.
local function least(call)
  local calls, best = 1, math.huge
  while true do
    local start = clock()
    for _ = 1, calls do call() end
    if clock() - start >= SECONDS then break end
    calls = calls * 2
  end
  for _ = 1, SAMPLES do
    collectgarbage()
    local start = clock()
    for _ = 1, calls do call() end
    best = math.min(best, (clock() - start) / calls)
  end
  return best
end

-- The same, including the time to free the result: a full collection follows the call, and the time of a collection
-- without the result is subtracted.
local function least_freed(call)
  local with, without = math.huge, math.huge
  for _ = 1, SAMPLES do
    collectgarbage()
    collectgarbage()
    local start = clock()
    collectgarbage()
    without = math.min(without, clock() - start)
    collectgarbage "stop"
    start = clock()
    call()
    collectgarbage()
    with = math.min(with, clock() - start)
    collectgarbage "restart"
  end
  return with - without
end

-- 1234567.8 -> 1,234,568; figures below 10 keep one decimal, below 1 two.
local function figure(v)
  if not v then return "–" end
  if v < 1 then return ("%.2f"):format(v) end
  if v < 9.95 then return ("%.1f"):format(v) end
  local text = ("%.0f"):format(v)
  return (text:reverse():gsub("%d%d%d", "%0,"):reverse():gsub("^,", ""))
end

local function micro(seconds) return figure(seconds and seconds * 1e6) end
local function nano(seconds) return figure(seconds and seconds * 1e9) end

-- The time of the reader alone, in C.
local function in_c(bytes)
  local path = os.tmpname()
  local f = assert(io.open(path, "wb"))
  f:write(bytes)
  f:close()
  local pipe = assert(io.popen(("'%s' 123.name '%s' %g %d"):format(lookup, path, SECONDS, SAMPLES)))
  local best = math.huge
  for ns in pipe:read("*a"):gmatch("ns ([%d.]+)") do best = math.min(best, tonumber(ns)) end
  pipe:close()
  os.remove(path)
  return best < math.huge and best * 1e-9 or nil
end

local text = fleece.encode(people(new_random(1), 1000), { sort_keys = true })
local bytes = fleece.from_json(text)
local trusted = fleece.new { trusted = true }
local root, path = fleece.open(bytes).root, fleece.path "[122].name"
local by_us, by_them = fleece.decode(text), has_cjson and cjson.decode(text)

-- The results must be correct.
local name = by_us[123].name
assert(type(name) == "string" and path(root) == name and path(trusted.open(bytes).root) == name, "the name differs")
assert(not by_them or by_them[123].name == name, "lua-cjson reads another name")
local decoded = fleece.encode(fleece.decode(fleece.to_json(bytes)), { sort_keys = true })
assert(decoded == fleece.encode(by_us, { sort_keys = true }), "the document differs")

local look_c = lookup and in_c(bytes)
-- JSON has to be parsed even if it is known to be valid.
local parse_them = micro(by_them and least_freed(function() cjson.decode(text) end))
local parse_us = micro(least_freed(function() fleece.decode(text) end))
local rows = {
  { "Data size, bytes", "1,303,317", "911,920", figure(#text), figure(#text), figure(#bytes) },
  { "Convert JSON to Fleece, µs", "–", "6,400", "–", "–", micro(least(function() fleece.from_json(text) end)) },
  { "Parse, µs", "17,000", "750", parse_them, parse_us, micro(least(function() return fleece.open(bytes).root end)) },
  { "Parse trusted, µs", "17,000", "0.6", parse_them, parse_us,
    micro(least(function() return trusted.open(bytes).root end)) },
  { "Look up one name, ns", "960", "49", nano(by_them and least(function() return by_them[123].name end)),
    nano(least(function() return by_us[123].name end)), nano(least(function() return path(root) end)) },
}
local facts = host(here .. "/../..", arg[-1] or "lua")
local head = { "", "JSON, published", "Fleece, published", "lua-cjson", "`fleece.decode`", "Fleece here" }
local out = { markdown.line(head), markdown.ruler(#head) }
for _, row in ipairs(rows) do out[#out + 1] = markdown.line(row) end
out[#out + 1] = ("\n%sFleece is %.0f %% smaller than the JSON (published: 30 %%). %s, %s; commit %s, %s.\n"):format(
  look_c and ("In C, without Lua, the look-up takes %s ns. "):format(nano(look_c)) or "",
  100 - 100 * #bytes / #text, facts.runtime_version, facts.cpu, facts.commit, facts.date:sub(1, 10))
local table_text = table.concat(out)
if file then markdown.replace(file, BEGIN, END, table_text) else io.write(table_text) end
