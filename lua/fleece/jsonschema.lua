-- SPDX-License-Identifier: MIT
-- jsonschema.lua -- require "fleece.jsonschema": the functions of api7/jsonschema 0.9, over fleece.schema. See
-- docs/jsonschema.md.
-- Must hold: globals are read once, because a program may replace them. The caller's schema does not change.

local fleece = require "fleece"
local schema_of, encode = fleece.schema, fleece.encode
local error, next, type, getmetatable, setmetatable = error, next, type, getmetatable, setmetatable

-- Keywords whose values are data, and those whose members are schemas.
local data = { const = true, enum = true, default = true, examples = true }
local named = {
  properties = true, patternProperties = true, definitions = true, dependencies = true, ["$defs"] = true,
  dependentSchemas = true,
}

local both, none = fleece.array { "array", "object" }, fleece.array {}
local empty_table = { type = both, maxItems = 0, maxProperties = 0 }

-- A bound of draft 4 that is exclusive becomes one of the later drafts.
local bounds = { exclusiveMinimum = "minimum", exclusiveMaximum = "maximum" }

-- Puts into `to` what the schema `from` means to the library: its type "table" is an array or an object, and `required`
-- that is empty allows only an empty table.
local function translate(to, from, is_draft4)
  if from.type == "table" then to.type = both end
  if type(from.enum) == "table" and next(from.enum) == nil then to.enum = none end
  for exclusive, bound in next, bounds do
    if type(from[exclusive]) == "boolean" and not is_draft4 then
      to[exclusive] = from[exclusive] and from[bound] or nil
      if from[exclusive] then to[bound] = nil end
    end
  end
  if type(from.required) ~= "table" or next(from.required) ~= nil then return end
  to.required = nil
  if type(from.allOf) == "table" then to.allOf[#from.allOf + 1] = empty_table
  else to.allOf = fleece.array { empty_table } end
end

-- Returns a copy of the schema, translated, and whether it has defaults.
local function prepare(schema)
  if type(schema) ~= "table" then return schema, false end
  local copies, todo, n, has_defaults = {}, {}, 0, false
  local function copy(from, is_named)
    if copies[from] == nil then
      copies[from] = setmetatable({}, getmetatable(from))
      n = n + 1
      todo[n] = { from = from, is_named = is_named }
    end
    return copies[from]
  end
  local whole = copy(schema, false)
  local is_draft4 = type(schema["$schema"]) == "string" and schema["$schema"]:find("draft-04", 1, true) ~= nil
  while n > 0 do
    local job = todo[n]
    todo[n] = nil
    n = n - 1
    local to = copies[job.from]
    for key, value in next, job.from do
      if key == "default" and not job.is_named then has_defaults = true end
      if type(value) == "table" and (job.is_named or not data[key]) then
        value = copy(value, not job.is_named and named[key] or false)
      end
      to[key] = value
    end
    if not job.is_named then translate(to, job.from, is_draft4) end
  end
  return whole, has_defaults
end

-- Puts the members that only `filled` has into `value`, and the same within both.
local function merge(value, filled)
  local todo, n = { { value, filled } }, 1
  while n > 0 do
    local to, from = todo[n][1], todo[n][2]
    todo[n] = nil
    n = n - 1
    for key, item in next, from do
      local own = to[key]
      if own == nil then to[key] = item
      elseif type(own) == "table" and type(item) == "table" then
        n = n + 1
        todo[n] = { own, item }
      end
    end
  end
end

local function options_of(custom)
  local options = { draft = "7", formats = true, empty = "both" }
  if not custom then return options end
  if custom.match_pattern ~= nil then
    error("match_pattern cannot be replaced: patterns are those of ECMA 262, in linear time", 3)
  end
  if type(custom.null) == "table" then options.null = custom.null end
  if custom.parse_ipv4 or custom.parse_ipv6 then
    options.formats = {}
    for name, parse in next, { ipv4 = custom.parse_ipv4, ipv6 = custom.parse_ipv6 } do
      options.formats[name] = function(text) return parse(text) and true or false end
    end
  end
  if custom.external_resolver then options.load = function(uri) return (prepare(custom.external_resolver(uri))) end end
  return options
end

local jsonschema = {}

-- Returns a function of a value: true; or false and a message. Defaults are put into the value.
function jsonschema.generate_validator(schema, custom)
  local prepared, has_defaults = prepare(schema)
  local s = schema_of(prepared, options_of(custom))
  local null = custom and custom.null
  return function(value)
    if value == nil or value == null then value = "null"
    elseif type(value) == "string" then value = encode(value, { invalid_utf8 = "replace" })
    elseif has_defaults and type(value) == "table" then
      local filled, message = s:fill(value)
      if filled ~= nil then merge(value, filled)
      elseif not s(value) then return false, message end -- else a default is not valid, and none goes in
      return true
    end
    local is_valid, message = s(value)
    if is_valid then return true end
    return false, message
  end
end

return jsonschema
