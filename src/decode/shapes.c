/* SPDX-License-Identifier: MIT
** A shape is a sequence of names: shape 0 is empty, every other has a parent and one more name. While an object is
** read, each name leads to the next shape. When a shape ends an object for the second time, the place of each pair
** in the table that Lua has built is remembered, and later objects of that shape are filled without hashing. */
#include "shapes.h"

FL_STATIC_ASSERT(SHAPES_MEMBERS_PER_NAME *SHAPES_NAMES < UINT16_MAX, numbers_fit_16_bits);
FL_STATIC_ASSERT((SHAPES_NAMES_FIRST & (SHAPES_NAMES_FIRST - 1)) == 0, room_is_a_power_of_two);

FL_PRIVATE size_t shapes_bytes(unsigned room) {
  const size_t shapes = SHAPES_PER_NAME * (size_t)room;
  return sizeof(struct shapes) + room * sizeof(struct shapes_name) + shapes * sizeof(struct shapes_shape) +
         SHAPES_MEMBERS_PER_NAME * room * sizeof(struct lay_member) + 2 * (shapes + room) * sizeof(uint16_t);
}

FL_PRIVATE void shapes_init(struct shapes *h, unsigned room) {
  const size_t shapes = SHAPES_PER_NAME * (size_t)room, slots = 2 * (shapes + room);
  FL_ASSERT(room >= SHAPES_NAMES_FIRST && room <= SHAPES_NAMES && (room & (room - 1)) == 0);
  memset(h, 0, sizeof *h);
  h->room = (uint16_t)room;
  h->name = (struct shapes_name *)(void *)(h + 1); /* what needs the strictest alignment comes first */
  h->member = (struct lay_member *)(void *)(h->name + room);
  h->shape = (struct shapes_shape *)(void *)(h->member + SHAPES_MEMBERS_PER_NAME * room);
  h->shape_slots = (uint16_t *)(void *)(h->shape + shapes);
  h->name_slots = h->shape_slots + 2 * shapes;
  memset(h->shape_slots, 0, slots * sizeof *h->shape_slots);
  memset(&h->shape[0], 0, sizeof h->shape[0]);
  h->shapes = 1;
}

FL_PRIVATE uint32_t shapes_hash(const char *s, size_t n) {
  uint64_t h = n * UINT64_C(0x9e3779b97f4a7c15);
  for (; n >= 8; s += 8, n -= 8) h = (h ^ fl_load64(s)) * UINT64_C(0xff51afd7ed558ccd), h ^= h >> 32;
  for (; n > 0; s++, n--) h = (h ^ (unsigned char)*s) * UINT64_C(0xff51afd7ed558ccd), h ^= h >> 32;
  return (uint32_t)(h ^ h >> 29);
}

FL_PRIVATE const struct shapes_name *shapes_find_name(const struct shapes *h, const char *s, size_t n, uint32_t hash) {
  for (unsigned i = 0; i < SHAPES_PROBES; i++) {
    unsigned slot = h->name_slots[(hash + i) & (2u * h->room - 1)];
    if (slot == 0) return NULL;
    const struct shapes_name *name = &h->name[slot - 1];
    if (name->hash == hash && name->length == n && memcmp(name->text, s, n) == 0) return name;
  }
  return NULL;
}

FL_PRIVATE const struct shapes_name *shapes_add_name(struct shapes *h, const char *s, size_t n, uint32_t hash,
                                                     const char *object) {
  struct shapes_name *name = &h->name[h->names];
  FL_ASSERT(h->names < h->room && n <= SHAPES_NAME_BYTES);
  for (unsigned i = 0; i < SHAPES_PROBES; i++) {
    uint16_t *slot = &h->name_slots[(hash + i) & (2u * h->room - 1)];
    char mask[16];
    if (*slot) continue;
    memset(name, 0, sizeof *name);
    name->object = object;
    name->length = (uint32_t)n;
    name->hash = hash;
    name->is_plain = text_is_plain(s, n);
    memcpy(name->text, s, n);
    name->text[n] = '"';
    memset(mask, 0, sizeof mask);
    memset(mask, 0xff, n + 1 < 16 ? n + 1 : 16);
    memcpy(name->mask, mask, 16);
    memcpy(name->word, name->text, 16);
    *slot = ++h->names;
    return name;
  }
  h->full = 1;
  return NULL;
}

FL_INLINE unsigned shapes_slot_of(unsigned parent, unsigned name) {
  return (parent * 0x9e3779b1u ^ name * 0x85ebca6bu) >> 8;
}

FL_PRIVATE unsigned shapes_next(struct shapes *h, unsigned parent, unsigned name) {
  unsigned at = shapes_slot_of(parent, name), i, up;
  FL_ASSERT(parent < h->shapes && name < h->names);
  for (i = 0; i < SHAPES_PROBES; i++) {
    uint16_t *slot = &h->shape_slots[(at + i) & (2u * SHAPES_PER_NAME * h->room - 1)];
    struct shapes_shape *s = &h->shape[*slot ? *slot - 1 : 0];
    if (*slot) {
      if (s->parent == parent && s->name == name) return *slot - 1u;
      continue;
    }
    if (h->shapes == SHAPES_PER_NAME * h->room || h->shape[parent].count == SHAPES_LONGEST) break;
    s = &h->shape[h->shapes];
    memset(s, 0, sizeof *s);
    s->name = (uint16_t)name;
    s->parent = (uint16_t)parent;
    s->count = (uint16_t)(h->shape[parent].count + 1);
    s->repeats = h->shape[parent].repeats;
    for (up = parent; up != 0; up = h->shape[up].parent) /* a name may have a second number: shapes_enter */
      if (h->name[h->shape[up].name].object == h->name[name].object) s->repeats = 1;
    *slot = (uint16_t)(h->shapes + 1);
    return h->shapes++;
  }
  if (h->shape[parent].count < SHAPES_LONGEST) h->full = 1;
  return 0;
}

/* Enters the number + 1 of an entry with this hash. If no slot within the search is free, the entry will not be found,
** and a new one will be added instead. */
static void shapes_enter(uint16_t *slots, unsigned mask, unsigned hash, unsigned number) {
  for (unsigned i = 0; i < SHAPES_PROBES; i++) {
    if (slots[(hash + i) & mask]) continue;
    slots[(hash + i) & mask] = (uint16_t)(number + 1);
    return;
  }
}

FL_PRIVATE void shapes_copy(struct shapes *h, const struct shapes *from) {
  FL_ASSERT(h->room > from->room && h->names == 0 && h->shapes == 1);
  memcpy(h->name, from->name, from->names * sizeof *h->name);
  memcpy(h->shape, from->shape, from->shapes * sizeof *h->shape);
  memcpy(h->member, from->member, from->members_used * sizeof *h->member);
  h->names = from->names;
  h->shapes = from->shapes;
  h->members_used = from->members_used;
  for (unsigned i = 0; i < h->names; i++) shapes_enter(h->name_slots, 2u * h->room - 1, h->name[i].hash, i);
  for (unsigned i = 1; i < h->shapes; i++)
    shapes_enter(h->shape_slots, 2u * SHAPES_PER_NAME * h->room - 1,
                 shapes_slot_of(h->shape[i].parent, h->shape[i].name), i);
}
