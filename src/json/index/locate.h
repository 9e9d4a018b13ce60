/* SPDX-License-Identifier: MIT
** locate.h -- finds values in a strict JSON text in memory, and tests such a text, by vectors of 64 bytes.
** Must hold: what they accept is right, but they may refuse a text that is valid: the caller then reads it with the
** grammar's scanner, which also words the errors. No recursion, no memory but what is given. s[n] is readable. */
#pragma once

#include "goals.h"

/* What a reader knows of one goal. The caller gives one for each, not initialized. */
struct json_goal_state {
  const char *begin; /* of the value that is its own, if it is being read */
  int64_t items;     /* of an array: commas so far; -1: it is an object */
  int64_t length;    /* of an array, once it has been read */
  uint32_t parent;
  uint32_t left;  /* children that this reading may still find */
  uint32_t again; /* JSON_AGAIN_: why the value is read again for its children */
  int is_shared;  /* its value is that of another goal too */
};

enum {
  JSON_LOCATE_TEST = 1,  /* the whole text is tested: its grammar, its depth, its UTF-8 */
  JSON_LOCATE_FIRST = 2, /* of equal names the first counts, not the last; without TEST it stops when all is found */
  JSON_LOCATE_UNIQUE = 4 /* a text in which an object has a name on the way twice is refused */
};

/* With this bit in `cpu` short texts are read by blocks of 64 bytes too, and not by their members: for tests. */
#define JSON_INDEX_BLOCKS 0x200u

/* Bytes of the memory for the kinds of open containers. */
#define JSON_CONTAINERS(max_depth) (((size_t)(max_depth) / 64 + 1) * 8)

/* Of a text in a mapped file: [from, to) was read, and its pages are not needed for now. */
typedef void (*json_release_fn)(const char *from, const char *to);

/* How a text is read. */
struct json_reading {
  unsigned flags;            /* JSON_LOCATE_ */
  unsigned cpu;              /* text_cpu(), or less */
  uint32_t max_depth;        /* with TEST */
  unsigned char *containers; /* with TEST: JSON_CONTAINERS(max_depth) bytes */
  json_release_fn release;   /* NULL: none */
};

/* Finds goals[0..count) in s[0..n), an array or object, and stores their places in found[0..count). Returns 1, or 0 if
** it is not a valid text. Without JSON_LOCATE_TEST only what is on the way is tested, and brackets and quotes of the
** rest. */
FL_PRIVATE int json_locate(const struct json_goal *goals, uint32_t count, struct json_goal_state *states,
                           struct json_slice *found, const char *s, size_t n, const struct json_reading *how);

/* Is s[0..n) a valid JSON text in UTF-8 (RFC 8259), an array or object, nested no deeper than max_depth, whose numbers
** are all in the range of a double? */
FL_PRIVATE int json_is_text(const char *s, size_t n, uint32_t max_depth, unsigned char *containers, unsigned cpu);

/* The byte after the value at p, in valid JSON text that ends at `end`. */
FL_PRIVATE const char *json_after_value(const char *p, const char *end, unsigned cpu, json_release_fn release);
