/* SPDX-License-Identifier: MIT
** utf8_template.h -- UTF-8 validation by table look-up; utf8_lookup.h includes it for each size of vectors.
** Must hold: outside s[0..n) only its page is read.
** Parameter, undefined at the end: TEXT_U_BYTES, the bytes of a vector, 16, 32 or 64. Defines text_utf8_16,
** text_utf8_32, text_utf8_64. */
#if defined(FLEECE_SIMD_NEON)
#include "arm/utf8.h"
#else
#include "x86/utf8.h"
#endif

#define TEXT_U_NAME(name) FL_PASTE(FL_PASTE(text_utf8, name), TEXT_U_BYTES)

/* Returns non-zero lanes where `a`, which follows `before` in the text, is ill-formed. */
TEXT_U_TARGET FL_INLINE text_u TEXT_U_NAME(faults)(text_u a, text_u before) {
  text_u p1 = text_u_back(a, before, 1), p2 = text_u_back(a, before, 2), p3 = text_u_back(a, before, 3);
  text_u first = text_u_and(text_u_lookup(text_u_table(text_utf8_first_high), text_u_high_nibble(p1)),
                            text_u_lookup(text_u_table(text_utf8_first_low), text_u_and(p1, text_u_all(15))));
  text_u pair = text_u_and(first, text_u_lookup(text_u_table(text_utf8_second_high), text_u_high_nibble(a)));
  /* A third or fourth byte is due after e0..ff two bytes back or f0..ff three bytes back: the top bit of those remains,
  ** which is F_TWO. */
  text_u due = text_u_or(text_u_over(p2, text_u_all(0x60)), text_u_over(p3, text_u_all(0x70)));
  return text_u_xor(text_u_and(due, text_u_all(F_TWO)), pair);
}

/* Returns the last bytes, fewer than a vector, and zeros after them: a zero where a continuation is due is an error. */
TEXT_U_TARGET FL_INLINE text_u TEXT_U_NAME(rest)(const char *s, size_t n) {
  FL_ASSERT(n < TEXT_U_BYTES);
#if defined(text_u_first)
  return text_u_first(s, n);
#else
  char edge[TEXT_U_BYTES];
  if (FL_LIKELY(n && text_is_readable(s, TEXT_U_BYTES)))
    return text_u_and(text_u_load(s), text_u_load(text_utf8_first_n + 32 - n));
  memset(edge, 0, sizeof edge);
  memcpy(edge, s, n);
  return text_u_load(edge);
#endif
}

TEXT_U_TARGET FL_FUNC int FL_PASTE(text_utf8, TEXT_U_BYTES)(const char *s, size_t n) {
  enum { W = TEXT_U_BYTES };
  text_u fault = text_u_all(0), before = text_u_all(0), a, b, c, d;
  for (; n >= 4 * W; s += 4 * W, n -= 4 * W) {
    a = text_u_load(s), b = text_u_load(s + W), c = text_u_load(s + 2 * W), d = text_u_load(s + 3 * W);
    if (!text_u_anyhigh(text_u_or(text_u_or(a, b), text_u_or(c, d)))) {
      fault = text_u_or(fault, text_u_over(before, text_u_load(text_utf8_closed + 64 - TEXT_U_BYTES)));
    } else {
      fault = text_u_or(fault, text_u_or(TEXT_U_NAME(faults)(a, before), TEXT_U_NAME(faults)(b, a)));
      fault = text_u_or(fault, text_u_or(TEXT_U_NAME(faults)(c, b), TEXT_U_NAME(faults)(d, c)));
    }
    before = d;
  }
  for (; n >= W; s += W, n -= W) {
    a = text_u_load(s);
    fault = text_u_or(fault, TEXT_U_NAME(faults)(a, before));
    before = a;
  }
  fault = text_u_or(fault, TEXT_U_NAME(faults)(TEXT_U_NAME(rest)(s, n), before));
  return !text_u_any(fault);
}

#undef TEXT_U_NAME
#undef TEXT_U_BYTES
#undef TEXT_U_TARGET
#undef text_u
#undef text_u_load
#undef text_u_table
#undef text_u_all
#undef text_u_and
#undef text_u_or
#undef text_u_xor
#undef text_u_over
#undef text_u_high_nibble
#undef text_u_lookup
#undef text_u_back
#undef text_u_any
#undef text_u_anyhigh
#undef text_u_first
