/* SPDX-License-Identifier: MIT
** library_lua.c -- libfleece-lua5.x: the module, and the C interface for hosts that embed that Lua, as one translation
** unit.
** Must hold: exports only luaopen_fleece... and what include/fleece-lua.h declares. */

#define FLEECE_BUILD

#include "../include/fleece-lua.h" /* declares the functions before parts are compiled for size */

#include "fleece.c"
#include "capi/capi.c"
#include "capi/lua.c"
