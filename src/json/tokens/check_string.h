/* SPDX-License-Identifier: MIT
** check_string.h -- finds the first error of a string, by the letter of RFC 8259; and the messages of all errors.
** Must hold: byte order is reading order; no read outside [*at, end). */
#pragma once

#include "../../base/def.h"
#include "../../text/portable/quote.h"
#include "../../text/unescape.h"
#include "../../text/utf8.h"
#include "characters.h"
#include "check_errors.h"

/* The message of an error number, NULL if there is none. */
FL_PRIVATE const char *json_check_message(int error);

FL_INLINE int json_check_hex_digit(char c) { return text_hex_digit(c); }

/* Four hexadecimal digits as a number; below 0 if one of them is none, or they are not there. */
FL_INLINE int json_check_hex(const char *r, const char *end) { return end - r < 4 ? -1 : text_hex4(r); }

/* json_check_escape and json_check_string move *at past what they read, or to the error: an escape's backslash, or
** the end if something is missing. */

/* At a backslash. */
FL_PRIVATE int json_check_escape(const char **at, const char *end);

/* From the byte after the opening quote to the byte after the closing one. */
FL_PRIVATE int json_check_string(const char **at, const char *end);
