/* SPDX-License-Identifier: MIT
** partial.h -- decode with partial = true: the value of a text of which only the beginning is available.
** Must hold: the text is read once, as a part; then the missing brackets are read as another part, so the value is
** built as by any decode. No beginning of a valid text is an error. */
#pragma once

#include "decode.h"

enum mod_partial { MOD_PARTIAL_FAILED, MOD_PARTIAL_OPEN, MOD_PARTIAL_COMPLETE };

/* Pushes the value of d's text so far, or nil if there is none yet. FAILED: the error is in *failed, and nothing is
** pushed. */
FL_PRIVATE enum mod_partial mod_push_partial(struct mod_decode *d, struct json_scan *failed);

/* Pushes "open" or "complete". */
FL_PRIVATE void mod_push_partial_state(lua_State *L, enum mod_partial state);

/* Ends a call of decode: value, "open" or "complete". */
FL_PRIVATE_NOINLINE int mod_decode_partial_(struct mod_decode *d);
