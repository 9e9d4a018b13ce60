/* SPDX-License-Identifier: MIT */
#include "pointer.h"

FL_PRIVATE uint32_t json_pointer_index(const char *s, size_t n) {
  uint64_t index;
  return num_read_index(s, n, &index) && index < JSON_NO_INDEX ? (uint32_t)index : JSON_NO_INDEX;
}

FL_PRIVATE int json_is_unreserved(char c) {
  return json_is_digit(c) || json_is_letter(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

FL_PRIVATE int json_pointer_byte(const char **p, const char *end, int fragment) {
  const char *at = *p;
  *p = at + 1;
  if (!fragment || json_is_unreserved(*at)) return (unsigned char)*at;
  if (*at != '%' || end - at < 3) return -1;
  const int high = text_hex_digit(at[1]);
  const int low = text_hex_digit(at[2]);
  *p = at + 3;
  return high < 0 || low < 0 ? -1 : high << 4 | low;
}

FL_PRIVATE size_t json_pointer_tokens(const char *s, size_t n) {
  size_t i, count = 0;
  for (i = 0; i < n; i++) count += s[i] == '/';
  return count;
}

FL_PRIVATE int json_read_pointer(const char *s, size_t n, struct json_token *tokens, char *w, size_t *count) {
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
