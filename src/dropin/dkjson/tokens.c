/* SPDX-License-Identifier: MIT */
#include "tokens.h"

FL_PRIVATE const char *dkjson_space(const struct json_scan *j, const char *p) {
  for (;;) {
    while (json_is_c_space(*p)) p++;
    if (p >= j->end) return NULL;
    if (json_starts(p, j->end, "\xef\xbb\xbf")) {
      p += 3;
    } else if (p[0] == '/' && p[1] == '/') {
      for (p += 2; p < j->end && *p != '\n' && *p != '\r';) p++;
    } else if (p[0] == '/' && p[1] == '*') {
      if (!(p = json_comment_close(p + 2, j->end))) return NULL;
    } else {
      return p;
    }
  }
}

FL_PRIVATE const char *dkjson_number(struct json_scan *j, const char *p, struct num_value *v) {
  const int negative = *p == '-';
  const char *first = p + negative, *last = first;
  while (json_is_digit(*last) || *last == '.') last++;
  if (last == first) return NULL;
  if ((*last | 0x20) == 'e') last++;
  if (*last == '+' || *last == '-') last++;
  last = json_skip_digits(last);
  if (!json_is_digit(first[*first == '.'])) return NULL;
  return json_lenient_decimal(j, first, negative, 1, v) == last ? last : NULL;
}

FL_PRIVATE const char *dkjson_word(const struct json_scan *j, const char *p, enum json_literal *word) {
  *word = json_read_literal(&p, j->end);
  return *word > JSON_LITERAL_NULL || json_is_letter(*p) || json_is_digit(*p) ? NULL : p;
}
