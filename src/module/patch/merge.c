/* SPDX-License-Identifier: MIT
** merge.c -- merge_patch of a Lua value: only the tables on the way to a change are copied.
** May call: lua_*, module/json/encode.h, module/text/edit.h.
** Must hold: as patch.h. The levels are on the Lua stack: three values each. */
#include "patch.h"

/* Is the value at the index null, of this library or as decode has made it with the codec's option? */
static int mod_merge_is_null(const struct mod_patch *p, int index) {
  lua_State *L = p->L;
  if (lua_type(L, index) == LUA_TLIGHTUSERDATA && !lua_touserdata(L, index)) return 1;
  return p->f.d.o.null && lua_rawequal(L, index, p->f.d.o.null);
}

static int mod_merge_is_object(const struct mod_patch *p, int index) {
  return lua_istable(p->L, index) && mod_patch_kind_of(p, index) == MOD_PATCH_OBJECT;
}

/* Pushes what a level needs: the result, a copy of the value at `old` if that is an object, and the patch. */
static void mod_merge_enter(const struct mod_patch *p, int old, int patch) {
  lua_State *L = p->L;
  if (!old || !mod_merge_is_object(p, old) || !mod_patch_push_copy(p, old, MOD_PATCH_OBJECT)) {
    lua_newtable(L);
    mod_patch_copy_marks(p, patch);
  }
  lua_pushvalue(L, patch);
  lua_pushnil(L);
}

/* A member of the patch is on top, with its key. True: it begins a level. */
static int mod_merge_member(const struct mod_patch *p, int result) {
  lua_State *L = p->L;
  const int key = lua_gettop(L) - 1, value = key + 1;
  if (mod_merge_is_null(p, value)) {
    lua_pushvalue(L, key);
    lua_pushnil(L);
    lua_rawset(L, result);
  } else if (mod_merge_is_object(p, value)) {
    lua_pushvalue(L, key);
    lua_rawget(L, result);
    mod_merge_enter(p, key + 2, value);
    lua_pushvalue(L, key);
    lua_pushvalue(L, key + 3);
    lua_rawset(L, result);
    lua_remove(L, key + 2);
    lua_remove(L, value);
    return 1;
  } else {
    lua_pushvalue(L, key);
    lua_pushvalue(L, value);
    lua_rawset(L, result);
  }
  lua_settop(L, key);
  return 0;
}

FL_PRIVATE int mod_patch_merge_tables(struct mod_patch *p) {
  lua_State *L = p->L;
  const int first = lua_gettop(L) + 1;
  int result = first; /* of the innermost level; above it stand its patch and a key of that */
  if (!mod_merge_is_object(p, 2)) return lua_pushvalue(L, 2), 1;
  mod_merge_enter(p, 1, 2);
  for (;;) {
    const size_t depth = (size_t)(result - first) / 3 + 1;
    if (depth > p->f.d.o.max_depth || !lua_checkstack(L, 16)) {
      lua_pushliteral(L, "patch: nesting too deep");
      return mod_patch_fail(p);
    }
    if (!lua_next(L, result + 1)) {
      lua_settop(L, result);
      mod_patch_mark_empty(L, MOD_PATCH_OBJECT);
      if (result == first) return 1;
      lua_settop(L, result - 1);
      result -= 3;
    } else if (mod_merge_member(p, result)) {
      result += 3;
    }
  }
}
