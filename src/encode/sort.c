/* SPDX-License-Identifier: MIT */
#include "sort.h"

FL_INLINE int encode_after(const struct encode_entry *a, const struct encode_entry *b, encode_compare compare) {
  return a->prefix != b->prefix ? a->prefix > b->prefix : compare(a, b) > 0;
}

#define MERGE_NAME encode_merge
#define MERGE_TYPE struct encode_entry
#define MERGE_CONTEXT encode_compare
#define MERGE_IS_AFTER(compare, a, b) encode_after(a, b, compare)
#include "../base/merge_template.h"

FL_PRIVATE_NOINLINE void encode_sort(struct encode_entry *entries, size_t n, struct encode_entry *scratch,
                                     encode_compare compare) {
  FL_ASSERT(n <= 1 || scratch >= entries + n || scratch + n <= entries);
  const struct encode_entry *sorted = encode_merge(compare, entries, scratch, n, 1);
  if (sorted != entries) memcpy(entries, sorted, n * sizeof *entries);
}

FL_PRIVATE int encode_compare_entries(const struct encode_entry *a, const struct encode_entry *b) {
  const int order = encode_compare_texts(lay_bits_pointer(a->key.bits), (size_t)a->value.bits,
                                         lay_bits_pointer(b->key.bits), (size_t)b->value.bits);
  return order ? order : (int)a->key.tag - (int)b->key.tag;
}
