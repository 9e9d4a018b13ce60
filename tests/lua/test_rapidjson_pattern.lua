-- SPDX-License-Identifier: MIT
-- test_rapidjson_pattern.lua -- the keywords `pattern` and `patternProperties` of fleece.rapidjson's schemas, and their
-- regular expressions. Expectations are from "JSON Schema Validation" draft 4 (5.2.3, 5.4.4, 8.3.3), from ECMA 262
-- edition 5.1 (15.10), from RapidJSON's messages, and from the plain matcher in regex_model.lua.

local T = require "support"
local lu, same, random = T.lu, T.same, T.random
local json = require "fleece.rapidjson"
local model = require "regex_model"

TestRapidjsonPattern = {}

local function validator(schema) return json.SchemaValidator(json.SchemaDocument(schema)) end

-- Validates a text: "" if it fits, else the keyword and the pointer.
local function failing(schema, s)
  local ok, message = validator(schema):validate(json.Document(s))
  if ok then return "" end
  return (message:gsub('^invalid "(.-)" in document at pointer "(.*)"$', "%1 %2"))
end

local function matcher(pattern)
  local v = validator { pattern = pattern }
  return function(s) return (v:validate(json.Document(json.encode(s)))) end
end

local function refused(pattern, reason, at)
  local shown = #pattern <= 80 and pattern or pattern:sub(1, 80) .. "..."
  T.ends(T.raises(json.SchemaDocument, { pattern = pattern }),
    "fleece.rapidjson: the pattern '" .. shown .. "': " .. reason .. " at byte " .. at)
end

-- ---- the keywords ------------------------------------------------------------------------------------------

function TestRapidjsonPattern:test_pattern()
  for _, row in ipairs {
    { '{"pattern":"b+"}', '"abc"', "" },          -- "matches the instance": they are not anchored (draft 4, 3.3)
    { '{"pattern":"^b"}', '"abc"', "pattern #" }, { '{"pattern":"^b"}', '"bc"', "" },
    { '{"pattern":"b"}', "1", "" }, { '{"pattern":"b"}', '["a"]', "" }, { '{"pattern":"b"}', "null", "" }, -- strings only (4.1)
    { '{"pattern":""}', '""', "" }, { '{"pattern":5}', '"a"', "" }, { '{"pattern":["("]}', '"a"', "" },
    { '{"items":{"pattern":"^.$"}}', '["a","\195\169","\240\159\152\128"]', "" },
    { '{"items":{"pattern":"^.$"}}', '["a","ab"]', "pattern #/1" },
    { '{"properties":{"a":{"pattern":"^x"}}}', '{"a":"y"}', "pattern #/a" },
    { '{"pattern":"x","minLength":2}', '"a"', "minLength #" }, { '{"pattern":"x","maxLength":1}', '"ab"', "maxLength #" },
    { '{"pattern":"x","enum":["b"]}', '"a"', "pattern #" }, { '{"pattern":"x","type":"null"}', '"a"', "type #" },
    { '{"not":{"pattern":"x"}}', '"x"', "not #" }, { '{"anyOf":[{"pattern":"x"},{"pattern":"y"}]}', '"y"', "" },
    { '{"pattern":"a","pattern":"("}', '"a"', "" }, -- of two members of a name the first counts, as everywhere here
    { '{"definitions":{"a":{"pattern":"^x"}},"items":{"$ref":"#/definitions/a"}}', '["x","y"]', "pattern #/1" },
    { '{"default":{"pattern":"^x"},"items":{"$ref":"#/default"}}', '["x","y"]', "pattern #/1" },
    { '{"default":{"pattern":"^x"},"items":{"$ref":"#/d%65fault"}}', '["x","y"]', "pattern #/1" },
  } do
    same(failing(row[1], row[2]), row[3], row[1] .. " of " .. row[2])
    same(failing(json.Document(row[1]), row[2]), row[3], row[1] .. " of " .. row[2])
  end
end

function TestRapidjsonPattern:test_pattern_properties()
  -- The example of draft 4, 5.4.4.5: "" and "fiddle" are additional.
  local s = '{"properties":{"p1":{}},"patternProperties":{"p":{},"[0-9]":{}},"additionalProperties":false}'
  same(failing(s, '{"p1":true,"p2":null,"a32&o":"foobar","":[],"fiddle":42,"apple":"pie"}'), "additionalProperties #/")
  same(failing(s, '{"p1":true,"p2":null,"a32&o":"foobar","fiddle":42,"apple":"pie"}'), "additionalProperties #/fiddle")
  same(failing(s, '{"p1":true,"p2":null,"a32&o":"foobar","apple":"pie"}'), "")
  for _, row in ipairs {
    { '{"patternProperties":{"^n":{"type":"null"}}}', '{"n":null,"no":null,"on":1}', "" },
    { '{"patternProperties":{"^n":{"type":"null"}}}', '{"no":1}', "patternProperties #/no" }, -- RapidJSON's keyword
    { '{"patternProperties":{"^n":{"type":"null"}}}', "[1]", "" }, { '{"patternProperties":5}', '{"a":1}', "" },
    -- All that match count, and the schema of the name itself (8.3.3).
    { '{"patternProperties":{"a":{"minimum":2},"b":{"maximum":3}}}', '{"ab":2,"a":4,"b":1}', "" },
    { '{"patternProperties":{"a":{"minimum":2},"b":{"maximum":3}}}', '{"ab":4}', "patternProperties #/ab" },
    { '{"patternProperties":{"a":{"minimum":2},"b":{"maximum":3}}}', '{"ab":1}', "patternProperties #/ab" },
    { '{"properties":{"a":{"maximum":3}},"patternProperties":{"a":{"minimum":2}}}', '{"a":4}', "patternProperties #/a" },
    { '{"properties":{"a":{"maximum":3}},"patternProperties":{"b":{"minimum":2}}}', '{"a":4}', "maximum #/a" },
    -- additionalProperties is for names that neither of them has (8.3.3.4); there either of the two schemas will do.
    { '{"patternProperties":{"a":{}},"additionalProperties":{"type":"null"}}', '{"a":1,"b":null}', "" },
    { '{"patternProperties":{"a":{}},"additionalProperties":{"type":"null"}}', '{"b":1}', "type #/b" },
    { '{"patternProperties":{"a":{"type":"null"}},"additionalProperties":{}}', '{"a":1}', "patternProperties #/a" },
    { '{"patternProperties":{"":{"type":"null"}}}', '{"a":1}', "patternProperties #/a" }, -- matches everything; there nothing
    { '{"patternProperties":{"^a$":{}},"required":["b"],"additionalProperties":false}', '{"a":1,"b":2}', "" },
    { '{"patternProperties":{"a":{"items":{"pattern":"x"}}}}', '{"a":["x","y"]}', "patternProperties #/a" },
    { '{"patternProperties":{"a":{"$ref":"#"},"b":{"type":"null"}}}', '{"a":{"a":{"b":1}}}', "patternProperties #/a" },
    { '{"items":{"$ref":"#/patternProperties/%5Ea"},"patternProperties":{"^a":{"pattern":"x"}}}', '["y"]', "pattern #/0" },
    { '{"not":{"patternProperties":{"a":{"type":"null"}}}}', '{"a":null}', "not #" },
  } do
    same(failing(row[1], row[2]), row[3], row[1] .. " of " .. row[2])
  end
end

-- Where they are keywords, and where values and names (draft 4, validation, 5.4.4, 5.5.1, 6.2): a pattern that is none
-- tells it.
function TestRapidjsonPattern:test_places()
  for _, schema in ipairs {
    '{"properties":{"pattern":{}}}', '{"properties":{"pattern":{"type":"string"},"patternProperties":{"type":"object"}}}',
    '{"enum":[{"pattern":"("}]}', '{"const":{"patternProperties":{"(":{}}}}', '{"default":{"a":{"pattern":"("}}}',
    '{"definitions":{"patternProperties":{"default":{"pattern":"("}}},"items":{"$ref":"#/definitions/patternProperties"}}',
    '{"items":[{"properties":{"patternProperties":{}}},{"$ref":"#"}]}', '{"dependencies":{"patternProperties":{}}}',
    '{"patternProperties":{"pattern":{"default":{"pattern":"("}}}}', '{"properties":{"patternProperties":{"(":{}}}}',
  } do same(type(json.SchemaDocument(schema)), "userdata", schema) end
  for _, schema in ipairs {
    '{"pattern":"("}', '{"patternProperties":{"(":{}}}', '{"items":{"pattern":"("}}', '{"items":[{},{"pattern":"("}]}',
    '{"properties":{"a":{"pattern":"("}}}', '{"properties":{"properties":{"pattern":"("}}}',
    '{"properties":{"enum":{"pattern":"("}}}', '{"anyOf":[{"not":{"pattern":"("}}]}', '{"patternProperties":{"a":{"pattern":"("}}}',
    '{"patternProperties":{"enum":{"pattern":"("}}}', '{"definitions":{"a":{"patternProperties":{"a":{},"(":{}}}}}',
    '{"default":{"pattern":"("},"items":{"$ref":"#/default"}}', '{"default":{"pattern":"("},"items":{"$ref":"#/d%65fault"}}',
    '{"properties":{"patternProperties":{"(":{}}},"items":{"$ref":"#/properties"}}',
  } do
    T.ends(T.raises(json.SchemaDocument, schema), "fleece.rapidjson: the pattern '(': '(' without ')' at byte 2")
  end
end

-- Many patterns, of many sizes, in one schema; the validator keeps them.
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

-- pattern, what matches, what does not
function TestRapidjsonPattern:test_syntax()
  for _, row in ipairs {
    { "^(a|bc|)$", { "a", "bc", "" }, { "b", "abc" } }, { "a|^b|c$", { "xa", "b", "xc" }, { "xb", "cx" } },
    { "^a{2}$", { "aa" }, { "a", "aaa" } }, { "^a{2,}$", { "aa", "aaaa" }, { "a" } }, { "^a{1,2}$", { "a", "aa" }, { "", "aaa" } },
    { "^a{0}$", { "" }, { "a" } }, { "^(a{0}b){2}$", { "bb" }, { "abb" } }, { "^(a|b{0})*c", { "aac", "c" }, { "bc" } },
    { "^a*?b+?c??$", { "b", "aabbc" }, { "a", "" } }, { "^a{2}?$", { "aa" }, { "", "a" } },
    { "^(?:ab)+(?<name>c)$", { "ababc" }, { "abab" } }, { "", { "", "x" }, {} }, { "()", { "", "x" }, {} }, { "|", { "" }, {} },
    { "^.$", { "a", "\195\169", "\240\159\152\128", "\0" }, { "\n", "\r", "\226\128\168", "\226\128\169", "", "ab" } }, -- 15.10.2.8
    { "^[a-c\195\169-]$", { "a", "c", "-", "\195\169" }, { "d", "\195\170", "\195" } }, { "^[^a-c]$", { "d", "\n", "\240\159\152\128" }, { "b", "" } },
    { "^[]$", {}, { "", "]" } }, { "^[^]$", { "\n", "]" }, { "" } }, { "^[\\]\\\\^]$", { "]", "\\", "^" }, { "a" } },
    { "^[\\b]$", { "\b" }, { "b" } }, { "^[\\w-.]$", { "a", "-", "." }, { "+" } }, { "^[+--]$", { "+", ",", "-" }, { "." } },
    { "^\\d\\D\\w\\W\\s\\S$", { "0a_-\194\160x", "9\n0\195\169\239\187\191." }, { "a00- x", "0a\195\169- x", "0a_-x " } },
    { "^[^\\s\\d]$", { "a" }, { " ", "1", "\227\128\128" } }, { "^[\\S\\s]$", { " ", "a" }, { "" } },
    { "^\\f\\n\\r\\t\\v\\0$", { "\f\n\r\t\v\0" }, { "fnrtv0" } }, { "^\\x41\\u0042\\u{43}\\cJ$", { "ABC\n" }, { "x41" } },
    { "^\\ud83d\\ude00[\\ud83d\\ude00-\\u{1f602}]$", { "\240\159\152\128\240\159\152\129" }, { "\240\159\152\128" } },
    { "^\\^\\$\\|\\(\\)\\?\\*\\+\\.\\[\\]\\{\\}\\\\\\/\\-\\ \\@$", { "^$|()?*+.[]{}\\/- @" }, { "a" } },
    { "\\bcat\\b", { "cat", "a cat.", "\195\169cat" }, { "cats", "_cat" } }, { "^\\Ba\\b|b\\B", { "bc", "abc" }, { "a", "b", "" } },
    { "^a]}$", { "a]}" }, {} }, { "^\\$\\{[a-z]+}$", { "${abc}" }, {} }, -- what stands for itself: Annex B.1.4 of later editions
    { "^{a{,2}{1,x}$", { "{a{,2}{1,x}" }, { "aa" } }, { "^\195\169+$", { "\195\169\195\169" }, { "\195\169\169" } },
    { "^(\\([0-9]{3}\\))?[0-9]{3}-[0-9]{4}$", { "555-1212", "(888)555-1212" }, { "(888)555-1212 ext. 532", "(800)FLOWERS" } },
    { "^[ab]+$", { "abba" }, { "a\197\161", "a\240\160\129\161" } }, -- U+0161, U+20061: the last bits of U+0061
    { "^\\d{4}-(0[1-9]|1[0-2])-\\d\\d$", { "2011-06-30" }, { "2011-13-30", "x2011-06-30" } },
  } do
    local fits = matcher(row[1])
    for _, s in ipairs(row[2]) do same(fits(s), true, ("%s in %q"):format(row[1], s)) end
    for _, s in ipairs(row[3]) do same(fits(s), false, ("%s in %q"):format(row[1], s)) end
  end
end

-- What is no UTF-8 counts as U+FFFD for each maximal part of a character (Unicode 3.9).
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
  same(fits("^.*$", "\200\226\128\168\130"), false) -- U+2028 between bytes that are none
  same(fits("^.*$", "\200\226\128\170\130"), true)
  for n = 1, 60 do -- any bytes
    local bytes = {}
    for i = 1, n do bytes[i] = string.char(random(128, 255)) end
    local s = table.concat(bytes)
    -- '.' is any character but the ends of lines (ECMA-262, 22.2.2.7), and two of them have such bytes.
    same(fits("^.*$", s), not s:find("\226\128[\168\169]"), s)
    same(fits("a", s), false)
  end
end

function TestRapidjsonPattern:test_refused()
  for _, row in ipairs {
    { "a(b", "'(' without ')'", 4 }, { "a)b", "')' without '('", 2 }, { "x[ab", "'[' without ']'", 2 }, { "[", "'[' without ']'", 1 },
    { "[z-a]", "the range is out of order", 2 }, { "ab\\", "'\\' at the end", 3 }, { "[\\", "'\\' at the end", 2 },
    { "*a", "there is nothing to repeat", 1 }, { "a**", "there is nothing to repeat", 3 }, { "(|+)", "there is nothing to repeat", 3 },
    { "{1000}{1000}", "there is nothing to repeat", 1 }, { "^*", "there is nothing to repeat", 2 }, { "a{2}{3}", "there is nothing to repeat", 5 },
    { "\\b+", "there is nothing to repeat", 3 }, { "a???", "there is nothing to repeat", 4 },
    { "a{3,2}", "the numbers are out of order", 2 }, { "(?=a)", "look-ahead is not supported", 1 }, { "a(?!b)", "look-ahead is not supported", 2 },
    { "(?<=a)b", "look-behind is not supported", 1 }, { "(?<!a)b", "look-behind is not supported", 1 }, { "(?i)a", "unknown kind of group", 1 },
    { "(?<>a)", "the group's name is wrong", 1 }, { "(?<n", "the group's name is wrong", 1 }, { "(?", "unknown kind of group", 1 },
    { "(a)\\1", "back references are not supported", 4 }, { "\\k<n>", "back references are not supported", 1 },
    { "\\p{L}", "Unicode properties are not supported", 1 }, { "[\\P{L}]", "Unicode properties are not supported", 2 },
    { "a\\Z", "unknown escape", 2 }, { "\\a", "unknown escape", 1 }, { "[\\B]", "unknown escape", 2 },
    { "\\x4", "wrong escape", 1 }, { "\\u12", "wrong escape", 1 }, { "\\u{110000}", "wrong escape", 1 }, { "\\u{}", "wrong escape", 1 },
    { "\\c1", "wrong escape", 1 }, { "\\01", "wrong escape", 1 }, { ("x"):rep(200) .. "(", "'(' without ')'", 202 },
  } do
    refused(row[1], row[2], row[3])
    T.raises(json.SchemaDocument, { patternProperties = { [row[1]] = {} } })
  end
  -- A character is not cut through.
  T.contains(T.raises(json.SchemaDocument, { pattern = ("x"):rep(79) .. "\195\169(" }), "'" .. ("x"):rep(79) .. "...'")
end

-- ---- hostile -----------------------------------------------------------------------------------------------

function TestRapidjsonPattern:test_hostile_patterns()
  refused(("("):rep(200000), "it is nested too deep", 251)
  same(matcher(("("):rep(249) .. "a" .. (")"):rep(249))("a"), true)
  refused(("("):rep(250) .. "a" .. (")"):rep(250), "it is nested too deep", 251)
  for _, pattern in ipairs { "(a{1000}){1000}", "a{50000}", "a{0,4294967296}", "a{99999999999999999999,}", "((a{100}){100}){100}",
    ("a"):rep(50000), ("(a{1000})"):rep(100), ("a|"):rep(30000), ("a?"):rep(30000) } do
    T.contains(T.raises(json.SchemaDocument, { pattern = pattern }), "': it is too large at byte ")
  end
  T.contains(T.raises(json.SchemaDocument, { pattern = "[" .. ("ab"):rep(500001) .. "]" }), "': it is too large at byte ")
  local fits = matcher("^a{40000}$")
  same(fits(("a"):rep(40000)), true)
  same(fits(("a"):rep(40001)), false)
  same(matcher("^[" .. ("bc"):rep(100000) .. "]{9}$")("bcbcbcbcb"), true)
  same(matcher("^" .. ("a"):rep(40000))(("a"):rep(40000)), true)
  local schema = { items = {} }
  for i = 1, 500 do schema.items[i] = { pattern = "a{20000}" .. i } end
  T.contains(T.raises(json.SchemaDocument, schema), "': the patterns of the schema are too large at byte ")
end

-- Whoever tries one way after the other needs 2^n steps for some of these.
function TestRapidjsonPattern:test_hostile_texts()
  local long = ("a"):rep(100000)
  for _, pattern in ipairs { "(a*)*b", "(a|a)*b", "(a+)+b", "(a?){30}a{30}b", "(a*)*(a*)*b", "((a{0,5}){0,5})*b", "(a|aa)+b", "(.*)(.*)(.*)b",
    "(|a)*b", "(|a|b{0})+c", "(^|a)*b", "(\\b|a)*b" } do
    same(matcher(pattern)(long), false, pattern)
    same(matcher(pattern)(long .. "bc"), true, pattern)
  end
  same(matcher("^b")(("a"):rep(1000000)), false)
end

function TestRapidjsonPattern:test_deep_schemas()
  -- Where no schema is looked for any more, a pattern is an error, not one that everything matches.
  local deep = '{"items":{"$ref":"#/x' .. ("/0"):rep(600) .. '"},"x":' .. ("["):rep(600) .. '{"pattern":"a"}' .. ("]"):rep(600) .. "}"
  T.contains(T.raises(failing, deep, '["a"]'), "nested too deep to validate")
  same(failing((deep:gsub("%[+", ("["):rep(400)):gsub("%]+", ("]"):rep(400)):gsub("/0", "", 200)), '["b"]'), "pattern #/0")
end

-- ---- against the model -------------------------------------------------------------------------------------

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
