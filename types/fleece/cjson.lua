---@meta fleece.cjson
-- SPDX-License-Identifier: MIT
-- Types of fleece.cjson for the Lua language server. See docs/cjson.md.

---@alias fleece.cjson.Switch boolean|"on"|"off"

---@class fleece.cjson
---@field null lightuserdata
---@field empty_array lightuserdata
---@field array_mt table metatable: an array of the table's length
---@field empty_array_mt table metatable: an array, not an object, when empty
---@field _NAME string
---@field _VERSION string
local cjson = {}

---@param value any
---@return string text
function cjson.encode(value) end

---@param text string
---@return any value
function cjson.decode(text) end

---Returns a new instance with the default settings.
---@return fleece.cjson
function cjson.new() end

---@param convert? fleece.cjson.Switch an object instead of an error
---@param ratio? integer 0: any array
---@param safe? integer a table with indexes up to this number is always an array
---@return boolean convert, integer ratio, integer safe
function cjson.encode_sparse_array(convert, ratio, safe) end

---@param depth? integer 1..2147483647
---@return integer
function cjson.encode_max_depth(depth) end

---@param depth? integer 1..2147483647
---@return integer
function cjson.decode_max_depth(depth) end

---@param digits? integer 1..16
---@return integer
function cjson.encode_number_precision(digits) end

---@param keep? fleece.cjson.Switch without effect
---@return boolean
function cjson.encode_keep_buffer(keep) end

---@param how? fleece.cjson.Switch|"null"
---@return boolean|"null"
function cjson.encode_invalid_numbers(how) end

---@param on? fleece.cjson.Switch
---@return boolean
function cjson.decode_invalid_numbers(on) end

---@param on? fleece.cjson.Switch
---@return boolean
function cjson.encode_empty_table_as_object(on) end

---@param on? fleece.cjson.Switch
---@return boolean
function cjson.decode_array_with_array_mt(on) end

---@param on? fleece.cjson.Switch
---@return boolean
function cjson.encode_escape_forward_slash(on) end

---@param on? fleece.cjson.Switch
---@return boolean
function cjson.encode_skip_unsupported_value_types(on) end

---Not in lua-cjson: names in the order of their bytes.
---@param on? fleece.cjson.Switch
---@return boolean
function cjson.encode_sort_keys(on) end

---@param indent? string up to 63 bytes; "": none
---@return string
function cjson.encode_indent(indent) end

---@param on? fleece.cjson.Switch
---@return boolean
function cjson.decode_allow_comment(on) end

return cjson
