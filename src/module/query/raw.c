/* SPDX-License-Identifier: MIT
** raw.c -- values of Lua tables by a query, below the API: raw.h for each layout of this build, and its memory.
** May call: base, query, layout, convert/lua_to_json, lua_*, module/core/foreign_marks.h.
** Must hold: no lua_* call between the first and the last step of a walk. Its memory is of Lua's allocator, and is given
** back before anything can raise. */
#include "query.h"

#include "../../convert/lua_to_json/raw/paste.h"
#include "../core/foreign_marks.h"

/* One walk. */
struct mod_query_walk {
  struct query_run is;
  const void *state;           /* the Lua state; the value is on top */
  const char *names;           /* the table of names: struct mod_query_call */
  char *results;               /* a new table */
  size_t room, count;          /* of that table; of the results, of which the first `room` are stored */
  uint64_t null_word;          /* as in struct encode_state */
  int empty_is_object;         /* a table without anything */
  struct encode_state classes; /* what metatables mean */
};

#define PASTE "../module/query/raw.h"
#include "../../layout/each.h"

typedef int (*mod_query_raw_of)(struct mod_query_walk *w);

/* What metatables mean: as query_tables_class says. */
static const struct encode_field_rule mod_query_fields[] = {
    ENCODE_FIELD("__jsontype", "array", ENCODE_ARRAY),
    ENCODE_FIELD("__jsontype", "object", ENCODE_OBJECT),
    ENCODE_NO_MORE_FIELDS,
};
static const struct encode_rules mod_query_rules = {
    .fields = mod_query_fields,
    .known = {ENCODE_KNOWN_TYPES, [ENCODE_EMPTY_OBJECT] = ENCODE_EMPTY_OBJECT, [ENCODE_NULL] = ENCODE_NULL,
              [ENCODE_TAGGED_ARRAY] = ENCODE_TAGGED_ARRAY, [ENCODE_CALL] = ENCODE_CALL},
    .finds_new_metatables = 1,
};
static const struct encode_policy mod_query_policy = {.rules = &mod_query_rules};

/* The blocks of a walk. */
struct mod_query_blocks {
  lua_Alloc alloc;
  void *ud;
  void *block[QUERY_BLOCKS];
  size_t size[QUERY_BLOCKS];
};

/* A query_memory. */
static void *mod_query_block(void *owner, enum query_block block, size_t n, size_t used) {
  struct mod_query_blocks *b = (struct mod_query_blocks *)owner;
  void *to = b->alloc(b->ud, b->block[block], b->size[block], n);
  FL_ASSERT(used <= b->size[block]), (void)used;
  if (!to) return NULL;
  b->size[block] = n;
  return b->block[block] = to;
}

/* Walks the value on top. */
static int mod_query_walk(struct mod_query_walk *w, struct mod_query_call *call, mod_query_raw_of walk) {
  struct mod_query_blocks blocks;
  int fine, i;
  memset(&blocks, 0, sizeof blocks);
  blocks.alloc = lua_getallocf(call->L, &blocks.ud);
  mod_query_begin(&w->is, call);
  w->is.memory = mod_query_block;
  w->is.owner = &blocks;
  w->classes.has_classes = 0;
  w->count = 0;
  fine = walk(w);
  for (i = 0; i < QUERY_BLOCKS; i++)
    if (blocks.block[i]) (void)blocks.alloc(blocks.ud, blocks.block[i], blocks.size[i], 0);
  return fine;
}

/* Can a table with so much room be the result? */
static int mod_query_fits(const struct mod_query_walk *w) {
  return w->count <= w->room && w->room <= 2 * w->count + MOD_QUERY_ROOM;
}

FL_PRIVATE int mod_query_raw(struct query_run *r, struct mod_query_call *call, int value) {
  lua_State *L = call->L;
  struct mod_query *q = call->query;
  struct mod_state *m = q->state;
  const mod_query_raw_of walk = LAYOUT_PICK(m->verdict.facts, query);
  struct mod_query_walk w;
  size_t room;
  int tries;
  if (!walk || !m->raw || q->o.layout_api || call->wants != MOD_QUERY_VALUES || call->null || !lua_istable(L, value))
    return -1;
  if (!m->decoder && !mod_find_decoder_(L, m)) return -1; /* may tables be written? */
  memset(&w, 0, sizeof w);
  w.state = L;
  w.names = (const char *)lua_topointer(L, call->names);
  w.null_word = m->verdict.null_word;
  w.empty_is_object = q->style.empty_object;
  w.classes.policy = &mod_query_policy;
  w.classes.marks = &m->marks;
  room = q->room;
  for (tries = 0; tries < MOD_QUERY_TRIES && room <= MOD_QUERY_MOST; tries++) {
    lua_createtable(L, (int)room, 0);
    lua_replace(L, call->results);
    w.results = (char *)(uintptr_t)lua_topointer(L, call->results);
    lua_pushvalue(L, value);
    if (!mod_query_walk(&w, call, walk)) {
      lua_pop(L, 1);
      if (w.is.error != QUERY_ERROR_REDO || !w.classes.unknown_metatable || w.classes.unknown_are_plain) break;
      (void)mod_refresh_marks(L, m);
      w.classes.unknown_are_plain = 1;
      continue;
    }
    lua_pop(L, 1);
    room = w.count;
    q->room = room < MOD_QUERY_GUESS ? (uint32_t)room : MOD_QUERY_GUESS;
    if (mod_query_fits(&w)) return 1;
  }
  if (w.is.error != QUERY_ERROR_STEPS && w.is.error != QUERY_ERROR_DEPTH && w.is.error != QUERY_ERROR_REGEX) return -1;
  *r = w.is;
  return 0;
}
