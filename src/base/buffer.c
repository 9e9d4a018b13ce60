/* SPDX-License-Identifier: MIT */
#include "buffer.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

FL_STATIC_ASSERT(BUF_FIRST >= 2 * BUF_SLACK, first_block_has_room_for_front_and_slack);
FL_STATIC_ASSERT(BUF_DRAIN_FROM > BUF_KEEP_TAIL, drained_pieces_are_not_empty);

enum {
  FL_PAGE = 4096,                 /* madvise needs whole pages; if they are larger it only refuses */
  FL_PAGES_FROM = 4 * 1024 * 1024 /* bytes: two large pages of most CPUs */
};

FL_PRIVATE void buf_advise_pages(void *block, size_t n) {
#ifdef MADV_HUGEPAGE
  const uintptr_t mask = FL_PAGE - 1;
  const uintptr_t begin = ((uintptr_t)block + mask) & ~mask, end = ((uintptr_t)block + n) & ~mask;
  if (n >= FL_PAGES_FROM) (void)madvise((void *)begin, (size_t)(end - begin), MADV_HUGEPAGE);
#else
  (void)block, (void)n;
#endif
}

FL_PRIVATE void buf_soften(struct buffer *b, size_t soft) {
  size_t room = (size_t)(b->end - b->begin) + b->spare;
  b->soft = soft;
  if (!b->begin) return;
  b->spare = soft && room > soft ? room - soft : 0;
  b->end = b->begin + (room - b->spare);
}

FL_PRIVATE int buf_resize(struct buffer *b, size_t capacity) {
  FL_ASSERT(capacity >= b->front + BUF_SLACK);
  char *block = (char *)b->alloc(b->alloc_ud, buf_block(b), buf_capacity(b), capacity);
  if (!block) return 0;
  if (!b->begin) buf_advise_pages(block, capacity); /* not for a block that grew: its pages were touched already */
  b->begin = block + b->front;
  b->end = block + capacity - BUF_SLACK;
  b->spare = 0;
  if (FL_UNLIKELY(b->soft)) buf_soften(b, b->soft);
  return 1;
}

FL_PRIVATE char *buf_flush(struct buffer *b, char *w, size_t keep) {
  size_t used = (size_t)(w - b->begin);
  FL_ASSERT(b->drain && w >= b->begin && w <= b->end + BUF_SLACK);
  if (used <= keep) return w;
  if (!b->drain(b->drain_ud, b->begin, used - keep)) {
    b->refused = 1;
    return NULL;
  }
  memmove(b->begin, w - keep, keep);
  return b->begin + keep;
}

FL_PRIVATE_NOINLINE char *buf_reserve_(struct buffer *b, char *w, size_t n) {
  FL_ASSERT(b->begin ? w >= b->begin && w <= b->end + b->spare + BUF_SLACK : w == NULL);
  if (n > SIZE_MAX / 4) return NULL;
  if (b->drain && (size_t)(w - b->begin) >= BUF_DRAIN_FROM) {
    w = buf_flush(b, w, BUF_KEEP_TAIL);
    if (!w || b->end - w >= (ptrdiff_t)n) return w;
  }
  const size_t used = (size_t)(w - b->begin);
  if (used > SIZE_MAX / 4) return NULL;
  if (b->extend) {
    const size_t room = b->extend(b->extend_ud, used, n + BUF_SLACK);
    b->end = room ? b->begin + room - BUF_SLACK : b->end;
    return room ? w : NULL;
  }
  if (b->soft) {
    b->full = n == 0 && used >= b->soft && *b->busy == 0 ? used : 0;
    if (b->full || used + n > BUF_SOFT_MOST * b->soft) {
      b->refused = 1;
      return NULL;
    }
    if (used + n <= (size_t)(b->end - b->begin) + b->spare) return w;
  }
  size_t capacity = buf_capacity(b) < BUF_FIRST ? BUF_FIRST : buf_capacity(b);
  const size_t least = b->front + used + n + BUF_SLACK;
  while (capacity < least) capacity *= 2;
  /* Doubling asks for more than needed. A host near its limit may still have the minimum. */
  if (!buf_resize(b, capacity) && !buf_resize(b, least)) return NULL;
  FL_ASSERT((size_t)(b->end - b->begin) + b->spare >= used + n);
  return b->begin + used;
}
