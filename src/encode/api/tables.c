/* SPDX-License-Identifier: MIT */
#include "tables.h"

/* Writes the text that stands for the value at `at`, which becomes the top. */
static char *api_write_text(struct api_walk *a, char *w, const char *s, size_t n, int at) {
  w = json_write_raw(&a->walk->out, w, s, n);
  if (w) lua_settop(a->L, at);
  return w;
}

FL_PRIVATE_NOINLINE char *api_write_other(struct api_walk *a, char *w) {
  lua_State *L = a->L;
  const char *text;
  size_t n;
  int at;
  if (FL_UNLIKELY(a->ops != NULL) && a->ops->write_other) return a->ops->write_other(a, w);
  if (lua_type(L, -1) == LUA_TUSERDATA && api_is_of_kind(a)) return a->shared->kind->write(a, w);
  at = lua_gettop(L);
  text = api_other_text(a, &n);
  return text ? api_write_text(a, w, text, n, at) : NULL;
}

FL_PRIVATE char *api_begin_level(struct api_walk *a, char *w, const struct api_opened *f, int table, int *opened) {
  if (f->empty) {
    lua_settop(a->L, table);
    memcpy(w, api_brackets[f->is_array], 2);
    return w + 2;
  }
  api_push_level(a, f, table);
  a->walk->frames[a->depth - 1].opened = (size_t)(w - a->walk->out.buffer.begin);
  *w++ = api_brackets[f->is_array][0];
  *opened = 1;
  return w;
}

FL_PRIVATE_NOINLINE char *api_write_table(struct api_walk *a, char *w, int *opened) {
  const struct json_out *out = &a->walk->out;
  struct api_opened f;
  int table = lua_gettop(a->L);
  if (FL_UNLIKELY(a->ops != NULL)) return a->ops->write_table(a, w, opened);
  if (a->callbacks->try_raw) {
    char *end = a->callbacks->try_raw(a, w, opened);
    if (end || out->error) return end;
  }
  /* Starting over needs the text still there and the pair of the level before in its place; and a handler is asked
  ** once for each value. */
  if (out->buffer.drain || a->depth >= API_LEVELS - 1 || a->limit || a->on_error) a->visit_all_keys = 1;
  if (!api_open_table(a, table, &f)) return NULL;
  return f.text ? api_write_text(a, w, f.text, f.text_length, table) : api_begin_level(a, w, &f, table, opened);
}
