/* SPDX-License-Identifier: MIT
** delta.h -- the difference between two values as a JSON delta (docs/format.md), which turns the old value into the new
** one.
** Must hold: both documents are checked. "Equal" means strictly equal (binary/read/equal.h). No recursion. The work
** is linear, times the logarithm of the delta's length, except for strings (text.h). A delta is never longer than
** [new], which replaces the old value. */
#pragma once

#include "../encode/copy.h"
#include "text.h"
#include "../read/equal.h"

/* Receives a delta. Each function returns 0 on failure; its owner knows the reason. Implemented by delta_to_json_* in
** document/to_json/delta.h. */
struct bin_delta_sink {
  void *owner;
  int (*begin)(void *owner, int is_dict);
  int (*end)(void *owner, int is_dict);
  int (*key)(void *owner, const char *s, size_t n);
  int (*string)(void *owner, const char *s, size_t n);
  int (*integer)(void *owner, int i);
  int (*value)(void *owner, const struct bin_doc *d, bin_value v);
  /* For a sink that writes text, else NULL. `place`: returns the bytes written so far. After `retry` what was written
  ** from byte `from` on is written again in another form; functions may fail as soon as that is longer. `choose` keeps
  ** the shorter form; done: the second is complete. */
  size_t (*place)(void *owner);
  void (*retry)(void *owner, size_t from);
  int (*choose)(void *owner, size_t from, int done);
};

/* Writes the delta from `va` of document `a` to `vb` of document `b`. Returns 0 with w->error set, or if the sink
** failed. */
FL_PRIVATE int bin_diff(struct bin_work *w, const struct bin_delta_sink *sink, const struct bin_doc *a, bin_value va,
                        const struct bin_doc *b, bin_value vb);
