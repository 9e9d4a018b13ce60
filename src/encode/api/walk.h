/* SPDX-License-Identifier: MIT
** walk.h -- the public-API walk: any Lua value to JSON text, with hooks, handlers and messages.
** Must hold: memory is the walk's, freed by a userdata on the stack; any lua_* call may raise or collect. */
#pragma once

#include "tables.h"

/* Writes the value on top; it stays there, or becomes a level. JSON_TEXT_ROOM bytes are reserved, and more
** than the comma's stay so. */
FL_INLINE char *api_write_value(struct api_walk *a, char *w, int *opened) {
  lua_State *L = a->L;
  struct json_out *out = &a->walk->out;
  size_t n;
  const char *s;
  switch (lua_type(L, -1)) {
  case LUA_TSTRING:
    s = lua_tolstring(L, -1, &n);
    if (FL_LIKELY(out->style->escape == JSON_ESCAPE_JSON)) return json_write_string(out, w, s, n, JSON_ESCAPE_JSON);
    return json_write_string(out, w, s, n, (int)out->style->escape);
  case LUA_TNUMBER:
    if (compat_is_integer(L, -1)) return json_write_integer_styled(out, w, compat_to_integer(L, -1));
    return json_write_double_styled(out, w, lua_tonumber(L, -1));
  case LUA_TTABLE: return api_write_table(a, w, opened);
  case LUA_TBOOLEAN:
    if (lua_toboolean(L, -1)) {
      memcpy(w, "true", 4);
      return w + 4;
    }
    memcpy(w, "false", 5);
    return w + 5;
  case LUA_TNIL: memcpy(w, "null", 4); return w + 4;
  default: return api_write_other(a, w);
  }
}

/* Writes what is left of the open levels, or as much of it as this part may have; `opened`: nothing of the innermost
** was written. Returns the end. NULL: the message, or with a->thrown a hook's error object, is on top. */
FL_PRIVATE char *api_write_levels(struct api_walk *a, char *w, int opened);

/* Writes the value on top, a->levels its stack index, with all it holds; as api_write_levels. */
FL_PRIVATE char *api_write(struct api_walk *a, char *w);
