/* SPDX-License-Identifier: MIT
** merge_template.h -- template: a stable bottom-up merge sort without recursion or allocation.
** Must hold: `from` and `to` have room for n elements each; runs of `run` elements are sorted already, 1 if nothing is.
** Parameters: MERGE_NAME, the function; MERGE_TYPE, of the elements; MERGE_CONTEXT, the type of the first argument;
** MERGE_IS_AFTER(context, a, b), whether a belongs after b. Instances: bin_pairs_merge, bin_members_merge,
** binary_to_json_merge, encode_merge, reformat_merge_members, patch_merge_members, schema_merge_bindings,
** value_texts_merge, value_outline_merge. */
#include "def.h"

/* Returns `from` or `to`, whichever has the result. */
FL_NOINLINE MERGE_TYPE *MERGE_NAME(MERGE_CONTEXT context, MERGE_TYPE *from, MERGE_TYPE *to, size_t n, size_t run) {
  for (; run < n; run *= 2) {
    MERGE_TYPE *swap = from;
    for (size_t begin = 0; begin < n; begin += 2 * run) {
      const size_t middle = n - begin < run ? n : begin + run, end = n - middle < run ? n : middle + run;
      size_t a = begin, b = middle, i = begin;
      while (a < middle && b < end) to[i++] = MERGE_IS_AFTER(context, &from[a], &from[b]) ? from[b++] : from[a++];
      while (a < middle) to[i++] = from[a++];
      while (b < end) to[i++] = from[b++];
    }
    from = to;
    to = swap;
  }
  return from;
}
#undef MERGE_NAME
#undef MERGE_TYPE
#undef MERGE_CONTEXT
#undef MERGE_IS_AFTER
