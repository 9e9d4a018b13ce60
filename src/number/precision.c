/* SPDX-License-Identifier: MIT
** precision.c -- writes a double with a fixed number of significant digits, as printf's %.Ng does.
** May call: digits.h, plain.h, scale.h.  Must hold: as precision.h. */
#include "precision.h"

FL_PRIVATE_NOINLINE char *num_write_precision_(char *w, double v, int digits, int ending) {
  return num_write_rounded(w, v, digits, ending);
}
