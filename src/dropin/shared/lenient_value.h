/* SPDX-License-Identifier: MIT
** lenient_value.h -- names and numbers that some texts have beyond RFC 8259: those of JSON5, NaN and infinities.
** May call: json/grammar/lenient.h, which includes it; number/, text/.
** Must hold: what json/grammar/lenient.h says of its functions. A number has its fault where num_parse would see it. */
#ifndef FLEECE_DROPIN_SHARED_LENIENT_VALUE_H
#define FLEECE_DROPIN_SHARED_LENIENT_VALUE_H

#include "../../json/grammar/scan.h"

enum json_lenient_kind { JSON_LENIENT_STRING, JSON_LENIENT_NUMBER, JSON_LENIENT_NULL };

struct json_lenient_value {
  enum json_lenient_kind kind;
  struct json_string string;
  struct num_value number;
};

/* ------------------------------------------------------------------------------------- names */

/* Bytes of a character at p that may stand in a name without quotes; 0: none. ECMAScript asks Unicode what a
** letter is; here every character beyond ASCII is one, but for white space. */
FL_FUNC unsigned json5_name_bytes(const char *p, const char *end, int first) {
  const unsigned char c = (unsigned char)*p, lower = c | 0x20;
  uint32_t cp;
  int n;
  if ((lower >= 'a' && lower <= 'z') || c == '$' || c == '_') return 1;
  if (c >= '0' && c <= '9') return !first;
  if (c < 0x80 || json5_space(p, end)) return 0;
  n = text_utf8_next(p, (size_t)(end - p), &cp);
  return n > 0 ? (unsigned)n : 0;
}

/* A name of JSON5: in single quotes, or an identifier. */
FL_NOINLINE const char *json_lenient_name(struct json_scan *j, const char *p, struct json_string *out) {
  const char *q = p;
  char *w, *begin;
  unsigned n;
  if (!(j->grammar & JSON_JSON5)) return json_scan_error(j, p == j->end ? JSON_CHECK_END : JSON_CHECK_NAME, p);
  if (*p == '\'') return json_lenient_string(j, p + 1, out);
  while ((n = json5_name_bytes(q, j->end, 0)) != 0 || *q == '\\') q += n ? n : 1;
  if (q == p) return json_scan_error(j, p == j->end ? JSON_CHECK_END : JSON_CHECK_NAME, p);
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
  out->s = begin;
  out->n = (size_t)(w - begin);
  return q;
}

/* ------------------------------------------------------------------------------------- numbers */

FL_INLINE const char *json_digits(const char *p) {
  while (*p >= '0' && *p <= '9') p++;
  return p;
}

/* Hexadecimal digits from p on: the integer, or the nearest double to it. Behind them. */
FL_FUNC const char *json5_hex(const char *p, int negative, struct num_value *v) {
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

/* A decimal from p on, behind its sign: "1", ".5", "5.", "5e3". Written out as strict JSON it is read as any other.
** Of lua-cjson, json.lua and loose texts zeros may stand before it, and an exponent without digits is not a part
** of it. */
FL_FUNC const char *json5_decimal(struct json_scan *j, const char *p, int negative, struct num_value *v) {
  const int cjson = (j->grammar & (JSON_CJSON | JSON_LOOSE | JSON_RXI_TEXT)) != 0;
  const char *point = json_digits(p), *fraction = point + (*point == '.'), *behind = json_digits(fraction);
  const char *last = behind;
  char *w;
  if (behind - p - (fraction - point) == 0) return json_scan_error(j, JSON_CHECK_NUMBER, behind);
  while (cjson && *p == '0' && point - p > 1) p++;
  if (*p == '0' && point - p > 1) return json_scan_error(j, JSON_CHECK_NUMBER, p + 1);
  if ((*last | 0x20) == 'e') {
    const char *exponent = last + 1 + (last[1] == '-' || last[1] == '+');
    last = json_digits(exponent);
    if (last == exponent && cjson) last = behind;
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
  (void)num_parse(j->scratch, w, v);
  FL_ASSERT(v->kind != NUM_BAD);
  return last;
}

/* NaN or Infinity at p, behind a sign if p is not `begin`; NULL without an error: neither. */
FL_FUNC const char *json_nan(const struct json_scan *j, const char *begin, const char *p,
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
  if (*begin == '-' && bits == infinity) out->number.d = -out->number.d; /* a NaN keeps the sign that is no tag */
  return p;
}

/* A value that strict JSON does not have. */
FL_NOINLINE const char *json_lenient_value(struct json_scan *j, const char *p, struct json_lenient_value *out) {
  const int negative = *p == '-';
  const char *q = p + (negative || (*p == '+' && (j->grammar & JSON_JSON5))), *behind;
  memset(out, 0, sizeof *out);
  out->kind = JSON_LENIENT_NUMBER;
  if (j->grammar & JSON_CJSON) return json_cjson_value(j, p, out);
  if (j->grammar & JSON_RXI_TEXT) return json_rxi_value(j, p, out);
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
    if (q != p || *q == '.' || (*q >= '0' && *q <= '9')) return json5_decimal(j, q, negative, &out->number);
  }
  if (negative || (*p >= '0' && *p <= '9')) {
    struct num_value v;
    return json_scan_error(j, JSON_CHECK_NUMBER, num_parse(p, j->end, &v));
  }
  return json_scan_error(j, p == j->end ? JSON_CHECK_END : JSON_CHECK_VALUE, p);
}

#include "../cjson/lenient.h"

#endif
