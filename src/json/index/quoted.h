/* SPDX-License-Identifier: MIT
** quoted.h -- values of a text where they stand: the end of a string, whether it means a name; whether one is valid.
** Must hold: as the readers of this folder, they may be given any bytes, and read none outside of the text. */
#pragma once

#include "../grammar/scan.h"
#include "goals.h"

/* The byte after the string whose opening quote is at p, or the end. */
FL_PRIVATE const char *json_after_string(const char *p, const char *end);

/* Does the string s[0..n), the text between its quotes, mean the name? An escape that is wrong means nothing. */
FL_PRIVATE int json_step_is_name(const struct json_step *step, const char *s, size_t n);

/* Returns whether s, a value that was found in a text without a test, is valid; -1: it begins as a number does, which
** is not tested. The text goes on up to `end`. `max_depth` and `containers` are those of json_is_text. */
FL_PRIVATE int json_is_value(const struct json_slice *s, const char *end, uint32_t max_depth, unsigned char *containers,
                             unsigned cpu, text_utf8_fn utf8);
