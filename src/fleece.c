/* SPDX-License-Identifier: MIT
** fleece.c -- the whole library as one translation unit: what users build. Read it from the leaves up. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* dladdr */
#endif
#include <lua.h>
#define FLEECE_LUA_VERSION LUA_VERSION_NUM

#include "base/def.h"    /* compiler and CPU words */
#include "base/error.h"  /* what can go wrong */
#include "base/buffer.h" /* growing output */

#include "number/integer.h"   /* integers to digits */
#include "number/shortest.h"  /* doubles to the fewest digits */
#include "number/precision.h" /* doubles to N digits */

#include "text/quote.h"   /* escaping copies */
#include "text/general.h" /* the same by every option */
#include "text/utf8.h"    /* validation */

#include "json/write/style.h"   /* how the text is to look */
#include "json/write/write.h"   /* its pieces */
#include "json/grammar/scan.h"  /* the pieces of a text that is read */
#include "json/grammar/check.h" /* is a text JSON? */

#include "convert/lua_to_json/state.h"         /* the state of a walk */
#include "convert/lua_to_json/raw/instances.h" /* the raw walks, one per layout */
#include "convert/lua_to_json/api/walk.h"      /* the walk over the public API */
#include "convert/json_to_lua/instances.h"     /* decoding, one per layout */

#include "module/core/module.h"     /* the face */
#include "dropin/modules.h"         /* what stands in for other libraries */
#ifndef FLEECE_BUILD                /* the C library leaves signals to its host */
#include "module/program/program.h" /* what bin/fleece has besides */
#endif

FLEECE_EXPORT int luaopen_fleece(lua_State *L);
FLEECE_EXPORT int luaopen_fleece_safe(lua_State *L);
#ifndef FLEECE_BUILD
FLEECE_EXPORT int luaopen_fleece_program(lua_State *L);
#endif

/* require "fleece": data errors raise. */
int luaopen_fleece(lua_State *L) { return mod_open(L, 0); }

/* require "fleece.safe": data errors return nil, message. */
int luaopen_fleece_safe(lua_State *L) { return mod_open(L, 1); }

#ifndef FLEECE_BUILD
/* require "fleece.program": for the program bin/fleece alone. It takes signals; no module of the library does. */
int luaopen_fleece_program(lua_State *L) { return program_open(L); }
#endif
