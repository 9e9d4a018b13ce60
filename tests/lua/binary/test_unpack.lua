-- SPDX-License-Identifier: MIT
-- test_unpack.lua -- unpack: documents that pack does not write, invalid ones, options.

local T = require "support"
local B = require "binary"
local lu, fleece, same = T.lu, T.fleece, T.same

TestUnpack = {}

local unhex = B.bytes

-- unpack gives this value.
local function unpacks_to(bytes, wanted, options)
  bytes = unhex(bytes)
  for _, codec in ipairs(T.codecs) do
    local got = codec.unpack(bytes, options)
    if type(got) == "userdata" and fleece.type(got) == "data" then got = "data:" .. tostring(got) end
    lu.assertEquals(got, wanted)
    if type(got) ~= "table" then same(got, wanted) end
  end
end

function TestUnpack:test_forms()
  unpacks_to("3c00", fleece.null)
  unpacks_to("6003 3c00 0001 3000 8004", { fleece.null, 1, fleece.null })
  unpacks_to("7003 4161 0001 4162 3c00 4163 0003 8007", { a = 1, c = 3 })
  unpacks_to("20000000003f 8003", 0.5)
  unpacks_to("24000000003f 8003", 0.5)
  unpacks_to("5161", "data:a")
  unpacks_to("52ff00 00 8002", "data:\255\0")
  unpacks_to("6801 4261 6200 8003", { "ab" }) -- a string inside a wide slot
  unpacks_to("6802 0001 0000 1100 0800 8005", { 1, 2048 })
  unpacks_to("10ff 6001 8002 8002", { -1 })           -- an integer in one byte
  unpacks_to("18ff 6001 8002 8002", { 255 })
  unpacks_to("7002 4161 0001 4161 0002 8005", { a = 2 }) -- a duplicate name: the last one
  unpacks_to("7002 4161 0001 4161 0002 8005", { a = 1 }, { duplicates = "first" })
  T.raises_with("duplicate name", fleece.unpack, unhex "7002 4161 0001 4161 0002 8005", { duplicates = "error" })
  unpacks_to("6001 0001 8000 0002 8002", { 1 })        -- a pointer to a pointer
  -- all forms of NaN become a NaN
  for _, nan in ipairs { "2800 010000000000f07f 8005", "2800 ffffffffffffffff 8005", "2800 000000000000fcff 8005",
    "2400 0000c0ff 8003", "2800 ffffffffffff7ffb 8005", "2800 0000000000fffaff 8005" } do
    for _, codec in ipairs(T.codecs) do
      local got = codec.unpack(unhex(nan))
      same(type(got), "number")
      if nan ~= "2800 ffffffffffff7ffb 8005" then lu.assertTrue(got ~= got) end
    end
  end
end

-- Arrays of numbers are made in one go; any other item, at any place, makes them ordinary ones.
function TestUnpack:test_arrays_of_numbers()
  local numbers = { "0", "-1", "2047", "2048", "-2049", "0.5", "-1e300", "1e-7", "9007199254740992", "4294967296",
                    "0.1" }
  local others = { '"a"', '"abcdef"', "null", "true", "[]", "{}", "[1,2]", '{"a":[1]}', "18446744073709551615",
                   "9007199254740993" }
  local function both(text)
    local bytes = fleece.from_json(text)
    for _, codec in ipairs(T.codecs) do
      local got, wanted = codec.unpack(bytes), codec.decode(text)
      lu.assertEquals(got, wanted)
      same(fleece.encode(got), fleece.encode(wanted)) -- integers and floats are told apart
    end
  end
  for count = 1, #numbers do
    local items = {}
    for i = 1, count do items[i] = numbers[i] end
    both("[" .. table.concat(items, ",") .. "]")
    for place = 1, count do
      for _, other in ipairs(others) do
        items[place] = other
        both('{"x":[[1,2],[' .. table.concat(items, ",") .. '],[3.5,4]],"y":[7]}')
      end
      items[place] = numbers[place]
    end
  end
  for _, count in ipairs { 31, 32, 33, 63, 64, 65, 200, 3990, 4100, 9000 } do -- around the slots that are granted
    local row = "[" .. ("1,2.5,"):rep(count) .. "3]"
    both("[" .. row .. "," .. row .. ',"end"]')
    both("[" .. ("[1.5,-2],"):rep(count) .. "[3]]")
  end
  local mark = { name = "array" }
  local got = fleece.unpack(fleece.from_json "[[1,2],[0.5]]", { arrays = mark })
  same(getmetatable(got), mark)
  same(getmetatable(got[1]), mark)
  same(getmetatable(got[2]), mark)
end

-- Arrays of numbers that follow each other, such as points, are made and checked in one go, up to any other value.
function TestUnpack:test_points()
  local others = { "7", '"a"', "[]", "[null]", '["a",1]', '[1,"abc"]', "[[1]]", "{}", "[18446744073709551615]",
                   "[" .. ("1,"):rep(200) .. "2]" }
  local forms = { "[[1,2.5],[3.25,0.1],%s,[0.1,2.5],[4]]", '{"x":[%s,[1,2],[0.1,2.5]],"y":[1]}', "[[0.1,0.2],%s]",
                  '[{"x":[1,2.5]},%s,{"x":[0.1]}]' }
  for _, other in ipairs(others) do
    for _, form in ipairs(forms) do
      for _, options in ipairs { {}, { mode = "fast" }, { mode = "compatible" } } do
        local text = form:format(other)
        local bytes = fleece.from_json(text, options)
        same(fleece.check(bytes), true)
        for _, codec in ipairs(T.codecs) do lu.assertEquals(codec.unpack(bytes), codec.decode(text)) end
      end
    end
  end
  local bytes = fleece.from_json "[[1.5,2],[3.5,4],[5,6],[7]]" -- 12 values
  for _, codec in ipairs(T.codecs) do
    local got = codec.unpack(bytes, { max_values = 12, max_bytes = 256 })
    lu.assertEquals(got, { { 1.5, 2 }, { 3.5, 4 }, { 5, 6 }, { 7 } })
    T.raises_with("more values", codec.unpack, bytes, { max_values = 11 })
    T.raises_with("larger than max_bytes", codec.unpack, bytes, { max_bytes = 255 })
  end
  for damaged = 1, 4 do -- a string that is not UTF-8 in each of them
    local rows = { '["abc",1]', '["abd",1]', '["abe",1]', '["abf",1]' }
    rows = fleece.from_json("[" .. table.concat(rows, ",") .. "]"):gsub("ab" .. ("cdef"):sub(damaged, damaged), "a\255c")
    same(fleece.check(rows), true)
    B.refused(rows, "UTF-8", { check_utf8 = true })
  end
  -- the second point has a pointer before the document, to itself, to a pointer, an extern one, a double in the slot
  local points = "2800 9a9999999999b93f 6002 8006 8007 6002 8009 %s 6003 8007 8005 0007 8004"
  unpacks_to(points:format "800a", { { 0.1, 0.1 }, { 0.1, 0.1 }, 7 })
  for _, wrong in ipairs { "8020", "8000", "8004", "c00b", "2800", "6005" } do
    B.refused(unhex(points:format(wrong)), "")
    for _, codec in ipairs(T.codecs) do T.raises_with(" at byte ", codec.unpack, unhex(points:format(wrong))) end
  end
end

-- The table of a long array is made before all its items wait on the stack.
function TestUnpack:test_long_arrays()
  local makers = { function(i) return i % 2000 end, function(i) return i % 5 == 0 and "text" .. i or { i, i / 4 } end,
                   function(i) return { a = { i } } end }
  for _, n in ipairs { 900, 1000, 1100, 2000, 4100, 8300, 14400 } do
    for _, make in ipairs(makers) do
      local list = {}
      for i = 1, n do list[i] = make(i) end
      local text = fleece.encode { 1, list, { list } }
      for _, codec in ipairs(T.codecs) do
        local got = codec.unpack(fleece.from_json(text))
        lu.assertEquals(#got[2], n)
        same(fleece.encode(got), text)
      end
    end
  end
end

-- The format's examples of a dict with a parent: the base {"name":"Bob","age":42,"tags":["one","two"],
-- "addr":{"city":"Paris"},"x":1,"y":2} with age set to 43, and with x removed.
function TestUnpack:test_parents()
  local base = fleece.pack({ name = "Bob", age = 42, tags = { "one", "two" }, addr = { city = "Paris" }, x = 1, y = 2 },
    { mode = "compatible" })
  base = base:sub(1, -3)
  local root = #base
  local function pointer(from, to) return string.char(0x80 + math.floor((from - to) / 512), (from - to) / 2 % 256) end
  local header = root - (2 + 6 * 4)
  local set = base .. unhex "4361676570020800"
  set = set .. pointer(#set, header) .. unhex "8005 002b 8005"
  local removed = base .. unhex "7002 0800"
  removed = removed .. pointer(#removed, header) .. unhex "4178 3c00 8005"
  local before = { name = "Bob", age = 42, tags = { "one", "two" }, addr = { city = "Paris" }, x = 1, y = 2 }
  for _, codec in ipairs(T.codecs) do
    before.age = 43
    lu.assertEquals(codec.unpack(set), before)
    before.age = 42
    before.x = nil
    lu.assertEquals(codec.unpack(removed), before)
    before.x = 1
  end
  -- inside other dicts, more of them than the first block of memory holds
  local all, deep = removed:sub(1, -3), #removed - 12
  for _ = 1, 60 do
    local at = #all
    all = all .. unhex "7002 0800"
    all = all .. pointer(#all, header) .. unhex "4178"
    all = all .. pointer(#all, deep)
    deep = at
  end
  local ok, t = pcall(fleece.unpack, all .. pointer(#all, deep))
  same(ok, true, tostring(t))
  for _ = 1, 60 do
    lu.assertEquals(t.addr, { city = "Paris" })
    t = t.x
  end
  same(t.x, nil)
  same(t.y, 2)
end

function TestUnpack:test_codes_without_names()
  for _, codec in ipairs(T.codecs) do
    T.raises_ending("the document needs its shared keys at byte 3", codec.unpack, unhex "7001 0005 0001 8003")
    T.raises_ending("the document needs its shared keys at byte 3", codec.unpack, unhex "7001 0005 0001 8003",
      { keys = false })
  end
  local value, message, position = T.safe.unpack(unhex "7001 0005 0001 8003")
  same(value, nil)
  same(message, "the document needs its shared keys at byte 3")
  T.equal(position, { kind = "keys", byte = 3 })
end

function TestUnpack:test_bad_documents()
  T.each_pair({
    [""] = "not a document: its length must be even and not 0 at byte 1",
    ["30"] = "not a document: its length must be even and not 0 at byte 1",
    ["0001 0001"] = "the end does not point to a root at byte 3",
    ["8001"] = "pointer out of the document at byte 1",
    ["6002 0001 8002"] = "value runs past its end at byte 1",
    ["7001 3800 0001 8003"] = "key is neither a string nor a code at byte 3",
    ["7002 4162 0001 4161 0002 8005"] = "keys are not in order at byte 7",
    ["7001 0800 0005 8003"] = "parent is not a dict at byte 3",
  }, function(text, message)
    for _, codec in ipairs(T.codecs) do T.raises_ending(message, codec.unpack, unhex(text)) end
    T.fails(message, T.safe.unpack, unhex(text))
  end)
  T.raises_with("at byte 100", fleece.unpack, ("x"):rep(100), { max_bytes = 99 })
end

function TestUnpack:test_big_numbers()
  local bytes = unhex "1fffffffffffffffff 00 6001 8006 8002" -- 2^64 - 1
  for _, codec in ipairs(T.codecs) do
    same(codec.unpack(bytes)[1], 18446744073709551616.0)
    same(codec.unpack(bytes, { big_numbers = "string" })[1], "18446744073709551615")
    T.raises_with("at byte 1", codec.unpack, bytes, { big_numbers = "error" })
  end
  bytes = unhex "17ffffffffffffff7f 00 6001 8006 8002" -- 2^63 - 1
  if T.integers then
    same(fleece.unpack(bytes)[1], math.maxinteger)
  else
    for _, codec in ipairs(T.codecs) do
      same(codec.unpack(bytes)[1], 9223372036854775808.0)
      same(codec.unpack(bytes, { big_numbers = "string" })[1], "9223372036854775807")
    end
  end
end

function TestUnpack:test_unpack_options()
  local bytes = fleece.pack { { fleece.null }, { ["1"] = 1, x = { 1, 2 } } }
  for _, codec in ipairs(T.codecs) do
    local arrays, objects = { __name = "A" }, { __name = "O" }
    local t = codec.unpack(bytes, { null = "nil", numeric_keys = true, arrays = arrays, objects = objects })
    same(t[1][1], nil)
    same(t[2][1], 1)
    same(getmetatable(t), arrays)
    same(getmetatable(t[2].x), arrays)
    same(getmetatable(t[2]), objects)
  end
end

-- A long string that many values point to is one string in memory, as in the packed tables.
function TestUnpack:test_long_strings_stay_shared()
  local list = {}
  for i = 1, 1000 do list[i] = { text = ("long text "):rep(10000) } end
  local bytes = fleece.pack(list)
  list = nil
  for _, codec in ipairs(T.codecs) do
    local before = T.memory()
    local t = codec.unpack(bytes)
    lu.assertTrue(collectgarbage "count" - before < 4000)
    for i = 1, 1000 do if t[i].text ~= t[1].text or #t[i].text ~= 100000 then lu.fail(i) end end
  end
end
