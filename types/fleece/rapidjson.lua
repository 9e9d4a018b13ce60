---@meta fleece.rapidjson
-- SPDX-License-Identifier: MIT
-- Types of fleece.rapidjson for the Lua language server. See docs/rapidjson.md.

---@class fleece.rapidjson.Options
---@field pretty? boolean
---@field sort_keys? boolean
---@field empty_table_as_array? boolean
---@field max_depth? integer

---@class fleece.rapidjson
---@field null lightuserdata
---@field _NAME string
---@field _VERSION string
local rapidjson = {}

---@param text string|lightuserdata
---@param length? integer of the memory at the address
---@return any value
---@return string? message
function rapidjson.decode(text, length) end

---@param value any
---@param options? fleece.rapidjson.Options
---@return string text
function rapidjson.encode(value, options) end

---@param path string
---@return any value
---@return string? message
function rapidjson.load(path) end

---@param value any
---@param path string
---@param options? fleece.rapidjson.Options
function rapidjson.dump(value, path, options) end

---@param t? table
---@return table
function rapidjson.object(t) end

---@param t? table
---@return table
function rapidjson.array(t) end

---@param content? string|table
---@return fleece.rapidjson.Document
function rapidjson.Document(content) end

---@param content? string|table|fleece.rapidjson.Document
---@return fleece.rapidjson.SchemaDocument
function rapidjson.SchemaDocument(content) end

---@param schema fleece.rapidjson.SchemaDocument
---@return fleece.rapidjson.SchemaValidator
function rapidjson.SchemaValidator(schema) end

---@class fleece.rapidjson.Document
local Document = {}

---@param text string
---@return boolean? ok
---@return string? message
function Document:parse(text) end

---@param path string
---@return boolean? ok
---@return string? message
function Document:parseFile(path) end

---@param pointer string
---@param default? any
---@return any value
function Document:get(pointer, default) end

---@param pointer string
---@param value any
function Document:set(pointer, value) end

---@param options? { pretty?: boolean }
---@return string text
function Document:stringify(options) end

---@param path string
---@param options? { pretty?: boolean }
function Document:save(path, options) end

---@class fleece.rapidjson.SchemaDocument

---@class fleece.rapidjson.SchemaValidator
local SchemaValidator = {}

---@param document fleece.rapidjson.Document
---@return boolean fits
---@return string? message
function SchemaValidator:validate(document) end

return rapidjson
