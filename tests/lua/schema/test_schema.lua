-- SPDX-License-Identifier: MIT
-- test_schema.lua -- fleece.schema: what its functions return, messages, failures and their places, defaults, options.
-- runs: in one layout

local T = require "support"
local lu, fleece = T.lu, T.fleece
local same, raises = lu.assertEquals, lu.assertErrorMsgContains

TestSchema = {}

-- Both ways over tables, the text and the document: one verdict, one message.
local function says(schema, value, message, options)
  options = options or {}
  local text = type(value) == "string" and value or fleece.encode(value)
  local forms = { text, fleece.decode(text, { arrays = fleece.array_mt }), fleece.open(fleece.from_json(text)) }
  for _, layout in ipairs { "auto", "api" } do
    options.layout = layout
    local s = fleece.schema(schema, options)
    for i = 1, 3 do
      if type(forms[i]) ~= "string" or i == 1 then
        local fine, found, failure = s(forms[i])
        same(fine, message == nil)
        same(found, message)
        same(#s:errors(forms[i]) == 0, message == nil)
        if not fine then same(failure.message, message) end
      end
    end
  end
end

function TestSchema:test_messages()
  local person = '{"type":"object","properties":{"age":{"type":"integer","minimum":18}},"required":["age"]}'
  local people = '{"properties":{"people":{"type":"array","items":' .. person .. "}}}"
  says(people, '{"people":[{"age":20}]}', nil)
  says(people, '{"people":[{"age":20},{}]}', "at /people/1: the member age is required")
  says(people, '{"people":{}}', "at /people: expected an array, found an object of 0 members")
  says(people, '{"people":[{"age":17}]}', "at /people/0/age: expected a number of at least 18, found 17")
  says('{"enum":["a","b",null,1.5]}', "3", 'expected one of "a", "b", null, 1.5, found 3')
  says('{"const":{"a":[1]}}', '{"a":[1.0]}', nil)
  says('{"minLength":3}', '["é"]', nil)
  says('{"items":{"minLength":3}}', '["éé"]', "at /0: expected at least 3 characters, found 2")
  says('{"items":{"pattern":"^a+$"}}', '["b"]', 'at /0: expected a match of ^a+$, found "b"')
  says('{"multipleOf":0.01}', "[4]", nil)
  says('{"items":{"multipleOf":0.01}}', "[4.02,4.355]", "at /1: expected a number that is a multiple of 0.01, found 4.355")
  says('{"uniqueItems":true}', '[1,{"a":1,"b":2},{"b":2,"a":1.0}]', "the items 1 and 2 are equal")
  says('{"propertyNames":{"maxLength":2}}', '{"abc":1}', 'the name "abc" is not allowed')
  says('{"additionalProperties":false}', '{"a/b":1}', "at /a~1b: this member is not allowed")
  says('{"dependentRequired":{"a":["b"]}}', '{"a":1}', "the member b is required beside a")
  says('{"not":{"type":"array"}}', "[1]", "expected a value other than `not` says, found an array of 1 item")
  says('{"contains":{"type":"string"}}', "[1]", "expected at least 1 item as `contains` says, found 0")
  says("false", "[]", "no value is allowed")
end

-- Arrays of arrays, of which only their number of items and the type of these are asked; some are not only an array part.
function TestSchema:test_positions()
  local position = '{"type":"array","minItems":2,"maxItems":100,"items":{"type":"number"}}'
  local line = '{"properties":{"line":{"items":' .. position .. '}}}'
  local many = ("1,"):rep(99) .. "1"
  says(line, '{"line":[[1,2],[1.5,-2e300,3],[' .. many .. "]]}", nil)
  says(line, '{"line":[[1,2],[1]]}', "at /line/1: expected at least 2 items, found 1")
  says(line, '{"line":[[1,2],[' .. many .. ",1]]}", "at /line/1: expected at most 100 items, found 101")
  says(line, '{"line":[[1,2],[1,"2"]]}', 'at /line/1/1: expected a number, found "2"')
  says(line, '{"line":[[1,2],[1,[]]]}', "at /line/1/1: expected a number, found an array of 0 items")
  says(line, '{"line":[[1,2],{"x":1}]}', "at /line/1: expected an array, found an object of 1 member")
  says('{"properties":{"a":true,"b":{"anyOf":[true,false]}},"additionalProperties":false}', '{"a":[1],"b":[1]}', nil)
  says('{"additionalProperties":true,"patternProperties":{"c":{"items":true}}}', '{"a":[1],"c":[1]}', nil)
  local cleared = { 1, 2, 3, 4 }
  cleared[3], cleared[4] = nil, nil
  local removed = { 1, 2, x = 1 }
  removed.x = nil
  for _, layout in ipairs { "auto", "api" } do
    local s = fleece.schema(line, { layout = layout })
    for _, fits in ipairs { cleared, removed, fleece.array { 1, 2 } } do same(s { line = { fits } }, true) end
    for _, other in ipairs { { 1, 2, x = 1 }, { 1, 0 / 0 }, { 1, print }, fleece.object { 1, 2 }, { [0] = 1, 2, 3 }, { 1, {} } } do
      same((s { line = { other } }), false)
    end
    local defs = {}
    for i = 1, 9 do defs["d" .. i] = { items = { ["$ref"] = "#/$defs/d" .. i + 1 } } end
    defs.d10 = { type = "number" }
    local deep = fleece.schema({ ["$ref"] = "#/$defs/d1", ["$defs"] = defs }, { layout = layout, max_depth = 4 })
    same(deep { { { { 1 } } } }, true)
    raises("nest", deep, { { { { { { 1 } } } } } })
  end
  -- The limit is one of values: the schema has more levels.
  local limited = fleece.new({ max_depth = 1 }).schema
  for _, s in ipairs { limited { items = { type = { "string" } } }, limited '{"items":{"type":["string"]}}' } do
    same(s '["a"]', true)
    same((s "[[]]"), false)
  end
end

function TestSchema:test_the_nearest_branch()
  local kinds = [[{"anyOf":[{"properties":{"kind":{"const":"a"},"x":{"type":"string"}},"required":["kind"]},
    {"properties":{"kind":{"const":"b"},"y":{"type":"integer"}},"required":["kind"]}]}]]
  says(kinds, '{"kind":"b","y":"z"}', 'at /y: expected an integer, found "z"')
  says(kinds, '{"kind":"c"}', 'at /kind: expected one of "a", "b", found "c"')
  says('{"anyOf":[{"type":"string"},{"type":"null"}]}', "[]", "expected null or a string, found an array of 0 items")
  -- a constant that fits tells more than a member that is missing
  local meant = [[{"$defs":{"b":{"properties":{"kind":{"enum":["b","c"]}},"required":["z"]}},
    "oneOf":[{"required":["y"]},{"$ref":"#/$defs/b"},{"required":["x"]}]}]]
  says(meant, '{"kind":"b"}', "the member z is required")
  says(meant, '{"q":"b"}', "the member y is required")
  says('{"oneOf":[{"type":"string"},{"minimum":1},{"maximum":5},{"type":"null"},{"maximum":3}]}', "2",
    "expected a value that one of `oneOf` allows, not both 1 and 2, found 2")
  local errors = fleece.schema(kinds):errors '{"kind":"b","y":"z"}'
  same(#errors, 1)
  same(errors[1].keyword, "anyOf")
  same(#errors[1].causes, 2)
  same(errors[1].causes[2].instance, "/y")
  same(errors[1].causes[2].schema, "/anyOf/1/properties/y/type")
end

-- The place is that of the value which the message is about; the failure itself is of the keyword's value.
function TestSchema:test_places_of_branches()
  local schema = [[{"own":1,"items":{"oneOf":[{"properties":{"kind":{"const":"a"}}},
    {"properties":{"kind":{"const":"b"},"x":{"anyOf":[{"type":"string"},{"items":{"minimum":5}}]}}}]}}]]
  local text = '[{"kind":"a"},\n {"kind":"b","x":[6,\n   3]}]'
  local as_table = { keywords = { own = function() return true end } } -- own checks need the text as a table
  for _, options in ipairs { {}, as_table } do
    local _, message, failure = fleece.schema(schema, options)(text)
    same(message, "at /1/x/1: expected a number of at least 5, found 3")
    same({ failure.instance, failure.keyword, failure.line, failure.column, failure.byte },
      { "/1", "oneOf", 3, 4, (text:find("3]", 1, true)) })
    local last = failure.causes[#failure.causes]
    same({ last.instance, last.keyword, last.line, last.column }, { "/1/x", "anyOf", 3, 4 })
  end
end

function TestSchema:test_places_of_texts()
  local s = fleece.schema('{"items":{"type":"integer"}}', { draft = "7" })
  local errors = s:errors '[1,\n "é", 2,\n  null]'
  same(#errors, 2)
  same({ errors[1].line, errors[1].column, errors[1].byte }, { 2, 2, 6 })
  same({ errors[2].line, errors[2].column, errors[2].byte }, { 3, 3, 17 })
  same(errors[1].instance, "/1")
  same(errors[1].absolute, "#/items/type")
  same(#s:errors("[null,null,null]", 2), 2)
  local fine, message, failure = s "[1"
  same(fine, false)
  lu.assertStrContains(message, "unexpected end")
  same(failure.message, message)
end

-- Places are those of the value that counts, whatever way the text was checked.
function TestSchema:test_places_of_repeated_names()
  local s = fleece.schema('{"properties":{"a":{"items":{"type":"integer"}},"b/c":{"odd":true}}}', {
    keywords = { odd = function(value) return value % 2 == 1 end },
  })
  local errors = s:errors '{"a": [], "b/c": 3, "a": [1, 2,\n "x"], "b/c": 4}'
  same(#errors, 2)
  table.sort(errors, function(x, y) return x.byte < y.byte end)
  same({ errors[1].instance, errors[1].byte, errors[1].line, errors[1].column }, { "/a/2", 34, 2, 2 })
  same({ errors[2].instance, errors[2].byte, errors[2].line, errors[2].column }, { "/b~1c", 47, 2, 15 })
  local _, _, failure = s '{"a": [], "a": [""]}'
  same({ failure.byte, failure.column }, { 17, 17 })
  local members = { '"1": 0' } -- so many that other readers sort them
  for i = 1, 40 do members[#members + 1] = ('"%d": ""'):format(i) end
  errors = fleece.schema('{"additionalProperties": {"type": "integer"}}'):errors("{" .. table.concat(members, ",\n") .. "}")
  same(#errors, 40)
  for _, error in ipairs(errors) do same(error.instance, "/" .. error.line - 1) end
end

function TestSchema:test_malformed_texts()
  local s = fleece.schema(true)
  for _, failure in ipairs { select(3, s '[1,\n  "secret'), s:errors('[1,\n  "secret')[1], select(3, s:decode '[1,\n  "secret') } do
    same({ failure.byte, failure.line, failure.column }, { 14, 2, 10 })
    lu.assertStrContains(failure.message, "near")
  end
  s = fleece.schema(true, { values = false })
  for _, message in ipairs { select(2, s '["secret'), s:errors('["secret')[1].message, (select(2, s:decode '["secret')) } do
    same(message, "unexpected end at line 1, column 9, byte 9")
  end
  same((select(2, s:decode '[1e999]')), "number too large at line 1, column 2, byte 2")
end

function TestSchema:test_wrong_arguments()
  local s = fleece.schema(true)
  for _, max in ipairs { 0, -1, 0 / 0 } do raises("a number from 1 on expected", s.errors, s, "1", max) end
  same(#fleece.schema("false"):errors("1", 1e300), 1)
  local function wrong(option, value, message)
    raises("option '" .. option .. "' must be " .. message, fleece.schema, "true", { [option] = value })
  end
  wrong("formats", { even = true }, "true, false, or a table from names to functions")
  wrong("formats", { print }, "true, false, or a table from names to functions")
  wrong("formats", 1, "true, false, or a table from names to functions")
  wrong("keywords", { even = 1 }, "a table from names to functions")
  wrong("keywords", "even", "a table from names to functions")
  wrong("skip", { minimum = true }, "a list of strings")
  wrong("skip", { 1 }, "a list of strings")
  wrong("schemas", { "true" }, "a function, or a table from URIs to schemas")
  wrong("schemas", { ["http://x/a"] = 1 }, "a function, or a table from URIs to schemas")
  wrong("schemas", { ["http://x/a"] = io.stdout }, "a function, or a table from URIs to schemas")
end

function TestSchema:test_compiled_schemas_as_schemas()
  local text = fleece.schema '{"$defs":{"a":{"type":"string"}},"$ref":"#/$defs/a"}'
  local s = fleece.schema('{"items":{"$ref":"http://x/text"}}', { schemas = { ["http://x/text"] = text } })
  same({ (s '["a"]'), (s "[1]") }, { true, false })
  same((fleece.schema(text, { skip = { "type" } }) "1"), true)
end

function TestSchema:test_values_are_left_out()
  says('{"items":{"type":"integer"}}', '["secret"]', "at /0: expected an integer, found a string", { values = false })
end

function TestSchema:test_decode()
  local s = fleece.schema '{"required":["a"]}'
  same(s:decode '{"a":[1,2]}', { a = { 1, 2 } })
  local value, message, failure = s:decode "{}"
  same(value, nil)
  same(message, "the member a is required")
  same(failure.keyword, "required")
  same(s:decode '{"a":1,"a":2}', { a = 2 }) -- what was validated is what is decoded
  value, message, failure = fleece.schema(true):decode "1e400" -- valid, but no number of Lua
  same(value, nil)
  lu.assertStrContains(message, "number too large")
  same(failure.byte, 1)
  same((fleece.schema('{"properties":{"a":{"const":2}}}')('{"a":1,"a":2}')), true)
  same((fleece.schema('{"properties":{"a":{"const":2}}}', { duplicates = "first" })('{"a":1,"a":2}')), false)
end

-- The options of a call come after those of the schema.
function TestSchema:test_decode_with_options()
  for _, text in ipairs { '{"properties":{"a":{"type":["null","integer"]}},"type":"object"}', '{"anyOf":[{"type":"object"}],"maxProperties":2}' } do
    for _, layout in ipairs { "auto", "api" } do
      local s = fleece.schema(text, { null = 7, layout = layout })
      same(s:decode '{"a":null}', { a = 7 })
      same(s:decode('{"a":null}', {}), { a = 7 })
      same(s:decode('{"a":null}', nil), { a = 7 })
      same(s:decode('{"a":null}', { null = "nil" }), {})
      same(s:decode('{"a":null} // c', { comments = true }), { a = 7 })
      lu.assertIs(getmetatable(s:decode('{"b":[]}', { arrays = fleece.array_mt }).b), fleece.array_mt)
      same(s:decode('{"a":1,"a":2}', { duplicates = "first" }), { a = 1 })
      local value, message, failure = s:decode("[1]", { null = "nil" })
      same({ value, message, failure.instance }, { nil, "expected an object, found an array of 1 item", "" })
      lu.assertStrContains(select(2, s:decode('{"b":[[]]}', { max_depth = 2 })), "nesting too deep")
      same(s:decode '{"a":null}', { a = 7 }) -- as before
      raises("bad argument #3 to 'decode' (unknown option 'nul'", s.decode, s, "{}", { nul = 1 })
      raises("option 'draft' has no effect here", s.decode, s, "{}", { draft = "7" })
      raises("option 'partial' has no effect here", s.decode, s, "{}", { partial = true })
      raises("table expected, got number", s.decode, s, "{}", 7)
      raises("schema expected", s.decode, 1, "{}", { null = 1 })
    end
  end
end

-- Also where options make a table of the text first.
function TestSchema:test_exact_with_options()
  for _, options in ipairs { {}, { duplicates = "error" }, { json5 = true }, { null = "nil" } } do
    local function check(schema, text, valid) same((fleece.schema(schema, options)(text)), valid, schema) end
    check('{"const":18446744073709551616}', "18446744073709551617", false)
    check('{"multipleOf":10}', "123456789012345678901", false)
    check('{"uniqueItems":true}', "[18446744073709551616,18446744073709551617]", true)
    check('{"maximum":0.1}', "0.10000000000000000000001", false)
    check('{"type":"integer"}', "1.00000000000000000000001", false)
    check('{"enum":[0.1]}', "0.1000000000000000055", false)
    check('{"exclusiveMinimum":0}', "1e-400", true)
    check('{"const":1e400}', "1e400", true)
    check('{"const":1e400}', "1e401", false)
    check('{"items":{"enum":[1.5,2]}}', "[1.50,2.0,15e-1]", true)
  end
end

function TestSchema:test_fill()
  local s = fleece.schema [[{"properties":{"server":{"default":{},"properties":{"port":{"default":80},"host":{"default":"a"}}},
    "list":{"items":{"anyOf":[{"type":"string"},{"required":["y"],"properties":{"x":{"default":[1]}}},
    {"properties":{"z":{"default":null}}}]}}},"not":{"properties":{"q":{"default":1}},"required":["r"]}}]]
  same(fleece.format(s:fill '{ "list": ["a", {"y":0}, {}] }'),
    '{"list":["a",{"y":0,"x":[1]},{"z":null}],"server":{"port":80,"host":"a"}}')
  local t = { list = { "a", { y = 0 }, { x = 1, y = 2 } } }
  local filled = s:fill(t)
  same(filled, { list = { "a", { y = 0, x = { 1 } }, { x = 1, y = 2 } }, server = { port = 80, host = "a" } })
  same(t, { list = { "a", { y = 0 }, { x = 1, y = 2 } } })
  lu.assertNotIs(filled.list[3], t.list[3]) -- what is done to the result does not reach the argument
  same(fleece.schema '{"properties":{"a":{"properties":{"b":{"default":1}}}}}':fill { a = {} }, { a = { b = 1 } })
  same((s:fill { r = 1 }), nil)
  s = fleece.schema '{"properties":{"a":{"default":[],"properties":{"b":{"default":1}}}}}' -- [] is no object
  same(fleece.encode(s:fill {}, { empty_table = "object" }), '{"a":[]}')
  same({ s:fill "{}" }, { '{"a":[]}' })
  raises("without end", function() fleece.schema('{"properties":{"a":{"$ref":"#","default":{}}}}'):fill "{}" end)
end

function TestSchema:test_fill_follows_schemas()
  local s = fleece.schema [[{"$defs":{"port":{"type":"integer","default":80},"base":{"properties":{"host":{"default":"a"}}}},
    "required":["port","host","log"],"properties":{"port":{"$ref":"#/$defs/port"},"log":{"allOf":[{"type":"object"},
    {"default":{"level":1}}]}},"allOf":[{"$ref":"#/$defs/base"},{"required":["host"]}]}]]
  same(fleece.decode(s:fill "{}"), { port = 80, host = "a", log = { level = 1 } })
  same(s:fill {}, { port = 80, host = "a", log = { level = 1 } })
  local filled = s:fill {}
  filled.log.level = 2
  same(s:fill({}).log.level, 1)
  -- required members of a branch decide whether it is meant, but not those that the branch itself has defaults for
  s = fleece.schema '{"oneOf":[{"required":["a"],"properties":{"b":{"default":1}}},{"required":["c"],"properties":{"c":{"default":2}}}]}'
  same((s:fill {}), { c = 2 })
  same((s:fill { a = 1, c = 3 }), nil)
  same(fleece.schema '{"if":{"required":["a"]},"then":{"properties":{"b":{"default":1}}},"else":{"properties":{"b":{"default":2}}}}':fill {}, { b = 2 })
  same(fleece.schema '{"allOf":[{"properties":{"a":{"default":1}}},{"properties":{"a":{"default":2}}}]}':fill "{}", '{"a":1}')
end

function TestSchema:test_fill_keeps_comments()
  local schema = '{"properties":{"port":{"default":80},"host":{"default":"a"}}}'
  local s = fleece.schema(schema, { comments = true, trailing_commas = true })
  same(s:fill '{"port": 8080,} // for now', '{"port": 8080, "host": "a",} // for now')
  same(fleece.schema(schema, { json5 = true }):fill "{port: 8080} // for now", '{port: 8080, "host": "a"} // for now')
  same((fleece.schema(schema):fill '{"port": 8080} // for now'), nil)
end

function TestSchema:test_fill_and_wrong_values()
  local s = fleece.schema '{"properties":{"a":{"type":"integer","default":"x"},"b":{"type":"integer"}},"required":["c"]}'
  for _, form in ipairs { "{}", {} } do
    local value, message, failure = s:fill(form)
    same(value, nil)
    same(message, 'a default of the schema is not valid: at /a: expected an integer, found "x"')
    same(failure.message, message)
  end
  same(select(2, s:fill '{"a":1,"b":"","c":1}'), 'at /b: expected an integer, found ""')
  same(select(2, s:fill { a = 1 }), "the member c is required")
  lu.assertStrContains(select(2, s:fill "{"), "unexpected end")
  -- a text stays one, also if a name repeats
  same(fleece.schema '{"properties":{"z":{"default":1}}}':fill '{"a":1.0,"a":2.0}', '{"a":1.0,"a":2.0,"z":1}')
  local t = {}
  t.t = t -- nothing looks there
  local filled = fleece.schema '{"properties":{"z":{"default":1}}}':fill(t)
  lu.assertIs(filled.t, filled)
  same(t.z, nil)
end

function TestSchema:test_empty_tables()
  local array, object = '{"type":"array"}', '{"type":"object","required":["a"]}'
  same((fleece.schema(array) {}), true)
  same((fleece.schema(object) {}), false)
  same((fleece.schema '{"type":"object"}' {}), true)
  same((fleece.schema('{"type":"object"}', { empty = "array" }) {}), false)
  same((fleece.schema(array, { empty = "object" }) {}), false)
  same((fleece.schema '{"type":"object"}'(fleece.array())), false)
  same((fleece.schema(array)(fleece.object())), false)
end

-- An array and an object: each keyword counts, and a mark excludes one of them.
-- [] of a text is an array, {} an object, also where the text is decoded before it is checked.
function TestSchema:test_empty_arrays_of_texts()
  for _, options in ipairs {
    {}, { null = 7, json5 = true }, { duplicates = "first" }, { duplicates = "error" }, { json5 = true }, { numeric_keys = true },
    { duplicates = "error", empty = "object" }, { json5 = true, empty = "both" }, { duplicates = "first", empty = "array" },
  } do
    for _, layout in ipairs { "auto", "api" } do
      options.layout = layout
      for schema, text in pairs { ['{"type":"object"}'] = "%s", ['{"properties":{"a":{"items":{"type":"object"}}}}'] = '{"a":[{"b":[]},%s]}' } do
        local s = fleece.schema(schema, options)
        same({ (s(text:format "[]")), (s(text:format "{}")) }, { false, true })
        same({ #s:errors(text:format "[]"), (s:decode(text:format "[]")) }, { 1, nil })
        lu.assertNotNil(s:decode(text:format "{}"))
      end
    end
  end
end

function TestSchema:test_empty_tables_are_both()
  local function check(schema, value, expected)
    for _, options in ipairs { { empty = "both" }, { empty = "both", layout = "api" } } do
      local s = fleece.schema(schema, options)
      same((s(value)), expected)
      same(#s:errors(value) == 0, expected)
      same((fleece.schema('{"properties":{"x":' .. schema .. "}}", options) { x = value }), expected)
      same((fleece.schema('{"anyOf":[false,{"$ref":"#/$defs/x"}],"$defs":{"x":' .. schema .. "}}", options)(value)), expected)
    end
  end
  for _, valid in ipairs { "{}", '{"type":"array"}', '{"type":"object"}', '{"type":["array","object"]}', '{"const":[]}',
    '{"const":{}}', '{"enum":[1,{}]}', '{"properties":{"a":false},"items":false}', '{"maxItems":0,"maxProperties":0}' } do
    check(valid, {}, true)
  end
  for _, wrong in ipairs { '{"required":["a"]}', '{"minItems":1}', '{"minProperties":1}', '{"contains":true}', '{"type":"string"}',
    '{"type":"object","required":["a"]}', '{"type":"array","minItems":1}', '{"not":{"type":"array"}}',
    '{"not":{"type":"object"}}', '{"const":[1]}' } do
    check(wrong, {}, false)
  end
  check('{"required":["a"]}', fleece.array(), true)
  check('{"minItems":1}', fleece.object(), true)
  check('{"type":"array"}', fleece.object(), false)
  local s = fleece.schema('{"required":["a"],"properties":{"b":{"default":1}}}', { empty = "both" })
  same((select(2, s {})), "the member a is required")
  same((select(2, s:fill {})), "the member a is required")
  same(fleece.schema('{"properties":{"b":{"default":1}}}', { empty = "both" }):fill {}, { b = 1 })
end

function TestSchema:test_values_that_are_no_json()
  says('{"type":"array"}', "[1]", nil)
  local s = fleece.schema '{"items":{"type":["number","string"]}}'
  for _, value in ipairs { 0 / 0, 1 / 0, print, io.stdout } do
    local fine, message = s { 1, value }
    same(fine, false)
    same(message, "at /1: not a JSON value")
  end
end

function TestSchema:test_checks_of_the_user()
  local s = fleece.schema('{"items":{"format":"even","max":3}}', {
    formats = { even = function(text) return #text % 2 == 0 end },
    keywords = { max = function(value) return type(value) ~= "number" or value <= 3 end },
  })
  same((s '["ab",3]'), true)
  same((s { "ab", 3 }), true)
  same((s '["abc"]'), false)
  same((s { 4 }), false)
  same((s(fleece.lazy '["ab",3]')), true)
  same((s(fleece.open(fleece.from_json "[4]"))), false)
end

-- A check is given what the schema says, and may say what is wrong.
function TestSchema:test_words_of_the_user()
  local options = { keywords = {}, formats = {} }
  function options.keywords.most(value, most)
    if type(value) ~= "number" or value <= most.n then return true end
    return false, "is more than " .. most.n
  end
  function options.formats.even(text) return #text % 2 == 0, "has an odd length" end
  for _, layout in ipairs { "auto", "api" } do
    options.layout = layout
    local s = fleece.schema('{"properties":{"a":{"items":{"format":"even","most":{"n":3}}}}}', options)
    for _, form in ipairs { '{"a":["ab",4]}', { a = { "ab", 4 } }, fleece.open(fleece.from_json '{"a":["ab",4]}') } do
      local fine, message, failure = s(form)
      same({ fine, message }, { false, "at /a/1: is more than 3" })
      same({ failure.keyword, failure.schema }, { "most", "/properties/a/items/most" })
    end
    same(select(2, s '{"a":["abc"]}'), "at /a/0: has an odd length")
    same((s '{"a":["ab",3]}'), true)
  end
  local s = fleece.schema('{"max":1}', { keywords = { max = function() return false end } })
  same(select(2, s "1"), "expected a value as `max` says, found 1")
end

function TestSchema:test_schemas_from_elsewhere()
  local loaded = {}
  local options = {
    schemas = { ["http://x/a"] = { type = "integer" } },
    load = function(uri)
      loaded[#loaded + 1] = uri
      return '{"type":"string"}'
    end,
  }
  local s = fleece.schema({ properties = { a = { ["$ref"] = "http://x/a" }, b = { ["$ref"] = "http://x/b" } } }, options)
  same((s '{"a":1,"b":""}'), true)
  same((s '{"a":"","b":""}'), false)
  same((s '{"a":1,"b":1}'), false)
  same(loaded, { "http://x/b" })
  for _, name in ipairs { "formats", "keywords", "values", "text" } do
    local own = { load = options.load, formats = { x = function() return true end }, keywords = { y = function() return false end } }
    local named = fleece.schema('{"properties":{"a":{"$ref":"' .. name .. '"},"b":{"format":"x"},"c":{"y":1}}}', own)
    same({ (named '{"a":"","b":""}'), (named '{"a":1}'), (named '{"c":1}') }, { true, false, false })
  end
end

function TestSchema:test_schemas_that_are_not_found()
  local ref = { ["$ref"] = "b.json#/x" }
  raises("at /$ref: the reference leads nowhere: there is no schema file:///a/b.json", fleece.schema, ref, { uri = "file:///a/c.json" })
  raises("at /$ref: the reference b.json#/x leads nowhere", fleece.schema, ref, { schemas = { ["b.json"] = "{}" } })
  raises("cannot load the schema b.json: no such file", fleece.schema, ref, { load = function() return nil, "no such file" end })
  raises("there is no schema b.json", fleece.schema, ref, { load = function() end })
  same((fleece.schema(ref, { schemas = { ["b.json#"] = { x = { type = "null" } } } })("null")), true)
  raises("in b.json: expected a value, at byte 6", fleece.schema, ref, { schemas = { ["b.json"] = '{"x":]}' } })
  raises("not a JSON Schema: unexpected end, at byte 6", fleece.schema, '{"a":')
end

function TestSchema:test_ids_inside_other_schemas()
  local schemas = { ["http://x/a"] = '{"$defs":{"b":{"$id":"http://y/b","$ref":"c#/$defs/d"}}}', ["http://x/c#"] = { ["$id"] = "http://y/c" },
    ["http://x/n"] = { ["$defs"] = { e = { ["$id"] = "http://y/c/e", type = "null" } } } }
  schemas["http://x/c#"]["$defs"] = { d = { ["$ref"] = "/c/e" } }
  local s = fleece.schema('{"$ref":"http://y/b"}', { schemas = schemas })
  same({ (s "null"), (s "1") }, { true, false })
  same(s:errors "1"[1].absolute, "http://y/c/e#/type")
  raises("there is no schema http://y/f", fleece.schema, '{"$ref":"http://y/f"}', { schemas = schemas })
  schemas["http://x/n"] = '{"type":'
  raises("in http://x/n: unexpected end", fleece.schema, '{"$ref":"http://y/f"}', { schemas = schemas })
end

-- A failure stands in the text of its schema, also if the keyword that decides has its default.
function TestSchema:test_contains()
  local function failure(schema, text) return select(3, fleece.schema(schema)(text)) end
  same(failure('{"items":{"$id":"tree","contains":{}}}', "[[]]").schema, "/items/contains")
  same(failure('{"properties":{"a":{"contains":{}}}}', '{"a":[]}').keyword, "contains")
  same(failure('{"contains":{},"minContains":2}', "[1]").schema, "/minContains")
  same(failure('{"contains":{},"maxContains":1}', "[1,2]").schema, "/maxContains")
end

-- propertyNames with schemas that several keywords share: each name is a value of its own.
function TestSchema:test_shared_schemas_of_names()
  local s = fleece.schema [[{"propertyNames": {"$ref": "#/$defs/a"}, "$defs": {
    "a": {"allOf": [{"$ref": "#/$defs/b"}, {"$ref": "#/$defs/b"}]}, "b": {"allOf": [{"maxLength": 2}, {"pattern": "^a"}]}}}]]
  same((s '{"ab":1,"a":2}'), true)
  same((s '{"ab":1,"bb":2}'), false)
  same((s '{"bb":1,"ab":2}'), false)
end

-- RFC 3986, 5.2.4: ".." leaves the folder of the base.
function TestSchema:test_uri()
  local asked = {}
  local function load(uri)
    asked[#asked + 1] = uri
    return uri:find "b%.json" and '{"$ref": "../c.json"}' or uri:find "c%.json" and '{"type": "integer"}' or nil
  end
  local s = fleece.schema('{"$ref": "sub/b.json"}', { uri = "file:///x/y/a.json", load = load })
  same(asked, { "file:///x/y/sub/b.json", "file:///x/y/c.json" })
  same((s "1"), true)
  same(s:errors "{}"[1].absolute, "file:///x/y/c.json#/type")
  local own = '{"$id": "https://example.com/z/", "type": "array"}'
  same(fleece.schema(own, { uri = "file:///x" }):errors "1"[1].absolute, "https://example.com/z/#/type")
  raises("in file:///x/b.json: at /$ref: ", fleece.schema, '{"$ref": "b.json"}', {
    uri = "file:///x/a.json", load = function(uri) return uri:find "b%.json" and '{"$ref": "d.json"}' or nil end })
end

-- OAS 3.1.0, 4.4: formats; a number has the format of a float that is not too large for one.
function TestSchema:test_openapi()
  local function fits(format, text, draft)
    return (fleece.schema({ format = format }, { draft = draft or "openapi-3.0", formats = true })(text))
  end
  local right = { int32 = "2147483647 -2147483648 1.0 2e9", int64 = "9223372036854775807 -9223372036854775808 1",
    float = "1.5 3.4028235e38 -1 0", double = "1e308 1.7976931348623157e308", byte = '"" "YQ==" "YWJj"', binary = '"a"',
    password = '"a"' }
  local wrong = { int32 = "2147483648 -2147483649 1.5 1e400", int64 = "9223372036854775808 -9223372036854775809 0.5",
    float = "1e39 -3.5e38", double = "1e309 -1e400", byte = '"a" "YQ=" "YQ-_"' }
  for format, texts in pairs(right) do
    for text in texts:gmatch "%S+" do lu.assertTrue(fits(format, text), format .. " " .. text) end
  end
  for format, texts in pairs(wrong) do
    for text in texts:gmatch "%S+" do
      lu.assertFalse(fits(format, text, "openapi-3.1"), format .. " " .. text)
      lu.assertTrue(fits(format, text, "2020-12"), format .. " " .. text)
    end
  end
  same(fits("int32", '"a"'), true)

  local document = '{"openapi":"%s","components":{"schemas":{"A":{"type":"string","nullable":true}}}}'
  local at = { at = "/components/schemas/A" }
  same((fleece.schema(document:format "3.0.3", at) "null"), true)
  same((fleece.schema(document:format "3.1.0", at) "null"), false)
  at.draft = "openapi-3.0"
  same((fleece.schema(document:format "3.1.0", at) "null"), true)
end

-- OAS 3.1.0, 4.8.25: a hint. The message is about the branch that the value names; the verdict is that of oneOf and anyOf.
function TestSchema:test_discriminator()
  local document = [[{"openapi":"%s","components":{"schemas":{
    "Cat":{"type":"object","required":["kind","claws","lives"],"properties":{"claws":{"type":"integer"}}},
    "Dog":{"type":"object","required":["kind","name"],"properties":{"name":{"type":"string"}}},
    "Fox":{"type":"object","required":["kind","tail"]},
    "Pet":{"%s":[{"$ref":"#/components/schemas/Dog"},{"not":{}},{"$ref":"#/components/schemas/Cat"},
      {"$ref":"#/components/schemas/Fox"}],"discriminator":%s}}}}]]
  local function check(discriminator, value, message)
    for _, keyword in ipairs { "oneOf", "anyOf" } do
      for _, version in ipairs { "3.0.3", "3.1.0" } do
        says(document:format(version, keyword, discriminator), value, message, { at = "/components/schemas/Pet" })
      end
    end
  end
  local plain = '{"propertyName":"kind"}'
  local mapping = '{"propertyName":"kind","mapping":{"c":"#/components/schemas/Cat","d":"Dog","Dog":"#/components/schemas/Fox"}}'
  check(plain, '{"kind":"Cat","claws":"long","lives":9}', 'at /claws: expected an integer, found "long"')
  check(plain, '{"kind":"Cat"}', "the member claws is required")
  check(plain, '{"kind":"Dog","claws":1}', "the member name is required")
  check(plain, '{"kind":"Fox","name":7,"lives":9}', "the member tail is required")
  check(mapping, '{"kind":"c","name":5}', "the member claws is required")
  check(mapping, '{"kind":"d","claws":1}', "the member name is required")
  check(mapping, '{"kind":"Dog","claws":1}', "the member tail is required")
  check(plain, '{"kind":"Cat","name":"a"}', nil) -- by its members it is a dog
  -- where no branch is named, and other forms of the keyword, say what the keyword says alone
  local function message(discriminator, value)
    return (select(2, fleece.schema(document:format("3.1.0", "oneOf", discriminator), { at = "/components/schemas/Pet" })(value)))
  end
  for _, value in ipairs { '{"kind":"Cow","claws":1}', '{"kind":7}', '{"kind":""}', "{}", "[]" } do
    same(message(plain, value), message("{}", value))
    same(message(mapping, value), message("{}", value))
  end
  for _, other in ipairs { '"kind"', '{"propertyName":1}', "null", '{"mapping":{"Fox":"Fox"}}' } do
    same(message(other, '{"kind":"Fox","lives":9}'), message("{}", '{"kind":"Fox","lives":9}'))
  end
  -- branches that a constant excludes are told by it, not by what they lack
  says([[{"oneOf":[{"required":["lives"],"properties":{"kind":{"enum":["c"]}}},{"required":["bark"],"properties":{"kind":{"const":"d"}}}]}]],
    '{"kind":"x"}', 'at /kind: expected one of "c", "d", found "x"')
  local fox = '{"kind":"Fox","name":7}'
  lu.assertNotEquals(message("{}", fox), message(plain, fox))
  same(select(2, fleece.schema(document:format("3.1.0", "oneOf", '{"propertyName":"kind","mapping":7}'),
    { at = "/components/schemas/Pet" })(fox)), "the member tail is required")
  -- other dialects do not have it
  same((select(2, fleece.schema(document:format("", "oneOf", plain), { draft = "7", at = "/components/schemas/Pet" })(fox))),
    message("{}", fox))
end

function TestSchema:test_at_and_tables()
  local document = { components = { schemas = { Pet = { type = "object", properties = {}, required = { "name" } } } } }
  for _, at in ipairs { "/components/schemas/Pet", "#/components/schemas/Pet" } do
    local s = fleece.schema(document, { at = at })
    same((s '{"name":"Rex"}'), true)
    same(select(2, s "{}"), "the member name is required")
  end
  raises("leads nowhere", fleece.schema, document, { at = "/nope" })
end
