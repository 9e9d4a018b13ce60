/* SPDX-License-Identifier: MIT
** delta.h -- a JSON delta as JSON text: a sink of binary/delta/delta.h.
** May call: base, json, binary/delta/delta.h, convert/binary_to_json/binary_to_json.h, and what else writes strings
** and values as JSON.
** Must hold: each value has a comma behind it, which a closing bracket replaces, or the end takes away. */
#ifndef FLEECE_CONVERT_BINARY_TO_JSON_DELTA_H
#define FLEECE_CONVERT_BINARY_TO_JSON_DELTA_H

#include "../../base/buffer.h"
#include "../../binary/delta/delta.h"
#include "binary_to_json.h"

/* How the parts are written: each writes at w into `out`, and answers the end, or NULL: failed. */
struct delta_to_json {
  struct buffer *out;
  char *w; /* NULL: out of memory, or a part has failed; its writer knows */
  void *owner;
  char *(*string)(void *owner, struct buffer *out, char *w, const char *s, size_t n);
  char *(*value)(void *owner, struct buffer *out, char *w, const struct bin_doc *d, bin_value v);
};

/* What was written at w ends with `c`. */
FL_INLINE int delta_to_json_put(struct delta_to_json *j, char *w, char c) {
  j->w = w ? buf_reserve(j->out, w, 1) : NULL;
  if (!j->w) return 0;
  *j->w++ = c;
  return 1;
}

FL_FUNC int delta_to_json_begin(void *owner, int is_dict) {
  struct delta_to_json *j = (struct delta_to_json *)owner;
  return delta_to_json_put(j, j->w, is_dict ? '{' : '[');
}

FL_FUNC int delta_to_json_end(void *owner, int is_dict) {
  struct delta_to_json *j = (struct delta_to_json *)owner;
  if (j->w[-1] == ',') j->w--;
  return delta_to_json_put(j, j->w, is_dict ? '}' : ']') && delta_to_json_put(j, j->w, ',');
}

FL_FUNC int delta_to_json_key(void *owner, const char *s, size_t n) {
  struct delta_to_json *j = (struct delta_to_json *)owner;
  return delta_to_json_put(j, j->string(j->owner, j->out, j->w, s, n), ':');
}

FL_FUNC int delta_to_json_string(void *owner, const char *s, size_t n) {
  struct delta_to_json *j = (struct delta_to_json *)owner;
  return delta_to_json_put(j, j->string(j->owner, j->out, j->w, s, n), ',');
}

FL_FUNC int delta_to_json_integer(void *owner, int i) { /* 0 to 9 */
  struct delta_to_json *j = (struct delta_to_json *)owner;
  return delta_to_json_put(j, j->w, (char)('0' + i)) && delta_to_json_put(j, j->w, ',');
}

FL_FUNC int delta_to_json_value(void *owner, const struct bin_doc *d, bin_value v) {
  struct delta_to_json *j = (struct delta_to_json *)owner;
  return delta_to_json_put(j, j->value(j->owner, j->out, j->w, d, v), ',');
}

/* A delta_to_json's parts as encode writes them; the owner is the json_out of its buffer. */
FL_FUNC char *delta_to_json_write_string(void *owner, struct buffer *out, char *w, const char *s, size_t n) {
  struct json_out *o = (struct json_out *)owner;
  (void)out;
  w = json_reserve(o, w, JSON_TEXT_ROOM);
  return w ? json_write_string(o, w, s, n, JSON_ESCAPE_JSON) : NULL;
}

FL_FUNC char *delta_to_json_write_value(void *owner, struct buffer *out, char *w, const struct bin_doc *d,
                                        bin_value v) {
  struct binary_to_json k;
  (void)out;
  k.out = (struct json_out *)owner;
  k.doc = d;
  k.escape = JSON_ESCAPE_JSON;
  k.json5 = 0;
  k.kinds = BINARY_TO_JSON_DOUBLES; /* who reads it has doubles */
  k.indent = 0;
  k.max_depth = SIZE_MAX;
  k.max_bytes = SIZE_MAX;
  return binary_to_json_write(&k, w, v);
}

/* Writes the delta as JSON, at j->w. False: w->error; or 0 there: see j->w. */
FL_FUNC int delta_to_json(struct bin_work *w, struct delta_to_json *j, const struct bin_doc *a, bin_value va,
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
  j->w--;
  return 1;
}

#endif
