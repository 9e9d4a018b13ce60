/* SPDX-License-Identifier: MIT
** capi.h -- what all functions of the C interface share: options, errors, the caller's memory.
** May call: the public header, base, json, binary.
** Must hold: only the headers in include/ define what a caller may rely on. Exported functions are declared there, as
** FLEECE_API; all others are static, so that both libraries can be linked into one program. */
#ifndef FLEECE_CAPI_CAPI_H
#define FLEECE_CAPI_CAPI_H

#include <stdlib.h>

#include "../../include/fleece.h"
#include "../base/buffer.h"
#include "../base/error.h"
#include "../binary/delta/errors.h"
#include "../binary/encode/keys.h"
#include "../binary/read/read.h"
#include "../json/grammar/check_string.h"
#include "../json/grammar/where.h"
#include "../module/core/version.h" /* the compiler complains if the public header has another version */

enum { CAPI_DEPTH = 1000, CAPI_DEPTH_LIMIT = 10000000 };
#define CAPI_FLAGS UINT32_C(0x73ff33f) /* all of enum fleece_flags */

struct fleece_keys {
  struct bin_keys keys; /* first */
  fleece_allocator memory;
};

struct fleece_doc {
  struct bin_doc doc; /* first, so that a pointer to it can be cast to fleece_doc */
  fleece_allocator memory;
  void *copy, *map; /* bytes that belong to the document, or NULL */
  size_t copy_bytes, map_bytes;
};

/* ------------------------------------------------------------------------------------- errors */

/* Fills *error unless `error` is NULL; returns the status. */
FL_NOINLINE int capi_error(fleece_error *error, int status, const char *message, size_t offset) {
  if (!error) return status;
  memset(error, 0, sizeof *error);
  error->status = status;
  error->message = message;
  error->offset = offset;
  return status;
}

FL_INLINE int capi_ok(fleece_error *error) {
  return FL_UNLIKELY(error != NULL) ? capi_error(error, FLEECE_OK, "", FLEECE_NOWHERE) : FLEECE_OK;
}

FL_FUNC int capi_bad_argument(fleece_error *error, const char *message) {
  return capi_error(error, FLEECE_ERROR_ARGUMENT, message, FLEECE_NOWHERE);
}

FL_FUNC int capi_no_memory(fleece_error *error) {
  return capi_error(error, FLEECE_ERROR_MEMORY, "not enough memory", FLEECE_NOWHERE);
}

/* The message of an error of binary/check/errors.h or binary/delta/errors.h. */
FL_FUNC const char *capi_binary_message(int error) {
  static const char *const messages[] = {
#define X(code, message) message,
      BIN_ERRORS(X)
#undef X
  };
  static const char *const of_deltas[] = {
#define X(code, message) message,
      BIN_DELTA_ERRORS(X)
#undef X
  };
  FL_ASSERT(error >= 0 && error < BIN_DELTA_ERROR_FIRST + (int)(sizeof of_deltas / sizeof *of_deltas));
  FL_ASSERT(error >= BIN_DELTA_ERROR_FIRST || error < (int)(sizeof messages / sizeof *messages));
  return error < BIN_DELTA_ERROR_FIRST ? messages[error] : of_deltas[error - BIN_DELTA_ERROR_FIRST];
}

FL_FUNC int capi_binary_status(int error) {
  if (error >= BIN_DELTA_ERROR_FIRST) return FLEECE_ERROR_DELTA;
  switch (error) {
  case BIN_ERROR_NONE: return FLEECE_OK;
  case BIN_ERROR_MEMORY: return FLEECE_ERROR_MEMORY;
  case BIN_ERROR_DEPTH:
  case BIN_ERROR_EXPANSION:
  case BIN_ERROR_VALUES:
  case BIN_ERROR_BYTES:
  case BIN_ERROR_REACH: return FLEECE_ERROR_LIMIT;
  case BIN_ERROR_CODE:
  case BIN_ERROR_KEYS: return FLEECE_ERROR_KEYS;
  case BIN_ERROR_NAN: return FLEECE_ERROR_VALUE;
  default: return error >= BIN_ERROR_STATE_TWO ? FLEECE_ERROR_ORDER : FLEECE_ERROR_BINARY;
  }
}

FL_FUNC int capi_binary_error(fleece_error *error, int what, size_t offset) {
  return capi_error(error, capi_binary_status(what), capi_binary_message(what), offset);
}

/* An error of the writers of JSON. */
FL_FUNC int capi_text_error(fleece_error *error, enum fl_error what) {
  switch (what) {
  case FL_ERROR_MEMORY: return capi_no_memory(error);
  case FL_ERROR_SINK: return capi_error(error, FLEECE_ERROR_WRITER, "the writer has refused", FLEECE_NOWHERE);
  case FL_ERROR_CODE: return capi_binary_error(error, BIN_ERROR_KEYS, FLEECE_NOWHERE);
  case FL_ERROR_BYTES: return capi_binary_error(error, BIN_ERROR_BYTES, FLEECE_NOWHERE);
  case FL_ERROR_KEY_UTF8: return capi_error(error, FLEECE_ERROR_VALUE, "invalid UTF-8 in a name", FLEECE_NOWHERE);
  case FL_ERROR_UTF8: return capi_error(error, FLEECE_ERROR_VALUE, "invalid UTF-8", FLEECE_NOWHERE);
  default: return capi_error(error, FLEECE_ERROR_VALUE, "number is infinite", FLEECE_NOWHERE);
  }
}

/* An error in a text that was read. */
FL_FUNC int capi_json_error(fleece_error *error, int what, const char *begin, const char *end, const char *at) {
  const int status = what == JSON_CHECK_MEMORY  ? FLEECE_ERROR_MEMORY
                     : what == JSON_CHECK_DEPTH ? FLEECE_ERROR_LIMIT
                     : what == JSON_CHECK_NAN   ? FLEECE_ERROR_VALUE
                                                : FLEECE_ERROR_JSON;
  struct json_where where;
  FL_ASSERT(at >= begin && at <= end);
  if (!error) return status;
  json_where(begin, end, at, &where);
  capi_error(error, status, json_check_message(what), (size_t)(at - begin));
  error->line = where.line, error->column = where.column;
  return status;
}

/* ------------------------------------------------------------------------------------- options */

/* Copies the caller's options, or the defaults. False: *error says which one is wrong. */
FL_FUNC int capi_options(const fleece_options *from, fleece_options *o, fleece_error *error) {
  if (!from) {
    memset(o, 0, sizeof *o);
  } else {
    *o = *from;
    if (o->flags & ~CAPI_FLAGS || o->reserved[0]) return capi_bad_argument(error, "unknown option"), 0;
    if (o->max_depth > CAPI_DEPTH_LIMIT) return capi_bad_argument(error, "max_depth is above 10000000"), 0;
  }
  if (!o->max_depth) o->max_depth = CAPI_DEPTH;
  return 1;
}

/* ------------------------------------------------------------------------------------- memory */

FL_FUNC void *capi_realloc(void *ud, void *block, size_t old_size, size_t new_size) {
  (void)ud, (void)old_size;
  if (new_size) return realloc(block, new_size);
  free(block);
  return NULL;
}

FL_INLINE fleece_allocator capi_memory(const fleece_allocator *a) {
  fleece_allocator usual = {capi_realloc, NULL};
  return a && a->alloc ? *a : usual;
}

/* A new object of n zero bytes; NULL: no memory, and *error says so. */
FL_FUNC void *capi_new(const fleece_allocator *memory, size_t n, fleece_error *error) {
  void *block = memory->alloc(memory->ud, NULL, 0, n);
  if (!block) return capi_no_memory(error), NULL;
  return memset(block, 0, n);
}

FL_INLINE void capi_free(const fleece_allocator *memory, void *block, size_t n) {
  if (block) memory->alloc(memory->ud, block, n, 0);
}

/* ------------------------------------------------------------------------------------- output */

FL_FUNC void capi_free_bytes(fleece_bytes *b) {
  const fleece_allocator memory = capi_memory(&b->allocator);
  capi_free(&memory, b->data, b->room);
  b->data = NULL;
  b->size = b->room = 0;
}

/* Moves the memory of `out` into a buffer with the same allocator; `out` is empty until capi_return_buffer. */
FL_FUNC void capi_borrow_buffer(fleece_bytes *out, struct buffer *b) {
  const fleece_allocator memory = capi_memory(&out->allocator);
  if (out->room <= BUF_SLACK) capi_free_bytes(out); /* fleece_bytes_fit has shortened it */
  buf_init(b, memory.alloc, memory.ud);
  if (out->data) b->begin = out->data, b->end = out->data + (out->room - BUF_SLACK);
  out->data = NULL;
  out->size = out->room = 0;
}

/* Moves the buffer's memory, written up to `end`, into `out`, with a 0 after it. False: no memory, or `end` is NULL. */
FL_FUNC int capi_return_buffer(fleece_bytes *out, struct buffer *b, char *end) {
  FL_ASSERT(!out->data && out->room == 0 && (!end || end >= b->begin));
  if (end) end = buf_reserve(b, end, 1);
  if (end) *end = 0;
  out->data = b->begin;
  out->room = buf_capacity(b);
  out->size = end ? (size_t)(end - b->begin) : 0;
  b->begin = b->end = NULL;
  return end != NULL;
}

/* ------------------------------------------------------------------------------------- values */

FL_INLINE fleece_value capi_value(const fleece_doc *doc, bin_value at) {
  fleece_value v;
  FL_ASSERT(!at || doc);
  v.at = at;
  v.doc = at ? doc : NULL;
  return v;
}
FL_INLINE fleece_value capi_none(void) { return capi_value(NULL, NULL); }
FL_INLINE bin_value capi_at(fleece_value v) { return (bin_value)v.at; }
FL_INLINE int capi_is(fleece_value v, enum bin_tag tag) {
  return FL_LIKELY(v.at != NULL) && bin_tag(capi_at(v)) == tag;
}
FL_INLINE size_t capi_bytes(const fleece_doc *d) { return (size_t)(d->doc.end - d->doc.begin); }

#endif
