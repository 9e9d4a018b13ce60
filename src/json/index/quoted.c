/* SPDX-License-Identifier: MIT */
#include "quoted.h"
#include "locate.h"

FL_PRIVATE const char *json_after_string(const char *p, const char *end) {
  const char *q = p;
  for (;;) {
    const char *back;
    q = (const char *)memchr(q + 1, '"', (size_t)(end - q - 1));
    if (FL_UNLIKELY(!q)) return end;
    for (back = q; back[-1] == '\\'; back--) continue;
    if (FL_LIKELY((q - back) % 2 == 0)) return q + 1;
  }
}

FL_PRIVATE int json_step_is_name(const struct json_step *step, const char *s, size_t n) {
  static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
  const char *end = s + n, *name = step->name, *name_end = name + step->n;
  if (!memchr(s, '\\', n)) return n == step->n && memcmp(s, name, n) == 0;
  while (s < end) {
    char character[4], *w = character;
    if (*s != '\\') {
      *w++ = *s++;
    } else if (s[1] == 'u') {
      int c = json_check_hex(s + 2, end), low;
      if (c < 0) return 0;
      s += 6;
      low = (c & ~0x3ff) == 0xd800 && s[0] == '\\' && s[1] == 'u' ? json_check_hex(s + 2, end) : -1;
      if ((low & ~0x3ff) == 0xdc00) c = 0x10000 + ((c & 0x3ff) << 10) + (low & 0x3ff), s += 6;
      w = text_put_utf8(w, (uint32_t)c);
    } else {
      const char *short_one = strchr(from, s[1]);
      *w++ = short_one ? to[short_one - from] : s[1];
      s += 2;
    }
    if (name_end - name < w - character || memcmp(name, character, (size_t)(w - character)) != 0) return 0;
    name += w - character;
  }
  return name == name_end;
}

FL_PRIVATE int json_is_value(const struct json_slice *s, const char *end, uint32_t max_depth, unsigned char *containers,
                             unsigned cpu, text_utf8_fn utf8) {
  const size_t n = (size_t)(s->end - s->begin);
  struct json_string string;
  struct json_scan j;
  int strict;
  switch (*s->begin) {
  case '{':
  case '[': return json_is_text(s->begin, n, max_depth, containers, cpu);
  case '"':
    memset(&j, 0, sizeof j);
    j.begin = s->begin;
    j.end = end;
    j.utf8 = utf8;
    return json_span_string(&j, s->begin + 1, &string, &strict) == s->end;
  case 't':
  case 'n': return n == 4 && memcmp(s->begin, *s->begin == 't' ? "true" : "null", 4) == 0;
  case 'f': return n == 5 && memcmp(s->begin, "false", 5) == 0;
  default: return *s->begin == '-' || json_is_digit(*s->begin) ? -1 : 0;
  }
}
