-- SPDX-License-Identifier: MIT
-- test_rxi.lua -- fleece.rxi: what rxi's json.lua 0.1.2 does, as its source says, and where docs/json.md says otherwise.

local T = require "support"
local lu = T.lu
local json = require "fleece.rxi"

TestRxi = {}

local function text(value, expected) T.same(json.encode(value), expected) end

local function fails(message, value)
  local ok, got = pcall(json.encode, value)
  lu.assertFalse(ok)
  lu.assertEquals(got, message)
end

local function reads(s, expected)
  lu.assertEquals(json.decode(s), expected, s)
  if type(expected) == "number" then T.same(json.decode(s), expected, s) end
end

local function wrong(s, message)
  local ok, got = pcall(json.decode, s)
  lu.assertFalse(ok, s)
  lu.assertEquals(got, message, s)
end

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
  text(nil, "null")
  text(true, "true")
  text(false, "false")
  text("", '""')
  text(1, "1")
  text(-0.0, "-0")
  text(0.1, "0.1")
  text(1 / 3, "0.33333333333333")
  text(3.0, "3")
  text(1e15, "1e+15")
  text(123456789012345.0, "1.2345678901234e+14") -- a tie, to even
  text(5e-324, "4.9406564584125e-324")
end

-- Where json.lua loses digits.
function TestRxi:test_integers()
  if not T.integers then return end
  text(math.maxinteger, "9223372036854775807")
  text({ 123456789012345678 }, "[123456789012345678]")
end

function TestRxi:test_strings()
  text("\0\1\8\9\10\11\12\13\31 \"\\/\127\128\255", '"\\u0000\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f \\"\\\\/\127\128\255"')
  text({ ["\"k\255"] = "\226\128\168" }, '{"\\"k\255":"\226\128\168"}')
  text({ ("x"):rep(20000) .. "\n" }, '["' .. ("x"):rep(20000) .. '\\n"]')
end

function TestRxi:test_tables()
  text({}, "[]")
  text({ {}, { {} } }, "[[],[[]]]")
  text({ a = { b = {} } }, '{"a":{"b":[]}}')
  text({ 1, "a", false, { x = 1 } }, '[1,"a",false,{"x":1}]')
  local t = { 1, 2, 3, x = 1 }
  t.x, t[3] = nil, nil
  text(t, "[1,2]")
  t = { [3] = 3, [2] = 2, [1] = 1 }
  text(t, "[1,2,3]")
  t = { 1, 2, a = "b" }
  t[1], t[2] = nil, nil
  text(t, '{"a":"b"}')
end

function TestRxi:test_bad_tables()
  local mixed, sparse = "invalid table: mixed or invalid key types", "invalid table: sparse array"
  fails(mixed, { 1, x = 2 })
  fails(mixed, { x = 2, [7] = 1 })
  fails(mixed, { [1000] = "b" })
  fails(mixed, { [0] = 1 })
  fails(mixed, { [1.5] = 1 })
  fails(mixed, { [true] = 1 })
  fails(mixed, { 1, [print] = 1 })
  fails(mixed, { x = { { y = 1, [2] = 2 } } })
  fails(mixed, { nil, 2, 3 })
  fails(sparse, { 1, nil, 3 })
  fails(sparse, { 1, [1.5] = 2 })
  fails(sparse, { 1, [0] = 2 })
  fails(sparse, { 1, [-1] = 2 })
  fails(sparse, { 1, 2, 3, nil, 5, nil, nil, 8 })
  -- Holes that # does not see: json.lua writes [1] of these.
  local t = { 1, 2, 3, 4 }
  t[2] = nil
  fails(sparse, t)
  t = { 1, 2, 3, nil }
  t[2] = nil
  t[2.5] = true
  fails(sparse, t)
end

function TestRxi:test_bad_values()
  fails("unexpected number value '" .. tostring(0 / 0) .. "'", 0 / 0)
  fails("unexpected number value '" .. tostring(1 / 0) .. "'", { 1 / 0 })
  fails("unexpected number value '" .. tostring(-1 / 0) .. "'", { a = { -1 / 0 } })
  fails("unexpected type 'function'", print)
  fails("unexpected type 'function'", { a = print })
  fails("unexpected type 'thread'", { coroutine.create(function() end) })
  fails("unexpected type 'userdata'", io.stdout)
  fails("unexpected type 'userdata'", { T.fleece.raw "1" })
  if T.jit then fails("unexpected type 'cdata'", { loadstring "return 1LL" () }) end
  text({ T.fleece.null }, "[null]")
end

function TestRxi:test_order_of_errors()
  local cycle = {}
  cycle[1] = cycle
  fails("circular reference", cycle)
  cycle.x = 1 -- the cycle is seen when it closes, so the table is judged first
  fails("invalid table: mixed or invalid key types", cycle)
  local a, b = {}, {}
  a.b, b[1] = b, a
  fails("circular reference", { 1, a })
  local shared = { 1 }
  text({ shared, shared, { shared } }, "[[1],[1],[[1]]]")
  local long = {}
  for _ = 1, 300 do long = { long } end
  local inner = long
  while inner[1] do inner = inner[1] end
  inner[1] = long
  fails("circular reference", long)
end

function TestRxi:test_place()
  local where = select(2, pcall(function() return (json.encode(print)) end))
  lu.assertStrMatches(where, ".*test_rxi.lua:%d+: unexpected type 'function'")
  where = select(2, pcall(function() return (json.decode "x") end))
  lu.assertStrMatches(where, ".*test_rxi.lua:%d+: unexpected character 'x' at line 1 col 1")
  where = select(2, pcall(function() return (json.decode(1)) end))
  lu.assertStrMatches(where, ".*test_rxi.lua:%d+: expected argument of type string, got number")
end

-- ---- metatables --------------------------------------------------------------------------------------------

local asks = pcall(pairs(setmetatable({}, { __pairs = function() return error end })))
asks = not asks

function TestRxi:test_other_marks_mean_nothing()
  text(T.fleece.object {}, "[]")
  text(T.fleece.array { 1 }, "[1]")
  text(setmetatable({ 1 }, { __jsontype = "object", __tojson = function() return "2" end, __jsonorder = { "x" } }), "[1]")
  text(setmetatable({ 1 }, { __index = { 1, 2, 3 }, __newindex = error, __call = error }), "[1]")
  text(setmetatable({}, { __index = function() return 1 end }), "[]")
end

function TestRxi:test_pairs()
  if not asks then return end
  local function only(key) return { __pairs = function() return function(_, k) if k == nil then return key, 5 end end end } end
  text(setmetatable({ x = 1, y = 2 }, only "z"), '{"z":5}')
  text(setmetatable({ x = 1 }, { __pairs = function() return function() end end }), "{}")
  fails("invalid table: mixed or invalid key types", setmetatable({ x = 1 }, only(1)))
  fails("invalid table: mixed or invalid key types", setmetatable({ 1 }, only "z"))
  fails("invalid table: sparse array", setmetatable({ 1 }, only(2)))
  local object = {}
  local ok, thrown = pcall(json.encode, { setmetatable({ x = 1 }, { __pairs = function() error(object) end }) })
  lu.assertFalse(ok)
  lu.assertIs(thrown, object)
end

function TestRxi:test_stand_ins()
  if not asks then return end
  local function stand_in(t)
    return setmetatable({}, { __index = t, __len = function() return #t end, __pairs = function() return pairs(t) end })
  end
  text({ stand_in { 1, stand_in { "a" } } }, '[[1,["a"]]]')
  text(stand_in {}, "[]")
  fails("invalid table: mixed or invalid key types", stand_in { x = 1 }) -- nothing in it of its own: an array
  fails("invalid table: sparse array", setmetatable({ 1, 2 }, { __len = function() return 1 end }))
  fails("invalid table: sparse array", setmetatable({ 1, 2 }, { __len = function() return "x" end }))
  text(setmetatable({ 1, 2 }, { __len = function() return 2 end }), "[1,2]")
end

-- ---- decode ------------------------------------------------------------------------------------------------

function TestRxi:test_decode()
  reads(' {"a":[1,2.5,"x",true,false,{}]} \r\n\t', { a = { 1, 2.5, "x", true, false, {} } })
  reads("null", nil)
  reads("[null,1]", { nil, 1 })
  reads('{"a":1,"a":2,"b":1,"b":null}', { a = 2 })
  reads("[1,]", { 1 })
  reads('{"a":[[],],}', { a = { {} } })
  lu.assertNil(getmetatable(json.decode "{}"))
  lu.assertNil(getmetatable(json.decode "[]"))
end

function TestRxi:test_numbers()
  local tests = { "0", "-1", "12.5", "1e5", "1E-320", "-0.0E-2", "123456789", "9007199254740993", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "1e400", "-1e400", "1.", "-.5", "007", "-00.50", "1.e3", "0x10", "-0xFf",
    "0x7fffffffffffffff", "0x.8", "0x1.8p1", "-0x1P-2", "99999999999999999999999" }
  for _, s in ipairs(tests) do
    local expected = tonumber(s)
    reads(s, expected)
    lu.assertEquals(json.decode("[" .. s .. "," .. s .. "]"), { expected, expected })
    lu.assertEquals(json.decode('{"a": ' .. s .. " }"), { a = expected })
  end
  reads("0xffffffffffffffff", 2.0 ^ 64) -- tonumber of Lua 5.3 says -1
end

function TestRxi:test_strings_read()
  reads('"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u00e9"', "\"\\/\b\f\n\r\t\0\195\169")
  reads('"\127\128\255\226"', "\127\128\255\226")
  reads('"\\ud83d\\ude02\\uD83D\\uDE02"', "\240\159\152\130\240\159\152\130")
  reads('"\\udc00\\ud800"', "\237\176\128\237\160\128")
  reads('"\\ud800\\u0041"', "\237\160\128A") -- json.lua makes one other character of the two
end

function TestRxi:test_faults()
  wrong("", "unexpected character '' at line 1 col 1")
  wrong(" \n ", "unexpected character '' at line 2 col 2")
  wrong("[\n\n  x]", "unexpected character 'x' at line 3 col 3")
  wrong("\239\187\191[]", "unexpected character '\239' at line 1 col 1")
  wrong("[1,,2]", "unexpected character ',' at line 1 col 4")
  wrong(".5", "unexpected character '.' at line 1 col 1")
  wrong("{1:2}", "expected string for key at line 1 col 2")
  wrong('{"a" 1}', "expected ':' after key at line 1 col 6")
  wrong('{"a":1 "b"}', "expected '}' or ',' at line 1 col 9")
  wrong('{"a":1', "expected '}' or ',' at line 1 col 8")
  wrong("[1 2]", "expected ']' or ',' at line 1 col 5")
  wrong("[1", "expected ']' or ',' at line 1 col 4")
  wrong("[1\n", "expected ']' or ',' at line 2 col 2")
  wrong("[", "unexpected character '' at line 1 col 2")
  wrong('"a\1"', "control character in string at line 1 col 3")
  wrong('"\\u12g4"', "invalid unicode escape in string at line 1 col 2")
  wrong('["\\ud83d\\u12"]', "invalid unicode escape in string at line 1 col 9")
  wrong('"\\x"', "invalid escape char 'x' in string at line 1 col 2")
  wrong('"\\', "invalid escape char '' in string at line 1 col 2")
  wrong('["a', "expected closing quote for string at line 1 col 2")
  wrong("[1x]", "invalid number '1x' at line 1 col 2")
  wrong("-", "invalid number '-' at line 1 col 1")
  wrong("-inf", "invalid number '-inf' at line 1 col 1")
  wrong("0x", "invalid number '0x' at line 1 col 1")
  wrong("1e", "invalid number '1e' at line 1 col 1")
  wrong('["a":1:2]', "expected ']' or ',' at line 1 col 6")
  wrong('{"a":1:2}', "invalid number '1:2' at line 1 col 6")
  wrong("truex", "invalid literal 'truex' at line 1 col 1")
  wrong("[nul]", "invalid literal 'nul' at line 1 col 2")
  wrong("[] []", "trailing garbage at line 1 col 4")
  wrong("1\0", "invalid number '1\0' at line 1 col 1")
  wrong("[1]\0", "trailing garbage at line 1 col 4")
end

function TestRxi:test_arguments()
  lu.assertErrorMsgEquals("expected argument of type string, got nil", json.decode)
  lu.assertErrorMsgEquals("expected argument of type string, got number", json.decode, 12)
  lu.assertErrorMsgEquals("expected argument of type string, got table", json.decode, {})
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
  wrong(("["):rep(20000) .. "1 2", "expected ']' or ',' at line 1 col 20004")
  wrong(("["):rep(20000) .. ("]"):rep(19999) .. "}", "expected ']' or ',' at line 1 col 40001")
end

-- json.lua is called by other names too; those of encode and decode are not looked at.
function TestRxi:test_busy_collector()
  local value = { name = "x", list = { 1, 2, { y = "z" } }, other = setmetatable({ 1, 2 }, { __len = function() collectgarbage() return 2 end }) }
  T.with_busy_collector(20, 3, function()
    local again = json.decode(json.encode(value))
    lu.assertEquals(again, { name = "x", list = { 1, 2, { y = "z" } }, other = { 1, 2 } })
  end)
end
