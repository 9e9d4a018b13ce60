-- SPDX-License-Identifier: MIT
-- test_schema_random.lua -- fleece.schema: random schemas; texts, tables and lists of failures agree.
-- runs: in one layout

local T = require "support"
local lu, fleece = T.lu, T.fleece
local same = lu.assertEquals

TestSchemaRandom = {}

-- A verdict on a text, in one pass, is that on the table and that of the list of failures, whatever keywords meet.
function TestSchemaRandom:test_random_keywords()
  local function random(n) return T.random(1, n) end
  local function name() return string.char(96 + random(3)) end
  local function value(depth)
    local kind = random(depth > 0 and 7 or 3)
    if kind <= 2 then return kind == 1 and "1" or '"x"' end
    if kind == 3 then return random(2) == 1 and "{}" or "[]" end
    if kind == 4 then return "[" .. value(depth - 1) .. "]" end
    local first = name()
    return ('{"%s":%s%s}'):format(first, value(depth - 1), random(2) == 1 and ',"d":' .. value(depth - 1) or "")
  end
  local schema, constants
  local function constant()
    constants[#constants + 1] = value(1)
    return constants[#constants]
  end
  local function branches(depth) return "[" .. schema(depth) .. "," .. schema(depth) .. "]" end
  local keywords = {
    function(depth) return ('"properties":{"%s":%s}'):format(name(), schema(depth)) end,
    function() return '"enum":[' .. constant() .. "," .. constant() .. "]" end,
    function() return '"const":' .. constant() end,
    function(depth) return '"unevaluatedProperties":' .. schema(depth) end,
    function(depth) return '"additionalProperties":' .. schema(depth) end,
    function(depth) return '"patternProperties":{"^[a' .. name() .. ']":' .. schema(depth) .. "}" end,
    function(depth) return ('"dependentSchemas":{"%s":%s}'):format(name(), schema(depth)) end,
    function(depth) return ('"if":%s,"then":%s,"else":%s'):format(schema(depth), schema(depth), schema(depth)) end,
    function(depth) return '"anyOf":' .. branches(depth) end,
    function(depth) return '"oneOf":' .. branches(depth) end,
    function(depth) return '"allOf":' .. branches(depth) end,
    function(depth) return '"not":' .. schema(depth) end,
    function(depth) return '"items":' .. schema(depth) end,
    function() return '"required":["' .. name() .. '"]' end,
    function() return '"type":"object"' end,
  }
  function schema(depth)
    if depth == 0 or random(6) == 1 then return random(4) == 1 and "false" or "true" end
    local list, seen = {}, {}
    for _ = 1, random(3) do
      local i = random(#keywords)
      if not seen[i] then list[#list + 1] = keywords[i](depth - 1) end
      seen[i] = true
    end
    return "{" .. table.concat(list, ",") .. "}"
  end
  for _ = 1, 1500 do
    constants = {}
    local text = schema(3)
    local s = fleece.schema(text)
    for _ = 1, 4 do
      local json
      repeat json = random(2) == 1 and constants[1] and constants[random(#constants)] or value(random(2)) until json ~= '"x"' -- a Lua string is a text
      local valid = #s:errors(json) == 0
      same({ (s(json)), s:decode(json) ~= nil, (s(fleece.decode(json, { arrays = fleece.array_mt }))) }, { valid, valid, valid }, text .. " " .. json)
    end
  end
end

-- Members that choose branches, first in an object or later, missing or twice: what is remembered of objects before
-- that began alike changes no verdict.
function TestSchemaRandom:test_random_tags()
  local function random(n) return T.random(1, n) end
  local function pick(list) return list[random(#list)] end
  local function name() return pick { "op", "kind", "a", "args" } end
  local function tag() return pick { '"and"', '"or"', '"="', "1", '"a\\n"' } end
  local schema
  local function leaf() return pick { "true", "false", '{"type":"string"}', '{"type":"array"}', '{"const":' .. tag() .. "}", '{"enum":[' .. tag() .. "," .. tag() .. "]}" } end
  local function members(depth)
    local first, second = name(), name()
    local list = ('"%s":{"const":%s}'):format(first, tag())
    if second ~= first then list = list .. (',"%s":%s'):format(second, random(2) == 1 and schema(depth - 1) or leaf()) end
    return '"properties":{' .. list .. "}"
  end
  local function branch(depth)
    local list = { members(depth) }
    if random(3) > 1 then list[2] = '"required":["' .. name() .. '"]' end
    if random(4) == 1 then list[#list + 1] = '"additionalProperties":' .. leaf() end
    if random(6) == 1 then list[#list + 1] = '"$ref":"#/$defs/part"' end
    if random(8) == 1 then list[#list + 1] = '"minProperties":2' end
    return "{" .. table.concat(list, ",") .. "}"
  end
  local function branches(depth)
    local list = {}
    for i = 1, random(3) + 1 do list[i] = random(5) == 1 and schema(depth - 1) or branch(depth) end
    return "[" .. table.concat(list, ",") .. "]"
  end
  local keywords = {
    function(depth) return '"anyOf":' .. branches(depth) end,
    function(depth) return '"oneOf":' .. branches(depth) end,
    function(depth) return '"allOf":' .. branches(depth) end,
    function(depth) return ('"if":%s,"then":%s,"else":%s'):format(branch(depth), branch(depth), branch(depth)) end,
    function(depth) return ('"dependentSchemas":{"%s":%s}'):format(name(), branch(depth)) end,
    function() return '"unevaluatedProperties":' .. leaf() end,
    function() return '"$ref":"#/$defs/part"' end,
    function(depth) return members(depth) end,
    function() return ('"patternProperties":{"^a":%s}'):format(leaf()) end,
    function(depth) return '"items":' .. schema(depth - 1) end,
  }
  function schema(depth)
    if depth <= 0 then return leaf() end
    local list, seen = {}, {}
    for _ = 1, random(3) do
      local i = random(#keywords)
      if not seen[i] then list[#list + 1] = keywords[i](depth) end
      seen[i] = true
    end
    return "{" .. table.concat(list, ",") .. "}"
  end
  local function object(depth)
    local list = {}
    for i = 1, random(3) do
      local value = random(2) == 1 and tag() or depth > 0 and object(depth - 1) or '["long enough to be remembered"]'
      list[i] = ('"%s":%s'):format(i == 1 and random(2) == 1 and "kind" or name(), value)
    end
    return "{" .. table.concat(list, random(8) == 1 and " , " or ",") .. "}"
  end
  local function padded(text) return random(6) == 1 and text or text .. (" "):rep(20) end
  for _ = 1, 600 do
    local part, text
    repeat part = branch(0) until not part:find("$ref", 1, true) -- it would call itself
    repeat text = schema(2) until text:sub(1, 1) == "{"
    text = '{"$defs":{"part":' .. part .. "}," .. text:sub(2)
    local s = fleece.schema(text)
    for _ = 1, 12 do
      local json = random(2) == 1 and object(1) or "[" .. object(0) .. "," .. object(0) .. "," .. object(1) .. "]"
      json = padded(json)
      local valid = #s:errors(json) == 0
      same({ (s(json)), (s(json)), s:decode(json) ~= nil }, { valid, valid, valid }, text .. " " .. json)
    end
  end
end

-- An object is checked as one before it that began alike only if nothing that chose its schemas differs.
function TestSchemaRandom:test_pairs_that_begin_alike()
  local schemas = {
    '{"if":{"properties":{"kind":{"const":"first one"}}},"then":{"properties":{"n":{"type":"string"}}},"else":{"properties":{"n":{"type":"integer"}}}}',
    '{"if":{"required":["kind"]},"then":{"properties":{"n":{"type":"string"}}},"else":{"properties":{"n":{"type":"integer"}}}}',
    '{"if":{"properties":{"kind":{"const":"first one"}},"required":["kind"]},"then":{"properties":{"n":true}},"unevaluatedProperties":{"type":"integer"}}',
    '{"dependentSchemas":{"kind":{"properties":{"n":{"type":"string"}}},"more":{"properties":{"n":{"type":"integer"}}}}}',
    '{"oneOf":[{"properties":{"kind":{"const":"first one"},"n":{"type":"string"}}},{"properties":{"kind":{"enum":["first two",7]},"n":{"type":"integer"}}},{"required":["more"],"properties":{"kind":false}}]}',
    '{"anyOf":[{"properties":{"kind":{"const":"first one"},"n":true},"required":["kind"]},{"properties":{"more":true},"required":["more"]}],"unevaluatedProperties":false}',
    '{"oneOf":[{"required":["kind"],"properties":{"n":{"type":"string"}}},{"required":["more"],"properties":{"n":{"type":"integer"}}}],"allOf":[{"maxProperties":3}]}',
    '{"allOf":[{"if":{"properties":{"kind":{"const":"first two"}}},"then":{"required":["more"]}},{"if":{"properties":{"more":{"const":1}}},"then":{"minProperties":2}}]}',
  }
  local texts = {}
  for _, first in ipairs { '"kind":"first one"', '"kind":"first two"', '"kind":"first on\\u0065"', '"kind":7', '"kind":[]', '"kind" : "first one"', '"more":1', '"other":1' } do
    for _, second in ipairs { "", ',"n":"long enough to be remembered"', ',"n":12345678901234567890', ',"more":1,"n":1', ',"kind":"first two","n":"a string"', ',"more":1,"kind":"first one","n":1', ',"kind":8' } do
      texts[#texts + 1] = "{" .. first .. second .. "}"
    end
  end
  for _, schema in ipairs(schemas) do
    local valid = {}
    for i, text in ipairs(texts) do valid[i] = #fleece.schema(schema):errors(text) == 0 end
    for i, before in ipairs(texts) do
      local s, in_list = fleece.schema(schema), fleece.schema('{"items":' .. schema .. "}")
      for k, text in ipairs(texts) do
        if i % 7 == k % 7 or k % 5 == 0 then
          s(before)
          same((s(text)), valid[k], schema .. " " .. before .. " " .. text)
          same((in_list("[" .. before .. "," .. text .. "]" .. (" "):rep(20))), valid[i] and valid[k], schema .. " " .. before .. " " .. text)
        end
      end
    end
  end
end
