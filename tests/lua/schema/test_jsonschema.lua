-- SPDX-License-Identifier: MIT
-- test_jsonschema.lua -- fleece.jsonschema: the behaviour of api7/jsonschema, according to its README, and the
-- differences that docs/jsonschema.md lists.
-- runs: in one layout

local T = require "support"
local lu = T.lu
local fleece, jsonschema = require "fleece", require "fleece.jsonschema"
local same = lu.assertEquals

TestJsonschema = {}

function TestJsonschema:test_values()
  local v = jsonschema.generate_validator { type = "object", properties = { foo = { type = "string" }, bar = { type = "number" } } }
  same(v { foo = "hello", bar = 42 }, true)
  local fine, message = v { foo = 1 }
  same({ fine, message }, { false, "at /foo: expected a string, found 1" })
  same(select("#", v { foo = 1 }), 2)
  same(jsonschema.generate_validator { type = "string" } "a", true) -- a string is itself, no JSON text
  same((jsonschema.generate_validator { type = "string", minLength = 2 } '"'), false)
  same((jsonschema.generate_validator { type = "string" } "\255"), true)
  same(jsonschema.generate_validator(true)(1), true)
  same((jsonschema.generate_validator(false)(1)), false)
  same((jsonschema.generate_validator { format = "ipv4" } "1.2.3"), false)
end

function TestJsonschema:test_null()
  local v = jsonschema.generate_validator { type = "null" }
  same(v(fleece.null), true)
  same(v(nil), true)
  local null = {}
  v = jsonschema.generate_validator({ properties = { a = { type = "null" } } }, { null = null })
  same(v { a = null }, true)
  same(jsonschema.generate_validator({ type = "null" }, { null = null })(null), true)
end

function TestJsonschema:test_the_type_table()
  local schema = { properties = { type = { type = "table" }, x = { enum = { { type = "table" } } } } }
  local v = jsonschema.generate_validator(schema)
  same({ v { type = {} }, v { type = { 1 } }, v { type = { a = 1 } }, (v { type = 1 }) }, { true, true, true, false })
  same({ v { x = { type = "table" } }, (v { x = { type = { "array", "object" } } }) }, { true, false })
  same(schema.properties.type.type, "table")
end

-- Defaults go into the value itself, before `required` is checked.
function TestJsonschema:test_defaults()
  local schema = { type = "object", required = { "base" }, properties = {
    list = { type = "array", default = { 1, 2 } }, base = { type = "string", default = "x" },
    off = { type = "boolean", default = false }, inner = { properties = { port = { default = 80 } } } } }
  local v = jsonschema.generate_validator(schema)
  local inner = {}
  local t = { inner = inner }
  same(v(t), true)
  same(t, { list = { 1, 2 }, base = "x", off = false, inner = { port = 80 } })
  lu.assertIs(t.inner, inner)
  t.list[1] = 7
  same(schema.properties.list.default, { 1, 2 })
  t = {}
  v(t)
  same(t.list, { 1, 2 })
  t = { base = 1 }
  same((v(t)), false)
  same(t, { base = 1 })
end

-- draft7/default.json of the official suite, which the library passes: a default that is not valid makes no value invalid.
function TestJsonschema:test_defaults_that_are_not_valid()
  local v = jsonschema.generate_validator { properties = { alpha = { type = "number", maximum = 3, default = 5 }, b = { default = 1 } } }
  local t = {}
  same(v(t), true)
  same(t, {})
  same({ v { alpha = 1 }, (v { alpha = 5 }) }, { true, false })
  v = jsonschema.generate_validator { required = { "bar" }, properties = { bar = { type = "string", minLength = 4, default = "bad" } } }
  same((v {}), false)
end

-- "Empty tables and empty arrays are the same for Lua", says the library's README: each keyword counts.
function TestJsonschema:test_empty_tables()
  local function check(schema) return (jsonschema.generate_validator(schema) {}) end
  same({ check { type = "array" }, check { type = "object" }, check { type = "table" } }, { true, true, true })
  same({ check { required = { "a" } }, check { minItems = 1 }, check { minProperties = 1 } }, { false, false, false })
  same(check { type = "array", required = { "a" } }, false)
  same({ check { properties = { a = { type = "string" } } }, check { items = { type = "string" } } }, { true, true })
end

function TestJsonschema:test_empty_lists()
  -- t/default.lua of the library: `required` that is empty allows only an empty table
  local v = jsonschema.generate_validator { type = "object", oneOf = { { required = { "a", "b" } }, { required = {} } } }
  same({ v {}, v { a = 1, b = 2 }, (v { a = 1 }), (v { c = 1 }) }, { true, true, false, false })
  v = jsonschema.generate_validator { required = {}, allOf = { { minProperties = 0 } }, maxProperties = 3 }
  same({ v {}, (v { c = 1 }), (v { 1 }), (v "a") }, { true, false, false, false })
  same((jsonschema.generate_validator { enum = {} } {}), false)
end

-- All keywords of drafts 4, 6 and 7 at once.
function TestJsonschema:test_exclusive_bounds()
  for _, schema in ipairs {
    { minimum = 1, exclusiveMinimum = true, maximum = 3, exclusiveMaximum = true },
    { exclusiveMinimum = 1, exclusiveMaximum = 3 },
    { minimum = 1, exclusiveMinimum = true, maximum = 3, exclusiveMaximum = true, ["$schema"] = "http://json-schema.org/draft-04/schema#" },
  } do
    local v = jsonschema.generate_validator(schema)
    same({ v(2), (v(1)), (v(3)) }, { true, false, false })
  end
  local v = jsonschema.generate_validator { minimum = 1, exclusiveMinimum = false }
  same({ v(1), (v(0)) }, { true, false })
  v = jsonschema.generate_validator { properties = { exclusiveMinimum = true, minimum = { const = 1 } } }
  same({ v { exclusiveMinimum = 1, minimum = 1 }, (v { minimum = 2 }) }, { true, false })
end

function TestJsonschema:test_custom()
  local asked = {}
  local v = jsonschema.generate_validator({ items = { ["$ref"] = "http://x/a#/definitions/b" } }, {
    external_resolver = function(url)
      asked[#asked + 1] = url
      return { definitions = { b = { type = "table" } } }
    end,
    parse_ipv4 = function(text) return text == "home" end,
    name = "mine",
  })
  same({ v { {} }, (v { 1 }) }, { true, false })
  same(asked, { "http://x/a" })
  v = jsonschema.generate_validator({ format = "ipv4" }, { parse_ipv4 = function(text) return text == "home" end })
  same({ v "home", (v "1.2.3.4") }, { true, false })
  lu.assertErrorMsgContains("match_pattern", jsonschema.generate_validator, {}, { match_pattern = print })
  lu.assertErrorMsgContains("at /properties/a", jsonschema.generate_validator, { properties = { a = "integer" } })
end
