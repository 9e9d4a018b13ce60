-- SPDX-License-Identifier: MIT
-- test_schema_one_pass.lua -- fleece.schema: texts that are checked, or decoded and checked, in one pass.
-- runs: in one layout

local T = require "support"
local lu, fleece = T.lu, T.fleece
local same = lu.assertEquals

TestSchemaOnePass = {}

-- What a call gives for a text is what decode, s(text) and the list of failures give, however the text is read, and how
-- much of it was read before a failure was found; `valid`: the verdict.
local function decodes(schema, text, valid, options)
  local s = fleece.schema(schema, options)
  local value, message, failure = s:decode(text)
  local fine, said, why = s(text)
  same(fine, valid)
  same(value, valid and fleece.decode(text) or nil)
  same(message, said)
  same(failure, why)
  same(s:errors(text, 1)[1], why)
end

function TestSchemaOnePass:test_decode_in_one_pass()
  local tree = '{"type":"array","maxItems":2,"items":{"$ref":"#"}}'
  local function nest(n, inner) return ("["):rep(n) .. inner .. ("]"):rep(n) end
  decodes(tree, nest(200, ""), true)
  decodes(tree, nest(200, "{}"), false)
  decodes(tree, nest(100, "") .. "]", false)
  local both = '{"type":"object","allOf":[{"properties":{"a":{"$ref":"#"}}},{"additionalProperties":{"$ref":"#"},"maxProperties":2}]}'
  local function chain(n, inner) return ('{"b":{},"a":'):rep(n) .. inner .. ("}"):rep(n) end
  decodes(both, chain(80, "{}"), true)
  decodes(both, chain(80, "[]"), false)
  decodes(both, chain(80, '{"a":{},"b":{},"c":{}}'), false)
  local one = '{"items":{"anyOf":[{"type":"object","required":["a"]},{"maxItems":1}]}}' -- each item is checked by itself
  decodes(one, "[" .. ('{"a":[{}]},[1],'):rep(50) .. "7]", true)
  decodes(one, "[" .. ('{"a":[{}]},[1],'):rep(50) .. "[1,2]]", false)
  decodes('{"items":{"uniqueItems":true}}', "[[1,2],[1.0,10e-1]]", false)
  decodes('{"items":{"not":{"contentMediaType":"application/json"}}}', '["[[1]]","x"]', false, { contents = true })
  decodes('{"items":{"unevaluatedItems":false,"prefixItems":[{"unevaluatedProperties":false}]}}', '[[{}],[]]', true)
  decodes('{"items":{"unevaluatedItems":false,"prefixItems":[{"unevaluatedProperties":false}]}}', '[[{"a":1}],[]]', false)
end

-- A verdict may know that all members are known by name, or that one member decides; the report does not.
local function agrees(schema, text, valid)
  local s = fleece.schema(schema)
  same(#s:errors(text) == 0, valid)
  decodes(schema, text, valid)
  same((s(fleece.decode(text, { arrays = fleece.array_mt }))), valid)
  same((s(fleece.open(fleece.from_json(text)))), valid)
end

-- What type a branch of a branch can have is known; a number may be of two.
function TestSchemaOnePass:test_types_of_branches()
  local s = '{"items":{"oneOf":[{"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"null"}}]},{"oneOf":[{"type":"string"},'
    .. '{"type":"number","maximum":0},{"allOf":[{"type":["number","object"]},{"anyOf":[{"type":"integer"},{"type":"object"}]}],"maxProperties":1}]}]}}'
  for text, valid in pairs {
    ["[]"] = true, ["[[null],{\"a\":1}]"] = true, ["[\"\",-1.5]"] = true, ["[1]"] = false, ["[1.5]"] = false,
    ["[null]"] = false, ["[true]"] = false, ["[[1]]"] = false, ["[{\"a\":1,\"b\":1}]"] = false, ["[1.0]"] = false, ["[-1e0]"] = true,
  } do
    agrees(s, text, valid)
  end
end

-- A report skips what the verdict has found valid, but not what that has tested by the wrong one of two schemas: the member
-- that chooses may come late, after a value that hides it from a look ahead.
function TestSchemaOnePass:test_first_failure()
  local chosen = { "else", [[{"if":{"properties":{"t":{"const":1}},"required":["t"]},"then":{"properties":{"a":{"type":"string"}}},
    "else":{"properties":{"a":{"type":"integer"},"b":{"type":"null"}}}}]], "dependentSchemas", [[{"properties":{"b":{"type":"null"}},
    "dependentSchemas":{"t":{"properties":{"a":{"type":"string"}}}}}]], "anyOf", [[{"anyOf":[{"properties":{"a":{"type":"integer"},
    "b":{"type":"null"}},"required":["u"]},{"properties":{"a":{"type":"string"}},"required":["t"]}]}]] }
  for i = 2, #chosen, 2 do
    for _, text in ipairs { '{"a":1,"x":[],"b":2,"t":1}', '{"a":"","x":[],"b":2,"t":1}', '{"a":1,"x":[],"b":2}', '{"x":[],"b":2,"a":1,"t":1,"u":1}' } do
      for _, around in ipairs { "%s", "[%s]", "[7,%s,8]" } do
        local s = fleece.schema(around == "%s" and chosen[i] or '{"items":{"type":["object","integer"],"$ref":"#/$defs/a"},"$defs":{"a":' .. chosen[i] .. "}}")
        for _ = 1, 2 do same(select(3, s(around:format(text))), s:errors(around:format(text), 1)[1]) end
      end
    end
  end
  local s = fleece.schema(chosen[2])
  same(select(2, s '{"a":1,"x":[],"b":2,"t":1}'), "at /a: expected a string, found 1")
  decodes('{"items":{"required":["a"],"properties":{"b":{"items":{"type":"null"}}}}}', '[{"a":1,"b":[null]},{"b":[null,null]},{"b":[1]}]', false)
  decodes('{"items":{"properties":{"b":false}}}', '[{"a":[]},{"a":[],"b":1}]', false)
  decodes('{"items":{"maxProperties":1,"additionalProperties":{"type":"integer"}}}', '[{"a":1},{"a":1,"b":""}]', false)
end

function TestSchemaOnePass:test_closed_objects()
  local closed = '{"type":"object","properties":{"a":{"type":"integer"},"b":true},"required":["a"],"patternProperties":{"^y":{"type":"null"}},'
    .. '"$ref":"#/$defs/more","unevaluatedProperties":%s,%s"$defs":{"more":{"patternProperties":{"^x-":true},"propertyNames":{"maxLength":4}}}}'
  local plain = closed:format("false", "")
  for text, valid in pairs {
    ['{"a":1}'] = true, ['{"a":1,"b":[],"x-":2,"x-1":{},"y":null}'] = true, ['{"a":1,"c":1}'] = false, ['{"b":1}'] = false,
    ['{"a":""}'] = false, ['{"a":1,"y":1}'] = false, ['{"a":1,"x-345":1}'] = false, ['{"a":1,"\\u0078-":1}'] = true, ["[]"] = false,
  } do
    agrees(plain, text, valid)
  end
  local typed = closed:format('{"type":"string"}', "")
  agrees(typed, '{"a":1,"c":"","x-":[]}', true)
  agrees(typed, '{"a":1,"c":0}', false)
  -- branches that evaluate nothing more, and branches that do
  agrees(closed:format("false", '"anyOf":[{"required":["b"]},{"properties":{"a":{"const":2}}}],"not":{"required":["x-q"],"properties":{"q":true}},'),
    '{"a":2,"c":1}', false)
  agrees(closed:format("false", '"anyOf":[{"required":["b"]},{"properties":{"a":{"const":2}}}],'), '{"a":2,"x-":1}', true)
  agrees(closed:format("false", '"if":{"properties":{"a":{"const":2}}},"then":{"properties":{"c":true}},'), '{"a":2,"c":1}', true)
  agrees(closed:format("false", '"if":{"properties":{"a":{"const":2}}},"then":{"properties":{"c":true}},'), '{"a":1,"c":1}', false)
  agrees(closed:format("false", '"dependentSchemas":{"b":{"patternProperties":{"^c":true}}},'), '{"a":1,"b":1,"c":1}', true)
  agrees(closed:format("false", '"dependentSchemas":{"b":{"patternProperties":{"^y":true}}},'), '{"a":1,"b":1,"c":1}', false)
  agrees(closed:format("false", '"allOf":[{"additionalProperties":true}],'), '{"a":1,"c":1}', true)
  -- required does not evaluate
  agrees('{"$ref":"#/$defs/a","properties":{"b":true},"required":["c"],"unevaluatedProperties":false,"$defs":{"a":{"required":["a"]}}}',
    '{"a":1,"b":1,"c":1}', false)
  -- called by a schema that looks at what was evaluated, too
  local outer = '{"properties":{"z":true},"anyOf":[{"$ref":"#/$defs/in"},{"required":["z"]}],"unevaluatedProperties":false,"$defs":{"in":'
    .. plain:gsub("#/%$defs/more", "#/$defs/in/$defs/more") .. "}}"
  agrees(outer, '{"a":1,"x-":2}', true)
  agrees(outer, '{"a":1,"z":2}', false)
  agrees(outer, '{"z":2}', true)
end

function TestSchemaOnePass:test_the_presence_of_a_member_decides()
  local thing = '{"type":"object","properties":{"a":{"type":"integer"},"o":{}},"patternProperties":{"^x-":true},"additionalProperties":false}'
  local reference = '{"type":"object","required":["$ref"],"properties":{"$ref":{"type":"string"}}}'
  local asks = '{"type":"object","required":["$ref"]}'
  local schemas = {
    ('{"items":{"oneOf":[%s,%s]}}'):format(thing, reference), ('{"items":{"anyOf":[%s,%s]}}'):format(reference, thing),
    ('{"items":{"if":%s,"then":%s,"else":%s}}'):format(asks, '{"properties":{"$ref":{"type":"string"}}}', thing),
    ('{"items":{"if":{"required":["$ref"]},"then":%s,"else":%s}}'):format(reference, thing),
  }
  for _, schema in ipairs(schemas) do
    for text, valid in pairs {
      ['{"$ref":"x"}'] = true, ['{"$ref":1}'] = false, ['{"$ref":[]}'] = false, ['{"a":1}'] = true, ['{"a":""}'] = false, ["{}"] = true,
      ['{"o":{},"$ref":"x"}'] = true, ['{"o":{},"$ref":[1]}'] = false, ['{"o":{},"b":1}'] = false, ['{"a":1,"$ref":"x","b":2}'] = true,
      ['{"\\u0024ref":"x","b":1}'] = true, ['{"$ref":1,"$ref":"x"}'] = true, ['{"$ref":"x","$ref":1}'] = false, ["[]"] = false, ["1"] = false,
      ['{"x-":1,"a":2,"o":{"$ref":2}}'] = true,
    } do
      agrees(schema, "[" .. text .. ',{"a":2}]', valid)
    end
  end
  -- two objects ask with one schema, whose names are required here and not there
  local shared = '{"properties":{"l":{"properties":{"p":true,"q":true,"r":true},"required":["r"],"$ref":"#/$defs/xor"},'
    .. '"m":{"properties":{"q":true,"r":true,"p":true},"required":["q"],"$ref":"#/$defs/xor"}},"$defs":{"xor":{"not":{"required":["p","q"]}}}}'
  for text, valid in pairs {
    ['{"l":{"r":1,"p":1},"m":{"q":1}}'] = true, ['{"l":{"q":1,"r":1},"m":{"q":1,"r":1}}'] = true, ['{"l":{"p":1,"q":1,"r":1}}'] = false,
    ['{"m":{"q":1,"p":1}}'] = false, ['{"m":{"p":1}}'] = false, ['{"l":{"p":1}}'] = false,
  } do
    agrees(shared, text, valid)
  end
  -- without types, other values pass the condition
  local open = '{"if":{"required":["$ref"]},"then":{"minimum":3},"else":{"type":"object","additionalProperties":false}}'
  agrees(open, "4", true)
  agrees(open, "2", false)
  agrees('{"if":{"required":["$ref"]},"then":{"minimum":3},"else":{"additionalProperties":false}}', "2", false)
end

-- Conditions on scalars of members, and on which there are; members that no branch has evaluated.
function TestSchemaOnePass:test_conditions_in_one_pass()
  local parameter = [[{"type":"object","properties":{"name":{"type":"string"},"in":{"enum":["query","path"]},"schema":{"type":"object"},"content":{}},
    "required":["name","in"],"oneOf":[{"required":["schema"]},{"required":["content"]}],
    "if":{"properties":{"in":{"const":"query"}}},"then":{"properties":{"empty":{"type":"boolean"}}},
    "dependentSchemas":{"schema":{"properties":{"style":{"type":"string"}},"allOf":[{"if":{"properties":{"in":{"const":"path"}},"required":["in"]},
      "then":{"properties":{"name":{"pattern":"^[a-z]+$"},"needed":{"const":true}},"required":["needed"]},"else":{"properties":{"explode":true}}}]}},
    "patternProperties":{"^x-":true},"unevaluatedProperties":{"type":"null"}}]]
  local either = '{"if":{"type":"object","required":["$ref"]},"then":{"properties":{"$ref":{"type":"string"}}},"else":' .. parameter .. "}"
  for text, valid in pairs {
    ['{"name":"A","in":"query","schema":{}}'] = true, ['{"name":"A","in":"path","schema":{},"needed":true}'] = false,
    ['{"name":"a","in":"path","schema":{},"needed":true}'] = true, ['{"name":"a","in":"path","schema":{}}'] = false,
    ['{"name":"A","in":"path","content":[]}'] = true, ['{"name":"A","in":"path","content":[],"needed":true}'] = false,
    ['{"name":"A","in":"query","content":[],"empty":true}'] = true, ['{"name":"A","in":"path","content":[],"empty":true}'] = false,
    ['{"name":"A","in":"query","schema":{},"explode":1,"style":"s"}'] = true, ['{"name":"a","in":"path","schema":{},"needed":true,"explode":1}'] = false,
    ['{"name":"A","in":"query","content":{},"style":"s"}'] = false, ['{"name":"A","in":"query","content":{},"style":null}'] = true,
    ['{"name":"A","in":"query","schema":{},"content":1}'] = false, ['{"name":"A","in":"query"}'] = false, ['{"content":{},"in":"query","name":"A"}'] = true,
    ['{"content":{},"in":"query","name":"A","empty":1}'] = false, ['{"content":{},"name":"A","in":"query","empty":false}'] = true,
    ['{"in":"path","name":"A","schema":{},"needed":true,"in":"query"}'] = false, ['{"in":"path","name":"A","schema":{},"empty":true,"in":"query"}'] = true,
    ['{"name":"A","in":"query","x-":1,"schema":{}}'] = true, ['{"name":"A","\\u0069n":"path","content":1}'] = true, ['{"in":[],"name":"A","content":1}'] = false,
    ["[]"] = false,
  } do
    for _, schema in ipairs { parameter, either } do
      agrees(schema, text, valid)
      agrees('{"items":' .. schema .. "}", '[{"name":"n","in":"path","content":[]},' .. text .. ',{"content":{},"in":"path","name":"n"}]', valid)
    end
  end
  agrees(either, '{"$ref":"a","y":1}', true)
  agrees(either, '{"content":{},"$ref":1}', false)
  -- a member that comes again, where no branch that was chosen looks at members
  local chosen = '{"if":{"properties":{"t":{"const":1}}},"else":{"unevaluatedProperties":false}}'
  agrees(chosen, '{"t":1,"u":2}', true)
  agrees(chosen, '{"t":1,"u":2,"t":3}', false)
  agrees(chosen, '{"t":3,"t":1}', true)
  agrees(chosen, "{}", true)
  agrees(chosen, "[1]", true)
  -- a schema that is always valid evaluates members, too, and what is inside does not count outside
  agrees('{"anyOf":[{"properties":{"a":true}},{"type":"object"},{"patternProperties":{"^b":true}}],"unevaluatedProperties":false}', '{"a":1,"b":1}', true)
  agrees('{"allOf":[{"properties":{"a":true},"unevaluatedProperties":{"type":"integer"}}],"unevaluatedProperties":false}', '{"a":"","b":1}', true)
  agrees('{"allOf":[{"properties":{"a":true},"unevaluatedProperties":false}],"properties":{"b":true}}', '{"b":1}', false)
  agrees('{"properties":{"a":{"if":{"required":["b"]},"then":{"properties":{"c":true}},"unevaluatedProperties":false}}}', '{"a":{"b":1,"c":1},"c":1}', false)
  agrees('{"enum":[{"a":1}],"unevaluatedProperties":false}', '{"a":1}', false) -- only keywords about members evaluate them
  agrees('{"oneOf":[{"enum":[{"a":1},2]}],"unevaluatedProperties":{"type":"string"}}', '{"a":1}', false)
  agrees('{"if":{"required":["b"],"properties":{"b":true}},"then":{"properties":{"c":true}},"unevaluatedProperties":false}', '{"b":1,"c":1}', true)
end

-- The items of an array may be anything: then a walk over the array compares them.
function TestSchemaOnePass:test_unique_items()
  local any = '{"uniqueItems":true}'
  local objects = '{"properties":{"a":{"uniqueItems":true,"items":{"type":"object","required":["n"],"properties":{"n":{"uniqueItems":true}}}}}}'
  for text, valid in pairs {
    ["[]"] = true, ["[[]]"] = true, ['["x",["x"],"x"]'] = false, ['["x",["x","y"],{"x":1}]'] = true, ['["y",["x","y"],"z","y"]'] = false,
    ['[{"a":1,"b":[2]},{"b":[2.0],"a":1}]'] = false, ['[{"a":1,"b":[2]},{"b":[3],"a":1}]'] = true, ['[1,{"a":1,"a":2},{"a":2}]'] = false,
    ['[1,{"a":1,"a":2},{"a":1}]'] = true, ['[[1,1],[1,1.0]]'] = false, ['[["\\u0061"],["a"]]'] = false, ["[[],{}]"] = true,
  } do
    agrees(any, text, valid)
    agrees('{"properties":{"a":{"uniqueItems":true}},"required":["a"]}', '{"a":' .. text .. "}", valid)
  end
  for text, valid in pairs {
    ['[{"n":1},{"n":2}]'] = true, ['[{"n":1},{"n":1}]'] = false, ['[{"n":[1,2]},{"n":[2,1]}]'] = true, ['[{"n":[1,1]}]'] = false,
    ['[{"n":[{},[]]},{"n":[{},[]]}]'] = false, ['[{"n":1},{}]'] = false, ['[{"n":1},[]]'] = false,
  } do
    agrees(objects, '{"a":' .. text .. ',"b":[1]}', valid)
  end
  local items = {}
  for i = 1, 40 do items[i] = ('{"i":%d}'):format(i) end
  agrees(any, "[" .. table.concat(items, ",") .. "]", true)
  agrees(any, "[" .. table.concat(items, ",") .. ',{"i":7}]', false)
  -- arrays in each other, which are not read again for each level
  local nested = '{"uniqueItems":true,"items":{"$ref":"#"}}'
  agrees(nested, ("["):rep(99) .. "7" .. (",1]"):rep(99), true)
  agrees(nested, ("["):rep(99) .. "7,[],[]" .. (",1]"):rep(99), false)
  agrees(nested, "[[1,2],[[3],[4]],[5,[6,7],[7,6]]]", true)
  agrees(nested, "[[1,2],[[3],[4]],[5,[6,7],[6,7]]]", false)
end

-- Operations that ask which members there are: with `required` among several schemas, with names and patterns that are not allowed.
function TestSchemaOnePass:test_what_members_settle()
  local nots = '{"required":["a"],"properties":{"a":true,"b":true,"c":true},"allOf":[{"oneOf":[{"required":["b"]},'
    .. '{"required":["c"],"allOf":[{"not":{"required":["d"]}}]}]}],"patternProperties":{"^d":true}}'
  for text, valid in pairs {
    ['{"a":1,"b":1}'] = true, ['{"a":1,"c":1}'] = true, ['{"a":1,"b":1,"c":1}'] = false, ['{"a":1,"c":1,"d":1}'] = false, ['{"a":1,"b":1,"d":1}'] = true,
    ['{"a":1}'] = false, ['{"b":1}'] = false,
  } do
    agrees(nots, text, valid)
    agrees((nots:gsub('"c":true', '"c":true,"d":true')), text, valid)
  end
  local codes = '{"properties":{"default":true,"b":{"type":"integer"}},"patternProperties":{"^[1-5]":{"type":"string"},"^x-":true,"5$":true},'
    .. '"if":{"patternProperties":{"^[1-5]":false}},"then":{"required":["default"]},"not":{"required":["b"],"properties":{"default":false},'
    .. '"patternProperties":{"5$":false}},"unevaluatedProperties":false}'
  for text, valid in pairs {
    ['{"1":""}'] = true, ['{"1":1}'] = false, ['{"x-1":""}'] = false, ["{}"] = false, ['{"default":1}'] = true, ['{"default":1,"5":"","x-":1}'] = true,
    ['{"b":1,"1":""}'] = false, ['{"b":1,"15":""}'] = true, ['{"b":1,"default":1}'] = true, ['{"b":"","default":1}'] = false, ['{"y":1,"1":""}'] = false,
    ['{"b":1,"default":1,"default":2}'] = true, ['{"\\u0031":""}'] = true, ["[]"] = false,
  } do
    agrees(codes, text, valid)
    agrees('{"items":' .. codes .. "}", "[" .. text .. "," .. text .. ',{"1":"a"},{"1":"b"}]', valid)
  end
  -- the same for a name without a pattern, and for one with two
  agrees('{"items":' .. codes .. "}", '[{"15":""},{"1":""},{"15":"","b":2},{"1":"","b":2}]', false)
end

-- Of a tag that only some branches require: objects without it, and objects that have it after much else.
function TestSchemaOnePass:test_a_tag_that_may_be_missing()
  local on = '{"type":"object","required":["t"],"properties":{"t":{"enum":[true,"on"]},"v":{"type":"string"},"o":{}}}'
  local off = '{"type":"object","properties":{"t":{"const":false},"v":{"type":"integer"},"o":{}}}'
  for _, word in ipairs { "oneOf", "anyOf" } do
    local schema = ('{"items":{"%s":[%s,%s,{"type":"null"}]}}'):format(word, on, off)
    for text, valid in pairs {
      ["{}"] = true, ['{"v":1}'] = true, ['{"v":""}'] = false, ['{"v":"","t":true}'] = true, ['{"v":1,"t":true}'] = false, ['{"v":1,"t":false}'] = true,
      ['{"o":[],"v":1}'] = true, ['{"o":[],"v":""}'] = false, ['{"o":[],"v":"","t":"on"}'] = true, ['{"o":[],"v":1,"t":"on"}'] = false,
      ['{"o":{"t":1},"t":false,"v":1}'] = true, ['{"o":[],"t":0}'] = false, ['{"t":true,"t":false,"v":1}'] = true, ['{"t":false,"t":true,"v":1}'] = false,
      ['{"o":[],"v":"","\\u0074":"on"}'] = true, ['{"t":[]}'] = false, ["null"] = true,
    } do
      agrees(schema, "[" .. text .. "]", valid)
      agrees(schema, '[{"o":{}},{"o":[],"t":true},' .. text .. ',{"t":"on","v":"x"},{"o":[1],"v":2}]', valid)
    end
  end
end

function TestSchemaOnePass:test_decode_names_in_one_pass()
  local map = '{"properties":{"n1":{"const":1}},"additionalProperties":{"type":"integer"},"required":["n2"],"propertyNames":{"maxLength":60}}'
  local plain = '{"properties":{"n1":{"const":1}},"additionalProperties":{"type":"integer"},"required":["n2"]}'
  local members = {}
  for i = 1, 200 do members[i] = ('"n%d":%d'):format(i, i) end
  local many = table.concat(members, ",")
  for _, schema in ipairs { map, plain } do
    decodes(schema, "{" .. many .. "}", true)
    decodes(schema, "{" .. many .. ',"x":""}', false)
    decodes(schema, "[{" .. many .. "}]", true)
    decodes(schema, '{"n1":2,' .. many .. "}", true) -- the last one counts
    decodes(schema, "{" .. many .. ',"n1":2}', false)
    decodes(schema, '{"n1":1,"\\u006e2":2,"' .. ("y"):rep(50) .. '":3}', true)
    decodes(schema, '{"n1":1,"n1":1}', false)
    decodes(schema, '{"n2":"","n2":1}', true)
    decodes(schema, '{"n2":1,"n2":""}', false)
  end
  decodes(map, '{"n2":1,"' .. ("y"):rep(70) .. '":3}', false)
  decodes('{"patternProperties":{"^a":{"type":"string"},"b$":{"minLength":2}},"additionalProperties":false}', '{"ab":"xy","a":""}', true)
  decodes('{"patternProperties":{"^a":{"type":"string"},"b$":{"minLength":2}},"additionalProperties":false}', '{"ab":"x"}', false)
  decodes('{"patternProperties":{"^a":{"type":"string"},"b$":{"minLength":2}},"additionalProperties":false}', '{"c":1}', false)
end

-- What a name means depends on its object: members in other orders, unknown ones, and those that several schemas test.
function TestSchemaOnePass:test_names_of_several_objects()
  local schema = [[{"items":{"properties":{"id":{"type":"integer"},"at":{"type":"string"},"in":{"properties":{"id":{"type":"string"},
    "at":{"type":["null","integer"]},"x_id":{"type":"boolean"}},"required":["at"]},"more":{"properties":{"id":{"minimum":3}},
    "patternProperties":{"^x_":{"type":"integer"},"^x_i":{"minimum":7}},"propertyNames":{"maxLength":4},"additionalProperties":{"type":"null"}}},
    "required":["id"]}}]]
  local good = {
    '{"id":1,"at":"","in":{"id":"","at":null},"more":{"id":3,"x_a":1,"x_id":7}}', '{"at":"","id":2}', '{"u":[],"id":3,"v":{"id":[]},"at":"w"}',
    '{"in":{"at":1,"x_id":true},"id":4}', '{"v":1,"u":2,"id":5,"more":{"at":null,"x_id":9,"id":"a","x_a":2}}', '{"id":6,"in":{"u":0,"at":2,"v":0,"id":"b"}}',
  }
  local bad = {
    '{"at":""}', '{"id":""}', '{"id":1,"at":2}', '{"id":1,"in":{"id":1,"at":null}}', '{"id":1,"in":{"id":""}}', '{"id":1,"in":{"at":""}}',
    '{"id":1,"in":{"at":1,"x_id":7}}', '{"id":1,"more":{"x_id":6}}', '{"id":1,"more":{"x_a":""}}', '{"id":1,"more":{"at":""}}',
    '{"id":1,"more":{"x_abc":1}}', '{"id":1,"more":{"id":2}}', '{"id":1,"more":{"x_a":1,"id":3,"x_id":1}}',
  }
  local all = table.concat(good, ",")
  all = all .. "," .. all .. "," .. all
  decodes(schema, "[" .. all .. "]", true)
  for _, text in ipairs(bad) do
    decodes(schema, "[" .. text .. "]", false)
    decodes(schema, "[" .. all .. "," .. text .. "," .. all .. "]", false)
  end
end

-- Only one branch can be valid: by the type of the value, or by its first member, which may not come again.
function TestSchemaOnePass:test_branches_in_one_pass()
  local types = '{"properties":{"a":{"%s":[{"type":"string"},{"type":"array","items":{"type":"integer"}},{"properties":{"b":{"type":"null"}},"type":"object"}]}}}'
  for _, keyword in ipairs { "anyOf", "oneOf" } do
    local schema = types:format(keyword)
    decodes(schema, '{"a":[1,2],"x":[""]}', true)
    decodes(schema, '{"a":[1,""]}', false)
    decodes(schema, '{"a":{"b":null}}', true)
    decodes(schema, '{"a":{"b":1}}', false)
    decodes(schema, '{"a":{"b":1,"b":null}}', true)
    decodes(schema, '{"a":{"b":null},"a":7}', false)
  end
  local kinds = '{"items":{"oneOf":[{"properties":{"kind":{"const":"A"},"v":{"type":"integer"}},"required":["kind"]},' ..
    '{"properties":{"kind":{"const":"B"},"v":{"type":"string"}},"required":["kind"]}]}}'
  decodes(kinds, '[{"kind":"A","v":1},{ "kind" : "B" , "v":"","v":""}]', true)
  decodes(kinds, '[{"kind":"A","v":1},{"kind":"B","v":1}]', false)
  decodes(kinds, '[{"v":"","kind":"B"},{"\\u006bind":"A"},{"kind":"\\u0041","v":1}]', true)
  decodes(kinds, '[{"kind":"A","v":"","kind":"B"}]', true)
  decodes(kinds, '[{"kind":"A","v":1,"kind":"B"}]', false)
  decodes('{"anyOf":[true,{"type":"string"}],"items":{"anyOf":[{"type":"object"},true]}}', '[{"a":1,"a":2},[1]]', true)
end

function TestSchemaOnePass:test_required_in_one_pass()
  local names, members = {}, {}
  for i = 1, 70 do names[i], members[i] = ('"n%d"'):format(i), ('"n%d":%d'):format(i, i) end
  for _, count in ipairs { 1, 2, 63, 64, 65, 70 } do
    local schema = ('{"properties":{"n2":{"type":"integer"},"a\\"b":{"const":1}},"required":[%s]}'):format(table.concat(names, ",", 1, count))
    decodes(schema, "{" .. table.concat(members, ",", 1, count) .. ',"a\\"b":1}', true)
    decodes(schema, "{" .. table.concat(members, ",", 1, count) .. ',"a\\"b":2}', false)
    decodes(schema, "{" .. table.concat(members, ",", 2) .. "}", false)
    decodes(schema, "{" .. table.concat(members, ",", 2, count) .. ',"n2":2}', false)
  end
  decodes('{"minProperties":2}', '{"a":1,"a":2}', false)
  decodes('{"maxProperties":1}', '{"a":1,"a":2}', true)
  decodes('{"properties":{"a\\\\u0041":{"const":1}}}', '{"a\\u0041":2}', true) -- another name that looks the same
end

function TestSchemaOnePass:test_decode_scalars_in_one_pass()
  local items = '{"items":%s}'
  decodes(items:format '{"type":"integer"}', "[1,1.0,1e2,-0,12345678901234567890,1.50e1]", true)
  decodes(items:format '{"type":"integer"}', "[1.5]", false)
  for _, number in ipairs { "1.1.5", "1-5", "01", "1e5.0", "-0-", "1e5e" } do
    local s = fleece.schema(items:format '{"type":"integer"}')
    lu.assertStrContains(select(2, s("[" .. number .. "]")), "at line 1")
  end
  decodes(items:format '{"type":"integer"}', "[1.0]", false, { draft = "4" })
  decodes(items:format '{"multipleOf":0.01}', "[4.35,1,-2.5]", true)
  decodes(items:format '{"exclusiveMaximum":9007199254740993}', "[9007199254740992]", true)
  decodes(items:format '{"exclusiveMaximum":9007199254740993}', "[9007199254740993]", false)
  decodes(items:format '{"oneOf":[{"type":"string","pattern":"^(a|b)+$"},{"type":"null"},{"minLength":3}]}', '["ab",null,"xyz",1]', false)
  decodes(items:format '{"if":{"type":"string"},"then":{"pattern":"(?=..)^[a-z]*$"},"else":{"not":{"enum":[true,1]}}}', '["ab",null,false,1.5]', true)
  decodes(items:format '{"if":{"type":"string"},"then":{"pattern":"(?=..)^[a-z]*$"},"else":{"not":{"enum":[true,1]}}}', '["ab",1.0]', false)
  decodes(items:format '{"pattern":"(?=..)^[a-z]*$"}', '["' .. ("ab"):rep(20000) .. '"]', true)
  decodes('{"type":"string"}', '"a"', true)
  decodes('{"type":"string"}', "1", false)
  decodes("false", "1", false)
  decodes('{"items":{"type":"object"}}', "[{},[]]", false)
  decodes(items:format '{"format":"even"}', '["ab"]', true, { formats = { even = function(s) return #s % 2 == 0 end } })
  decodes(items:format '{"format":"even"}', '["a"]', false, { formats = { even = function(s) return #s % 2 == 0 end } })
end

-- The tag is a scalar of any type, after other scalars; it may be missing.
function TestSchemaOnePass:test_tags_in_one_pass()
  local versions = '{"required":["v"],"oneOf":[{"properties":{"v":{"const":1},"a":{"type":"string"}},"additionalProperties":false},' ..
    '{"properties":{"v":{"enum":[2,true,null]},"a":{"type":"integer"}},"additionalProperties":false}]}'
  decodes(versions, '{"v":1,"a":""}', true)
  decodes(versions, '{"a":7,"v":2}', true)
  decodes(versions, '{ "a" : 7 , "v" : 20e-1 }', true)
  decodes(versions, '{"a":7,"v":true}', true)
  decodes(versions, '{"v":null}', true)
  decodes(versions, '{"v":false}', false)
  decodes(versions, '{"v":"1"}', false)
  decodes(versions, '{"v":3,"a":7}', false)
  decodes(versions, '{"a":7,"v":1}', false)
  decodes(versions, '{"v":2,"a":7,"v":1}', false) -- the last one counts
  decodes(versions, '{"v":2,"a":"","v":1}', true)
  decodes(versions, '{"a":"","\\u0076":1}', true)
  decodes(versions, '{"a":"\\n","v":1}', true)
  decodes(versions, '{"a":"x"}', false)
  decodes(versions, '{"v":[1],"a":""}', false)
  local missing = '{"anyOf":[{"properties":{"k":{"const":"x"},"n":{"type":"null"}},"required":["k"]},' ..
    '{"properties":{"k":{"const":"y"},"n":{"type":"string"}},"required":["k"]},{"properties":{"n":{"type":"integer"}},"required":["n"]}]}'
  decodes(missing, '{"n":1}', true)
  decodes(missing, '{"n":null}', false)
  decodes(missing, '{}', false)
  decodes(missing, '{"n":null,"k":"x"}', true)
  decodes(missing, '{"n":"","k":"x"}', false)
end

-- Schemas for the same value are merged when they are compiled: 2020-12 Core, 10.2.1.1 and 8.2.3.1.
function TestSchemaOnePass:test_merged_in_one_pass()
  local merged = '{"$ref":"#/$defs/A","properties":{"a":{"minLength":2},"c":{"type":"null"}},"required":["c"],"additionalProperties":{"maximum":9},' ..
    '"allOf":[{"properties":{"a":{"type":"string"},"b":{"minimum":3}},"required":["a"]},{"required":["b"]}],"$defs":{"A":{"properties":{"d":{"type":"boolean"}}}}}'
  decodes(merged, '{"a":"xy","b":3,"c":null}', true)
  decodes(merged, '{"a":"x","b":3,"c":null}', false)
  decodes(merged, '{"a":7,"b":3,"c":null}', false)
  decodes(merged, '{"a":"xy","b":2,"c":null}', false)
  decodes(merged, '{"a":"xy","b":10,"c":null}', false) -- b is an additional property of the schema around
  decodes(merged, '{"a":"xy","b":3}', false)
  decodes(merged, '{"b":3,"c":null}', false)
  decodes(merged, '{"a":"xy","c":null}', false)
  decodes(merged, '{"a":"xy","b":3,"c":null,"d":7}', false)
  decodes(merged, '{"a":"xy","b":3,"c":null,"d":true,"e":9}', true)
  decodes(merged, '{"a":"xy","b":3,"c":null,"e":10}', false)
  decodes(merged, '{"a":"","a":"xy","b":3,"c":null}', true)
  local lists = '{"allOf":[{"items":{"type":"integer"}},{"items":{"minimum":2},"minItems":1},{"prefixItems":[{"maximum":5}]}],"items":{"$ref":"#/allOf/1/items"}}'
  decodes(lists, "[5,7]", true)
  decodes(lists, "[6]", false)
  decodes(lists, "[2,1]", false)
  decodes(lists, "[2,2.5]", false)
  decodes(lists, "[]", false)
  local tree = '{"allOf":[{"properties":{"next":{"$ref":"#"},"n":{"type":"integer"}}},{"properties":{"next":{"type":["object","null"]}},"additionalProperties":false}]}'
  decodes(tree, '{"next":{"next":null}}', true)
  decodes(tree, '{"next":{"next":[]}}', false)
  decodes(tree, '{"next":{"n":1}}', false)
  local closed = '{"allOf":[{"properties":{"a":true}},{"properties":{"b":{"type":"string"}}}],"unevaluatedProperties":false}'
  decodes('{"properties":{"x":' .. closed .. "}}", '{"x":{"a":1,"b":""}}', true)
  decodes('{"properties":{"x":' .. closed .. "}}", '{"x":{"a":1,"c":""}}', false)
  local inner = '{"properties":{"x":{"allOf":[{"$ref":"#/$defs/P"},{"properties":{"c":{"type":"string"}}}],"unevaluatedProperties":false}},' ..
    '"$defs":{"P":{"allOf":[{"properties":{"a":{"type":"string"}}},{"required":["b"]}],"properties":{"b":true}}}}'
  decodes(inner, '{"x":{"a":"","b":1,"c":""}}', true)
  decodes(inner, '{"x":{"a":"","b":1,"c":"","d":1}}', false)
  decodes(inner, '{"x":{"a":""}}', false)
end

-- Values whose type is enough are not looked at: nothing else of theirs is tested.
function TestSchemaOnePass:test_types_in_one_pass()
  local types = '{"items":{"oneOf":[{"type":"string"},{"type":"integer"},{"type":"number"},{"type":"array","items":{"type":"null"}}]}}'
  decodes(types, '["","\\ud83d\\ude00",1.5,[null]]', true)
  decodes(types, "[1]", false)
  decodes(types, "[1.0]", false)
  decodes(types, "[[1]]", false)
  decodes('{"items":{"anyOf":[{"type":"integer"},{"type":"string","minLength":2}]}}', '[1,"xy","\\u00e9\\n"]', true)
  decodes('{"items":{"anyOf":[{"type":"integer"},{"type":"string","minLength":2}]}}', '["\\n"]', false)
  decodes('{"items":{"anyOf":[{"type":"integer"},{"type":"string","minLength":2}]}}', "[1.5]", false)
  decodes('{"items":{"type":"integer"}}', "[1,1.0]", true, { draft = "7" })
  decodes('{"items":{"type":"integer"}}', "[1,1.0]", false, { draft = "4" })
  decodes('{"items":{"type":["integer","string"]}}', '["",1.0]', false, { draft = "4" })
  decodes('{"items":{"type":["object","array"],"minItems":1}}', "[{},[0]]", true, { draft = "4" })
  decodes('{"items":{"enum":["","a","ab","abcd","abcdefgh","abcdefghi"]}}', '["","a","ab","abcd","abcdefgh","abcdefghi"]', true)
  for _, other in ipairs { "b", "ac", "abcx", "abxd", "abcdefgx", "xbcdefgh", "abcdefghx", "abcdxfghi" } do
    decodes('{"items":{"enum":["","a","ab","abcd","abcdefgh","abcdefghi"]}}', '["' .. other .. '"]', false)
    decodes('{"properties":{"a":{},"ab":{},"abcd":{},"abcdefgh":{},"abcdefghi":{}},"additionalProperties":false}', '{"' .. other .. '":1}', false)
  end
  decodes('{"items":{}}', '["\\ud800"]', false)
  decodes('{"items":{"type":"string"}}', '["\\q"]', false)
end

-- What only depends on which members an object has is settled at its end: the verdict is that on a table, which is not.
function TestSchemaOnePass:test_random_presence_of_members()
  local function random(n) return T.random(1, n) end
  local function names() return '"' .. string.char(96 + random(5)) .. (random(2) == 1 and '","' .. string.char(101 + random(3)) or "") .. '"' end
  local function branch(depth)
    local kind = random(depth > 0 and 9 or 2)
    if kind <= 2 then return '{"required":[' .. names() .. "]}" end
    if kind == 3 then return '{"not":' .. branch(depth - 1) .. "}" end
    if kind == 4 then return '{"type":"object","if":' .. branch(depth - 1) .. ',"then":' .. branch(depth - 1) .. ',"else":' .. branch(depth - 1) .. "}" end
    if kind == 5 then return '{"allOf":[' .. branch(depth - 1) .. ',{"required":["b"]}]}' end
    if kind == 6 then return '{"type":["object","null"],"dependentRequired":{"a":["c"]}}' end
    return ('{"%sOf":[%s,%s%s]}'):format(kind == 7 and "one" or "any", branch(depth - 1), branch(depth - 1), kind == 9 and ',{"type":"array"}' or "")
  end
  local rest = { '"additionalProperties":false', '"required":["d"]', '"patternProperties":{"^[ab]":{"type":"integer"}}', '"minProperties":1' }
  for i = 1, 150 do
    local given = i % 3 == 0 and '"a":{},"b":{},"c":{}' or '"a":{},"b":{},"c":{},"d":{"type":"integer"},"e":{},"f":{},"g":{},"h":{}'
    local s = fleece.schema(('{"items":{"properties":{%s},"anyOf":[%s],"not":%s,"allOf":[%s],%s}}'):format(given, branch(2), branch(1), branch(2), rest[i % 4 + 1]))
    for subset = 0, 255 do
      local members, text = {}, {}
      for bit = 0, 7 do
        if math.floor(subset / 2 ^ bit) % 2 == 1 then
          members[string.char(97 + bit)] = 1
          text[#text + 1] = '"' .. string.char(97 + bit) .. '":1'
        end
      end
      local json, valid = "[{" .. table.concat(text, ",") .. "}]", s { fleece.object(members) }
      same({ s(json), s:decode(json) ~= nil }, { valid, valid }, json)
    end
    local repeats = '[{"a":1,"c":1,"a":1,"b":2,"c":3}]'
    same(s(repeats), (s(fleece.decode(repeats))))
  end
  local many = {}
  for i = 1, 40 do many[i] = ('{"required":["n%d"]}'):format(i) end
  local members = table.concat(many, ","):gsub('{"required":%[("n%d+")%]}', "%1:true")
  local schema = '{"properties":{' .. members .. '},"oneOf":[' .. table.concat(many, ",") .. "]}"
  decodes(schema, '{"n40":1}', true)
  decodes(schema, '{"n40":1,"n33":1}', false)
  decodes(schema, '{"n41":1}', false)
  decodes(schema:gsub('"oneOf"', '"required":["n33","n34"],"anyOf"'), '{"n34":1,"n33":1}', true)
  decodes(schema:gsub('"oneOf"', '"required":["n33","n34"],"anyOf"'), '{"n34":1,"n32":1}', false)
  decodes('{"anyOf":[{"required":["a"]},{"type":"array"}],"properties":{"a":{"$ref":"#"}}}', '{"a":{"a":[{}]}}', true)
  decodes('{"anyOf":[{"required":["a"]},{"type":"array"}],"properties":{"a":{"$ref":"#"}}}', '{"a":{"a":{}}}', false)
end

-- Scalars are compared by their hashes, more than 32 by a walk over their array.
function TestSchemaOnePass:test_unique_items_and_counts()
  local unique = '{"items":{"uniqueItems":true,"minItems":1,"items":{"type":["string","number","boolean"],"maximum":1000}}}'
  local function items(n, last)
    local list = {}
    for i = 1, n do list[i] = i % 2 == 0 and i or '"' .. i .. '"' end
    return "[" .. table.concat(list, ",") .. (last and "," .. last or "") .. "]"
  end
  for _, n in ipairs { 1, 2, 3, 31, 32, 33, 34, 100 } do
    decodes(unique, "[" .. items(n) .. "," .. items(n, "true") .. "]", true)
    decodes(unique, "[" .. items(n) .. "," .. items(n, '"\\u0031"') .. "]", false)
    decodes(unique, "[" .. items(n) .. "," .. items(n, "1") .. "]", true)
    decodes(unique, "[" .. items(n) .. "," .. items(n, "1001") .. "]", false)
    if n > 1 then decodes(unique, "[" .. items(n, "20e-1") .. "]", false) end
  end
  decodes('{"items":{"minItems":2,"properties":{"a":{}}}}', '[{"a":1},[1,2]]', true)
  decodes(unique, "[[]]", false)
  decodes(unique, '[["a",null]]', false)
  decodes(unique, '[["a",["a"]]]', false)
  decodes(unique, "[[1e400,1e400],[1]]", false)
  decodes('{"items":{"uniqueItems":true,"items":{"type":"null"}}}', "[[],[null]]", true)
  decodes('{"items":{"uniqueItems":true,"items":{"type":"null"}}}', "[[null,null]]", false)
  decodes('{"items":{"uniqueItems":true,"prefixItems":[{"type":"string"}],"items":{"type":"integer"}}}', '[["a",1,2]]', true)
  decodes('{"items":{"uniqueItems":true,"prefixItems":[{"type":"string"}],"items":{"type":"integer"}}}', '[["a",1,1.0]]', false)
  decodes('{"items":{"allOf":[{"uniqueItems":true,"items":{"enum":["a","b",[]]}},{"items":{"type":"string"}}]}}', '[["a","b"]]', true)
  decodes('{"items":{"allOf":[{"uniqueItems":true,"items":{"enum":["a","b",[]]}},{"items":{"type":"string"}}]}}', '[["a","a"]]', false)
  for least = 0, 3 do
    for most = 0, 3 do
      local counts = ('{"items":{"minProperties":%d,"maxProperties":%d,"minItems":%d,"maxItems":%d,"properties":{"a":{}}}}'):format(least, most, least, most)
      local function fits(n) return n >= least and n <= most end
      for _, properties in ipairs { "properties", "required", "title" } do
        local schema = properties == "properties" and counts or counts:gsub('"properties":{"a":{}}', properties == "title" and '"title":""' or '"minLength":1')
        for n = 0, 4 do
          local members, values = {}, {}
          for i = 1, n do
            members[i] = '"' .. string.char(96 + i) .. '":0'
            values[i] = 0
          end
          decodes(schema, "[{" .. table.concat(members, ",") .. "}]", fits(n))
          decodes(schema, "[[" .. table.concat(values, ",") .. "]]", fits(n))
          if n > 0 then decodes(schema, "[{" .. table.concat(members, ",") .. ',"a":1}]', fits(n)) end
        end
      end
    end
  end
end

-- Of the branches that the tag leaves, or of all without a tag, those are impossible whose required members are missing.
function TestSchemaOnePass:test_branches_by_required_members()
  local expression = [[{"$id":"e","oneOf":[{"$ref":"#/$defs/compare"},{"$ref":"#/$defs/call"},{"$ref":"#/$defs/instant"},
    {"type":"object","required":["property"],"properties":{"property":{"type":"string"}}},{"type":["number","string"]}],"$defs":{
    "compare":{"oneOf":[{"type":"object","required":["op","args"],"properties":{"op":{"enum":["=",">="]},"args":{"type":"array","minItems":2,"items":{"$ref":"e"}}}},
      {"type":"object","required":["op","args"],"properties":{"op":{"const":"not"},"args":{"type":"array","maxItems":1,"items":{"$ref":"e"}}}}]},
    "call":{"type":"object","required":["op","args"],"properties":{"op":{"type":"string","not":{"enum":["=",">=","not"]}},"args":{"items":{"$ref":"e"}}}},
    "instant":{"oneOf":[{"type":"object","required":["date"]},{"type":"object","required":["time"],"properties":{"time":{"type":"string"}}}]}}}]]
  for text, valid in pairs {
    ['{"op":"=","args":[{"property":"a"},1]}'] = true, ['{"op":">=","args":[1]}'] = false, ['{"op":"f","args":[1]}'] = true, ['{"op":"not","args":[1,2]}'] = false,
    ['{"op":"not","args":[{"op":"=","args":[{"date":1},{"op":"g","args":[{"time":""}]}]}]}'] = true, ['{"op":"f","args":[{"time":1}]}'] = false,
    ['{"op":"f"}'] = false, ['{"op":1,"args":[]}'] = false, ["{}"] = false, ['{"date":1,"time":""}'] = false, ['{"date":1,"time":1}'] = true,
    ['{"op":"f","args":[],"property":"x"}'] = false, ['{"op":"f","args":[],"property":1}'] = true, ['{"args":[1],"op":"f"}'] = true,
    ['{"property":"a","date":1}'] = false, ['{"\\u0070roperty":"a"}'] = true, ['{"op":"=","op":"f","args":[1]}'] = true, ['{"op":"f","op":"=","args":[1]}'] = false,
    ['{"op":[],"args":[]}'] = false, ['{"x":{},"property":"a"}'] = true, ['{"x":{},"date":"a","property":"b"}'] = false,
  } do
    agrees(expression, text, valid)
    agrees(expression, '{"op":"all","args":[{"op":"=","args":[{"x":[],"property":"q"},"w"]},' .. text .. ',{"date":2}]}', valid)
  end
  local targets = '{"additionalProperties":{"oneOf":[{"allOf":[{"properties":{"n":{"type":"integer"}}},{"required":["view"]}]},{"allOf":[{"properties":'
    .. '{"n":{"type":"integer"}}},{"oneOf":[{"required":["name"]},{"type":"object","required":["usage","type"]}]}]}]}}'
  for text, valid in pairs {
    ['{"view":1}'] = true, ['{"view":1,"name":1}'] = false, ['{"n":"","name":1}'] = false, ['{"usage":1}'] = false, ['{"usage":1,"type":2}'] = true,
    ['{"n":1,"o":{},"name":1}'] = true, ['{"n":1,"o":{},"name":1,"usage":1,"type":1}'] = false, ["{}"] = false, ["[]"] = false,
  } do
    agrees(targets, '{"a":' .. text .. "}", valid)
    agrees(targets, '{"b":{"o":[],"view":2},"a":' .. text .. ',"c":{"name":1}}', valid)
  end
end
