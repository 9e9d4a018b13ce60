/* SPDX-License-Identifier: MIT
** option_names.h -- which options each function knows, and the error for an unknown one.
** May call: lua_*, module/core/arguments.h.
** Must hold: a name is in the list of a function only if it has an effect there. fleece.new knows all names, because
** its options apply to all functions. */
#ifndef FLEECE_MODULE_CORE_OPTION_NAMES_H
#define FLEECE_MODULE_CORE_OPTION_NAMES_H

#include "arguments.h"

/* Lists of words, "a|b|c". Strings in C99 may have 4095 characters. */
#define MOD_NAMES_GRAMMAR "comments|trailing_commas|json5|bom|invalid_numbers|invalid_utf8|max_depth|max_bytes"
#define MOD_NAMES_DECODE MOD_NAMES_GRAMMAR "|null|arrays|objects|big_numbers|duplicates|numeric_keys|layout"
#define MOD_NAMES_ENCODE                                                                                   \
  "indent|sort_keys|key_order|empty_table|sparse|sparse_ratio|precision|on_error|escape_slash|ascii|html|" \
  "skip_unsupported|metamethods|float_integers|invalid_numbers|invalid_utf8|max_depth|layout"
#define MOD_NAMES_OPEN "trusted|keys|base|check_utf8|max_depth|max_values"

static const char mod_names_decode[] = MOD_NAMES_DECODE;
static const char mod_names_encode[] = MOD_NAMES_ENCODE;
static const char mod_names_format[] = MOD_NAMES_GRAMMAR "|indent|sort_keys|lines|colors";
static const char mod_names_from_json[] = MOD_NAMES_GRAMMAR "|duplicates|lines|mode|keys"; /* encoder, lazy */
static const char mod_names_to_json[] = MOD_NAMES_OPEN
    "|canonical|json5|path|pointer|max_bytes|indent|sort_keys|ascii|html|escape_slash|invalid_numbers|invalid_utf8";
static const char mod_names_pack[] = "mode|keys|invalid_utf8|max_depth|sparse|sparse_ratio|empty_table|metamethods|"
                                     "skip_unsupported|on_error|layout";
static const char mod_names_unpack[] = MOD_NAMES_OPEN
    "|null|arrays|objects|big_numbers|duplicates|numeric_keys|max_bytes|layout";
static const char mod_names_open[] = MOD_NAMES_OPEN; /* check, diff, dump */
static const char mod_names_open_file[] = MOD_NAMES_OPEN "|map";
static const char mod_names_patch[] = MOD_NAMES_GRAMMAR "|duplicates|lines|mode|" MOD_NAMES_OPEN;
static const char mod_names_walk[] = "max_values";
static const char mod_names_amend[] = "reuse_strings|extern|max_depth|max_values";
static const char mod_names_new[] = MOD_NAMES_ENCODE
    "|" MOD_NAMES_DECODE "|lines|colors|mode|canonical|trusted|check_utf8|max_values|map|keys|base|"
    "path|pointer|reuse_strings|extern";

/* ------------------------------------------------------------------------------------- words */

/* The position of a word in a list; -1: it is not in the list. */
FL_FUNC int mod_find_word(const char *value, size_t n, const char *words) {
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
FL_INLINE int mod_is_word(const char *value, const char *words) {
  return mod_find_word(value, strlen(value), words) >= 0;
}

/* ------------------------------------------------------------------------------------- the nearest word */

enum { MOD_NAME_LONGEST = 20, MOD_NAME_FAR = 3 };

FL_INLINE int mod_least(int a, int b) { return a < b ? a : b; }

/* Are these the same letter? Case is ignored. */
FL_INLINE int mod_same_letter(char a, char b) { return (a | 0x20) == (b | 0x20); }

/* How many characters have to be changed, inserted, deleted, or swapped with the next one to turn one word into the
** other (optimal string alignment). */
FL_FUNC int mod_word_distance(const char *a, size_t n, const char *b, size_t m) {
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

/* The word of the list that `name` probably means; NULL: none. */
FL_FUNC const char *mod_nearest_word(const char *name, const char *words, size_t *length) {
  const size_t n = strlen(name);
  const char *nearest = NULL, *end;
  int least = n > 5 ? MOD_NAME_FAR : 2, distance;
  if (n < 2 || n > MOD_NAME_LONGEST) return NULL;
  for (;; words = end + 1) {
    end = strchr(words, '|');
    if (!end) end = words + strlen(words);
    if (end - words <= MOD_NAME_LONGEST) {
      distance = mod_word_distance(name, n, words, (size_t)(end - words));
      if (distance < least) least = distance, nearest = words, *length = (size_t)(end - words);
    }
    if (!*end) return nearest;
  }
}

/* Raises that the options in argument `arg` have one that is not in `names`. */
FL_NOINLINE int mod_unknown_option_(lua_State *L, int arg, const char *name, const char *names) {
  size_t n = 0;
  const char *nearest;
  if (mod_is_word(name, mod_names_new))
    return mod_argument_error(L, arg, lua_pushfstring(L, "option '%s' has no effect here", name));
  nearest = mod_nearest_word(name, names, &n);
  if (!nearest) return mod_argument_error(L, arg, lua_pushfstring(L, "unknown option '%s'", name));
  lua_pushlstring(L, nearest, n);
  return mod_argument_error(L, arg,
                            lua_pushfstring(L, "unknown option '%s'; did you mean '%s'?", name, lua_tostring(L, -1)));
}

/* The usual reason for a number or a string where options belong: f(g(x)), where g has two results. */
#define MOD_SEVERAL_RESULTS "a function that returns several values gives all of them: put its call in parentheses"

/* Raises that argument `arg`, the options, is not a table. */
FL_NOINLINE int mod_no_options_(lua_State *L, int arg) {
  const int type = lua_type(L, arg);
  if (type != LUA_TNUMBER && type != LUA_TSTRING) return mod_type_error(L, arg, "table");
  return mod_argument_error(L, arg,
                            lua_pushfstring(L, "table expected, got %s; " MOD_SEVERAL_RESULTS, luaL_typename(L, arg)));
}

FL_INLINE void mod_check_options(lua_State *L, int arg) {
  if (FL_UNLIKELY(lua_type(L, arg) != LUA_TTABLE)) mod_no_options_(L, arg);
}

#endif
