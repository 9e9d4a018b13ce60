-- SPDX-License-Identifier: MIT
-- schemas.lua -- a helper for the tests of fleece.rapidjson's schemas.

local json = require "fleece.rapidjson"

local S = {}

function S.validator(schema) return json.SchemaValidator(json.SchemaDocument(schema)) end

-- Validates a text against a schema: "" if it is valid, else the keyword and the pointer.
function S.failing(schema, text)
  local ok, message = S.validator(schema):validate(json.Document(text))
  if ok then return "" end
  return (message:gsub('^invalid "(.-)" in document at pointer "(.*)"$', "%1 %2"))
end

return S
