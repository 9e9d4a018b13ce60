/* SPDX-License-Identifier: MIT */
#include "mutable.h"
#include "../../files/file.h"
#include "../../encode/api/state.h"
#include "../view/text.h"

/* Items of a mutable view's environment: the tree, the document's environment, pack's options, and the pack of the
** document's codec, if it has one. */
enum { MUTABLE_ENV_TREE = 1, MUTABLE_ENV_DOC, MUTABLE_ENV_OPTIONS, MUTABLE_ENV_PACK };
enum { MUTABLE_STEPS = 16 /* steps of a path in a message */ };

static const char mutable_tree_key = 0;

static int mutable_tree_gc(lua_State *L) {
  struct mod_tree *t = (struct mod_tree *)lua_touserdata(L, 1);
  if (!heap_is_dead(L, &t->user)) bin_tree_free(&t->tree);
  return 0;
}

FL_NOINLINE int mutable_error_(lua_State *L, int error) { return luaL_error(L, "%s", bin_message(error)); }

static struct mod_mutable *mutable_check(lua_State *L, int index) {
  struct mod_mutable *m = view_test_mutable(L, index);
  if (!m) mod_type_error(L, index, "mutable view");
  if (!view_mutable_is_open(L, m)) view_closed_(L);
  return m;
}

/* Pushes a mutable view. `env` is the stack index of its environment. */
static void mutable_push(lua_State *L, int env, struct bin_tree *tree, struct bin_layer *layer,
                         const struct mod_doc *owner) {
  struct mod_mutable *m = (struct mod_mutable *)mod_new_userdata(L, sizeof *m);
  m->magic = &view_mutable_magic;
  m->tree = tree;
  m->layer = layer;
  m->owner = owner;
  lua_pushvalue(L, env);
  mod_set_env(L, -2);
  view_push_metatable(L, &mutable_key);
  lua_setmetatable(L, -2);
}

/* Pushes the options for packing values that are set. Stores the codec's pack in the environment at `env`. `view`:
** index of a view or document of `owner`. */
static void mutable_push_options(lua_State *L, int view, int env, const struct mod_doc *owner) {
  lua_createtable(L, 0, 3);
  lua_pushliteral(L, "compatible");
  lua_setfield(L, -2, "mode");
  lua_pushboolean(L, 0); /* codes would need the codec's keys */
  lua_setfield(L, -2, "keys");
  view_push_env_of(L, view);
  view_get_env(L, lua_gettop(L), VIEW_ENV_VALUES);
  if (lua_istable(L, -1)) {
    lua_rawgeti(L, -1, MOD_VALUE_PACK);
    lua_rawseti(L, env, MUTABLE_ENV_PACK);
    lua_rawgeti(L, -1, MOD_VALUE_NULL);
    const int type = lua_type(L, -1); /* encode has no other values for null */
    if (owner->scalars & VIEW_HAS_NULL && (type == LUA_TUSERDATA || type == LUA_TLIGHTUSERDATA || type == API_TCDATA))
      lua_setfield(L, -4, "null");
    else lua_pop(L, 1);
  }
  lua_pop(L, 2);
}

FL_PRIVATE int view_mutable(lua_State *L) {
  const struct mod_doc *owner;
  bin_value v;
  if (!view_value_at(L, 1, &owner, &v)) return mod_type_error(L, 1, "view or document");
  if (!bin_is_collection(v)) return mod_argument_error(L, 1, "the document's root is not an array or object");
  lua_settop(L, 1);
  lua_createtable(L, MUTABLE_ENV_PACK, 0);
  mutable_push_options(L, 1, 2, owner);
  lua_rawseti(L, 2, MUTABLE_ENV_OPTIONS);
  struct mod_tree *made = (struct mod_tree *)lua_newuserdata(L, sizeof *made);
  heap_begin(L, &made->user, mod_state_of(L));
  struct bin_tree *tree = &made->tree;
  bin_tree_init(tree, heap_alloc, &made->user, NULL);
  mod_set_finalizer(L, &mutable_tree_key, mutable_tree_gc);
  lua_rawseti(L, 2, MUTABLE_ENV_TREE);
  view_push_env_of(L, 1);
  lua_rawseti(L, 2, MUTABLE_ENV_DOC);
  if (!owner->doc.begin) return view_closed_(L); /* a finalizer may have closed it */
  struct bin_layer *layer = bin_tree_root(tree, &owner->doc, v);
  if (!layer) return mutable_error_(L, BIN_ERROR_MEMORY);
  mutable_push(L, 2, tree, layer, owner);
  return 1;
}

/* Returns the number at `key` as an array index from 0, or -1 if it is not in 1 .. count + more. */
static ptrdiff_t mutable_index(lua_State *L, int key, const struct bin_layer *l, size_t more) {
  const lua_Number i = lua_tonumber(L, key);
  return i >= 1 && i <= (lua_Number)(l->count + more) && i == (lua_Number)(size_t)i ? (ptrdiff_t)i - 1 : -1;
}

/* Pushes the member of the mutable view under the key at the index: a scalar, or a mutable view of a collection.
** Returns 0, and pushes nothing, if there is none. */
static int mutable_push_member(lua_State *L, int view, int key) {
  struct mod_mutable *m = mutable_check(L, view);
  struct bin_layer *l = m->layer, *nested = NULL;
  struct bin_slot slot = {NULL, NULL};
  size_t n = 0;
  const char *s = NULL;
  ptrdiff_t i = -1;
  if (lua_type(L, key) == LUA_TSTRING) {
    s = lua_tolstring(L, key, &n);
    if (l->is_dict) slot = bin_layer_get(m->tree, l, s, n);
  } else if (lua_type(L, key) == LUA_TNUMBER && !l->is_dict) {
    i = mutable_index(L, key, l, 0);
    if (i >= 0) slot = bin_layer_get_at(l, (size_t)i);
  }
  if (bin_slot_is_empty(slot)) return 0;
  if (bin_slot_value(slot) && !bin_is_collection(bin_slot_value(slot))) {
    if (FL_LIKELY(!m->owner->scalars)) {
      view_push_scalar(L, m->owner, bin_slot_value(slot));
      return 1;
    }
    mod_push_env(L, view);
    lua_rawgeti(L, -1, MUTABLE_ENV_DOC);
    lua_replace(L, -2);
    view_push_by_options_(L, lua_gettop(L), m->owner, bin_slot_value(slot));
    lua_remove(L, -2);
    return 1;
  }
  nested = s ? bin_layer_nested(m->tree, l, s, n) : bin_layer_nested_at(m->tree, l, (size_t)i);
  if (!nested) return mutable_error_(L, BIN_ERROR_MEMORY);
  mod_push_env(L, view);
  mutable_push(L, lua_gettop(L), m->tree, nested, m->owner);
  lua_remove(L, -2);
  return 1;
}

FL_PRIVATE int mutable_get(lua_State *L) {
  (void)mutable_check(L, 1);
  if (lua_type(L, 2) == LUA_TSTRING) {
    compat_raw_get(L, lua_upvalueindex(VIEW_UP_METHODS), 2);
    if (!lua_isnil(L, -1)) return 1;
  }
  return mutable_push_member(L, 1, 2);
}

/* Pushes the name or index of the layer in its parent. Returns 0 if the parent no longer contains it. */
static int mutable_push_step(lua_State *L, const struct bin_layer *l) {
  const struct bin_layer *const parent = l->parent;
  for (size_t i = 0; i < parent->count; i++) {
    const struct bin_slot slot = parent->is_dict ? parent->changes[i].slot : bin_layer_get_at(parent, i);
    if (bin_slot_layer(slot) != l) continue;
    if (parent->is_dict) lua_pushlstring(L, parent->changes[i].name, parent->changes[i].n);
    else lua_pushinteger(L, (lua_Integer)i + 1);
    return 1;
  }
  return 0;
}

/* Pushes the path to the value under the key at 2 of the mutable view at 1; of a long path only the last steps. */
static void mutable_push_path(lua_State *L, const struct bin_layer *l) {
  int steps = 1;
  compat_need_stack(L, 8);
  lua_pushvalue(L, 2);
  api_key_to_step(L);
  for (; l->parent && steps < MUTABLE_STEPS && mutable_push_step(L, l); l = l->parent, steps++) {
    api_key_to_step(L);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  if (!l->parent) return;
  lua_pushliteral(L, "...");
  lua_insert(L, -2);
  lua_concat(L, 2);
}

/* Raises the error on top, from packing a value for the mutable view at 1. Its "at the root" or "at .x" is a place in
** the value, so the value's own path is inserted before it. */
static int mutable_refuse(lua_State *L) {
  const struct mod_mutable *m = view_test_mutable(L, 1);
  const char *message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL, *at;
  static const char root[] = " at the root";
  if (!view_mutable_is_open(L, m)) message = NULL;
  for (at = message; at && (at = strstr(at, " at ")) != NULL; at += 4) {
    const int is_root = strncmp(at, root, sizeof root - 1) == 0;
    if (!is_root && at[4] != '.' && at[4] != '[') continue;
    lua_pushlstring(L, message, (size_t)(at + 4 - message));
    mutable_push_path(L, m->layer);
    lua_pushstring(L, is_root ? at + sizeof root - 1 : at + 4);
    lua_concat(L, 3);
    break;
  }
  return mod_raise(L, 0);
}

/* Pushes pack and its arguments for the value at the index. `view`: index of a mutable view. `own`: the pack of the
** codec that opened its document. */
static void mutable_push_pack(lua_State *L, int view, int value, int own) {
  mod_push_env(L, view);
  lua_rawgeti(L, -1, MUTABLE_ENV_PACK);
  if (!own || lua_isnil(L, -1)) {
    lua_pop(L, 1);
    mod_push_sibling(L, mod_pack);
  }
  lua_pushvalue(L, value);
  lua_rawgeti(L, -3, MUTABLE_ENV_OPTIONS);
  lua_remove(L, -4);
}

FL_PRIVATE int mutable_to_bytes(lua_State *L, int index) {
  const int top = lua_gettop(L);
  if (!view_test_mutable(L, index)) return 0;
  mutable_push_pack(L, index, index, 0);
  lua_call(L, 2, 3);
  if (lua_isnil(L, top + 1)) return -1;
  lua_settop(L, top + 1);
  lua_replace(L, index);
  return 1;
}

/* Replaces the value at 3, which is for the key at 2, by its packed bytes. */
static void mutable_pack(lua_State *L) {
  mutable_push_pack(L, 1, 3, 1);
  int fine = lua_pcall(L, 2, 2, 0) == 0;
  if (fine && lua_isnil(L, -2)) fine = 0; /* of a codec of fleece.safe */
  if (!fine) (void)mutable_refuse(L);
  lua_pop(L, 1);
  lua_replace(L, 3);
}

static bin_value mutable_copy_value(lua_State *L, struct bin_tree *tree) {
  size_t n;
  const char *s = lua_tolstring(L, 3, &n);
  bin_value v = bin_tree_value(tree, s, n);
  if (!v) mutable_error_(L, BIN_ERROR_MEMORY);
  return v;
}

FL_PRIVATE int mutable_set(lua_State *L) {
  struct mod_mutable *m = mutable_check(L, 1);
  struct bin_layer *l = m->layer;
  const int removes = lua_isnil(L, 3);
  size_t n;
  int fine;
  if (l->is_dict ? lua_type(L, 2) != LUA_TSTRING : lua_type(L, 2) != LUA_TNUMBER)
    return mod_argument_error(L, 2, l->is_dict ? "a dict's names are strings" : "an array's indices are numbers");
  lua_settop(L, 3);
  if (!removes) mutable_pack(L);
  (void)mutable_check(L, 1); /* the value's hooks may have closed the document */
  if (l->is_dict) {
    const char *s = lua_tolstring(L, 2, &n);
    fine = removes ? bin_layer_remove(m->tree, l, s, n)
                   : bin_layer_set(m->tree, l, s, n, &m->tree->fresh, mutable_copy_value(L, m->tree));
  } else {
    const ptrdiff_t i = mutable_index(L, 2, l, !removes);
    if (i < 0) return mod_argument_error(L, 2, "index out of the array");
    fine = removes ? bin_layer_remove_at(m->tree, l, (size_t)i)
                   : bin_layer_set_at(m->tree, l, (size_t)i, &m->tree->fresh, mutable_copy_value(L, m->tree));
  }
  return fine ? 0 : mutable_error_(L, BIN_ERROR_MEMORY);
}

/* m:insert(i, value): inserts before item i */
static int mutable_insert(lua_State *L) {
  struct mod_mutable *m = mutable_check(L, 1);
  mod_check_number(L, 2);
  mod_check_any(L, 3);
  lua_settop(L, 3);
  if (m->layer->is_dict) return mod_argument_error(L, 1, "array expected");
  mutable_pack(L);
  (void)mutable_check(L, 1); /* the value's hooks may have closed the document */
  const ptrdiff_t i = mutable_index(L, 2, m->layer, 1);
  if (i < 0) return mod_argument_error(L, 2, "index out of the array");
  if (!bin_layer_insert_at(m->tree, m->layer, (size_t)i, &m->tree->fresh, mutable_copy_value(L, m->tree)))
    return mutable_error_(L, BIN_ERROR_MEMORY);
  return 0;
}

/* m:changed() -> whether it, or anything in it, was changed */
static int mutable_changed(lua_State *L) {
  lua_pushboolean(L, mutable_check(L, 1)->layer->is_changed);
  return 1;
}

/* m:totable([options]) -> as unpack */
static int mutable_totable(lua_State *L) {
  (void)mutable_check(L, 1);
  return mod_unpack(L);
}

FL_PRIVATE const luaL_Reg mutable_methods[] = {
    {"insert", mutable_insert}, {"changed", mutable_changed}, {"totable", mutable_totable}, {NULL, NULL}};

FL_PRIVATE const luaL_Reg view_operators[] = {{"", mutable_set}, {"", mutable_get}, {NULL, NULL}};

FL_PRIVATE int mutable_len(lua_State *L) {
  const struct mod_mutable *m = mutable_check(L, 1);
  if (m->layer->is_dict) return mod_argument_error(L, 1, "array expected");
  lua_pushinteger(L, (lua_Integer)m->layer->count);
  return 1;
}

FL_PRIVATE int mutable_tostring(lua_State *L) {
  const struct mod_mutable *m = view_test_mutable(L, 1);
  if (!m) return mod_type_error(L, 1, "mutable view");
  lua_pushfstring(L, "fleece.mutable: %p", (const void *)m->layer);
  return 1;
}

FL_PRIVATE int mutable_eq(lua_State *L) {
  const struct mod_mutable *a = view_test_mutable(L, 1), *b = view_test_mutable(L, 2);
  lua_pushboolean(L, a && b && a->layer == b->layer);
  return 1;
}

/* Upvalues of an iterator: the mutable view; for a dict also its names when the loop began, and how many were
** returned. */
enum { MUTABLE_IT_VIEW = 1, MUTABLE_IT_NAMES, MUTABLE_IT_NEXT };

static int mutable_next_item(lua_State *L) {
  const struct mod_mutable *m = mutable_check(L, lua_upvalueindex(MUTABLE_IT_VIEW));
  const lua_Number i = lua_tonumber(L, 2) + 1;
  if (m->layer->is_dict || i > (lua_Number)m->layer->count) return 0;
  lua_settop(L, 0);
  lua_pushvalue(L, lua_upvalueindex(MUTABLE_IT_VIEW));
  lua_pushinteger(L, (lua_Integer)i);
  lua_insert(L, 1);
  lua_pushvalue(L, 1);
  return 1 + mutable_push_member(L, 2, 3);
}

static int mutable_next_pair(lua_State *L) {
  int i = (int)lua_tonumber(L, lua_upvalueindex(MUTABLE_IT_NEXT));
  (void)mutable_check(L, lua_upvalueindex(MUTABLE_IT_VIEW));
  for (;;) {
    lua_settop(L, 0);
    lua_rawgeti(L, lua_upvalueindex(MUTABLE_IT_NAMES), ++i);
    if (lua_isnil(L, 1)) return 0;
    lua_pushinteger(L, i);
    lua_replace(L, lua_upvalueindex(MUTABLE_IT_NEXT));
    lua_pushvalue(L, lua_upvalueindex(MUTABLE_IT_VIEW));
    if (mutable_push_member(L, 2, 1) && !lua_isnil(L, -1)) { /* else it was removed during the loop */
      lua_remove(L, 2);
      return 2;
    }
  }
}

/* Pushes the bytes of the mutable view at the index as a separate document. */
static void mutable_push_bytes(lua_State *L, int index) {
  struct mod_state *state = (struct mod_state *)lua_touserdata(L, lua_upvalueindex(MOD_STATE));
  struct encode_state *c;
  compat_need_stack(L, 2);
  struct bin_encoder *e = mod_begin_encoder(L, state, BIN_COMPATIBLE, &c);
  lua_pushvalue(L, index);
  int error = view_put_value(L, e);
  if (!error && bin_finish(e)) {
    mod_push_document(L, state, e, c);
    return;
  }
  if (!error) error = (int)e->error;
  mod_end_encoder(state, e, c);
  (void)(error < 0 ? view_closed_(L) : mutable_error_(L, error));
}

/* Pushes a list of the names of the dict whose bytes are at the index, in order. */
static void mutable_push_names(lua_State *L, int bytes) {
  struct bin_pairs pairs;
  size_t n;
  struct bin_doc doc = {0};
  doc.begin = (const uint8_t *)lua_tolstring(L, bytes, &n);
  doc.end = doc.begin + n;
  lua_newtable(L);
  bin_pairs_begin(&pairs, &doc, bin_root(&doc));
  for (int i = 1; bin_next_pair(&pairs); i++) {
    const char *name = bin_key_text(&doc, pairs.key, &n);
    lua_pushlstring(L, name, n);
    lua_rawseti(L, -2, i);
  }
}

FL_PRIVATE int mutable_pairs(lua_State *L) {
  const int is_dict = mutable_check(L, 1)->layer->is_dict;
  lua_settop(L, 1);
  lua_pushvalue(L, 1);
  if (is_dict) {
    mutable_push_bytes(L, 1);
    mutable_push_names(L, lua_gettop(L));
    lua_replace(L, 3);
    lua_settop(L, 3);
    lua_pushinteger(L, 0);
  }
  return view_return_iterator(L, is_dict ? mutable_next_pair : mutable_next_item, is_dict ? 3 : 1, is_dict);
}

FL_PRIVATE int mutable_ipairs(lua_State *L) {
  if (!mutable_check(L, 1)->layer->is_dict) return mutable_pairs(L);
  lua_settop(L, 1);
  lua_pushvalue(L, 1);
  lua_pushcclosure(L, mutable_next_item, 1); /* a dict has no items, so the loop ends at once */
  return 1;
}

FL_PRIVATE int mod_pairs(lua_State *L) {
  if (view_test_mutable(L, 1)) return mutable_pairs(L);
  if (view_test_doc(L, 1)) view_doc_to_root(L);
  if (view_is_at(L, 1)) return view_pairs(L);
  return mod_pairs_of_tables(L);
}

FL_PRIVATE int mod_ipairs(lua_State *L) {
  if (view_test_mutable(L, 1)) return mutable_ipairs(L);
  if (view_test_doc(L, 1)) view_doc_to_root(L);
  return view_is_at(L, 1) ? view_ipairs(L) : mod_ipairs_of_tables(L);
}

#define MOD_AMEND_ROW(name, kind, member, takers) \
  MOD_OPTION(name, struct mutable_amendment, member, takers, MOD_IS_##kind)
static const struct mod_option mutable_amend_rows[] = {MOD_AMEND_OPTIONS(MOD_AMEND_ROW){0}};

FL_PRIVATE void mutable_read_options(lua_State *L, int arg, enum mod_taker of, struct mutable_amendment *a) {
  memset(a, 0, sizeof *a);
  a->max_depth = MOD_DEPTH;
  if (!lua_isnoneornil(L, arg)) mod_read_rows(L, arg, of, mutable_amend_rows, a);
}

FL_PRIVATE const struct mod_mutable *mutable_call(lua_State *L) {
  const int at = lua_gettop(L) + 1;
  lua_pushcfunction(L, view_mutable);
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, at);
  lua_call(L, 1, 0);
  return view_test_mutable(L, at);
}

FL_PRIVATE int mutable_push_amendment(lua_State *L, int index, struct mutable_amendment *a) {
  struct mod_state *state = (struct mod_state *)lua_touserdata(L, lua_upvalueindex(MOD_STATE));
  const struct mod_doc *d = view_test_doc(L, 1);
  struct bin_work work;
  struct encode_state *c;
  struct bin_encoder *e = mod_begin_encoder(L, state, BIN_COMPATIBLE, &c);
  const struct mod_mutable *m = view_test_mutable(L, index);
  if (!view_mutable_is_open(L, m)) {
    mod_end_encoder(state, e, c);
    return view_closed_(L);
  }
  e->keys = (struct bin_keys *)(uintptr_t)d->doc.keys;
  e->max_depth = a->max_depth;
  bin_work_init(&work, e->out.alloc, e->out.alloc_ud, bin_doc_bytes(&d->doc) + m->tree->put);
  int fine = bin_amend(e, &d->doc, a->reuse, a->is_extern) && bin_amend_front(e, a->front) &&
             bin_write_layer(&work, e, m->layer) &&
             bin_amend_finish(e, &d->doc, m->tree->shared, a->max_values, &a->values);
  if (fine) return mod_push_document(L, state, e, c);
  fine = work.error ? work.error : (int)e->error;
  mod_end_encoder(state, e, c);
  return mutable_error_(L, fine);
}

FL_PRIVATE int view_doc_amend(lua_State *L) {
  struct mutable_amendment a;
  if (!view_test_doc(L, 1)) return mod_type_error(L, 1, "document");
  mod_check_type(L, 2, LUA_TFUNCTION);
  lua_settop(L, 3);
  mutable_read_options(L, 3, MOD_OF_AMEND, &a);
  lua_settop(L, 2);
  (void)mutable_call(L);
  return mutable_push_amendment(L, 3, &a);
}
