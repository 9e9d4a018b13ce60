-- SPDX-License-Identifier: MIT
-- small.lua -- small texts, where the fixed cost of a call decides, and pickers of many paths.
--   lua bench/small.lua DIRECTORY_OF_fleece.so [rounds] [a part of a row's name]
-- A row, of Markdown, has nanoseconds a call, and how many times as long what one would do instead takes, in turns, medians of the rounds:
-- the same call of lua-cjson, if it is installed; and decoding with Fleece. The collector works as this Lua sets it.
package.cpath = assert(arg[1], "the directory of fleece.so expected") .. "/?.so;" .. package.cpath
package.path = arg[0]:gsub("[^/]*$", "") .. "?.lua;" .. package.path
local fleece = require "fleece"
local measure = require "measure.rounds"
local found, cjson = pcall(require, "cjson")
cjson = found and cjson or { encode = false, decode = false }

local ROUNDS, SECONDS, ONLY = tonumber(arg[2]) or 11, 0.005, arg[3] or ""
local RECORD = { id = 12345, name = "Alice", active = true, score = 98.5, x = 1 }
local SMALL = '{"id":12345,"name":"Alice","active":true,"score":98.5,"x":1}'
local LARGER = '{"id":12345,"name":"Alice Liddell","email":"alice@example.org","active":true,"score":98.5,"tags":["a","b"],"x":null}'
local NAMES = { "id", "name", "score" }
local CHANGES = { { "set", "score", 1 } }

local function time(run, argument, calls)
  local start = os.clock()
  for _ = 1, calls do run(argument) end
  return os.clock() - start
end

-- The time of a call, and the ratio of the others' to it.
local function row(name, argument, run, ...)
  if not name:find(ONLY, 1, true) then return end
  local others, calls, ns, ratios = { ... }, 16, {}, { {}, {} }
  while time(run, argument, calls) < SECONDS do calls = calls * 2 end
  for round = 1, ROUNDS do
    local own = time(run, argument, calls)
    ns[round] = own / calls * 1e9
    for i = 1, 2 do
      if others[i] then ratios[i][round] = time(others[i], argument, calls) / own end
    end
  end
  local line = ("| %-26s | %9.0f |"):format(name:gsub("[^ ]*[][{}\"][^ ]*", "`%0`"), measure.summary(ns).median)
  for i = 1, 2 do line = line .. (others[i] and (" %9.2f |"):format(measure.summary(ratios[i]).median) or "           |") end
  print(line)
end

local function changed(codec)
  return codec.decode and function(text)
    local value = codec.decode(text)
    value.score = 1
    return codec.encode(value)
  end
end

local function picked(decode, names)
  return decode and function(text)
    local value, last = decode(text), nil
    for i = 1, #names do last = value[names[i]] end
    return last
  end
end

print "| call | ns | lua-cjson | decode |\n|---|--:|--:|--:|"
for _, text in ipairs { "[]", "{}", "1", '"a"', '"word"', '{"a":1}', SMALL, LARGER } do
  row("decode " .. (#text < 10 and text or #text .. " bytes"), text, fleece.decode, cjson.decode)
end
for _, value in ipairs { fleece.object {}, { 1 }, { a = 1 }, RECORD, "hello", 1 } do
  local text = fleece.encode(value)
  row("encode " .. (#text < 10 and text or #text .. " bytes"), value, fleece.encode, cjson.encode)
end
for _, text in ipairs { SMALL, LARGER } do
  local size = (" %d bytes"):format(#text)
  row("is it valid?" .. size, text, function(s) return fleece.format_stream(s, nil) end, cjson.decode, fleece.decode)
  row("three fields of" .. size, text, fleece.pick("id", "name", "score"), picked(cjson.decode, NAMES), picked(fleece.decode, NAMES))
  row("set one field of" .. size, text, function(s) return fleece.edit(s, CHANGES) end, changed(cjson), changed(fleece))
end
for _, n in ipairs { 30, 250, 1000 } do
  local names, value = {}, {}
  for i = 1, n do names[i], value["field_" .. i] = "field_" .. i, i end
  row(("all %d fields"):format(n), fleece.encode(value), fleece.pick((table.unpack or unpack)(names)),
    picked(cjson.decode, names), picked(fleece.decode, names))
end
