-- SPDX-License-Identifier: MIT
-- test_rapidjson_pattern.lua -- the keywords `pattern` and `patternProperties` of fleece.rapidjson's schemas, and their
-- regular expressions. Expected results come from "JSON Schema Validation" draft 4 (5.2.3, 5.4.4, 8.3.3), ECMA 262
-- (15.10 of edition 5.1; 22.2 of later ones), RapidJSON's messages, and the simple matcher in regex_model.lua.
-- runs: in one Lua

local T = require "support"
local lu, same, random = T.lu, T.same, T.random
local json = require "fleece.rapidjson"
local model = require "regex_model"
local schemas = require "schemas"
local validator, failing = schemas.validator, schemas.failing

TestRapidjsonPattern = {}

local function matcher(pattern)
  local v = validator { pattern = pattern }
  return function(s) return (v:validate(json.Document(json.encode(s)))) end
end

local function refused(pattern, reason)
  T.raises_ending("not a JSON Schema: at /pattern: invalid regular expression: " .. reason, json.SchemaDocument,
    { pattern = pattern })
end

-- ---- the keywords ------------------------------------------------------------------------------------------

function TestRapidjsonPattern:test_pattern()
  T.each({
    -- "matches the instance": patterns are not anchored (draft 4, 3.3)
    { schema = '{"pattern":"b+"}', text = '"abc"', failing = "" },
    { schema = '{"pattern":"^b"}', text = '"abc"', failing = "pattern #" },
    { schema = '{"pattern":"^b"}', text = '"bc"', failing = "" },
    { schema = '{"pattern":"b"}', text = "1", failing = "" },
    { schema = '{"pattern":"b"}', text = '["a"]', failing = "" },
    { schema = '{"pattern":"b"}', text = "null", failing = "" }, -- strings only (4.1)
    { schema = '{"pattern":""}', text = '""', failing = "" },
    { schema = '{"pattern":5}', text = '"a"', failing = "" },
    { schema = '{"pattern":["("]}', text = '"a"', failing = "" },
    { schema = '{"items":{"pattern":"^.$"}}', text = '["a","\195\169","\240\159\152\128"]', failing = "" },
    { schema = '{"items":{"pattern":"^.$"}}', text = '["a","ab"]', failing = "pattern #/1" },
    { schema = '{"properties":{"a":{"pattern":"^x"}}}', text = '{"a":"y"}', failing = "pattern #/a" },
    { schema = '{"pattern":"x","minLength":2}', text = '"a"', failing = "minLength #" },
    { schema = '{"pattern":"x","maxLength":1}', text = '"ab"', failing = "maxLength #" },
    { schema = '{"pattern":"x","enum":["b"]}', text = '"a"', failing = "enum #" }, -- enum first; in RapidJSON, last
    { schema = '{"pattern":"x","type":"null"}', text = '"a"', failing = "type #" },
    { schema = '{"not":{"pattern":"x"}}', text = '"x"', failing = "not #" },
    { schema = '{"anyOf":[{"pattern":"x"},{"pattern":"y"}]}', text = '"y"', failing = "" },
    {
      schema = '{"definitions":{"a":{"pattern":"^x"}},"items":{"$ref":"#/definitions/a"}}',
      text = '["x","y"]',
      failing = "pattern #/1",
    },
    {
      schema = '{"default":{"pattern":"^x"},"items":{"$ref":"#/default"}}',
      text = '["x","y"]',
      failing = "pattern #/1",
    },
    {
      schema = '{"default":{"pattern":"^x"},"items":{"$ref":"#/d%65fault"}}',
      text = '["x","y"]',
      failing = "pattern #/1",
    },
  }, function(case)
    same(failing(case.schema, case.text), case.failing)
    same(failing(json.Document(case.schema), case.text), case.failing)
  end)
end

function TestRapidjsonPattern:test_pattern_properties()
  -- The example of draft 4, 5.4.4.5: "" and "fiddle" are additional.
  local s = '{"properties":{"p1":{}},"patternProperties":{"p":{},"[0-9]":{}},"additionalProperties":false}'
  same(failing(s, '{"p1":true,"p2":null,"a32&o":"foobar","":[],"fiddle":42,"apple":"pie"}'), "additionalProperties #/")
  same(failing(s, '{"p1":true,"p2":null,"a32&o":"foobar","fiddle":42,"apple":"pie"}'), "additionalProperties #/fiddle")
  same(failing(s, '{"p1":true,"p2":null,"a32&o":"foobar","apple":"pie"}'), "")
  T.each({
    { schema = '{"patternProperties":{"^n":{"type":"null"}}}', text = '{"n":null,"no":null,"on":1}', failing = "" },
    -- the message tells the failure in the schema; RapidJSON's says patternProperties
    { schema = '{"patternProperties":{"^n":{"type":"null"}}}', text = '{"no":1}', failing = "type #/no" },
    { schema = '{"patternProperties":{"^n":{"type":"null"}}}', text = "[1]", failing = "" },
    { schema = '{"patternProperties":5}', text = '{"a":1}', failing = "" },
    -- All matching patterns apply, and the schema for the name itself (8.3.3).
    {
      schema = '{"patternProperties":{"a":{"minimum":2},"b":{"maximum":3}}}',
      text = '{"ab":2,"a":4,"b":1}',
      failing = "",
    },
    {
      schema = '{"patternProperties":{"a":{"minimum":2},"b":{"maximum":3}}}',
      text = '{"ab":4}',
      failing = "maximum #/ab",
    },
    {
      schema = '{"patternProperties":{"a":{"minimum":2},"b":{"maximum":3}}}',
      text = '{"ab":1}',
      failing = "minimum #/ab",
    },
    {
      schema = '{"properties":{"a":{"maximum":3}},"patternProperties":{"a":{"minimum":2}}}',
      text = '{"a":4}',
      failing = "maximum #/a",
    },
    {
      schema = '{"properties":{"a":{"maximum":3}},"patternProperties":{"b":{"minimum":2}}}',
      text = '{"a":4}',
      failing = "maximum #/a",
    },
    -- additionalProperties is for names without either (8.3.3.4). (In RapidJSON, either of the two schemas is enough.)
    {
      schema = '{"patternProperties":{"a":{}},"additionalProperties":{"type":"null"}}',
      text = '{"a":1,"b":null}',
      failing = "",
    },
    {
      schema = '{"patternProperties":{"a":{}},"additionalProperties":{"type":"null"}}',
      text = '{"b":1}',
      failing = "type #/b",
    },
    {
      schema = '{"patternProperties":{"a":{"type":"null"}},"additionalProperties":{}}',
      text = '{"a":1}',
      failing = "type #/a",
    },
    -- It matches everything; in RapidJSON, nothing.
    { schema = '{"patternProperties":{"":{"type":"null"}}}', text = '{"a":1}', failing = "type #/a" },
    {
      schema = '{"patternProperties":{"^a$":{}},"required":["b"],"additionalProperties":false}',
      text = '{"a":1,"b":2}',
      failing = "",
    },
    {
      schema = '{"patternProperties":{"a":{"items":{"pattern":"x"}}}}',
      text = '{"a":["x","y"]}',
      failing = "pattern #/a/1",
    },
    {
      schema = '{"patternProperties":{"a":{"$ref":"#"},"b":{"type":"null"}}}',
      text = '{"a":{"a":{"b":1}}}',
      failing = "type #/a/a/b",
    },
    {
      schema = '{"items":{"$ref":"#/patternProperties/%5Ea"},"patternProperties":{"^a":{"pattern":"x"}}}',
      text = '["y"]',
      failing = "pattern #/0",
    },
    { schema = '{"not":{"patternProperties":{"a":{"type":"null"}}}}', text = '{"a":null}', failing = "not #" },
  }, function(case)
    same(failing(case.schema, case.text), case.failing)
  end)
end

-- Where `pattern` and `patternProperties` are keywords, and where they are values or names (draft 4, validation, 5.4.4,
-- 5.5.1, 6.2): the pattern "(" is an error only as a keyword's value.
function TestRapidjsonPattern:test_places()
  for _, schema in ipairs {
    '{"properties":{"pattern":{}}}',
    '{"properties":{"pattern":{"type":"string"},"patternProperties":{"type":"object"}}}', '{"enum":[{"pattern":"("}]}',
    '{"const":{"patternProperties":{"(":{}}}}', '{"default":{"a":{"pattern":"("}}}',
    '{"definitions":{"patternProperties":{"default":{"pattern":"("}}},' ..
      '"items":{"$ref":"#/definitions/patternProperties"}}',
    '{"items":[{"properties":{"patternProperties":{}}},{"$ref":"#"}]}', '{"dependencies":{"patternProperties":{}}}',
    '{"patternProperties":{"pattern":{"default":{"pattern":"("}}}}', '{"properties":{"patternProperties":{"(":{}}}}',
  } do same(type(json.SchemaDocument(schema)), "userdata", schema) end
  for _, schema in ipairs {
    '{"pattern":"("}', '{"patternProperties":{"(":{}}}', '{"items":{"pattern":"("}}', '{"items":[{},{"pattern":"("}]}',
    '{"properties":{"a":{"pattern":"("}}}', '{"properties":{"properties":{"pattern":"("}}}',
    '{"properties":{"enum":{"pattern":"("}}}', '{"anyOf":[{"not":{"pattern":"("}}]}',
    '{"patternProperties":{"a":{"pattern":"("}}}', '{"patternProperties":{"enum":{"pattern":"("}}}',
    '{"definitions":{"a":{"patternProperties":{"a":{},"(":{}}}}}',
    '{"default":{"pattern":"("},"items":{"$ref":"#/default"}}',
    '{"default":{"pattern":"("},"items":{"$ref":"#/d%65fault"}}',
    '{"properties":{"patternProperties":{"(":{}}},"items":{"$ref":"#/properties"}}',
  } do
    T.raises_ending(": invalid regular expression: '(' without ')'", json.SchemaDocument, schema)
  end
end

-- Many patterns of many sizes in one schema; the validator keeps them alive.
function TestRapidjsonPattern:test_many()
  local properties, document = {}, {}
  for i = 1, 200 do
    properties["n" .. i] = { pattern = "^(x{" .. i .. "}|[yz]{" .. 201 - i .. ",})$" }
    document["n" .. i] = i % 2 == 0 and ("x"):rep(i) or ("zy"):rep(201)
  end
  local v = validator { properties = properties }
  collectgarbage()
  collectgarbage()
  for _ = 1, 3 do same(v:validate(json.Document(document)), true) end
  document.n77 = ("x"):rep(78)
  same(select(2, v:validate(json.Document(document))), 'invalid "pattern" in document at pointer "#/n77"')
end

-- ---- the expressions ---------------------------------------------------------------------------------------

function TestRapidjsonPattern:test_syntax()
  T.each({
    { pattern = "^(a|bc|)$", fits = { "a", "bc", "" }, not_fits = { "b", "abc" } },
    { pattern = "a|^b|c$", fits = { "xa", "b", "xc" }, not_fits = { "xb", "cx" } },
    { pattern = "^a{2}$", fits = { "aa" }, not_fits = { "a", "aaa" } },
    { pattern = "^a{2,}$", fits = { "aa", "aaaa" }, not_fits = { "a" } },
    { pattern = "^a{1,2}$", fits = { "a", "aa" }, not_fits = { "", "aaa" } },
    { pattern = "^a{0}$", fits = { "" }, not_fits = { "a" } },
    { pattern = "^(a{0}b){2}$", fits = { "bb" }, not_fits = { "abb" } },
    { pattern = "^(a|b{0})*c", fits = { "aac", "c" }, not_fits = { "bc" } },
    { pattern = "^a*?b+?c??$", fits = { "b", "aabbc" }, not_fits = { "a", "" } },
    { pattern = "^a{2}?$", fits = { "aa" }, not_fits = { "", "a" } },
    { pattern = "^(?:ab)+(?<name>c)$", fits = { "ababc" }, not_fits = { "abab" } },
    { pattern = "", fits = { "", "x" }, not_fits = {} },
    { pattern = "()", fits = { "", "x" }, not_fits = {} },
    { pattern = "|", fits = { "" }, not_fits = {} },
    {
      pattern = "^.$",
      fits = { "a", "\195\169", "\240\159\152\128", "\0" },
      not_fits = { "\n", "\r", "\226\128\168", "\226\128\169", "", "ab" },
    }, -- 15.10.2.8
    { pattern = "^[a-c\195\169-]$", fits = { "a", "c", "-", "\195\169" }, not_fits = { "d", "\195\170", "\195" } },
    { pattern = "^[^a-c]$", fits = { "d", "\n", "\240\159\152\128" }, not_fits = { "b", "" } },
    { pattern = "^[]$", fits = {}, not_fits = { "", "]" } },
    { pattern = "^[^]$", fits = { "\n", "]" }, not_fits = { "" } },
    { pattern = "^[\\]\\\\^]$", fits = { "]", "\\", "^" }, not_fits = { "a" } },
    { pattern = "^[\\b]$", fits = { "\b" }, not_fits = { "b" } },
    { pattern = "^[\\w-.]$", fits = { "a", "-", "." }, not_fits = { "+" } },
    { pattern = "^[+--]$", fits = { "+", ",", "-" }, not_fits = { "." } },
    {
      pattern = "^\\d\\D\\w\\W\\s\\S$",
      fits = { "0a_-\194\160x", "9\n0\195\169\239\187\191." },
      not_fits = { "a00- x", "0a\195\169- x", "0a_-x " },
    },
    { pattern = "^[^\\s\\d]$", fits = { "a" }, not_fits = { " ", "1", "\227\128\128" } },
    { pattern = "^[\\S\\s]$", fits = { " ", "a" }, not_fits = { "" } },
    { pattern = "^\\f\\n\\r\\t\\v\\0$", fits = { "\f\n\r\t\v\0" }, not_fits = { "fnrtv0" } },
    { pattern = "^\\x41\\u0042\\u{43}\\cJ$", fits = { "ABC\n" }, not_fits = { "x41" } },
    {
      pattern = "^\\ud83d\\ude00[\\ud83d\\ude00-\\u{1f602}]$",
      fits = { "\240\159\152\128\240\159\152\129" },
      not_fits = { "\240\159\152\128" },
    },
    {
      pattern = "^\\^\\$\\|\\(\\)\\?\\*\\+\\.\\[\\]\\{\\}\\\\\\/\\-\\ \\@$",
      fits = { "^$|()?*+.[]{}\\/- @" },
      not_fits = { "a" },
    },
    { pattern = "\\bcat\\b", fits = { "cat", "a cat.", "\195\169cat" }, not_fits = { "cats", "_cat" } },
    { pattern = "^(?=.*\\d)(?!0)\\w+$", fits = { "a1" }, not_fits = { "a", "01" } },
    { pattern = "(?<=a)b(?<!ab.)$", fits = { "ab" }, not_fits = { "b" } },
    { pattern = "^\\p{L}\\P{L}$", fits = { "\195\1691" }, not_fits = { "11" } },
    { pattern = "^\\Ba\\b|b\\B", fits = { "bc", "abc" }, not_fits = { "a", "b", "" } },
    { pattern = "^a]}$", fits = { "a]}" }, not_fits = {} },
    -- characters that stand for themselves: Annex B.1.4 of later editions
    { pattern = "^\\$\\{[a-z]+}$", fits = { "${abc}" }, not_fits = {} },
    { pattern = "^{a{,2}{1,x}$", fits = { "{a{,2}{1,x}" }, not_fits = { "aa" } },
    { pattern = "^\195\169+$", fits = { "\195\169\195\169" }, not_fits = { "\195\169\169" } },
    {
      pattern = "^(\\([0-9]{3}\\))?[0-9]{3}-[0-9]{4}$",
      fits = { "555-1212", "(888)555-1212" },
      not_fits = { "(888)555-1212 ext. 532", "(800)FLOWERS" },
    },
    -- U+0161 and U+20061 end in the same bits as U+0061
    { pattern = "^[ab]+$", fits = { "abba" }, not_fits = { "a\197\161", "a\240\160\129\161" } },
    {
      pattern = "^\\d{4}-(0[1-9]|1[0-2])-\\d\\d$",
      fits = { "2011-06-30" },
      not_fits = { "2011-13-30", "x2011-06-30" },
    },
  }, function(case)
    local fits = matcher(case.pattern)
    for _, s in ipairs(case.fits) do same(fits(s), true, ("%s in %q"):format(case.pattern, s)) end
    for _, s in ipairs(case.not_fits) do same(fits(s), false, ("%s in %q"):format(case.pattern, s)) end
  end)
end

-- Each maximal part of an ill-formed UTF-8 sequence counts as one U+FFFD (Unicode 3.9).
function TestRapidjsonPattern:test_bad_utf8()
  local function fits(pattern, s) return (validator { pattern = pattern }:validate(json.Document('"' .. s .. '"'))) end
  for _, s in ipairs { "\255", "\128", "\195", "\226\128", "\240\159\152" } do
    same(fits("^.$", s), true, s)
    same(fits("^\\ufffd$", s), true, s)
    same(fits("^a.b$", "a" .. s .. "b"), true, s)
    same(fits("^[^\\ufffd]$", s), false, s)
  end
  same(fits("^...$", "\237\160\128"), true) -- a surrogate
  same(fits("^\195$", "\255"), true)
  same(fits("^.*$", "\200\226\128\168\130"), false) -- U+2028 between ill-formed bytes
  same(fits("^.*$", "\200\226\128\170\130"), true)
  for n = 1, 60 do -- any bytes
    local bytes = {}
    for i = 1, n do bytes[i] = string.char(random(128, 255)) end
    local s = table.concat(bytes)
    -- '.' is any character except line terminators (ECMA-262, 22.2.2.7); two of them have such bytes.
    same(fits("^.*$", s), not s:find("\226\128[\168\169]"), s)
    same(fits("a", s), false)
  end
end

function TestRapidjsonPattern:test_refused()
  T.each({
    { pattern = "a(b", reason = "'(' without ')'" },
    { pattern = "a)b", reason = "')' without '('" },
    { pattern = "x[ab", reason = "'[' without ']'" },
    { pattern = "[", reason = "'[' without ']'" },
    { pattern = "[z-a]", reason = "the range is out of order" },
    { pattern = "ab\\", reason = "'\\' at the end" },
    { pattern = "[\\", reason = "'\\' at the end" },
    { pattern = "*a", reason = "there is nothing to repeat" },
    { pattern = "a**", reason = "there is nothing to repeat" },
    { pattern = "(|+)", reason = "there is nothing to repeat" },
    { pattern = "{1000}{1000}", reason = "there is nothing to repeat" },
    { pattern = "^*", reason = "there is nothing to repeat" },
    { pattern = "a{2}{3}", reason = "there is nothing to repeat" },
    { pattern = "\\b+", reason = "there is nothing to repeat" },
    { pattern = "a???", reason = "there is nothing to repeat" },
    { pattern = "a{3,2}", reason = "the numbers are out of order" },
    { pattern = "(?=a)*", reason = "there is nothing to repeat" },
    { pattern = "(?i)a", reason = "unknown kind of group" },
    { pattern = "(?<>a)", reason = "the group's name is wrong" },
    { pattern = "(?<n", reason = "the group's name is wrong" },
    { pattern = "(?", reason = "unknown kind of group" },
    { pattern = "(a)\\1", reason = "back references are not supported" },
    { pattern = "\\k<n>", reason = "back references are not supported" },
    { pattern = "\\p{Nope}", reason = "a property of characters that is not known, or not supported" },
    { pattern = "a\\Z", reason = "unknown escape" },
    { pattern = "\\a", reason = "unknown escape" },
    { pattern = "[\\B]", reason = "unknown escape" },
    { pattern = "\\x4", reason = "wrong escape" },
    { pattern = "\\u12", reason = "wrong escape" },
    { pattern = "\\u{110000}", reason = "wrong escape" },
    { pattern = "\\u{}", reason = "wrong escape" },
    { pattern = "\\c1", reason = "wrong escape" },
    { pattern = "\\01", reason = "wrong escape" },
    { pattern = ("x"):rep(200) .. "(", reason = "'(' without ')'" },
  }, function(case)
    refused(case.pattern, case.reason)
    T.error_of(json.SchemaDocument, { patternProperties = { [case.pattern] = {} } })
  end)
end

-- ---- hostile -----------------------------------------------------------------------------------------------

function TestRapidjsonPattern:test_hostile_patterns()
  refused(("("):rep(200000), "it is nested too deep")
  same(matcher(("("):rep(249) .. "a" .. (")"):rep(249))("a"), true)
  refused(("("):rep(250) .. "a" .. (")"):rep(250), "it is nested too deep")
  for _, pattern in ipairs { "(a{1000}){1000}", "a{50000}", "a{0,4294967296}", "a{99999999999999999999,}",
    "((a{100}){100}){100}", ("a"):rep(50000), ("(a{1000})"):rep(100), ("a|"):rep(30000), ("a?"):rep(30000) } do
    refused(pattern, "it is too large")
  end
  refused("[" .. ("ab"):rep(500001) .. "]", "it is too large")
  local fits = matcher("^a{40000}$")
  same(fits(("a"):rep(40000)), true)
  same(fits(("a"):rep(40001)), false)
  same(matcher("^[" .. ("bc"):rep(100000) .. "]{9}$")("bcbcbcbcb"), true)
  same(matcher("^" .. ("a"):rep(40000))(("a"):rep(40000)), true)
  local schema = { items = {} }
  for i = 1, 2000 do schema.items[i] = { pattern = "a{20000}" .. i } end
  T.raises_with("the regular expressions are too large", json.SchemaDocument, schema)
end

-- A backtracking matcher needs 2^n steps for some of these.
function TestRapidjsonPattern:test_hostile_texts()
  local long = ("a"):rep(100000)
  for _, pattern in ipairs { "(a*)*b", "(a|a)*b", "(a+)+b", "(a?){30}a{30}b", "(a*)*(a*)*b", "((a{0,5}){0,5})*b",
    "(a|aa)+b", "(.*)(.*)(.*)b", "(|a)*b", "(|a|b{0})+c", "(^|a)*b", "(\\b|a)*b" } do
    same(matcher(pattern)(long), false, pattern)
    same(matcher(pattern)(long .. "bc"), true, pattern)
  end
  same(matcher("^b")(("a"):rep(1000000)), false)
end

function TestRapidjsonPattern:test_deep_schemas()
  local deep = '{"items":{"$ref":"#/x' .. ("/0"):rep(600) .. '"},"x":' .. ("["):rep(600) .. '{"pattern":"a"}' ..
    ("]"):rep(600) .. "}"
  same(failing(deep, '["a"]'), "")
  same(failing(deep, '["b"]'), "pattern #/0")
end

-- ---- compared with the model -------------------------------------------------------------------------------

function TestRapidjsonPattern:test_random_against_the_model()
  local fit, failed = 0, 0
  T.random_rounds(200, function()
    local node = model.expression()
    local fits, whole = matcher(node.text), matcher("^(?:" .. node.text .. ")$")
    for _ = 1, 4 do
      local list, s = model.text()
      local is = model.matches(node, list)
      same(fits(s), is, ("%q in %q"):format(node.text, s))
      is = model.matches_whole(node, list)
      same(whole(s), is, ("%q of %q"):format(node.text, s))
      if is then fit = fit + 1 else failed = failed + 1 end
    end
  end, 100)
  lu.assertTrue(fit > 5 and failed > 5, ("%d match, %d do not"):format(fit, failed))
end
