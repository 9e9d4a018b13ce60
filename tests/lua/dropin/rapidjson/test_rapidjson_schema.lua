-- SPDX-License-Identifier: MIT
-- test_rapidjson_schema.lua -- the schemas of fleece.rapidjson: JSON Schema draft 4 as RapidJSON implements it (its
-- keywords, the pointers in its messages), and equality of values.
-- runs: in one layout

local T = require "support"
local lu, same, random = T.lu, T.same, T.random
local json = require "fleece.rapidjson"
local failing = require("schemas").failing

TestRapidjsonSchema = {}

-- A chain of schemas, each of which refers to the next one twice, takes linear time, because results are cached.
function TestRapidjsonSchema:test_references_are_linear()
  local function chain(levels, form, last)
    local parts = {}
    for i = 1, levels do
      local ref = '{"$ref":"#/definitions/s' .. i + 1 .. '"}'
      parts[i] = ('"s%d":%s'):format(i, (form:gsub("REF", (ref:gsub("%%", "%%%%")))))
    end
    parts[levels + 1] = ('"s%d":%s'):format(levels + 1, last)
    return '{"definitions":{' .. table.concat(parts, ",") .. '},"$ref":"#/definitions/s1"}'
  end
  local nested = ('{"a":'):rep(60) .. "1" .. ("}"):rep(60)
  for _, case in ipairs {
    { '{"allOf":[REF,REF]}', "1", "allOf #" },
    { '{"anyOf":[REF,REF]}', "1", "anyOf #" }, { '{"oneOf":[{"type":"null"},REF,REF]}', "1", "oneOf #", true },
    { '{"not":{"not":{"allOf":[REF,REF]}}}', "1", "not #" },
    { '{"allOf":[{"properties":{"a":REF}},{"properties":{"a":REF}}]}', nested, "allOf #" },
    { '{"allOf":[{"patternProperties":{"a":REF},"properties":{"a":REF}}]}', nested, "allOf #" },
    { '{"dependencies":{"a":{"allOf":[{"additionalProperties":REF},{"additionalProperties":REF}]}}}', nested, "dependencies #" },
  } do
    for _, last in ipairs { '{"type":"integer"}', '{"type":"string"}' } do
      local levels = case[2] == nested and 60 or 40
      local found = T.soon(1, failing, chain(levels, case[1], last), case[2])
      if not case[4] then same(found, last:find "integer" and "" or case[3], case[1]) end
    end
  end
  T.linear(function(n)
    local start = os.clock()
    same(failing(chain(n, '{"allOf":[REF,REF]}', '{"minimum":0}'), "-1"), "allOf #")
    return os.clock() - start
  end, 10, 80, 100)
  -- one schema, many values
  local list = {}
  for i = 1, 3000 do list[i] = i % 2 == 0 and i or '"x"' end
  local tree = '{"definitions":{"n":{"anyOf":[{"type":"integer"},{"type":"string"}]}},"allOf":[{"items":{"$ref":"#/definitions/n"}}]}'
  same(failing(tree, "[" .. table.concat(list, ",") .. "]"), "")
  list[2999] = "null"
  same(failing(tree, "[" .. table.concat(list, ",") .. "]"), "allOf #")
end

-- The meaning of each keyword is that of "JSON Schema Validation" draft 4, section 5; `failing` is the keyword and the
-- pointer, or empty.
function TestRapidjsonSchema:test_schema_keywords()
  T.each({
    { schema = '{"type":["number","string"]}', text = "42", failing = "" },
    { schema = '{"type":["number","string"]}', text = "{}", failing = "type #" },
    { schema = '{"type":"integer"}', text = "1", failing = "" },
    { schema = '{"type":"integer"}', text = "1.5", failing = "type #" },
    { schema = '{"type":"number"}', text = "1", failing = "" },
    { schema = '{"type":"null"}', text = "null", failing = "" },
    { schema = '{"type":"boolean"}', text = "false", failing = "" },
    { schema = '{"type":"boolean"}', text = "null", failing = "type #" },
    { schema = '{"minimum":3}', text = "3", failing = "" },
    { schema = '{"minimum":3}', text = "2.9", failing = "minimum #" },
    { schema = '{"minimum":3,"exclusiveMinimum":true}', text = "3", failing = "minimum #" },
    { schema = '{"maximum":3}', text = "3", failing = "" },
    { schema = '{"maximum":3}', text = "3.1", failing = "maximum #" },
    { schema = '{"maximum":3,"exclusiveMaximum":true}', text = "3", failing = "maximum #" },
    { schema = '{"minimum":9223372036854775808}', text = "9223372036854775807", failing = "minimum #" },
    { schema = '{"maximum":-1}', text = "18446744073709551615", failing = "maximum #" },
    -- integers and doubles by their exact values
    { schema = '{"maximum":9007199254740992.0}', text = "9007199254740993", failing = "maximum #" },
    { schema = '{"maximum":9007199254740992.0}', text = "9007199254740992", failing = "" },
    { schema = '{"minimum":18446744073709551616.0}', text = "18446744073709551615", failing = "minimum #" },
    { schema = '{"minimum":-9223372036854775808.0}', text = "-9223372036854775808", failing = "" },
    { schema = '{"enum":[9007199254740992.0]}', text = "9007199254740993", failing = "enum #" },
    { schema = '{"enum":[9007199254740992.0]}', text = "9007199254740992", failing = "" },
    { schema = '{"uniqueItems":true}', text = "[9007199254740993,9007199254740992.0]", failing = "" },
    { schema = '{"uniqueItems":true}', text = "[9007199254740992,9007199254740992.0]", failing = "uniqueItems #/1" },
    { schema = '{"multipleOf":3}', text = "-9", failing = "" },
    { schema = '{"multipleOf":3}', text = "10", failing = "multipleOf #" },
    { schema = '{"multipleOf":0.5}', text = "1.5", failing = "" },
    { schema = '{"multipleOf":0.5}', text = "1.25", failing = "multipleOf #" },
    { schema = '{"multipleOf":2}', text = "-9223372036854775808", failing = "" },
    { schema = '{"minLength":2}', text = '"\195\169\195\169"', failing = "" },
    { schema = '{"minLength":2}', text = '"\195\169"', failing = "minLength #" },
    { schema = '{"maxLength":1}', text = '"\240\159\152\128"', failing = "" },
    { schema = '{"maxLength":1}', text = '"ab"', failing = "maxLength #" },
    { schema = '{"items":{"type":"integer"}}', text = "[1,2]", failing = "" },
    { schema = '{"items":{"type":"integer"}}', text = "[1,[]]", failing = "type #/1" },
    { schema = '{"items":[{"type":"integer"}],"additionalItems":false}', text = "[1]", failing = "" },
    { schema = '{"items":[{"type":"integer"}],"additionalItems":false}', text = "[1,2]", failing = "items #/1" },
    { schema = '{"items":[{}],"additionalItems":{"type":"null"}}', text = "[1,null,2]", failing = "type #/2" },
    { schema = '{"minItems":1}', text = "[]", failing = "minItems #" },
    { schema = '{"maxItems":1}', text = "[1,2]", failing = "maxItems #" },
    { schema = '{"uniqueItems":true}', text = '[1,"1",[1],{"a":1,"b":2}]', failing = "" },
    { schema = '{"uniqueItems":true}', text = "[1,2,1.0]", failing = "uniqueItems #/2" },
    { schema = '{"uniqueItems":true}', text = '[{"a":1,"b":[]},{"b":[],"a":1}]', failing = "uniqueItems #/1" },
    {
      schema = '{"properties":{"a/b":{"properties":{"~ \195\169":{"type":"null"}}}}}',
      text = '{"a/b":{"~ \195\169":1}}',
      failing = "type #/a~1b/~0%20%C3%A9",
    },
    { schema = '{"required":["a","b"]}', text = '{"a":1,"b":2}', failing = "" },
    { schema = '{"required":["a","b"]}', text = '{"a":1}', failing = "required #" },
    { schema = '{"required":["a"],"properties":{"a":{"default":"x"}}}', text = "{}", failing = "" },
    {
      schema = '{"properties":{"a":{}},"required":["b"],"additionalProperties":false}',
      text = '{"a":1,"b":2}',
      failing = "",
    },
    {
      schema = '{"properties":{"a":{}},"additionalProperties":false}',
      text = '{"a":1,"b":2}',
      failing = "additionalProperties #/b",
    },
    { schema = '{"additionalProperties":{"type":"null"}}', text = '{"x":1}', failing = "type #/x" },
    { schema = '{"minProperties":1}', text = "{}", failing = "minProperties #" },
    { schema = '{"maxProperties":1}', text = '{"a":1,"b":1}', failing = "maxProperties #" },
    { schema = '{"dependencies":{"a":["b"]}}', text = '{"a":1}', failing = "dependencies #" },
    { schema = '{"dependencies":{"a":["b"]}}', text = '{"a":1,"b":1}', failing = "" },
    { schema = '{"dependencies":{"a":{"maxProperties":1}}}', text = '{"a":1,"b":1}', failing = "dependencies #" },
    { schema = '{"enum":[1,"a",{"x":[1,2]}]}', text = '{"x":[1.0,2]}', failing = "" },
    { schema = '{"enum":[1,"a"]}', text = '"b"', failing = "enum #" },
    { schema = '{"allOf":[{"type":"integer"},{"minimum":3}]}', text = "2", failing = "allOf #" },
    { schema = '{"anyOf":[{"type":"null"},{"minimum":3}]}', text = "2", failing = "anyOf #" },
    { schema = '{"oneOf":[{"minimum":1},{"minimum":3}]}', text = "2", failing = "" },
    { schema = '{"oneOf":[{"minimum":1},{"minimum":3}]}', text = "3", failing = "oneOf #" },
    { schema = '{"oneOf":[{"minimum":1}]}', text = "0", failing = "oneOf #" },
    { schema = '{"not":{"type":"null"}}', text = "null", failing = "not #" },
    {
      schema = '{"definitions":{"a b":{"type":"null"}},"items":{"$ref":"#/definitions/a%20b"}}',
      text = "[null,1]",
      failing = "type #/1",
    },
    {
      schema = '{"definitions":{"1":{"type":"null"}},"items":{"$ref":"#/definitions/1"}}',
      text = "[1]",
      failing = "type #/0",
    }, -- in RapidJSON, any value is valid
    { schema = '{"items":{"$ref":"#"},"maxItems":2}', text = "[[[],[1,2,3]]]", failing = "maxItems #/0/1" },
    { schema = '{"items":{"$ref":"#/none"}}', text = "[1]", failing = "" },
    { schema = '{"items":{"$ref":"#/none","type":"null"}}', text = "[1]", failing = "type #/0" },
    { schema = '{"items":{"$ref":"other.json","type":"null"}}', text = "[1]", failing = "type #/0" },
    {
      schema = '{"$ref":"http://json-schema.org/draft-04/schema#"}',
      text = '{"maxLength":-1}',
      failing = "minimum #/maxLength",
    },
    { schema = "[1]", text = "1", failing = "" },
    -- RapidJSON decides these otherwise, against draft 4: 5.4.4.4 and 5.4.3, 5.1.1 by exact values, 5.2.2
    {
      schema = '{"dependencies":{"a":["b"]},"additionalProperties":false}',
      text = '{"b":1}',
      failing = "additionalProperties #/b",
    },
    {
      schema = '{"required":["a"],"properties":{"a":{"$ref":"#/definitions/b"}},"definitions":{"b":{"default":"x"}}}',
      text = "{}",
      failing = "required #",
    },
    { schema = '{"multipleOf":0.1}', text = "0.3", failing = "" },
    { schema = '{"minLength":1.0}', text = '""', failing = "minLength #" },
  }, function(case)
    same(failing(case.schema, case.text), case.failing)
  end)
end

-- Names that an object has twice: RFC 8259, section 4, leaves open what they mean. A schema is refused; of a value the
-- last one counts, as in a decoded table.
function TestRapidjsonSchema:test_repeated_names()
  T.raises_ending("not a JSON Schema: at /enum/0/a: the name a occurs twice", json.SchemaDocument,
    '{"enum":[{"a":1,"a":2}]}')
  local schema = '{"properties":{"a":{"type":"array"},"b":{"type":"object"}},"uniqueItems":true}'
  T.each({
    { text = '{"a":[],"b":{},"a":[]}', failing = "" }, { text = '{"a":1,"b":{},"a":[]}', failing = "" },
    { text = '{"a":[],"b":{},"a":1}', failing = "type #/a" }, { text = '{"a":[],"b":[],"a":[]}', failing = "type #/b" },
    { text = '[{"a":1,"a":2},{"a":1}]', failing = "" },
    { text = '[{"a":1,"a":2},{"a":2}]', failing = "uniqueItems #/1" },
  }, function(case)
    same(failing(schema, case.text), case.failing)
  end)
end

-- What is wrong in a schema says nothing, as in RapidJSON, but for a pattern: it would match everything or nothing.
function TestRapidjsonSchema:test_wrong_keywords()
  T.each({
    { schema = '{"type":"none"}', text = "1", failing = "type #" },
    { schema = '{"type":5}', text = "1", failing = "type #" },
    { schema = '{"type":["none",5,"integer","integer"]}', text = "1", failing = "" },
    { schema = '{"required":["a","a",5]}', text = '{"a":1}', failing = "" },
    { schema = '{"required":["a","a",5]}', text = "{}", failing = "required #" },
    { schema = '{"required":["a","a",5],"properties":{"a":{}}}', text = '{"a":1}', failing = "" },
    { schema = '{"required":["a","b",5],"properties":{"a":{}}}', text = '{"a":1}', failing = "required #" },
    { schema = '{"required":[],"minProperties":1}', text = "{}", failing = "minProperties #" },
    { schema = '{"dependencies":{"x":[],"y":"z","a":["b",5]}}', text = '{"a":1}', failing = "dependencies #" },
    { schema = '{"not":5}', text = "1", failing = "" }, { schema = '{"not":true}', text = "1", failing = "" },
    { schema = '{"not":{}}', text = "1", failing = "not #" },
    { schema = '{"allOf":[5,{"type":"null"}]}', text = "1", failing = "allOf #" },
    { schema = '{"anyOf":[5,{"type":"null"}]}', text = "1", failing = "" },
    { schema = '{"anyOf":[]}', text = "1", failing = "" },
    { schema = '{"oneOf":5}', text = "1", failing = "" }, { schema = '{"enum":[]}', text = "1", failing = "" },
    { schema = '{"minimum":"a","maximum":0}', text = "1", failing = "maximum #" },
    { schema = '{"minimum":1,"exclusiveMinimum":5}', text = "1", failing = "" },
    { schema = '{"multipleOf":0,"maximum":0}', text = "1", failing = "maximum #" },
    { schema = '{"minLength":-1,"maxLength":0}', text = '"a"', failing = "maxLength #" },
    { schema = '{"minLength":"5","format":5,"maxLength":0}', text = '"a"', failing = "maxLength #" },
    { schema = '{"items":5,"minItems":2}', text = "[1]", failing = "minItems #" },
    { schema = '{"items":[5,{"type":"null"}]}', text = "[1,2]", failing = "type #/1" },
    { schema = '{"uniqueItems":1,"maxItems":1}', text = "[1,1]", failing = "maxItems #" },
    { schema = '{"properties":{"a":5,"b":{"type":"null"}}}', text = '{"a":1,"b":2}', failing = "type #/b" },
    {
      schema = '{"properties":5,"patternProperties":5,"minProperties":2}',
      text = '{"a":1}',
      failing = "minProperties #",
    },
    {
      schema = '{"additionalProperties":5,"definitions":5,"minProperties":2}',
      text = '{"a":1}',
      failing = "minProperties #",
    },
    { schema = '{"$ref":5,"type":"null"}', text = "1", failing = "type #" },
    { schema = '{"$schema":5,"id":5,"type":"null"}', text = "1", failing = "type #" },
    { schema = '{"$schema":"http://json-schema.org/draft-07/schema#","const":1}', text = "2", failing = "" },
    {
      schema = '{"id":"http://x/","items":{"id":"y","items":{"$ref":"#/definitions/q"}},' ..
        '"definitions":{"q":{"type":"null"}}}',
      text = "[[1]]",
      failing = "type #/0/0",
    },
  }, function(case)
    same(failing(case.schema, case.text), case.failing)
  end)
end

-- Equal items are found in linear time; 1 and 1.0 are equal, 0 and -0, and objects in any order.
function TestRapidjsonSchema:test_unique_items()
  local validator = json.SchemaValidator(json.SchemaDocument '{"uniqueItems":true}')
  local function repeated(s)
    local fits, message = validator:validate(json.Document(s))
    return not fits and message:match "pointer \"#/(%d+)\"" or nil
  end
  local values = { "1", "2.5", "0", '"a"', '"1"', '""', '"abcdefgh"', '"abcdefghi"', "null", "true", "false", "[]",
    "{}", "[1]", '["1"]', "[[]]", "[1,2]", "[2,1]", '{"a":1}', '{"a":"1"}', '{"b":1}', '{"a":1,"b":[{}]}',
    "9007199254740992", "9007199254740993", "18446744073709551615", "1e300", '{"a":{"b":[1,{"c":null,"d":0}]}}' }
  local again = { "1.0", "2.50", "-0.0", '"\\u0061"', '"\\u0031"', '""', '"abcdefgh"', '"abcdefghi"', "null", "true",
    "false", "[ ]", "{ }", "[1.0]", '["1"]', "[[]]", "[1,2]", "[2,1.0]", '{"a":1.0}', '{"a":"1"}', '{"b":1}',
    '{"b":[{}],"a":1}', "9007199254740992", "9007199254740993", "18446744073709551615", "1.0e300",
    '{"a":{"b":[1.0,{"d":-0.0,"c":null}]}}' }
  local all = table.concat(values, ",")
  same(repeated("[" .. all .. "]"), nil)
  for i = 1, #values do
    same(repeated("[" .. all .. "," .. again[i] .. "]"), tostring(#values), again[i])
    same(repeated("[" .. again[i] .. "," .. all .. "]"), tostring(i), again[i])
  end
  T.linear(function(n)
    local items = {}
    for i = 1, n do items[i] = i % 3 == 0 and ("[%d]"):format(i) or i % 3 == 1 and ('{"a":%d,"b":1}'):format(i) or i end
    local document, start = json.Document("[" .. table.concat(items, ",") .. "]"), os.clock()
    same(validator:validate(document), true)
    return os.clock() - start
  end, 500, 10000, 100)
  T.linear(function(n)
    local members = {}
    for i = 1, n do members[i] = ('"name %d":%d'):format(i, i) end
    members = table.concat(members, ",")
    local document, start = json.Document("[{" .. members .. ',"x":1},{' .. members .. ',"x":2}]'), os.clock()
    same(validator:validate(document), true)
    return os.clock() - start
  end, 500, 10000, 100)
  T.linear(function(n) -- members in reverse order
    local members, turned = {}, {}
    for i = 1, n do
      members[i] = ('"name %d":{"a":%d,"b":%d,"c":3}'):format(i, i, i)
      turned[n + 1 - i] = ('"name %d":{"c":3,"b":%d,"a":%d}'):format(i, i, i)
    end
    local document = json.Document("[{" .. table.concat(members, ",") .. "},{" .. table.concat(turned, ",") .. "}]")
    local start = os.clock()
    same(validator:validate(document), false)
    return os.clock() - start
  end, 500, 10000, 100)
  local one, other = "1", "1.0" -- with another order at each level
  for i = 1, 400 do
    one, other = ('{"x":%s,"a":%d,"b":0}'):format(one, i), ('{"x":%s,"b":0,"a":%d}'):format(other, i)
  end
  T.soon(2, function() same(repeated("[" .. one .. "," .. other .. "]"), "1") end)
  T.soon(2, function() same(repeated("[" .. one .. "," .. other:gsub('"a":1}', '"a":0}') .. "]"), nil) end)
end

-- Random values, also with their members in another order: two are equal if their texts with sorted members are.
function TestRapidjsonSchema:test_random_equal()
  local validator = json.SchemaValidator(json.SchemaDocument '{"uniqueItems":true}')
  local function value(depth)
    local kind = random(1, depth > 0 and 6 or 3)
    if kind <= 3 then return ({ "1", "2", '"a"' })[kind] end
    local parts = {}
    for i = 1, random(0, 4) do parts[i] = value(depth - 1) end
    if kind == 4 then return parts end
    for i = 1, #parts do parts[i] = { name = ('"%s"'):format(("abcd"):sub(i, i)), parts[i] } end
    parts.object = true
    return parts
  end
  local function text(v, finish)
    if type(v) == "string" then return v end
    local parts = {}
    for i, item in ipairs(v) do
      parts[i] = v.object and item.name .. ":" .. text(item[1], finish) or text(item, finish)
    end
    if v.object then finish(parts) end
    return (v.object and "{%s}" or "[%s]"):format(table.concat(parts, ","))
  end
  local function shuffle(parts)
    for i = #parts, 2, -1 do
      local j = random(1, i)
      parts[i], parts[j] = parts[j], parts[i]
    end
  end
  T.random_rounds(300, function()
    local items, seen, expected = {}, {}, true
    for i = 1, random(2, 8) do
      local v = items[1] and random(1, 3) == 1 and items[random(1, #items)] or value(3)
      local sorted = text(v, table.sort)
      items[i], expected, seen[sorted] = v, expected and not seen[sorted], true
    end
    for i = 1, #items do items[i] = text(items[i], shuffle) end
    local document = "[" .. table.concat(items, ",") .. "]"
    same(validator:validate(json.Document(document)), expected, document)
  end)
end

function TestRapidjsonSchema:test_schema_objects()
  same(json.SchemaValidator(json.SchemaDocument()):validate(json.Document "[1]"), true)
  same(failing(json.Document '{"type":"null"}', "1"), "type #")
  same(failing({ properties = { a = { type = "null" } } }, '{"a":1}'), "type #/a")
  local validator = json.SchemaValidator(json.SchemaDocument { type = "integer" })
  collectgarbage()
  collectgarbage() -- in lua-rapidjson the schema would be freed, and the process would crash
  for _ = 1, 3 do
    same(select("#", validator:validate(json.Document "1")), 1)
    T.returns({ n = 2, false, 'invalid "type" in document at pointer "#"' }, validator.validate, validator,
      json.Document "null")
  end
  for _, v in ipairs { 1, true, io.stdout, print } do
    lu.assertFalse((pcall(json.SchemaDocument, v)))
    lu.assertFalse((pcall(json.SchemaValidator, v)))
    lu.assertFalse((pcall(validator.validate, validator, v)))
  end
  -- what is not JSON would make everything valid
  T.each({
    { "not json", "Invalid value. (at Offset 1)" }, { "", "The document is empty. (at Offset 0)" },
    { '{"type":"string"', "Missing a comma or '}' after an object member. (at Offset 16)" },
    { "{} x", "The document root must not be followed by other values. (at Offset 3)" },
  }, function(case)
    T.raises_ending("fleece.rapidjson: the schema is not JSON: " .. case[2], json.SchemaDocument, case[1])
  end)
  lu.assertFalse((pcall(json.SchemaDocument, nil)))
  lu.assertFalse((pcall(json.SchemaValidator)))
  for _, s in ipairs { '{"$ref":"#"}', '{"allOf":[{"$ref":"#"}]}' } do
    T.raises_with("the schema comes back to itself for the same value", json.SchemaDocument, s)
  end
  same(failing('{"items":{"$ref":"#"}}', ("["):rep(6000) .. ("]"):rep(6000)), "")
end
