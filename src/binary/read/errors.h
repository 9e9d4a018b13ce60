/* SPDX-License-Identifier: MIT
** errors.h -- the list of errors in binary documents and in calls of the encoder.
** Must hold: messages fit the sentence "MESSAGE at byte N". */
#pragma once

#include "../../base/error.h"

#define BIN_ERRORS(X)                                                  \
  X(NONE, NONE, "")                                                    \
  X(MEMORY, MEMORY, "not enough memory")                               \
  X(SIZE, SYNTAX, "not a document: its length must be even and not 0") \
  X(ADDRESS, SYNTAX, "not a document: it must be at an even address")  \
  X(BASE, SYNTAX, "not a document: its base is in the same memory")    \
  X(TRAILER, SYNTAX, "the end does not point to a root")               \
  X(POINTER, SYNTAX, "pointer out of the document")                    \
  X(TRUNCATED, SYNTAX, "value runs past its end")                      \
  X(LENGTH, SYNTAX, "bad length")                                      \
  X(KEY, SYNTAX, "key is neither a string nor a code")                 \
  X(KEY_ORDER, SYNTAX, "keys are not in order")                        \
  X(CODE, KEYS, "code without a shared key")                           \
  X(KEYS, KEYS, "the document needs its shared keys")                  \
  X(PARENT, SYNTAX, "parent is not a dict")                            \
  X(ANCESTORS, LIMIT, "too many parents")                              \
  X(DEPTH, DEPTH, "nesting too deep")                                  \
  X(OVERLAP, SYNTAX, "collections overlap")                            \
  X(EXPANSION, LIMIT, "values are shared too often")                   \
  X(VALUES, LIMIT, "more values than max_values allows")               \
  X(BYTES, LENGTH, "the result would be larger than max_bytes allows") \
  X(UTF8, UTF8, "invalid UTF-8")                                       \
  X(NAN, NUMBER, "a number cannot be NaN")                             \
  X(REACH, LENGTH, "document is longer than 2 GB, the most it can be") \
  X(CLOSED, ARGUMENT, "the document is closed")                        \
  X(STATE_TWO, ARGUMENT, "a document holds one value only")            \
  X(STATE_OPEN, ARGUMENT, "a collection is still open")                \
  X(STATE_EMPTY, ARGUMENT, "no value was written")                     \
  X(STATE_NO_KEY, ARGUMENT, "a value in a dict needs a key")           \
  X(STATE_NO_VALUE, ARGUMENT, "a key needs a value")                   \
  X(STATE_NO_DICT, ARGUMENT, "a key belongs in a dict")                \
  X(STATE_END, ARGUMENT, "no such collection is open")                 \
  X(STATE_KIND, ARGUMENT, "the open collection is of the other kind")  \
  X(STATE_TEXT, ARGUMENT, "the text before was wrong: reset the encoder")

enum bin_error {
#define X(code, kind, message) BIN_ERROR_##code,
  BIN_ERRORS(X)
#undef X
};
