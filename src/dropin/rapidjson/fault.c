/* SPDX-License-Identifier: MIT */
#include "fault.h"

static const char *rapidjson_fault_number(struct dropin_fault *f, const char *begin) {
  const char *p = begin + (*begin == '-'), *after;
  struct num_value v;
  if (!json_is_digit(*p)) return dropin_fault_is(f, DROPIN_FAULT_VALUE, p);
  p = *p == '0' ? p + 1 : json_skip_digits(p);
  if (*p == '.') {
    if ((after = json_skip_digits(p + 1)) == p + 1) return dropin_fault_is(f, DROPIN_FAULT_FRACTION, after);
    p = after;
  }
  if ((*p | 0x20) == 'e') {
    p += 1 + (p[1] == '+' || p[1] == '-');
    if ((after = json_skip_digits(p)) == p) return dropin_fault_is(f, DROPIN_FAULT_EXPONENT, p);
    p = after;
  }
  (void)num_read(begin, f->end, &v);
  return v.kind == NUM_HUGE ? dropin_fault_is(f, DROPIN_FAULT_BIG, begin) : p;
}

FL_PRIVATE const char *rapidjson_fault_scalar(struct dropin_fault *f, const char *p) {
  const char *word = *p == 'n' ? "null" : *p == 't' ? "true" : "false";
  if (*p == 0 && f->due == DROPIN_FAULT_ROOT) return dropin_fault_is(f, DROPIN_FAULT_EMPTY, p);
  if (*p != *word) return rapidjson_fault_number(f, p);
  for (; *word; word++, p++)
    if (*p != *word) return dropin_fault_is(f, DROPIN_FAULT_VALUE, p);
  return p;
}
