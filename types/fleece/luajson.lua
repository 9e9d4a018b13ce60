---@meta fleece.luajson
-- SPDX-License-Identifier: MIT
-- Types of fleece.luajson for the Lua language server. See docs/luajson.md.

---The allowed escapes: their letters (only escapeCheck), an LPeg pattern, or a value that lpeg.P accepts.
---@alias fleece.luajson.Escapes string|false|userdata|fun(text: string, place: integer): integer|boolean|nil, string?

---@class fleece.luajson.Mode
---@field unicodeWhitespace? boolean
---@field initialObject? boolean
---@field nothrow? boolean
---@field array? { allowEmptyElement?: boolean, trailingComma?: boolean }
---@field object? { allowEmptyElement?: boolean, trailingComma?: boolean, number?: boolean, identifier?: boolean, setObjectKey?: fun(t: table, key: any, value: any) }
---@field calls? { allowEmptyElement?: boolean, trailingComma?: boolean, allowUndefined?: boolean, defs?: table<any, boolean|fun(name: string, ...: any): any> }
---@field number? { nan?: boolean, inf?: boolean, frac?: boolean, exp?: boolean, hex?: boolean }
---@field strings? { badChars?: string, escapeCheck?: fleece.luajson.Escapes, additionalEscapes?: fleece.luajson.Escapes, decodeUnicode?: fun(high: string, low: string): string?, strict_quotes?: boolean }
---@field others? { allowUndefined?: boolean, null?: any, undefined?: any }

---@class fleece.luajson.Style
---@field initialObject? boolean
---@field preProcess? fun(value: any, is_key: boolean): any
---@field output? fun(): { composite: function, simple?: fun(text: string): string? }?
---@field array? { isArray?: false|fun(value: table): boolean? }
---@field strings? { xEncode?: boolean, encodeSet?: string, encodeSetAppend?: string, processor?: fun(text: string, escapes: integer): string }
---@field number? { nan?: boolean, inf?: boolean }
---@field others? { allowUndefined?: boolean, null?: any, undefined?: any }

---@class fleece.luajson.decode
---@field strict fleece.luajson.Mode
---@field simple fleece.luajson.Mode
---@field util { setObjectKeyForceNumber: fun(t: table, key: any, value: any): table }
---@field decode fun(text: string, mode?: fleece.luajson.Mode|boolean): any, string?
---@field getDecoder fun(mode?: fleece.luajson.Mode|boolean): fun(text: string): any, string?
---@overload fun(text: string, mode?: fleece.luajson.Mode|boolean): any, string?

---@class fleece.luajson.encode
---@field default fleece.luajson.Style
---@field strict fleece.luajson.Style
---@field encode fun(value: any, options?: fleece.luajson.Style): string?
---@field getEncoder fun(options?: fleece.luajson.Style): fun(value: any): string?
---@overload fun(value: any, options?: fleece.luajson.Style): string

---@class fleece.luajson.util
---@field null function
---@field undefined function
---@field InitArray fun(t: table): table
---@field IsArray fun(value: any): boolean?
---@field buildCall fun(name: string, ...: any): table
---@field isCall fun(value: any): boolean
---@field decodeCall fun(value: any): string?, table?
---@field merge fun(t: table, ...: table?): table
---@field clone fun(t: table): table
---@field doOptionMerge fun(options: table, nested: boolean, name: string, defaults?: table, mode?: table)
---@field printValue fun(value: any, name: any)

---@class fleece.luajson
---@field decode fleece.luajson.decode
---@field encode fleece.luajson.encode
---@field util fleece.luajson.util
---@field _VERSION string
---@field _DESCRIPTION string
local json = {}

return json
