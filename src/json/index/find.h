/* SPDX-License-Identifier: MIT
** find.h -- finds the value that a path leads to, in a text without white space.
** May call: base.
** Must hold: the text is valid JSON without white space between tokens, as json/write/ writes it; NaN and Infinity may
** stand in it as words. Of members with the same name the last counts. No recursion; each step is linear. */
#ifndef FLEECE_JSON_INDEX_FIND_H
#define FLEECE_JSON_INDEX_FIND_H

#include "../grammar/scan.h"
#include "goals.h"

/* The byte after the string whose opening quote is at p, or the end. */
FL_PRIVATE const char *json_after_string(const char *p, const char *end);

/* Does the string s[0..n), the text between its quotes, mean the name? An escape that is wrong means nothing. */
FL_PRIVATE int json_step_is_name(const struct json_step *step, const char *s, size_t n);

/* Goes from the text in *slice to the value that the steps lead to; false: there is none. */
FL_PRIVATE int json_find(struct json_slice *slice, const struct json_step *steps, size_t count);

#endif
