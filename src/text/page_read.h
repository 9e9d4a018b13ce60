/* SPDX-License-Identifier: MIT
** page_read.h -- may code read past the end of a string? Yes, as far as its page goes.
** Must hold: with FLEECE_STRICT_READS the answer is no. */
#pragma once

#include "../base/def.h"

/* The smallest page of any CPU with vectors. All of a page is readable, or nothing of it. */
#define TEXT_PAGE 4096u

/* Can n bytes from s be read without a fault, given that s[0] can? n is at most a page. */
FL_INLINE int text_is_readable(const char *s, unsigned n) {
  FL_ASSERT(n <= TEXT_PAGE);
  return !FLEECE_STRICT_READS && ((uintptr_t)s & (TEXT_PAGE - 1)) <= TEXT_PAGE - n;
}
