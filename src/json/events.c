/* SPDX-License-Identifier: MIT */
#include "events.h"

FL_PRIVATE void json_events_begin(struct json_events *k) {
  k->scan.in = SCAN_ROOT;
  k->scan.expected = JSON_EXPECT_VALUE;
  k->scan.depth = 0;
  k->count = 0;
}

FL_INLINE struct json_event *json_events_add(struct json_events *k, enum json_event_kind kind) {
  struct json_event *e = &k->event[k->count++];
  FL_ASSERT(k->count <= JSON_EVENTS);
  e->kind = (unsigned char)kind;
  e->depth = k->scan.depth;
  return e;
}

FL_INLINE int json_events_null(struct json_events *k) { return json_events_add(k, JSON_EVENT_NULL), 1; }

FL_INLINE int json_events_boolean(struct json_events *k, int b) {
  return json_events_add(k, b ? JSON_EVENT_TRUE : JSON_EVENT_FALSE), 1;
}

/* Returns the length of the JSON5 number at p if it is also one of strict JSON, else 0. */
FL_NOINLINE size_t json_events_strict_digits_(const char *p, const char *end) {
  struct num_value v;
  const char *q = json_span_number(p, end, &v);
  if (v.kind == NUM_BAD || json_is_number_byte(*q) || json_is_letter(*q)) return 0;
  return (size_t)(q - p);
}

FL_INLINE void json_events_set_digits(const struct json_events *k, struct json_event *e) {
  e->s = k->scan.at;
  e->n = FL_LIKELY(k->number == k->scan.at) ? (size_t)(k->number_end - k->number)
                                            : json_events_strict_digits_(k->scan.at, k->scan.end);
}

FL_INLINE int json_events_number(struct json_events *k, const char *text, size_t n, const struct num_value *v) {
  const int is_integer = v->kind == NUM_INTEGER;
  struct json_event *e = json_events_add(k, is_integer            ? JSON_EVENT_INTEGER
                                            : v->kind == NUM_HUGE ? JSON_EVENT_HUGE
                                                                  : JSON_EVENT_DOUBLE);
  (void)text, (void)n;
  if (is_integer) e->is.i = v->i;
  else e->is.d = v->d;
  json_events_set_digits(k, e);
  return 1;
}

FL_INLINE int json_events_put_string(struct json_events *k, enum json_event_kind kind, const char *s, size_t n,
                                     const char *p) {
  struct json_event *e = json_events_add(k, kind);
  e->plain = (unsigned char)k->plain;
  e->s = FL_LIKELY(k->plain) ? s : p;
  e->n = n;
  k->plain = 0;
  return 1;
}

FL_INLINE int json_events_string(struct json_events *k, const char *s, size_t n) {
  return json_events_put_string(k, JSON_EVENT_STRING, s, n, k->scan.at);
}

FL_INLINE int json_events_name(struct json_events *k, struct json_string name, const char *p, int plain) {
  return (void)plain, json_events_put_string(k, JSON_EVENT_KEY, name.s, name.n, p);
}

FL_INLINE void json_events_open(struct json_events *k, enum scan_container kind) {
  struct json_event *e = json_events_add(k, kind == SCAN_OBJECT ? JSON_EVENT_OBJECT : JSON_EVENT_ARRAY);
  e->depth--;
  fl_set_bit(k->objects, e->depth, kind == SCAN_OBJECT);
}

FL_INLINE enum scan_container json_events_close(struct json_events *k, enum scan_container kind) {
  json_events_add(k, JSON_EVENT_END);
  return (void)kind, json_container_at(k->objects, k->scan.depth);
}

/* Like json_scan_string; records whether the string is plain. */
FL_INLINE const char *json_events_scan_string(struct json_events *k, const char *p, struct json_string *out) {
  const char *q = json_read_string(&k->scan, p, out);
  k->plain = q && out->s == p;
  return q;
}

FL_INLINE const char *json_events_scan_number(struct json_events *k, const char *p, struct num_value *v) {
  const char *q = num_read(p, k->scan.end, v);
  k->number = v->kind == NUM_BAD ? NULL : p; /* another grammar may have it */
  k->number_end = q;
  return q;
}

#define SCAN_NAME json_events_scan_
#define SCAN_SINK struct json_events
#define SCAN_STRING(j, p, out) json_events_scan_string(k, p, out)
#define SCAN_NUMBER(p, end, v) json_events_scan_number(k, p, v)
#define SCAN_CALLS
#define SCAN_PARTS 1
#define SCAN(event) json_events_##event
#include "grammar/scan_template.h"

FL_PRIVATE const char *json_events_scan(struct json_events *k, const char *p) {
  k->scan.cut = 0;
  k->scan.error = JSON_CHECK_OK;
  k->count = 0;
  k->plain = 0;
  k->number = NULL;
  return json_events_scan_(k, &k->scan, p);
}

FL_PRIVATE int json_events_unescape(struct json_events *k, const struct json_event *e, struct json_string *out) {
  struct json_lenient_value v;
  if (*e->s == '"') return json_scan_string(&k->scan, e->s + 1, out) != NULL;
  if (e->kind == JSON_EVENT_KEY) return json_lenient_name(&k->scan, e->s, out) != NULL;
  if (!json_lenient_value(&k->scan, e->s, &v)) return 0;
  *out = v.string;
  return 1;
}
