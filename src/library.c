/* SPDX-License-Identifier: MIT
** library.c -- libfleece: the C interface without Lua, as one translation unit.
** Must hold: knows no Lua; exports what include/fleece.h declares, nothing else. */

#define FLEECE_BUILD

#include "base/buffer.c"

#include "number/decimal.c"
#include "number/parse.c"
#include "number/integer.c"
#include "number/digits.c"
#include "number/shortest.c"
#include "number/precision.c"
#include "number/canonical.c"
#include "number/compare.c"
#include "number/index.c"

#include "text/cpu.c"
#include "text/utf8.c"
#include "text/utf16.c"
#include "text/general.c"
#include "text/unescape.c"

#include "json/write/write.c"
#include "json/grammar/characters.c"
#include "json/grammar/check_string.c"
#include "json/grammar/state.c"
#include "json/grammar/unescape.c"
#include "json/grammar/scan.c"
#include "json/lenient/json5.c"
#include "json/lenient/lenient.c"
#include "json/grammar/parts.c"
#include "json/grammar/split.c"
#include "json/grammar/count.c"
#include "json/grammar/where.c"
#include "json/grammar/check.c"
#include "json/pointer.c"
#include "json/index/steps.c"
#include "json/index/quoted.c"
#include "json/index/reader.c"
#include "json/index/members.c"
#include "json/index/locate.c"
#include "json/index/seek.c"
#include "json/index/goals.c"
#include "json/index/pick.c"
#include "json/edit/tree.c"
#include "json/edit/state.c"
#include "json/edit/items.c"
#include "json/edit/names.c"
#include "json/edit/places.c"
#include "json/edit/lists.c"
#include "json/edit/space.c"
#include "json/edit/edit.c"
#include "json/edit/result.c"

#include "binary/read/read.c"
#include "binary/read/work.c"
#include "binary/read/format.c"
#include "binary/read/path.c"
#include "binary/read/equal.c"
#include "binary/read/dates.c"

#include "binary/check/state.c"
#include "binary/check/keys.c"
#include "binary/check/values.c"
#include "binary/check/check.c"

#include "binary/frame/checksum.c"
#include "binary/frame/frame.c"

#include "binary/encode/pool.c"
#include "binary/encode/keys.c"
#include "binary/encode/members.c"
#include "binary/encode/encode.c"
#include "binary/encode/end.c"
#include "binary/encode/copy.c"

#include "binary/delta/errors.c"
#include "binary/delta/text.c"
#include "binary/delta/delta.c"
#include "binary/delta/apply.c"
#include "binary/delta/mutable.c"
#include "binary/delta/amend.c"

#include "document/from_json/names.c"
#include "document/from_json/json_to_binary.c"
#include "document/to_json/binary_to_json.c"
#include "document/to_json/delta.c"

#include "files/map.c"
#include "files/replace.c"
#include "files/lock.c"
#include "files/append.c"

#include "capi/capi.c"        /* options, errors, memory */
#include "capi/bytes.c"       /* what was written */
#include "capi/documents.c"   /* checking, opening; shared keys */
#include "capi/files.c"       /* files with frames: opened */
#include "capi/values.c"      /* what they are; ways to them */
#include "capi/text.c"        /* texts in place: tested and searched */
#include "capi/text_paths.c"  /* paths as steps */
#include "capi/text_values.c" /* what parts of them mean */
#include "capi/text_pick.c"   /* the values that paths lead to */
#include "capi/json.c"        /* text to binary and back */
#include "capi/encoder.c"     /* value by value */
#include "capi/delta.c"       /* JSON deltas */
#include "capi/edit.c"        /* changes */
#include "capi/saving.c"      /* files that survive: written, appended to */
#include "capi/text_edit.c"   /* changes of texts */
