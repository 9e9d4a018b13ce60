/* SPDX-License-Identifier: MIT
** schema_engine.c -- what compiles and runs JSON Schemas, without Lua: for the part schema, and for the C library. */
#include "../base/def.h"

FL_SMALL_BEGIN
#include "../schema/keywords.c"
#include "../schema/formats/addresses.c"
#include "../schema/formats/formats.c"
#include "../schema/formats/host_names.c"
#include "../schema/formats/time.c"
#include "../schema/formats/uris.c"
#include "../schema/compile/verdict/asks.c"
#include "../schema/compile/branches.c"
#include "../schema/compile/circles.c"
#include "../schema/compile/verdict/closed.c"
#include "../schema/compile/verdict/sizes.c"
#include "../schema/compile/verdict/choices.c"
#include "../schema/compile/compile.c"
#include "../schema/compile/constants.c"
#include "../schema/compile/texts/dialects.c"
#include "../schema/compile/verdict/merge.c"
#include "../schema/compile/objects.c"
#include "../schema/compile/texts/places.c"
#include "../schema/compile/verdict/presence.c"
#include "../schema/compile/texts/references.c"
#include "../schema/compile/texts/registry.c"
#include "../schema/compile/scalars.c"
#include "../schema/compile/texts/scopes.c"
#include "../schema/compile/texts/sources.c"
#include "../schema/compile/state.c"
#include "../schema/compile/strict.c"
#include "../schema/compile/strict_units.c"
#include "../schema/compile/unit.c"
#include "../schema/compile/texts/uri.c"
FL_SMALL_END
#include "../schema/run/run.c"
FL_SMALL_BEGIN
#include "../schema/run/report.c"
FL_SMALL_END
