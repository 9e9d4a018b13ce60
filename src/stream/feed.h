/* SPDX-License-Identifier: MIT
** feed.h -- gives a scan in parts the text of a source that comes in pieces.
** Must hold: as documents.h. Only a token at the end of a piece and one piece are in memory, and each byte of a
** token is read once, however many pieces it comes in. */
#pragma once

#include "../json/grammar/scan.h"
#include "documents.h"

/* Upvalues of an iterator, after those of one over documents: the memory of the scan's scratch. */
enum { MOD_FEED_SCRATCH = MOD_ITERATOR_UPVALUES + 1, MOD_FEED_UPVALUES = MOD_FEED_SCRATCH };

struct mod_feed {
  struct mod_documents s; /* first, because documents.h expects it at MOD_DOCUMENTS */
  struct json_scan *scan;
  lua_State *L;   /* of this call */
  int separators; /* documents may be separated as in RFC 7464 */
  int inside;     /* a document has begun */
  /* About the unconsumed rest of the text: */
  int waits;             /* it begins with a token that continues after it */
  size_t looked, safe;   /* bytes scanned; bytes that are complete, in grammars with comments */
  struct json_part part; /* the token or comment in which they end */
  int in_comment;        /* between two tokens, a comment continues after the text */
  struct json_part skip; /* the state of that comment */
};

FL_INLINE int mod_feed_is_wide(const struct mod_feed *f) { return (f->scan->grammar & JSON_WIDE_SPACE) != 0; }

/* Moves the beginning of the rest by n bytes, to a position outside strings and comments. */
FL_PRIVATE void mod_feed_shift(struct mod_feed *f, size_t n);

/* Consumes n bytes of the text. */
FL_PRIVATE void mod_feed_consume(struct mod_feed *f, size_t n);

/* Returns where the rest of the text begins in the stream. */
FL_INLINE size_t mod_feed_offset(const struct mod_feed *f) { return f->s.base.bytes + f->s.taken; }

/* Scans new text for the end of a token. Returns whether reading can continue. */
FL_PRIVATE int mod_feed_look_ahead(struct mod_feed *f);

/* json_scan.grow; its owner is the mod_feed. */
FL_PRIVATE char *mod_feed_grow(void *owner, size_t n);

/* Ends a call that has failed, by an error of this scan, or else of the source. */
FL_PRIVATE_NOINLINE int mod_feed_error_(const struct mod_feed *f, struct mod_decode *d, const struct json_scan *scan);

/* Reads pieces until the scan can continue, and sets its text. Returns 0 after an error, in the scan or s, or with a
** message on the stack. */
FL_PRIVATE int mod_feed_load_text(struct mod_feed *f);

/* Between documents: skips to the next one, or to the end of the text. Comments in the text must be complete. Returns 0
** after an error. */
FL_PRIVATE int mod_feed_begin_document(struct mod_feed *f);

/* After the scan has ended at p: makes that the beginning of the rest, which may be an incomplete token. */
FL_INLINE void mod_feed_leave(struct mod_feed *f, const char *p) {
  mod_feed_consume(f, (size_t)(p - (f->s.text + f->s.taken)));
  if (!f->inside || !f->scan->cut || mod_feed_is_wide(f)) return;
  f->waits = 1;
  (void)mod_feed_look_ahead(f);
}
