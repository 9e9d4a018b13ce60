/* SPDX-License-Identifier: MIT
** quote_template.h -- the escape copy, written once over vector words.
** May call: base.  Must hold: w has room for 6n + 64 bytes; no write beyond it.
**
** Parameters:
**   the words  text_v, text_vload ... of the vec_*.h included before this file;
**   set        a constant of TEXT_* flags: which characters to escape; with TEXT_STAR each becomes TEXT_PURGE_CHAR.
**   FLEECE_STRICT_READS  1: no read outside s[0..n). 0: reads may pass the end of the string within its
**              page, which no MMU can notice; checkers do, so they select 1 (base/def.h).
**
** Blocks are copied before they are looked at, and a block with hits is then put right from its first hit
** on: between the escapes whole vectors are copied again, so the cost is per escape, not per byte.
** A string of any length up to 32 takes the same path without a loop or a length-dependent branch: the
** lengths of real strings vary, and a branch on them would cost more than the copy.
**
** Left out after measuring: 32-byte words behind a pointer (AVX2 gains 8..12 % for json at 1..4 KB, nothing
** below 256 bytes; the raw walk has them in its own step, text/x86/copy_avx2.h), and a last block that overlaps the one
** before (0.5 of 10 ns at 100 bytes). */
#ifndef FLEECE_TEXT_QUOTE_TEMPLATE_H
#define FLEECE_TEXT_QUOTE_TEMPLATE_H

#include "escape_table.h"
#include "page_read.h"

FL_INLINE void text_vcopy32(char *w, const char *r) {
  text_v x = text_vload(r), y = text_vload(r + 16);
  text_vstore(w, x);
  text_vstore(w + 16, y);
}

/* Put a block right: s[0..n), n <= `block`, is already at w; bit i of hits (not zero) says that s[i] needs
** an escape. After each escape a whole block is copied: runs vary in length, a branch on it would cost more. */
FL_INLINE char *text_escape_repair(char *w, const char *s, size_t n, uint64_t hits, const unsigned block) {
  char edge[128];
  const char *r, *end;
  if (FL_UNLIKELY(!text_is_readable(s, 2 * block))) {
    memset(edge, 0, sizeof edge);
    s = memcpy(edge, s, n);
  }
  end = s + n;
  r = s + fl_trailing_zeros(hits);
  w += r - s;
  for (;;) {
    const char *next;
    w = text_put_escape(w, (unsigned char)*r++);
    text_vcopy32(w, r);
    if (block > 32) text_vcopy32(w + 32, r + 32);
    hits &= hits - 1;
    if (!hits) return w + (end - r);
    next = s + fl_trailing_zeros(hits);
    w += next - r;
    r = next;
  }
}
FL_NOINLINE char *text_escape_repair32_(char *w, const char *s, size_t n, uint64_t hits) {
  return text_escape_repair(w, s, n, hits, 32);
}
FL_NOINLINE char *text_escape_repair64_(char *w, const char *s, size_t n, uint64_t hits) {
  return text_escape_repair(w, s, n, hits, 64);
}

/* Copy a block and mark its hits, and bytes above 127 too: mostly there are neither. */
FL_INLINE uint64_t text_copy32(char *w, const char *s, const unsigned set) {
  text_v a = text_vload(s), b = text_vload(s + 16);
  if (set & TEXT_STAR) {
    text_vstore(w, text_vstar(a, text_vhits(a, set)));
    text_vstore(w + 16, text_vstar(b, text_vhits(b, set)));
    return text_vhigh32(a, b);
  }
  text_vstore(w, a);
  text_vstore(w + 16, b);
  return text_vmask32(text_vmarks(a, set), text_vmarks(b, set));
}
/* The two kinds of marks one by one, read again from s: to keep what the common path has computed would
** cost it its registers. */
FL_INLINE uint64_t text_hits32(const char *s, const unsigned set) {
  return text_vmask32(text_vhits(text_vload(s), set), text_vhits(text_vload(s + 16), set));
}
FL_INLINE uint64_t text_high32(const char *s) { return text_vhigh32(text_vload(s), text_vload(s + 16)); }

/* The strings that the inline step below cannot take: long, or empty, or at the end of a page. `repair64` is a
** variant of text_escape_repair64_. */
FL_INLINE char *text_escape_blocks(char *w, const char *s, size_t n, unsigned *high, const unsigned set,
                                   char *(*repair64)(char *, const char *, size_t, uint64_t)) {
  char edge[64];
  text_v seen = text_vzero();
  uint64_t marks, above;
  for (; n >= 64; s += 64, n -= 64) {
    text_v a = text_vload(s), b = text_vload(s + 16), c = text_vload(s + 32), d = text_vload(s + 48);
    seen = text_vor(seen, text_vor(text_vor(a, b), text_vor(c, d)));
    if (set & TEXT_STAR) {
      a = text_vstar(a, text_vhits(a, set)), b = text_vstar(b, text_vhits(b, set));
      c = text_vstar(c, text_vhits(c, set)), d = text_vstar(d, text_vhits(d, set));
    }
    text_vstore(w, a), text_vstore(w + 16, b), text_vstore(w + 32, c), text_vstore(w + 48, d);
    if (!(set & TEXT_STAR) && set && FL_UNLIKELY(text_vany4(a, b, c, d, set))) {
      w = repair64(w, s, 64, text_hits32(s, set) | text_hits32(s + 32, set) << 32);
    } else {
      w += 64;
    }
  }
  *high |= (unsigned)text_vanyhigh(seen);
  if (!n) return w;
  if (FL_UNLIKELY(!text_is_readable(s, 64))) {
    memset(edge, 0, sizeof edge);
    s = memcpy(edge, s, n);
  }
  marks = text_copy32(w, s, set) | text_copy32(w + 32, s + 32, set) << 32;
  marks &= fl_low_bits(n);
  if (FL_LIKELY(!marks)) return w + n;
  above = (text_high32(s) | text_high32(s + 32) << 32) & fl_low_bits(n);
  *high |= above != 0;
  marks &= ~above;
  return marks ? repair64(w, s, n, marks) : w + n;
}

/* Is a string one for the inline step below? */
FL_INLINE int text_is_short(const char *s, size_t n) {
  return FL_LIKELY(n - 1 <= 31) && FL_LIKELY(text_is_readable(s, 32));
}

/* Ends the inline step: s[0..n), n <= 32, is at w, and text_copy32 gave `marks` for it and what lies behind. */
FL_INLINE char *text_settle32(char *w, const char *s, size_t n, uint64_t marks, unsigned *high) {
  uint64_t above;
  marks &= fl_low_bits(n);
  if (FL_LIKELY(!marks)) return w + n;
  above = text_high32(s) & fl_low_bits(n);
  *high |= above != 0;
  marks &= ~above;
  return marks ? text_escape_repair32_(w, s, n, marks) : w + n;
}

/* The step that belongs into the caller: 1..32 bytes, no escape. `blocks` is the instance of the above. */
FL_INLINE char *text_escape_short(char *w, const char *s, size_t n, unsigned *high, const unsigned set,
                                  char *(*blocks)(char *, const char *, size_t, unsigned *)) {
  if (FL_UNLIKELY(!text_is_short(s, n))) {
    unsigned seen = 0;
    w = blocks(w, s, n, &seen);
    *high |= seen;
    return w;
  }
  return text_settle32(w, s, n, text_copy32(w, s, set), high);
}

#endif
