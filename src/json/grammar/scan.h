/* SPDX-License-Identifier: MIT
** scan.h -- the parts of JSON text, read one at a time: white space, strings, literals (RFC 8259), unescaped or as they
** stand. For a text in pieces: where a token ends that the end of a piece has cut. For a text of which only the
** beginning is available (JSON_OPEN_END): whether a valid text can begin like this, and where it is cut.
** Must hold: as json/tokens/tokens.h. Rare cases are separate functions: what strict JSON lacks, such as JSON5, is
** tried only where strict JSON failed. Each byte of a text in pieces is read once, so a token in many pieces takes
** linear time and no memory. What precedes the cut token is read as in the whole text, with the same errors. */
#pragma once

#include "../../base/bits.h"
#include "../../text/quote.h"
#include "../tokens/lenient.h"

/* Returns the kind of the innermost of `depth` open containers. `objects`: a bit for each, 1 for an object. */
FL_INLINE enum scan_container json_container_at(const unsigned char *objects, uint32_t depth) {
  return depth == 0 ? SCAN_ROOT : fl_bit(objects, depth - 1) ? SCAN_OBJECT : SCAN_ARRAY;
}

/* Returns whether a number begins here that only rules with JSON_ODD_ZEROS read, while strict JSON would stop after the
** 0. */
FL_INLINE int json_is_odd_zero(const char *p) {
  p += *p == '-';
  return *p == '0' && (json_is_digit(p[1]) || (p[1] | 0x20) == 'x');
}

/* Returns four bytes of a literal in the form of fl_load32. */
FL_INLINE uint32_t json_word(const char *four) { return fl_load32(four); }

/* Skips all white space, including that of lenient grammars. The indentation of printed JSON is a line end and many
** blanks. NULL after an error. */
FL_PRIVATE_NOINLINE const char *json_scan_space_(struct json_scan *j, const char *p);

/* Returns whether no white space and no comment of any grammar begins with this byte. */
FL_INLINE int json_begins_token(char c) { return (unsigned char)(c - '!') < 0x80 - '!' && c != '/'; }

/* Skips white space of a grammar without JSON_WIDE_SPACE, usually none or one blank. NULL after an error. */
FL_INLINE const char *json_skip_strict_space(struct json_scan *j, const char *p) {
  if (FL_LIKELY((unsigned char)*p > ' ')) return p;
  if (*p == ' ' && (unsigned char)p[1] > ' ') return p + 1;
#if !defined(FLEECE_SIMD_SWAR)
  if (*p == '\n' && FL_LIKELY(j->end - p > 32)) {
    uint64_t blanks = text_vmask32(text_vis(text_vload(p + 1), ' '), text_vis(text_vload(p + 17), ' '));
    const char *q = p + 1 + fl_trailing_zeros(~blanks);
    if (FL_LIKELY((unsigned char)*q > ' ')) return q;
  }
#endif
  return json_scan_space_(j, p);
}

/* Skips white space. NULL after an error. */
FL_INLINE const char *json_skip_space(struct json_scan *j, const char *p) {
  if (FL_LIKELY(!(j->grammar & JSON_WIDE_SPACE))) return json_skip_strict_space(j, p);
  return FL_LIKELY(json_begins_token(*p)) ? p : json_scan_space_(j, p);
}

/* Returns the first quote, backslash or control byte from p on; the 0 after the text counts as one. Sets *high to
** non-zero if a byte before it is 0x80 or above. */
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

/* Unescapes a string whose first byte is p and whose first backslash is q. `high`: json_scan_plain's result before
** q. The contents go to the scratch and are not longer than the text. Returns the byte after the closing quote, or
** NULL. */
FL_PRIVATE_NOINLINE const char *json_unescape_(struct json_scan *j, const char *p, const char *q, uint64_t high,
                                               struct json_string *out);

/* Reads the string whose opening quote is p[-1]. Sets *out to its contents. Returns the byte after the closing quote,
** or NULL. */
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

/* json_skip_space and json_scan_string as calls, for grammars that need not be fast. */
FL_PRIVATE_NOINLINE const char *json_read_space(struct json_scan *j, const char *p);
FL_PRIVATE_NOINLINE const char *json_read_string(struct json_scan *j, const char *p, struct json_string *out);

enum json_part_in {
  PART_BEGIN,
  PART_STRING,
  PART_ESCAPE,
  PART_NUMBER,
  PART_WORD,
  PART_SPACE, /* for callers; the functions here never set it */
  PART_BOM,
  PART_SLASH,
  PART_LINE,
  PART_COMMENT,
  PART_STAR
};

struct json_part {
  /* BEGIN: outside tokens; for json_safe_end, outside those that may contain a bracket or comma */
  enum json_part_in in;
  char quote;            /* of a string; for a word its first letter */
  unsigned char matched; /* see json5_ends_line; for a number: an enum part_number */
  size_t length;         /* bytes of a word so far */
};

FL_INLINE int json_is_number_byte(char c) {
  return json_is_digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}

/* In a strict text: returns the byte after the token that s is in or that begins at p, or NULL if it is incomplete. A
** control character ends a string, where it is an error. The byte that makes a number or word invalid belongs to it, so
** that the scan reports the same error however the text is divided. */
FL_PRIVATE const char *json_token_end(struct json_part *s, const char *p, const char *end);

/* Like json_is_cut, but returns where to continue: the token, or a comment or white space before it that is incomplete.
** NULL: the text is invalid. */
FL_PRIVATE_NOINLINE const char *json_cut_at(const struct json_scan *j, const char *token, enum json_expected expected);

/* Returns whether [p, end), the rest of a text of which only the beginning is available, may begin a comment or a white
** space character of several bytes. */
FL_PRIVATE int json_is_cut_space(const struct json_scan *j, const char *p, const char *end);

/* Returns whether more digits could follow the value before q, where the available text ends. */
FL_PRIVATE int json_is_open_number(const struct json_scan *j, const char *q);

/* In an incomplete string, from p on, which must not be within a character or escape: returns the end of the complete
** part. A high surrogate is incomplete until the low one has come. */
FL_PRIVATE const char *json_string_so_far(const char *p, const char *end, int json5);

/* Returns the end of the longest number that the incomplete number [p, end) begins with, or p. */
FL_PRIVATE const char *json_number_so_far(const char *p, const char *end);

/* In a comment: returns the byte after it, or NULL if it does not end in this text. */
FL_PRIVATE const char *json_comment_end(struct json_part *s, const char *p, const char *end, int json5);

/* In a text with comments: returns the byte after the first bracket, comma or colon outside strings and comments, or
** NULL. */
FL_PRIVATE const char *json_safe_end(struct json_part *s, const char *p, const char *end, int json5);

/* Accepts what json_scan_string and num_parse accept, with errors at the same places; but numbers may have any size. */

/* Skips a number (RFC 8259, section 6). Sets its kind to NUM_INTEGER, even with a fraction, and v->i to whether it has
** an exponent; or its kind to NUM_BAD, and returns the byte of the error. */
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
    v->i = 1;
  }
  v->kind = NUM_INTEGER;
  return p;
}

/* Like json_scan_string, but *out is the text between the quotes, with its escapes, and *strict is 1. For a string that
** only a lenient grammar has, *strict is 0 and *out its contents. */
FL_INLINE const char *json_span_string(struct json_scan *j, const char *p, struct json_string *out, int *strict) {
  uint64_t high = 0;
  const char *q = json_scan_plain(j, p, &high);
  if (FL_UNLIKELY(*q == '\\')) q = text_check_escapes(q, j->end, &high);
  out->s = p;
  out->n = (size_t)(q - p);
  *strict = FL_LIKELY(*q == '"') && (FL_LIKELY(!high) || FL_LIKELY(j->utf8(p, out->n) == out->n));
  return FL_LIKELY(*strict) ? q + 1 : json_lenient_string(j, p, out);
}

/* Counts the remaining items of an array, to create its table in the final size. Returns the number from p on, or 0 if
** the array does not end before `end`. Sets *stop to the first byte it did not read. The number is right if the text is
** valid in the scan's grammar. Linear, no recursion. */
FL_PRIVATE size_t json_count_items(const struct json_scan *j, const char *p, const char *end, const char **stop);

/* Returns where the value at p has more than `most` values in it, itself included; NULL if it does not, or is not
** complete. `several`: all values from p on count. Right for every valid text; an invalid one may count more. Changes
** of *j only its error. */
FL_PRIVATE const char *json_find_excess(struct json_scan *j, const char *p, uint64_t most, int several);
