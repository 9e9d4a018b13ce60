/* SPDX-License-Identifier: MIT
** place.h -- the line and column of an error, as other libraries count them.
** Must hold: only line feeds end lines; columns count bytes; both begin with 1. */
#pragma once

#include "../../decode/face/decode.h"

/* Pushes the line and column of a byte of the text, or of its end; `format` has a %s for each. */
FL_PRIVATE void dropin_push_place(const struct mod_decode *d, const char *at, const char *format);
