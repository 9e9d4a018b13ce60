/* SPDX-License-Identifier: MIT */
#include "state.h"

FL_PRIVATE_NOINLINE int bin_check_fail(struct bin_check *c, enum bin_error error, bin_value where) {
  c->error = error;
  c->where = where;
  return 0;
}

FL_PRIVATE_NOINLINE int bin_check_spend(struct bin_check *c, size_t n, bin_value where) {
  const uint64_t steps = 1 + n / 16;
  if (FL_UNLIKELY(c->work < steps)) return bin_check_fail(c, BIN_ERROR_EXPANSION, where);
  c->work -= steps;
  return 1;
}

FL_PRIVATE_NOINLINE int bin_seen_grow_(struct bin_check *c) {
  struct bin_seen *old = c->seen;
  const size_t slots = c->slots, wide = 2 * slots;
  struct bin_seen *wider = (struct bin_seen *)c->alloc(c->alloc_ud, NULL, 0, wide * sizeof *wider);
  if (!wider) return bin_check_fail(c, BIN_ERROR_MEMORY, c->doc->begin);
  memset(wider, 0, wide * sizeof *wider);
  c->seen = wider;
  c->slots = wide;
  for (size_t i = 0; i < slots; i++)
    if (old[i].at) wider[bin_seen_slot(c, old[i].at)] = old[i];
  if (old != c->first_seen) c->alloc(c->alloc_ud, old, slots * sizeof *old, 0);
  return 1;
}

FL_NOINLINE int bin_check_grow_frames_(struct bin_check *c) {
  struct bin_check_frame *old = c->frames;
  struct bin_check_frame *wider = (struct bin_check_frame *)c->alloc(c->alloc_ud, NULL, 0, 2 * c->room * sizeof *wider);
  if (!wider) return bin_check_fail(c, BIN_ERROR_MEMORY, c->doc->begin);
  memcpy(wider, old, c->room * sizeof *wider);
  if (old != c->first_frames) c->alloc(c->alloc_ud, old, c->room * sizeof *old, 0);
  c->frames = wider;
  c->room *= 2;
  return 1;
}

enum { BIN_CHECK_OPENED = 2 };

FL_PRIVATE_NOINLINE int bin_check_push(struct bin_check *c, const struct bin_doc *doc, bin_value v, bin_value first,
                                       bin_value end, uint32_t count, enum bin_check_kind kind, int again) {
  FL_ASSERT(c->depth <= c->room && c->depth < c->max_depth && first <= end && (uintptr_t)v % 2 == 0);
  if (FL_UNLIKELY(c->depth == c->room) && !bin_check_grow_frames_(c)) return 0;
  struct bin_check_frame *f = &c->frames[c->depth++];
  f->doc = doc;
  f->at = v;
  f->item = first;
  f->end = end;
  f->key = NULL;
  f->prefix = 0;
  f->values = 1 + (uint64_t)count;
  f->texts = 0;
  f->levels = 1;
  f->width = v[0] & BIN_WIDE ? 4 : 2;
  f->kind = (uint8_t)kind;
  f->ancestors = 0;
  f->long_keys = 0;
  f->again = (uint8_t)again;
  return BIN_CHECK_OPENED;
}

FL_PRIVATE_NOINLINE int bin_check_text_(struct bin_check *c, struct bin_check_frame *f, bin_value v) {
  size_t n;
  (void)bin_bytes(v, &n);
  f->texts += bin_text_values(n);
  return f->values + f->texts <= c->most_values || bin_check_fail(c, BIN_ERROR_EXPANSION, f->at);
}
