/* SPDX-License-Identifier: MIT
** work.h -- memory, a bound on work, and an error for functions that walk over documents.
** Must hold: documents that share values can be small and yet long to walk. binary/check/check.h bounds the number
** of values in a walk; this bounds the cost of their bytes: `left` falls by 1 for each value, and by 1 for each
** BIN_WORK_BYTES of a string or name. No walk recurses: its stacks are arrays that bin_work_grow enlarges and
** bin_work_free frees. */
#pragma once

#include "../../base/buffer.h"
#include "errors.h"

enum {
  BIN_WORK_BYTES = 256,
  /* for each byte of the documents: four visits to each value that binary/check/check.h allows */
  BIN_WORK_EACH = 4 * 64,
  BIN_WORK_LEAST = 1 << 26 /* for documents of any size */
};

struct bin_work {
  fl_alloc alloc;
  void *alloc_ud;
  uint64_t left;
  int error; /* BIN_ERROR_x, BIN_DELTA_ERROR_x of binary/delta/errors.h, or 0 */
};

/* `bytes`: the length of all documents together. */
FL_INLINE void bin_work_init(struct bin_work *w, fl_alloc alloc, void *alloc_ud, size_t bytes) {
  w->alloc = alloc;
  w->alloc_ud = alloc_ud;
  w->left = BIN_WORK_LEAST + BIN_WORK_EACH * (uint64_t)bytes;
  w->error = 0;
}

/* Sets the error, unless there is one. Returns 0. */
FL_PRIVATE_NOINLINE int bin_work_fail(struct bin_work *w, int error);

/* Pays for one visit to a value or name of n bytes. Returns 0 if no work is left. */
FL_INLINE int bin_work_spend(struct bin_work *w, size_t n) {
  const uint64_t price = 1 + n / BIN_WORK_BYTES;
  if (FL_UNLIKELY(w->left < price)) return bin_work_fail(w, BIN_ERROR_EXPANSION);
  w->left -= price;
  return 1;
}

/* Reallocates an array of *room elements of `size` bytes with room for at least `need`. Returns NULL if out of memory;
** the old one is unchanged. */
FL_PRIVATE_NOINLINE void *bin_work_grow(struct bin_work *w, void *array, size_t *room, size_t need, size_t size);

/* Returns the same array if it has room for `need` elements, or a larger one; NULL like bin_work_grow. */
FL_INLINE void *bin_work_reserve(struct bin_work *w, void *array, size_t *room, size_t need, size_t size) {
  return FL_LIKELY(need <= *room) ? array : bin_work_grow(w, array, room, need, size);
}

FL_INLINE void bin_work_free(struct bin_work *w, void *array, size_t room, size_t size) {
  if (array) w->alloc(w->alloc_ud, array, room * size, 0);
}
