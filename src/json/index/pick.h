/* SPDX-License-Identifier: MIT
** pick.h -- finds values in a text of any grammar, byte by byte, and tests the text like decode.
** Must hold: as json/grammar/scan.h. It is the reference for locate.h, which is faster but knows only strict JSON. No
** recursion; linear in the text for each goal, and once more for each step that counts from the end. */
#pragma once

#include "../grammar/scan.h"
#include "goals.h"

enum {
  JSON_PICK_FIRST = 1, /* of members with the same name the first counts, else the last */
  /* With FIRST: stop when everything is found. A number or word is found once the byte after it shows its end. */
  JSON_PICK_STOP = 2,
  JSON_PICK_ANY_SIZE = 4 /* numbers that round to infinity are valid */
};

/* An open container on the way. */
struct json_pick_level {
  int64_t items;  /* values in it so far */
  int64_t length; /* of an array, if a goal counts from its end and its text is valid; else -1 */
  uint32_t first; /* its goals in `active` begin here */
};

struct json_pick {
  struct json_scan scan;
  /* set these: */
  const struct json_goal *goals;
  uint32_t count;
  unsigned flags;
  struct json_slice *found; /* one result for each goal */
  void *memory;             /* json_pick_bytes() bytes, aligned for int64_t */
  /* used while reading: */
  struct json_pick_level *levels;
  unsigned char *objects; /* bits for open containers: 1 for an object */
  uint32_t *active;       /* goals that are open values, by level, then those of the current value */
  uint32_t used;          /* how many; the last ones of them */
  uint32_t pending;       /* belong to the value that begins next, or the last one */
  uint32_t ending;        /* or to the value that ends */
  uint32_t missing;       /* wanted goals not found yet */
  uint32_t base, on_path; /* containers around the value that is read; these and those on the way */
  const char *stopped;    /* where reading stopped, or NULL */
};

/* Returns the size of the memory for `count` goals in a text with `depth` open containers at most. */
FL_PRIVATE size_t json_pick_bytes(uint32_t count, uint32_t depth);

/* Reads the value at p and finds the goals in it. Returns the byte after it, or where it stopped, or NULL with the
** error in k->scan. Goals that only lead to others may lack their end. */
FL_PRIVATE const char *json_pick(struct json_pick *k, const char *p);
