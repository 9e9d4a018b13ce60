-- SPDX-License-Identifier: MIT
-- test_luajson.lua -- fleece.luajson: what LuaJSON 1.3.4 does, as its source and documents say, and where
-- docs/luajson.md says otherwise.

local T = require "support"
local lu = T.lu
local json = require "fleece.luajson"
local null, undefined, InitArray = json.util.null, json.util.undefined, json.util.InitArray

TestLuaJson = {}

local function text(value, expected, options) T.same(json.encode(value, options), expected) end

local function fails(message, f, ...)
  local ok, got = pcall(f, ...)
  lu.assertFalse(ok)
  lu.assertEquals(got, message)
end

local function reads(s, expected, mode) lu.assertEquals(json.decode(s, mode), expected, s) end
local function wrong(s, message, mode) fails(message, json.decode, s, mode) end

function TestLuaJson:test_module()
  lu.assertEquals(json._VERSION, "1.3.4")
  lu.assertEquals(json.encode { 1 }, "[1]")
  lu.assertEquals(json.encode.encode { 1 }, "[1]")
  lu.assertEquals(json.encode.getEncoder() { 1 }, "[1]")
  lu.assertEquals(json.decode "[1]", { 1 })
  lu.assertEquals(json.decode.decode "[1]", { 1 })
  lu.assertEquals(json.decode.getDecoder() "[1]", { 1 })
  lu.assertEquals(json.decode.getDecoder(true) "[1]", { 1 })
  lu.assertNil(json.decode.default)
  lu.assertEquals(null(), null)
  lu.assertEquals(undefined(), undefined)
end

function TestLuaJson:test_compat()
  local global = rawget(_G, "json")
  lu.assertEquals(dofile "compat/luajson/json.lua", json)
  lu.assertEquals(rawget(_G, "json"), json)
  rawset(_G, "json", global)
  for _, name in ipairs { "decode", "encode", "util" } do
    lu.assertEquals(dofile("compat/luajson/json/" .. name .. ".lua"), json[name])
  end
end

-- ---- encode ------------------------------------------------------------------------------------------------

function TestLuaJson:test_scalars()
  lu.assertEquals(json.encode(), "null")
  text(null, "null")
  text(undefined, "undefined")
  text(true, "true")
  text(0.5, "0.5")
  text(1 / 3, tostring(1 / 3))
  text(0 / 0, "NaN")
  text(1 / 0, "Infinity")
  text(-1 / 0, "-Infinity")
  text("a/b\"\\\b\f\n\r\t\1\31\127\200", '"a\\/b\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001F\127\200"')
  text("\v", '"\\u000B"') -- \v there, which is not JSON
end

function TestLuaJson:test_tables()
  text({}, "{}")
  text(InitArray {}, "[]")
  text({ 1, 2 }, "[1,2]")
  text({ a = 1 }, '{"a":1}')
  text({ n = 3 }, '{"n":3}') -- its length is 0
  text({ 1, n = 3 }, "[1,null,null]")
  text(InitArray { n = 2 }, "[null,null]")
  text({ [2.5] = 1 }, '{"2.5":1}')
  text({ [true] = 1 }, '{"true":1}')
  text({ b = InitArray { undefined, null } }, '{"b":[undefined,null]}')
  text({ a = { null } }, '{"a":[null]}')
  text(setmetatable({}, { __is_luajson_array = true }), "[]")
  text(setmetatable({ x = 1 }, { __is_luajson_array = true }), "[]")
  text(setmetatable({ 1, 2 }, { __index = { n = 1 } }), "[1]")
end

function TestLuaJson:test_encode_errors()
  fails("Recursive encoding of value", json.encode, (function() local t = {} t[1] = t return t end)())
  for value, message in pairs {
    [print] = "Failed to encode value, encoders for function deny encoding",
    [coroutine.create(function() end)] = "Failed to encode value, unhandled type: thread",
    [io.stdout] = "Failed to encode value, unhandled type: userdata",
    [{ [{}] = 1 }] = "Invalid object index type: table",
  } do T.ends(T.raises(json.encode, value), message) end
  fails("the field 'n' of an array is no number", json.encode, InitArray { 1, n = {} })
  fails("Invalid array length", json.encode, { 1, n = 2 ^ 40 })
end

function TestLuaJson:test_encode_options()
  local strict = json.encode.strict
  text({ 1 }, "[1]", strict)
  fails("Invalid arguments: expects a JSON Object or Array at the root", json.encode, 1, strict)
  fails("Invalid number: NaN not enabled", json.encode, { 0 / 0 }, strict)
  fails("Invalid number: Infinity not enabled", json.encode, { -1 / 0 }, strict)
  fails("Invalid value: Unsupported 'Undefined' parameter", json.encode, { undefined }, strict)
  text({ 0 / 0 }, "[NaN]", { number = { inf = false } })
  text({ 1 / 0 }, "[Infinity]", { number = { nan = false } })
  fails("Invalid number: NaN not enabled", json.encode, { 0 / 0 }, { number = { nan = false } })
  fails("Invalid number: Infinity not enabled", json.encode, { 1 / 0 }, { number = { inf = false } })
  local mine = {}
  text({ a = mine }, '{"a":null}', { others = { null = mine } })
  lu.assertEquals(json.encode.getEncoder { others = { null = print } } { print }, "[null]")
  text({ 1 }, "[1]", json.util.merge({}, json.encode.default))
end

-- \v is LuaJSON's, and no JSON; where \x is wanted none is.
function TestLuaJson:test_encode_strings()
  local bytes = "\1\v/\127\200"
  text(bytes, '"\\x01\\v\\/\127\200"', { strings = { xEncode = true } })
  text(bytes, '"\\u0001\\u000B\\/\127\\u00C8"', { strings = { encodeSetAppend = "\127-\255" } }) -- 127 has no escape
  text(bytes, '"\\x01\\v\\/\127\\xC8"', { strings = { encodeSetAppend = "\127-\255", xEncode = true } })
  text({ ["a/"] = "/\n\"" }, '{"a/":"/\\n""}', { strings = { encodeSet = "%c" } }) -- a set of a pattern's, whatever comes of it
  text("a\r\nz", '"a\r\\nz"', { strings = { encodeSet = "^\r" } })
  text("]", '"]"', { strings = { encodeSet = "]\n" } })
  text({ "é\n", a = nil }, '["é\\n"]', { strings = { encodeSet = json.encode.default.strings.encodeSet } })
  text(("\200"):rep(9000), '"' .. ("\\xC8"):rep(9000) .. '"', { strings = { encodeSetAppend = "\200", xEncode = true } })
  local up = { strings = { processor = function(s, n) return s:upper() .. n end } } -- gets what string.gsub returns
  text({ ab = "c/\n" }, '{"AB0":"C\\/\\N2"}', up)
  text("x", '"X0"', up)
  lu.assertEquals(json.encode.getEncoder(up) { "x" }, '["X0"]')
  text({ "x" }, '["5"]', { strings = { processor = function() return 5 end } })
  T.contains(T.raises(json.encode, "x", { strings = { processor = function() end } }), "attempt to concatenate a nil value")
  fails("raised", json.encode, "x", { strings = { processor = function() error("raised", 0) end } })
  T.contains(T.raises(json.encode, "x", { strings = { encodeSet = "" } }), "malformed pattern (missing ']')")
  T.ends(T.raises(json.encode, "x", { strings = { encodeSet = "a]b" } }), "option 'strings.encodeSet' must be one set of characters")
  T.ends(T.raises(json.encode, "x", { strings = { encodeSetAppend = {} } }), "option 'strings.encodeSetAppend' must be a string")
end

-- "Called for every value to be encoded, optionally altering. If returns nil then no value change occurs."
function TestLuaJson:test_encode_pre_process()
  local seen = {}
  local function log(value, is_key)
    seen[#seen + 1] = type(value) .. " " .. tostring(is_key)
  end
  text({ { a = 1 }, true, "s" }, '[{"a":1},true,"s"]', { preProcess = log })
  lu.assertEquals(seen, { "table false", "table false", "string true", "number false", "boolean false", "string false" })
  local function one(from, to) return { preProcess = function(v) if v == from then return to end end } end
  text({ 1, 2 }, "[[{}],2]", one(1, { {} }))
  text({ 1 }, "[null]", one(1, null))
  text({ 1 }, "[f()]", one(1, json.util.buildCall "f"))
  text(1, "false", one(1, false))
  text({ [1.5] = 2 }, '{"k":2}', one("1.5", "k"))
  text({ a = 2 }, "{7:2}", one("a", 7)) -- no JSON, but what was asked for
  text(InitArray { n = 1 }, '["nil"]', { preProcess = function(v) if v == nil then return "nil" end end })
  fails("Invalid object index type: table", json.encode, { a = 1 }, one("a", {})) -- its text there
  fails("raised", json.encode, { 1 }, { preProcess = function() error("raised", 0) end })
  local deep = 0
  lu.assertEquals(#json.encode({}, { preProcess = function() deep = deep + 1 if deep < 1000 then return InitArray { {} } end end }), 2000)
  lu.assertEquals(json.encode({ 1 }, { preProcess = function(v) if v == 1 then return json.encode { 2 } end end }), '["[2]"]')
end

function TestLuaJson:test_encode_is_array()
  local function is(answer) return { array = { isArray = function(t) if next(t) ~= nil then return answer end end } } end
  text({ a = 1, { 2 } }, "[[2]]", is(true))
  text({ 1, {} }, '{"1":1,"2":[]}', is(false)) -- the empty one is left open: all of its keys are indexes
  text({ 1, {} }, "[1,[]]", is(5))
  text({ {}, { a = 1 } }, '[[],{"a":1}]', { array = { isArray = false } })
  text(InitArray { a = 1 }, '{"a":1}', { array = { isArray = false } }) -- nobody knows the mark
  text({ {} }, "[{}]", { array = { isArray = json.util.IsArray } })
  fails("raised", json.encode, { 1 }, { array = { isArray = function() error("raised", 0) end } })
end

function TestLuaJson:test_encode_words()
  text({ "x", 5, null }, '["x",5,undefined]', { others = { null = "x", undefined = null } }) -- strings are asked as strings first
  text({ null }, "[null]", { others = { undefined = 5 } })
  text({ false }, "[null]", { others = { null = false } })
  fails("Failed to encode value, encoders for boolean deny encoding", json.encode, { true }, { others = { null = false } })
  text({ true, false }, "[null,undefined]", { others = { null = true, undefined = false } })
  fails("Invalid value: Unsupported 'Undefined' parameter", json.encode, true, { others = { undefined = true, allowUndefined = false } })
  local calls = 0
  local meta = { __eq = function() calls = calls + 1 return true end }
  local equal = setmetatable({}, meta)
  text(setmetatable({}, meta), "null", { others = { null = equal } })
  lu.assertTrue(calls > 0)
  meta.__eq = function() error("raised", 0) end
  fails("raised", json.encode, { setmetatable({}, meta) }, { others = { undefined = equal } })
  local file = { others = { null = io.stdout } }
  text({ io.stdout }, "[null]", file)
  fails("Failed to encode value, encoders for userdata deny encoding", json.encode, io.stderr, file)
end

function TestLuaJson:test_encode_calls()
  local call = json.util.buildCall
  text(call "f", "f()")
  text(call("dood", { call("b64", "hello"), call("add", 1, 2) }), 'dood([b64("hello"),add(1,2)])') -- lunit-encoderfunc.lua
  text({ a = call("f", nil, null, InitArray {}) }, '{"a":f(null,null,[])}')
  text(call(5, "/"), '5("\\/")')
  fails("Invalid arguments: expects a JSON Object or Array at the root", json.encode, call("f", 1), json.encode.strict)
  fails("the name of a call is no string", json.encode, call {})
  local round = call "f"
  round.parameters = { round }
  fails("Recursive encoding of value", json.encode, round)
  round.parameters = nil
  fails("the parameters of a call are no table", json.encode, { round })
  local deep = 1
  for _ = 1, 5000 do deep = call("f", deep) end
  lu.assertEquals(json.encode(deep), ("f("):rep(5000) .. "1" .. (")"):rep(5000))
end

-- What is not there says so, at once.
function TestLuaJson:test_lacks()
  for option, options in pairs {
    output = { output = print },
  } do
    T.ends(T.raises(json.encode, { 1 }, options), "fleece.luajson: option '" .. option .. "' is not implemented")
    T.ends(T.raises(json.encode.getEncoder, options), "fleece.luajson: option '" .. option .. "' is not implemented")
  end
  for option, mode in pairs {
    ["calls.defs"] = { calls = { defs = {} } },
    ["strings.additionalEscapes"] = { strings = { additionalEscapes = print } },
    ["strings.decodeUnicode"] = { strings = { decodeUnicode = print } },
    ["strings.escapeCheck = an LPeg pattern"] = { strings = { escapeCheck = io.stdout } },
  } do
    T.ends(T.raises(json.decode, "[]", mode), "fleece.luajson: option '" .. option .. "' is not implemented")
    T.ends(T.raises(json.decode.getDecoder, mode), "fleece.luajson: option '" .. option .. "' is not implemented")
  end
  local calls = { calls = { allowUndefined = true } } -- texts without any are read
  reads("[1]", { 1 }, calls)
  wrong("[f(1)]", "fleece.luajson: calls are not implemented", calls)
  T.contains(T.raises(json.decode, "[]", { array = 5 }), "option 'array' must be a table")
end

-- ---- decode ------------------------------------------------------------------------------------------------

function TestLuaJson:test_decode()
  reads('{"a":[1,2.5,true,null,"x"]}', { a = { 1, 2.5, true, null, "x" } })
  lu.assertTrue(json.util.IsArray(json.decode "[]"))
  lu.assertFalse(json.util.IsArray(json.decode "{}"))
  reads("null", null)
  reads("undefined", undefined)
  reads('"\\u00e9\\ud83d\\ude00"', "\195\169\240\159\152\128") -- two times three bytes there, no UTF-8
  reads("[1,]", { 1 })
  reads("{a:1,'b':2,3:4,null:5}", { a = 1, b = 2, [3] = 4, null = 5 })
  reads("// x\n[1/* y */,Infinity,-infinity]", { 1, 1 / 0, -1 / 0 })
  reads("'\\v\\x41\\''", "\vA'")
  reads("\194\160[\226\128\137]\239\187\191", {})
  lu.assertTrue(json.decode "[nan]"[1] ~= json.decode "[NaN]"[1])
end

function TestLuaJson:test_modes()
  local simple, strict = json.decode.simple, json.decode.strict
  local t = json.decode('{"a":null,"b":[1,null,null]}', simple)
  lu.assertNil(t.a)
  lu.assertEquals(t.b, { 1, n = 3 })
  reads("null", nil, simple)
  reads("[1]", { 1 }, strict)
  for s, message in pairs {
    ["1"] = "Initial value not an object or array", ["[1,]"] = "Previous value not set", ['{"a":1,}'] = "Missing key value",
    ["{1:2}"] = "As configured, a key must be a string",
  } do wrong(s, message, true) end
  reads("0x1F", 31, { number = { hex = true } })
  reads("[,1,,]", { undefined, 1, undefined }, { array = { allowEmptyElement = true } })
  reads('["k"]', { "k" }, { strings = { badChars = "z" } })
  local value, message = json.decode("[1", { nothrow = true })
  lu.assertNil(value)
  lu.assertEquals(message, "Unclosed elements present")
  lu.assertEquals(json.decode('{"1":2}', { object = { setObjectKey = json.decode.util.setObjectKeyForceNumber } }), { 2 })
  fails("raised", json.decode, '{"1":2}', { object = { setObjectKey = function() error("raised", 0) end } })
end

-- The function in json.util marks arrays, whichever it is.
function TestLuaJson:test_init_array()
  local mark = {}
  json.util.InitArray = function(t) return setmetatable(t, mark) end
  local ok, t = pcall(json.decode, "[1]")
  json.util.InitArray = nil
  local ok2, u = pcall(json.decode, "[1]")
  json.util.InitArray = InitArray
  lu.assertTrue(ok and ok2)
  lu.assertEquals(getmetatable(t), mark)
  lu.assertNil(getmetatable(u))
end

function TestLuaJson:test_decode_errors()
  for s, message in pairs {
    ["[tru]"] = "unexpected character @ character: 2 0:2 [t] line:\n[t",
    ["[1,\n2 x"] = "unexpected character @ character: 7 1:3 [x] line:\n2 x",
    ["[01]"] = "'Octal numbers' denied @ character: 2 0:2 [0] line:\n[0",
    ["0x1"] = "'Hexadecimal' denied by option set 'number.hex' @ character: 1 0:1 [0] line:\n0",
    ['"a'] = 'unexpected character @ character: 1 0:1 ["] line:\n"',
    ['"\\q"'] = 'Illegal escape in string ["q"] @ 0:3',
    ['"\\x4"'] = 'Illegal hex escape in string ["4"] @ 0:4',
    ['"\\u12"'] = 'Illegal unicode escape in string ["1"] @ 0:4',
    ["[1 2] %"] = "unexpected character @ character: 7 0:7 [%] line:\n[1 2] %", -- before what comes first
  } do T.ends(T.raises(json.decode, s), message) end
  for s, message in pairs {
    ["[1 2]"] = "Value set when one already in slot", ["[,]"] = "Previous value not set", ["{,}"] = "Missing key value",
    ["[1:2]"] = "Cannot set key on array", ["{[1]:2}"] = "As configured, a key must be a number or string",
    ["[[1]"] = "Unclosed elements present", [""] = "No value present", ["[1}"] = "Brackets do not match",
    ['{"a"}'] = "Missing key value", ['{"a":1:2}'] = "Key set when one already in slot", ["[1]]"] = "Brackets do not match",
    ["1,2"] = "Comma outside of an object or array", ["[1[2]]"] = "Value set when one already in slot",
  } do wrong(s, message) end
end

-- ---- util --------------------------------------------------------------------------------------------------

function TestLuaJson:test_util()
  local util = json.util
  local t = { a = 1 }
  lu.assertEquals(util.clone(t), t)
  lu.assertTrue(util.clone(t) ~= t)
  lu.assertEquals(util.merge(t, nil, { b = 2 }, false, { a = 3 }), { a = 3, b = 2 })
  lu.assertEquals(util.merge(t), t)
  local options = { x = { a = 1 } }
  util.doOptionMerge(options, true, "x", { x = { b = 2, a = 5 } }, nil)
  lu.assertEquals(options, { x = { a = 1, b = 2 } })
  local call = util.buildCall("f", 1, nil, 3)
  lu.assertTrue(util.isCall(call))
  lu.assertFalse(util.isCall {})
  local name, parameters = util.decodeCall(call)
  lu.assertEquals(name, "f")
  lu.assertEquals(parameters, { 1, nil, 3, n = 3 })
  lu.assertNil(util.decodeCall {})
  lu.assertFalse(util.IsArray(5))
  lu.assertFalse(util.IsArray {})
  lu.assertNil(util.IsArray { 1 })
end

-- Another null in json.util does not undo what the functions know.
function TestLuaJson:test_state_is_theirs()
  json.util.null = nil
  collectgarbage()
  local text_of, value = json.encode { null }, json.decode "null"
  json.util.null = null
  lu.assertEquals(text_of, "[null]")
  lu.assertEquals(value, null)
end

function TestLuaJson:test_hostile()
  wrong(("["):rep(100000), "Unclosed elements present")
  lu.assertEquals(#json.encode(json.decode(("["):rep(100000) .. ("]"):rep(100000))), 200000)
  local deep = {}
  for _ = 1, 100000 do deep = { deep } end
  lu.assertEquals(#json.encode(deep), 200002)
  if T.version == "Lua 5.1" or T.version == "LuaJIT" then return end
  fails("raised", json.encode, setmetatable({ 1 }, { __len = function() error("raised", 0) end }))
  fails("raised", json.encode, { setmetatable({}, { __pairs = function() error("raised", 0) end }) })
  lu.assertEquals(json.encode(setmetatable({ 1 }, { __len = function() return #json.encode { 1 } - 2 end })), "[1]")
end
