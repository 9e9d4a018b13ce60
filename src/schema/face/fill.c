/* SPDX-License-Identifier: MIT
** fill.c -- values with the defaults of their schema: texts are edited, of tables those that change are copied.
** Must hold: as schema.h. The argument does not change. */
#include "schema.h"
#include "../../encode/face/marks.h"
#include "../../lua/guard.h"
#include "../../places/edit.h"

enum { MOD_SCHEMA_FILL_ROUNDS = 100 }; /* defaults in defaults */

/* Pushes a function of the module. */
static void mod_schema_push_function(lua_State *L, lua_CFunction f) {
  int i;
  compat_need_stack(L, MOD_UPVALUES + 8);
  for (i = 1; i <= MOD_UPVALUES; i++) lua_pushvalue(L, lua_upvalueindex(i));
  lua_pushcclosure(L, f, MOD_UPVALUES);
}

/* The byte after the value at p of a text that is JSON. */
static const char *mod_schema_end_of(const char *p) {
  size_t depth = 0;
  do {
    if (*p == '"') {
      for (p++; *p != '"'; p++) p += *p == '\\';
      p++;
    } else if (*p == '{' || *p == '[') {
      depth++, p++;
    } else if (*p == '}' || *p == ']') {
      depth--, p++;
    } else if (depth > 0) {
      p++;
    } else {
      while (*p && !strchr(",]} \t\r\n", *p)) p++;
    }
  } while (depth > 0);
  return p;
}

FL_PRIVATE void mod_schema_push_text_of(lua_State *L, const struct schema_program *p, uint32_t source, uint32_t place) {
  const struct value_texts *texts = &p->sources[source]->texts;
  const char *s = texts->text + texts->places[place].begin;
  lua_pushlstring(L, s, (size_t)(mod_schema_end_of(s) - s));
}

FL_PRIVATE void mod_schema_push_value_of(lua_State *L, const struct mod_schema *s, uint32_t source, uint32_t place,
                                         int values) {
  const int text = lua_gettop(L) + 1;
  struct mod_decode d;
  struct json_scan scan;
  mod_schema_push_text_of(L, s->program, source, place);
  mod_schema_begin_decode(&d, L, s, values);
  mod_set_text(&d, text);
  if (!mod_scan_whole(&d, &scan)) lua_pushnil(L);
  lua_replace(L, text);
  lua_settop(L, text);
}

/* The text at call->value with the defaults: pushes the new one. */
static void mod_schema_fill_text(struct mod_schema_call *call) {
  lua_State *L = call->L;
  const struct schema_report *r = call->report;
  const struct schema_program *p = call->schema->program;
  const int list = lua_gettop(L) + 3;
  size_t i;
  mod_schema_push_function(L, mod_edit);
  lua_pushvalue(L, call->value);
  lua_createtable(L, (int)r->count, 0);
  for (i = 0; i < r->count; i++) {
    const struct schema_failure *x = &r->failures[i];
    lua_createtable(L, 3, 0);
    lua_pushliteral(L, "set");
    lua_rawseti(L, -2, 1);
    lua_pushlstring(L, r->text + x->path, x->path_length);
    lua_rawseti(L, -2, 2);
    mod_schema_push_function(L, mod_raw);
    mod_schema_push_text_of(L, p, p->units[x->unit].source, x->place);
    lua_call(L, 1, 1);
    lua_rawseti(L, -2, 3);
    lua_rawseti(L, list, (int)i + 1);
  }
  lua_call(L, 2, 1);
}

/* Pushes a copy of the table on top, in its place, unless it is one already: `copies` has those. */
static void mod_schema_copy_table(lua_State *L, int copies) {
  const int from = lua_gettop(L);
  lua_pushvalue(L, from);
  lua_rawget(L, copies);
  if (lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    return;
  }
  lua_pop(L, 1);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, from);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, from + 1);
  }
  if (lua_getmetatable(L, from)) lua_setmetatable(L, from + 1);
  lua_pushvalue(L, from + 1);
  lua_pushboolean(L, 1);
  lua_rawset(L, copies);
  lua_replace(L, from);
}

/* Sets the default at its path in the table at `root`, which is a copy. */
static void mod_schema_fill_path(struct mod_schema_call *call, const struct schema_failure *x, int root, int copies) {
  lua_State *L = call->L;
  const char *s = call->report->text + x->path, *const end = s + x->path_length, *slash;
  const struct schema_program *p = call->schema->program;
  int table;
  lua_pushvalue(L, root);
  table = lua_gettop(L);
  for (s++;; s = slash + 1) {
    slash = (const char *)memchr(s, '/', (size_t)(end - s));
    mod_schema_push_step(L, s, (size_t)((slash ? slash : end) - s));
    if (!slash) break;
    lua_pushvalue(L, -1);
    lua_rawget(L, table);
    if (!lua_istable(L, -1)) { /* an item, or a member under a number */
      const lua_Number number = lua_tonumber(L, -2);
      lua_pop(L, 2);
      lua_pushnumber(L, number);
      lua_rawget(L, table);
      if (lua_rawlen(L, table) > 0 || !lua_istable(L, -1)) {
        lua_pop(L, 1);
        lua_rawgeti(L, table, (int)number + 1);
        lua_pushinteger(L, (lua_Integer)number + 1);
      } else {
        lua_pushnumber(L, number);
      }
      lua_insert(L, -2);
    }
    if (!lua_istable(L, -1)) {
      lua_settop(L, table - 1);
      return;
    }
    mod_schema_copy_table(L, copies);
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, table);
    lua_replace(L, table);
    lua_settop(L, table);
  }
  mod_schema_push_value_of(L, call->schema, p->units[x->unit].source, x->place, lua_upvalueindex(MOD_VALUES));
  lua_rawset(L, table);
  lua_settop(L, table - 1);
}

static void mod_schema_fill_table(struct mod_schema_call *call, int copies) {
  lua_State *L = call->L;
  size_t i;
  int root;
  lua_pushvalue(L, call->value);
  root = lua_gettop(L);
  mod_schema_copy_table(L, copies);
  for (i = 0; i < call->report->count; i++) mod_schema_fill_path(call, &call->report->failures[i], root, copies);
}

FL_PRIVATE int mod_schema_fill(lua_State *L) {
  struct mod_schema_call call;
  struct schema_report report;
  enum mod_schema_form form;
  enum value_error error;
  int n, rounds;
  lua_settop(L, 2);
  mod_schema_start(L, &call, &form, 0);
  if (form == MOD_SCHEMA_VIEW) mod_type_error(L, 2, "table or text");
  lua_settop(L, 2);
  lua_newtable(L); /* the copies */
  lua_pushvalue(L, 2);
  call.value = 4;
  for (rounds = 0; rounds < MOD_SCHEMA_FILL_ROUNDS; rounds++) {
    mod_schema_ask(&call, &report, SIZE_MAX);
    call.fills = 1;
    error = mod_schema_run(&call, &form);
    if (error) return mod_schema_fail(&call, error);
    if (form == MOD_SCHEMA_WRONG_TEXT || !call.is_valid) {
      call.report = NULL;
      n = mod_schema_explain(&call, form);
      if (n < 0) return -n;
      lua_pushnil(L);
      lua_insert(L, -n - 1);
      return n + 1;
    }
    if (report.count == 0) break;
    if (form == MOD_SCHEMA_TEXT) mod_schema_fill_text(&call);
    else mod_schema_fill_table(&call, 3);
    lua_replace(L, call.value);
    lua_settop(L, call.value);
  }
  if (rounds == MOD_SCHEMA_FILL_ROUNDS) {
    lua_pushliteral(L, "the defaults of the schema have defaults in them without end");
    return mod_raise(L, (int)call.schema->o.safe);
  }
  lua_settop(L, call.value);
  return 1;
}
