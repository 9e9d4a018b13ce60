/* SPDX-License-Identifier: MIT */
#include "file.h"

FL_IDENTITY mod_file_key = 0, mod_saving_key = 0,
            mod_saving_list_key = 0; /* their addresses are keys of the registry */

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

FL_PRIVATE void mod_set_finalizer(lua_State *L, const void *key, lua_CFunction gc) {
  compat_registry_get(L, key);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, gc);
    lua_setfield(L, -2, "__gc");
    lua_pushvalue(L, -1);
    compat_registry_set(L, key);
  }
  lua_setmetatable(L, -2);
}

FL_PRIVATE FILE **mod_push_file(lua_State *L) {
  FILE **file = (FILE **)lua_newuserdata(L, sizeof *file); /* NOLINT(bugprone-sizeof-expression): a pointer is meant */
  *file = NULL;
  mod_set_finalizer(L, &mod_file_key, mod_file_gc);
  return file;
}

/* Returns how many bytes are left in the file; a guess if the file has no size. */
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
  return mod_raise_kind(L, safe, FL_KIND_IO);
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

#if defined(__GNUC__)
#define SAVING_FENCE() __asm__ volatile("" ::: "memory") /* the compiler moves nothing past it */
#else
#define SAVING_FENCE() ((void)0)
#endif

FL_PRIVATE void mod_saving_remove_all(struct mod_saving *list) {
  for (; list; list = list->next) {
#ifdef _WIN32 /* an open file cannot be removed there */
    if (list->file.file) _close(_fileno(list->file.file));
#endif
    if (list->file.temporary[0]) replace_remove(list->file.temporary);
    lock_release(&list->lock);
  }
}

FL_PRIVATE void mod_saving_set_list(lua_State *L, struct mod_saving *volatile *list) {
  lua_pushlightuserdata(L, (void *)(uintptr_t)list);
  compat_registry_set(L, &mod_saving_list_key);
}

FL_PRIVATE void mod_saving_enlist(struct mod_saving *s, struct mod_saving *volatile *list) {
  s->list = list;
  if (!list) return;
  s->next = *list;
  SAVING_FENCE();
  *list = s;
  SAVING_FENCE();
}

FL_PRIVATE void mod_saving_delist(struct mod_saving *s) {
  struct mod_saving *at = s->list ? *s->list : NULL;
  SAVING_FENCE();
  if (at == s && s->list) *s->list = s->next;
  for (; at; at = at->next)
    if (at->next == s) at->next = s->next;
  s->list = NULL;
  SAVING_FENCE();
}

static int mod_saving_gc(lua_State *L) {
  mod_saving_end((struct mod_saving *)lua_touserdata(L, 1));
  return 0;
}

FL_PRIVATE struct mod_saving *mod_push_saving(lua_State *L) {
  struct mod_saving *s = (struct mod_saving *)lua_newuserdata(L, sizeof *s);
  s->list = NULL;
  s->file.file = NULL;
  s->file.temporary[0] = 0;
  s->file.is_replaced = 0;
  s->lock.taken = 0;
  s->hint = NULL;
  mod_set_finalizer(L, &mod_saving_key, mod_saving_gc);
  compat_registry_get(L, &mod_saving_list_key);
  mod_saving_enlist(s, (struct mod_saving *volatile *)lua_touserdata(L, -1));
  lua_pop(L, 1);
  return s;
}

FL_PRIVATE int mod_saving_lock(struct mod_saving *s, const char *path, unsigned wait) {
  if (!replace_find(&s->file, path)) return 0;
  return !s->file.temporary[0] || lock_take(&s->lock, s->file.target, wait);
}

FL_PRIVATE int mod_saving_lock_in_place(struct mod_saving *s, const char *path, unsigned wait) {
  if (!mod_saving_lock(s, path, wait) && (!s->file.temporary[0] || errno == EAGAIN)) return 0;
  s->file.is_replaced = 0;
  s->file.temporary[0] = 0;
  return 1;
}

FL_PRIVATE int mod_saving_open(struct mod_saving *s) {
  if (s->lock.taken && !lock_note(&s->lock, s->file.temporary)) return 0;
  return replace_open(&s->file) && setvbuf(s->file.file, NULL, _IONBF, 0) == 0;
}

FL_PRIVATE int mod_saving_commit(struct mod_saving *s, int sync) {
  const int fine = (!sync || s->file.temporary[0] || !s->file.exists || replace_sync_file(s->file.file)) &&
                   replace_commit(&s->file, sync);
  mod_saving_end(s);
  return fine;
}

FL_PRIVATE void mod_saving_end(struct mod_saving *s) {
  replace_abort(&s->file);
  lock_release(&s->lock);
  mod_saving_delist(s);
}

FL_PRIVATE int mod_saving_error(lua_State *L, const struct mod_saving *s, const char *what, const char *path,
                                int safe) {
  char text[REPLACE_WHY];
  const char *hint = s->hint && replace_may_be_in_place(&s->file) ? s->hint : "";
  if (errno == EAGAIN) {
    lua_pushfstring(L, "cannot %s '%s': another writer has locked it: '%s' is taken, after %d ms", what, path,
                    s->lock.path, (int)s->lock.waited);
  } else {
    lua_pushfstring(L, "cannot %s '%s': %s%s", what, path, replace_why(&s->file, text), hint);
  }
  return mod_raise_kind(L, safe, FL_KIND_IO);
}

FL_PRIVATE void mod_push_options_of(lua_State *L, int index, enum mod_taker of) {
  lua_newtable(L);
  if (lua_isnoneornil(L, index)) return;
  mod_check_options(L, index);
  compat_need_stack(L, 8);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) == LUA_TSTRING && !mod_takes(of, lua_tostring(L, -2))) continue;
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, -5);
  }
}

FL_PRIVATE void mod_push_sibling(lua_State *L, lua_CFunction function) {
  compat_need_stack(L, MOD_UPVALUES + 8);
  for (int i = 1; i <= MOD_UPVALUES; i++) lua_pushvalue(L, lua_upvalueindex(i));
  lua_pushcclosure(L, function, MOD_UPVALUES);
}
