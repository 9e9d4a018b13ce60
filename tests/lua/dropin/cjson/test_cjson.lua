-- SPDX-License-Identifier: MIT
-- test_cjson.lua -- fleece.cjson: the behaviour that the manual of OpenResty's lua-cjson describes, and the differences
-- on purpose, where lua-cjson is wrong.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same
local cjson, safe = require "fleece.cjson", require "fleece.cjson.safe"

TestCjson = {}

-- A new instance with settings: new { encode_indent = "  " }.
local function new(settings, from)
  local m = (from or cjson).new()
  for name, v in pairs(settings or {}) do
    if type(v) == "table" then m[name](T.unpack(v)) else m[name](v) end
  end
  return m
end

-- ---- the module --------------------------------------------------------------------------------------------

function TestCjson:test_fields()
  same(cjson._NAME, "cjson")
  same(cjson._VERSION, "2.1.0.11")
  same(cjson.null, fleece.null)
  same(type(cjson.empty_array), "userdata")
  same(cjson.empty_array == cjson.null, false)
  same(type(cjson.array_mt), "table")
  same(next(cjson.array_mt), nil)
  same(cjson.array_mt ~= cjson.empty_array_mt, true)
  for _, m in ipairs { cjson.new(), safe, safe.new() } do
    for _, name in ipairs { "_NAME", "_VERSION", "null", "empty_array", "array_mt", "empty_array_mt" } do
      same(m[name], cjson[name], name)
    end
    for name, f in pairs(cjson) do
      same(type(m[name]), type(f), name)
    end
  end
end

function TestCjson:test_loaded_twice()
  local array_mt = cjson.array_mt
  package.loaded["fleece.cjson"] = nil
  local again = require "fleece.cjson"
  package.loaded["fleece.cjson"] = cjson
  same(again ~= cjson, true)
  same(again.array_mt, array_mt)
  same(again.encode { setmetatable({}, array_mt), cjson.empty_array, setmetatable({}, cjson.empty_array_mt) },
    "[[],[],[]]")
end

function TestCjson:test_defaults()
  local m = new()
  lu.assertEquals({ m.encode_sparse_array() }, { false, 2, 10 })
  same(m.encode_max_depth(), 1000)
  same(m.decode_max_depth(), 1000)
  same(m.encode_number_precision(), 14)
  same(m.encode_keep_buffer(), true)
  same(m.encode_invalid_numbers(), false)
  same(m.decode_invalid_numbers(), true)
  same(m.encode_empty_table_as_object(), true)
  same(m.decode_array_with_array_mt(), false)
  same(m.encode_escape_forward_slash(), true)
  same(m.encode_skip_unsupported_value_types(), false)
  same(m.encode_sort_keys(), false)
  same(m.encode_indent(), "")
  same(m.decode_allow_comment(), false)
end

function TestCjson:test_settings_belong_to_an_instance()
  local a, b = new { encode_number_precision = 3, encode_escape_forward_slash = false, encode_indent = "\t" }, new()
  same(a.encode { 1 / 3, "/" }, "[\n\t0.333,\n\t\"/\"\n]")
  same(b.encode { 1 / 3, "/" }, '[0.33333333333333,"\\/"]')
  same(cjson.encode "/", '"\\/"')
  same(a.new().encode "/", '"\\/"', "new() begins with the defaults")
end

function TestCjson:test_settings_words()
  local m = new()
  same(m.encode_keep_buffer("off"), false)
  same(m.encode_keep_buffer(nil), false)
  same(m.encode_keep_buffer("on"), true)
  same(m.encode_invalid_numbers("null"), "null")
  same(m.encode_invalid_numbers("on"), true)
  same(m.encode_invalid_numbers(false), false)
  lu.assertEquals({ m.encode_sparse_array(true, 3) }, { true, 3, 10 })
  lu.assertEquals({ m.encode_sparse_array(nil, nil, 4) }, { true, 3, 4 })
  same(m.encode_max_depth(2147483647), 2147483647)
  same(m.encode_indent "  ", "  ")
  same(m.encode_indent(nil), "  ")
  same(m.encode_indent "", "")
  -- The valid arguments before the invalid one take effect.
  T.error_of(m.encode_sparse_array, false, 7, "x")
  lu.assertEquals({ m.encode_sparse_array() }, { false, 7, 4 })
end

function TestCjson:test_settings_errors()
  local m = new()
  T.raises_ending("(expected integer between 1 and 16)", m.encode_number_precision, 0)
  T.raises_ending("(expected integer between 1 and 16)", m.encode_number_precision, 17)
  T.raises_ending("(expected integer between 1 and 2147483647)", m.decode_max_depth, "0")
  T.raises_with("bad argument #1 to ", m.encode_sparse_array, true, -1)
  T.raises_ending("(expected integer between 0 and 2147483647)", m.encode_sparse_array, true, -1)
  T.raises_ending("(number expected, got string)", m.encode_max_depth, "wrong")
  T.raises_ending("(invalid option 'x')", m.encode_keep_buffer, "x")
  T.raises_ending("(invalid option '-2')", m.encode_invalid_numbers, -2)
  T.raises_with("bad argument #2 to ", m.encode_keep_buffer, nil, true)
  T.raises_ending("(found too many arguments)", m.encode_keep_buffer, nil, true)
  T.raises_with("bad argument #4 to ", m.encode_sparse_array, 1, 2, 3, 4)
  T.raises_with("at most 63 bytes", m.encode_indent, ("x"):rep(64))
  same(m.encode_number_precision(), 14)
end

-- ---- encode ------------------------------------------------------------------------------------------------

function TestCjson:test_encode_scalars()
  T.each({
    { text = "null" },
    { value = cjson.null, text = "null" },
    { value = true, text = "true" },
    { value = false, text = "false" },
    { value = "x", text = '"x"' },
    { value = 0.1 + 0.2, text = "0.3" },
    { value = 1 / 3, text = "0.33333333333333" },
    { value = 1e15, text = "1e+15" },
    { value = 123456789012.5, text = "123456789012.5" },
    { value = 1e-5, text = "1e-05" },
    { value = -0.0, text = "-0" },
    { value = 100, text = "100" },
    { value = 2 ^ 53, text = "9.007199254741e+15" },
    { value = cjson.empty_array, text = "[]" },
    {
      value = "\0\1\b\t\n\v\f\r\31 \"\\/\127\128\255",
      text = '"\\u0000\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f \\"\\\\\\/\\u007f\128\255"',
    },
  }, function(case)
    same(cjson.encode(case.value), case.text)
    same(cjson.encode { case.value == nil and cjson.null or case.value }, "[" .. case.text .. "]")
    same(cjson.encode { k = case.value == nil and cjson.null or case.value }, '{"k":' .. case.text .. "}")
  end)
  if T.integers then
    same(cjson.encode(math.mininteger), "-9223372036854775808", "integers are exact")
    same(cjson.encode { [math.maxinteger] = 1 }, '{"9223372036854775807":1}')
  end
end

function TestCjson:test_encode_long_strings()
  for n = 1, 200 do
    local s = ("a"):rep(n - 1) .. "/"
    same(cjson.encode { s }, '["' .. s:gsub("/", "\\/") .. '"]')
    same(new { encode_escape_forward_slash = false }.encode { s .. "\127" }, '["' .. s .. '\\u007f"]')
  end
  local long = ("\1/é"):rep(20000)
  same(cjson.encode { long }, '["' .. ("\\u0001\\/é"):rep(20000) .. '"]')
end

function TestCjson:test_encode_tables()
  same(cjson.encode {}, "{}")
  same(cjson.encode { {}, { {} } }, "[{},[{}]]")
  same(new { encode_empty_table_as_object = false }.encode { {}, { a = {} } }, '[[],{"a":[]}]')
  same(cjson.encode { 1, nil, 3 }, "[1,null,3]")
  same(cjson.encode { [3] = "x" }, '[null,null,"x"]')
  same(cjson.encode { [10] = 1 }, "[" .. ("null,"):rep(9) .. "1]")
  same(cjson.encode { ["2"] = 1 }, '{"2":1}')
  same(cjson.encode { [0] = 1 }, '{"0":1}')
  same(cjson.encode { [1.5] = 1 }, '{"1.5":1}')
  same(cjson.encode { [1 / 3] = 1 }, '{"0.33333333333333":1}', "keys are rounded as values")
  same(new { encode_number_precision = 16 }.encode { [0.1] = 1 }, '{"0.1":1}')
end

function TestCjson:test_encode_sparse()
  local sparse = "Cannot serialise table: excessively sparse array"
  T.raises(sparse, cjson.encode, { [11] = 1 })
  T.raises(sparse, cjson.encode, { a = { 1, [1000] = 2 } })
  same(cjson.encode { 1, 2, 3, 4, 5, 6, [12] = 1 }, "[1,2,3,4,5,6,null,null,null,null,null,1]")
  same(new { encode_sparse_array = { true } }.encode { [11] = 1 }, '{"11":1}')
  same(#new { encode_sparse_array = { false, 0 } }.encode { [1000] = 1 }, 999 * 5 + 3)
  local m = new { encode_sparse_array = { true, 2, 3 } }
  same(m.encode { [1] = "one", [4] = "x" }, '["one",null,null,"x"]')
  lu.assertItemsEquals(fleece.decode(m.encode { [1] = "one", [5] = "x" }), { ["1"] = "one", ["5"] = "x" })
  -- An index beyond 2^31 - 1 makes an object; lua-cjson loses members here.
  for _, settings in ipairs { {}, { encode_sparse_array = { true } }, { encode_sparse_array = { false, 0 } } } do
    local key = "2147483648"
    same(new(settings).encode { [2147483648] = 1 }, '{"' .. key .. '":1}')
    local text = new(settings).encode { [2147483648] = 1, [1] = 2 }
    lu.assertItemsEquals(fleece.decode(text), { [key] = 1, ["1"] = 2 })
  end
  T.raises(sparse, cjson.encode, { [2147483647] = 1 })
end

function TestCjson:test_encode_invalid_numbers()
  for _, v in ipairs { 1 / 0, -1 / 0, 0 / 0 } do
    T.raises("Cannot serialise number: must not be NaN or Infinity", cjson.encode, v)
    T.raises("Cannot serialise number: must not be NaN or Infinity", cjson.encode, { v })
    same(new { encode_invalid_numbers = "null" }.encode { v }, "[null]")
  end
  same(new { encode_invalid_numbers = true }.encode { 1 / 0, -1 / 0, 0 / 0 }, "[Infinity,-Infinity,NaN]")
  same(new { encode_invalid_numbers = true }.encode { [1 / 0] = 1 }, '{"Infinity":1}')
  T.raises("Cannot serialise number: must not be NaN or Infinity", cjson.encode, { [1 / 0] = 1 })
end

function TestCjson:test_encode_unsupported()
  local thread = coroutine.create(function() end)
  T.each({
    { value = print, type_name = "function" },
    { value = thread, type_name = "thread" },
    { value = io.stdout, type_name = "userdata" },
  }, function(case)
    local message = "Cannot serialise " .. case.type_name .. ": type not supported"
    T.raises(message, cjson.encode, case.value)
    T.raises(message, cjson.encode, { 1, case.value })
    T.raises(message, cjson.encode, { a = { b = case.value } })
  end)
  for _, key in ipairs { true, {}, print } do
    T.raises("Cannot serialise " .. type(key) .. ": table key must be a number or string", cjson.encode, { [key] = 1 })
  end
  local m = new { encode_skip_unsupported_value_types = true }
  same(m.encode(print), "")
  same(m.encode { "one", print, "two", thread, io.stdout }, '["one","two"]')
  same(m.encode { print, print }, "[]")
  same(m.encode { f = print, valid = "v" }, '{"valid":"v"}')
  T.raises("Cannot serialise boolean: table key must be a number or string", m.encode, { [true] = print })
  same(m.encode { [2.5] = print, [-1] = print, a = 1 }, '{"a":1}')
  for _, value in ipairs { { [1 / 0] = print }, { [1 / 0] = print, a = 1 }, { { [-1 / 0] = io.stdout } } } do
    T.raises("Cannot serialise number: must not be NaN or Infinity", m.encode, value) -- the key is written first
  end
  m.encode_invalid_numbers "null"
  same(m.encode { [1 / 0] = print, a = 1 }, '{"a":1}')
end

-- An unknown light userdata, for which lua-cjson writes `{"a":}`. The registry has some as keys.
function TestCjson:test_encode_unknown_sentinel()
  local seen = 0
  for key in pairs(debug.getregistry()) do
    if type(key) == "userdata" and not debug.getmetatable(key) and key ~= cjson.null then
      seen = seen + 1
      T.raises("Cannot serialise userdata: type not supported", cjson.encode, key)
      T.raises("Cannot serialise userdata: type not supported", cjson.encode, { a = key })
      same(new { encode_skip_unsupported_value_types = true }.encode { 1, key, 2 }, "[1,2]")
    end
  end
  same(seen > 0, true)
end

function TestCjson:test_encode_int64()
  if not T.jit then lu.skip("this Lua: only LuaJIT has boxed integers") end
  local boxed = require("ffi").new("int64_t", 1)
  T.raises("Cannot serialise cdata: type not supported", cjson.encode, boxed)
  T.raises("Cannot serialise cdata: type not supported", cjson.encode, { boxed })
  same(new { encode_skip_unsupported_value_types = true }.encode { boxed, 1 }, "[1]")
end

function TestCjson:test_encode_depth()
  local m = new { encode_max_depth = 5 }
  same(m.encode { { { { { "x" } } } } }, '[[[[["x"]]]]]')
  T.raises("Cannot serialise, excessive nesting (6)", m.encode, { { { { { {} } } } } })
  T.raises("Cannot serialise, excessive nesting (6)", m.encode, { a = { b = { c = { d = { e = { f = 1 } } } } } })
  local t = {}
  t[1] = t
  T.raises("Cannot serialise, excessive nesting (6)", m.encode, t)
  T.raises("Cannot serialise, excessive nesting (1001)", cjson.encode, t)
  T.raises("Cannot serialise, excessive nesting (2147483648)", new { encode_max_depth = 2147483647 }.encode, t)
  -- Here lua-cjson overflows the C stack and crashes.
  local deep = {}
  for _ = 1, 200000 do deep = { deep } end
  same(#new { encode_max_depth = 300000 }.encode(deep), 400002)
end

function TestCjson:test_encode_marks()
  local array_mt, empty_array_mt = cjson.array_mt, cjson.empty_array_mt
  same(cjson.encode(setmetatable({}, array_mt)), "[]")
  same(cjson.encode(setmetatable({ 1, 2 }, array_mt)), "[1,2]")
  same(cjson.encode(setmetatable({ 1, a = 2 }, array_mt)), "[1]")
  same(cjson.encode(setmetatable({ a = 2 }, array_mt)), "[]")
  local holes = setmetatable({ 1, nil, 3 }, array_mt)
  same(cjson.encode(holes), #holes == 3 and "[1,null,3]" or "[1]")
  same(cjson.encode(setmetatable({ [1000] = 1 }, array_mt)), "[]", "no array is too sparse")
  same(cjson.encode(setmetatable({}, empty_array_mt)), "[]")
  same(cjson.encode(setmetatable({ 1, 2 }, empty_array_mt)), "[1,2]")
  same(cjson.encode(setmetatable({ a = 1 }, empty_array_mt)), "[]")
  same(cjson.encode(setmetatable({ 5, a = 1 }, empty_array_mt)), "[5]")
  T.raises("Cannot serialise table: excessively sparse array", cjson.encode, setmetatable({ [11] = 1 }, empty_array_mt))
  same(cjson.encode { x = cjson.empty_array }, '{"x":[]}')
  -- fleece accepts these marks too, and fleece.cjson accepts those of fleece.
  same(fleece.encode { cjson.empty_array, setmetatable({}, array_mt), setmetatable({}, empty_array_mt) }, "[[],[],[]]")
  same(cjson.encode { fleece.array {}, fleece.object { 1 } }, '[[],{"1":1}]')
  same(cjson.encode { fleece.raw "[1 ]" }, "[[1 ]]")
end

function TestCjson:test_encode_metatables()
  local proxy = setmetatable({}, { __len = function() return 3 end, __index = function(_, k) return "v" .. k end })
  same(cjson.encode(proxy), '["v1","v2","v3"]')
  same(cjson.encode { x = proxy, 1 }:find('["v1","v2","v3"]', 1, true) ~= nil, true)
  -- __len is called for objects too; an invalid length counts as 0.
  same(cjson.encode(setmetatable({ a = 1 }, { __len = function() return 1 end })), "[null]")
  for _, length in ipairs { -1, "x", 0.9, 0 / 0, false } do
    same(cjson.encode(setmetatable({ 1 }, { __len = function() return length end })), "[]")
  end
  same(cjson.encode(setmetatable({ 1, 2, 3 }, { __len = function() return 1.9 end })), "[1]")
  same(cjson.encode(setmetatable({ 1, 2, 3 }, { __len = function() return "2" end })), "[1,2]")
  -- With any metatable, holes of an array are read through __index.
  same(cjson.encode(setmetatable({ 1, nil, 3 }, { __index = function() return "hole" end })), '[1,"hole",3]')
  same(cjson.encode(setmetatable({ 1, nil, 3 }, { __index = { 7, 8 } })), "[1,8,3]")
  same(cjson.encode(setmetatable({ a = 1 }, { __index = { b = 2 } })), '{"a":1}', "members of objects come from next")
  same(cjson.encode(setmetatable({}, { __index = { 1 } })), "{}")
  -- No other metamethods are used.
  local function wrong() error "called" end
  same(cjson.encode(setmetatable({ a = 1 }, { __pairs = wrong, __tojson = wrong, __jsontype = "array" })), '{"a":1}')
end

function TestCjson:test_encode_hook_errors()
  local thrown = {}
  local function bad(e) return setmetatable({}, { __len = function() error(e, 0) end }) end
  T.raises("as it is", cjson.encode, { bad "as it is" })
  T.raises(thrown, cjson.encode, { bad(thrown) })
  T.returns({ n = 2, nil, "as it is" }, safe.encode, { bad "as it is" })
  T.fails(thrown, safe.encode, { bad(thrown) })
  same(safe.encode { 1 }, "[1]")
end

-- In lua-cjson, both calls write to the same buffer.
function TestCjson:test_encode_inside_encode()
  local inner = setmetatable({},
    { __len = function() return 1 end, __index = function() return cjson.encode { "inner" } end })
  same(cjson.encode { "before", inner, "after" }, '["before",["[\\"inner\\"]"],"after"]')
end

function TestCjson:test_encode_indent()
  local m = new { encode_indent = "  " }
  same(m.encode { 1, { a = "b" }, {}, cjson.empty_array }, '[\n  1,\n  {\n    "a": "b"\n  },\n  {},\n  []\n]')
  same(m.encode "x", '"x"')
  m.encode_indent ">"
  same(m.encode { { 1 } }, "[\n>[\n>>1\n>]\n]")
  m.encode_indent ""
  same(m.encode { { 1 } }, "[[1]]")
end

-- Not in lua-cjson.
function TestCjson:test_encode_sort_keys()
  local sorted, plain = new { encode_sort_keys = true }, new {}
  same(plain.encode_sort_keys(), false)
  same(sorted.encode_sort_keys(), true)
  local value = { b = { d = 1, c = { 2 } }, a = 1, [10] = 2, aa = cjson.null, B = true }
  local text = '{"10":2,"B":true,"a":1,"aa":null,"b":{"c":[2],"d":1}}'
  same(sorted.encode(value), text)
  same(sorted.encode_sort_keys "off", false)
  same(#sorted.encode(value), #text)
  T.raises_ending("(invalid option 'yes')", sorted.encode_sort_keys, "yes")
end

function TestCjson:test_argument_count()
  for _, m in ipairs { cjson, safe } do
    for _, name in ipairs { "encode", "decode" } do
      for _, arguments in ipairs { {}, { "1", "2" } } do
        local message = T.error_of(m[name], T.unpack(arguments))
        T.contains(message, "bad argument #1 to '")
        T.ends(message, "(expected 1 argument)")
      end
    end
  end
end

-- ---- decode ------------------------------------------------------------------------------------------------

function TestCjson:test_decode_values()
  lu.assertEquals(cjson.decode ' { "a" : [ 1 , -2.5e1 , "x\\n\\u00e9" , true , false ] } ',
    { a = { 1, -25.0, "x\n\195\169", true, false } })
  same(cjson.decode "null", cjson.null)
  same(cjson.decode "[null]"[1], cjson.null)
  same(cjson.decode(12), 12, "numbers are texts too")
  same(getmetatable(cjson.decode "{}"), nil)
  same(getmetatable(cjson.decode "[]"), nil)
  same(cjson.encode(cjson.decode "[]"), "{}")
  same(cjson.decode '{"a":1,"a":2}'.a, 2)
  same(cjson.decode '{"1":2}'["1"], 2)
  same(cjson.decode '"\1\t\255\\u0000"', "\1\t\255\0", "strings may hold any bytes but 0")
  same(1 / cjson.decode "-0", -1 / 0)
  if T.integers then
    same(cjson.decode "10", 10)
    same(cjson.decode "10.0", 10.0)
    same(cjson.decode "9223372036854775807", math.maxinteger)
    same(cjson.decode "9223372036854775808", 2.0 ^ 63, "lua-cjson: 9223372036854775807")
  end
  same(cjson.decode "1e999", 1 / 0)
end

function TestCjson:test_decode_array_with_array_mt()
  local m = new { decode_array_with_array_mt = true }
  local t = m.decode '{"a":[],"b":[1,[2]],"c":{}}'
  same(getmetatable(t.a), cjson.array_mt)
  same(getmetatable(t.b[2]), cjson.array_mt)
  same(getmetatable(t.c), nil)
  same(getmetatable(t), nil)
  same(m.encode(t.a), "[]")
  same(getmetatable(m.new().decode "[]"), nil)
end

function TestCjson:test_decode_odd_numbers()
  local strict = new { decode_invalid_numbers = false }
  T.each_pair({
    ["0x10"] = 16.0,
    ["-0x6.ffp1"] = -13.9921875,
    ["0X1p-1"] = 0.5,
    ["007"] = 7,
    ["-00.5"] = -0.5,
    ["+1"] = 1,
    ["inf"] = 1 / 0,
    ["-InFinity"] = -1 / 0,
    ["+INF"] = 1 / 0,
  }, function(text, value)
    same(cjson.decode(text), value, text)
    same(cjson.decode("[" .. text .. " ]")[1], value, text)
    local first = text:match "^[+iI]" and "token" or "number"
    T.raises("Expected value but found invalid " .. first .. " at character 1", strict.decode, text)
    T.raises("Expected value but found invalid " .. first .. " at character 6", strict.decode, '{"a":' .. text .. "}")
  end)
  T.each_pair({
    ["1."] = 1.0,
    ["-.5"] = -0.5,
    ["1.e2"] = 100.0,
  }, function(text, value)
    same(cjson.decode(text), value)
    same(strict.decode(text), value)
  end)
  for _, text in ipairs { "nan", "-NaN", "+nan" } do
    local v = cjson.decode(text)
    same(v ~= v, true)
  end
end

function TestCjson:test_decode_errors()
  T.each_pair({
    [""] = "Expected value but found T_END at character 1",
    ["  "] = "Expected value but found T_END at character 3",
    ['{ "unexpected eof": '] = "Expected value but found T_END at character 21",
    ['{ "extra data": true }, false'] = "Expected the end but found T_COMMA at character 23",
    [ [[ { "bad escape \q code" } ]] ] = "Expected object key string but found invalid escape code at character 16",
    [ [[ { "bad unicode \u0f6 escape" } ]] ] =
      "Expected object key string but found invalid unicode escape code at character 17",
    [' [ "bad barewood", test ] '] = "Expected value but found invalid token at character 20",
    ["[ -+12 ]"] = "Expected value but found invalid number at character 3",
    ["-v"] = "Expected value but found invalid number at character 1",
    ["[ 0.4eg10 ]"] = "Expected comma or array end but found invalid token at character 6",
    ["Infrared"] = "Expected the end but found invalid token at character 4",
    ["Noodle"] = "Expected value but found invalid token at character 1",
    ['["\\ud800"]'] = "Expected value but found invalid unicode escape code at character 3",
    ['["abc'] = "Expected value but found unexpected end of string at character 6",
    ['{"a"'] = "Expected colon but found T_END at character 5",
    ['{"a":1'] = "Expected comma or object end but found T_END at character 7",
    ['{"a":1 2'] = "Expected comma or object end but found T_INTEGER at character 8",
    ['{"a":1 2.5'] = "Expected comma or object end but found T_NUMBER at character 8",
    ["{1:2}"] = "Expected object key string but found T_INTEGER at character 2",
    ['{"a":1,}'] = "Expected object key string but found T_OBJ_END at character 8",
    ["[1,]"] = "Expected value but found T_ARR_END at character 4",
    ["[1}"] = "Expected comma or array end but found T_OBJ_END at character 3",
    ['["a":1]'] = "Expected comma or array end but found T_COLON at character 5",
    ["[1 true]"] = "Expected comma or array end but found T_BOOLEAN at character 4",
    ["[1 null"] = "Expected comma or array end but found T_NULL at character 4",
    ['[1 "x"'] = "Expected comma or array end but found T_STRING at character 4",
    ['[1 "x'] = "Expected comma or array end but found unexpected end of string at character 6",
    ["1 {"] = "Expected the end but found T_OBJ_BEGIN at character 3",
    ["1["] = "Expected the end but found T_ARR_BEGIN at character 2",
    ["//"] = "Expected value but found invalid token at character 1",
    ["\239\187\191[]"] = "Expected value but found invalid token at character 1",
  }, function(text, message)
    T.raises(message, cjson.decode, text)
    T.returns({ n = 2, nil, message }, safe.decode, text)
  end)
  local ok, message = pcall(function() return (cjson.decode "x") end)
  same(ok, false)
  lu.assertStrMatches(message, "^.*test_cjson.lua:%d+: Expected value but found invalid token at character 1$")
end

function TestCjson:test_decode_depth()
  local m = new { decode_max_depth = 5 }
  lu.assertEquals(m.decode "[[[[[1]]]]]", { { { { { 1 } } } } })
  T.raises("Found too many nested data structures (6) at character 6", m.decode, "[[[[[[1]]]]]]")
  T.raises("Found too many nested data structures (6) at character 26", m.decode,
    '{"a":{"b":{"c":{"d":{"e":{"f":"nested"}}}}}}')
  T.raises("Found too many nested data structures (1001) at character 1001", cjson.decode, ("["):rep(1100))
  T.raises("Expected value but found T_END at character 300001", new { decode_max_depth = 2147483647 }.decode,
    ("["):rep(300000))
end

-- A zero byte ends a text, but as one of the first two bytes it means another encoding.
function TestCjson:test_decode_zero_bytes()
  for _, text in ipairs { '\0"\0', '"\0"\0', '\0\0\0"', "\0\0", "1\0" } do
    T.raises("JSON parser does not support UTF-16 or UTF-32", cjson.decode, text)
  end
  T.raises("Expected value but found T_END at character 1", cjson.decode, "\0")
  same(cjson.decode "12\0 anything", 12)
  lu.assertEquals(cjson.decode "[1]\0]", { 1 })
  T.raises("Expected value but found unexpected end of string at character 3", cjson.decode, '"a\0b"')
  T.raises("Expected comma or array end but found T_END at character 3", cjson.decode, "[1\0]")
  same(new { decode_allow_comment = true }.decode "12//\0", 12)
end

function TestCjson:test_decode_comments()
  local m = new { decode_allow_comment = true }
  for _, text in ipairs { "{//c\n}", "{/* \n */}", "/*1*///2\n{}", "{}//", "{} /**/ // \r\n" } do
    lu.assertEquals(m.decode(text), {})
  end
  same(m.decode '{"a" /* c */: /* d */ 1}'.a, 1)
  same(m.decode '"// /* */"', "// /* */")
  T.raises("Expected object key string but found unclosed multi-line comment at character 6", m.decode, "{/* *")
  T.raises("Expected value but found T_END at character 6", m.decode, "//\r12")
  T.raises("Expected value but found invalid token at character 1", m.decode, "/ /")
end

function TestCjson:test_decode_wrong_arguments()
  for _, wrong in ipairs { {}, true, print } do
    local message = T.error_of(cjson.decode, wrong)
    T.contains(message, "bad argument #1 to '")
    T.ends(message, "(string expected, got " .. type(wrong) .. ")")
    for _, m in ipairs { safe, new({ decode_array_with_array_mt = true }, safe) } do
      local result, text = m.decode(wrong)
      same(result, nil)
      T.ends(text, "(string expected, got " .. type(wrong) .. ")")
    end
  end
end

function TestCjson:test_safe()
  same(safe.encode { 1 }, "[1]")
  T.returns({ n = 2, nil, "Cannot serialise function: type not supported" }, safe.encode, print)
  T.returns({ n = 2, nil, "Expected value but found invalid token at character 1" }, safe.decode, "Oops")
  T.returns({ n = 2, nil, "Expected value but found invalid token at character 1" }, safe.new().decode, "Oops")
end

function TestCjson:test_compat_files()
  for name, module in pairs { ["compat/cjson.lua"] = cjson, ["compat/cjson/safe.lua"] = safe } do
    local load = loadfile(name)
    if not load then lu.skip("no checkout: " .. name .. " is not here; run from the top of the repository") end
    local m = load()
    same(m.encode { "/" }, '["\\/"]')
    same(m.array_mt, module.array_mt)
    same(pcall(m.decode, "x"), module == safe)
  end
end

-- Round trips of all sizes while the collector is busy.
function TestCjson:test_busy_collector()
  T.with_busy_collector(300, 3, function(round)
    local t = {}
    for i = 1, round % 60 do t[i] = { id = i, name = "n/" .. i, list = { i, i + 0.5, cjson.null } } end
    local text = cjson.encode { list = t }
    local back = cjson.decode(text)
    same(#back.list, #t)
    same(#cjson.encode(back), #text)
    safe.decode(text:sub(1, round))
  end)
end
