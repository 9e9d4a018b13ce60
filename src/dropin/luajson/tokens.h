/* SPDX-License-Identifier: MIT
** tokens.h -- the tokens of the texts that LuaJSON reads, by its options: white space, names without quotes, strings,
** numbers, words; and the place of an error.
** May call: base, number, text, json.
** Must hold: a text [begin, end), as in json/grammar/scan.h. */
#ifndef FLEECE_DROPIN_LUAJSON_TOKENS_H
#define FLEECE_DROPIN_LUAJSON_TOKENS_H

#include "../../text/general.h"
#include "../../json/grammar/json5.h"

/* The boolean options: group, name, value by default, value in strict mode. */
#define LUAJSON_FLAGS(X)                               \
  X(UNICODE_SPACE, "", "unicodeWhitespace", 1, 1)      \
  X(INITIAL_OBJECT, "", "initialObject", 0, 1)         \
  X(NOTHROW, "", "nothrow", 0, 0)                      \
  X(ARRAY_EMPTY, "array", "allowEmptyElement", 0, 0)   \
  X(ARRAY_COMMA, "array", "trailingComma", 1, 0)       \
  X(OBJECT_EMPTY, "object", "allowEmptyElement", 0, 0) \
  X(OBJECT_COMMA, "object", "trailingComma", 1, 0)     \
  X(NUMBER_KEYS, "object", "number", 1, 0)             \
  X(IDENTIFIERS, "object", "identifier", 1, 0)         \
  X(CALLS, "calls", "allowUndefined", 0, 0)            \
  X(CALLS_EMPTY, "calls", "allowEmptyElement", 0, 0)   \
  X(CALLS_COMMA, "calls", "trailingComma", 1, 1)       \
  X(NAN, "number", "nan", 1, 0)                        \
  X(INF, "number", "inf", 1, 0)                        \
  X(FRAC, "number", "frac", 1, 1)                      \
  X(EXP, "number", "exp", 1, 1)                        \
  X(HEX, "number", "hex", 0, 0)                        \
  X(UNDEFINED, "others", "allowUndefined", 1, 0)       \
  X(STRICT_QUOTES, "strings", "strict_quotes", 0, 1)

#define X(id, group, name, normal, strict) LUAJSON_##id,
enum luajson_flag { LUAJSON_FLAGS(X) LUAJSON_FLAG_COUNT };
#undef X

struct luajson_rules {
  uint32_t flags;                     /* of enum luajson_flag, a bit each */
  unsigned check_escapes : 1;         /* only the characters in `escapes` may be escaped */
  unsigned calls : 1;                 /* some names may be called */
  unsigned functions : 1;             /* a program's functions take part in tokens: dropin/luajson/to_lua_hooks.h */
  unsigned char bad[32], escapes[32]; /* sets of bytes: those that no string may have */
};

FL_INLINE int luajson_has(const struct luajson_rules *r, enum luajson_flag flag) { return r->flags >> flag & 1; }

/* Error numbers beyond those of json/grammar/check_errors.h: first those of a token, then those of their order. */
#define LUAJSON_ERRORS(X)                                                  \
  X(UNEXPECTED, "unexpected character")                                    \
  X(OCTAL, "'Octal numbers' denied")                                       \
  X(FRACTION, "'Fractions' denied by option set 'number.frac'")            \
  X(EXPONENT, "'Exponents' denied by option set 'number.exp'")             \
  X(HEX, "'Hexadecimal' denied by option set 'number.hex'")                \
  X(NAN, "'NaN' denied by option set 'number.nan'")                        \
  X(INF, "'+/-Inf' denied by option set 'number.inf'")                     \
  X(UNDEFINED, "'undefined' denied by option set 'others.allowUndefined'") \
  X(UNICODE_ESCAPE, "Illegal unicode escape")                              \
  X(HEX_ESCAPE, "Illegal hex escape")                                      \
  X(ESCAPE, "Illegal escape")                                              \
  X(TWICE, "Value set when one already in slot")                           \
  X(NO_VALUE, "Previous value not set")                                    \
  X(NO_KEY, "Missing key value")                                           \
  X(KEY_ON_ARRAY, "Cannot set key on array")                               \
  X(KEY_NUMBER, "As configured, a key must be a number or string")         \
  X(KEY_STRING, "As configured, a key must be a string")                   \
  X(NAN_KEY, "table index is NaN")                                         \
  X(UNCLOSED, "Unclosed elements present")                                 \
  X(INITIAL, "Initial value not an object or array")                       \
  X(BRACKET, "Brackets do not match")                                      \
  X(COMMA, "Comma outside of an object or array")                          \
  X(COLON, "Key set when one already in slot")                             \
  X(EMPTY, "No value present")                                             \
  X(DENIED, "Function call on '%s' not permitted")

#define X(id, text) LUAJSON_ERROR_##id,
enum luajson_error { LUAJSON_ERROR_BEFORE = JSON_CHECK_COUNT - 1, LUAJSON_ERRORS(X) LUAJSON_ERROR_END };
#undef X

FL_FUNC const char *luajson_message(int error) {
  static const char *const messages[] = {
#define X(id, text) text,
      LUAJSON_ERRORS(X)
#undef X
  };
  return error < JSON_CHECK_COUNT ? json_check_message(error) : messages[error - JSON_CHECK_COUNT];
}

/* ------------------------------------------------------------------------------------- white space */

/* The length of the white space character at p; 0: there is none. */
FL_FUNC unsigned luajson_space_bytes(const char *p, const char *end, int unicode) {
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
FL_FUNC const char *luajson_comment(const char *p, const char *end) {
  const char *q = NULL;
  if (p[0] == '/' && p[1] == '*') {
    q = json_comment_close(p + 2, end);
  } else if (p[0] == '/' && p[1] == '/') {
    q = (const char *)memchr(p + 2, '\n', (size_t)(end - p - 2));
    if (q) q++;
  }
  return q ? q : p;
}

FL_FUNC const char *luajson_space(const struct json_scan *j, const struct luajson_rules *r, const char *p) {
  const int unicode = luajson_has(r, LUAJSON_UNICODE_SPACE);
  for (;;) {
    const unsigned n = luajson_space_bytes(p, j->end, unicode);
    const char *q = n ? p + n : luajson_comment(p, j->end);
    if (q == p) return p;
    p = q;
  }
}

/* ------------------------------------------------------------------------------------- tokens */

enum luajson_kind { LUAJSON_MARK, LUAJSON_NAME, LUAJSON_CALL, LUAJSON_STRING, LUAJSON_NUMBER, LUAJSON_WORD };

struct luajson_token {
  enum luajson_kind kind;
  char mark;                 /* MARK: the byte */
  enum json_literal word;    /* WORD */
  struct json_string string; /* of a name, call, string; s is NULL where the caller knows it otherwise */
  struct num_value number;
  /* Before this place, letters begin neither a name nor a call: else a row of words would be searched to its end at
  ** each of its letters. NULL before the first token. */
  const char *plain_until;
};

/* The byte after the escape whose letter is at e; NULL: an error, or it is not an escape. */
FL_FUNC const char *luajson_escape_letter(struct json_scan *j, const char *e) {
  if (e < j->end && *e && strchr("'\"\\/bfnrtvz", *e)) return e + 1;
  if (*e == 'x')
    return j->end - e > 2 && json_check_hex_digit(e[1]) >= 0 && json_check_hex_digit(e[2]) >= 0
               ? e + 3
               : json_scan_error(j, LUAJSON_ERROR_HEX_ESCAPE, e + 1);
  if (*e == 'u')
    return json_check_hex(e + 1, j->end) >= 0 ? e + 5 : json_scan_error(j, LUAJSON_ERROR_UNICODE_ESCAPE, e + 1);
  return NULL;
}

/* The same, if the options allow the escape. */
FL_FUNC const char *luajson_escape(struct json_scan *j, const struct luajson_rules *r, const char *e) {
  const char *q = NULL;
  if (!r->check_escapes || (e < j->end && text_in_set(r->escapes, *e))) q = luajson_escape_letter(j, e);
  return q || j->error || !r->check_escapes ? q : json_scan_error(j, LUAJSON_ERROR_ESCAPE, e);
}

/* Writes what the letter of a short escape means. Returns the number of bytes, 0 or 1. */
FL_FUNC size_t luajson_short_escape(char *w, char letter) {
  const char plain = json_short_escape(letter);
  *w = plain ? plain : letter == 'v' ? '\v' : letter;
  return letter != 'z';
}

FL_INLINE char luajson_hex_escape(const char *digits) {
  return (char)(json_check_hex_digit(digits[0]) * 16 | json_check_hex_digit(digits[1]));
}

/* The string whose opening quote is at p. Returns the byte after it; NULL: an error. */
FL_FUNC const char *luajson_string(struct json_scan *j, const struct luajson_rules *r, const char *p,
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
FL_FUNC const char *luajson_number(struct json_scan *j, const struct luajson_rules *r, const char *p,
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
  return p;
}

/* NaN or an infinity at p; NULL: neither, or an error, which j->error tells. */
FL_FUNC const char *luajson_nan(struct json_scan *j, const struct luajson_rules *r, const char *p,
                                struct num_value *v) {
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

FL_FUNC const char *luajson_word(struct json_scan *j, const struct luajson_rules *r, const char *p,
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

/* The mark, the name without quotes or the call of any name at p, which is before the end; NULL: none of these. A name
** ends with its colon, a call with its parenthesis. */
FL_FUNC const char *luajson_mark(const struct json_scan *j, const struct luajson_rules *r, const char *p,
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

/* Is a string's quote at p? */
FL_INLINE int luajson_is_quote(const struct luajson_rules *r, char c) {
  return c == '"' || (c == '\'' && !luajson_has(r, LUAJSON_STRICT_QUOTES));
}

/* The token at p, which is before the end. NULL: an error. */
FL_FUNC const char *luajson_token(struct json_scan *j, const struct luajson_rules *r, const char *p,
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

/* ------------------------------------------------------------------------------------- messages */

/* The place of a byte as LuaJSON counts: lines from 0; the column is the length of the piece of the line that it
** shows. */
struct luajson_where {
  size_t position, line, column;
  const char *shown;
};

FL_FUNC void luajson_where(const char *begin, const char *end, const char *at, struct luajson_where *where) {
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

#endif
