/* SPDX-License-Identifier: MIT
** probe.h -- which layout the Lua at hand has, by proof; docs/layouts.md tells the proof in words.
** May call: base, the layouts, lua_*.
** Must hold: probe_layout leaves the host's state as it was, and no error leaves it. */
#ifndef FLEECE_LAYOUT_PROBE_H
#define FLEECE_LAYOUT_PROBE_H

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
  const struct lay_facts *facts; /* NULL: no layout is proven, the public API has to do */
  const char *failed;            /* what did not fit, in words; NULL when proven */
  const char *write_failed;      /* the same of writing; nothing may be written unless it is NULL */
  uint64_t null_word;            /* slot word of light userdata NULL in this state */
};

/* What the predicates of a layout can say of a value. */
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

/* Values of every kind a table may hold. */
FL_PRIVATE void prove_push_value(lua_State *L, int i);

/* Keys of every kind, i = 0..7. The first two are deleted again by prove_nodes. */
FL_PRIVATE void prove_push_key(lua_State *L, int i);

#if LUA_VERSION_NUM >= 505

/* Frees nothing: the bytes of prove_strings are constants. */
FL_PRIVATE void *prove_keep(void *ud, void *block, size_t old_size, size_t size);
#endif

/* One half of the proof of a layout: NULL, or what does not fit, in words. prove.h and prove_write.h have them. */
typedef const char *probe_body(lua_State *L, const struct lay_arena *a);
#define PROBE_BODIES(layout, kilobytes) FL_PRIVATE probe_body layout##_prove_all, layout##_prove_write;
LAYOUTS(PROBE_BODIES)
#undef PROBE_BODIES

/* Memory behind an arena: a writer that is wrong reaches so far, not further. And what a state with an FFI gets. */
enum { PROBE_SLACK = 1024, PROBE_BOXES_ROOM = 80 * 1024 };

FL_PRIVATE void probe_prove(lua_State *L, struct probe_verdict *verdict, const struct lay_facts *facts,
                            probe_body *body, probe_body *write_body, size_t bytes);

/* Tries each layout compiled in. L needs two free stack slots. One allocation from L is possible: LuaJIT
** notes the upper bits of light userdata when it meets them first, here those of NULL, which fleece.null
** needs anyway; a host that refuses those 8 bytes gets its memory error before anything is held. */
FL_PRIVATE struct probe_verdict probe_layout(lua_State *L);

/* Do boxed 64-bit integers lie as the proven layout says? The FFI that they need makes a state twice as expensive, so
** this is asked when one is met (see encode_boxes): loading the module takes 27 of 235 microseconds less. */
FL_PRIVATE int probe_boxes(lua_State *L, const struct lay_facts *facts, size_t bytes);

/* 5.1 has no luaL_checkversion: are its numbers the doubles this object was compiled for? Two are pushed
** before the first is read, for a core with other numbers may leave our own register as it was. */
FL_PRIVATE int probe_numbers(lua_State *L);

#endif
