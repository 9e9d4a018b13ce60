/* SPDX-License-Identifier: MIT
** options.c -- options of schema. Those that are Lua values are only type-checked here, and read from their table when
** needed.
** Must hold: as lua/options/rows.h says. */
#include "schema.h"
#include "../../lua/state.h"

/* Returns whether the value on top can be a schema. */
static int mod_schema_is_schema(lua_State *L) {
  const int type = lua_type(L, -1);
  if (type == LUA_TUSERDATA)
    return mod_schema_is_document(L, lua_gettop(L)) ||
           mod_test_userdata(L, -1, &mod_schema_magic, sizeof(struct mod_schema)) != NULL;
  return type == LUA_TSTRING || type == LUA_TTABLE || type == LUA_TBOOLEAN;
}

static int mod_schema_is_check(lua_State *L) { return lua_isfunction(L, -1); }

/* Checks that the value is a table from strings to values that `is_fine` accepts. */
static void mod_schema_read_entries(struct mod_reader *r, int (*is_fine)(lua_State *L), const char *expected) {
  lua_State *L = r->L;
  const int table = lua_gettop(L);
  if (!lua_istable(L, table)) mod_bad_option(r, expected);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
    if (lua_type(L, -2) != LUA_TSTRING || !is_fine(L)) mod_bad_option(r, expected);
}

static void mod_schema_read_source(struct mod_reader *r) {
  if (lua_isfunction(r->L, -1)) return;
  mod_schema_read_entries(r, mod_schema_is_schema, "a function, or a table from URIs to schemas");
}

static void mod_schema_read_function(struct mod_reader *r) {
  if (lua_type(r->L, -1) != LUA_TFUNCTION) mod_bad_option(r, "a function");
}

static void mod_schema_read_formats(struct mod_reader *r) {
  struct mod_schema_options *o = (struct mod_schema_options *)r->into;
  o->asserts_formats = 1;
  if (lua_isboolean(r->L, -1)) o->asserts_formats = (unsigned char)lua_toboolean(r->L, -1);
  else mod_schema_read_entries(r, mod_schema_is_check, "true, false, or a table from names to functions");
}

static void mod_schema_read_checks(struct mod_reader *r) {
  mod_schema_read_entries(r, mod_schema_is_check, "a table from names to functions");
}

static void mod_schema_read_names(struct mod_reader *r) {
  lua_State *L = r->L;
  const int table = lua_gettop(L);
  if (!lua_istable(L, table)) mod_bad_option(r, "a list of strings");
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
    if (lua_type(L, -2) != LUA_TNUMBER || lua_type(L, -1) != LUA_TSTRING) mod_bad_option(r, "a list of strings");
}

static void mod_schema_read_string(struct mod_reader *r) {
  if (lua_type(r->L, -1) != LUA_TSTRING) mod_bad_option(r, "a string");
}

#define MOD_SCHEMA_ROW(name, kind, member, takers) \
  {name,                                           \
   takers,                                         \
   offsetof(struct mod_schema_options, member),    \
   sizeof((struct mod_schema_options *)0)->member, \
   sizeof name - 1,                                \
   MOD_IS_##kind},
static const struct mod_option mod_schema_rows[] = {MOD_SCHEMA_OPTIONS(MOD_SCHEMA_ROW){0}};

FL_PRIVATE void mod_schema_read_options(lua_State *L, int arg, struct mod_schema_options *o) {
  mod_read_rows(L, arg, MOD_OF_SCHEMA, mod_schema_rows, o);
}
