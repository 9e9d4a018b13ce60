/* SPDX-License-Identifier: MIT
** state.h -- what json_to_json.h knows while it reads and writes.
** May call: json/grammar/scan.h, json/write/write.h.  Must hold: nothing; plain data. */
#ifndef FLEECE_CONVERT_JSON_TO_JSON_STATE_H
#define FLEECE_CONVERT_JSON_TO_JSON_STATE_H

#include "../../json/grammar/span.h"
#include "../../json/write/write.h"

enum reformat_kind {
  REFORMAT_NULL,
  REFORMAT_BOOLEAN,
  REFORMAT_NUMBER,
  REFORMAT_STRING,
  REFORMAT_NAME,
  REFORMAT_BRACKET
};
enum reformat_where {
  REFORMAT_BEGIN,
  REFORMAT_BETWEEN,
  REFORMAT_INSIDE
}; /* of the whole text, of documents, of a document */

/* Memory that the caller gives: a block of n bytes, or NULL. The one it gave before for the same purpose can be read
** until the next call. */
enum reformat_memory { REFORMAT_SCRATCH, REFORMAT_MEMBERS, REFORMAT_SORTED, REFORMAT_MEMORIES };
typedef void *(*reformat_more)(void *owner, enum reformat_memory what, size_t n);

/* A member of an open object, for sorting: places in the output buffer. Or, before the first, the object itself. */
struct reformat_member {
  size_t at;      /* where it begins; of the object: the number of the first member of the object around it */
  size_t name, n; /* its name as it is written, without quotes */
  size_t bytes;   /* its length, once it has ended */
};

/* What has been read so far. */
struct reformat_part {
  const char *p;  /* text before is done with */
  size_t written; /* bytes in the buffer */
  uint32_t depth;
  size_t members, first; /* of sorting */
};

struct json_to_json {
  struct json_scan scan;
  struct json_out *out;
  char *w;
  unsigned char *objects; /* a bit for each open container: is it an object? max_depth of them */
  int in_array;           /* the innermost is an array */
  int strict;             /* the string just read is in the text as it stands */
  int colors, sorts, lines;
  int more; /* text may come behind the end */
  enum reformat_where where;
  size_t documents;     /* that have ended */
  const char *document; /* where the one that is read begins in the text; NULL: before it */
  struct reformat_part part;
  reformat_more memory;
  void *owner;
  buf_drain drain; /* NULL: the buffer keeps all */
  void *drain_ud;
  struct reformat_member *members, *sorted;
  size_t member_count, member_room, sorted_room, first; /* first: of the innermost object's */
};

enum { REFORMAT_DRAIN = 64 * 1024, REFORMAT_COLOR_ROOM = 8 };

#endif
