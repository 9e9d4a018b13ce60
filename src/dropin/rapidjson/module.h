/* SPDX-License-Identifier: MIT
** module.h -- require "fleece.rapidjson": the functions of lua-rapidjson 0.7.2, presets of encode and decode.
** Must hold: the options of the codec never change: `encode` is for encode and dump, `json` for Documents. */
#pragma once

#include "fault.h"
#include "../shared/find_fault.h"
#include "../shared/tables.h"
#include "../../text/utf16.h"
#include "../../decode/face/decode.h"
#include "../../files/file.h"

enum { RAPIDJSON_DEPTH = 128, RAPIDJSON_DEPTH_DOCUMENT = 1024 };

/* ------------------------------------------------------------------------------------- encode, dump */

/* Raises an error of encoding with lua-rapidjson's message. */
FL_PRIVATE_NOINLINE int rapidjson_raise_(struct mod_call *call, const struct api_walk *a, enum fl_error error);

/* A boolean option of the table at `index`; `initial` if it is nil. */
FL_PRIVATE int rapidjson_flag(lua_State *L, int index, const char *name, int initial);

/* Indents by four blanks per level. */
FL_PRIVATE void rapidjson_indent(struct mod_options *o);
FL_PRIVATE_NOINLINE void rapidjson_read_options_(struct mod_call *call, int index);

/* Begins to encode the value at 1; there may be options at `options`. */
FL_INLINE void rapidjson_begin(struct mod_call *call, lua_State *L, int options) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  mod_start_call(call, L, codec->state, &codec->encode, 1);
  if (FL_UNLIKELY(!lua_isnoneornil(L, options))) rapidjson_read_options_(call, options);
}

/* encode(value [, options]) -> text */
FL_PRIVATE int rapidjson_encode_call(lua_State *L);

/* Writes the string on top to a file. */
FL_PRIVATE int rapidjson_write_file(lua_State *L, const char *path);

/* dump(value, path [, options]) */
FL_PRIVATE int rapidjson_dump(lua_State *L);

/* ------------------------------------------------------------------------------------- decode, load */

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

/* decode(text), decode(address, length) -> value; or nil, message */
FL_PRIVATE int rapidjson_decode(lua_State *L);

/* Reads a file as d's text: pushes its contents, converted to UTF-8, without a byte order mark. Returns the byte that
** offsets count from. NULL: nil and a message are pushed. *there: the file could be opened; it may be a folder. */
FL_PRIVATE const char *rapidjson_read_file(struct mod_decode *d, const char *path, int *there);

/* load(path) -> value; or nil, message */
FL_PRIVATE int rapidjson_load(lua_State *L);
FL_PRIVATE int rapidjson_object(lua_State *L);
FL_PRIVATE int rapidjson_array(lua_State *L);
