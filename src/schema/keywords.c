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

/* Linear search: each name in a schema is looked up only once. */
FL_PRIVATE enum schema_keyword schema_keyword_named(const char *s, size_t n) {
  int i;
  if (n < 2 || n > 21) return SCHEMA_KEYWORD_NONE;
  for (i = 1; i < SCHEMA_KEYWORDS; i++) {
    const struct schema_keyword_row *row = &schema_keyword_rows[i];
    if (row->length == n && row->name[n - 1] == s[n - 1] && memcmp(row->name, s, n) == 0) return (enum schema_keyword)i;
  }
  return SCHEMA_KEYWORD_NONE;
}
