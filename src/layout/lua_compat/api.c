/* SPDX-License-Identifier: MIT */
#include "api.h"

FL_PRIVATE_NOINLINE void compat_no_stack_(lua_State *L, int n) {
#ifdef LUAI_MAXSTACK /* where that is not defined, in Lua 5.1, lua_checkstack raises an error of memory itself */
  const size_t size = (size_t)LUAI_MAXSTACK * 16;
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
