/* SPDX-License-Identifier: MIT
** merge.c -- merge_patch of a Lua value: only the tables on the way to a change are copied.
** May call: convert, lua_*, module/json/encode.h, module/text/edit.h.
** Must hold: as patch.h. The levels are on the Lua stack. */
#include "../../convert/lua_to_json/api/errors.h"
#include "patch.h"

enum { MOD_MERGE_LEVEL = 4 }; /* values of a level */

/* Is the value at the index null, of this library or as decode has made it with the codec's option? */
static int mod_merge_is_null(const struct mod_patch *p, int index) {
  lua_State *L = p->L;
  if (lua_type(L, index) == LUA_TLIGHTUSERDATA && !lua_touserdata(L, index)) return 1;
  return p->f.d.o.null && lua_rawequal(L, index, p->f.d.o.null);
}

static int mod_merge_is_object(const struct mod_patch *p, int index) {
  return lua_istable(p->L, index) && mod_patch_kind_of(p, index) == MOD_PATCH_OBJECT;
}

/* Which keys a name gets that its object does not have, if it is that of a number: strings; numbers; as the patch has
** it. */
enum { MOD_MERGE_NAMES, MOD_MERGE_NUMBERS, MOD_MERGE_AS_GIVEN };

/* Pushes what a level needs: the result, a copy of the value at `old` if that is an object, its keys, and the patch. */
static void mod_merge_enter(const struct mod_patch *p, int old, int patch) {
  lua_State *L = p->L;
  int keys = MOD_MERGE_AS_GIVEN, numbers = 0;
  if (mod_merge_is_object(p, old) && mod_patch_push_copy(p, old, MOD_PATCH_OBJECT, &numbers)) {
    lua_pushnil(L);
    if (lua_next(L, -2)) keys = MOD_MERGE_NAMES, lua_pop(L, 2);
  } else {
    lua_newtable(L);
    mod_patch_copy_marks(p, patch);
  }
  lua_pushinteger(L, numbers || p->f.d.o.numeric_keys ? MOD_MERGE_NUMBERS : keys);
  lua_pushvalue(L, patch);
  lua_pushnil(L);
}

/* Pushes the key of the result that the key of the patch, at the index, means: one whose name is the same. */
static void mod_merge_push_key(lua_State *L, int result, int key) {
  const int keys = (int)lua_tointeger(L, result + 1), is_string = lua_type(L, key) == LUA_TSTRING;
  int other;
  lua_pushvalue(L, key);
  lua_rawget(L, result);
  other = lua_isnil(L, -1);
  lua_pop(L, 1);
  lua_pushvalue(L, key);
  if (!other || !api_push_same_name(L, key)) return;
  lua_pushvalue(L, -1);
  lua_rawget(L, result);
  other = !lua_isnil(L, -1) || keys == (is_string ? MOD_MERGE_NUMBERS : MOD_MERGE_NAMES);
  lua_pop(L, 1);
  lua_remove(L, other ? -2 : -1);
}

/* A member of the patch is on top, with its key. True: it begins a level. */
static int mod_merge_member(const struct mod_patch *p, int result) {
  lua_State *L = p->L;
  const int key = lua_gettop(L) - 1, value = key + 1, to = key + 2;
  mod_merge_push_key(L, result, key);
  if (mod_merge_is_object(p, value)) {
    lua_pushvalue(L, to);
    lua_rawget(L, result);
    mod_merge_enter(p, to + 1, value);
    lua_pushvalue(L, to);
    lua_pushvalue(L, to + 2);
    lua_rawset(L, result);
    lua_remove(L, to + 1);
    lua_remove(L, to);
    lua_remove(L, value);
    return 1;
  }
  if (mod_merge_is_null(p, value)) lua_pushnil(L);
  else lua_pushvalue(L, value);
  lua_rawset(L, result);
  lua_settop(L, key);
  return 0;
}

FL_PRIVATE int mod_patch_merge_tables(struct mod_patch *p) {
  lua_State *L = p->L;
  const int first = lua_gettop(L) + 1;
  int result = first; /* of the innermost level; above it stand its keys, its patch and a key of that */
  if (!mod_merge_is_object(p, 2)) return lua_pushvalue(L, 2), 1;
  mod_merge_enter(p, 1, 2);
  for (;;) {
    const size_t depth = (size_t)(result - first) / MOD_MERGE_LEVEL + 1;
    if (depth > p->f.d.o.max_depth || !lua_checkstack(L, 16)) {
      lua_pushliteral(L, "patch: nesting too deep");
      return mod_patch_fail(p);
    }
    if (!lua_next(L, result + 2)) {
      lua_settop(L, result);
      mod_patch_mark(p, MOD_PATCH_OBJECT);
      if (result == first) return 1;
      lua_settop(L, result - 1);
      result -= MOD_MERGE_LEVEL;
    } else if (mod_merge_member(p, result)) {
      result += MOD_MERGE_LEVEL;
    }
  }
}
