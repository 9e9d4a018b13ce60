/* SPDX-License-Identifier: MIT
** library.h -- what all modules share, Fleece's own and the stand-ins: the state, upvalues and tables of functions.
** Must hold: one userdata in the registry, shared by fleece and fleece.safe; no mutable statics. A codec belongs to
** one module, and does not change after the module was loaded. */
#pragma once

#include "../decode/face/decode.h"

/* Raises an error in a Lua that this object was not built for. */
FL_PRIVATE void mod_check_host(lua_State *L);

/* Returns whether pairs and # of this Lua call __pairs and __len. In LuaJIT that depends on how it was built. */
FL_PRIVATE int mod_pairs_honours_meta(lua_State *L);

/* Pushes the MOD_UPVALUES upvalues of a module's functions. The new codec is the first member of a block of `size`
** bytes, which are all 0. */
FL_PRIVATE struct mod_codec *mod_push_upvalues(lua_State *L, size_t size);

/* Pushes a table of functions. Their upvalues are on the stack from `base` on. */
FL_PRIVATE void mod_push_library(lua_State *L, int base, const luaL_Reg *functions);

/* Sets a field of the table on top. */
FL_PRIVATE void mod_set_string(lua_State *L, const char *name, const char *s);
