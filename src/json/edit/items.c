/* SPDX-License-Identifier: MIT
** items.c -- reads the items of a container one by one, without reading their contents.
** Must hold: as items.h. */
#include "items.h"

#include "../index/locate.h"

enum { JSON_EDIT_TESTED = 1024 }; /* depth of values tested by vectors, whose memory is on the C stack */

static const char *json_edit_text_error(struct json_edit *e, int error, const char *at) {
  if (error) (void)json_scan_error(&e->scan, error, at);
  return (const char *)json_edit_fail(e, e->scan.error == JSON_CHECK_MEMORY ? JSON_EDIT_MEMORY : JSON_EDIT_TEXT,
                                      e->scan.at);
}

/* Reports an unexpected end of the text, or another error. */
static const char *json_edit_unexpected(struct json_edit *e, int error, const char *at) {
  (void)json_scan_unexpected(&e->scan, error, at);
  return json_edit_text_error(e, 0, NULL);
}

FL_PRIVATE void json_edit_read_from(struct json_edit *e, const struct json_edit_list *l) {
  e->scan.begin = l->source.begin;
  e->scan.end = l->source.end;
  e->scan.grammar = l->is_strict ? 0 : e->grammar;
}

FL_PRIVATE const char *json_edit_skip_space(struct json_edit *e, const char *p) {
  p = json_skip_space(&e->scan, p);
  return FL_LIKELY(p != NULL) ? p : json_edit_text_error(e, 0, NULL);
}

/* Returns the byte after the string at p, which begins with a quote; NULL if it does not end. */
static const char *json_edit_after_string(const char *p, const char *end) {
  const char quote = *p;
  for (p++; p < end && *p != quote; p++) p += *p == '\\';
  return p < end ? p + 1 : NULL;
}

FL_INLINE int json_edit_is_word(char c) {
  return json_is_letter(c) || json_is_digit(c) || c == '-' || c == '+' || c == '.';
}

/* Returns the byte after the array or object at p; NULL if it does not end, or has more than `most` levels. */
static const char *json_edit_after_container(struct json_edit *e, const char *p, size_t most) {
  const char *end = e->scan.end;
  const unsigned grammar = e->scan.grammar;
  size_t depth = 0;
  while (p < end) {
    switch (*p) {
    case '\'':
      if (!(grammar & JSON_JSON5)) break;
      /* fall through */
    case '"':
      if (!(p = json_edit_after_string(p, end))) return json_edit_text_error(e, JSON_CHECK_END, end);
      continue;
    case '[':
    case '{':
      if (depth++ == most) return json_edit_text_error(e, JSON_CHECK_DEPTH, p);
      break;
    case ']':
    case '}':
      if (--depth > 0) break;
      return p + 1;
    case '/': {
      const char *q = p;
      if ((grammar & JSON_WIDE_SPACE) && !(q = json_lenient_space(&e->scan, p)))
        return json_edit_text_error(e, 0, NULL);
      if (q == p) break;
      p = q;
      continue;
    }
    default: break;
    }
    p++;
  }
  return json_edit_text_error(e, JSON_CHECK_END, end);
}

/* json_edit_after_value for any grammar. */
static const char *json_edit_after_any(struct json_edit *e, const char *p) {
  const char *end = e->scan.end, *q;
  if (*p == '[' || *p == '{') return json_edit_after_container(e, p, SIZE_MAX);
  if (*p == '"' || (*p == '\'' && (e->scan.grammar & JSON_JSON5))) {
    q = json_edit_after_string(p, end);
    return q ? q : json_edit_text_error(e, JSON_CHECK_END, end);
  }
  for (q = p; json_edit_is_word(*q);) q++;
  return q > p ? q : json_edit_unexpected(e, JSON_CHECK_VALUE, p);
}

FL_PRIVATE const char *json_edit_after_value(struct json_edit *e, const char *p) {
  const char *end = e->scan.end;
  if (FL_UNLIKELY(e->scan.grammar & JSON_WIDE_SPACE) || (*p != '"' && *p != '[' && *p != '{'))
    return json_edit_after_any(e, p);
  p = json_after_value(p, end, e->cpu, NULL);
  return FL_LIKELY(p <= end) ? p : json_edit_text_error(e, JSON_CHECK_END, end);
}

FL_PRIVATE int json_edit_fits(struct json_edit *e, struct json_slice value, unsigned grammar, size_t level) {
  unsigned char containers[JSON_CONTAINERS(JSON_EDIT_TESTED)];
  const struct json_scan scan = e->scan;
  const char *p = value.begin;
  const size_t n = json_slice_length(value), most = scan.max_depth > level ? scan.max_depth - level : 0;
  if (n / 2 <= most) return 1;
  while (json_is_blank(*p)) p++; /* a raw value may have blanks around it */
  if (*p != '[' && *p != '{') return 1;
  if (most <= JSON_EDIT_TESTED && json_is_text(value.begin, n, (uint32_t)most, containers, e->cpu)) return 1;
  e->scan.begin = p;
  e->scan.end = value.end;
  e->scan.grammar = grammar;
  p = json_edit_after_container(e, p, most);
  e->scan = scan;
  e->error = JSON_EDIT_OK;
  return p != NULL;
}

/* Returns the byte after the name at p. */
static const char *json_edit_after_name(struct json_edit *e, const char *p) {
  struct json_string name;
  if (FL_LIKELY(*p == '"')) return json_edit_after_value(e, p);
  p = json_lenient_name(&e->scan, p, &name);
  return p ? p : json_edit_text_error(e, 0, NULL);
}

/* Returns whether the token means the bytes between its quotes. */
static int json_edit_is_plain(const struct json_edit *e, struct json_slice token) {
  return *token.begin == '"' && !memchr(token.begin, '\\', json_slice_length(token)) &&
         (e->scan.bad_text == JSON_BAD_ERROR || e->scan.bad_text == JSON_BAD_PASS);
}

/* Reads a name with escapes into the scratch. It may come from the text or from a change, whichever list was read last:
** the text's grammar reads both. */
FL_NOINLINE int json_edit_unescape_(struct json_edit *e, struct json_slice token, struct json_string *name) {
  const char *begin = e->scan.begin, *end = e->scan.end, *p;
  const unsigned grammar = e->scan.grammar;
  e->scan.begin = token.begin;
  e->scan.end = token.end;
  e->scan.grammar = e->grammar;
  p = *token.begin == '"' ? json_scan_string(&e->scan, token.begin + 1, name)
                          : json_lenient_name(&e->scan, token.begin, name);
  e->scan.begin = begin;
  e->scan.end = end;
  e->scan.grammar = grammar;
  return p || json_edit_text_error(e, 0, NULL);
}

FL_PRIVATE int json_edit_is_name(struct json_edit *e, struct json_slice token, const char *s, size_t n) {
  struct json_string name;
  if (FL_LIKELY(json_edit_is_plain(e, token)))
    return json_slice_length(token) == n + 2 && memcmp(token.begin + 1, s, n) == 0;
  if (!json_edit_unescape_(e, token, &name)) return -1;
  return name.n == n && memcmp(name.s, s, n) == 0;
}

FL_PRIVATE int json_edit_read_name(struct json_edit *e, struct json_slice token, struct json_slice *name) {
  struct json_string unescaped;
  if (FL_LIKELY(json_edit_is_plain(e, token))) {
    *name = json_slice_of(token.begin + 1, token.end - 1);
    return 1;
  }
  if (!json_edit_unescape_(e, token, &unescaped)) return 0;
  return json_edit_keep(e, unescaped.s, unescaped.n, name);
}

FL_PRIVATE int json_edit_read_item(struct json_edit *e, const struct json_edit_list *l, const char *p, const char *end,
                                   struct json_edit_item *item) {
  item->begin = p;
  item->name = item->name_end = NULL;
  if (!(p = json_edit_skip_space(e, p))) return 0;
  if (l->is_object) {
    item->name = p;
    if (!(p = json_edit_after_name(e, p))) return 0;
    item->name_end = p;
    if (!(p = json_edit_skip_space(e, p))) return 0;
    if (FL_UNLIKELY(*p != ':')) return json_edit_unexpected(e, JSON_CHECK_COLON, p) != NULL;
    if (!(p = json_edit_skip_space(e, p + 1))) return 0;
  }
  item->value = p;
  if (!(p = json_edit_after_value(e, p))) return 0;
  item->value_end = p;
  if (!(p = json_edit_skip_space(e, p))) return 0;
  item->end = p;
  if (FL_LIKELY(p == end) || (FL_LIKELY(*p == ',') && p < end)) return 1;
  if (*p == (l->is_object ? '}' : ']')) return json_edit_text_error(e, JSON_CHECK_AFTER, p + 1) != NULL;
  return json_edit_unexpected(e, l->is_object ? JSON_CHECK_OBJECT : JSON_CHECK_ARRAY, p) != NULL;
}
