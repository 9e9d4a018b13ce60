/* SPDX-License-Identifier: MIT
** lenient.h -- what some texts have beyond RFC 8259: comments; white space, strings, names and numbers of JSON5; bytes
** that are not UTF-8; NaN and infinities; and what a reader's own rules add.
** Must hold: each json_lenient_x is called at the byte where the strict reader cannot continue. It returns the byte
** where reading continues, or NULL with an error; what the options do not allow is the strict reader's error. The error
** of a number is where num_parse finds it. The strings it reads are always in the scratch. */
#pragma once

#include "tokens.h"

/* Returns the length of the JSON5 line end or white space at p that strict JSON lacks, or 0. JSON5, section 8, takes
** those of ECMAScript 5.1: TAB VT FF SP NBSP BOM, Unicode's Zs, LF CR LS PS. */
FL_PRIVATE unsigned json5_space(const char *p, const char *end);

/* Returns whether [p, end) is the incomplete beginning of such white space. */
FL_PRIVATE int json5_is_cut_space(const char *p, const char *end);

/* Skips all white space and comments. Returns p if there are none. */
FL_PRIVATE_NOINLINE const char *json_lenient_space(struct json_scan *j, const char *p);

/* Reads a string that is not strict JSON, from its first byte p on; p[-1] is its quote. */
FL_PRIVATE_NOINLINE const char *json_lenient_string(struct json_scan *j, const char *p, struct json_string *out);

/* Reads a JSON5 name: in single quotes, or an identifier. */
FL_PRIVATE_NOINLINE const char *json_lenient_name(struct json_scan *j, const char *p, struct json_string *out);

/* Reads hexadecimal digits as an integer, or as the nearest double. Returns the byte after them. */
FL_PRIVATE const char *json5_hex(const char *p, int negative, struct num_value *v);

/* Reads a decimal from the byte after its sign: "1", ".5", "5.", "5e3". It is rewritten as strict JSON and parsed as
** that. `as_strtod`: like C's strtod, allow zeros before it, and leave out an exponent without digits. Returns the byte
** after it, or NULL with the error. */
FL_PRIVATE const char *json_lenient_decimal(struct json_scan *j, const char *p, int negative, int as_strtod,
                                            struct num_value *v);

/* Reads a value that strict JSON lacks, or reports the error. */
FL_PRIVATE_NOINLINE const char *json_lenient_value(struct json_scan *j, const char *p, struct json_lenient_value *out);
