/* SPDX-License-Identifier: MIT
** regex.c -- libFuzzer target: the first byte is the length of a regular expression, which is followed by its text. The
** computed size must be the written size. The same expression in a group, and as both of two alternatives, must match
** the same texts. A second search with the same scratch memory must give the same result, and so must the expression's
** table, if it has one.
** Build: make build/tests/fuzz/regex */
#include <stdlib.h>

#include "regex/compile.h"
#include "regex/table.h"

static void require(int ok) {
  if (!ok) abort();
}

/* The expression in a block of exactly its size, or NULL. */
static struct regex *compiled(const char *s, size_t n) {
  struct regex_compiler c;
  struct regex *r;
  if (!regex_compile(&c, NULL, s, n)) {
    require(c.error && c.at >= s && c.at <= s + n);
    return NULL;
  }
  r = malloc(regex_size(&c.size));
  require(r != NULL);
  *r = c.size;
  require(regex_compile(&c, r, s, n));
  require(c.size.steps == r->steps && c.size.ranges == r->ranges && c.size.classes == r->classes);
  return r;
}

/* A table in a block of exactly its size. */
static void require_table(const struct regex *r, const char *s, size_t n, int expected) {
  const uint32_t room = regex_table_room(r);
  struct regex_table *t = room ? malloc(regex_table_size(room)) : NULL;
  if (!room) return;
  require(t != NULL);
  if (regex_make_table(r, t)) require(regex_search_table(r, t, s, n) == expected);
  free(t);
}

static int found(const struct regex *r, const char *s, size_t n) {
  uint32_t *scratch = calloc(1, regex_scratch_for(r, n));
  int is;
  require(scratch != NULL);
  is = regex_search(r, scratch, s, n);
  require(regex_search(r, scratch, s, n) == is);
  free(scratch);
  require_table(r, s, n, is);
  return is;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *pattern, twice[2 * 256 + 32];
  const char *text;
  struct regex *r, *grouped;
  size_t n, m, used;
  if (size < 1) return 0;
  n = data[0] < size - 1 ? data[0] : size - 1;
  m = size - 1 - n < 256 ? size - 1 - n : 256;
  text = (const char *)data + 1 + n;
  pattern = malloc(n + 1);
  require(pattern != NULL);
  memcpy(pattern, data + 1, n);
  r = compiled(pattern, n);
  memcpy(twice, "(?:", 3), memcpy(twice + 3, pattern, n);
  memcpy(twice + 3 + n, "){1}|(", 6), memcpy(twice + 9 + n, pattern, n);
  used = 9 + 2 * n;
  twice[used++] = ')';
  grouped = r ? compiled(twice, used) : NULL; /* it may be too large or too deep */
  if (grouped) require(found(r, text, m) == found(grouped, text, m));
  free(grouped), free(r), free(pattern);
  return 0;
}
