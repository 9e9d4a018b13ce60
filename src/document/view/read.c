/* SPDX-License-Identifier: MIT */
#include "read.h"
#include "../../lua/exact.h"
#include "loops.h"
#include "put.h"
#include "text.h"

FL_PRIVATE void view_push_from(lua_State *L, int index, const struct mod_doc *owner, bin_value v) {
  if (!v) {
    lua_pushnil(L);
  } else if (bin_is_collection(v)) {
    view_push_env_of(L, index);
    view_push_metatable(L, &view_key);
    view_push(L, lua_gettop(L) - 1, lua_gettop(L), owner, v);
  } else if (FL_UNLIKELY(owner->scalars)) {
    view_push_env_of(L, index);
    view_push_by_options_(L, lua_gettop(L), owner, v);
  } else {
    view_push_scalar(L, owner, v);
  }
}

FL_PRIVATE void view_push_root(lua_State *L, int env, const struct mod_doc *doc) {
  if (!bin_is_collection(doc->doc.root)) {
    view_push_value(L, env, 0, doc, doc->doc.root);
    return;
  }
  view_get_env(L, env, VIEW_ENV_ROOT);
  if (FL_LIKELY(!lua_isnil(L, -1))) return;
  lua_pop(L, 1);
  view_push_metatable(L, &view_key);
  view_push(L, env, lua_gettop(L), doc, doc->doc.root);
  lua_pushvalue(L, -1);
  view_put_env(L, env, VIEW_ENV_ROOT);
}

FL_PRIVATE int view_index(lua_State *L) {
  const struct mod_view *v = view_check(L, 1);
  const struct mod_doc *owner = v->owner;
  const int type = lua_type(L, 2);
  bin_value found = NULL;
  if (type == LUA_TSTRING) {
    size_t n;
    const char *s = lua_tolstring(L, 2, &n);
    if (FL_UNLIKELY(view_may_be_method(s))) {
      compat_raw_get(L, lua_upvalueindex(VIEW_UP_METHODS), 2);
      if (!lua_isnil(L, -1)) return 1;
    }
    if (bin_tag(v->value) == BIN_TAG_DICT) found = bin_dict_get(&owner->doc, v->value, s, n);
  } else if (type == LUA_TNUMBER) {
    found = view_item(&owner->doc, v->value, lua_tonumber(L, 2));
  }
  if (found && bin_is_collection(found)) view_push_inside(L, 1, lua_upvalueindex(VIEW_UP_METATABLE), owner, found);
  else if (FL_UNLIKELY(owner->scalars)) view_push_from(L, 1, owner, found);
  else view_push_value(L, 0, 0, owner, found);
  return 1;
}

FL_PRIVATE int view_len(lua_State *L) {
  const int64_t count = view_test_text(L, 1) ? view_text_count(L, 1) : -1;
  if (count >= 0) {
    lua_pushinteger(L, (lua_Integer)count);
    return 1;
  }
  const struct mod_view *v = view_check(L, 1);
  lua_pushinteger(L, (lua_Integer)(bin_tag(v->value) == BIN_TAG_ARRAY ? bin_list_of(v->value).count
                                                                      : bin_dict_count(&v->owner->doc, v->value)));
  return 1;
}

FL_PRIVATE int view_newindex(lua_State *L) { return luaL_error(L, "a view cannot be changed: see view:mutable()"); }

FL_PRIVATE int view_tostring(lua_State *L) {
  if (!view_is_at(L, 1)) return mod_type_error(L, 1, "view");
  const struct mod_view *v = view_test(L, 1);
  if (!v) v = view_settle_(L, 1);
  if (!v->owner->doc.begin) lua_pushliteral(L, "fleece.view (closed)");
  else
    lua_pushfstring(L, "fleece.%s: %p", bin_tag(v->value) == BIN_TAG_ARRAY ? "array" : "dict", (const void *)v->value);
  return 1;
}

FL_PRIVATE int view_return_iterator(lua_State *L, lua_CFunction next, int upvalues, int is_dict) {
  lua_pushcclosure(L, next, upvalues);
  lua_pushvalue(L, 1);
  if (is_dict) lua_pushnil(L);
  else lua_pushinteger(L, 0);
  return 3;
}

/* Upvalues of an iterator: the view, its environment, the metatable, and for a dict its bin_pairs. */
enum { VIEW_IT_VIEW = 1, VIEW_IT_ENV, VIEW_IT_METATABLE, VIEW_IT_PAIRS };

static int view_next_item(lua_State *L) {
  const struct mod_view *v = view_check(L, lua_upvalueindex(VIEW_IT_VIEW));
  const lua_Number i = lua_tonumber(L, 2) + 1;
  bin_value item = view_item(&v->owner->doc, v->value, i);
  if (!item) return 0;
  lua_pushinteger(L, (lua_Integer)i);
  view_push_value(L, lua_upvalueindex(VIEW_IT_ENV), lua_upvalueindex(VIEW_IT_METATABLE), v->owner, item);
  return 2;
}

static int view_next_pair(lua_State *L) {
  const struct mod_view *v = view_check(L, lua_upvalueindex(VIEW_IT_VIEW));
  struct bin_pairs *pairs = (struct bin_pairs *)lua_touserdata(L, lua_upvalueindex(VIEW_IT_PAIRS));
  size_t n;
  do {
    if (!bin_next_pair(pairs)) return 0;
  } while (FL_UNLIKELY(bin_is_undefined(pairs->value)));
  view_pin(v->owner);
  const char *name = bin_key_text(&v->owner->doc, pairs->key, &n);
  if (FL_LIKELY(name != NULL)) lua_pushlstring(L, name, n);
  else lua_pushinteger(L, bin_small(pairs->key)); /* a code, if there are no shared keys */
  view_push_value(L, lua_upvalueindex(VIEW_IT_ENV), lua_upvalueindex(VIEW_IT_METATABLE), v->owner, pairs->value);
  view_unpin(v->owner);
  return 2;
}

FL_PRIVATE int view_pairs(lua_State *L) {
  const struct mod_view *v = view_check(L, 1);
  const int is_dict = bin_tag(v->value) == BIN_TAG_DICT;
  lua_settop(L, 1);
  if (view_begin_loop(L)) return 3;
  lua_pushvalue(L, 1);
  mod_push_env(L, 1);
  view_push_metatable(L, &view_key);
  if (is_dict) {
    struct bin_pairs *pairs = (struct bin_pairs *)lua_newuserdata(L, sizeof *pairs);
    (void)view_check(L, 1); /* a finalizer may have closed it */
    bin_pairs_begin(pairs, &v->owner->doc, v->value);
  }
  return view_return_iterator(L, is_dict ? view_next_pair : view_next_item, is_dict ? 4 : 3, is_dict);
}

FL_PRIVATE int view_ipairs(lua_State *L) {
  const struct mod_view *v = view_check(L, 1);
  if (bin_tag(v->value) == BIN_TAG_ARRAY) return view_pairs(L);
  lua_settop(L, 1);
  lua_pushvalue(L, 1);
  lua_pushcclosure(L, view_next_item, 1); /* a dict has no items, so the loop ends at once */
  return 1;
}

FL_PRIVATE void view_doc_to_root(lua_State *L) {
  const struct mod_doc *d = view_test_doc(L, 1);
  if (!d) mod_type_error(L, 1, "document");
  if (!d->doc.begin) view_closed_(L);
  if (!bin_is_collection(d->doc.root)) luaL_error(L, "the document's root is not an array or object: see doc.root");
  view_push_doc_env(L, 1);
  view_push_root(L, lua_gettop(L), d);
  lua_replace(L, 1);
  lua_pop(L, 1);
}

/* view:get for a text view. Returns 0 if it must be converted first. */
static int view_text_get(lua_State *L, int n) {
  struct json_step steps[VIEW_TEXT_STEPS];
  if (n < 2 || n - 1 > VIEW_TEXT_STEPS) return 0;
  for (int i = 2; i <= n; i++) {
    if (view_read_key(L, i, &steps[i - 2])) continue;
    lua_pushnil(L);
    return 1;
  }
  return view_text_follow(L, 1, steps, (size_t)n - 1);
}

FL_PRIVATE int view_get(lua_State *L) {
  const struct mod_doc *owner;
  bin_value v;
  int i, n = lua_gettop(L);
  if (view_test_text(L, 1) && view_text_get(L, n)) return 1;
  if (!view_value_at(L, 1, &owner, &v)) return mod_type_error(L, 1, "view or document");
  for (i = 2; i <= n && v; i++) v = bin_is_collection(v) ? view_lookup(L, &owner->doc, v, i) : NULL;
  view_push_from(L, 1, owner, v);
  return 1;
}

/* Follows the pointer or compiled path at `path` from the text view at `view`. Returns 0 if it must be converted
** first. */
static int view_text_follow_path(lua_State *L, int view, int path) {
  struct mod_path_steps to;
  compat_need_stack(L, 8);
  lua_pushnil(L);
  mod_path_begin(&to, lua_gettop(L), 0);
  return !mod_path_read(L, &to, path) && to.count > 0 && view_text_follow(L, view, to.steps, to.count);
}

FL_PRIVATE int view_pointer(lua_State *L) {
  const struct mod_doc *owner;
  bin_value v;
  size_t n;
  char room[256], *scratch;
  if (!view_is_at(L, 1) && !view_test_doc(L, 1)) return mod_type_error(L, 1, "view or document");
  /* a long pointer or path from walk */
  if (lua_type(L, 2) == LUA_TUSERDATA && luaL_callmeta(L, 2, "__tostring")) lua_replace(L, 2);
  const char *s = mod_check_string(L, 2, &n);
  mod_check_pointer(L, s, n, 2);
  if (view_test_text(L, 1) && view_text_follow_path(L, 1, 2)) return 1;
  scratch = n <= sizeof room ? room : (char *)lua_newuserdata(L, n);
  (void)view_value_at(L, 1, &owner, &v); /* a finalizer may have closed it */
  v = bin_pointer_follow(&owner->doc, v, s, n, scratch);
  view_push_from(L, 1, owner, v);
  return 1;
}

/* Where the values that wildcards lead to go: stack indices. */
struct view_each {
  lua_State *L;
  const struct mod_doc *owner;
  int env, metatable, table, n;
};

static int view_add_each(void *ud, bin_value v) {
  struct view_each *to = (struct view_each *)ud;
  if (FL_UNLIKELY(to->n == INT32_MAX)) luaL_error(to->L, "a path leads to too many values");
  if (bin_is_undefined(v)) lua_pushlightuserdata(to->L, NULL);
  else view_push_value(to->L, to->env, to->metatable, to->owner, v);
  lua_rawseti(to->L, to->table, ++to->n);
  return 1;
}

/* Pushes a table of the values that the path leads to from v, which the view or document at index 2 belongs to. */
static void view_push_each(lua_State *L, const struct mod_path *p, const struct mod_doc *owner, bin_value v) {
  struct view_each to = {L, owner, 0, 0, 0, 0};
  compat_need_stack(L, 12);
  view_push_env_of(L, 2);
  to.env = lua_gettop(L);
  view_push_metatable(L, &view_key);
  to.metatable = to.env + 1;
  lua_newtable(L);
  to.table = to.env + 2;
  view_pin(owner);
  (void)bin_path_each(&owner->doc, v, p->steps, p->count, view_add_each, &to);
  view_unpin(owner);
}

FL_PRIVATE int view_path_call(lua_State *L) {
  const struct mod_path *p = view_check_path(L, 1);
  const struct mod_doc *owner;
  bin_value v;
  if (!p->wildcards && view_test_text(L, 2) && view_text_follow_path(L, 2, 1)) return 1;
  if (!view_value_at(L, 2, &owner, &v)) {
    /* p(view): for the caller the view is the first argument; since Lua 5.5 luaL_argerror does not count p */
    if (LUA_VERSION_NUM < 505) lua_remove(L, 1);
    return mod_type_error(L, LUA_VERSION_NUM >= 505 ? 2 : 1, "view or document");
  }
  if (FL_UNLIKELY(p->wildcards > 0)) view_push_each(L, p, owner, v);
  else view_push_from(L, 2, owner, bin_path_follow(&owner->doc, v, p->steps, p->count));
  return 1;
}

FL_PRIVATE int view_path_tostring(lua_State *L) {
  (void)view_check_path(L, 1);
  mod_push_env(L, 1);
  lua_rawgeti(L, -1, 1);
  return 1;
}

FL_PRIVATE int mod_type(lua_State *L) {
  const struct view_text *t = view_test_text(L, 1);
  const struct mod_mutable *m = view_test_mutable(L, 1);
  const char *name;
  mod_check_any(L, 1);
  if (t) name = *t->is.text.begin == '[' ? "array" : "dict";
  else if (view_test(L, 1)) name = bin_tag(view_check(L, 1)->value) == BIN_TAG_ARRAY ? "array" : "dict";
  else if (m && !view_mutable_is_open(L, m)) return view_closed_(L);
  else if (m) name = m->layer->is_dict ? "dict" : "array";
  else if (view_test_data(L, 1)) name = "data";
  else if (exact_test(L, 1)) name = "number";
  else if (lua_islightuserdata(L, 1) && !lua_touserdata(L, 1)) name = "null";
  else if (lua_type(L, 1) == LUA_TNUMBER) name = compat_is_integer(L, 1) ? "integer" : "float";
  else name = luaL_typename(L, 1);
  lua_pushstring(L, name);
  return 1;
}
