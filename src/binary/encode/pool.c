/* SPDX-License-Identifier: MIT
** Collisions can be forged, so a search must be bounded: after BIN_POOL_PROBES slots a value counts as new and takes
** the last of them. The compatible mode must find every string, because its output is exactly specified; its pool has
** an unpredictable seed instead. Numbers and collections need neither: they may be missed, and each hash has a few
** slots (struct bin_recent). */
#include "pool.h"

FL_PRIVATE_NOINLINE int bin_pool_resize_(struct bin_pool *p, fl_alloc alloc, void *ud, size_t room) {
  size_t i;
  struct bin_pool_slot *slots = (struct bin_pool_slot *)alloc(ud, NULL, 0, room * sizeof *slots);
  FL_ASSERT((room & (room - 1)) == 0 && room > p->count);
  if (!slots) return 0;
  memset(slots, 0, room * sizeof *slots);
  for (i = 0; i < p->room; i++) {
    size_t at = p->slots[i].hash & (room - 1);
    if (!p->slots[i].position) continue;
    while (slots[at].position) at = (at + 1) & (room - 1);
    slots[at] = p->slots[i];
  }
  if (p->slots) alloc(ud, p->slots, p->room * sizeof *p->slots, 0);
  p->slots = slots;
  p->room = room;
  p->generation++;
  return 1;
}

FL_PRIVATE_NOINLINE int bin_pool_grow_(struct bin_pool *p, fl_alloc alloc, void *ud) {
  size_t room = p->room ? 4 * p->room : BIN_POOL_FIRST;
  while (p->room >= BIN_POOL_KEPT / 4 && room / 2 < p->before) room *= 2;
  return bin_pool_resize_(p, alloc, ud, room);
}

/* Should a table be freed instead of emptied for the next document? Yes, if it is large or was hardly used: small
** documents after a large one must not pay for its tables. */
FL_INLINE int bin_pool_should_free(size_t room, size_t count) {
  return room > BIN_POOL_KEPT || (room > BIN_POOL_FIRST && count < room / 64);
}

FL_PRIVATE void bin_pool_clear(struct bin_pool *p, fl_alloc alloc, void *ud) {
  p->before = p->count;
  if (bin_pool_should_free(p->room, p->count)) bin_pool_free(p, alloc, ud);
  else if (p->count) memset(p->slots, 0, p->room * sizeof *p->slots);
  p->count = 0;
  p->generation++;
}

FL_PRIVATE_NOINLINE int bin_recent_grow_(struct bin_recent *r, fl_alloc alloc, void *ud) {
  struct bin_recent wider = {NULL, r->room ? 4 * r->room : BIN_RECENT_FIRST, 0, r->most};
  size_t i;
  wider.slots = (struct bin_pool_slot *)alloc(ud, NULL, 0, wider.room * sizeof *wider.slots);
  if (!wider.slots) return 0;
  memset(wider.slots, 0, wider.room * sizeof *wider.slots);
  for (i = r->room; i-- > 0;) { /* the first of four is the latest */
    const struct bin_pool_slot *s = &r->slots[i];
    if (s->position) bin_recent_enter(&wider, bin_recent_slots(&wider, s->hash), s->position - 1, s->hash);
  }
  if (r->slots) alloc(ud, r->slots, r->room * sizeof *r->slots, 0);
  *r = wider;
  return 1;
}

FL_PRIVATE void bin_recent_clear(struct bin_recent *r, fl_alloc alloc, void *ud) {
  if (r->room > BIN_RECENT_FIRST) bin_recent_free(r, alloc, ud);
  else if (r->count) memset(r->slots, 0, r->room * sizeof *r->slots);
  r->count = 0;
}
