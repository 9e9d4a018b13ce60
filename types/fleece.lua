---@meta fleece
-- SPDX-License-Identifier: MIT
-- Types of Fleece for the Lua language server.

---@class fleece.Options
---@field indent? integer|string blanks (0..16) or white space for each level
---@field sort_keys? boolean
---@field key_order? string[] names that come first
---@field escape_slash? boolean
---@field ascii? boolean
---@field html? boolean
---@field empty_table? "array"|"object"
---@field sparse? "object"|"null"|"error"
---@field sparse_ratio? integer 1..1000, default 2
---@field invalid_numbers? "error"|"null"|"literal"
---@field invalid_utf8? "error"|"replace"|"escape"|"pass"
---@field max_depth? integer 1..10000000, default 1000
---@field skip_unsupported? boolean
---@field on_error? fun(value: any, path: string, message: string): any
---@field metamethods? boolean default true
---@field precision? integer 1..17
---@field float_integers? boolean
---@field layout? "auto"|"api"|"any-cpu"

---@class fleece.DecodeOptions
---@field null? any another value for null, or "nil" to drop
---@field arrays? table a metatable for each array
---@field objects? table a metatable for each object
---@field big_numbers? "double"|"string"|"error"|"int64"
---@field duplicates? "last"|"first"|"error"
---@field comments? boolean
---@field trailing_commas? boolean
---@field json5? boolean
---@field invalid_numbers? "error"|"null"|"literal"
---@field invalid_utf8? "error"|"replace"|"escape"|"pass"
---@field max_depth? integer 1..10000000, default 1000
---@field max_bytes? integer
---@field numeric_keys? boolean
---@field bom? boolean
---@field layout? "auto"|"api"

---@alias fleece.Flags "E"|"E0"|"E1"|"E2"|"E3"|"E4"

---@class fleece.Info
---@field version string
---@field lua string
---@field layout string
---@field decode string the layout, or "api" where only reading is proven
---@field simd "avx2"|"sse2"|"neon"|"swar"
---@field reason? string why layout or decode is "api"

---@class fleece.Codec
---@field null lightuserdata
---@field array_mt table
---@field object_mt table
---@field _NAME string
---@field _VERSION string
local fleece = {}

---Valid JSON text of any value. fleece.safe returns nil and a message instead of raising.
---@param value any
---@param options? fleece.Options
---@return string text
function fleece.encode(value, options) end

---The one value that the text is. fleece.safe returns nil, a message and the byte instead of raising.
---@param text string
---@param options? fleece.DecodeOptions
---@return any value
function fleece.decode(text, options) end

---The value at or behind a position, and the position of the byte behind it; nil, nil when nothing is left.
---@param text string
---@param position? integer from 1
---@param options? fleece.DecodeOptions
---@return any value
---@return integer? position
function fleece.decode_prefix(text, position, options) end

---The values of a stream, each with the byte at which it begins.
---@param source string|file*|fun(): string?
---@param options? fleece.DecodeOptions
---@return fun(): any, integer? iterator
function fleece.documents(source, options) end

---As decode, from a file.
---@param path string
---@param options? fleece.DecodeOptions
---@return any value
function fleece.decode_file(path, options) end

---The function of 2011; E0 to E3 can produce invalid JSON.
---@param value any
---@param flags? fleece.Flags
---@return string text
function fleece.json(value, flags) end

---The length in bytes of what json would return.
---@param value any
---@param flags? fleece.Flags
---@return integer bytes
function fleece.size(value, flags) end

---As encode, in pieces, to a file, a function or an object with a put or write method.
---@param sink file*|fun(piece: string): any, any?|table|userdata
---@param value any
---@param options? fleece.Options
---@return true
function fleece.write(sink, value, options) end

---The same functions with other defaults.
---@param options? fleece.Options
---@return fleece.Codec
function fleece.new(options) end

---@generic T: table
---@param t? T
---@return T
function fleece.array(t) end

---@generic T: table
---@param t? T
---@return T
function fleece.object(t) end

---@param text string one JSON value
---@return userdata
function fleece.raw(text) end

---@return fleece.Info
function fleece.info() end

return fleece
