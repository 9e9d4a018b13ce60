/* SPDX-License-Identifier: MIT
** sort.h -- puts collected pairs in order: bottom-up merge sort, stable, no allocation, no recursion.
** May call: base.  Must hold: `scratch` has room for `n` entries. */
#ifndef FLEECE_CONVERT_LUA_TO_JSON_SORT_H
#define FLEECE_CONVERT_LUA_TO_JSON_SORT_H

#include "state.h"

/* The first 8 bytes of a key's text as a number that orders as memcmp does. */
FL_INLINE uint64_t encode_prefix(const char *s, size_t n) {
  uint64_t prefix = 0;
  size_t i, take = n < 8 ? n : 8;
  for (i = 0; i < take; i++) prefix |= (uint64_t) * (const uint8_t *)(s + i) << (56 - 8 * i);
  return prefix;
}

/* Byte order of two texts, the shorter first where one begins the other. */
FL_INLINE int encode_compare_texts(const char *a, size_t an, const char *b, size_t bn) {
  int order = memcmp(a, b, an < bn ? an : bn);
  return order ? order : (an > bn) - (an < bn);
}

/* `compare` is asked only when the prefixes are equal. */
typedef int (*encode_compare)(const struct encode_entry *a, const struct encode_entry *b);

FL_INLINE int encode_after(const struct encode_entry *a, const struct encode_entry *b, encode_compare compare) {
  return a->prefix != b->prefix ? a->prefix > b->prefix : compare(a, b) > 0;
}

FL_NOINLINE void encode_sort(struct encode_entry *entries, size_t n, struct encode_entry *scratch,
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

#endif
