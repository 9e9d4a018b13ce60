-- SPDX-License-Identifier: MIT
-- test_dkjson.lua -- fleece.dkjson: dkjson's documented results, its error messages and positions, and the differences
-- on purpose. Expected results come from dkjson's manual and from running dkjson 2.6 and 2.8; see docs/dkjson.md.

local T = require "support"
local lu = T.lu
local json = require "fleece.dkjson"

TestDkjson = {}

local J = T.library(json)

function TestDkjson:test_module()
  lu.assertEquals(json.version, "dkjson 2.8")
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
  J.encodes(3, "3")
  J.encodes(0.1 + 0.2, T.version == "Lua 5.5" and "0.30000000000000004" or "0.3")
  J.encodes({ 2.0 ^ 70 }, T.version == "Lua 5.5" and "[1.1805916207174113e+21]" or "[1.1805916207174e+21]")
  J.encodes({ 1 / 0, -1 / 0, 0 / 0 }, "[null,null,null]")
  for _, n in ipairs { 1.0, -0.0, 1e15, 1e14, 99999999999999.5, 0.1, 1 / 3, 1e100, 5e-324, 123456789012345678,
    2 ^ 53 } do
    J.encodes(n, tostring(n))
    J.encodes({ n }, "[" .. tostring(n) .. "]")
    J.encodes({ [-0.5] = n }, '{"-0.5":' .. tostring(n) .. "}")
  end
end

function TestDkjson:test_strings()
  J.encodes('"\\/\b\f\n\r\t\0\31\127', [["\"\\/\b\f\n\r\t\u0000\u001f\u007f"]])
  J.encodes("\194\128\194\173\216\128\220\143\225\158\180\226\128\140\226\128\168\226\129\160\239\187\191\239\191\176",
    [["\u0080\u00ad\u0600\u070f\u17b4\u200c\u2028\u2060\ufeff\ufff0"]])
  J.encodes("\194\160\228\184\150\240\159\152\128\255", '"\194\160\228\184\150\240\159\152\128\255"')
  J.encodes({ ["\226\128\168"] = ("x"):rep(9000) .. "\226\128\169" }, '{"\\u2028":"' .. ("x"):rep(9000) .. '\\u2029"}')
  lu.assertEquals(json.quotestring "a\n", '"a\\n"')
end

function TestDkjson:test_arrays()
  J.encodes({}, "[]")
  J.encodes(setmetatable({}, { __jsontype = "object" }), "{}")
  J.encodes(setmetatable({}, { __jsontype = "object" }), "{\n}", { indent = true })
  json.encode { ("x"):rep(2000) } -- what is written next is not there already
  J.encodes({ setmetatable({}, { __jsontype = "object" }), 1 }, "[{\n  },1]", { indent = true })
  J.encodes(setmetatable({ 1 }, { __jsontype = "object" }), "[1]")
  J.encodes({ 1, nil, 3 }, "[1,null,3]")
  J.encodes({ [10] = 1 }, "[" .. ("null,"):rep(9) .. "1]")
  J.encodes({ [11] = 1 }, '{"11":1}')
  J.encodes({ [11] = 1, n = 11 }, "[" .. ("null,"):rep(10) .. "1]")
  J.encodes({ n = 2 }, "[null,null]")
  J.encodes({ n = "2" }, '{"n":"2"}')
  J.encodes({ n = 0 }, "[]")
  J.encodes({ 1, n = 2.5 }, "[1,null]") -- dkjson: [1,null,]
  J.encodes({ [0] = 1 }, '{"0":1}')
  J.encodes(setmetatable({ nil, 2 }, { __index = function(_, i) return -i end }), "[-1,2]")
  J.rejects({ n = 1e300 }, "the field n is too large for a length")
end

function TestDkjson:test_indent()
  J.encodes({ { a = { 1, { b = 2 } } } }, '[{\n    "a":[1,{\n        "b":2\n      }]\n  }]', { indent = true })
  J.encodes({ a = 1 }, '{\n      "a":1\n    }', { indent = true, level = 2 })
  local state = { indent = true, level = 1, buffer = { "x" } }
  json.addnewline(state)
  lu.assertEquals(state, { indent = true, level = 1, buffer = { "x", "\n", "  " }, bufferlen = 3 })
end

function TestDkjson:test_order()
  local t = { c = 1, a = 2, b = false }
  J.encodes(t, '{"a":2,"b":false,"c":1}', { keyorder = { "a", "b", "c" } })
  J.encodes(setmetatable(t, { __jsonorder = { "b", "c", "a", "b" } }), '{"b":false,"c":1,"a":2}',
    { keyorder = { "a" } })
  J.encodes(setmetatable({}, { __jsonorder = { "x" }, __index = { x = 1 }, __jsontype = "object" }), '{"x":1}')
  J.encodes({ [2] = "b", x = "a" }, '{"2":"b","x":"a"}', { keyorder = { 2, "x" } })
end

function TestDkjson:test_hooks()
  J.encodes({ 1, T.hooked(function() return "2" end), 3 }, "[1,2,3]")
  local given = {}
  J.encodes({ 1, T.hooked(function(self, state)
    lu.assertEquals(state, given)
    lu.assertEquals(table.concat(state.buffer, "", 1, state.bufferlen), "[1,")
    state.bufferlen = state.bufferlen + 1
    state.buffer[state.bufferlen] = "two"
    return true
  end) }, "[1,two]", given)
  lu.assertEquals(given, {})
  J.encodes({ a = T.hooked(function(_, state) return json.encode({ 1 }, { level = state.level }) end) }, '{"a":[1]}')
  J.rejects({ T.hooked(function() end) }, "custom encoder failed")
  J.rejects({ T.hooked(function() return nil, "why" end) }, "why")
  local object = {}
  J.rejects({ T.hooked(function() error(object) end) }, object, given)
  lu.assertEquals(given, {})
  J.encodes(setmetatable({}, setmetatable({}, { __index = { __tojson = function() return "inherited" end } })),
    "inherited")
end

function TestDkjson:test_exceptions()
  local cycle = {}
  cycle[1] = cycle
  J.rejects(cycle, "reference cycle")
  J.rejects({ print }, "type 'function' is not supported by JSON.")
  J.rejects({ [true] = 1 }, "type 'boolean' is not supported as a key by JSON.")
  local state = { exception = json.encodeexception }
  J.encodes({ print }, [=[["<type 'function' is not supported by JSON.>"]]=], state)
  J.encodes(cycle, '["<reference cycle>"]', state)
  J.encodes({ T.hooked(function() return nil, "why" end) }, '["<why>"]', state)
  local reason, value, got, message
  J.encodes({ print }, "[0]", { exception = function(...)
    reason, value, got, message = ...
    return "0"
  end })
  lu.assertEquals({ reason, value, message },
    { "unsupported type", print, "type 'function' is not supported by JSON." })
  lu.assertEquals(type(got), "table")
  J.rejects({ print }, "mine", { exception = function() return nil, "mine" end })
  state = { exception = function(_, _, own)
    own.exception = nil
    return '"once"'
  end }
  J.rejects({ print, print }, "type 'function' is not supported by JSON.", state) -- the second error finds no handler
  local late = T.hooked(function(_, own)
    own.exception = json.encodeexception
    return "0"
  end)
  J.encodes({ late, print }, [=[[0,"<type 'function' is not supported by JSON.>"]]=], {})
  J.encodes({ print }, [=[["<type 'function' is not supported by JSON.>"]]=],
    setmetatable({}, { __index = { exception = json.encodeexception } }))
  local where = T.error_of(function() return (json.encode(print)) end)
  lu.assertStrMatches(where, ".*test_dkjson.lua:%d+: type 'function' is not supported by JSON%.")
end

-- The buffer may be a table that passes strings on and keeps nothing.
function TestDkjson:test_buffer_that_keeps_nothing()
  local sent, full = {}, nil
  local buffer = setmetatable({}, { __newindex = function(_, i, s)
    if full then error(full, 0) end
    lu.assertEquals(i, #sent + 1)
    sent[i] = s
  end })
  local hooked = T.hooked(function() return "2" end)
  local state = { buffer = buffer }
  lu.assertEquals(json.encode({ 1, hooked, { a = 3 }, "x" }, state), true)
  lu.assertEquals(table.concat(sent), '[1,2,{"a":3},"x"]')
  lu.assertEquals(state.bufferlen, #sent)
  lu.assertTrue(#sent >= 2) -- the text before a hook is written before the hook is called
  state.indent = true
  json.addnewline(state)
  lu.assertEquals(table.concat(sent, "", #sent - 1), "\n")
  lu.assertNil(next(buffer))
  full = { "full" }
  for _, value in ipairs { { 1 }, { 1, hooked } } do
    J.rejects(value, full, { buffer = buffer })
  end
  lu.assertEquals(json.encode { 1, hooked }, "[1,2]")
end

function TestDkjson:test_buffer()
  local state = { buffer = { "a" }, bufferlen = 1 }
  lu.assertTrue(json.encode({ 1 }, state))
  lu.assertEquals(table.concat(state.buffer, "", 1, state.bufferlen), "a[1]")
  for _, left in ipairs { { bufferlen = 7 }, { bufferlen = 0, indent = true }, { buffer = false } } do
    J.encodes({ 1 }, "[1]", left) -- dkjson sets them to nil at the end
    lu.assertEquals({ left.bufferlen, left.buffer }, {})
  end
  local tables = {}
  J.encodes({ { 1 } }, "[[1]]", { tables = tables })
  lu.assertEquals(tables, {})
  local t = {}
  J.rejects({ t }, "reference cycle", { tables = { [t] = true } })
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

function TestDkjson:test_decode()
  T.each({
    { text = '{"a":[1,2.5,"x",true,false]} rest', value = { a = { 1, 2.5, "x", true, false } }, position = 29 },
    { text = "[1] [2]", value = { 2 }, position = 8, from = 4 },
    { text = "[1] [2]", value = { 2 }, position = 8, from = -3 },
    { text = "null", position = 5 },
    { text = "[null,1]", value = { nil, 1 }, position = 9 },
    { text = "[null,1]", value = { "N", 1 }, position = 9, from = 1, null = "N" },
    { text = '{"a":1,"a":null}', value = {}, position = 17 },
    { text = "1e400", value = 1 / 0, position = 6 },
  }, function(case)
    T.returns({ n = 2, case.value, case.position }, json.decode, case.text, case.from, case.null)
  end)
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
  local made, finalized = 3, 0 -- a text that is not JSON must not create its tables twice
  local counting = { __gc = function() finalized = finalized + 1 end }
  lu.assertEquals(#json.decode("[{},{},{},]", 1, nil, counting), made)
  collectgarbage()
  collectgarbage()
  lu.assertEquals(finalized, rawget(_G, "newproxy") and 0 or made) -- tables have finalizers since 5.2
end

function TestDkjson:test_loose()
  T.each({
    { text = "[1 2]", value = { 1, 2 }, position = 6 },
    { text = "{1,2}", value = { 1, 2 }, position = 6 },
    { text = '["a":1]', value = { a = 1 }, position = 8 },
    { text = "{1:2}", value = { 2 }, position = 6 },
    { text = "[1,2,]", value = { 1, 2 }, position = 7 },
    { text = "[.5,1.,-.5,007]", value = { 0.5, 1.0, -0.5, 7 }, position = 16 },
    { text = '"\\q\\u12"', value = "qu12", position = 9 },
    { text = '"\\ud83d\\ude00\\ud800"', value = "\240\159\152\128\237\160\128", position = 21 },
    { text = '"\1\n\255"', value = "\1\n\255", position = 6 },
    { text = "\239\187\191 // c\n /* c */ [ /**/ ]", value = {}, position = 27 },
  }, function(case)
    T.returns({ n = 2, case.value, case.position }, json.decode, case.text, case.from, case.null)
  end)
end

function TestDkjson:test_faults()
  T.each({
    { text = "", position = 1, message = "no valid JSON value (reached the end)" },
    { text = " // c", position = 6, message = "no valid JSON value (reached the end)" },
    { text = "\n  x", position = 4, message = "no valid JSON value at line 2, column 3" },
    { text = "[1,,2]", position = 4, message = "no valid JSON value at line 1, column 4" },
    { text = '{"a":1', position = 7, message = "unterminated object at line 1, column 1" },
    { text = "[[1]\n", position = 6, message = "unterminated array at line 1, column 1" },
    { text = '[\n"abc', position = 7, message = "unterminated string at line 2, column 1" },
    { text = "{null:1}", position = 6, message = "cannot use nil as table index (at line 1, column 6)" },
    { text = "1-2", position = 1, message = "no valid JSON value at line 1, column 1" },
    { text = "truex", position = 1, message = "no valid JSON value at line 1, column 1" },
    { text = "[1.5.2]", position = 2, message = "no valid JSON value at line 1, column 2" },
  }, function(case)
    T.returns({ n = 3, nil, case.position, case.message }, json.decode, case.text)
  end)
end

-- The range of exponents in a text that is not JSON is that of tonumber: LuaJIT's ends below 1048576.
function TestDkjson:test_long_exponents()
  for _, number in ipairs { "1e1048575", "1.e+1048576", ".5E-1048576", "2.384e-0882239681284", "-1e-00000000000001",
    "1e" .. ("0"):rep(300) .. "2" } do
    local value = tonumber(number)
    local text = "[" .. number .. ",]"
    if value then T.returns({ n = 2, { value }, #text + 1 }, json.decode, text)
    else
      T.returns({ n = 3, nil, 2, "no valid JSON value at line 1, column 2" }, json.decode, text)
    end
  end
  if not tonumber "1e1048576" then
    T.returns({ n = 3, nil, 1, "no valid JSON value at line 1, column 1" }, json.decode, "2.384e-0882239681284e-06")
  else
    T.returns({ n = 3, nil, 22, "no valid JSON value at line 1, column 22" }, json.decode, "[2.384e-0882239681284e-06]")
  end
end

function TestDkjson:test_arguments()
  T.raises_with("bad argument #2", json.encode, 1, "x")
  T.raises_with("field 'keyorder' must be a table", json.encode, 1, { keyorder = "a" })
  T.raises_with("bad argument #1", json.decode)
  T.raises_with("bad argument #4", json.decode, "[]", 1, nil, 5)
  T.raises_with("bad argument #1", json.quotestring, {})
end

-- Lists and states stay alive while the collector runs in hooks.
function TestDkjson:test_gc()
  local t = {}
  for i = 1, 20 do
    t["k" .. i] = T.hooked(function()
      collectgarbage()
      return "1"
    end)
  end
  local order = {}
  for i = 20, 1, -1 do order[#order + 1] = "k" .. i end
  local expected = {}
  for i = 1, 20 do expected[i] = '"' .. order[i] .. '":1' end
  for _ = 1, 5 do J.encodes(t, "{" .. table.concat(expected, ",") .. "}", { keyorder = order }) end
end
