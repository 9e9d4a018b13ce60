/* SPDX-License-Identifier: MIT
** prove_write.h -- template: the last part of prove.h, which includes it: the writers of one layout.
** Must hold: the readers are proven. What a writer has written is first compared, by the readers, with what the core
** writes in the same case; the core uses it only if it is the same. After a failure the state may be damaged and must
** not be used again, not even to close it: probe.h releases its memory as a whole.
** A writer that is wrong by some words writes into the arena, or into the PROBE_SLACK bytes after it. */

/* 15 names in 16 nodes. If no two of them collided, the free mark would not be tested: one case in 50,000. */
enum { LAY(prove_items) = 20, LAY(prove_names) = 15 };

/* Returns whether the value in the slot, which has 0xA5 around it, is the last pushed one. Pops that. */
FL_FUNC int LAY(slot_fits)(lua_State *L, char *room) {
  int fits = LAY(same)(LAY(slot)(room + 16), LAY(pushed)(L, 1)), i;
  for (i = 0; i < 48; i++)
    if (i < 16 || i >= 16 + LAY(slot_bytes)) fits = fits && room[i] == '\xA5';
  lua_pop(L, 1);
  memset(room, 0xA5, 48);
  return fits;
}

FL_FUNC const char *LAY(prove_slots)(lua_State *L) {
  static const double doubles[] = {0.0, -0.0, 1.5, -1e300, 5e-324};
  static const int64_t integers[] = {0, 7, -7, (int64_t)1 << 50, -((int64_t)1 << 52)};
  char room[48];
  memset(room, 0xA5, sizeof room);
  lua_pushnil(L), LAY(put_nil)(room + 16);
  int fits = LAY(slot_fits)(L, room);
  for (size_t i = 0; i < 2; i++) {
    lua_pushboolean(L, (int)i), LAY(put_boolean)(room + 16, (int)i);
    fits = LAY(slot_fits)(L, room) && fits;
  }
  for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++) {
    lua_pushnumber(L, doubles[i]), LAY(put_number)(room + 16, doubles[i]);
    fits = LAY(slot_fits)(L, room) && fits;
  }
  for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
    /* the same number for the core: dual-number builds of LuaJIT have two ways to store it */
    if (LAY(has_integers)) lua_pushinteger(L, (lua_Integer)integers[i]);
    else lua_pushnumber(L, (lua_Number)integers[i]);
    LAY(put_integer)(room + 16, integers[i]);
    fits = LAY(slot_fits)(L, room) && fits;
  }
  lua_pushlightuserdata(L, NULL), LAY(put_light)(room + 16, LAY(pushed)(L, 1).bits);
  return LAY(slot_fits)(L, room) && fits ? NULL : "put";
}

/* Proves that the core uses the top that a writer sets, and that nothing near it changes. */
FL_FUNC const char *LAY(prove_top)(lua_State *L, const struct lay_arena *a) {
  enum { AROUND = 64 };
  char before[AROUND], wanted[AROUND], after[AROUND], *state = (char *)L, *top = LAY(top)(L);
  if (LAY(slot_bytes) != LAY(facts).slot || top != fl_load_ptr(state + LAY(facts).stack_top)) return "top";
  if (!lay_arena_has(a, state, AROUND) || !lay_arena_has(a, top, 2 * (size_t)LAY(slot_bytes))) return "top";
  memcpy(before, state, AROUND);
  LAY(put_number)(top, 1.5);
  LAY(set_top)(L, top + LAY(slot_bytes));
  memcpy(after, state, AROUND);
  top += LAY(slot_bytes);
  memcpy(wanted, before, AROUND);
  memcpy(wanted + LAY(facts).stack_top, &top, sizeof top);
  if (memcmp(wanted, after, AROUND) != 0) {
    memcpy(state, before, AROUND); /* restored, because returning from here uses it */
    return "top";
  }
  if (lua_gettop(L) != 1 || lua_tonumber(L, 1) != 1.5) return "top";
#if PROVE_VERSION == 0
  { /* the end of the stack, which a request for more slots moves */
    char *beyond = (char *)~(uintptr_t)0, *end = LAY(granted)(L, beyond, 0);
    ptrdiff_t room = (end - top) / LAY(slot_bytes);
    if (!lay_arena_has(a, end, 0) || room < 2) return "granted slots";
    if (!lua_checkstack(L, (int)room - 1) || LAY(granted)(L, beyond, 0) != end) return "granted slots";
    if (!lua_checkstack(L, (int)room + 1)) return "granted slots";
    end = LAY(granted)(L, beyond, 0);
    if ((end - LAY(top)(L)) / LAY(slot_bytes) <= room) return "granted slots";
    if (LAY(granted)(L, end - 1, 0) != end - 1 || LAY(granted)(L, beyond, 3) != end - 3 * LAY(slot_bytes))
      return "granted slots";
  }
#endif
  lua_settop(L, 0);
  return NULL;
}

/* Interned strings are equal only if they are the same object: all strings up to 40 bytes, maybe longer ones. */
FL_FUNC const char *LAY(prove_interned)(lua_State *L) {
  char bytes[300], room[48];
  memset(bytes, 'y', sizeof bytes);
  memset(room, 0xA5, sizeof room);
  lua_pushlstring(L, bytes, 300);
  if (LAY(is_interned)(LAY(pushed)(L, 1)) != (PROVE_VERSION == 0 || PROVE_VERSION == 501)) return "interned";
  lua_pushlstring(L, bytes, 40);
  const char *object = LAY(pointer)(LAY(pushed)(L, 1));
  lua_pushlstring(L, bytes, 40);
  if (!LAY(is_interned)(LAY(pushed)(L, 1)) || LAY(pointer)(LAY(pushed)(L, 1)) != object) return "interned";
  if (LAY(interned_bytes)(object) != lua_tolstring(L, -1, NULL)) return "interned";
  LAY(put_interned)(room + 16, object);
  if (!LAY(slot_fits)(L, room)) return "interned";
  lua_settop(L, 0);
  return NULL;
}

/* A full collection changes a live object from one white to the other. In between, while newer objects are swept, it is
** black: the arena sees this when a newer table is freed. No other bit of the second word changes. It is called twice,
** to see both changes. */
FL_FUNC const char *LAY(prove_collection)(lua_State *L) {
  const int shift = 8 * (LAY(marked) - 8);
  const uint64_t white = (uint64_t)LAY(white_bits) << shift, black = (uint64_t)LAY(black_bit) << shift;
  void *ud;
  (void)lua_getallocf(L, &ud);
  struct lay_arena *a = (struct lay_arena *)ud;
  lua_newtable(L);
  const char *t = (const char *)lua_topointer(L, -1);
  const uint64_t fresh = fl_load64(t + 8);
  if ((fresh & white) == 0 || (fresh & white) == white || !LAY(is_white)(t) || LAY(is_black)(t)) return "white";
  lua_newtable(L);
  a->awaited = (const char *)lua_topointer(L, -1), a->watched = t + 8, a->seen = 0;
  lua_pop(L, 1);
  lua_gc(L, LUA_GCCOLLECT, 0);
  lua_gc(L, LUA_GCSTOP, 0); /* in 5.1 and LuaJIT the full collection has restarted it */
  a->awaited = NULL;
  if (a->seen != ((fresh & ~white) | black)) return "black";
  if (fl_load64(t + 8) != (fresh ^ white)) return "white";
  lua_pop(L, 1);
  return NULL;
}

/* Pushes two new tables, of n items or n members: the first for the core, the second for the writers. */
FL_FUNC int LAY(twins_fit)(lua_State *L, const struct lay_arena *a, const char *dummy) {
  const char *r = (const char *)lua_topointer(L, -2), *t = (const char *)lua_topointer(L, -1);
  if (!LAY(blocks_fit)(a, r, dummy) || !LAY(blocks_fit)(a, t, dummy) || !LAY(is_white)(t)) return 0;
  return LAY(array_size)(r) == LAY(array_size)(t) && LAY(node_count)(r) == LAY(node_count)(t);
}

/* Returns whether table t is the same as r, word by word, except for the addresses of its parts. The first word is the
** list of all objects and must not change. Items and nodes are compared by the readers, because their padding may
** differ. */
FL_FUNC int LAY(is_twin)(const char *r, const char *t, uint64_t chain) {
  uint64_t nodes = (uint64_t)(LAY(nodes)(t) - LAY(nodes)(r)), array = (uint64_t)(LAY(array)(t) - LAY(array)(r));
  size_t n = LAY(array_size)(r), count = LAY(node_count)(r), i;
  if (fl_load64(t) != chain || LAY(array_size)(t) != n || LAY(node_count)(t) != count) return 0;
  for (i = 8; i < LAY(facts).table_bytes; i += 8) {
    uint64_t apart = fl_load64(t + i) - fl_load64(r + i);
    if (apart != 0 && apart != nodes && apart != array) return 0;
  }
  for (i = 0; i < n; i++)
    if (!LAY(same)(LAY(array_item)(LAY(array)(t), i), LAY(array_item)(LAY(array)(r), i))) return 0;
#if PROVE_VERSION == 505
  if (n != 0 && fl_load32(LAY(array)(t)) != fl_load32(LAY(array)(r))) return 0; /* the hint */
#endif
  if (nodes == 0) return 1; /* they share the empty hash part */
  for (i = 0; i < count; i++) {
    const char *x = LAY(nodes)(t) + i * LAY(node_bytes), *y = LAY(nodes)(r) + i * LAY(node_bytes);
    if (!LAY(same)(LAY(node_value)(x), LAY(node_value)(y)) || !LAY(same)(LAY(node_key)(x), LAY(node_key)(y)) ||
        LAY(node_next)(x) != LAY(node_next)(y))
      return 0;
  }
  return PROVE_NODES_FRONT(count) == 0 || fl_load64(LAY(nodes)(t) - 8) - fl_load64(LAY(nodes)(r) - 8) == nodes;
}

/* Proves arrays that are filled at once, or item by item. */
FL_FUNC const char *LAY(prove_fill)(lua_State *L, const struct lay_arena *a, const char *dummy) {
  static const uint8_t sizes[] = {0, 5, LAY(prove_items)};
  for (size_t k = 0; k < sizeof sizes; k++) {
    const int n = sizes[k];
    for (int i = 1; i <= n; i++) prove_push_value(L, i);
    lua_createtable(L, n, 0);
    for (int i = 1; i <= n; i++) { compat_set_item(L, n + 1, i, i); }
    lua_createtable(L, n, 0);
    if (!LAY(twins_fit)(L, a, dummy)) return "fresh array part";
    char *t = (char *)(uintptr_t)lua_topointer(L, n + 2);
    const char *slots = LAY(top)(L) - (n + 2) * LAY(slot_bytes);
    const uint64_t chain = fl_load64(t);
    if (k != 1) LAY(fill_items)(t, slots, (size_t)n);
    else
      for (int i = 0; i < n; i++) LAY(put_item)(t, (size_t)i, slots + i * LAY(slot_bytes));
    if (!LAY(is_twin)((const char *)lua_topointer(L, n + 1), t, chain)) return "items";
    if (!LAY(table_fits)(L, a, dummy, (size_t)n, 1) || lua_rawlen(L, n + 1) != lua_rawlen(L, n + 2)) return "items";
    lua_settop(L, 0);
  }
  return NULL;
}

/* Records where the core has put the n names in table r, like decoding. The names are in slots. */
FL_FUNC int LAY(learn)(const struct lay_arena *a, const char *r, const char *slots, size_t n, struct lay_member *m,
                       uint32_t *free_at) {
  const char *nodes = LAY(nodes)(r), *mark = LAY(free_mark)(r);
  size_t count = LAY(node_count)(r), i, j, live = 0;
  for (j = 0; j < count; j++) {
    const char *node = nodes + j * LAY(node_bytes);
    int64_t to = (int64_t)j + LAY(node_next)(node);
    if (LAY(node_is_nil)(node)) continue;
    for (i = 0; i < n && LAY(slot)(slots + i * LAY(slot_bytes)).bits != LAY(node_key)(node).bits; i++) {}
    if (i == n || to < 0 || to >= (int64_t)count) return 0;
    m[i].key = (uint64_t)(uintptr_t)LAY(pointer)(LAY(node_key)(node));
    m[i].at = (uint32_t)(node - nodes);
    m[i].next = LAY(node_next)(node);
    live++;
  }
  *free_at = 0;
  if (mark) {
    ptrdiff_t at = lay_arena_has(a, mark, 8) ? fl_load_ptr(mark) - nodes : -1;
    if (at < 0 || (size_t)at > count * LAY(node_bytes)) return 0;
    *free_at = (uint32_t)at;
  }
  return live == n;
}

/* Returns whether the chain of each interned name that is a key leads to its node, and stays inside until then. */
FL_FUNC int LAY(chains_lead)(const char *t) {
  const char *nodes = LAY(nodes)(t), *node, *at;
  const size_t count = LAY(node_count)(t), bytes = count * LAY(node_bytes);
  for (node = nodes; node < nodes + bytes; node += LAY(node_bytes)) {
    if (LAY(node_is_nil)(node) || !LAY(is_interned)(LAY(node_key)(node))) continue;
    at = LAY(chain_of)(t, LAY(pointer)(LAY(node_key)(node)));
    for (size_t left = count; at != node; at = LAY(node_after)(at)) {
      const size_t away = (size_t)((uintptr_t)at - (uintptr_t)nodes);
      if (!at || away >= bytes || away % LAY(node_bytes) != 0 || left-- == 0) return 0;
    }
  }
  return 1;
}

/* Pushes n names, then n values; the first name is that of a metamethod. LuaJIT places names by a number that counts
** new strings: a string that is not a name is created before each one, so that some of them get into the same chain. */
FL_FUNC void LAY(push_members)(lua_State *L, int n) {
  lua_pushliteral(L, "__index");
  for (int i = 1; i < n; i++) {
    lua_pushlstring(L, &"ABCDEFGHIJKLMNOPQ"[i], 3);
    lua_pop(L, 1);
    lua_pushlstring(L, &"abcdefghijklmnopq"[i], 3);
  }
  lua_newtable(L);
  for (int i = 1; i < n; i++) lua_pushinteger(L, i);
}

/* Proves that an object of n names that the writers have filled is the same as the core's, can grow, and can be a
** metatable. It is kept as item `kept` of the table 1. */
FL_FUNC const char *LAY(prove_object)(lua_State *L, const struct lay_arena *a, int n, int kept) {
  struct lay_member m[LAY(prove_names)];
  const int names = 2, values = 2 + n, twin = 2 + 2 * n, table = twin + 1;
  uint32_t free_at;
  int i;
  LAY(push_members)(L, n);
  lua_createtable(L, 0, n);
  for (i = 0; i < n; i++) {
    lua_pushvalue(L, names + i);
    lua_pushvalue(L, values + i);
    lua_rawset(L, twin);
  }
  lua_createtable(L, 0, n);
  if (!LAY(twins_fit)(L, a, NULL)) return "fresh hash part";
  const char *r = (const char *)lua_topointer(L, twin);
  char *t = (char *)(uintptr_t)lua_topointer(L, table);
  const char *slots = LAY(top)(L) - (2 * n + 2) * LAY(slot_bytes);
  if (!LAY(learn)(a, r, slots, (size_t)n, m, &free_at) || !LAY(chains_lead)(r)) return "chain";
  const uint64_t chain = fl_load64(t);
  for (i = 0; i < n; i++) LAY(put_member)((char *)(uintptr_t)LAY(nodes)(t), &m[i], slots + (n + i) * LAY(slot_bytes));
  LAY(end_members)(t, free_at);
  lua_newtable(L);
  LAY(put_metatable)(t, (const char *)lua_topointer(L, -1));
  lua_setmetatable(L, twin);
  if (!LAY(is_twin)(r, t, chain) || !LAY(prove_fits)(L, a, NULL)) return "members";
  lua_createtable(L, 0, 0); /* "__index" must be found: the flags must not say that it is missing */
  lua_pushboolean(L, 1);
  lua_setfield(L, values, "x");
  lua_pushvalue(L, table);
  lua_setmetatable(L, -2);
  lua_getfield(L, -1, "x");
  if (!lua_toboolean(L, -1)) return "metamethods";
  for (i = 0; i < 2 * n; i++) { /* the table grows; then names are removed */
    lua_pushinteger(L, i + 1000);
    lua_pushvalue(L, -1);
    lua_rawset(L, table);
    if (i % 4 != 0) continue;
    lua_pushvalue(L, names + i / 2);
    lua_pushnil(L);
    lua_rawset(L, table);
  }
  lua_settop(L, table);
  if (!LAY(prove_fits)(L, a, NULL) || !LAY(chains_lead)(t)) return "growing";
  lua_rawseti(L, 1, kept);
  lua_settop(L, 1);
  return NULL;
}

FL_FUNC const char *LAY(prove_objects_written)(lua_State *L, const struct lay_arena *a) {
  static const uint8_t sizes[] = {1, LAY(prove_names)};
  const char *failed = NULL;
  lua_createtable(L, sizeof sizes, 0);
  for (size_t k = 0; k < sizeof sizes && !failed; k++) failed = LAY(prove_object)(L, a, sizes[k], (int)k + 1);
  if (!failed) failed = LAY(prove_collection)(L);
  if (failed) return failed;
  for (size_t k = 0; k < sizeof sizes; k++) {
    lua_rawgeti(L, 1, (int)k + 1);
    if (!LAY(prove_fits)(L, a, NULL)) return "collected";
    lua_pop(L, 1);
  }
  lua_settop(L, 0);
  return NULL;
}

FL_PRIVATE const char *LAY(prove_write)(lua_State *L, const struct lay_arena *a) {
  compat_need_stack(L, 2 * LAY(prove_items) + 20);
  lua_newtable(L);
  const char *dummy = LAY(nodes)((const char *)lua_topointer(L, 1));
  lua_settop(L, 0);
  const char *failed = LAY(prove_slots)(L);
  if (!failed) failed = LAY(prove_top)(L, a);
  if (!failed) failed = LAY(prove_interned)(L);
  if (!failed) failed = LAY(prove_collection)(L);
  if (!failed) failed = LAY(prove_fill)(L, a, dummy);
  if (!failed) failed = LAY(prove_objects_written)(L, a);
  return failed;
}
