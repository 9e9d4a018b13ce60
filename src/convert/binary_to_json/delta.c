/* SPDX-License-Identifier: MIT */
#include "delta.h"

/* Appends `c` at w, which is NULL if a writer has failed. */
FL_INLINE int delta_to_json_put(struct delta_to_json *j, char *w, char c) {
  j->w = w ? buf_reserve(j->out, w, 1) : NULL;
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

static int delta_to_json_key(void *owner, const char *s, size_t n) {
  struct delta_to_json *j = (struct delta_to_json *)owner;
  return delta_to_json_put(j, j->string(j->owner, j->out, j->w, s, n), ':');
}

static int delta_to_json_string(void *owner, const char *s, size_t n) {
  struct delta_to_json *j = (struct delta_to_json *)owner;
  return delta_to_json_put(j, j->string(j->owner, j->out, j->w, s, n), ',');
}

static int delta_to_json_integer(void *owner, int i) {
  struct delta_to_json *j = (struct delta_to_json *)owner;
  FL_ASSERT(i >= 0 && i <= 9);
  return delta_to_json_put(j, j->w, (char)('0' + i)) && delta_to_json_put(j, j->w, ',');
}

static int delta_to_json_value(void *owner, const struct bin_doc *d, bin_value v) {
  struct delta_to_json *j = (struct delta_to_json *)owner;
  return delta_to_json_put(j, j->value(j->owner, j->out, j->w, d, v), ',');
}

FL_PRIVATE char *delta_to_json_write_string(void *owner, struct buffer *out, char *w, const char *s, size_t n) {
  struct json_out *o = (struct json_out *)owner;
  (void)out;
  w = json_reserve(o, w, JSON_TEXT_ROOM);
  return w ? json_write_string(o, w, s, n, JSON_ESCAPE_JSON) : NULL;
}

FL_PRIVATE char *delta_to_json_write_value(void *owner, struct buffer *out, char *w, const struct bin_doc *d,
                                           bin_value v) {
  struct binary_to_json k;
  (void)out;
  binary_to_json_init(&k, (struct json_out *)owner, d);
  k.escape = JSON_ESCAPE_JSON;
  k.kinds = BINARY_TO_JSON_DOUBLES; /* readers have doubles */
  return binary_to_json_write(&k, w, v);
}

FL_PRIVATE int delta_to_json(struct bin_work *w, struct delta_to_json *j, const struct bin_doc *a, bin_value va,
                             const struct bin_doc *b, bin_value vb) {
  struct bin_delta_sink sink = {NULL,
                                delta_to_json_begin,
                                delta_to_json_end,
                                delta_to_json_key,
                                delta_to_json_string,
                                delta_to_json_integer,
                                delta_to_json_value};
  sink.owner = j;
  if (!bin_diff(w, &sink, a, va, b, vb)) return 0;
  FL_ASSERT(j->w[-1] == ',');
  j->w--;
  return 1;
}
