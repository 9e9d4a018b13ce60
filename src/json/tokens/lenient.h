/* SPDX-License-Identifier: MIT
** lenient.h -- what some texts have beyond RFC 8259: comments, the white space, strings, names and numbers of JSON5,
** bytes that are not UTF-8, NaN and infinities, and what a reader's own rules add.
** Must hold: each json_lenient_x is called at the byte where the strict reader cannot continue. It returns the byte
** where reading continues, or NULL with the error; what the options do not allow is the error that the strict reader
** would give. The error of a number is where num_parse finds it. The strings it reads are always in the scratch. */
#pragma once

#include "tokens.h"

/* ------------------------------------------------------------------------------------- white space */

/* The length of the line end or white space of JSON5 at p that strict JSON does not have; 0: there is none. JSON5,
** section 8, takes those of ECMAScript 5.1: TAB VT FF SP NBSP BOM, Unicode's Zs, LF CR LS PS. */
FL_PRIVATE unsigned json5_space(const char *p, const char *end);

/* Is [p, end) the beginning of such white space, whose other bytes are missing? */
FL_PRIVATE int json5_is_cut_space(const char *p, const char *end);

/* Skips all white space and comments; the result is p itself if there are none. */
FL_PRIVATE_NOINLINE const char *json_lenient_space(struct json_scan *j, const char *p);

/* A string that is not strict JSON, from its first byte p on; p[-1] is its quote. */
FL_PRIVATE_NOINLINE const char *json_lenient_string(struct json_scan *j, const char *p, struct json_string *out);

/* A name of JSON5: in single quotes, or an identifier. */
FL_PRIVATE_NOINLINE const char *json_lenient_name(struct json_scan *j, const char *p, struct json_string *out);

/* ------------------------------------------------------------------------------------- numbers */

/* Hexadecimal digits from p on: the integer, or the double nearest to it. Returns the byte after them. */
FL_PRIVATE const char *json5_hex(const char *p, int negative, struct num_value *v);

/* A decimal from p on, the byte after its sign: "1", ".5", "5.", "5e3". It is rewritten as strict JSON and read as
** that. `as_strtod`: as C's strtod reads it, zeros may stand before it, and an exponent without digits is not a part of
** it. Returns the byte after it, or NULL with the error. */
FL_PRIVATE const char *json_lenient_decimal(struct json_scan *j, const char *p, int negative, int as_strtod,
                                            struct num_value *v);

/* A value that strict JSON does not have, or the error. */
FL_PRIVATE_NOINLINE const char *json_lenient_value(struct json_scan *j, const char *p, struct json_lenient_value *out);
