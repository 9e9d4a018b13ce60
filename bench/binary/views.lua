-- SPDX-License-Identifier: MIT
-- views.lua -- loops over views, in times of the same loop over the table.
--
--   lua5.4 bench/binary/views.lua build/lua5.4 [rounds]
--
-- Columns: the loop over the table, nanoseconds an item; over the view; over the view in a function for which LuaJIT's
-- compiler is off; the least that an iterator in C can take, one that does nothing (c/calls.c); view:totable() and then
-- the loop. Medians of the rounds. Prints a Markdown table.
local folder, ROUNDS = assert(arg[1], "use: views.lua FOLDER, with fleece.so in it"), tonumber(arg[2]) or 11
package.cpath = folder .. "/?.so;" .. package.cpath
package.path = "bench/?.lua;" .. package.path
local fleece, calls = require "fleece", require("measure.compiled").open("calls", folder) or os.exit(1)
local median = require "measure.rounds".summary
require "measure.collector"()

local function list(n, item)
  local items = {}
  for i = 1, n do items[i] = item(i) end
  return items
end

local function record(i)
  return { id = i, name = "user " .. i, age = i % 80, geo = { lat = i % 180 - 89.5, lng = i % 360 - 179.75 }, active = i % 3 == 0 }
end

-- A function with a loop of its own, so that each has its own traces.
local LOOP = [[local pairs, calls = ...
return function(value) local n = 0 for _ in %s do n = n + 1 end return n end]]
local function loop(head) return (loadstring or load)(LOOP:format(head))(fleece.pairs, calls) end

local function nanoseconds(run, value, items)
  local repeats = math.ceil(200000 / items)
  collectgarbage()
  local start = os.clock()
  for _ = 1, repeats do run(value) end
  return (os.clock() - start) / repeats / items * 1e9
end

print "| loop over | table, ns | view | view, jit.off | a C function | view:totable() |\n|---|--:|--:|--:|--:|--:|"
for _, case in ipairs {
  { "20,000 integers", list(20000, function(i) return 3 * i end), 20000 },
  { "2,000 records", list(2000, record), 2000 },
  { "a record of 5 members", record(1), 5 },
} do
  local name, value, items = case[1], case[2], case[3]
  local view = fleece.open(fleece.pack(value))
  local over_table, over_view, interpreted = loop "pairs(value)", loop "pairs(value)", loop "pairs(value)"
  local over_calls, made = loop "calls(value)", loop "pairs(value:totable())"
  if jit then jit.off(interpreted) end -- luacheck: ignore
  local samples = { {}, {}, {}, {}, {} }
  for round = 1, ROUNDS do
    local base = nanoseconds(over_table, value, items)
    samples[1][round] = base
    samples[2][round] = nanoseconds(over_view, view, items) / base
    samples[3][round] = nanoseconds(interpreted, view, items) / base
    samples[4][round] = nanoseconds(over_calls, items, items) / base
    samples[5][round] = nanoseconds(made, view, items) / base
  end
  for i = 1, 5 do samples[i] = median(samples[i]).median end
  print(("| %-21s | %6.1f | %6.1f | %6.1f | %6.1f | %6.1f |"):format(name, (table.unpack or unpack)(samples)))
end
os.exit(0)
