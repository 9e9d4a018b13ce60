/* SPDX-License-Identifier: MIT
** fault.h -- what lua-cjson reports of a text that is not JSON: which token it expected, and by name what it found.
** Must hold: as in dropin/shared/fault.h; a zero byte is the end of the text. */
#pragma once

#include "../shared/fault.h"
#include "lenient.h"

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

/* The name of the token at p, or what is wrong with it, which f->at is moved to. */
FL_PRIVATE const char *cjson_fault_token(struct dropin_fault *f, const char *p);
