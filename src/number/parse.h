/* SPDX-License-Identifier: MIT
** parse.h -- temporary.
** May call: base.  Must hold: nothing. */
#ifndef FLEECE_NUMBER_PARSE_H
#define FLEECE_NUMBER_PARSE_H
#include <stdlib.h>
#include <math.h>
#include "../base/def.h"
enum num_kind { NUM_BAD, NUM_INTEGER, NUM_DOUBLE, NUM_BIG, NUM_HUGE };
struct num_value { int64_t i; double d; enum num_kind kind; };
FL_INLINE const char *num_parse(const char *p, const char *end, struct num_value *v) {
  const char *b = p, *dg; uint64_t w = 0; int neg = *p == '-', fl = 0;
  (void)end;
  v->kind = NUM_BAD;
  if (neg) p++;
  dg = p;
  while (*p >= '0' && *p <= '9') w = w * 10 + (unsigned)(*p++ - '0');
  if (p == dg) return p;
  if (*dg == '0' && p - dg > 1) return dg + 1;
  if (*p == '.') { fl = 1; const char *q = ++p; while (*p >= '0' && *p <= '9') p++; if (p == q) return p; }
  if (*p == 'e' || *p == 'E') { fl = 1; p++; if (*p == '+' || *p == '-') p++; { const char *q = p; while (*p >= '0' && *p <= '9') p++; if (p == q) return p; } }
  if (!fl && p - dg <= 18 && !(neg && w == 0)) { v->kind = NUM_INTEGER; v->i = neg ? -(int64_t)w : (int64_t)w; return p; }
  v->d = strtod(b, NULL);
  v->kind = fl || (neg && w == 0) ? NUM_DOUBLE : NUM_BIG;
  if (v->d > 1.7976931348623157e308 || v->d < -1.7976931348623157e308) v->kind = NUM_HUGE;
  return p;
}
#endif
