/* SPDX-License-Identifier: MIT */
#include "digits.h"

FL_PRIVATE_NOINLINE char *num_put_long_(char *w, struct num_text t, unsigned extra, unsigned p, int ending) {
  FL_ASSERT(p == 16 || p == 17);
  num_text_put(w, t);
  if (p == 16 && extra) {
    w[16] = '.';
    w[17] = (char)('0' + extra);
    return w + 18;
  }
  w[16] = (char)('0' + extra);
  w += p;
  if (ending == NUM_END_POINT_ZERO) {
    w[0] = '.';
    w[1] = '0';
    w += 2;
  }
  return w;
}
