-- SPDX-License-Identifier: MIT
-- hooks.lua -- what hooks cost: a game's state of 300 rooms, 360 KB, of which none, one, 100 or all are objects with a hook.
--   lua bench/hooks.lua DIRECTORY_OF_fleece.so [rounds]
-- Prints the time of encode as a multiple of that without hooks (the median of the rounds' ratios, measured in turns; the
-- column 0 is an equal state without any: what the place in memory makes of it), for __tojson, which returns a text that is ready; for __pairs, which returns `next` or a function in Lua; for a fleece.raw
-- in the room; and the multiple by the public API alone.
package.cpath = assert(arg[1], "the directory of fleece.so expected") .. "/?.so;" .. package.cpath
package.path = arg[0]:gsub("[^/]*$", "") .. "?.lua;" .. package.path
local fleece = require "fleece"
local measure = require "measure.rounds"
local game, random = require "workloads.game", require "workloads.random"

local ROUNDS, ROOMS, CALLS = tonumber(arg[2]) or 15, 300, 3

local function rooms()
  local numbers, list = random(), {}
  for i = 1, ROOMS do
    local tick = game(numbers, 4)
    list[i] = { id = i, name = "room " .. i, map = tick.map, open = true, entities = tick.entities, events = tick.events }
  end
  return { tick = 1, rooms = list }
end

local kinds = {
  { "__tojson", function(room)
    return setmetatable({ text = fleece.encode(room) }, { __tojson = function(self) return self.text end })
  end },
  { "__pairs: next", function(room) return setmetatable(room, { __pairs = function(t) return next, t end }) end },
  { "__pairs: Lua", function(room)
    return setmetatable(room, { __pairs = function(t) return function(_, k) return next(t, k) end, t end })
  end },
  { "fleece.raw", function(room)
    room.map = fleece.raw '"harbour"'
    return room
  end },
}

local function with(kind, count)
  local state = rooms()
  for i = 1, count do
    local at = math.floor((i - 0.5) * ROOMS / count) + 1
    state.rooms[at] = kind(state.rooms[at])
  end
  return state
end

local function time(encode, value)
  local start = os.clock()
  for _ = 1, CALLS do encode(value) end
  return os.clock() - start
end

local plain, by_api = rooms(), fleece.new { layout = "api" }
print(("%d bytes, %s"):format(#fleece.encode(plain), fleece.info().layout or ""))
print(("%-16s %8s %8s %8s %8s %12s"):format("hook", "0", "1", "100", "all", "all, by API"))
for _, kind in ipairs(kinds) do
  local columns = { { fleece.encode, 0 }, { fleece.encode, 1 }, { fleece.encode, 100 }, { fleece.encode, ROOMS }, { by_api.encode, ROOMS } }
  local line = ("%-16s"):format(kind[1])
  for _, column in ipairs(columns) do
    local value, ratios = with(kind[2], column[2]), {}
    for round = 1, ROUNDS do
      collectgarbage()
      local first = round % 2 == 0 and time(fleece.encode, plain)
      local with_hooks = time(column[1], value)
      ratios[round] = with_hooks / (first or time(fleece.encode, plain))
    end
    line = line .. (" %8.2f"):format(measure.summary(ratios).median)
  end
  print(line)
end
