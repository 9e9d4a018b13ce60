/* SPDX-License-Identifier: MIT
** prove_tables.h -- template: the second half of prove.h, which includes it: tables.
** Must hold: as prove.h; hash parts are proven before anything relies on them. */

/* Returns whether the blocks of table `t` have the sizes that its fields say. `dummy`: the node that all tables without
** a hash part share, or NULL if it is not known yet; then such a table does not fit. */
FL_FUNC int LAY(blocks_fit)(const struct lay_arena *a, const char *t, const char *dummy) {
  size_t own = lay_arena_block(a, t), n, count;
  const char *start;
  if (own < LAY(facts).table_bytes || (PROVE_VERSION != 0 && own != LAY(facts).table_bytes)) return 0;
  n = LAY(array_size)(t), count = LAY(node_count)(t);
  if (n > 1000 || count > 1000) return 0;
  if (n != 0) {
    start = LAY(array)(t) - PROVE_ARRAY_FRONT(n);
    if (PROVE_VERSION == 0 && start == t + LAY(facts).table_bytes) { /* LuaJIT puts small ones there */
      if (own < LAY(facts).table_bytes + PROVE_ARRAY_BLOCK(n)) return 0;
    } else if (lay_arena_block(a, start) != PROVE_ARRAY_BLOCK(n)) return 0;
  }
  start = LAY(nodes)(t);
  if (count == 1 && start == dummy) return start != NULL;
  return lay_arena_block(a, start - PROVE_NODES_FRONT(count)) == count * LAY(node_bytes) + PROVE_NODES_FRONT(count);
}

/* Returns whether the pair that a reader has found is the one that lua_next returns now, and that lua_rawget finds. The
** key before it is on top of the stack and is replaced. */
FL_FUNC int LAY(pair_is_next)(lua_State *L, int table, struct lay_value key, struct lay_value value) {
  int fits;
  if (!lua_next(L, table)) return 0;
  const struct lay_value next = LAY(pushed)(L, 2);
  if (LAY(is_integer)(next) && LAY(is_float)(key)) fits = (double)LAY(integer)(next) == LAY(number)(key);
  else fits = LAY(same)(next, key);
  fits = fits && LAY(same)(LAY(pushed)(L, 1), value);
  lua_pop(L, 1);
  compat_raw_get(L, table, -1);
  fits = fits && LAY(same)(LAY(pushed)(L, 1), value);
  lua_pop(L, 1);
  return fits;
}

/* Traverses the table on top like the raw encoder: must find every live pair, in the order of lua_next, and no
** other. */
FL_FUNC int LAY(prove_fits)(lua_State *L, const struct lay_arena *a, const char *dummy) {
  const char *t = (const char *)lua_topointer(L, -1);
  int table = lua_gettop(L), fits = LAY(blocks_fit)(a, t, dummy);
  size_t i, n;
  lua_pushnil(L);
  if (!fits) return 0;
  if (LAY(has_key0)(t)) fits = LAY(pair_is_next)(L, table, LAY(index_key)((size_t)-1), LAY(key0)(t));
  for (i = 0, n = LAY(array_size)(t); fits && i < n; i++) {
    struct lay_value v = LAY(array_item)(LAY(array)(t), i);
    if (LAY(array_is_nil)(LAY(array)(t), i) != LAY(is_nil)(v)) return 0;
    if (!LAY(is_nil)(v)) fits = LAY(pair_is_next)(L, table, LAY(index_key)(i), v);
  }
  for (i = 0, n = LAY(node_count)(t); fits && i < n; i++) {
    const char *node = LAY(nodes)(t) + i * LAY(node_bytes);
    struct lay_value v = LAY(node_value)(node);
    if (LAY(node_is_nil)(node) != LAY(is_nil)(v)) return 0;
    if (!LAY(is_nil)(v)) fits = LAY(pair_is_next)(L, table, LAY(node_key)(node), v);
  }
  fits = fits && !lua_next(L, table);
  lua_settop(L, table);
  return fits;
}

/* Returns whether a new table, on top, fits: its block, its two parts, its pairs. */
FL_FUNC int LAY(table_fits)(lua_State *L, const struct lay_arena *a, const char *dummy, size_t items, size_t nodes) {
  struct lay_value v = LAY(pushed)(L, 1);
  const char *t = LAY(pointer)(v);
  if (LAY(kinds)(v) != PROVE_TABLE || t != (const char *)lua_topointer(L, -1)) return 0;
  if (lay_arena_block(a, t) < LAY(facts).table_bytes) return 0;
  if (LAY(array_size)(t) != items || LAY(node_count)(t) != nodes) return 0;
  return LAY(prove_fits)(L, a, dummy);
}

/* Hash parts without an array part come first: they prove where the nodes are. */
FL_FUNC const char *LAY(prove_nodes)(lua_State *L, const struct lay_arena *a) {
  lua_createtable(L, 0, 6);
  if (lay_arena_block(a, (const char *)lua_topointer(L, -1)) != LAY(facts).table_bytes) return "table size";
  for (int i = 0; i < 6; i++) {
    prove_push_key(L, i);
    prove_push_value(L, i);
    lua_rawset(L, -3);
  }
  if (!LAY(table_fits)(L, a, NULL, 0, 8)) return "hash part";
  for (int i = 0; i < 2; i++) { /* leaves a dead key */
    prove_push_key(L, i);
    lua_pushnil(L);
    lua_rawset(L, -3);
    if (!LAY(table_fits)(L, a, NULL, 0, 8)) return "dead key";
  }
  lua_createtable(L, 0, 1);
  prove_push_key(L, 1);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
  if (!LAY(table_fits)(L, a, NULL, 0, PROVE_ONE_NODE)) return "one node";
  lua_settop(L, 0);
  return NULL;
}

/* Proves empty tables, which show the node that they share, and where the metatable is. */
FL_FUNC const char *LAY(prove_empty)(lua_State *L, const struct lay_arena *a, const char **dummy) {
  lua_newtable(L);
  lua_newtable(L);
  const char *t = (const char *)lua_topointer(L, 1);
  *dummy = LAY(nodes)(t);
  if (*dummy != LAY(nodes)((const char *)lua_topointer(L, 2))) return "empty hash part";
  if (!LAY(table_fits)(L, a, *dummy, 0, 1)) return "empty table";
  if (LAY(has_key0)(t) || !LAY(is_nil)(LAY(key0)(t))) return "key 0";
  if (LAY(metatable)(t) != NULL) return "metatable";
  lua_setmetatable(L, 1);
  lua_pushvalue(L, 1);
  if (!lua_getmetatable(L, 1)) return "metatable";
  if (LAY(metatable)(t) != (const char *)lua_topointer(L, -1)) return "metatable";
  lua_pushnil(L);
  lua_setmetatable(L, 1);
  if (LAY(metatable)(t) != NULL) return "metatable";
  lua_settop(L, 0);
  return NULL;
}

FL_FUNC const char *LAY(prove_arrays)(lua_State *L, const struct lay_arena *a, const char *dummy) {
  static const uint8_t sizes[] = {20, 3, 8, 5};
  int i, n;
  for (size_t k = 0; k < sizeof sizes; k++) {
    n = sizes[k];
    lua_createtable(L, n, 0);
    if (!LAY(table_fits)(L, a, dummy, (size_t)n, 1)) return "empty array part";
    for (i = 1; i <= n; i++) {
      prove_push_value(L, i);
      lua_rawseti(L, -2, i);
    }
    if (!LAY(table_fits)(L, a, dummy, (size_t)n, 1)) return "array part";
  }
  /* The length of a half filled array: 5.4 stores it in place of the size, and sets bit 7 of the flags. */
  for (size_t k = 0; k < 8; k++) {
    lua_createtable(L, 8, 0);
    for (i = 1; i <= (int)k; i++) {
      lua_pushinteger(L, i);
      lua_rawseti(L, -2, i);
    }
    n = (int)lua_rawlen(L, -1);
    if (n != (int)k || !LAY(table_fits)(L, a, dummy, 8, 1)) return "array size";
  }
  lua_settop(L, 0);
  return NULL;
}

/* Proves tables with both parts, grown by the core itself, with holes, key 0 and negative keys. */
FL_FUNC const char *LAY(prove_mixed)(lua_State *L, const struct lay_arena *a, const char *dummy) {
  lua_createtable(L, 4, 0);
  lua_pushboolean(L, 1);
  lua_rawseti(L, -2, 0);
  if (PROVE_VERSION == 0 && !LAY(has_key0)((const char *)lua_topointer(L, -1))) return "key 0";
  if (!LAY(prove_fits)(L, a, dummy)) return "key 0";
  for (int k = 0; k < 2; k++) {
    lua_createtable(L, 4 * k, 4 * k);
    for (int i = 11; i >= -1; i--) {
      prove_push_value(L, i + 2);
      lua_rawseti(L, -2, i);
    }
    for (int i = 0; i < 8; i++) {
      prove_push_key(L, i);
      prove_push_value(L, i + k);
      lua_rawset(L, -3);
    }
    for (int i = 1; i < 12; i++) {
      prove_push_value(L, i + 2);
      lua_rawseti(L, -2, i);
    }
    if (!LAY(prove_fits)(L, a, dummy)) return "both parts";
  }
  lua_settop(L, 0);
  return NULL;
}
