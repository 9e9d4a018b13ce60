/* SPDX-License-Identifier: MIT
** error.h -- what kinds of errors programs can tell apart, and the list of all errors of encoding.
** Must hold: wrong arguments are not here: they raise at once. Kinds keep their numbers and words: they are those of
** enum fleece_kind in C, and the field `kind` of errors in Lua. */
#pragma once

/* Number, word. */
#define FL_KINDS(X)         \
  X(NONE, "")               \
  X(SYNTAX, "syntax")       \
  X(UTF8, "utf8")           \
  X(NUMBER, "number")       \
  X(DUPLICATE, "duplicate") \
  X(DEPTH, "depth")         \
  X(LENGTH, "length")       \
  X(LIMIT, "limit")         \
  X(MEMORY, "memory")       \
  X(TYPE, "type")           \
  X(CYCLE, "cycle")         \
  X(CHANGE, "change")       \
  X(KEYS, "keys")           \
  X(SCHEMA, "schema")       \
  X(INVALID, "invalid")     \
  X(ARGUMENT, "argument")   \
  X(IO, "io")               \
  X(HOOK, "hook")

enum fl_kind {
#define X(name, word) FL_KIND_##name,
  FL_KINDS(X)
#undef X
};

/* The kinds of a list of errors, in an array. */
#define FL_KIND_OF(code, kind, message) FL_KIND_##kind,

/* Code, kind, message. The path to the value (" at .a[3]") is appended to the message. %s stands for a detail.
** REPLACED is no error: __serialize has put another value in the place of the table, which is written next. */
#define FL_ERRORS(X)                                                    \
  X(NONE, NONE, "")                                                     \
  X(MEMORY, MEMORY, "not enough memory")                                \
  X(SINK, IO, "%s")                                                     \
  X(TYPE, TYPE, "cannot encode a %s")                                   \
  X(KEY, TYPE, "cannot encode a %s key")                                \
  X(CYCLE, CYCLE, "table contains itself")                              \
  X(DEPTH, DEPTH, "nesting deeper than %s levels")                      \
  X(NAN, NUMBER, "number is NaN")                                       \
  X(INFINITE, NUMBER, "number is infinite")                             \
  X(INEXACT, NUMBER, "integer is not exact as a double")                \
  X(UNSAFE, NUMBER, "integer is beyond 2^53 - 1")                       \
  X(SAME_NAME, DUPLICATE, "two keys have the same name")                \
  X(RAW, TYPE, "canonical JSON cannot contain raw text,")               \
  X(UTF8, UTF8, "invalid UTF-8")                                        \
  X(KEY_UTF8, UTF8, "invalid UTF-8 in a key")                           \
  X(HOLES, TYPE, "array has holes")                                     \
  X(ARRAY_KEY, TYPE, "array has a key that is not an index")            \
  X(SPARSE, TYPE, "array has too many holes")                           \
  X(CODE, KEYS, "a key is a code: the document needs its shared keys")  \
  X(BYTES, LENGTH, "the text would be longer than max_bytes allows")    \
  X(CHANGED, HOOK, "table has changed, and the key it was at is gone,") \
  X(LENGTH, HOOK, "%s")                                                 \
  X(NESTING, DEPTH, "hooks nested too deep")                            \
  X(REPLACED, NONE, "")                                                 \
  X(HOOK, HOOK, "%s")

enum fl_error {
#define X(code, kind, message) FL_ERROR_##code,
  FL_ERRORS(X)
#undef X
};
