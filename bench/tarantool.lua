-- SPDX-License-Identifier: MIT
-- tarantool.lua -- encode and decode in Tarantool, against its modules json and msgpack.
--   tarantool bench/tarantool.lua DIRECTORY_OF_fleece.so FILE.json...
-- Columns: milliseconds of Fleece, and how many times as long `json` takes for the same text, and `msgpack` for the same
-- value in its own form. All take turns; medians.
package.cpath = assert(arg[1], "the directory of fleece.so expected") .. "/?.so;" .. package.cpath
package.path = arg[0]:gsub("[^/]*$", "") .. "?.lua;" .. package.path
local fleece, json, msgpack = require "fleece", require "json", require "msgpack"
local measure = require "measure.rounds"

local ROUNDS, CALLS = 15, 5
local DIRECTIONS = { encode = { fleece.encode, json.encode, msgpack.encode },
                     decode = { fleece.decode, json.decode, msgpack.decode } }

local function milliseconds(run, value)
  collectgarbage()
  local start = os.clock()
  for _ = 1, CALLS do run(value) end
  return (os.clock() - start) / CALLS * 1e3
end

print(("layout %s, Tarantool %s"):format(fleece.info().layout, _TARANTOOL))
print(("%-32s %7s  %9s %6s %8s"):format("", "", "fleece ms", "json", "msgpack"))
for i = 2, #arg do
  local file = assert(io.open(arg[i]))
  local text = file:read "*a"
  file:close()
  local value = json.decode(text)
  local given = { encode = { fleece.decode(text), value, value }, decode = { text, text, msgpack.encode(value) } }
  for direction, functions in pairs(DIRECTIONS) do
    local samples = { {}, {}, {} }
    for round = 1, ROUNDS do
      for k, run in ipairs(functions) do samples[k][round] = milliseconds(run, given[direction][k]) end
      for k = 2, 3 do samples[k][round] = samples[k][round] / samples[1][round] end
    end
    for k, list in ipairs(samples) do samples[k] = measure.summary(list).median end
    print(("%-32s %7s  %9.3f %6.1f %8.1f"):format(arg[i]:match "[^/]*$", direction, samples[1], samples[2], samples[3]))
  end
end
os.exit(0)
