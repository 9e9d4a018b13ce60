/* SPDX-License-Identifier: MIT */
#include "tokens.h"

FL_PRIVATE const char *luajson_message(int error) {
  static const char *const messages[] = {
#define X(id, text) text,
      LUAJSON_ERRORS(X)
#undef X
  };
  return error < JSON_CHECK_COUNT ? json_check_message(error) : messages[error - JSON_CHECK_COUNT];
}

/* ------------------------------------------------------------------------------------- white space */

/* The length of the white space character at p; 0: there is none. */
static unsigned luajson_space_bytes(const char *p, const char *end, int unicode) {
  const unsigned char *u = (const unsigned char *)p;
  if (json_is_c_space(*p)) return 1;
  if (!unicode || u[0] < 0xc2) return 0;
  if (end - p >= 2 && u[0] == 0xc2) return u[1] == 0x85 || u[1] == 0xa0 ? 2 : 0;
  if (end - p < 3) return 0;
  if (u[0] == 0xe2 && u[1] == 0x80)
    return (u[2] >= 0x80 && u[2] <= 0x8b) || u[2] == 0xa8 || u[2] == 0xa9 || u[2] == 0xaf ? 3 : 0;
  return memcmp(p, "\xe1\x9a\x80", 3) == 0 || memcmp(p, "\xe1\xa0\x8e", 3) == 0 || memcmp(p, "\xe2\x81\x9f", 3) == 0 ||
                 memcmp(p, "\xe3\x80\x80", 3) == 0 || memcmp(p, "\xef\xbb\xbf", 3) == 0
             ? 3
             : 0;
}

/* The byte after the comment at p; p: there is none, or one that does not end. */
static const char *luajson_comment(const char *p, const char *end) {
  const char *q = NULL;
  if (p[0] == '/' && p[1] == '*') {
    q = json_comment_close(p + 2, end);
  } else if (p[0] == '/' && p[1] == '/') {
    q = (const char *)memchr(p + 2, '\n', (size_t)(end - p - 2));
    if (q) q++;
  }
  return q ? q : p;
}

FL_PRIVATE const char *luajson_space(const struct json_scan *j, const struct luajson_rules *r, const char *p) {
  const int unicode = luajson_has(r, LUAJSON_UNICODE_SPACE);
  for (;;) {
    const unsigned n = luajson_space_bytes(p, j->end, unicode);
    const char *q = n ? p + n : luajson_comment(p, j->end);
    if (q == p) return p;
    p = q;
  }
}

FL_PRIVATE const char *luajson_escape_letter(struct json_scan *j, const char *e) {
  if (e < j->end && *e && strchr("'\"\\/bfnrtvz", *e)) return e + 1;
  if (*e == 'x')
    return j->end - e > 2 && json_check_hex_digit(e[1]) >= 0 && json_check_hex_digit(e[2]) >= 0
               ? e + 3
               : json_scan_error(j, LUAJSON_ERROR_HEX_ESCAPE, e + 1);
  if (*e == 'u')
    return json_check_hex(e + 1, j->end) >= 0 ? e + 5 : json_scan_error(j, LUAJSON_ERROR_UNICODE_ESCAPE, e + 1);
  return NULL;
}

FL_PRIVATE const char *luajson_escape(struct json_scan *j, const struct luajson_rules *r, const char *e) {
  const char *q = NULL;
  if (!r->check_escapes || (e < j->end && text_in_set(r->escapes, *e))) q = luajson_escape_letter(j, e);
  return q || j->error || !r->check_escapes ? q : json_scan_error(j, LUAJSON_ERROR_ESCAPE, e);
}

FL_PRIVATE size_t luajson_short_escape(char *w, char letter) {
  const char plain = json_short_escape(letter);
  *w = plain ? plain : letter == 'v' ? '\v' : letter;
  return letter != 'z';
}

/* The string whose opening quote is at p. Returns the byte after it; NULL: an error. */
static const char *luajson_string(struct json_scan *j, const struct luajson_rules *r, const char *p,
                                  struct json_string *out) {
  const char quote = *p, *open = p++, *q = p;
  char *w;
  j->error = 0;
  while (q && q < j->end && *q != quote && !text_in_set(r->bad, *q))
    q = *q == '\\' ? luajson_escape(j, r, q + 1) : q + 1;
  if (!q && j->error) return NULL;
  if (!q || q == j->end || *q != quote) return json_scan_error(j, LUAJSON_ERROR_UNEXPECTED, open);
  if (!(w = json_scratch(j, (size_t)(q - p)))) return NULL;
  while (p < q) {
    if (*p != '\\') {
      *w++ = *p++;
    } else if (p[1] == 'u') {
      w = json_unescape_unicode(j, w, &p);
    } else if (p[1] == 'x') {
      *w++ = luajson_hex_escape(p + 2);
      p += 4;
    } else {
      w += luajson_short_escape(w, p[1]);
      p += 2;
    }
  }
  json_set_scratch_string(j, w, out);
  return q + 1;
}

/* The number at p, which begins with a digit or with '-' and a digit. */
static const char *luajson_number(struct json_scan *j, const struct luajson_rules *r, const char *p,
                                  struct num_value *v) {
  const char *first = p, *q;
  char *w;
  if (p[0] == '0' && (p[1] | 0x20) == 'x' && json_check_hex_digit(p[2]) >= 0)
    return luajson_has(r, LUAJSON_HEX) ? json5_hex(p + 2, 0, v) : json_scan_error(j, LUAJSON_ERROR_HEX, p);
  p += *p == '-';
  if (p[0] == '0' && json_is_digit(p[1])) return json_scan_error(j, LUAJSON_ERROR_OCTAL, p);
  p = json_skip_digits(p);
  if (p[0] == '.' && json_is_digit(p[1])) {
    if (!luajson_has(r, LUAJSON_FRAC)) return json_scan_error(j, LUAJSON_ERROR_FRACTION, p);
    p = json_skip_digits(p + 1);
  }
  if ((*p | 0x20) == 'e') {
    q = p + 1 + (p[1] == '+' || p[1] == '-');
    if (json_is_digit(*q)) {
      if (!luajson_has(r, LUAJSON_EXP)) return json_scan_error(j, LUAJSON_ERROR_EXPONENT, p);
      p = json_skip_digits(q);
    }
  }
  if (!(w = json_scratch(j, (size_t)(p - first) + 1))) return NULL;
  memcpy(w, first, (size_t)(p - first));
  w[p - first] = 0;
  first = num_parse(w, w + (p - first), v);
  FL_ASSERT(*first == 0 && v->kind != NUM_BAD);
  (void)first;
  return p;
}

/* NaN or an infinity at p; NULL: neither, or an error, which j->error tells. */
static const char *luajson_nan(struct json_scan *j, const struct luajson_rules *r, const char *p, struct num_value *v) {
  const int negative = *p == '-';
  const char *q = p + negative;
  const uint64_t infinity = (uint64_t)0x7ff << 52;
  if (!negative && (p[0] | 0x20) == 'n' && (p[1] | 0x20) == 'a' && (p[2] | 0x20) == 'n') {
    if (!luajson_has(r, LUAJSON_NAN)) return json_scan_error(j, LUAJSON_ERROR_NAN, p);
    v->kind = NUM_DOUBLE;
    v->d = num_double(infinity | (uint64_t)1 << 51);
    return p + 3;
  }
  if ((*q | 0x20) != 'i' || !json_starts(q + 1, j->end, "nfinity")) return NULL;
  if (!luajson_has(r, LUAJSON_INF)) return json_scan_error(j, LUAJSON_ERROR_INF, p);
  v->kind = NUM_DOUBLE;
  v->d = negative ? -num_double(infinity) : num_double(infinity);
  return q + 8;
}

static const char *luajson_word(struct json_scan *j, const struct luajson_rules *r, const char *p,
                                struct luajson_token *t) {
  const char *q = p;
  const enum json_literal word = json_read_literal(&q, j->end);
  if (word == JSON_LITERAL_NONE) return json_scan_error(j, LUAJSON_ERROR_UNEXPECTED, p);
  if (word == JSON_LITERAL_UNDEFINED && !luajson_has(r, LUAJSON_UNDEFINED))
    return json_scan_error(j, LUAJSON_ERROR_UNDEFINED, p);
  t->kind = LUAJSON_WORD;
  t->word = word;
  return q;
}

FL_PRIVATE const char *luajson_mark(const struct json_scan *j, const struct luajson_rules *r, const char *p,
                                    struct luajson_token *t) {
  const char *q = p, *behind;
  if ((*p && strchr("[]{}:,", *p)) || (*p == ')' && r->calls)) {
    t->kind = LUAJSON_MARK;
    t->mark = *p;
    return p + 1;
  }
  if (p < t->plain_until) return NULL;
  while (json_is_letter(*q) || *q == '_' || (q > p && json_is_digit(*q))) q++;
  if (q == p) return NULL;
  t->string.s = p;
  t->string.n = (size_t)(q - p);
  t->kind = LUAJSON_NAME;
  if (luajson_has(r, LUAJSON_IDENTIFIERS) && *(behind = luajson_space(j, r, q)) == ':') return behind + 1;
  t->kind = LUAJSON_CALL;
  if (luajson_has(r, LUAJSON_CALLS) && *q == '(') return q + 1;
  t->plain_until = q;
  return NULL;
}

FL_PRIVATE const char *luajson_token(struct json_scan *j, const struct luajson_rules *r, const char *p,
                                     struct luajson_token *t) {
  const char *q = luajson_mark(j, r, p, t);
  if (q) return q;
  t->kind = LUAJSON_STRING;
  if (luajson_is_quote(r, *p)) return luajson_string(j, r, p, &t->string);
  t->kind = LUAJSON_NUMBER;
  if (json_is_digit(*p) || (*p == '-' && json_is_digit(p[1]))) return luajson_number(j, r, p, &t->number);
  j->error = 0;
  if ((q = luajson_nan(j, r, p, &t->number)) != NULL || j->error) return q;
  return luajson_word(j, r, p, t);
}

FL_PRIVATE void luajson_where(const char *begin, const char *end, const char *at, struct luajson_where *where) {
  const size_t length = (size_t)(at < end ? at + 1 - begin : end - begin);
  const char *q;
  where->position = (size_t)(at - begin) + 1;
  where->line = 0;
  where->shown = begin;
  for (q = begin; q < begin + length; q++) {
    if (*q != '\n') continue;
    where->line++;
    if (q + 1 < begin + length) where->shown = q + 1;
  }
  if (begin + length - where->shown < 2) where->shown = begin; /* LuaJSON's pattern for the piece needs two bytes */
  where->column = (size_t)(begin + length - where->shown);
}
