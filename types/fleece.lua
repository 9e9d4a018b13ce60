---@meta fleece
-- SPDX-License-Identifier: MIT
-- Types of Fleece for the Lua language server.

---@class fleece.Options
---@field indent? integer|string number of spaces (0..16) or white space for each level
---@field width? integer with indent: arrays and objects that fit in this number of columns stay on one line, docs/width.md
---@field sort_keys? boolean members in byte order of their names
---@field canonical? "jcs"|false canonical JSON, RFC 8785
---@field key_order? string[] names that come first
---@field escape_slash? boolean `/` as `\/`
---@field ascii? boolean characters beyond ASCII as `\uXXXX`
---@field html? boolean `<`, `>`, `&`, U+2028 and U+2029 as `\uXXXX`
---@field one_line? boolean raw and lazy texts, and those of `__tojson`, lose their line breaks; not with indent
---@field empty_table? "array"|"object" how an empty table is written, default "array"
---@field null? userdata a userdata or cdata that is written as null
---@field sparse? "object"|"null"|"error" arrays with holes: an object (default), filled with null up to sparse_ratio, or an error
---@field sparse_ratio? integer 1..1000, default 2
---@field invalid_numbers? "error"|"null"|"literal" NaN and infinities: an error (default), null, or NaN, Infinity, -Infinity
---@field invalid_utf8? "error"|"replace"|"escape"|"pass" bad bytes: an error (default), U+FFFD, escapes, or unchanged
---@field max_depth? integer 1..10000000, default 1000
---@field skip_unsupported? boolean leave out values that JSON does not have
---@field on_error? fun(value: any, path: string, message: string): any its result replaces a value that cannot be written
---@field metamethods? boolean|"serialize" default true; "serialize": __serialize too
---@field precision? integer 1..17 significant digits; whole numbers up to 2^53 keep all
---@field decimals? integer 0..17 digits after the point, for floats; integers keep their text
---@field float32? boolean the fewest digits that give the same float of 32 bits
---@field integers? "any"|"safe" "safe": integers beyond 2^53 - 1 are an error
---@field float_integers? boolean `1.0` for floats with an integer value
---@field layout? "auto"|"api"|"any-cpu"|"avx2" default "auto"; the others are slower and for tests

---Options of the JSON grammar.
---@class fleece.GrammarOptions
---@field comments? boolean `//` and `/* */` are skipped
---@field trailing_commas? boolean a comma is allowed before the end of an array or object
---@field json5? boolean JSON5 1.0.0
---@field invalid_numbers? "error"|"null"|"literal" NaN, Infinity, -Infinity: an error (default), null, or numbers
---@field invalid_utf8? "error"|"replace"|"escape"|"pass" bad bytes: an error (default), U+FFFD, each as its Latin-1 character, or unchanged
---@field max_depth? integer 1..10000000, default 1000
---@field max_bytes? integer longer texts are an error; default: no limit
---@field bom? boolean a byte order mark before the text is skipped

---@class fleece.DecodeOptions: fleece.GrammarOptions
---@field max_values? integer texts with more values are an error; default: no limit
---@field null? any another value for null, or "nil" to drop nulls
---@field arrays? table|false|"marked"|"plain" a metatable for each array; "marked": that of fleece.array; "plain": none (default)
---@field objects? table|false|"marked"|"plain" a metatable for each object; "marked": that of fleece.object; "plain": none, for empty ones neither
---@field big_numbers? "double"|"string"|"error"|"int64" integers that are not exact in this Lua: the nearest double (default), their text, an error, or int64 of LuaJIT for all beyond 2^53
---@field duplicates? "last"|"first"|"error" a name twice in one object: the last counts (default), the first, or an error
---@field numeric_keys? boolean names that encode writes for number keys become numbers
---@field order? boolean objects remember the order of their members; encode and fleece.pairs follow it
---@field numbers? "lua"|"exact" "exact": numbers whose digits encode would not write again become fleece.Number
---@field layout? "auto"|"api" default "auto"; the others are slower and for tests

---@class fleece.ParserOptions: fleece.DecodeOptions
---@field max_values? nil not in parser

---@class fleece.ReaderOptions: fleece.DecodeOptions
---@field closed? boolean a source that returns nil, "closed" has ended; default false: that is an error

---@class fleece.DocumentsOptions: fleece.ReaderOptions
---@field lines? boolean each document is one line
---@field on_error? fun(text: string, failure: fleece.Failure, message: string) with lines: gets a line that is invalid; reading goes on

---@class fleece.PartialOptions: fleece.DecodeOptions
---@field partial? boolean the text may be the beginning of one; the state is the second result
---@field unfinished? boolean with partial: a string or number that is cut by the end of the text counts

---@class fleece.EventsOptions: fleece.PartialOptions, fleece.ReaderOptions
---@field done? string data that ends the stream
---@field raw? boolean the value is the text of the data
---@field on_error? fun(text: string, failure: fleece.Failure, message: string) gets data that is invalid; reading goes on

---@class fleece.PickOptions: fleece.DecodeOptions
---@field raw? boolean results are the JSON text of each value
---@field test? "all"|"read" the whole text must be valid (default), or only what is read; then reading stops when all is found

---@class fleece.QueryOptions: fleece.DecodeOptions
---@field max_steps? integer values that one call may look at; default 50000000

---@class fleece.CheckOptions
---@field trusted? boolean skip the check
---@field keys? fleece.Keys|false shared keys that the document was written with; false: do not translate codes
---@field check_utf8? boolean strings must be UTF-8
---@field max_depth? integer 1..10000000, default 1000
---@field max_values? integer number of values, shared ones counted each time; default: the document's bytes, at least 1000000

---@class fleece.BaseOptions: fleece.CheckOptions
---@field base? fleece.Document the document that this one amends

---@class fleece.OpenOptions: fleece.BaseOptions
---@field null? any what views return for null
---@field big_numbers? "double"|"string"|"error"|"int64" what views return for integers that are not exact in this Lua, as in `decode`

---@class fleece.FrameOptions
---@field map? boolean default true; false: the file is read into memory
---@field frame? "optional"|"required" "required": a file without a frame is an error
---@field verify? boolean default true; false: the checksums of documents are not tested
---@field recover? boolean a damaged end is left out: the results are the document, a message and the number of bytes

---@class fleece.FileOptions: fleece.OpenOptions, fleece.FrameOptions

---@class fleece.ReplaceOptions
---@field sync? "file"|"folder"|"none" what is on the disk when the call returns; default "file"
---@field wait? number seconds to wait for the lock of another writer; default 10

---@class fleece.SaveOptions: fleece.PackOptions, fleece.ReplaceOptions
---@field trusted? boolean bytes are not checked
---@field check_utf8? boolean strings of bytes must be UTF-8
---@field max_values? integer of bytes

---@class fleece.WriteFileOptions: fleece.Options, fleece.ReplaceOptions
---@field in_place? boolean the file itself is written, for files that cannot be replaced; not whole or not at all
---@field raw? boolean the value is a text, which is tested and written as it is
---@field comments? boolean with raw: the text may have comments
---@field trailing_commas? boolean with raw: [1,] and {"a":1,}
---@field json5? boolean with raw: JSON5 1.0.0
---@field bom? boolean with raw: a byte order mark before the text

---@class fleece.CompactOptions: fleece.CheckOptions, fleece.FrameOptions, fleece.ReplaceOptions
---@field mode? "compact"|"compatible"|"fast" default "compact"; as in `pack`

---@class fleece.AppendOptions: fleece.ReplaceOptions
---@field reuse_strings? boolean point to strings of the document instead of writing them again
---@field max_depth? integer levels, not counting those of values that stay; default 1000
---@field max_values? integer as in `amend`

---@class fleece.FromJsonOptions: fleece.GrammarOptions
---@field duplicates? "last" a name twice in one object: the last counts
---@field max_values? integer texts with more values are an error; default: no limit
---@field mode? "compact"|"compatible"|"fast" default "compact"; "compatible": the same bytes as the reference encoder; "fast": less work
---@field keys? fleece.Keys|false shared keys to write with; false: none
---@field lines? boolean the text has any number of documents, the items of one array

---@class fleece.LazyOptions: fleece.FromJsonOptions
---@field keys? nil a text has no codes
---@field max_values? nil a text has no limit
---@field null? any what views return for null
---@field big_numbers? "double"|"string"|"error"|"int64" what views return for integers that are not exact in this Lua, as in `decode`

---@class fleece.PatchOptions: fleece.FromJsonOptions, fleece.BaseOptions
---@field lines? nil a delta is a single text

---@class fleece.FormatOptions: fleece.GrammarOptions
---@field indent? integer|string number of spaces (0..16) or white space for each level
---@field width? integer with indent: arrays and objects that fit in this number of columns stay on one line, docs/width.md
---@field sort_keys? boolean members in byte order of their names
---@field canonical? "jcs"|false canonical JSON, RFC 8785; not in format_stream
---@field decimals? integer 0..17 digits after the point, for floats; integers keep their text
---@field float32? boolean the fewest digits that give the same float of 32 bits
---@field integers? "any"|"safe" "safe": integers beyond 2^53 - 1 are an error
---@field lines? boolean the text has any number of documents, each on a line
---@field max_values? integer texts with more values are an error; default: no limit
---@field colors? boolean names and values in terminal colours

---@class fleece.FormatStreamOptions: fleece.FormatOptions
---@field max_values? nil not in format_stream
---@field closed? boolean as of `documents`

---@class fleece.EditOptions: fleece.GrammarOptions, fleece.Options
---@field max_values? integer texts with more values are an error; default: no limit
---@field test? "all"|"read" of edit: the whole text is tested, or only what lies on the way

---@class fleece.Change
---@field [1] "set"|"insert"|"append"|"remove"|"discard"
---@field [2] string|userdata|fleece.Query a JSON Pointer, a key path, a fleece.path, or a query
---@field [3] any the value; not for "remove"

---@class fleece.JsonDiffOptions
---@field test? boolean a "test" of the old value before each "remove" and "replace"

---@class fleece.Operation
---@field op "add"|"remove"|"replace"|"move"|"copy"|"test"
---@field path string a JSON Pointer
---@field from? string of "move" and "copy": a JSON Pointer
---@field value? any of "add", "replace" and "test"; fleece.null for null

---@class fleece.ToJsonOptions: fleece.BaseOptions
---@field indent? integer|string number of spaces (0..16) or white space for each level
---@field width? integer with indent: arrays and objects that fit in this number of columns stay on one line, docs/width.md
---@field sort_keys? boolean members in byte order of their names
---@field ascii? boolean characters beyond ASCII as `\uXXXX`
---@field html? boolean `<`, `>`, `&`, U+2028 and U+2029 as `\uXXXX`
---@field escape_slash? boolean `/` as `\/`
---@field invalid_numbers? "error"|"null"|"literal" NaN and infinities: an error (default), null, or NaN, Infinity, -Infinity
---@field invalid_utf8? "error"|"replace"|"escape"|"pass" bad bytes: an error (default), U+FFFD, escapes, or unchanged
---@field canonical? boolean|"jcs" names are sorted even if shared keys put them in another order; "jcs": RFC 8785
---@field decimals? integer 0..17 digits after the point, for floats; integers keep their text
---@field float32? boolean the fewest digits that give the same float of 32 bits
---@field integers? "any"|"safe" "safe": integers beyond 2^53 - 1 are an error
---@field json5? boolean names without quotes where JSON5 allows it
---@field path? string|function write only the value at this path
---@field pointer? string the same with a JSON pointer
---@field max_bytes? integer size of the text; default: 64 times the document, at least 64 MB

---@class fleece.PackOptions
---@field mode? "compact"|"compatible"|"fast" default "compact"; "compatible": the same bytes as the reference encoder; "fast": less work
---@field keys? fleece.Keys|false shared keys to write with; false: none
---@field invalid_utf8? "error"|"data" strings that are not UTF-8: an error (default), or data
---@field max_depth? integer 1..10000000, default 1000
---@field sparse? "object"|"null"|"error" arrays with holes: an object (default), filled with null up to sparse_ratio, or an error
---@field sparse_ratio? integer 1..1000, default 2
---@field empty_table? "array"|"object" how an empty table is written, default "array"
---@field null? userdata a userdata or cdata that is written as null
---@field metamethods? boolean|"serialize" default true; false: ignore metatables; "serialize": __serialize too
---@field skip_unsupported? boolean leave out values that JSON does not have
---@field on_error? fun(value: any, path: string, message: string): any its result replaces a value that cannot be written
---@field layout? "auto"|"api"|"any-cpu"|"avx2" default "auto"; the others are slower and for tests

---@class fleece.UnpackOptions: fleece.BaseOptions
---@field null? any another value for null, or "nil" to drop nulls
---@field arrays? table|false|"marked"|"plain" a metatable for each array; "marked": that of fleece.array; "plain": none (default)
---@field objects? table|false|"marked"|"plain" a metatable for each object; "marked": that of fleece.object; "plain": none, for empty ones neither
---@field big_numbers? "double"|"string"|"error"|"int64" integers that are not exact in this Lua: the nearest double (default), their text, an error, or int64 of LuaJIT for all beyond 2^53
---@field duplicates? "last"|"first"|"error" a name twice in one object: the last counts (default), the first, or an error
---@field numeric_keys? boolean names that encode writes for number keys become numbers
---@field max_bytes? integer size of the result: 16 for each value, plus the strings
---@field layout? "auto"|"api" default "auto"; the others are slower and for tests

---Includes the options of `json`.
---@class fleece.EncoderOptions: fleece.FromJsonOptions
---@field lines? boolean `json` reads any number of documents, as items of the open array

---Defaults of a codec.
---@class fleece.NewOptions: fleece.Options, fleece.PickOptions, fleece.QueryOptions, fleece.EventsOptions, fleece.FileOptions, fleece.WriteFileOptions, fleece.TokensOptions
---@field mode? "compact"|"compatible"|"fast" default "compact"; "compatible": the same bytes as the reference encoder; "fast": less work
---@field canonical? boolean|"jcs" names are sorted even if shared keys put them in another order; "jcs": RFC 8785
---@field max_values? integer number of values, shared ones counted each time
---@field lines? boolean texts have any number of documents
---@field colors? boolean names and values in terminal colours
---@field path? string|function of to_json: write only the value at this path
---@field pointer? string the same with a JSON pointer

---@class fleece.AmendOptions
---@field reuse_strings? boolean point to strings of the document instead of writing them again
---@field extern? boolean a separate document that is opened with the document as base
---@field max_depth? integer levels, default 1000; those inside shared values do not count
---@field max_values? integer values of the amended document; default: as in `open`

---A value for binary data.
---@class fleece.Data: userdata
---@operator len: integer

---A number with the digits of its text, of decode's numbers = "exact". Comparable with others of its kind.
---@class fleece.Number: userdata
---@field number fun(self: fleece.Number): number

---An array or dict of a document; members and items (from 1) by index.
---@class fleece.View: userdata
---@operator len: integer
---@field [string|integer] any
---@field get fun(self: fleece.View, ...: string|integer): any
---@field pointer fun(self: fleece.View, pointer: string): any
---@field walk fun(self: fleece.View, enter?: fun(view: fleece.View, path: string|userdata, pointer: string|userdata): boolean?, options?: {max_values?: integer}): fun(): any, string|userdata, string|userdata
---@field totable fun(self: fleece.View, options?: fleece.UnpackOptions): table
---@field mutable fun(self: fleece.View): fleece.Mutable

---@class fleece.Mutable: userdata
---@operator len: integer
---@field [string|integer] any
---@field insert fun(self: fleece.Mutable, index: integer, value: any)
---@field changed fun(self: fleece.Mutable): boolean
---@field totable fun(self: fleece.Mutable, options?: fleece.UnpackOptions): table

---@class fleece.Document: userdata
---@operator len: integer
---@field [string|integer] any a member or item of the root
---@field root any a view, or a scalar
---@field bytes string
---@field size integer
---@field get fun(self: fleece.Document, ...: string|integer): any
---@field pointer fun(self: fleece.Document, pointer: string): any
---@field walk fun(self: fleece.Document, enter?: fun(view: fleece.View, path: string|userdata, pointer: string|userdata): boolean?, options?: {max_values?: integer}): fun(): any, string|userdata, string|userdata
---@field totable fun(self: fleece.Document, options?: fleece.UnpackOptions): any
---@field mutable fun(self: fleece.Document): fleece.Mutable
---@field amend fun(self: fleece.Document, fn: fun(root: fleece.Mutable), options?: fleece.AmendOptions): string
---@field append fun(self: fleece.Document, fn: fun(root: fleece.Mutable), options?: fleece.AppendOptions): fleece.Document
---@field close fun(self: fleece.Document)

---@class fleece.Keys: userdata
---@operator len: integer
---@field save fun(self: fleece.Keys): string
---@field add fun(self: fleece.Keys, name: string): integer?
---@field code fun(self: fleece.Keys, name: string): integer?
---@field name fun(self: fleece.Keys, code: integer): string?

---@class fleece.Encoder: userdata
---@field array fun(self: fleece.Encoder): fleece.Encoder
---@field dict fun(self: fleece.Encoder): fleece.Encoder
---@field key fun(self: fleece.Encoder, name: string): fleece.Encoder
---@field close fun(self: fleece.Encoder): fleece.Encoder
---@field close_array fun(self: fleece.Encoder): fleece.Encoder
---@field close_dict fun(self: fleece.Encoder): fleece.Encoder
---@field null fun(self: fleece.Encoder): fleece.Encoder
---@field undefined fun(self: fleece.Encoder): fleece.Encoder
---@field boolean fun(self: fleece.Encoder, value: boolean): fleece.Encoder
---@field integer fun(self: fleece.Encoder, value: number|string): fleece.Encoder
---@field unsigned fun(self: fleece.Encoder, value: number|string): fleece.Encoder
---@field double fun(self: fleece.Encoder, value: number): fleece.Encoder
---@field float fun(self: fleece.Encoder, value: number): fleece.Encoder
---@field string fun(self: fleece.Encoder, value: string): fleece.Encoder
---@field data fun(self: fleece.Encoder, value: string|fleece.Data): fleece.Encoder
---@field value fun(self: fleece.Encoder, value: any): fleece.Encoder
---@field json fun(self: fleece.Encoder, text: string): fleece.Encoder
---@field finish fun(self: fleece.Encoder): string
---@field reset fun(self: fleece.Encoder): fleece.Encoder

---Writes a JSON text value by value. Each method returns the builder, and raises an error if the result would not be JSON.
---@class fleece.Builder: userdata
---@field object fun(self: fleece.Builder): fleece.Builder
---@field array fun(self: fleece.Builder): fleece.Builder
---@field key fun(self: fleece.Builder, name: string): fleece.Builder
---@field string fun(self: fleece.Builder, value: string): fleece.Builder
---@field number fun(self: fleece.Builder, value?: number, digits?: string): fleece.Builder
---@field boolean fun(self: fleece.Builder, value: boolean): fleece.Builder
---@field null fun(self: fleece.Builder): fleece.Builder
---@field value fun(self: fleece.Builder, value: any): fleece.Builder
---@field close fun(self: fleece.Builder): fleece.Builder
---@field close_array fun(self: fleece.Builder): fleece.Builder
---@field close_object fun(self: fleece.Builder): fleece.Builder
---@field finish fun(self: fleece.Builder): true|string

---@class fleece.BuilderOptions: fleece.Options
---@field duplicates? "error"|"last" "error": a name twice in one object is refused

---@class fleece.TokensOptions: fleece.GrammarOptions
---@field digits? boolean default true; false: numbers come without the digits of the text
---@field closed? boolean as of `documents`

---@alias fleece.TokenKind "object"|"array"|"end"|"key"|"string"|"number"|"boolean"|"null"

---@alias fleece.Source string|fleece.Document|fleece.View bytes, a document, or a view
---@alias fleece.Flags "E"|"E0"|"E1"|"E2"|"E3"|"E4"

---@class fleece.Info
---@field version string
---@field lua string
---@field layout string
---@field decode string the layout, or "api" if only reading is verified
---@field simd "avx512"|"avx2"|"sse2"|"neon"|"swar"
---@field parts string the parts of this build: "core document query program", or fewer
---@field reason? string why layout or decode is "api"

---@class fleece.Codec
---@field null lightuserdata
---@field array_mt table
---@field object_mt table
---@field _NAME string
---@field _VERSION string
local fleece = {}

---Encodes a value as JSON. fleece.safe returns nil and a message instead of raising.
---@param value any
---@param options? fleece.Options
---@return string text
function fleece.encode(value, options) end

---Encodes a value in pieces.
---@class fleece.Writer
---@overload fun(): string? a piece; it raises, in fleece.safe too
local writer = {}

---Returns the next piece of about this many bytes (default 65536); nil at the end. In fleece.safe, nil and a message after an error.
---@param bytes? integer
---@return string? piece
function writer:next(bytes) end

---Creates a writer, which encodes a value in pieces.
---@param value any
---@param options? fleece.Options
---@return fleece.Writer writer
function fleece.writer(value, options) end

---@param sink? file*|fun(piece: string)|table|userdata nil: `finish` returns the text
---@param options? fleece.BuilderOptions
---@return fleece.Builder
function fleece.builder(sink, options) end

---Decodes a JSON text of one value. fleece.safe returns nil, a message and a fleece.Failure instead of raising.
---@param text string
---@param options? fleece.PartialOptions
---@return any value
---@return "open"|"complete"|nil state with partial
function fleece.decode(text, options) end

---Returns the first value at or after a position, and the position after it; nil, nil if nothing is left.
---@param text string
---@param position? integer from 1
---@param options? fleece.DecodeOptions
---@return any value
---@return integer? position
function fleece.decode_prefix(text, position, options) end

---A reader without a source: `for value in reader:feed(piece) do`.
---@class fleece.FedReader
---@field feed fun(self: fleece.FedReader, piece: string): fleece.FedReader takes a piece; call the result for what is complete
---@field finish fun(self: fleece.FedReader): fleece.FedReader no more pieces come
---@field next fun(self: fleece.FedReader): any, any, any, any, any one value, or nil
---@field status fun(self: fleece.FedReader): "open"|"complete"|"cut"|"done"|"failed"
---@overload fun(): any, any, any, any, any

---Iterates over the values of a stream, each with the position of its first byte.
---@param source string|file*|fun(): string?, any, string? a function returns a piece; nil: the end; nil, message [, piece]: an error
---@param options? fleece.DocumentsOptions
---@return fun(): any, integer? iterator
---@overload fun(options?: fleece.DocumentsOptions): fleece.FedReader
function fleece.documents(source, options) end

---Iterates over the items of the array, or members of the object, at a path in each document of a source. Each
---comes with the position of its first byte, and its number or name.
---@param source string|file*|fun(): string?, any, string?
---@param pointer? string a JSON pointer, or a key path such as data.users; "", the default: the document itself
---@param options? fleece.ReaderOptions
---@return fun(): any, integer?, (integer|string)? iterator
---@overload fun(options?: fleece.ReaderOptions, pointer?: string): fleece.FedReader
function fleece.items(source, pointer, options) end

---Reads a text of any size without tables, token by token. The fourth value is the number as it stands in the text.
---@param source string|file*|fun(): string?, any, string?
---@param options? fleece.TokensOptions
---@return fun(): fleece.TokenKind?, any, integer, string?
---@overload fun(options?: fleece.TokensOptions): fleece.FedReader
function fleece.tokens(source, options) end

---Iterates over server-sent events whose data is JSON: value, name, id, state, time before a reconnection.
---@param source string|file*|fun(): string?, any, string?
---@param options? fleece.EventsOptions
---@return fun(): any, string?, string?, ("open"|"complete")?, number? iterator
---@overload fun(options?: fleece.EventsOptions): fleece.FedReader
function fleece.events(source, options) end

---Compiles paths. The picker returns one value for each path in a JSON text; nil if there is no such value. A path that is empty or
---begins with "/" is a JSON pointer; the others are those of fleece.path, and may have wildcards, `a[*].b` and `a.*`, whose result is
---a table of all values. The last argument may be options
---(fleece.PickOptions). Pickers of fleece.safe return true and the values, or false, a message and a fleece.Failure.
---@param path string|fun(view: fleece.View|fleece.Document): any a text, or what fleece.path returned
---@param ... string|fleece.PickOptions|fun(view: fleece.View|fleece.Document): any
---@return fun(text: string): any ... picker
function fleece.pick(path, ...) end

---A compiled JSONPath query. Called with a value it returns the list of the values that it finds.
---@class fleece.Query
---@overload fun(value: any): any[]
local query = {}

---Iterates over the values that the query finds, each with its normalized path.
---@param value any a table, a JSON text, a view
---@return fun(): any, string? iterator
function query:each(value) end

---Returns the normalized paths of what the query finds.
---@param value any
---@return string[] paths
function query:paths(value) end

---Compiles a JSONPath query (RFC 9535) for tables, JSON texts and views.
---@param text string
---@param options? fleece.QueryOptions
---@return fleece.Query query
function fleece.query(text, options) end

---@alias fleece.Kind "syntax"|"utf8"|"number"|"duplicate"|"depth"|"length"|"limit"|"memory"|"type"|"cycle"|"change"|"keys"|"schema"|"invalid"|"argument"|"io"|"hook"

---The third result of functions of fleece.safe that fail.
---@class fleece.Failure
---@field kind fleece.Kind
---@field byte? integer in the text, from 1
---@field line? integer
---@field column? integer in characters
---@field path? string of a value that cannot be written
---@field option? string the option that allows more

---What is wrong with a value.
---@class fleece.SchemaFailure
---@field kind fleece.Kind
---@field message string where, what was expected, what was found
---@field instance string a JSON Pointer to the value
---@field keyword string
---@field schema string a JSON Pointer to the keyword
---@field absolute string the keyword's URI
---@field byte? integer of texts: where the value begins, from 1
---@field line? integer
---@field column? integer
---@field causes? fleece.SchemaFailure[] the failures of branches

---A compiled JSON Schema. Called with a table, a JSON text, a document or view it returns true; or false, a message and the failure.
---@class fleece.Schema
---@overload fun(value: any): boolean, string?, fleece.SchemaFailure?
local schema = {}

---Returns all failures, or the first `max`; an empty list: the value is valid.
---@param value any
---@param max? integer
---@return fleece.SchemaFailure[] failures
function schema:errors(value, max) end

---Decodes a text if it is valid; else returns nil, a message and the failure.
---@param text string
---@param options? fleece.DecodeOptions
---@return any value
---@return string? message
---@return fleece.SchemaFailure? failure
function schema:decode(text, options) end

---Returns the table or text with the defaults of missing members; the argument does not change.
---@generic T: table|string
---@param value T
---@return T filled
function schema:fill(value) end

---@class fleece.SchemaOptions: fleece.QueryOptions
---@field draft? "2020-12"|"2019-09"|"7"|"6"|"4"|"openapi-3.1"|"openapi-3.0" where $schema says nothing; default "2020-12"
---@field schemas? table<string, any>|fun(uri: string): any schemas by their URIs
---@field load? fun(uri: string): any other schemas
---@field at? string a JSON Pointer to the schema in the text
---@field uri? string where the schema comes from: references are relative to it
---@field formats? boolean|table<string, fun(text: string): boolean, string?> assert `format`; or own checks
---@field contents? boolean assert contentEncoding and contentMediaType
---@field keywords? table<string, fun(value: any, keyword: any): boolean, string?> own keywords, which get the value and what the schema says
---@field skip? string[] keywords that do not count, and names that `strict` does not refuse
---@field strict? boolean unknown keywords, what can never be valid and what says nothing are errors
---@field empty? "either"|"both"|"array"|"object" what an empty table without a mark is; default "either"
---@field values? boolean false: messages do not tell what was found
---@field max_errors? integer failures of a list; default 1000

---Compiles a JSON Schema. A wrong one is an error.
---@param schema string|table|boolean|fleece.View|fleece.Document
---@param options? fleece.SchemaOptions
---@return fleece.Schema schema
function fleece.schema(schema, options) end

---Decodes a text that is fed in pieces, in steps.
---@class fleece.Parser
local parser = {}

---Adds a piece of text. In fleece.safe, nil, a message and a fleece.Failure if the parser has failed.
---@param piece string
---@return fleece.Parser parser
function parser:feed(piece) end

---Reads about this many bytes (default 65536) of the text fed so far; returns whether there is more.
---@param bytes? integer
---@return boolean more
function parser:step(bytes) end

---Ends the text and returns the value of all pieces.
---@return any value
function parser:finish() end

---Returns the value so far, in the tables that are being filled, and whether it has ended.
---@param options? {unfinished?: boolean} a string or number that is not finished counts
---@return any value
---@return "open"|"complete" state
function parser:peek(options) end

---Returns the new part of the string value that is being read, and whether it has ended; nil if no string is being read.
---@return string? bytes
---@return boolean? ended
function parser:tail() end

---Creates a parser, which decodes in steps of bounded work.
---@param options? fleece.ParserOptions
---@return fleece.Parser parser
function fleece.parser(options) end

---Decodes a file.
---@param path string
---@param options? fleece.DecodeOptions
---@return any value
function fleece.decode_file(path, options) end

---The function of the 2011 extension; E0 to E3 can produce invalid JSON.
---@param value any
---@param flags? fleece.Flags
---@return string text
function fleece.json(value, flags) end

---Returns the length in bytes of the text that json would return.
---@param value any
---@param flags? fleece.Flags
---@return integer bytes
function fleece.size(value, flags) end

---Encodes in pieces to a file, a function or an object with a put or write method.
---@param sink file*|fun(piece: string): any, any?|table|userdata
---@param value any
---@param options? fleece.Options
---@return true
function fleece.write(sink, value, options) end

---Returns JSON text in another layout; digits, escapes and the order of members do not change.
---@param text string
---@param options? fleece.FormatOptions
---@return string text
function fleece.format(text, options) end

---Changes values of a JSON text. All bytes that no change touches stay as they are.
---@param text string
---@param changes fleece.Change[]
---@param options? fleece.EditOptions
---@return string text
function fleece.edit(text, changes, options) end

---Applies a JSON Patch (RFC 6902). A string is a JSON text; then the result is one, too. No argument is changed.
---@param value any
---@param operations fleece.Operation[]|string|userdata
---@return any value
function fleece.json_patch(value, operations) end

---Returns the JSON Patch that makes b of a: a text if a is one, else a list.
---@param a any
---@param b any
---@param options? fleece.JsonDiffOptions
---@return fleece.Operation[]|string operations
function fleece.json_diff(a, b, options) end

---Applies a JSON Merge Patch (RFC 7396). A string is a JSON text; then the result is one, too. No argument is changed.
---@param value any
---@param patch any
---@return any value
function fleece.merge_patch(value, patch) end

---Returns the JSON Merge Patch that makes b of a: a text if a is one.
---@param a any
---@param b any
---@return any patch
function fleece.merge_diff(a, b) end

---The same in pieces, in bounded memory. Without a sink the text is only checked.
---@param source string|file*|fun(): string?, any, string?
---@param sink? file*|fun(piece: string): any, any?|table|userdata
---@param options? fleece.FormatStreamOptions
---@return integer documents
function fleece.format_stream(source, sink, options) end

---Converts a JSON text to a document.
---@param text string
---@param options? fleece.FromJsonOptions
---@return string bytes
function fleece.from_json(text, options) end

---@param value fleece.Source|fleece.Mutable
---@param options? fleece.ToJsonOptions
---@return string? text nil if there is no value at path or pointer
function fleece.to_json(value, options) end

---Converts a Lua value to a document.
---@param value any
---@param options? fleece.PackOptions
---@return string bytes
function fleece.pack(value, options) end

---@param value fleece.Source|fleece.Mutable
---@param options? fleece.UnpackOptions
---@return any value
function fleece.unpack(value, options) end

---Checks that the bytes are a document. Returns nil, message and failure if not, also in fleece.
---@param bytes string
---@param options? fleece.OpenOptions
---@return true? fine
---@return string? message
---@return fleece.Failure? failure
function fleece.check(bytes, options) end

---@param bytes string
---@param options? fleece.OpenOptions
---@return fleece.Document
function fleece.open(bytes, options) end

---The file must not become shorter while the document is open, unless map = false.
---@param path string
---@param options? fleece.FileOptions
---@return fleece.Document document
---@return string? dropped with `recover`: what was left out at the end of the file
---@return integer? bytes how many bytes that are
function fleece.open_file(path, options) end

---Writes a document with a frame. The file is the old or the new one at every moment. A string is a document's bytes.
---@param path string
---@param value any
---@param options? fleece.SaveOptions
---@return true
function fleece.save(path, value, options) end

---Writes JSON text, as `encode`. The file is the old or the new one at every moment.
---@param path string
---@param value any
---@param options? fleece.WriteFileOptions
---@return true
function fleece.write_file(path, value, options) end

---Writes a document's file anew, without the history that `append` has left.
---@param path string
---@param options? fleece.CompactOptions
---@return integer bytes of the new file
---@return integer before bytes of the old one
function fleece.compact(path, options) end

---Returns a view of a JSON text, for many look-ups; for a few fields `pick` is faster. `keys` has no effect. `encode`
---writes it, its parts, and what a mutable view has not changed as they stand in the text.
---@param text string
---@param options? fleece.LazyOptions
---@return any view
function fleece.lazy(text, options) end

---Compiles a key path, with indices from 0: "people[122].name". With wildcards, as "people[*].name", its result is a table.
---@param text string
---@return fun(view: fleece.View|fleece.Document): any path
function fleece.path(text) end

---@param view fleece.View|fleece.Document
---@param ... string|integer
---@return any
function fleece.get(view, ...) end

---pairs and ipairs that support views on every Lua; pairs also follows the order that decode has remembered.
---@param value table|fleece.View
---@return fun(state: any, key: any): any, any next
---@return any state
---@return any key
function fleece.pairs(value) end

---@param value table|fleece.View
---@return fun(state: any, index: integer): integer?, any next
---@return any state
---@return integer index
function fleece.ipairs(value) end

---Returns the Lua number of an exact or plain number; nil for anything else.
---@param value any
---@return number?
function fleece.tonumber(value) end

---@param value any
---@return "array"|"dict"|"data"|"string"|"integer"|"float"|"number"|"boolean"|"null"|string
function fleece.type(value) end

---@param bytes string
---@return fleece.Data
function fleece.data(bytes) end

---@param state? fleece.Source the result of keys:save()
---@return fleece.Keys
function fleece.keys(state) end

---@param options? fleece.EncoderOptions
---@return fleece.Encoder
function fleece.encoder(options) end

---@param old fleece.Source
---@param new fleece.Source
---@param options? fleece.OpenOptions of bytes
---@return string delta JSON
function fleece.diff(old, new, options) end

---@param old fleece.Source
---@param delta string|fleece.Document|fleece.View JSON text, or a value
---@param options? fleece.PatchOptions
---@return string bytes
function fleece.patch(old, delta, options) end

---Converts ISO 8601 text to milliseconds since 1970 UTC, or back.
---@param time string|number
---@param minutes? integer east of UTC
---@return number|string|nil
function fleece.date(time, minutes) end

---Shows the bytes of a document with the meaning of each value.
---@param value fleece.Source
---@param options? fleece.OpenOptions of bytes
---@return string
function fleece.dump(value, options) end

---Returns the same functions with other defaults, also for the binary functions.
---@param options? fleece.NewOptions
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
