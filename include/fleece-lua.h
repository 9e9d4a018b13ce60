/* SPDX-License-Identifier: MIT
** fleece-lua.h -- for C programs that embed Lua: registers Fleece's modules, and converts values to JSON text and back.
** C99 and C++; lua.h is not needed. The library is named after its Lua: libfleece-lua5.1 to -lua5.5, libfleece-luajit.
** docs/c.md explains how to use it.
**
** Rules for all functions of this file, except luaopen_*:
** - They raise no Lua error and do not longjmp: every error inside, also in hooks and of allocation, becomes a status.
** - They need FLEECE_LUA_SLOTS free stack slots (a C function called by Lua has 20; lua_checkstack). Indices are those
**   of the Lua API, including upvalues.
** - FLEECE_OK: each function describes what it pushes. Any other status: exactly one value is pushed, the message, or
**   the value that was raised.
** - A Lua state may be used by one thread at a time. */
#ifndef FLEECE_LUA_H
#define FLEECE_LUA_H

#include "fleece.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lua_State;

#define FLEECE_LUA_SLOTS 8

/* Makes require "fleece", "fleece.safe", "fleece.cjson" and the others work without files, by putting the functions
** below into package.preload. Lua 5.1 and LuaJIT: the package library must be open (else ARGUMENT). Pushes nothing.
** Status: MEMORY, ARGUMENT. */
FLEECE_API int fleece_register(struct lua_State *L);

/* Each is a lua_CFunction that pushes one module. These raise. */
FLEECE_API int luaopen_fleece(struct lua_State *L);
FLEECE_API int luaopen_fleece_safe(struct lua_State *L);
FLEECE_API int luaopen_fleece_cjson(struct lua_State *L);
FLEECE_API int luaopen_fleece_cjson_safe(struct lua_State *L);
FLEECE_API int luaopen_fleece_dkjson(struct lua_State *L);
FLEECE_API int luaopen_fleece_rxi(struct lua_State *L);
FLEECE_API int luaopen_fleece_rapidjson(struct lua_State *L);
FLEECE_API int luaopen_fleece_luajson(struct lua_State *L);
FLEECE_API int luaopen_fleece_json4lua(struct lua_State *L);

/* `options`, here and below: the index of a table with the options of the Lua function (docs/reference/options.md), or
** of a codec, which fleece.new or require "fleece" returns; 0: the defaults. A table that is neither: ARGUMENT. */

/* Encodes the value at `index` as fleece.encode does; on success the stack is unchanged. The text replaces the content
** of `out`. Status: VALUE (the value cannot be encoded, or a hook failed; the message has the path), ARGUMENT, MEMORY,
** LUA. */
FLEECE_API int fleece_encode(struct lua_State *L, int index, int options, fleece_bytes *out);

/* The same in pieces, of 16 KiB or more except the last one. The writer must not use this Lua state, and must not
** longjmp. Some pieces may have been passed before an error. Status also: WRITER. */
FLEECE_API int fleece_encode_to(struct lua_State *L, int index, int options, fleece_writer writer, void *ud);

/* Decodes text[0..n) as fleece.decode does, and pushes the value. It is nil only for `null` with the option
** null = "nil". `flags`: FLEECE_TERMINATED (saves a copy of the text), or 0. Status: JSON (the message has line and
** column), ARGUMENT, MEMORY, LUA. */
FLEECE_API int fleece_decode(struct lua_State *L, const char *text, size_t n, int options, uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif
