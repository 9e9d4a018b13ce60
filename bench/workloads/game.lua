-- SPDX-License-Identifier: MIT
-- game.lua -- generates the message that a game server sends each tick: many small tables, short keys, mixed numbers.

local KINDS = { "player", "monster", "item", "projectile", "door" }
local STATES = { "idle", "walk", "run", "attack", "hurt" }
local ITEMS = { "sword", "bow", "arrow", "potion", "key", "torch", "rope", "map" }
local EVENTS = { "hit", "pickup", "spawn", "despawn", "chat" }

local function vector(random, size)
  return { x = (random.real() - 0.5) * size, y = (random.real() - 0.5) * size, z = random.int(0, 512) / 16 }
end

local function inventory(random)
  local list = {}
  for i = 1, random.int(0, 6) do
    list[i] = { item = random.pick(ITEMS), count = random.int(1, 64), slot = i }
  end
  return list
end

local function entity(random, id)
  local kind = random.pick(KINDS)
  local e = {
    id = id, kind = kind, state = random.pick(STATES), position = vector(random, 4096), speed = vector(random, 8),
    angle = random.int(0, 359), hp = random.int(0, 100), visible = not random.chance(8), effects = {},
  }
  for i = 1, random.int(0, 3) do e.effects[i] = { random.int(1, 40), random.int(1, 600) } end
  if kind == "player" then
    e.name, e.score, e.inventory = random.word(4, 12), random.int(0, 1000000), inventory(random)
  end
  return e
end

return function(random, count)
  local tick = { tick = 1, time = 1763596800.25, map = "harbour", entities = {}, events = {}, removed = {} }
  for i = 1, count do tick.entities[i] = entity(random, 1000 + i) end
  for i = 1, math.floor(count / 4) do
    tick.events[i] = { type = random.pick(EVENTS), amount = random.int(1, 30),
                       from = 1000 + random.int(1, count), to = 1000 + random.int(1, count) }
    tick.removed[i] = random.int(1, 999)
  end
  return tick
end
