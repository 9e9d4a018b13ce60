/* SPDX-License-Identifier: MIT
** library.c -- libfleece: the C interface without Lua, as one translation unit.
** May call: capi.  Must hold: knows no Lua; exports what include/fleece.h declares, nothing else. */

#define FLEECE_BUILD

#include "capi/capi.h"      /* options, errors, memory */
#include "capi/bytes.h"     /* what was written */
#include "capi/documents.h" /* checking, opening; shared keys */
#include "capi/values.h"    /* what they are; ways to them */
#include "capi/json.h"      /* text to binary and back */
#include "capi/encoder.h"   /* value by value */
#include "capi/delta.h"     /* JSON deltas */
#include "capi/edit.h"      /* changes */
