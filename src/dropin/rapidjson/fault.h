/* SPDX-License-Identifier: MIT
** fault.h -- what RapidJSON reports of a text that is not JSON (rapidjson/error/en.h).
** Must hold: as in dropin/shared/fault.h. */
#pragma once

#include "../shared/fault.h"

/* A word, whose first byte decides which, or a number. */
FL_PRIVATE const char *rapidjson_fault_scalar(struct dropin_fault *f, const char *p);

static const struct dropin_fault_rules rapidjson_fault_rules = {
    .scalar = rapidjson_fault_scalar,
    .texts =
        {
            [DROPIN_FAULT_VALUE] = "Invalid value.",
            [DROPIN_FAULT_NAME] = "Missing a name for object member.",
            [DROPIN_FAULT_COLON] = "Missing a colon after a name of object member.",
            [DROPIN_FAULT_ARRAY] = "Missing a comma or ']' after an array element.",
            [DROPIN_FAULT_OBJECT] = "Missing a comma or '}' after an object member.",
            [DROPIN_FAULT_END] = "The document root must not be followed by other values.",
            [DROPIN_FAULT_DEPTH] = "Terminate parsing due to Handler error.",
            [DROPIN_FAULT_UNCLOSED] = "Missing a closing quotation mark in string.",
            [DROPIN_FAULT_ZERO] = "Missing a closing quotation mark in string.",
            [DROPIN_FAULT_CONTROL] = "Invalid encoding in string.",
            [DROPIN_FAULT_ESCAPE] = "Invalid escape character in string.",
            [DROPIN_FAULT_HEX] = "Incorrect hex digit after \\u escape in string.",
            [DROPIN_FAULT_PAIR] = "The surrogate pair in string is invalid.",
            [DROPIN_FAULT_EMPTY] = "The document is empty.",
            [DROPIN_FAULT_FRACTION] = "Miss fraction part in number.",
            [DROPIN_FAULT_EXPONENT] = "Miss exponent in number.",
            [DROPIN_FAULT_BIG] = "Number too big to be stored in double.",
        },
    .place = {[DROPIN_FAULT_DEPTH] = DROPIN_FAULT_NEXT_BYTE},
};
