-- SPDX-License-Identifier: MIT
-- test_model.lua -- the oracle: what it accepts, refuses and writes, on examples made by hand.
-- runs: in one layout

local T = require "support"
local lu, model = T.lu, T.model

TestModel = {}

function TestModel:test_accepts()
  for _, text in ipairs { "0", "-0", "1.5e+3", "[]", "{}", "[ ]", '""', '"\\u0041\\ud83d\\ude00"', " [1,\n2] ", "true",
    '{"a":[null,false],"a":1}', '"\127"', '"\194\128"', '"\244\143\191\191"', "1E400" } do
    lu.assertNotNil(model.decode(text))
  end
end

function TestModel:test_refuses()
  for _, text in ipairs { "", " ", "01", "+1", "1.", ".5", "1e", "-", "[1,]", "[,1]", "[1 2]", "{1:2}", '{"a"}',
    '{"a":}', "[", "]", '"', '"\\x"', '"\\u12"', '"\\ud800"', '"\\udc00"', '"\\ud800\\u0041"', '"\n"', '"\0"', "nul",
    "NaN", "[1]]", "1 2", "1\0", '"\128"', '"\192\128"', '"\237\160\128"', '"\244\144\128\128"', '"\194"',
    "\239\187\1911", "'a'" } do
    lu.assertErrorMsgContains("model:", model.decode, text)
  end
end

function TestModel:test_differs()
  local function differs(value, text) return model.differs(value, model.decode(text)) ~= nil end
  lu.assertFalse(differs({ 1, { a = "b" }, {} }, '[1,{"a":"b"},[]]'))
  lu.assertFalse(differs({ a = 1, b = 2 }, '{"b":2,"a":1}'))
  lu.assertFalse(differs({ [1] = "x", ["1"] = "y" }, '{"1":"y","1":"x"}'))
  lu.assertFalse(differs(nil, "null"))
  T.each({
    { value = { 1 }, text = "[2]" },
    { value = { 1 }, text = "[1,2]" },
    { value = { 1 }, text = '{"1":1}' },
    { value = { a = 1 }, text = "{}" },
    { value = { a = 1 }, text = '{"a":1,"b":2}' },
    { value = { a = 1 }, text = '{"a":1,"a":1}' },
    { value = "a", text = '"b"' },
    { value = 1, text = '"1"' },
    { value = true, text = "false" },
    { value = 0.1, text = "0.10000000000000002" },
    { value = { [1] = "x", ["1"] = "y" }, text = '{"1":"y","1":"y"}' },
  }, function(case)
    lu.assertTrue(differs(case.value, case.text))
  end)
  local zero = 0.0 -- compilers may share one constant for 0.0 and -0.0, so negate at run time
  lu.assertTrue(differs(zero, "-0"))
  lu.assertTrue(differs(-zero, "0"))
  lu.assertFalse(differs(-zero, "-0"))
end

function TestModel:test_numbers()
  T.each_pair({
    ["0.1"] = 0.1,
    ["1e-06"] = 1e-6,
    ["0.00001"] = 1e-5,
    ["9007199254740992"] = 2^53,
    ["9007199254740994"] = 2^53 + 2,
    ["10000000000000000"] = 1e16,
    ["72057594037927936"] = 2^56,
    ["100000000000000000"] = 1e17,
    ["18446744073709549568"] = 2^64 - 2048,
    ["1.8446744073709552e+19"] = 2^64,
    ["1.7976931348623157e+308"] = 1.7976931348623157e308,
    ["5e-324"] = 5e-324,
    ["-1.5"] = -1.5,
    ["5.684341886080802e-14"] = 2^-44,
    ["0.3333333333333333"] = 1 / 3,
    ["123456789.125"] = 123456789.125,
  }, function(text, v)
    lu.assertEquals(model.number(v), text)
  end)
end

function TestModel:test_escape()
  lu.assertEquals(model.escape('a"\\/\n\1\127'), 'a\\"\\\\/\\n\\u0001\127')
  lu.assertEquals(model.escape("\195\164\240\159\152\128", { ascii = true }), "\\u00e4\\ud83d\\ude00")
  lu.assertEquals(model.escape("a\237\160\128b", { invalid_utf8 = "replace" }), "a" .. ("\239\191\189"):rep(3) .. "b")
  lu.assertEquals(model.escape("\240\159\152x", { invalid_utf8 = "replace" }), "\239\191\189x")
  lu.assertEquals(model.escape("\255", { invalid_utf8 = "escape" }), "\\u00ff")
  lu.assertEquals(model.escape_flag('/"\127\n', "E4"), '\\/\\"\\u007f\\n')
end

function TestModel:test_tables()
  lu.assertEquals(model.encode { 1, 2, { x = 1 } }, '[1,2,{"x":1}]')
  lu.assertEquals(model.encode({ a = { 1 } }, { indent = "  " }), '{\n  "a": [\n    1\n  ]\n}')
  lu.assertEquals(model.encode({ b = 1, a = 2, [10] = 3 }, { sort_keys = true }), '{"10":3,"a":2,"b":1}')
end

function TestModel:test_random_is_the_same_everywhere()
  local again = {}
  for i = 1, 1000 do again[i] = T.random(1, 6) end
  local sum = 0
  for i = 1, 1000 do sum = sum + again[i] end
  lu.assertTrue(sum > 3000 and sum < 4000)
end
