/* SPDX-License-Identifier: MIT
** raw.c -- queries Lua tables below the API: raw.h for each layout of this build.
** Must hold: no lua_* call while a walk runs. Its memory comes from Lua's allocator and is freed before anything can
** raise. */
#include "../../encode/face/state.h"
#include "../../values/tables/paste_raw.h"
#include "query.h"

FL_STATIC_ASSERT(QUERY_BLOCKS * sizeof(void *) <= sizeof((struct value_blocks *)0)->block, query_blocks_have_room);

/* One walk over the value on top of the Lua stack. */
struct mod_query_walk {
  struct mod_query_call *call;
  struct value_raw values;
  struct value_blocks *blocks;
  enum mod_query_wants wants;
  char *results;      /* a new table */
  size_t room, count; /* room: slots of that table; count: results, of which only the first `room` are stored */
  char *texts;        /* a block: paths one after the other, each after its length */
  size_t texts_room, texts_length;
  struct encode_state classes;
};

/* Adds a path, if there is room for it. */
static void mod_query_put_path(struct mod_query_walk *w, const char *s, size_t n) {
  char *to = w->texts + w->texts_length;
  w->texts_length += sizeof n + n;
  if (FL_UNLIKELY(w->texts_length > w->texts_room)) return;
  memcpy(to, &n, sizeof n);
  memcpy(to + sizeof n, s, n);
}

#define PASTE "../query/face/raw.h"
#include "../../layout/each.h"

typedef enum value_error (*mod_query_raw_of)(struct mod_query_walk *w);

static enum value_error mod_query_walk(struct mod_query_walk *w, mod_query_raw_of walk) {
  struct value_blocks blocks;
  value_blocks_begin(&blocks, w->call->L);
  w->blocks = &blocks;
  w->classes.has_classes = 0;
  w->count = w->texts_length = 0;
  const enum value_error error = walk(w);
  value_blocks_free(&blocks);
  return error;
}

/* Returns whether there was room for everything, and not too much for the table to be the result. */
static int mod_query_fits(const struct mod_query_walk *w) {
  return w->count <= w->room && w->room <= 2 * w->count + MOD_QUERY_ROOM && w->texts_length <= w->texts_room;
}

/* Replaces each value, or every second one, by the string of its path. */
static void mod_query_make_paths(struct mod_query_call *call, const struct mod_query_walk *w) {
  const int apart = w->wants == MOD_QUERY_BOTH ? 2 : 1;
  const char *s = w->texts;
  for (int i = apart; (size_t)i <= w->count; i += apart) {
    size_t n;
    memcpy(&n, s, sizeof n);
    lua_pushlstring(call->L, s + sizeof n, n);
    lua_rawseti(call->L, call->results, i);
    s += sizeof n + n;
  }
}

/* Creates a table for the results, and a block for the texts of paths. */
static void mod_query_make_room(struct mod_query_call *call, struct mod_query_walk *w, size_t room, size_t texts) {
  lua_State *L = call->L;
  const int slot = call->blocks + QUERY_BLOCK_TEXT;
  if (w->wants != MOD_QUERY_VALUES) {
    w->texts_room = texts + MOD_QUERY_TEXTS;
    w->texts = (char *)lua_newuserdata(L, w->texts_room);
    lua_replace(L, slot);
  }
  lua_createtable(L, (int)room, 0);
  w->results = (char *)(uintptr_t)lua_topointer(L, -1);
  lua_replace(L, call->results);
}

FL_PRIVATE enum value_error mod_query_raw(struct mod_query_call *call, int value) {
  lua_State *L = call->L;
  struct mod_query *q = call->query;
  struct mod_state *m = q->state;
  const mod_query_raw_of walk = LAYOUT_PICK(m->verdict.facts, query);
  size_t room, texts;
  if (!walk || !m->encode->raw || q->o.layout_api || call->null || !lua_istable(L, value)) return VALUE_ERROR_REDO;
  if (!m->decode->decoder && !mod_find_decoder_(L, m)) return VALUE_ERROR_REDO; /* whether tables can be written to */
  struct mod_query_walk w = {0};
  w.call = call;
  w.wants = call->wants;
  value_raw_begin(&w.values, &w.classes, m, &q->style);
  w.values.names = (const char *)lua_topointer(L, call->names);
  room = q->room, texts = q->texts;
  for (int tries = 0; tries < MOD_QUERY_TRIES && room <= MOD_QUERY_MOST; tries++) {
    mod_query_make_room(call, &w, room, texts);
    lua_pushvalue(L, value);
    const enum value_error error = mod_query_walk(&w, walk);
    lua_pop(L, 1);
    if (error == VALUE_ERROR_REDO && w.classes.unknown_metatable && !w.classes.unknown_are_plain) {
      (void)mod_refresh_marks(L, m);
      w.classes.unknown_are_plain = 1;
      continue;
    }
    if (error) return error == VALUE_ERROR_MEMORY ? VALUE_ERROR_REDO : error;
    room = w.count, texts = w.texts_length;
    q->room = room < MOD_QUERY_GUESS ? (uint32_t)room : MOD_QUERY_GUESS;
    if (w.wants != MOD_QUERY_VALUES) q->texts = texts < MOD_QUERY_GUESS ? (uint32_t)texts : MOD_QUERY_GUESS;
    if (!mod_query_fits(&w)) continue;
    if (w.wants != MOD_QUERY_VALUES) mod_query_make_paths(call, &w);
    return VALUE_OK;
  }
  return VALUE_ERROR_REDO;
}
