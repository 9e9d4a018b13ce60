/* SPDX-License-Identifier: MIT
** errors.h -- the list of errors in binary documents and in calls of the encoder.
** Must hold: messages fit the sentence "MESSAGE at byte N". */
#pragma once

#define BIN_ERRORS(X)                                          \
  X(NONE, "")                                                  \
  X(MEMORY, "not enough memory")                               \
  X(SIZE, "not a document: its length must be even and not 0") \
  X(ADDRESS, "not a document: it must be at an even address")  \
  X(BASE, "not a document: its base is in the same memory")    \
  X(TRAILER, "the end does not point to a root")               \
  X(POINTER, "pointer out of the document")                    \
  X(TRUNCATED, "value runs past its end")                      \
  X(LENGTH, "bad length")                                      \
  X(KEY, "key is neither a string nor a code")                 \
  X(KEY_ORDER, "keys are not in order")                        \
  X(CODE, "code without a shared key")                         \
  X(KEYS, "the document needs its shared keys")                \
  X(PARENT, "parent is not a dict")                            \
  X(ANCESTORS, "too many parents")                             \
  X(DEPTH, "nesting too deep")                                 \
  X(OVERLAP, "collections overlap")                            \
  X(EXPANSION, "values are shared too often")                  \
  X(VALUES, "more values than max_values allows")              \
  X(BYTES, "the result would be larger than max_bytes allows") \
  X(UTF8, "invalid UTF-8")                                     \
  X(NAN, "a number cannot be NaN")                             \
  X(REACH, "document is longer than 2 GB, the most it can be") \
  X(CLOSED, "the document is closed")                          \
  X(STATE_TWO, "a document holds one value only")              \
  X(STATE_OPEN, "a collection is still open")                  \
  X(STATE_EMPTY, "no value was written")                       \
  X(STATE_NO_KEY, "a value in a dict needs a key")             \
  X(STATE_NO_VALUE, "a key needs a value")                     \
  X(STATE_NO_DICT, "a key belongs in a dict")                  \
  X(STATE_END, "no such collection is open")                   \
  X(STATE_KIND, "the open collection is of the other kind")    \
  X(STATE_TEXT, "the text before was wrong: reset the encoder")

enum bin_error {
#define X(code, message) BIN_ERROR_##code,
  BIN_ERRORS(X)
#undef X
};
