/* SPDX-License-Identifier: MIT
** A key path: ['$'] step ... step: '.' name | '[' integer ']'; the first name needs no dot. A backslash takes the
** next byte literally. A dot may begin a path; '.' and '$' alone lead to the root. Other empty names are errors, or
** "$..name" of JSONPath would be a member of the root. Where no step follows it, '$' is part of a name: "$ref"
** (docs/format.md). */
#include "path.h"

FL_PRIVATE int bin_path_is_plain(const char *name, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const char c = name[i];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) return 0;
  }
  return n > 0;
}

/* Reads the integer at *p and the ']' after it. Returns 0 if there is none, or it does not fit 32 bits. */
static int bin_path_index(const char **p, const char *end, int32_t *out) {
  const char *q = *p;
  const int negative = q < end && *q == '-';
  int64_t x = 0;
  const char *digits = q += negative;
  for (; q < end && *q >= '0' && *q <= '9' && x <= INT32_MAX; q++) x = 10 * x + (*q - '0');
  if (q == digits || q == end || *q != ']' || x - negative > INT32_MAX) return 0;
  *p = q + 1;
  *out = (int32_t)(negative ? -x : x);
  return 1;
}

FL_PRIVATE ptrdiff_t bin_path_compile(const char *s, size_t n, struct bin_step *steps, char *names, size_t *where) {
  const char *p = s, *end = s + n, *dot;
  ptrdiff_t count = 0;
  if (n == 0) goto bad;
  p += *p == '$' && (n == 1 || p[1] == '.' || p[1] == '[');
  while (p < end) {
    struct bin_step *step = &steps[count];
    FL_ASSERT((size_t)count <= n);
    if (*p == '[') {
      const char *q = p + 1;
      if (!bin_path_index(&q, end, &step->index) || (q < end && *q != '.' && *q != '[')) goto bad;
      p = q;
      step->name = NULL;
      step->n = 0;
      count++;
      continue;
    }
    dot = p;
    p += *p == '.';
    step->name = names;
    step->index = 0;
    while (p < end && *p != '.' && *p != '[') {
      if (*p == '\\' && ++p == end) goto bad;
      *names++ = *p++;
    }
    step->n = (size_t)(names - step->name);
    if (step->n == 0 && (dot > s || (p < end && *p == '.'))) goto bad;
    count += step->n > 0;
  }
  return count;
bad:
  *where = (size_t)(p - s);
  return -1;
}

/* Decodes a token (~0 is '~', ~1 is '/') into `out`, which must have room for n bytes. Returns its length, or -1. */
static ptrdiff_t bin_pointer_unescape(const char *s, size_t n, char *out) {
  char *w = out;
  for (size_t i = 0; i < n; i++) {
    if (s[i] != '~') {
      *w++ = s[i];
      continue;
    }
    if (++i == n || (s[i] != '0' && s[i] != '1')) return -1;
    *w++ = s[i] == '0' ? '~' : '/';
  }
  return w - out;
}

FL_PRIVATE int bin_pointer_is_valid(const char *s, size_t n) {
  if (n > 0 && s[0] != '/') return 0;
  for (size_t i = 0; i < n; i++)
    if (s[i] == '~' && (i + 1 == n || (s[i + 1] != '0' && s[i + 1] != '1'))) return 0;
  return 1;
}

FL_PRIVATE bin_value bin_pointer_follow(const struct bin_doc *d, bin_value v, const char *s, size_t n, char *scratch) {
  const char *end = s + n;
  while (s < end && v) {
    const char *token = ++s;
    uint64_t index;
    while (s < end && *s != '/') s++;
    const size_t length = (size_t)(s - token);
    if (bin_tag(v) == BIN_TAG_ARRAY) {
      v = num_read_index(token, length, &index) && (size_t)index == index ? bin_array_get(d, v, (size_t)index) : NULL;
    } else if (bin_tag(v) == BIN_TAG_DICT) {
      v = bin_dict_get(d, v, scratch, (size_t)bin_pointer_unescape(token, length, scratch));
    } else {
      return NULL;
    }
  }
  return v;
}
