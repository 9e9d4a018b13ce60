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
** of a codec, which fleece.new or require "fleece" returns; 0: the defaults. A table that is neither, and an index
** that the stack does not have: ARGUMENT. */

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

/* Tells the host that bytes are not needed any more. It must not use the Lua state, and must not longjmp. */
typedef void (*fleece_release)(void *ud);

/* Pushes a document that uses bytes of the host, as fleece.open does for a string, but without a copy. The bytes must
** be at an even address, and stay as they are until `release` is called, which happens once: when the document is
** closed (doc:close()) or collected, at the latest by lua_close, or because of an error. The collector does not know
** how large they are. NULL: they stay as long as the state. `flags`: FLEECE_TRUSTED (the bytes are not checked), or 0.
** Status: BINARY (not a document; the message has the byte), ARGUMENT, MEMORY, LUA. */
FLEECE_API int fleece_push_bytes(struct lua_State *L, const void *bytes, size_t n, int options, uint32_t flags,
                                 fleece_release release, void *ud);

/* The bytes of the document at `index`, or of the document that a view there is of, and their number in *n. They are
** valid as long as that document is neither closed nor collected. NULL, and *n is 0: there is none, it is closed, it
** has a base or shared keys, or it is a view of a text. Pushes nothing. */
FLEECE_API const void *fleece_to_bytes(struct lua_State *L, int index, size_t *n);

/* These two need libfleece, too. */

static inline void fleece_close_pushed(void *doc) { fleece_close((fleece_doc *)doc); }

/* Pushes an open document, which now belongs to Lua: it is closed as the bytes of fleece_push_bytes are released, also
** after an error. Its bytes are not copied, and not checked again. ARGUMENT: it has a base or shared keys. */
static inline int fleece_push(struct lua_State *L, fleece_doc *doc) {
  size_t n;
  const void *bytes = fleece_doc_bytes(doc, &n);
  return fleece_push_bytes(L, bytes, n, 0, FLEECE_TRUSTED, fleece_close_pushed, doc);
}

/* Opens the document at `index` for C, without copying or checking its bytes. It must be closed before the one of Lua
** is closed or collected. NULL: as fleece_to_bytes (ARGUMENT), MEMORY. Pushes nothing. */
static inline fleece_doc *fleece_to_document(struct lua_State *L, int index, fleece_error *error) {
  fleece_options options = FLEECE_OPTIONS_INIT;
  size_t n;
  const void *bytes = fleece_to_bytes(L, index, &n);
  options.flags = FLEECE_TRUSTED;
  return fleece_open(bytes, bytes ? n : 1, &options, error);
}

#ifdef __cplusplus
}
#endif

#endif
