/* SPDX-License-Identifier: MIT
** keys.h -- number keys of tables, whose names are their text.
** Must hold: a number and its text are the same name, whichever of them a table has. */
#pragma once

#include "../json/write/write.h"
#include "../layout/lua_compat/api.h"

/* Writes the text of the number at `at` as a key. */
FL_PRIVATE char *api_key_text(lua_State *L, int at, char *w);

/* Pushes the number whose text as a key is the name. Returns 0, and pushes nothing, if there is none. */
FL_PRIVATE int api_push_number_key(lua_State *L, const char *name, size_t n);

/* Pushes the other key that encode writes like the key at the absolute index: the text of a number, or the number of a
** text. Returns 0 if there is none. */
FL_PRIVATE int api_push_same_name(lua_State *L, int key);
