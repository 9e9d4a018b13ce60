/* SPDX-License-Identifier: MIT
** tables.h -- the walk to text: values that are no plain data, and how the text of a table begins.
** May call: base, json, layout, dropin, lua_*.
** Must hold: as walk.h. */
#ifndef FLEECE_CONVERT_LUA_TO_JSON_API_TABLES_H
#define FLEECE_CONVERT_LUA_TO_JSON_API_TABLES_H

#include "values.h"

/* Writes the text that stands for the value at `at`, which becomes the top. */
FL_FUNC char *api_write_text(struct api_walk *a, char *w, const char *s, size_t n, int at) {
  w = json_write_raw(&a->walk->out, w, s, n);
  if (w) lua_settop(a->L, at);
  return w;
}

/* Userdata, light userdata, cdata; on top, stays. */
FL_NOINLINE char *api_write_other(struct api_walk *a, char *w) {
  lua_State *L = a->L;
  const char *text;
  size_t n;
  int at;
  if (a->dk && !(lua_islightuserdata(L, -1) && api_sentinel(a, lua_touserdata(L, -1)))) return api_dk_write_other(a, w);
  if (a->walk->out.style->dialect >= JSON_LUAJSON && (text = api_lj_word(a)) != NULL)
    return json_write_raw(&a->walk->out, w, text, strlen(text));
  if (a->walk->out.error) return NULL;
  if ((a->walk->out.style->dialect >= JSON_LUAJSON || a->walk->out.style->dialect == JSON_RXI) &&
      !(lua_islightuserdata(L, -1) && api_sentinel(a, lua_touserdata(L, -1))))
    return api_fail(a, FL_ERROR_TYPE, luaL_typename(L, -1));
  if (lua_type(L, -1) == LUA_TUSERDATA && a->callbacks->is_binary(L)) return a->callbacks->write_binary(a, w);
  at = lua_gettop(L);
  text = api_other_text(a, &n);
  return text ? api_write_text(a, w, text, n, at) : NULL;
}

/* Writes the beginning of the table at `table`, which is opened as a level unless it is empty. */
FL_FUNC char *api_begin_level(struct api_walk *a, char *w, const struct api_opened *f, int table, int *opened) {
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

/* The same by dkjson's rules. */
FL_NOINLINE char *api_dk_write_table(struct api_walk *a, char *w, int *opened) {
  lua_State *L = a->L;
  struct encode_state *c = a->walk;
  struct api_opened f;
  int table = lua_gettop(L), meta = 0;
  compat_need_stack(L, 20);
  if (lua_getmetatable(L, table)) {
    meta = table + 1;
    if (api_dk_is_null(a, meta)) {
      lua_settop(L, table);
      return json_write_raw(&c->out, w, "null", 4);
    }
    if (!api_dk_field(a, meta, "__tojson")) return NULL;
    if (lua_toboolean(L, -1)) return api_dk_hook(a, w, table);
    lua_settop(L, meta);
  }
  if (api_dk_is_open(a, table)) {
    lua_pushliteral(L, "reference cycle");
    return api_dk_exception(a, w, table, "reference cycle");
  }
  if (a->depth >= c->out.style->max_depth) return api_fail(a, FL_ERROR_DEPTH, NULL);
  if (!encode_need_frames(c, a->depth + 1)) return api_fail(a, FL_ERROR_MEMORY, NULL);
  if (!api_dk_open(a, table, meta, &f)) return NULL;
  if (f.empty && !f.is_array && c->out.style->indent_length) {
    lua_settop(L, table);
    *w++ = '{';
    w = json_write_line(&c->out, w, a->dk->level + a->depth);
    if (w) *w++ = '}';
    return w;
  }
  if (!f.empty) api_dk_note(a, table, 1);
  return api_begin_level(a, w, &f, table, opened);
}

/* The same by json.lua's. */
FL_NOINLINE char *api_rxi_write_table(struct api_walk *a, char *w, int *opened) {
  lua_State *L = a->L;
  struct api_opened f;
  int table = lua_gettop(L);
  compat_need_stack(L, 20);
  if (!api_may_open(a, table)) return NULL;
  if (!lua_getmetatable(L, table)) lua_pushnil(L);
  if (!api_rxi_open(a, table, &f)) return NULL;
  return api_begin_level(a, w, &f, table, opened);
}

/* The same by those of LuaJSON and JSON4Lua. */
FL_NOINLINE char *api_lj_write_table(struct api_walk *a, char *w, int *opened) {
  lua_State *L = a->L;
  struct encode_state *c = a->walk;
  struct api_opened f;
  const char *word;
  const size_t start = (size_t)(w - c->out.buffer.begin);
  int table = lua_gettop(L);
  compat_need_stack(L, 20);
  memset(&f, 0, sizeof f);
  if (!lua_getmetatable(L, table)) lua_pushnil(L);
  if (c->out.style->dialect == JSON_LUAJSON && api_lj_is_marked(a, table + 1, ENCODE_CALL)) {
    if (!(w = api_lj_open_call(a, w, table, &f))) return NULL;
  } else {
    if (a->lj) { /* no table is a word otherwise */
      lua_pushvalue(L, table);
      word = api_lj_word(a);
      if (c->out.error) return NULL;
      lua_settop(L, word ? table : table + 1);
      if (word) return json_write_raw(&c->out, w, word, strlen(word));
    }
    if (!(c->out.style->dialect == JSON_LUAJSON ? api_lj_open(a, table, &f) : api_j4_open(a, table, &f))) return NULL;
  }
  if (a->lj && a->lj->composite) return api_lj_compose(a, w, start, table, f.is_array);
  if (!api_may_open(a, table)) return NULL;
  return api_begin_level(a, w, &f, table, opened);
}

/* The same by rapidjson's rules. */
FL_NOINLINE char *api_rj_write_table(struct api_walk *a, char *w, int *opened) {
  struct api_opened f;
  return api_rj_open(a, &f) ? api_begin_level(a, w, &f, lua_gettop(a->L) - 1, opened) : NULL;
}

/* Writes the table on top, or opens it as a level; *opened tells. The error leaves it where it was, with
** anything above. */
FL_NOINLINE char *api_write_table(struct api_walk *a, char *w, int *opened) {
  const struct json_out *out = &a->walk->out;
  struct api_opened f;
  int table = lua_gettop(a->L);
  if (FL_UNLIKELY(out->style->dialect))
    return a->dk                                   ? api_dk_write_table(a, w, opened)
           : out->style->dialect == JSON_RAPIDJSON ? api_rj_write_table(a, w, opened)
           : out->style->dialect >= JSON_LUAJSON   ? api_lj_write_table(a, w, opened)
                                                   : api_rxi_write_table(a, w, opened);
  if (a->callbacks->try_short_table) {
    char *end = a->callbacks->try_short_table(a, w);
    if (end || out->error) return end;
  }
  /* Starting over needs the text still there and the pair of the level before in its place; and a handler is asked
  ** once for each value. */
  if (out->buffer.drain || a->depth >= API_LEVELS - 1 || a->limit || a->on_error) a->visit_all_keys = 1;
  if (!api_open_table(a, table, &f)) return NULL;
  return f.text ? api_write_text(a, w, f.text, f.text_length, table) : api_begin_level(a, w, &f, table, opened);
}

#endif
