/* SPDX-License-Identifier: MIT
** utf8.h -- UTF-8 by value: the number that a sequence spells decides (RFC 3629). */
#ifndef FLEECE_TESTS_UTF8_H
#define FLEECE_TESTS_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Returns the length of the first character, 0 if it is invalid. */
static size_t utf8_character(const unsigned char *s, size_t n) {
  static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
  size_t k = s[0] < 0x80 ? 1 : s[0] >= 0xf8 ? 0 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc0 ? 2 : 0, i;
  uint32_t x = k == 1 ? s[0] : s[0] & (0x7fu >> k);
  if (k == 0 || k > n) return 0;
  for (i = 1; i < k; i++) {
    if ((s[i] & 0xc0) != 0x80) return 0;
    x = x << 6 | (s[i] & 0x3f);
  }
  return x < least[k] || x > 0x10ffff || (x >= 0xd800 && x <= 0xdfff) ? 0 : k;
}

#endif
