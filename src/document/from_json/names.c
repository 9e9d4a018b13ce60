/* SPDX-License-Identifier: MIT
** A shape is a sequence of names, as in decode/shapes.h: number 0 is the empty one, every other has a
** parent and one more name. While an object is read its shape changes name by name. Each shape knows the name that
** followed last time, which is compared with the text instead of being scanned, hashed and looked up. The order of a
** shape's pairs is computed once (people: 350 -> 550 MB/s with both). */
#include "names.h"

FL_PRIVATE void names_init(struct names_table *h) {
  memset(h, 0, offsetof(struct names_table, name));
  memset(h->shape, 0, 2 * sizeof *h->shape);
  h->shapes = NAMES_LOST + 1;
}

FL_PRIVATE int names_find(struct names_table *h, const char *s, size_t n) {
  const uint32_t hash = n <= NAMES_NAME_BYTES ? bin_hash(s, n, 0) : 0;
  unsigned i;
  if (n > NAMES_NAME_BYTES) return -1;
  for (i = 0; i < NAMES_PROBES; i++) {
    uint16_t *slot = &h->name_slots[(hash + i) % (2 * NAMES_NAMES)];
    struct names_name *name = &h->name[*slot ? *slot - 1 : h->names];
    if (*slot) {
      if (name->hash == hash && name->length == n && memcmp(name->text, s, n) == 0) return *slot - 1;
      continue;
    }
    if (h->names == NAMES_NAMES) return -1;
    name->length = (uint32_t)n;
    name->hash = hash;
    name->known.place = BIN_UNKNOWN;
    memset(name->text, 0, 16);
    memcpy(name->text, s, n);
    name->text[n] = '"';
    memset(name->mask, 0, 16);
    memset(name->mask, 0xff, n + 1 < 16 ? n + 1 : 16);
    memcpy(name->word, name->text, 16);
    *slot = ++h->names;
    return *slot - 1;
  }
  return -1;
}

FL_PRIVATE unsigned names_next(struct names_table *h, unsigned parent, unsigned name) {
  const unsigned at = (parent * 0x9e3779b1u ^ name * 0x85ebca6bu) >> 8;
  unsigned i;
  FL_ASSERT(parent < h->shapes && parent != NAMES_LOST && name < h->names);
  for (i = 0; i < NAMES_PROBES; i++) {
    uint16_t *slot = &h->shape_slots[(at + i) % (2 * NAMES_SHAPES)];
    struct names_shape *s = &h->shape[*slot ? *slot - 1 : 0];
    if (*slot) {
      if (s->parent == parent && s->name == name) return *slot - 1u;
      continue;
    }
    if (h->shapes == NAMES_SHAPES || h->shape[parent].count == NAMES_LONGEST) break;
    s = &h->shape[h->shapes];
    memset(s, 0, sizeof *s);
    s->name = (uint16_t)name;
    s->parent = (uint16_t)parent;
    s->count = (uint16_t)(h->shape[parent].count + 1);
    *slot = (uint16_t)(h->shapes + 1);
    return h->shapes++;
  }
  return NAMES_LOST;
}

/* ------------------------------------------------------------------------------------- the order of pairs */

/* The order of bin_pair_order_: codes by number, then strings by bytes. */
static int names_compare(const struct names_name *a, const struct names_name *b) {
  const int ia = bin_is_code(a->known.place), ib = bin_is_code(b->known.place);
  if (ia || ib) return ia && ib ? (int)(a->known.place >> 16) - (int)(b->known.place >> 16) : ib - ia;
  return bin_compare_bytes(a->text, a->length, b->text, b->length);
}

FL_PRIVATE_NOINLINE void names_learn_(struct names_table *h, unsigned shape) {
  const struct names_name *name[NAMES_LONGEST];
  const unsigned n = h->shape[shape].count;
  uint8_t *order = h->orders + h->orders_used;
  unsigned i, j, up, moves = 0;
  if (!h->shape[shape].ended++ || h->shape[shape].repeats || n > NAMES_ORDERS - (unsigned)h->orders_used) return;
  for (i = n, up = shape; i-- > 0; up = h->shape[up].parent) name[i] = &h->name[h->shape[up].name];
  for (i = 0; i < n; i++) {
    for (j = i; j > 0 && names_compare(name[order[j - 1]], name[i]) >= 0; j--, moves++) {
      if (name[order[j - 1]] == name[i]) {
        h->shape[shape].repeats = 1;
        return;
      }
      order[j] = order[j - 1];
    }
    order[j] = (uint8_t)i;
  }
  h->shape[shape].order = moves ? (uint16_t)(h->orders_used + 1) : (uint16_t)NAMES_IN_ORDER;
  if (moves) h->orders_used = (uint16_t)(h->orders_used + n);
}
