/* SPDX-License-Identifier: MIT
** errors.h -- errors in deltas, numbered after those of binary/read/errors.h; the messages of both lists.
** Must hold: messages need no position, because a delta that was JSON has none. */
#pragma once

#include "../../base/def.h"
#include "../read/errors.h"

enum { BIN_DELTA_ERROR_FIRST = 256 };

#define BIN_DELTA_ERRORS(X)                                            \
  X(DELETION, "delta deletes a missing value")                         \
  X(REPLACEMENT, "delta replaces a missing value")                     \
  X(OBJECT, "delta changes parts of a value that is not a collection") \
  X(COUNT, "array of a delta has more than three items")               \
  X(MODE, "delta has an unknown mode")                                 \
  X(REMAINDER, "rest of an array in a delta is not an array")          \
  X(TEXT, "text delta is not a string, or empty")                      \
  X(TEXT_OLD, "text delta for a value that is not a string")           \
  X(TEXT_LENGTH, "text delta goes past the end of the string")         \
  X(TEXT_SHORT, "text delta ends before the string does")              \
  X(TEXT_DELIMITER, "insertion in a text delta lacks its delimiter")   \
  X(TEXT_OPERATION, "unknown operation in a text delta")

enum bin_delta_error {
  BIN_DELTA_ERROR_BEFORE = BIN_DELTA_ERROR_FIRST - 1,
#define X(code, message) BIN_DELTA_ERROR_##code,
  BIN_DELTA_ERRORS(X)
#undef X
};

/* Return the message and the kind of an error of either list. */
FL_PRIVATE const char *bin_message(int error);
FL_PRIVATE enum fl_kind bin_kind(int error);
