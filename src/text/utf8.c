/* SPDX-License-Identifier: MIT */
#include "utf8.h"
#if !defined(FLEECE_SIMD_SWAR)
#include "utf8_lookup.h"
#endif

/* Returns four bytes as a little-endian number. */
FL_INLINE uint32_t text_word(const char *s) {
  const unsigned char *u = (const unsigned char *)s;
  if (!FLEECE_BIG_ENDIAN) return fl_load32(s);
  return u[0] | (uint32_t)u[1] << 8 | (uint32_t)u[2] << 16 | (uint32_t)u[3] << 24;
}

/* Returns the length of the character, not ASCII, that begins the four bytes x, or 0 if it is ill-formed. The masks
** keep the marker bits of each form. What remains of the first 11, 16 or 21 bits is compared with the smallest value
** that needs that form, and with the surrogates (d8..df) or U+110000. */
FL_INLINE unsigned text_utf8_word(uint32_t x) {
  if ((x & 0x00c0c0f0u) == 0x008080e0u) {
    uint32_t t = x & 0x200fu;
    return t != 0 && t != 0x200du ? 3 : 0;
  }
  if ((x & 0xc0e0u) == 0x80c0u) return (x & 0x1eu) ? 2 : 0;
  if ((x & 0xc0c0c0f8u) == 0x808080f0u) {
    uint32_t t = x & 0x3007u;
    return t != 0 && (!(t & 4) || !(t & 0x3003u)) ? 4 : 0;
  }
  return 0;
}

FL_PRIVATE size_t text_utf8_valid(const char *s, size_t n) {
  size_t i = 0;
  for (;;) {
    while (n - i >= 8 && !(fl_load64(s + i) & UINT64_C(0x8080808080808080))) i += 8;
    while (n - i >= 4) {
      uint32_t x = text_word(s + i);
      if (!(x & 0x80u)) {
        if (!(x & 0x80808080u)) {
          i += 4;
          break;
        }
        i++;
      } else {
        unsigned k = text_utf8_word(x);
        if (!k) return i;
        i += k;
      }
    }
    if (n - i < 4) break;
  }
  while (i < n) {
    uint32_t cp;
    int k = text_utf8_next(s + i, n - i, &cp);
    if (k < 0) return i;
    i += (size_t)k;
  }
  return n;
}

/* text_utf8_valid_16, _32, _64: text_utf8_valid with vectors. Errors are rare, so finding the place may take a second
** pass. */
#define TEXT_UTF8_VALID(bytes)                                             \
  FL_FUNC size_t text_utf8_valid_##bytes(const char *s, size_t n) {        \
    return FL_LIKELY(text_utf8_##bytes(s, n)) ? n : text_utf8_valid(s, n); \
  }
#if !defined(FLEECE_SIMD_SWAR)
TEXT_UTF8_VALID(16)
#endif
#if FLEECE_WIDE
TEXT_UTF8_VALID(32)
#endif
#if FLEECE_WIDEST
TEXT_UTF8_VALID(64)
#endif
#undef TEXT_UTF8_VALID

FL_PRIVATE text_utf8_fn text_utf8_pick(unsigned cpu) {
#if FLEECE_WIDEST
  if (cpu & TEXT_CPU_WIDEST) return text_utf8_valid_64;
#endif
#if FLEECE_WIDE
  if (cpu & TEXT_CPU_WIDE) return text_utf8_valid_32;
#endif
#if !defined(FLEECE_SIMD_SWAR)
  if (cpu & TEXT_CPU_LOOKUP) return text_utf8_valid_16;
#endif
  (void)cpu;
  return text_utf8_valid;
}

FL_PRIVATE unsigned text_utf8_cpu(text_utf8_fn valid) {
#if FLEECE_WIDEST
  if (valid == text_utf8_valid_64) return TEXT_CPU_WIDE | TEXT_CPU_WIDEST | TEXT_CPU_LOOKUP;
#endif
#if FLEECE_WIDE
  if (valid == text_utf8_valid_32) return TEXT_CPU_WIDE | TEXT_CPU_LOOKUP;
#endif
#if !defined(FLEECE_SIMD_SWAR)
  if (valid == text_utf8_valid_16) return TEXT_CPU_LOOKUP;
#endif
  (void)valid;
  return 0;
}

FL_PRIVATE int text_is_plain(const char *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    if ((unsigned char)s[i] < ' ' || s[i] == '"' || s[i] == '\\') return 0;
  return text_utf8_valid(s, n) == n;
}
