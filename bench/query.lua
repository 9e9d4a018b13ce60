-- SPDX-License-Identifier: MIT
-- query.lua -- queries of a text of 210 KB and of its table, against what a program would write instead.
--   lua bench/query.lua DIRECTORY_OF_fleece.so [rounds]
-- Columns: microseconds of the query on the table, and the time of a loop in Lua that collects the same, as a multiple,
-- of `..` a recursion over all tables; microseconds of the query on the text, and the time of decoding it, then querying
-- the table, as a multiple; microseconds of a test whether the text is valid, which a query does, too.
package.cpath = assert(arg[1], "the directory of fleece.so expected") .. "/?.so;" .. package.cpath
package.path = arg[0]:gsub("[^/]*$", "") .. "?.lua;" .. package.path
local fleece = require "fleece"
local measure = require "measure.rounds"
require "measure.collector"()
local unpack = table.unpack or unpack

local ROUNDS, USERS, CALLS = tonumber(arg[2]) or 15, 2000, 10

local users = {}
for i = 1, USERS do
  users[i] = { id = i, name = "user " .. i, age = i % 80, geo = { lat = i % 180 - 89.5, lng = i % 360 - 179.75 },
               tags = { "a", "b", "c" }, active = i % 3 == 0 }
end
local document = { users = users }
local text = fleece.encode(document)

-- A loop over the users that collects what `take` returns.
local function collect(take)
  return function(value)
    local list = {}
    for _, user in ipairs(value.users) do list[#list + 1] = take(user) end
    return list
  end
end

-- A recursion over all tables that collects what `take` returns of each.
local function descend(take)
  local function below(value, list)
    list[#list + 1] = take(value)
    for _, child in pairs(value) do
      if type(child) == "table" then below(child, list) end
    end
    return list
  end
  return function(value) return below(value, {}) end
end

local function is_valid(value) return fleece.format_stream(value, nil) end

local function microseconds(run, value)
  collectgarbage()
  local start = os.clock()
  for _ = 1, CALLS do run(value) end
  return (os.clock() - start) / CALLS * 1e6
end

print "| query | table, us | loop | text, us | decode and query | valid, us |\n|---|--:|--:|--:|--:|--:|"
for _, case in ipairs {
  { "$.users[*].name", function(user) return user.name end },
  { "$.users[?@.age > 70].id", function(user) return user.age > 70 and user.id or nil end },
  { "$.users[?@.geo.lat > 89].name", function(user) return user.geo.lat > 89 and user.name or nil end },
  { "$.users[?@.active && @.age < 9].id", function(user) return user.active and user.age < 9 and user.id or nil end },
  { "$..lat", nil, function(value) return value.lat end },
  { "$..[?@.lat > 80]", nil, function(value) return value.lat and value.lat > 80 and value or nil end },
  { "$..[0]", nil, function(value) return value[1] end },
  { "$..*.name", nil, function(value) return value.name end },
} do
  local query, loop = fleece.query(case[1]), case[2] and collect(case[2]) or descend(case[3])
  local function both(value) return query(fleece.decode(value)) end
  local samples = { {}, {}, {}, {}, {} }
  for round = 1, ROUNDS do
    local on_table, on_text = microseconds(query, document), microseconds(query, text)
    samples[1][round], samples[2][round] = on_table, microseconds(loop, document) / on_table
    samples[3][round], samples[4][round] = on_text, microseconds(both, text) / on_text
    samples[5][round] = microseconds(is_valid, text)
  end
  for i, list in ipairs(samples) do samples[i] = measure.summary(list).median end
  print(("| %-36s | %6.0f | %5.2f | %6.0f | %5.2f | %6.0f |"):format("`" .. case[1] .. "`", unpack(samples)))
end
