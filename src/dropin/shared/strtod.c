/* SPDX-License-Identifier: MIT */
#include "strtod.h"

FL_PRIVATE int dropin_begins(const char *p, const char *word) {
  for (; *word; p++, word++)
    if ((*p | 0x20) != *word) return 0;
  return 1;
}

/* Returns the double nearest to n * 2^e, ties to even. `sticky`: a bit below n is set. */
static double dropin_scale_binary(uint64_t n, int64_t e, unsigned sticky) {
  int drop = 11;
  if (n == 0) return 0;
  for (; !(n >> 63); n <<= 1) e--;
  e += 63; /* the exponent of its first bit */
  if (e > 1023) return num_double((uint64_t)0x7ff << 52);
  if (e < -1022 - 53) return 0;
  if (e < -1022) drop += (int)(-1022 - e); /* subnormal: fewer bits are kept */
  uint64_t kept = drop == 64 ? 0 : n >> drop;
  const uint64_t rest = n - (drop == 64 ? 0 : kept << drop);
  const uint64_t half = (uint64_t)1 << (drop - 1);
  kept += rest > half || (rest == half && (sticky || (kept & 1)));
  /* Added, not ORed: a carry out of the fraction increments the exponent, up to infinity. */
  return num_double(drop == 11 ? ((uint64_t)(e + 1022) << 52) + kept : kept);
}

/* Reads a hexadecimal number from the byte after its 0x: digits, maybe with a point, and maybe a binary exponent.
** Returns the byte after it, or NULL if there are no digits. */
static const char *dropin_strtod_hex(const char *p, double *d) {
  uint64_t n = 0;
  unsigned sticky = 0, digits = 0, point = 0;
  int64_t e = 0, x = 0;
  int digit, negative;
  for (;; p++) {
    if (*p == '.' && !point) {
      point = 1;
      continue;
    }
    if ((digit = text_hex_digit(*p)) < 0) break;
    digits = 1;
    if (n >> 60 == 0) n = n << 4 | (unsigned)digit, e -= point ? 4 : 0;
    else sticky |= digit != 0, e += point ? 0 : 4;
  }
  if (!digits) return NULL;
  if ((*p | 0x20) == 'p') {
    const char *q = p + 1 + (p[1] == '-' || p[1] == '+');
    negative = p[1] == '-';
    if (json_is_digit(*q)) {
      for (; json_is_digit(*q); q++) x = x < (int64_t)1 << 50 ? 10 * x + (*q - '0') : x;
      p = q;
      e += negative ? -x : x;
    }
  }
  *d = dropin_scale_binary(n, e, sticky);
  return p;
}

FL_PRIVATE const char *dropin_strtod_number(const char *p, unsigned grammar, enum dropin_strtod_kind *kind, double *d) {
  const int wide = (grammar & DROPIN_STRTOD_NUMBERS) != 0, negative = *p == '-';
  const char *q = p + (negative || *p == '+'), *behind;
  *kind = DROPIN_STRTOD_OTHER;
  if (dropin_is_inf_or_nan(q)) {
    const uint64_t infinity = (uint64_t)0x7ff << 52;
    *d = num_double(dropin_begins(q, "nan") ? infinity | (uint64_t)1 << 51 : infinity | (uint64_t)negative << 63);
    return !wide ? NULL : q + (dropin_begins(q, "infinity") ? 8 : 3);
  }
  if (*q == '0' && (q[1] | 0x20) == 'x') {
    if (!wide) return NULL;
    if ((behind = dropin_strtod_hex(q + 2, d)) != NULL) {
      if (negative) *d = -*d;
      return behind;
    }
  }
  *kind = DROPIN_STRTOD_DECIMAL;
  if (!wide && *q == '0' && json_is_digit(q[1])) return NULL;
  behind = json_skip_digits(q);
  if (*behind == '.') behind = json_skip_digits(behind + 1);
  if (behind - q == (*q == '.')) return NULL;
  if ((*behind | 0x20) == 'e') {
    const char *exponent = behind + 1 + (behind[1] == '-' || behind[1] == '+');
    if (json_is_digit(*exponent)) behind = json_skip_digits(exponent);
  }
  return behind;
}
