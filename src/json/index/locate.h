/* SPDX-License-Identifier: MIT
** locate.h -- finds values in a strict JSON text in memory, and tests such a text, by vectors of 64 bytes.
** Must hold: what is accepted is valid; a valid text may be refused: the caller then reads it with the grammar's
** scanner, which also words the errors. No recursion, no memory besides the arguments. s[n] is readable. */
#pragma once

#include "goals.h"

/* What a reader knows about a goal. The caller provides one for each, uninitialized. */
struct json_goal_state {
  const char *begin; /* while it reads the goal's own value: where that begins */
  int64_t items;     /* of an array: commas so far; -1 for an object */
  int64_t length;    /* of an array, after it was read */
  uint32_t parent;
  uint32_t left; /* children that this pass may still find */
  /* Of an array: the next children to find, among those with names and those without, which are both in the order of
  ** their items; and the first one without a name. */
  uint32_t named, plain, first_plain;
  uint32_t again; /* JSON_AGAIN_: why to read the value again for its children */
  int is_shared;  /* another goal has the same value */
};

enum {
  JSON_LOCATE_TEST = 1, /* test the whole text: grammar, depth, UTF-8 */
  /* the first of equal names counts, not the last; without TEST, stop when everything is found */
  JSON_LOCATE_FIRST = 2,
  JSON_LOCATE_UNIQUE = 4 /* refuse a text with a duplicate name on the way */
};

/* In `cpu`: read short texts in blocks of 64 bytes, too, not by their members. For tests. */
#define JSON_INDEX_BLOCKS 0x200u

/* Size of the memory for the kinds of open containers. */
#define JSON_CONTAINERS(max_depth) (((size_t)(max_depth) / 64 + 1) * 8)

/* For a text in a mapped file: [from, to) was read, and its pages are not needed for now. */
typedef void (*json_release_fn)(const char *from, const char *to);

/* How to read a text. */
struct json_reading {
  unsigned flags;            /* JSON_LOCATE_ */
  unsigned cpu;              /* text_cpu(), maybe with fewer features */
  uint32_t max_depth;        /* with TEST */
  unsigned char *containers; /* with TEST: JSON_CONTAINERS(max_depth) bytes */
  json_release_fn release;   /* or NULL */
};

/* Finds goals[0..count) in s[0..n), an array or object, and stores their places in found[0..count). Returns 0 if the
** text is invalid. Without JSON_LOCATE_TEST only what is on the way is tested, and brackets and quotes elsewhere. */
FL_PRIVATE int json_locate(const struct json_goal *goals, uint32_t count, struct json_goal_state *states,
                           struct json_slice *found, const char *s, size_t n, const struct json_reading *how);

/* Finds goals in the value at p of a strict JSON text that was tested and ends at `end`, of any kind; flags: only
** JSON_LOCATE_FIRST. Returns the byte after the value. */
FL_PRIVATE const char *json_locate_value(const struct json_goal *goals, uint32_t count, struct json_goal_state *states,
                                         struct json_slice *found, const char *p, const char *end, unsigned flags,
                                         unsigned cpu);

/* Gets a value. Returns 0 to end the search. It may raise an error of its own. */
typedef int (*json_each_fn)(void *owner, const struct json_slice *value);

/* Passes the value of goals[goal] in each item of the array [s, end) to `each`, in the order of the text, in one pass.
** goals[0] is the array, goals[1] its only child, a step for each item, and the others lead from there, without steps
** that count from the end. The text is strict JSON and was tested; flags as above. Returns 0 if `each` did. */
FL_PRIVATE int json_locate_each(const struct json_goal *goals, uint32_t count, uint32_t goal,
                                struct json_goal_state *states, struct json_slice *found, const char *s,
                                const char *end, unsigned flags, unsigned cpu, json_each_fn each, void *owner);

/* Returns whether s[0..n) is a valid JSON text in UTF-8 (RFC 8259), an array or object, nested no deeper than
** max_depth, with all numbers in the range of a double. */
FL_PRIVATE int json_is_text(const char *s, size_t n, uint32_t max_depth, unsigned char *containers, unsigned cpu);

/* Returns the byte after the value at p in valid JSON text that ends at `end`. */
FL_PRIVATE const char *json_after_value(const char *p, const char *end, unsigned cpu, json_release_fn release);
