/* SPDX-License-Identifier: MIT
** scan.h -- the pieces of JSON text, read one at a time: white space, strings, literals. RFC 8259.
** Must hold: as json/tokens/tokens.h. Rare work is done by functions of its own: what strict JSON does not have, as
** JSON5, is tried only where strict JSON has failed. */
#pragma once

#include "../../text/quote.h"
#include "../tokens/lenient.h"
#include "parts.h"

/* Does a number begin here that only rules of JSON_ODD_ZEROS know, and of which strict JSON would take the 0? */
FL_INLINE int json_is_odd_zero(const char *p) {
  p += *p == '-';
  return *p == '0' && (json_is_digit(p[1]) || (p[1] | 0x20) == 'x');
}

/* Four bytes of a literal as fl_load32 reads them. */
FL_INLINE uint32_t json_word(const char *four) { return fl_load32(four); }

/* ------------------------------------------------------------------------------------- white space */

/* Skips all white space, and what lenient grammars have besides. The indentation of printed JSON is a line end and many
** blanks. NULL: an error. */
FL_PRIVATE_NOINLINE const char *json_scan_space_(struct json_scan *j, const char *p);

/* Skips white space: often there is none, sometimes one blank. NULL: an error. */
FL_INLINE const char *json_skip_space(struct json_scan *j, const char *p) {
  if (FL_LIKELY(!(j->grammar & JSON_WIDE_SPACE))) {
    if (FL_LIKELY((unsigned char)*p > ' ')) return p;
    if (*p == ' ' && (unsigned char)p[1] > ' ') return p + 1;
#if !defined(FLEECE_SIMD_SWAR)
    if (*p == '\n' && FL_LIKELY(j->end - p > 32)) {
      uint64_t blanks = text_vmask32(text_vis(text_vload(p + 1), ' '), text_vis(text_vload(p + 17), ' '));
      const char *q = p + 1 + fl_trailing_zeros(~blanks);
      if (FL_LIKELY((unsigned char)*q > ' ')) return q;
    }
#endif
  }
  return json_scan_space_(j, p);
}

/* ------------------------------------------------------------------------------------- strings */

/* The first quote, backslash or control byte from p on; the 0 after the text is one. *high becomes non-zero if a byte
** before it is 0x80 or above. */
FL_INLINE const char *json_scan_plain(const struct json_scan *j, const char *p, uint64_t *high) {
#if !defined(FLEECE_SIMD_SWAR)
  while (FL_LIKELY(j->end - p >= 32) || text_is_readable(p, 32)) {
    text_v a = text_vload(p), b = text_vload(p + 16);
    uint64_t stop = text_vmask32(text_vhits(a, TEXT_QUOTE | TEXT_CONTROL), text_vhits(b, TEXT_QUOTE | TEXT_CONTROL));
    uint64_t top = text_vhigh32(a, b);
    if (FL_LIKELY(stop != 0)) {
      *high |= top & (stop - 1) & ~stop;
      return p + fl_trailing_zeros(stop);
    }
    *high |= top;
    p += 32;
  }
#else
  while (j->end - p >= 8 && text_word_is_plain(fl_load64(p), TEXT_QUOTE | TEXT_CONTROL)) {
    *high |= fl_load64(p) & TEXT_EACH(0x80);
    p += 8;
  }
#endif
  while ((unsigned char)*p >= 0x20 && *p != '"' && *p != '\\') *high |= (unsigned char)*p++ & 0x80;
  return p;
}

/* A string with escapes, from its first byte p on. `q` is its first backslash, `high` as json_scan_plain found it
** before that. What it means is written to the scratch and is no longer than its text. Returns the byte after the
** closing quote, or NULL. */
FL_PRIVATE_NOINLINE const char *json_unescape_(struct json_scan *j, const char *p, const char *q, uint64_t high,
                                               struct json_string *out);

/* The string whose opening quote is p[-1]: what it means is in *out. Returns the byte after its closing quote, or
** NULL. */
FL_INLINE const char *json_scan_string(struct json_scan *j, const char *p, struct json_string *out) {
  uint64_t high = 0;
  const char *q = json_scan_plain(j, p, &high);
  if (FL_LIKELY(*q == '"')) {
    out->s = p;
    out->n = (size_t)(q - p);
    if (FL_UNLIKELY(high) && FL_UNLIKELY(j->utf8(p, out->n) != out->n)) return json_lenient_string(j, p, out);
    return q + 1;
  }
  return *q == '\\' && q[1] != 0 ? json_unescape_(j, p, q, high, out) : json_lenient_string(j, p, out);
}

/* json_skip_space and json_scan_string by calls, for grammars of which speed is not asked. */
FL_PRIVATE_NOINLINE const char *json_read_space(struct json_scan *j, const char *p);
FL_PRIVATE_NOINLINE const char *json_read_string(struct json_scan *j, const char *p, struct json_string *out);
