/* SPDX-License-Identifier: MIT
** walk.h -- view:walk: iterates over every value under a view, with its path and pointer.
** Must hold: the queued collections and their paths are in a Lua table; the position in the current one is in a
** userdata. No recursion. Path and pointer are strings if they are short, or objects whose text is made on demand: such
** an object refers to that of the collection around it, and to the name in the document. So creating one takes constant
** time, and a long name above many values does not cost its length for each of them. */
#pragma once

#include "read.h"

struct view_step {
  const char *magic;
  const struct mod_doc *owner;
  const char *name; /* n bytes in the document or its keys; NULL: an item */
  size_t n, index;
  int is_pointer;
};

/* Pushes path and pointer of a member. */
FL_PRIVATE void step_push(lua_State *L, int around, int env, struct view_step *step);

/* view:walk([enter [, options]]) -> iterator of value, path, pointer. enter(view, path, pointer) returns false to skip
** the members of a collection. Options: max_values. */
FL_PRIVATE int view_walk(lua_State *L);
