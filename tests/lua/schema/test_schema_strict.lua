-- SPDX-License-Identifier: MIT
-- test_schema_strict.lua -- fleece.schema's option `strict`: the mistakes that it finds, and what it must not take for one.
-- runs: in one layout

local T = require "support"
local lu, fleece = T.lu, T.fleece
local same, raises = lu.assertEquals, lu.assertErrorMsgContains

TestSchemaStrict = {}

function TestSchemaStrict:test_skip_beside_strict()
  local text = '{"$schema":"http://json-schema.org/draft-07/schema#","minimun":1,"$anchor":"a","type":"string"}'
  local function strictly(...) return { strict = true, skip = { ... } } end
  raises("at /minimun: the keyword minimun is not known", fleece.schema, text, strictly())
  raises("at /$anchor: the keyword $anchor is not known", fleece.schema, text, strictly("minimun"))
  same((fleece.schema(text, strictly("minimun", "$anchor")) "1"), false)
  same((fleece.schema(text, strictly("minimun", "$anchor", "type")) "1"), true)
  raises("at /minimun", fleece.schema, text, strictly("minimum", "$anchor"))
  raises("option 'skip': there is no keyword minimun", fleece.schema, text, { skip = { "minimun" } })
  same((fleece.schema('{"type":"string","minimum":1}', strictly "minimum") '"a"'), true)
end

-- What `strict` refuses, and beside it what it must not.
function TestSchemaStrict:test_strict()
  local seven, four = '"$schema":"http://json-schema.org/draft-07/schema#",', '"$schema":"http://json-schema.org/draft-04/schema#",'
  local function refuses(message, schema, options)
    options = options or {}
    options.strict = nil
    fleece.schema(schema, options)
    options.strict = true
    raises(message, fleece.schema, schema, options)
  end
  local function takes(schema, options)
    options = options or {}
    options.strict = true
    fleece.schema(schema, options)
  end
  refuses("at /default: type excludes it", '{"type":"string","default":null}')
  refuses("at /const: minimum excludes it", '{"const":1,"minimum":1.5}')
  refuses("at /const: exclusiveMinimum excludes it", '{"const":1,"exclusiveMinimum":1}')
  refuses("at /enum/1: maximum excludes it", "{" .. four .. '"enum":[1,2],"maximum":2,"exclusiveMaximum":true}')
  refuses("at /enum/1: maxLength excludes it", '{"enum":["é","éé"],"maxLength":1}')
  takes('{"enum":["é","éé",1],"maxLength":2,"minimum":1,"default":"é"}')
  refuses("at /format: the format emial is not known", '{"format":"emial"}', { formats = true })
  takes('{"format":"emial"}')
  takes('{"format":"emial"}', { formats = { emial = print } })
  takes('{"format":"password"}', { formats = true, draft = "openapi-3.1" })
  refuses("at /additionalItems: additionalItems says nothing", "{" .. seven .. '"items":{"type":"null"},"additionalItems":false}')
  refuses("at /exclusiveMinimum: exclusiveMinimum says nothing", "{" .. four .. '"exclusiveMinimum":true}')

  refuses("at /allOf/1: nothing is valid", '{"allOf":[{"type":"string"},{"type":["integer","null"]}]}')
  refuses("at /$ref: nothing is valid", '{"$ref":"#/$defs/a","type":"null","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"type":"number"}}}')
  refuses("at /oneOf/1: this branch of oneOf is never valid", '{"type":"integer","oneOf":[{"type":"number"},{"type":"string"}]}')
  refuses("at /anyOf/0: this branch of anyOf is never valid", '{"anyOf":[false,{"type":"string"}]}')
  refuses("at /anyOf/1: anyOf says nothing", '{"anyOf":[{"type":"string"},{}]}')
  refuses("at /oneOf/2: this branch of oneOf is there twice",
    '{"oneOf":[{"$ref":"#/$defs/a"},{"type":"string"},{"$ref":"#/$defs/a"}],"$defs":{"a":{"type":"null"}}}')
  takes('{"anyOf":[{"properties":{"a":{"type":"null"}}},{}],"unevaluatedProperties":false}') -- the branch collects annotations
  takes('{"oneOf":[{"type":"string"},{}]}')
  refuses("at /not: not says nothing", '{"type":"string","not":{"type":"number"}}')
  refuses("at /if: if says nothing", '{"if":{"type":"string"}}')
  takes('{"if":{"properties":{"a":{"type":"null"}}},"unevaluatedProperties":false}')
  refuses("at /if: nothing comes from if to else", '{"if":{},"then":{"type":"string"},"else":{"type":"null"}}')
  refuses("at /if: nothing comes from if to then", '{"type":"string","if":{"type":"null"},"then":{"minLength":1}}')
  refuses("at /if: then after this if is never valid", '{"type":"string","if":{"minLength":1},"then":{"type":"null"}}')
  takes('{"type":"string","if":{"minLength":1},"then":false}')
  refuses("at /dependentSchemas/a: no object is valid", '{"dependentSchemas":{"a":{"type":"string"}}}')

  refuses("at /contains: no array is valid", '{"contains":false}')
  refuses("at /contains: contains says nothing", '{"contains":{"type":"null"},"minContains":0}')
  takes('{"contains":{"type":"null"},"minContains":0,"unevaluatedItems":false}')
  refuses("at /items: no array is valid: minItems", '{"prefixItems":[{"type":"null"}],"items":false,"minItems":2}')
  refuses("no array is valid: minItems", '{"items":false,"minItems":1}')
  refuses("is partly never looked at: maxItems", '{"prefixItems":[{"type":"null"},{"type":"null"}],"maxItems":1}')
  refuses("is partly never looked at: maxItems", '{"prefixItems":[{"type":"null"}],"items":{"type":"null"},"maxItems":1}')
  refuses("is partly never looked at: no item may be", '{"prefixItems":[{"type":"null"},false,{"type":"null"}]}')
  refuses("is partly never looked at: no item may be", "{" .. seven .. '"items":[false],"additionalItems":{"type":"null"}}')
  takes('{"prefixItems":[{"type":"null"},false],"items":false,"minItems":1,"maxItems":2}')
  refuses("at /required: no object is valid: more members are required", '{"required":["a","b"],"maxProperties":1}')
  refuses("at /required: no object is valid: more members are required",
    '{"properties":{"a":{},"b":{}},"required":["a","b"],"maxProperties":1}')
  refuses("at /additionalProperties: no object is valid: minProperties",
    '{"properties":{"a":{}},"additionalProperties":false,"minProperties":2}')
  takes('{"properties":{"a":{}},"patternProperties":{"b":{}},"additionalProperties":false,"minProperties":2}')
end
