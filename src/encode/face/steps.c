/* SPDX-License-Identifier: MIT */
#include "steps.h"

FL_PRIVATE void step_forget(lua_State *L, int error) {
  mod_push_env(L, 1);
  for (int i = 1; i < error; i++) {
    lua_pushnil(L);
    lua_rawseti(L, -2, i);
  }
  lua_pop(L, 1);
}

FL_PRIVATE int step_run(lua_State *L, struct mod_steps *s, lua_CFunction step, int results, int error) {
  int status;
  lua_settop(L, 1);
  compat_need_stack(L, 6);
  lua_pushcfunction(L, step);
  lua_pushvalue(L, 1);
  s->status = STEP_RUNNING;
  if ((status = lua_pcall(L, 1, results, 0)) != 0) {
    s->status = STEP_THREW;
    mod_push_env(L, 1);
    lua_insert(L, -2);
    lua_rawseti(L, -2, error);
  }
  if (status == LUA_ERRMEM) {
    step_forget(L, error);
    lua_gc(L, LUA_GCCOLLECT, 0);
  }
  if (s->status == STEP_RUNNING) s->status = STEP_OPEN;
  return s->status != STEP_FAILED && s->status != STEP_THREW;
}

FL_PRIVATE void step_push_error(lua_State *L, int error) {
  mod_push_env(L, 1);
  lua_rawgeti(L, -1, error);
  if (lua_isnil(L, -1)) lua_pushliteral(L, "not enough memory");
}
