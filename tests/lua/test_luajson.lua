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

-- Functions that collect, call the library again, without end too, or change what they are shown.
function TestLuaJson:test_encode_functions_hostile()
  local options = {
    preProcess = function(v) collectgarbage() return v end,
    array = { isArray = function(t) collectgarbage() return json.decode(json.encode { #t })[1] == 2 end },
    strings = { processor = function(s) return json.decode(json.encode { s })[1] end, xEncode = true },
  }
  text({ 1, { a = "x\1" } }, '[1,{"a":"x\\x01"}]', options)
  local function again(v) return json.encode(v, { preProcess = again }) end
  local message = T.raises(json.encode, { 1 }, { preProcess = again })
  lu.assertNotNil(message:find "nested too deep" or message:find "overflow", message)
  message = T.raises(json.encode, "s", { strings = { processor = function(s) return again(s) end } })
  lu.assertNotNil(message:find "nested too deep" or message:find "overflow", message)
  local list = { 1, 2, 3, 4 }
  text(list, "[1,null,3,null]", { preProcess = function(v) if v == 1 then list[2], list[4] = nil, nil end end })
  local co = coroutine.create(function() return json.encode({ 1 }, { preProcess = coroutine.yield }) end)
  local resumed, why = coroutine.resume(co)
  lu.assertFalse(resumed and coroutine.status(co) == "suspended")
  T.contains(tostring(why), "attempt to yield across")
  text({ 1 }, "[1]")
end

-- An output's composite is handed each table, with code to complete, and the function that encodes what is in it.
function TestLuaJson:test_encode_output()
  local path, names = package.path, { "json.encode.output", "json.encode.output_utility" }
  local loaded = { package.loaded[names[1]], package.loaded[names[2]] }
  package.path = "compat/luajson/?.lua;" .. path
  package.loaded[names[1]], package.loaded[names[2]] = nil, nil
  local ok, output = pcall(require, names[1])
  package.loaded[names[1]], package.loaded[names[2]] = loaded[1], loaded[2]
  package.path = path
  lu.assertTrue(ok, output)
  local value = { 1, "a/", { k = { true, null } }, json.util.buildCall("f", {}, 2), n = 5, InitArray {} }
  text(value, json.encode(value), { output = output.getDefault })
  text("a", '"a"', { output = output.getDefault })
  text({ 1 }, "[1]", { output = function() end }) -- the default one
  local written = {}
  local file = { write = function(_, s) written[#written + 1] = s end }
  local encode = json.encode.getEncoder { output = output.getIoWriter(file) }
  lu.assertEquals(select("#", encode(value)), 0)
  lu.assertEquals(table.concat(written), json.encode(value))
  lu.assertEquals(encode "x", '"x"') -- written, and returned
  lu.assertEquals(written[#written], '"x"')
  local seen
  text({ a = 1 }, "<{><}>", { output = function()
    return { composite = function(code, open, close, separator, ...)
      seen = { type(code), separator, select("#", ...) }
      return "<" .. open .. "><" .. close .. ">"
    end, simple = function(s) seen[4] = s end }
  end })
  lu.assertEquals(seen, { "string", nil, 3, "<{><}>" })
  text({ a = 5 }, '{"K":5}', { output = output.getDefault, preProcess = function(_, key) if key then return "K" end end })
  local round = {}
  round[1] = { round }
  fails("Recursive encoding of value", json.encode, round, { output = output.getDefault })
  fails("Invalid object index type: table", json.encode, { [{}] = 1 }, { output = output.getDefault })
  fails("raised", json.encode, {}, { output = function() error("raised", 0) end })
  fails("raised", json.encode, {}, { output = function() return { composite = function() error("raised", 0) end } end })
  T.contains(T.raises(json.encode, {}, { output = function() return {} end }), "attempt to call a nil value")
  fails("the output's composite is no string", json.encode, {}, { output = function() return { composite = function() return {} end } end })
  local deep = InitArray {}
  for _ = 1, 100 do deep = { deep } end
  text(deep, ("["):rep(101) .. ("]"):rep(101), { output = output.getDefault })
  for _ = 1, 1000 do deep = { deep } end
  T.raises(json.encode, deep, { output = output.getDefault }) -- each level is a call in a call
  text({ 1 }, "[1]")
end

function TestLuaJson:test_wrong_options()
  T.contains(T.raises(json.decode, "[]", { array = 5 }), "option 'array' must be a table")
  T.contains(T.raises(json.encode, "[]", { strings = 5 }), "option 'strings' must be a table")
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
  for _, nothing in ipairs { false, print, {} } do
    local value, message = json.decode.getDecoder { nothrow = true }(nothing)
    lu.assertNil(value)
    T.contains(message, "string expected, got ")
  end
  local value, message = json.decode("[1", { nothrow = true })
  lu.assertNil(value)
  lu.assertEquals(message, "Unclosed elements present")
  lu.assertEquals(json.decode('{"1":2}', { object = { setObjectKey = json.decode.util.setObjectKeyForceNumber } }), { 2 })
  fails("raised", json.decode, '{"1":2}', { object = { setObjectKey = function() error("raised", 0) end } })
end

-- A name becomes a key at the comma behind its value, after all tokens are read.
function TestLuaJson:test_name_that_is_nan()
  local mode = { nothrow = true, object = { identifier = false } }
  for s, wanted in pairs {
    ["{NaN:1}"] = "table index is NaN", ["{1:2,NaN:undefined,3}"] = "table index is NaN", ["[{NaN:[1]}"] = "table index is NaN",
    ["{NaN:1 2}"] = "Value set when one already in slot", ["{NaN:}"] = "Previous value not set",
    ["{NaN:1} x"] = "unexpected character @ character: 9 0:9 [x] line:\n{NaN:1} x",
  } do
    local value, message = json.decode(s, mode)
    lu.assertNil(value)
    lu.assertEquals(message, wanted, s)
  end
  wrong("{NaN:1}", "table index is NaN", { object = { identifier = false } })
  local function set(t, k, v) t[k == k and k or "none"] = v end
  reads("{NaN:1,2:3}", { none = 1, [2] = 3 }, { object = { identifier = false, setObjectKey = set } })
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

-- ---- calls and functions in texts ----------------------------------------------------------------------------

local function call(name, ...) return json.util.buildCall(name, ...) end

-- "Specifies if undefined call definitions are decoded as call objects."
function TestLuaJson:test_decode_calls()
  local any = { calls = { allowUndefined = true } }
  local value = json.decode("[f(1,null,g()), {\"k\":h([2],)}]", any)
  lu.assertEquals(value, { call("f", 1, null, call "g"), { k = call("h", { 2 }) } })
  lu.assertTrue(json.util.isCall(value[1]))
  lu.assertEquals(json.encode(value), '[f(1,null,g()),{"k":h([2])}]')
  lu.assertEquals(select("#", json.decode("f(1,,)", { calls = { allowUndefined = true, allowEmptyElement = true } })), 1)
  lu.assertEquals(json.decode("f(1,,)", { calls = { allowUndefined = true, allowEmptyElement = true } }), call("f", 1, undefined))
  reads("[1]", { 1 }, any) -- texts without any are read, by the one scanner
  wrong("f(1,)", "Previous value not set", { calls = { allowUndefined = true, trailingComma = false } })
  for s, message in pairs {
    ["f(,)"] = "Previous value not set", ["f(1 2)"] = "Value set when one already in slot", ["1 f(2)"] = "Value set when one already in slot",
    ["f(a:1)"] = "Cannot set key on array", ["[f(1]"] = "Brackets do not match", [")"] = "Brackets do not match", ["f(1"] = "Unclosed elements present",
    ["{f():1}"] = "As configured, a key must be a number or string",
  } do wrong(s, message, any) end
  T.contains(T.raises(json.decode, "f (1)", any), "unexpected character @ character: 1")
  T.contains(T.raises(json.decode, "f(1)"), "unexpected character @ character: 1")
  T.contains(T.raises(json.decode, "[)]", { calls = { defs = {} } }), "unexpected character @ character: 2")
  T.contains(T.raises(json.decode, "[1](", any), "unexpected character @ character: 4")
  wrong("f(1)", "Initial value not an object or array", { initialObject = true, calls = { defs = { f = function() return 1 end } } })
  lu.assertEquals(json.decode("f(1)", { initialObject = true, calls = any.calls }), call("f", 1)) -- a call object is a table
  local build = json.util.buildCall
  json.util.buildCall = function(name, ...) return { name .. "!", ... } end
  local ok, built = pcall(json.decode, "f(1)", any)
  json.util.buildCall = build
  lu.assertTrue(ok)
  lu.assertEquals(built, { "f!", 1 })
end

-- "If boolean value, determines if allowed or not, decoded as a call object. Function return-value is the decoded result."
function TestLuaJson:test_decode_defs()
  local defs = {
    f = function(...) return { n = select("#", ...), ... } end, none = function() end, five = function() return 5, 6 end,
    yes = true, no = false, ["a.b"] = true, raises = function() error("raised", 0) end,
    again = function(_, s) return json.decode(s, { calls = { allowUndefined = true } }) end,
  }
  local mode = { calls = { defs = defs } }
  local decode = json.decode.getDecoder(mode)
  lu.assertEquals(decode "f(1,null,[f()])", { n = 4, "f", 1, null, { { n = 1, "f" } } })
  lu.assertNil(decode "none()")
  local list = decode "[1,none(),five(),none()]"
  lu.assertEquals({ list[1], list[3], list.n }, { 1, 5, 4 })
  lu.assertEquals(decode '{"k":five(7),five:1}', { k = 5, five = 1 })
  lu.assertEquals(decode "a.b(yes())", call("a.b", call "yes"))
  lu.assertEquals(decode 'again("[f(1)]")', { call("f", 1) })
  fails("raised", decode, "raises(1)")
  T.ends(T.raises(decode, "no(1)"), "Function call on 'no' not permitted")
  T.ends(T.raises(decode, "[no(1)"), "Function call on 'no' not permitted") -- before what is missing behind it, but
  T.contains(T.raises(decode, "no(1) %"), "unexpected character @ character: 7") -- tokens are read first
  T.contains(T.raises(decode, "other(1)"), "unexpected character @ character: 1")
  local value, message = json.decode("no(1)", { nothrow = true, calls = { defs = defs } })
  lu.assertNil(value)
  lu.assertEquals(message, "Function call on 'no' not permitted")
  defs.five = nil -- the decoder keeps what it was given
  lu.assertEquals(decode "five()", 5)
  lu.assertEquals(json.decode("yes()", { calls = { allowUndefined = true, defs = { yes = function() return 1 end } } }), call "yes")
  for message, wrong_defs in pairs {
    ["Invalid functionCalls name: 1 not a string or LPEG pattern"] = { true }, ["Invalid functionCalls item: f not a function"] = { f = 1 },
    ["Invalid functionCalls name: true not a string or LPEG pattern"] = { [true] = true }, ["option 'calls.defs' must be a table"] = 5,
  } do T.ends(T.raises(json.decode.getDecoder, { calls = { defs = wrong_defs } }), message) end
end

-- A function in place of a pattern is what lpeg.P makes of it: from a place in the text to the next one, and a value.
function TestLuaJson:test_decode_escapes()
  local seen = {}
  local unicode = { strings = { decodeUnicode = function(a, b) seen[#seen + 1] = a .. b return "<" .. tonumber(b, 16) .. ">", 1 end } }
  reads('["\\u0041x\\ud83d\\ude00\\n"]', { "<65>x<61><0>\n" }, unicode)
  lu.assertEquals(seen, { "0041", "d83d", "de00" })
  reads('"\\u0041"', "u0041", { strings = { decodeUnicode = function() end } }) -- as LPeg's substitutions do
  T.ends(T.raises(json.decode, '"\\u0041"', { strings = { decodeUnicode = function() return nil end } }), "invalid replacement value (a nil)")
  T.ends(T.raises(json.decode, '"\\u12"', unicode), 'Illegal unicode escape in string ["1"] @ 0:4')
  local more = { strings = { additionalEscapes = function(text, place)
    local c = text:sub(place, place)
    if c == "q" then return place + 1, "Q" elseif c == "w" then return true, "W" elseif c == "n" then return place + 2 end
  end } }
  reads('"\\q\\wz\\nx\\t"', "QWwz\t", more)
  T.ends(T.raises(json.decode, '"\\k"', more), 'Illegal escape in string ["k"] @ 0:3')
  local check = { strings = { escapeCheck = function(text, place) return (text:find("^[nu]", place)) end } }
  reads([["\n\u0041"]], "\nA", check)
  T.ends(T.raises(json.decode, '"\\t"', check), 'Illegal escape in string ["t"] @ 0:3')
  for _, place in ipairs { 0, 1, 99, "x", 0 / 0 } do -- at the escape of byte 3, in a text of 4 bytes
    T.ends(T.raises(json.decode, '"\\n"', { strings = { escapeCheck = function() return place end } }), "invalid place in the text returned")
  end
  T.ends(T.raises(json.decode, '"\\q"', { strings = { additionalEscapes = function(_, place) return place, {} end } }),
    "invalid replacement value (a table)")
  fails("raised", json.decode, '"\\q"', { strings = { additionalEscapes = function() error("raised", 0) end } })
  reads('["' .. ("\\q"):rep(9000) .. '"]', { ("Q"):rep(9000) }, more)
  T.ends(T.raises(json.decode, "1", { strings = { decodeUnicode = {} } }), "option 'strings.decodeUnicode' must be a function")
  reads('"a\\\\"', "a\\", { strings = { badChars = "\\k" } }) -- a backslash is an escape's first of all
end

function TestLuaJson:test_patterns()
  local there, lpeg = pcall(require, "lpeg")
  local loaded = package.loaded.lpeg
  package.loaded.lpeg = nil
  local why = T.raises(json.decode, "1", { strings = { escapeCheck = io.stdout } })
  package.loaded.lpeg = loaded
  T.ends(why, "option 'strings.escapeCheck' is a userdata, but LPeg is not loaded")
  if not there then lu.skip "SKIPPED: no LPeg (Debian: lua-lpeg)" end
  local P, S, C, R = lpeg.P, lpeg.S, lpeg.C, lpeg.R
  local function strings(s, expected, options) reads(s, expected, { strings = options }) end
  strings('"\\k\\n"', "kn", { additionalEscapes = C(1) }) -- the example of LuaJSON's document
  strings('"\\long\\n"', "L\n", { additionalEscapes = P "long" / "L" })
  strings('"\\lit"', "lit", { additionalEscapes = "lit" })
  strings('"\\n"', "\n", { escapeCheck = #S "n" })
  strings('"\\qn"', "q\n", { escapeCheck = P "q" }) -- one that takes what it checks
  T.ends(T.raises(json.decode, '"\\t"', { strings = { escapeCheck = #S "n" } }), 'Illegal escape in string ["t"] @ 0:3')
  local function name(n, ...) return n .. select("#", ...) end
  local calls = { calls = { defs = { [C(P "m" * S "yY")] = name, [R "09" ^ 1 / tonumber] = name, [P "x"] = true } } }
  reads("[my(1,2),mY(),12(3)]", { "my2", "mY0", "121" }, calls)
  lu.assertEquals(json.decode("x()", calls), call "x(") -- without a capture it is all that was matched
  T.ends(T.raises(json.decode, "my()", { calls = { defs = { [C "my"] = false } } }), "Function call on 'my' not permitted")
end

function TestLuaJson:test_calls_hostile()
  local any = { calls = { allowUndefined = true } }
  wrong(("f("):rep(100000), "Unclosed elements present", any)
  local deep = ("f("):rep(5000) .. "1" .. (")"):rep(5000)
  lu.assertEquals(json.encode(json.decode(deep, any)), deep)
  local count = { calls = { defs = { n = function(...) return select("#", ...) - 1 end } } }
  lu.assertEquals(json.decode("n(" .. ("1,"):rep(5000) .. ")", count), 5000)
  local ok, got = pcall(json.decode, "n(" .. ("1,"):rep(2000000) .. ")", count) -- more than a call takes
  if ok then lu.assertEquals(got, 2000000) else T.contains(got, "too many results to unpack") end
  local collect = { calls = { defs = { c = function(_, v) collectgarbage() return v end } }, strings = { decodeUnicode = function() collectgarbage() return "u" end } }
  reads('[c("\\u0041"),{"\\u0041":c([c(1)])}]', { "u", { u = { 1 } } }, collect)
  local co = coroutine.create(function() return json.decode("y()", { calls = { defs = { y = coroutine.yield } } }) end)
  local resumed, message = coroutine.resume(co)
  lu.assertFalse(resumed and coroutine.status(co) == "suspended")
  T.contains(tostring(message), "attempt to yield across")
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

-- LuaJSON copies the tables of options: false is none, what they inherit does not count.
function TestLuaJson:test_tables_of_options()
  local function inherits(t) return setmetatable({}, { __index = t }) end
  local none = { number = false, others = false, strings = false, array = false, object = false, calls = false }
  text({ 0 / 0, null, { a = 1 } }, '[NaN,null,{"a":1}]', none)
  reads("['a',{b:1,},]", { "a", { b = 1 } }, none)
  text(1, "1", inherits { initialObject = true })
  text({ 0 / 0 }, "[NaN]", { number = inherits { nan = false } })
  reads("1", 1, inherits { initialObject = true })
  reads("[1,]", { 1 }, { array = inherits { trailingComma = false } })
  for _, group in ipairs { "number", "others", "strings", "array", "object", "calls" } do
    fails(("option '%s' must be a table, not a string"):format(group), json.encode, {}, { [group] = "x" })
    fails(("option '%s' must be a table, not a boolean"):format(group), json.decode.getDecoder, { [group] = true })
  end
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

function TestLuaJson:test_init_of_a_protected_table()
  local t = setmetatable({}, { __metatable = "mine" })
  fails("cannot change a protected metatable", InitArray, t)
  lu.assertEquals(getmetatable(t), "mine")
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

function TestLuaJson:test_calls_without_arguments()
  for _, table in ipairs { json.encode, json.decode } do
    lu.assertErrorMsgContains("bad argument #1", getmetatable(table).__call)
  end
end
