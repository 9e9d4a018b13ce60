/* SPDX-License-Identifier: MIT
** rapidjson.h -- what the files of this folder share. */
#pragma once

#include "../../lua/parts.h"
#include "../shared/lua.h"

/* Returns the table shape of a proven layout, or NULL. */
FL_PRIVATE const struct encode_shape *rapidjson_shape_of(const struct lay_facts *facts);

enum { RAPIDJSON_DEPTH = 128, RAPIDJSON_DEPTH_DOCUMENT = 1024 };

/* Returns a boolean option of the table at `index`, or `initial` if it is nil. */
FL_PRIVATE int rapidjson_flag(lua_State *L, int index, const char *name);

/* Indents by four blanks per level. */
FL_PRIVATE void rapidjson_indent(struct mod_options *o);
FL_PRIVATE_NOINLINE void rapidjson_read_options_(struct mod_call *call, int index);

/* Begins to encode the value at 1; there may be options at `options`. */
FL_INLINE void rapidjson_begin(struct mod_call *call, lua_State *L, int options) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  mod_start_call(call, L, codec->state, &codec->encode, 1);
  if (FL_UNLIKELY(!lua_isnoneornil(L, options))) rapidjson_read_options_(call, options);
}

/* Writes the string on top to a file. */
FL_PRIVATE int rapidjson_write_file(lua_State *L, const char *path);

/* Pushes nil and the message for the first fault of d's text; offsets count from `origin`. */
FL_PRIVATE_NOINLINE int rapidjson_return_fault_(struct mod_decode *d, const char *origin, const char *format);

FL_INLINE void rapidjson_begin_decode(struct mod_decode *d, lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  d->L = L;
  d->state = codec->state;
  d->o = codec->decode;
  memset(&d->base, 0, sizeof d->base);
  mod_settle_decode(d, lua_upvalueindex(MOD_VALUES));
}

/* Reads a file as d's text: pushes its contents, converted to UTF-8, without a byte order mark. Returns the byte that
** offsets count from. NULL: nil and a message are pushed. *there: the file could be opened; it may be a folder. */
FL_PRIVATE const char *rapidjson_read_file(struct mod_decode *d, const char *path, int *there);

/* Pushes d's text as lua-rapidjson writes it. Returns 0, and pushes nothing, if it is not JSON. */
FL_PRIVATE int rapidjson_push_text(const struct mod_decode *d, const struct mod_options *o);
FL_INLINE int rapidjson_push_written(const struct mod_decode *d) {
  return rapidjson_push_text(d, &((const struct mod_codec *)lua_touserdata(d->L, lua_upvalueindex(MOD_CODEC)))->json);
}

FL_IDENTITY rapidjson_document_key = 0; /* a key of the registry */

/* Returns the object at `index`, which must have the metatable at `key`; `name` is for the error. */
FL_PRIVATE void *rapidjson_check(lua_State *L, int index, const void *key, const char *name);
FL_PRIVATE struct rapidjson_document *rapidjson_check_document(lua_State *L, int index);

/* Creates the metatable of a class, and registers it at `key`, unless it exists. */
FL_PRIVATE void rapidjson_open_class(lua_State *L, const void *key, const char *name, const luaL_Reg *methods,
                                     int base);

/* Sets the text at `index` without its byte order mark. Returns its first byte. */
FL_PRIVATE const char *rapidjson_set_text(struct mod_decode *d, int index);

/* Pushes the text of the Lua value at `value`. */
FL_PRIVATE void rapidjson_push_encoded(lua_State *L, int value);

/* Pushes the string of the document at `index`. */
FL_PRIVATE void rapidjson_push_string(lua_State *L, int index);

/* Document([text or table]) -> document, which is null if the text is invalid */
FL_PRIVATE int rapidjson_document(lua_State *L);

/* SchemaDocument([text, table or document]) -> schema */
FL_PRIVATE int rapidjson_schema(lua_State *L);

/* SchemaValidator(schema) -> validator */
FL_PRIVATE int rapidjson_validator(lua_State *L);

/* Create the metatables of the classes, unless they exist. The upvalues of their methods are on the stack from `base`
** on. */
FL_PRIVATE void rapidjson_open_documents(lua_State *L, int base);
FL_PRIVATE void rapidjson_open_schemas(lua_State *L, int base);
