/* SPDX-License-Identifier: MIT
** floor.c -- lower bounds for libraries that use the public API. Decoding: creates the same tables, at their exact
** size, from recorded values. Encoding: creates another string of the same length.
** Use: add(value) records a value outside Lua's memory, build(i) creates the i-th one again; null is light NULL. tables(i)
** creates only its tables, at their size but empty: what whoever fills tables below the API cannot save.
** copier(text) returns a function that ignores its arguments. viewer(list) returns a function that makes a userdata,
** which keeps the argument and has a C function as __index, that returns the list's values by their number: what any
** view of a text costs before a byte of the text is read. objects(n, bytes, metatable) creates n userdata of so many bytes
** with the metatable and drops them.
** May call: the public API of Lua 5.1 to 5.5 and LuaJIT, libc.  Must hold: build parses nothing, grows no table. */
#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>
#include <string.h>

/* A value in prefix order: a tag, then for 'd' a double, 'i' an integer, 's' length and bytes, '[' and '{' count and
** values; in '{' each value is preceded by its key without a tag. Nothing is aligned. */
typedef struct {
  char *bytes;
  size_t size, capacity;
  int depth; /* of the deepest table; for a text: how often it was copied */
} record;

typedef struct {
  record *list;
  size_t count, capacity;
} records;

static void *reserve(lua_State *L, void *p, size_t wanted, size_t *capacity, size_t unit) {
  if (wanted <= *capacity) return p;
  size_t more = *capacity * 2 > wanted ? *capacity * 2 : wanted;
  void *q = realloc(p, more * unit);
  if (!q) luaL_error(L, "not enough memory");
  *capacity = more;
  return q;
}

static void put(lua_State *L, record *r, const void *p, size_t size) {
  r->bytes = reserve(L, r->bytes, r->size + size, &r->capacity, 1);
  memcpy(r->bytes + r->size, p, size);
  r->size += size;
}

static void put_tag(lua_State *L, record *r, char tag) { put(L, r, &tag, 1); }
static void put_count(lua_State *L, record *r, int n) { put(L, r, &n, sizeof n); }

static void put_string(lua_State *L, record *r, int index) {
  size_t size;
  const char *s = lua_tolstring(L, index, &size);
  put_count(L, r, (int)size);
  put(L, r, s, size);
}

static void put_number(lua_State *L, record *r) {
#if LUA_VERSION_NUM >= 503
  if (lua_isinteger(L, -1)) {
    lua_Integer i = lua_tointeger(L, -1);
    put_tag(L, r, 'i');
    put(L, r, &i, sizeof i);
    return;
  }
#endif
  lua_Number d = lua_tonumber(L, -1);
  put_tag(L, r, 'd');
  put(L, r, &d, sizeof d);
}

static void put_value(lua_State *L, record *r, int depth);

/* A table with an element 1 is an array; for an empty table it does not matter. */
static void put_table(lua_State *L, record *r, int depth) {
  int count = 0, is_array;
  luaL_checkstack(L, 4, "document too deep");
  if (depth > r->depth) r->depth = depth;
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) count++;
  lua_rawgeti(L, -1, 1);
  is_array = !lua_isnil(L, -1);
  lua_pop(L, 1);
  put_tag(L, r, is_array ? '[' : '{');
  put_count(L, r, count);
  if (is_array) {
    for (int i = 1; i <= count; i++, lua_pop(L, 1)) {
      lua_rawgeti(L, -1, i);
      put_value(L, r, depth);
    }
  } else {
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
      if (lua_type(L, -2) != LUA_TSTRING) luaL_error(L, "key is no string");
      put_string(L, r, -2);
      put_value(L, r, depth);
    }
  }
}

static void put_value(lua_State *L, record *r, int depth) {
  switch (lua_type(L, -1)) {
  case LUA_TTABLE: put_table(L, r, depth + 1); break;
  case LUA_TNUMBER: put_number(L, r); break;
  case LUA_TSTRING: put_tag(L, r, 's'), put_string(L, r, -1); break;
  case LUA_TBOOLEAN: put_tag(L, r, lua_toboolean(L, -1) ? 't' : 'f'); break;
  case LUA_TLIGHTUSERDATA: put_tag(L, r, 'n'); break;
  default: luaL_error(L, "no JSON value: %s", luaL_typename(L, -1));
  }
}

static const char *get(const char *p, void *to, size_t size) {
  memcpy(to, p, size);
  return p + size;
}

static const char *push_string(lua_State *L, const char *p) {
  int size;
  p = get(p, &size, sizeof size);
  lua_pushlstring(L, p, (size_t)size);
  return p + size;
}

static const char *push_value(lua_State *L, const char *p) {
  int count;
  lua_Number d;
#if LUA_VERSION_NUM >= 503
  lua_Integer i;
#endif
  switch (*p++) {
  case '[':
    p = get(p, &count, sizeof count);
    lua_createtable(L, count, 0);
    for (int k = 1; k <= count; k++) {
      p = push_value(L, p);
      lua_rawseti(L, -2, k);
    }
    return p;
  case '{':
    p = get(p, &count, sizeof count);
    lua_createtable(L, 0, count);
    while (count-- > 0) {
      p = push_string(L, p);
      p = push_value(L, p);
      lua_rawset(L, -3);
    }
    return p;
  case 's': return push_string(L, p);
#if LUA_VERSION_NUM >= 503
  case 'i': p = get(p, &i, sizeof i), lua_pushinteger(L, i); return p;
#endif
  case 'd': p = get(p, &d, sizeof d), lua_pushnumber(L, d); return p;
  case 't': lua_pushboolean(L, 1); return p;
  case 'f': lua_pushboolean(L, 0); return p;
  default: lua_pushlightuserdata(L, NULL); return p;
  }
}

static records *of(lua_State *L) { return (records *)lua_touserdata(L, lua_upvalueindex(1)); }

static int add(lua_State *L) {
  records *all = of(L);
  record *r;
  lua_settop(L, 1);
  all->list = reserve(L, all->list, all->count + 1, &all->capacity, sizeof *all->list);
  r = &all->list[all->count++];
  memset(r, 0, sizeof *r);
  put_value(L, r, 0);
  lua_pushinteger(L, (lua_Integer)all->count);
  return 1;
}

static int build(lua_State *L) {
  const records *all = of(L);
  size_t i = (size_t)luaL_checkinteger(L, 1);
  const record *r;
  luaL_argcheck(L, i >= 1 && i <= all->count, 1, "no such record");
  r = &all->list[i - 1];
  luaL_checkstack(L, 2 * r->depth + 4, "document too deep"); /* a table and a key for each level */
  push_value(L, r->bytes);
  return 1;
}

/* Creates the tables of the value at p and drops them. */
static const char *push_tables(lua_State *L, const char *p) {
  int size;
  const char kind = *p++;
  if (kind == '[' || kind == '{') {
    p = get(p, &size, sizeof size);
    lua_createtable(L, kind == '[' ? size : 0, kind == '{' ? size : 0);
    while (size-- > 0) {
      int length;
      if (kind == '{') {
        p = get(p, &length, sizeof length);
        p += length;
      }
      p = push_tables(L, p);
    }
    lua_pop(L, 1);
    return p;
  }
  if (kind == 's') {
    p = get(p, &size, sizeof size);
    return p + size;
  }
  return p + (kind == 'd' ? sizeof(lua_Number) : kind == 'i' ? sizeof(lua_Integer) : 0);
}

static int tables(lua_State *L) {
  const records *all = of(L);
  size_t i = (size_t)luaL_checkinteger(L, 1);
  luaL_argcheck(L, i >= 1 && i <= all->count, 1, "no such record");
  luaL_checkstack(L, all->list[i - 1].depth + 4, "document too deep");
  push_tables(L, all->list[i - 1].bytes);
  return 0;
}

/* Each call returns another string, with another hash: a counter in base 64 is written to the bytes that Lua 5.1 hashes
** (luaS_newlstr: the last byte, and each `step` before it). LuaJIT hashes the last bytes. */
static int copy(lua_State *L) {
  record *r = &of(L)->list[lua_tointeger(L, lua_upvalueindex(2)) - 1];
  unsigned count = (unsigned)++r->depth;
  size_t step = (r->size >> 5) + 1;
  for (size_t i = 1; i <= 5 && i * step <= r->size; i++, count /= 64)
    r->bytes[r->size - 1 - (i - 1) * step] = (char)(';' + count % 64);
  lua_pushlstring(L, r->bytes, r->size);
  return 1;
}

/* copier(text) -> function */
static int copier(lua_State *L) {
  records *all = of(L);
  record *r;
  size_t size;
  const char *text = luaL_checklstring(L, 1, &size);
  all->list = reserve(L, all->list, all->count + 1, &all->capacity, sizeof *all->list);
  r = &all->list[all->count++];
  memset(r, 0, sizeof *r);
  put(L, r, text, size);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushinteger(L, (lua_Integer)all->count);
  lua_pushcclosure(L, copy, 2);
  return 1;
}

static int release(lua_State *L) {
  records *all = (records *)lua_touserdata(L, 1);
  for (size_t i = 0; i < all->count; i++) free(all->list[i].bytes);
  free(all->list);
  memset(all, 0, sizeof *all);
  return 0;
}

static void function(lua_State *L, const char *name, lua_CFunction f) { /* stack: records, module */
  lua_pushvalue(L, -2);
  lua_pushcclosure(L, f, 1);
  lua_setfield(L, -2, name);
}

static int viewed(lua_State *L) {
  const records *all = of(L);
  const size_t i = (size_t)(lua_tointeger(L, lua_upvalueindex(2)) + lua_tointeger(L, 2)) - 1;
  luaL_argcheck(L, i >= 1 && i <= all->count, 2, "no such value");
  push_value(L, all->list[i - 1].bytes);
  return 1;
}

static int view(lua_State *L) {
  lua_settop(L, 1);
  lua_newuserdata(L, 64);
#if LUA_VERSION_NUM >= 503
  lua_pushvalue(L, 1);
  lua_setuservalue(L, 2);
#endif
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_setmetatable(L, 2);
  return 1;
}

/* viewer(list) -> function */
static int viewer(lua_State *L) {
  const records *all = of(L);
  const size_t first = all->count + 1;
  luaL_checktype(L, 1, LUA_TTABLE);
  for (int i = 1; lua_rawgeti(L, 1, i), !lua_isnil(L, -1); i++) {
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushcclosure(L, add, 1);
    lua_insert(L, -2);
    lua_call(L, 1, 0);
  }
  lua_newtable(L);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushinteger(L, (lua_Integer)first);
  lua_pushcclosure(L, viewed, 2);
  lua_setfield(L, -2, "__index");
  lua_pushcclosure(L, view, 1);
  return 1;
}

static int objects(lua_State *L) {
  const lua_Integer n = luaL_checkinteger(L, 1);
  const size_t bytes = (size_t)luaL_checkinteger(L, 2);
  luaL_checktype(L, 3, LUA_TTABLE);
  for (lua_Integer i = 0; i < n; i++) {
    memset(lua_newuserdata(L, bytes), 0, bytes);
    lua_pushvalue(L, 3);
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
  }
  return 0;
}

/* Each loaded module has its own records. */
int luaopen_floor(lua_State *L) {
  memset(lua_newuserdata(L, sizeof(records)), 0, sizeof(records));
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, release);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  lua_createtable(L, 0, 7);
  function(L, "add", add);
  function(L, "build", build);
  function(L, "tables", tables);
  function(L, "copier", copier);
  function(L, "viewer", viewer);
  function(L, "objects", objects);
  lua_pushlightuserdata(L, NULL);
  lua_setfield(L, -2, "null");
  return 1;
}
