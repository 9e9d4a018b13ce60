/* SPDX-License-Identifier: MIT */
#include "find_fault.h"

FL_PRIVATE int dropin_find_fault(const struct mod_decode *d, const struct dropin_fault_rules *rules,
                                 struct dropin_fault *f) {
  const size_t length = (size_t)(d->end - d->begin); /* a text opens no more levels than it has bytes */
  const size_t levels = length < d->o.max_depth ? length : d->o.max_depth;
  dropin_fault_begin(f, rules, d->end, d->o.grammar, d->o.max_depth);
  return dropin_read_fault(f, d->begin, (unsigned char *)lua_newuserdata(d->L, levels / 8 + 1));
}
