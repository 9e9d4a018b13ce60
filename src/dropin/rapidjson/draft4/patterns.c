/* SPDX-License-Identifier: MIT */
#include "patterns.h"

enum { SCHEMA_PATTERN_BYTES = 64 * 1024 * 1024 }; /* of all patterns of a schema */

/* Compiles one pattern, the string v. */
static int schema_compile_pattern(struct schema_patterns *k, struct tree_value *v) {
  struct regex_compiler *c = &k->compiler;
  const char *s = tree_bytes(v);
  const size_t n = tree_length(v);
  size_t size, room;
  int fine = regex_compile(c, NULL, s, n);
  size = tree_rounded(regex_size(&c->size));
  room = n < SCHEMA_PATTERN_BYTES ? size + sizeof(uint64_t) + tree_rounded(n) : SIZE_MAX;
  if (fine && room > SCHEMA_PATTERN_BYTES - k->used)
    fine = regex_fail(c, c->end, "the patterns of the schema are too large");
  if (!fine) {
    k->bad = v;
    return 0;
  }
  if (k->at) {
    struct regex *regex = (struct regex *)(void *)(k->at + k->used);
    char *bytes = k->at + k->used + size + sizeof(uint64_t);
    *regex = c->size;
    fine = regex_compile(c, regex, s, n);
    FL_ASSERT(fine); /* because measuring it was */
    (void)fine;
    *(uint64_t *)(void *)(bytes - sizeof(uint64_t)) = size;
    if (n) memcpy(bytes, s, n);
    tree_point(v, bytes);
  }
  k->used += room;
  if (regex_scratch_size(&c->size) > k->scratch) k->scratch = regex_scratch_size(&c->size);
  return 1;
}

/* What a part of a schema is: a schema or a list of them (ITSELF), an object whose members are schemas (NAMES), or
** unknown, because any object may be a schema through a reference (ANY). */
enum schema_place { SCHEMA_ITSELF, SCHEMA_NAMES, SCHEMA_ANY };

/* Compiles the patterns of a schema, but not of the schemas inside it. */
static int schema_compile_own(struct schema_patterns *k, const struct tree_value *schema) {
  const struct tree_value *pattern = schema_field_of(schema, "pattern", TREE_STRING);
  const struct tree_value *table = schema_field_of(schema, "patternProperties", TREE_OBJECT);
  struct tree_value *name = table ? tree_items(table) : NULL, *end = table ? name + tree_count(table) : NULL;
  if (pattern && !schema_compile_pattern(k, (struct tree_value *)(uintptr_t)pattern)) return 0;
  for (; name < end; name += 2)
    if (!schema_compile_pattern(k, name)) return 0;
  return 1;
}

/* Compiles all patterns in v. */
static int schema_compile_in(struct schema_patterns *k, const struct tree_value *v, enum schema_place place,
                             int depth) {
  const int is_object = tree_type(v) == TREE_OBJECT;
  const struct tree_value *item, *end;
  if (tree_type(v) < TREE_ARRAY || depth == SCHEMA_DEPTH) return 1;
  if (is_object && place != SCHEMA_NAMES && !schema_compile_own(k, v)) return 0;
  for (item = tree_items(v), end = item + tree_count(v); item < end; item += 1 + is_object) {
    enum schema_place in = place == SCHEMA_ANY ? SCHEMA_ANY : SCHEMA_ITSELF;
    if (is_object && place == SCHEMA_ITSELF) {
      if (schema_is_named(item, "|enum|const|default|")) continue;
      if (schema_is_named(item, "|properties|patternProperties|definitions|dependencies|")) in = SCHEMA_NAMES;
    }
    if (!schema_compile_in(k, item + is_object, in, depth + 1)) return 0;
  }
  return 1;
}

FL_PRIVATE int schema_compile_all(struct schema_patterns *k, const struct tree *tree, char *at) {
  const struct tree_value *root = (const struct tree_value *)(void *)tree->begin;
  k->at = at;
  k->used = k->scratch = 0;
  k->bad = NULL;
  return schema_compile_in(k, root, schema_refers_plainly(root, 0) ? SCHEMA_ITSELF : SCHEMA_ANY, 0);
}

FL_PRIVATE const struct regex *schema_regex(const struct tree *tree, const struct tree_value *pattern) {
  const char *bytes = tree_bytes(pattern);
  if (bytes <= tree->begin + tree->used || bytes > tree->begin + tree->room) return NULL;
  bytes -= sizeof(uint64_t);
  return (const struct regex *)(const void *)(bytes - *(const uint64_t *)(const void *)bytes);
}
