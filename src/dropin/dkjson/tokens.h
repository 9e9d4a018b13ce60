/* SPDX-License-Identifier: MIT
** tokens.h -- the tokens of the texts that dkjson reads and that are not JSON: white space, numbers, words.
** Must hold: a text [begin, end), as in json/tokens/tokens.h. */
#pragma once

#include "../../json/tokens/lenient.h"

/* Error numbers beyond those of json/tokens/tokens.h. `at` is the value, the opening bracket or quote, or the
** colon. */
enum dkjson_error {
  DKJSON_VALUE = JSON_CHECK_COUNT,
  DKJSON_END,
  DKJSON_STRING,
  DKJSON_ARRAY,
  DKJSON_OBJECT,
  DKJSON_NIL
};

/* The next byte that is not white space, comment or byte order mark; NULL: there is none. */
FL_PRIVATE const char *dkjson_space(const struct json_scan *j, const char *p);

/* A number: what Lua's tonumber takes of -?[0-9.]+[eE]?[+-]?[0-9]*. Returns the byte after it; NULL: there is none, or
** an error. */
FL_PRIVATE const char *dkjson_number(struct json_scan *j, const char *p, struct num_value *v);

/* A word. Returns the byte after it; NULL: it is not one of JSON's literals. */
FL_PRIVATE const char *dkjson_word(const struct json_scan *j, const char *p, enum json_literal *word);
