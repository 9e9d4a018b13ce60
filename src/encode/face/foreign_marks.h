/* SPDX-License-Identifier: MIT
** foreign_marks.h -- values of other libraries that Fleece's own encoder understands, in every build: lua-cjson's
** array_mt, empty_array_mt and empty_array; the null of lua-rapidjson and of lua-yyjson.
** Must hold: this is the only file of the core that names another library. A library counts once the program has
** loaded it. Its metatables are anchored, so that an address never means another table. */
#pragma once

#include "state.h"

/* Finds the marks of the libraries that are loaded by now. True: a metatable is new. */
FL_PRIVATE int mod_refresh_marks(lua_State *L, void *owner);
