/* SPDX-License-Identifier: MIT */
#include "equal.h"

/* Compares an integer, as from bin_integer, and a double. */
static int bin_equal_mixed(uint64_t bits, int is_big, double d) {
  if (d >= 18446744073709551616.0 || d < -9223372036854775808.0 || d != d) return 0;
  if (d < 0) return !is_big && (int64_t)d == (int64_t)bits && (double)(int64_t)d == d;
  return (is_big || (int64_t)bits >= 0) && (uint64_t)d == bits && (double)(uint64_t)d == d;
}

FL_PRIVATE int bin_equal_numbers(bin_value a, bin_value b, int strict) {
  const int ai = bin_is_integer(a), bi = bin_is_integer(b);
  uint64_t x;
  int is_big, other_big;
  if (ai && bi) {
    x = bin_integer(a, &is_big);
    return x == bin_integer(b, &other_big) && is_big == other_big;
  }
  if (!ai && !bi) {
    const double c = bin_double(a), d = bin_double(b);
    if (c != c || d != d) return c != c && d != d;
    return c == d && (!strict || fl_load64(&c) == fl_load64(&d));
  }
  if (strict) return 0;
  x = bin_integer(ai ? a : b, &is_big);
  return bin_equal_mixed(x, is_big, bin_double(ai ? b : a));
}

/* Opens two collections. Returns 1 if they may be equal, 0 if not, -1 with w->error set. */
static int bin_equal_open(struct bin_equal *q, bin_value a, bin_value b) {
  struct bin_equal_frame *f;
  if (bin_tag(a) != bin_tag(b)) return 0;
  f = (struct bin_equal_frame *)bin_work_reserve(q->work, q->frames, &q->room, q->depth + 1, sizeof *f);
  if (!f) return -1;
  q->frames = f;
  f += q->depth;
  f->next = 0;
  f->is_dict = bin_tag(a) == BIN_TAG_DICT;
  f->a_first = q->members.count;
  if (f->is_dict) {
    if (!bin_members_add(q->work, &q->members, q->a, a)) return -1;
    f->b_first = q->members.count;
    if (!bin_members_add(q->work, &q->members, q->b, b)) return -1;
    f->count = f->b_first - f->a_first;
    if (q->members.count - f->b_first != f->count) return 0;
  } else {
    f->a = bin_list_of(a), f->b = bin_list_of(b);
    f->count = f->a.count;
    if (f->b.count != f->count) return 0;
  }
  q->depth++;
  return 1;
}

/* Returns 1 if two values are equal, or are collections, which it opens; 0 or -1 like bin_equal_open. */
FL_INLINE int bin_equal_visit(struct bin_equal *q, bin_value a, bin_value b) {
  if (a == b && bin_is_same_in(q->a, q->b, a)) return bin_work_spend(q->work, 0) ? 1 : -1;
  if (bin_is_collection(a) && bin_is_collection(b)) return bin_work_spend(q->work, 0) ? bin_equal_open(q, a, b) : -1;
  return bin_work_spend(q->work, bin_value_bytes(a)) ? bin_equal_scalars(a, b, q->strict) : -1;
}

static int bin_equal_walk(struct bin_equal *q) {
  int same = 1;
  while (same == 1 && q->depth > 0) {
    struct bin_equal_frame *f = &q->frames[q->depth - 1];
    if (f->next == f->count) {
      q->members.count = f->a_first;
      q->depth--;
      continue;
    }
    const size_t i = f->next++;
    if (f->is_dict) {
      const struct bin_member *a = &q->members.at[f->a_first + i], *b = &q->members.at[f->b_first + i];
      if (bin_member_order(a, b) != 0) return 0;
      same = bin_equal_visit(q, a->value, b->value);
    } else {
      same = bin_equal_visit(q, bin_list_item(q->a, &f->a, i), bin_list_item(q->b, &f->b, i));
    }
  }
  return same;
}

FL_PRIVATE int bin_equal(struct bin_work *w, const struct bin_doc *a, bin_value va, const struct bin_doc *b,
                         bin_value vb, int strict) {
  struct bin_equal q = {0};
  q.work = w, q.a = a, q.b = b, q.strict = strict;
  int same = bin_equal_visit(&q, va, vb);
  if (same == 1) same = bin_equal_walk(&q);
  bin_members_free(w, &q.members);
  bin_work_free(w, q.frames, q.room, sizeof *q.frames);
  return same;
}
