/* SPDX-License-Identifier: MIT
** quoted.h -- values where they stand in a text: the end of a string, what name it means, whether a value is valid.
** Must hold: like the readers of this folder, these may be given any bytes, and read none outside the text. */
#pragma once

#include "../grammar/scan.h"
#include "goals.h"

/* Returns the byte after the string whose opening quote is at p, or the end. */
FL_PRIVATE const char *json_after_string(const char *p, const char *end);

/* Returns whether the string s[0..n), the text between its quotes, means the step's name. With an invalid escape it
** means none. */
FL_PRIVATE int json_step_is_name(const struct json_step *step, const char *s, size_t n);

/* Returns whether s, a value found in an untested text, is valid; -1 if it begins like a number, which is not tested.
** The text continues to `end`. `max_depth` and `containers`: as in json_is_text. */
FL_PRIVATE int json_is_value(const struct json_slice *s, const char *end, uint32_t max_depth, unsigned char *containers,
                             unsigned cpu, text_utf8_fn utf8);
