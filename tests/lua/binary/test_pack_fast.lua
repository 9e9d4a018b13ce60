-- SPDX-License-Identifier: MIT
-- test_pack_fast.lua -- mode = "fast": the values are those of the text and the oracle, the documents pass the check, and
-- what is remembered of records from call to call never shows. Expected sizes come from the format's rules. Tables are read
-- and made by both walks.
-- runs: in one layout

local T = require "support"
local D = require "decoding"
local lu, fleece, same, model, random = T.lu, T.fleece, T.same, T.model, T.random

TestPackFast = {}

local fast = { mode = "fast" }
local codecs = { fleece.new(fast), fleece.new { mode = "fast", layout = "api" } }

-- Packs by both walks, three times each: a record that comes again is written in another way.
local function packs(value, what)
  local node = model.decode(fleece.encode(value, { float_integers = T.integers, max_depth = 100000 }))
  local last
  for _, codec in ipairs(codecs) do
    local seen = {} -- the bytes that were looked at
    for _ = 1, 3 do
      local bytes = codec.pack(value, { max_depth = 100000 })
      if not seen[bytes] then
        local fine, message = fleece.check(bytes, { check_utf8 = true, max_depth = 100000 })
        if not fine then lu.fail((what or "") .. " " .. message) end
        local difference = D.differs(codec.unpack(bytes, { max_depth = 100000 }), node)
        if difference then lu.fail((what or "") .. "\n" .. difference) end
      end
      seen[bytes], last = true, last or bytes
    end
  end
  return last
end

-- A record with the names in the list.
local function record(names, value)
  local t = {}
  for i, name in ipairs(names) do t[name] = value == nil and i or value end
  return t
end

local function names_of(count, length)
  local list = {}
  for i = 1, count do list[i] = ("n%d"):format(i) .. ("x"):rep(length - #("n%d"):format(i)) end
  return list
end

function TestPackFast:test_values()
  local long = ("abcdefgh"):rep(40)
  packs { true, false, fleece.null, "", "a", "ab", "abcdefghijklmn", "abcdefghijklmno", "abcdefghijklmnop" }
  packs { 0, 1, -1, 2047, 2048, -2048, -2049, 127, 255, 256, 65535, 65536, -32769, 2 ^ 31, -2 ^ 31 - 1, 2 ^ 53, -2 ^ 53 }
  packs { 0.5, -1.5, 0.1, 1e300, -1e-300, 1e15 + 0.5, 16777217.5, 3.4028234663852886e38, 3.5e38 }
  for n = 0, 140 do packs({ long:sub(1, n), { s = long:sub(n + 1, 2 * n) } }, "string of " .. n) end
  for _, n in ipairs { 899, 900, 901, 16383, 16384, 40000, 70000 } do packs { ("y"):rep(n), n, ("z"):rep(n) } end
  packs { "é", "日本語", ("é"):rep(8), ("é"):rep(16), ("é"):rep(17), ("x"):rep(31) .. "é", ("日"):rep(500) }
  packs { {}, fleece.object {}, { {} }, { a = {} }, { a = fleece.object {} }, { [1] = 1, [3] = 3 } }
  packs(fleece.object { 1, 2, three = 3 })
  same(fleece.to_json(fleece.pack("scalar", fast)), '"scalar"')
  same(fleece.to_json(fleece.pack({ 1 / 0 }, fast), { invalid_numbers = "null" }), "[null]")
  T.raises_ending("number is NaN at [2]", codecs[1].pack, { 1, 0 / 0 })
end

-- Names: one byte and none take no pointer; long ones, many and long texts are not remembered; holes in the hash part.
function TestPackFast:test_names()
  packs { a = 1, b = 2, [""] = 3, ab = 4 }
  packs { [""] = { [""] = { x = 1 } } }
  for _, count in ipairs { 1, 2, 3, 4, 5, 31, 32, 33, 47, 48, 49, 63, 64, 65, 200 } do
    packs({ record(names_of(count, 8)), record(names_of(count, 8), "text") }, count .. " names")
  end
  for _, length in ipairs { 14, 15, 39, 40, 41, 60 } do packs(record(names_of(45, length)), "names of " .. length) end
  packs(record { ("m"):rep(127), ("m"):rep(128), ("m"):rep(40000) })
  packs(record { "é", "ée", "日本", ("日"):rep(13) })
  local t = record(names_of(20, 5))
  for i = 1, 20, 3 do t[names_of(i, 5)[i]] = nil end
  packs { t, record(names_of(20, 5)) }
  for _ = 1, 3 do T.raises_with("invalid UTF-8", codecs[1].pack, { ["a\255"] = 1 }) end
end

-- Numbers as keys are no names: the bits of 0, and on LuaJIT those of 3, look like a null pointer.
function TestPackFast:test_number_keys()
  T.each({ 0, 1, 2, 3, -1, 256, 2 ^ 53, 1.5, -0.5, 1e300 }, function(key)
    local mixed = { [key] = true, x = 2 }
    for i = 1, 6 do
      local codec = codecs[i % 2 + 1]
      local got = codec.unpack(codec.pack { fleece.object { [key] = 1 }, mixed, mixed }, { numeric_keys = true })
      T.equal(got, { { [key] = 1 }, { [key] = true, x = 2 }, { [key] = true, x = 2 } })
    end
  end)
end

-- Members are in the order of their names, and look-up finds each.
function TestPackFast:test_look_up()
  local names = { "b", "a", "", "abc", "abcd", "ab", "Z", "zzzzzzzzzzzzzzzzzzzz", "é", "B" }
  for i = 1, 6 do
    local doc = fleece.open(codecs[i % 2 + 1].pack(record(names)))
    local last
    for i, name in ipairs(names) do same(doc:get(name), i) end
    for name in fleece.pairs(doc.root) do
      lu.assertTrue(not last or last < name)
      last = name
    end
  end
end

-- 2 bytes of header, 4 for each member, its name and value, 2 bytes for the root: no other.
function TestPackFast:test_smallest_record()
  local names = { "id", "name", "email", "age", "active", "score", "city", "zip", "visits", "tag" }
  local value, size = {}, 2 + 2
  for i, name in ipairs(names) do
    value[name] = ("v"):rep(i + 1)
    size = size + 4 + math.floor((1 + #name + 1) / 2) * 2 + math.floor((1 + i + 1 + 1) / 2) * 2
  end
  for i = 1, 6 do
    for _, mode in ipairs { "fast", "compact", "compatible" } do same(#codecs[i % 2 + 1].pack(value, { mode = mode }), size) end
  end
  -- the sum of docs/binary.md
  value = { id = 12345, name = "Ann Miller", email = "ann@example.com", age = 41, active = true, score = 7.5,
    city = "Paris", zip = "75001", visits = 1024, tag = "new" }
  same(#fleece.encode(value), 148)
  for _, mode in ipairs { "fast", "compact", "compatible" } do
    for _, codec in ipairs(codecs) do
      same(#codec.pack(value, { mode = mode }), 2 + 40 + 56 + 56 + 2)
      same(#codec.pack(value, { mode = mode, keys = fleece.keys() }), 2 + 40 + 56 + 2)
    end
  end
end

-- Values and names farther than narrow pointers reach.
function TestPackFast:test_far()
  for _, size in ipairs { 32700, 32740, 32760, 32764, 32766, 32768, 32770, 33000, 70000 } do
    local text = ("x"):rep(size)
    packs({ first = 1, second = text, third = "end", z = { a = 1.5 } }, "record of " .. size)
    packs({ 1, 0.1, text, "end" }, "array of " .. size)
    packs({ { name = "near" }, text, { name = "far" }, { name = "again" } }, "names before " .. size)
    packs({ a = "first", b = { c = text, d = 0.1 }, e = "last", [""] = "none" }, "nested " .. size)
  end
  local list = {}
  for i = 1, 3000 do list[i] = { name = "person " .. i, age = i, tags = { "t" .. i } } end
  packs(list)
  local numbers = {}
  for i = 1, 5000 do numbers[i] = i / 7 end
  packs(numbers)
end

-- Records within records of the same names; other names at the same place of the table while it is open.
function TestPackFast:test_nested_records()
  local value = { name = "leaf", inner = false }
  for i = 1, 200 do value = { name = "level " .. i, inner = value } end
  packs(value)
  for _ = 1, T.rounds(10) do
    local all = {}
    for i = 1, 300 do all[i] = { ["k" .. i] = i, ["l" .. i] = { ["m" .. i] = {}, x = 1 } } end
    for i = 300, 2, -1 do all[i]["l" .. i].deeper = all[i - 1] end
    for _ = 1, 3 do packs(all[300]) end
  end
end

-- After a collection other names may have the addresses of those that are remembered.
-- More kinds of records than there are slots for, in turns: each is found, or written without being known.
function TestPackFast:test_many_kinds()
  local list = {}
  for i = 1, 2000 do
    local kind = i * 7 % 300
    list[i] = { ["first" .. kind] = i, ["second" .. kind] = { ["inner" .. kind % 11] = { i }, other = "x" .. i } }
  end
  packs(list)
  packs(list)
end

function TestPackFast:test_collected_names()
  for round = 1, T.rounds(300) do
    local value = {}
    for i = 1, 8 do value["round" .. round % 7 .. "_" .. i * round] = i end
    packs({ value, value }, "round " .. round)
    if round % 5 == 0 then collectgarbage() end
  end
end

function TestPackFast:test_cycle()
  local t = { name = "x" }
  t.inner = { name = "y", inner = t }
  for _ = 1, 4 do T.raises_with("contains itself", codecs[1].pack, t) end
  packs { name = "x", inner = { name = "y", inner = 1 } } -- what failed left nothing open
end

function TestPackFast:test_data_and_hooks()
  for _, codec in ipairs(codecs) do
    local got = codec.unpack(codec.pack({ "\255", ("\254"):rep(20), k = nil }, { invalid_utf8 = "data" }))
    same(tostring(got[1]), "\255")
    same(tostring(got[2]), ("\254"):rep(20))
  end
  packs { T.hooked(T.constant '{"a":[1,2]}'), x = 1 }
  local view = fleece.open(fleece.from_json '{"a":{"b":"text"}}').root
  for _, codec in ipairs(codecs) do same(codec.unpack(codec.pack { v = view }).v.a.b, "text") end
end

function TestPackFast:test_other_functions()
  local text = '{"a":[1,2.5,"text","text"],"b":{"a":"text","a":"last"}}'
  for _, bytes in ipairs { fleece.from_json(text, fast), codecs[1].from_json(text),
    fleece.encoder(fast):json(text):finish() } do
    same(fleece.check(bytes), true)
    same(fleece.to_json(bytes), '{"a":[1,2.5,"text","text"],"b":{"a":"last"}}')
    lu.assertTrue(#bytes > #fleece.from_json(text))
  end
  local keys = fleece.keys()
  for _, codec in ipairs(codecs) do
    local bytes = codec.pack({ { name = "x" }, { name = "y" } }, { keys = keys })
    same(fleece.to_json(bytes, { keys = keys }), '[{"name":"x"},{"name":"y"}]')
  end
  T.raises_with("compact", fleece.pack, {}, { mode = "faster" })
end

-- Random records with some of the same names, again and again.
local function random_value(depth)
  local kind = random(1, depth > 0 and 8 or 6)
  if kind == 1 then return ("r"):rep(random(0, 50)) end
  if kind == 2 then return random(-3000, 3000) end
  if kind == 3 then return T.random_double() end
  if kind == 4 then return random(0, 1) == 1 end
  if kind == 5 then return "é" .. random(1, 1000000) end
  if kind == 6 then return random(1, 2 ^ 31 - 1) end
  local t = kind == 8 and fleece.object {} or {}
  for i = 1, random(0, 12) do
    local value = random_value(depth - 1)
    if kind == 7 then t[i] = value else t["name" .. ("y"):rep(random(0, 2)) .. random(1, 14)] = value end
  end
  return t
end

function TestPackFast:test_random()
  T.random_rounds(60, function() packs { random_value(5), random_value(5) } end)
end

return TestPackFast
