/* SPDX-License-Identifier: MIT
** schema_engine.c -- what compiles and runs JSON Schemas, without Lua: for the part schema, and for the C library. */
#include "../base/def.h"

FL_SMALL_BEGIN
#include "../schema/keywords.c" /* the keywords of all drafts */

#include "../schema/formats/addresses.c"  /* formats of strings: addresses, */
#include "../schema/formats/formats.c"    /* all of them, */
#include "../schema/formats/host_names.c" /* names of hosts, */
#include "../schema/formats/time.c"       /* dates and times, */
#include "../schema/formats/uris.c"       /* URIs and pointers */

#include "../schema/compile/branches.c"   /* keywords with branches */
#include "../schema/compile/circles.c"    /* references in circles */
#include "../schema/compile/sizes.c"      /* which units are small */
#include "../schema/compile/compile.c"    /* the whole */
#include "../schema/compile/constants.c"  /* const and enum */
#include "../schema/compile/dialects.c"   /* drafts and vocabularies */
#include "../schema/compile/objects.c"    /* keywords of objects */
#include "../schema/compile/places.c"     /* pointers to places */
#include "../schema/compile/references.c" /* references */
#include "../schema/compile/registry.c"   /* URIs and anchors */
#include "../schema/compile/scalars.c"    /* keywords of scalars */
#include "../schema/compile/scopes.c"     /* dynamic scopes */
#include "../schema/compile/sources.c"    /* texts */
#include "../schema/compile/state.c"      /* what grows */
#include "../schema/compile/strict.c"     /* what is likely to be a mistake */
#include "../schema/compile/unit.c"       /* one schema */
#include "../schema/compile/uri.c"        /* URIs */
FL_SMALL_END
#include "../schema/run/run.c" /* what all runs share */
FL_SMALL_BEGIN
#include "../schema/run/report.c" /* failures and their messages */
FL_SMALL_END
