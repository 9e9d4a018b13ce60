/* SPDX-License-Identifier: MIT
** members.h -- a dict as a list of names and values: parents merged, codes translated, sorted by the names' bytes.
** Must hold: each name occurs once, with the last of its values, like in decoders. Undefined values are left out. So
** dicts can be compared and merged whatever their shared keys and parents are. Names point into the documents. */
#pragma once

#include "read.h"
#include "work.h"

struct bin_member {
  const char *name; /* NULL: n is a code without a name */
  size_t n;
  bin_value value;
};

/* A stack of lists, one for each open dict. */
struct bin_members {
  struct bin_member *at;
  size_t count, room;
};

/* Returns the cost of a visit to a value, in bytes. */
FL_INLINE size_t bin_value_bytes(bin_value v) {
  size_t n = 0;
  if (bin_tag(v) == BIN_TAG_STRING || bin_tag(v) == BIN_TAG_DATA) (void)bin_bytes(v, &n);
  return n;
}

FL_INLINE void bin_members_free(struct bin_work *w, struct bin_members *m) {
  bin_work_free(w, m->at, m->room, sizeof *m->at);
  m->at = NULL;
  m->count = m->room = 0;
}

FL_INLINE int bin_members_reserve(struct bin_work *w, struct bin_members *m, size_t need) {
  if (FL_LIKELY(need <= m->room)) return 1;
  struct bin_member *wider = (struct bin_member *)bin_work_grow(w, m->at, &m->room, need, sizeof *m->at);
  if (wider) m->at = wider;
  return wider != NULL;
}

/* Compares two members by name. Codes without names come first. */
FL_INLINE int bin_member_order(const struct bin_member *a, const struct bin_member *b) {
  if (FL_UNLIKELY(!a->name || !b->name)) return a->name ? 1 : b->name ? -1 : a->n < b->n ? -1 : a->n > b->n;
  if (FL_UNLIKELY(a->name == b->name && a->n == b->n)) return 0;
  return bin_compare_bytes(a->name, a->n, b->name, b->n);
}

/* Sorts by name; there must be room for n more members after them. */
FL_PRIVATE void bin_members_sort(struct bin_member *p, size_t n);

/* Pushes the list of a dict's members. Returns 0 with w->error set. */
FL_PRIVATE int bin_members_add(struct bin_work *w, struct bin_members *m, const struct bin_doc *d, bin_value dict);
