/* SPDX-License-Identifier: MIT
** quote.h -- the escape copy for CPUs without vectors, and byte by byte as the oracle of all others.
** May call: escape_table.h.  Must hold: no read outside s[0..n), any byte order. */
#ifndef FLEECE_TEXT_PORTABLE_QUOTE_H
#define FLEECE_TEXT_PORTABLE_QUOTE_H

#include "../escape_table.h"

/* The meaning of an escape copy, one byte at a time. */
FL_FUNC char *text_escape_bytes(char *w, const char *s, size_t n, unsigned *high, unsigned set) {
  unsigned seen = 0;
  size_t i;
  for (i = 0; i < n; i++) {
    unsigned char c = (unsigned char)s[i];
    unsigned class = text_class(c);
    seen |= class & TEXT_HIGH;
    if (!(class & set)) *w++ = (char)c;
    else if (set & TEXT_STAR) *w++ = TEXT_PURGE_CHAR;
    else w = text_put_escape(w, c);
  }
  *high |= seen;
  return w;
}

#define TEXT_EACH(c) (UINT64_C(0x0101010101010101) * (c))

/* Non-zero when a lane of x equals c, exactly: a lane with its top bit set never does (c < 128). */
FL_INLINE uint64_t text_wis(uint64_t x, unsigned c) {
  uint64_t y = (x & TEXT_EACH(0x7f)) ^ TEXT_EACH(c);
  return ~(y + TEXT_EACH(0x7f)) & ~x & TEXT_EACH(0x80);
}
/* 0x80 in each lane of x that belongs to `set` (a constant). No sum carries out of its lane. */
FL_INLINE uint64_t text_whits(uint64_t x, const unsigned set) {
  uint64_t hit = 0;
  if (set & TEXT_CONTROL) hit |= ~((x & TEXT_EACH(0x7f)) + TEXT_EACH(0x60)) & ~x & TEXT_EACH(0x80);
  if (set & TEXT_QUOTE) hit |= text_wis(x, '"') | text_wis(x, '\\');
  if (set & TEXT_SLASH) hit |= text_wis(x, '/');
  if (set & TEXT_DEL) hit |= text_wis(x, 127);
  return hit;
}

/* Whether all eight bytes of x are outside `set` (a constant). */
FL_INLINE int text_wplain(uint64_t x, const unsigned set) {
  return !(text_whits(x, set) | (set & TEXT_HIGH ? x & TEXT_EACH(0x80) : 0));
}

/* Eight bytes a step. Words are only tested and copied whole, never indexed by bit, so byte order does
** not matter; a word with a hit and the last, partial word go byte by byte. */
FL_INLINE char *text_escape_words(char *w, const char *s, size_t n, unsigned *high, const unsigned set) {
  uint64_t seen = 0;
  for (; n >= 8; s += 8, n -= 8) {
    uint64_t x = fl_load64(s);
    seen |= x;
    if (FL_LIKELY(text_wplain(x, set))) {
      fl_store64(w, x);
      w += 8;
    } else {
      w = text_escape_bytes(w, s, 8, high, set);
    }
  }
  *high |= (seen & TEXT_EACH(0x80)) != 0;
  return text_escape_bytes(w, s, n, high, set);
}

#endif
