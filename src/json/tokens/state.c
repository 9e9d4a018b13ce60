/* SPDX-License-Identifier: MIT */
#include "state.h"

FL_PRIVATE_NOINLINE const char *json_scan_unexpected(struct json_scan *j, int error, const char *at) {
  return json_scan_error(j, at == j->end ? JSON_CHECK_END : error, at);
}
