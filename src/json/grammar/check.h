/* SPDX-License-Identifier: MIT
** check.h -- is this text exactly one JSON value, by the letter of RFC 8259?
** May call: base, number, text.
** Must hold: no allocation; s[n] is readable and 0. A byte order mark is an error; numbers may be of any size. */
#ifndef FLEECE_JSON_GRAMMAR_CHECK_H
#define FLEECE_JSON_GRAMMAR_CHECK_H

#include "../../base/bits.h"
#include "scan.h"

/* 0 if s[0..n) is one JSON value, else an error number, with the offset of the error in *where. Containers may be
** nested max_depth deep, at most JSON_CHECK_DEEPEST. */
FL_PRIVATE int json_check(const char *s, size_t n, unsigned max_depth, size_t *where);

#endif
