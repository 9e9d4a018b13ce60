-- SPDX-License-Identifier: MIT
-- test_luajson_decode.lua -- decode of fleece.luajson: the behaviour of LuaJSON 1.3.4, according to its source and
-- documents, and the differences that docs/luajson.md lists.
-- runs: in one layout

local T = require "support"
local lu = T.lu
local json = require "fleece.luajson"
local null, undefined, InitArray = json.util.null, json.util.undefined, json.util.InitArray

TestLuaJsonDecode = {}

local J = T.library(json)

-- ---- decode ------------------------------------------------------------------------------------------------

function TestLuaJsonDecode:test_decode()
  J.decodes('{"a":[1,2.5,true,null,"x"]}', { a = { 1, 2.5, true, null, "x" } })
  lu.assertTrue(json.util.IsArray(json.decode "[]"))
  lu.assertFalse(json.util.IsArray(json.decode "{}"))
  J.decodes("null", null)
  J.decodes("undefined", undefined)
  -- LuaJSON gives two times three bytes, which are not UTF-8
  J.decodes('"\\u00e9\\ud83d\\ude00"', "\195\169\240\159\152\128")
  J.decodes("[1,]", { 1 })
  J.decodes("{a:1,'b':2,3:4,null:5}", { a = 1, b = 2, [3] = 4, null = 5 })
  J.decodes("// x\n[1/* y */,Infinity,-infinity]", { 1, 1 / 0, -1 / 0 })
  J.decodes("'\\v\\x41\\''", "\vA'")
  J.decodes("\194\160[\226\128\137]\239\187\191", {})
  lu.assertTrue(json.decode "[nan]"[1] ~= json.decode "[NaN]"[1])
end

function TestLuaJsonDecode:test_modes()
  local simple, strict = json.decode.simple, json.decode.strict
  local t = json.decode('{"a":null,"b":[1,null,null]}', simple)
  lu.assertNil(t.a)
  lu.assertEquals(t.b, { 1, n = 3 })
  J.decodes("null", nil, simple)
  J.decodes("[1]", { 1 }, strict)
  T.each_pair({
    ["1"] = "Initial value not an object or array",
    ["[1,]"] = "Previous value not set",
    ['{"a":1,}'] = "Missing key value",
    ["{1:2}"] = "As configured, a key must be a string",
  }, function(s, message)
    J.refuses(s, message, true)
  end)
  J.decodes("0x1F", 31, { number = { hex = true } })
  J.decodes("[,1,,]", { undefined, 1, undefined }, { array = { allowEmptyElement = true } })
  J.decodes('["k"]', { "k" }, { strings = { badChars = "z" } })
  for _, nothing in ipairs { false, print, {} } do
    T.fails_with("string expected, got ", json.decode.getDecoder { nothrow = true }, nothing)
  end
  T.fails("Unclosed elements present", json.decode, "[1", { nothrow = true })
  lu.assertEquals(json.decode('{"1":2}', { object = { setObjectKey = json.decode.util.setObjectKeyForceNumber } }),
    { 2 })
  T.raises("raised", json.decode, '{"1":2}', { object = { setObjectKey = function() error("raised", 0) end } })
end

-- A name becomes a key at the comma after its value, after all tokens have been read.
function TestLuaJsonDecode:test_name_that_is_nan()
  local mode = { nothrow = true, object = { identifier = false } }
  T.each_pair({
    ["{NaN:1}"] = "table index is NaN",
    ["{1:2,NaN:undefined,3}"] = "table index is NaN",
    ["[{NaN:[1]}"] = "table index is NaN",
    ["{NaN:1 2}"] = "Value set when one already in slot",
    ["{NaN:}"] = "Previous value not set",
    ["{NaN:1} x"] = "unexpected character @ character: 9 0:9 [x] line:\n{NaN:1} x",
  }, function(s, wanted)
    T.fails(wanted, json.decode, s, mode)
  end)
  J.refuses("{NaN:1}", "table index is NaN", { object = { identifier = false } })
  local function set(t, k, v) t[k == k and k or "none"] = v end
  J.decodes("{NaN:1,2:3}", { none = 1, [2] = 3 }, { object = { identifier = false, setObjectKey = set } })
end

-- Arrays are marked by the current function in json.util.
function TestLuaJsonDecode:test_init_array()
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

function TestLuaJsonDecode:test_decode_errors()
  T.each_pair({
    ["[tru]"] = "unexpected character @ character: 2 0:2 [t] line:\n[t",
    ["[1,\n2 x"] = "unexpected character @ character: 7 1:3 [x] line:\n2 x",
    ["[01]"] = "'Octal numbers' denied @ character: 2 0:2 [0] line:\n[0",
    ["0x1"] = "'Hexadecimal' denied by option set 'number.hex' @ character: 1 0:1 [0] line:\n0",
    ['"a'] = 'unexpected character @ character: 1 0:1 ["] line:\n"',
    ['"\\q"'] = 'Illegal escape in string ["q"] @ 0:3',
    ['"\\x4"'] = 'Illegal hex escape in string ["4"] @ 0:4',
    ['"\\u12"'] = 'Illegal unicode escape in string ["1"] @ 0:4',
    ["[1 2] %"] = "unexpected character @ character: 7 0:7 [%] line:\n[1 2] %", -- reported before the error at byte 4
  }, function(s, message)
    T.raises_ending(message, json.decode, s)
  end)
  T.each_pair({
    ["[1 2]"] = "Value set when one already in slot",
    ["[,]"] = "Previous value not set",
    ["{,}"] = "Missing key value",
    ["[1:2]"] = "Cannot set key on array",
    ["{[1]:2}"] = "As configured, a key must be a number or string",
    ["[[1]"] = "Unclosed elements present",
    [""] = "No value present",
    ["[1}"] = "Brackets do not match",
    ['{"a"}'] = "Missing key value",
    ['{"a":1:2}'] = "Key set when one already in slot",
    ["[1]]"] = "Brackets do not match",
    ["1,2"] = "Comma outside of an object or array",
    ["[1[2]]"] = "Value set when one already in slot",
  }, function(s, message)
    J.refuses(s, message)
  end)
end

-- ---- calls and functions in texts ----------------------------------------------------------------------------

local function call(name, ...) return json.util.buildCall(name, ...) end

-- "Specifies if undefined call definitions are decoded as call objects."
function TestLuaJsonDecode:test_decode_calls()
  local any = { calls = { allowUndefined = true } }
  local value = json.decode("[f(1,null,g()), {\"k\":h([2],)}]", any)
  lu.assertEquals(value, { call("f", 1, null, call "g"), { k = call("h", { 2 }) } })
  lu.assertTrue(json.util.isCall(value[1]))
  lu.assertEquals(json.encode(value), '[f(1,null,g()),{"k":h([2])}]')
  lu.assertEquals(select("#", json.decode("f(1,,)", { calls = { allowUndefined = true, allowEmptyElement = true } })),
    1)
  lu.assertEquals(json.decode("f(1,,)", { calls = { allowUndefined = true, allowEmptyElement = true } }),
    call("f", 1, undefined))
  J.decodes("[1]", { 1 }, any) -- texts without calls are read too
  J.refuses("f(1,)", "Previous value not set", { calls = { allowUndefined = true, trailingComma = false } })
  T.each_pair({
    ["f(,)"] = "Previous value not set",
    ["f(1 2)"] = "Value set when one already in slot",
    ["1 f(2)"] = "Value set when one already in slot",
    ["f(a:1)"] = "Cannot set key on array",
    ["[f(1]"] = "Brackets do not match",
    [")"] = "Brackets do not match",
    ["f(1"] = "Unclosed elements present",
    ["{f():1}"] = "As configured, a key must be a number or string",
  }, function(s, message)
    J.refuses(s, message, any)
  end)
  T.raises_with("unexpected character @ character: 1", json.decode, "f (1)", any)
  T.raises_with("unexpected character @ character: 1", json.decode, "f(1)")
  T.raises_with("unexpected character @ character: 2", json.decode, "[)]", { calls = { defs = {} } })
  T.raises_with("unexpected character @ character: 4", json.decode, "[1](", any)
  J.refuses("f(1)", "Initial value not an object or array",
    { initialObject = true, calls = { defs = { f = function() return 1 end } } })
  -- a call object counts as a table
  lu.assertEquals(json.decode("f(1)", { initialObject = true, calls = any.calls }), call("f", 1))
  local build = json.util.buildCall
  json.util.buildCall = function(name, ...) return { name .. "!", ... } end
  local ok, built = pcall(json.decode, "f(1)", any)
  json.util.buildCall = build
  lu.assertTrue(ok)
  lu.assertEquals(built, { "f!", 1 })
end

-- "If boolean value, determines if allowed or not, decoded as a call object. Function return-value is the decoded
-- result."
function TestLuaJsonDecode:test_decode_defs()
  local defs = {
    f = function(...) return { n = select("#", ...), ... } end,
    none = function() end,
    five = function() return 5, 6 end,
    yes = true,
    no = false,
    ["a.b"] = true,
    raises = function() error("raised", 0) end,
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
  T.raises("raised", decode, "raises(1)")
  T.raises_ending("Function call on 'no' not permitted", decode, "no(1)")
  -- before the missing bracket is reported, but
  T.raises_ending("Function call on 'no' not permitted", decode, "[no(1)")
  T.raises_with("unexpected character @ character: 7", decode, "no(1) %") -- all tokens are read first
  T.raises_with("unexpected character @ character: 1", decode, "other(1)")
  T.fails("Function call on 'no' not permitted", json.decode, "no(1)", { nothrow = true, calls = { defs = defs } })
  defs.five = nil -- the decoder has its own copy
  lu.assertEquals(decode "five()", 5)
  lu.assertEquals(json.decode("yes()", { calls = { allowUndefined = true, defs = { yes = function() return 1 end } } }),
    call "yes")
  T.each_pair({
    ["Invalid functionCalls name: 1 not a string or LPEG pattern"] = { true },
    ["Invalid functionCalls item: f not a function"] = { f = 1 },
    ["Invalid functionCalls name: true not a string or LPEG pattern"] = { [true] = true },
    ["option 'calls.defs' must be a table"] = 5,
  }, function(message, wrong_defs)
    T.raises_ending(message, json.decode.getDecoder, { calls = { defs = wrong_defs } })
  end)
end

-- A function instead of a pattern works as with lpeg.P: it gets a position in the text and returns the next position
-- and a value.
function TestLuaJsonDecode:test_decode_escapes()
  local seen = {}
  local unicode = { strings = { decodeUnicode = function(a, b)
    seen[#seen + 1] = a .. b
    return "<" .. tonumber(b, 16) .. ">", 1
  end } }
  J.decodes('["\\u0041x\\ud83d\\ude00\\n"]', { "<65>x<61><0>\n" }, unicode)
  lu.assertEquals(seen, { "0041", "d83d", "de00" })
  J.decodes('"\\u0041"', "u0041", { strings = { decodeUnicode = function() end } }) -- like LPeg's substitutions
  T.raises_ending("invalid replacement value (a nil)", json.decode, '"\\u0041"',
    { strings = { decodeUnicode = function() return nil end } })
  T.raises_ending('Illegal unicode escape in string ["1"] @ 0:4', json.decode, '"\\u12"', unicode)
  local more = { strings = { additionalEscapes = function(text, place)
    local c = text:sub(place, place)
    if c == "q" then
      return place + 1, "Q"
    elseif c == "w" then return true, "W" elseif c == "n" then return place + 2 end
  end } }
  J.decodes('"\\q\\wz\\nx\\t"', "QWwz\t", more)
  T.raises_ending('Illegal escape in string ["k"] @ 0:3', json.decode, '"\\k"', more)
  local check = { strings = { escapeCheck = function(text, place) return (text:find("^[nu]", place)) end } }
  J.decodes([["\n\u0041"]], "\nA", check)
  T.raises_ending('Illegal escape in string ["t"] @ 0:3', json.decode, '"\\t"', check)
  for _, place in ipairs { 0, 1, 99, "x", 0 / 0 } do -- called at byte 3 of a text of 4 bytes
    T.raises_ending("invalid place in the text returned", json.decode, '"\\n"',
      { strings = { escapeCheck = function() return place end } })
  end
  T.raises_ending("invalid replacement value (a table)", json.decode, '"\\q"',
    { strings = { additionalEscapes = function(_, place) return place, {} end } })
  T.raises("raised", json.decode, '"\\q"', { strings = { additionalEscapes = function() error("raised", 0) end } })
  J.decodes('["' .. ("\\q"):rep(9000) .. '"]', { ("Q"):rep(9000) }, more)
  T.raises_ending("option 'strings.decodeUnicode' must be a function", json.decode, "1",
    { strings = { decodeUnicode = {} } })
  J.decodes('"a\\\\"', "a\\", { strings = { badChars = "\\k" } }) -- a backslash always begins an escape
end

function TestLuaJsonDecode:test_patterns()
  local there, lpeg = pcall(require, "lpeg")
  local loaded = package.loaded.lpeg
  package.loaded.lpeg = nil
  local why = T.error_of(json.decode, "1", { strings = { escapeCheck = io.stdout } })
  package.loaded.lpeg = loaded
  T.ends(why, "option 'strings.escapeCheck' is a userdata, but LPeg is not loaded")
  if not there then lu.skip(T.no_package .. ": no LPeg (Debian: lua-lpeg)") end
  local P, S, C, R = lpeg.P, lpeg.S, lpeg.C, lpeg.R
  local function strings(s, expected, options) J.decodes(s, expected, { strings = options }) end
  strings('"\\k\\n"', "kn", { additionalEscapes = C(1) }) -- the example of LuaJSON's documentation
  strings('"\\long\\n"', "L\n", { additionalEscapes = P "long" / "L" })
  strings('"\\lit"', "lit", { additionalEscapes = "lit" })
  strings('"\\n"', "\n", { escapeCheck = #S "n" })
  strings('"\\qn"', "q\n", { escapeCheck = P "q" }) -- it consumes what it checks
  T.raises_ending('Illegal escape in string ["t"] @ 0:3', json.decode, '"\\t"', { strings = { escapeCheck = #S "n" } })
  local function name(n, ...) return n .. select("#", ...) end
  local calls = { calls = { defs = { [C(P "m" * S "yY")] = name, [R "09" ^ 1 / tonumber] = name, [P "x"] = true } } }
  J.decodes("[my(1,2),mY(),12(3)]", { "my2", "mY0", "121" }, calls)
  lu.assertEquals(json.decode("x()", calls), call "x(") -- without a capture the name is the whole match
  T.raises_ending("Function call on 'my' not permitted", json.decode, "my()",
    { calls = { defs = { [C "my"] = false } } })
end

function TestLuaJsonDecode:test_calls_hostile()
  local any = { calls = { allowUndefined = true } }
  J.refuses(("f("):rep(100000), "Unclosed elements present", any)
  local deep = ("f("):rep(5000) .. "1" .. (")"):rep(5000)
  lu.assertEquals(json.encode(json.decode(deep, any)), deep)
  local count = { calls = { defs = { n = function(...) return select("#", ...) - 1 end } } }
  lu.assertEquals(json.decode("n(" .. ("1,"):rep(5000) .. ")", count), 5000)
  count.calls.allowEmptyElement = true
  lu.assertEquals(json.decode("n(" .. (","):rep(5000) .. ")", count), 5000)
  local many = (T.jit or T.version == "Lua 5.1") and 10000 or 1050000 -- more arguments than a call can have
  local ok, got = pcall(json.decode, "n(" .. (","):rep(many) .. ")", count)
  if ok then lu.assertEquals(got, many) else T.contains(got, "too many results to unpack") end
  local function collect_and_return(_, v)
    collectgarbage()
    return v
  end
  local function collect_and_decode()
    collectgarbage()
    return "u"
  end
  local collect = { calls = { defs = { c = collect_and_return } }, strings = { decodeUnicode = collect_and_decode } }
  J.decodes('[c("\\u0041"),{"\\u0041":c([c(1)])}]', { "u", { u = { 1 } } }, collect)
  local step = coroutine.wrap(function() return json.decode("y(2)", { calls = { defs = { y = coroutine.yield } } }) end)
  if T.version == "Lua 5.1" then -- its pcall cannot be left by a yield
    T.raises_with("attempt to yield across", step)
  else
    lu.assertEquals({ step() }, { "y", 2 })
    lu.assertEquals(step { 7 }, { 7 })
  end
end

-- Words without a separator. (The search for a ':' after each word once made this quadratic.)
function TestLuaJsonDecode:test_words_in_a_row()
  T.raises_with("Value set when one already in slot", json.decode, "[" .. ("null"):rep(500000) .. "]")
  T.raises_with("Value set when one already in slot", json.decode, ("Infinity"):rep(300000))
end
