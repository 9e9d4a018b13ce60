/* SPDX-License-Identifier: MIT
** find.h -- finds the value that a path leads to, in a text without white space.
** May call: base.
** Must hold: the text is valid JSON without white space between tokens, as json/write/ writes it; NaN and Infinity may
** stand in it as words. Of members with the same name the last counts. No recursion; each step is linear. */
#ifndef FLEECE_JSON_INDEX_FIND_H
#define FLEECE_JSON_INDEX_FIND_H

#include "../grammar/scan.h"

/* One step: to a member of an object, an item of an array, or either of them. */
struct json_step {
  const char *name; /* NULL: not of an object */
  size_t n;
  int64_t index; /* from the end if negative */
  int indexes;   /* 0: not of an array */
};

struct json_slice {
  const char *begin, *end;
};

/* Goes from the text in *slice to the value that the steps lead to; false: there is none. */
FL_PRIVATE int json_find(struct json_slice *slice, const struct json_step *steps, size_t count);

#endif
