-- SPDX-License-Identifier: MIT
-- test_json4lua.lua -- fleece.json4lua: what JSON4Lua 1.0.1 does, as its source says, and where docs/json4lua.md says
-- otherwise.

local T = require "support"
local lu = T.lu
local json = require "fleece.json4lua"

TestJson4Lua = {}

local function text(value, expected) T.same(json.encode(value), expected) end

local function fails(message, f, ...)
  local ok, got = pcall(f, ...)
  lu.assertFalse(ok)
  lu.assertEquals(got, message)
end

local function reads(s, expected, behind)
  local got, at = json.decode(s)
  lu.assertEquals(got, expected, s)
  lu.assertEquals(at, behind or #s + 1, s)
end

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
  text(nil, "null")
  text(json.null, "null")
  text({ json.null, a = json.null }, '{"1":null,"a":null}')
  text({ json.null }, "[null]")
  text(true, "true")
  text(12, "12")
  text(0.1, "0.1")
  text(1 / 3, tostring(1 / 3))
  text("a/b\"\\\n\127\200", '"a\\/b\\"\\\\\\n\127\200"')
  text("\0\31", '"\\u0000\\u001F"') -- raw there
  text({}, "[]")
  text(json.EMPTY_ARRAY, "[]")
  text(json.EMPTY_OBJECT, "{}")
  text({ json.EMPTY_OBJECT, json.EMPTY_ARRAY, {} }, "[{},[],[]]")
  text({ 1, nil, 3 }, "[1,null,3]")
  text({ [4] = 1 }, "[null,null,null,1]")
  text({ n = 3 }, "[]")
  text({ 1, n = 3 }, "[1]")
  text({ [0] = 1 }, '{"0":1}')
  text({ [1.5] = 1 }, '{"1.5":1}')
  text({ [true] = 1 }, '{"true":1}')
end

-- What has no text is left out of objects, and makes one of an array.
function TestJson4Lua:test_unsupported()
  text({ f = print }, "[]")
  text({ a = 1, f = print, [print] = 2 }, '{"a":1}')
  text({ 1, f = print }, "[1]")
  text({ 1, print }, '{"1":1}')
  for _, v in ipairs { print, io.stdout, coroutine.create(function() end) } do
    local ok, message = pcall(json.encode, v)
    lu.assertFalse(ok)
    T.contains(message, "encode attempt to encode unsupported type " .. type(v) .. ":")
  end
  fails("encode attempt to encode a table as a name", json.encode, { [{}] = 1 })
  fails("encode attempt to encode NaN or an infinity", json.encode, { 0 / 0 })
  fails("encode attempt to encode NaN or an infinity", json.encode, -1 / 0)
  fails("encode attempt to encode an array that is too long", json.encode, { [2 ^ 40] = 1 })
end

function TestJson4Lua:test_metatables()
  text(setmetatable({ 1 }, { __index = function(_, k) return k end }), "[1]")
  text(setmetatable({ [3] = 1 }, { __index = { 7, 8 } }), "[7,8,1]")
  if T.version == "Lua 5.1" or T.version == "LuaJIT" then return end
  text(setmetatable({}, { __pairs = function() return next, { a = 1 } end }), '{"a":1}')
  fails("raised", json.encode, setmetatable({}, { __pairs = function() error("raised", 0) end }))
end

function TestJson4Lua:test_decode()
  reads('{"a":[1,2.5,true,false,null,"x"]}', { a = { 1, 2.5, true, false, nil, "x" } })
  reads("[1,null,3]", { 1, nil, 3 })
  reads("null", nil)
  reads('"\\u00e9\\ud83d\\ude00\\q"', "\195\169\240\159\152\128q")
  reads("'it\"s \\' it'", 'it"s \' it')
  reads('"tab\there\0"', "tab\there\0")
  reads("[1 2]", { 1, 2 })
  reads("[,1]", { 1 })
  reads('{"a":1 "b":2}', { a = 1, b = 2 })
  reads("{1:2}", { [1] = 2 })
  reads("[/* c */1]", { 1 })
  reads("007", 7)
  reads("[.5,1.,-.5e1]", { 0.5, 1, -5 })
  reads("1 2", 1, 2)
  reads("trueish", true, 5)
  local value, at = json.decode("[1] [2]", 4)
  lu.assertEquals(value, { 2 })
  lu.assertEquals(at, 8)
end

function TestJson4Lua:test_errors()
  fails("Unterminated JSON encoded object found at position in []", json.decode, "")
  fails("Unterminated JSON encoded object found at position in [[1]]", json.decode, "[1]", 4)
  fails("JSON String ended unexpectedly scanning array.", json.decode, "[1")
  fails("JSON string ended unexpectedly while scanning object.", json.decode, '{"a":1')
  fails("JSON string ended unexpectedly searching for value of key", json.decode, '{"a":')
  fails("JSON object key-value assignment mal-formed at 6", json.decode, '{"a" 1}')
  fails("Failed to scan constant from string [1,] at starting position 4", json.decode, "[1,]")
  fails("Failed to scan number in JSON string at position 1", json.decode, "1-2")
  fails("String decoding failed: bad Unicode escape at position 2", json.decode, '"\\u12"')
  fails("String decoding failed: missing closing quote for string at position 2", json.decode, '["a')
  fails("Unterminated comment in string at 2", json.decode, " /* x")
  fails("JSON object key is null at 6", json.decode, "{null:1}")
  T.contains(T.raises(json.decode), "bad argument #1")
  T.contains(T.raises(json.decode, "[]", 0), "bad argument #2")
end

-- What hangs, overflows or never ends there is an error or a value here.
function TestJson4Lua:test_hostile()
  fails("JSON String ended unexpectedly scanning array.", json.decode, ("["):rep(100000))
  T.contains(T.raises(json.decode, ("[ "):rep(100000) .. "/**/"):sub(1, 70), "Unterminated JSON encoded object found")
  lu.assertEquals(select(2, json.decode(("["):rep(100000) .. ("]"):rep(100000))), 200001)
  local cycle = { {} }
  cycle[1][1] = cycle
  fails("encode attempt to encode a circular reference", json.encode, cycle)
  local deep = json.null
  for _ = 1, 100000 do deep = { deep } end
  lu.assertEquals(#json.encode(deep), 200004)
end
