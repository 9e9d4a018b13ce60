/* SPDX-License-Identifier: MIT
** quote.h -- the escape copy for CPUs without vectors, and the one byte by byte, which all others are tested against.
** Must hold: nothing outside s[0..n) is read; any byte order. */
#pragma once

#include "../escape_table.h"

/* The escape copy, one byte at a time. */
FL_FUNC char *text_escape_bytes(char *w, const char *s, size_t n, unsigned *high, unsigned set) {
  unsigned seen = 0;
  for (size_t i = 0; i < n; i++) {
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

/* 0x80 in each lane of the word x that equals c, c < 128. A lane with its top bit set never does. */
FL_INLINE uint64_t text_word_is(uint64_t x, unsigned c) {
  uint64_t y = (x & TEXT_EACH(0x7f)) ^ TEXT_EACH(c);
  return ~(y + TEXT_EACH(0x7f)) & ~x & TEXT_EACH(0x80);
}
/* 0x80 in each lane of x that is in `set` (a constant). No sum carries into the next lane. */
FL_INLINE uint64_t text_word_hits(uint64_t x, const unsigned set) {
  uint64_t hit = 0;
  if (set & TEXT_CONTROL) hit |= ~((x & TEXT_EACH(0x7f)) + TEXT_EACH(0x60)) & ~x & TEXT_EACH(0x80);
  if (set & TEXT_QUOTE) hit |= text_word_is(x, '"') | text_word_is(x, '\\');
  if (set & TEXT_SLASH) hit |= text_word_is(x, '/');
  if (set & TEXT_DEL) hit |= text_word_is(x, 127);
  return hit;
}

/* Returns whether none of the eight bytes of x is in `set` (a constant). */
FL_INLINE int text_word_is_plain(uint64_t x, const unsigned set) {
  return !(text_word_hits(x, set) | (set & TEXT_HIGH ? x & TEXT_EACH(0x80) : 0));
}

/* Copies eight bytes at a time. Words are only tested and copied whole, so the byte order does not matter. A word with
** a hit and the last, partial word are copied byte by byte. */
FL_INLINE char *text_escape_words(char *w, const char *s, size_t n, unsigned *high, const unsigned set) {
  uint64_t seen = 0;
  for (; n >= 8; s += 8, n -= 8) {
    uint64_t x = fl_load64(s);
    seen |= x;
    if (FL_LIKELY(text_word_is_plain(x, set))) {
      fl_store64(w, x);
      w += 8;
    } else {
      w = text_escape_bytes(w, s, 8, high, set);
    }
  }
  *high |= (seen & TEXT_EACH(0x80)) != 0;
  return text_escape_bytes(w, s, n, high, set);
}
