/* SPDX-License-Identifier: MIT
** fleece-lua.h -- for C programs that embed Lua: its modules without files, and values to JSON text and back. C99 and
** C++; lua.h is not needed. The library is named after the Lua that it is for: libfleece-lua5.1 to -lua5.5,
** libfleece-luajit. The chapter is docs/c.md.
**
** What holds for all functions of this file:
** - They raise no Lua error, and never jump: whatever is raised inside, in hooks and for want of memory too, becomes
**   a status.
** - FLEECE_LUA_SLOTS free stack slots are needed (a C function that Lua calls begins with 20; lua_checkstack).
**   Indices are those of the Lua API; upvalues too.
** - FLEECE_OK: what is pushed stands with each function. Any other status: exactly one value is pushed, the message,
**   or the value that was raised.
** - A Lua state belongs to one thread at a time, as always. */
#ifndef FLEECE_LUA_H
#define FLEECE_LUA_H

#include "fleece.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lua_State;

#define FLEECE_LUA_SLOTS 8

/* Makes require "fleece", "fleece.safe", "fleece.cjson" and so on work without files:
** puts the functions below in package.preload. Lua 5.1 and LuaJIT: the package library must be open (else ARGUMENT).
** Pushes nothing. Status: MEMORY, ARGUMENT. */
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

/* `options`, here and below: index of a table of options as the Lua function has them (docs/manual.md), or of a
** codec, which is what fleece.new or require "fleece" returns; 0: the defaults. A table that is neither: ARGUMENT. */

/* Encodes the value at `index` as fleece.encode does, and leaves the stack as it was. The text replaces what was in
** `out`. Status: VALUE (it cannot be encoded; the message has the path; a hook's error too), ARGUMENT, MEMORY,
** LUA. */
FLEECE_API int fleece_encode(struct lua_State *L, int index, int options, fleece_bytes *out);

/* The same in pieces, of 16 KiB or more but for the last. The writer must not use this Lua state, nor jump. After an
** error some may have gone out. Status also: WRITER. */
FLEECE_API int fleece_encode_to(struct lua_State *L, int index, int options, fleece_writer writer, void *ud);

/* Decodes text[0..n) as fleece.decode does, and pushes the value: one that is not nil, but for `null` with the option
** null = "nil". `flags`: FLEECE_TERMINATED (saves a copy of the text), or 0. Status: JSON (the message has line and
** column), ARGUMENT, MEMORY, LUA. */
FLEECE_API int fleece_decode(struct lua_State *L, const char *text, size_t n, int options, uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif
