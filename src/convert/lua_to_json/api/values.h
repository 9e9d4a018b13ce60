/* SPDX-License-Identifier: MIT
** values.h -- the public-API walk: values that are no plain data, and tables that are opened.
** May call: base, number, json, layout, dropin, lua_*.
** Must hold: as walk.h. */
#ifndef FLEECE_CONVERT_LUA_TO_JSON_API_VALUES_H
#define FLEECE_CONVERT_LUA_TO_JSON_API_VALUES_H

#include "../../../dropin/dkjson/tables.h"
#include "../../../dropin/luajson/tables.h"
#include "../../../dropin/rapidjson/tables.h"
#include "../../../dropin/rxi/tables.h"

/* The text of a light userdata, ours or another library's; NULL: unknown. */
FL_FUNC const char *api_sentinel(struct api_walk *a, const void *p) {
  if (!p) return "null";
  do {
    if (p == a->sentinels->empty_array[0] || p == a->sentinels->empty_array[1]) return "[]";
    if (p == a->sentinels->null[0] || p == a->sentinels->null[1]) return "null";
  } while (api_refresh(a));
  return NULL;
}

/* LuaJIT's 64-bit integers: the FFI's own text of one is its digits with LL or ULL behind. Pushes that text of the
** cdata on top, and returns how many bytes of it are the integer; 0: it is none, or a __tostring of the program
** raised. Such a function may return the text of an integer too: the digits are checked, for they are to be JSON. */
FL_FUNC size_t api_cdata_integer(struct api_walk *a) {
  lua_State *L = a->L;
  size_t n = 0, first, digits;
  const char *s = NULL;
  if (luaL_getmetafield(L, -1, "__tostring")) {
    lua_pushvalue(L, -2);
    if (!api_call(a, 1, 1)) return 0;
    s = lua_tolstring(L, -1, &n);
  } else {
    lua_pushnil(L);
  }
  if (!s || n < 3 || n > 23) return 0;
  digits = first = s[0] == '-';
  while (s[digits] >= '0' && s[digits] <= '9') digits++;
  if (digits == first || (s[first] == '0' && digits > 1)) return 0; /* RFC 8259, section 6: no leading zeros */
  return strcmp(s + digits, "LL") == 0 || (strcmp(s + digits, "ULL") == 0 && !first) ? digits : 0;
}

FL_FUNC char *api_write_cdata(struct api_walk *a, char *w) {
  lua_State *L = a->L;
  size_t digits;
  if (a->walk->out.style->cjson || a->walk->out.style->dialect) return api_fail(a, FL_ERROR_TYPE, "cdata");
  digits = api_cdata_integer(a);
  if (a->walk->out.error) return NULL;
  if (digits == 0) {
    lua_pop(L, 1);
    return api_fail(a, FL_ERROR_TYPE, "cdata");
  }
  memcpy(w, lua_tostring(L, -1), digits);
  lua_pop(L, 1);
  return w + digits;
}

/* Is the cdata on top written? A __tostring that raises says yes, and raises again where the value is written. */
FL_FUNC int api_cdata_is_supported(struct api_walk *a) {
  const int top = lua_gettop(a->L);
  int supported = api_cdata_integer(a) > 0;
  if (a->walk->out.error) {
    a->walk->out.error = FL_ERROR_NONE;
    a->thrown = 0;
    supported = 1;
  }
  lua_settop(a->L, top);
  return supported;
}

/* What skip_unsupported keeps; the value is on top. */
FL_FUNC int api_supported(struct api_walk *a) {
  lua_State *L = a->L;
  int supported;
  switch (lua_type(L, -1)) {
  case LUA_TFUNCTION:
  case LUA_TTHREAD: return 0;
  case LUA_TUSERDATA:
    if (a->keeps(L)) return 1;
    if (!lua_getmetatable(L, -1)) return 0;
    supported = lua_topointer(L, -1) == a->raw_metatable;
    if (!supported && a->walk->out.style->metamethods && !a->walk->out.style->cjson) {
      compat_get_field(L, -1, "__tojson");
      supported = !lua_isnil(L, -1);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return supported;
  case LUA_TLIGHTUSERDATA: return api_sentinel(a, lua_touserdata(L, -1)) != NULL;
  case API_TCDATA: return !a->walk->out.style->cjson && api_cdata_is_supported(a);
  default: return 1;
  }
}

/* Keeps the value on top. JSON_TEXT_ROOM bytes are reserved. */
FL_NOINLINE char *api_write_kept(struct api_walk *a, char *w) {
  lua_pushvalue(a->L, -1);
  lua_rawseti(a->L, a->kept, (int)++a->kept_count);
  *w++ = '"';
  *w++ = (char)0xff;
  w = num_write_u64(w, a->kept_count);
  *w++ = '"';
  return w;
}

/* Userdata, light userdata, cdata; on top, stays. */
FL_NOINLINE char *api_write_other(struct api_walk *a, char *w) {
  lua_State *L = a->L;
  const char *text;
  if (a->dk && !(lua_islightuserdata(L, -1) && api_sentinel(a, lua_touserdata(L, -1)))) return api_dk_write_other(a, w);
  if (a->walk->out.style->dialect >= JSON_LUAJSON && (text = api_lj_word(a)) != NULL)
    return json_write_raw(&a->walk->out, w, text, strlen(text));
  if (a->walk->out.error) return NULL;
  if (a->walk->out.style->dialect >= JSON_LUAJSON &&
      !(lua_islightuserdata(L, -1) && api_sentinel(a, lua_touserdata(L, -1))))
    return api_fail(a, FL_ERROR_TYPE, luaL_typename(L, -1));
  if (a->walk->out.style->dialect == JSON_RXI &&
      !(lua_islightuserdata(L, -1) && api_sentinel(a, lua_touserdata(L, -1))))
    return api_fail(a, FL_ERROR_TYPE, luaL_typename(L, -1));
  switch (lua_type(L, -1)) {
  case LUA_TLIGHTUSERDATA:
    text = api_sentinel(a, lua_touserdata(L, -1));
    if (text) return json_write_raw(&a->walk->out, w, text, strlen(text));
    return api_fail(a, FL_ERROR_TYPE,
                    a->walk->out.style->cjson || a->walk->out.style->dialect ? "userdata" : "light userdata");
  case LUA_TUSERDATA:
    if (a->keeps(L)) return a->kept ? api_write_kept(a, w) : a->write_kept(a, w);
    if (!lua_getmetatable(L, -1)) break;
    if (lua_topointer(L, -1) == a->raw_metatable) {
      lua_pop(L, 1);
      return json_write_raw(&a->walk->out, w, (const char *)lua_touserdata(L, -1), (size_t)lua_rawlen(L, -1));
    }
    if (a->walk->out.style->metamethods && !a->walk->out.style->cjson) {
      compat_get_field(L, -1, "__tojson");
      lua_remove(L, -2);
      if (!lua_isnil(L, -1)) return api_write_tojson(a, w);
    }
    lua_pop(L, 1);
    break;
  case API_TCDATA: return api_write_cdata(a, w);
  default: break;
  }
  return api_fail(a, FL_ERROR_TYPE, lua_typename(L, lua_type(L, -1)));
}

/* Makes the table at `table` with its aux behind it the innermost level. The stack then ends with them. */
FL_FUNC void api_push_level(struct api_walk *a, const struct api_opened *f, int table) {
  lua_State *L = a->L;
  struct encode_frame *frame = &a->walk->frames[a->depth];
  int slot, pending = f->pending;
  if (a->depth >= API_LEVELS) { /* the pair before moves to the spill table */
    slot = api_slot(a);
    if (pending) {
      lua_settop(L, table);
      lua_pushnil(L);
      pending = 0;
    }
    if (lua_isnil(L, a->spill)) {
      lua_newtable(L);
      lua_replace(L, a->spill);
    }
    lua_pushvalue(L, slot);
    lua_rawseti(L, a->spill, (int)(2 * a->depth - 1));
    lua_pushvalue(L, slot + 1);
    lua_rawseti(L, a->spill, (int)(2 * a->depth));
    lua_replace(L, slot + 1);
    lua_replace(L, slot);
    table = slot;
  }
  a->depth++;
  frame->table = (const char *)lua_topointer(L, table);
  frame->kind = (enum encode_kind)f->kind;
  frame->base = NULL;
  frame->i = 0;
  frame->n = f->n;
  frame->is_array = (int8_t)f->is_array;
  frame->counted = (int8_t)f->counted;
  frame->pending = (int8_t)pending;
  frame->calls = a->calls->count;
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

FL_FUNC void api_pop_level(struct api_walk *a) {
  lua_State *L = a->L;
  int slot = api_slot(a);
  if (FL_UNLIKELY(a->dk != NULL)) api_dk_note(a, slot, 0);
  lua_settop(L, slot - 1);
  a->depth--;
  if (a->depth < API_LEVELS) return;
  lua_rawgeti(L, a->spill, (int)(2 * a->depth - 1));
  lua_rawgeti(L, a->spill, (int)(2 * a->depth));
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
  struct encode_state *c = a->walk;
  struct api_opened f;
  int table = lua_gettop(L);
  compat_need_stack(L, 20);
  if (api_is_open(a, lua_topointer(L, table))) return api_fail(a, FL_ERROR_CYCLE, NULL);
  if (a->depth >= c->out.style->max_depth) return api_fail(a, FL_ERROR_DEPTH, NULL);
  if (!encode_need_frames(c, a->depth + 1)) return api_fail(a, FL_ERROR_MEMORY, NULL);
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
  if (api_is_open(a, lua_topointer(L, table))) return api_fail(a, FL_ERROR_CYCLE, NULL);
  if (a->depth >= c->out.style->max_depth) return api_fail(a, FL_ERROR_DEPTH, NULL);
  if (!encode_need_frames(c, a->depth + 1)) return api_fail(a, FL_ERROR_MEMORY, NULL);
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
  lua_State *L = a->L;
  struct encode_state *c = a->walk;
  struct api_meta meta;
  struct api_opened f;
  int table = lua_gettop(L);
  if (FL_UNLIKELY(c->out.style->dialect))
    return a->dk                                     ? api_dk_write_table(a, w, opened)
           : c->out.style->dialect == JSON_RAPIDJSON ? api_rj_write_table(a, w, opened)
           : c->out.style->dialect >= JSON_LUAJSON   ? api_lj_write_table(a, w, opened)
                                                     : api_rxi_write_table(a, w, opened);
  if (a->try_short_table) {
    char *end = a->try_short_table(a, w);
    if (end || c->out.error) return end;
  }
  api_classify_metatable(a, &meta);
  if (meta.hook == API_HOOK_TOJSON) return api_write_tojson(a, w);
  if (api_is_open(a, lua_topointer(L, table))) return api_fail(a, FL_ERROR_CYCLE, NULL);
  if (a->depth >= c->out.style->max_depth) {
    char *end = num_write_u64(a->detail_room, c->out.style->max_depth);
    *end = 0;
    return api_fail(a, FL_ERROR_DEPTH, a->detail_room);
  }
  if (!encode_need_frames(c, a->depth + 1)) return api_fail(a, FL_ERROR_MEMORY, NULL);
  /* Starting over needs the text still there and the pair of the level before in its place; and a handler is asked
  ** once for each value. */
  if (c->out.buffer.drain || a->depth >= API_LEVELS - 1 || a->limit || a->on_error) a->visit_all_keys = 1;
  if (!api_open(a, &meta, &f)) return NULL;
  return api_begin_level(a, w, &f, table, opened);
}

#endif
