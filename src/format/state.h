/* SPDX-License-Identifier: MIT
** state.h -- the state of a reformatting.
** Must hold: nothing; plain data. */
#pragma once

#include "../json/grammar/span.h"
#include "../json/write/write.h"

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
  size_t at;      /* where it begins; for an object: `first` of the object around it */
  size_t name, n; /* its name as it is written, without quotes */
  size_t bytes;   /* its length, once it has ended */
  size_t from;    /* where its name begins in the text, for canonical JSON */
};

/* The state after the last value that ended: reading can continue from there. */
struct reformat_checkpoint {
  const char *p;  /* text before it is not needed any more */
  size_t written; /* bytes in the buffer */
  uint32_t depth;
  size_t members, first;
};

struct json_to_json {
  struct json_scan scan;
  struct json_out *out;
  char *w;
  unsigned char *objects; /* a bit for each open container: is it an object? There are max_depth bits. */
  int in_array;           /* the innermost container is an array */
  int strict;             /* the string just read is strict JSON in the text */
  int colors, sorts, lines;
  int more; /* there may be more text after scan.end */
  enum reformat_where where;
  size_t documents;     /* that have ended */
  const char *document; /* where the current one begins in the text; NULL: before the text */
  struct reformat_checkpoint checkpoint;
  reformat_memory_fn memory;
  void *owner;
  buf_drain drain; /* NULL: the buffer keeps everything */
  void *drain_ud;
  struct reformat_member *members, *sorted;
  size_t member_count, member_room, sorted_room;
  size_t first;      /* the number of the innermost object's first member */
  const char *named; /* where the name that was read last begins in the text */
};

enum { REFORMAT_DRAIN = 64 * 1024, REFORMAT_COLOR_ROOM = 8 };
