-- SPDX-License-Identifier: MIT
-- test_luajson.lua -- fleece.luajson except decode: the behaviour of LuaJSON 1.3.4, according to its source and
-- documents, and the differences that docs/luajson.md lists.
-- runs: in one layout

local T = require "support"
local lu = T.lu
local json = require "fleece.luajson"
local null, undefined, InitArray = json.util.null, json.util.undefined, json.util.InitArray

TestLuaJson = {}

local J = T.library(json)

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
  J.encodes(null, "null")
  J.encodes(undefined, "undefined")
  J.encodes(true, "true")
  J.encodes(0.5, "0.5")
  J.encodes(1 / 3, tostring(1 / 3))
  J.encodes(0 / 0, "NaN")
  J.encodes(1 / 0, "Infinity")
  J.encodes(-1 / 0, "-Infinity")
  J.encodes("a/b\"\\\b\f\n\r\t\1\31\127\200", '"a\\/b\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001F\127\200"')
  J.encodes("\v", '"\\u000B"') -- LuaJSON writes \v, which is not JSON
end

function TestLuaJson:test_tables()
  J.encodes({}, "{}")
  J.encodes(InitArray {}, "[]")
  J.encodes({ 1, 2 }, "[1,2]")
  J.encodes({ a = 1 }, '{"a":1}')
  J.encodes({ n = 3 }, '{"n":3}') -- its # is 0
  J.encodes({ 1, n = 3 }, "[1,null,null]")
  J.encodes(InitArray { n = 2 }, "[null,null]")
  J.encodes({ [2.5] = 1 }, '{"2.5":1}')
  J.encodes({ [true] = 1 }, '{"true":1}')
  J.encodes({ b = InitArray { undefined, null } }, '{"b":[undefined,null]}')
  J.encodes({ a = { null } }, '{"a":[null]}')
  J.encodes(setmetatable({}, { __is_luajson_array = true }), "[]")
  J.encodes(setmetatable({ x = 1 }, { __is_luajson_array = true }), "[]")
  J.encodes(setmetatable({ 1, 2 }, { __index = { n = 1 } }), "[1]")
end

function TestLuaJson:test_encode_errors()
  local cycle = {}
  cycle[1] = cycle
  T.raises("Recursive encoding of value", json.encode, cycle)
  T.each_pair({
    [print] = "Failed to encode value, encoders for function deny encoding",
    [coroutine.create(function() end)] = "Failed to encode value, unhandled type: thread",
    [io.stdout] = "Failed to encode value, unhandled type: userdata",
    [{ [{}] = 1 }] = "Invalid object index type: table",
  }, function(value, message)
    T.raises_ending(message, json.encode, value)
  end)
  T.raises("the field 'n' of an array must be a number", json.encode, InitArray { 1, n = {} })
  T.raises("Invalid array length", json.encode, { 1, n = 2 ^ 40 })
end

function TestLuaJson:test_encode_options()
  local strict = json.encode.strict
  J.encodes({ 1 }, "[1]", strict)
  T.raises("Invalid arguments: expects a JSON Object or Array at the root", json.encode, 1, strict)
  T.raises("Invalid number: NaN not enabled", json.encode, { 0 / 0 }, strict)
  T.raises("Invalid number: Infinity not enabled", json.encode, { -1 / 0 }, strict)
  T.raises("Invalid value: Unsupported 'Undefined' parameter", json.encode, { undefined }, strict)
  J.encodes({ 0 / 0 }, "[NaN]", { number = { inf = false } })
  J.encodes({ 1 / 0 }, "[Infinity]", { number = { nan = false } })
  T.raises("Invalid number: NaN not enabled", json.encode, { 0 / 0 }, { number = { nan = false } })
  T.raises("Invalid number: Infinity not enabled", json.encode, { 1 / 0 }, { number = { inf = false } })
  local mine = {}
  J.encodes({ a = mine }, '{"a":null}', { others = { null = mine } })
  lu.assertEquals(json.encode.getEncoder { others = { null = print } } { print }, "[null]")
  J.encodes({ 1 }, "[1]", json.util.merge({}, json.encode.default))
end

-- With xEncode the output is not JSON anyway, so \v is written as in LuaJSON; otherwise \u000B.
function TestLuaJson:test_encode_strings()
  local bytes = "\1\v/\127\200"
  J.encodes(bytes, '"\\x01\\v\\/\127\200"', { strings = { xEncode = true } })
  -- 127 has no escape
  J.encodes(bytes, '"\\u0001\\u000B\\/\127\\u00C8"', { strings = { encodeSetAppend = "\127-\255" } })
  J.encodes(bytes, '"\\x01\\v\\/\127\\xC8"', { strings = { encodeSetAppend = "\127-\255", xEncode = true } })
  -- the set of a Lua pattern, even if the output is not JSON
  J.encodes({ ["a/"] = "/\n\"" }, '{"a/":"/\\n""}', { strings = { encodeSet = "%c" } })
  J.encodes("a\r\nz", '"a\r\\nz"', { strings = { encodeSet = "^\r" } })
  J.encodes("]", '"]"', { strings = { encodeSet = "]\n" } })
  J.encodes({ "é\n", a = nil }, '["é\\n"]', { strings = { encodeSet = json.encode.default.strings.encodeSet } })
  J.encodes(("\200"):rep(9000), '"' .. ("\\xC8"):rep(9000) .. '"',
    { strings = { encodeSetAppend = "\200", xEncode = true } })
  -- its arguments are the results of string.gsub
  local up = { strings = { processor = function(s, n) return s:upper() .. n end } }
  J.encodes({ ab = "c/\n" }, '{"AB0":"C\\/\\N2"}', up)
  J.encodes("x", '"X0"', up)
  lu.assertEquals(json.encode.getEncoder(up) { "x" }, '["X0"]')
  J.encodes({ "x" }, '["5"]', { strings = { processor = function() return 5 end } })
  T.raises_with("attempt to concatenate a nil value", json.encode, "x", { strings = { processor = function() end } })
  T.raises("raised", json.encode, "x", { strings = { processor = function() error("raised", 0) end } })
  T.raises_with("malformed pattern (missing ']')", json.encode, "x", { strings = { encodeSet = "" } })
  T.raises_ending("option 'strings.encodeSet' must be one set of characters", json.encode, "x",
    { strings = { encodeSet = "a]b" } })
  T.raises_ending("option 'strings.encodeSetAppend' must be a string", json.encode, "x",
    { strings = { encodeSetAppend = {} } })
end

-- "Called for every value to be encoded, optionally altering. If returns nil then no value change occurs."
function TestLuaJson:test_encode_pre_process()
  local seen = {}
  local function log(value, is_key)
    seen[#seen + 1] = type(value) .. " " .. tostring(is_key)
  end
  J.encodes({ { a = 1 }, true, "s" }, '[{"a":1},true,"s"]', { preProcess = log })
  lu.assertEquals(seen, { "table false", "table false", "string true", "number false", "boolean false",
    "string false" })
  local function one(from, to) return { preProcess = function(v) if v == from then return to end end } end
  J.encodes({ 1, 2 }, "[[{}],2]", one(1, { {} }))
  J.encodes({ 1 }, "[null]", one(1, null))
  J.encodes({ 1 }, "[f()]", one(1, json.util.buildCall "f"))
  J.encodes(1, "false", one(1, false))
  J.encodes({ [1.5] = 2 }, '{"k":2}', one("1.5", "k"))
  J.encodes({ a = 2 }, "{7:2}", one("a", 7)) -- not JSON, but what preProcess requested
  J.encodes(InitArray { n = 1 }, '["nil"]', { preProcess = function(v) if v == nil then return "nil" end end })
  T.raises("Invalid object index type: table", json.encode, { a = 1 }, one("a", {})) -- LuaJSON writes its tostring
  T.raises("raised", json.encode, { 1 }, { preProcess = function() error("raised", 0) end })
  local deep = 0
  lu.assertEquals(#json.encode({}, { preProcess = function()
    deep = deep + 1
    if deep < 1000 then return InitArray { {} } end
  end }), 2000)
  lu.assertEquals(json.encode({ 1 }, { preProcess = function(v) if v == 1 then return json.encode { 2 } end end }),
    '["[2]"]')
end

function TestLuaJson:test_encode_is_array()
  local function is(answer)
    return { array = { isArray = function(t) if next(t) ~= nil then return answer end end } }
  end
  J.encodes({ a = 1, { 2 } }, "[[2]]", is(true))
  -- isArray returns nil for the empty one, which is an array because all its keys are indices
  J.encodes({ 1, {} }, '{"1":1,"2":[]}', is(false))
  J.encodes({ 1, {} }, "[1,[]]", is(5))
  J.encodes({ {}, { a = 1 } }, '[[],{"a":1}]', { array = { isArray = false } })
  J.encodes(InitArray { a = 1 }, '{"a":1}', { array = { isArray = false } }) -- so the mark is ignored
  J.encodes({ {} }, "[{}]", { array = { isArray = json.util.IsArray } })
  T.raises("raised", json.encode, { 1 }, { array = { isArray = function() error("raised", 0) end } })
end

function TestLuaJson:test_encode_words()
  -- strings are encoded as strings before `others` is consulted
  J.encodes({ "x", 5, null }, '["x",5,undefined]', { others = { null = "x", undefined = null } })
  J.encodes({ null }, "[null]", { others = { undefined = 5 } })
  J.encodes({ false }, "[null]", { others = { null = false } })
  T.raises("Failed to encode value, encoders for boolean deny encoding", json.encode, { true },
    { others = { null = false } })
  J.encodes({ true, false }, "[null,undefined]", { others = { null = true, undefined = false } })
  T.raises("Invalid value: Unsupported 'Undefined' parameter", json.encode, true,
    { others = { undefined = true, allowUndefined = false } })
  local calls = 0
  local meta = { __eq = function()
    calls = calls + 1
    return true
  end }
  local equal = setmetatable({}, meta)
  J.encodes(setmetatable({}, meta), "null", { others = { null = equal } })
  lu.assertTrue(calls > 0)
  meta.__eq = function() error("raised", 0) end
  T.raises("raised", json.encode, { setmetatable({}, meta) }, { others = { undefined = equal } })
  local file = { others = { null = io.stdout } }
  J.encodes({ io.stdout }, "[null]", file)
  T.raises("Failed to encode value, encoders for userdata deny encoding", json.encode, io.stderr, file)
end

function TestLuaJson:test_encode_calls()
  local call = json.util.buildCall
  J.encodes(call "f", "f()")
  -- lunit-encoderfunc.lua
  J.encodes(call("dood", { call("b64", "hello"), call("add", 1, 2) }), 'dood([b64("hello"),add(1,2)])')
  J.encodes({ a = call("f", nil, null, InitArray {}) }, '{"a":f(null,null,[])}')
  J.encodes(call(5, "/"), '5("\\/")')
  T.raises("Invalid arguments: expects a JSON Object or Array at the root", json.encode, call("f", 1),
    json.encode.strict)
  T.raises("the name of a call must be a string", json.encode, call {})
  local round = call "f"
  round.parameters = { round }
  T.raises("Recursive encoding of value", json.encode, round)
  round.parameters = nil
  T.raises("the parameters of a call must be a table", json.encode, { round })
  local deep = 1
  for _ = 1, 5000 do deep = call("f", deep) end
  lu.assertEquals(json.encode(deep), ("f("):rep(5000) .. "1" .. (")"):rep(5000))
end

-- Functions that run the collector, call the library again (also endlessly), or change the value.
function TestLuaJson:test_encode_functions_hostile()
  local options = {
    preProcess = function(v)
      collectgarbage()
      return v
    end,
    array = { isArray = function(t)
      collectgarbage()
      return json.decode(json.encode { #t })[1] == 2
    end },
    strings = { processor = function(s) return json.decode(json.encode { s })[1] end, xEncode = true },
  }
  J.encodes({ 1, { a = "x\1" } }, '[1,{"a":"x\\x01"}]', options)
  local wide = {} -- locals, which fill the stack with a few thousand calls
  for i = 1, 190 do wide[i] = "v" .. i end
  local again = (loadstring or load)("local encode = ... local function again(v) local " .. table.concat(wide, ",") ..
    " return (encode(v, { preProcess = again })) end return again")(json.encode)
  local message = T.error_of(json.encode, { 1 }, { preProcess = again })
  lu.assertNotNil(message:find "nested too deep" or message:find "overflow", message)
  message = T.error_of(json.encode, "s", { strings = { processor = function(s) return again(s) end } })
  lu.assertNotNil(message:find "nested too deep" or message:find "overflow", message)
  local list = { 1, 2, 3, 4 }
  J.encodes(list, "[1,null,3,null]", { preProcess = function(v) if v == 1 then list[2], list[4] = nil, nil end end })
  local step = coroutine.wrap(function() return json.encode({ 1 }, { preProcess = coroutine.yield }) end)
  lu.assertEquals({ step(), step(), step(5) }, { { 1 }, 1, "[5]" })
  J.encodes({ 1 }, "[1]")
end

-- An output's composite is called with each table, the code to complete, and the function that encodes its contents.
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
  J.encodes(value, json.encode(value), { output = output.getDefault })
  J.encodes("a", '"a"', { output = output.getDefault })
  J.encodes({ 1 }, "[1]", { output = function() end }) -- the default output
  local written = {}
  local file = { write = function(_, s) written[#written + 1] = s end }
  local encode = json.encode.getEncoder { output = output.getIoWriter(file) }
  lu.assertEquals(select("#", encode(value)), 0)
  lu.assertEquals(table.concat(written), json.encode(value))
  lu.assertEquals(encode "x", '"x"') -- written and returned
  lu.assertEquals(written[#written], '"x"')
  local seen
  J.encodes({ a = 1 }, "<{><}>", { output = function()
    return { composite = function(code, open, close, separator, ...)
      seen = { type(code), separator, select("#", ...) }
      return "<" .. open .. "><" .. close .. ">"
    end, simple = function(s) seen[4] = s end }
  end })
  lu.assertEquals(seen, { "string", nil, 3, "<{><}>" })
  J.encodes({ a = 5 }, '{"K":5}',
    { output = output.getDefault, preProcess = function(_, key) if key then return "K" end end })
  local round = {}
  round[1] = { round }
  T.raises("Recursive encoding of value", json.encode, round, { output = output.getDefault })
  T.raises("Invalid object index type: table", json.encode, { [{}] = 1 }, { output = output.getDefault })
  T.raises("raised", json.encode, {}, { output = function() error("raised", 0) end })
  T.raises("raised", json.encode, {},
    { output = function() return { composite = function() error("raised", 0) end } end })
  T.raises_with("attempt to call a nil value", json.encode, {}, { output = function() return {} end })
  T.raises("output.composite must be a string", json.encode, {},
    { output = function() return { composite = function() return {} end } end })
  local deep = InitArray {}
  for _ = 1, 100 do deep = { deep } end
  J.encodes(deep, ("["):rep(101) .. ("]"):rep(101), { output = output.getDefault })
  for _ = 1, 1000 do deep = { deep } end
  T.error_of(json.encode, deep, { output = output.getDefault }) -- each level is a nested call
  J.encodes({ 1 }, "[1]")
end

function TestLuaJson:test_wrong_options()
  T.raises_with("option 'array' must be a table", json.decode, "[]", { array = 5 })
  T.raises_with("option 'strings' must be a table", json.encode, "[]", { strings = 5 })
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

-- LuaJSON copies the tables of options: false means no table, and inherited fields are ignored.
function TestLuaJson:test_tables_of_options()
  local function inherits(t) return setmetatable({}, { __index = t }) end
  local none = { number = false, others = false, strings = false, array = false, object = false, calls = false }
  J.encodes({ 0 / 0, null, { a = 1 } }, '[NaN,null,{"a":1}]', none)
  J.decodes("['a',{b:1,},]", { "a", { b = 1 } }, none)
  J.encodes(1, "1", inherits { initialObject = true })
  J.encodes({ 0 / 0 }, "[NaN]", { number = inherits { nan = false } })
  J.decodes("1", 1, inherits { initialObject = true })
  J.decodes("[1,]", { 1 }, { array = inherits { trailingComma = false } })
  for _, group in ipairs { "number", "others", "strings", "array", "object", "calls" } do
    T.raises(("option '%s' must be a table, not a string"):format(group), json.encode, {}, { [group] = "x" })
    T.raises(("option '%s' must be a table, not a boolean"):format(group), json.decode.getDecoder, { [group] = true })
  end
end

-- Setting null in json.util does not change encode and decode.
function TestLuaJson:test_null_in_util_is_a_copy()
  json.util.null = nil
  collectgarbage()
  local text_of, value = json.encode { null }, json.decode "null"
  json.util.null = null
  lu.assertEquals(text_of, "[null]")
  lu.assertEquals(value, null)
end

function TestLuaJson:test_init_array_of_a_protected_table()
  local t = setmetatable({}, { __metatable = "mine" })
  T.raises("cannot change a protected metatable", InitArray, t)
  lu.assertEquals(getmetatable(t), "mine")
end

function TestLuaJson:test_hostile()
  J.refuses(("["):rep(100000), "Unclosed elements present")
  lu.assertEquals(#json.encode(json.decode(("["):rep(100000) .. ("]"):rep(100000))), 200000)
  local deep = {}
  for _ = 1, 100000 do deep = { deep } end
  lu.assertEquals(#json.encode(deep), 200002)
  if T.version == "Lua 5.1" or T.version == "LuaJIT" then return end
  T.raises("raised", json.encode, setmetatable({ 1 }, { __len = function() error("raised", 0) end }))
  T.raises("raised", json.encode, { setmetatable({}, { __pairs = function() error("raised", 0) end }) })
  lu.assertEquals(json.encode(setmetatable({ 1 }, { __len = function() return #json.encode { 1 } - 2 end })), "[1]")
end

function TestLuaJson:test_calls_without_arguments()
  for _, table in ipairs { json.encode, json.decode } do
    lu.assertErrorMsgContains("bad argument #1", getmetatable(table).__call)
  end
end
