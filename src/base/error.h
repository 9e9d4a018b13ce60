/* SPDX-License-Identifier: MIT
** error.h -- the list of all errors of encoding.
** Must hold: wrong arguments are not here: they raise at once. */
#pragma once

/* Code, message. The path to the value (" at .a[3]") is appended to the message. %s stands for a detail.
** REPLACED is no error: __serialize has put another value in the place of the table, which is written next. */
#define FL_ERRORS(X)                                              \
  X(NONE, "")                                                     \
  X(MEMORY, "not enough memory")                                  \
  X(SINK, "%s")                                                   \
  X(TYPE, "cannot encode a %s")                                   \
  X(KEY, "cannot encode a %s key")                                \
  X(CYCLE, "table contains itself")                               \
  X(DEPTH, "nesting deeper than %s levels")                       \
  X(NAN, "number is NaN")                                         \
  X(INFINITE, "number is infinite")                               \
  X(INEXACT, "integer is not exact as a double")                  \
  X(UNSAFE, "integer is beyond 2^53 - 1")                         \
  X(SAME_NAME, "two keys have the same name")                     \
  X(RAW, "canonical JSON cannot contain raw text,")               \
  X(UTF8, "invalid UTF-8")                                        \
  X(KEY_UTF8, "invalid UTF-8 in a key")                           \
  X(HOLES, "array has holes")                                     \
  X(ARRAY_KEY, "array has a key that is not an index")            \
  X(SPARSE, "array has too many holes")                           \
  X(CODE, "a key is a code: the document needs its shared keys")  \
  X(BYTES, "the text would be longer than max_bytes allows")      \
  X(CHANGED, "table has changed, and the key it was at is gone,") \
  X(LENGTH, "%s")                                                 \
  X(NESTING, "hooks nested too deep")                             \
  X(REPLACED, "")                                                 \
  X(HOOK, "%s")

enum fl_error {
#define X(code, message) FL_ERROR_##code,
  FL_ERRORS(X)
#undef X
};
