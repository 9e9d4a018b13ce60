/* SPDX-License-Identifier: MIT
** views.c -- the metatables of documents, views, paths, data and keys; fleece.data and fleece.keys.
** Must hold: all metatables are created once for each Lua state, when the first of them is needed, and kept in the
** registry. */
#include "views.h"
#include "../../binary/frame/frame.h"
#include "binary.h"
#include "mutable.h"
#include "../view/json.h"
#include "../view/loops.h"
#include "../view/text.h"

static int view_doc_gc(lua_State *L) {
  struct mod_doc *d = view_test_doc(L, 1);
  if (d) d->pins = 0; /* an error ended the reader without unpinning */
  if (d && d->users) d->finalized = 1;
  else view_free_bytes(d);
  return 0;
}

static struct mod_doc *view_check_doc(lua_State *L, int index) {
  struct mod_doc *d = view_test_doc(L, index);
  if (!d) mod_type_error(L, index, "document");
  return d;
}

/* doc:close(): frees the bytes at once. */
static int view_doc_close(lua_State *L) {
  struct mod_doc *d = view_check_doc(L, 1);
  if (d->users) return luaL_error(L, "the document is the base of another one");
  view_free_bytes(d);
  view_end_loops(L, 1);
  if (d->pins) return 0;
  view_push_doc_env(L, 1);
  lua_pushnil(L);
  view_put_env(L, -2, VIEW_ENV_BYTES);
  lua_pushnil(L);
  view_put_env(L, -2, VIEW_ENV_ROOT);
  return 0;
}

static void view_push_bytes(lua_State *L, int index) {
  const struct mod_doc *d = view_check_doc(L, index);
  if (!d->doc.begin) view_closed_(L);
  view_push_doc_env(L, index);
  view_get_env(L, -1, VIEW_ENV_BYTES);
  if (lua_type(L, -1) == LUA_TSTRING) return;
  view_pin(d);
  lua_pushlstring(L, (const char *)d->doc.begin, (size_t)(d->doc.end - d->doc.begin));
  view_unpin(d);
}

/* doc.root, doc.bytes, doc.size; methods; other keys are looked up in the root. */
static int view_doc_index(lua_State *L) {
  const struct mod_doc *d = view_check_doc(L, 1);
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (FL_LIKELY(strcmp(name, "root") == 0)) {
    if (FL_UNLIKELY(!d->doc.begin)) return view_closed_(L);
    view_push_doc_env(L, 1);
    view_push_root(L, lua_gettop(L), d);
  } else if (strcmp(name, "bytes") == 0) {
    view_push_bytes(L, 1);
  } else if (strcmp(name, "size") == 0) {
    if (FL_UNLIKELY(!d->doc.begin)) return view_closed_(L);
    lua_pushinteger(L, (lua_Integer)(d->doc.end - d->doc.begin));
  } else {
    compat_raw_get(L, lua_upvalueindex(VIEW_UP_METHODS), 2);
    if (!lua_isnil(L, -1)) return 1;
    view_doc_to_root(L);
    view_push_from(L, 1, d, view_lookup(L, &d->doc, d->doc.root, 2));
  }
  return 1;
}

static int view_doc_len(lua_State *L) {
  view_doc_to_root(L);
  return view_len(L);
}

static int view_doc_pairs(lua_State *L) {
  view_doc_to_root(L);
  return view_pairs(L);
}

static int view_doc_ipairs(lua_State *L) {
  view_doc_to_root(L);
  return view_ipairs(L);
}

static int view_doc_newindex(lua_State *L) {
  return luaL_error(L, "a document cannot be changed: see doc:mutable() and doc:amend()");
}

static int view_doc_tostring(lua_State *L) {
  const struct mod_doc *d = view_check_doc(L, 1);
  if (d->doc.begin) lua_pushfstring(L, "fleece.document: %p", (const void *)d);
  else lua_pushliteral(L, "fleece.document (closed)");
  return 1;
}

FL_PRIVATE int mod_data(lua_State *L) {
  size_t n;
  const char *s = mod_check_string(L, 1, &n);
  memcpy(view_push_data(L, n), s, n);
  return 1;
}

static const struct mod_data *view_check_data(lua_State *L, int index) {
  const struct mod_data *d = view_test_data(L, index);
  if (!d) mod_type_error(L, index, "data");
  return d;
}

static int view_data_tostring(lua_State *L) {
  const struct mod_data *d = view_check_data(L, 1);
  lua_pushlstring(L, (const char *)(d + 1), d->n);
  return 1;
}

static int view_data_len(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)view_check_data(L, 1)->n);
  return 1;
}

static int view_data_eq(lua_State *L) {
  const struct mod_data *a = view_test_data(L, 1), *b = view_test_data(L, 2);
  lua_pushboolean(L, a && b && a->n == b->n && memcmp(a + 1, b + 1, a->n) == 0);
  return 1;
}

static struct bin_keys *view_check_keys(lua_State *L, int index) {
  struct mod_keys *k = view_test_keys(L, index);
  if (!k) mod_type_error(L, index, "keys");
  return &k->keys;
}

FL_PRIVATE struct mod_keys *view_push_keys(lua_State *L) {
  struct mod_keys *k = (struct mod_keys *)lua_newuserdata(L, sizeof *k);
  k->magic = &view_keys_magic;
  bin_keys_init(&k->keys);
  view_push_metatable(L, &view_keys_key);
  lua_setmetatable(L, -2);
  return k;
}

FL_PRIVATE int mod_new_keys(lua_State *L) {
  struct mod_binary b;
  struct bin_doc room;
  const struct bin_doc *doc;
  bin_value value;
  int results;
  lua_settop(L, 1);
  mod_read_binary_options(L, 2, &b, MOD_OF_BYTES);
  struct mod_keys *k = view_push_keys(L);
  if (lua_isnoneornil(L, 1)) return 1;
  if (!mod_binary_argument(L, 1, &b, &room, &doc, &value, &results)) return results;
  if (!bin_frame_load_names(doc, &k->keys)) return mod_argument_error(L, 1, "not a saved state of keys");
  lua_settop(L, 2);
  return 1;
}

FL_PRIVATE int view_keys_save(lua_State *L) {
  struct bin_keys *k = view_check_keys(L, 1);
  struct mod_state *m = (struct mod_state *)lua_touserdata(L, lua_upvalueindex(MOD_STATE));
  struct encode_state *c;
  struct bin_encoder *e = mod_begin_encoder(L, m, BIN_COMPATIBLE, &c);
  int fine = bin_begin(e, 0);
  for (unsigned i = 0; i < k->count && fine; i++) fine = bin_put_string(e, k->key[i].text, k->key[i].length);
  if (fine && bin_end(e) && bin_finish(e)) return mod_push_document(L, m, e, c);
  mod_end_encoder(m, e, c);
  return luaL_error(L, "%s", bin_message((int)e->error));
}

/* Pushes the code of the name at 2, or nil. `adds`: a new name gets a code. */
static int view_push_code(lua_State *L, int adds) {
  struct bin_keys *k = view_check_keys(L, 1);
  size_t n;
  const char *s = mod_check_string(L, 2, &n);
  const int code = adds ? bin_keys_add(k, s, n) : bin_keys_find(k, s, n);
  if (code < 0) lua_pushnil(L);
  else lua_pushinteger(L, code);
  return 1;
}

/* keys:code(name) -> the name's code, or nil */
static int view_keys_code(lua_State *L) { return view_push_code(L, 0); }

/* keys:name(code) -> its name, or nil */
static int view_keys_name(lua_State *L) {
  const struct bin_keys *k = view_check_keys(L, 1);
  const lua_Number code = mod_check_number(L, 2);
  if (!(code >= 0 && code < k->count) || code != (lua_Number)(unsigned)code) lua_pushnil(L);
  else lua_pushlstring(L, k->key[(unsigned)code].text, k->key[(unsigned)code].length);
  return 1;
}

/* keys:add(name) -> its code, which may be new, or nil if the name is not eligible */
static int view_keys_add(lua_State *L) { return view_push_code(L, 1); }

static int view_keys_len(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)view_check_keys(L, 1)->count);
  return 1;
}

FL_PRIVATE const luaL_Reg view_methods[] = {{"get", view_get},       {"pointer", view_pointer}, {"walk", view_walk},
                                            {"totable", mod_unpack}, {"mutable", view_mutable}, {NULL, NULL}};

FL_PRIVATE const luaL_Reg view_doc_methods[] = {
    {"close", view_doc_close}, {"get", view_get},           {"pointer", view_pointer},
    {"walk", view_walk},       {"totable", mod_unpack},     {"mutable", view_mutable},
    {"amend", view_doc_amend}, {"append", view_doc_append}, {NULL, NULL}};

FL_PRIVATE const luaL_Reg view_keys_methods[] = {
    {"save", view_keys_save}, {"code", view_keys_code}, {"name", view_keys_name}, {"add", view_keys_add}, {NULL, NULL}};

/* Fills the table on top with functions that have the upvalues of the running function. */
static void view_add_functions(lua_State *L, const luaL_Reg *f) {
  compat_need_stack(L, MOD_UPVALUES + 4);
  for (; f->name; f++) {
    lua_pushstring(L, f->name);
    for (int i = 1; i <= MOD_UPVALUES; i++) lua_pushvalue(L, lua_upvalueindex(i));
    lua_pushcclosure(L, f->func, MOD_UPVALUES);
    lua_rawset(L, -3);
  }
}

/* Returns whether a metatable exists already. One may be complete while another failed for lack of memory. It stays,
** because two views must have the same __eq. */
static int view_has_metatable(lua_State *L, const void *key) {
  compat_registry_get(L, key);
  const int is_there = !lua_isnil(L, -1);
  lua_pop(L, 1);
  return is_there;
}

/* The __tojson by which other encoders, and other copies of this module, write a view. Same upvalues as encode. */
static int view_tojson(lua_State *L) {
  lua_settop(L, 1);
  return mod_encode(L);
}

/* Pushes a new metatable marked as of this copy of the module. Its __index is `index`, with the metatable and the table
** of methods as upvalues, or the table of methods if `index` is NULL. */
static void view_push_new_metatable(lua_State *L, const char *name, const luaL_Reg *metamethods,
                                    const luaL_Reg *methods, lua_CFunction index) {
  lua_newtable(L);
  lua_newtable(L);
  if (methods) view_add_functions(L, methods);
  for (const luaL_Reg *f = metamethods; f->name; f++) {
    lua_pushcfunction(L, f->func);
    lua_setfield(L, -3, f->name);
  }
  if (index) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_pushcclosure(L, index, 2);
    lua_setfield(L, -3, "__index");
    lua_pop(L, 1);
  } else {
    lua_setfield(L, -2, "__index");
  }
  lua_pushstring(L, name);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "__name");
  lua_setfield(L, -2, "__metatable");
  lua_pushlightuserdata(L, (void *)(uintptr_t)&view_key);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
}

/* Creates a metatable if it does not exist. `bound`: metamethods with the upvalues of the running function. It is
** stored only when complete, because memory may run out in between. */
static void view_make_metatable(lua_State *L, const void *key, const char *name, const luaL_Reg *metamethods,
                                const luaL_Reg *bound, const luaL_Reg *methods, lua_CFunction index) {
  if (view_has_metatable(L, key)) return;
  view_push_new_metatable(L, name, metamethods, methods, index);
  view_add_functions(L, bound);
  compat_registry_set(L, key);
}

/* Pushes a copy of the metatable `from`. Returns 0, and pushes nothing, if the metatable `key` exists already. */
static int view_push_copy(lua_State *L, const void *from, const void *key) {
  const int top = lua_gettop(L);
  if (view_has_metatable(L, key)) return 0;
  lua_newtable(L);
  compat_registry_get(L, from);
  for (lua_pushnil(L); lua_next(L, top + 2);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, top + 1);
  }
  lua_pop(L, 1);
  return 1;
}

/* Creates the metatable of text views from that of views. It has the same __eq, or Lua 5.1 and LuaJIT would not compare
** the two. */
static void view_make_metatable_of_texts(lua_State *L) {
  if (!view_push_copy(L, &view_key, &view_text_key)) return;
  lua_getfield(L, -1, "__index");
  lua_pushvalue(L, -2);
  lua_getupvalue(L, -2, VIEW_UP_METHODS);
  lua_pushcclosure(L, view_text_index, 2);
  lua_setfield(L, -3, "__index");
  lua_pop(L, 1);
  compat_registry_set(L, &view_text_key);
}

/* Creates the metatable of documents with a finalizer, for mapped files and bases. */
static void view_make_metatable_of_maps(lua_State *L) {
  if (!view_push_copy(L, &view_doc_key, &view_doc_map_key)) return;
  lua_pushcfunction(L, view_doc_gc);
  lua_setfield(L, -2, "__gc");
  compat_registry_set(L, &view_doc_map_key);
}

/* Creates all metatables. Its upvalues, those of the module's functions with default options, become the methods'
** upvalues. */
static int view_make_metatables(lua_State *L) {
  /* clang-format off */
  static const luaL_Reg view_meta[] = {
      {"__len", view_len}, {"__newindex", view_newindex}, {"__tostring", view_tostring}, {"__pairs", view_pairs},
      {"__ipairs", view_ipairs}, {"__eq", view_eq}, {NULL, NULL}};
  static const luaL_Reg doc_meta[] = {
      {"__len", view_doc_len}, {"__newindex", view_doc_newindex}, {"__tostring", view_doc_tostring},
      {"__pairs", view_doc_pairs}, {"__ipairs", view_doc_ipairs}, {NULL, NULL}};
  static const luaL_Reg mutable_meta[] = {
      {"__len", mutable_len}, {"__tostring", mutable_tostring}, {"__eq", mutable_eq}, {NULL, NULL}};
  static const luaL_Reg mutable_bound[] = {
      {"__newindex", mutable_set}, {"__pairs", mutable_pairs}, {"__ipairs", mutable_ipairs}, {"__tojson", view_tojson},
      {NULL, NULL}};
  static const luaL_Reg path_meta[] = {{"__call", view_path_call}, {"__tostring", view_path_tostring}, {NULL, NULL}};
  static const luaL_Reg data_meta[] = {
      {"__tostring", view_data_tostring}, {"__len", view_data_len}, {"__eq", view_data_eq}, {NULL, NULL}};
  static const luaL_Reg keys_meta[] = {{"__len", view_keys_len}, {NULL, NULL}};
  static const luaL_Reg hook[] = {{"__tojson", view_tojson}, {NULL, NULL}}, none[] = {{NULL, NULL}};
  /* clang-format on */
  view_make_metatable(L, &view_key, "fleece.view", view_meta, hook, view_methods, view_index);
  view_make_metatable(L, &view_doc_key, "fleece.document", doc_meta, hook, view_doc_methods, view_doc_index);
  view_make_metatable(L, &view_path_key, "fleece.path", path_meta, none, NULL, NULL);
  view_make_metatable(L, &view_data_key, "fleece.data", data_meta, hook, NULL, NULL);
  view_make_metatable(L, &view_keys_key, "fleece.keys", keys_meta, none, view_keys_methods, NULL);
  view_make_metatable(L, &mutable_key, "fleece.mutable", mutable_meta, mutable_bound, mutable_methods, mutable_get);
  view_make_metatable_of_texts(L);
  view_make_metatable_of_maps(L);
  view_add_loops(L);
  return 0;
}

static const struct value_kind view_kind = {view_is_value, view_write_json};

FL_PRIVATE void view_register_metatables(lua_State *L, int base) {
  const int top = lua_gettop(L);
  struct mod_codec *raising;
  compat_registry_get(L, &view_metatables_key);
  if (lua_isnil(L, -1)) {
    for (int i = 0; i < MOD_UPVALUES; i++) lua_pushvalue(L, base + i);
    raising = (struct mod_codec *)lua_newuserdata(L, sizeof *raising);
    *raising = *(const struct mod_codec *)lua_touserdata(L, base + MOD_CODEC - 1);
    raising->decode.safe = raising->encode.safe = raising->json.safe = 0;
    mod_settle_options(&raising->encode);
    mod_settle_options(&raising->json);
    lua_replace(L, top + 1 + MOD_CODEC);
    raising->state->encode->shared.kind = &view_kind;
    lua_pushcclosure(L, view_make_metatables, MOD_UPVALUES);
    compat_registry_set(L, &view_metatables_key);
  }
  lua_settop(L, top);
}
