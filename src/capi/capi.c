/* SPDX-License-Identifier: MIT */
#include "capi.h"
#include "../module/version.h" /* the compiler complains if the public header has another version */

enum { CAPI_DEPTH = 1000, CAPI_DEPTH_LIMIT = 10000000 };
#define CAPI_FLAGS UINT32_C(0x7fffff3f) /* all of enum fleece_flags */

#define X(name, word) FL_STATIC_ASSERT((int)FLEECE_KIND_##name == (int)FL_KIND_##name, kind_##name##_has_its_number);
FL_KINDS(X)
#undef X

FL_PRIVATE_NOINLINE int capi_error(fleece_error *error, int status, const char *message, size_t offset) {
  static const unsigned char kinds[] = {FL_KIND_NONE,     FL_KIND_MEMORY, FL_KIND_ARGUMENT, FL_KIND_SYNTAX,
                                        FL_KIND_SYNTAX,   FL_KIND_LIMIT,  FL_KIND_TYPE,     FL_KIND_KEYS,
                                        FL_KIND_ARGUMENT, FL_KIND_CHANGE, FL_KIND_SYNTAX,   FL_KIND_IO,
                                        FL_KIND_IO,       FL_KIND_HOOK,   FL_KIND_CHANGE,   FL_KIND_SCHEMA,
                                        FL_KIND_INVALID}; /* of the statuses, where nothing finer is known */
  if (!error) return status;
  memset(error, 0, sizeof *error);
  error->status = status;
  error->message = message;
  error->offset = offset;
  error->index = FLEECE_NOWHERE;
  error->kind = kinds[status];
  return status;
}

FL_PRIVATE int capi_set_kind(fleece_error *error, int status, enum fl_kind kind) {
  if (error) error->kind = (int)kind;
  return status;
}

FL_PRIVATE int capi_bad_argument(fleece_error *error, const char *message) {
  return capi_error(error, FLEECE_ERROR_ARGUMENT, message, FLEECE_NOWHERE);
}

FL_PRIVATE int capi_no_memory(fleece_error *error) {
  return capi_error(error, FLEECE_ERROR_MEMORY, "not enough memory", FLEECE_NOWHERE);
}

FL_PRIVATE int capi_begin_out(fleece_bytes *out, fleece_error *error) {
  if (!out) return capi_bad_argument(error, "there is no output"), 0;
  out->size = 0;
  return 1;
}

FL_PRIVATE int capi_binary_status(int error) {
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

FL_PRIVATE int capi_binary_error(fleece_error *error, int what, size_t offset) {
  return capi_set_kind(error, capi_error(error, capi_binary_status(what), bin_message(what), offset), bin_kind(what));
}

FL_PRIVATE int capi_text_error(fleece_error *error, enum fl_error what) {
  const char *message = "number is infinite";
  enum fl_kind kind = FL_KIND_NUMBER;
  switch (what) {
  case FL_ERROR_MEMORY: return capi_no_memory(error);
  case FL_ERROR_SINK: return capi_error(error, FLEECE_ERROR_WRITER, "the writer has refused", FLEECE_NOWHERE);
  case FL_ERROR_CODE: return capi_binary_error(error, BIN_ERROR_KEYS, FLEECE_NOWHERE);
  case FL_ERROR_BYTES: return capi_binary_error(error, BIN_ERROR_BYTES, FLEECE_NOWHERE);
  case FL_ERROR_KEY_UTF8: message = "invalid UTF-8 in a name", kind = FL_KIND_UTF8; break;
  case FL_ERROR_UTF8: message = "invalid UTF-8", kind = FL_KIND_UTF8; break;
  default: break;
  }
  return capi_set_kind(error, capi_error(error, FLEECE_ERROR_VALUE, message, FLEECE_NOWHERE), kind);
}

FL_PRIVATE void capi_set_place(fleece_error *error, const char *begin, const char *end, const char *at) {
  struct json_where where;
  FL_ASSERT(at >= begin && at <= end);
  if (!error) return;
  json_where(begin, end, at, &where);
  error->offset = (size_t)(at - begin);
  error->line = where.line, error->column = where.column;
}

FL_PRIVATE int capi_json_error(fleece_error *error, int what, const char *begin, const char *end, const char *at) {
  const int status = what == JSON_CHECK_MEMORY  ? FLEECE_ERROR_MEMORY
                     : what == JSON_CHECK_DEPTH ? FLEECE_ERROR_LIMIT
                     : what == JSON_CHECK_NAN   ? FLEECE_ERROR_VALUE
                                                : FLEECE_ERROR_JSON;
  capi_error(error, status, json_check_message(what), FLEECE_NOWHERE);
  capi_set_place(error, begin, end, at);
  return capi_set_kind(error, status, json_check_kind(what));
}

FL_PRIVATE int capi_options(const fleece_options *from, fleece_options *o, fleece_error *error) {
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

FL_PRIVATE void *capi_realloc(void *ud, void *block, size_t old_size, size_t new_size) {
  (void)ud, (void)old_size;
  if (new_size) return realloc(block, new_size);
  free(block);
  return NULL;
}

FL_PRIVATE void *capi_new(const fleece_allocator *memory, size_t n, fleece_error *error) {
  void *block = memory->alloc(memory->ud, NULL, 0, n);
  if (!block) return capi_no_memory(error), NULL;
  return memset(block, 0, n);
}

FL_PRIVATE void capi_free_bytes(fleece_bytes *b) {
  if (!b) return;
  const fleece_allocator memory = capi_memory(&b->allocator);
  capi_free(&memory, b->data, b->room);
  b->data = NULL;
  b->size = b->room = 0;
}

FL_PRIVATE void capi_borrow_buffer(fleece_bytes *out, struct buffer *b) {
  const fleece_allocator memory = capi_memory(&out->allocator);
  if (out->room <= BUF_SLACK) capi_free_bytes(out); /* fleece_bytes_fit has made it shorter */
  buf_init(b, memory.alloc, memory.ud);
  if (out->data) b->begin = out->data, b->end = out->data + (out->room - BUF_SLACK);
  out->data = NULL;
  out->size = out->room = 0;
}

FL_PRIVATE int capi_return_buffer(fleece_bytes *out, struct buffer *b, char *end) {
  FL_ASSERT(!out->data && out->room == 0 && (!end || end >= b->begin));
  if (end) end = buf_reserve(b, end, 1);
  if (end) *end = 0;
  out->data = b->begin;
  out->room = buf_capacity(b);
  out->size = end ? (size_t)(end - b->begin) : 0;
  b->begin = b->end = NULL;
  return end != NULL;
}
