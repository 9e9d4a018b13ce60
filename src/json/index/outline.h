/* SPDX-License-Identifier: MIT
** outline.h -- the outline of a text: where each name and value begins, and where arrays and objects end.
** Must hold: entries are in the order of the text: of an object the name and the value of each member by turns, of an
** array its items, each followed by what it contains. Containers are in that order, too. */
#pragma once

#include "locate.h"

/* An entry is an offset in the text, or, of an array or object, its number in `containers` and this bit. */
#define JSON_OUTLINE_CONTAINER UINT32_C(0x80000000)
#define JSON_OUTLINE_ESCAPES UINT32_C(0x40000000) /* a string or name with escapes: this bit is added */
#define JSON_OUTLINE_OFFSET (JSON_OUTLINE_ESCAPES - 1)

enum { JSON_OUTLINE_LONGEST = 0x3fffffff }; /* longest text */

struct json_outline_container {
  uint32_t begin; /* the offset of its bracket */
  uint32_t at;    /* its entry */
  uint32_t end;   /* the entry after its contents */
  uint32_t close; /* the offset of its closing bracket */
  uint32_t up;    /* the container around it; the first one has itself */
  uint32_t notes; /* 0; for the owner, like the two bits of `begin` that offsets do not need */
};

struct json_outline {
  const char *text;
  uint32_t *entries;
  struct json_outline_container *containers;
  uint32_t count, room;
  uint32_t container_count, container_room;
  uint32_t up; /* the innermost open container */
  /* Makes room for JSON_OUTLINE_MORE entries more, and as many containers. Returns 0 if out of memory. */
  int (*grow)(struct json_outline *o);
};

enum { JSON_OUTLINE_MORE = 68 }; /* a block's, and what is written beyond the last */

FL_INLINE int json_outline_has_room(const struct json_outline *o) {
  return o->room - o->count >= JSON_OUTLINE_MORE && o->container_room - o->container_count >= JSON_OUTLINE_MORE;
}

/* Begins a container at an entry, or ends the innermost one before it. Without a branch, because which of both comes
** next cannot be predicted; what is written beyond the last container has no effect. */
FL_INLINE void json_outline_bracket(struct json_outline *o, uint32_t entry, uint32_t offset, int opening) {
  struct json_outline_container *const next = &o->containers[o->container_count];
  uint32_t *const at = &o->entries[entry];
  next->begin = offset;
  next->at = entry;
  next->up = o->up;
  next->notes = 0;
  *at = opening ? JSON_OUTLINE_CONTAINER | o->container_count : *at;
  struct json_outline_container *const of = opening ? next : &o->containers[o->up];
  of->end = entry;
  of->close = offset;
  o->up = opening ? o->container_count : of->up;
  o->container_count += (uint32_t)opening;
}

/* Makes the outline of the strict text [s, end), an array or object without white space around it. `containers`: as in
** json_is_text. Returns 0 as that does, or if o->grow did. */
FL_PRIVATE int json_make_outline(struct json_outline *o, const char *s, const char *end, uint32_t max_depth,
                                 unsigned char *containers, unsigned cpu);
