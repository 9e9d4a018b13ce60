/* SPDX-License-Identifier: MIT */
#include "index.h"

FL_PRIVATE int num_read_index(const char *s, size_t n, uint64_t *index) {
  uint64_t x = 0;
  size_t i;
  if (n == 0 || n > 10 || (n > 1 && s[0] == '0')) return 0;
  for (i = 0; i < n; i++) {
    if (s[i] < '0' || s[i] > '9') return 0;
    x = 10 * x + (uint64_t)(s[i] - '0');
  }
  *index = x;
  return 1;
}
