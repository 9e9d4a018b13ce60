/* SPDX-License-Identifier: MIT
** capi.h -- what all functions of the C interface share: options, errors, the caller's memory.
** Must hold: only the headers in include/ define what a caller may rely on. Exported functions are declared there,
** as FLEECE_API; all others are static, so that both libraries can be linked into one program. */
#pragma once

#include <stdlib.h>
#include "../../include/fleece.h"
#include "../base/buffer.h"
#include "../base/error.h"
#include "../binary/delta/errors.h"
#include "../binary/read/read.h"
#include "../json/tokens/tokens.h"
#include "../json/grammar/where.h"
#include "../files/append.h"

struct fleece_keys {
  struct bin_keys keys; /* first member */
  fleece_allocator memory;
};

struct fleece_doc {
  struct bin_doc doc; /* first, so that a pointer to it can be cast to fleece_doc */
  fleece_allocator memory;
  void *copy, *map; /* bytes that belong to the document, or NULL */
  size_t copy_bytes, map_bytes;
  struct fleece_keys *keys;   /* keys of a file with names, or NULL */
  struct append_state stored; /* of a file with frames; otherwise frames.parts is 0 */
  unsigned stored_names;      /* number of names in the file */
};

/* Sets *error unless `error` is NULL. Returns the status. */
FL_PRIVATE_NOINLINE int capi_error(fleece_error *error, int status, const char *message, size_t offset);

/* Sets the kind, where it says more than the status. Returns the status. */
FL_PRIVATE int capi_set_kind(fleece_error *error, int status, enum fl_kind kind);

FL_INLINE int capi_ok(fleece_error *error) {
  return FL_UNLIKELY(error != NULL) ? capi_error(error, FLEECE_OK, "", FLEECE_NOWHERE) : FLEECE_OK;
}

FL_PRIVATE int capi_bad_argument(fleece_error *error, const char *message);
FL_PRIVATE int capi_no_memory(fleece_error *error);

/* Empties `out`. Returns 0 with *error set if it is NULL. */
FL_PRIVATE int capi_begin_out(fleece_bytes *out, fleece_error *error);

FL_PRIVATE int capi_binary_status(int error);
FL_PRIVATE int capi_binary_error(fleece_error *error, int what, size_t offset);

/* Reports an error of the writers of JSON. */
FL_PRIVATE int capi_text_error(fleece_error *error, enum fl_error what);

/* Adds to an error its place in a text. */
FL_PRIVATE void capi_set_place(fleece_error *error, const char *begin, const char *end, const char *at);

/* Reports an error in a text that was read. */
FL_PRIVATE int capi_json_error(fleece_error *error, int what, const char *begin, const char *end, const char *at);

/* Copies the caller's options, or the defaults. Returns 0 with *error set if one is invalid. */
FL_PRIVATE int capi_options(const fleece_options *from, fleece_options *o, fleece_error *error);

FL_PRIVATE void *capi_realloc(void *ud, void *block, size_t old_size, size_t new_size);

FL_INLINE fleece_allocator capi_memory(const fleece_allocator *a) {
  fleece_allocator usual = {capi_realloc, NULL};
  return a && a->alloc ? *a : usual;
}

/* Returns a new object of n zero bytes, or NULL with *error set if out of memory. */
FL_PRIVATE void *capi_new(const fleece_allocator *memory, size_t n, fleece_error *error);

FL_INLINE void capi_free(const fleece_allocator *memory, void *block, size_t n) {
  if (block) memory->alloc(memory->ud, block, n, 0);
}

FL_PRIVATE void capi_free_bytes(fleece_bytes *b);

/* Moves the memory of `out` into a buffer with the same allocator; `out` is empty until capi_return_buffer. */
FL_PRIVATE void capi_borrow_buffer(fleece_bytes *out, struct buffer *b);

/* Moves the buffer's memory, written up to `end`, into `out`, with a 0 after it. Returns 0 if out of memory, or if
** `end` is NULL. */
FL_PRIVATE int capi_return_buffer(fleece_bytes *out, struct buffer *b, char *end);

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
  return FL_LIKELY(v.at != NULL) && bin_tag(capi_at(v)) == (unsigned)tag;
}

FL_INLINE size_t capi_bytes(const fleece_doc *d) { return (size_t)(d->doc.end - d->doc.begin); }
