/* SPDX-License-Identifier: MIT
** lenient.h -- what lua-cjson reads beyond RFC 8259: strings of any bytes, the numbers of strtod.
** Must hold: what json/tokens/lenient.h says of its functions. */
#pragma once

#include "../shared/strtod.h"

/* A string: any bytes but 0, and the escapes of strict JSON. */
FL_PRIVATE const char *cjson_string_(struct json_scan *j, const char *p, struct json_string *out);

/* A value that strict JSON does not have: a number. */
FL_PRIVATE const char *cjson_value_(struct json_scan *j, const char *p, struct json_lenient_value *out);

/* With DROPIN_STRTOD_NUMBERS, or without it: see dropin/shared/strtod.h. */
static const struct json_rules cjson_rules = {cjson_string_, cjson_value_};

enum { CJSON_GRAMMAR = JSON_RULES | JSON_ODD_ZEROS | JSON_LINE_FEEDS };
