/* SPDX-License-Identifier: MIT
** index.h -- reads the index of an array item, as JSON pointers have it (RFC 6901, section 4).
** May call: base/def.h.  Must hold: nothing. */
#ifndef FLEECE_NUMBER_INDEX_H
#define FLEECE_NUMBER_INDEX_H

#include "../base/def.h"

/* At most ten digits, no needless 0 in front: the number of s[0..n) goes to `index`. False: it is none. */
FL_PRIVATE int num_read_index(const char *s, size_t n, uint64_t *index);

#endif
