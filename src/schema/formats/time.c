/* SPDX-License-Identifier: MIT
** time.c -- dates, times and durations: RFC 3339, section 5.6 and appendix A. */
#include "formats.h"

/* Reads exactly two digits with a value of at most `most`. Returns -1 if they are missing or too large. */
static int schema_two_digits(const char *s, int most) {
  const unsigned a = (unsigned char)s[0] - '0', b = (unsigned char)s[1] - '0';
  const int x = (int)(10 * a + b);
  return a <= 9 && b <= 9 && x <= most ? x : -1;
}

FL_PRIVATE int schema_is_date(const char *s, size_t n) {
  static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int century, year, month, day, is_leap;
  if (n != 10 || s[4] != '-' || s[7] != '-') return 0;
  century = schema_two_digits(s, 99), year = schema_two_digits(s + 2, 99);
  month = schema_two_digits(s + 5, 12), day = schema_two_digits(s + 8, 31);
  if (century < 0 || year < 0 || month < 1 || day < 1) return 0;
  is_leap = year % 4 == 0 && (year != 0 || century % 4 == 0);
  return day <= days[month - 1] + (month == 2 && is_leap);
}

/* A leap second can only be the last second of a day in UTC. */
FL_PRIVATE int schema_is_time(const char *s, size_t n) {
  const char *end = s + n;
  int hour, minute, second, offset;
  if (n < 9 || s[2] != ':' || s[5] != ':') return 0;
  hour = schema_two_digits(s, 23), minute = schema_two_digits(s + 3, 59), second = schema_two_digits(s + 6, 60);
  if (hour < 0 || minute < 0 || second < 0) return 0;
  s += 8;
  if (*s == '.') {
    const char *first = ++s;
    while (s < end && *s >= '0' && *s <= '9') s++;
    if (s == first || s == end) return 0;
  }
  minute += 60 * hour;
  if ((*s | 0x20) == 'z') {
    if (s + 1 != end) return 0;
  } else {
    if (end - s != 6 || (*s != '+' && *s != '-') || s[3] != ':') return 0;
    hour = schema_two_digits(s + 1, 23), offset = schema_two_digits(s + 4, 59);
    if (hour < 0 || offset < 0) return 0;
    offset += 60 * hour;
    minute += *s == '+' ? -offset : offset;
  }
  return second < 60 || (minute + 24 * 60) % (24 * 60) == 24 * 60 - 1;
}

FL_PRIVATE int schema_is_date_time(const char *s, size_t n) {
  return n > 11 && (s[10] | 0x20) == 't' && schema_is_date(s, 10) && schema_is_time(s + 11, n - 11);
}

/* Skips numbers with these units, in this order and without gaps; any unit may be first. Returns the end, or NULL if
** another thing begins with a digit. */
static const char *schema_skip_units(const char *s, const char *end, const char *units) {
  int is_first = 1;
  while (s < end && *s >= '0' && *s <= '9') {
    while (s < end && *s >= '0' && *s <= '9') s++;
    if (s == end) return NULL;
    while (is_first && *units && *units != *s) units++;
    if (*units != *s || !*units) return NULL;
    units++, s++;
    is_first = 0;
  }
  return s;
}

FL_PRIVATE int schema_is_duration(const char *s, size_t n) {
  const char *end = s + n, *begin;
  if (n < 3 || *s++ != 'P') return 0;
  begin = s;
  if (end[-1] == 'W') return schema_skip_units(s, end, "W") == end;
  if (!(s = schema_skip_units(s, end, "YMD"))) return 0;
  if (s == end) return s > begin;
  if (*s++ != 'T') return 0;
  begin = s;
  return schema_skip_units(s, end, "HMS") == end && end > begin;
}
