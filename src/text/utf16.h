/* SPDX-License-Identifier: MIT
** utf16.h -- UTF-16 and UTF-32 to UTF-8, and how a JSON text in one of them is known.
** May call: base.  Must hold: no read outside s[0..n); w has room for n / 2 * 3 + 3 bytes. */
#ifndef FLEECE_TEXT_UTF16_H
#define FLEECE_TEXT_UTF16_H

#include "../base/def.h"

/* A form of Unicode: bytes of a unit, their order, and how many bytes its mark takes. */
struct text_form {
  unsigned unit, big, mark;
};

/* By its mark (The Unicode Standard, section 23.8), else by the zeros in its first four bytes, for the first two
** characters of a JSON text are ASCII (RFC 4627, section 3; a text of one character has but one). */
FL_PRIVATE struct text_form text_form_of(const char *text, size_t n);

/* Writes s[0..n) at w; returns the end. */
FL_PRIVATE char *text_wide_to_utf8(char *w, const char *text, size_t n, const struct text_form *f);

#endif
