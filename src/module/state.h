/* SPDX-License-Identifier: MIT
** state.h -- makes what Fleece keeps per Lua state.
** Must hold: one userdata in the registry, shared by fleece and fleece.safe; no mutable statics. */
#pragma once

#include "../decode/face/state.h"
#include "../encode/face/state.h"
#include "../lua/parts.h"
#if PART_HAS_document
#include "../document/state.h"
#endif

/* Raises an error in a Lua that this object was not built for. */
FL_PRIVATE void mod_check_host(lua_State *L);

/* Pushes this Lua state's mod_state, made at the first call. */
FL_PRIVATE struct mod_state *mod_push_state(lua_State *L);
