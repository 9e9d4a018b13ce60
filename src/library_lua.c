/* SPDX-License-Identifier: MIT
** library_lua.c -- libfleece-lua5.x: the module, and the C interface for hosts that embed that Lua, as one
** translation unit.
** Must hold: exports luaopen_fleece... and what include/fleece-lua.h declares, nothing else. */

#define FLEECE_BUILD

#include "fleece.c"
#include "capi/capi.c"
#include "capi/lua.c"
