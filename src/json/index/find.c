/* SPDX-License-Identifier: MIT */
#include "find.h"

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

/* The byte after the value at p. */
static const char *json_find_after(const char *p, const char *end) {
  size_t depth = 0;
  while (p < end) {
    switch (*p) {
    case '"': p = json_after_string(p, end); break;
    case '[':
    case '{': depth++, p++; continue;
    case ']':
    case '}': depth--, p++; break;
    case ',':
    case ':': p++; continue;
    default:
      while (p < end && *p != ',' && *p != ']' && *p != '}') p++;
    }
    if (depth == 0) return p;
  }
  return end;
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
      low = (c & ~0x3ff) == 0xd800 && end - s >= 6 && s[0] == '\\' && s[1] == 'u' ? json_check_hex(s + 2, end) : -1;
      if ((low & ~0x3ff) == 0xdc00) c = 0x10000 + ((c & 0x3ff) << 10) + (low & 0x3ff), s += 6;
      w = json_put_utf8(w, (uint32_t)c);
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

/* The number of items of the array at p. */
static int64_t json_find_count(const char *p, const char *end) {
  int64_t n = 0;
  for (p++; p < end && *p != ']'; n++) {
    p = json_find_after(p, end);
    p += p < end && *p == ',';
  }
  return n;
}

/* Goes one step from the value `from`; false: there is no such value. */
static int json_find_step(const struct json_slice *from, const struct json_step *step, struct json_slice *to) {
  const char *p = from->begin, *end = from->end;
  const int is_object = *p == '{';
  int64_t left = step->index;
  int found = 0;
  if (is_object ? !step->name : *p != '[' || !step->indexes) return 0;
  if (!is_object && left < 0) left += json_find_count(p, end);
  if (!is_object && left < 0) return 0;
  for (p++; p < end && *p != '}' && *p != ']'; p += p < end && *p == ',') {
    const char *name = p;
    int leads;
    if (is_object) {
      p = json_after_string(p, end);
      leads = json_step_is_name(step, name + 1, (size_t)(p - name) - 2);
      p++; /* the colon */
    } else {
      leads = left-- == 0;
    }
    name = p;
    p = json_find_after(p, end);
    if (!leads) continue;
    to->begin = name, to->end = p, found = 1;
    if (!is_object) return 1;
  }
  return found;
}

FL_PRIVATE int json_find(struct json_slice *slice, const struct json_step *steps, size_t count) {
  size_t i;
  for (i = 0; i < count; i++)
    if (slice->begin == slice->end || !json_find_step(slice, &steps[i], slice)) return 0;
  return slice->begin < slice->end;
}
