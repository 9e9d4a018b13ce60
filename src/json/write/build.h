/* SPDX-License-Identifier: MIT
** build.h -- writes a JSON text value by value, and refuses what would not be JSON.
** Must hold: each function returns NULL, or what is wrong; then nothing was written or changed. If that is
** json_build_failed, the reason is out->error. The text has no white space; the owner takes it from the buffer. */
#pragma once

#include "../../base/bits.h"
#include "write.h"

struct json_build {
  struct json_out *out;
  size_t used;            /* bytes of text in its buffer */
  unsigned char *objects; /* bits for max_depth open containers: 1 for an object */
  uint32_t depth;
  int first;   /* the innermost container is empty */
  int has_key; /* it is an object, and its last key has no value yet */
  int ended;   /* the whole value has ended */
};

FL_ONE_OBJECT const char json_build_failed[1] = "";

/* Begins a text. The buffer has its first block; `objects` has style->max_depth bits. */
FL_INLINE void json_build_begin(struct json_build *b, struct json_out *out, unsigned char *objects) {
  memset(b, 0, sizeof *b);
  b->out = out;
  b->objects = objects;
  b->first = 1;
}

FL_INLINE int json_build_in_object(const struct json_build *b) {
  return b->depth > 0 && fl_bit(b->objects, b->depth - 1);
}

/* Return NULL if a value, or a key, may come next, else what is wrong. */
FL_PRIVATE const char *json_build_may_put(const struct json_build *b);
FL_PRIVATE const char *json_build_may_put_key(const struct json_build *b);

FL_PRIVATE const char *json_build_open(struct json_build *b, int is_object);

/* Ends the innermost container, which must be an object (1), an array (0) or either (-1). */
FL_PRIVATE const char *json_build_close(struct json_build *b, int is_object);
FL_PRIVATE const char *json_build_key(struct json_build *b, const char *s, size_t n);
FL_PRIVATE const char *json_build_string(struct json_build *b, const char *s, size_t n);
FL_PRIVATE const char *json_build_integer(struct json_build *b, int64_t i);
FL_PRIVATE const char *json_build_double(struct json_build *b, double d);

/* Writes a value given as valid JSON text. */
FL_PRIVATE const char *json_build_text(struct json_build *b, const char *s, size_t n);

/* Returns NULL if the text is one complete value, else what is wrong. */
FL_PRIVATE const char *json_build_finish(const struct json_build *b);

/* Returns whether s[0..n) is a number (RFC 8259, section 6). s[n] must be 0. */
FL_PRIVATE int json_build_is_number(const char *s, size_t n);
