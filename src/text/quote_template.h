/* SPDX-License-Identifier: MIT
** quote_template.h -- the escape copy, written once over vector words.
** May call: escape_table.h, vec_*.h.  Must hold: w has room for 6n + 64 bytes; no write beyond it.
**
** Parameters:
**   the words  text_v, text_vload ... of the vec_*.h included before this file;
**   set        a constant of TEXT_* flags: which characters to escape; with TEXT_STAR each becomes '*'.
**   FLEECE_STRICT_READS  1: no read outside s[0..n). 0: reads may pass the end of the string within its
**              page, which no MMU can notice; checkers do, so they select 1 (base/def.h).
**
** Blocks are copied before they are looked at, and a block with hits is then put right from its first hit
** on: between the escapes whole vectors are copied again, so the cost is per escape, not per byte.
** A string of any length up to 32 takes the same path without a loop or a length-dependent branch: the
** lengths of real strings vary, and a branch on them would cost more than the copy. */
#ifndef FLEECE_TEXT_QUOTE_TEMPLATE_H
#define FLEECE_TEXT_QUOTE_TEMPLATE_H

#include "escape_table.h"

#define TEXT_PAGE 4096u
/* A block is 64 bytes, and repairs copy up to 16 bytes beyond its end. */
#define TEXT_REACH 80u

/* Whether TEXT_REACH bytes from s can be read without a fault, with n of them in the string. */
FL_INLINE int text_near(const char *s, size_t n) {
  return n >= TEXT_REACH || (!FLEECE_STRICT_READS && ((uintptr_t)s & (TEXT_PAGE - 1)) <= TEXT_PAGE - TEXT_REACH);
}

FL_INLINE unsigned text_ctz(uint64_t x) {
#if defined(__GNUC__)
  return (unsigned)__builtin_ctzll(x);
#else
  unsigned long i;
  _BitScanForward64(&i, x);
  return (unsigned)i;
#endif
}

/* s[0..n), n <= 64, is already at w. Rewrites it from the first hit on; bit i of mask (not zero) says that
** s[i] needs an escape. Copies 16 bytes at a time from s, hence TEXT_REACH. */
FL_NOINLINE char *text_escape_repair_(char *w, const char *s, size_t n, uint64_t mask) {
  const char *end = s + n;
  const char *r = s + text_ctz(mask);
  w += r - s;
  for (;;) {
    const char *next;
    size_t run, i;
    w = text_put_escape(w, (unsigned char)*r++);
    mask &= mask - 1;
    next = mask ? s + text_ctz(mask) : end;
    run = (size_t)(next - r);
    text_vstore(w, text_vload(r));
    for (i = 16; FL_UNLIKELY(i < run); i += 16) text_vstore(w + i, text_vload(r + i));
    w += run;
    if (!mask) return w;
    r = next;
  }
}

/* Copy 32 bytes; returns the hits as a mask, and the bytes above 0x7f in *high. */
FL_INLINE uint64_t text_copy32(char *w, const char *s, uint64_t *high, const unsigned set) {
  text_v a = text_vload(s), b = text_vload(s + 16);
  text_v ha = text_vhits(a, set), hb = text_vhits(b, set);
  *high = text_vhigh32(a, b);
  if (set & TEXT_STAR) {
    text_vstore(w, text_vstar(a, ha));
    text_vstore(w + 16, text_vstar(b, hb));
    return 0;
  }
  text_vstore(w, a);
  text_vstore(w + 16, b);
  return set ? text_vmask32(ha, hb) : 0;
}

/* The part of a string that the inline step below cannot take: long, or empty, or near the end of a page. */
FL_INLINE char *text_escape_blocks(char *w, const char *s, size_t n, unsigned *high, const unsigned set) {
  char edge[TEXT_REACH];
  uint64_t above, above2, mask;
  text_v seen = text_vzero();
  for (; n >= 64; s += 64, n -= 64) {
    text_v a = text_vload(s), b = text_vload(s + 16), c = text_vload(s + 32), d = text_vload(s + 48);
    text_v ha = text_vhits(a, set), hb = text_vhits(b, set), hc = text_vhits(c, set), hd = text_vhits(d, set);
    seen = text_vor(seen, text_vor(text_vor(a, b), text_vor(c, d)));
    if (set & TEXT_STAR) {
      a = text_vstar(a, ha), b = text_vstar(b, hb), c = text_vstar(c, hc), d = text_vstar(d, hd);
    }
    text_vstore(w, a), text_vstore(w + 16, b), text_vstore(w + 32, c), text_vstore(w + 48, d);
    if (!(set & TEXT_STAR) && set && FL_UNLIKELY(text_vany(text_vor(text_vor(ha, hb), text_vor(hc, hd))))) {
      const char *from = s;
      if (FL_UNLIKELY(!text_near(s, n))) {
        memset(edge + 64, 0, sizeof edge - 64);
        from = memcpy(edge, s, 64);
      }
      w = text_escape_repair_(w, from, 64, text_vmask32(ha, hb) | text_vmask32(hc, hd) << 32);
    } else {
      w += 64;
    }
  }
  *high |= (unsigned)text_vanyhigh(seen);
  if (!n) return w;
  if (FL_UNLIKELY(!text_near(s, n))) {
    memset(edge, 0, sizeof edge);
    s = memcpy(edge, s, n);
  }
  mask = text_copy32(w, s, &above, set);
  if (n > 32) {
    mask |= text_copy32(w + 32, s + 32, &above2, set) << 32;
    above |= above2 << 32;
  }
  mask &= ((uint64_t)1 << n) - 1;
  *high |= (above & (((uint64_t)1 << n) - 1)) != 0;
  return FL_LIKELY(!mask) ? w + n : text_escape_repair_(w, s, n, mask);
}

/* The step that belongs into the caller: 1..32 bytes, no escape. `blocks` is the instance of the above. */
FL_INLINE char *text_escape_short(char *w, const char *s, size_t n, unsigned *high, const unsigned set,
                                  char *(*blocks)(char *, const char *, size_t, unsigned *)) {
  uint64_t mask, above;
  if (FLEECE_STRICT_READS || FL_UNLIKELY(n - 1 > 31 || !text_near(s, n))) {
    unsigned seen = 0;
    w = blocks(w, s, n, &seen);
    *high |= seen;
    return w;
  }
  mask = text_copy32(w, s, &above, set) & (((uint64_t)1 << n) - 1);
  *high |= (above & (((uint64_t)1 << n) - 1)) != 0;
  return FL_LIKELY(!mask) ? w + n : text_escape_repair_(w, s, n, mask);
}

#endif
