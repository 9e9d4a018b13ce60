-- SPDX-License-Identifier: MIT
-- test_schema_limits.lua -- fleece.schema: the steps and levels that it takes, where branches, references and items are many.
-- runs: in one layout

local T = require "support"
local lu, fleece = T.lu, T.fleece
local same, raises = lu.assertEquals, lu.assertErrorMsgContains

TestSchemaLimits = {}

-- Branches of large units, which constants tell apart: `kind` is not the first property, is missing, or no string.
function TestSchemaLimits:test_branches_told_apart()
  local branches, defs = {}, {}
  for i = 1, 60 do
    branches[i] = ('{"$ref":"#/$defs/k%d"}'):format(i)
    defs[i] = ('"k%d":{"properties":{"of":{"$ref":"#"},"kind":{"const":"k%d"},"n":{"maximum":%d}},"required":["n"]}'):format(i, i, i)
  end
  local schema = '{"oneOf":[' .. table.concat(branches, ",") .. '],"$defs":{' .. table.concat(defs, ",") .. "}}"
  local cases = {
    { '{"kind":"k60","n":60}', true }, { '{"n":60,"kind":"k59"}', false }, { '{"kind":"k61","n":1}', false }, { '{"n":60}', true },
    { '{"n":59}', false }, { '{"kind":60,"n":60}', false }, { '{"kind":"k5"}', false },
    { '{"of":{"kind":"k3","n":3},"kind":"k\\u0032","n":2}', true }, { '{"of":{"kind":"k3","n":4},"kind":"k2","n":2}', false },
  }
  local few = fleece.schema(schema, { max_steps = 20 })
  local function check(s, list)
    for _, case in ipairs(list) do
      local text, valid = case[1], case[2]
      same((s(text)), valid)
      same((s(fleece.decode(text))), valid)
      same((s(fleece.open(fleece.from_json(text)))), valid)
      same(#s:errors(text) == 0, valid)
    end
  end
  check(fleece.schema(schema), cases)
  same({ (few '{"kind":"k60","n":60}'), (few { kind = "k60", n = 60 }) }, { true, true }) -- the others cost nothing
  check(fleece.schema [[{"oneOf":[{"properties":{"k":{"enum":["a","a","b",1]}},"required":["k"]},{"required":["x"]},
    {"allOf":[{"properties":{"k":{"const":"a"}},"required":["k"]}]}]}]], { -- the same constant twice, none, behind allOf
    { '{"k":"b"}', true }, { '{"k":"a"}', false }, { '{"k":"c"}', false }, { '{"k":"c","x":1}', true }, { '{"x":1}', true },
    { '{"k":"b","x":1}', false }, { '{"k":1}', true }, { '{"k":2}', false },
  })
  check(fleece.schema [[{"oneOf":[{"anyOf":[{"$ref":"#/$defs/a"},{"properties":{"op":{"const":"b"},"n":{"minimum":2}},"required":["op"]}]},
    {"type":"boolean"},{"properties":{"op":{"enum":["c","a"]}},"required":["op","n"]},{"properties":{"op":{"type":"string"}},"required":["m"]}],
    "$defs":{"a":{"properties":{"op":{"const":"a"}},"required":["op"]}}}]], { -- through branches of branches
    { '{"op":"a"}', true }, { '{"op":"b"}', true }, { '{"op":"b","n":1}', false }, { '{"op":"a","n":1}', false }, { '{"op":"c","n":1}', true },
    { '{"op":"d"}', false }, { '{"op":"d","m":1}', true }, { '{"op":"a","m":1}', false }, { '{"m":1}', true }, { "true", false },
  })
  -- a default may be the member that chooses
  local filled = fleece.schema '{"anyOf":[{"properties":{"k":{"const":"b"}},"required":["k"]},{"properties":{"k":{"const":"a","default":"a"}},"required":["k"]}]}'
  same(filled:fill "{}", '{"k":"a"}')
  local s
  s = fleece.schema '{"properties":{"a":{"type":"string"},"b":{"items":{"type":"null"}}}}' -- read anew: a name is there twice
  same(#s:errors '{"a":1,"b":[1],"a":2}', 2)
end

function TestSchemaLimits:test_limits()
  local deep = fleece.schema('{"$defs":{"a":{"items":{"$ref":"#/$defs/a"}}},"$ref":"#/$defs/a"}', { max_depth = 20 })
  same((deep(("["):rep(20) .. ("]"):rep(20))), true)
  local t = {}
  t[1] = t
  raises("", deep, t)
  local s = fleece.schema('{"items":{"type":"integer"}}', { max_steps = 10 })
  raises("max_steps", s, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 })
end

-- Many branches and many items: steps grow as their number does, and counts are looked at before the items.
function TestSchemaLimits:test_many()
  local branches, items = {}, {}
  for i = 1, 20000 do
    branches[i], items[i] = '{"const":' .. i .. "}", ('{"a":%d,"b":[%d]}'):format(i, i)
  end
  local any = fleece.schema('{"anyOf":[' .. table.concat(branches, ",") .. "]}", { max_steps = 60000 })
  same({ (any "20000"), (any "0"), (any(1)) }, { true, false, true })
  local unique = fleece.schema('{"uniqueItems":true}', { max_steps = 200000 })
  same((unique("[" .. table.concat(items, ",") .. "]")), true)
  items[1] = '{"b":[20000.0],"a":2e4}'
  same((unique("[" .. table.concat(items, ",") .. "]")), false)
  local few = fleece.schema('{"items":{"type":"integer"},"maxItems":2}', { max_steps = 5 })
  same((few("[" .. ("1,"):rep(20) .. "1]")), false)
end

-- Many required names: each is looked for once, whether they are there, in any order, or missing.
function TestSchemaLimits:test_many_required()
  local names, members, others = {}, {}, {}
  for i = 1, 3000 do
    names[i], members[3001 - i] = '"n' .. i .. '"', ('"n%d":1'):format(i)
    others[i] = ('"x%d":1'):format(i)
  end
  local s = fleece.schema('{"required":[' .. table.concat(names, ",") .. "]}", { max_steps = 50000, max_errors = 5000 })
  local full, empty = "{" .. table.concat(members, ",") .. "}", "{" .. table.concat(others, ",") .. "}"
  for _, form in ipairs { full, fleece.decode(full), fleece.lazy(full) } do same({ (s(form)), #s:errors(form) }, { true, 0 }) end
  for _, form in ipairs { empty, fleece.decode(empty), fleece.lazy(empty) } do
    same({ (s(form)), #s:errors(form) }, { false, 3000 })
  end
end

-- Failures are UTF-8, whatever the value is, so that an answer can be made of them.
function TestSchemaLimits:test_words_are_utf8()
  local failures = {
    select(3, fleece.schema '{"properties":{"name":{"type":"string"}}}' '{"name":"caf\233"}'),
    select(3, fleece.schema '{"items":{"type":"integer"}}' { "\255" }),
    fleece.schema '{"additionalProperties":false}':errors({ ["\255"] = 1 })[1],
  }
  same(failures[2].message, 'at /0: expected an integer, found "\239\191\189"')
  same(failures[3].instance, "/\239\191\189")
  for _, failure in ipairs(failures) do same(fleece.decode(fleece.encode(failure)).message, failure.message) end
end

-- A text that cannot be edited is a failure, in both modules.
function TestSchemaLimits:test_fill_repeated_names()
  for _, module in ipairs { fleece, require "fleece.safe" } do
    local s = module.schema '{"properties":{"a":{"properties":{"z":{"default":1}}}}}'
    local filled, message, failure = s:fill '{"a":{},"a":{}}'
    same({ filled == nil, message:find "^the text cannot be filled: .*several members of this name" ~= nil,
           failure.message == message, failure.keyword }, { true, true, true, "" })
    same(s:fill '{"a":{}}', '{"a":{"z":1}}')
  end
end

-- 2^40 ways lead to the last schema; the verdict and the failures take as many steps as there are schemas.
function TestSchemaLimits:test_doubled_references()
  for _, keyword in ipairs { "allOf", "anyOf", "oneOf" } do
    local defs = { n40 = { type = "integer" } }
    for i = 0, 39 do
      local ref = { ["$ref"] = "#/$defs/n" .. i + 1 }
      defs["n" .. i] = { [keyword] = { ref, ref } }
    end
    local s = fleece.schema({ ["$defs"] = defs, ["$ref"] = "#/$defs/n0" }, { max_steps = 100000 })
    local valid = keyword ~= "oneOf" -- both of two equal schemas are right
    for _, form in ipairs { "1", "[1]", { 1 }, fleece.open(fleece.from_json "[1]") } do
      same((s(form)), form == "1" and valid)
      lu.assertTrue((#s:errors(form) == 0) == (form == "1" and valid))
    end
  end
  local nested = '{"oneOf":[{"type":"integer"},{"type":"array","items":{"$ref":"#"}},{"type":"array","items":{"$ref":"#"},"minItems":5}]}'
  local s = fleece.schema(nested, { max_steps = 100000 })
  same((s(("["):rep(200) .. '"x"' .. ("]"):rep(200))), false)
end

-- A reference that comes back for the same value is an error of the schema; for a member or an item it is recursion.
function TestSchemaLimits:test_circles()
  for _, schema in ipairs {
    '{"$ref":"#"}', '{"allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/b"}]},"b":{"$ref":"#/$defs/a"}}}',
    '{"if":{"$ref":"#/$defs/a"},"$defs":{"a":{"not":{"$ref":"#"}}}}', '{"dependentSchemas":{"a":{"$ref":"#"}}}',
    '{"$dynamicAnchor":"a","oneOf":[{"$dynamicRef":"#a"}]}',
  } do
    raises("comes back to itself", fleece.schema, schema)
  end
  local links = {}
  for i = 1, 20000 do links[i] = ('"d%d":{"$ref":"#/$defs/d%d"}'):format(i, i % 20000 + 1) end
  raises("comes back to itself", fleece.schema, '{"$defs":{' .. table.concat(links, ",") .. '},"$ref":"#/$defs/d7"}')
  links[20000] = '"d20000":{"type":"integer","items":{"$ref":"#/$defs/d1"}}'
  local s = fleece.schema('{"$defs":{' .. table.concat(links, ",") .. '},"$ref":"#/$defs/d7"}')
  same({ (s "1"), (s "[]") }, { true, false })
end

-- As test_many, with a million; the steps are about as many as the items.
function TestSchemaLimits:test_long_run_of_a_million()
  T.only_long()
  local n, branches, items, defs = 1000000, {}, {}, {}
  for i = 1, n do branches[i] = '{"const":' .. i .. "}" end
  local any = fleece.schema('{"anyOf":[' .. table.concat(branches, ",") .. "]}", { max_steps = 3 * n })
  same({ (any(tostring(n))), (any "0"), (any(1)) }, { true, false, true })
  branches, any = nil, nil
  for i = 1, n do items[i] = ('{"a":%d,"b":[%d]}'):format(i, i) end
  local unique = fleece.schema('{"uniqueItems":true}', { max_steps = 10 * n })
  same((unique("[" .. table.concat(items, ",") .. "]")), true)
  items[1] = ('{"b":[%d.0],"a":1e6}'):format(n)
  same((unique("[" .. table.concat(items, ",") .. "]")), false)
  items = nil
  for i = 1, 100000 do -- 10 MB of definitions
    defs[i] = ('"d%d":{"type":"object","properties":{"a%d":{"type":"string","maxLength":%d},"n":{"$ref":"#/$defs/d%d"}}}'):format(i, i, i, i % 100000 + 1)
  end
  local text = '{"$ref":"#/$defs/d1","$defs":{' .. table.concat(defs, ",") .. "}}"
  lu.assertTrue(#text > 8e6)
  same((fleece.schema(text) '{"n":{"n":{"n":{"a4":"abcd"}}}}'), true)
  same((fleece.schema(text) '{"n":{"n":{"n":{"a4":"abcde"}}}}'), false)
end
