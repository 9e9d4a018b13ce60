/* SPDX-License-Identifier: MIT
** write.h -- writes the parts of JSON text: strings, numbers, line breaks; RFC 8259 without Lua.
** Must hold: a function that takes `w` makes room for what it writes and returns the new `w`, or NULL with the reason
** in out->error. */
#pragma once

#include "../../base/buffer.h"
#include "../../base/error.h"
#include "../../number/forms.h"
#include "../../number/compare.h"
#include "../../number/integer.h"
#include "../../number/shortest.h"
#include "../../text/quote.h"
#include "../../text/utf8.h"
#include "style.h"

struct json_out {
  struct buffer buffer;
  const struct json_style *style;
  text_utf8_fn utf8; /* the validator for this CPU */
  unsigned cpu;      /* text_cpu(), maybe with fewer features */
  enum fl_error error;
  size_t error_at; /* FL_ERROR_UTF8: offset in the string */
};

FL_INLINE void json_out_cpu(struct json_out *o, unsigned cpu) {
  o->utf8 = text_utf8_pick(cpu);
  o->cpu = cpu;
}

/* Returns whether code for this part of the CPU, TEXT_CPU_WIDE or WIDEST, may run. */
FL_INLINE int json_may(const struct json_out *o, unsigned part) { return (o->cpu & ~o->style->avoid & part) != 0; }

enum {
  JSON_PIECE = 8192,   /* longer strings are escaped in pieces, so that the 6-fold room stays small */
  JSON_TEXT_ROOM = 72, /* needed beyond 6 bytes a character: quotes, colon, comma, and what copying may overwrite */
  JSON_NUMBER_ROOM = NUM_ROOM + 8
};

FL_PRIVATE_NOINLINE char *json_fail(struct json_out *o, enum fl_error error);

FL_INLINE char *json_reserve(struct json_out *o, char *w, size_t n) {
  char *moved = buf_reserve(&o->buffer, w, n);
  return FL_LIKELY(moved != NULL) ? moved : json_fail(o, o->buffer.refused ? FL_ERROR_SINK : FL_ERROR_MEMORY);
}

/* Like text_escape_del; if it meets an unseen character, begins again byte by byte. */
FL_PRIVATE_NOINLINE char *json_copy_unseen(char *w, const char *s, size_t n);

/* Changes the digits of the escapes in [w, end) to A-F. */
FL_PRIVATE_NOINLINE void json_raise_digits_(char *w, const char *end);

/* text_escape_NAME for this length and CPU. E0 escapes nothing and E1 to E3 are rare: none for the widest vectors. */
#if FLEECE_WIDEST
#define JSON_COPY(name)                                                                \
  (n > 32 && json_may(o, TEXT_CPU_WIDEST) ? text_escape_##name##_widest(w, s, n, high) \
                                          : text_escape_##name(w, s, n, high))
#else
#define JSON_COPY(name) text_escape_##name(w, s, n, high)
#endif

FL_INLINE char *json_copy_escaped(const struct json_out *o, char *w, const char *s, size_t n, int escape,
                                  unsigned *high) {
  switch (escape) {
  case JSON_ESCAPE_JSON: return JSON_COPY(json);
  case JSON_ESCAPE_E0: return text_escape_e0(w, s, n, high);
  case JSON_ESCAPE_E1: return text_escape_e1(w, s, n, high);
  case JSON_ESCAPE_E2: return text_escape_e2(w, s, n, high);
  case JSON_ESCAPE_E3: return text_escape_e3(w, s, n, high);
  case JSON_ESCAPE_E4: return JSON_COPY(e4);
  case JSON_ESCAPE_DEL: return JSON_COPY(del);
  case JSON_ESCAPE_UNSEEN: {
    char *end = JSON_COPY(del);
    return FL_UNLIKELY(*high) && text_has_unseen(s, n) ? json_copy_unseen(w, s, n) : end;
  }
  case JSON_ESCAPE_UPPER: {
    char *end = JSON_COPY(json);
    if (FL_UNLIKELY((size_t)(end - w) != n)) json_raise_digits_(w, end);
    return end;
  }
  default: return text_escape_general(w, s, n, &o->style->text, o->cpu & ~o->style->avoid);
  }
}
#undef JSON_COPY

/* Returns whether a string with bytes above 127 is valid UTF-8. Only for styles in which invalid UTF-8 is an error. */
FL_PRIVATE_NOINLINE int json_utf8_holds(struct json_out *o, const char *s, size_t n);

/* json_write_string for strings of any length and all escapings. */
FL_PRIVATE_NOINLINE char *json_write_string_(struct json_out *o, char *w, const char *s, size_t n, int escape);

/* Writes a quoted string; leaves room for four more bytes. `escape` is a constant in the fast walks. */
FL_INLINE char *json_write_string(struct json_out *o, char *w, const char *s, size_t n, int escape) {
  unsigned high = 0;
  if (FL_UNLIKELY(n > JSON_PIECE) || escape == JSON_ESCAPE_GENERAL) return json_write_string_(o, w, s, n, escape);
  w = json_reserve(o, w, 6 * n + JSON_TEXT_ROOM);
  if (FL_UNLIKELY(!w)) return NULL;
  *w++ = '"';
  w = json_copy_escaped(o, w, s, n, escape, &high);
  *w++ = '"';
  if (escape == JSON_ESCAPE_JSON && FL_UNLIKELY(high) && !json_utf8_holds(o, s, n)) return NULL;
  return w;
}

/* json_write_string where the escaping is no constant and strings are few: the defaults of `encode` and `json` inline,
** all others by a call. A copy of their switch has 2.8 KB. */
FL_INLINE char *json_write_string_styled(struct json_out *o, char *w, const char *s, size_t n, int escape) {
  if (FL_LIKELY(escape == JSON_ESCAPE_JSON)) return json_write_string(o, w, s, n, JSON_ESCAPE_JSON);
  if (escape == JSON_ESCAPE_E0) return json_write_string(o, w, s, n, JSON_ESCAPE_E0);
  return json_write_string_(o, w, s, n, escape);
}

/* The ways to escape that have walks of their own. */
FL_INLINE unsigned json_escape_set(int escape) {
  return escape == JSON_ESCAPE_JSON || escape == JSON_ESCAPE_UPPER ? TEXT_SET_json
         : escape == JSON_ESCAPE_E4                                ? TEXT_SET_e4
         : escape == JSON_ESCAPE_UNSEEN                            ? TEXT_SET_del
                                                                   : TEXT_SET_e0;
}

/* json_write_string with a character after it. */
FL_INLINE char *json_write_string_and(struct json_out *o, char *w, const char *s, size_t n, int escape, char after) {
  w = json_write_string(o, w, s, n, escape);
  if (FL_LIKELY(w != NULL)) *w++ = after;
  return w;
}

/* The fast walk with E4 also serves E0 to E3, which escape fewer characters: a string in which E4 escapes nothing is
** the same in all of them. The next two functions handle other strings. Returns whether the walk's E4 stands for one of
** those. */
FL_INLINE int json_is_lesser_flag(const struct json_out *o, int escape) {
  return escape == JSON_ESCAPE_E4 && FL_UNLIKELY(o->style->escape != JSON_ESCAPE_E4);
}

#if !defined(FLEECE_SIMD_SWAR)
/* Finds the characters of a short string that E0 to E3 escape, or E1 replaces. */
FL_INLINE uint64_t json_lesser_hits(const char *s, size_t n, enum json_escape escape) {
  if (escape == JSON_ESCAPE_E0) return 0;
  return text_hits32(s, escape == JSON_ESCAPE_E3 ? TEXT_SET_e3 : TEXT_SET_e2) & fl_low_bits(n);
}
#endif

/* Writes the string at `w` with the style's own escaping. A short string was already copied to w + 1. */
FL_PRIVATE_NOINLINE char *json_put_lesser_flag_(struct json_out *o, char *w, const char *s, size_t n, char after);

/* json_write_string_and for the fast walks; requires w <= buffer.end, and a short string needs only the buffer's
** slack. */
#if defined(FLEECE_SIMD_SWAR)
FL_INLINE char *json_put_string(struct json_out *o, char *w, const char *s, size_t n, int escape, char after) {
  if (json_is_lesser_flag(o, escape)) return json_put_lesser_flag_(o, w, s, n, after);
  return json_write_string_and(o, w, s, n, escape, after);
}
#else
/* Second half of json_put_string: a short string was copied to w + 1; `marks` is the result of text_copy32. */
FL_INLINE char *json_settle_string(struct json_out *o, char *w, const char *s, size_t n, int escape, char after,
                                   uint64_t marks) {
  unsigned high = 0;
  char *first = w + 1;
  *w++ = '"';
  w = text_settle32(w, s, n, marks, &high);
  if (escape == JSON_ESCAPE_UNSEEN && FL_UNLIKELY(high) && text_has_unseen(s, n)) w = json_copy_unseen(first, s, n);
  if (escape == JSON_ESCAPE_UPPER && (size_t)(w - first) != n) json_raise_digits_(first, w);
  w[0] = '"', w[1] = after;
  if (escape == JSON_ESCAPE_JSON && FL_UNLIKELY(high) && !json_utf8_holds(o, s, n)) return NULL;
  return w + 2;
}

FL_INLINE char *json_put_string(struct json_out *o, char *w, const char *s, size_t n, int escape, char after) {
  if (FL_UNLIKELY(!text_is_short(s, n))) {
    if (json_is_lesser_flag(o, escape)) return json_put_lesser_flag_(o, w, s, n, after);
    return json_write_string_and(o, w, s, n, escape, after);
  }
  const uint64_t marks = text_copy32(w + 1, s, json_escape_set(escape)) & fl_low_bits(n);
  if (FL_UNLIKELY(marks) && json_is_lesser_flag(o, escape)) return json_put_lesser_flag_(o, w, s, n, after);
  return json_settle_string(o, w, s, n, escape, after, marks);
}
#endif

FL_INLINE int json_is_finite(double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return (bits << 1) < ((uint64_t)0x7ff << 53);
}

/* Writes NaN and the infinities as the style says; they are not JSON (RFC 8259, section 6). Room must be reserved. */
FL_PRIVATE_NOINLINE char *json_write_nonfinite_(struct json_out *o, char *w, double d);

/* Writes a double in the default form; JSON_NUMBER_ROOM bytes must be reserved. */
FL_INLINE char *json_write_double(struct json_out *o, char *w, double d) {
  if (FL_UNLIKELY(!json_is_finite(d))) return json_write_nonfinite_(o, w, d);
  return num_write_double(w, d, 0);
}

/* Like json_write_double, with the style's number of digits. */
FL_INLINE char *json_write_rounded(struct json_out *o, char *w, double d) {
  if (FL_UNLIKELY(!json_is_finite(d))) return json_write_nonfinite_(o, w, d);
  return num_write_precision(w, d, o->style->precision, o->style->whole, 0);
}

FL_INLINE char *json_write_ecma(struct json_out *o, char *w, double d) {
  if (FL_UNLIKELY(!json_is_finite(d))) return json_write_nonfinite_(o, w, d);
  return num_write_ecma(w, d);
}

/* Writes a double as the style says; JSON_NUMBER_ROOM bytes must be reserved. */
FL_PRIVATE_NOINLINE char *json_write_double_styled(struct json_out *o, char *w, double d);

/* Writes a number in canonical JSON from its text s[0..n), in a text whose *end is 0. Without a point and an exponent
** it is an integer as above. FL_ERROR_RAW if it is not a number. */
FL_PRIVATE_NOINLINE char *json_write_canonical_number(struct json_out *o, char *w, const char *s, size_t n,
                                                      const char *end);

/* Rewrites a number as the style says that rewrites numbers. Arguments and errors as json_write_canonical_number; what
** is larger than any double keeps its digits. */
FL_PRIVATE_NOINLINE char *json_write_number_again(struct json_out *o, char *w, const char *s, size_t n,
                                                  const char *end);

/* Writes an integer that is canonical, or must be safe. */
FL_PRIVATE_NOINLINE char *json_write_checked_integer_(struct json_out *o, char *w, int64_t i);
FL_PRIVATE_NOINLINE char *json_write_checked_unsigned_(struct json_out *o, char *w, uint64_t u);

FL_INLINE char *json_write_integer_styled(struct json_out *o, char *w, int64_t i) {
  return FL_UNLIKELY(o->style->canonical | o->style->safe_integers) ? json_write_checked_integer_(o, w, i)
                                                                    : num_write_i64(w, i);
}

FL_INLINE char *json_write_unsigned_styled(struct json_out *o, char *w, uint64_t u) {
  return FL_UNLIKELY(o->style->canonical | o->style->safe_integers) ? json_write_checked_unsigned_(o, w, u)
                                                                    : num_write_u64(w, u);
}

/* Returns whether the style allows the JSON number [s, end) in the text: with safe_integers none without a point and an
** exponent beyond 2^53 - 1, which a reader that has only doubles may take for another one. */
FL_PRIVATE int json_number_is_safe(const struct json_style *style, const char *s, const char *end);

FL_INLINE int json_is_key(const struct json_style *style, double d) {
  return json_is_finite(d) || style->invalid_numbers != JSON_NUMBERS_ERROR;
}

/* Writes a float key, unquoted, to `w` (JSON_NUMBER_ROOM bytes). Ignores the precision, because rounding would make two
** keys equal, as would `null` for the infinities, which are written as words. */
FL_PRIVATE char *json_write_key_text(char *w, double d);
FL_PRIVATE char *json_write_double_key(struct json_out *o, char *w, double d);

/* Writes a line break and the indentation of `depth` levels. */
FL_PRIVATE_NOINLINE char *json_write_line(struct json_out *o, char *w, size_t depth);

/* With the style's one_line, removes the white space of the strict JSON at [begin, end) if it has a line break. Returns
** the new end. */
FL_PRIVATE char *json_join_lines(const struct json_out *o, char *begin, char *end);

/* Removes the white space of the strict JSON at [begin, end). Returns the new end. */
FL_PRIVATE char *json_remove_space(char *begin, char *end);

/* Writes text that is strict JSON already. In canonical JSON: only a number, a word or an empty container. */
FL_PRIVATE_NOINLINE char *json_write_raw(struct json_out *o, char *w, const char *s, size_t n);
