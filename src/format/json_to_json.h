/* SPDX-License-Identifier: MIT
** json_to_json.h -- JSON text to JSON text in another layout, without values in between: two sinks of the scanner; the
** documents of a text that may come in pieces, divided anywhere.
** Must hold: strict JSON is copied unchanged: strings with their escapes, numbers with all their digits, members in
** their order, including duplicates. What only a lenient grammar accepts becomes strict JSON of the same value, or
** is an error. Every value is written with a comma, which a closing bracket or the end replaces. If writing fails
** the scan stops and out->error is set. If a piece ends inside a document, reading goes back to the last value that
** ended and continues from there with the next piece. So only one string or number, and the brackets since then,
** must be kept. An error counts only if more text could not change it. */
#pragma once

#include "../json/grammar/scan.h"
#include "../json/write/write.h"
#include "../text/utf16.h"
#include "../text/utf8.h"

enum reformat_kind {
  REFORMAT_NULL,
  REFORMAT_BOOLEAN,
  REFORMAT_NUMBER,
  REFORMAT_STRING,
  REFORMAT_NAME,
  REFORMAT_BRACKET
};
/* At the beginning of the text, between documents, inside a document. */
enum reformat_where { REFORMAT_BEGIN, REFORMAT_BETWEEN, REFORMAT_INSIDE };

/* Allocates a block of n bytes, or returns NULL. The previous block for the same purpose can be read until the next
** call. */
enum reformat_memory { REFORMAT_SCRATCH, REFORMAT_MEMBERS, REFORMAT_SORTED, REFORMAT_MEMORIES };
typedef void *(*reformat_memory_fn)(void *owner, enum reformat_memory what, size_t n);

/* A member of an open object, for sorting, with offsets in the output buffer. The entry before an object's first member
** stands for the object. */
struct reformat_member {
  size_t at;      /* where it begins; for an object: `first` of the enclosing object */
  size_t name, n; /* its written name, without quotes */
  size_t bytes;   /* its length, once it has ended */
  size_t from;    /* where its name begins in the text, for canonical JSON */
};

/* The state after the last value that ended, from which reading can continue. */
struct reformat_checkpoint {
  const char *p;  /* text before it is no longer needed */
  size_t written; /* bytes in the buffer */
  uint32_t depth;
  size_t members, first;
};

struct json_to_json {
  struct json_scan scan;
  struct json_out *out;
  char *w;
  unsigned char *objects; /* bits for max_depth open containers: 1 for an object */
  int in_array;           /* the innermost container is an array */
  int strict;             /* the string just read is strict JSON in the text */
  int colors, sorts, lines;
  int more; /* there may be more text after scan.end */
  enum reformat_where where;
  size_t documents;     /* documents that have ended */
  const char *document; /* where the current one begins in the text, or NULL: before the text */
  struct reformat_checkpoint checkpoint;
  reformat_memory_fn memory;
  void *owner;
  buf_drain drain; /* or NULL: the buffer keeps everything */
  void *drain_ud;
  struct reformat_member *members, *sorted;
  size_t member_count, member_room, sorted_room;
  size_t first;      /* index of the innermost object's first member */
  const char *named; /* where the last name begins in the text */
};

enum { REFORMAT_DRAIN = 64 * 1024, REFORMAT_COLOR_ROOM = 8 };

FL_PRIVATE char *reformat_grow_scratch(void *owner, size_t n);

/* Passes the output to the drain, except for the last `keep` bytes. The buffer must not do this itself, because it does
** not know how far reading may go back. */
FL_PRIVATE_NOINLINE int reformat_drain_(struct json_to_json *k, size_t keep);

/* Marks text before p as no longer needed. If there is much output it goes to the drain, except for its last byte, the
** comma; sorting needs whole documents. */
FL_INLINE int reformat_set_checkpoint(struct json_to_json *k, const char *p) {
  const struct buffer *b = &k->out->buffer;
  if (FL_UNLIKELY(k->out->error)) return 0; /* a container could not be opened */
  if (FL_UNLIKELY(k->w - b->begin > REFORMAT_DRAIN) && k->drain && (!k->sorts || k->scan.depth == 0) &&
      !reformat_drain_(k, BUF_KEEP_TAIL))
    return 0;
  k->checkpoint.p = p;
  k->checkpoint.written = (size_t)(k->w - b->begin);
  k->checkpoint.depth = k->scan.depth;
  k->checkpoint.members = k->member_count;
  k->checkpoint.first = k->first;
  return 1;
}

/* Reads [p, scan.end). Returns how far it came: the text from there on must be passed again, with more after it if
** k->more is set. NULL with an error in scan or out. */
FL_PRIVATE const char *reformat_read(struct json_to_json *k, const char *p);

/* Reading has ended at p, and no more text will be passed, though there is more: returns whether the rest is valid as
** far as it is there. 0 with the error in the scan. */
FL_PRIVATE_NOINLINE int reformat_is_right(struct json_to_json *k, const char *p);
