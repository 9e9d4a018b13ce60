/* SPDX-License-Identifier: MIT
** table_hooks.h -- what a program gives LuaJSON's encode: functions that see each value, words of its own.
** May call: base, text, json, layout, convert, lua_*.
** Must hold: only walks with an luajson_special_of(a) come here, and none of them is a raw one; as
** convert/lua_to_json/api/hooks.h. */
#ifndef FLEECE_DROPIN_LUAJSON_TABLE_HOOKS_H
#define FLEECE_DROPIN_LUAJSON_TABLE_HOOKS_H

#include "../shared/tables.h"

/* What encode was given by a program. Stack indices; 0: none. */
struct luajson_special {
  int pre_process, is_array, processor;
  int null, undefined;     /* what is compared as by ==, for it may have an __eq */
  int own_arrays;          /* is_array, or nothing, is asked in place of IsArray */
  const char *booleans[2]; /* the words for false and true; NULL: such a value is an error */
  const char *types[2];    /* of null and undefined */
  int is_key;              /* the root is a name */
  /* Where a program writes the tables: its function `composite` makes of each what stands for it, and calls `encode`
  ** for what is in it; `state` is theirs. */
  int composite, encode, state;
  int *nothing; /* set if nothing stands for the root: what was to be written is elsewhere */
};

/* NULL: nothing. */
FL_INLINE const struct luajson_special *luajson_special_of(const struct api_walk *a) {
  return (const struct luajson_special *)a->special;
}

/* a == b by Lua's rules, for lua_pcall. */
FL_FUNC int luajson_compare(lua_State *L) {
#if LUA_VERSION_NUM >= 502
  lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPEQ));
#else
  lua_pushboolean(L, lua_equal(L, 1, 2));
#endif
  return 1;
}

/* Is the value on top equal to the one at the index, 0: none, which may have an __eq? */
FL_FUNC int luajson_equals(struct api_walk *a, int index) {
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

/* "undefined", or an error if it must not be. */
FL_FUNC const char *luajson_undefined(struct api_walk *a) {
  if (a->walk->policy->writes_undefined) return "undefined";
  return api_fail(a, FL_ERROR_HOOK, "Invalid value: Unsupported 'Undefined' parameter");
}

/* The value on top, or what stands for it, takes its place; false: an error. */
FL_FUNC int luajson_pre_process(struct api_walk *a, int is_key) {
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

/* What array.isArray says of the table: 1, 0; -1: it leaves open, -2: an error. */
FL_FUNC int luajson_ask_is_array(struct api_walk *a, int table) {
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
FL_FUNC int luajson_process(lua_State *L) {
  lua_call(L, 2, 1);
  lua_pushliteral(L, "\"");
  lua_insert(L, -2);
  lua_pushliteral(L, "\"");
  lua_concat(L, 3);
  return 1;
}

/* Writes the string on top, which stays. The processor also gets the number of escapes, as from string.gsub. */
FL_FUNC char *luajson_write_string(struct api_walk *a, char *w) {
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
    return api_fail(a, FL_ERROR_HOOK, "the processor of strings returned what is no string");
  w = json_write_raw(out, out->buffer.begin + start, s, n);
  lua_pop(L, 1);
  return w;
}

/* ------------------------------------------------------------------------------------- outputs */

/* The table at the index is being written, or no more; false: it was so already. */
FL_FUNC int luajson_note_open(struct api_walk *a, int table, int open) {
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
/* clang-format on */

/* Writes what a program's composite makes of the table at `table`. Before w, from `start` on, lies a call's name. */
FL_NOINLINE char *luajson_compose(struct api_walk *a, char *w, size_t start, int table, int is_array) {
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
  else if (!(s = lua_tolstring(L, -1, &n))) return api_fail(a, FL_ERROR_HOOK, "the output's composite is no string");
  else if (!(w = json_write_raw(out, w, s, n))) return NULL;
  lua_settop(L, table);
  return w;
}

#endif
