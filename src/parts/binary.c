/* SPDX-License-Identifier: MIT
** binary.c -- a unit of the part formats: the binary format.
** Must hold: compiled without Lua's headers; the C library and every Lua use it. */

#include "../binary/read/read.c"
FL_SMALL_BEGIN
#include "../binary/read/work.c"
#include "../binary/read/path.c"
FL_SMALL_END
#include "../binary/read/equal.c"
FL_SMALL_BEGIN
#include "../binary/read/dates.c"
FL_SMALL_END
#include "../binary/check/state.c"
#include "../binary/check/keys.c"
#include "../binary/check/values.c"
#include "../binary/check/check.c"
#include "../binary/frame/checksum.c"
#include "../binary/frame/frame.c"
#include "../binary/read/members.c"
#include "../binary/encode/encode.c"
FL_SMALL_BEGIN
#include "../binary/encode/copy.c"
#include "../binary/delta/errors.c"
#include "../binary/delta/text.c"
#include "../binary/delta/delta.c"
#include "../binary/delta/apply.c"
#include "../binary/delta/mutable.c"
#include "../binary/delta/amend.c"
FL_SMALL_END
