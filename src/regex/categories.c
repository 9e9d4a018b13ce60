/* SPDX-License-Identifier: MIT */
#include "categories.h"
#include "categories_table.h"

enum { REGEX_CATEGORY_COUNT = (sizeof REGEX_CATEGORIES - 1) / 2 };

FL_PRIVATE uint32_t regex_take_categories(struct regex_compiler *c) {
  const char *p = c->p;
  const size_t left = (size_t)(c->end - p);
  uint32_t found = 0;
  unsigned i;
  if (left < 3 || p[0] != '{') return 0;
  for (i = 0; i < REGEX_CATEGORY_COUNT; i++) {
    const char *name = &REGEX_CATEGORIES[2 * (size_t)i];
    if (memcmp(name, "Cs", 2) == 0 || name[0] != p[1]) continue;
    if (p[2] == '}' || (p[2] == name[1] && left > 3 && p[3] == '}')) found |= UINT32_C(1) << i;
  }
  if (found) c->p += p[2] == '}' ? 3 : 4;
  return found;
}

FL_PRIVATE int regex_put_categories(struct regex_compiler *c, uint32_t categories, int others) {
  const unsigned char *p = regex_category_runs, *end = p + sizeof regex_category_runs;
  uint32_t from = 0, at = 0;
  int inside = 0; /* are the characters before `at`, from `from` on, in the class? */
  while (p < end) {
    uint32_t x = 0, shift = 0;
    int is_in;
    for (; *p & 128; p++, shift += 7) x |= (*p & 127u) << shift;
    x |= (uint32_t)*p++ << shift;
    is_in = (int)(categories >> (x & 31) & 1) != others;
    if (inside && !is_in && !regex_put_range(c, from, at - 1)) return 0;
    if (!inside) from = at;
    inside = is_in;
    at += x >> 5;
  }
  FL_ASSERT(at == 0x110000);
  return !inside || regex_put_range(c, from, at - 1);
}
