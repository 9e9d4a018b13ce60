/* SPDX-License-Identifier: MIT
** lua_version.h -- the Lua that is compiled for: the one parameter of the library. */
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* dladdr */
#endif

#include "../base/def.h"
#include <lua.h>
#ifndef FLEECE_LUA_VERSION
#define FLEECE_LUA_VERSION LUA_VERSION_NUM
#endif
