/* SPDX-License-Identifier: MIT
** delta.h -- writes a JSON delta as JSON text: a sink of binary/delta/delta.h.
** Must hold: every value is written with a comma, which a closing bracket replaces and the end removes. */
#pragma once

#include "../../binary/delta/delta.h"
#include "binary_to_json.h"

struct delta_to_json {
  struct json_out *out;
  char *w;       /* NULL: out->error is set */
  size_t second; /* offset in the buffer at which delta_to_json_retry's second form begins */
  size_t most;   /* limit for the buffer, in bytes */
};

/* Writes the delta as JSON at w. Returns the end, or NULL with work->error or out->error set. */
FL_PRIVATE char *delta_to_json(struct bin_work *work, struct json_out *out, char *w, const struct bin_doc *a,
                               bin_value va, const struct bin_doc *b, bin_value vb);
