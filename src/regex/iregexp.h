/* SPDX-License-Identifier: MIT
** iregexp.h -- compiles an I-Regexp (RFC 9485) to the steps that regex.h follows.
** Must hold: the syntax is that of RFC 9485, section 4, and nothing else. A ^ or $ outside of classes is an anchor, as
** in the regular expressions of ECMAScript that its section 5.3 turns them into. A "." is all but \n and \r. */
#pragma once

#include "compile.h"

/* As regex_compile. `whole`: the expression must match the whole text, not some part of it. */
FL_PRIVATE int regex_compile_iregexp(struct regex_compiler *c, struct regex *to, const char *s, size_t n, int whole);
