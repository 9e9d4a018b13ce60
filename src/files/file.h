/* SPDX-License-Identifier: MIT
** file.h -- files of Lua: a FILE that is closed in any case; a file that is replaced, whose lock and temporary file end
** in any case.
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

struct mod_saving {
  struct mod_saving *volatile next;  /* in the list: an older one */
  struct mod_saving *volatile *list; /* of unfinished files, or NULL */
  struct replace file;
  struct lock lock;
  const char *hint; /* after the message that the file cannot be replaced; NULL: none */
};

/* For a handler of signals: mod_saving_end of all in the list, without memory. */
FL_PRIVATE void mod_saving_remove_all(struct mod_saving *list);

/* The files that functions of this Lua state write are in the list from now on, for a handler of signals. */
FL_PRIVATE void mod_saving_set_list(lua_State *L, struct mod_saving *volatile *list);

/* Adds it to its list; takes it out. */
FL_PRIVATE void mod_saving_enlist(struct mod_saving *s, struct mod_saving *volatile *list);
FL_PRIVATE void mod_saving_delist(struct mod_saving *s);

/* Pushes a userdata for a file that is going to be replaced. When it is collected, what is unfinished is removed. */
FL_PRIVATE struct mod_saving *mod_push_saving(lua_State *L);

/* Takes the lock of the file at `path`, after all symbolic links. False: errno tells. */
FL_PRIVATE int mod_saving_lock(struct mod_saving *s, const char *path, unsigned wait);

/* The same for a file that is written itself, which needs no lock where none can be made. */
FL_PRIVATE int mod_saving_lock_in_place(struct mod_saving *s, const char *path, unsigned wait);

/* Opens the temporary file, s->file.file. What is no plain file is opened itself. False: errno tells. */
FL_PRIVATE int mod_saving_open(struct mod_saving *s);

/* Gives the file its name. False: errno tells, and the old file is there. */
FL_PRIVATE int mod_saving_commit(struct mod_saving *s, int sync);

/* Removes what is unfinished, and releases the lock. Keeps errno. */
FL_PRIVATE void mod_saving_end(struct mod_saving *s);

/* "cannot WHAT 'PATH': REASON", from errno; as mod_file_error. */
FL_PRIVATE int mod_saving_error(lua_State *L, const struct mod_saving *s, const char *what, const char *path, int safe);

/* Pushes a copy of the table of options at the index, of those that `of` takes; an empty table if there is none. */
FL_PRIVATE void mod_push_options_of(lua_State *L, int index, enum mod_taker of);

/* Pushes a function of the module with the upvalues of the running one. */
FL_PRIVATE void mod_push_sibling(lua_State *L, lua_CFunction function);
