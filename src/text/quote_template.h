/* SPDX-License-Identifier: MIT
** quote_template.h -- the escape copy over vectors of 16 bytes.
** Must hold: w has room for 6n + 64 bytes, and nothing after them is written.
**
** Parameters:
**   text_v...  the vectors, of the vector.h that is included before this file;
**   set        a constant of TEXT_* flags: which characters to escape; with TEXT_STAR TEXT_PURGE_CHAR replaces them;
**   FLEECE_STRICT_READS  0: reads may go past the end of the string within its page; 1: they may not (base/def.h).
** In names and comments: a hit is a byte to escape; a mark is a hit or a byte of 0x80 and above (`high`), found by
** cheaper compares. Bit i of a mask stands for byte i.
**
** A block is copied before it is examined. A block with hits is then repaired from its first hit on: after each escape
** whole vectors are copied again, so the cost is per escape, not per byte. A string of any length up to 32 takes the
** same path without a loop or a branch on its length: the lengths of real strings vary, and mispredicted branches would
** cost more than the copy.
**
** Left out after measuring: vectors of 32 bytes, called through a pointer (AVX2 gains 8 to 12 % for json at 1 to 4 KB,
** nothing below 256 bytes; the raw encoder has them inline, text/x86/copy.h), and a last block that overlaps the one
** before it (saves 0.5 of 10 ns at 100 bytes). */
#pragma once

#include "escape_table.h"
#include "page_read.h"

FL_INLINE void text_vcopy32(char *w, const char *r) {
  text_v x = text_vload(r), y = text_vload(r + 16);
  text_vstore(w, x);
  text_vstore(w + 16, y);
}

/* Writes 16 characters as a backslash and a letter each. Returns 0 if one of them has no such escape. */
FL_INLINE int text_escape_pairs(char *w, const char *s) {
  text_v v = text_vload(s), letters = text_vletters(v);
  text_vstore_pairs(w, text_vfill('\\'), letters);
  return !text_vanyhigh(text_vis(letters, 0));
}

/* Repairs a block: s[0..n), n <= `block`, has been copied to w, and `hits` is not zero. Returns the end. After each
** escape 16 bytes are copied again, and the rest up to the next escape if that is farther. */
FL_INLINE char *text_escape_repair(char *w, const char *s, size_t n, uint64_t hits, const unsigned block) {
  char edge[128];
  FL_ASSERT(hits != 0 && n <= block && block <= 64 && (n == 64 || hits >> n == 0));
  if (FL_UNLIKELY(!text_is_readable(s, 2 * block))) {
    memset(edge, 0, sizeof edge);
    s = memcpy(edge, s, n);
  }
  const char *end = s + n;
  const char *r = s + fl_trailing_zeros(hits);
  w += r - s;
  for (;;) {
    if (FL_UNLIKELY((hits >> (r - s) & 0xffff) == 0xffff) && text_escape_pairs(w, r)) {
      hits &= r - s < 48 ? ~(uint64_t)0 << (r - s + 16) : 0;
      w += 32;
      r += 16;
    } else {
      w = text_put_escape(w, (unsigned char)*r++);
      hits &= hits - 1;
    }
    const char *next = hits ? s + fl_trailing_zeros(hits) : end;
    text_vstore(w, text_vload(r));
    if (FL_UNLIKELY(next - r > 16)) {
      text_vstore(w + 16, text_vload(r + 16));
      if (block > 32 && FL_UNLIKELY(next - r > 32)) text_vcopy32(w + 32, r + 32);
    }
    w += next - r;
    if (!hits) return w;
    r = next;
  }
}
FL_PRIVATE_NOINLINE char *text_escape_repair32_(char *w, const char *s, size_t n, uint64_t hits);
FL_PRIVATE_NOINLINE char *text_escape_repair64_(char *w, const char *s, size_t n, uint64_t hits);

/* Copies a block and returns its marks, usually none. */
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
/* Return the two kinds of marks separately, read again from s: keeping the values would take registers from the common
** path. */
FL_INLINE uint64_t text_hits32(const char *s, const unsigned set) {
  return text_vmask32(text_vhits(text_vload(s), set), text_vhits(text_vload(s + 16), set));
}
FL_INLINE uint64_t text_high32(const char *s) { return text_vhigh32(text_vload(s), text_vload(s + 16)); }

/* For strings that text_escape_short does not handle inline: long, empty, or at the end of a page. `repair64` is
** text_escape_repair64_ or text_escape_repair64_widest_. */
FL_INLINE char *text_escape_blocks(char *w, const char *s, size_t n, unsigned *high, const unsigned set,
                                   char *(*repair64)(char *, const char *, size_t, uint64_t)) {
  char edge[64];
  text_v seen = text_vzero();
  FL_ASSERT(n <= TEXT_PIECE_MAX);
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
  uint64_t marks = text_copy32(w, s, set) | text_copy32(w + 32, s + 32, set) << 32;
  marks &= fl_low_bits(n);
  if (FL_LIKELY(!marks)) return w + n;
  const uint64_t above = (text_high32(s) | text_high32(s + 32) << 32) & fl_low_bits(n);
  *high |= above != 0;
  marks &= ~above;
  return marks ? repair64(w, s, n, marks) : w + n;
}

/* Returns whether a string can be handled inline: it has 1 to 32 bytes, and 32 can be read. */
FL_INLINE int text_is_short(const char *s, size_t n) {
  return FL_LIKELY(n - 1 <= 31) && FL_LIKELY(text_is_readable(s, 32));
}

/* Ends the inline copy: s[0..n), n <= 32, is at w, and text_copy32 returned `marks` for all 32 bytes. */
FL_INLINE char *text_settle32(char *w, const char *s, size_t n, uint64_t marks, unsigned *high) {
  FL_ASSERT(n >= 1 && n <= 32);
  marks &= fl_low_bits(n);
  if (FL_LIKELY(!marks)) return w + n;
  const uint64_t above = text_high32(s) & fl_low_bits(n);
  *high |= above != 0;
  marks &= ~above;
  return marks ? text_escape_repair32_(w, s, n, marks) : w + n;
}

/* The part that is inlined into callers: 1 to 32 bytes without an escape. `blocks` is text_escape_NAME_ (quote.h), an
** instance of text_escape_blocks. */
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
