-- SPDX-License-Identifier: MIT
-- test_pack.lua -- pack and unpack: Lua values to the binary format and back, by both walkers and both decoders.
-- What a value becomes is known from its JSON text and the oracle; bytes are known from the format's worked examples.

local T = require "support"
local D = require "decoding"
local lu, fleece, same, model, random = T.lu, T.fleece, T.same, T.model, T.random

TestPack = {}

local function hex(bytes) return (bytes:gsub(".", function(c) return ("%02x"):format(c:byte()) end)) end
local minus_zero = -1 / (1 / 0) -- Lua 5.1 takes the literal for 0
local function unhex(text) return (text:gsub("%s", ""):gsub("%x%x", function(h) return string.char(tonumber(h, 16)) end)) end

local function with(options, more)
  local o = {}
  for k, v in pairs(options or {}) do o[k] = v end
  for k, v in pairs(more) do o[k] = v end
  return o
end

-- Packs by both walkers: the same bytes.
local function pack(value, options)
  local bytes = fleece.pack(value, options)
  local again = fleece.pack(value, with(options, { layout = "api" }))
  if again ~= bytes then same(hex(again), hex(bytes), "API walker") end
  return bytes
end

-- The oracle's reading of the text of a value: with whole doubles as such where Lua has integers beside them.
local function node_of(value) return model.decode(fleece.encode(value, { float_integers = T.integers, max_depth = 100000 })) end

-- Unpacks by both; each must be what the oracle has read.
local function unpacks(bytes, node, what)
  for _, got in ipairs { { fleece.unpack(bytes, { max_depth = 100000 }) }, { T.api.unpack(bytes, { max_depth = 100000 }) } } do
    local difference = D.differs(got[1], node)
    if difference then lu.fail((what or hex(bytes):sub(1, 200)) .. "\n" .. difference) end
  end
end

-- There and back in both modes.
local function trip(value, options)
  local node = node_of(value)
  local bytes = pack(value, options)
  unpacks(bytes, node)
  unpacks(pack(value, with(options, { mode = "compatible" })), node)
  return bytes
end

-- The error of packing, from both walkers, raised and returned.
local function bad(value, options, text)
  for _, o in ipairs { options or {}, with(options, { layout = "api" }), with(options, { mode = "compatible" }) } do
    T.ends(T.raises(fleece.pack, value, o), text)
    local result, message = T.safe.pack(value, o)
    same(result, nil, "safe")
    T.ends(message, text)
  end
end

------------------------------------------------------------------------------------------------ bytes

-- The worked examples of the format, as far as a table can say them; __jsonorder where the order of writing shows.
function TestPack:test_worked_examples()
  local function ordered(t, ...) return setmetatable(t, { __jsonorder = { ... } }) end
  for bytes, value in pairs {
    ["6000"] = {},
    ["7000"] = fleece.object {},
    ["6001 3000 8002"] = { fleece.null },
    ["7001 4166 002a 8003"] = { f = 42 },
    ["43666f6f 7001 8003 007b 8003"] = { foo = 123 },
    ["4568656c6c6f 6004 4161 8005 4161 8007 8005"] = { "a", "hello", "a", "hello" },
    ["190008 00 6001 8003 8002"] = { 2048 },
    ["11fff7 00 6001 8003 8002"] = { -2049 },
    ["1a000001 6001 8003 8002"] = { 65536 },
    ["24000000c03f 6001 8004 8002"] = { 1.5 },
    ["28009a9999999999b93f 6001 8006 8002"] = { 0.1 },
    ["4f0f6162636465666768696a6b6c6d6e6f 00 6001 800a 8002"] = { "abcdefghijklmno" },
    ["6001 0001 6002 0002 0003 6002 8006 8005 8003"] = { { 1 }, { 2, 3 } },
    ["427879 00 7002 4161 8004 4162 0001 8005"] = { b = 1, a = "xy" },
    ["7001 4161 0001 446c697374 00 4374656e 6002 000a 8004 7002 4161 800d 800b 8007 8005"] =
      ordered({ a = { a = 1 }, list = { 10, "ten" } }, "a", "list"),
    ["24000000805f 6001 8004 8002"] = { 18446744073709551616.0 },
    ["19b80b 00 8002"] = 3000,
    ["6007 07ff 0800 0000 3400 3800 4000 4178 8008"] = { 2047, -2048, 0, false, true, "", "x" },
    ["2800 000000000000f07f 6001 8006 8002"] = { 1 / 0 },
    ["2400 00000080 6001 8004 8002"] = { minus_zero },
    ["2400 0000805a 8003"] = 18014398509481984.0, -- 2^54: a double in every Lua
    ["3800"] = true,
    ["4178"] = "x",
    ["3000"] = fleece.null,
  } do
    same(hex(pack(value, { mode = "compatible" })), (bytes:gsub(" ", "")))
  end
  same(hex(fleece.pack(nil)), "3000")
  if T.integers then
    same(hex(pack { 1.0, 1 }), "24000000803f" .. "6002800400018003")
    same(hex(pack { math.maxinteger, math.mininteger }), "1fffffffffffffff7f0017000000000000008000" .. "6002800b80078003")
  else
    same(hex(pack { 1.0, 1 }), "6002000100018003")
    same(hex(pack { 9007199254740992 }), "1e00000000000020" .. "600180058002")
    same(hex(pack { 9007199254740994 }), "2800010000000000404360018006" .. "8002")
  end
end

-- What takes more than two bytes is there once; equal collections too.
function TestPack:test_compact_shares()
  local row = { "long enough", 123456, { x = 0.1 } }
  local one = #pack { row }
  local list = {}
  for i = 1, 50 do list[i] = { "long enough", 123456, { x = 0.1 } } end
  same(#trip(list), one + 2 * 49)
  lu.assertTrue(#fleece.pack(list, { mode = "compatible" }) > 50 * 20)
end

-- Names that are together longer than a narrow pointer's reach are not written again for each dict.
function TestPack:test_compact_long_names()
  for kinds = 1, 5, 4 do
    local list, length = {}, math.floor(35000 / kinds / 10)
    for i = 1, 50 do
      list[i] = {}
      for j = 1, 10 do list[i][j .. "." .. i % kinds .. ("k"):rep(length)] = i * 10 + j end
    end
    lu.assertTrue(#trip(list) < 2 * 35000)
  end
end

------------------------------------------------------------------------------------------------ there and back

function TestPack:test_values()
  for _, value in ipairs {
    {}, { 1, 2, 3 }, { a = 1 }, { { {} } }, { a = { b = { c = {} } } }, fleece.object {}, { fleece.object {}, fleece.array {} },
    { fleece.null, true, false, "", "x", 0, -1 }, { [1] = 1, [3] = 3 }, { [0] = "zero", "one" }, { x = 1, "one", "two" }, { [1.5] = 1, [-2] = 2 },
    fleece.object { 1, 2, 3 }, fleece.array { 1, nil, 3 }, { ("x"):rep(14), ("x"):rep(15), ("x"):rep(16), ("y"):rep(300), ("z"):rep(70000) },
    { 2047, 2048, -2048, -2049, 32767, 32768, 65535, 65536, -32768, -32769, 2147483647, 2147483648, -2147483648, 4294967295, 4294967296 },
    { 0.5, minus_zero, 1e300, 5e-324, 0.1, 1 / 3, 3.4028234663852886e38, 3.4028235677973366e38, 1.5e-45, 16777217.5 },
    { "\0", "a\0b", "\127", "h\195\164", "\240\159\152\128", ["\195\164"] = 1, ["\0"] = 2 },
    "text", ("long "):rep(1000), 0, -1, 12.5, true, false, fleece.null,
  } do
    trip(value)
  end
  if T.integers then trip { math.maxinteger, math.mininteger, 2 ^ 53, 1.0, -1.0, 2.0 ^ 63 } end
end

function TestPack:test_duplicate_names() -- a number and the string of its text: as in encode's text the later one counts
  for i = 1, 50 do
    local t = { ["7"] = "string", [7] = "number", ["k" .. i] = i }
    trip(t)
  end
end

-- Positions beyond a narrow pointer's reach; counts of 2047 and more.
function TestPack:test_large()
  local list, map, far = {}, {}, { first = "the first string" }
  for i = 1, 5000 do list[i], map["name " .. i] = i, "value " .. i end
  for i = 1, 4000 do far[i] = { name = "number " .. i, first = "the first string", i, i / 8 } end
  for _, n in ipairs { 2046, 2047, 2048, 2174, 2175, 2176 } do
    local t = {}
    for i = 1, n do t[i] = i % 3 end
    trip(t)
  end
  trip(list)
  trip(map)
  trip(far)
  trip { list, map, list, map }
  local strings = {}
  for i = 1, 9000 do strings[i] = "item " .. i % 5000 end
  trip(strings)
end

local function random_text(n)
  local alphabet, parts = random(1, 3), {}
  for i = 1, n do
    local c = random(0, 20)
    parts[i] = alphabet == 1 and string.char(random(97, 99)) or c == 0 and model.utf8_char(random(0x80, 0xD7FF)) or
      c == 1 and model.utf8_char(random(0x10000, 0x10FFFF)) or string.char(random(0, 127))
  end
  return table.concat(parts)
end

local function random_number()
  local kind = random(1, 7)
  if kind == 1 then return random(-20, 20) end
  if kind == 2 then return random(0, 100000) - 50000 end
  if kind == 3 then return T.random_double() end
  if kind == 4 then return random(0, 99999) / 100 end
  if kind == 5 then return T.power[random(0, 70)] + random(-1, 1) end
  if kind == 6 then return random(0, 2147483646) * 4194304 + random(0, 4194303) end
  return -random(0, 1000) / 8
end

local made -- of this value so far; some come again, as they are or as a copy
local function random_value(depth)
  local kind = random(1, 14)
  if kind <= 4 then return random_text(random(0, 3) == 0 and random(0, 400) or random(0, 18)) end
  if kind <= 6 then return random_number() end
  if kind == 7 then return random(0, 1) == 1 end
  if kind == 8 then return fleece.null end
  if kind == 9 and #made > 0 then return made[random(1, #made)] end
  if depth > 6 then return 1 end
  local t = {}
  local shape, n = random(1, 6), random(1, 30) == 1 and random(20, 200) or random(0, 7)
  for i = 1, n do
    if shape <= 2 then t[i] = random_value(depth + 1)
    elseif shape <= 4 then t["k" .. random(1, 12)] = random_value(depth + 1)
    elseif shape == 5 then t[random_text(random(0, 20))] = random_value(depth + 1)
    else t[random(-2, 9)] = random_value(depth + 1) end
  end
  made[#made + 1] = t
  return t
end

function TestPack:test_random()
  T.random_rounds(12, function()
    made = {}
    trip(random_value(1))
  end)
end

-- Documents that differ in one or two bytes from good ones: an error or a value, the same from both decoders.
function TestPack:test_random_damaged()
  T.random_rounds(40, function()
    made = {}
    local bytes = fleece.pack(random_value(1), { mode = random(0, 1) == 0 and "compact" or "compatible" })
    for _ = 1, 20 do
      local at = random(1, #bytes)
      local changed = bytes:sub(1, at - 1) .. string.char(random(0, 255)) .. bytes:sub(at + 1, random(0, 3) == 0 and random(0, #bytes) or -1)
      local value, message, position = T.safe.unpack(changed)
      local value2, message2, position2 = T.safe_api.unpack(changed)
      same(message2, message)
      same(position2, position)
      same(value == nil, value2 == nil)
      if type(value) == "table" then
        local o = { sort_keys = true, invalid_utf8 = "escape", invalid_numbers = "literal" }
        same(fleece.encode(value2, o), fleece.encode(value, o))
      end
    end
  end)
end

------------------------------------------------------------------------------------------------ values and errors

function TestPack:test_errors_have_paths()
  local f = print
  for path, value in pairs {
    ["the root"] = f,
    [".a"] = { a = f },
    ["[3]"] = { 1, 2, f },
    [".players[3].inventory"] = { players = { 1, 2, { inventory = f } } },
  } do
    bad(value, nil, "cannot encode a function at " .. path)
  end
  bad({ { a = { coroutine.create(function() end) } } }, nil, "cannot encode a thread at [1].a[1]")
  bad({ { a = { { [false] = 1 } } } }, nil, "cannot encode a boolean key at [1].a[1]")
  bad({ { a = { 0 / 0 } } }, nil, "number is NaN at [1].a[1]")
  bad(0 / 0, nil, "number is NaN at the root")
  bad({ { a = { "abcd\255" } } }, nil, "invalid UTF-8 at [1].a[1] (byte 5)")
  bad("\255", nil, "invalid UTF-8 at the root (byte 1)")
  bad({ { ["\255"] = 1 } }, nil, "invalid UTF-8 in a key at [1]")
  bad({ ["\255"] = 1 }, { invalid_utf8 = "data" }, "invalid UTF-8 in a key at the root")
  bad({ a = { 1, nil, 3 } }, { sparse = "error" }, "array has holes at .a")
  bad({ io.stdout }, nil, "cannot encode a userdata at [1]")
end

function TestPack:test_infinities()
  for _, mode in ipairs { "compact", "compatible" } do
    local got = fleece.unpack(pack({ 1 / 0, -1 / 0, { [1 / 0] = 1 } }, { mode = mode }))
    lu.assertEquals(got, { 1 / 0, -1 / 0, { Infinity = 1 } })
  end
end

function TestPack:test_cycles()
  local t = { a = { b = {} } }
  t.a.b.c = t.a
  bad(t, nil, "table contains itself at .a.b.c")
  local long = {}
  local at = long
  for _ = 1, 100 do
    at.next = {}
    at = at.next
  end
  at.next = long
  T.contains(T.raises(fleece.pack, long), "table contains itself")
  local shared = { 1, 2 }
  trip { shared, shared, { shared } }
end

function TestPack:test_depth()
  local function nested(n)
    local t = { "end" }
    for _ = 2, n do t = { t } end
    return t
  end
  trip(nested(1000))
  bad(nested(1001), nil, "nesting deeper than 1000 levels at " .. ("[1]"):rep(8) .. "..." .. ("[1]"):rep(8))
  bad({ {} }, { max_depth = 1 }, "nesting deeper than 1 levels at [1]")
  trip({ { {} } }, { max_depth = 3 })
  local deep = nested(30000)
  local bytes = pack(deep, { max_depth = 100000 })
  T.contains(T.raises(fleece.unpack, bytes), "nesting too deep at byte ")
  for _, codec in ipairs { fleece, T.api } do
    local t, levels = codec.unpack(bytes, { max_depth = 30000 }), 1
    while type(t[1]) == "table" do t, levels = t[1], levels + 1 end
    same(levels, 30000)
    same(t[1], "end")
  end
  local dict = { x = 1 }
  for i = 2, 5000 do dict = { i, { x = dict } } end
  pack(dict, { max_depth = 100000 })
end

function TestPack:test_invalid_utf8_as_data()
  local o = { invalid_utf8 = "data" }
  same(hex(pack("\255", o)), "51ff")
  same(hex(pack({ "\255", "a", "\255\254" }, o)), "52fffe00" .. "600351ff416180058004")
  local value = { "good", "\255bad", x = { ("\200"):rep(20), "\2551" } }
  local got = fleece.unpack(pack(value, o))
  same(got["1"], "good")
  lu.assertTrue(got["2"] == fleece.data "\255bad")
  lu.assertTrue(got.x[1] == fleece.data(value.x[1]) and got.x[2] == fleece.data "\2551")
  local again = fleece.open(pack(got)).root -- data stays data
  lu.assertTrue(again == fleece.open(pack({ ["1"] = "good", ["2"] = "\255bad", x = value.x }, o)).root)
  same(hex(pack({ "h\195\164" }, o)), hex(pack { "h\195\164" }))
  lu.assertTrue(T.api.unpack(pack({ 1, { "\255" } }, with(o, { mode = "compatible" })))[2][1] == fleece.data "\255")
end

function TestPack:test_hooks_and_marks()
  local hooked = setmetatable({}, { __tojson = function() return '{"a":[1,2.0,"\\u00e4"]}' end })
  local listed = setmetatable({}, { __len = function() return 3 end, __index = function(_, i) return i end })
  local paired = setmetatable({}, { __pairs = function() return next, { p = 1 } end })
  local typed = setmetatable({ 1 }, { __jsontype = "object" })
  local plain = setmetatable({ 5 }, { __index = {} })
  local bytes = pack { hooked, listed, paired, typed, plain, fleece.raw "[1, null]" }
  local wanted = { { a = { 1, T.integers and 2.0 or 2, "\195\164" } }, { 1, 2, 3 }, { p = 1 }, { ["1"] = 1 }, { 5 }, { 1, fleece.null } }
  lu.assertEquals(fleece.unpack(bytes), wanted)
  lu.assertEquals(T.api.unpack(bytes), wanted)
  lu.assertEquals(fleece.unpack(pack({ hooked, typed }, { metamethods = false })), { {}, { 1 } })
  lu.assertEquals(getmetatable(fleece.unpack(pack { fleece.object {} })[1]), fleece.object_mt)
  same(hex(pack {}), "6000")
  same(hex(pack({}, { empty_table = "object" })), "7000")
  bad({ 1, setmetatable({}, { __tojson = function() return "[1" end }) }, nil,
    "__tojson returned invalid JSON: unexpected end, byte 3 at [2]")
  T.contains(T.raises(fleece.pack, { fleece.raw "1e999" }), "number")
end

-- A hook that packs and unpacks itself, meanwhile.
function TestPack:test_hooks_pack()
  local hook = setmetatable({}, { __tojson = function()
    local bytes = fleece.pack { inner = { 1, 2, ("x"):rep(5000) } }
    fleece.pack({ setmetatable({}, { __tojson = function() return "1" end }) })
    return fleece.encode(fleece.unpack(bytes))
  end })
  local bytes = pack { hook, "after", hook }
  lu.assertEquals(fleece.unpack(bytes), { { inner = { 1, 2, ("x"):rep(5000) } }, "after", { inner = { 1, 2, ("x"):rep(5000) } } })
end

function TestPack:test_options()
  lu.assertEquals(fleece.unpack(pack({ 1, nil, 3 }, { sparse = "null" })), { 1, fleece.null, 3 })
  lu.assertEquals(fleece.unpack(pack({ [1] = 1, [30] = 30 }, { sparse = "null", sparse_ratio = 100 }))[30], 30)
  lu.assertEquals(fleece.unpack(pack({ 1, print, x = print, [print] = 2 }, { skip_unsupported = true })), { ["1"] = 1 })
  local seen = {}
  local bytes = fleece.pack({ 1, print }, { on_error = function(_, path, message)
    seen[1], seen[2] = path, message
    return { "in its place" }
  end })
  lu.assertEquals(fleece.unpack(bytes), { 1, { "in its place" } })
  lu.assertEquals(seen, { "[2]", "cannot encode a function at [2]" })
  T.bad_argument(2, "unknown option 'nothing'", "pack", {}, { nothing = 1 })
  for name, value in pairs { indent = 2, ascii = true, sort_keys = true, precision = 3, comments = true } do
    same(hex(pack({ 1 / 3, "\195\164" }, { [name] = value })), hex(pack { 1 / 3, "\195\164" })) -- others' affairs
  end
  T.bad_argument(2, "option 'mode' must be one of \"compatible\", \"compact\"", "pack", {}, { mode = "small" })
  T.bad_argument(2, "option 'invalid_utf8' must be one of \"error\", \"data\"", "pack", {}, { invalid_utf8 = "pass" })
  T.bad_argument(2, "table expected", "pack", {}, 5)
  T.bad_argument(1, "value expected", "pack")
  T.bad_argument(1, "string expected", "unpack", {})
  T.bad_argument(2, "unknown option 'nothing'", "unpack", "3000", { nothing = 1 })
  -- how text is to look has no part in it
  local codec = fleece.new { indent = 2, ascii = true, sort_keys = true, precision = 3, invalid_utf8 = "replace", max_depth = 2 }
  same(hex(codec.pack { "\195\164", 1 / 3 }), hex(fleece.pack { "\195\164", 1 / 3 }))
  T.contains(T.raises(codec.pack, { { {} } }), "nesting deeper than 2 levels")
  T.contains(T.raises(codec.pack, { "\255" }), "invalid UTF-8 at [1]")
end

function TestPack:test_cdata()
  if not T.jit then lu.skip "LuaJIT only" end
  local ffi = require "ffi"
  local function int(n, kind) return ffi.new(kind or "int64_t", n) end
  same(hex(pack { int(5) }), hex(pack { 5 }))
  same(hex(pack { int(-5) }), hex(pack { -5 }))
  same(hex(pack { ffi.cast("uint64_t", int(-1)) }), "1fffffffffffffffff" .. "00" .. "600180068002")
  local bytes = pack { ffi.cast("int64_t", ffi.cast("uint64_t", 2 ^ 63) - 1), ffi.cast("uint64_t", int(-1)) }
  lu.assertEquals(tostring(fleece.unpack(bytes, { big_numbers = "int64" })[1]), "9223372036854775807LL")
  lu.assertEquals(tostring(fleece.unpack(bytes, { big_numbers = "int64" })[2]), "18446744073709551615ULL")
end

------------------------------------------------------------------------------------------------ unpacking alone

-- Documents that pack does not write.
local function gives(bytes, wanted, options)
  bytes = unhex(bytes)
  for _, codec in ipairs { fleece, T.api } do
    local got = codec.unpack(bytes, options)
    if type(got) == "userdata" and fleece.type(got) == "data" then got = "data:" .. tostring(got) end
    lu.assertEquals(got, wanted)
    if type(got) ~= "table" then same(got, wanted) end
  end
end

function TestPack:test_forms()
  gives("3c00", fleece.null)
  gives("6003 3c00 0001 3000 8004", { fleece.null, 1, fleece.null })
  gives("7003 4161 0001 4162 3c00 4163 0003 8007", { a = 1, c = 3 })
  gives("20000000003f 8003", 0.5)
  gives("24000000003f 8003", 0.5)
  gives("5161", "data:a")
  gives("52ff00 00 8002", "data:\255\0")
  gives("6801 4261 6200 8003", { "ab" })        -- a string within a wide slot
  gives("6802 0001 0000 1100 0800 8005", { 1, 2048 })
  gives("10ff 6001 8002 8002", { -1 })           -- an integer in one byte
  gives("18ff 6001 8002 8002", { 255 })
  gives("7002 4161 0001 4161 0002 8005", { a = 2 }) -- a name twice: the last
  gives("7002 4161 0001 4161 0002 8005", { a = 1 }, { duplicates = "first" })
  T.contains(T.raises(fleece.unpack, unhex "7002 4161 0001 4161 0002 8005", { duplicates = "error" }), "duplicate name")
  gives("6001 0001 8000 0002 8002", { 1 })        -- a pointer to a pointer
  -- NaN in its many forms is one number
  for _, nan in ipairs { "2800 010000000000f07f 8005", "2800 ffffffffffffffff 8005", "2800 000000000000fcff 8005", "2400 0000c0ff 8003",
    "2800 ffffffffffff7ffb 8005", "2800 0000000000fffaff 8005" } do
    for _, codec in ipairs { fleece, T.api } do
      local got = codec.unpack(unhex(nan))
      same(type(got), "number")
      if nan ~= "2800 ffffffffffff7ffb 8005" then lu.assertTrue(got ~= got) end
    end
  end
end

-- Base {"name":"Bob","age":42,"tags":["one","two"],"addr":{"city":"Paris"},"x":1,"y":2} with age set to 43, and with
-- x removed: the format's examples of a dict that begins with its parent.
function TestPack:test_parents()
  local base = fleece.pack({ name = "Bob", age = 42, tags = { "one", "two" }, addr = { city = "Paris" }, x = 1, y = 2 }, { mode = "compatible" })
  base = base:sub(1, -3)
  local root = #base
  local function pointer(from, to) return string.char(0x80 + math.floor((from - to) / 512), (from - to) / 2 % 256) end
  local header = root - (2 + 6 * 4)
  local set = base .. unhex "4361676570020800"
  set = set .. pointer(#set, header) .. unhex "8005 002b 8005"
  local removed = base .. unhex "7002 0800"
  removed = removed .. pointer(#removed, header) .. unhex "4178 3c00 8005"
  local before = { name = "Bob", age = 42, tags = { "one", "two" }, addr = { city = "Paris" }, x = 1, y = 2 }
  for _, codec in ipairs { fleece, T.api } do
    before.age = 43
    lu.assertEquals(codec.unpack(set), before)
    before.age = 42
    before.x = nil
    lu.assertEquals(codec.unpack(removed), before)
    before.x = 1
  end
  -- within other dicts, more of them than the first memory holds
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

function TestPack:test_codes_without_names()
  for _, codec in ipairs { fleece, T.api } do
    T.ends(T.raises(codec.unpack, unhex "7001 0005 0001 8003"), "the document needs its shared keys at byte 3")
    T.ends(T.raises(codec.unpack, unhex "7001 0005 0001 8003", { keys = false }),
      "the document needs its shared keys at byte 3")
  end
  local value, message, position = T.safe.unpack(unhex "7001 0005 0001 8003")
  same(value, nil)
  same(message, "the document needs its shared keys at byte 3")
  same(position, 3)
end

function TestPack:test_bad_documents()
  for text, message in pairs {
    [""] = "not a document: its length must be even and not 0 at byte 1",
    ["30"] = "not a document: its length must be even and not 0 at byte 1",
    ["0001 0001"] = "the end does not lead to a root at byte 3",
    ["8001"] = "pointer out of the document at byte 1",
    ["6002 0001 8002"] = "value runs past its end at byte 1",
    ["7001 3800 0001 8003"] = "key is neither a string nor a code at byte 3",
    ["7002 4162 0001 4161 0002 8005"] = "keys are not in order at byte 7",
    ["7001 0800 0005 8003"] = "parent is not a dict at byte 3",
  } do
    for _, codec in ipairs { fleece, T.api } do T.ends(T.raises(codec.unpack, unhex(text)), message) end
    local value, returned = T.safe.unpack(unhex(text))
    same(value, nil)
    same(returned, message)
  end
  T.contains(T.raises(fleece.unpack, ("x"):rep(100), { max_bytes = 99 }), "at byte 100")
end

function TestPack:test_big_numbers()
  local bytes = unhex "1fffffffffffffffff 00 6001 8006 8002" -- 2^64 - 1
  for _, codec in ipairs { fleece, T.api } do
    same(codec.unpack(bytes)[1], 18446744073709551616.0)
    same(codec.unpack(bytes, { big_numbers = "string" })[1], "18446744073709551615")
    T.contains(T.raises(codec.unpack, bytes, { big_numbers = "error" }), "at byte 1")
  end
  bytes = unhex "17ffffffffffffff7f 00 6001 8006 8002" -- 2^63 - 1
  if T.integers then same(fleece.unpack(bytes)[1], math.maxinteger)
  else
    for _, codec in ipairs { fleece, T.api } do
      same(codec.unpack(bytes)[1], 9223372036854775808.0)
      same(codec.unpack(bytes, { big_numbers = "string" })[1], "9223372036854775807")
    end
  end
end

function TestPack:test_unpack_options()
  local bytes = fleece.pack { { fleece.null }, { ["1"] = 1, x = { 1, 2 } } }
  for _, codec in ipairs { fleece, T.api } do
    local arrays, objects = { __name = "A" }, { __name = "O" }
    local t = codec.unpack(bytes, { null = "nil", numeric_keys = true, arrays = arrays, objects = objects })
    same(t[1][1], nil)
    same(t[2][1], 1)
    same(getmetatable(t), arrays)
    same(getmetatable(t[2].x), arrays)
    same(getmetatable(t[2]), objects)
  end
end

-- One long string that many values point to is one string in memory, as it was in the tables.
function TestPack:test_long_strings_stay_shared()
  local list = {}
  for i = 1, 1000 do list[i] = { text = ("long text "):rep(10000) } end
  local bytes = fleece.pack(list)
  list = nil
  for _, codec in ipairs { fleece, T.api } do
    local before = T.memory()
    local t = codec.unpack(bytes)
    lu.assertTrue(collectgarbage "count" - before < 4000)
    for i = 1, 1000 do if t[i].text ~= t[1].text or #t[i].text ~= 100000 then lu.fail(i) end end
  end
end

------------------------------------------------------------------------------------------------ memory

local function document(seed)
  local rows = {}
  for i = 1, 30 do
    rows[i] = { id = i, name = ("row %d of %d"):format(i, seed), tags = { "t" .. i % 7, "x" .. seed }, pos = { x = i + 0.5, y = -seed },
      empty = {}, none = fleece.null, long = ("l" .. i % 3):rep(200) }
  end
  return rows
end

function TestPack:test_busy_collector()
  local ran = 0
  local function finalize()
    ran = ran + 1
    local t = fleece.unpack(fleece.pack { ran, { name = "of a finalizer", ["new " .. ran] = ("f"):rep(300) } })
    if t[1] ~= ran then error "wrong in a finalizer" end
  end
  T.with_busy_collector(60, 8, function(round)
    local value = document(round)
    local wanted = fleece.encode(value, { sort_keys = true })
    for _, codec in ipairs { fleece, T.api } do
      for _ = 1, 5 do T.finalizer(finalize) end
      local bytes = codec.pack(value)
      for _ = 1, 5 do T.finalizer(finalize) end
      local got = codec.unpack(bytes)
      same(fleece.encode(got, { sort_keys = true }), wanted)
    end
  end)
  collectgarbage()
  lu.assertTrue(ran > 10)
end

function TestPack:test_memory_is_bounded()
  local function work()
    local list = {}
    for i = 1, 30000 do list[i] = { "string " .. i, i / 7 } end
    fleece.pack(list)
    T.api.pack(list)
    pcall(fleece.pack, { list, print })
    T.safe.unpack(fleece.pack(list):sub(1, -5))
  end
  T.leaves_less(1500, work) -- one round makes 4000
end
