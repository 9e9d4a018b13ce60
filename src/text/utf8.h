/* SPDX-License-Identifier: MIT
** utf8.h -- tests whether a text is UTF-8, and finds its first error.
** Must hold: outside s[0..n) only its page is read; RFC 3629: no overlong form, no surrogate, nothing above
** U+10FFFF. */
#pragma once

#include "../base/def.h"
#include "cpu.h"

/* Reads the character at s, where n >= 1 bytes are left. Returns its length, with the code point in *cp. If it is
** ill-formed, returns minus the length of its maximal subpart (Unicode 3.9, D93b), which one U+FFFD replaces: the bytes
** that could begin a character, or one byte. */
FL_INLINE int text_utf8_next(const char *s, size_t n, uint32_t *cp) {
  const unsigned char *u = (const unsigned char *)s;
  unsigned c = u[0], low = 0x80, high = 0xbf;
  uint32_t x;
  int need, i;
  FL_ASSERT(n >= 1);
  if (c < 0x80) {
    *cp = c;
    return 1;
  }
  if (c < 0xc2 || c > 0xf4) return -1;
  if (c < 0xe0) {
    need = 2;
    x = c & 0x1f;
  } else if (c < 0xf0) {
    need = 3;
    x = c & 0x0f;
    if (c == 0xe0) low = 0xa0;  /* below: overlong */
    if (c == 0xed) high = 0x9f; /* above: surrogates */
  } else {
    need = 4;
    x = c & 0x07;
    if (c == 0xf0) low = 0x90;  /* below: overlong */
    if (c == 0xf4) high = 0x8f; /* above: beyond U+10FFFF */
  }
  for (i = 1; i < need; i++) {
    if ((size_t)i >= n || u[i] < low || u[i] > high) return -i;
    x = x << 6 | (u[i] & 0x3f);
    low = 0x80;
    high = 0xbf;
  }
  *cp = x;
  return need;
}

/* Writes the character as UTF-8. Surrogates become three bytes like other characters (WTF-8). */
FL_INLINE char *text_put_utf8(char *w, uint32_t c) {
  if (c < 0x80) {
    *w++ = (char)c;
  } else if (c < 0x800) {
    *w++ = (char)(0xc0 | c >> 6);
    *w++ = (char)(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    *w++ = (char)(0xe0 | c >> 12);
    *w++ = (char)(0x80 | (c >> 6 & 0x3f));
    *w++ = (char)(0x80 | (c & 0x3f));
  } else {
    *w++ = (char)(0xf0 | c >> 18);
    *w++ = (char)(0x80 | (c >> 12 & 0x3f));
    *w++ = (char)(0x80 | (c >> 6 & 0x3f));
    *w++ = (char)(0x80 | (c & 0x3f));
  }
  return w;
}

/* Returns n if s[0..n) is UTF-8, else the offset of the first ill-formed sequence. It uses no vectors but one word at a
** time; for a few characters nothing is faster. */
FL_PRIVATE size_t text_utf8_valid(const char *s, size_t n);

typedef size_t (*text_utf8_fn)(const char *s, size_t n);

/* Returns the best validator for a CPU with the features `cpu`, from text_cpu. */
FL_PRIVATE text_utf8_fn text_utf8_pick(unsigned cpu);

/* Returns the vectors of the CPU for which text_utf8_pick has chosen `valid`; 0 for other functions. */
FL_PRIVATE unsigned text_utf8_cpu(text_utf8_fn valid);

/* Returns whether s[0..n) can stand between quotes in JSON without a change (RFC 8259, section 7). For short texts. */
FL_PRIVATE int text_is_plain(const char *s, size_t n);
