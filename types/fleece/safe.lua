---@meta fleece.safe
-- SPDX-License-Identifier: MIT
-- As fleece; data errors are returned as nil and a message, for text and bytes also the byte. Wrong arguments raise.

---@class fleece.safe: fleece.Codec
local safe = {}

---An iterator that raises its errors when a `for` calls it, because nil and a message would look like the end.
---@class fleece.Reader
---@overload fun(): any, ...
local reader = {}

---Returns what the iterator returns; nil, a message and mostly the byte once after an error; nil at the end.
---@return any value, any ...
function reader:next() end

---@param value any
---@param options? fleece.Options
---@return string? text, string? message
function safe.encode(value, options) end

---@param value any
---@param flags? fleece.Flags
---@return string? text, string? message
function safe.json(value, flags) end

---@param value any
---@param flags? fleece.Flags
---@return integer? bytes, string? message
function safe.size(value, flags) end

---@param sink file*|fun(piece: string): any, any?|table|userdata
---@param value any
---@param options? fleece.Options
---@return true? fine, string? message
function safe.write(sink, value, options) end

---@param text string
---@param options? fleece.PartialOptions
---@return any value, string? message the state with partial, integer? byte
function safe.decode(text, options) end

---@param source string|file*|fun(): string?, any, string?
---@param options? fleece.TokensOptions
---@return fleece.Reader reader
function safe.tokens(source, options) end

---@param sink? file*|fun(piece: string)|table|userdata
---@param options? fleece.BuilderOptions
---@return fleece.Builder
function safe.builder(sink, options) end

---Returns nil, a message and the byte for invalid text; nil, nil at the end.
---@param text string
---@param position? integer from 1
---@param options? fleece.DecodeOptions
---@return any value, integer|string|nil position, integer? byte
function safe.decode_prefix(text, position, options) end

---@param source string|file*|fun(): string?, any, string?
---@param options? fleece.ReaderOptions
---@return fleece.Reader reader
function safe.documents(source, options) end

---@param source string|file*|fun(): string?, any, string?
---@param options? fleece.EventsOptions
---@return fleece.Reader reader
function safe.events(source, options) end

---@param source string|file*|fun(): string?, any, string?
---@param pointer? string
---@param options? fleece.ReaderOptions
---@return fleece.Reader reader
function safe.items(source, pointer, options) end

---The picker returns true and the values, or false, a message and the byte.
---@param path string|fun(view: fleece.View|fleece.Document): any
---@param ... string|fleece.PickOptions|fun(view: fleece.View|fleece.Document): any
---@return fun(text: string): boolean, any ... picker
function safe.pick(path, ...) end

---A schema of fleece.safe returns nil and a message for a wrong schema or a limit.
---@param schema string|table|boolean|fleece.View|fleece.Document
---@param options? fleece.SchemaOptions
---@return fleece.Schema? schema
---@return string? message
function safe.schema(schema, options) end

---A query of fleece.safe returns nil and a message for a wrong text or a limit, and for a text the byte.
---@param text string
---@param options? fleece.QueryOptions
---@return fleece.Query? query
---@return string? message
---@return integer? byte
function safe.query(text, options) end

---@param path string
---@param options? fleece.DecodeOptions
---@return any value, string? message, integer? byte
function safe.decode_file(path, options) end

---@param text string
---@param options? fleece.FormatOptions
---@return string? text, string? message, integer? byte
function safe.format(text, options) end

---@param text string
---@param changes fleece.Change[]
---@param options? fleece.EditOptions
---@return string? text, string? message, integer? byte
function safe.edit(text, changes, options) end

---@param value any
---@param operations fleece.Operation[]|string|userdata
---@return any value, string? message, integer? byte
function safe.json_patch(value, operations) end

---@param a any
---@param b any
---@param options? fleece.JsonDiffOptions
---@return fleece.Operation[]|string? operations, string? message, integer? byte
function safe.json_diff(a, b, options) end

---@param value any
---@param patch any
---@return any value, string? message, integer? byte
function safe.merge_patch(value, patch) end

---@param a any
---@param b any
---@return any patch, string? message, integer? byte
function safe.merge_diff(a, b) end

---@param source string|file*|fun(): string?, any, string?
---@param sink? file*|fun(piece: string): any, any?|table|userdata
---@param options? fleece.FormatStreamOptions
---@return integer? documents, string? message, integer? byte
function safe.format_stream(source, sink, options) end

---@param text string
---@param options? fleece.FromJsonOptions
---@return string? bytes, string? message, integer? byte
function safe.from_json(text, options) end

---Returns nil without a message if there is no value at path or pointer.
---@param value fleece.Source
---@param options? fleece.ToJsonOptions
---@return string? text, string? message, integer? byte
function safe.to_json(value, options) end

---@param value any
---@param options? fleece.PackOptions
---@return string? bytes, string? message
function safe.pack(value, options) end

---@param value fleece.Source
---@param options? fleece.UnpackOptions
---@return any value, string? message, integer? byte
function safe.unpack(value, options) end

---@param bytes string
---@param options? fleece.OpenOptions
---@return fleece.Document? document, string? message, integer? byte
function safe.open(bytes, options) end

---@param path string
---@param options? fleece.FileOptions
---@return fleece.Document? document, string? message, integer? byte
function safe.open_file(path, options) end

---@param path string
---@param value any
---@param options? fleece.SaveOptions
---@return true? done, string? message, integer? byte
function safe.save(path, value, options) end

---@param path string
---@param value any
---@param options? fleece.WriteFileOptions
---@return true? done, string? message
function safe.write_file(path, value, options) end

---@param path string
---@param options? fleece.CompactOptions
---@return integer? bytes, integer|string before, integer? byte
function safe.compact(path, options) end

---@param text string
---@param options? fleece.FromJsonOptions
---@return any view, string? message, integer? byte
function safe.lazy(text, options) end

---@param old fleece.Source
---@param new fleece.Source
---@param options? fleece.OpenOptions
---@return string? delta, string? message, integer? byte
function safe.diff(old, new, options) end

---@param old fleece.Source
---@param delta string|fleece.Document|fleece.View
---@param options? fleece.PatchOptions
---@return string? bytes, string? message, integer? byte
function safe.patch(old, delta, options) end

---@param value fleece.Source
---@param options? fleece.OpenOptions
---@return string? text, string? message, integer? byte
function safe.dump(value, options) end

---@param options? fleece.NewOptions
---@return fleece.safe
function safe.new(options) end

return safe
