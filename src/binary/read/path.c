/* SPDX-License-Identifier: MIT
** A key path: ['$'] step ... step: '.' name | '[' integer ']' | '[' name in quotes ']' | '.*' | '[*]'; the first
** name needs no dot. A backslash takes the next byte literally; in quotes escapes are those of JSONPath, so that
** normalized paths (RFC 9535, section 2.7) are key paths. '.*' is each member, '[*]' each item. A dot may begin a
** path; '.' and '$' alone lead to the root. Other empty names are errors, or "$..name" of JSONPath would be a member of
** the root. Where no step follows it, '$' is part of a name: "$ref" (docs/format.md). */
#include "path.h"

#include "../../text/unescape.h"

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

/* Reads the escape at *p, after its backslash, of a name in quotes (RFC 9535, section 2.3.1.1), and writes what it
** means to w. NULL if it is none. */
static char *bin_path_escape(const char **p, const char *end, char *w) {
  static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
  const char *q = *p;
  if (q == end) return NULL;
  if (*q == 'u') {
    int c = end - q > 4 ? text_hex4(q + 1) : -1;
    if (c < 0) return NULL;
    q += 5;
    if ((c & ~0x3ff) == 0xd800) {
      const int low = end - q > 5 && q[0] == '\\' && q[1] == 'u' ? text_hex4(q + 2) : -1;
      if ((low & ~0x3ff) != 0xdc00) return NULL;
      c = 0x10000 + ((c & 0x3ff) << 10) + (low & 0x3ff);
      q += 6;
    }
    *p = q;
    return (c & ~0x3ff) == 0xdc00 ? NULL : text_put_utf8(w, (uint32_t)c);
  }
  const char *letter = (const char *)memchr(letters, *q, 5);
  *w = letter ? meant[letter - letters] : *q;
  *p = q + 1;
  return w + 1;
}

/* Reads the name in quotes at *p, and the ']' after it. Returns 0 if there is none. */
static int bin_path_quoted(const char **p, const char *end, struct bin_step *step, char **names) {
  const char *q = *p, quote = *q;
  char *w = *names;
  for (q++; q < end && *q != quote;) {
    if (*q != '\\') *w++ = *q++;
    else if (q++, !(w = bin_path_escape(&q, end, w))) return 0;
  }
  if (end - q < 2 || q[1] != ']') return 0;
  step->name = *names;
  step->n = (size_t)(w - *names);
  *names = w;
  *p = q + 2;
  return 1;
}

/* Reads the '[' at *p and what follows up to ']'. Returns 0 if it is no step. */
static int bin_path_bracket(const char **p, const char *end, int has_wildcards, struct bin_step *step, char **names) {
  const char *q = *p + 1;
  memset(step, 0, sizeof *step);
  if (q < end && (*q == '"' || *q == '\'')) {
    if (!bin_path_quoted(&q, end, step, names)) return 0;
  } else if (has_wildcards && end - q > 1 && q[0] == '*' && q[1] == ']') {
    step->each = BIN_EACH_ITEM;
    q += 2;
  } else if (!bin_path_index(&q, end, &step->index)) {
    return 0;
  }
  if (q < end && *q != '.' && *q != '[') return 0;
  *p = q;
  return 1;
}

FL_PRIVATE ptrdiff_t bin_path_compile(const char *s, size_t n, int has_wildcards, struct bin_step *steps, char *names,
                                      size_t *where) {
  const char *p = s, *end = s + n, *dot;
  ptrdiff_t count = 0;
  if (n == 0) goto bad;
  p += *p == '$' && (n == 1 || p[1] == '.' || p[1] == '[');
  while (p < end) {
    struct bin_step *step = &steps[count];
    FL_ASSERT((size_t)count <= n);
    if (*p == '[') {
      if (!bin_path_bracket(&p, end, has_wildcards, step, &names)) goto bad;
      count++;
      continue;
    }
    dot = p;
    p += *p == '.';
    memset(step, 0, sizeof *step);
    if (p < end && *p == '*' && (end - p == 1 || p[1] == '.' || p[1] == '[')) {
      if (!has_wildcards) goto bad;
      step->each = BIN_EACH_MEMBER;
      p++, count++;
      continue;
    }
    step->name = names;
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

/* A container that a wildcard goes through: what is left of it, and the step after the wildcard. */
struct bin_path_level {
  size_t after;
  int is_dict;
  size_t at; /* of an array: the next item */
  struct bin_list list;
  struct bin_pairs pairs;
};

/* Begins to go through v. Returns 0 if it is no container of the wildcard's kind. */
static int bin_path_enter(struct bin_path_level *level, const struct bin_doc *d, bin_value v, enum bin_each each) {
  level->is_dict = each == BIN_EACH_MEMBER;
  level->at = 0;
  if (bin_tag(v) != (level->is_dict ? BIN_TAG_DICT : BIN_TAG_ARRAY)) return 0;
  if (level->is_dict) bin_pairs_begin(&level->pairs, d, v);
  else level->list = bin_list_of(v);
  return 1;
}

/* Returns the container's next value, or NULL. */
static bin_value bin_path_next(struct bin_path_level *level, const struct bin_doc *d) {
  if (!level->is_dict) return level->at < level->list.count ? bin_list_item(d, &level->list, level->at++) : NULL;
  while (bin_next_pair(&level->pairs))
    if (!bin_is_undefined(level->pairs.value)) return level->pairs.value;
  return NULL;
}

FL_PRIVATE int bin_path_each(const struct bin_doc *d, bin_value v, const struct bin_step *steps, size_t count,
                             bin_path_found found, void *ud) {
  struct bin_path_level levels[BIN_PATH_WILDCARDS];
  size_t depth = 0, step = 0;
  for (;;) {
    size_t end = step;
    while (end < count && !steps[end].each) end++;
    v = bin_path_follow(d, v, steps + step, end - step);
    if (v && end == count) {
      if (!found(ud, v)) return 0;
    } else if (v && bin_path_enter(&levels[depth], d, v, steps[end].each)) {
      levels[depth++].after = end + 1;
    }
    do {
      if (depth == 0) return 1;
      v = bin_path_next(&levels[depth - 1], d);
    } while (!v && depth-- > 0);
    step = levels[depth - 1].after;
  }
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
