/* SPDX-License-Identifier: MIT
** copy.h -- copies a value of any document into an encoder.
** Must hold: the value's document is checked, and its bytes are not the encoder's output. In compatible mode the
** copy equals the output of the reference's writeValue (docs/format.md): scalars keep their bytes, and those of 3
** and 4 bytes go into the slot, which makes the collection wide. In compact mode each number takes its shortest
** form. Codes become names, and then the codes of the encoder's keys. Parents are merged. A dict without a parent
** keeps all its pairs, even those that look-up does not find. A value in the encoder's base is pointed to instead. */
#pragma once

#include "encode.h"
#include "../read/members.h"

struct bin_copy_frame {
  const struct bin_doc *doc;
  struct bin_list list;    /* the rest of the collection, or */
  size_t first, next, end; /* of a dict with parents: its range of `members` */
  uint8_t is_dict, is_merged;
};

struct bin_copier {
  struct bin_work *work;
  struct bin_encoder *e;
  struct bin_members members;
  struct bin_copy_frame *frames;
  size_t depth, room;
};

FL_INLINE void bin_copier_init(struct bin_copier *c, struct bin_work *w, struct bin_encoder *e) {
  memset(c, 0, sizeof *c);
  c->work = w;
  c->e = e;
}

FL_INLINE void bin_copier_free(struct bin_copier *c) {
  bin_members_free(c->work, &c->members);
  bin_work_free(c->work, c->frames, c->room, sizeof *c->frames);
  c->frames = NULL;
  c->depth = c->room = 0;
}

/* Returns whether a value fits into a narrow slot. */
FL_PRIVATE int bin_is_slot_value(bin_value v);

/* Returns whether to write the value as a pointer into the encoder's base. */
FL_INLINE int bin_lies_in_base(const struct bin_encoder *e, bin_value v) {
  return FL_UNLIKELY(e->base != NULL) && (uintptr_t)v >= (uintptr_t)e->base &&
         (uintptr_t)v < (uintptr_t)e->base + e->base_n && !bin_is_slot_value(v);
}

FL_INLINE int bin_put_base_pointer(struct bin_encoder *e, bin_value v) {
  FL_ASSERT(v >= e->base && v < e->base + e->base_n);
  return bin_push_pointer(e, (uint32_t)((size_t)(v - e->base) / 2), 0);
}

FL_INLINE int bin_copy_begin(struct bin_encoder *e, int is_dict) {
  if (FL_UNLIKELY(e->depth >= e->max_depth)) return bin_fail(e, BIN_ERROR_DEPTH);
  return bin_begin(e, is_dict);
}

/* Puts a key. A code without a name (`n` is the code) can only be copied as the code. */
FL_PRIVATE int bin_copy_key(struct bin_copier *c, const char *name, size_t n);

/* Copies the value `v` of document `d`. Returns 0 with an error in the encoder or in c->work. */
FL_PRIVATE int bin_copy(struct bin_copier *c, const struct bin_doc *d, bin_value v);
