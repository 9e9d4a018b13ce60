/* SPDX-License-Identifier: MIT */
#include "schema.h"

enum { RAPIDJSON_SHOWN = 80 }; /* bytes of a pattern that a message shows */

/* Pushes a block with a copy of the tree of the document at 1. */
static void rapidjson_push_copy(lua_State *L, struct tree *tree) {
  const struct rapidjson_document *doc = rapidjson_check(L, 1, &rapidjson_document_key,
                                                         "none, string, table or rapidjson.Document");
  for (;;) { /* the allocation may run a finalizer that changes the document */
    tree->used = tree->room = doc->tree.used;
    tree->begin = (char *)lua_newuserdata(L, tree->used);
    if (doc->tree.used == tree->used) break;
    lua_pop(L, 1);
  }
  memcpy(tree->begin, doc->tree.begin, tree->used);
}

/* Raises the error of a pattern; the message shows its first characters. */
FL_NOINLINE void rapidjson_pattern_error_(lua_State *L, const struct schema_patterns *k) {
  const size_t n = tree_length(k->bad),
               shown = n > RAPIDJSON_SHOWN ? text_cut(tree_bytes(k->bad), n, RAPIDJSON_SHOWN) : n;
  luaL_where(L, 1);
  lua_pushliteral(L, "fleece.rapidjson: the pattern '");
  lua_pushlstring(L, tree_bytes(k->bad), shown);
  lua_pushfstring(L, "%s': %s at byte %d", shown < n ? "..." : "", k->compiler.error,
                  (int)(k->compiler.at - k->compiler.begin) + 1);
  lua_concat(L, 4);
  lua_error(L);
}

/* Replaces the block on top by one that has the compiled patterns of its tree after the tree. */
static void rapidjson_compile_patterns(lua_State *L, struct tree *tree) {
  struct schema_patterns k;
  if (!schema_compile_all(&k, tree, NULL)) rapidjson_pattern_error_(L, &k);
  if (k.used == 0) return;
  tree->room = tree->used + k.scratch + k.used;
  tree->begin = (char *)memcpy(lua_newuserdata(L, tree->room), tree->begin, tree->used);
  memset(tree->begin + tree->used, 0, k.scratch);
  lua_replace(L, -2);
  (void)schema_compile_all(&k, tree, tree->begin + tree->used + k.scratch);
}

FL_PRIVATE int rapidjson_schema(lua_State *L) {
  struct rapidjson_document *schema;
  struct mod_decode d;
  struct tree tree;
  const char *origin;
  switch (lua_type(L, 1)) {
  case LUA_TNONE: rapidjson_push_null(L, &tree); break;
  case LUA_TTABLE: rapidjson_push_tree(L, 1, &tree); break;
  case LUA_TSTRING:
    rapidjson_begin_decode(&d, L);
    origin = rapidjson_set_text(&d, 1);
    if (rapidjson_scan_tree(&d, &tree)) break;
    (void)rapidjson_return_fault_(&d, origin, "%s (at Offset %s)");
    return luaL_error(L, "fleece.rapidjson: the schema is not JSON: %s", lua_tostring(L, -1));
  default: rapidjson_push_copy(L, &tree);
  }
  rapidjson_compile_patterns(L, &tree);
  schema = rapidjson_push_document(L);
  lua_pushvalue(L, -2);
  rapidjson_adopt(L, lua_gettop(L) - 1, schema, &tree);
  compat_registry_get(L, &rapidjson_schema_key);
  lua_setmetatable(L, -2);
  return 1;
}

FL_PRIVATE int rapidjson_validator(lua_State *L) {
  (void)rapidjson_check(L, 1, &rapidjson_schema_key, "rapidjson.SchemaDocument");
  compat_need_stack(L, 8);
  lua_newuserdata(L, 1);
  lua_createtable(L, 1, 0);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, 1);
  mod_set_env(L, -2);
  compat_registry_get(L, &rapidjson_validator_key);
  lua_setmetatable(L, -2);
  return 1;
}

FL_PRIVATE int rapidjson_validate(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  const struct rapidjson_document *doc, *schema;
  struct schema_check k;
  struct schema_path path = {NULL, NULL, 0};
  struct encode_state *c;
  int fits;
  (void)rapidjson_check(L, 1, &rapidjson_validator_key, "rapidjson.SchemaValidator");
  doc = rapidjson_check_document(L, 2);
  compat_need_stack(L, 12);
  c = &mod_push_holder(L, codec->state)->walk;
  rapidjson_hold(L, 1);
  schema = (const struct rapidjson_document *)lua_touserdata(L, -1);
  rapidjson_hold(L, 2);
  memset(&k, 0, sizeof k);
  k.tree = &schema->tree;
  k.utf8 = codec->state->utf8;
  k.work.out = &c->out;
  fits = schema_value(&k, schema_root(&k), rapidjson_root(doc), &path);
  schema_forget(&k.memory, &c->out.buffer);
  if (k.work.too_deep) return luaL_error(L, "nested too deep to validate");
  if (k.work.no_memory || !(fits || k.end)) return luaL_error(L, "not enough memory");
  lua_pushboolean(L, fits);
  if (fits) return mod_free_encode_state(c), 1;
  lua_pushfstring(L, "invalid \"%s\" in document at pointer \"", k.keyword);
  lua_pushlstring(L, c->out.buffer.begin, (size_t)(k.end - c->out.buffer.begin));
  mod_free_encode_state(c);
  lua_pushliteral(L, "\"");
  lua_concat(L, 3);
  return 2;
}
