/* SPDX-License-Identifier: MIT */
#include "options.h"

#include "../guard.h"

/* The row of the option whose name is at r->key. NULL: it is one that other structs store. */
static const struct mod_option *mod_find_option(struct mod_reader *r) {
  lua_State *L = r->L;
  const struct mod_option *row;
  size_t n;
  if (lua_type(L, r->key) == LUA_TNUMBER) mod_argument_error(L, r->arg, "options expected, got a list");
  if (lua_type(L, r->key) != LUA_TSTRING) mod_argument_error(L, r->arg, "option names must be strings");
  r->name = lua_tolstring(L, r->key, &n);
  r->into = r->to;
  for (row = r->rows;; row++) {
    if (!row->name) {
      if (!r->more || r->into == r->more_to) break;
      row = r->more, r->into = r->more_to;
    }
    if (row->length == n && memcmp(row->name, r->name, n) == 0 && row->takers >> r->of & 1) return row;
  }
  if (strlen(r->name) != n) mod_argument_error(L, r->arg, lua_pushfstring(L, "unknown option '%s'", r->name));
  if (!mod_takes(r->of, r->name)) mod_unknown_option_(L, r->arg, r->name, r->of);
  return NULL;
}

static uint64_t mod_read_value(struct mod_reader *r, const struct mod_option *row, const unsigned char *at) {
  uint32_t bits;
  int place;
  switch (row->kind) {
  case MOD_FLAG: return mod_read_boolean(r) != row->least;
  case MOD_INTEGER: return (uint64_t)mod_read_integer(r, row->least, row->most);
  case MOD_AMOUNT: return mod_read_amount(r);
  case MOD_WORDS: return (uint64_t)mod_read_word(r, row->words);
  case MOD_BITS:
    place = row->words ? mod_read_word(r, row->words) : mod_read_boolean(r);
    memcpy(&bits, at, sizeof bits);
    return (bits & ~(uint32_t)(row->least | row->most)) | (uint32_t)(place ? place > 1 ? row->most : row->least : 0);
  default: row->read(r); return row->kind == MOD_READ || lua_isnil(r->L, -1) ? 0 : (uint64_t)mod_keep(r);
  }
}

FL_PRIVATE void mod_read_table(struct mod_reader *r) {
  lua_State *L = r->L;
  mod_check_options(L, r->arg);
  compat_need_stack(L, 16);
  lua_pushnil(L);
  for (r->key = lua_gettop(L); lua_next(L, r->arg); lua_settop(L, r->key)) {
    const struct mod_option *const row = mod_find_option(r);
    unsigned char *const at = row ? (unsigned char *)r->into + row->at : NULL;
    const uint64_t value = row ? mod_read_value(r, row, at) : 0;
    const uint32_t word = (uint32_t)value;
    if (!row || row->kind == MOD_READ) continue;
    FL_ASSERT(row->size == 1 || row->size == sizeof word || row->size == sizeof value);
    if (row->size == 1) *at = (unsigned char)value;
    else if (row->size == sizeof word) memcpy(at, &word, sizeof word);
    else memcpy(at, &value, sizeof value);
  }
}

FL_PRIVATE void mod_read_rows(lua_State *L, int arg, enum mod_taker of, const struct mod_option *rows, void *to) {
  struct mod_reader r;
  mod_begin_reader(&r, L, arg, of, rows, to);
  mod_read_table(&r);
}

FL_PRIVATE int mod_keep(struct mod_reader *r) {
  lua_insert(r->L, r->key);
  return r->key++;
}

FL_PRIVATE int mod_bad_option(const struct mod_reader *r, const char *expected) {
  return mod_argument_error(r->L, r->arg, lua_pushfstring(r->L, "option '%s' must be %s", r->name, expected));
}

FL_PRIVATE int mod_read_boolean(const struct mod_reader *r) {
  if (lua_type(r->L, -1) != LUA_TBOOLEAN) mod_bad_option(r, "true or false");
  return lua_toboolean(r->L, -1);
}

FL_PRIVATE int mod_read_integer(const struct mod_reader *r, int least, int most) {
  lua_Number n = lua_tonumber(r->L, -1);
  if (lua_type(r->L, -1) != LUA_TNUMBER || !(n >= least && n <= most) || n != (lua_Number)(int)n)
    mod_bad_option(r, lua_pushfstring(r->L, "a whole number from %d to %d", least, most));
  return (int)n;
}

FL_PRIVATE uint64_t mod_read_amount(const struct mod_reader *r) {
  const lua_Number n = lua_tonumber(r->L, -1), most = sizeof(size_t) > 4 ? 9007199254740992.0 : 2147483647.0;
  if (lua_type(r->L, -1) != LUA_TNUMBER || !(n >= 1 && n <= most) || n != (lua_Number)(uint64_t)n)
    mod_bad_option(r, "a whole number from 1 on");
  return (uint64_t)n;
}

FL_PRIVATE int mod_read_word(const struct mod_reader *r, const char *words) {
  const char *at, *value;
  size_t n = 0;
  int place;
  value = lua_type(r->L, -1) == LUA_TSTRING ? lua_tolstring(r->L, -1, &n) : NULL;
  place = value ? mod_find_word(value, n, words) : -1;
  if (place >= 0) return place;
  lua_pushliteral(r->L, "one of ");
  for (at = words;; at++) {
    size_t length = 0;
    while (at[length] && at[length] != '|') length++;
    lua_pushliteral(r->L, "\"");
    lua_pushlstring(r->L, at, length);
    lua_pushstring(r->L, at[length] ? "\", " : "\"");
    lua_concat(r->L, 4);
    at += length;
    if (!*at) break;
  }
  return mod_bad_option(r, lua_tostring(r->L, -1));
}
