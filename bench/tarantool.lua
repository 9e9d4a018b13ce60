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

print(("| layout `%s` | encode, ms | times `json` | times `msgpack` | decode, ms | times `json` | times `msgpack` |")
  :format(fleece.info().layout))
print "|---|--:|--:|--:|--:|--:|--:|"
for i = 2, #arg do
  local file = assert(io.open(arg[i]))
  local text = file:read "*a"
  file:close()
  local value = json.decode(text)
  local given = { encode = { fleece.decode(text), value, value }, decode = { text, text, msgpack.encode(value) } }
  local row = { (arg[i]:match "([^/]*)%.json$") }
  for _, direction in ipairs { "encode", "decode" } do
    local samples, functions = { {}, {}, {} }, DIRECTIONS[direction]
    for round = 1, ROUNDS do
      for k, run in ipairs(functions) do samples[k][round] = milliseconds(run, given[direction][k]) end
      for k = 2, 3 do samples[k][round] = samples[k][round] / samples[1][round] end
    end
    for k, list in ipairs(samples) do
      row[#row + 1] = (k == 1 and "%.2f" or "%.1f"):format(measure.summary(list).median)
    end
  end
  print("| " .. table.concat(row, " | ") .. " |")
end
print("versions: Tarantool " .. _TARANTOOL:match "^[%d.]+")
os.exit(0)
