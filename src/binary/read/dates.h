/* SPDX-License-Identifier: MIT
** dates.h -- dates as text (ISO 8601, as the reference reads and writes them) and as milliseconds since 1970, UTC.
** Must hold: the Gregorian calendar, even for years before it was used; no clock, no time zones of the system. Text
** without a zone means local time, whose offset from UTC the caller passes. Years begin in March here, so that a
** leap day is the last day of its year (as in E. G. Richards, "Mapping Time", 1998). */
#pragma once

#include "../../base/def.h"

#define BIN_NO_DATE INT64_MIN
enum { BIN_DATE_ROOM = 48, BIN_DAY_MS = 86400000, BIN_ERA_DAYS = 146097 }; /* an era: 400 years */

/* Returns the days from 1970-01-01 to a date. 153: the days from March to July, and from August to December. */
FL_PRIVATE int64_t bin_days_of(int64_t year, int month, int day);
FL_PRIVATE void bin_date_of(int64_t days, int64_t *year, int *month, int *day);
FL_PRIVATE int bin_days_in(int64_t year, int month);

/* Returns the milliseconds of the date in s[0..n), or BIN_NO_DATE. */
FL_PRIVATE int64_t bin_parse_date(const char *s, size_t n, int local_offset_minutes);

/* Writes a date in the zone `offset_minutes` (less than a day) from UTC, at most BIN_DATE_ROOM bytes. Returns the end,
** which is w for BIN_NO_DATE. */
FL_PRIVATE char *bin_format_date(char *w, int64_t ms, int offset_minutes);
