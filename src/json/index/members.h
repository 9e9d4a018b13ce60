/* SPDX-License-Identifier: MIT
** members.h -- tests a short text of strict JSON and lists the members of its outermost container in the same pass.
** Must hold: what is accepted is valid. A valid text may be refused, if it is nested deeper than JSON_MEMBERS_DEPTH or
** has a number that could be too large for a double: then the caller reads it another way, which words the errors. */
#pragma once

#include "../../base/def.h"

enum {
  JSON_MEMBERS_BYTES = 1024, /* longest text */
  JSON_MEMBERS_SHORT = 255,  /* longest text whose offsets fit in one byte each */
  JSON_MEMBERS_DEPTH = 63
};

/* A member or item by offsets from the beginning of its container. The name is the text between its quotes; items have
** none. */
struct json_member {
  uint32_t name, name_length, begin, end;
};

struct json_short_member {
  uint8_t name, name_length, begin, end;
};

struct json_members {
  /* set these: */
  void *items;   /* json_member, or json_short_member with is_short */
  uint32_t room; /* must not be 0 */
  int is_short;
  /* results: */
  uint32_t count;
  int lost;        /* `items` is incomplete: there was no room, or names have escapes */
  int has_escapes; /* anywhere in the text */
};

/* Reads the value with the text [s, end): an array or object without white space around it. `cpu`: see json_locate.
** Returns 0 if the text is refused or too long. */
FL_PRIVATE int json_read_members(struct json_members *k, const char *s, const char *end, uint32_t max_depth,
                                 unsigned cpu);
