/* SPDX-License-Identifier: MIT
** seek.h -- finds the list, an array or object, that a JSON Pointer leads to, in a text that comes in pieces.
** Must hold: what is outside the list is tested like by format, and nothing of it is kept. A duplicate name on the path
** is an error: readers disagree on which one counts. The scan pauses before each item of the list; the caller reads the
** item and calls json_seek_passed. */
#pragma once

#include "../pointer.h"
#include "../grammar/scan.h"

struct json_seek {
  struct json_scan scan;
  const struct json_token *tokens;
  size_t count;
  size_t most;             /* limit for the bytes of a string or number */
  int is_long;             /* a string or number exceeded it */
  unsigned char *objects;  /* bits for max_depth open containers: 1 for an object */
  uint32_t on_path;        /* number of open containers that are on the path; count + 1 in the list */
  uint64_t items;          /* values so far in the innermost of these */
  size_t reached;          /* tokens of the pointer found so far */
  int next;                /* the name just read is on the path */
  int found;               /* the list has begun */
  struct json_string name; /* of a member of the list, if this scan has read it, until the next member; else NULL */
};

/* Prepares for a document. */
FL_PRIVATE void json_seek_begin(struct json_seek *k);

FL_INLINE int json_seek_in_list(const struct json_seek *k) { return k->on_path > k->count; }

/* Returns whether an item of the list, or its end, is expected. */
FL_INLINE int json_seek_at_item(const struct json_seek *k) {
  return json_seek_in_list(k) && (k->scan.expected == JSON_EXPECT_VALUE || k->scan.expected == JSON_EXPECT_FIRST_ITEM);
}

/* Call this after reading an item. */
FL_INLINE void json_seek_passed(struct json_seek *k) { k->scan.expected = JSON_EXPECT_NEXT; }

/* Continues at p, up to scan.stop or to a token that is incomplete; in the list it reads one token. Returns the byte
** after the document. NULL after an error, or if the scan stopped at scan.at, because the list begins there or, with
** scan.cut, because the token there is incomplete. */
FL_PRIVATE const char *json_seek(struct json_seek *k, const char *p);
