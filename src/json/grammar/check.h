/* SPDX-License-Identifier: MIT
** check.h -- tests whether a text is exactly one JSON value as defined by RFC 8259.
** Must hold: no allocation, except for strings that strict JSON does not have; s[n] is readable and 0. Numbers may have
** any size. */
#pragma once

#include "scan.h"

struct json_checker {
  struct json_scan scan;
  unsigned char *objects; /* bits for scan.max_depth open containers: 1 for an object */
};

/* Tests the value at p, in any grammar. Returns the byte after it, or NULL with the error in scan. */
FL_PRIVATE const char *json_check_value(struct json_checker *k, const char *p);

/* Returns 0 if s[0..n) is one JSON value without a byte order mark, else an error number, and sets *where to the offset
** of the error. Nesting may be max_depth deep, at most JSON_CHECK_DEEPEST. */
FL_PRIVATE int json_check(const char *s, size_t n, unsigned max_depth, size_t *where);
