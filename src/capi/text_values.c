/* SPDX-License-Identifier: MIT
** text_values.c -- what parts of texts mean: numbers, booleans, strings.
** Must hold: nothing outside a part is read, whatever bytes it has. */
#include "text.h"

enum {
  CAPI_DIGITS = 800,       /* digits that can matter: up to 767 tell whether a number is halfway between two doubles */
  CAPI_NUMBER = 1024,      /* longest number that is copied unchanged */
  CAPI_EXPONENT = 1 << 30, /* limit for the exponent */
  CAPI_MARGIN = 64         /* bytes of the buffer after the number */
};

/* A long number is written in a shorter form with the same value. */
struct capi_shortener {
  const char *p, *end;
  char *w;
  size_t kept;
  int64_t scale; /* exponent that follows from the point and the digits left out */
  int sticky;    /* a digit that is not 0 was left out */
};

static void capi_shorten_digit(struct capi_shortener *s, char c, int after_point) {
  if (s->kept == 0 && c == '0') {
    s->scale -= after_point;
  } else if (s->kept < CAPI_DIGITS) {
    *s->w++ = c;
    s->kept++;
    s->scale -= after_point;
  } else {
    s->sticky |= c != '0';
    s->scale += !after_point;
  }
}

/* Reads the digits at p, with or without a point. */
static void capi_shorten_digits(struct capi_shortener *s) {
  int after_point = 0;
  for (; s->p < s->end; s->p++) {
    if (json_is_digit(*s->p)) capi_shorten_digit(s, *s->p, after_point);
    else if (*s->p == '.' && !after_point) after_point = 1;
    else break;
  }
  if (s->sticky) *s->w++ = '1', s->scale--;
  if (s->kept == 0) *s->w++ = '0';
}

static void capi_shorten_exponent(struct capi_shortener *s) {
  int64_t x = 0;
  if (s->p == s->end || (*s->p | 0x20) != 'e') return;
  s->p++;
  const int negative = s->p < s->end && *s->p == '-';
  s->p += s->p < s->end && (*s->p == '-' || *s->p == '+');
  for (; s->p < s->end && json_is_digit(*s->p); s->p++)
    if (x < ((int64_t)1 << 50)) x = 10 * x + (*s->p - '0');
  s->scale += negative ? -x : x;
}

/* Writes the decimal s[0..n) to `to`. Returns its end, or NULL if it is not one. */
static char *capi_shorten(const char *from, size_t n, char *to) {
  struct capi_shortener s;
  char digits[24], *d = digits;
  s.p = from;
  s.end = from + n;
  s.w = to;
  s.kept = 0;
  s.scale = 0;
  s.sticky = 0;
  if (*s.p == '-') *s.w++ = '-';
  s.p += *s.p == '-' || *s.p == '+';
  capi_shorten_digits(&s);
  capi_shorten_exponent(&s);
  if (s.p != s.end) return NULL;
  *s.w++ = 'e';
  if (s.scale < 0) *s.w++ = '-';
  int64_t x = s.scale < 0 ? -s.scale : s.scale;
  if (x > CAPI_EXPONENT) x = CAPI_EXPONENT;
  do *d++ = (char)('0' + x % 10);
  while (x /= 10);
  while (d > digits) *s.w++ = *--d;
  return s.w;
}

/* Copies a hexadecimal number of JSON5 without leading zeros. NULL if it is not one, or infinite. */
static char *capi_shorten_hex(const char *p, const char *end, char *w) {
  if (*p == '-' || *p == '+') *w++ = *p++;
  if (end - p < 3 || *p != '0' || (p[1] | 0x20) != 'x') return NULL;
  *w++ = *p++, *w++ = *p++;
  while (end - p > 1 && *p == '0') p++;
  if (end - p > CAPI_DIGITS) return NULL;
  memcpy(w, p, (size_t)(end - p));
  return w + (end - p);
}

/* Copies a number to `to`, which has CAPI_NUMBER + CAPI_MARGIN bytes. Returns its end, or NULL. */
static char *capi_copy_number(const char *s, size_t n, char *to) {
  if (n <= CAPI_NUMBER) return (char *)memcpy(to, s, n) + n;
  char *w = capi_shorten_hex(s, s + n, to);
  return w ? w : capi_shorten(s, n, to);
}

/* Returns the digits of an integer, decimal or hexadecimal, as uint64, or 0 if it cannot hold them. */
static uint64_t capi_big_digits(const char *p, const char *end) {
  unsigned base = 10;
  uint64_t u = 0;
  p += *p == '+';
  if (*p == '0' && (p[1] | 0x20) == 'x') p += 2, base = 16;
  for (; p < end; p++) {
    const unsigned digit = (unsigned)text_hex_digit(*p); /* larger than any base if it is not a digit */
    if (digit >= base || u > (UINT64_MAX - digit) / base) return 0;
    u = base * u + digit;
  }
  return u;
}

/* Reads a number that strict JSON lacks. */
FL_NOINLINE int capi_read_lenient_(const char *p, const char *end, struct num_value *v) {
  char scratch[CAPI_NUMBER + 2 * CAPI_MARGIN];
  struct json_lenient_value value;
  struct json_scan j = {0};
  j.begin = p;
  j.end = end;
  j.grammar = JSON_JSON5 | JSON_NAN_LITERALS;
  j.scratch = scratch;
  j.room = sizeof scratch;
  if (*p == '\'' || json_lenient_value(&j, p, &value) != end || value.kind != JSON_LENIENT_NUMBER) return 0;
  *v = value.number;
  return 1;
}

FL_PRIVATE int capi_read_number(const char *s, size_t n, struct num_value *v, uint64_t *u) {
  char copy[CAPI_NUMBER + CAPI_MARGIN];
  char *end;
  *u = 0;
  if (!s || !n) return 0;
  if (*s != '-' && !json_is_digit(*s) && *s != '+' && *s != '.' && *s != 'N' && *s != 'I') return 0;
  if (!(end = capi_copy_number(s, n, copy))) return 0;
  *end = 0;
  v->kind = NUM_BAD;
  if (((*copy == '-' || json_is_digit(*copy)) && num_read(copy, end, v) != end) || v->kind == NUM_BAD) {
    if (!capi_read_lenient_(copy, end, v)) return 0;
  }
  if (v->kind == NUM_BIG) *u = capi_big_digits(copy, end);
  return 1;
}

/* Returns the number as a double, without the additional digits of x87 registers. */
static double capi_number_double(const struct num_value *v, uint64_t u) {
  volatile const double d = v->kind == NUM_INTEGER ? (double)v->i : v->kind == NUM_BIG && u ? (double)u : v->d;
  return d;
}

int64_t fleece_text_int64(fleece_text t, int64_t otherwise) {
  struct num_value v;
  uint64_t u;
  if (!capi_read_number(t.at, t.size, &v, &u)) return otherwise;
  if (FL_LIKELY(v.kind == NUM_INTEGER)) return v.i;
  if (v.kind == NUM_BIG) return otherwise;
  if (v.d >= -9223372036854775808.0 && v.d < 9223372036854775808.0 && v.d == (double)(int64_t)v.d) return (int64_t)v.d;
  return otherwise;
}

uint64_t fleece_text_uint64(fleece_text t, uint64_t otherwise) {
  struct num_value v;
  uint64_t u;
  if (!capi_read_number(t.at, t.size, &v, &u)) return otherwise;
  if (FL_LIKELY(v.kind == NUM_INTEGER)) return v.i >= 0 ? (uint64_t)v.i : otherwise;
  if (v.kind == NUM_BIG) return u ? u : otherwise;
  return v.d >= 0 && v.d < 18446744073709551616.0 && v.d == (double)(uint64_t)v.d ? (uint64_t)v.d : otherwise;
}

double fleece_text_double(fleece_text t, double otherwise) {
  struct num_value v;
  uint64_t u;
  if (!capi_read_number(t.at, t.size, &v, &u)) return otherwise;
  return capi_number_double(&v, u);
}

static int capi_text_is(fleece_text t, const char *word, size_t n) { return t.size == n && memcmp(t.at, word, n) == 0; }

int fleece_text_boolean(fleece_text t, int otherwise) {
  if (!t.at) return otherwise;
  return capi_text_is(t, "true", 4) ? 1 : capi_text_is(t, "false", 5) ? 0 : otherwise;
}

int fleece_text_type(fleece_text t) {
  struct num_value v;
  uint64_t u;
  if (!t.at || !t.size) return FLEECE_TYPE_NONE;
  switch (*t.at) {
  case '[': return FLEECE_TYPE_ARRAY;
  case '{': return FLEECE_TYPE_DICT;
  case '"':
  case '\'': return FLEECE_TYPE_STRING;
  case 't':
  case 'f': return fleece_text_boolean(t, -1) < 0 ? FLEECE_TYPE_NONE : FLEECE_TYPE_BOOLEAN;
  case 'n': return capi_text_is(t, "null", 4) ? FLEECE_TYPE_NULL : FLEECE_TYPE_NONE;
  default: break;
  }
  if (!capi_read_number(t.at, t.size, &v, &u)) return FLEECE_TYPE_NONE;
  return v.kind == NUM_INTEGER || (v.kind == NUM_BIG && u) ? FLEECE_TYPE_INTEGER : FLEECE_TYPE_DOUBLE;
}

/* json_scan.grow, whose owner is a fleece_bytes or NULL. */
static char *capi_grow_bytes(void *owner, size_t n) {
  fleece_bytes *b = (fleece_bytes *)owner;
  const fleece_allocator memory = capi_memory(b ? &b->allocator : NULL);
  if (!b || n > SIZE_MAX / 2) return NULL;
  char *block = (char *)memory.alloc(memory.ud, NULL, 0, n + 1);
  if (!block) return NULL;
  capi_free_bytes(b);
  b->data = block;
  b->room = n + 1;
  return block;
}

/* Returns whether the bytes begin and end with the same quote, the last one not escaped by a backslash. */
static int capi_is_quoted(const char *s, size_t n) {
  const char *end = s + n - 1, *back;
  if (n < 2 || (*s != '"' && *s != '\'') || *end != *s) return 0;
  for (back = end; back > s && back[-1] == '\\'; back--) continue;
  return (end - back) % 2 == 0;
}

const char *fleece_text_string(fleece_text t, size_t *n, fleece_bytes *scratch, fleece_error *error) {
  struct json_string string;
  size_t unused;
  if (!n) n = &unused;
  *n = 0;
  if (!t.at || !capi_is_quoted(t.at, t.size))
    return capi_error(error, FLEECE_ERROR_VALUE, "not a string", FLEECE_NOWHERE), (const char *)NULL;
  struct json_scan j = {0};
  j.begin = t.at;
  j.end = t.at + t.size - 1; /* the quote ends it, like the 0 after a text */
  j.grammar = JSON_JSON5;
  j.bad_text = JSON_BAD_REPLACE;
  j.utf8 = text_utf8_pick(0);
  j.grow = capi_grow_bytes;
  j.owner = scratch;
  if (scratch && scratch->data) j.scratch = scratch->data, j.room = scratch->room;
  if (scratch) scratch->size = 0;
  const char *p = *t.at == '"' ? json_read_string(&j, t.at + 1, &string) : json_lenient_string(&j, t.at + 1, &string);
  if (p == t.at + t.size) {
    if (string.s == j.scratch) scratch->size = string.n, scratch->data[string.n] = 0;
    return *n = string.n, capi_ok(error), string.s;
  }
  if (!p && j.error == JSON_CHECK_MEMORY)
    return scratch ? capi_no_memory(error) : capi_bad_argument(error, "there is no scratch for a string with escapes"),
           (const char *)NULL;
  return capi_error(error, FLEECE_ERROR_VALUE, "not a string", FLEECE_NOWHERE), (const char *)NULL;
}
