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
