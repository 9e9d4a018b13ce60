/* SPDX-License-Identifier: MIT */
#include "option_names.h"

#include "decoding.h"

#define MOD_NAME(name, kind, member, takers) {name, (takers) | MOD_OF(NEW), 0, 0, NULL},
#define MOD_NAME_OF_AMEND(name, kind, member, takers) {name, takers, 0, 0, NULL},
#define MOD_NAME_HINTED(name, kind, member, takers, value, grammar, errors) \
  {name, (takers) | MOD_OF(NEW), grammar, errors, value},
static const struct mod_option_name mod_names[] = {
    MOD_ENCODE_OPTIONS(MOD_NAME) MOD_DECODE_OPTIONS(MOD_NAME, MOD_NAME_HINTED) MOD_PICK_OPTIONS(MOD_NAME)
        MOD_BINARY_OPTIONS(MOD_NAME) MOD_PACK_OPTIONS(MOD_NAME) MOD_AMEND_OPTIONS(MOD_NAME_OF_AMEND)
            MOD_PEEK_OPTIONS(MOD_NAME) MOD_DIFF_OPTIONS(MOD_NAME){NULL, 0, 0, 0, NULL}};

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

/* ------------------------------------------------------------------------------------- the nearest word */

enum { MOD_NAME_LONGEST = 20, MOD_NAME_FAR = 3 };

FL_INLINE int mod_least(int a, int b) { return a < b ? a : b; }

/* Are these the same letter? Case is ignored. */
FL_INLINE int mod_same_letter(char a, char b) { return (a | 0x20) == (b | 0x20); }

/* How many characters have to be changed, inserted, deleted, or swapped with the next one to turn one word into the
** other (optimal string alignment). */
static int mod_word_distance(const char *a, size_t n, const char *b, size_t m) {
  int rows[3][MOD_NAME_LONGEST + 1], *above = rows[0], *row = rows[1], *higher = rows[2], *free_row;
  size_t i, j;
  for (j = 0; j <= m; j++) row[j] = (int)j;
  for (i = 1; i <= n; i++) {
    free_row = higher, higher = above, above = row, row = free_row;
    row[0] = (int)i;
    for (j = 1; j <= m; j++) {
      row[j] = mod_least(mod_least(above[j], row[j - 1]) + 1, above[j - 1] + !mod_same_letter(a[i - 1], b[j - 1]));
      if (i > 1 && j > 1 && mod_same_letter(a[i - 1], b[j - 2]) && mod_same_letter(a[i - 2], b[j - 1]))
        row[j] = mod_least(row[j], higher[j - 2] + 1);
    }
  }
  return row[m];
}

/* The option of the function that `name` probably means; NULL: none. */
static const char *mod_nearest_option(const char *name, enum mod_taker of) {
  const size_t n = strlen(name);
  const struct mod_option_name *row;
  const char *nearest = NULL;
  int least = n > 5 ? MOD_NAME_FAR : 2, distance;
  if (n < 2 || n > MOD_NAME_LONGEST) return NULL;
  for (row = mod_names; row->name; row++) {
    if (!(row->takers >> of & 1)) continue;
    distance = mod_word_distance(name, n, row->name, strlen(row->name));
    if (distance < least) least = distance, nearest = row->name;
  }
  return nearest;
}

FL_PRIVATE_NOINLINE int mod_unknown_option_(lua_State *L, int arg, const char *name, enum mod_taker of) {
  const char *nearest;
  const struct mod_option_name *row;
  for (row = mod_names; row->name; row++)
    if (strcmp(row->name, name) == 0)
      return mod_argument_error(L, arg, lua_pushfstring(L, "option '%s' has no effect here", name));
  nearest = mod_nearest_option(name, of);
  if (!nearest) return mod_argument_error(L, arg, lua_pushfstring(L, "unknown option '%s'", name));
  return mod_argument_error(L, arg, lua_pushfstring(L, "unknown option '%s'; did you mean '%s'?", name, nearest));
}

FL_PRIVATE_NOINLINE int mod_no_options_(lua_State *L, int arg) {
  const int type = lua_type(L, arg);
  if (arg == 1 || (type != LUA_TNUMBER && type != LUA_TSTRING)) return mod_type_error(L, arg, "table");
  return mod_argument_error(L, arg,
                            lua_pushfstring(L, "table expected, got %s; " MOD_SEVERAL_RESULTS, luaL_typename(L, arg)));
}
