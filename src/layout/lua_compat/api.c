/* SPDX-License-Identifier: MIT */
#include "api.h"

FL_PRIVATE_NOINLINE int compat_no_stack_(lua_State *L) {
  lua_pushliteral(L, "stack overflow");
  return lua_error(L);
}
