/* SPDX-License-Identifier: MIT
** fault.h -- what rxi's json.lua reports of a text that is not JSON.
** Must hold: as in dropin/shared/fault.h. */
#pragma once

#include "../shared/fault.h"
#include "lenient.h"

/* A number or a word is a token up to the next separator; its first byte decides which of both it is. */
FL_PRIVATE const char *rxi_fault_scalar(struct dropin_fault *f, const char *p);

static const struct dropin_fault_rules rxi_fault_rules = {
    .scalar = rxi_fault_scalar,
    .texts =
        {
            [DROPIN_FAULT_NAME] = "expected string for key",
            [DROPIN_FAULT_COLON] = "expected ':' after key",
            [DROPIN_FAULT_ARRAY] = "expected ']' or ','",
            [DROPIN_FAULT_OBJECT] = "expected '}' or ','",
            [DROPIN_FAULT_END] = "trailing garbage",
            [DROPIN_FAULT_UNCLOSED] = "expected closing quote for string",
            [DROPIN_FAULT_ZERO] = "control character in string",
            [DROPIN_FAULT_CONTROL] = "control character in string",
            [DROPIN_FAULT_ESCAPE] = "invalid escape char '",
            [DROPIN_FAULT_HEX] = "invalid unicode escape in string",
            [DROPIN_FAULT_CHARACTER] = "unexpected character '",
            [DROPIN_FAULT_WORD] = "invalid literal '",
            [DROPIN_FAULT_NUMBER] = "invalid number '",
        },
    .rests = {[DROPIN_FAULT_ESCAPE] = "' in string",
              [DROPIN_FAULT_CHARACTER] = "'",
              [DROPIN_FAULT_WORD] = "'",
              [DROPIN_FAULT_NUMBER] = "'"},
    .place = {[DROPIN_FAULT_ARRAY] = DROPIN_FAULT_NEXT_BYTE,
              [DROPIN_FAULT_OBJECT] = DROPIN_FAULT_NEXT_BYTE,
              [DROPIN_FAULT_UNCLOSED] = DROPIN_FAULT_TOKEN},
};

/* The piece of the JSON text that is quoted in the message. */
FL_PRIVATE const char *rxi_fault_piece(const struct dropin_fault *f, size_t *n);
