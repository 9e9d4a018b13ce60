/* SPDX-License-Identifier: MIT */
#include "json5.h"

/* ------------------------------------------------------------------------------------- names */

/* The length of the character at p if it may stand in a name without quotes, else 0. ECMAScript lets Unicode define
** what a letter is; here every character beyond ASCII is one, except white space. */
static unsigned json5_name_bytes(const char *p, const char *end, int first) {
  const unsigned char c = (unsigned char)*p;
  uint32_t cp;
  int n;
  if (json_is_letter(*p) || c == '$' || c == '_') return 1;
  if (json_is_digit(*p)) return !first;
  if (c < 0x80 || json5_space(p, end)) return 0;
  n = text_utf8_next(p, (size_t)(end - p), &cp);
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
  unsigned more = 0, sticky = 0; /* digits beyond 64 bits */
  int digit;
  while (*p == '0') p++;
  for (; (digit = json_check_hex_digit(*p)) >= 0; p++) {
    if (n >> 60 == 0) n = n << 4 | (unsigned)digit;
    else sticky |= digit != 0, more += more < 1000;
  }
  if (!more && n <= (uint64_t)INT64_MAX + (unsigned)negative && (n || !negative)) {
    v->i = (int64_t)(negative ? 0 - n : n);
    v->kind = NUM_INTEGER;
    return p;
  }
  v->d = (double)(n | sticky); /* 61 bits and more: the sticky one is far below those that count */
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

/* NaN or Infinity at p; if p is not `begin`, a sign stands before it. NULL: neither, and no error. */
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
  if (*begin == '-' && bits == infinity) out->number.d = -out->number.d; /* a negative NaN would be a tag in LuaJIT */
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
      if (json_check_hex_digit(q[2]) < 0) return json_scan_error(j, JSON_CHECK_NUMBER, q + 2);
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
