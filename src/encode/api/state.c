/* SPDX-License-Identifier: MIT */
#include "state.h"

FL_PRIVATE int api_refresh(struct api_walk *a) {
  if (a->refreshed) return 0;
  a->callbacks->refresh(a->L, a->owner);
  return a->refreshed = 1;
}

FL_PRIVATE int api_call(struct api_walk *a, int args, int results) {
  lua_State *L = a->L;
  int status;
  if (a->shared->calls.nesting >= API_NESTING) return api_fail(a, FL_ERROR_NESTING, NULL) != NULL;
  a->shared->calls.nesting++;
  a->shared->calls.count++;
  status = lua_pcall(L, args, results, 0);
  a->shared->calls.nesting--;
  if (status == 0) return 1;
  a->thrown = !a->guarded;
  a->detail = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "error in a hook";
  json_fail(&a->walk->out, FL_ERROR_HOOK); /* the message stays on the stack, and so alive */
  return 0;
}

FL_PRIVATE int api_get_index(lua_State *L) {
  lua_gettable(L, 1);
  return 1;
}
