/* SPDX-License-Identifier: MIT
** build.h -- writes a JSON text value by value, and refuses what would be no JSON.
** Must hold: each function returns NULL, or what is wrong; then nothing was written, and nothing has changed. If it is
** json_build_failed, the reason is out->error. The text is without white space; the owner takes it from the buffer. */
#pragma once

#include "../../base/bits.h"
#include "write.h"

struct json_build {
  struct json_out *out;
  size_t used;            /* bytes of text in its buffer */
  unsigned char *objects; /* a bit for each open container: is it an object? max_depth of them */
  uint32_t depth;
  int first;   /* nothing was written in the innermost container */
  int has_key; /* it is an object, and its last key has no value yet */
  int ended;   /* the value has ended */
};

FL_ONE_OBJECT const char json_build_failed[1] = "";

/* Begins a text. The buffer has its first block; `objects` has room for style->max_depth bits. */
FL_INLINE void json_build_begin(struct json_build *b, struct json_out *out, unsigned char *objects) {
  memset(b, 0, sizeof *b);
  b->out = out;
  b->objects = objects;
  b->first = 1;
}

FL_INLINE int json_build_in_object(const struct json_build *b) {
  return b->depth > 0 && fl_bit(b->objects, b->depth - 1);
}

/* May a value come next; may a key? */
FL_PRIVATE const char *json_build_may_put(const struct json_build *b);
FL_PRIVATE const char *json_build_may_put_key(const struct json_build *b);

FL_PRIVATE const char *json_build_open(struct json_build *b, int is_object);

/* Ends the innermost container, which must be an object (1), an array (0) or either (-1). */
FL_PRIVATE const char *json_build_close(struct json_build *b, int is_object);
FL_PRIVATE const char *json_build_key(struct json_build *b, const char *s, size_t n);
FL_PRIVATE const char *json_build_string(struct json_build *b, const char *s, size_t n);
FL_PRIVATE const char *json_build_integer(struct json_build *b, int64_t i);
FL_PRIVATE const char *json_build_double(struct json_build *b, double d);

/* A value whose text is valid JSON. */
FL_PRIVATE const char *json_build_text(struct json_build *b, const char *s, size_t n);

/* Is the text one whole value? */
FL_PRIVATE const char *json_build_finish(const struct json_build *b);

/* Is s[0..n) a number (RFC 8259, section 6)? s[n] is 0. */
FL_PRIVATE int json_build_is_number(const char *s, size_t n);
