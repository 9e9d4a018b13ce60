/* SPDX-License-Identifier: MIT
** library.c -- libfleece: the C interface without Lua, as one translation unit.
** Must hold: knows no Lua; exports what include/fleece.h declares, nothing else. */

#define FLEECE_BUILD

#include "parts/text.c"
#include "parts/json.c"
#include "parts/index.c"
#include "parts/binary.c"

#include "values/texts.c"
#include "values/value.c"

#include "parts/schema_engine.c"

#include "parts/convert.c"

#include "files/map.c"
#include "files/replace.c"
#include "files/lock.c"
#include "files/append.c"

#include "capi/capi.c"        /* options, errors, memory */
#include "capi/documents.c"   /* checking, opening, also files with frames; shared keys */
#include "capi/values.c"      /* what they are; ways to them; bytes that were written */
#include "capi/text.c"        /* texts in place: tested and searched; paths as steps */
#include "capi/text_values.c" /* what parts of them mean */
#include "capi/text_pick.c"   /* the values that paths lead to */
#include "capi/json.c"        /* text to binary and back */
#include "capi/encoder.c"     /* value by value */
#include "capi/edit.c"        /* changes, JSON deltas */
#include "capi/saving.c"      /* files that survive: written, appended to */
#include "capi/text_edit.c"   /* changes of texts */
#include "capi/schema.c"      /* JSON Schema */
