/* SPDX-License-Identifier: MIT
** library.c -- libfleece: the C interface without Lua, as one translation unit.
** Must hold: knows no Lua; exports only what include/fleece.h and its part fleece-text.h declare. */

#define FLEECE_BUILD

#include "parts/text.c"
#include "parts/json.c"
#include "parts/index.c"
#include "parts/binary.c"

#include "parts/query_engine.c"
#include "parts/schema_engine.c"

#include "parts/convert.c"

#include "files/map.c"
#include "files/replace.c"
#include "files/lock.c"
#include "files/append.c"

#include "capi/capi.c"
#include "capi/documents.c"
#include "capi/values.c"
#include "capi/text.c"
#include "capi/text_values.c"
#include "capi/text_pick.c"
#include "capi/text_query.c"
#include "capi/json.c"
#include "capi/encoder.c"
#include "capi/edit.c"
#include "capi/saving.c"
#include "capi/text_edit.c"
#include "capi/text_patch.c"
#include "capi/schema.c"
