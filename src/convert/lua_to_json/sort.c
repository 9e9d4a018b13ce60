/* SPDX-License-Identifier: MIT */
#include "sort.h"

FL_INLINE int encode_after(const struct encode_entry *a, const struct encode_entry *b, encode_compare compare) {
  return a->prefix != b->prefix ? a->prefix > b->prefix : compare(a, b) > 0;
}

FL_PRIVATE_NOINLINE void encode_sort(struct encode_entry *entries, size_t n, struct encode_entry *scratch,
                                     encode_compare compare) {
  struct encode_entry *from = entries, *to = scratch;
  size_t width;
  FL_ASSERT(n <= 1 || scratch >= entries + n || scratch + n <= entries);
  for (width = 1; width < n; width *= 2) {
    struct encode_entry *swap;
    size_t lo;
    for (lo = 0; lo < n; lo += 2 * width) {
      size_t a = lo, mid = n - lo < width ? n : lo + width, b = mid, end = n - mid < width ? n : mid + width, k = lo;
      while (a < mid && b < end) to[k++] = encode_after(&from[a], &from[b], compare) ? from[b++] : from[a++];
      while (a < mid) to[k++] = from[a++];
      while (b < end) to[k++] = from[b++];
    }
    swap = from, from = to, to = swap;
  }
  if (from != entries) memcpy(entries, from, n * sizeof *entries);
}
