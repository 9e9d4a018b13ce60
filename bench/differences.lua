-- SPDX-License-Identifier: MIT
-- differences.lua -- merge_diff and json_diff of a state of 2,000 entities by id, of which 20 have changed.
--   lua bench/differences.lua DIRECTORY_OF_fleece.so [rounds]
-- Columns: the time of `encode` of both states, as a multiple: for tables, for their texts, for views of their documents;
-- that of a loop in Lua that finds the members that differ; and that of testing both texts, which no difference of texts
-- can do without.
package.cpath = assert(arg[1], "the directory of fleece.so expected") .. "/?.so;" .. package.cpath
package.path = arg[0]:gsub("[^/]*$", "") .. "?.lua;" .. package.path
local fleece = require "fleece"
local measure = require "measure.rounds"
require "measure.collector"()

local ROUNDS, ENTITIES, CALLS = tonumber(arg[2]) or 15, 2000, 3

local function state(change)
  local entities = {}
  for i = 1, ENTITIES do
    local changed = change and i % 100 == 0
    entities["e" .. i] = { id = i, hp = changed and 50 or 100, name = "entity " .. i, tags = { "a", "b" },
                           pos = { x = i * 0.5, y = changed and 0 or i * 0.25 } }
  end
  return entities
end

local function loop(a, b)
  local patch = {}
  for name, new in pairs(b) do
    local old = a[name]
    if type(new) == "table" and type(old) == "table" then
      local inner = loop(old, new)
      if next(inner) ~= nil then patch[name] = inner end
    elseif old ~= new then
      patch[name] = new
    end
  end
  for name in pairs(a) do
    if b[name] == nil then patch[name] = fleece.null end
  end
  return patch
end

local function seconds(run, a, b)
  collectgarbage()
  local start = os.clock()
  for _ = 1, CALLS do run(a, b) end
  return (os.clock() - start) / CALLS
end

local function both(a, b) return fleece.encode(a), fleece.encode(b) end

local function check(a, b) return fleece.check(a), fleece.check(b) end

local a, b = state(false), state(true)
local text_a, text_b = both(a, b)
local view_a, view_b = fleece.open(fleece.pack(a)).root, fleece.open(fleece.pack(b)).root
print "|  | tables | texts | documents | loop | check, both |\n|---|--:|--:|--:|--:|--:|"
for _, name in ipairs { "merge_diff", "json_diff" } do
  local run = fleece[name]
  local samples = { {}, {}, {}, {}, {} }
  for round = 1, ROUNDS do
    local unit = seconds(both, a, b)
    samples[1][round] = seconds(run, a, b) / unit
    samples[2][round] = seconds(run, text_a, text_b) / unit
    samples[3][round] = seconds(run, view_a, view_b) / unit
    samples[4][round] = seconds(loop, a, b) / unit
    samples[5][round] = seconds(check, text_a, text_b) / unit
  end
  for i, list in ipairs(samples) do samples[i] = measure.summary(list).median end
  print(("| `%s` | %4.1f | %4.1f | %4.1f | %4.1f | %4.1f |"):format(name, samples[1], samples[2], samples[3], samples[4],
                                                              samples[5]))
end
