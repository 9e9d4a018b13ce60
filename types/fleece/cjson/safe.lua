---@meta fleece.cjson.safe
-- SPDX-License-Identifier: MIT
-- As fleece.cjson; data errors are returned as nil and a message.

---@class fleece.cjson.safe: fleece.cjson
local safe = {}

---@param value any
---@return string? text, string? message
function safe.encode(value) end

---@param text string
---@return any value, string? message
function safe.decode(text) end

---@return fleece.cjson.safe
function safe.new() end

return safe
