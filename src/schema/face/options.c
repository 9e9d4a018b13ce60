/* SPDX-License-Identifier: MIT
** options.c -- options of schema. Those whose values are Lua values are read from their table when they are needed:
** here their types are checked.
** Must hold: as lua/options/rows.h says. */
#include "schema.h"

static void mod_schema_read_source(struct mod_reader *r) {
  const int type = lua_type(r->L, -1);
  if (type != LUA_TTABLE && type != LUA_TFUNCTION) mod_bad_option(r, "a table or a function");
}

static void mod_schema_read_function(struct mod_reader *r) {
  if (lua_type(r->L, -1) != LUA_TFUNCTION) mod_bad_option(r, "a function");
}

static void mod_schema_read_formats(struct mod_reader *r) {
  struct mod_schema_options *o = (struct mod_schema_options *)r->into;
  if (lua_type(r->L, -1) == LUA_TTABLE) o->asserts_formats = 1;
  else if (lua_type(r->L, -1) == LUA_TBOOLEAN) o->asserts_formats = (unsigned char)lua_toboolean(r->L, -1);
  else mod_bad_option(r, "a boolean or a table");
}

static void mod_schema_read_table(struct mod_reader *r) {
  if (lua_type(r->L, -1) != LUA_TTABLE) mod_bad_option(r, "a table");
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
