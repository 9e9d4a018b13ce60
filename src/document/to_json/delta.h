/* SPDX-License-Identifier: MIT
** delta.h -- a JSON delta as JSON text: a sink of binary/delta/delta.h.
** Must hold: each value is written with a comma, which a closing bracket replaces and the end removes. */
#pragma once

#include "../../base/buffer.h"
#include "../../binary/delta/delta.h"
#include "binary_to_json.h"

struct delta_to_json {
  struct json_out *out;
  char *w;       /* NULL: the error is in out->error */
  size_t second; /* where the other way of delta_to_json_retry begins in the buffer */
  size_t most;   /* bytes of the buffer that may be used */
};

/* Writes the delta as JSON at w. Returns the end. NULL: w->error or out->error is set. */
FL_PRIVATE char *delta_to_json(struct bin_work *work, struct json_out *out, char *w, const struct bin_doc *a,
                               bin_value va, const struct bin_doc *b, bin_value vb);
