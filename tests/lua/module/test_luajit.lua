-- SPDX-License-Identifier: MIT
-- test_luajit.lua -- LuaJIT only: 64-bit cdata integers, other cdata, compiled traces, memory for long texts.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestLuajit = {}

local ok, ffi = pcall(require, "ffi")
if not (T.jit and ok) then
  function TestLuajit:test_all() lu.skip "this Lua: not LuaJIT" end
  return
end

function TestLuajit:setUp() jit.on() end
function TestLuajit:tearDown() if not T.compiled then jit.off() end end

local signed, unsigned = ffi.typeof "int64_t", ffi.typeof "uint64_t"

function TestLuajit:test_64_bit_integers()
  for text, v in pairs { ["1"] = signed(1), ["-1"] = signed(-1), ["0"] = unsigned(0), ["2"] = unsigned(2) } do
    same(T.encode(v), text)
    same(T.json(v), text)
    same(T.encode { v, a = v }:len(), ('{"1":,"a":}'):len() + 2 * #text)
    same(T.encode { x = { v } }, '{"x":[' .. text .. "]}")
  end
end

function TestLuajit:test_extremes()
  local min = signed(1)
  for _ = 1, 63 do min = min * 2 end
  same(T.encode(min), "-9223372036854775808")
  same(T.encode(min - 1), "9223372036854775807")
  same(T.encode(min + 1), "-9223372036854775807")
  same(T.encode(unsigned(0) - 1), "18446744073709551615")
  same(T.encode(ffi.cast(unsigned, min)), "9223372036854775808")
  same(T.encode(signed(9007199254740992) + 1), "9007199254740993")
  local list = {}
  local v = signed(1)
  for i = 1, 62 do
    v = v * 2
    list[i] = v
  end
  local text = T.json(list)
  for i = 1, 62 do
    same(text:match("%d+", i == 1 and 1 or nil) ~= nil, true)
  end
  same(T.encode { list[53], list[62] }, "[9007199254740992,4611686018427387904]")
end

function TestLuajit:test_number_options_do_not_apply()
  same(T.encode({ signed(123456789), unsigned(7) }, { precision = 3, float_integers = true }), "[123456789,7]")
end

function TestLuajit:test_other_cdata()
  for _, value in ipairs { ffi.new "int[4]", ffi.new "struct { int x; }", ffi.new("int", 5), ffi.new("double", 1.5),
    ffi.typeof "int", ffi.cast("void *", 0), ffi.new "complex", ffi.cast("int64_t *", 0), ffi.new("bool", true) } do
    for _, codec in ipairs(T.codecs) do
      T.raises_with("cannot encode a cdata at .x", codec.encode, { x = value })
      T.raises_with("cannot encode a cdata at .x", codec.json, { x = value })
    end
  end
end

function TestLuajit:test_cdata_keys()
  T.rejects({ a = { [signed(1)] = 1 } }, "cannot encode a cdata key at .a")
end

function TestLuajit:test_cdata_with_tojson()
  -- A struct's __tojson is hidden by getmetatable, so it may be ignored; it must not crash.
  local point = ffi.metatype("struct { int fleece_x; }", { __tojson = function() return "1" end, __index = {} })
  local fine, text = pcall(fleece.encode, { point(1) })
  if fine then same(text, "[1]") else T.contains(text, "cannot encode a cdata") end
end

function TestLuajit:test_in_compiled_traces()
  local t, sum = { 1, 2.5, "x", { a = signed(5) } }, 0
  for i = 1, 3000 do
    t[1] = i
    sum = sum + #fleece.encode(t)
  end
  same(fleece.encode(t), '[3000,2.5,"x",{"a":5}]')
  lu.assertTrue(sum > 3000 * 20)
end

function TestLuajit:test_tables_built_by_traces()
  local out = {}
  for i = 1, 500 do
    local t = {}
    for j = 1, i % 40 do t[j] = j end
    for j = 1, i % 7 do t["k" .. j] = j end
    t.k1 = nil
    out[i] = t
  end
  same(T.json(out), T.model.encode(out))
end

function TestLuajit:test_table_new_and_clear()
  local has_new, new = pcall(require, "table.new")
  local has_clear, clear = pcall(require, "table.clear")
  if not (has_new and has_clear) then lu.skip "this Lua: no table.new here" end
  local t = new(100, 100)
  same(T.encode_by_model(t), "[]")
  t[1], t[2] = 1, 2
  same(T.encode_by_model(t), "[1,2]")
  t.x = 1
  same(T.encode(t), T.model.encode(t))
  clear(t)
  same(T.encode_by_model(t), "[]")
  t[1] = "again"
  same(T.encode_by_model(t), '["again"]')
  t[0] = 0
  same(T.encode(t), T.model.encode(t))
end

function TestLuajit:test_index_zero()
  -- LuaJIT keeps key 0 in the array part.
  for _, t in ipairs { { [0] = "z" }, { [0] = "z", 1, 2 }, { [0] = "z", 1, nil, 3 } } do
    same(T.encode_by_model(t), T.model.encode(t))
    same(T.json(t), T.model.encode(t))
    t[0] = nil
    same(T.encode_by_model(t), T.model.encode(t))
  end
end

-- A program's cdata type may have its own __tostring, which may raise errors or encode.
function TestLuajit:test_cdata_with_its_own_tostring()
  ffi.cdef "typedef struct { int a; } fleece_raises; typedef struct { int a; } fleece_encodes;"
  local raises = ffi.metatype("fleece_raises", { __tostring = function() error("boom", 0) end })
  T.fails("boom at .x", T.safe.encode, { x = raises(1) })
  same(fleece.encode({ x = raises(1) }, { on_error = function() return "y" end }), '{"x":"y"}')
  T.raises("boom", fleece.encode, { raises(1) })
  local depth = 0
  local encodes = ffi.metatype("fleece_encodes", { __tostring = function(v)
    depth = depth + 1
    return fleece.encode { v }
  end })
  T.raises_with("hooks nested too deep", fleece.encode, { encodes(1) })
  lu.assertTrue(depth < 1000)
  same(fleece.info().layout ~= nil and fleece.encode { 1 }, "[1]")
end

-- The result of __tostring counts as a 64-bit integer only if it is a valid one; skip_unsupported omits the values that
-- encode refuses.
function TestLuajit:test_cdata_with_the_text_of_an_integer()
  local text
  local says = ffi.metatype("struct { int fleece_says; }", { __tostring = function() return text end })
  for _, codec in ipairs(T.codecs) do
    for _, bad in ipairs { "007LL", "-5ULL", "-0LL", "-LL", "LL", "1L", "5", "1e5LL", "00ULL", "-", "", "5LLL" } do
      text = bad
      T.raises_with("cannot encode a cdata at [1]", codec.encode, { says(1) })
      same(codec.encode({ a = says(1), b = 1 }, { skip_unsupported = true }), '{"b":1}')
    end
    local skipped = { a = ffi.new "int[3]", b = ffi.cast("void *", 0), c = signed(5), d = print }
    same(codec.encode(skipped, { skip_unsupported = true }), '{"c":5}')
    same(codec.encode({ ffi.new "int[3]", unsigned(7) }, { skip_unsupported = true }), "[7]")
  end
end

-- Long texts: LuaJIT's allocator maps blocks of 128 KB and more separately if it has no free one.

local function long_texts(encode, count, smallest, largest)
  local letters, kept = ("0123456789abcdef"):rep(largest / 16 + 2), {}
  for i = 1, count do
    local value = { tostring(i), letters:sub(1, T.random(smallest, largest)) }
    local text, expected = encode(value), '["' .. i .. '","' .. value[2] .. '"]'
    if text ~= expected then lu.fail("wrong text of " .. #expected) end
    if i % 7 == 0 then kept[text] = expected end -- these stay in memory, between the others
  end
  for text, expected in pairs(kept) do
    if text ~= expected then lu.fail("changed: " .. #expected) end
  end
end

function TestLuajit:test_long_texts_of_all_sizes()
  for _, codec in ipairs(T.codecs) do
    for _, size in ipairs { 128 * 1024, 120 * 1024, 240 * 1024, 256 * 1024, 1792 * 1024, 2048 * 1024 } do
      long_texts(codec.encode, 24, size - 160, size + 64)
    end
    long_texts(codec.encode, 100, 100000, 2000000)
  end
end

-- In its own process, because in a large heap the collector frees texts late.
function TestLuajit:test_long_texts_use_memory_again()
  if not (ffi.abi "gc64") then lu.skip "this Lua: no GC64: mappings are more often apart" end
  if not (io.open "/proc/self/stat") then lu.skip "this system: no /proc here" end
  local said = T.alone("long_texts.lua", "")
  local faults, pages, kilobytes = said:match "^(%d+) faults, (%d+) pages, (-?%d+) KB\n$"
  if not faults then lu.fail(said) end
  lu.assertTrue(tonumber(faults) < pages / 4, said)
  lu.assertTrue(tonumber(kilobytes) < 16 * 1024, said)
end
