/* SPDX-License-Identifier: MIT
** check.h -- checks untrusted binary, so that it can be read without further tests. Only this folder reads untrusted
** binary.
** Must hold: reads nothing outside the document and its base; takes linear time however much is shared; no
** recursion. */
#pragma once

#include "keys.h"

/* Checks the document `d`. Before, set its bytes, its keys and its base, which was checked, and alloc, alloc_ud,
** max_depth, max_values, utf8 and codes of `c`. Returns 1 with d->root and d->values set, or 0 with c->error and
** c->where. If `v` is not NULL, only this value is checked, and c->values is the number of values in it. */
FL_PRIVATE int bin_check_value(struct bin_check *c, struct bin_doc *d, bin_value v);
FL_PRIVATE int bin_check(struct bin_check *c, struct bin_doc *d);
