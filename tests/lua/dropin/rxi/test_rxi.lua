-- SPDX-License-Identifier: MIT
-- test_rxi.lua -- fleece.rxi: the behaviour of rxi's json.lua 0.1.2, according to its source, and the differences that
-- docs/json.md lists.

local T = require "support"
local lu = T.lu
local json = require "fleece.rxi"

TestRxi = {}

local J = T.library(json)

function TestRxi:test_module()
  local names = {}
  for name in pairs(json) do names[#names + 1] = name end
  table.sort(names)
  lu.assertEquals(names, { "_version", "decode", "encode" })
  lu.assertEquals(json._version, "0.1.2")
  lu.assertEquals(dofile "compat/json.lua", json)
end

-- ---- encode ------------------------------------------------------------------------------------------------

function TestRxi:test_scalars()
  lu.assertEquals(json.encode(), "null")
  J.encodes(nil, "null")
  J.encodes(true, "true")
  J.encodes(false, "false")
  J.encodes("", '""')
  J.encodes(1, "1")
  J.encodes(-0.0, "-0")
  J.encodes(0.1, "0.1")
  J.encodes(1 / 3, "0.33333333333333")
  J.encodes(3.0, "3")
  J.encodes(1e15, "1e+15")
  J.encodes(123456789012345.0, "1.2345678901234e+14") -- a tie, rounded to even
  J.encodes(5e-324, "4.9406564584125e-324")
end

-- json.lua loses digits of these integers.
function TestRxi:test_integers()
  if not T.integers then return end
  J.encodes(math.maxinteger, "9223372036854775807")
  J.encodes({ 123456789012345678 }, "[123456789012345678]")
end

function TestRxi:test_strings()
  J.encodes("\0\1\8\9\10\11\12\13\31 \"\\/\127\128\255",
    '"\\u0000\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f \\"\\\\/\127\128\255"')
  J.encodes({ ["\"k\255"] = "\226\128\168" }, '{"\\"k\255":"\226\128\168"}')
  J.encodes({ ("x"):rep(20000) .. "\n" }, '["' .. ("x"):rep(20000) .. '\\n"]')
end

function TestRxi:test_tables()
  J.encodes({}, "[]")
  J.encodes({ {}, { {} } }, "[[],[[]]]")
  J.encodes({ a = { b = {} } }, '{"a":{"b":[]}}')
  J.encodes({ 1, "a", false, { x = 1 } }, '[1,"a",false,{"x":1}]')
  local t = { 1, 2, 3, x = 1 }
  t.x, t[3] = nil, nil
  J.encodes(t, "[1,2]")
  t = { [3] = 3, [2] = 2, [1] = 1 }
  J.encodes(t, "[1,2,3]")
  t = { 1, 2, a = "b" }
  t[1], t[2] = nil, nil
  J.encodes(t, '{"a":"b"}')
end

function TestRxi:test_bad_tables()
  local mixed, sparse = "invalid table: mixed or invalid key types", "invalid table: sparse array"
  J.rejects({ 1, x = 2 }, mixed)
  J.rejects({ x = 2, [7] = 1 }, mixed)
  J.rejects({ [1000] = "b" }, mixed)
  J.rejects({ [0] = 1 }, mixed)
  J.rejects({ [1.5] = 1 }, mixed)
  J.rejects({ [true] = 1 }, mixed)
  J.rejects({ 1, [print] = 1 }, mixed)
  J.rejects({ x = { { y = 1, [2] = 2 } } }, mixed)
  J.rejects({ nil, 2, 3 }, mixed)
  J.rejects({ 1, nil, 3 }, sparse)
  J.rejects({ 1, [1.5] = 2 }, sparse)
  J.rejects({ 1, [0] = 2 }, sparse)
  J.rejects({ 1, [-1] = 2 }, sparse)
  J.rejects({ 1, 2, 3, nil, 5, nil, nil, 8 }, sparse)
  -- Holes that # does not see: json.lua writes these as [1].
  local t = { 1, 2, 3, 4 }
  t[2] = nil
  J.rejects(t, sparse)
  t = { 1, 2, 3, nil }
  t[2] = nil
  t[2.5] = true
  J.rejects(t, sparse)
end

function TestRxi:test_bad_values()
  J.rejects(0 / 0, "unexpected number value '" .. tostring(0 / 0) .. "'")
  J.rejects({ 1 / 0 }, "unexpected number value '" .. tostring(1 / 0) .. "'")
  J.rejects({ a = { -1 / 0 } }, "unexpected number value '" .. tostring(-1 / 0) .. "'")
  J.rejects(print, "unexpected type 'function'")
  J.rejects({ a = print }, "unexpected type 'function'")
  J.rejects({ coroutine.create(function() end) }, "unexpected type 'thread'")
  J.rejects(io.stdout, "unexpected type 'userdata'")
  J.rejects({ T.fleece.raw "1" }, "unexpected type 'userdata'")
  if T.jit then J.rejects({ loadstring "return 1LL" () }, "unexpected type 'cdata'") end
  J.encodes({ T.fleece.null }, "[null]")
end

function TestRxi:test_order_of_errors()
  local cycle = {}
  cycle[1] = cycle
  J.rejects(cycle, "circular reference")
  cycle.x = 1 -- the table's keys are checked before the cycle is found
  J.rejects(cycle, "invalid table: mixed or invalid key types")
  local a, b = {}, {}
  a.b, b[1] = b, a
  J.rejects({ 1, a }, "circular reference")
  local shared = { 1 }
  J.encodes({ shared, shared, { shared } }, "[[1],[1],[[1]]]")
  local long = {}
  for _ = 1, 300 do long = { long } end
  local inner = long
  while inner[1] do inner = inner[1] end
  inner[1] = long
  J.rejects(long, "circular reference")
end

function TestRxi:test_place()
  local where = T.error_of(function() return (json.encode(print)) end)
  lu.assertStrMatches(where, ".*test_rxi.lua:%d+: unexpected type 'function'")
  where = T.error_of(function() return (json.decode "x") end)
  lu.assertStrMatches(where, ".*test_rxi.lua:%d+: unexpected character 'x' at line 1 col 1")
  where = T.error_of(function() return (json.decode(1)) end)
  lu.assertStrMatches(where, ".*test_rxi.lua:%d+: expected argument of type string, got number")
end

-- ---- metatables --------------------------------------------------------------------------------------------

local asks = pcall(pairs(setmetatable({}, { __pairs = function() return error end })))
asks = not asks

function TestRxi:test_other_marks_are_ignored()
  J.encodes(T.fleece.object {}, "[]")
  J.encodes(T.fleece.array { 1 }, "[1]")
  J.encodes(setmetatable({ 1 }, { __jsontype = "object", __tojson = function() return "2" end, __jsonorder = { "x" } }),
    "[1]")
  J.encodes(setmetatable({ 1 }, { __index = { 1, 2, 3 }, __newindex = error, __call = error }), "[1]")
  J.encodes(setmetatable({}, { __index = function() return 1 end }), "[]")
end

function TestRxi:test_pairs()
  if not asks then return end
  local function only(key)
    local function once(_, k) if k == nil then return key, 5 end end
    return { __pairs = function() return once end }
  end
  J.encodes(setmetatable({ x = 1, y = 2 }, only "z"), '{"z":5}')
  J.encodes(setmetatable({ x = 1 }, { __pairs = function() return function() end end }), "{}")
  J.rejects(setmetatable({ x = 1 }, only(1)), "invalid table: mixed or invalid key types")
  J.rejects(setmetatable({ 1 }, only "z"), "invalid table: mixed or invalid key types")
  J.rejects(setmetatable({ 1 }, only(2)), "invalid table: sparse array")
  local object = {}
  J.rejects({ setmetatable({ x = 1 }, { __pairs = function() error(object) end }) }, object)
end

function TestRxi:test_stand_ins()
  if not asks then return end
  local function stand_in(t)
    return setmetatable({}, { __index = t, __len = function() return #t end, __pairs = function() return pairs(t) end })
  end
  J.encodes({ stand_in { 1, stand_in { "a" } } }, '[[1,["a"]]]')
  J.encodes(stand_in {}, "[]")
  -- it has no pairs of its own, so it counts as an array
  J.rejects(stand_in { x = 1 }, "invalid table: mixed or invalid key types")
  J.rejects(setmetatable({ 1, 2 }, { __len = function() return 1 end }), "invalid table: sparse array")
  J.rejects(setmetatable({ 1, 2 }, { __len = function() return "x" end }), "invalid table: sparse array")
  J.encodes(setmetatable({ 1, 2 }, { __len = function() return 2 end }), "[1,2]")
end

-- ---- decode ------------------------------------------------------------------------------------------------

function TestRxi:test_decode()
  J.decodes(' {"a":[1,2.5,"x",true,false,{}]} \r\n\t', { a = { 1, 2.5, "x", true, false, {} } })
  J.decodes("null", nil)
  J.decodes("[null,1]", { nil, 1 })
  J.decodes('{"a":1,"a":2,"b":1,"b":null}', { a = 2 })
  J.decodes("[1,]", { 1 })
  J.decodes('{"a":[[],],}', { a = { {} } })
  lu.assertNil(getmetatable(json.decode "{}"))
  lu.assertNil(getmetatable(json.decode "[]"))
end

function TestRxi:test_numbers()
  local tests = { "0", "-1", "12.5", "1e5", "1E-320", "-0.0E-2", "123456789", "9007199254740993", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "1e400", "-1e400", "1.", "-.5", "007", "-00.50", "1.e3", "0x10",
    "-0xFf", "0x7fffffffffffffff", "0x.8", "0x1.8p1", "-0x1P-2", "99999999999999999999999" }
  for _, s in ipairs(tests) do
    local expected = tonumber(s)
    J.decodes(s, expected)
    lu.assertEquals(json.decode("[" .. s .. "," .. s .. "]"), { expected, expected })
    lu.assertEquals(json.decode('{"a": ' .. s .. " }"), { a = expected })
  end
  J.decodes("0xffffffffffffffff", 2.0 ^ 64) -- tonumber of Lua 5.3 says -1
end

function TestRxi:test_strings_read()
  J.decodes('"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u00e9"', "\"\\/\b\f\n\r\t\0\195\169")
  J.decodes('"\127\128\255\226"', "\127\128\255\226")
  J.decodes('"\\ud83d\\ude02\\uD83D\\uDE02"', "\240\159\152\130\240\159\152\130")
  J.decodes('"\\udc00\\ud800"', "\237\176\128\237\160\128")
  J.decodes('"\\ud800\\u0041"', "\237\160\128A") -- json.lua combines the two to another character
end

function TestRxi:test_faults()
  J.refuses("", "unexpected character '' at line 1 col 1")
  J.refuses(" \n ", "unexpected character '' at line 2 col 2")
  J.refuses("[\n\n  x]", "unexpected character 'x' at line 3 col 3")
  J.refuses("\239\187\191[]", "unexpected character '\239' at line 1 col 1")
  J.refuses("[1,,2]", "unexpected character ',' at line 1 col 4")
  J.refuses(".5", "unexpected character '.' at line 1 col 1")
  J.refuses("{1:2}", "expected string for key at line 1 col 2")
  J.refuses('{"a" 1}', "expected ':' after key at line 1 col 6")
  J.refuses('{"a":1 "b"}', "expected '}' or ',' at line 1 col 9")
  J.refuses('{"a":1', "expected '}' or ',' at line 1 col 8")
  J.refuses("[1 2]", "expected ']' or ',' at line 1 col 5")
  J.refuses("[1", "expected ']' or ',' at line 1 col 4")
  J.refuses("[1\n", "expected ']' or ',' at line 2 col 2")
  J.refuses("[", "unexpected character '' at line 1 col 2")
  J.refuses('"a\1"', "control character in string at line 1 col 3")
  J.refuses('"\\u12g4"', "invalid unicode escape in string at line 1 col 2")
  J.refuses('["\\ud83d\\u12"]', "invalid unicode escape in string at line 1 col 9")
  J.refuses('"\\x"', "invalid escape char 'x' in string at line 1 col 2")
  J.refuses('"\\', "invalid escape char '' in string at line 1 col 2")
  J.refuses('["a', "expected closing quote for string at line 1 col 2")
  J.refuses("[1x]", "invalid number '1x' at line 1 col 2")
  J.refuses("-", "invalid number '-' at line 1 col 1")
  J.refuses("-inf", "invalid number '-inf' at line 1 col 1")
  J.refuses("0x", "invalid number '0x' at line 1 col 1")
  J.refuses("1e", "invalid number '1e' at line 1 col 1")
  J.refuses('["a":1:2]', "expected ']' or ',' at line 1 col 6")
  J.refuses('{"a":1:2}', "invalid number '1:2' at line 1 col 6")
  J.refuses("truex", "invalid literal 'truex' at line 1 col 1")
  J.refuses("[nul]", "invalid literal 'nul' at line 1 col 2")
  J.refuses("[] []", "trailing garbage at line 1 col 4")
  J.refuses("1\0", "invalid number '1\0' at line 1 col 1")
  J.refuses("[1]\0", "trailing garbage at line 1 col 4")
end

function TestRxi:test_arguments()
  T.raises("expected argument of type string, got nil", json.decode)
  T.raises("expected argument of type string, got number", json.decode, 12)
  T.raises("expected argument of type string, got table", json.decode, {})
  lu.assertEquals(json.decode("1", "more", {}), 1)
  lu.assertEquals(json.encode(1, "more", {}), "1")
end

function TestRxi:test_deep()
  local t = {}
  for _ = 1, 20000 do t = { t } end
  local s = json.encode(t)
  lu.assertEquals(s, ("["):rep(20001) .. ("]"):rep(20001))
  t = json.decode(s)
  for _ = 1, 20000 do t = t[1] end
  lu.assertNil(next(t))
  J.refuses(("["):rep(20000) .. "1 2", "expected ']' or ',' at line 1 col 20004")
  J.refuses(("["):rep(20000) .. ("]"):rep(19999) .. "}", "expected ']' or ',' at line 1 col 40001")
end

-- Round trips while the collector runs in a metamethod.
function TestRxi:test_busy_collector()
  local other = setmetatable({ 1, 2 }, { __len = function()
    collectgarbage()
    return 2
  end })
  local value = { name = "x", list = { 1, 2, { y = "z" } }, other = other }
  T.with_busy_collector(20, 3, function()
    local again = json.decode(json.encode(value))
    lu.assertEquals(again, { name = "x", list = { 1, 2, { y = "z" } }, other = { 1, 2 } })
  end)
end
