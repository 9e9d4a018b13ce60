-- SPDX-License-Identifier: MIT
-- test_pack.lua -- pack and unpack: Lua values to the binary format and back, by both walks and both decoders. Expected
-- values come from the JSON text and the oracle, expected bytes from the format's worked examples.

local T = require "support"
local B = require "binary"
local D = require "decoding"
local lu, fleece, same, model, random = T.lu, T.fleece, T.same, T.model, T.random

TestPack = {}

local hex, unhex, merged = B.hex, B.bytes, T.merged

-- A document holds the number that encode writes: packing and unpacking, or reading the text of encode, gives the same
-- text. to_json writes kinds: on Luas with integers a float is not written as one.
function TestPack:test_numbers_as_encode_writes_them()
  local numbers = { 0, -0.0, 1, -1, 2047, 2048, -2048, -2049, 0.5, 1e22, 1e300, 2 ^ 31, 2 ^ 32 }
  for e = 50, 66 do
    local x, step = 2 ^ e, 2 ^ math.max(0, e - 52)
    for _, y in ipairs { x, x + step, x - step / 2, x + 3 * step } do numbers[#numbers + 1], numbers[#numbers + 2] = y, -y end
  end
  for _ = 1, T.rounds(500) do numbers[#numbers + 1] = T.random_number() end
  if T.jit then for _, text in ipairs { "9007199254740993LL", "-9223372036854775808LL", "18446744073709551615ULL" } do numbers[#numbers + 1] = loadstring("return " .. text)() end end
  for _, codec in ipairs { fleece, T.api } do
    for _, mode in ipairs { "compact", "compatible", "fast" } do
      T.each(numbers, function(x)
        local text, bytes = codec.encode { x }, codec.pack({ x }, { mode = mode })
        same(codec.encode(fleece.open(bytes)), text)
        if type(x) == "number" then
          same(codec.encode(codec.unpack(bytes)), text)
          same(codec.unpack(bytes)[1] == x, true)
        end
        if not T.integers and tostring(x) ~= "-0" then
          same(codec.to_json(bytes), text)
          same(codec.to_json(fleece.encoder():array():value(type(x) == "number" and x or fleece.open(codec.pack(x))):close():finish()), text)
        end
      end)
    end
  end
end
local minus_zero = -1 / (1 / 0) -- Lua 5.1 reads the literal -0.0 as 0

-- Packs with both walks, which must give the same bytes.
local function pack(value, options)
  local bytes = fleece.pack(value, options)
  local again = fleece.pack(value, merged(options, { layout = "api" }))
  if again ~= bytes then same(hex(again), hex(bytes), "API walk") end
  return bytes
end

-- The oracle's node of a value, from its text. If Lua has an integer subtype, integral doubles stay doubles.
local function node_of(value)
  return model.decode(fleece.encode(value, { float_integers = T.integers, max_depth = 100000 }))
end

-- Unpacks with both decoders; each result must equal the oracle's node.
local function unpacks(bytes, node, what)
  for _, got in ipairs { { fleece.unpack(bytes, { max_depth = 100000 }) },
    { T.api.unpack(bytes, { max_depth = 100000 }) } } do
    local difference = D.differs(got[1], node)
    if difference then lu.fail((what or hex(bytes):sub(1, 200)) .. "\n" .. difference) end
  end
end

-- A value survives packing and unpacking in both modes; returns the bytes.
local function round_trips(value, options)
  local node = node_of(value)
  local bytes = pack(value, options)
  unpacks(bytes, node)
  unpacks(pack(value, merged(options, { mode = "compatible" })), node)
  return bytes
end

-- A value that cannot be packed: the error ends with `message`, from both walks, raised and returned.
local function rejects(value, message, options)
  for _, o in ipairs { options or {}, merged(options, { layout = "api" }), merged(options, { mode = "compatible" }) } do
    T.raises_ending(message, fleece.pack, value, o)
    local result, got = T.safe.pack(value, o)
    same(result, nil, "safe")
    T.ends(got, message)
  end
end

------------------------------------------------------------------------------------------------ bytes

-- The worked examples of the format that a table can express; __jsonorder if the order of writing matters.
function TestPack:test_worked_examples()
  local function ordered(t, ...) return setmetatable(t, { __jsonorder = { ... } }) end
  T.each_pair({
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
    ["3800"] = true,
    ["4178"] = "x",
    ["3000"] = fleece.null,
  }, function(bytes, value)
    same(hex(pack(value, { mode = "compatible" })), (bytes:gsub(" ", "")))
  end)
  same(hex(fleece.pack(nil)), "3000")
  if T.integers then
    same(hex(pack { 1.0, 1 }), "24000000803f" .. "6002800400018003")
    same(hex(pack(18014398509481984.0)), "24000000805a8003") -- 2^54
    same(hex(pack { math.maxinteger, math.mininteger }),
      "1fffffffffffffff7f0017000000000000008000" .. "6002800b80078003")
  else
    same(hex(pack { 1.0, 1 }), "6002000100018003")
    same(hex(pack { 9007199254740992 }), "1e00000000000020" .. "600180058002")
    same(hex(pack { 9007199254740994 }), "1e02000000000020" .. "600180058002")
    same(hex(pack(18014398509481984)), "1e00000000000040" .. "8004") -- 2^54
  end
end

-- Values of more than two bytes are written once, equal collections too.
function TestPack:test_compact_shares()
  local row = { "long enough", 123456, { x = 0.1 } }
  local one = #pack { row }
  local list = {}
  for i = 1, 50 do list[i] = { "long enough", 123456, { x = 0.1 } } end
  same(#round_trips(list), one + 2 * 49)
  lu.assertTrue(#fleece.pack(list, { mode = "compatible" }) > 50 * 20)
end

-- Names whose total length exceeds a narrow pointer's reach are not written again for each dict.
function TestPack:test_compact_long_names()
  for kinds = 1, 5, 4 do
    local list, length = {}, math.floor(35000 / kinds / 10)
    for i = 1, 50 do
      list[i] = {}
      for j = 1, 10 do list[i][j .. "." .. i % kinds .. ("k"):rep(length)] = i * 10 + j end
    end
    lu.assertTrue(#round_trips(list) < 2 * 35000)
  end
end

------------------------------------------------------------------------------------------------ round trips

function TestPack:test_values()
  T.each({
    {}, { 1, 2, 3 }, { a = 1 }, { { {} } }, { a = { b = { c = {} } } }, fleece.object {},
      { fleece.object {}, fleece.array {} },
    { fleece.null, true, false, "", "x", 0, -1 }, { [1] = 1, [3] = 3 }, { [0] = "zero", "one" },
      { x = 1, "one", "two" }, { [1.5] = 1, [-2] = 2 },
    fleece.object { 1, 2, 3 }, fleece.array { 1, nil, 3 },
      { ("x"):rep(14), ("x"):rep(15), ("x"):rep(16), ("y"):rep(300), ("z"):rep(70000) },
    { 2047, 2048, -2048, -2049, 32767, 32768, 65535, 65536, -32768, -32769, 2147483647, 2147483648, -2147483648,
      4294967295, 4294967296 },
    { 0.5, minus_zero, 1e300, 5e-324, 0.1, 1 / 3, 3.4028234663852886e38, 3.4028235677973366e38, 1.5e-45, 16777217.5 },
    { "\0", "a\0b", "\127", "h\195\164", "\240\159\152\128", ["\195\164"] = 1, ["\0"] = 2 },
    "text", ("long "):rep(1000), 0, -1, 12.5, true, false, fleece.null,
  }, function(value)
    round_trips(value)
  end)
  if T.integers then round_trips({ math.maxinteger, math.mininteger, 2 ^ 53, 1.0, -1.0, 2.0 ^ 63 }) end
end

-- A number key and a string key with the same text: a document has one member of a name, and which of the two it were
-- would depend on the order in the table. Texts and documents in the value keep the last one of theirs.
function TestPack:test_duplicate_names()
  for i = 1, 50 do
    local t = { ["7"] = "string", [7] = "number", ["k" .. i] = i }
    for _, options in ipairs { {}, { mode = "fast" }, { max_depth = 9 } } do
      T.raises_ending("two keys have the same name at the root", fleece.pack, t, options)
      T.raises_ending("two keys have the same name at .a[1].b", T.api.pack, { a = { { b = t } } }, options)
    end
    lu.assertStrContains(fleece.to_json(fleece.pack(t, { mode = "compatible" })), '"7":"string"')
    lu.assertStrContains(fleece.to_json(fleece.pack(t, { mode = "compatible" })), '"7":"number"')
  end
  T.raises_ending("two keys have the same name at .x", fleece.pack, { x = { [2 ^ 53] = 1, ["9007199254740992"] = 2 } })
  same(fleece.to_json(fleece.pack { b = fleece.raw '{"a":1,"a":2}', c = { [1] = 1, x = 2 } }),
    '{"b":{"a":2},"c":{"1":1,"x":2}}')
end

-- Positions beyond a narrow pointer's reach; counts of 2047 and more.
function TestPack:test_large()
  local list, map, far = {}, {}, { first = "the first string" }
  for i = 1, 5000 do list[i], map["name " .. i] = i, "value " .. i end
  for i = 1, 4000 do far[i] = { name = "number " .. i, first = "the first string", i, i / 8 } end
  for _, n in ipairs { 2046, 2047, 2048, 2174, 2175, 2176 } do
    local t = {}
    for i = 1, n do t[i] = i % 3 end
    round_trips(t)
  end
  round_trips(list)
  round_trips(map)
  round_trips(far)
  round_trips({ list, map, list, map })
  local strings = {}
  for i = 1, 9000 do strings[i] = "item " .. i % 5000 end
  round_trips(strings)
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

local made -- the parts of this value so far; some are used again
local function random_value(depth)
  local kind = random(1, 14)
  if kind <= 4 then return random_text(random(0, 3) == 0 and random(0, 400) or random(0, 18)) end
  if kind <= 6 then return T.random_number() end
  if kind == 7 then return random(0, 1) == 1 end
  if kind == 8 then return fleece.null end
  if kind == 9 and #made > 0 then return made[random(1, #made)] end
  if depth > 6 then return 1 end
  local t = {}
  local shape, n = random(1, 6), random(1, 30) == 1 and random(20, 200) or random(0, 7)
  for i = 1, n do
    if shape <= 2 then
      t[i] = random_value(depth + 1)
    elseif shape <= 4 then
      t["k" .. random(1, 12)] = random_value(depth + 1)
    elseif shape == 5 then
      t[random_text(random(0, 20))] = random_value(depth + 1)
    else t[random(-2, 9)] = random_value(depth + 1) end
  end
  made[#made + 1] = t
  return t
end

function TestPack:test_random()
  T.random_rounds(12, function()
    made = {}
    round_trips(random_value(1))
  end)
end

-- Documents that differ from valid ones in one byte, or are cut off: both decoders give the same error or value.
function TestPack:test_random_damaged()
  T.random_rounds(40, function()
    made = {}
    local bytes = fleece.pack(random_value(1), { mode = random(0, 1) == 0 and "compact" or "compatible" })
    for _ = 1, 20 do
      local at = random(1, #bytes)
      local changed = bytes:sub(1, at - 1) .. string.char(random(0, 255)) ..
        bytes:sub(at + 1, random(0, 3) == 0 and random(0, #bytes) or -1)
      local value, message, position = T.safe.unpack(changed)
      local value2, message2, position2 = T.safe_api.unpack(changed)
      same(message2, message)
      T.equal(position2, position)
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
  T.each_pair({
    ["the root"] = f,
    [".a"] = { a = f },
    ["[3]"] = { 1, 2, f },
    [".players[3].inventory"] = { players = { 1, 2, { inventory = f } } },
  }, function(path, value)
    rejects(value, "cannot encode a function at " .. path)
  end)
  rejects({ { a = { coroutine.create(function() end) } } }, "cannot encode a thread at [1].a[1]")
  rejects({ { a = { { [false] = 1 } } } }, "cannot encode a boolean key at [1].a[1]")
  rejects({ { a = { 0 / 0 } } }, "number is NaN at [1].a[1]")
  rejects(0 / 0, "number is NaN at the root")
  rejects({ { a = { "abcd\255" } } }, "invalid UTF-8 at [1].a[1] (byte 5)")
  rejects("\255", "invalid UTF-8 at the root (byte 1)")
  rejects({ { ["\255"] = 1 } }, "invalid UTF-8 in a key at [1]")
  rejects({ ["\255"] = 1 }, "invalid UTF-8 in a key at the root", { invalid_utf8 = "data" })
  rejects({ a = { 1, nil, 3 } }, "array has holes at .a", { sparse = "error" })
  rejects({ io.stdout }, "cannot encode a userdata at [1]")
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
  rejects(t, "table contains itself at .a.b.c")
  local long = {}
  local at = long
  for _ = 1, 100 do
    at.next = {}
    at = at.next
  end
  at.next = long
  T.raises_with("table contains itself", fleece.pack, long)
  local shared = { 1, 2 }
  round_trips({ shared, shared, { shared } })
end

function TestPack:test_depth()
  local function nested(n)
    local t = { "end" }
    for _ = 2, n do t = { t } end
    return t
  end
  round_trips(nested(1000))
  rejects(nested(1001), "nesting deeper than 1000 levels at " .. ("[1]"):rep(8) .. "..." .. ("[1]"):rep(8))
  rejects({ {} }, "nesting deeper than 1 levels at [1]", { max_depth = 1 })
  round_trips({ { {} } }, { max_depth = 3 })
  local deep = nested(30000)
  local bytes = pack(deep, { max_depth = 100000 })
  T.raises_with("nesting too deep at byte ", fleece.unpack, bytes)
  for _, codec in ipairs(T.codecs) do
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
  local again = fleece.open(pack(got)).root -- data remains data
  lu.assertTrue(again == fleece.open(pack({ ["1"] = "good", ["2"] = "\255bad", x = value.x }, o)).root)
  same(hex(pack({ "h\195\164" }, o)), hex(pack { "h\195\164" }))
  lu.assertTrue(T.api.unpack(pack({ 1, { "\255" } }, merged(o, { mode = "compatible" })))[2][1] == fleece.data "\255")
end

function TestPack:test_hooks_and_marks()
  local hooked = setmetatable({}, { __tojson = function() return '{"a":[1,2.0,"\\u00e4"]}' end })
  local listed = setmetatable({}, { __len = function() return 3 end, __index = function(_, i) return i end })
  local paired = setmetatable({}, { __pairs = function() return next, { p = 1 } end })
  local typed = setmetatable({ 1 }, { __jsontype = "object" })
  local plain = setmetatable({ 5 }, { __index = {} })
  local bytes = pack { hooked, listed, paired, typed, plain, fleece.raw "[1, null]" }
  local wanted = { { a = { 1, T.integers and 2.0 or 2, "\195\164" } }, { 1, 2, 3 }, { p = 1 }, { ["1"] = 1 }, { 5 },
    { 1, fleece.null } }
  lu.assertEquals(fleece.unpack(bytes), wanted)
  lu.assertEquals(T.api.unpack(bytes), wanted)
  lu.assertEquals(fleece.unpack(pack({ hooked, typed }, { metamethods = false })), { {}, { 1 } })
  lu.assertEquals(getmetatable(fleece.unpack(pack { fleece.object {} })[1]), fleece.object_mt)
  same(hex(pack {}), "6000")
  same(hex(pack({}, { empty_table = "object" })), "7000")
  rejects({ 1, setmetatable({}, { __tojson = function() return "[1" end }) },
    "__tojson returned invalid JSON: unexpected end, byte 3 at [2]")
  T.raises_with("number", fleece.pack, { fleece.raw "1e999" })
end

-- A hook that packs and unpacks during pack.
function TestPack:test_hooks_pack()
  local hook = setmetatable({}, { __tojson = function()
    local bytes = fleece.pack { inner = { 1, 2, ("x"):rep(5000) } }
    fleece.pack({ setmetatable({}, { __tojson = function() return "1" end }) })
    return fleece.encode(fleece.unpack(bytes))
  end })
  local bytes = pack { hook, "after", hook }
  lu.assertEquals(fleece.unpack(bytes),
    { { inner = { 1, 2, ("x"):rep(5000) } }, "after", { inner = { 1, 2, ("x"):rep(5000) } } })
end

-- The raw encoder remembers where names lie in its document. It gives its memory to the public-API encoder for the time
-- of a value with hooks, and a hook may pack with the raw encoder meanwhile.
function TestPack:test_names_after_hooks()
  local function record(first, last)
    local t = {}
    for i = first, last do t["a name of record " .. i] = i end
    return t
  end
  local outer, inner, last = record(1, 40), record(20, 90), record(1, 90)
  local hooked = setmetatable({}, { __tojson = function()
    for _ = 1, 3 do lu.assertEquals(fleece.unpack(fleece.pack(inner)), inner) end
    return "1"
  end })
  for _ = 1, 20 do
    lu.assertEquals(fleece.unpack(fleece.pack(outer)), outer)
    lu.assertEquals(fleece.unpack(fleece.pack({ outer, hooked, inner })), { outer, 1, inner })
    lu.assertEquals(fleece.unpack(fleece.pack(last)), last)
    collectgarbage()
  end
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
    T.bad_argument(2, "option '" .. name .. "' has no effect here", "pack", {}, { [name] = value })
  end
  T.bad_argument(2, "option 'mode' must be one of \"compact\", \"compatible\"", "pack", {}, { mode = "small" })
  T.bad_argument(2, "option 'invalid_utf8' must be one of \"error\", \"data\"", "pack", {}, { invalid_utf8 = "pass" })
  T.bad_argument(2, "table expected", "pack", {}, 5)
  T.bad_argument(1, "value expected", "pack")
  T.bad_argument(1, "bytes, document or view expected", "unpack", {})
  T.bad_argument(2, "unknown option 'nothing'", "unpack", "3000", { nothing = 1 })
  -- options for the layout of text have no effect
  local codec = fleece.new { indent = 2, ascii = true, sort_keys = true, precision = 3, invalid_utf8 = "replace",
    max_depth = 2 }
  same(hex(codec.pack { "\195\164", 1 / 3 }), hex(fleece.pack { "\195\164", 1 / 3 }))
  T.raises_with("nesting deeper than 2 levels", codec.pack, { { {} } })
  T.raises_with("invalid UTF-8 at [1]", codec.pack, { "\255" })
end

function TestPack:test_cdata()
  if not T.jit then lu.skip "this Lua: only LuaJIT has cdata" end
  local ffi = require "ffi"
  local function int(n, kind) return ffi.new(kind or "int64_t", n) end
  same(hex(pack { int(5) }), hex(pack { 5 }))
  same(hex(pack { int(-5) }), hex(pack { -5 }))
  same(hex(pack { ffi.cast("uint64_t", int(-1)) }), "1fffffffffffffffff" .. "00" .. "600180068002")
  local bytes = pack { ffi.cast("int64_t", ffi.cast("uint64_t", 2 ^ 63) - 1), ffi.cast("uint64_t", int(-1)) }
  lu.assertEquals(tostring(fleece.unpack(bytes, { big_numbers = "int64" })[1]), "9223372036854775807LL")
  lu.assertEquals(tostring(fleece.unpack(bytes, { big_numbers = "int64" })[2]), "18446744073709551615ULL")
end

------------------------------------------------------------------------------------------------ memory

local function sample_rows(seed)
  local rows = {}
  for i = 1, 30 do
    rows[i] = {
      id = i,
      name = ("row %d of %d"):format(i, seed),
      tags = { "t" .. i % 7, "x" .. seed },
      pos = { x = i + 0.5, y = -seed },
      empty = {},
      none = fleece.null,
      long = ("l" .. i % 3):rep(200),
    }
  end
  return rows
end

-- Short arrays of numbers are written in one go; what is almost one is not.
function TestPack:test_points()
  local spare, shrunk, slow = {}, { 1, 2, 3, 4 }, {}
  for i = 1, 3 do spare[i] = i / 3 end
  shrunk[4], shrunk[3] = nil, nil
  slow[2], slow[1] = 0.25, 0.5 -- in the hash part
  local rows = { { 1 }, { 0.1, 0.2 }, { 0.1, 0.2 }, { -1, 2048, 1e300 }, { 1, 2, 3, 4 }, { 1, 2, 3, 4, 5 }, spare, shrunk, slow,
                 { 1, "a" }, { "a", 1 }, { true }, { 0.5, {} }, { { 0.5, 1.5 }, { 0.5, 1.5 } }, {}, { x = 1 }, { 1e15, 2 ^ 63 },
                 setmetatable({ 1, 2 }, fleece.array_mt), setmetatable({}, fleece.array_mt), { at = { 0.5, 0.1 } } }
  for i = 1, #rows do
    for j = 1, #rows do
      local value = { rows[i], rows[j], { 0.1, 0.2 }, rows[i] }
      local text = fleece.encode(value)
      for _, mode in ipairs { "compact", "compatible", "fast" } do
        local bytes = mode == "fast" and fleece.pack(value, { mode = mode }) or pack(value, { mode = mode })
        same(fleece.check(bytes), true)
        same(fleece.encode(fleece.open(bytes)), text)
      end
    end
  end
  for _, mode in ipairs { "compact", "fast" } do
    for _, codec in ipairs { fleece, T.api } do
      T.raises_with("NaN", codec.pack, { { 1, 2 }, { 0 / 0, 1 } }, { mode = mode })
      same(#codec.pack({ { { 1 } } }, { mode = mode, max_depth = 3 }) > 0, true)
      T.raises_with("nesting", codec.pack, { { { 1 } } }, { mode = mode, max_depth = 2 })
      local zero = { { [0] = 7, 0.5, 0.25 } }
      local fine, bytes = pcall(codec.pack, zero, { mode = mode })
      same(fine, (pcall(codec.encode, zero)))
      local sorted = { sort_keys = true }
      if fine then same(fleece.encode(codec.unpack(bytes), sorted), fleece.encode(zero, sorted)) end
    end
  end
end

function TestPack:test_busy_collector()
  local ran = 0
  T.equal(fleece.unpack(fleece.pack { 1 }), { 1 }) -- a build without documents skips the test here, not in a finalizer
  local function finalize()
    ran = ran + 1
    local t = fleece.unpack(fleece.pack { ran, { name = "of a finalizer", ["new " .. ran] = ("f"):rep(300) } })
    if t[1] ~= ran then error "wrong in a finalizer" end
  end
  T.with_busy_collector(60, 8, function(round)
    local value = sample_rows(round)
    local wanted = fleece.encode(value, { sort_keys = true })
    for _, codec in ipairs(T.codecs) do
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
  T.leaves_less(1500, work) -- one run creates 4000
end
