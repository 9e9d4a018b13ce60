-- SPDX-License-Identifier: MIT
-- test_rapidjson.lua -- fleece.rapidjson: lua-rapidjson's documented results, its error messages and offsets, and the
-- differences on purpose. Expected results come from API.md of lua-rapidjson, RapidJSON's list of errors (error/en.h),
-- RFC 6901 for pointers, and from running lua-rapidjson 0.7.2; see docs/rapidjson.md.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same
local json = require "fleece.rapidjson"

TestRapidjson = {}

local J = T.library(json)

-- The message without the name of the function, which depends on the version of Lua.
local function nameless(message) return (message:gsub("to '[^']*' ", "to a function ")) end
local function raises_nameless(expected, f, ...) same(nameless(T.error_of(f, ...)), nameless(expected)) end

function TestRapidjson:test_module()
  same(json._NAME, "rapidjson")
  same(json._VERSION, "0.7.2")
  same(json.null, fleece.null)
  same(json.encode(json.null), "null")
  same(type(json.null), "userdata")
  for _, name in ipairs { "decode", "encode", "load", "dump", "object", "array", "Document", "SchemaDocument",
    "SchemaValidator" } do
    same(type(json[name]), "function", name)
  end
end

-- ---- encode ------------------------------------------------------------------------------------------------

function TestRapidjson:test_numbers()
  J.encodes({ 3.0, -0.0, -1, 2.0 ^ 53, 1e15 }, "[3,0,-1,9007199254740992,1000000000000000]")
  -- lua-rapidjson writes -9223372036854775808 for both.
  J.encodes({ -2.0 ^ 63, 2.0 ^ 63 }, "[-9223372036854775808,9223372036854776000.0]")
  J.encodes({ 1e20, 1e21, 1e22, 1e100 }, "[100000000000000000000.0,1e21,1e22,1e100]")
  J.encodes({ 123456789012345678901.0, 2.0 ^ 62 }, "[123456789012345680000.0,4611686018427387904]")
  J.encodes({ 1e-5, 1e-6, 1.5e-6, 1e-7, 1.5e-7, 5e-324 }, "[0.00001,0.000001,0.0000015,1e-7,1.5e-7,5e-324]")
  J.encodes({ 0.1, 1 / 3, -1.5e300, 1.7976931348623157e308 },
    "[0.1,0.3333333333333333,-1.5e300,1.7976931348623157e308]")
  if T.integers then J.encodes({ math.maxinteger, math.mininteger }, "[9223372036854775807,-9223372036854775808]") end
  for _, n in ipairs { 0 / 0, 1 / 0, -1 / 0 } do
    T.raises("error while encode double value.", json.encode, n)
    T.raises("error while encode double value.", json.encode, { n })
  end
end

function TestRapidjson:test_random_numbers()
  T.random_rounds(3000, function()
    local n = T.random_double()
    local s = json.encode { n }
    lu.assertNil(s:find "[+]")
    if json.decode(s)[1] ~= n then lu.fail(s) end
  end)
end

function TestRapidjson:test_strings()
  J.encodes("\0\31\11\14\15\26\b\t\n\f\r\"\\/\127", [["\u0000\u001F\u000B\u000E\u000F\u001A\b\t\n\f\r\"\\/]] .. '\127"')
  J.encodes("\255\226\128\168", '"\255\226\128\168"')
  -- around the sizes of vector blocks and of pieces
  for _, n in ipairs { 0, 1, 31, 32, 33, 63, 64, 65, 8191, 8192, 9000 } do
    local s = ("x"):rep(n)
    J.encodes(s .. "\31", '"' .. s .. '\\u001F"')
    -- A backslash in the value is not an escape.
    J.encodes({ ["\11" .. s] = s .. "\\u001f" }, '{"\\u000B' .. s .. '":"' .. s .. '\\\\u001f"}')
  end
end

function TestRapidjson:test_arrays_and_objects()
  J.encodes({}, "{}")
  J.encodes({}, "[]", { empty_table_as_array = true })
  J.encodes(json.object {}, "{}", { empty_table_as_array = true })
  J.encodes(json.array(), "[]")
  J.encodes({ 1, 2, 3, name = "is left out" }, "[1,2,3]")
  J.encodes({ a = 1, 2 }, "[2]")
  J.encodes({ a = 1, [0] = 2, [-1] = 3, [1.5] = 4, [true] = 5, [7] = 6 }, '{"a":1}')
  J.encodes({ [2] = 1 }, "{}")
  J.encodes({ [0] = 1 }, "{}", { empty_table_as_array = true }) -- it is not empty
  J.encodes(json.object { 1, 2 }, "{}")
  J.encodes(json.object { 1, 2, a = 1 }, '{"a":1}')
  J.encodes(json.array { a = 1 }, "[]")
  local hashed = {}
  hashed.a = 1
  for i = 3, 1, -1 do hashed[i] = i end -- the items are in the hash part
  J.encodes(hashed, "[1,2,3]")
  local holes = { 1, nil, 3 }
  J.encodes(holes, #holes == 3 and "[1,null,3]" or "[1]")
  J.encodes({ { { b = { 1, {} } } }, true }, '[[{"b":[1,{}]}],true]')
end

function TestRapidjson:test_metatables()
  local function with(field, t) return setmetatable(t or { 1, a = 2 }, { __jsontype = field }) end
  J.encodes(with "array", "[1]")
  J.encodes(with "object", '{"a":2}')
  J.encodes(with "other", '{"a":2}')
  J.encodes(with(5), '{"a":2}') -- a number counts as a string (lua_isstring)
  J.encodes(with(true), "[1]")
  J.encodes(setmetatable({ 1, a = 2 }, { __index = { __jsontype = "object" } }), "[1]")
  J.encodes(setmetatable({ 1, a = 2 }, setmetatable({}, { __index = { __jsontype = "object" } })), '{"a":2}')
  J.encodes(setmetatable({ 1, a = 2 }, setmetatable({}, { __index = function() return "object" end })), '{"a":2}')
  T.raises("raised", json.encode, setmetatable({}, setmetatable({}, { __index = function() error("raised", 0) end })))
  -- metamethods are not called
  J.encodes(setmetatable({ 1 }, { __tojson = error, __len = error, __pairs = error, __jsonorder = { "x" } }), "[1]")
end

function TestRapidjson:test_options()
  J.encodes({ a = { 1, {}, json.array() } }, '{\n    "a": [\n        1,\n        {},\n        []\n    ]\n}',
    { pretty = true })
  J.encodes({ [0] = 1 }, "{}", { pretty = true })
  J.encodes({ b = 5, a = 3, B = 2, A = 1, ab = 4, [9] = 9 }, '{"A":1,"B":2,"a":3,"ab":4,"b":5}', { sort_keys = true })
  J.encodes({ b = 2, a = 1 }, '{\n    "a": 1,\n    "b": 2\n}', { sort_keys = true, pretty = 0 }) -- 0 is true
  J.encodes({ {} }, "[[]]", { max_depth = "2", empty_table_as_array = true, unknown = 1, pretty = false })
  J.encodes({}, "{}", nil)
  J.encodes(1, "1", { max_depth = 0 })
  raises_nameless("bad argument #2 to 'encode' (table expected, got number)", json.encode, {}, 1)
end

function TestRapidjson:test_encode_errors()
  for _, v in ipairs { print, coroutine.create(function() end) } do
    T.raises("unsupported value type : " .. type(v), json.encode, v)
    T.raises("unsupported value type : " .. type(v), json.encode, { a = v })
  end
  T.raises("unsupported value type : userdata", json.encode, { io.stdout })
  T.raises("unsupported value type : no value", json.encode)
  J.encodes(nil, "null")
  if T.jit then T.raises("unsupported value type : cdata", json.encode, { (require "ffi").new("int64_t", 1) }) end
  local deep = {}
  for _ = 1, 127 do deep = { deep } end
  same(#json.encode(deep), 256)
  T.raises("nested too depth", json.encode, { deep })
  T.raises("nested too depth", json.encode, { {} }, { max_depth = 1 })
  T.raises("nested too depth", json.encode, {}, { max_depth = -1 })
  local cycle = {}
  cycle[1] = cycle
  T.raises("nested too depth", json.encode, cycle)
  T.raises("nested too depth", json.encode, cycle, { max_depth = 10000000 })
end

function TestRapidjson:test_object_and_array()
  local t = {}
  same(json.array(t), t)
  same(getmetatable(t), getmetatable(json.decode "[]"))
  same(getmetatable(t).__jsontype, "array")
  same(getmetatable(json.object()), getmetatable(json.decode "{}"))
  same(json.object(t), t) -- in lua-rapidjson, from here on every array would be an object
  same(json.encode { t, json.array() }, "[{},[]]")
  local luajson, cjson = require "fleece.luajson", require "fleece.cjson"
  for _, shared in ipairs { fleece.array {}, fleece.object {}, luajson.util.InitArray {},
    setmetatable({}, cjson.array_mt), setmetatable({}, cjson.empty_array_mt) } do
    local other, kind = setmetatable({}, getmetatable(shared)), getmetatable(shared).__jsontype
    for _, mark in ipairs { "array", "object" } do
      json[mark](shared)
      same(getmetatable(shared), getmetatable(json[mark]()))
      setmetatable(shared, getmetatable(other))
    end
    same(getmetatable(other).__jsontype, kind)
  end
  local own = setmetatable({}, {})
  same(json.array(own), own)
  same(getmetatable(own).__jsontype, "array")
  for _, name in ipairs { "array", "object" } do
    for _, v in ipairs { 1, "x", true, print } do
      raises_nameless("bad argument #1 to '" .. name .. "' (optional table excepted)", json[name], v)
    end
  end
end

-- ---- decode ------------------------------------------------------------------------------------------------

function TestRapidjson:test_decode()
  local t = json.decode ' {"a": [1, 2.5, null, true, false, "\\u00e9\\n"], "a": {"b": []}} '
  same(t.a.b[1], nil)
  same(getmetatable(t).__jsontype, "object")
  same(getmetatable(t.a).__jsontype, "object")
  same(getmetatable(t.a.b).__jsontype, "array")
  same(json.encode(t), '{"a":{"b":[]}}')
  same(json.decode "null", json.null)
  same(json.decode "[null]"[1], json.null)
  same(json.decode "9007199254740991", 9007199254740991)
  same(json.decode "1.0", 1.0)
  same(json.decode "9223372036854775808", 2.0 ^ 63)
  same(json.decode "123456789012345678901234567890", 123456789012345678901234567890.0)
  same(json.decode "0e400", 0.0)
  same(1 / json.decode "-0.0", -1 / 0)
  same(json.decode '"\255"', "\255")
  same(json.decode '"\\udc00"', "\237\176\128")
  same(json.decode '"\\ud83d\\ude00"', "\240\159\152\128")
  local deep = ("["):rep(20000) .. ("]"):rep(20000) -- lua-rapidjson overflows the stack
  local value, levels = json.decode(deep), 0
  while value do value, levels = value[1], levels + 1 end
  same(levels, 20000)
end

function TestRapidjson:test_decode_errors()
  T.each_pair({
    [""] = "The document is empty. (0)",
    [" "] = "The document is empty. (1)",
    ["1 2"] = "The document root must not be followed by other values. (2)",
    -- in lua-rapidjson, a zero byte ends the text
    ["[1]\0"] = "The document root must not be followed by other values. (3)",
    ["nul"] = "Invalid value. (3)",
    ["trux"] = "Invalid value. (3)",
    ["[-]"] = "Invalid value. (2)",
    ["[1,]"] = "Invalid value. (3)",
    ["\239\187\1911"] = "Invalid value. (0)",
    ["{"] = "Missing a name for object member. (1)",
    ['{"a":1,}'] = "Missing a name for object member. (7)",
    ['{"a" 1}'] = "Missing a colon after a name of object member. (5)",
    ['{"a":1 "b"'] = "Missing a comma or '}' after an object member. (7)",
    ["[1 2]"] = "Missing a comma or ']' after an array element. (3)",
    ['"\\u00g0"'] = "Incorrect hex digit after \\u escape in string. (1)",
    ['"\\ud800\\uzz'] = "Incorrect hex digit after \\u escape in string. (1)",
    ['"\\ud800"'] = "The surrogate pair in string is invalid. (1)",
    ['"\\ud800\\u0041"'] = "The surrogate pair in string is invalid. (1)",
    ['"a\\x"'] = "Invalid escape character in string. (2)",
    ['"a'] = "Missing a closing quotation mark in string. (2)",
    ['"a\0"'] = "Missing a closing quotation mark in string. (2)",
    ['"\1"'] = "Invalid encoding in string. (1)",
    ["[1e400]"] = "Number too big to be stored in double. (1)",
    ["-1e309"] = "Number too big to be stored in double. (0)",
    ["1."] = "Miss fraction part in number. (2)",
    ["1.e5"] = "Miss fraction part in number. (2)",
    ["1e+"] = "Miss exponent in number. (3)",
    ["01"] = "The document root must not be followed by other values. (1)",
    [("[1,"):rep(5000) .. "x"] = "Invalid value. (15000)",
  }, function(s, message)
    T.fails(message, json.decode, s)
  end)
end

function TestRapidjson:test_decode_arguments()
  local required = "required string or lightuserdata (points to a memory of a string)"
  for _, v in ipairs { 1, true, {}, print } do
    raises_nameless("bad argument #1 to 'decode' (" .. required .. ")", json.decode, v)
  end
  raises_nameless("bad argument #1 to 'decode' (" .. required .. ")", json.decode)
  raises_nameless("bad argument #2 to 'decode' (number expected, got no value)", json.decode, json.null)
  raises_nameless("bad argument #1 to 'decode' (memory expected, got NULL)", json.decode, json.null, 5)
  raises_nameless("bad argument #2 to 'decode' (length of a memory expected)", json.decode, json.null, -1)
  same(select(2, json.decode(json.null, 0)), "The document is empty. (0)")
  same(json.decode("[]", { null = 1 }) ~= nil, true) -- further arguments are ignored
end

-- ---- files -------------------------------------------------------------------------------------------------

-- Code units to bytes of UTF-16 or UTF-32.
local function wide(units, size, big)
  local s = {}
  for _, unit in ipairs(units) do
    local bytes = {}
    for i = 1, size do bytes[big and size + 1 - i or i] = string.char(math.floor(unit / 256 ^ (i - 1)) % 256) end
    s[#s + 1] = table.concat(bytes)
  end
  return table.concat(s)
end

function TestRapidjson:test_load_and_dump()
  local path = os.tmpname()
  same(select("#", json.dump({ a = { 1, 2 } }, path)), 0)
  same(T.read_file(path), '{"a":[1,2]}')
  same(json.encode(json.load(path)), '{"a":[1,2]}')
  json.dump({ b = 1, a = {} }, path, { pretty = true, sort_keys = true, empty_table_as_array = true })
  same(T.read_file(path), '{\n    "a": [],\n    "b": 1\n}')
  T.raises("unsupported value type : function", json.dump, { print }, path)
  same(T.read_file(path), '{\n    "a": [],\n    "b": 1\n}') -- lua-rapidjson leaves an incomplete text
  T.write_file(path, "[1,")
  same(select(2, json.load(path)), "Invalid value. (3)")
  T.write_file(path, "")
  same(select(2, json.load(path)), "The document is empty. (0)")
  T.write_file(path, '\239\187\191["\195\169"]')
  same(json.load(path)[1], "\195\169")
  T.each({
    { size = 2, big = true },
    { size = 2, big = false },
    { size = 4, big = true },
    { size = 4, big = false },
  }, function(form)
    local units = form.size == 2 and { 0x5b, 0x22, 0xe9, 0x4e16, 0xd83d, 0xde00, 0x22, 0x5d } or
      { 0x5b, 0x22, 0xe9, 0x4e16, 0x1f600, 0x22, 0x5d }
    for mark = 0, 1 do
      T.write_file(path, (mark == 1 and wide({ 0xfeff }, form.size, form.big) or "") ..
        wide(units, form.size, form.big))
      same(json.load(path)[1], "\195\169\228\184\150\240\159\152\128", "units of " .. form.size)
    end
  end)
  T.write_file(path, wide({ 0xfeff, 0x22, 0xd83d, 0x22 }, 2, true) .. "\0") -- half a pair, half a unit
  same(select(2, json.load(path)), "The document root must not be followed by other values. (5)")
  os.remove(path)
  T.raises("error while open file: /nonexistent/file", json.load, "/nonexistent/file")
  T.raises("error while open file: /nonexistent/file", json.dump, {}, "/nonexistent/file")
  raises_nameless("bad argument #2 to 'dump' (string expected, got nil)", json.dump, {}, nil, {})
  raises_nameless("bad argument #3 to 'dump' (table expected, got number)", json.dump, {}, path, 1)
end

-- ---- documents ---------------------------------------------------------------------------------------------

function TestRapidjson:test_document()
  same(tostring(json.Document()):match "^rapidjson.Document %(.+%)$" ~= nil, true)
  same(json.Document():stringify(), "null")
  same(json.Document("[1,"):stringify(), "null")
  -- keeps the order and duplicate names
  same(json.Document('\239\187\191{"b":1,"a":[],"b":2}'):stringify(), '{"b":1,"a":[],"b":2}')
  same(json.Document({ a = { 1, 2.5, json.null } }):stringify(), '{"a":[1,2.5,null]}')
  local d = json.Document '{"a":[1,{"b":1.0,"c":-0.0}],"big":18446744073709551615,"s":"\\u001f\\/"}'
  same(d:stringify(), '{"a":[1,{"b":1.0,"c":-0.0}],"big":18446744073709551615,"s":"\\u001F/"}')
  same(d:stringify { pretty = true }, json.Document(d:stringify { pretty = true }):stringify { pretty = true })
  same(json.Document '[1e20,1e21,1e-7,1.5,9007199254740993.0]':stringify(),
    "[100000000000000000000.0,1e21,1e-7,1.5,9007199254740992.0]")
  same(json.Document '{"a":{},"b":[]}':stringify { pretty = true }, '{\n    "a": {},\n    "b": []\n}')
  same(d:get "/big", 2.0 ^ 64)
  same(d:parse "[true]", true)
  same(d:stringify(), "[true]")
  T.fails("Invalid value. (at Offset 4)", d.parse, d, "[tru]")
  same(d:stringify(), "[true]")
  raises_nameless("bad argument #1 to 'Document' (none, string or table expected, got nil)", json.Document, nil)
  raises_nameless("bad argument #1 to 'Document' (none, string or table expected, got number)", json.Document, 1)
  T.raises("value type function is not a valid json value", json.Document, { print })
  T.raises_with("rapidjson.Document expected, got table", d.get, {}, "")
end

-- The examples of RFC 6901, sections 5 and 6.
function TestRapidjson:test_pointers()
  local d = json.Document [[
    { "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8 }
  ]]
  same(json.encode(d:get ""), json.encode(json.decode(d:stringify())))
  same(json.encode(d:get "/foo"), '["bar","baz"]')
  same(getmetatable(d:get "/foo"), getmetatable(json.array()))
  T.each_pair({
    ["/foo/0"] = "bar",
    ["/"] = 0,
    ["/a~1b"] = 1,
    ["/c%d"] = 2,
    ["/e^f"] = 3,
    ["/g|h"] = 4,
    ["/i\\j"] = 5,
    ["/k\"l"] = 6,
    ["/ "] = 7,
    ["/m~0n"] = 8,
    ["#/foo/0"] = "bar",
    ["#/"] = 0,
    ["#/a~1b"] = 1,
    ["#/c%25d"] = 2,
    ["#/e%5Ef"] = 3,
    ["#/g%7Ch"] = 4,
    ["#/i%5Cj"] = 5,
    ["#/k%22l"] = 6,
    ["#/%20"] = 7,
    ["#/m~0n"] = 8,
    ["#/m%7E0n"] = 8,
  }, function(pointer, value)
    same(d:get(pointer), value, pointer)
  end)
  for _, pointer in ipairs { "/none", "/foo/2", "/foo/-", "/foo/00", "/foo/x", "/foo/0/x", "//x", "/foo/4294967296",
    "/foo/99999999999999999999" } do
    same(d:get(pointer), nil, pointer)
    same(d:get(pointer, "default"), "default", pointer)
  end
  -- In lua-rapidjson these stand for the whole document.
  for _, pointer in ipairs { "foo", "/~", "/~2", "#foo", "#/ ", "#/%2", "#/%zz", "#/%ff", "#/%c3/%a9" } do
    T.raises_with("JSON Pointer expected", d.get, d, pointer)
    T.raises_with("JSON Pointer expected", d.set, d, pointer, 1)
  end
end

function TestRapidjson:test_set()
  local d = json.Document()
  local function set(pointer, value, expected)
    same(select("#", d:set(pointer, value)), 0)
    same(d:stringify(), expected)
  end
  set("/a", 1, '{"a":1}')
  set("/b/c/d", true, '{"a":1,"b":{"c":{"d":true}}}')
  set("/a", { 1, 2 }, '{"a":[1,2],"b":{"c":{"d":true}}}')
  set("/a/-", "end", '{"a":[1,2,"end"],"b":{"c":{"d":true}}}')
  set("/a/5", nil, '{"a":[1,2,"end",null,null,null],"b":{"c":{"d":true}}}')
  set("/b", json.null, '{"a":[1,2,"end",null,null,null],"b":null}')
  set("/b/1/x", 1.5, '{"a":[1,2,"end",null,null,null],"b":[null,{"x":1.5}]}') -- null becomes an array
  set("/a/name", 0, '{"a":{"name":0},"b":[null,{"x":1.5}]}') -- an array becomes an object
  set("/a/0", 0, '{"a":{"name":0,"0":0},"b":[null,{"x":1.5}]}') -- an object has members with any name
  set("/-", "\31", '{"a":{"name":0,"0":0},"b":[null,{"x":1.5}],"-":"\\u001F"}')
  set("", { "root" }, '["root"]')
  set("#/a%2Fb~1c", 1, '{"a/b/c":1}')
  T.raises("value type function is not a valid json value", d.set, d, "/x", print)
  T.raises("value type no value is not a valid json value", d.set, d, "/x")
  raises_nameless("bad argument #2 to 'set' (string expected, got table)", d.set, d, {})
  T.raises("error while encode double value.", d.set, d, "/x", 0 / 0)
  T.raises_with("the array would be too long", d.set, d, "/x/1000000000", 1)
  same(d:stringify(), '{"a/b/c":1}') -- unchanged
  local deep = {}
  for _ = 1, 1023 do deep = { deep } end
  d:set("", deep)
  T.raises("nested too depth", d.set, d, "", { deep })
end

-- A number beyond the range of doubles has its own error; it is not reported as lack of memory.
function TestRapidjson:test_numbers_too_big()
  local message = "Number too big to be stored in double."
  T.raises_ending(message, json.Document, { fleece.raw "1e999" })
  T.raises_ending(message, json.SchemaDocument, { maximum = fleece.raw "1e400" })
  local d = json.Document '{"a":1}'
  T.raises_ending(message, d.set, d, "/b", fleece.raw "-1e400")
  same(d:stringify(), '{"a":1}')
end

function TestRapidjson:test_get_and_set_copy()
  local d, t = json.Document '{"a":[1]}', { 1 }
  d:get "/a"[1] = 2
  d:set("/b", t)
  t[1] = 3
  same(d:stringify(), '{"a":[1],"b":[1]}')
end

-- After many changes, the text is that of a Lua table with the same changes, and memory does not grow.
function TestRapidjson:test_many_sets()
  local d, t = json.Document "[]", {}
  for i = 0, 999 do
    d:set("/-", i)
    t[i + 1] = i
  end
  same(d:stringify(), json.encode(t))
  local s = ("x"):rep(10000)
  collectgarbage()
  local before = collectgarbage "count"
  for i = 1, 10000 do
    d:set("/" .. T.random(0, 999), s)
    if i % 500 == 0 then d:set(("/%d"):format(i / 500), { list = { i } }) end
  end
  for i = 0, 999 do d:set("/" .. i, i) end
  same(d:stringify(), json.encode(t))
  for _ = 1, 20 do d:set("/0", s) end
  collectgarbage()
  collectgarbage()
  if collectgarbage "count" - before > 60000 then
    lu.fail("100 MB were set, " .. collectgarbage "count" - before .. " KB stay")
  end
end

-- A value is the same whether its pointer is the first one or the hundredth, in short texts and long ones: of members
-- with one name the first counts, escapes in names have a meaning, and pointers may be long.
function TestRapidjson:test_repeated_gets()
  local text = '{"a":{"n":1,"b\\u0022":[10,{"c":"\\n"},[[7]]],"n":2},"z":{"y":{"x":{"w":{"v":{"u":{"t":{"s":{"r":3}}}}}}}}%s}'
  for _, more in ipairs { "", ',"k":"' .. ("x"):rep(3000) .. '"' } do
    local d = json.Document(text:format(more))
    for round = 1, 100 do
      same(d:get "/a/n", 1, round)
      same(d:get '/a/b"/0', 10, round)
      same(d:get '/a/b"/1/c', "\n", round)
      same(d:get '/a/b"/2/0/0', 7, round)
      same(d:get("/a/n/m", "none"), "none", round)
      same(d:get('/a/b"/3', "none"), "none", round)
      same(d:get "/z/y/x/w/v/u/t/s/r", 3, round)
      same(json.encode(d:get '/a/b"'), '[10,{"c":"\\n"},[[7]]]', round)
      if round == 50 then d:set('/a/b"/0', 10) end
    end
    d:set("/a/n", 5)
    same(json.encode(d:get "/a/n") .. d:stringify():sub(1, 30), '5{"a":{"n":5,"b\\"":[10,{"c":"\\n')
  end
  local d = json.Document("[" .. ("12345,"):rep(400) .. "[1]]") -- `get` takes no memory for good
  for i = 1, 500 do
    same(d:get("/" .. i % 400), 12345)
    same(#d:get "", 401)
  end
end

-- Appending items and members takes constant time, except for the text in the end.
function TestRapidjson:test_linear_sets()
  for _, pointer in ipairs { "/-", "/%d", "/name%d" } do
    T.linear(function(n)
      local d, start = json.Document(pointer == "/name%d" and "{}" or "[]"), os.clock()
      for i = 0, n - 1 do d:set(pointer:format(i), i) end
      local time = os.clock() - start
      local text = d:stringify()
      same(select(2, text:gsub(",", "")), n - 1)
      same(text:match "(%d+).$", tostring(n - 1))
      return time
    end, 500, 10000, 100)
  end
end

-- A finalizer changes the document while it is read and changed.
function TestRapidjson:test_finalizers()
  local d, turns = json.Document '{"a":[1,2,3]}', 0
  local function finalizer()
    if not d then return end
    turns = turns + 1
    if turns % 3 == 0 then
      d:parse('{"a":[1,2,3],"parsed":"' .. ("y"):rep(turns % 5000) .. '"}')
    else
      d:set("/a/" .. turns % 7, ("x"):rep(turns % 3000))
    end
  end
  for i = 1, 3000 do
    T.finalizer(finalizer)
    d:set("/b" .. i % 50, { i, ("z"):rep(i % 2000) })
    local v = d:get "/a"
    if type(v) ~= "table" then lu.fail(type(v)) end
    json.decode(d:stringify()).a[1] = nil -- the text is valid and has an array in /a
  end
  collectgarbage()
  lu.assertTrue(turns > 100)
  d = nil -- finalizers that run later, in another test, may find it closed
end

-- A SchemaDocument must not mix two versions of a document that a finalizer changes.
function TestRapidjson:test_finalizer_changes_a_schema()
  local document, turns
  T.with_busy_collector(1000, 100, function()
    document, turns = nil, 0
    local d = json.Document '{"type":"integer","pattern":1,"properties":{"a":{"type":"object"}}}'
    for _ = 1, 5 do d:set("/title", ("x"):rep(200)) end
    for _ = 1, 5 do
      T.finalizer(function()
        if not document or turns == 3 then return end
        turns = turns + 1
        document:set("/pattern", { ("p"):rep(100), { turns } })
        document:set("/type", { "string", "z" .. turns })
      end)
    end
    document = d
    local valid = json.SchemaValidator(json.SchemaDocument(d)):validate(json.Document '"abc"')
    if valid then lu.assertTrue(turns > 0) end
    document = nil -- as above
  end)
end

function TestRapidjson:test_document_files()
  local path, d = os.tmpname(), json.Document()
  T.write_file(path, '{"a":["x"]}')
  same(d:parseFile(path), true)
  same(d:get "/a/0", "x")
  same(select("#", d:save(path, { pretty = true })), 0)
  same(T.read_file(path), '{\n    "a": [\n        "x"\n    ]\n}')
  d:save(path)
  same(T.read_file(path), '{"a":["x"]}')
  T.write_file(path, "[")
  same(select(2, d:parseFile(path)), "Invalid value. (at Offset 1)")
  same(select(2, d:parseFile "."), "error while read file: .")
  os.remove(path)
  same(select(2, d:parseFile "/nonexistent/file"), "error while open file: /nonexistent/file")
  T.raises("error while open file: /nonexistent/file", d.save, d, "/nonexistent/file")
end
