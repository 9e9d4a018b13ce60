/* SPDX-License-Identifier: MIT
** page_read.h -- reading past the end of a string, which is possible within its page.
** Must hold: with FLEECE_STRICT_READS it is never allowed. */
#pragma once

#include "../base/def.h"

/* The smallest page of any CPU with vectors. A page is readable as a whole or not at all. */
#define TEXT_PAGE 4096u

/* Returns whether n bytes from s can be read without a fault, given that s[0] can. n is at most a page. */
FL_INLINE int text_is_readable(const char *s, unsigned n) {
  FL_ASSERT(n <= TEXT_PAGE);
  return !FLEECE_STRICT_READS && ((uintptr_t)s & (TEXT_PAGE - 1)) <= TEXT_PAGE - n;
}
