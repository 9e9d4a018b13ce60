/* SPDX-License-Identifier: MIT
** steps.h -- JSON pointers as steps.
** Must hold: as goals.h. */
#pragma once

#include "../pointer.h"
#include "goals.h"

FL_INLINE void json_set_step(struct json_step *to, const char *name, size_t n, int64_t index, int indexes) {
  to->name = name;
  to->n = n;
  to->index = index;
  to->indexes = indexes;
  to->each = 0;
}

/* Copies the step's name to w and makes that the name. Returns the byte after it. */
FL_INLINE char *json_move_name(struct json_step *step, char *w) {
  if (!step->name) return w;
  memcpy(w, step->name, step->n);
  step->name = w;
  return w + step->n;
}

/* Reads the pointer s[0..n): each token is a step to a member, and to an item if it is a number. `after`: the index
** that "-" means, or 0 if it is only a name. `steps` has room for `most` steps, then for as many tokens, then for n
** bytes of names. Returns 0 if it is not a pointer. */
FL_PRIVATE int json_pointer_steps(const char *s, size_t n, int64_t after, struct json_step *steps, size_t most,
                                  size_t *count);
