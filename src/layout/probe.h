/* SPDX-License-Identifier: MIT
** probe.h -- proves which layout this Lua has; README.md describes the proof.
** Must hold: probe_layout leaves the host's state unchanged and raises no error. */
#pragma once

#include <stdlib.h>
#include "lua_compat/api.h"

#ifndef FLEECE_LUA_VERSION
#define FLEECE_LUA_VERSION LUA_VERSION_NUM
#endif

#include "arena.h"
#include "layouts.h"

#if LUA_VERSION_NUM >= 505
#define PROBE_NEWSTATE(alloc, ud) lua_newstate(alloc, ud, 0)
#else
#define PROBE_NEWSTATE(alloc, ud) lua_newstate(alloc, ud)
#endif

struct probe_verdict {
  const struct lay_facts *facts; /* NULL: no layout is proven, and only the public API is used */
  const char *failed;            /* why the proof failed, or NULL */
  const char *write_failed;      /* the same for writing; nothing may be written unless it is NULL */
  uint64_t null_word;            /* the word of light userdata NULL in a slot of this state */
};

/* The kinds of values that the predicates of a layout distinguish. */
enum prove_kind {
  PROVE_NIL = 1,
  PROVE_FALSE = 2,
  PROVE_TRUE = 4,
  PROVE_LIGHT = 8,
  PROVE_STRING = 16,
  PROVE_TABLE = 32,
  PROVE_FLOAT = 64,
  PROVE_INTEGER = 128,
  PROVE_PLAIN_OTHER = 256
};

FL_INLINE uint64_t prove_bits(double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

FL_PRIVATE int prove_nothing(lua_State *L);

/* Pushes a value; different i give any kind that a table may contain. */
FL_PRIVATE void prove_push_value(lua_State *L, int i);

/* Pushes a key; i = 0..7 give every kind. prove_nodes deletes the first two again. */
FL_PRIVATE void prove_push_key(lua_State *L, int i);

#if LUA_VERSION_NUM >= 505

/* Frees nothing, because the bytes of prove_strings are constants. */
FL_PRIVATE void *prove_keep(void *ud, void *block, size_t old_size, size_t size);
#endif

/* One half of the proof of a layout, in prove.h and prove_write.h. Returns NULL, or what does not fit. */
typedef const char *probe_body(lua_State *L, const struct lay_arena *a);
#define PROBE_BODIES(layout, kilobytes) FL_PRIVATE probe_body layout##_prove_all, layout##_prove_write;
LAYOUTS(PROBE_BODIES)
#undef PROBE_BODIES

/* PROBE_SLACK: memory after an arena, for writes that a wrong layout puts out of bounds. PROBE_BOXES_ROOM: the arena of
** a state with an FFI. */
enum { PROBE_SLACK = 1024, PROBE_BOXES_ROOM = 80 * 1024 };

/* Runs one half of the proof of these facts in a private state of so many bytes. Returns NULL, or what does not fit. */
FL_PRIVATE const char *probe_prove(lua_State *L, const struct lay_facts *facts, probe_body *body, size_t bytes);

/* Tries each layout of this build, for reading. L needs two free stack slots. L may allocate once: LuaJIT records the
** upper bits of light userdata when they first occur, here those of NULL, which fleece.null needs anyway. If the host
** refuses these 8 bytes it gets its memory error before anything is held. */
FL_PRIVATE struct probe_verdict probe_layout(lua_State *L);

/* The second half: sets write_failed of a verdict. It takes as long as the first, so a state that only encodes does
** without it. "memory": it may be tried again. */
FL_PRIVATE void probe_writing(lua_State *L, struct probe_verdict *verdict);

/* Returns whether boxed 64-bit integers are stored as the proven layout assumes. They need an FFI, which makes a state
** twice as expensive, so this is proven when the first one occurs (see encode_boxes): that saves loading the module 27
** of 235 microseconds. */
FL_PRIVATE int probe_boxes(lua_State *L, const struct lay_facts *facts, size_t bytes);

/* Returns whether the numbers of this core are doubles, as this object was compiled for. (5.1 has no
** luaL_checkversion.) Two are pushed before the first is read, because a core with other numbers may leave our own
** register unchanged. */
FL_PRIVATE int probe_numbers(lua_State *L);
