/* SPDX-License-Identifier: MIT */
#include "seek.h"

FL_PRIVATE void json_seek_begin(struct json_seek *k) {
  k->scan.in = SCAN_ROOT;
  k->scan.expected = JSON_EXPECT_VALUE;
  k->scan.depth = k->on_path = 0;
  k->items = k->reached = 0;
  k->next = k->found = 0;
}

/* Returns whether the value that begins in the innermost container on the path, number `depth`, is on the path, too. */
static int json_seek_leads(const struct json_seek *k, uint32_t depth) {
  if (depth == 0) return 1;
  if (depth > k->count) return 0;
  if (json_container_at(k->objects, depth) == SCAN_OBJECT) return k->next;
  const struct json_token *t = &k->tokens[depth - 1];
  return k->reached < depth && t->index != JSON_NO_INDEX && t->index == k->items;
}

/* Handles a value that is not a container. `n`: its length, if not tested yet. */
FL_INLINE int json_seek_scalar(struct json_seek *k, size_t n) {
  const uint32_t depth = k->scan.depth;
  if (FL_UNLIKELY(n > k->most || k->is_long))
    return json_scan_error(&k->scan, JSON_CHECK_LENGTH, k->scan.at + k->most) != NULL;
  if (FL_LIKELY(depth != k->on_path)) return 1;
  if (depth == k->count && json_seek_leads(k, depth))
    return json_scan_error(&k->scan, JSON_CHECK_NO_LIST, k->scan.at) != NULL;
  k->next = 0;
  k->items++;
  return 1;
}

FL_INLINE int json_seek_null(struct json_seek *k) { return json_seek_scalar(k, 4); }

FL_INLINE int json_seek_boolean(struct json_seek *k, int b) { return json_seek_scalar(k, b ? 4 : 5); }

FL_INLINE int json_seek_number(struct json_seek *k, const char *text, size_t n, const struct num_value *v) {
  return (void)text, (void)v, json_seek_scalar(k, n);
}

FL_INLINE int json_seek_string(struct json_seek *k, const char *s, size_t n) {
  return (void)s, (void)n, json_seek_scalar(k, 0);
}

/* Handles a name in an object on the path, or in the list; it may need unescaping. */
FL_NOINLINE int json_seek_name_(struct json_seek *k, struct json_string name, const char *p, int plain) {
  if (plain && memchr(name.s, '\\', name.n) && !json_read_string(&k->scan, p + 1, &name)) return 0;
  if (json_seek_in_list(k)) {
    k->name = name;
    return 1;
  }
  const struct json_token *t = &k->tokens[k->on_path - 1];
  if (t->n != name.n || memcmp(t->name, name.s, name.n) != 0) return 1;
  if (k->reached >= k->on_path) return json_scan_error(&k->scan, JSON_CHECK_DUPLICATE, p) != NULL;
  k->reached = k->on_path;
  k->next = 1;
  return 1;
}

FL_INLINE int json_seek_name(struct json_seek *k, struct json_string name, const char *p, int plain) {
  return FL_LIKELY(k->scan.depth != k->on_path) ? 1 : json_seek_name_(k, name, p, plain);
}

/* Pauses the scan when the list begins. */
FL_INLINE void json_seek_open(struct json_seek *k, enum scan_container kind) {
  const uint32_t depth = k->scan.depth - 1;
  const int leads = FL_UNLIKELY(depth == k->on_path) && json_seek_leads(k, depth);
  FL_ASSERT(k->on_path <= k->scan.depth && k->scan.depth <= k->scan.max_depth);
  fl_set_bit(k->objects, depth, kind == SCAN_OBJECT);
  if (FL_LIKELY(depth != k->on_path)) return;
  k->next = 0;
  k->items++;
  if (!leads) return;
  k->reached = depth;
  k->on_path = depth + 1;
  k->items = 0;
  if (!json_seek_in_list(k)) return;
  k->found = 1;
  k->scan.stop = k->scan.begin;
}

FL_INLINE enum scan_container json_seek_close(struct json_seek *k, enum scan_container kind) {
  if (k->on_path > k->scan.depth) k->on_path = k->scan.depth;
  return (void)kind, json_container_at(k->objects, k->scan.depth);
}

FL_INLINE const char *json_seek_scan_string(struct json_seek *k, const char *p, struct json_string *out) {
  int strict;
  const char *q = json_span_string(&k->scan, p, out, &strict);
  if (FL_LIKELY((size_t)((q ? q - 1 : k->scan.at) - (p - 1)) < k->most)) return q;
  return json_scan_error(&k->scan, JSON_CHECK_LENGTH, p - 1 + k->most);
}

FL_INLINE const char *json_seek_scan_number(struct json_seek *k, const char *p, struct num_value *v) {
  const char *q = json_span_number(p, k->scan.end, v);
  k->is_long = (size_t)(q - p) + (v->kind == NUM_BAD) > k->most;
  if (FL_UNLIKELY(k->is_long)) v->kind = NUM_INTEGER;
  return q;
}

#define SCAN_NAME json_seek_scan_
#define SCAN_SINK struct json_seek
#define SCAN_STRING(j, p, out) json_seek_scan_string(k, p, out)
#define SCAN_NUMBER(p, end, v) json_seek_scan_number(k, p, v)
#define SCAN_PARTS 1
#define SCAN(event) json_seek_##event
#include "../grammar/scan_template.h"

FL_PRIVATE const char *json_seek(struct json_seek *k, const char *p) {
  k->scan.cut = 0;
  k->scan.error = JSON_CHECK_OK;
  k->name.s = NULL;
  k->is_long = 0;
  if (json_seek_in_list(k)) k->scan.stop = k->scan.begin;
  p = json_seek_scan_(k, &k->scan, p);
  if (p && !k->found) return json_scan_error(&k->scan, JSON_CHECK_NOWHERE, p);
  return p;
}
