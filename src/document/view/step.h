/* SPDX-License-Identifier: MIT
** step.h -- path and pointer of a value in view:walk: strings if they are short, or objects whose text is made on
** demand.
** Must hold: an object refers to that of the collection around it, and to the name in the document. So creating one
** takes constant time, and a long name above many values does not cost its length for each of them. */
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
