/* SPDX-License-Identifier: MIT */
#include "errors.h"

FL_PRIVATE const char *bin_message(int error) {
  static const char *const messages[] = {
#define X(code, kind, message) message,
      BIN_ERRORS(X)
#undef X
  };
  static const char *const of_deltas[] = {
#define X(code, message) message,
      BIN_DELTA_ERRORS(X)
#undef X
  };
  FL_ASSERT(error >= 0 && error < BIN_DELTA_ERROR_FIRST + (int)(sizeof of_deltas / sizeof *of_deltas));
  FL_ASSERT(error >= BIN_DELTA_ERROR_FIRST || error < (int)(sizeof messages / sizeof *messages));
  return error < BIN_DELTA_ERROR_FIRST ? messages[error] : of_deltas[error - BIN_DELTA_ERROR_FIRST];
}

FL_PRIVATE enum fl_kind bin_kind(int error) {
  static const unsigned char kinds[] = {BIN_ERRORS(FL_KIND_OF)};
  return error < BIN_DELTA_ERROR_FIRST ? (enum fl_kind)kinds[error] : FL_KIND_CHANGE;
}
