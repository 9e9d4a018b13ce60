/* SPDX-License-Identifier: MIT */
#include "span.h"

FL_PRIVATE_NOINLINE const char *json_span_escapes_(struct json_scan *j, const char *q, uint64_t *high) {
  while (*q == '\\') {
    if (json_short_escape(q[1])) q += 2;
    else if (json_check_escape(&q, j->end)) break;
    q = json_scan_plain(j, q, high);
  }
  return q;
}
