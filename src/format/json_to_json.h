/* SPDX-License-Identifier: MIT
** json_to_json.h -- JSON text to JSON text in another layout, without values in between: two sinks of the scanner.
** Must hold: strict JSON is copied unchanged: strings with their escapes, numbers with all their digits, members in
** their order, also duplicate ones. What only a lenient grammar accepts becomes strict JSON of the same value, or is an
** error. Every value is written with a comma, which a closing bracket or the end replaces. The text can come in pieces:
** see read.h. If writing fails the scan stops and out->error is set. */
#pragma once

#include "../base/bits.h"
#include "sort.h"

FL_PRIVATE char *reformat_grow_scratch(void *owner, size_t n);

/* ------------------------------------------------------------------------------------- reading in parts */

/* Passes the output to the drain, except for the last `keep` bytes. The buffer must not do this itself, because it does
** not know how far reading may go back. */
FL_PRIVATE_NOINLINE int reformat_drain_(struct json_to_json *k, size_t keep);

/* Text before p is not needed any more. If there is much output it goes to the drain, except for its last byte, the
** comma; sorting needs whole documents. */
FL_INLINE int reformat_set_checkpoint(struct json_to_json *k, const char *p) {
  const struct buffer *b = &k->out->buffer;
  if (FL_UNLIKELY(k->out->error)) return 0; /* a container could not be opened */
  if (FL_UNLIKELY(k->w - b->begin > REFORMAT_DRAIN) && k->drain && (!k->sorts || k->scan.depth == 0) &&
      !reformat_drain_(k, BUF_KEEP_TAIL))
    return 0;
  k->checkpoint.p = p;
  k->checkpoint.written = (size_t)(k->w - b->begin);
  k->checkpoint.depth = k->scan.depth;
  k->checkpoint.members = k->member_count;
  k->checkpoint.first = k->first;
  return 1;
}

/* Reads the value at p and writes it: without options that look at white space or names, and with them. They return the
** byte after it, or NULL: the scan's error or the output's tells. */
FL_PRIVATE_NOINLINE const char *reformat_scan_plain(struct json_to_json *k, struct json_scan *j, const char *p);
FL_PRIVATE_NOINLINE const char *reformat_scan_fancy(struct json_to_json *k, struct json_scan *j, const char *p);
