---@meta fleece.jsonschema
-- SPDX-License-Identifier: MIT
-- Types of fleece.jsonschema for the Lua language server. See docs/jsonschema.md.

---@class fleece.jsonschema
local jsonschema = {}

---@class fleece.jsonschema.Custom
---@field null? any what stands for null in values
---@field parse_ipv4? fun(text: string): any the format ipv4
---@field parse_ipv6? fun(text: string): any the format ipv6
---@field external_resolver? fun(url: string): table the schema of another URL
---@field name? string not used

---@param schema table|boolean
---@param custom? fleece.jsonschema.Custom
---@return fun(value: any): boolean, string? validator puts defaults into the value
function jsonschema.generate_validator(schema, custom) end

return jsonschema
