---@meta fleece.json4lua
-- SPDX-License-Identifier: MIT
-- Types of fleece.json4lua for the Lua language server. See docs/json4lua.md.

---@class fleece.json4lua
---@field EMPTY_ARRAY table
---@field EMPTY_OBJECT table
local json = {}

---@param value any
---@return string text
function json.encode(value) end

---@param text string
---@param position? integer
---@return any value
---@return integer position after it
function json.decode(text, position) end

---@return function null itself
function json.null() end

return json
