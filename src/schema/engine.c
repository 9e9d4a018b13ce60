/* SPDX-License-Identifier: MIT
** engine.c -- what compiles and runs JSON Schemas, without Lua: for the part schema, and for the C library. */
#include "../base/def.h"

FL_SMALL_BEGIN
#include "keywords.c" /* the keywords of all drafts */

#include "formats/addresses.c"  /* formats of strings: addresses, */
#include "formats/formats.c"    /* all of them, */
#include "formats/host_names.c" /* names of hosts, */
#include "formats/time.c"       /* dates and times, */
#include "formats/uris.c"       /* URIs and pointers */

#include "compile/branches.c"   /* keywords with branches */
#include "compile/circles.c"    /* references in circles */
#include "compile/sizes.c"      /* which units are small */
#include "compile/compile.c"    /* the whole */
#include "compile/constants.c"  /* const and enum */
#include "compile/dialects.c"   /* drafts and vocabularies */
#include "compile/objects.c"    /* keywords of objects */
#include "compile/places.c"     /* pointers to places */
#include "compile/references.c" /* references */
#include "compile/registry.c"   /* URIs and anchors */
#include "compile/scalars.c"    /* keywords of scalars */
#include "compile/scopes.c"     /* dynamic scopes */
#include "compile/sources.c"    /* texts */
#include "compile/state.c"      /* what grows */
#include "compile/strict.c"     /* what is likely to be a mistake */
#include "compile/unit.c"       /* one schema */
#include "compile/uri.c"        /* URIs */
FL_SMALL_END
#include "run/run.c" /* what all runs share */
FL_SMALL_BEGIN
#include "run/report.c" /* failures and their messages */
FL_SMALL_END
