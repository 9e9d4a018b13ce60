-- SPDX-License-Identifier: MIT
-- test_rapidjson_schema.lua -- the schemas of fleece.rapidjson: JSON Schema draft 4 as RapidJSON checks it (its keywords,
-- their order, the pointers in its messages), and which values are equal.

local T = require "support"
local lu, same, random = T.lu, T.same, T.random
local json = require "fleece.rapidjson"

TestRapidjsonSchema = {}

-- Validates texts by a schema: "" if they fit, else the keyword and the pointer.
local function failing(schema, s)
  local ok, message = json.SchemaValidator(json.SchemaDocument(schema)):validate(json.Document(s))
  if ok then return "" end
  return (message:gsub('^invalid "(.-)" in document at pointer "(.*)"$', "%1 %2"))
end

-- What each keyword means is said by "JSON Schema Validation" draft 4, section 5; each row: schema, text, result.
function TestRapidjsonSchema:test_schema_keywords()
  for _, row in ipairs {
    { '{"type":["number","string"]}', "42", "" }, { '{"type":["number","string"]}', "{}", "type #" },
    { '{"type":"integer"}', "1", "" }, { '{"type":"integer"}', "1.5", "type #" }, { '{"type":"number"}', "1", "" },
    { '{"type":"null"}', "null", "" }, { '{"type":"boolean"}', "false", "" }, { '{"type":"boolean"}', "null", "type #" },
    { '{"minimum":3}', "3", "" }, { '{"minimum":3}', "2.9", "minimum #" }, { '{"minimum":3,"exclusiveMinimum":true}', "3", "minimum #" },
    { '{"maximum":3}', "3", "" }, { '{"maximum":3}', "3.1", "maximum #" }, { '{"maximum":3,"exclusiveMaximum":true}', "3", "maximum #" },
    { '{"minimum":9223372036854775808}', "9223372036854775807", "minimum #" }, { '{"maximum":-1}', "18446744073709551615", "maximum #" },
    { '{"multipleOf":3}', "-9", "" }, { '{"multipleOf":3}', "10", "multipleOf #" }, { '{"multipleOf":0.5}', "1.5", "" },
    { '{"multipleOf":0.5}', "1.25", "multipleOf #" }, { '{"multipleOf":2}', "-9223372036854775808", "" },
    { '{"minLength":2}', '"\195\169\195\169"', "" }, { '{"minLength":2}', '"\195\169"', "minLength #" },
    { '{"maxLength":1}', '"\240\159\152\128"', "" }, { '{"maxLength":1}', '"ab"', "maxLength #" },
    { '{"items":{"type":"integer"}}', "[1,2]", "" }, { '{"items":{"type":"integer"}}', "[1,[]]", "type #/1" },
    { '{"items":[{"type":"integer"}],"additionalItems":false}', "[1]", "" },
    { '{"items":[{"type":"integer"}],"additionalItems":false}', "[1,2]", "items #/1" },
    { '{"items":[{}],"additionalItems":{"type":"null"}}', "[1,null,2]", "type #/2" },
    { '{"minItems":1}', "[]", "minItems #" }, { '{"maxItems":1}', "[1,2]", "maxItems #" },
    { '{"uniqueItems":true}', '[1,"1",[1],{"a":1,"b":2}]', "" }, { '{"uniqueItems":true}', "[1,2,1.0]", "uniqueItems #/2" },
    { '{"uniqueItems":true}', '[{"a":1,"b":[]},{"b":[],"a":1}]', "uniqueItems #/1" },
    { '{"properties":{"a/b":{"properties":{"~ \195\169":{"type":"null"}}}}}', '{"a/b":{"~ \195\169":1}}', "type #/a~1b/~0%20%C3%A9" },
    { '{"required":["a","b"]}', '{"a":1,"b":2}', "" }, { '{"required":["a","b"]}', '{"a":1}', "required #" },
    { '{"required":["a"],"properties":{"a":{"default":"x"}}}', "{}", "" },
    { '{"properties":{"a":{}},"required":["b"],"additionalProperties":false}', '{"a":1,"b":2}', "" },
    { '{"properties":{"a":{}},"additionalProperties":false}', '{"a":1,"b":2}', "additionalProperties #/b" },
    { '{"additionalProperties":{"type":"null"}}', '{"x":1}', "type #/x" },
    { '{"minProperties":1}', "{}", "minProperties #" }, { '{"maxProperties":1}', '{"a":1,"b":1}', "maxProperties #" },
    { '{"dependencies":{"a":["b"]}}', '{"a":1}', "dependencies #" }, { '{"dependencies":{"a":["b"]}}', '{"a":1,"b":1}', "" },
    { '{"dependencies":{"a":{"maxProperties":1}}}', '{"a":1,"b":1}', "dependencies #" },
    { '{"enum":[1,"a",{"x":[1,2]}]}', '{"x":[1.0,2]}', "" }, { '{"enum":[1,"a"]}', '"b"', "enum #" },
    { '{"allOf":[{"type":"integer"},{"minimum":3}]}', "2", "allOf #" }, { '{"anyOf":[{"type":"null"},{"minimum":3}]}', "2", "anyOf #" },
    { '{"oneOf":[{"minimum":1},{"minimum":3}]}', "2", "" }, { '{"oneOf":[{"minimum":1},{"minimum":3}]}', "3", "oneOf #" },
    { '{"oneOf":[{"minimum":1}]}', "0", "oneOf #" }, { '{"not":{"type":"null"}}', "null", "not #" },
    { '{"definitions":{"a b":{"type":"null"}},"items":{"$ref":"#/definitions/a%20b"}}', "[null,1]", "type #/1" },
    { '{"definitions":{"1":{"type":"null"}},"items":{"$ref":"#/definitions/1"}}', "[1]", "type #/0" }, -- there anything fits
    { '{"items":{"$ref":"#"},"maxItems":2}', "[[[],[1,2,3]]]", "maxItems #/0/1" },
    { '{"items":{"$ref":"#/none"}}', "[1]", "" }, { '{"items":{"$ref":"other.json","type":"null"}}', "[1]", "type #/0" },
    { "no JSON", "1", "" }, { "[1]", "1", "" },
  } do
    same(failing(row[1], row[2]), row[3], row[1] .. " of " .. row[2])
  end
end

-- Members are equal one to one: a name that is there twice does not stand for another one.
function TestRapidjsonSchema:test_equal_members()
  local function fits(schema, value) return json.SchemaValidator(json.SchemaDocument(schema)):validate(json.Document(value)) end
  for _, row in ipairs {
    { '{"a":1,"b":[]}', '{"b":[],"b":[]}', false }, { '{"b":[],"b":[]}', '{"a":1,"b":[]}', false },
    { '{"a":1,"b":[]}', '{"b":[],"a":1}', true }, { '{"b":[],"b":[]}', '{"b":[],"b":[]}', true },
    { '{"a":1,"a":1,"b":2}', '{"b":2,"b":5,"a":1}', false }, { '{"b":2,"b":5,"a":1}', '{"a":1,"a":1,"b":2}', false },
    { "{}", '{"a":"a"}', false }, { "{}", '{"a":1,"a":1}', false }, { '{"x":{"a":1,"b":2}}', '{"x":{"b":2,"a":1}}', true },
    { '{"a":1,"a":2}', '{"a":2,"a":1}', true }, { '{"a":1,"a":2}', '{"a":2,"a":2}', false }, { '{"a":1,"a":2,"a":1}', '{"a":2,"a":1,"a":2}', false },
    { '{"x":0,"a":[1,{"b":1,"c":2}],"a":[]}', '{"a":[],"a":[1,{"c":2,"b":1.0}],"x":-0.0}', true },
    { '{"x":0,"a":[1,{"b":1,"c":2}],"a":[]}', '{"a":[],"a":[1,{"c":2,"b":1.5}],"x":-0.0}', false },
  } do
    same(fits('{"enum":[' .. row[1] .. "]}", row[2]), row[3], row[1] .. " " .. row[2])
    same(fits('{"uniqueItems":true}', "[" .. row[1] .. "," .. row[2] .. "]"), not row[3], row[1] .. " " .. row[2])
  end
end

-- Which item equals which is found in linear time; equal are 1 and 1.0, 0 and -0, and objects in any order.
function TestRapidjsonSchema:test_unique_items()
  local validator = json.SchemaValidator(json.SchemaDocument '{"uniqueItems":true}')
  local function repeated(s)
    local fits, message = validator:validate(json.Document(s))
    return not fits and message:match "pointer \"#/(%d+)\"" or nil
  end
  local values = { "1", "2.5", "0", '"a"', '"1"', '""', '"abcdefgh"', '"abcdefghi"', "null", "true", "false", "[]", "{}", "[1]", '["1"]', "[[]]",
    "[1,2]", "[2,1]", '{"a":1}', '{"a":"1"}', '{"b":1}', '{"a":1,"b":[{}]}', "9007199254740992", "9007199254740993", "18446744073709551615",
    "1e300", '{"a":{"b":[1,{"c":null,"d":0}]}}' }
  local again = { "1.0", "2.50", "-0.0", '"\\u0061"', '"\\u0031"', '""', '"abcdefgh"', '"abcdefghi"', "null", "true", "false", "[ ]", "{ }",
    "[1.0]", '["1"]', "[[]]", "[1,2]", "[2,1.0]", '{"a":1.0}', '{"a":"1"}', '{"b":1}', '{"b":[{}],"a":1}', "9007199254740992",
    "9007199254740993", "18446744073709551615", "1.0e300", '{"a":{"b":[1.0,{"d":-0.0,"c":null}]}}' }
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
  T.linear(function(n) -- the other way round
    local members, turned = {}, {}
    for i = 1, n do
      members[i] = ('"name %d":{"a":%d,"b":%d,"b":3}'):format(i, i, i)
      turned[n + 1 - i] = ('"name %d":{"b":3,"b":%d,"a":%d}'):format(i, i, i)
    end
    local document = json.Document("[{" .. table.concat(members, ",") .. "},{" .. table.concat(turned, ",") .. "}]")
    local start = os.clock()
    same(validator:validate(document), false)
    return os.clock() - start
  end, 500, 10000, 100)
  T.linear(function(n) -- names that are there twice, in many orders, and no two are equal
    local items = {}
    for i = 1, n do
      local members = {}
      for bit = 1, 15 do
        local high = math.floor(i / 2 ^ (bit - 1)) % 2
        members[bit] = ('"%d":%d,"%d":%d'):format(bit, high, bit, high)
      end
      items[i] = "{" .. table.concat(members, ",") .. "}"
    end
    local document, start = json.Document("[" .. table.concat(items, ",") .. "]"), os.clock()
    same(validator:validate(document), true)
    return os.clock() - start
  end, 500, 10000, 100)
  local one, other = "1", "1.0" -- in another order at each level
  for i = 1, 400 do
    one, other = ('{"x":%s,"a":%d,"b":0}'):format(one, i), ('{"x":%s,"b":0,"a":%d}'):format(other, i)
  end
  T.soon(2, function() same(repeated("[" .. one .. "," .. other .. "]"), "1") end)
  T.soon(2, function() same(repeated("[" .. one .. "," .. other:gsub('"a":1}', '"a":0}') .. "]"), nil) end)
end

-- Random objects and the same ones in another order: what is equal is what has the same text when members are sorted.
function TestRapidjsonSchema:test_random_equal()
  local validator = json.SchemaValidator(json.SchemaDocument '{"uniqueItems":true}')
  local function value(depth)
    local kind = random(1, depth > 0 and 6 or 3)
    if kind <= 3 then return ({ "1", "2", '"a"' })[kind] end
    local parts = {}
    for i = 1, random(0, 4) do parts[i] = value(depth - 1) end
    if kind == 4 then return parts end
    for i = 1, #parts do parts[i] = { name = '"' .. T.pick { "a", "b", "c" } .. '"', parts[i] } end
    parts.object = true
    return parts
  end
  local function text(v, finish)
    if type(v) == "string" then return v end
    local parts = {}
    for i, item in ipairs(v) do parts[i] = v.object and item.name .. ":" .. text(item[1], finish) or text(item, finish) end
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
  collectgarbage() -- there the schema is gone, and the process with it
  for _ = 1, 3 do
    same(select("#", validator:validate(json.Document "1")), 1)
    local ok, message = validator:validate(json.Document "null")
    same(ok, false)
    same(message, 'invalid "type" in document at pointer "#"')
  end
  for _, v in ipairs { 1, true, io.stdout, print } do
    lu.assertFalse((pcall(json.SchemaDocument, v)))
    lu.assertFalse((pcall(json.SchemaValidator, v)))
    lu.assertFalse((pcall(validator.validate, validator, v)))
  end
  lu.assertFalse((pcall(json.SchemaDocument, nil)))
  lu.assertFalse((pcall(json.SchemaValidator)))
  -- What goes round in circles ends in an error.
  for _, s in ipairs { '{"$ref":"#"}', '{"allOf":[{"$ref":"#"}]}' } do
    T.contains(T.raises(failing, s, "1"), "nested too deep to validate")
  end
  T.contains(T.raises(failing, '{"items":{"$ref":"#"}}', ("["):rep(600) .. ("]"):rep(600)), "nested too deep to validate")
end
