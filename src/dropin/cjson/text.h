/* SPDX-License-Identifier: MIT
** text.h -- what lua-cjson reads beyond RFC 8259: strings of any bytes, the numbers of strtod; and its messages for
** invalid texts: which token it expected, and the name of what it found.
** Must hold: as json/tokens/lenient.h and dropin/shared/fault.h require; a zero byte is the end of the text. */
#pragma once

#include "../shared/fault.h"
#include "../shared/strtod.h"

/* Reads a string: any bytes but 0, and the escapes of strict JSON. */
FL_PRIVATE const char *cjson_string_(struct json_scan *j, const char *p, struct json_string *out);

/* Reads a value that strict JSON lacks: a number. */
FL_PRIVATE const char *cjson_value_(struct json_scan *j, const char *p, struct json_lenient_value *out);

/* With DROPIN_STRTOD_NUMBERS, or without it: see dropin/shared/strtod.h. */
static const struct json_rules cjson_rules = {cjson_string_, cjson_value_};

enum { CJSON_GRAMMAR = JSON_RULES | JSON_ODD_ZEROS | JSON_LINE_FEEDS };

FL_PRIVATE const char *cjson_fault_scalar(struct dropin_fault *f, const char *p);

/* "Expected %s" for what was due, "found %s" for other causes. */
static const struct dropin_fault_rules cjson_fault_rules = {
    .scalar = cjson_fault_scalar,
    .texts =
        {
            [DROPIN_FAULT_ROOT] = "value",
            [DROPIN_FAULT_VALUE] = "value",
            [DROPIN_FAULT_NAME] = "object key string",
            [DROPIN_FAULT_COLON] = "colon",
            [DROPIN_FAULT_ARRAY] = "comma or array end",
            [DROPIN_FAULT_OBJECT] = "comma or object end",
            [DROPIN_FAULT_END] = "the end",
            [DROPIN_FAULT_DEPTH] = "too many nested data structures",
            [DROPIN_FAULT_COMMENT] = "unclosed multi-line comment",
            [DROPIN_FAULT_UNCLOSED] = "unexpected end of string",
            [DROPIN_FAULT_ESCAPE] = "invalid escape code",
            [DROPIN_FAULT_HEX] = "invalid unicode escape code",
            [DROPIN_FAULT_PAIR] = "invalid unicode escape code",
            [DROPIN_FAULT_LOW] = "invalid unicode escape code",
            [DROPIN_FAULT_CHARACTER] = "invalid token",
            [DROPIN_FAULT_NUMBER] = "invalid number",
        },
};

/* Returns the name of the token at p, or what is wrong with it, and then moves f->at there. */
FL_PRIVATE const char *cjson_fault_token(struct dropin_fault *f, const char *p);
