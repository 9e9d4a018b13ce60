-- SPDX-License-Identifier: MIT
-- test_values.lua -- every type, and every way in which a Lua table can hold an array, an object or a mixture.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestValues = {}

-- encode and json give this text, which has no escapes.
local function encodes_alike(value, expected)
  same(T.encode_by_model(value), expected)
  same(T.json(value), expected)
end

function TestValues:test_scalars()
  encodes_alike(nil, "null")
  encodes_alike(true, "true")
  encodes_alike(false, "false")
  encodes_alike(fleece.null and 1, "1")
  encodes_alike("", '""')
  encodes_alike("hello", '"hello"')
  same(T.encode(fleece.null), "null")
  same(T.json(fleece.null), "null")
end

function TestValues:test_empty()
  encodes_alike({}, "[]")
  encodes_alike({ {} }, "[[]]")
  encodes_alike({ a = {} }, '{"a":[]}')
  same(T.encode({}, { empty_table = "object" }), "{}")
end

function TestValues:test_emptied_tables_are_empty()
  local t = { 1, 2, 3, a = 1, b = 2, [100] = 5 }
  for k in pairs(t) do t[k] = nil end
  encodes_alike(t, "[]")
  t = {}
  for i = 1, 100 do t[i] = i end
  for i = 1, 100 do t[i] = nil end
  encodes_alike(t, "[]")
  encodes_alike({ t, t }, "[[],[]]")
end

function TestValues:test_arrays()
  encodes_alike({ 1 }, "[1]")
  encodes_alike({ 1, 2, 3 }, "[1,2,3]")
  encodes_alike({ true, false, "x", 1.5, {}, { 1 } }, '[true,false,"x",1.5,[],[1]]')
  for n = 0, 70 do -- all sizes of the array part and of the hash part
    local t, u, v = {}, {}, {}
    for i = 1, n do t[i] = i end
    for i = n, 1, -1 do u[i] = i end
    for i = 2, n, 2 do v[i] = i end
    for i = 1, n, 2 do v[i] = i end
    local expected = n == 0 and "[]" or "[" .. table.concat(t, ",") .. "]"
    encodes_alike(t, expected)
    encodes_alike(u, expected)
    encodes_alike(v, expected)
  end
end

function TestValues:test_arrays_with_spare_room()
  for n = 1, 40 do
    local t = {}
    for i = 1, n + 20 do t[i] = i end
    for i = n + 20, n + 1, -1 do t[i] = nil end
    encodes_alike(t, "[" .. table.concat(t, ",", 1, n) .. "]")
    t = {} -- an array whose table also has dead keys
    for i = 1, n do
      t[i] = i
      t["k" .. i] = i
    end
    for i = 1, n do t["k" .. i] = nil end
    encodes_alike(t, "[" .. table.concat(t, ",", 1, n) .. "]")
  end
end

function TestValues:test_arrays_in_the_hash_part()
  local t = { x = 1, y = 2, z = 3, w = 4 } -- room for four keys, none in the array part
  t.x, t.y, t.z, t.w = nil, nil, nil, nil
  t[1] = "a"
  encodes_alike(t, '["a"]')
  t[2] = "b"
  t[3] = "c"
  encodes_alike(t, '["a","b","c"]')
  local u = { 1, 2, 3, 4 } -- the array part is full; the fifth item goes to the hash part
  u[5] = 5
  encodes_alike(u, "[1,2,3,4,5]")
  u[6], u[7] = 6, 7
  encodes_alike(u, "[1,2,3,4,5,6,7]")
  local v = { 1, 2, 3, nil, 5 }
  v[4] = 4
  encodes_alike(v, "[1,2,3,4,5]")
  local w = { n = 1, 1, 2, 3 }
  w.n = nil
  w[4] = 4
  encodes_alike(w, "[1,2,3,4]")
end

function TestValues:test_growing_and_shrinking()
  local t = {}
  for i = 1, 300 do
    t[i] = i
    if i % 7 == 0 then T.encode_by_model(t) end
  end
  for i = 300, 1, -1 do
    t[i] = nil
    if i % 7 == 0 then T.encode_by_model(t) end
  end
  for i = 1, 200 do table.insert(t, 1, i) end
  T.encode_by_model(t)
  for _ = 1, 150 do table.remove(t, 1) end
  T.encode_by_model(t)
end

function TestValues:test_concat_and_unpack_tables()
  encodes_alike({ T.unpack({ 1, 2, 3, 4, 5, 6, 7, 8, 9 }) }, "[1,2,3,4,5,6,7,8,9]")
  encodes_alike({ n = 2, T.unpack { 1, 2 } }, T.model.encode { 1, 2, n = 2 })
  if table.pack then encodes_alike(table.pack(), '{"n":0}') end
end

function TestValues:test_holes_make_objects()
  encodes_alike({ 1, nil, 3 }, '{"1":1,"3":3}')
  encodes_alike({ nil, 2 }, '{"2":2}')
  encodes_alike({ nil, nil, nil, 4 }, '{"4":4}')
  local t = {}
  for i = 1, 32 do t[i] = i end
  for _, hole in ipairs { 1, 16, 31 } do
    t[hole] = nil
    T.encode_by_model(t)
    same(T.encode(t):sub(1, 1), "{")
    t[hole] = hole
    same(T.encode_by_model(t):sub(1, 1), "[")
  end
  t[33] = 33
  t[32] = nil
  same(T.encode_by_model(t):sub(1, 1), "{")
  t[33] = nil
  same(T.encode_by_model(t):sub(1, 1), "[")
end

function TestValues:test_every_small_subset_of_indexes()
  for mask = 0, 511 do -- which of 1..9 exist, filled forwards, backwards and by deletion
    local forward, backward, deleted = {}, {}, { 1, 2, 3, 4, 5, 6, 7, 8, 9 }
    for i = 1, 9 do
      if math.floor(mask / 2 ^ (i - 1)) % 2 == 1 then forward[i] = i else deleted[i] = nil end
      local j = 10 - i
      if math.floor(mask / 2 ^ (j - 1)) % 2 == 1 then backward[j] = j end
    end
    T.encode_by_model(forward)
    T.encode_by_model(backward)
    T.encode_by_model(deleted)
    same(T.json(forward), T.model.encode(forward))
    same(T.json(backward), T.model.encode(backward))
    same(T.json(deleted), T.model.encode(deleted))
  end
end

function TestValues:test_mixed()
  T.each({
    { 1, 2, x = 3 },
    { x = 1, [1] = 2 },
    { 1, 2, [0] = 0 },
    { 1, [-1] = 2 },
    { [0] = "zero" },
    { [-5] = "minus" },
    { [1] = 1, [1000] = 2 },
    { [1000000] = 1 },
    { [2 ^ 31] = 1, [1] = 2 },
    { [2 ^ 31 - 1] = 1 },
    { [2 ^ 32] = 1 },
    { [2 ^ 32 + 1] = 2 },
    { [2 ^ 53] = 1 },
    { [-2 ^ 53] = 1 },
    { [1.5] = 3 },
    { [-0.5] = 1, [0.5] = 2 },
    { [1e100] = 1 },
    { [2 ^ 63] = 1 },
    { [-2 ^ 63] = 1 },
    { 1, 2, 3, [3.5] = 4 },
    { 1, 2, 3, [5] = 5 },
  }, function(t)
    T.encode_by_model(t)
    same(T.encode(t), T.model.encode(t))
    same(T.json(t), T.model.encode(t))
  end)
  if T.integers then
    local t = { [math.maxinteger] = 1, [math.mininteger] = 2, [1] = 3 }
    T.encode_by_model(t)
    same(T.json(t), T.model.encode(t))
  end
end

function TestValues:test_number_keys_are_quoted_numbers()
  encodes_alike({ [10] = true }, '{"10":true}')
  encodes_alike({ [0] = true }, '{"0":true}')
  encodes_alike({ [-1] = true }, '{"-1":true}')
  encodes_alike({ [0.1] = true }, '{"0.1":true}')
  encodes_alike({ [2 ^ 53] = true }, '{"9007199254740992":true}')
  if not T.integers then encodes_alike({ [2 ^ 31] = true }, '{"2147483648":true}') end
end

function TestValues:test_two_keys_of_one_text()
  local t = { [1] = "number", ["1"] = "string" }
  local text = T.encode_by_model(t)
  same(#text, #'{"1":"number","1":"string"}')
  T.encode_by_model { [0.5] = "number", ["0.5"] = "string", [7] = 1, ["7"] = 2 }
end

function TestValues:test_objects()
  encodes_alike({ a = 1 }, '{"a":1}')
  encodes_alike({ [""] = 1 }, '{"":1}')
  for n = 1, 70 do
    local t = {}
    for i = 1, n do t["key" .. i] = i end
    T.encode_by_model(t)
    same(T.json(t), T.model.encode(t))
    for i = 1, n, 2 do t["key" .. i] = nil end -- leaves dead keys
    T.encode_by_model(t)
    same(T.json(t), T.model.encode(t))
  end
end

function TestValues:test_long_keys()
  for _, n in ipairs { 39, 40, 41, 255, 256, 4096, 70000 } do
    local t = { [("k"):rep(n)] = n, short = 1 }
    T.encode_by_model(t)
    same(T.json(t), T.model.encode(t))
  end
end

function TestValues:test_shared_tables_are_not_cycles()
  local shared = { 1, 2 }
  encodes_alike({ shared, shared, { shared } }, "[[1,2],[1,2],[[1,2]]]")
  local t = shared
  for _ = 1, 12 do t = { t, t } end
  T.encode_by_model(t)
end

function TestValues:test_unsupported_types()
  T.rejects(print, "cannot encode a function at the root")
  T.rejects(function() end, "cannot encode a function at the root")
  T.rejects(coroutine.create(function() end), "cannot encode a thread at the root")
  T.rejects(io.stdout, "cannot encode a userdata at the root")
  T.rejects_json(print, "cannot encode a function at the root")
  T.rejects_json({ print }, "cannot encode a function at [1]", "E4")
  if debug.upvalueid then
    local pointer = debug.upvalueid(TestValues.test_unsupported_types, 1)
    T.raises_with("userdata at .a", fleece.encode, { a = pointer })
    T.raises_with("userdata at .a", T.api.encode, { a = pointer })
  end
end

function TestValues:test_unsupported_keys()
  T.rejects({ a = { [true] = 1 } }, "cannot encode a boolean key at .a")
  T.rejects({ [{}] = 1 }, "cannot encode a table key at the root")
  T.rejects({ { [print] = 1 } }, "cannot encode a function key at [1]")
  T.rejects({ { [coroutine.create(function() end)] = 1 } }, "cannot encode a thread key at [1]")
  T.rejects_json({ a = { [true] = 1 } }, "cannot encode a boolean key at .a")
end

function TestValues:test_weak_tables()
  local t = setmetatable({}, { __mode = "k" })
  t.a = 1
  t[{}] = 2
  collectgarbage()
  encodes_alike(t, '{"a":1}')
  local v = setmetatable({ {}, 2 }, { __mode = "v" })
  collectgarbage()
  encodes_alike(v, '{"2":2}')
end

function TestValues:test_big_array_and_big_object()
  local t, u = {}, {}
  for i = 1, 10000 do
    t[i] = i
    u["x" .. i] = i
  end
  same(T.json(t), "[" .. table.concat(t, ",") .. "]")
  T.encode_by_model(u)
  same(T.json(u), T.model.encode(u))
  lu.assertTrue(true)
end
