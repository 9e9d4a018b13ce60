/* SPDX-License-Identifier: MIT */
#include "dates.h"

FL_INLINE int64_t bin_floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

FL_PRIVATE int64_t bin_days_of(int64_t year, int month, int day) {
  const int64_t y = month <= 2 ? year - 1 : year, era = bin_floor_div(y, 400), of_era = y - 400 * era;
  const int64_t of_year = (153 * (int64_t)((month + 9) % 12) + 2) / 5 + day - 1;
  FL_ASSERT(month >= 1 && month <= 12 && day >= 1 && day <= 31);
  return era * BIN_ERA_DAYS + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

FL_PRIVATE void bin_date_of(int64_t days, int64_t *year, int *month, int *day) {
  const int64_t n = days + 719468, era = bin_floor_div(n, BIN_ERA_DAYS), of_era = n - era * BIN_ERA_DAYS;
  const int64_t y = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const int64_t of_year = of_era - (365 * y + y / 4 - y / 100), m = (5 * of_year + 2) / 153;
  *day = (int)(of_year - (153 * m + 2) / 5 + 1);
  *month = (int)(m < 10 ? m + 3 : m - 9);
  *year = 400 * era + y + (*month <= 2);
}

FL_PRIVATE int bin_days_in(int64_t year, int month) {
  static const uint8_t days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  FL_ASSERT(month >= 1 && month <= 12);
  return days[month - 1] + (month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
}

/* Reads exactly `digits` digits, a number up to `most`, then the byte `after` unless that is 0. */
static int bin_date_digits(const char **p, const char *end, int digits, int most, char after, int *out) {
  const char *s = *p;
  int x = 0;
  if (end - s < digits + (after != 0)) return 0;
  for (; digits > 0; digits--, s++) {
    if (*s < '0' || *s > '9') return 0;
    x = 10 * x + (*s - '0');
  }
  if (x > most || (after && *s++ != after)) return 0;
  *p = s;
  *out = x;
  return 1;
}

/* Reads ".fff..." as milliseconds, rounded. */
static int bin_date_fraction(const char **p, const char *end, int *ms) {
  const char *s = *p + 1;
  int digits = 0, x = 0;
  for (; s < end && *s >= '0' && *s <= '9'; s++, digits++) {
    if (digits < 3) x = 10 * x + (*s - '0');
    else if (digits == 3) x += *s >= '5';
  }
  if (digits == 0) return 0;
  for (; digits < 3; digits++) x *= 10;
  *p = s;
  *ms = x;
  return 1;
}

FL_INLINE void bin_date_blanks(const char **p, const char *end, char also) {
  while (*p < end && (**p == ' ' || **p == also)) ++*p;
}

/* Reads HH:MM[:SS[.fff]] as milliseconds. */
static int bin_date_time(const char **p, const char *end, int64_t *out) {
  int hour, minute, second = 0, ms = 0;
  if (!bin_date_digits(p, end, 2, 24, ':', &hour) || !bin_date_digits(p, end, 2, 59, 0, &minute)) return 0;
  if (*p < end && **p == ':') {
    ++*p;
    if (!bin_date_digits(p, end, 2, 59, 0, &second)) return 0;
    if (*p < end && **p == '.' && !bin_date_fraction(p, end, &ms)) return 0;
  }
  *out = ((hour * 60 + minute) * 60 + second) * INT64_C(1000) + ms;
  return 1;
}

/* Reads Z, +HH:MM, +HHMM or nothing as minutes. */
static int bin_date_zone(const char **p, const char *end, int *minutes) {
  int sign, hours, rest;
  if (*p == end) return 1;
  if ((**p | 0x20) == 'z') {
    ++*p;
    *minutes = 0;
    return 1;
  }
  if (**p != '+' && **p != '-') return 0;
  sign = *(*p)++ == '-' ? -1 : 1;
  if (!bin_date_digits(p, end, 2, 14, 0, &hours)) return 0;
  if (*p < end && **p == ':') ++*p;
  if (!bin_date_digits(p, end, 2, 59, 0, &rest)) return 0;
  *minutes = sign * (60 * hours + rest);
  return 1;
}

FL_PRIVATE int64_t bin_parse_date(const char *s, size_t n, int local_offset_minutes) {
  const char *p = s, *end = s + n;
  int negative = 0, year, month, day, zone = local_offset_minutes;
  int64_t time = 0, y;
  if (p < end && *p == '-') negative = 1, p++;
  if (!bin_date_digits(&p, end, 4, 9999, '-', &year) || !bin_date_digits(&p, end, 2, 12, '-', &month) ||
      !bin_date_digits(&p, end, 2, 31, 0, &day))
    return BIN_NO_DATE;
  y = negative ? -year : year;
  if (month < 1 || day < 1 || day > bin_days_in(y, month)) return BIN_NO_DATE;
  if (p < end) {
    bin_date_blanks(&p, end, 'T');
    if (p < end && !bin_date_time(&p, end, &time)) return BIN_NO_DATE;
    bin_date_blanks(&p, end, ' ');
    if (!bin_date_zone(&p, end, &zone)) return BIN_NO_DATE;
    bin_date_blanks(&p, end, ' ');
    if (p < end) return BIN_NO_DATE;
  }
  return bin_days_of(y, month, day) * BIN_DAY_MS + time - zone * INT64_C(60000);
}

/* Writes x with at least `digits` digits. */
static char *bin_date_put(char *w, int64_t x, int digits) {
  char text[20];
  int n = 0;
  FL_ASSERT(x >= 0);
  for (; x > 0 || n < digits; x /= 10) text[n++] = (char)('0' + x % 10);
  while (n > 0) *w++ = text[--n];
  return w;
}

FL_PRIVATE char *bin_format_date(char *w, int64_t ms, int offset_minutes) {
  int64_t time = ms % BIN_DAY_MS + offset_minutes * INT64_C(60000), year;
  const int64_t days = ms / BIN_DAY_MS + bin_floor_div(time, BIN_DAY_MS);
  int month, day;
  FL_ASSERT(offset_minutes > -1440 && offset_minutes < 1440);
  if (ms == BIN_NO_DATE) return w;
  time -= bin_floor_div(time, BIN_DAY_MS) * BIN_DAY_MS;
  bin_date_of(days, &year, &month, &day);
  if (year < 0) *w++ = '-', year = -year;
  w = bin_date_put(w, year, 4), *w++ = '-';
  w = bin_date_put(w, month, 2), *w++ = '-';
  w = bin_date_put(w, day, 2), *w++ = 'T';
  w = bin_date_put(w, time / 3600000, 2), *w++ = ':';
  w = bin_date_put(w, time / 60000 % 60, 2), *w++ = ':';
  w = bin_date_put(w, time / 1000 % 60, 2);
  if (time % 1000) *w++ = '.', w = bin_date_put(w, time % 1000, 3);
  if (offset_minutes == 0) return *w++ = 'Z', w;
  *w++ = offset_minutes < 0 ? '-' : '+';
  if (offset_minutes < 0) offset_minutes = -offset_minutes;
  return bin_date_put(bin_date_put(w, offset_minutes / 60, 2), offset_minutes % 60, 2);
}
