/* SPDX-License-Identifier: MIT
** values.h -- what the public-API walks to text and to binary do with a value: its text if it is no plain data, how a
** table is opened, which value comes next.
** May call: base, number, json, layout, dropin, lua_*.
** Must hold: as levels.h. */
#ifndef FLEECE_CONVERT_LUA_TO_JSON_API_VALUES_H
#define FLEECE_CONVERT_LUA_TO_JSON_API_VALUES_H

#include "open.h"

/* The text of a light userdata, ours or another library's; NULL: unknown. */
FL_FUNC const char *api_sentinel(struct api_walk *a, const void *p) {
  if (!p) return "null";
  do {
    if (p == a->shared->sentinels.empty_array[0] || p == a->shared->sentinels.empty_array[1]) return "[]";
    if (p == a->shared->sentinels.null[0] || p == a->shared->sentinels.null[1]) return "null";
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
    if (a->callbacks->is_binary(L)) return 1;
    if (!lua_getmetatable(L, -1)) return 0;
    supported = lua_topointer(L, -1) == a->shared->raw_metatable;
    if (!supported && a->walk->policy->rules->hooks == ENCODE_HOOKS_ALL) {
      compat_get_field(L, -1, "__tojson");
      supported = !lua_isnil(L, -1);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return supported;
  case LUA_TLIGHTUSERDATA: return api_sentinel(a, lua_touserdata(L, -1)) != NULL;
  case API_TCDATA: return a->walk->policy->rules->boxed_integers && api_cdata_is_supported(a);
  default: return 1;
  }
}

/* The JSON text of the value on top, which is no plain data and not binary, and its length. What the text needs may be
** pushed. NULL: an error. */
FL_FUNC const char *api_other_text(struct api_walk *a, size_t *n) {
  lua_State *L = a->L;
  const struct encode_rules *rules = a->walk->policy->rules;
  const int at = lua_gettop(L);
  const char *text;
  switch (lua_type(L, at)) {
  case LUA_TLIGHTUSERDATA:
    if ((text = api_sentinel(a, lua_touserdata(L, at))) == NULL) {
      api_fail(a, FL_ERROR_TYPE, rules->errors == ENCODE_ERRORS_WITH_PATH ? "light userdata" : "userdata");
      return NULL;
    }
    *n = strlen(text);
    return text;
  case LUA_TUSERDATA:
    if (!lua_getmetatable(L, at)) break;
    if (lua_topointer(L, -1) == a->shared->raw_metatable) {
      *n = (size_t)lua_rawlen(L, at);
      return (const char *)lua_touserdata(L, at);
    }
    if (rules->hooks == ENCODE_HOOKS_ALL && api_meta_field(L, at + 1, "__tojson")) {
      lua_remove(L, at + 1);
      return api_call_tojson(a, n);
    }
    break;
  case API_TCDATA:
    if (!rules->boxed_integers) break;
    if ((*n = api_cdata_integer(a)) > 0) return lua_tostring(L, -1);
    if (a->walk->out.error) return NULL;
    break;
  default: break;
  }
  lua_settop(L, at);
  api_fail(a, FL_ERROR_TYPE, lua_typename(L, lua_type(L, at)));
  return NULL;
}

/* ------------------------------------------------------------------------------------- tables */

/* May the table at `table` become one more level? False: an error. */
FL_INLINE int api_may_open(struct api_walk *a, int table) {
  const size_t max_depth = a->walk->out.style->max_depth;
  if (api_is_open(a, lua_topointer(a->L, table))) return api_fail(a, FL_ERROR_CYCLE, NULL) != NULL;
  if (a->depth >= max_depth) {
    *num_write_u64(a->detail_room, max_depth) = 0;
    return api_fail(a, FL_ERROR_DEPTH, a->detail_room) != NULL;
  }
  return encode_need_frames(a->walk, a->depth + 1) || api_fail(a, FL_ERROR_MEMORY, NULL) != NULL;
}

/* Judges the table on top, at `table`: sets the text of its hook, or leaves the aux after it and says how to iterate.
** False: an error, whatever is on the stack above the table. */
FL_FUNC int api_open_table(struct api_walk *a, int table, struct api_opened *f) {
  struct api_meta meta;
  api_classify_metatable(a, &meta);
  f->text = NULL;
  if (meta.hook == API_HOOK_TOJSON) return (f->text = api_call_tojson(a, &f->text_length)) != NULL;
  return api_may_open(a, table) && api_open(a, table, &meta, f);
}

/* ------------------------------------------------------------------------------------- next value */

/* Is the pair of the value on top left out by skip_unsupported? As encode_skips_. */
FL_FUNC int api_skips(struct api_walk *a, const struct encode_frame *frame, int slot) {
  const struct json_style *style = a->walk->out.style;
  const int supported = api_supported(a);
  int type, key, refused;
  if (frame->is_array) return !supported;
  key = api_current_key(a, frame, slot);
  type = lua_type(a->L, key);
  refused = style->skip_values_only && type == LUA_TNUMBER && !json_is_key(style, lua_tonumber(a->L, key));
  lua_settop(a->L, slot + 2);
  if (type != LUA_TSTRING && type != LUA_TNUMBER) return !style->skip_values_only;
  return !supported && !refused;
}

/* Pushes the next value of the innermost level, whose table is at `slot`; its key is api_current_key. 0: none is left;
** -1: an error, whose message is on top. After an error that a handler may replace, 1 and a->walk->out.error. */
FL_INLINE int api_next_value(struct api_walk *a, struct encode_frame *frame, int slot) {
  int more;
  do {
    if (frame->pending) {
      more = frame->pending > 0;
      frame->pending = 0;
      continue;
    }
    lua_settop(a->L, slot + 1);
    more = api_advance(a, frame, slot);
  } while (more > 0 && FL_UNLIKELY(a->skips != NULL) && a->skips(a, frame, slot));
  if (FL_UNLIKELY(more < 0)) return api_may_substitute(a, slot) ? 1 : -1;
  return more;
}

#endif
