/* SPDX-License-Identifier: MIT */
#include "write.h"

FL_PRIVATE_NOINLINE char *json_fail(struct json_out *o, enum fl_error error) {
  if (!o->error) o->error = error;
  return NULL;
}

FL_PRIVATE_NOINLINE char *json_copy_unseen(char *w, const char *s, size_t n) {
  static const struct text_style style = {.del = 1, .unseen = 1, .invalid = TEXT_INVALID_PASS};
  return text_escape_general(w, s, n, &style, 0);
}

FL_PRIVATE_NOINLINE void json_raise_digits_(char *w, const char *end) {
  while ((w = (char *)memchr(w, '\\', (size_t)(end - w))) != NULL) {
    if (w[1] == 'u' && w[5] >= 'a') w[5] = (char)(w[5] - 0x20);
    w += 2;
  }
}

FL_PRIVATE_NOINLINE int json_utf8_holds(struct json_out *o, const char *s, size_t n) {
  if (o->style->text.invalid != TEXT_INVALID_ERROR) return 1;
  const size_t good = o->utf8(s, n);
  if (FL_LIKELY(good == n)) return 1;
  o->error_at = good;
  json_fail(o, FL_ERROR_UTF8);
  return 0;
}

FL_PRIVATE_NOINLINE char *json_write_string_(struct json_out *o, char *w, const char *s, size_t n, int escape) {
  unsigned high = escape == JSON_ESCAPE_GENERAL;
  const char *piece = s, *end = s + n;
  w = json_reserve(o, w, JSON_TEXT_ROOM);
  if (!w) return NULL;
  *w++ = '"';
  if (high) {
    char *copied = text_copy_plain(w, s, n, &o->style->text);
    if (FL_LIKELY(copied != NULL)) return *copied = '"', copied + 1;
    if (!json_utf8_holds(o, s, n)) return NULL;
  }
  while (piece < end) {
    size_t left = (size_t)(end - piece);
    size_t take = left > JSON_PIECE ? text_cut(piece, left, JSON_PIECE) : left;
    w = json_reserve(o, w, 6 * take + JSON_TEXT_ROOM);
    if (!w) return NULL;
    w = json_copy_escaped(o, w, piece, take, escape, &high);
    piece += take;
  }
  if (high && escape == JSON_ESCAPE_JSON && !json_utf8_holds(o, s, n)) return NULL;
  *w++ = '"';
  return w;
}

FL_PRIVATE_NOINLINE char *json_put_lesser_flag_(struct json_out *o, char *w, const char *s, size_t n, char after) {
  const enum json_escape escape = o->style->escape;
#if !defined(FLEECE_SIMD_SWAR)
  if (text_is_short(s, n)) {
    uint64_t hits = json_lesser_hits(s, n, escape);
    char *first = w + 1, *end = first + n;
    *w = '"';
    if (escape != JSON_ESCAPE_E1 && hits) end = text_escape_repair32_(first, s, n, hits);
    else
      for (; hits; hits &= hits - 1) first[fl_trailing_zeros(hits)] = TEXT_PURGE_CHAR;
    end[0] = '"', end[1] = after;
    return end + 2;
  }
#endif
  w = json_write_string_(o, w, s, n, (int)escape);
  if (FL_LIKELY(w != NULL)) *w++ = after;
  return w;
}

static char *json_write_nonfinite_word(char *w, double d) {
  const char *text = d != d ? "NaN" : d > 0 ? "Infinity" : "-Infinity";
  memcpy(w, text, strlen(text));
  return w + strlen(text);
}

FL_PRIVATE_NOINLINE char *json_write_nonfinite_(struct json_out *o, char *w, double d) {
  switch (o->style->invalid_numbers) {
  case JSON_NUMBERS_NULL: memcpy(w, "null", 4); return w + 4;
  case JSON_NUMBERS_INFINITIES:
    if (d != d) return json_fail(o, FL_ERROR_NAN);
    /* fall through */
  case JSON_NUMBERS_LITERAL: return json_write_nonfinite_word(w, d);
  default: return json_fail(o, d != d ? FL_ERROR_NAN : FL_ERROR_INFINITE);
  }
}

/* As in Lua 5.5 (lobject.c, tostringbuffFloat). */
FL_NOINLINE char *json_write_15_17_(char *w, double d, int float_integers) {
  char *end = num_write_precision(w, d, 15, num_ten_to[15], float_integers);
  struct num_value v;
  v.d = 0;
  *end = 0;
  (void)num_read(w, end, &v);
  if ((v.kind == NUM_INTEGER ? (double)v.i : v.d) == d) return end;
  return num_write_precision(w, d, 17, num_ten_to[17], float_integers);
}

FL_PRIVATE int json_number_is_safe(const struct json_style *style, const char *s, const char *end) {
  static const char most[] = "9007199254740991";
  if (FL_LIKELY(!style->safe_integers)) return 1;
  s += *s == '-';
  const size_t n = (size_t)(end - s);
  for (size_t i = 0; i < n; i++)
    if (s[i] < '0' || s[i] > '9') return 1;
  return n < sizeof most - 1 || (n == sizeof most - 1 && memcmp(s, most, n) <= 0);
}

/* Returns `end` if the number [w, end) is allowed. */
static char *json_safe_number(struct json_out *o, const char *w, char *end) {
  if (FL_LIKELY(!end || json_number_is_safe(o->style, w, end))) return end;
  return json_fail(o, FL_ERROR_UNSAFE);
}

/* Writes a double that decimals or float32 concern; else returns w. */
static char *json_write_double_again(const struct json_style *s, char *w, double d) {
  uint64_t n;
  const int is_whole = num_integral(d, &n), is_integer = s->whole_are_integers && !s->float_integers;
  if (!s->decimals) return is_whole ? w : num_write_float32(w, d, s->float_integers);
  if (is_whole && is_integer) return num_write_integral(w, n ? d : 0, n, 0); /* a zero has no sign */
  return d < 0x1p63 && d > -0x1p63 ? num_write_decimals(w, d, s->decimals - 1) : w;
}

static char *json_write_double_as(const struct json_style *s, char *w, double d) {
  if (FL_UNLIKELY(s->decimals | s->float32)) {
    char *const end = json_write_double_again(s, w, d);
    if (end != w) return end;
  }
  if (FL_UNLIKELY(s->precision == JSON_PRECISION_CANONICAL)) return num_write_canonical(w, d);
  if (FL_UNLIKELY(s->precision == JSON_PRECISION_ECMA)) return num_write_ecma(w, d);
  if (FL_UNLIKELY(s->precision == JSON_PRECISION_15_17)) return json_write_15_17_(w, d, s->float_integers);
  return s->precision ? num_write_precision(w, d, s->precision, s->whole, s->float_integers)
                      : num_write_double(w, d, s->float_integers);
}

FL_PRIVATE_NOINLINE char *json_write_double_styled(struct json_out *o, char *w, double d) {
  if (FL_UNLIKELY(!json_is_finite(d))) return json_write_nonfinite_(o, w, d);
  return json_safe_number(o, w, json_write_double_as(o->style, w, d));
}

/* Writes the integer s[0..n), which is not exact as a double, if it is the canonical text of the nearest double d. */
static char *json_write_canonical_digits(struct json_out *o, char *w, const char *s, size_t n, double d) {
  char *end = num_write_canonical(w, d);
  return (size_t)(end - w) == n && memcmp(w, s, n) == 0 ? end : json_fail(o, FL_ERROR_INEXACT);
}

/* Writes an integer of canonical JSON (RFC 8785, section 3.2.2.3). It must be exact as a double, or have the digits of
** one: 2^60 is written as 1152921504606847000, which must be readable again. */
static char *json_write_canonical_integer(struct json_out *o, char *w, int64_t i) {
  char digits[NUM_ROOM];
  if (FL_LIKELY(num_is_exact(i))) return num_write_canonical(w, (double)i);
  return json_write_canonical_digits(o, w, digits, (size_t)(num_write_i64(digits, i) - digits), (double)i);
}

static char *json_write_canonical_unsigned(struct json_out *o, char *w, uint64_t u) {
  const double d = (double)u;
  char digits[NUM_ROOM];
  if (d < 0x1p64 && (uint64_t)d == u) return num_write_canonical(w, d);
  return json_write_canonical_digits(o, w, digits, (size_t)(num_write_u64(digits, u) - digits), d);
}

FL_PRIVATE_NOINLINE char *json_write_canonical_number(struct json_out *o, char *w, const char *s, size_t n,
                                                      const char *end) {
  struct num_value v = {0, 0, NUM_BAD};
  if (num_read(s, end, &v) != s + n) return json_fail(o, FL_ERROR_RAW);
  switch (v.kind) {
  case NUM_INTEGER: return json_write_canonical_integer(o, w, v.i);
  case NUM_DOUBLE: return num_write_canonical(w, v.d);
  case NUM_BIG:
    if (num_compare_double(s, n, v.d) == 0) return num_write_canonical(w, v.d);
    return json_write_canonical_digits(o, w, s, n, v.d);
  case NUM_HUGE: return json_fail(o, FL_ERROR_INFINITE);
  default: return json_fail(o, FL_ERROR_RAW);
  }
}

FL_PRIVATE_NOINLINE char *json_write_checked_integer_(struct json_out *o, char *w, int64_t i) {
  return json_safe_number(o, w, o->style->canonical ? json_write_canonical_integer(o, w, i) : num_write_i64(w, i));
}

FL_PRIVATE_NOINLINE char *json_write_checked_unsigned_(struct json_out *o, char *w, uint64_t u) {
  return json_safe_number(o, w, o->style->canonical ? json_write_canonical_unsigned(o, w, u) : num_write_u64(w, u));
}

/* Copies the number s[0..n), or writes the double that it means as the style says. */
static char *json_copy_number(struct json_out *o, char *w, const char *s, size_t n, const char *end) {
  struct num_value v = {0, 0, NUM_BAD};
  num_read(s, end, &v);
  if (v.kind == NUM_DOUBLE && (o->style->decimals | o->style->float32)) return json_write_double_as(o->style, w, v.d);
  return (char *)memcpy(w, s, n) + n;
}

FL_PRIVATE_NOINLINE char *json_write_number_again(struct json_out *o, char *w, const char *s, size_t n,
                                                  const char *end) {
  if (!(w = json_reserve(o, w, n + JSON_TEXT_ROOM))) return NULL;
  return json_safe_number(
      o, w, o->style->canonical ? json_write_canonical_number(o, w, s, n, end) : json_copy_number(o, w, s, n, end));
}

/* Rewrites the text at [begin, w), from json_write_raw, in canonical form. */
FL_NOINLINE char *json_canonize_raw_(struct json_out *o, char *begin, char *w) {
  static const char *const words[] = {"null", "true", "false", "[]", "{}"};
  const size_t n = (size_t)(w - begin);
  char text[NUM_ROOM];
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (n == strlen(words[i]) && memcmp(begin, words[i], n) == 0) return w;
  *w = 0;
  w = json_write_canonical_number(o, text, begin, n, begin + n);
  if (!w) return NULL;
  memcpy(begin, text, (size_t)(w - text));
  return begin + (w - text);
}

FL_PRIVATE char *json_write_key_text(char *w, double d) {
  return json_is_finite(d) ? num_write_double(w, d + 0.0, 0) : json_write_nonfinite_word(w, d); /* -0 is the key 0 */
}

FL_PRIVATE char *json_write_double_key(struct json_out *o, char *w, double d) {
  const enum json_number_keys form = o->style->number_keys;
  if (FL_UNLIKELY(form == JSON_KEYS_AS_VALUES)) return json_write_double_styled(o, w, d);
  if (FL_UNLIKELY(form == JSON_KEYS_AS_TOSTRING)) {
    if (json_is_finite(d)) return json_write_double_styled(o, w, d);
    memcpy(w, d < 0 ? "-inf" : d > 0 ? "inf" : "nan", 4);
    return w + (d < 0 ? 4 : 3);
  }
  if (FL_UNLIKELY(!json_is_key(o->style, d))) return json_fail(o, d != d ? FL_ERROR_NAN : FL_ERROR_INFINITE);
  return json_write_key_text(w, d);
}

FL_PRIVATE_NOINLINE char *json_write_line(struct json_out *o, char *w, size_t depth) {
  size_t n = o->style->indent_length;
  depth += o->style->first_level;
  w = json_reserve(o, w, JSON_TEXT_ROOM);
  if (!w) return NULL;
  *w++ = '\n';
  while (depth--) {
    w = json_reserve(o, w, n + JSON_TEXT_ROOM);
    if (!w) return NULL;
    memcpy(w, o->style->indent, n);
    w += n;
  }
  return w;
}

FL_PRIVATE char *json_join_lines(const struct json_out *o, char *begin, char *end) {
  const size_t n = (size_t)(end - begin);
  if (!o->style->one_line || (!memchr(begin, '\n', n) && !memchr(begin, '\r', n))) return end;
  return json_remove_space(begin, end);
}

FL_PRIVATE char *json_remove_space(char *begin, char *end) {
  char *w = begin;
  int in_string = 0;
  for (const char *p = begin; p < end; p++) {
    if (!in_string && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')) continue;
    *w++ = *p;
    if (*p == '"') in_string = !in_string;
    else if (*p == '\\') *w++ = *++p;
  }
  return w;
}

FL_PRIVATE_NOINLINE char *json_write_raw(struct json_out *o, char *w, const char *s, size_t n) {
  w = json_reserve(o, w, n + JSON_TEXT_ROOM);
  if (!w) return NULL;
  memcpy(w, s, n);
  return FL_UNLIKELY(o->style->canonical) ? json_canonize_raw_(o, w, w + n) : json_join_lines(o, w, w + n);
}
