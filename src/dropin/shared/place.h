/* SPDX-License-Identifier: MIT
** place.h -- the line and column of an error, as other libraries count them.
** May call: base, number, module, lua_*.
** Must hold: only line feeds end lines; columns count bytes; both begin with 1. */
#ifndef FLEECE_DROPIN_SHARED_PLACE_H
#define FLEECE_DROPIN_SHARED_PLACE_H

#include "../../decode/face/decode.h"

/* Pushes the line and column of a byte of the text, or of its end; `format` has a %s for each. */
FL_PRIVATE void dropin_push_place(const struct mod_decode *d, const char *at, const char *format);

#endif
