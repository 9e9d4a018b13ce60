/* SPDX-License-Identifier: MIT
** raw.c -- checks Lua tables below the API: raw.h for each layout of this build.
** Must hold: no lua_* call while a walk runs. Its memory comes from Lua's allocator and is freed before anything can
** raise. */
#include "../../encode/face/state.h"
#include "../../values/tables/paste_raw.h"
#include "schema.h"

FL_STATIC_ASSERT(SCHEMA_BLOCKS * sizeof(void *) <= sizeof((struct value_blocks *)0)->block, schema_blocks_have_room);

/* One walk over the value on top of the Lua stack. */
struct mod_schema_walk {
  struct mod_schema_call *call;
  struct value_raw values;
  struct value_blocks *blocks;
  const void *frames; /* the first block, a C array */
  struct encode_state classes;
};

/* The run's value_memory. */
static void *mod_schema_walk_memory(void *owner, unsigned block, size_t n, size_t used) {
  const struct mod_schema_walk *w = (const struct mod_schema_walk *)owner;
  const int leaves_first = block == SCHEMA_BLOCK_FRAMES && !w->blocks->block[block];
  void *to = value_blocks_memory(w->blocks, block, n, leaves_first ? 0 : used);
  if (to && leaves_first) memcpy(to, w->frames, used);
  return to;
}

#define PASTE "../schema/face/raw.h"
#include "../../layout/each.h"

typedef enum value_error (*mod_schema_raw_of)(struct mod_schema_walk *w);

/* Checks the value on top with the layout's walk. */
static enum value_error mod_schema_walk(struct mod_schema_walk *w, mod_schema_raw_of walk) {
  struct value_blocks blocks;
  enum value_error error;
  value_blocks_begin(&blocks, w->call->L);
  w->blocks = &blocks;
  w->classes.has_classes = 0;
  error = walk(w);
  value_blocks_free(&blocks);
  return error;
}

FL_PRIVATE enum value_error mod_schema_raw(struct mod_schema_call *call, int value) {
  lua_State *L = call->L;
  const struct mod_schema *s = call->schema;
  struct mod_state *m = s->state;
  const mod_schema_raw_of walk = LAYOUT_PICK(m->verdict.facts, schema);
  struct mod_schema_walk w;
  enum value_error error = VALUE_ERROR_REDO;
  int tries;
  if (!walk || !m->encode->raw || s->o.layout_api || call->null || call->report || !lua_istable(L, value))
    return VALUE_ERROR_REDO;
  memset(&w, 0, sizeof w);
  w.call = call;
  value_raw_begin(&w.values, &w.classes, m, &s->style);
  w.values.names = (const char *)lua_topointer(L, call->names);
  for (tries = 0; tries < MOD_SCHEMA_TRIES; tries++) {
    lua_pushvalue(L, value);
    error = mod_schema_walk(&w, walk);
    lua_pop(L, 1);
    if (error != VALUE_ERROR_REDO || !w.classes.unknown_metatable || w.classes.unknown_are_plain) break;
    (void)mod_refresh_marks(L, m);
    w.classes.unknown_are_plain = 1;
  }
  return error == VALUE_ERROR_MEMORY ? VALUE_ERROR_REDO : error;
}
