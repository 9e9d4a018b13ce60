/* SPDX-License-Identifier: MIT */
#include "sort.h"

/* Reserves room for `need` members and keeps the first `keep`. */
static int reformat_reserve_members(struct json_to_json *k, struct reformat_member **array, size_t *room, size_t need,
                                    enum reformat_memory what, size_t keep) {
  size_t wider = *room ? *room : 64;
  struct reformat_member *block;
  if (need <= *room) return 1;
  while (wider < need) wider *= 2;
  block = (struct reformat_member *)k->memory(k->owner, what, wider * sizeof *block);
  if (!block) return json_fail(k->out, FL_ERROR_MEMORY) != NULL;
  if (keep) memcpy(block, *array, keep * sizeof *block);
  *array = block;
  *room = wider;
  return 1;
}

static struct reformat_member *reformat_add_member(struct json_to_json *k) {
  if (!reformat_reserve_members(k, &k->members, &k->member_room, k->member_count + 1, REFORMAT_MEMBERS,
                                k->member_count))
    return NULL;
  return &k->members[k->member_count++];
}

FL_PRIVATE int reformat_begin_object(struct json_to_json *k) {
  struct reformat_member *m = reformat_add_member(k);
  if (!m) return 0;
  m->at = k->first;
  k->first = k->member_count;
  return 1;
}

FL_PRIVATE int reformat_begin_member(struct json_to_json *k, const char *w) {
  struct reformat_member *m = reformat_add_member(k);
  if (!m) return 0;
  m->from = (size_t)(k->named - k->scan.begin);
  m->at = (size_t)(w - k->out->buffer.begin);
  return 1;
}

FL_PRIVATE void reformat_name_member(struct json_to_json *k, const char *name, size_t n) {
  struct reformat_member *m = &k->members[k->member_count - 1];
  FL_ASSERT(k->member_count > k->first);
  m->name = (size_t)(name - k->out->buffer.begin);
  m->n = n;
}

/* The next character of a name with escapes; the name was checked when it was read. */
static uint32_t reformat_next_character(const char **at, const char *end) {
  const char *p = *at;
  uint32_t c, low;
  if (*p != '\\') {
    const int n = text_utf8_next(p, (size_t)(end - p), &c);
    *at = p + (n > 0 ? n : 1);
    return n > 0 ? c : (unsigned char)*p;
  }
  *at = p + 2;
  if (p[1] != 'u') return (unsigned char)json_short_escape(p[1]);
  c = (uint32_t)json_check_hex(p + 2, end);
  *at = p + 6;
  if ((c & 0xfc00) != 0xd800 || end - p < 12) return c;
  low = (uint32_t)json_check_hex(p + 8, end);
  *at = p + 12;
  return 0x10000u + ((c & 0x3ff) << 10) + (low & 0x3ff);
}

/* Where a code point stands in the order of UTF-16: the surrogates come before U+E000. */
FL_INLINE uint32_t reformat_utf16_rank(uint32_t c) { return c - 0xe000 < 0x2000 ? c + 0x110000 : c; }

/* Code points are in the order of their bytes in UTF-8. */
static int reformat_compare_names(const struct json_to_json *k, const struct reformat_member *a,
                                  const struct reformat_member *b) {
  const char *text = k->out->buffer.begin;
  const int canonical = k->out->style->canonical;
  const char *p = text + a->name, *q = text + b->name, *p_end = p + a->n, *q_end = q + b->n;
  if (!memchr(p, '\\', a->n) && !memchr(q, '\\', b->n)) {
    int order;
    if (canonical) return text_compare_utf16(p, a->n, q, b->n);
    order = memcmp(p, q, a->n < b->n ? a->n : b->n);
    return order ? order : (a->n > b->n) - (a->n < b->n);
  }
  while (p < p_end && q < q_end) {
    const uint32_t c = reformat_next_character(&p, p_end), d = reformat_next_character(&q, q_end);
    if (c != d && canonical) return reformat_utf16_rank(c) < reformat_utf16_rank(d) ? -1 : 1;
    if (c != d) return c < d ? -1 : 1;
  }
  return (p < p_end) - (q < q_end);
}

#define MERGE_NAME reformat_merge_members
#define MERGE_TYPE struct reformat_member
#define MERGE_CONTEXT const struct json_to_json *
#define MERGE_IS_AFTER(k, a, b) (reformat_compare_names(k, a, b) > 0)
#include "../base/merge_template.h"

static int reformat_are_sorted(const struct json_to_json *k, const struct reformat_member *members, size_t n) {
  while (n > 1 && reformat_compare_names(k, &members[n - 2], &members[n - 1]) <= 0) n--;
  return n <= 1;
}

/* Canonical JSON: a name that an object has twice is an error at its second place. The members are sorted. */
static int reformat_refuse_duplicates(struct json_to_json *k, const struct reformat_member *sorted, size_t n) {
  size_t i;
  if (!k->out->style->canonical) return 1;
  for (i = 1; i < n; i++)
    if (reformat_compare_names(k, &sorted[i - 1], &sorted[i]) == 0)
      return json_scan_error(&k->scan, JSON_CHECK_DUPLICATE, k->scan.begin + sorted[i].from) != NULL;
  return 1;
}

/* Sorts the texts of the members, the last of which ends before `w`. Each nested object that is not sorted moves its
** whole text once more. */
static int reformat_move_members(struct json_to_json *k, struct reformat_member *members, size_t n, const char *w) {
  char *const text = k->out->buffer.begin, *to = text + members[0].at;
  const size_t begin = members[0].at, bytes = (size_t)(w - to);
  const struct reformat_member *sorted;
  const char *copy;
  size_t i;
  if (!reformat_reserve_members(k, &k->sorted, &k->sorted_room, n + bytes / sizeof *members + 1, REFORMAT_SORTED, 0))
    return 0;
  for (i = 0; i < n; i++) members[i].bytes = (i + 1 < n ? members[i + 1].at : begin + bytes) - members[i].at;
  sorted = reformat_merge_members(k, members, k->sorted, n, 1);
  if (!reformat_refuse_duplicates(k, sorted, n)) return 0;
  if (sorted != members) memcpy(members, sorted, n * sizeof *members);
  copy = (const char *)memcpy(k->sorted, to, bytes);
  for (i = 0; i < n; i++) {
    memcpy(to, copy + (members[i].at - begin), members[i].bytes);
    to += members[i].bytes;
  }
  return 1;
}

FL_PRIVATE int reformat_end_object(struct json_to_json *k, const char *w) {
  struct reformat_member *members = k->members + k->first;
  const size_t n = k->member_count - k->first;
  FL_ASSERT(k->first > 0 && k->member_count >= k->first);
  if (!(reformat_are_sorted(k, members, n) ? reformat_refuse_duplicates(k, members, n)
                                           : reformat_move_members(k, members, n, w)))
    return 0;
  k->member_count = k->first - 1;
  k->first = k->members[k->member_count].at;
  return 1;
}
