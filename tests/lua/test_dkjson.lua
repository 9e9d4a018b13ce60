-- SPDX-License-Identifier: MIT
-- test_dkjson.lua -- fleece.dkjson: dkjson's documented results, its error texts and positions, and where it differs on
-- purpose. Expectations are from dkjson's manual and from dkjson 2.6 itself; see docs/dkjson.md.

local T = require "support"
local lu = T.lu
local json = require "fleece.dkjson"

TestDkjson = {}

local function text(value, state, expected) lu.assertEquals(json.encode(value, state), expected) end
local function fails(expected, ...)
  local ok, message = pcall(json.encode, ...)
  lu.assertFalse(ok)
  lu.assertEquals(message, expected)
end
local function hooked(f) return setmetatable({}, { __tojson = f }) end

function TestDkjson:test_module()
  lu.assertEquals(json.version, "dkjson 2.6")
  lu.assertEquals(json.encode(json.null), "null")
  lu.assertEquals(getmetatable(json.null).__tojson(), "null")
  local lpeg = json.use_lpeg()
  lu.assertTrue(lpeg.using_lpeg)
  lu.assertNil(json.using_lpeg)
  lu.assertEquals(lpeg, lpeg.use_lpeg())
  lu.assertEquals(lpeg.null, json.null)
  for _, name in ipairs { "encode", "decode", "quotestring", "addnewline", "encodeexception" } do
    lu.assertEquals(type(lpeg[name]), "function")
  end
  lu.assertEquals(require("fleece").encode { json.null, 1 }, "[null,1]")
end

function TestDkjson:test_numbers()
  text(3, nil, "3")
  text(0.1 + 0.2, nil, T.version == "Lua 5.5" and "0.30000000000000004" or "0.3")
  text({ 2.0 ^ 70 }, nil, T.version == "Lua 5.5" and "[1.1805916207174113e+21]" or "[1.1805916207174e+21]")
  text({ 1 / 0, -1 / 0, 0 / 0 }, nil, "[null,null,null]")
  for _, n in ipairs { 1.0, -0.0, 1e15, 1e14, 99999999999999.5, 0.1, 1 / 3, 1e100, 5e-324, 123456789012345678, 2 ^ 53 } do
    text(n, nil, tostring(n))
    text({ n }, nil, "[" .. tostring(n) .. "]")
    text({ [-0.5] = n }, nil, '{"-0.5":' .. tostring(n) .. "}")
  end
end

function TestDkjson:test_strings()
  text('"\\/\b\f\n\r\t\0\31\127', nil, [["\"\\/\b\f\n\r\t\u0000\u001f\u007f"]])
  text("\194\128\194\173\216\128\220\143\225\158\180\226\128\140\226\128\168\226\129\160\239\187\191\239\191\176", nil,
    [["\u0080\u00ad\u0600\u070f\u17b4\u200c\u2028\u2060\ufeff\ufff0"]])
  text("\194\160\228\184\150\240\159\152\128\255", nil, '"\194\160\228\184\150\240\159\152\128\255"')
  text({ ["\226\128\168"] = ("x"):rep(9000) .. "\226\128\169" }, nil, '{"\\u2028":"' .. ("x"):rep(9000) .. '\\u2029"}')
  lu.assertEquals(json.quotestring "a\n", '"a\\n"')
end

function TestDkjson:test_arrays()
  text({}, nil, "[]")
  text(setmetatable({}, { __jsontype = "object" }), nil, "{}")
  text(setmetatable({}, { __jsontype = "object" }), { indent = true }, "{\n}")
  text(setmetatable({ 1 }, { __jsontype = "object" }), nil, "[1]")
  text({ 1, nil, 3 }, nil, "[1,null,3]")
  text({ [10] = 1 }, nil, "[" .. ("null,"):rep(9) .. "1]")
  text({ [11] = 1 }, nil, '{"11":1}')
  text({ [11] = 1, n = 11 }, nil, "[" .. ("null,"):rep(10) .. "1]")
  text({ n = 2 }, nil, "[null,null]")
  text({ n = "2" }, nil, '{"n":"2"}')
  text({ n = 0 }, nil, "[]")
  text({ 1, n = 2.5 }, nil, "[1,null]") -- dkjson: [1,null,]
  text({ [0] = 1 }, nil, '{"0":1}')
  text(setmetatable({ nil, 2 }, { __index = function(_, i) return -i end }), nil, "[-1,2]")
  fails("the field n is too large for a length", { n = 1e300 })
end

function TestDkjson:test_indent()
  text({ { a = { 1, { b = 2 } } } }, { indent = true }, '[{\n    "a":[1,{\n        "b":2\n      }]\n  }]')
  text({ a = 1 }, { indent = true, level = 2 }, '{\n      "a":1\n    }')
  local state = { indent = true, level = 1, buffer = { "x" } }
  json.addnewline(state)
  lu.assertEquals(state, { indent = true, level = 1, buffer = { "x", "\n", "  " }, bufferlen = 3 })
end

function TestDkjson:test_order()
  local t = { c = 1, a = 2, b = false }
  text(t, { keyorder = { "a", "b", "c" } }, '{"a":2,"b":false,"c":1}')
  text(setmetatable(t, { __jsonorder = { "b", "c", "a", "b" } }), { keyorder = { "a" } }, '{"b":false,"c":1,"a":2}')
  text(setmetatable({}, { __jsonorder = { "x" }, __index = { x = 1 }, __jsontype = "object" }), nil, '{"x":1}')
  text({ [2] = "b", x = "a" }, { keyorder = { 2, "x" } }, '{"2":"b","x":"a"}')
end

function TestDkjson:test_hooks()
  text({ 1, hooked(function() return "2" end), 3 }, nil, "[1,2,3]")
  local given = {}
  text({ 1, hooked(function(self, state)
    lu.assertEquals(state, given)
    lu.assertEquals(table.concat(state.buffer, "", 1, state.bufferlen), "[1,")
    state.bufferlen = state.bufferlen + 1
    state.buffer[state.bufferlen] = "two"
    return true
  end) }, given, "[1,two]")
  lu.assertEquals(given, {})
  text({ a = hooked(function(_, state) return json.encode({ 1 }, { level = state.level }) end) }, nil, '{"a":[1]}')
  fails("custom encoder failed", { hooked(function() end) })
  fails("why", { hooked(function() return nil, "why" end) })
  local object = {}
  local ok, message = pcall(json.encode, { hooked(function() error(object) end) }, given)
  lu.assertFalse(ok)
  lu.assertIs(message, object)
  lu.assertEquals(given, {})
  text(setmetatable({}, setmetatable({}, { __index = { __tojson = function() return "inherited" end } })), nil, "inherited")
end

function TestDkjson:test_exceptions()
  local cycle = {}
  cycle[1] = cycle
  fails("reference cycle", cycle)
  fails("type 'function' is not supported by JSON.", { print })
  fails("type 'boolean' is not supported as a key by JSON.", { [true] = 1 })
  local state = { exception = json.encodeexception }
  text({ print }, state, [=[["<type 'function' is not supported by JSON.>"]]=])
  text(cycle, state, '["<reference cycle>"]')
  text({ hooked(function() return nil, "why" end) }, state, '["<why>"]')
  local reason, value, got, message
  text({ print }, { exception = function(...) reason, value, got, message = ... return "0" end }, "[0]")
  lu.assertEquals({ reason, value, message }, { "unsupported type", print, "type 'function' is not supported by JSON." })
  lu.assertEquals(type(got), "table")
  fails("mine", { print }, { exception = function() return nil, "mine" end })
  state = { exception = function(_, _, own) own.exception = nil return '"once"' end }
  fails("type 'function' is not supported by JSON.", { print, print }, state) -- the handler of that moment
  local late = hooked(function(_, own) own.exception = json.encodeexception return "0" end)
  text({ late, print }, {}, [=[[0,"<type 'function' is not supported by JSON.>"]]=])
  text({ print }, setmetatable({}, { __index = { exception = json.encodeexception } }),
    [=[["<type 'function' is not supported by JSON.>"]]=])
  local where = select(2, pcall(function() return (json.encode(print)) end))
  lu.assertStrMatches(where, ".*test_dkjson.lua:%d+: type 'function' is not supported by JSON%.")
end

-- A program may stream: nothing is kept in the buffer.
function TestDkjson:test_buffer_that_sends_on()
  local sent, full = {}, nil
  local buffer = setmetatable({}, { __newindex = function(_, i, s)
    if full then error(full, 0) end
    lu.assertEquals(i, #sent + 1)
    sent[i] = s
  end })
  local hooked = setmetatable({}, { __tojson = function() return "2" end })
  local state = { buffer = buffer }
  lu.assertEquals(json.encode({ 1, hooked, { a = 3 }, "x" }, state), true)
  lu.assertEquals(table.concat(sent), '[1,2,{"a":3},"x"]')
  lu.assertEquals(state.bufferlen, #sent)
  lu.assertTrue(#sent >= 2) -- what comes before a hook has gone when it is called
  state.indent = true
  json.addnewline(state)
  lu.assertEquals(table.concat(sent, "", #sent - 1), "\n")
  lu.assertNil(next(buffer))
  full = { "full" }
  for _, value in ipairs { { 1 }, { 1, hooked } } do
    local ok, message = pcall(json.encode, value, { buffer = buffer })
    lu.assertFalse(ok)
    lu.assertEquals(message, full)
  end
  lu.assertEquals(json.encode { 1, hooked }, "[1,2]")
end

function TestDkjson:test_buffer()
  local state = { buffer = { "a" }, bufferlen = 1 }
  lu.assertTrue(json.encode({ 1 }, state))
  lu.assertEquals(table.concat(state.buffer, "", 1, state.bufferlen), "a[1]")
  for _, left in ipairs { { bufferlen = 7 }, { bufferlen = 0, indent = true }, { buffer = false } } do
    text({ 1 }, left, "[1]") -- as dkjson, which sets them to nil at the end
    lu.assertEquals({ left.bufferlen, left.buffer }, {})
  end
  local tables = {}
  text({ { 1 } }, { tables = tables }, "[[1]]")
  lu.assertEquals(tables, {})
  local t = {}
  fails("reference cycle", { t }, { tables = { [t] = true } })
end

function TestDkjson:test_deep()
  local t = {}
  for _ = 1, 20000 do t = { t } end
  local s = json.encode(t)
  lu.assertEquals(s, ("["):rep(20001) .. ("]"):rep(20001))
  t = json.decode(s)
  for _ = 1, 20000 do t = t[1] end
  lu.assertNil(next(t))
  s = ("["):rep(20000) .. "1,," .. ("]"):rep(20000)
  lu.assertEquals({ select(2, json.decode(s)) }, { 20003, "no valid JSON value at line 1, column 20003" })
end

-- ---- decode ------------------------------------------------------------------------------------------------

local function reads(s, value, position, ...)
  local got, where = json.decode(s, ...)
  lu.assertEquals(got, value, s)
  lu.assertEquals(where, position, s)
end

local function wrong(s, position, message)
  local results = { n = select("#", json.decode(s)), json.decode(s) }
  lu.assertEquals(results, { n = 3, nil, position, message }, s)
end

function TestDkjson:test_decode()
  reads('{"a":[1,2.5,"x",true,false]} rest', { a = { 1, 2.5, "x", true, false } }, 29)
  reads("[1] [2]", { 2 }, 8, 4)
  reads("[1] [2]", { 2 }, 8, -3)
  reads("null", nil, 5)
  reads("[null,1]", { nil, 1 }, 9)
  reads("[null,1]", { "N", 1 }, 9, 1, "N")
  reads('{"a":1,"a":null}', {}, 17)
  reads("1e400", 1 / 0, 6)
end

function TestDkjson:test_decode_metatables()
  local v = json.decode '{"a":[{}]}'
  lu.assertEquals(getmetatable(v), { __jsontype = "object" })
  lu.assertEquals(getmetatable(v.a), { __jsontype = "array" })
  lu.assertIs(getmetatable(v.a[1]), getmetatable(v))
  lu.assertNotIs(getmetatable(json.decode "{}"), getmetatable(v))
  lu.assertEquals(json.encode(v), '{"a":[{}]}')
  v = json.decode('{"a":[]}', 1, nil, nil)
  lu.assertNil(getmetatable(v))
  lu.assertNil(getmetatable(v.a))
  local object, array = {}, {}
  v = json.decode('{"a":[]}', 1, nil, object, array)
  lu.assertIs(getmetatable(v), object)
  lu.assertIs(getmetatable(v.a), array)
  v = json.decode('{"a":[]}', 1, nil, { __newindex = function(t, k, item) rawset(t, k .. k, item) end })
  lu.assertEquals(v, { aa = {} })
  local made, finalized = 3, 0 -- a text that is no JSON is not read twice for finalizers to see
  local counting = { __gc = function() finalized = finalized + 1 end }
  lu.assertEquals(#json.decode("[{},{},{},]", 1, nil, counting), made)
  collectgarbage()
  collectgarbage()
  lu.assertEquals(finalized, rawget(_G, "newproxy") and 0 or made) -- tables have finalizers from 5.2 on
end

function TestDkjson:test_loose()
  reads("[1 2]", { 1, 2 }, 6)
  reads("{1,2}", { 1, 2 }, 6)
  reads('["a":1]', { a = 1 }, 8)
  reads("{1:2}", { 2 }, 6)
  reads("[1,2,]", { 1, 2 }, 7)
  reads("[.5,1.,-.5,007]", { 0.5, 1.0, -0.5, 7 }, 16)
  reads('"\\q\\u12"', "qu12", 9)
  reads('"\\ud83d\\ude00\\ud800"', "\240\159\152\128\237\160\128", 21)
  reads('"\1\n\255"', "\1\n\255", 6)
  reads("\239\187\191 // c\n /* c */ [ /**/ ]", {}, 27)
end

function TestDkjson:test_faults()
  wrong("", 1, "no valid JSON value (reached the end)")
  wrong(" // c", 6, "no valid JSON value (reached the end)")
  wrong("\n  x", 4, "no valid JSON value at line 2, column 3")
  wrong("[1,,2]", 4, "no valid JSON value at line 1, column 4")
  wrong('{"a":1', 7, "unterminated object at line 1, column 1")
  wrong("[[1]\n", 6, "unterminated array at line 1, column 1")
  wrong('[\n"abc', 7, "unterminated string at line 2, column 1")
  wrong("{null:1}", 6, "cannot use nil as table index (at line 1, column 6)")
  wrong("1-2", 1, "no valid JSON value at line 1, column 1")
  wrong("truex", 1, "no valid JSON value at line 1, column 1")
  wrong("[1.5.2]", 2, "no valid JSON value at line 1, column 2")
end

function TestDkjson:test_arguments()
  lu.assertErrorMsgContains("bad argument #2", json.encode, 1, "x")
  lu.assertErrorMsgContains("field 'keyorder' must be a table", json.encode, 1, { keyorder = "a" })
  lu.assertErrorMsgContains("bad argument #1", json.decode)
  lu.assertErrorMsgContains("bad argument #4", json.decode, "[]", 1, nil, 5)
  lu.assertErrorMsgContains("bad argument #1", json.quotestring, {})
end

-- Lists and states stay alive while a collector is at work in hooks.
function TestDkjson:test_gc()
  local t = {}
  for i = 1, 20 do t["k" .. i] = hooked(function() collectgarbage() return "1" end) end
  local order = {}
  for i = 20, 1, -1 do order[#order + 1] = "k" .. i end
  local expected = {}
  for i = 1, 20 do expected[i] = '"' .. order[i] .. '":1' end
  for _ = 1, 5 do text(t, { keyorder = order }, "{" .. table.concat(expected, ",") .. "}") end
end
