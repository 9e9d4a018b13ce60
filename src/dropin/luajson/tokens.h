/* SPDX-License-Identifier: MIT
** tokens.h -- the tokens of the texts that LuaJSON reads, by its options: white space, names without quotes, strings,
** numbers, words; and the place of an error.
** Must hold: a text [begin, end), as in json/grammar/scan.h. */
#pragma once

#include "../../text/general.h"
#include "../../json/tokens/json5.h"

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

/* Error numbers beyond those of json/tokens/check_errors.h: first those of a token, then those of their order. */
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

FL_PRIVATE const char *luajson_message(int error);
FL_PRIVATE const char *luajson_space(const struct json_scan *j, const struct luajson_rules *r, const char *p);

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
FL_PRIVATE const char *luajson_escape_letter(struct json_scan *j, const char *e);

/* The same, if the options allow the escape. */
FL_PRIVATE const char *luajson_escape(struct json_scan *j, const struct luajson_rules *r, const char *e);

/* Writes what the letter of a short escape means. Returns the number of bytes, 0 or 1. */
FL_PRIVATE size_t luajson_short_escape(char *w, char letter);

FL_INLINE char luajson_hex_escape(const char *digits) {
  return (char)(json_check_hex_digit(digits[0]) * 16 | json_check_hex_digit(digits[1]));
}

/* The mark, the name without quotes or the call of any name at p, which is before the end; NULL: none of these. A name
** ends with its colon, a call with its parenthesis. */
FL_PRIVATE const char *luajson_mark(const struct json_scan *j, const struct luajson_rules *r, const char *p,
                                    struct luajson_token *t);

/* Is a string's quote at p? */
FL_INLINE int luajson_is_quote(const struct luajson_rules *r, char c) {
  return c == '"' || (c == '\'' && !luajson_has(r, LUAJSON_STRICT_QUOTES));
}

/* The token at p, which is before the end. NULL: an error. */
FL_PRIVATE const char *luajson_token(struct json_scan *j, const struct luajson_rules *r, const char *p,
                                     struct luajson_token *t);

/* ------------------------------------------------------------------------------------- messages */

/* The place of a byte as LuaJSON counts: lines from 0; the column is the length of the piece of the line that it
** shows. */
struct luajson_where {
  size_t position, line, column;
  const char *shown;
};

FL_PRIVATE void luajson_where(const char *begin, const char *end, const char *at, struct luajson_where *where);
