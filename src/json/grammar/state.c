/* SPDX-License-Identifier: MIT
** state.c -- the state of a scan: the text, what it may hold beyond RFC 8259, how far the scan is, its error.
** May call: base.
** Must hold: as state.h. */
#include "state.h"

FL_PRIVATE_NOINLINE const char *json_scan_unexpected(struct json_scan *j, int error, const char *at) {
  return json_scan_error(j, at == j->end ? JSON_CHECK_END : error, at);
}
