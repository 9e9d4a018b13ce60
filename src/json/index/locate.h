/* SPDX-License-Identifier: MIT
** locate.h -- finds values in a strict JSON text in memory, by vectors of 64 bytes, and tests a text the same way.
** May call: base, text.
** Must hold: a valid text is never refused for its form, but both functions may refuse what they do not understand: then
** the caller reads the text with the grammar's scanner, which words the error. No recursion, no memory but that given. */
#ifndef FLEECE_JSON_INDEX_LOCATE_H
#define FLEECE_JSON_INDEX_LOCATE_H

#include "goals.h"

/* How far a reader has come in one goal; the caller gives one for each, not initialized. */
struct json_goal_state {
  const char *begin; /* of the value that is read for it */
  int64_t items;     /* values of the container so far */
  int64_t length;    /* of an array, if a child counts from its end; else -1 */
  uint32_t parent, left;
};

enum {
  JSON_LOCATE_FIRST = 1 /* of members with the same name the first counts, and reading ends when all is found; else the last */
};

/* Finds the goals in s[0..n) and stores their places, of all `count` goals, in found. Returns 1, or 0 if the text is not
** JSON on the way. What is not on the way is not tested, but for its brackets and quotes. */
FL_PRIVATE int json_locate(const struct json_goal *goals, uint32_t count, struct json_goal_state *states,
                           struct json_slice *found, const char *s, size_t n, unsigned flags);

/* The byte after the value at p, in valid JSON text that ends at `end`. */
FL_PRIVATE const char *json_after_value(const char *p, const char *end);

/* Is s[0..n) one valid JSON text (RFC 8259) in UTF-8, nested no deeper than max_depth? `containers`: max_depth bits. */
FL_PRIVATE int json_is_text(const char *s, size_t n, uint32_t max_depth, unsigned char *containers);

#endif
