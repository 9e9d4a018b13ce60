/* SPDX-License-Identifier: MIT
** buffer.h -- a growing output buffer whose memory comes from the host's allocator.
** Must hold: the caller keeps the write pointer `w` in a variable; begin <= w <= end + BUF_SLACK, the end of the
** block. So with w <= end it may write BUF_SLACK bytes without a test, including its last wide store. The block
** begins `front` bytes before `begin`. */
#pragma once

#include "def.h"

/* The signature of lua_Alloc, without Lua's header. */
typedef void *(*fl_alloc)(void *ud, void *block, size_t old_size, size_t new_size);

/* Takes `n` bytes of a full buffer. Returning 0 stops the writing; the drain keeps the reason. */
typedef int (*buf_drain)(void *ud, const char *bytes, size_t n);

/* Makes the block, in place, so long that `n` more bytes fit after `used`. Returns its new size, or 0. */
typedef size_t (*buf_extend)(void *ud, size_t used, size_t n);

struct buffer {
  char *begin, *end;
  size_t front; /* set once, before the first block: 0, or BUF_FRONT if the bytes will be copied to a string */
  /* If `soft` is not 0, the buffer counts as full after that many bytes, and `spare` bytes of the block follow the
  ** slack; only buf_reserve_ hands them out. A request for 0 bytes then fails with the text's length in `full`, unless
  ** *busy is above 0. A request for more fails from BUF_SOFT_MOST times `soft` on. */
  size_t soft, spare, full;
  const size_t *busy;
  fl_alloc alloc;
  void *alloc_ud;
  buf_drain drain; /* NULL: the buffer grows; else it is passed on when full, and stays small */
  void *drain_ud;
  int refused;       /* a drain returned 0; else a failure means out of memory */
  buf_extend extend; /* if not NULL, the block is not the allocator's, and its owner lengthens and frees it */
  void *extend_ud;
};

/* Sizes in bytes that a build may set, such as -DFLEECE_BUFFER_FIRST=1048576. docs/packages.md lists all of them. */
#ifndef FLEECE_BUFFER_FIRST
#ifdef FLEECE_DEFAULT_LUCKY_BUF /* its name in the releases of 2011 */
#define FLEECE_BUFFER_FIRST FLEECE_DEFAULT_LUCKY_BUF
#else
#define FLEECE_BUFFER_FIRST 4096
#endif
#endif
#ifndef FLEECE_BUFFER_DRAIN
#define FLEECE_BUFFER_DRAIN (16 * 1024)
#endif

enum {
  BUF_SLACK = 1024,
  BUF_FIRST = FLEECE_BUFFER_FIRST,      /* the first block */
  BUF_DRAIN_FROM = FLEECE_BUFFER_DRAIN, /* a drain receives pieces of at least this size */
  BUF_SOFT_MOST = 16,
  BUF_KEEP_TAIL = 1, /* kept by a drain, because writers replace the last comma by a bracket */
  /* The C library copies long blocks with `rep movsb`. On AMD's Zen 3 and 4 that takes 20 times as long if the target
  ** begins 1 to 31 bytes later in its page than the source (glibc, bug 30994). Large blocks of malloc and of LuaJIT
  ** begin 16 bytes after a page's start, and the bytes of a string 24 bytes later: with 72 the distance is -48. Other
  ** blocks begin at multiples of 16: the distance may be 16, but not 8 or 24. (LuaJIT, Zen 3: twitter.json 12 % less
  ** time, apache_builds 8 %, citm_catalog 4 %.) */
  BUF_FRONT = 72
};

FL_INLINE void buf_init(struct buffer *b, fl_alloc alloc, void *alloc_ud) {
  memset(b, 0, sizeof *b);
  b->alloc = alloc;
  b->alloc_ud = alloc_ud;
}

FL_INLINE size_t buf_capacity(const struct buffer *b) {
  return b->begin ? b->front + (size_t)(b->end - b->begin) + BUF_SLACK + b->spare : 0;
}

FL_INLINE char *buf_block(const struct buffer *b) { return b->begin ? b->begin - b->front : NULL; }

FL_INLINE void buf_free(struct buffer *b) {
  if (b->begin) b->alloc(b->alloc_ud, buf_block(b), buf_capacity(b), 0);
  b->begin = b->end = NULL;
  b->spare = 0;
}

/* Asks for large pages for an unwritten block of n bytes. The system clears a new page at the first touch: 0.6 ns per
** byte in pages of 4 KB, 0.12 in large ones (Zen 3, a virtual machine), while encoding takes 0.75. Linux gives large
** pages on request if /sys/kernel/mm/transparent_hugepage/enabled says `madvise`. */
FL_PRIVATE void buf_advise_pages(void *block, size_t n);

/* Sets `soft`; with 0 the buffer is full at the end of its block. */
FL_PRIVATE void buf_soften(struct buffer *b, size_t soft);

/* Makes the block `capacity` bytes long, including front and slack. Returns 0, and changes nothing, if out of
** memory. */
FL_PRIVATE int buf_resize(struct buffer *b, size_t capacity);

/* Passes all but the last `keep` bytes to the drain. Returns the new write pointer, or NULL. */
FL_PRIVATE char *buf_flush(struct buffer *b, char *w, size_t keep);
FL_PRIVATE_NOINLINE char *buf_reserve_(struct buffer *b, char *w, size_t n);

/* Makes room for `n` more bytes at `w`. Returns the write pointer, which may have moved, or NULL if out of memory or
** refused by the drain. */
FL_INLINE char *buf_reserve(struct buffer *b, char *w, size_t n) {
  return FL_LIKELY(n <= PTRDIFF_MAX && b->end - w >= (ptrdiff_t)n) ? w : buf_reserve_(b, w, n);
}
