/* SPDX-License-Identifier: MIT
** members.h -- tests a short text of strict JSON, and notes the members of its outermost container in the same pass.
** Must hold: what is accepted is right; what is refused may be valid (it may be nested deeper than JSON_MEMBERS_DEPTH,
** or have a number that could be too large for a double): then the caller reads it another way, which also words the
** errors. */
#pragma once

#include "../../base/def.h"

enum {
  JSON_MEMBERS_BYTES = 1024, /* of the longest text */
  JSON_MEMBERS_SHORT = 255,  /* the same, if the places of members are to fit in one byte each */
  JSON_MEMBERS_DEPTH = 63
};

/* A member or item, by distances from the begin of its container. The name is the text between its quotes; items have
** none. */
struct json_member {
  uint32_t name, name_length, begin, end;
};

struct json_short_member {
  uint8_t name, name_length, begin, end;
};

struct json_members {
  /* set by the caller: */
  void *items;   /* json_member, or json_short_member if is_short */
  uint32_t room; /* not 0 */
  int is_short;
  /* results: */
  uint32_t count;
  int lost; /* there are more members than there is room for, or names with escapes: `items` does not hold them all */
  int has_escapes; /* somewhere in the text */
};

/* Reads the value at s, whose text is [s, end): an array or object without white space around it. `cpu`: see
** json_locate. False: see above, or it is too long. */
FL_PRIVATE int json_read_members(struct json_members *k, const char *s, const char *end, uint32_t max_depth,
                                 unsigned cpu);
