/* SPDX-License-Identifier: MIT */
#include "general.h"
#include "quote.h"
#include "runs.h"
#if defined(FLEECE_SIMD_SSE2)
#include "x86/units.h"
#include "x86/words.h"
#endif

/* The two hexadecimal digits of each byte. */
#define TEXT_D8(h) h "0" h "1" h "2" h "3" h "4" h "5" h "6" h "7"
#define TEXT_D16(h) TEXT_D8(h) h "8" h "9" h "a" h "b" h "c" h "d" h "e" h "f"
static const char text_byte_digits[] = TEXT_D16("0") TEXT_D16("1") TEXT_D16("2") TEXT_D16("3") TEXT_D16("4")
    TEXT_D16("5") TEXT_D16("6") TEXT_D16("7") TEXT_D16("8") TEXT_D16("9") TEXT_D16("a") TEXT_D16("b") TEXT_D16("c")
        TEXT_D16("d") TEXT_D16("e") TEXT_D16("f");
#undef TEXT_D16
#undef TEXT_D8

/* Writes \uxxxx for a 16-bit unit. */
FL_INLINE char *text_put_unit(char *w, uint32_t unit) {
  memcpy(w, "\\u", 2);
  memcpy(w + 2, text_byte_digits + 2 * (unit >> 8), 2);
  memcpy(w + 4, text_byte_digits + 2 * (unit & 255), 2);
  return w + 6;
}

/* Writes \uxxxx for a character; above U+FFFF two of them, a surrogate pair (RFC 8259, section 7). */
FL_INLINE char *text_put_character(char *w, uint32_t cp) {
  FL_ASSERT(cp <= 0x10ffff);
  if (cp < 0x10000) return text_put_unit(w, cp);
  w = text_put_unit(w, 0xd7c0 + (cp >> 10)); /* 0xd800 - (0x10000 >> 10) */
  return text_put_unit(w, 0xdc00 + (cp & 0x3ff));
}

/* Writes, as the style says, for the `bad` bytes at s, which are not UTF-8. */
static char *text_put_invalid(char *w, const char *s, size_t bad, const struct text_style *style) {
  FL_ASSERT(style->invalid != TEXT_INVALID_ERROR && bad >= 1 && bad <= 3);
  if (style->invalid == TEXT_INVALID_REPLACE) {
    if (style->ascii) return text_put_unit(w, 0xfffd);
    memcpy(w, "\xef\xbf\xbd", 3);
    return w + 3;
  }
  if (style->invalid == TEXT_INVALID_ESCAPE || style->ascii) {
    for (size_t i = 0; i < bad; i++) w = text_put_escape(w, (unsigned char)s[i]);
    return w;
  }
  memcpy(w, s, bad);
  return w + bad;
}

/* Returns whether it is invisible, or old JavaScript takes it for a line end or drops it: the set `escapable` of
** Crockford's json2.js. */
static int text_is_unseen(uint32_t cp) {
  static const uint16_t ranges[][2] = {{0x80, 0x9f},     {0xad, 0xad},     {0x600, 0x604},   {0x70f, 0x70f},
                                       {0x17b4, 0x17b5}, {0x200c, 0x200f}, {0x2028, 0x202f}, {0x2060, 0x206f},
                                       {0xfeff, 0xfeff}, {0xfff0, 0xffff}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (cp <= ranges[i][1]) return cp >= ranges[i][0];
  return 0;
}

FL_PRIVATE int text_has_unseen(const char *s, size_t n) {
  static const uint64_t firsts = UINT64_C(0x800611000004); /* c2 d8 dc e1 e2 ef */
  const char *end = s + n;
  uint32_t cp = 0;
  for (; s < end; s++) {
    const unsigned char c = (unsigned char)*s;
    if (c < 0xc0 || !(firsts >> (c & 63) & 1)) continue;
    if (text_utf8_next(s, (size_t)(end - s), &cp) > 0 && text_is_unseen(cp)) return 1;
  }
  return 0;
}

/* Writes the character at *s, which has bytes of 128 and above, as the style says, and moves *s past it. */
FL_INLINE char *text_escape_character(char *w, const char **s, const char *end, const struct text_style *style) {
  const char *from = *s;
  uint32_t cp = 0;
  const int k = text_utf8_next(from, (size_t)(end - from), &cp);
  if (FL_UNLIKELY(k < 0)) {
    *s += -k;
    return text_put_invalid(w, from, (size_t)-k, style);
  }
  *s += k;
  if (style->ascii || (style->html && (cp == 0x2028 || cp == 0x2029)) || (style->unseen && text_is_unseen(cp)))
    return text_put_character(w, cp);
  memcpy(w, from, (size_t)k);
  return w + k;
}

/* Returns which ASCII characters are escaped, as classes. */
FL_INLINE unsigned text_style_set(const struct text_style *style) {
  return TEXT_QUOTE | TEXT_CONTROL | (style->slash ? TEXT_SLASH : 0) | (style->del ? TEXT_DEL : 0) |
         (style->html ? TEXT_HTML : 0);
}

/* Returns whether the characters of 128 and above must be looked at one by one. Else their bytes are copied, and s may
** begin inside one; with `html` only U+2028 and U+2029 count, which begin with 0xe2. */
FL_INLINE int text_style_reads_high(const struct text_style *style) {
  return style->ascii || style->unseen || style->invalid == TEXT_INVALID_REPLACE ||
         style->invalid == TEXT_INVALID_ESCAPE;
}

FL_PRIVATE char *text_escape_general_portable(char *w, const char *s, size_t n, const struct text_style *style) {
  const char *end = s + n;
  const unsigned set = text_style_set(style);
  const int high = text_style_reads_high(style);
  FL_ASSERT(!style->unseen || style->invalid == TEXT_INVALID_PASS);
  while (s < end) {
    const unsigned char c = (unsigned char)*s;
    if (c >= 0x80 && (high || c == 0xe2)) {
      w = text_escape_character(w, &s, end, style);
    } else {
      if (text_class(c) & set) w = text_put_escape(w, c);
      else *w++ = (char)c;
      s++;
    }
  }
  return w;
}

/* Finds the bytes of a block that are not just copied: those of `set`, and those of 128 and above if `high`; else, with
** `html`, only the first byte of U+2028. */
FL_INLINE uint64_t text_style_hits(const text_chunk *b, unsigned set, int high) {
  uint64_t hits = TEXT_BLOCK(stops)(b);
  if (set & TEXT_SLASH) hits |= TEXT_BLOCK(is)(b, '/');
  if (set & TEXT_DEL) hits |= TEXT_BLOCK(is)(b, 127);
  if (set & TEXT_HTML) hits |= TEXT_BLOCK(is)(b, '<') | TEXT_BLOCK(is)(b, '>') | TEXT_BLOCK(is)(b, '&');
  if (high) return hits | TEXT_BLOCK(high)(b);
  return set & TEXT_HTML ? hits | TEXT_BLOCK(is)(b, (char)0xe2) : hits;
}

#if FLEECE_WIDE
/* Returns whether text_escape_words_ may be called. */
FL_INLINE int text_words_may(const struct text_style *style, unsigned set, unsigned cpu) {
  return cpu & TEXT_CPU_WIDE && style->ascii && style->invalid == TEXT_INVALID_ERROR &&
         set == (TEXT_QUOTE | TEXT_CONTROL);
}

/* Writes the character at *s and the text with two-byte letters after it; repeats that if such text follows what
** stopped it. Moves *s past them. */
FL_NOINLINE char *text_escape_words_(char *w, const char **s, const char *end) {
  const char *p = *s;
  do {
    const unsigned char c = (unsigned char)*p;
    if (c >= 0x80) {
      uint32_t cp = 0;
      p += text_utf8_next(p, (size_t)(end - p), &cp);
      w = text_put_character(w, cp);
    } else {
      p++;
      if (text_class(c) & (TEXT_QUOTE | TEXT_CONTROL)) w = text_put_escape(w, c);
      else *w++ = (char)c;
    }
    w = text_escape_words_wide_(w, &p, end);
  } while (p < end && text_words_begin(text_words_next(p), end));
  *s = p;
  return w;
}
#endif

/* Writes characters from *s on while one of the next four bytes is 128 or above: words and what is between them. */
FL_NOINLINE char *text_escape_high_run_(char *w, const char **s, const char *end, const struct text_style *style,
                                        unsigned set, unsigned cpu) {
  const char *p = *s;
  (void)cpu;
  do {
    const unsigned char c = (unsigned char)*p;
    if (c < 0x80) {
      if (text_class(c) & set) w = text_put_escape(w, c);
      else *w++ = (char)c;
      p++;
    } else if (style->ascii && c < 0xe0 && c >= 0xc2 && ((unsigned char)p[1] & 0xc0) == 0x80) {
#if defined(FLEECE_SIMD_SSE2)
      if (cpu & TEXT_CPU_LOOKUP && style->invalid == TEXT_INVALID_ERROR && text_may_read(p, end, TEXT_BLOCK_READ) &&
          (fl_load32(p + 4) & 0x80808080u) && (fl_load32(p + 8) & 0x80808080u)) {
        const text_chunk b = TEXT_BLOCK(load)(p);
        uint64_t stops = text_twos_end(&b);
        if (set != (TEXT_QUOTE | TEXT_CONTROL)) stops |= text_style_hits(&b, set, 0);
        if (end - p < TEXT_BLOCK_BYTES) stops |= ~(uint64_t)0 << (end - p);
#if FLEECE_WIDE
        if (!stops && text_words_may(style, set, cpu)) {
          w = text_escape_words_(w, &p, end);
          continue;
        }
#endif
        w = text_escape_twos_lookup(w, &p, TEXT_BLOCK(high)(&b), stops);
        continue;
      }
#endif
      w = text_put_unit(w, (c & 0x1fu) << 6 | ((unsigned char)p[1] & 0x3fu));
      p += 2;
    } else if (style->ascii && style->invalid == TEXT_INVALID_ERROR && c < 0xf0) {
#if defined(FLEECE_SIMD_SSE2)
      if (cpu & TEXT_CPU_LOOKUP && end - p >= 16 && ((unsigned char)p[9] & 0xf0) == 0xe0) {
        const char *from = p;
        w = text_escape_triples_lookup(w, &p, end);
        if (p != from) continue;
      }
#endif
      w = text_put_unit(w, (c & 0x0fu) << 12 | ((unsigned char)p[1] & 0x3fu) << 6 | ((unsigned char)p[2] & 0x3fu));
      p += 3;
    } else {
      w = text_escape_character(w, &p, end, style);
    }
  } while (end - p >= 4 && (fl_load32(p) & 0x80808080u));
  *s = p;
  return w;
}

FL_PRIVATE char *text_escape_general(char *w, const char *s, size_t n, const struct text_style *style, unsigned cpu) {
  const char *end = s + n;
  const unsigned set = text_style_set(style);
  const int high = text_style_reads_high(style);
  while (s < end && text_may_read(s, end, TEXT_BLOCK_READ)) {
    const text_chunk b = TEXT_BLOCK(load)(s);
    const char *r = s, *last = end - s < TEXT_BLOCK_BYTES ? end : s + TEXT_BLOCK_BYTES;
    uint64_t hits = text_style_hits(&b, set, high);
#if !defined(FLEECE_SIMD_SWAR)
    uint64_t stops;
#endif
    if (last - s < TEXT_BLOCK_BYTES) hits &= fl_low_bits((size_t)(last - s));
#if !defined(FLEECE_SIMD_SWAR)
    stops = hits & TEXT_BLOCK(stops)(&b);
#endif
    while (hits) {
      const char *hit = s + fl_trailing_zeros(hits);
      w = text_copy_between(w, r, hit);
#if !defined(FLEECE_SIMD_SWAR)
      if (FL_UNLIKELY((stops >> (hit - s) & 0xffff) == 0xffff) && text_escape_pairs(w, hit)) {
        w += 32;
        r = hit + 16;
        hits &= r - s < TEXT_BLOCK_BYTES ? ~(uint64_t)0 << (r - s) : 0;
        continue;
      }
#endif
      hits &= hits - 1;
      if (FL_LIKELY((unsigned char)*hit < 0x80)) {
        w = text_put_escape(w, (unsigned char)*hit);
        r = hit + 1;
      } else {
        r = hit;
#if FLEECE_WIDE
        if ((unsigned char)*r < 0xe0 && text_words_begin(r + 2, end) && text_words_may(style, set, cpu))
          w = text_escape_words_(w, &r, end);
        else
#endif
          w = end - r >= 4 ? text_escape_high_run_(w, &r, end, style, set, cpu)
                           : text_escape_character(w, &r, end, style);
        hits &= r - s < TEXT_BLOCK_BYTES ? ~(uint64_t)0 << (r - s) : 0;
      }
    }
    if (r < last) {
      w = text_copy_between(w, r, last);
      r = last;
    }
    s = r;
  }
  return text_escape_general_portable(w, s, (size_t)(end - s), style);
}

FL_PRIVATE char *text_copy_plain(char *w, const char *s, size_t n, const struct text_style *style) {
  if (n > TEXT_BLOCK_BYTES || !text_may_read(s, s + n, TEXT_BLOCK_BYTES)) return NULL;
  const text_chunk b = TEXT_BLOCK(load)(s);
  uint64_t hits = text_style_hits(&b, text_style_set(style), 1);
  if (n < TEXT_BLOCK_BYTES) hits &= fl_low_bits(n);
  return hits ? NULL : text_copy_between(w, s, s + n);
}

FL_PRIVATE char *text_show(char *w, const char *s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const unsigned char c = (unsigned char)s[i];
    if (c == '"' || c == '\\') *w++ = '\\';
    if (c >= 32 && c != 127) {
      *w++ = s[i];
    } else {
      *w++ = '\\';
      *w++ = (char)('0' + c / 100);
      *w++ = (char)('0' + c / 10 % 10);
      *w++ = (char)('0' + c % 10);
    }
  }
  return w;
}

FL_PRIVATE char *text_mend(char *w, const char *s, size_t n, const struct text_style *style) {
  const char *end = s + n;
  while (s < end) {
    uint32_t cp;
    int k = text_utf8_next(s, (size_t)(end - s), &cp);
    if (k < 0 && style->invalid == TEXT_INVALID_REPLACE) {
      w = text_put_utf8(w, 0xfffd);
      s -= k;
    } else if (k < 0 && (style->invalid != TEXT_INVALID_PASS || style->ascii)) {
      w = text_put_utf8(w, (unsigned char)*s++);
    } else {
      for (k = k < 0 ? -k : k; k > 0; k--) *w++ = *s++;
    }
  }
  return w;
}

FL_PRIVATE size_t text_cut(const char *s, size_t n, size_t limit) {
  if (n <= limit) return n;
  for (size_t k = 1; k <= 3 && k <= limit; k++) {
    unsigned char c = (unsigned char)s[limit - k];
    if (c < 0x80) return limit;
    if (c >= 0xc0) return c >= 0xf0 || (c >= 0xe0 && k < 3) || k < 2 ? limit - k : limit;
  }
  return limit;
}
