/* SPDX-License-Identifier: MIT
** text.h -- deltas of strings: "N=" keeps N bytes, "N-" drops them, "N+bytes|" inserts them.
** Must hold: edits contain whole characters; a string that is not UTF-8 has no text delta. Each new delta is
** applied, to verify that it gives the new string. The work is bounded by `steps` in struct bin_text. */
#pragma once

#include "../../number/integer.h"
#include "../../text/utf8.h"
#include "errors.h"
#include "../read/work.h"

#define BIN_TEXT_STEPS (UINT64_C(1) << 25) /* for all strings of two documents together: takes a fraction of a second */

struct bin_text {
  struct bin_work *work;
  uint64_t steps; /* steps left */
  char *ops;      /* the resulting delta */
  size_t ops_n, ops_room;
  uint32_t *chars; /* old characters, then new ones */
  size_t chars_room;
  int32_t *rows; /* row d has d + 1 elements and begins at d(d + 1)/2 */
  size_t rows_room;
  char *applied;
  size_t applied_room;
};

FL_INLINE void bin_text_init(struct bin_text *t, struct bin_work *w) {
  memset(t, 0, sizeof *t);
  t->work = w;
  t->steps = BIN_TEXT_STEPS;
}

FL_PRIVATE void bin_text_free(struct bin_text *t);

/* Applies ops to a string. The result is t->applied[0..*out). Returns 0 with t->work->error set. */
FL_PRIVATE int bin_text_apply(struct bin_text *t, const char *ops, size_t ops_n, const char *old, size_t old_n,
                              size_t *out);

/* Makes a text delta from a[0..an) to b[0..bn) in t->ops. Returns 1; 0 if none is short enough; -1 with t->work->error
** set. */
FL_PRIVATE int bin_text_diff(struct bin_text *t, const char *a, size_t an, const char *b, size_t bn);
