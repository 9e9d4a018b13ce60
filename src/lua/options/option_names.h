/* SPDX-License-Identifier: MIT
** option_names.h -- which function takes which option, by name, and the error for an unknown one.
** Must hold: the names are those of rows.h. */
#pragma once

#include "arguments.h"
#include "rows.h"

/* An option, for messages. Several rows may have one name. */
struct mod_option_name {
  const char *name;
  uint64_t takers;
  unsigned grammar, errors; /* what allows more where a text fails: see HINTED in rows.h; 0, 0: nothing */
  const char *value;
};

/* Returns the rows of all options; the last has no name. */
FL_PRIVATE const struct mod_option_name *mod_option_names(void);

FL_PRIVATE int mod_takes(enum mod_taker of, const char *name);

/* ------------------------------------------------------------------------------------- words */

/* The position of a word in a list; -1: it is not in the list. */
FL_PRIVATE int mod_find_word(const char *value, size_t n, const char *words);

/* Raises an error: the options in argument `arg` have one that the function does not take. */
FL_PRIVATE_NOINLINE int mod_unknown_option_(lua_State *L, int arg, const char *name, enum mod_taker of);

/* The usual reason for a number or a string instead of options: f(g(x)), where g has two results. */
#define MOD_SEVERAL_RESULTS "if it is a further result of a function, put the call in parentheses"

/* Raises an error: argument `arg`, the options, is not a table. */
FL_PRIVATE_NOINLINE int mod_no_options_(lua_State *L, int arg);

FL_INLINE void mod_check_options(lua_State *L, int arg) {
  if (FL_UNLIKELY(lua_type(L, arg) != LUA_TTABLE)) mod_no_options_(L, arg);
}
