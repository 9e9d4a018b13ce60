-- SPDX-License-Identifier: MIT
-- test_pack_keys.lua -- pack caches where keys were written, by their addresses, and the sorted order of sets of keys:
-- here with more than fit, and in documents of all kinds one after the other. The bytes must not depend on the caches:
-- they equal those of a newly loaded module and those of from_json, and unpack gives the value again.

local T = require "support"
local lu, fleece, same, random = T.lu, T.fleece, T.same, T.random

TestPackKeys = {}

-- The number of keys and of sets that pack caches (PACK_KEYS, BIN_ORDERS).
local KEYS, SETS = 2048, 64
local modes = { "compact", "compatible" }

-- The module, loaded again, with empty caches.
local function fresh()
  local loaded = package.loaded.fleece
  package.loaded.fleece = nil
  local again = require "fleece"
  package.loaded.fleece = loaded
  lu.assertTrue(again.pack ~= fleece.pack)
  return again
end

-- Packs and checks the bytes in all ways.
local function pack(value, mode, what)
  local bytes = fleece.pack(value, { mode = mode })
  same(bytes, T.api.pack(value, { mode = mode }), (what or "") .. " API walk, " .. mode)
  if bytes ~= fleece.from_json(fleece.encode(value), { mode = mode }) then
    lu.fail((what or "") .. " from_json, " .. mode)
  end
  if fleece.check(bytes, { check_utf8 = true }) ~= true then lu.fail((what or "") .. " check, " .. mode) end
  if not T.is_equal(fleece.unpack(bytes), value) then lu.fail((what or "") .. " unpack, " .. mode) end
  return bytes
end

-- Packs in both modes in turn, twice, and once with a new module.
local function packs(value, what)
  local first = {}
  for round = 1, 2 do
    for _, mode in ipairs(modes) do
      local bytes = pack(value, mode, what)
      if round == 2 then same(bytes, first[mode], what) end
      first[mode] = bytes
    end
  end
  local new = fresh()
  for _, mode in ipairs(modes) do same(first[mode], new.pack(value, { mode = mode }), what) end
end

------------------------------------------------------------------------------------------------ many

-- The i-th key; some fit the slot, some have a length of two bytes.
local function name(i)
  if i <= 26 then return string.char(96 + i) end
  return "key " .. i .. (i % 7 == 0 and (" that is longer"):rep(i % 3 + 1) or "")
end

-- Each key is used, then all others, then the key again; each is also a value.
function TestPackKeys:test_more_keys_than_fit()
  local list = {}
  for round = 1, 3 do
    for i = 1, 2 * KEYS do
      list[#list + 1] = { [name(i)] = round % 2 == 0 and name(i) or i,
        [name((31 * i + round) % KEYS + 1)] = name(2 * KEYS - i) }
    end
  end
  packs(list)
  local map, again = {}, {} -- more keys than fit in one table
  for i = 1, 3 * KEYS do map[name(i)] = i end
  for i = 1, 3 * KEYS, 5 do again[#again + 1] = { [name(i)] = 0, [name(i + 1)] = name(i) } end
  packs { map, again, map }
end

-- Beyond a narrow pointer's reach, compatible mode writes a key again and finds the new copy from then on.
function TestPackKeys:test_far_keys()
  local list = {}
  for i = 1, 60 do
    list[i] = { [name(30)] = i, [name(31 + i % 9)] = ("x"):rep(2000) .. i,
      inner = { [name(30)] = name(30), [name(35)] = name(i) } }
  end
  packs(list)
end

-- A table with the i-th order of a set of keys: removed keys change the order. A set of more than 48 keys is not
-- cached.
local function row(set, i, width)
  local t, removed = {}, {}
  for j = 1, (i * 7) % 23 do t[name(100 + j)], removed[j] = 1, name(100 + j) end
  for j = 0, width - 1 do
    local number = i % 2 == 0 and j or width - 1 - j
    t[name(20 + (set * (number + 1) + number) % 61)] = number
  end
  for _, k in ipairs(removed) do t[k] = nil end
  t.set = set
  return t
end

function TestPackKeys:test_more_sets_than_fit()
  local list = {}
  for round = 1, 4 do
    for set = 1, 3 * SETS do list[#list + 1] = row(set, round * 5 + set, set % 50 == 0 and 60 or 3 + set % 6) end
  end
  packs(list)
end

------------------------------------------------------------------------------------------------ several documents

-- Documents with the same keys in other orders and at other positions.
local function mixed_records(i)
  local list = { ("start "):rep(i % 5), name(i % 40) }
  for j = 1, 6 do
    local t = { id = j, [name((i + j) % 40)] = name((i * j) % 40), ["name " .. i % 3] = "id" }
    list[#list + 1] = i % 2 == 0 and t or { name = t, id = name((i + j) % 40) }
  end
  return list
end

function TestPackKeys:test_modes_in_turn()
  for i = 1, 120 do
    local value = mixed_records(i)
    for _, mode in ipairs { modes[i % 2 + 1], modes[i % 3 == 0 and 1 or 2] } do pack(value, mode, i) end
  end
end

-- Two encoders that have written the same number of bytes must not use each other's caches.
function TestPackKeys:test_modes_of_a_new_module()
  for i = 1, 30 do
    local new, value = fresh(), mixed_records(i)
    for j = 1, 4 do
      local mode = modes[(i + j) % 2 + 1]
      same(new.pack(value, { mode = mode }), pack(value, mode, i), i)
    end
  end
end

-- Keys of two letters are at the same positions in each document, mostly in another order.
function TestPackKeys:test_orders_of_other_documents()
  for i = 1, 400 do
    local t, k = {}, i
    for j = 1, 2 + i % 3 do
      k = k * 73 % 677
      t[string.char(97 + k % 26, 97 + (k + i) % 25)] = j
    end
    pack(t, modes[i % 2 + 1], i)
  end
end

-- From short texts, which set the order of keys: a set, then one that begins like it, and duplicate keys in each of two
-- objects.
function TestPackKeys:test_orders_of_other_sets()
  for i = 1, 676 do
    local b = string.char(97 + math.floor(i / 26))
    local x, y = string.char(98 + i % 25) .. "x", b .. "y"
    local text = ('[{"%s":1,"%s":2,"_a":3},{"%s":4,"%s":5},{"%s":6,"%s":7,"_a":8}]'):format(x, y, x, y, x, y)
    local wanted = { { [x] = 1, [y] = 2, _a = 3 }, { [x] = 4, [y] = 5 }, { [x] = 6, [y] = 7, _a = 8 } }
    for _, mode in ipairs(modes) do
      local bytes = fleece.from_json(text, { mode = mode })
      if fleece.check(bytes) ~= true or not T.is_equal(fleece.unpack(bytes), wanted) then
        lu.fail(text .. " " .. mode)
      end
    end
    local twice = ('{"%s":1,"_%s":2,"%s":3}'):format(x, b, x)
    local bytes = fleece.from_json("[" .. twice .. "," .. twice:gsub("%d", { ["1"] = "4", ["2"] = "5", ["3"] = "6" }) ..
      "]")
    if not T.is_equal(fleece.unpack(bytes), { { [x] = 3, ["_" .. b] = 2 }, { [x] = 6, ["_" .. b] = 5 } }) or
       #fleece.open(bytes).root[1] ~= 2 or #fleece.open(bytes).root[2] ~= 2 then lu.fail(twice) end
  end
end

-- With errors in between, after keys that were already written, and with documents from other functions.
function TestPackKeys:test_errors_between()
  for i = 1, 60 do
    local value = mixed_records(i)
    local mode = { mode = modes[i % 2 + 1] }
    local broken = mixed_records(i + 1)
    broken[#broken + 1] = i % 3 == 0 and { [name(5)] = print } or i % 3 == 1 and { id = 0 / 0 } or { ["\255" .. i] = 1 }
    broken[#broken + 1] = mixed_records(i + 2)
    T.error_of(fleece.pack, broken, mode)
    same(T.safe.pack(broken, mode), nil)
    T.error_of(fleece.pack, { { { mixed_records(i) } } }, { max_depth = 2, mode = mode.mode })
    pack(value, modes[1], i)
    fleece.from_json(fleece.encode(broken[1]), mode)
    T.error_of(fleece.from_json, '[{"id":1,"name":2},{"id"', mode)
    pack(value, modes[2], i)
  end
end

-- A hook packs values with the same keys as the value that is being packed, in both modes.
function TestPackKeys:test_hooks_pack()
  local seen = {}
  for i = 1, 30 do
    for _, mode in ipairs(modes) do
      local inner = mixed_records(i + 1)
      local hook = setmetatable({}, { __tojson = function()
        for _, other in ipairs(modes) do
          local bytes = fleece.pack(inner, { mode = other })
          same(bytes, seen[other .. i] or bytes)
          seen[other .. i] = bytes
        end
        pcall(fleece.pack, { inner, print }, { mode = mode })
        return fleece.encode(inner)
      end })
      local plain = { mixed_records(i), inner, mixed_records(i + 2), { id = inner } }
      local bytes = pack(plain, mode, i)
      local hooked = { mixed_records(i), hook, mixed_records(i + 2), { id = hook } }
      same(fleece.pack(hooked, { mode = mode }), bytes, i)
      same(fleece.pack(hooked, { mode = mode, layout = "api" }), bytes, i)
      same(pack(inner, mode), seen[mode .. i])
    end
  end
end

------------------------------------------------------------------------------------------------ addresses

-- Keys are collected, and new ones of the same length get their addresses: a cached address may belong to another key.
-- If this Lua can show addresses, the test checks that this has happened.
function TestPackKeys:test_addresses_again()
  local address = pcall(string.format, "%p", "") and function(s) return ("%p"):format(s) end
  local must = address and not os.getenv "LD_PRELOAD" -- a memory checker does not reuse freed blocks soon
  local owner, again, round = {}, 0, 0
  repeat -- musl's heap reuses blocks late
    round = round + 1
    local list = {}
    for i = 1, 300 do
      local key = ("r%02d k%03d"):format(round, (i * 7) % 300) -- of the same length in each round
      list[i] = { [key] = i, [("r%02d j%03d"):format(round, i % 10)] = key }
      if address then
        local at = address(key)
        if owner[at] and owner[at] ~= round then again = again + 1 end
        owner[at] = round
      end
    end
    pack(list, modes[round % 2 + 1], round)
    pack(list, modes[1], round)
    list = nil
    collectgarbage()
  until round >= 12 and (again > 0 or not must) or round == 98
  if must then lu.assertTrue(again > 0) end
end

------------------------------------------------------------------------------------------------ random

function TestPackKeys:test_random()
  T.random_rounds(40, function()
    local list, kinds = {}, random(1, 100)
    for i = 1, random(1, 150) do
      local t = {}
      for _ = 1, random(0, 9) do
        local value = random(1, 4)
        t[name(random(1, 20 * kinds))] = value == 1 and name(random(1, 20 * kinds)) or value == 2 and
          list[random(1, i)] or i
      end
      list[i] = next(t) == nil and i or t
    end
    for _ = 1, 2 do pack(list, modes[random(1, 2)]) end
  end)
end

------------------------------------------------------------------------------------------------ a base

-- Documents with a base, whose keys are in the base or not and occur many times: amended in each way, the document has
-- the members that were set.
local function amended(base, change, options)
  local doc = fleece.open(base, { check_utf8 = true })
  local bytes = doc:amend(change, options)
  if options.extern then
    same(fleece.check(bytes, { base = doc, check_utf8 = true }), true)
    return fleece.open(bytes, { base = doc, check_utf8 = true }).root:totable()
  end
  same(fleece.check(base .. bytes, { check_utf8 = true }), true)
  return fleece.unpack(base .. bytes)
end

function TestPackKeys:test_base()
  for i = 1, 12 do
    local value = { rows = mixed_records(i), more = mixed_records(i + 1), ["name 1"] = 1, id = 2 }
    for _, mode in ipairs(modes) do
      local base = fleece.pack(value, { mode = mode })
      for _, o in ipairs { {}, { reuse_strings = true }, { extern = true }, { reuse_strings = true, extern = true } } do
        local added = {}
        for j = 1, 40 do added[j] = row(j % 5, i + j, 6) end
        local wanted = { rows = value.rows, more = added, ["name 1"] = 1,
          id = { id = name(30), more = mixed_records(i + 2) } }
        local got = amended(base, function(m)
          m.more = added
          m.id = wanted.id
        end, o)
        if not T.is_equal(got, wanted) then lu.fail(fleece.encode(got)) end
        pack(wanted, mode, i) -- then one without a base
      end
    end
  end
end

-- The shared keys stay alive while they are used, even if a hook removes them from the options.
function TestPackKeys:test_keys_taken_out_of_the_options()
  for _ = 1, 5 do
    local options, garbage = { keys = fleece.keys() }, {}
    local hooked = setmetatable({}, { __tojson = function()
      options.keys = nil
      collectgarbage()
      collectgarbage()
      for i = 1, 50 do garbage[i] = ("x"):rep(45000) .. i end
      return '{"abc":1,"def":2}'
    end })
    local bytes = fleece.pack({ first = 1, a = hooked, zeta = 3 }, options)
    T.raises_with("the document needs its shared keys", fleece.to_json, bytes)
  end
end
