/* SPDX-License-Identifier: MIT
** buffer.h -- a growing output buffer whose memory comes from the host's allocator.
** May call: the allocator, and the drain of a streamed buffer.
** Must hold: the write pointer `w` lives in the caller; begin <= w <= end + BUF_SLACK, the end of the block. So a
** writer that finds w <= end may write BUF_SLACK bytes unasked, its last wide store included. */
#ifndef FLEECE_BASE_BUFFER_H
#define FLEECE_BASE_BUFFER_H

#include "def.h"

/* The signature of lua_Alloc, said without Lua. */
typedef void *(*fl_alloc)(void *ud, void *block, size_t old_size, size_t new_size);

/* Takes `n` bytes out of a full buffer; false stops the writing (the drain keeps its own reason). */
typedef int (*buf_drain)(void *ud, const char *bytes, size_t n);

struct buffer {
  char *begin, *end;
  fl_alloc alloc;
  void *alloc_ud;
  buf_drain drain; /* NULL: the buffer grows; else it is emptied when full and stays small */
  void *drain_ud;
  int refused; /* the drain returned false: what failed was not memory */
};

enum {
  BUF_SLACK = 1024,
  BUF_FIRST = 4096,         /* the first block */
  BUF_DRAIN_FROM = 16 * 1024, /* a streamed buffer hands out pieces of at least this size */
  BUF_KEEP_TAIL = 1         /* writers turn the last byte, a comma, into a bracket: it must stay */
};

FL_INLINE void buf_init(struct buffer *b, fl_alloc alloc, void *alloc_ud) {
  memset(b, 0, sizeof *b);
  b->alloc = alloc;
  b->alloc_ud = alloc_ud;
}

FL_INLINE size_t buf_capacity(const struct buffer *b) {
  return b->begin ? (size_t)(b->end - b->begin) + BUF_SLACK : 0;
}

FL_INLINE void buf_free(struct buffer *b) {
  if (b->begin) b->alloc(b->alloc_ud, b->begin, buf_capacity(b), 0);
  b->begin = b->end = NULL;
}

/* Gives the block `capacity` bytes in all; false and unchanged when the allocator has no more. */
FL_FUNC int buf_resize(struct buffer *b, size_t capacity) {
  char *block = (char *)b->alloc(b->alloc_ud, b->begin, buf_capacity(b), capacity);
  if (!block) return 0;
  b->begin = block;
  b->end = block + capacity - BUF_SLACK;
  return 1;
}

/* Empties a streamed buffer up to its kept tail and returns the new write pointer, or NULL. */
FL_FUNC char *buf_flush(struct buffer *b, char *w, size_t keep) {
  size_t used = (size_t)(w - b->begin);
  if (used <= keep) return w;
  if (!b->drain(b->drain_ud, b->begin, used - keep)) {
    b->refused = 1;
    return NULL;
  }
  memmove(b->begin, w - keep, keep);
  return b->begin + keep;
}

FL_NOINLINE char *buf_reserve_(struct buffer *b, char *w, size_t n) {
  size_t used, capacity;
  if (b->drain && (size_t)(w - b->begin) >= BUF_DRAIN_FROM) {
    w = buf_flush(b, w, BUF_KEEP_TAIL);
    if (!w || b->end - w >= (ptrdiff_t)n) return w;
  }
  used = (size_t)(w - b->begin);
  if (n > SIZE_MAX / 4 || used > SIZE_MAX / 4) return NULL;
  capacity = buf_capacity(b) < BUF_FIRST ? BUF_FIRST : buf_capacity(b);
  while (capacity < used + n + BUF_SLACK) capacity *= 2;
  /* Doubling asks for more than is needed; a host near its limit may still have the needed bytes. */
  if (!buf_resize(b, capacity) && !buf_resize(b, used + n + BUF_SLACK)) return NULL;
  return b->begin + used;
}

/* Room for `n` more bytes at `w`: the (moved) write pointer, or NULL: out of memory or drain refused. */
FL_INLINE char *buf_reserve(struct buffer *b, char *w, size_t n) {
  return FL_LIKELY(b->end - w >= (ptrdiff_t)n) ? w : buf_reserve_(b, w, n);
}

#endif
