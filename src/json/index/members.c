/* SPDX-License-Identifier: MIT */
#include "members.h"

FL_INLINE int json_members_null(const struct json_members *k) { return (void)k, 1; }

FL_INLINE int json_members_boolean(const struct json_members *k, int b) { return (void)k, (void)b, 1; }

FL_INLINE int json_members_integer(const struct json_members *k, int64_t i, const char *text, size_t n) {
  return (void)k, (void)i, (void)text, (void)n, 1;
}

FL_INLINE int json_members_number(const struct json_members *k, double d) { return (void)k, (void)d, 1; }

FL_INLINE int json_members_big(const struct json_members *k, const char *text, size_t n, const struct num_value *v) {
  return (void)k, (void)text, (void)n, v->kind != NUM_HUGE;
}

FL_INLINE int json_members_string(const struct json_members *k, const char *s, size_t n) {
  return (void)k, (void)s, (void)n, 1;
}

FL_INLINE const char *json_members_guess(const struct json_members *k, const char *p) { return (void)k, (void)p, NULL; }

FL_INLINE int json_members_name(struct json_members *k, struct json_string name, const char *p, int plain) {
  (void)p, (void)plain;
  if (k->scan.depth != 1) return 1;
  if (k->count == k->room || memchr(name.s, '\\', name.n)) k->lost = 1;
  if (k->lost) return 1;
  k->items[k->count].name = (uint32_t)(name.s - k->begin);
  k->items[k->count].name_length = (uint32_t)name.n;
  return 1;
}

FL_INLINE void json_members_open(struct json_members *k, enum scan_container kind) {
  if (k->scan.depth == 2) k->container = k->scan.at;
  k->objects = k->objects << 1 | (kind == SCAN_OBJECT);
}

FL_INLINE enum scan_container json_members_close(struct json_members *k) {
  k->objects >>= 1;
  if (k->scan.depth == 0) return SCAN_ROOT;
  return k->objects & 1 ? SCAN_OBJECT : SCAN_ARRAY;
}

FL_INLINE enum scan_container json_members_close_array(struct json_members *k) { return json_members_close(k); }

FL_INLINE enum scan_container json_members_close_object(struct json_members *k) { return json_members_close(k); }

FL_INLINE enum scan_container json_members_resume(const struct json_members *k) { return (void)k, SCAN_ROOT; }

/* A value has ended. No scalar ends with a bracket outside of quotes. */
FL_INLINE int json_members_reached(struct json_members *k, const char *p) {
  struct json_member *m = &k->items[k->count];
  if (k->scan.depth != 1) return 1;
  if (k->count == k->room) k->lost = 1;
  if (k->lost) return 1;
  m->begin = (uint32_t)(((p[-1] | 0x20) == '}' ? k->container : k->scan.at) - k->begin);
  m->end = (uint32_t)(p - k->begin);
  k->count++;
  return 1;
}

FL_INLINE const char *json_members_scan_string(struct json_scan *j, const char *p, struct json_string *out) {
  int strict;
  return json_span_string(j, p, out, &strict);
}

#define SCAN_NAME json_members_scan_
#define SCAN_SINK struct json_members
#define SCAN_STRING json_members_scan_string
#define SCAN_RESUMES 1
#define SCAN(event) json_members_##event
#include "../grammar/scan_template.h"

FL_PRIVATE int json_read_members(struct json_members *k, const char *s, const char *end, const char *stop,
                                 uint32_t max_depth, text_utf8_fn utf8) {
  memset(&k->scan, 0, sizeof k->scan);
  k->scan.begin = k->begin = s;
  k->scan.end = stop;
  k->scan.utf8 = utf8;
  k->scan.max_depth = max_depth < JSON_MEMBERS_DEPTH ? max_depth : JSON_MEMBERS_DEPTH;
  k->count = 0;
  k->lost = 0;
  k->objects = 0;
  return (*s | 0x20) == '{' && json_members_scan_(k, &k->scan, s) == end;
}
