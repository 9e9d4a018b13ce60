/* SPDX-License-Identifier: MIT */
#include "build.h"
#include "../grammar/scan.h"

FL_PRIVATE const char *json_build_may_put(const struct json_build *b) {
  if (FL_UNLIKELY(b->ended)) return "a text holds one value only";
  return FL_UNLIKELY(json_build_in_object(b) && !b->has_key) ? "a value in an object needs a key" : NULL;
}

FL_PRIVATE const char *json_build_may_put_key(const struct json_build *b) {
  if (FL_UNLIKELY(!json_build_in_object(b))) return "a key belongs in an object";
  return FL_UNLIKELY(b->has_key) ? "a key needs a value" : NULL;
}

/* Writes the comma before the next value or key, if needed. Returns where it begins, or NULL if out of memory. */
static char *json_build_at(const struct json_build *b, size_t n) {
  char *w = json_reserve(b->out, b->out->buffer.begin + b->used, n + JSON_TEXT_ROOM);
  if (w && !b->first && !b->has_key) *w++ = ',';
  return w;
}

/* Writes a string after the comma. Returns its end, or NULL. */
FL_NOINLINE char *json_build_quoted(const struct json_build *b, const char *s, size_t n) {
  char *w = json_build_at(b, 0);
  return w ? json_write_string_styled(b->out, w, s, n, (int)b->out->style->escape) : NULL;
}

/* Ends a value at w; NULL if writing it failed. */
static const char *json_build_value(struct json_build *b, const char *w) {
  if (FL_UNLIKELY(!w)) return json_build_failed;
  b->used = (size_t)(w - b->out->buffer.begin);
  b->first = b->has_key = 0;
  b->ended = b->depth == 0;
  return NULL;
}

FL_PRIVATE const char *json_build_open(struct json_build *b, int is_object) {
  const char *wrong = json_build_may_put(b);
  char *w;
  if (FL_UNLIKELY(wrong != NULL)) return wrong;
  if (FL_UNLIKELY(b->depth >= b->out->style->max_depth)) return "nesting too deep";
  if (!(w = json_build_at(b, 1))) return json_build_failed;
  *w++ = is_object ? '{' : '[';
  b->used = (size_t)(w - b->out->buffer.begin);
  fl_set_bit(b->objects, b->depth++, is_object);
  b->first = 1;
  b->has_key = 0;
  return NULL;
}

FL_PRIVATE const char *json_build_close(struct json_build *b, int is_object) {
  char *w;
  if (FL_UNLIKELY(b->depth == 0)) return "no array or object is open";
  if (FL_UNLIKELY(is_object >= 0 && json_build_in_object(b) != is_object))
    return is_object ? "an array is open, not an object" : "an object is open, not an array";
  if (FL_UNLIKELY(b->has_key)) return "a key needs a value";
  if (!(w = json_reserve(b->out, b->out->buffer.begin + b->used, JSON_TEXT_ROOM))) return json_build_failed;
  *w++ = json_build_in_object(b) ? '}' : ']';
  b->depth--;
  return json_build_value(b, w);
}

FL_PRIVATE const char *json_build_key(struct json_build *b, const char *s, size_t n) {
  const char *wrong = json_build_may_put_key(b);
  if (FL_UNLIKELY(wrong != NULL)) return wrong;
  char *w = json_build_quoted(b, s, n);
  if (FL_UNLIKELY(!w)) return json_build_failed;
  *w++ = ':';
  b->used = (size_t)(w - b->out->buffer.begin);
  b->has_key = 1;
  return NULL;
}

FL_PRIVATE const char *json_build_string(struct json_build *b, const char *s, size_t n) {
  const char *wrong = json_build_may_put(b);
  return FL_UNLIKELY(wrong != NULL) ? wrong : json_build_value(b, json_build_quoted(b, s, n));
}

FL_PRIVATE const char *json_build_integer(struct json_build *b, int64_t i) {
  const char *wrong = json_build_may_put(b);
  if (FL_UNLIKELY(wrong != NULL)) return wrong;
  char *w = json_build_at(b, JSON_NUMBER_ROOM);
  return json_build_value(b, w ? json_write_integer_styled(b->out, w, i) : NULL);
}

FL_PRIVATE const char *json_build_double(struct json_build *b, double d) {
  const char *wrong = json_build_may_put(b);
  if (FL_UNLIKELY(wrong != NULL)) return wrong;
  char *w = json_build_at(b, JSON_NUMBER_ROOM);
  return json_build_value(b, w ? json_write_double_styled(b->out, w, d) : NULL);
}

FL_PRIVATE const char *json_build_text(struct json_build *b, const char *s, size_t n) {
  const char *wrong = json_build_may_put(b);
  char *w;
  if (FL_UNLIKELY(wrong != NULL)) return wrong;
  if (!(w = json_build_at(b, n))) return json_build_failed;
  memcpy(w, s, n);
  return json_build_value(b, w + n);
}

FL_PRIVATE const char *json_build_finish(const struct json_build *b) {
  if (FL_UNLIKELY(b->depth > 0)) return json_build_in_object(b) ? "an object is still open" : "an array is still open";
  return FL_UNLIKELY(!b->ended) ? "no value was written" : NULL;
}

FL_PRIVATE int json_build_is_number(const char *s, size_t n) {
  struct num_value v;
  return json_span_number(s, s + n, &v) == s + n && v.kind != NUM_BAD;
}
