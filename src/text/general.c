/* SPDX-License-Identifier: MIT */
#include "general.h"

/* \uxxxx for a 16-bit unit. */
FL_INLINE char *text_put_unit(char *w, uint32_t unit) {
  static const char hex[16] = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
  w[0] = '\\', w[1] = 'u';
  w[2] = hex[unit >> 12 & 15], w[3] = hex[unit >> 8 & 15];
  w[4] = hex[unit >> 4 & 15], w[5] = hex[unit & 15];
  return w + 6;
}

/* \uxxxx for a character; two of them, a surrogate pair (RFC 8259, section 7), above U+FFFF. */
FL_INLINE char *text_put_character(char *w, uint32_t cp) {
  FL_ASSERT(cp <= 0x10ffff);
  if (cp < 0x10000) return text_put_unit(w, cp);
  w = text_put_unit(w, 0xd7c0 + (cp >> 10)); /* 0xd800 - (0x10000 >> 10) */
  return text_put_unit(w, 0xdc00 + (cp & 0x3ff));
}

/* Writes for the `bad` bytes at s, which are not UTF-8, what the style says. */
static char *text_put_invalid(char *w, const char *s, size_t bad, const struct text_style *style) {
  size_t i;
  FL_ASSERT(style->invalid != TEXT_INVALID_ERROR && bad >= 1 && bad <= 3);
  if (style->invalid == TEXT_INVALID_REPLACE) {
    if (style->ascii) return text_put_unit(w, 0xfffd);
    memcpy(w, "\xef\xbf\xbd", 3);
    return w + 3;
  }
  if (style->invalid == TEXT_INVALID_ESCAPE || style->ascii) {
    for (i = 0; i < bad; i++) w = text_put_escape(w, (unsigned char)s[i]);
    return w;
  }
  memcpy(w, s, bad);
  return w + bad;
}

/* The length of the character at s if it is invisible, or if old JavaScript takes it for a line end or drops it: the
** set `escapable` of Crockford's json2.js. 0: another character, or ill-formed. */
static unsigned text_unseen(const char *s, size_t left) {
  const unsigned char *p = (const unsigned char *)s;
  if (left < 2) return 0;
  switch (p[0]) {
  case 0xc2: return (p[1] >= 0x80 && p[1] <= 0x9f) || p[1] == 0xad ? 2 : 0;
  case 0xd8: return p[1] >= 0x80 && p[1] <= 0x84 ? 2 : 0;
  case 0xdc: return p[1] == 0x8f ? 2 : 0;
  case 0xe1: return left > 2 && p[1] == 0x9e && (p[2] == 0xb4 || p[2] == 0xb5) ? 3 : 0;
  case 0xe2:
    if (left < 3) return 0;
    if (p[1] == 0x80) return (p[2] >= 0x8c && p[2] <= 0x8f) || (p[2] >= 0xa8 && p[2] <= 0xaf) ? 3 : 0;
    return p[1] == 0x81 && p[2] >= 0xa0 && p[2] <= 0xaf ? 3 : 0;
  case 0xef:
    if (left < 3) return 0;
    return (p[1] == 0xbb && p[2] == 0xbf) || (p[1] == 0xbf && p[2] >= 0xb0 && p[2] <= 0xbf) ? 3 : 0;
  default: return 0;
  }
}

FL_PRIVATE int text_has_unseen(const char *s, size_t n) {
  const char *end = s + n;
  for (; s < end; s++)
    if ((unsigned char)*s >= 0xc2 && text_unseen(s, (size_t)(end - s))) return 1;
  return 0;
}

FL_PRIVATE char *text_escape_general(char *w, const char *s, size_t n, const struct text_style *style) {
  const char *end = s + n;
  unsigned set = TEXT_QUOTE | TEXT_CONTROL | TEXT_HIGH;
  FL_ASSERT(!style->unseen || style->invalid == TEXT_INVALID_PASS);
  if (style->slash) set |= TEXT_SLASH;
  if (style->del) set |= TEXT_DEL;
  if (style->html) set |= TEXT_HTML;
  while (s < end) {
    unsigned char c = (unsigned char)*s;
    unsigned class = text_class(c) & set;
    uint32_t cp;
    int k;
    if (!class) {
      *w++ = (char)c;
      s++;
      continue;
    }
    if (c < 0x80) {
      w = text_put_escape(w, c);
      s++;
      continue;
    }
    if (style->unseen && (k = (int)text_unseen(s, (size_t)(end - s))) != 0) {
      cp = k == 2 ? c & 0x1fu : (c & 0x0fu) << 6 | ((unsigned char)s[1] & 0x3fu);
      w = text_put_unit(w, cp << 6 | ((unsigned char)s[k - 1] & 0x3fu));
      s += k;
      continue;
    }
    k = text_utf8_next(s, (size_t)(end - s), &cp);
    if (k < 0) {
      w = text_put_invalid(w, s, (size_t)-k, style);
      s += -k;
      continue;
    }
    if (style->ascii || (style->html && (cp == 0x2028 || cp == 0x2029))) w = text_put_character(w, cp);
    else {
      memcpy(w, s, (size_t)k);
      w += k;
    }
    s += k;
  }
  return w;
}

FL_PRIVATE char *text_escape_set(char *w, const char *s, size_t n, const unsigned char *set, int x) {
  static const char hex[16] = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'};
  const char *end = s + n;
  for (; s < end; s++) {
    const unsigned char c = (unsigned char)*s;
    if (!text_in_set(set, *s) || !(text_class(c) & (TEXT_QUOTE | TEXT_CONTROL | TEXT_SLASH | TEXT_HIGH))) {
      *w++ = *s;
    } else if (text_escape_text[c][7] == 2) {
      w = text_put_escape(w, c);
    } else {
      *w++ = '\\';
      if (x && c == '\v') {
        *w++ = 'v';
        continue;
      }
      *w++ = x ? 'x' : 'u';
      if (!x) *w++ = '0', *w++ = '0';
      *w++ = hex[c >> 4];
      *w++ = hex[c & 15];
    }
  }
  return w;
}

FL_PRIVATE size_t text_cut(const char *s, size_t n, size_t limit) {
  size_t k;
  if (n <= limit) return n;
  for (k = 1; k <= 3 && k <= limit; k++) {
    unsigned char c = (unsigned char)s[limit - k];
    if (c < 0x80) return limit;
    if (c >= 0xc0) return c >= 0xf0 || (c >= 0xe0 && k < 3) || k < 2 ? limit - k : limit;
  }
  return limit;
}
