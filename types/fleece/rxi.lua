---@meta fleece.rxi
-- SPDX-License-Identifier: MIT
-- Types of fleece.rxi for the Lua language server. See docs/json.md.

---@class fleece.rxi
---@field _version string
local json = {}

---@param value any
---@return string text
function json.encode(value) end

---@param text string
---@return any value
function json.decode(text) end

return json
