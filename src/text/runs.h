/* SPDX-License-Identifier: MIT
** runs.h -- copies what is between two escapes: the blocks of blocks.h in the vectors that every CPU of this kind has.
** Must hold: TEXT_BLOCK_READ bytes from the beginning of a block can be read; 64 bytes after what is written may be
** overwritten. */
#pragma once

#include "blocks.h"
#include "page_read.h"

#define TEXT_BLOCK(name) FL_PASTE(text_block_##name, TEXT_LEAST_VECTOR)
typedef struct FL_PASTE(text_block, TEXT_LEAST_VECTOR) text_chunk;

enum {
  TEXT_BLOCK_BYTES = 64,
  /* An escape may begin in a block, and 64 bytes after it are copied. */
  TEXT_BLOCK_READ = TEXT_BLOCK_BYTES + 2 + 64
};

FL_INLINE int text_may_read(const char *p, const char *end, unsigned n) {
  return FL_LIKELY(end - p >= (ptrdiff_t)n) || text_is_readable(p, n);
}

/* Copies [r, to), up to 64 bytes, usually 16. */
FL_INLINE char *text_copy_between(char *w, const char *r, const char *to) {
  memcpy(w, r, 16);
  if (FL_UNLIKELY(to - r > 16)) {
    memcpy(w + 16, r + 16, 16);
    if (FL_UNLIKELY(to - r > 32)) memcpy(w + 32, r + 32, 32);
  }
  return w + (to - r);
}

/* Finds the backslashes that begin an escape: in a row of them every second one, beginning with the first, which no
** backslash before the block precedes. Carries of the subtraction run through the rows that begin at an even bit and
** those at an odd one (simdjson, json_escape_scanner.h). */
FL_INLINE uint64_t text_escape_starts(uint64_t backslashes) {
  const uint64_t odd = UINT64_C(0xaaaaaaaaaaaaaaaa);
  return ((((backslashes << 1) | odd) - backslashes) ^ odd) & backslashes;
}
