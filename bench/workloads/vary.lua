-- SPDX-License-Identifier: MIT
-- vary.lua -- encoding: which leaves of a document change between calls, and to which values.
--
-- Lua interns strings: a result that already exists costs no copy, so every result must be new. And Lua 5.1 and
-- LuaJIT hash only a few bytes of a long string (lstring.c, lj_str.c): results that differ only in one number in the
-- middle have the same hash, and each new one is compared, over half its length, with all that the collector has not
-- swept yet. That would measure the string table. So the first leaf changes before every call (the comparison ends at
-- once), a leaf in the middle before every 16th, and both change their length (which moves the bytes that are
-- hashed).

local vary = {}

local SIZES = { 256, 251 } -- small, because the collector visits them; 64,256 pairs before one is repeated

local function leaf(v) return type(v) == "number" or type(v) == "string" end

-- Visits numbers and strings in the order in which an encoder visits them; `visit` returns true to stop.
local function walk(t, visit)
  for k, v in pairs(t) do
    if leaf(v) and visit(t, k, v) or type(v) == "table" and walk(v, visit) then return true end
  end
end

local function slot_number(doc, wanted)
  local slot, count = nil, 0
  walk(doc, function(t, k, v)
    count = count + 1
    if count == wanted then slot = { at = t, key = k, value = v } end
    return slot ~= nil
  end)
  return slot, count
end

-- A number or string like `value`, of random length.
local function like(value, random)
  if type(value) == "string" then return random.word(1, 20) end
  if value ~= math.floor(value) then return random.int(1, 10 ^ random.int(3, 9)) / 1000 + value % 1 end
  local digits = random.int(1, 9)
  return random.int(math.floor(10 ^ (digits - 1)), math.floor(10 ^ digits) - 1)
end

local function fill(slot, make, random, size)
  local ring = {}
  for i = 1, size do ring[i] = make(random, slot.value) end
  slot.ring = ring
  return slot
end

-- Prepares a task for measure/rounds.lua: sets task.fast and task.slow, {at, key, ring} each, unless the case chose the
-- slots itself. If task.make(random, value) exists, it makes the values.
function vary.prepare(task, random)
  local make = task.make or function(r, value) return like(value, r) end
  local _, count = slot_number(task.doc)
  local fast = task.fast or slot_number(task.doc, 1)
  local slow = task.slow or slot_number(task.doc, math.floor(count / 2) + 1)
  task.fast, task.slow = fill(fast, make, random, SIZES[1]), fill(slow, make, random, SIZES[2])
  task.dress, task.run = vary.dress, vary.run
end

-- Every library has another value for JSON null: the slots are refilled before the entrant's turn.
function vary.dress(task, entrant)
  local null = entrant.null
  if null == nil then null = false end
  for _, slot in ipairs(task.nulls or {}) do slot[1][slot[2]] = null end
end

-- Makes the calls number `from` to `to`, each with a different document.
function vary.run(task, entrant, from, to)
  local encode, doc, fast, slow = entrant.call, task.doc, task.fast, task.slow
  local at, key, ring = fast.at, fast.key, fast.ring
  local size, slow_size = #ring, #slow.ring
  for first = from, to, 16 do
    slow.at[slow.key] = slow.ring[first % slow_size + 1]
    for c = first, math.min(first + 15, to) do
      at[key] = ring[c % size + 1]
      encode(doc)
    end
  end
end

return vary
