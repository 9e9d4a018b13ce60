-- SPDX-License-Identifier: MIT
-- large.lua -- time per byte of fleece.encode for results of 1 to 100 MB, best of many:
--   lua bench/large.lua DIRECTORY_OF_fleece.so
-- as Markdown.
-- "same": one list of a thousand records over and over, so that the time is that of walk and result; "new": each record
-- is a table of its own, so that reading the tables from memory comes in.
package.cpath = assert(arg[1], "the directory of fleece.so expected") .. "/?.so;" .. package.cpath
local fleece = require "fleece"
local clock = os.clock

local function record(i)
  return { id = i, name = "name of " .. i, list = { i, i / 8, {} }, ok = true, text = ("x"):rep(40) }
end

local function best(task, rounds)
  local time = 1 / 0
  for _ = 1, rounds do
    local from = clock()
    task()
    time = math.min(time, clock() - from)
    collectgarbage()
    collectgarbage()
  end
  return time
end

local records = {}
for i = 1, 1000 do records[i] = record(i) end
local first
print "| MB | same | times 1 MB | new | times 1 MB |\n|---|--:|--:|--:|--:|"
for _, megabytes in ipairs { 1, 5, 20, 100 } do
  local same, new, rounds = {}, {}, 6 + 60 / megabytes
  for i = 1, megabytes * 9 do same[i] = records end
  local bytes = #fleece.encode(same)
  local row = { best(function() fleece.encode(same) end, rounds) / bytes * 1e9 }
  for i = 1, megabytes * 9000 do new[i] = record(i) end
  bytes = #fleece.encode(new)
  row[2] = best(function() fleece.encode(new) end, rounds) / bytes * 1e9
  first = first or row
  print(("| %4d | %8.3f | %4.2f | %8.3f | %4.2f |"):format(megabytes, row[1], row[1] / first[1], row[2], row[2] / first[2]))
end
