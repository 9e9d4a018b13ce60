/* SPDX-License-Identifier: MIT
** scan.h -- the pieces of JSON text, read one at a time: white space, strings, literals (RFC 8259), converted or as
** they stand in the text; and a text that comes in pieces: where does the token end that the end of a piece has cut?
** Of a text of which only the beginning is there (JSON_OPEN_END): is that the beginning of a valid text, and where is
** it cut?
** Must hold: as json/tokens/tokens.h. Rare work is done by functions of its own: what strict JSON does not have, as
** JSON5, is tried only where strict JSON has failed. Of a text in pieces each byte is looked at once, so that a token
** in many pieces takes linear time; that needs no memory. What is read before the cut token is read as in the whole
** text, and its errors are the same. */
#pragma once

#include "../../base/bits.h"
#include "../../text/quote.h"
#include "../tokens/lenient.h"

/* The kind of the innermost of `depth` open containers. `objects`: a bit for each of them: is it an object? */
FL_INLINE enum scan_container json_container_at(const unsigned char *objects, uint32_t depth) {
  return depth == 0 ? SCAN_ROOT : fl_bit(objects, depth - 1) ? SCAN_OBJECT : SCAN_ARRAY;
}

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

/* ------------------------------------------------------------------------------------- texts in pieces */

enum json_part_in {
  PART_BEGIN,
  PART_STRING,
  PART_ESCAPE,
  PART_NUMBER,
  PART_WORD,
  PART_SPACE, /* for callers; no function here enters it */
  PART_BOM,
  PART_SLASH,
  PART_LINE,
  PART_COMMENT,
  PART_STAR
};

struct json_part {
  enum json_part_in in;  /* BEGIN: in no token; for json_safe_end, in none that may hold a bracket or comma */
  char quote;            /* of a string; of a word its first letter */
  unsigned char matched; /* see json5_ends_line; of a number: an enum part_number */
  size_t length;         /* of a word so far */
};

FL_INLINE int json_is_number_byte(char c) {
  return json_is_digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}

/* In a strict text: the byte after the token that s is in or that begins at p; NULL: it continues after the end. A
** control character ends a string: it is an error there. The byte that makes a number or word wrong is a part of it, so
** that the scan tells the same of it, however the text was cut. */
FL_PRIVATE const char *json_token_end(struct json_part *s, const char *p, const char *end);

/* The same with where to continue: at the token, or after a comment or white space that the end of the text has cut.
** NULL: the text is wrong. */
FL_PRIVATE_NOINLINE const char *json_cut_at(const struct json_scan *j, const char *token, enum json_expected expected);

/* Does [p, end), the rest of a text of which only the beginning is there, begin something that is no value: a comment,
** or white space of several bytes? */
FL_PRIVATE int json_is_cut_space(const struct json_scan *j, const char *p, const char *end);

/* Could more digits follow the value before q, with which the text ends, because only its beginning is there? */
FL_PRIVATE int json_is_open_number(const struct json_scan *j, const char *q);

/* In a string that the text cuts, from p on, which is not within a character or escape: the end of what is complete. An
** escape that means half of a character is not, while the other half may follow. */
FL_PRIVATE const char *json_string_so_far(const char *p, const char *end, int json5);

/* The end of the number with which [p, end), the beginning of one, begins; p: there is none. */
FL_PRIVATE const char *json_number_so_far(const char *p, const char *end);

/* In a comment: the byte after it; NULL: it does not end in this text. */
FL_PRIVATE const char *json_comment_end(struct json_part *s, const char *p, const char *end, int json5);

/* In a text with comments: the byte after the first bracket, comma or colon outside of strings and comments; NULL:
** there is none. */
FL_PRIVATE const char *json_safe_end(struct json_part *s, const char *p, const char *end, int json5);

/* ------------------------------------------------------------------------------------- as they stand in the text */

/* What is accepted, and where an error is, is as for json_scan_string and num_parse, except that numbers may be of any
** size. */

/* A number (RFC 8259, section 6). Its kind is NUM_INTEGER, also if it has a fraction, or NUM_BAD; then the error is at
** the byte that is returned. */
FL_INLINE const char *json_span_number(const char *p, const char *end, struct num_value *v) {
  const char *digits = p + (*p == '-');
  (void)end;
  v->kind = NUM_BAD;
  v->i = 0;
  p = json_skip_digits(digits);
  if (p == digits) return p;
  if (FL_UNLIKELY(*digits == '0') && p > digits + 1) return digits + 1;
  if (*p == '.') {
    digits = p + 1;
    p = json_skip_digits(digits);
    if (p == digits) return p;
  }
  if ((*p | 0x20) == 'e') {
    digits = p + 1 + (p[1] == '-' || p[1] == '+');
    p = json_skip_digits(digits);
    if (p == digits) return p;
  }
  v->kind = NUM_INTEGER;
  return p;
}

/* As json_scan_string, but *out is the text between the quotes, with its escapes, and *strict is true. A string of a
** lenient grammar is read with *strict false, and *out is what it means. */
FL_INLINE const char *json_span_string(struct json_scan *j, const char *p, struct json_string *out, int *strict) {
  uint64_t high = 0;
  const char *q = json_scan_plain(j, p, &high);
  if (FL_UNLIKELY(*q == '\\')) q = text_check_escapes(q, j->end, &high);
  out->s = p;
  out->n = (size_t)(q - p);
  *strict = FL_LIKELY(*q == '"') && (FL_LIKELY(!high) || FL_LIKELY(j->utf8(p, out->n) == out->n));
  return FL_LIKELY(*strict) ? q + 1 : json_lenient_string(j, p, out);
}
