/* SPDX-License-Identifier: MIT */
#include "members.h"

#define MERGE_NAME bin_members_merge
#define MERGE_TYPE struct bin_member
#define MERGE_CONTEXT const void *
#define MERGE_IS_AFTER(unused, a, b) ((void)(unused), bin_member_order(a, b) > 0)
#include "../../base/merge_template.h"

FL_PRIVATE void bin_members_sort(struct bin_member *p, size_t n) {
  const struct bin_member *sorted = bin_members_merge(NULL, p, p + n, n, 1);
  if (sorted != p) memcpy(p, sorted, n * sizeof *p);
}

/* Sorts the list [from, count) and removes duplicates. `both`: the dict has codes and parents, so equal names may be of
** different levels, and look-up decides which one counts. */
FL_NOINLINE int bin_members_sort_unique_(struct bin_work *w, struct bin_members *m, size_t from,
                                         const struct bin_doc *d, bin_value dict, int both) {
  const size_t n = m->count - from;
  size_t i, kept = 0;
  if (!bin_members_reserve(w, m, from + 2 * n)) return 0;
  struct bin_member *p = m->at + from;
  bin_members_sort(p, n);
  for (i = 0; i < n; i++) {
    if (i + 1 < n && bin_member_order(&p[i], &p[i + 1]) == 0) continue;
    p[kept] = p[i];
    if (both && p[i].name) p[kept].value = bin_dict_get(d, dict, p[i].name, p[i].n);
    FL_ASSERT(kept == 0 || bin_member_order(&p[kept - 1], &p[kept]) < 0);
    kept += p[kept].value && !bin_is_undefined(p[kept].value);
  }
  m->count = from + kept;
  return 1;
}

FL_PRIVATE int bin_members_add(struct bin_work *w, struct bin_members *m, const struct bin_doc *d, bin_value dict) {
  const size_t from = m->count;
  struct bin_pairs pairs;
  int sorted = 1, codes = 0;
  bin_pairs_begin(&pairs, d, dict);
  while (bin_next_pair(&pairs)) {
    if (!bin_members_reserve(w, m, m->count + 1)) return 0;
    struct bin_member *x = &m->at[m->count];
    x->value = pairs.value;
    x->name = bin_key_text(d, pairs.key, &x->n);
    if (FL_UNLIKELY(!x->name)) x->n = (size_t)bin_small(pairs.key);
    if (!bin_work_spend(w, x->name ? x->n : 0)) return 0;
    codes |= bin_tag(pairs.key) == BIN_TAG_SMALL;
    if (m->count > from && bin_member_order(x - 1, x) >= 0) sorted = 0;
    else if (FL_UNLIKELY(bin_is_undefined(x->value))) continue;
    m->count++;
  }
  codes = codes && pairs.levels > 1;
  return FL_LIKELY(sorted && !codes) || bin_members_sort_unique_(w, m, from, d, dict, codes);
}
