/* SPDX-License-Identifier: MIT
** lenient.h -- what rxi's json.lua reads beyond RFC 8259: numbers, as Lua's tonumber reads a token.
** Must hold: what json/tokens/lenient.h says of its functions. */
#pragma once

#include "../shared/strtod.h"

/* The byte after the token at p: white space, a comma or the end of a container ends it. */
FL_PRIVATE const char *rxi_token(const char *p, const char *end);

/* Is the token [p, end), which begins with a digit or '-', a number: "0x1f", "0x.8p1", "007", "1."? *d is the
** value if it is not a decimal. */
FL_PRIVATE int rxi_is_number(const char *p, const char *end, enum dropin_strtod_kind *kind, double *d);

/* A value that strict JSON does not have: a number. */
FL_PRIVATE const char *rxi_value_(struct json_scan *j, const char *p, struct json_lenient_value *out);

static const struct json_rules rxi_rules = {NULL, rxi_value_};

enum { RXI_GRAMMAR = JSON_RULES | JSON_ODD_ZEROS | JSON_TRAILING_COMMAS };
