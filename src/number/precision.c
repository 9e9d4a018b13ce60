/* SPDX-License-Identifier: MIT */
#include "precision.h"

FL_PRIVATE_NOINLINE char *num_write_precision_(char *w, double v, int digits, int ending) {
  return num_write_rounded(w, v, digits, ending);
}
