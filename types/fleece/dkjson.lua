---@meta fleece.dkjson
-- SPDX-License-Identifier: MIT
-- Types of fleece.dkjson for the Lua language server. See docs/dkjson.md.

---@class fleece.dkjson.State
---@field indent? boolean
---@field keyorder? any[] names that come first
---@field level? integer of the indentation
---@field buffer? string[]
---@field bufferlen? integer
---@field tables? table the open tables
---@field exception? fun(reason: string, value: any, state: fleece.dkjson.State, message: string): string|boolean|nil, any

---@class fleece.dkjson
---@field version string
---@field null table
---@field using_lpeg? boolean
local dkjson = {}

---@param value any
---@param state? fleece.dkjson.State
---@return string|true text
function dkjson.encode(value, state) end

---@param text string
---@param position? integer
---@param null? any
---@param objectmeta? table
---@param arraymeta? table
---@return any value
---@return integer position
---@return string? message
function dkjson.decode(text, position, null, objectmeta, arraymeta) end

---@param s string
---@return string
function dkjson.quotestring(s) end

---@param state fleece.dkjson.State
function dkjson.addnewline(state) end

---@param reason string
---@param value any
---@param state fleece.dkjson.State
---@param message string
---@return string
function dkjson.encodeexception(reason, value, state, message) end

---@return fleece.dkjson
function dkjson.use_lpeg() end

return dkjson
