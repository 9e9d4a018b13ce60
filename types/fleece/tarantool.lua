---@meta fleece.tarantool
-- SPDX-License-Identifier: MIT
-- Types of fleece.tarantool for the Lua language server. See docs/tarantool.md.

---@class fleece.tarantool: fleece
---@field safe fleece.tarantool the same over fleece.safe
---@field field_type "varbinary"|"string" the type of a field of a space for documents
local tarantool = {}

---@param options? fleece.Options that come before those of this module
---@return fleece.tarantool
function tarantool.new(options) end

---@param bytes string a document
---@return any field for a tuple
function tarantool.to_field(bytes) end

---@param field any of a tuple
---@return string bytes
function tarantool.from_field(field) end

return tarantool
