/* SPDX-License-Identifier: MIT
** file.h -- Lua's files: a FILE that is always closed; a file that is replaced, whose lock and temporary file are
** always removed.
** Must hold: before a FILE is opened or anything of a file exists, a userdata owns it; another one owns its bytes. */
#pragma once

#include <errno.h>
#include <stdio.h>
#include "../lua/guard.h"
#include "../lua/options/arguments.h"
#include "../lua/options/options.h"
#include "replace.h"

/* Gives the userdata on top a finalizer. `key`: of its metatable in the registry, which the first call creates. */
FL_PRIVATE void mod_set_finalizer(lua_State *L, const void *key, lua_CFunction gc);

/* Closes the file, and keeps errno, which tells what failed before. */
FL_PRIVATE void mod_close_file(FILE **file);

/* Pushes a userdata that owns a FILE, and closes it when it is collected. */
FL_PRIVATE FILE **mod_push_file(lua_State *L);

/* Pushes a userdata with the rest of the file and a 0 after it. NULL with errno set if that failed. */
FL_PRIVATE const char *mod_read_rest(lua_State *L, FILE *file, size_t *length);

/* Raises "cannot WHAT 'PATH': REASON", from errno, or returns it after nil. With `what` NULL only the reason. */
FL_PRIVATE int mod_file_error(lua_State *L, const char *what, const char *path, int safe);

/* Calls the function below its arguments, which reads or makes the contents of the file, and leaves its results.
** Returns their number. If it fails, puts "cannot WHAT 'PATH': " before its message; then the number is negative, or 0
** if the caller must raise what is on top: mod_file_results. */
FL_PRIVATE int mod_call_for_file(lua_State *L, int arguments, const char *what, const char *path);

/* The second half of mod_call_for_file: lua_pcall has returned `raised`, and what it left is above `top`. */
FL_PRIVATE int mod_name_file(lua_State *L, int top, int raised, const char *what, const char *path);

FL_INLINE int mod_file_results(lua_State *L, int results) {
  return results > 0 ? results : results < 0 ? -results : lua_error(L);
}

/* Returns argument 1. A byte 0 in it is an error: the C library would take what is before it for the name of another
** file. */
FL_PRIVATE const char *mod_check_file_name(lua_State *L);

struct mod_saving {
  struct mod_saving *volatile next;  /* in the list: an older one */
  struct mod_saving *volatile *list; /* list of unfinished files, or NULL */
  struct replace file;
  struct lock lock;
  const char *hint; /* added to the message that the file cannot be replaced, or NULL */
};

/* For a signal handler: mod_saving_end for all in the list, without memory. */
FL_PRIVATE void mod_saving_remove_all(struct mod_saving *list);

/* From now on the files that functions of this Lua state write are in the list, for a signal handler. */
FL_PRIVATE void mod_saving_set_list(lua_State *L, struct mod_saving *volatile *list);

/* Add it to its list, and remove it. */
FL_PRIVATE void mod_saving_enlist(struct mod_saving *s, struct mod_saving *volatile *list);
FL_PRIVATE void mod_saving_delist(struct mod_saving *s);

/* Pushes a userdata for a file that will be replaced. When it is collected, an unfinished file is removed. */
FL_PRIVATE struct mod_saving *mod_push_saving(lua_State *L);

/* Locks the file at `path`, after all symbolic links. Returns 0 with errno set. */
FL_PRIVATE int mod_saving_lock(struct mod_saving *s, const char *path, unsigned wait);

/* Like mod_saving_lock for a file that is written itself, which works without a lock if none can be made. */
FL_PRIVATE int mod_saving_lock_in_place(struct mod_saving *s, const char *path, unsigned wait);

/* Opens the temporary file, s->file.file, or the file itself if it is not a plain file. Returns 0 with errno set. */
FL_PRIVATE int mod_saving_open(struct mod_saving *s);

/* Gives the file its name. Returns 0 with errno set, and with the old file in place. */
FL_PRIVATE int mod_saving_commit(struct mod_saving *s, int sync);

/* Removes an unfinished file, and releases the lock. Keeps errno. */
FL_PRIVATE void mod_saving_end(struct mod_saving *s);

/* Raises or returns "cannot WHAT 'PATH': REASON", from errno, like mod_file_error. */
FL_PRIVATE int mod_saving_error(lua_State *L, const struct mod_saving *s, const char *what, const char *path, int safe);

/* Pushes a copy of the table of options at the index, with those that `of` takes, or an empty table if there is
** none. */
FL_PRIVATE void mod_push_options_of(lua_State *L, int index, enum mod_taker of);

/* Pushes a function of the module with the upvalues of the running one. */
FL_PRIVATE void mod_push_sibling(lua_State *L, lua_CFunction function);
