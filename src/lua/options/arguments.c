/* SPDX-License-Identifier: MIT */
#include "arguments.h"

#include "../guard.h"
#include "options.h"

/* Returns the name of a function or method of this module, "" for a metamethod, NULL for other functions. */
static const char *mod_function_name(lua_State *L, lua_CFunction f) {
  compat_registry_get(L, &mod_state_key);
  const struct mod_state *m = (const struct mod_state *)lua_touserdata(L, -1);
  lua_pop(L, 1);
  for (const luaL_Reg *const *list = m ? m->functions : NULL; list && *list; list++)
    for (const luaL_Reg *r = *list; r->name; r++)
      if (r->func == f) return r->name;
  return NULL;
}

/* Returns whether the argument is a document, view and so on of another copy of this module in the process; if so,
** pushes its name. */
static int mod_is_of_another_copy(lua_State *L, int arg) {
  static const char prefix[] = "fleece.";
  const int top = lua_gettop(L);
  size_t n;
  if (lua_type(L, arg) != LUA_TUSERDATA || !lua_getmetatable(L, arg)) return 0;
  compat_get_field(L, -1, "__name");
  const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &n) : "";
  if (strncmp(name, prefix, sizeof prefix - 1) == 0 &&
      mod_find_word(name + sizeof prefix - 1, n - (sizeof prefix - 1), "view|document|mutable|data|path|keys") >= 0) {
    lua_pushlightuserdata(L, (void *)(uintptr_t)&view_key);
    lua_rawget(L, top + 1);
    if (lua_isnil(L, -1)) return lua_pop(L, 1), 1;
  }
  lua_settop(L, top);
  return 0;
}

FL_PRIVATE_NOINLINE int mod_argument_error(lua_State *L, int arg, const char *message) {
  const int guarded = mod_is_guarded(L);
  lua_Debug ar, guard;
  if (mod_is_of_another_copy(L, arg))
    message = lua_pushfstring(L, "%s; this %s is of another copy of Fleece", message, lua_tostring(L, -1));
  if (lua_getstack(L, 0, &ar) && lua_getinfo(L, "nf", &ar)) {
    const char *name = mod_function_name(L, lua_tocfunction(L, -1));
    lua_pop(L, 1);
    if (name && !*name) return mod_error(L, message);
    if (guarded && lua_getstack(L, 1, &guard) && lua_getinfo(L, "n", &guard)) ar.namewhat = guard.namewhat;
    if (name && (guarded || !ar.name || *ar.name == '?')) {
      arg -= strcmp(ar.namewhat, "method") == 0;
      return mod_error(L, arg ? lua_pushfstring(L, "bad argument #%d to '%s' (%s)", arg, name, message)
                              : lua_pushfstring(L, "calling '%s' on bad self (%s)", name, message));
    }
  }
  return luaL_argerror(L, arg, message);
}

FL_PRIVATE int mod_unfit_option(lua_State *L, int arg, const char *name, const char *value) {
  const char *message = lua_pushfstring(L, "option '%s' must be %s here", name, value), *function = NULL;
  lua_Debug ar;
  if (!lua_isnoneornil(L, arg)) return mod_argument_error(L, arg, message);
  if (lua_getstack(L, 0, &ar) && lua_getinfo(L, "f", &ar)) function = mod_function_name(L, lua_tocfunction(L, -1));
  return mod_error(L, function && *function ? lua_pushfstring(L, "%s: %s", function, message) : message);
}

FL_PRIVATE_NOINLINE int mod_type_error(lua_State *L, int arg, const char *expected) {
  const char *type = luaL_typename(L, arg);
#if LUA_VERSION_NUM >= 503
  if (luaL_getmetafield(L, arg, "__name") == LUA_TSTRING) type = lua_tostring(L, -1);
  else if (lua_type(L, arg) == LUA_TLIGHTUSERDATA) type = "light userdata";
#endif
  return mod_argument_error(L, arg, lua_pushfstring(L, "%s expected, got %s", expected, type));
}

FL_PRIVATE_NOINLINE int mod_pointer_error(lua_State *L, int arg, const char *s, size_t n) {
  if (*s == '/' || *s == '#') return mod_argument_error(L, arg, "not a JSON pointer");
  return mod_argument_error(L, arg,
                            n > MOD_POINTER_SHOWN
                                ? "not a JSON pointer: it must begin with '/'"
                                : lua_pushfstring(L, "not a JSON pointer: it must begin with '/', as '/%s'", s));
}

FL_PRIVATE void mod_check_source(lua_State *L) {
  mod_check_any(L, 1);
  if (lua_isnil(L, 1) && lua_type(L, 2) == LUA_TSTRING)
    mod_argument_error(L, 1, lua_pushfstring(L, "got nil and a message: %s", lua_tostring(L, 2)));
}
