/* SPDX-License-Identifier: MIT */
#include "state.h"

FL_PRIVATE int api_refresh(struct api_walk *a) {
  if (a->refreshed) return 0;
  a->callbacks->refresh(a->L, a->owner);
  return a->refreshed = 1;
}

static int api_is_near(const struct api_running *a, const struct api_running *b) {
  const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
  return (x < y ? y - x : x - y) < API_NEAR;
}

FL_PRIVATE int api_begin_call(struct api_calls *calls, struct api_running *call, const lua_State *L) {
  const struct api_running *outer = calls->newest;
  while (outer && outer->L != L && !api_is_near(outer, call)) outer = outer->older;
  call->L = L;
  call->nesting = outer ? outer->nesting + 1 : 1;
  if (call->nesting > API_NESTING) return 0;
  call->older = calls->newest, call->link = &calls->newest;
  if (call->older) call->older->link = &call->older;
  calls->newest = call;
  calls->count++;
  return 1;
}

FL_PRIVATE void api_end_call(struct api_running *call) {
  *call->link = call->older;
  if (call->older) call->older->link = call->link;
}

FL_PRIVATE int api_call(struct api_walk *a, int args, int results) {
  lua_State *L = a->L;
  struct api_running call;
  if (!api_begin_call(&a->shared->calls, &call, L)) return api_fail(a, FL_ERROR_NESTING, NULL) != NULL;
  const int status = lua_pcall(L, args, results, 0);
  api_end_call(&call);
  if (status == 0) return 1;
  a->thrown = !a->guarded;
  a->detail = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "error in a hook";
  json_fail(&a->walk->out, FL_ERROR_HOOK); /* the message stays alive on the stack */
  return 0;
}

FL_PRIVATE int api_get_index(lua_State *L) {
  lua_gettable(L, 1);
  return 1;
}

FL_PRIVATE void api_spill_pair(struct api_walk *a, int slot, size_t level) {
  lua_State *L = a->L;
  if (lua_isnil(L, a->spill)) {
    lua_newtable(L);
    lua_replace(L, a->spill);
  }
  compat_set_item(L, a->spill, (int)(2 * level - 1), slot);
  compat_set_item(L, a->spill, (int)(2 * level), slot + 1);
}

FL_PRIVATE void api_push_spilled(struct api_walk *a, size_t level) {
  lua_rawgeti(a->L, a->spill, (int)(2 * level - 1));
  lua_rawgeti(a->L, a->spill, (int)(2 * level));
}

FL_PRIVATE int api_is_open(const struct api_walk *a, const void *table) {
  size_t level, from = a->depth > 64 ? a->depth - 64 : 0;
  size_t power = 1;
  for (level = from; level < a->depth; level++)
    if (a->walk->frames[level].table == table) return 1;
  while (power * 2 <= a->depth) power *= 2;
  return a->depth > 0 && a->walk->frames[power - 1].table == table;
}

/* next(table, key), for lua_pcall. */
static int api_try_next(lua_State *L) { return lua_next(L, 1) ? 2 : 0; }

FL_PRIVATE_NOINLINE int api_next_protected_(struct api_walk *a, int slot) {
  lua_State *L = a->L;
  lua_pushcfunction(L, api_try_next);
  lua_insert(L, slot + 1);
  lua_pushvalue(L, slot);
  lua_insert(L, slot + 2);
  const int status = lua_pcall(L, 2, LUA_MULTRET, 0);
  if (status == 0) return lua_gettop(L) > slot;
  a->thrown = status == LUA_ERRMEM || a->walk->policy->rules->errors != ENCODE_ERRORS_WITH_PATH;
  api_fail(a, FL_ERROR_CHANGED, NULL);
  return -1;
}

FL_PRIVATE void api_push_key(struct api_walk *a, size_t level) {
  lua_State *L = a->L;
  const struct encode_frame *frame = &a->walk->frames[level - 1];
  if ((int)frame->kind == API_ITEMS || (int)frame->kind == API_INDEX) {
    lua_pushnumber(L, (lua_Number)frame->i);
    return;
  }
  if (level >= API_LEVELS && level < a->depth) lua_rawgeti(L, a->spill, (int)(2 * level));
  else lua_pushvalue(L, api_slot_of(a, level) + 1);
  if ((int)frame->kind == API_PAIRS) {
    lua_rawgeti(L, -1, (int)(2 * frame->i - 1));
    lua_remove(L, -2);
  }
}
