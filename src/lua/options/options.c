/* SPDX-License-Identifier: MIT */
#include "options.h"

#define MOD_NAME(name, kind, member, takers) {name, (takers) | MOD_OF(NEW), 0, 0, NULL},
#define MOD_NAME_OF_AMEND(name, kind, member, takers) {name, takers, 0, 0, NULL},
#define MOD_NAME_HINTED(name, kind, member, takers, value, grammar, errors) \
  {name, (takers) | MOD_OF(NEW), grammar, errors, value},
static const struct mod_option_name mod_names[] = {
    MOD_ENCODE_OPTIONS(MOD_NAME) MOD_DECODE_OPTIONS(MOD_NAME, MOD_NAME_HINTED) MOD_PICK_OPTIONS(MOD_NAME)
        MOD_BINARY_OPTIONS(MOD_NAME) MOD_PACK_OPTIONS(MOD_NAME) MOD_AMEND_OPTIONS(MOD_NAME_OF_AMEND)
            MOD_PEEK_OPTIONS(MOD_NAME) MOD_DIFF_OPTIONS(MOD_NAME)
                MOD_SCHEMA_OPTIONS(MOD_NAME_OF_AMEND){NULL, 0, 0, 0, NULL}};

FL_PRIVATE const struct mod_option_name *mod_option_names(void) { return mod_names; }

FL_PRIVATE int mod_takes(enum mod_taker of, const char *name) {
  const struct mod_option_name *row = mod_names;
  while (row->name && !(row->takers >> of & 1 && strcmp(row->name, name) == 0)) row++;
  return row->name != NULL;
}

FL_PRIVATE int mod_find_word(const char *value, size_t n, const char *words) {
  int place = 0;
  for (;;) {
    const char *bar = strchr(words, '|');
    size_t length = bar ? (size_t)(bar - words) : strlen(words);
    if (length == n && memcmp(words, value, n) == 0) return place;
    if (!bar) return -1;
    words = bar + 1;
    place++;
  }
}

enum { MOD_NAME_LONGEST = 20, MOD_NAME_FAR = 3 };

FL_INLINE int mod_least(int a, int b) { return a < b ? a : b; }

/* Compares two letters, ignoring case. */
FL_INLINE int mod_same_letter(char a, char b) { return (a | 0x20) == (b | 0x20); }

/* Returns how many characters must be changed, inserted, deleted, or swapped with the next one to turn one word into
** the other (optimal string alignment). */
static int mod_word_distance(const char *a, size_t n, const char *b, size_t m) {
  int rows[3][MOD_NAME_LONGEST + 1], *above = rows[0], *row = rows[1], *higher = rows[2], *free_row;
  for (size_t j = 0; j <= m; j++) row[j] = (int)j;
  for (size_t i = 1; i <= n; i++) {
    free_row = higher, higher = above, above = row, row = free_row;
    row[0] = (int)i;
    for (size_t j = 1; j <= m; j++) {
      row[j] = mod_least(mod_least(above[j], row[j - 1]) + 1, above[j - 1] + !mod_same_letter(a[i - 1], b[j - 1]));
      if (i > 1 && j > 1 && mod_same_letter(a[i - 1], b[j - 2]) && mod_same_letter(a[i - 2], b[j - 1]))
        row[j] = mod_least(row[j], higher[j - 2] + 1);
    }
  }
  return row[m];
}

/* Returns the option of the function that `name` probably means, or NULL. */
static const char *mod_nearest_option(const char *name, enum mod_taker of) {
  const size_t n = strlen(name);
  const char *nearest = NULL;
  int least = n > 5 ? MOD_NAME_FAR : 2, distance;
  if (n < 2 || n > MOD_NAME_LONGEST) return NULL;
  for (const struct mod_option_name *row = mod_names; row->name; row++) {
    if (!(row->takers >> of & 1)) continue;
    distance = mod_word_distance(name, n, row->name, strlen(row->name));
    if (distance < least) least = distance, nearest = row->name;
  }
  return nearest;
}

/* Raises an error: the options in argument `arg` contain one that the function does not have. */
FL_NOINLINE int mod_unknown_option_(lua_State *L, int arg, const char *name, enum mod_taker of) {
  for (const struct mod_option_name *row = mod_names; row->name; row++)
    if (strcmp(row->name, name) == 0)
      return mod_argument_error(L, arg, lua_pushfstring(L, "option '%s' has no effect here", name));
  const char *nearest = mod_nearest_option(name, of);
  if (!nearest) return mod_argument_error(L, arg, lua_pushfstring(L, "unknown option '%s'", name));
  return mod_argument_error(L, arg, lua_pushfstring(L, "unknown option '%s'; did you mean '%s'?", name, nearest));
}

FL_PRIVATE_NOINLINE int mod_no_options_(lua_State *L, int arg) {
  const int type = lua_type(L, arg);
  if (arg == 1 || (type != LUA_TNUMBER && type != LUA_TSTRING)) return mod_type_error(L, arg, "table");
  return mod_argument_error(L, arg,
                            lua_pushfstring(L, "table expected, got %s; " MOD_SEVERAL_RESULTS, luaL_typename(L, arg)));
}

/* Returns the row of the option whose name is at r->key, or NULL if other structs store it. */
static const struct mod_option *mod_find_option(struct mod_reader *r) {
  lua_State *L = r->L;
  size_t n;
  if (lua_type(L, r->key) == LUA_TNUMBER) mod_argument_error(L, r->arg, "options expected, got a list");
  if (lua_type(L, r->key) != LUA_TSTRING) mod_argument_error(L, r->arg, "option names must be strings");
  r->name = lua_tolstring(L, r->key, &n);
  r->into = r->to;
  for (const struct mod_option *row = r->rows;; row++) {
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
  size_t n = 0;
  const char *value = lua_type(r->L, -1) == LUA_TSTRING ? lua_tolstring(r->L, -1, &n) : NULL;
  const int place = value ? mod_find_word(value, n, words) : -1;
  if (place >= 0) return place;
  lua_pushliteral(r->L, "one of ");
  for (const char *at = words;; at++) {
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
