/* SPDX-License-Identifier: MIT
** saving.h -- a file that Lua replaces: its lock and its temporary file, which end in any case.
** Must hold: before anything of it exists a userdata owns it. */
#pragma once

#include "../lua/options/options.h"
#include "file.h"
#include "lock.h"

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
