/* SPDX-License-Identifier: MIT */
#include "table_hooks.h"

/* a == b by Lua's rules, for lua_pcall. */
static int luajson_compare(lua_State *L) {
#if LUA_VERSION_NUM >= 502
  lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPEQ));
#else
  lua_pushboolean(L, lua_equal(L, 1, 2));
#endif
  return 1;
}

FL_PRIVATE int luajson_equals(struct api_walk *a, int index) {
  lua_State *L = a->L;
  int equal;
  if (!index || lua_type(L, -1) != lua_type(L, index)) return 0;
  compat_need_stack(L, 6);
  lua_pushcfunction(L, luajson_compare);
  lua_pushvalue(L, -2);
  lua_pushvalue(L, index);
  if (!api_call(a, 2, 1)) return 0;
  equal = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return equal;
}

FL_PRIVATE const char *luajson_undefined(struct api_walk *a) {
  if (a->walk->policy->writes_undefined) return "undefined";
  return api_fail(a, FL_ERROR_HOOK, "Invalid value: Unsupported 'Undefined' parameter");
}

FL_PRIVATE int luajson_pre_process(struct api_walk *a, int is_key) {
  lua_State *L = a->L;
  if (!luajson_special_of(a)->pre_process) return 1;
  compat_need_stack(L, 6);
  lua_pushvalue(L, luajson_special_of(a)->pre_process);
  lua_pushvalue(L, -2);
  lua_pushboolean(L, is_key);
  if (!api_call(a, 2, 1)) return 0;
  if (lua_isnil(L, -1)) lua_pop(L, 1);
  else lua_replace(L, -2);
  return 1;
}

FL_PRIVATE int luajson_ask_is_array(struct api_walk *a, int table) {
  lua_State *L = a->L;
  int says;
  if (!luajson_special_of(a)->is_array) return -1;
  lua_pushvalue(L, luajson_special_of(a)->is_array);
  lua_pushvalue(L, table);
  if (!api_call(a, 1, 1)) return -2;
  says = lua_isboolean(L, -1) ? lua_toboolean(L, -1) : -1;
  lua_pop(L, 1);
  return says;
}

/* processor, string, escapes -> the string's text in quotes, for lua_pcall. */
static int luajson_process(lua_State *L) {
  lua_call(L, 2, 1);
  lua_pushliteral(L, "\"");
  lua_insert(L, -2);
  lua_pushliteral(L, "\"");
  lua_concat(L, 3);
  return 1;
}

FL_PRIVATE char *luajson_write_string(struct api_walk *a, char *w) {
  lua_State *L = a->L;
  struct json_out *out = &a->walk->out;
  const size_t start = (size_t)(w - out->buffer.begin);
  size_t n, i, escapes = 0;
  const char *s = lua_tolstring(L, -1, &n);
  if (!(w = json_write_string(out, w, s, n, (int)out->style->escape)) || !luajson_special_of(a)->processor) return w;
  for (i = 0; i < n; i++) escapes += (size_t)text_in_set(out->style->set, s[i]);
  compat_need_stack(L, 8);
  lua_pushcfunction(L, luajson_process);
  lua_pushvalue(L, luajson_special_of(a)->processor);
  s = out->buffer.begin + start + 1;
  lua_pushlstring(L, s, (size_t)(w - s) - 1);
  lua_pushinteger(L, (lua_Integer)escapes);
  if (!api_call(a, 3, 1)) return NULL;
  if (!(s = lua_tolstring(L, -1, &n)))
    return api_fail(a, FL_ERROR_HOOK, "the processor of strings must return a string");
  w = json_write_raw(out, out->buffer.begin + start, s, n);
  lua_pop(L, 1);
  return w;
}

/* ------------------------------------------------------------------------------------- outputs */

/* The table at the index is being written, or no more; false: it was so already. */
static int luajson_note_open(struct api_walk *a, int table, int open) {
  lua_State *L = a->L;
  int was_open = 0;
  compat_get_field(L, luajson_special_of(a)->state, "already_encoded");
  if (lua_istable(L, -1)) {
    lua_pushvalue(L, table);
    lua_rawget(L, -2);
    was_open = lua_toboolean(L, -1);
    lua_pop(L, 1);
    lua_pushvalue(L, table);
    if (open) lua_pushboolean(L, 1);
    else lua_pushnil(L);
    lua_rawset(L, -3);
  }
  lua_pop(L, 1);
  return !(open && was_open);
}

/* Code that a program's composite completes: PUTINNER(condition), PUTVALUE(text), and what makes a function of it. */
/* clang-format off */
static const char luajson_pairs_code[] =
    "local comma = ''\n"
    "for key, value in pairs(composite) do\n"
    "  local kind = type(key)\n"
    "  if kind ~= 'string' and kind ~= 'number' and kind ~= 'boolean' then\n"
    "    error('Invalid object index type: ' .. kind, 0)\n"
    "  end\n"
    "  local text = comma .. encode(tostring(key), state, true) .. ':'\n"
    "  comma = ','\n"
    "  PUTVALUE(text)\n"
    "  text = encode(value, state) or ''\n"
    "  PUTVALUE(text)\n"
    "end\n";

static const char luajson_items_code[] =
    "for i = 1, composite.n or #composite do\n"
    "  PUTINNER(i > 1)\n"
    "  local text = encode(composite[i], state) or ''\n"
    "  PUTVALUE(text)\n"
    "end\n";

FL_PRIVATE_NOINLINE char *luajson_compose(struct api_walk *a, char *w, size_t start, int table, int is_array) {
  lua_State *L = a->L;
  struct json_out *out = &a->walk->out;
  const char *s = out->buffer.begin + start;
  size_t n;
  if (is_array != API_CALL && !luajson_note_open(a, table, 1)) return api_fail(a, FL_ERROR_CYCLE, NULL);
  lua_pushvalue(L, luajson_special_of(a)->composite);
  lua_pushstring(L, is_array ? luajson_items_code : luajson_pairs_code);
  lua_pushlstring(L, s, (size_t)(w - s));
  lua_pushlstring(L, api_brackets[is_array], 1);
  lua_concat(L, 2);
  lua_pushlstring(L, &api_brackets[is_array][1], 1);
  if (is_array) lua_pushliteral(L, ",");
  else lua_pushnil(L);
  lua_pushvalue(L, table);
  lua_pushvalue(L, luajson_special_of(a)->encode);
  lua_pushvalue(L, luajson_special_of(a)->state);
  if (!api_call(a, 7, 1)) return NULL;
  if (is_array != API_CALL) (void)luajson_note_open(a, table, 0);
  w = out->buffer.begin + start;
  if (lua_isnil(L, -1)) *luajson_special_of(a)->nothing = 1;
  else if (!(s = lua_tolstring(L, -1, &n))) return api_fail(a, FL_ERROR_HOOK, "output.composite must be a string");
  else if (!(w = json_write_raw(out, w, s, n))) return NULL;
  lua_settop(L, table);
  return w;
}
