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
#include "../schema/compile/asks.c"
#include "../schema/compile/branches.c"
#include "../schema/compile/circles.c"
#include "../schema/compile/closed.c"
#include "../schema/compile/sizes.c"
#include "../schema/compile/choices.c"
#include "../schema/compile/compile.c"
#include "../schema/compile/constants.c"
#include "../schema/compile/dialects.c"
#include "../schema/compile/merge.c"
#include "../schema/compile/objects.c"
#include "../schema/compile/places.c"
#include "../schema/compile/presence.c"
#include "../schema/compile/references.c"
#include "../schema/compile/registry.c"
#include "../schema/compile/scalars.c"
#include "../schema/compile/scopes.c"
#include "../schema/compile/sources.c"
#include "../schema/compile/state.c"
#include "../schema/compile/strict.c"
#include "../schema/compile/strict_units.c"
#include "../schema/compile/unit.c"
#include "../schema/compile/uri.c"
FL_SMALL_END
#include "../schema/run/run.c"
FL_SMALL_BEGIN
#include "../schema/run/report.c"
FL_SMALL_END
