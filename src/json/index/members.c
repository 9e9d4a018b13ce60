/* SPDX-License-Identifier: MIT
** members.c -- tests a short text of strict JSON and lists the members of its outermost container in the same pass.
** Must hold: as members.h. First vectors find the bytes of the whole text that may end a string; then a string takes a
** few instructions, whatever its length. */
#include "members.h"

#include "../../base/bits.h"
#include "../../text/blocks.h"
#include "../grammar/scan.h"
#include "scalar.h"

struct json_members_text {
  const char *begin, *end;
  uint64_t high; /* not 0 if a string has bytes of 0x80 and above */
  int has_escapes;
  uint64_t stops[JSON_MEMBERS_BYTES / 64]; /* bits for quotes, backslashes, control bytes, and the last byte */
};

#define JSON_S_BYTES TEXT_LEAST_VECTOR
#include "stops_template.h"
#if FLEECE_WIDE
#define JSON_S_BYTES 32
#include "stops_template.h"
#endif
#if FLEECE_WIDEST
#define JSON_S_BYTES 64
#include "stops_template.h"
#endif

/* Sets t->stops and t->high. */
FL_INLINE void json_members_find_stops(struct json_members_text *t, unsigned cpu) {
  (void)cpu;
#if FLEECE_WIDEST
  if (cpu & TEXT_CPU_WIDEST) {
    t->high = json_stops_find_64(t->stops, t->begin, t->end);
    return;
  }
#endif
#if FLEECE_WIDE
  if (cpu & TEXT_CPU_WIDE) {
    t->high = json_stops_find_32(t->stops, t->begin, t->end);
    return;
  }
#endif
  t->high = FL_PASTE(json_stops_find, TEXT_LEAST_VECTOR)(t->stops, t->begin, t->end);
}

/* Returns the first quote, backslash or control byte from p on, or the last byte of the text, a bracket. */
FL_INLINE const char *json_members_plain(const struct json_members_text *t, const char *p) {
  const size_t at = (size_t)(p - t->begin);
  const uint64_t *stops = &t->stops[at / 64];
  uint64_t bits = *stops >> at % 64;
  FL_ASSERT(p < t->end);
  if (FL_LIKELY(bits != 0)) return p + fl_trailing_zeros(bits);
  while ((bits = *++stops) == 0) continue;
  return t->begin + (size_t)(stops - t->stops) * 64 + fl_trailing_zeros(bits);
}

/* Skips the escapes and plain characters of a string from the backslash p on. */
FL_NOINLINE const char *json_members_escapes_(struct json_members_text *t, const char *p) {
  t->has_escapes = 1;
  while (*p == '\\') {
    if (text_short_escape(p[1])) p += 2;
    else if (json_check_escape(&p, t->end)) break;
    p = json_members_plain(t, p);
  }
  return p;
}

/* Returns the closing quote of the string at p, or the byte where it is invalid. Sets *escapes if it has some. */
FL_INLINE const char *json_members_string(struct json_members_text *t, const char *p, int *escapes) {
  p = json_members_plain(t, p + 1);
  if (FL_UNLIKELY(*p == '\\')) {
    *escapes = 1;
    p = json_members_escapes_(t, p);
  }
  return p;
}

FL_INLINE const char *json_members_skip_blanks(const char *p) {
  if (FL_LIKELY((unsigned char)*p > ' ')) return p;
  return json_skip_blanks(p);
}

/* Returns the value after the name whose closing quote is given, or NULL if no colon follows. */
FL_INLINE const char *json_members_colon(const char *quote) {
  const char *p = json_members_skip_blanks(quote + 1);
  return FL_LIKELY(*p == ':') ? json_members_skip_blanks(p + 1) : NULL;
}

/* Returns the byte after the string, number or word at p, or NULL if it is invalid. */
FL_INLINE const char *json_members_scalar(struct json_members_text *t, const char *p) {
  int escapes;
  if (*p != '"') return json_index_scalar(p, t->end);
  p = json_members_string(t, p, &escapes);
  return FL_LIKELY(*p == '"') ? p + 1 : NULL;
}

/* Returns the byte after the container at p, which may contain max_depth levels. NULL if it is invalid, or the text
** ends with it. */
FL_NOINLINE const char *json_members_container_(struct json_members_text *t, const char *p, uint32_t max_depth) {
  uint64_t objects = 0; /* bit n: the container n levels around the innermost one is an object */
  uint32_t depth = 0;
  int escapes;
  FL_ASSERT(max_depth < 64);
open:
  if (depth++ == max_depth) return NULL;
  objects = objects << 1 | (*p == '{');
  p = json_members_skip_blanks(p + 1);
  if ((*p | 0x20) == '}') goto close;
begin:
  if (objects & 1) {
    if (*p != '"') return NULL;
    p = json_members_string(t, p, &escapes);
    if (*p != '"' || !(p = json_members_colon(p))) return NULL;
  }
  if ((*p | 0x20) == '{') goto open;
  if (!(p = json_members_scalar(t, p))) return NULL;
next:
  p = json_members_skip_blanks(p);
  if (*p == ',') {
    p = json_members_skip_blanks(p + 1);
    goto begin;
  }
close:
  if (*p++ != (objects & 1 ? '}' : ']') || p == t->end) return NULL;
  objects >>= 1;
  if (--depth) goto next;
  return p;
}

/* Indices of a member's numbers, in the order of its struct. */
enum { JSON_MEMBER_NAME, JSON_MEMBER_NAME_LENGTH, JSON_MEMBER_BEGIN, JSON_MEMBER_END };

FL_INLINE void json_members_put(const struct json_members *k, uint32_t i, int which, ptrdiff_t n, const int is_short) {
  if (is_short) ((uint8_t *)k->items)[4 * i + (uint32_t)which] = (uint8_t)n;
  else ((uint32_t *)k->items)[4 * i + (uint32_t)which] = (uint32_t)n;
}

/* Like json_read_members, but does not test UTF-8 and the depth of the container itself. */
FL_INLINE int json_members_scan(struct json_members *k, struct json_members_text *t, uint32_t max_depth,
                                const int is_short) {
  const char *p = json_members_skip_blanks(t->begin + 1), *const begin = t->begin;
  const int is_object = *begin == '{';
  const uint32_t room = k->room;
  uint32_t i = 0;
  int escapes = 0, lost = 0;
  if ((*p | 0x20) == '}') goto close;
  for (;;) {
    if (FL_UNLIKELY(i == room)) lost = 1, i = 0; /* later entries do not matter */
    if (is_object) {
      if (*p != '"') return 0;
      const char *quote = json_members_string(t, p, &escapes);
      json_members_put(k, i, JSON_MEMBER_NAME, p + 1 - begin, is_short);
      json_members_put(k, i, JSON_MEMBER_NAME_LENGTH, quote - p - 1, is_short);
      if (*quote != '"' || !(p = json_members_colon(quote))) return 0;
    }
    json_members_put(k, i, JSON_MEMBER_BEGIN, p - begin, is_short);
    p = (*p | 0x20) == '{' ? json_members_container_(t, p, max_depth) : json_members_scalar(t, p);
    if (!p) return 0;
    json_members_put(k, i, JSON_MEMBER_END, p - begin, is_short);
    i++;
    p = json_members_skip_blanks(p);
    if (*p != ',') break;
    p = json_members_skip_blanks(p + 1);
  }
close:
  k->lost = lost || escapes;
  k->count = i;
  return *p == (is_object ? '}' : ']') && p + 1 == t->end;
}

FL_PRIVATE int json_read_members(struct json_members *k, const char *s, const char *end, uint32_t max_depth,
                                 unsigned cpu) {
  struct json_members_text t;
  const size_t n = (size_t)(end - s);
  FL_ASSERT(end > s && (*s | 0x20) == '{' && k->room > 0);
  FL_ASSERT(!k->is_short || n <= JSON_MEMBERS_SHORT);
  if (n > JSON_MEMBERS_BYTES || (end[-1] | 0x20) != '}') return 0;
  t.begin = s;
  t.end = end;
  t.has_escapes = 0;
  json_members_find_stops(&t, cpu);
  t.stops[(n - 1) / 64] |= (uint64_t)1 << (n - 1) % 64;
  if (!max_depth) return 0;
  if (max_depth > JSON_MEMBERS_DEPTH) max_depth = JSON_MEMBERS_DEPTH;
  if (!(k->is_short ? json_members_scan(k, &t, max_depth - 1, 1) : json_members_scan(k, &t, max_depth - 1, 0)))
    return 0;
  k->has_escapes = t.has_escapes;
  return FL_LIKELY(!t.high) || text_utf8_pick(cpu)(s, n) == n;
}
