/* SPDX-License-Identifier: MIT */
#include "keywords.h"

static const struct schema_keyword_row schema_keyword_rows[SCHEMA_KEYWORDS] = {
    {"", 0, 0, SCHEMA_CORE, SCHEMA_HOLDS_NONE},
#define X(keyword, name, drafts, vocabulary, holds) \
  {name, sizeof name - 1, SCHEMA_##drafts, SCHEMA_##vocabulary, SCHEMA_HOLDS_##holds},
    SCHEMA_KEYWORDS_OF(X)
#undef X
};

FL_PRIVATE const struct schema_keyword_row *schema_keyword_row(enum schema_keyword keyword) {
  return &schema_keyword_rows[keyword];
}

FL_INLINE uint8_t schema_hash_keyword(const char *s, size_t n) {
  return (uint8_t)(33u * (uint8_t)s[n - 1] + 32u * (uint8_t)s[n / 2] + n); /* few keywords have equal ones */
}

FL_PRIVATE void schema_list_keywords(uint8_t slots[SCHEMA_KEYWORD_SLOTS]) {
  memset(slots, 0, SCHEMA_KEYWORD_SLOTS);
  for (int i = 1; i < SCHEMA_KEYWORDS; i++) {
    uint8_t at = schema_hash_keyword(schema_keyword_rows[i].name, schema_keyword_rows[i].length);
    while (slots[at]) at++;
    slots[at] = (uint8_t)i;
  }
}

FL_PRIVATE enum schema_keyword schema_keyword_named(const uint8_t slots[SCHEMA_KEYWORD_SLOTS], const char *s,
                                                    size_t n) {
  if (n == 0) return SCHEMA_KEYWORD_NONE;
  for (uint8_t at = schema_hash_keyword(s, n); slots[at]; at++) {
    const struct schema_keyword_row *row = &schema_keyword_rows[slots[at]];
    if (row->length == n && memcmp(row->name, s, n) == 0) return (enum schema_keyword)slots[at];
  }
  return SCHEMA_KEYWORD_NONE;
}
