/* SPDX-License-Identifier: MIT
** pick.h -- finds values in a text of any grammar, byte by byte, and tests the text as decode does.
** Must hold: as json/grammar/scan.h. It is the model of locate.h, which is faster and knows only strict JSON. No
** recursion; linear in the text for each goal, and once more for each step of a path that counts from the end. */
#pragma once

#include "../../base/bits.h"
#include "../grammar/scan.h"
#include "goals.h"

enum {
  JSON_PICK_FIRST = 1, /* of members with the same name the first counts; else the last */
  /* With FIRST: reading ends when all is found. A number or word is found when the byte after it has shown that it ends
  ** there. */
  JSON_PICK_STOP = 2,
  JSON_PICK_ANY_SIZE = 4 /* numbers that round to infinity are no error */
};

/* An open container on the way. */
struct json_pick_level {
  int64_t items;  /* values of it so far */
  int64_t length; /* of an array, if a goal counts from its end and its text is right; else -1 */
  uint32_t first; /* `active` has the goals that it is from here on */
};

struct json_pick {
  struct json_scan scan;
  /* set by the caller: */
  const struct json_goal *goals;
  uint32_t count;
  unsigned flags;
  struct json_slice *found; /* results, one for each goal */
  void *memory;             /* json_pick_bytes() of it, aligned for int64_t */
  /* while it reads: */
  struct json_pick_level *levels;
  unsigned char *objects; /* a bit for each open container: is it an object? */
  uint32_t *active;       /* the goals that are open values, by levels, and those that are the value at hand */
  uint32_t used;          /* how many; of them the last */
  uint32_t pending;       /* are the value that begins next, or the last */
  uint32_t ending;        /* the value that ends */
  uint32_t missing;       /* wanted goals that are not found */
  uint32_t base, on_path; /* containers around the value that is read, and with those on the way */
  const char *stopped;    /* the byte where reading has stopped; NULL: it has not */
};

/* The memory for `count` goals, in a text where `depth` containers may be open. */
FL_PRIVATE size_t json_pick_bytes(uint32_t count, uint32_t depth);

/* Reads the value at p and finds the goals in it. Returns the byte after it, or where it has stopped, or NULL: the
** error is in k->scan. Goals that are only on the way may lack their end. */
FL_PRIVATE const char *json_pick(struct json_pick *k, const char *p);
