/* SPDX-License-Identifier: MIT */
#include "lenient.h"

/* White space of JSON5 that strict JSON does not have. */
static const char *const json5_spaces[] = {
    "\v",           "\f",           "\xc2\xa0",     "\xef\xbb\xbf", "\xe2\x80\xa8", "\xe2\x80\xa9", "\xe1\x9a\x80",
    "\xe2\x80\xaf", "\xe2\x81\x9f", "\xe3\x80\x80", "\xe2\x80\x80", "\xe2\x80\x81", "\xe2\x80\x82", "\xe2\x80\x83",
    "\xe2\x80\x84", "\xe2\x80\x85", "\xe2\x80\x86", "\xe2\x80\x87", "\xe2\x80\x88", "\xe2\x80\x89", "\xe2\x80\x8a"};

enum { JSON5_SPACES = sizeof json5_spaces / sizeof *json5_spaces };

FL_PRIVATE unsigned json5_space(const char *p, const char *end) {
  if ((unsigned char)*p < 0x80 && *p != '\v' && *p != '\f') return 0;
  for (size_t i = 0; i < JSON5_SPACES; i++)
    if (json_starts(p, end, json5_spaces[i])) return (unsigned)strlen(json5_spaces[i]);
  return 0;
}

FL_PRIVATE int json5_is_cut_space(const char *p, const char *end) {
  const size_t n = (size_t)(end - p);
  for (size_t i = 0; n > 0 && i < JSON5_SPACES; i++)
    if (n < strlen(json5_spaces[i]) && memcmp(p, json5_spaces[i], n) == 0) return 1;
  return 0;
}

/* Returns the length of LS or PS at p, which end lines in JSON5, or 0. */
FL_INLINE unsigned json5_line_end(const struct json_scan *j, const char *p) {
  if (!(j->grammar & JSON_JSON5)) return 0;
  return json_starts(p, j->end, "\xe2\x80\xa8") || json_starts(p, j->end, "\xe2\x80\xa9") ? 3 : 0;
}

/* Returns the byte after the comment at p, or NULL if it has no end. */
static const char *json_comment(struct json_scan *j, const char *p) {
  const char *q = p + 2;
  if (p[1] == '/') {
    while (q < j->end && *q != '\n' && (*q != '\r' || j->grammar & JSON_LINE_FEEDS) && !json5_line_end(j, q)) q++;
    return q;
  }
  q = json_comment_close(q, j->end);
  return q ? q : json_scan_error(j, JSON_CHECK_COMMENT, p);
}

FL_PRIVATE_NOINLINE const char *json_lenient_space(struct json_scan *j, const char *p) {
  for (;;) {
    unsigned n;
    if ((j->grammar & JSON_COMMENTS) && p[0] == '/' && (p[1] == '/' || p[1] == '*')) {
      if (!(p = json_comment(j, p))) return NULL;
    } else if (json_is_blank(*p)) {
      p++;
    } else if ((j->grammar & JSON_JSON5) && (n = json5_space(p, j->end)) != 0) {
      p += n;
    } else {
      return p;
    }
  }
}

/* Appends to *w what the escape at p means, which strict JSON lacks. Returns the byte after it, or NULL. */
static const char *json5_escape(struct json_scan *j, const char *p, char **w) {
  unsigned n;
  int digit;
  if (!(j->grammar & JSON_JSON5) || p + 1 == j->end) return json_scan_error(j, JSON_CHECK_ESCAPE, p);
  switch (p[1]) {
  case '\n': return p + 2;
  case '\r': return p + 2 + (p[2] == '\n');
  case 'v': *(*w)++ = '\v'; return p + 2;
  case 'x':
    digit = j->end - p >= 4 ? text_hex_digit(p[2]) * 16 | text_hex_digit(p[3]) : -1;
    if (digit < 0) return json_scan_error(j, JSON_CHECK_ESCAPE, p);
    *w = text_put_utf8(*w, (uint32_t)digit);
    return p + 4;
  case '0':
    if (json_is_digit(p[2])) return json_scan_error(j, JSON_CHECK_ESCAPE, p);
    *(*w)++ = 0;
    return p + 2;
  default: break;
  }
  if (json_is_digit(p[1])) return json_scan_error(j, JSON_CHECK_ESCAPE, p);
  if ((n = json5_line_end(j, p + 1)) != 0) return p + 1 + n;
  if ((unsigned char)p[1] < 0x80) {
    *(*w)++ = p[1];
    return p + 2;
  }
  return p + 1; /* a multi-byte character means itself; the caller tests whether it is valid */
}

/* Appends the replacement of `n` bytes that are not UTF-8. */
static char *json_bad_bytes(const struct json_scan *j, const char *p, unsigned n, char *w) {
  if (j->bad_text == JSON_BAD_REPLACE) return text_put_utf8(w, 0xfffd);
  for (unsigned i = 0; i < n; i++) {
    if (j->bad_text >= JSON_BAD_PASS) *w++ = p[i];
    else w = text_put_utf8(w, (unsigned char)p[i]);
  }
  return w;
}

/* Returns the first error of a string, searching from the byte after its opening quote. */
FL_NOINLINE const char *json_string_error_(struct json_scan *j, const char *p) {
  const char *at = p;
  int error = json_check_string(&at, j->end);
  return json_scan_error(j, error ? error : JSON_CHECK_END, at);
}

FL_PRIVATE_NOINLINE const char *json_lenient_string(struct json_scan *j, const char *p, struct json_string *out) {
  const char quote = p[-1], *q = p;
  char *w;
  FL_ASSERT(p > j->begin && p <= j->end);
  FL_ASSERT(!(j->grammar & JSON_RULES) || j->rules);
  if (j->grammar & JSON_RULES && j->rules->string) return j->rules->string(j, p, out);
  if (!(j->grammar & JSON_JSON5) && j->bad_text == JSON_BAD_ERROR) return json_string_error_(j, p);
  while (q < j->end && *q != quote) q += 1 + (*q == '\\');
  if (q > j->end) q = j->end;
  if ((size_t)(q - p) > SIZE_MAX / 4) return json_scan_error(j, JSON_CHECK_MEMORY, p);
  if (!(w = json_scratch(j, 3 * (size_t)(q - p)))) return NULL; /* a bad byte becomes U+FFFD, three bytes */
  while (*p != quote) {
    const unsigned char c = (unsigned char)*p;
    if (p == j->end) return json_scan_error(j, JSON_CHECK_END, p);
    if (c == '\\') {
      char plain = text_short_escape(p[1]);
      if (plain) {
        *w++ = plain;
        p += 2;
      } else if (p[1] == 'u') {
        if (!(w = json_unescape_unicode(j, w, &p))) return NULL;
      } else if (!(p = json5_escape(j, p, &w))) {
        return NULL;
      }
    } else if (c < 0x20 && (!(j->grammar & JSON_JSON5) || c == '\n' || c == '\r')) {
      return json_scan_error(j, JSON_CHECK_CONTROL, p);
    } else {
      uint32_t cp;
      int n = text_utf8_next(p, (size_t)(j->end - p), &cp);
      if (n > 0) {
        memcpy(w, p, (size_t)n);
        w += n;
      } else {
        n = -n;
        if (j->bad_text == JSON_BAD_ERROR) return json_scan_error(j, JSON_CHECK_UTF8, p);
        w = json_bad_bytes(j, p, (unsigned)n, w);
      }
      p += n;
    }
  }
  json_set_scratch_string(j, w, out);
  return p + 1;
}

/* Returns the length of the character at p if it may stand in a name without quotes, else 0. ECMAScript lets Unicode
** define letters; here every character beyond ASCII is one, except white space. */
static unsigned json5_name_bytes(const char *p, const char *end, int first) {
  const unsigned char c = (unsigned char)*p;
  uint32_t cp;
  if (json_is_letter(*p) || c == '$' || c == '_') return 1;
  if (json_is_digit(*p)) return !first;
  if (c < 0x80 || json5_space(p, end)) return 0;
  const int n = text_utf8_next(p, (size_t)(end - p), &cp);
  return n > 0 ? (unsigned)n : 0;
}

FL_PRIVATE_NOINLINE const char *json_lenient_name(struct json_scan *j, const char *p, struct json_string *out) {
  const char *q = p;
  char *w, *begin;
  unsigned n;
  if (!(j->grammar & JSON_JSON5)) return json_scan_unexpected(j, JSON_CHECK_NAME, p);
  if (*p == '\'') return json_lenient_string(j, p + 1, out);
  while (q < j->end && ((n = json5_name_bytes(q, j->end, 0)) != 0 || *q == '\\')) q += n ? n : 1;
  if (q == p) return json_scan_unexpected(j, JSON_CHECK_NAME, p);
  if (!(begin = w = json_scratch(j, (size_t)(q - p)))) return NULL;
  while (p < q) {
    if (*p == '\\') {
      const char *escape = p;
      char *from = w;
      if (p[1] != 'u') return json_scan_error(j, JSON_CHECK_ESCAPE, p);
      if (!(w = json_unescape_unicode(j, w, &p))) return NULL;
      if (json5_space(from, w) || ((unsigned char)*from < 0x80 && !json5_name_bytes(from, w, from == begin)))
        return json_scan_error(j, JSON_CHECK_ESCAPE, escape);
    } else {
      n = json5_name_bytes(p, j->end, w == begin);
      if (!n) return json_scan_error(j, JSON_CHECK_NAME, p);
      memcpy(w, p, n);
      w += n;
      p += n;
    }
  }
  json_set_scratch_string(j, w, out);
  return q;
}

FL_PRIVATE const char *json5_hex(const char *p, int negative, struct num_value *v) {
  uint64_t n = 0;
  unsigned more = 0, sticky = 0; /* more: digits beyond 64 bits; sticky: a bit that was not 0 among them */
  int digit;
  while (*p == '0') p++;
  for (; (digit = text_hex_digit(*p)) >= 0; p++) {
    if (n >> 60 == 0) n = n << 4 | (unsigned)digit;
    else sticky |= digit != 0, more += more < 1000;
  }
  if (!more && n <= (uint64_t)INT64_MAX + (unsigned)negative && (n || !negative)) {
    v->i = (int64_t)(negative ? 0 - n : n);
    v->kind = NUM_INTEGER;
    return p;
  }
  v->d = (double)(n | sticky); /* 61 bits or more, so the sticky bit is far below those that count */
  for (; more; more--) v->d *= 16;
  v->kind = n ? num_kind_of(v->d, NUM_BIG) : NUM_DOUBLE;
  if (negative) v->d = -v->d;
  return p;
}

FL_PRIVATE const char *json_lenient_decimal(struct json_scan *j, const char *p, int negative, int as_strtod,
                                            struct num_value *v) {
  const char *point = json_skip_digits(p), *fraction = point + (*point == '.');
  const char *behind = json_skip_digits(fraction), *last = behind;
  char *w;
  if (behind - p - (fraction - point) == 0) return json_scan_error(j, JSON_CHECK_NUMBER, behind);
  while (as_strtod && *p == '0' && point - p > 1) p++;
  if (*p == '0' && point - p > 1) return json_scan_error(j, JSON_CHECK_NUMBER, p + 1);
  if ((*last | 0x20) == 'e') {
    const char *exponent = last + 1 + (last[1] == '-' || last[1] == '+');
    last = json_skip_digits(exponent);
    if (last == exponent && as_strtod) last = behind;
    else if (last == exponent) return json_scan_error(j, JSON_CHECK_NUMBER, last);
  }
  if (!(w = json_scratch(j, (size_t)(last - p) + 4))) return NULL;
  if (negative) *w++ = '-';
  if (point == p) *w++ = '0';
  memcpy(w, p, (size_t)(behind - p));
  w += behind - p;
  if (fraction != point && behind == fraction) *w++ = '0';
  memcpy(w, behind, (size_t)(last - behind));
  w += last - behind;
  *w = 0;
  p = num_read(j->scratch, w, v);
  FL_ASSERT(p == w && v->kind != NUM_BAD);
  (void)p;
  return last;
}

/* Reads NaN or Infinity at p, after a sign at `begin` if p != begin. NULL without an error if it is neither. */
static const char *json_nan(const struct json_scan *j, const char *begin, const char *p,
                            struct json_lenient_value *out) {
  const uint64_t infinity = (uint64_t)0x7ff << 52;
  const int strict_sign = p == begin || (*begin == '-' && *p == 'I') || (j->grammar & JSON_JSON5);
  uint64_t bits;
  if (!(j->grammar & (JSON_NAN_LITERALS | JSON_NAN_NULL)) || !strict_sign) return NULL;
  if (json_starts(p, j->end, "Infinity")) bits = infinity, p += 8;
  else if (json_starts(p, j->end, "NaN")) bits = infinity | (uint64_t)1 << 51, p += 3;
  else return NULL;
  out->kind = j->grammar & JSON_NAN_NULL ? JSON_LENIENT_NULL : JSON_LENIENT_NUMBER;
  out->number.kind = NUM_DOUBLE;
  out->number.d = num_double(bits);
  /* a negative NaN would be a type tag in LuaJIT */
  if (*begin == '-' && bits == infinity) out->number.d = -out->number.d;
  return p;
}

FL_PRIVATE_NOINLINE const char *json_lenient_value(struct json_scan *j, const char *p, struct json_lenient_value *out) {
  const int negative = *p == '-';
  const char *q = p + (negative || (*p == '+' && (j->grammar & JSON_JSON5))), *behind;
  memset(out, 0, sizeof *out);
  out->kind = JSON_LENIENT_NUMBER;
  FL_ASSERT(p >= j->begin && p <= j->end);
  FL_ASSERT(!(j->grammar & JSON_RULES) || j->rules);
  if (j->grammar & JSON_RULES) return j->rules->value(j, p, out);
  if ((behind = json_nan(j, p, q, out)) != NULL) return behind;
  if (j->grammar & JSON_JSON5) {
    if (*p == '\'') {
      out->kind = JSON_LENIENT_STRING;
      return json_lenient_string(j, p + 1, &out->string);
    }
    if (q[0] == '0' && (q[1] | 0x20) == 'x') {
      if (text_hex_digit(q[2]) < 0) return json_scan_error(j, JSON_CHECK_NUMBER, q + 2);
      return json5_hex(q + 2, negative, &out->number);
    }
    if (q != p || *q == '.' || json_is_digit(*q)) return json_lenient_decimal(j, q, negative, 0, &out->number);
  }
  if (negative || json_is_digit(*p)) {
    struct num_value v;
    return json_scan_error(j, JSON_CHECK_NUMBER, num_read(p, j->end, &v));
  }
  return json_scan_unexpected(j, JSON_CHECK_VALUE, p);
}
