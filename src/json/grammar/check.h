/* SPDX-License-Identifier: MIT
** check.h -- is this text exactly one JSON value, by the letter of RFC 8259?
** Must hold: no allocation, but for strings that strict JSON does not have; s[n] is readable and 0. Numbers may be
** of any size. */
#pragma once

#include "../../base/bits.h"
#include "scan.h"

struct json_checker {
  struct json_scan scan;
  unsigned char *objects; /* a bit for each open container: is it an object? scan.max_depth of them */
};

/* Tests the value at p, in any grammar. Returns the byte after it, or NULL with the error in scan. */
FL_PRIVATE const char *json_check_value(struct json_checker *k, const char *p);

/* 0 if s[0..n) is one JSON value without a byte order mark, else an error number, with the offset of the error in
** *where. Containers may be nested max_depth deep, at most JSON_CHECK_DEEPEST. */
FL_PRIVATE int json_check(const char *s, size_t n, unsigned max_depth, size_t *where);
