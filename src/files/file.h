/* SPDX-License-Identifier: MIT
** file.h -- reading files: a FILE that is closed in any case.
** Must hold: before a FILE is opened, a userdata owns it; another one owns its bytes. */
#pragma once

#include <errno.h>
#include <stdio.h>
#include "../lua/guard.h"
#include "../lua/options/arguments.h"
#include "replace.h"

/* Keeps errno, which tells about what was done with the file. */
FL_PRIVATE void mod_close_file(FILE **file);

/* Pushes a userdata for a FILE, and closes the FILE when the userdata is collected. */
FL_PRIVATE FILE **mod_push_file(lua_State *L);

/* Pushes a userdata with the rest of the file and a 0 after it. NULL on failure, with errno set. */
FL_PRIVATE const char *mod_read_rest(lua_State *L, FILE *file, size_t *length);

/* Raises "cannot WHAT 'PATH': REASON", from errno, or returns it after nil. `what` NULL: the reason alone. */
FL_PRIVATE int mod_file_error(lua_State *L, const char *what, const char *path, int safe);

/* Calls the function below its arguments, which reads or makes what is in the file, and leaves its results. Returns
** their number. If it fails, "cannot WHAT 'PATH': " is put before its message; then the number is negative, or 0 if the
** caller must raise what is on top: mod_file_results. */
FL_PRIVATE int mod_call_for_file(lua_State *L, int arguments, const char *what, const char *path);

/* The second half: lua_pcall has returned `raised`, and what it left is above `top`. */
FL_PRIVATE int mod_name_file(lua_State *L, int top, int raised, const char *what, const char *path);

FL_INLINE int mod_file_results(lua_State *L, int results) {
  return results > 0 ? results : results < 0 ? -results : lua_error(L);
}

/* Argument 1. A byte 0 in it is an error: for the C library the name would end there, and be another file's. */
FL_PRIVATE const char *mod_check_file_name(lua_State *L);
