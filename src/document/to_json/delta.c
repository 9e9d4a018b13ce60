/* SPDX-License-Identifier: MIT */
#include "delta.h"

/* Appends `c` at w, unless w is NULL because a writer failed. */
FL_INLINE int delta_to_json_put(struct delta_to_json *j, char *w, char c) {
  j->w = w ? json_reserve(j->out, w, 1) : NULL;
  if (!j->w) return 0;
  *j->w++ = c;
  return 1;
}

static int delta_to_json_begin(void *owner, int is_dict) {
  struct delta_to_json *j = (struct delta_to_json *)owner;
  return delta_to_json_put(j, j->w, is_dict ? '{' : '[');
}

static int delta_to_json_end(void *owner, int is_dict) {
  struct delta_to_json *j = (struct delta_to_json *)owner;
  if (j->w[-1] == ',') j->w--;
  return delta_to_json_put(j, j->w, is_dict ? '}' : ']') && delta_to_json_put(j, j->w, ',');
}

static char *delta_to_json_text(struct delta_to_json *j, const char *s, size_t n) {
  char *w = json_reserve(j->out, j->w, JSON_TEXT_ROOM);
  return w ? json_write_string(j->out, w, s, n, JSON_ESCAPE_JSON) : NULL;
}

static int delta_to_json_key(void *owner, const char *s, size_t n) {
  struct delta_to_json *j = (struct delta_to_json *)owner;
  return delta_to_json_put(j, delta_to_json_text(j, s, n), ':');
}

static int delta_to_json_string(void *owner, const char *s, size_t n) {
  struct delta_to_json *j = (struct delta_to_json *)owner;
  return delta_to_json_put(j, delta_to_json_text(j, s, n), ',');
}

static int delta_to_json_integer(void *owner, int i) {
  struct delta_to_json *j = (struct delta_to_json *)owner;
  FL_ASSERT(i >= 0 && i <= 9);
  return delta_to_json_put(j, j->w, (char)('0' + i)) && delta_to_json_put(j, j->w, ',');
}

static int delta_to_json_value(void *owner, const struct bin_doc *d, bin_value v) {
  struct delta_to_json *j = (struct delta_to_json *)owner;
  struct binary_to_json k;
  binary_to_json_init(&k, j->out, d);
  k.escape = JSON_ESCAPE_JSON;
  k.kinds = BINARY_TO_JSON_DOUBLES; /* readers have only doubles */
  k.max_bytes = j->most;
  return delta_to_json_put(j, binary_to_json_write(&k, j->w, v), ',');
}

static size_t delta_to_json_place(void *owner) {
  const struct delta_to_json *j = (const struct delta_to_json *)owner;
  return (size_t)(j->w - j->out->buffer.begin);
}

static void delta_to_json_retry(void *owner, size_t from) {
  struct delta_to_json *j = (struct delta_to_json *)owner;
  j->second = delta_to_json_place(j);
  j->most = j->second + (j->second - from);
}

static int delta_to_json_choose(void *owner, size_t from, int done) {
  struct delta_to_json *j = (struct delta_to_json *)owner;
  char *const begin = j->out->buffer.begin, *const second = begin + j->second;
  const size_t n = done ? (size_t)(j->w - second) : SIZE_MAX;
  /* other errors mean that it is too long, or about unchanged values */
  if (!done && j->out->error == FL_ERROR_MEMORY) return 0;
  j->out->error = FL_ERROR_NONE;
  j->most = SIZE_MAX;
  j->w = second;
  if (n >= j->second - from) return 1;
  memmove(begin + from, second, n);
  j->w = begin + from + n;
  return 1;
}

FL_PRIVATE char *delta_to_json(struct bin_work *work, struct json_out *out, char *w, const struct bin_doc *a,
                               bin_value va, const struct bin_doc *b, bin_value vb) {
  struct bin_delta_sink sink = {NULL,
                                delta_to_json_begin,
                                delta_to_json_end,
                                delta_to_json_key,
                                delta_to_json_string,
                                delta_to_json_integer,
                                delta_to_json_value,
                                delta_to_json_place,
                                delta_to_json_retry,
                                delta_to_json_choose};
  struct delta_to_json j;
  sink.owner = &j;
  j.out = out;
  j.second = 0;
  j.most = SIZE_MAX;
  if (!(j.w = json_reserve(out, w, 1)) || !bin_diff(work, &sink, a, va, b, vb)) return NULL;
  FL_ASSERT(j.w[-1] == ',');
  return j.w - 1;
}
