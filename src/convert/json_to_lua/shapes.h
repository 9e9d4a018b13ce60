/* SPDX-License-Identifier: MIT
** shapes.h -- what a Lua state remembers of decoded objects: names, and which names follow each other.
** May call: base, text, layout.
** Must hold: no Lua here; the owner keeps every string alive whose address is stored here. Entries are only added, each
** complete before it can be found, so that a decode that is interrupted by another one, or by an error, leaves this
** consistent. When it is full the owner replaces it by a new one, and decodes that use the old one keep that alive.
** The size is bounded, and so is every search.
**
** A shape is a sequence of names: shape 0 is empty, every other has a parent and one name more. While an object is
** read, each name leads to the next shape. When a shape ends an object for the second time, the place of each pair in
** the table that Lua has built is noted, and later objects of that shape are filled without hashing. */
#ifndef FLEECE_CONVERT_JSON_TO_LUA_SHAPES_H
#define FLEECE_CONVERT_JSON_TO_LUA_SHAPES_H

#include "../../layout/value.h"
#include "../../text/utf8.h"

enum {
  SHAPES_NAMES = 512, /* at most so many of each */
  SHAPES_SHAPES = 2048,
  SHAPES_MEMBERS = 4096,
  SHAPES_LONGEST = 64,    /* names in a shape; an object with more is not a record but a map */
  SHAPES_NAME_BYTES = 40, /* strings up to this length are interned by every Lua */
  SHAPES_PROBES = 8       /* hash collisions looked at */
};

/* A name. The first 16 bytes of its text with the closing quote are there to test whether it is the next name: the mask
** is 0xff for bytes that count. */
struct shapes_name {
  const char *object; /* the Lua string */
  uint64_t word[2], mask[2];
  uint32_t length, hash;
  int is_plain; /* stands between quotes as it is; other names, of binary or lenient texts, are never likely */
  char text[SHAPES_NAME_BYTES + 1]; /* with the closing quote */
};

struct shapes_shape {
  uint16_t name, parent, count; /* the last of its names; without it; how many */
  uint16_t likely;              /* the shape that followed last time, 0: none yet */
  uint16_t repeats;             /* it has a name twice: its places are never noted */
  uint16_t ended;               /* an object has ended here */
  uint16_t members, nodes;      /* once noted: index of its places in `member` + 1, and the nodes of such a table */
  uint32_t free_at;             /* its free mark, in bytes from the first node */
};

struct shapes {
  uint16_t names, shapes, members_used;
  uint16_t full;                         /* something did not fit */
  uint16_t name_slots[2 * SHAPES_NAMES]; /* hash tables: number + 1, 0 is free */
  uint16_t shape_slots[2 * SHAPES_SHAPES];
  struct shapes_name name[SHAPES_NAMES];
  struct shapes_shape shape[SHAPES_SHAPES];
  struct lay_member member[SHAPES_MEMBERS];
};

/* Makes it empty. The big arrays need no clearing: the counts say how much of them is in use. */
FL_FUNC void shapes_init(struct shapes *h) {
  memset(h, 0, offsetof(struct shapes, name));
  memset(&h->shape[0], 0, sizeof h->shape[0]);
  h->shapes = 1;
}

FL_FUNC uint32_t shapes_hash(const char *s, size_t n) {
  uint64_t h = n * UINT64_C(0x9e3779b97f4a7c15);
  for (; n >= 8; s += 8, n -= 8) h = (h ^ fl_load64(s)) * UINT64_C(0xff51afd7ed558ccd), h ^= h >> 32;
  for (; n > 0; s++, n--) h = (h ^ (unsigned char)*s) * UINT64_C(0xff51afd7ed558ccd), h ^= h >> 32;
  return (uint32_t)(h ^ h >> 29);
}

/* The name s[0..n), or NULL. */
FL_FUNC const struct shapes_name *shapes_find_name(const struct shapes *h, const char *s, size_t n, uint32_t hash) {
  unsigned i;
  for (i = 0; i < SHAPES_PROBES; i++) {
    unsigned slot = h->name_slots[(hash + i) % (2 * SHAPES_NAMES)];
    const struct shapes_name *name;
    if (slot == 0) return NULL;
    name = &h->name[slot - 1];
    if (name->hash == hash && name->length == n && memcmp(name->text, s, n) == 0) return name;
  }
  return NULL;
}

/* Adds a name that is not there; its string must be anchored at its number, h->names, already. NULL: full. */
FL_FUNC const struct shapes_name *shapes_add_name(struct shapes *h, const char *s, size_t n, uint32_t hash,
                                                  const char *object) {
  struct shapes_name *name = &h->name[h->names];
  unsigned i;
  FL_ASSERT(h->names < SHAPES_NAMES && n <= SHAPES_NAME_BYTES);
  for (i = 0; i < SHAPES_PROBES; i++) {
    uint16_t *slot = &h->name_slots[(hash + i) % (2 * SHAPES_NAMES)];
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

/* The shape of `parent` and one more `name`, made if there is none; 0: it cannot be kept. */
FL_FUNC unsigned shapes_next(struct shapes *h, unsigned parent, unsigned name) {
  unsigned at = shapes_slot_of(parent, name), i, up;
  FL_ASSERT(parent < h->shapes && name < h->names);
  for (i = 0; i < SHAPES_PROBES; i++) {
    uint16_t *slot = &h->shape_slots[(at + i) % (2 * SHAPES_SHAPES)];
    struct shapes_shape *s = &h->shape[*slot ? *slot - 1 : 0];
    if (*slot) {
      if (s->parent == parent && s->name == name) return *slot - 1u;
      continue;
    }
    if (h->shapes == SHAPES_SHAPES || h->shape[parent].count == SHAPES_LONGEST) break;
    s = &h->shape[h->shapes];
    memset(s, 0, sizeof *s);
    s->name = (uint16_t)name;
    s->parent = (uint16_t)parent;
    s->count = (uint16_t)(h->shape[parent].count + 1);
    s->repeats = h->shape[parent].repeats;
    for (up = parent; up != 0; up = h->shape[up].parent)
      if (h->shape[up].name == name) s->repeats = 1;
    *slot = (uint16_t)(h->shapes + 1);
    return h->shapes++;
  }
  if (h->shape[parent].count < SHAPES_LONGEST) h->full = 1;
  return 0;
}

/* At the first byte of a name: the shape that follows `from` if this is the likely name, else 0. 16 bytes are readable;
** after the text comes a 0, which no likely name contains. *length: that of the name with its closing quote. */
FL_INLINE unsigned shapes_guess(const struct shapes *h, unsigned from, const char *p, const char *end, size_t *length) {
  unsigned to = h->shape[from].likely;
  const struct shapes_name *name = &h->name[h->shape[to].name];
  size_t n;
  FL_ASSERT(from < h->shapes && to < h->shapes);
  if (to == 0) return 0;
  n = name->length + 1;
  if (((fl_load64(p) ^ name->word[0]) & name->mask[0]) | ((fl_load64(p + 8) ^ name->word[1]) & name->mask[1])) return 0;
  if (n > 16 && ((size_t)(end - p) < n || memcmp(p + 16, name->text + 16, n - 16) != 0)) return 0;
  *length = n;
  return to;
}

#endif
