/* SPDX-License-Identifier: MIT */
#include "check.h"

#define JSON_CHECK_DEEPEST 1000u

FL_INLINE const char *json_checker_skip(struct json_scan *j, const char *p, struct json_string *out) {
  int strict;
  return json_span_string(j, p, out, &strict);
}

FL_INLINE int json_checker_null(struct json_checker *k) { return (void)k, 1; }

FL_INLINE int json_checker_boolean(struct json_checker *k, int b) { return (void)k, (void)b, 1; }

FL_INLINE int json_checker_number(struct json_checker *k, const char *text, size_t n, const struct num_value *v) {
  return (void)k, (void)text, (void)n, (void)v, 1;
}

FL_INLINE int json_checker_string(struct json_checker *k, const char *s, size_t n) {
  return (void)k, (void)s, (void)n, 1;
}

FL_INLINE int json_checker_name(struct json_checker *k, struct json_string name, const char *p, int plain) {
  return (void)k, (void)name, (void)p, (void)plain, 1;
}

FL_INLINE void json_checker_open(struct json_checker *k, enum scan_container kind) {
  FL_ASSERT(k->scan.depth > 0 && k->scan.depth <= k->scan.max_depth);
  fl_set_bit(k->objects, k->scan.depth - 1, kind == SCAN_OBJECT);
}

FL_INLINE enum scan_container json_checker_close(const struct json_checker *k, enum scan_container kind) {
  return (void)kind, json_container_at(k->objects, k->scan.depth);
}

#define SCAN_NAME json_checker_scan
#define SCAN_SINK struct json_checker
#define SCAN_STRING json_checker_skip
#define SCAN_NUMBER json_span_number
#define SCAN(event) json_checker_##event
#include "scan_template.h"

FL_PRIVATE const char *json_check_value(struct json_checker *k, const char *p) {
  return json_checker_scan(k, &k->scan, p);
}

FL_PRIVATE int json_check(const char *s, size_t n, unsigned max_depth, size_t *where) {
  struct json_checker k;
  struct json_scan *j = &k.scan;
  unsigned char objects[JSON_CHECK_DEEPEST / 8 + 1];
  const char *p;
  memset(j, 0, sizeof *j);
  k.objects = objects;
  j->begin = s;
  j->end = s + n;
  j->utf8 = text_utf8_valid;
  j->max_depth = max_depth < JSON_CHECK_DEEPEST ? max_depth : JSON_CHECK_DEEPEST;
  if (n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0) (void)json_scan_error(j, JSON_CHECK_BOM, s);
  else if ((p = json_checker_scan(&k, j, json_skip_space(j, s))) != NULL && (p = json_skip_space(j, p)) != j->end)
    (void)json_scan_error(j, JSON_CHECK_AFTER, p);
  if (j->error && where) *where = (size_t)(j->at - s);
  return j->error;
}
