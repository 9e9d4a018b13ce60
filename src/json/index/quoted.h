/* SPDX-License-Identifier: MIT
** quoted.h -- strings of a text where they stand: the end of one, and whether it means a name.
** Must hold: as the readers of this folder, they may be given any bytes, and read none outside of the text. */
#pragma once

#include "../grammar/scan.h"
#include "goals.h"

/* The byte after the string whose opening quote is at p, or the end. */
FL_PRIVATE const char *json_after_string(const char *p, const char *end);

/* Does the string s[0..n), the text between its quotes, mean the name? An escape that is wrong means nothing. */
FL_PRIVATE int json_step_is_name(const struct json_step *step, const char *s, size_t n);
