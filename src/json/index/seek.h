/* SPDX-License-Identifier: MIT
** seek.h -- finds the list, an array or object, that a JSON Pointer leads to, in a text that comes in pieces.
** Must hold: what is not in the list is tested as format tests it, and nothing of it is kept. A duplicate name on the
** path is an error: readers disagree on which one counts. The scan pauses before each item of the list; the caller
** reads the item and calls json_seek_passed. */
#pragma once

#include "../../base/bits.h"
#include "../pointer.h"
#include "../grammar/scan.h"

struct json_seek {
  struct json_scan scan;
  const struct json_token *tokens;
  size_t count;
  size_t most;             /* bytes that a string or number may have */
  int is_long;             /* the number that was read has more */
  unsigned char *objects;  /* a bit for each open container: is it an object? max_depth of them */
  uint32_t on_path;        /* how many of the open containers, from outside, are on the path; count + 1: in the list */
  uint64_t items;          /* values so far in the innermost of these */
  size_t reached;          /* how many tokens have been found */
  int next;                /* the name just read is on the path */
  int found;               /* the list has begun */
  struct json_string name; /* of a member of the list, if this scan has read it, until the next one; else NULL */
};

/* Before a document. */
FL_PRIVATE void json_seek_begin(struct json_seek *k);

FL_INLINE int json_seek_in_list(const struct json_seek *k) { return k->on_path > k->count; }

/* Is an item of the list, or its end, expected? */
FL_INLINE int json_seek_at_item(const struct json_seek *k) {
  return json_seek_in_list(k) && (k->scan.expected == JSON_EXPECT_VALUE || k->scan.expected == JSON_EXPECT_FIRST_ITEM);
}

/* The caller has read the item. */
FL_INLINE void json_seek_passed(struct json_seek *k) { k->scan.expected = JSON_EXPECT_NEXT; }

/* Continues at p, up to scan.stop or to a token that the text cuts. Returns the byte after the document. NULL: an
** error, or the scan has stopped at scan.at, because the list begins there or, with scan.cut, because the token there
** continues after the end. In the list it reads one token. */
FL_PRIVATE const char *json_seek(struct json_seek *k, const char *p);
