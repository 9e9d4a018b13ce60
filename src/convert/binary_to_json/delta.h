/* SPDX-License-Identifier: MIT
** delta.h -- a JSON delta as JSON text: a sink of binary/delta/delta.h.
** May call: base, json, binary.
** Must hold: each value is written with a comma, which a closing bracket replaces and the end removes. */
#ifndef FLEECE_CONVERT_BINARY_TO_JSON_DELTA_H
#define FLEECE_CONVERT_BINARY_TO_JSON_DELTA_H

#include "../../base/buffer.h"
#include "../../binary/delta/delta.h"
#include "binary_to_json.h"

/* The writers of strings and values: each writes at w into `out` and returns the end, or NULL if it fails. They are
** delta_to_json_write_* below, or mod_delta_* in module/binary/delta.h. */
struct delta_to_json {
  struct buffer *out;
  char *w; /* NULL: out of memory, or a writer has failed */
  void *owner;
  char *(*string)(void *owner, struct buffer *out, char *w, const char *s, size_t n);
  char *(*value)(void *owner, struct buffer *out, char *w, const struct bin_doc *d, bin_value v);
};

/* Writers for delta_to_json that write as encode does; the owner is the json_out with the buffer. */
FL_PRIVATE char *delta_to_json_write_string(void *owner, struct buffer *out, char *w, const char *s, size_t n);
FL_PRIVATE char *delta_to_json_write_value(void *owner, struct buffer *out, char *w, const struct bin_doc *d,
                                           bin_value v);

/* Writes the delta as JSON at j->w. False: w->error is set, or j->w is NULL. */
FL_PRIVATE int delta_to_json(struct bin_work *w, struct delta_to_json *j, const struct bin_doc *a, bin_value va,
                             const struct bin_doc *b, bin_value vb);

#endif
