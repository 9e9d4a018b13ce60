/* SPDX-License-Identifier: MIT
** json5.h -- names and values that some texts have beyond RFC 8259: those of JSON5, NaN and infinities, and what a
** reader's own rules add.
** Must hold: what json/tokens/lenient.h says of its functions. The error of a number is where num_parse finds it. */
#pragma once

#include "lenient.h"

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
