/* SPDX-License-Identifier: MIT
** options.h -- the options of the binary functions.
** Must hold: `bad argument` is raised before anything is allocated. */
#pragma once

#include "state.h"
#include "../decode/face/decode.h"
#include "view.h"

struct mod_binary {
  struct mod_binary_flags is;
  uint32_t max_depth;
  int counts;                 /* this call has max_values, so values of views are counted, too */
  uint64_t max_values;        /* 0: the default of binary/check */
  size_t max_bytes;           /* limit for the result; 0: bin_default_bytes */
  int keys, base;             /* stack indices of a keys object and of a document, or 0 */
  int values;                 /* index of a table of decode/face/decode.h for the views of the document, or 0 */
  unsigned char scalars;      /* as in struct mod_doc */
  unsigned char tells_values; /* this call has null or big_numbers */
  const struct json_to_binary_pass *pass; /* of a conversion from a text, or NULL */
  int path, pointer;                      /* stack indices of a path or its text, and of a JSON pointer's text, or 0 */
};

/* time to wait for a lock: default in milliseconds, limit in seconds */
enum { MOD_WAIT = 10000, MOD_WAIT_MOST = 86400 };

FL_INLINE enum bin_mode mod_mode_of(const struct mod_binary_flags *is) {
  FL_ASSERT(is->mode < BIN_MODES);
  return (enum bin_mode)is->mode;
}

/* Returns the keys object of the option `keys`, whose value is on top, or NULL if that is false. */
FL_PRIVATE struct bin_keys *mod_read_keys_object(const struct mod_reader *r);

/* Pushes those of a codec's option values that the function uses. */
FL_PRIVATE_NOINLINE void mod_push_kept_values_(lua_State *L, int arg, struct mod_binary *b, enum mod_taker of);
FL_PRIVATE_NOINLINE void mod_read_binary_table_(lua_State *L, int arg, struct mod_binary *b, enum mod_taker of);

/* Reads the options of argument `arg`, if there, over those of the codec. Leaves the values that they refer to on the
** stack. */
FL_INLINE void mod_read_binary_options(lua_State *L, int arg, struct mod_binary *b, enum mod_taker of) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  memset(b, 0, sizeof *b);
  b->is = codec->binary;
  b->max_depth = codec->decode.max_depth;
  b->max_values = codec->max_values;
  if (FL_UNLIKELY(b->is.kept)) mod_push_kept_values_(L, arg, b, of);
  if (!lua_isnoneornil(L, arg)) mod_read_binary_table_(L, arg, b, of);
}

/* Sets what views of a codec's documents return for scalars. */
FL_INLINE void mod_default_values(lua_State *L, const struct mod_codec *codec, struct mod_binary *b) {
  b->values = lua_istable(L, lua_upvalueindex(MOD_VALUES)) ? lua_upvalueindex(MOD_VALUES) : 0;
  b->scalars = (unsigned char)(codec->decode.big | (codec->decode.null ? VIEW_HAS_NULL : 0));
}

/* Like mod_default_values, with the options null and big_numbers of argument `arg`. The others have been read. */
FL_PRIVATE_NOINLINE void mod_read_values_(lua_State *L, int arg, struct mod_binary *b, enum mod_taker of);

FL_INLINE void mod_read_values(lua_State *L, int arg, struct mod_binary *b, enum mod_taker of) {
  if (FL_UNLIKELY(b->tells_values)) mod_read_values_(L, arg, b, of);
  else mod_default_values(L, (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC)), b);
}

/* Reads the options of a function that returns a document. */
FL_INLINE void mod_read_open_options(lua_State *L, int arg, struct mod_binary *b, enum mod_taker of) {
  mod_read_binary_options(L, arg, b, of);
  mod_read_values(L, arg, b, of);
}

/* Reads a codec's options from the table at `arg`; `values` keeps those that are Lua values. */
FL_PRIVATE void mod_freeze_binary(lua_State *L, int arg, struct mod_codec *codec, int values);

/* Returns the shared keys for opening a document with these options, by default those of its base. */
FL_PRIVATE const struct bin_keys *mod_keys_for(lua_State *L, const struct mod_binary *b, const struct bin_doc *base);
