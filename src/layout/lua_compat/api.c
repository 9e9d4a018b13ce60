/* SPDX-License-Identifier: MIT
** The limit for slots of a stack. Lua 5.1 does not name it: its lua_checkstack raises a memory error itself. */
#include "api.h"

/* The limit for slots of a stack. Lua 5.1 does not name it: its lua_checkstack raises a memory error itself. */
#ifdef LUAI_MAXSTACK
#define COMPAT_STACK_MOST LUAI_MAXSTACK
#elif LUA_VERSION_NUM >= 505
#define COMPAT_STACK_MOST 1000000 /* as in its ldo.c */
#endif

FL_PRIVATE_NOINLINE void compat_no_stack_(lua_State *L, int n) {
#ifdef COMPAT_STACK_MOST
  const size_t size = (size_t)COMPAT_STACK_MOST * 16;
  void *ud, *block;
  const lua_Alloc alloc = lua_getallocf(L, &ud);
  if (lua_checkstack(L, n)) return;
  block = alloc(ud, NULL, 0, size);
  if (block) alloc(ud, block, size, 0);
  lua_pushstring(L, block ? "stack overflow" : "not enough memory");
#else
  (void)n;
  lua_pushliteral(L, "stack overflow");
#endif
  (void)lua_error(L);
}

FL_PRIVATE void compat_set_functions(lua_State *L, const luaL_Reg *functions) {
  for (; functions->name; functions++) {
    lua_pushcfunction(L, functions->func);
    lua_setfield(L, -2, functions->name);
  }
}
