/* SPDX-License-Identifier: MIT */
#include "values.h"
#include "../../lua/exact.h"

FL_PRIVATE const char *api_sentinel(struct api_walk *a, const void *p) {
  if (!p) return "null";
  do {
    if (p == a->shared->sentinels.empty_array[0] || p == a->shared->sentinels.empty_array[1]) return "[]";
    if (p == a->shared->sentinels.null[0] || p == a->shared->sentinels.null[1]) return "null";
  } while (api_refresh(a));
  return NULL;
}

FL_PRIVATE size_t api_boxed_digits(lua_State *L) {
  size_t n, first, digits;
  const char *s = lua_tolstring(L, -1, &n);
  if (!s || n < 3 || n > 23) return 0;
  digits = first = s[0] == '-';
  while (s[digits] >= '0' && s[digits] <= '9') digits++;
  if (digits == first || (s[first] == '0' && digits > 1)) return 0; /* RFC 8259, section 6: no leading zeros */
  return strcmp(s + digits, "LL") == 0 || (strcmp(s + digits, "ULL") == 0 && !first) ? digits : 0;
}

/* Pushes the text of the cdata on top, and returns how many bytes of it are an integer; 0: it is none, or a __tostring
** of the program raised. */
static size_t api_cdata_integer(struct api_walk *a) {
  lua_State *L = a->L;
  if (!luaL_getmetafield(L, -1, "__tostring")) return lua_pushnil(L), 0;
  lua_pushvalue(L, -2);
  return api_call(a, 1, 1) ? api_boxed_digits(L) : 0;
}

/* Is the cdata on top written? A __tostring that raises says yes, and raises again where the value is written. */
static int api_cdata_is_supported(struct api_walk *a) {
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
static int api_supported(struct api_walk *a) {
  lua_State *L = a->L;
  int supported;
  switch (lua_type(L, -1)) {
  case LUA_TFUNCTION:
  case LUA_TTHREAD: return 0;
  case LUA_TUSERDATA:
    if (api_is_of_kind(a)) return 1;
    if (!lua_getmetatable(L, -1)) return 0;
    supported = lua_topointer(L, -1) == a->shared->raw_metatable || exact_test(L, -2);
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

FL_PRIVATE const char *api_other_text(struct api_walk *a, size_t *n) {
  lua_State *L = a->L;
  const struct encode_rules *rules = a->walk->policy->rules;
  const int at = lua_gettop(L);
  const struct exact_number *exact;
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
    if ((exact = exact_test(L, at)) != NULL) {
      *n = exact->n;
      return exact->text;
    }
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

FL_PRIVATE int api_open_table(struct api_walk *a, int table, struct api_opened *f) {
  struct api_meta meta;
  api_classify_metatable(a, &meta);
  f->text = NULL;
  if (meta.hook == API_HOOK_TOJSON) return (f->text = api_call_tojson(a, &f->text_length)) != NULL;
  return api_may_open(a, table) && api_open(a, table, &meta, f);
}

FL_PRIVATE int api_skips(struct api_walk *a, const struct encode_frame *frame, int slot) {
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
