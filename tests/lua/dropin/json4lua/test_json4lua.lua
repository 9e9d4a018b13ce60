-- SPDX-License-Identifier: MIT
-- test_json4lua.lua -- fleece.json4lua: the behaviour of JSON4Lua 1.0.1, according to its source, and the differences
-- that docs/json4lua.md lists.
-- runs: in one layout

local T = require "support"
local lu = T.lu
local json = require "fleece.json4lua"

TestJson4Lua = {}

local J = T.library(json)

function TestJson4Lua:test_field_n()
  lu.assertEquals(json.encode { n = 5 }, "[]")
  lu.assertEquals(json.encode { n = false }, '{"n":false}')
  lu.assertEquals(json.encode { { "a", n = 1 } }, '[["a"]]')
end

function TestJson4Lua:test_module()
  local names = {}
  for name in pairs(json) do names[#names + 1] = name end
  table.sort(names)
  lu.assertEquals(names, { "EMPTY_ARRAY", "EMPTY_OBJECT", "decode", "encode", "null" })
  lu.assertEquals(json.null(), json.null)
  lu.assertEquals(dofile "compat/json4lua/json.lua", json)
  lu.assertEquals(dofile "compat/json4lua/json4lua.lua", json)
end

function TestJson4Lua:test_encode()
  lu.assertEquals(json.encode(), "null")
  J.encodes(nil, "null")
  J.encodes(json.null, "null")
  J.encodes({ json.null, a = json.null }, '{"1":null,"a":null}')
  J.encodes({ json.null }, "[null]")
  J.encodes(true, "true")
  J.encodes(12, "12")
  J.encodes(0.1, "0.1")
  J.encodes(1 / 3, tostring(1 / 3))
  J.encodes("a/b\"\\\n\127\200", '"a\\/b\\"\\\\\\n\127\200"')
  J.encodes("\0\31", '"\\u0000\\u001F"') -- JSON4Lua writes them raw
  J.encodes({}, "[]")
  J.encodes(json.EMPTY_ARRAY, "[]")
  J.encodes(json.EMPTY_OBJECT, "{}")
  J.encodes({ json.EMPTY_OBJECT, json.EMPTY_ARRAY, {} }, "[{},[],[]]")
  J.encodes({ 1, nil, 3 }, "[1,null,3]")
  J.encodes({ [4] = 1 }, "[null,null,null,1]")
  J.encodes({ n = 3 }, "[]")
  J.encodes({ 1, n = 3 }, "[1]")
  J.encodes({ [0] = 1 }, '{"0":1}')
  J.encodes({ [1.5] = 1 }, '{"1.5":1}')
  J.encodes({ [true] = 1 }, '{"true":1}')
end

-- Unsupported values are omitted from objects; an array with one becomes an object.
function TestJson4Lua:test_unsupported()
  J.encodes({ f = print }, "[]")
  J.encodes({ a = 1, f = print, [print] = 2 }, '{"a":1}')
  J.encodes({ 1, f = print }, "[1]")
  J.encodes({ 1, print }, '{"1":1}')
  for _, v in ipairs { print, io.stdout, coroutine.create(function() end) } do
    T.raises_with("encode attempt to encode unsupported type " .. type(v) .. ":", json.encode, v)
  end
  T.raises("encode attempt to encode a table as a name", json.encode, { [{}] = 1 })
  T.raises("encode attempt to encode NaN or an infinity", json.encode, { 0 / 0 })
  T.raises("encode attempt to encode NaN or an infinity", json.encode, -1 / 0)
  T.raises("encode attempt to encode an array that is too long", json.encode, { [2 ^ 40] = 1 })
end

function TestJson4Lua:test_metatables()
  J.encodes(setmetatable({ 1 }, { __index = function(_, k) return k end }), "[1]")
  J.encodes(setmetatable({ [3] = 1 }, { __index = { 7, 8 } }), "[7,8,1]")
  if T.version == "Lua 5.1" or T.version == "LuaJIT" then return end
  J.encodes(setmetatable({}, { __pairs = function() return next, { a = 1 } end }), '{"a":1}')
  T.raises("raised", json.encode, setmetatable({}, { __pairs = function() error("raised", 0) end }))
end

function TestJson4Lua:test_decode()
  T.each({
    { text = '{"a":[1,2.5,true,false,null,"x"]}', value = { a = { 1, 2.5, true, false, nil, "x" } } },
    { text = "[1,null,3]", value = { 1, nil, 3 } },
    { text = "null" },
    { text = '"\\u00e9\\ud83d\\ude00\\q"', value = "\195\169\240\159\152\128q" },
    { text = "'it\"s \\' it'", value = 'it"s \' it' },
    { text = '"tab\there\0"', value = "tab\there\0" },
    { text = "[1 2]", value = { 1, 2 } },
    { text = "[,1]", value = { 1 } },
    { text = '{"a":1 "b":2}', value = { a = 1, b = 2 } },
    { text = "{1:2}", value = { [1] = 2 } },
    { text = "[/* c */1]", value = { 1 } },
    { text = "007", value = 7 },
    { text = "[.5,1.,-.5e1]", value = { 0.5, 1, -5 } },
    { text = "1 2", value = 1, position = 2 },
    { text = "trueish", value = true, position = 5 },
  }, function(case)
    T.returns(T.pack(case.value, case.position or #case.text + 1), json.decode, case.text)
  end)
  T.returns({ n = 2, { 2 }, 8 }, json.decode, "[1] [2]", 4)
end

function TestJson4Lua:test_errors()
  T.raises("Unterminated JSON encoded object found at position in []", json.decode, "")
  T.raises("Unterminated JSON encoded object found at position in [[1]]", json.decode, "[1]", 4)
  T.raises("JSON String ended unexpectedly scanning array.", json.decode, "[1")
  T.raises("JSON string ended unexpectedly while scanning object.", json.decode, '{"a":1')
  T.raises("JSON string ended unexpectedly searching for value of key", json.decode, '{"a":')
  T.raises("JSON object key-value assignment mal-formed at 6", json.decode, '{"a" 1}')
  T.raises("Failed to scan constant from string [1,] at starting position 4", json.decode, "[1,]")
  T.raises("Failed to scan number in JSON string at position 1", json.decode, "1-2")
  T.raises("String decoding failed: bad Unicode escape at position 2", json.decode, '"\\u12"')
  T.raises("String decoding failed: missing closing quote for string at position 2", json.decode, '["a')
  T.raises("Unterminated comment in string at 2", json.decode, " /* x")
  T.raises("JSON object key is null at 6", json.decode, "{null:1}")
  T.raises_with("bad argument #1", json.decode)
  T.raises_with("bad argument #2", json.decode, "[]", 0)
end

-- Input with which JSON4Lua hangs or overflows the stack gives an error or a value.
function TestJson4Lua:test_hostile()
  T.raises("JSON String ended unexpectedly scanning array.", json.decode, ("["):rep(100000))
  T.contains(T.error_of(json.decode, ("[ "):rep(100000) .. "/**/"):sub(1, 70), "Unterminated JSON encoded object found")
  lu.assertEquals(select(2, json.decode(("["):rep(100000) .. ("]"):rep(100000))), 200001)
  local cycle = { {} }
  cycle[1][1] = cycle
  T.raises("encode attempt to encode a circular reference", json.encode, cycle)
  local deep = json.null
  for _ = 1, 100000 do deep = { deep } end
  lu.assertEquals(#json.encode(deep), 200004)
end
