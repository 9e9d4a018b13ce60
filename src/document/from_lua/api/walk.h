/* SPDX-License-Identifier: MIT
** walk.h -- the public-API walk from Lua values to a binary document. Hooks, handlers and messages are those of the
** walk to text.
** Must hold: walk and encoder are in a userdata on the stack, which frees their memory; nobody else uses them while a
** hook runs. The encoder receives the same calls as from the raw walk and from the JSON text of the same value, so the
** bytes are the same. */
#pragma once

#include "../../from_json/json_to_binary.h"
#include "../../../encode/api/walk.h"
#include "../pack.h"

struct pack_walk {
  struct api_walk a;
  struct bin_encoder *e;
  int data;       /* strings that are not UTF-8 become data; else they are errors */
  int text_error; /* why the JSON text returned by a hook was refused: an error of json/tokens/tokens.h */
  /* Writes the userdata on top, a value of a.shared->kind. Returns 0 with e->error set if it failed. */
  int (*put_binary)(lua_State *L, struct bin_encoder *e);
};

/* The functions below return 0 if the walk has ended. Either a.walk->out.error is set and the message is on top, or
** e->error or text_error is set. */

/* Writes the string, number, boolean or nil at the index. Returns 0 for other values, invalid UTF-8 and NaN, or with
** e->error set. */
FL_INLINE int pack_put_scalar(lua_State *L, int at, struct bin_encoder *e, text_utf8_fn utf8, int data) {
  size_t n;
  const char *s;
  double d;
  switch (lua_type(L, at)) {
  case LUA_TSTRING:
    s = lua_tolstring(L, at, &n);
    return FL_LIKELY(pack_write_text(e, utf8, 0, s, n)) || (data && !e->error && bin_put_data(e, s, n));
  case LUA_TNUMBER:
    if (compat_is_integer(L, at)) return bin_put_integer(e, compat_to_integer(L, at));
    d = lua_tonumber(L, at);
    if (LUA_VERSION_NUM < 503 && pack_is_integer(d)) return pack_put_integer(e, d);
    return d == d && bin_put_double(e, d);
  case LUA_TBOOLEAN: return bin_put_special(e, lua_toboolean(L, at) ? BIN_TRUE : BIN_FALSE);
  case LUA_TNIL: return bin_put_special(e, BIN_NULL);
  default: return 0;
  }
}

/* Writes the key on top. */
FL_PRIVATE int pack_put_key(struct pack_walk *p);

/* Writes the value on top, which is at stack index a.levels, with all values in it. */
FL_PRIVATE int pack_write(struct pack_walk *p);
