/* SPDX-License-Identifier: MIT */
#include "parts.h"

FL_PRIVATE const struct tree_value *schema_field(const struct tree_value *schema, const char *keyword) {
  return tree_member(schema, keyword, strlen(keyword));
}

FL_PRIVATE const struct tree_value *schema_field_of(const struct tree_value *schema, const char *keyword,
                                                    enum tree_type type) {
  const struct tree_value *v = schema_field(schema, keyword);
  return v && tree_type(v) == type ? v : NULL;
}

FL_PRIVATE int schema_flag(const struct tree_value *schema, const char *keyword) {
  return schema_field_of(schema, keyword, TREE_TRUE) != NULL;
}

FL_PRIVATE uint64_t schema_count(const struct tree_value *schema, const char *keyword, uint64_t initial) {
  const struct tree_value *v = schema_field_of(schema, keyword, TREE_INTEGER);
  return v && v->as.i >= 0 && v->as.i <= (int64_t)UINT32_MAX ? (uint64_t)v->as.i : initial;
}

FL_PRIVATE int schema_lists(const struct tree_value *list, const struct tree_value *name) {
  size_t i;
  for (i = 0; list && tree_type(list) == TREE_ARRAY && i < tree_length(list); i++)
    if (tree_is_string(&tree_items(list)[i], tree_bytes(name), tree_length(name))) return 1;
  return 0;
}

FL_PRIVATE int schema_is_named(const struct tree_value *name, const char *words) {
  const size_t n = tree_length(name);
  FL_ASSERT(words[0] == '|' && words[strlen(words) - 1] == '|');
  for (; words[1]; words = strchr(words + 1, '|')) {
    const char *word = words + 1;
    if ((size_t)(strchr(word, '|') - word) == n && memcmp(word, tree_bytes(name), n) == 0) return 1;
  }
  return 0;
}

FL_PRIVATE int schema_refers_plainly(const struct tree_value *v, int depth) {
  static const char *const places[] = {"#/definitions/", "#/properties/"};
  const int is_object = tree_type(v) == TREE_OBJECT;
  const struct tree_value *reference = is_object ? schema_field_of(v, "$ref", TREE_STRING) : NULL, *item, *end;
  int plain = !reference || tree_length(reference) < 2, i;
  if (tree_type(v) < TREE_ARRAY) return 1;
  if (depth == SCHEMA_DEPTH) return 0;
  item = tree_items(v), end = item + tree_count(v);
  for (i = 0; i < 2 && !plain; i++) {
    const size_t n = strlen(places[i]), length = tree_length(reference);
    const char *s = tree_bytes(reference);
    plain = length > n && memcmp(s, places[i], n) == 0 && !memchr(s + n, '/', length - n) &&
            !memchr(s + n, '%', length - n);
  }
  for (; plain && item < end; item += 1 + is_object) plain = schema_refers_plainly(item + is_object, depth + 1);
  return plain;
}
