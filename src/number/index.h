/* SPDX-License-Identifier: MIT
** index.h -- reads the index of an array item in a JSON pointer (RFC 6901, section 4). */
#pragma once

#include "../base/def.h"

/* Reads s[0..n) into `index`: one to ten digits, no leading 0 but in "0". False: it is not an index. */
FL_PRIVATE int num_read_index(const char *s, size_t n, uint64_t *index);
