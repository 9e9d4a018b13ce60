/* SPDX-License-Identifier: MIT
** buffer.h -- a growing output buffer whose memory comes from the host's allocator.
** Must hold: the write pointer `w` is a variable of the caller; begin <= w <= end + BUF_SLACK, the end of the block. So
** a writer that finds w <= end may write BUF_SLACK bytes without asking, its last wide store included. The block
** begins `front` bytes before `begin`. */
#pragma once

#include "def.h"

/* The signature of lua_Alloc, without Lua's header. */
typedef void *(*fl_alloc)(void *ud, void *block, size_t old_size, size_t new_size);

/* Takes `n` bytes from a full buffer; false stops the writing (the drain keeps its own reason). */
typedef int (*buf_drain)(void *ud, const char *bytes, size_t n);

struct buffer {
  char *begin, *end;
  size_t front; /* set once, before there is a block: 0, or BUF_FRONT if the bytes are copied to a string later */
  /* If `soft` is not 0, the writer finds the buffer full after that many bytes; `spare` bytes of the block follow the
  ** slack, and only buf_reserve_ gives them. Asked for 0 bytes it refuses then, and `full` is the length of the text;
  ** but not while *busy is above 0. Asked for more it refuses from BUF_SOFT_MOST times `soft` on. */
  size_t soft, spare, full;
  const size_t *busy;
  fl_alloc alloc;
  void *alloc_ud;
  buf_drain drain; /* NULL: the buffer grows; else it is emptied when full and stays small */
  void *drain_ud;
  int refused; /* the drain returned false; otherwise a failure means that there is no memory */
};

/* Sizes in bytes that a build may set: -DFLEECE_BUFFER_FIRST=1048576. docs/packages.md lists all of them. */
#ifndef FLEECE_BUFFER_FIRST
#ifdef FLEECE_DEFAULT_LUCKY_BUF /* its name in 2011 */
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
  BUF_DRAIN_FROM = FLEECE_BUFFER_DRAIN, /* a streamed buffer passes on pieces of at least this size */
  BUF_SOFT_MOST = 16,
  BUF_KEEP_TAIL = 1, /* writers replace the last byte, a comma, with a bracket: it must stay */
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

/* Sets `soft`; 0: the buffer is full at the end of its block. */
FL_PRIVATE void buf_soften(struct buffer *b, size_t soft);

/* Makes the block `capacity` bytes long, front and slack included. False: no memory, and nothing has changed. */
FL_PRIVATE int buf_resize(struct buffer *b, size_t capacity);

/* Drains a streamed buffer but for its last `keep` bytes and returns the new write pointer, or NULL. */
FL_PRIVATE char *buf_flush(struct buffer *b, char *w, size_t keep);
FL_PRIVATE_NOINLINE char *buf_reserve_(struct buffer *b, char *w, size_t n);

/* Makes room for `n` more bytes at `w` and returns the write pointer, which may have moved. NULL: there is no memory,
** or the drain refused. */
FL_INLINE char *buf_reserve(struct buffer *b, char *w, size_t n) {
  return FL_LIKELY(n <= PTRDIFF_MAX && b->end - w >= (ptrdiff_t)n) ? w : buf_reserve_(b, w, n);
}
