/* SPDX-License-Identifier: MIT
** document.h -- the functions of this room, and the methods of what they return. */
#pragma once

#include "../layout/lua_compat/api.h"

/* from_json(text [, options]) -> bytes */
FL_PRIVATE int mod_from_json(lua_State *L);

/* to_json(bytes, document or view [, options]) -> text, or nil if the path or pointer leads to nothing */
FL_PRIVATE int mod_to_json(lua_State *L);

/* check(bytes [, options]) -> true; or nil, message, position */
FL_PRIVATE int mod_check(lua_State *L);

/* open(bytes [, options]) -> document */
FL_PRIVATE int mod_open_bytes(lua_State *L);

/* open_file(path [, options]) -> document. With `recover`, if something was left out: document, message, bytes */
FL_PRIVATE int mod_open_file(lua_State *L);

/* lazy(text [, options]) -> a view of the text's value, or the value itself if it is a scalar */
FL_PRIVATE int mod_lazy(lua_State *L);

/* pack(value [, options]) -> bytes */
FL_PRIVATE int mod_pack(lua_State *L);

/* unpack(bytes, document or view [, options]) -> value: the same as decode of the same document's text. */
FL_PRIVATE int mod_unpack(lua_State *L);

/* save(path, value [, options]) -> true: a document with a frame; value: bytes of a document, or what pack takes */
FL_PRIVATE int mod_save(lua_State *L);

/* write_file(path, value [, options]) -> true: the JSON text of the value */
FL_PRIVATE int mod_write_file(lua_State *L);

/* compact(path [, options]) -> bytes of the new file, of the old one: writes the document anew, with a frame */
FL_PRIVATE int mod_compact(lua_State *L);

/* diff(old, new) -> the JSON delta from old to new */
FL_PRIVATE int mod_diff(lua_State *L);

/* patch(old, delta [, options]) -> bytes of the changed document. The delta is JSON text, a view or a document. */
FL_PRIVATE int mod_patch(lua_State *L);

/* date(text [, minutes]) -> milliseconds since 1970 UTC, or nil; date(ms [, minutes]) -> text. `minutes` east of UTC is
** the zone of the text, or the default for a text without a zone. */
FL_PRIVATE int mod_date(lua_State *L);

/* dump(bytes or document [, options]) -> text: a line for each value and item */
FL_PRIVATE int mod_dump(lua_State *L);

/* data(bytes) -> a value that is bytes, not text */
FL_PRIVATE int mod_data(lua_State *L);

/* keys([state]) -> an object with the shared keys of documents; `state` is the result of its save() */
FL_PRIVATE int mod_new_keys(lua_State *L);

/* path(text) -> a function-like object: p(view) is the value that the path leads to, or nil */
FL_PRIVATE int mod_path(lua_State *L);

/* view:get(key, ...) -> the value that the keys (names, and indices from 1) lead to, or nil */
FL_PRIVATE int view_get(lua_State *L);

/* type(value) -> "array", "dict", "string", "data", "integer", "float", "boolean", "null"; for other Lua values the
** result of Lua's type */
FL_PRIVATE int mod_type(lua_State *L);

/* fleece.pairs(value), fleece.ipairs(value): iterate over views, documents and mutable views in every Lua, pairs also
** over tables with an order; other values go to Lua's own functions. */
FL_PRIVATE int mod_pairs(lua_State *L);
FL_PRIVATE int mod_ipairs(lua_State *L);

/* encoder([options]) -> an encoder. Options: mode, keys, and for encoder:json those of from_json */
FL_PRIVATE int mod_encoder(lua_State *L);

/* The methods. module/module.c reads them, too, to find the names of functions. */
FL_TABLE const luaL_Reg builder_methods[20], view_methods[6], view_doc_methods[9], view_keys_methods[5],
    mutable_methods[4], view_operators[3]; /* metamethods that raise errors about their operands */

/* Stores the function that makes the metatables in the registry, unless it is there already. The upvalues of the
** module's functions are on the stack from `base` on. Methods raise even if only fleece.safe is loaded. */
FL_PRIVATE void view_register_metatables(lua_State *L, int base);
