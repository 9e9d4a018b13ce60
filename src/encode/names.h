/* SPDX-License-Identifier: MIT
** names.h -- the order of names that a style asks for.
** Must hold: knows no Lua; documents are written in the same order. */
#pragma once

#include "../json/write/style.h"
#include "../text/utf16.h"

/* Returns the first 8 bytes of a key's text as a number that orders like memcmp. */
FL_INLINE uint64_t encode_prefix(const char *s, size_t n) {
  uint64_t prefix = 0;
  size_t i, take = n < 8 ? n : 8;
  for (i = 0; i < take; i++) prefix |= (uint64_t) * (const uint8_t *)(s + i) << (56 - 8 * i);
  return prefix;
}

/* Compares two texts by bytes; a prefix comes first. */
FL_INLINE int encode_compare_texts(const char *a, size_t an, const char *b, size_t bn) {
  int order = memcmp(a, b, an < bn ? an : bn);
  return order ? order : (an > bn) - (an < bn);
}

FL_INLINE int encode_compare_names(int canonical, const char *a, size_t an, const char *b, size_t bn) {
  return canonical ? text_compare_utf16(a, an, b, bn) : encode_compare_texts(a, an, b, bn);
}

/* Like encode_prefix, for that order. */
FL_INLINE uint64_t encode_name_prefix(int canonical, const char *s, size_t n) {
  uint64_t prefix = 0;
  size_t i, take = n < 8 ? n : 8;
  if (!canonical) return encode_prefix(s, n);
  for (i = 0; i < take; i++) prefix |= (uint64_t)text_utf16_rank((unsigned char)s[i]) << (56 - 8 * i);
  return prefix;
}

/* Returns whether the style replaces names that are not UTF-8. They are sorted as they are written. */
FL_INLINE int encode_mends(const struct json_style *style) {
  const struct text_style *text = &style->text;
  return style->escape == JSON_ESCAPE_GENERAL &&
         (text->invalid == TEXT_INVALID_REPLACE || text->invalid == TEXT_INVALID_ESCAPE ||
          (text->invalid == TEXT_INVALID_PASS && text->ascii));
}
