/* SPDX-License-Identifier: MIT */
#include "file.h"

FL_IDENTITY mod_file_key = 0; /* its address is a key of the registry */

FL_PRIVATE void mod_close_file(FILE **file) {
  const int saved = errno;
  if (*file) fclose(*file);
  *file = NULL;
  errno = saved;
}

static int mod_file_gc(lua_State *L) {
  mod_close_file((FILE **)lua_touserdata(L, 1));
  return 0;
}

FL_PRIVATE FILE **mod_push_file(lua_State *L) {
  FILE **file = (FILE **)lua_newuserdata(L, sizeof *file); /* NOLINT(bugprone-sizeof-expression): a pointer is meant */
  *file = NULL;
  compat_registry_get(L, &mod_file_key);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, mod_file_gc);
    lua_setfield(L, -2, "__gc");
    lua_pushvalue(L, -1);
    compat_registry_set(L, &mod_file_key);
  }
  lua_setmetatable(L, -2);
  return file;
}

/* How many bytes are left in the file; a guess where the file cannot tell. */
static size_t mod_file_rest(FILE *file) {
  const size_t guess = 64 * 1024;
  long at = ftell(file), end;
  if (at < 0 || fseek(file, 0, SEEK_END) != 0) return guess;
  end = ftell(file);
  if (fseek(file, at, SEEK_SET) != 0 || end < at || end == LONG_MAX) return guess; /* LONG_MAX: a directory */
  return (size_t)(end - at);
}

FL_PRIVATE const char *mod_read_rest(lua_State *L, FILE *file, size_t *length) {
  size_t room = mod_file_rest(file) + 1, n = 0, more;
  char *bytes = (char *)lua_newuserdata(L, room + 1);
  errno = 0;
  while ((more = file_read(file, bytes + n, room - n)) > 0) {
    n += more;
    if (n == room) {
      char *wider = (char *)lua_newuserdata(L, 2 * room + 1);
      memcpy(wider, bytes, n);
      lua_remove(L, -2);
      bytes = wider;
      room *= 2;
    }
  }
  if (ferror(file)) return NULL;
  bytes[n] = 0;
  *length = n;
  return bytes;
}

FL_PRIVATE int mod_file_error(lua_State *L, const char *what, const char *path, int safe) {
  const char *reason = errno ? strerror(errno) : "unknown reason";
  if (what) lua_pushfstring(L, "cannot %s '%s': %s", what, path, reason);
  else lua_pushstring(L, reason);
  return mod_raise(L, safe);
}

FL_PRIVATE int mod_call_for_file(lua_State *L, int arguments, const char *what, const char *path) {
  const int top = lua_gettop(L) - arguments - 1;
  return mod_name_file(L, top, lua_pcall(L, arguments, LUA_MULTRET, 0), what, path);
}

FL_PRIVATE int mod_name_file(lua_State *L, int top, int raised, const char *what, const char *path) {
  const int message = top + (raised ? 1 : 2), results = lua_gettop(L) - top;
  if (!raised && !lua_isnil(L, top + 1)) return results;
  compat_need_stack(L, 8);
  if (lua_type(L, message) == LUA_TSTRING) {
    if (raised && !mod_is_guarded(L)) mod_where(L);
    else lua_pushliteral(L, "");
    lua_pushfstring(L, "%scannot %s '%s': %s", lua_tostring(L, -1), what, path, lua_tostring(L, message));
    lua_replace(L, message);
    lua_pop(L, 1);
  }
  return raised ? 0 : -results;
}

FL_PRIVATE const char *mod_check_file_name(lua_State *L) {
  size_t n;
  const char *path = mod_check_string(L, 1, &n);
  if (strlen(path) != n) mod_argument_error(L, 1, "a file name with a byte 0 in it");
  return path;
}
