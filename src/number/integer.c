/* SPDX-License-Identifier: MIT */
#include "integer.h"

/* clang-format off */
#define NUM_1(n) ((uint32_t)('0' + (n) / 100) | (uint32_t)('0' + (n) / 10 % 10) << 8 \
  | (uint32_t)('0' + (n) % 10) << 16 | ((n) < 10 ? 16u | 1u << 5 : (n) < 100 ? 8u | 2u << 5 : 3u << 5) << 24)
#define NUM_10(n) NUM_1(n), NUM_1(n + 1), NUM_1(n + 2), NUM_1(n + 3), NUM_1(n + 4), \
  NUM_1(n + 5), NUM_1(n + 6), NUM_1(n + 7), NUM_1(n + 8), NUM_1(n + 9)
#define NUM_100(n) NUM_10(n), NUM_10(n + 10), NUM_10(n + 20), NUM_10(n + 30), NUM_10(n + 40), \
  NUM_10(n + 50), NUM_10(n + 60), NUM_10(n + 70), NUM_10(n + 80), NUM_10(n + 90)
/* clang-format on */

FL_PRIVATE const uint32_t num_triple[1000] = {NUM_100(0),   NUM_100(100), NUM_100(200), NUM_100(300), NUM_100(400),
                                              NUM_100(500), NUM_100(600), NUM_100(700), NUM_100(800), NUM_100(900)};
#undef NUM_1
#undef NUM_10
#undef NUM_100

/* Writes exactly six digits, n < 10^6. */
FL_INLINE char *num_pad_6(char *w, uint32_t n) {
  uint32_t q = num_thousands(n);
  FL_ASSERT(n < 1000000);
  num_put4(w, num_triple[q]);
  num_put4(w + 3, num_triple[n - q * 1000]);
  return w + 6;
}

/* Writes n < 10^6. */
FL_INLINE char *num_write_upto6(char *w, uint32_t n) { return n < 1000 ? num_write_3(w, n) : num_write_6(w, n); }

FL_PRIVATE_NOINLINE char *num_write_u64_(char *w, uint64_t v) {
  uint64_t m = v / 1000000;
  uint32_t low = (uint32_t)(v - m * 1000000);
  FL_ASSERT(m > 0);
  if (m < 1000000) {
    w = num_write_upto6(w, (uint32_t)m);
  } else {
    uint64_t t = m / 1000000;
    uint32_t mid = (uint32_t)(m - t * 1000000);
    if (FL_LIKELY(t < 1000000)) {
      w = num_write_upto6(w, (uint32_t)t);
    } else {
      uint32_t top = (uint32_t)(t / 1000000); /* at most 18 */
      w = num_write_3(w, top);
      w = num_pad_6(w, (uint32_t)(t - (uint64_t)top * 1000000));
    }
    w = num_pad_6(w, mid);
  }
  return num_pad_6(w, low);
}

FL_PRIVATE int num_read_index(const char *s, size_t n, uint64_t *index) {
  uint64_t x = 0;
  if (n == 0 || n > 10 || (n > 1 && s[0] == '0')) return 0;
  for (size_t i = 0; i < n; i++) {
    if (s[i] < '0' || s[i] > '9') return 0;
    x = 10 * x + (uint64_t)(s[i] - '0');
  }
  *index = x;
  return 1;
}
