/* SPDX-License-Identifier: MIT
** canonical.h -- the text of a double as ECMAScript writes it: Number::toString (ECMA-262, section 6.1.6.1.20), which
** canonical JSON prescribes (RFC 8785, section 3.2.2.3).
** Must hold: v is finite; w has NUM_ROOM writable bytes. */
#pragma once

#include "ecma.h"

/* Writes v with the fewest digits that read back: 0 for -0, without a point up to 10^21, 1e+21, 1e-7. */
FL_PRIVATE_NOINLINE char *num_write_canonical(char *w, double v);
