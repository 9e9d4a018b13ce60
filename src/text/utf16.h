/* SPDX-License-Identifier: MIT
** utf16.h -- UTF-16 and UTF-32 to UTF-8, recognizing a JSON text in one of them, and the order of UTF-16.
** Must hold: nothing outside s[0..n) is read; w has room for n / 2 * 3 + 3 bytes. */
#pragma once

#include "../base/def.h"

struct text_form {
  unsigned unit; /* bytes of a code unit: 1, 2 or 4 */
  unsigned big;  /* the most significant byte comes first */
  unsigned mark; /* bytes of the byte order mark, or 0 */
};

/* Returns the form of a text, by its mark (The Unicode Standard, section 23.8), else by the zeros in its first four
** bytes: the first two characters of a JSON text, or the only one, are ASCII (RFC 4627, section 3). */
FL_PRIVATE struct text_form text_form_of(const char *text, size_t n);

/* Returns the name of the form of a JSON text that was refused as UTF-8, or NULL. A text of one character, or whose
** second one is not ASCII, is recognized by its last character. Sets *mark if it begins with a byte order mark. */
FL_PRIVATE const char *text_foreign_form(const char *text, size_t n, int *mark);

/* Writes text[0..n), in the form f of units of 2 or 4 bytes, at w. Returns the end. */
FL_PRIVATE char *text_wide_to_utf8(char *w, const char *text, size_t n, const struct text_form *f);

/* Returns the rank of a byte of UTF-8 in the order of UTF-16. It differs from the order of the bytes only in that
** U+E000 to U+FFFF, whose first bytes are 0xEE and 0xEF, come after the surrogates, which stand for what begins with
** 0xF0 to 0xF4. If two texts first differ after a first byte, that byte is the same. */
FL_INLINE unsigned text_utf16_rank(unsigned char c) { return c == 0xee || c == 0xef ? c + 0x10u : c; }

/* Compares two texts in UTF-8 by their code units in UTF-16. Returns below 0, 0 or above 0. */
FL_PRIVATE int text_compare_utf16(const char *a, size_t an, const char *b, size_t bn);
