/* SPDX-License-Identifier: MIT
** lenient.h -- numbers that lua-cjson takes beyond RFC 8259: what strtod makes of them.
** May call: base, number, json.
** Must hold: what json/grammar/lenient.h says of its functions; the sign of a NaN is dropped, for it tags other
** values in LuaJIT. */
#ifndef FLEECE_DROPIN_CJSON_LENIENT_H
#define FLEECE_DROPIN_CJSON_LENIENT_H

#include "../../json/grammar/scan.h"

/* Do the letters at p begin with `word`, in any case? *end is no letter. */
FL_FUNC int json_begins(const char *p, const char *word) {
  for (; *word; p++, word++)
    if ((*p | 0x20) != *word) return 0;
  return 1;
}

FL_INLINE int json_is_inf_or_nan(const char *p) { return json_begins(p, "inf") || json_begins(p, "nan"); }

/* The double nearest to n * 2^e, ties to even; `sticky`: a bit below n is set. */
FL_FUNC double json_scale_binary(uint64_t n, int64_t e, unsigned sticky) {
  int drop = 11;
  uint64_t kept, rest, half;
  if (n == 0) return 0;
  for (; !(n >> 63); n <<= 1) e--;
  e += 63; /* the exponent of its first bit */
  if (e > 1023) return num_double((uint64_t)0x7ff << 52);
  if (e < -1022 - 53) return 0;
  if (e < -1022) drop += (int)(-1022 - e); /* subnormal: fewer bits are kept */
  kept = drop == 64 ? 0 : n >> drop;
  rest = n - (drop == 64 ? 0 : kept << drop);
  half = (uint64_t)1 << (drop - 1);
  kept += rest > half || (rest == half && (sticky || (kept & 1)));
  /* Added, not joined: a carry out of the fraction makes the exponent one more, up to infinity. */
  return num_double(drop == 11 ? ((uint64_t)(e + 1022) << 52) + kept : kept);
}

/* A hexadecimal number behind its 0x: digits with a point among them, perhaps a binary exponent. Behind it; NULL:
** there are no digits. */
FL_FUNC const char *json_cjson_hex(const char *p, double *d) {
  uint64_t n = 0;
  unsigned sticky = 0, digits = 0, point = 0;
  int64_t e = 0, x = 0;
  int digit, negative;
  for (;; p++) {
    if (*p == '.' && !point) {
      point = 1;
      continue;
    }
    if ((digit = json_check_hex_digit(*p)) < 0) break;
    digits = 1;
    if (n >> 60 == 0) n = n << 4 | (unsigned)digit, e -= point ? 4 : 0;
    else sticky |= digit != 0, e += point ? 0 : 4;
  }
  if (!digits) return NULL;
  if ((*p | 0x20) == 'p') {
    const char *q = p + 1 + (p[1] == '-' || p[1] == '+');
    negative = p[1] == '-';
    if (*q >= '0' && *q <= '9') {
      for (; *q >= '0' && *q <= '9'; q++) x = x < (int64_t)1 << 50 ? 10 * x + (*q - '0') : x;
      p = q;
      e += negative ? -x : x;
    }
  }
  *d = json_scale_binary(n, e, sticky);
  return p;
}

enum json_cjson_kind { JSON_CJSON_DECIMAL, JSON_CJSON_OTHER };

/* Behind the number at p, a digit, a sign or the letter of a name; NULL: lua-cjson sees an invalid number. *d is the
** value of one that is no decimal. */

FL_FUNC const char *json_cjson_number(const char *p, unsigned grammar, enum json_cjson_kind *kind, double *d) {
  const int wide = (grammar & JSON_CJSON_NUMBERS) != 0, negative = *p == '-';
  const char *q = p + (negative || *p == '+'), *behind;
  *kind = JSON_CJSON_OTHER;
  if (json_is_inf_or_nan(q)) {
    const uint64_t infinity = (uint64_t)0x7ff << 52;
    *d = num_double(json_begins(q, "nan") ? infinity | (uint64_t)1 << 51 : infinity | (uint64_t)negative << 63);
    return !wide ? NULL : q + (json_begins(q, "infinity") ? 8 : 3);
  }
  if (*q == '0' && (q[1] | 0x20) == 'x') {
    if (!wide) return NULL;
    if ((behind = json_cjson_hex(q + 2, d)) != NULL) {
      if (negative) *d = -*d;
      return behind;
    }
  }
  *kind = JSON_CJSON_DECIMAL;
  if (!wide && *q == '0' && q[1] >= '0' && q[1] <= '9') return NULL;
  behind = json_digits(q);
  if (*behind == '.') behind = json_digits(behind + 1);
  if (behind - q == (*q == '.')) return NULL;
  if ((*behind | 0x20) == 'e') {
    const char *exponent = behind + 1 + (behind[1] == '-' || behind[1] == '+');
    if (*exponent >= '0' && *exponent <= '9') behind = json_digits(exponent);
  }
  return behind;
}

/* A value of lua-cjson's that strict JSON does not have, a number. */
FL_NOINLINE const char *json_cjson_value(struct json_scan *j, const char *p, struct json_lenient_value *out) {
  const int wide = (j->grammar & JSON_CJSON_NUMBERS) != 0;
  const int begins = *p == '-' || (*p >= '0' && *p <= '9') || (wide && (*p == '+' || json_is_inf_or_nan(p)));
  enum json_cjson_kind kind;
  const char *behind;
  if (!begins) return json_scan_error(j, p == j->end ? JSON_CHECK_END : JSON_CHECK_VALUE, p);
  behind = json_cjson_number(p, j->grammar, &kind, &out->number.d);
  if (!behind) return json_scan_error(j, JSON_CHECK_NUMBER, p);
  out->number.kind = NUM_DOUBLE;
  if (kind == JSON_CJSON_OTHER) return behind;
  return json5_decimal(j, p + (*p == '-' || *p == '+'), *p == '-', &out->number);
}

#include "../rxi/lenient.h"

#endif
