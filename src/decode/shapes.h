/* SPDX-License-Identifier: MIT
** shapes.h -- what a Lua state remembers of decoded objects: names, and which names follow each other.
** Must hold: no Lua here; the owner keeps every string alive whose address is stored here. Entries are only added,
** each complete before it can be found, so a decode that is interrupted by another one, or by an error, leaves this
** consistent. When something does not fit, the owner replaces it by a copy of twice the size, up to a limit, and at
** the limit by an empty one; decodes that use the old one keep that alive. Every search is bounded. */
#pragma once

#include "../layout/value.h"
#include "../text/utf8.h"

enum {
  SHAPES_NAMES_FIRST = 16, /* names at first, in 6 KB; */
  SHAPES_NAMES = 512,      /* and at most, in 160 KB */
  SHAPES_PER_NAME = 4,     /* shapes for each name; */
  SHAPES_MEMBERS_PER_NAME = 8,
  SHAPES_LONGEST = 64,    /* an object with more names is a map, not a record */
  SHAPES_NAME_BYTES = 40, /* every Lua interns strings up to this length */
  SHAPES_PROBES = 8       /* hash collisions looked at */
};

/* A name. Its first 16 bytes, with the closing quote, are compared to test whether it is the next name: the mask is
** 0xff for bytes that count. */
struct shapes_name {
  const char *object; /* the Lua string */
  uint64_t word[2], mask[2];
  uint32_t length, hash;
  int is_plain; /* stands between quotes unchanged; other names, of binary or lenient texts, are never likely */
  char text[SHAPES_NAME_BYTES + 1]; /* with the closing quote */
};

struct shapes_shape {
  uint16_t name, parent, count; /* last of its names; the shape without it; number of names */
  uint16_t likely;              /* the shape that followed last time, without a duplicate name, or 0 */
  uint16_t likely_repeat;       /* the shape with a duplicate name that followed last time, or 0 */
  uint8_t repeats;              /* it has a duplicate name, so its places are not remembered */
  uint8_t ended;                /* an object has ended here */
  /* if remembered: index of its places in `member` + 1, and the number of nodes of such a table */
  uint16_t members, nodes;
  uint32_t free_at; /* its free mark, in bytes from the first node */
};

/* The arrays follow it in the same block. */
struct shapes {
  struct shapes_shape *shape;
  struct shapes_name *name;
  struct lay_member *member;
  uint16_t *shape_slots, *name_slots; /* hash tables, twice as large as the arrays: number + 1, 0 if free */
  uint16_t names, shapes, members_used;
  uint16_t room; /* for names; determines that for the others */
  uint16_t full; /* something did not fit */
};

/* Returns the size of the block for so many names, a power of two. */
FL_PRIVATE size_t shapes_bytes(unsigned room);

/* Makes it empty. */
FL_PRIVATE void shapes_init(struct shapes *h, unsigned room);

/* Copies `from` into `h`, which must be empty and larger; all numbers stay the same. The owner must have anchored the
** names for it, too. */
FL_PRIVATE void shapes_copy(struct shapes *h, const struct shapes *from);

FL_INLINE int shapes_has_members(const struct shapes *h, size_t n) {
  return h->members_used + n <= SHAPES_MEMBERS_PER_NAME * (size_t)h->room;
}

FL_PRIVATE uint32_t shapes_hash(const char *s, size_t n);

/* Returns the name s[0..n), or NULL. */
FL_PRIVATE const struct shapes_name *shapes_find_name(const struct shapes *h, const char *s, size_t n, uint32_t hash);

/* Adds a new name; its string must already be anchored at its number, h->names. NULL if full. */
FL_PRIVATE const struct shapes_name *shapes_add_name(struct shapes *h, const char *s, size_t n, uint32_t hash,
                                                     const char *object);

/* Returns the shape of `parent` and one more `name`, added if new; 0 if there is no room. */
FL_PRIVATE unsigned shapes_next(struct shapes *h, unsigned parent, unsigned name);

/* At the first byte of a name: returns `to`, which is 0 or a likely shape, if this is its last name, else 0. 16 bytes
** must be readable; a 0 follows the text, which no likely name contains. Sets *length to that of the name with its
** closing quote. */
FL_INLINE unsigned shapes_guess(const struct shapes *h, unsigned to, const char *p, const char *end, size_t *length) {
  const struct shapes_name *name = &h->name[h->shape[to].name];
  FL_ASSERT(to < h->shapes);
  if (to == 0) return 0;
  const size_t n = name->length + 1;
  if (((fl_load64(p) ^ name->word[0]) & name->mask[0]) | ((fl_load64(p + 8) ^ name->word[1]) & name->mask[1])) return 0;
  if (n > 16 && ((size_t)(end - p) < n || memcmp(p + 16, name->text + 16, n - 16) != 0)) return 0;
  *length = n;
  return to;
}
