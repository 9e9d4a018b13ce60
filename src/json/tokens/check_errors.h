/* SPDX-License-Identifier: MIT
** check_errors.h -- what can be wrong with a JSON text: X(NAME, message), numbered from 1.
** Must hold: messages fit into "not valid JSON: ... at byte N". */
#pragma once

#define JSON_CHECK_ERRORS(X)                      \
  X(END, "unexpected end")                        \
  X(VALUE, "expected a value")                    \
  X(NUMBER, "invalid number")                     \
  X(NAME, "expected a string as name")            \
  X(COLON, "expected ':'")                        \
  X(OBJECT, "expected ',' or '}'")                \
  X(ARRAY, "expected ',' or ']'")                 \
  X(CONTROL, "control character in string")       \
  X(ESCAPE, "invalid escape")                     \
  X(SURROGATE, "unpaired surrogate")              \
  X(UTF8, "invalid UTF-8")                        \
  X(DEPTH, "nesting too deep")                    \
  X(AFTER, "text after the value")                \
  X(BOM, "byte order mark")                       \
  X(EMPTY, "empty text")                          \
  X(HUGE, "number too large")                     \
  X(INEXACT, "number not exact")                  \
  X(NAN, "a number cannot be NaN")                \
  X(DUPLICATE, "duplicate name")                  \
  X(LENGTH, "text too long")                      \
  X(COMMENT, "unterminated comment")              \
  X(MEMORY, "not enough memory")                  \
  X(NO_LIST, "no array or object at the pointer") \
  X(NOWHERE, "nothing at the pointer")

enum {
  JSON_CHECK_OK,
#define JSON_CHECK_NAME(name, message) JSON_CHECK_##name,
  JSON_CHECK_ERRORS(JSON_CHECK_NAME)
#undef JSON_CHECK_NAME
      JSON_CHECK_COUNT
};
