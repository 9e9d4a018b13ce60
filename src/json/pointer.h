/* SPDX-License-Identifier: MIT
** pointer.h -- JSON Pointers (RFC 6901): the tokens of one, also as a URI fragment (its section 6).
** May call: base, number, text.
** Must hold: a token's name may hold any bytes; its index is what it means in an array. */
#ifndef FLEECE_JSON_POINTER_H
#define FLEECE_JSON_POINTER_H

#include "../number/index.h"
#include "../text/utf8.h"
#include "grammar/check_string.h"

#define JSON_NO_INDEX UINT32_MAX
/* Bytes of a pointer. The size of the tokens of longer ones could exceed a size_t. */
#define JSON_POINTER_LONGEST (SIZE_MAX / 64)

struct json_token {
  const char *name;
  size_t n;
  uint32_t index; /* the name as an index, or JSON_NO_INDEX */
};

/* The name as an index; JSON_NO_INDEX: it is not one. */
FL_FUNC uint32_t json_pointer_index(const char *s, size_t n) {
  uint64_t index;
  return num_read_index(s, n, &index) && index < JSON_NO_INDEX ? (uint32_t)index : JSON_NO_INDEX;
}

/* The characters of a URI fragment that need no percent sign: "unreserved" of RFC 3986, section 2.3. */
FL_FUNC int json_is_unreserved(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

/* The byte that is written at *p, which moves past it; -1: it may not stand there. */
FL_FUNC int json_pointer_byte(const char **p, const char *end, int fragment) {
  const char *at = *p;
  int high, low;
  *p = at + 1;
  if (!fragment || json_is_unreserved(*at)) return (unsigned char)*at;
  if (*at != '%' || end - at < 3) return -1;
  high = json_check_hex_digit(at[1]);
  low = json_check_hex_digit(at[2]);
  *p = at + 3;
  return high < 0 || low < 0 ? -1 : high << 4 | low;
}

/* The number of tokens of a pointer. */
FL_FUNC size_t json_pointer_tokens(const char *s, size_t n) {
  size_t i, count = 0;
  for (i = 0; i < n; i++) count += s[i] == '/';
  return count;
}

/* Reads a pointer, as text or, if it begins with #, as a URI fragment. Its tokens' names are written to `w`, which has
** room for n bytes. False: it is not a pointer. */
FL_FUNC int json_read_pointer(const char *s, size_t n, struct json_token *tokens, char *w, size_t *count) {
  const char *p = s, *end = s + n;
  const int fragment = n > 0 && *p == '#';
  p += fragment;
  *count = 0;
  if (p < end && *p != '/') return 0;
  while (p < end) {
    struct json_token *t = &tokens[(*count)++];
    t->name = w;
    for (p++; p < end && *p != '/';) {
      int c = json_pointer_byte(&p, end, fragment);
      if (c == '~') {
        c = p < end ? json_pointer_byte(&p, end, fragment) : -1;
        c = c == '0' ? '~' : c == '1' ? '/' : -1;
      }
      if (c < 0) return 0;
      *w++ = (char)c;
    }
    t->n = (size_t)(w - t->name);
    if (fragment && text_utf8_valid(t->name, t->n) < t->n) return 0; /* a percent sign stands for a byte of UTF-8 */
    t->index = json_pointer_index(t->name, t->n);
  }
  return 1;
}

#endif
