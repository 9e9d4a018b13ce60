/* SPDX-License-Identifier: MIT
** fill.c -- fills in defaults of schemas: a text is edited, a table is copied.
** Must hold: as in schema.h. The argument is not changed. */
#include "schema.h"
#include "../../encode/face/marks.h"
#include "../../lua/guard.h"
#include "../../places/edit.h"

enum { MOD_SCHEMA_FILL_ROUNDS = 100 }; /* nesting of defaults within defaults */

/* Pushes a function of the module. */
static void mod_schema_push_function(lua_State *L, lua_CFunction f) {
  int i;
  compat_need_stack(L, MOD_UPVALUES + 8);
  for (i = 1; i <= MOD_UPVALUES; i++) lua_pushvalue(L, lua_upvalueindex(i));
  lua_pushcclosure(L, f, MOD_UPVALUES);
}

/* Returns the end of the value at p in a valid text. */
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
  if (!d.o.arrays) { /* [] is an array whatever its place allows */
    mod_push_mark(L, MOD_MARK_ARRAY);
    d.o.arrays = lua_gettop(L);
  }
  mod_set_text(&d, text);
  if (!mod_scan_whole(&d, &scan)) lua_pushnil(L);
  lua_replace(L, text);
  lua_settop(L, text);
}

/* Pushes the grammar options that the schema's texts allow. */
static void mod_schema_push_grammar(lua_State *L, unsigned grammar) {
  static const struct {
    const char *name;
    unsigned bits;
  } rows[] = {
      {"json5", JSON_JSON5}, {"comments", JSON_COMMENTS}, {"trailing_commas", JSON_TRAILING_COMMAS}, {"bom", JSON_BOM}};
  size_t i;
  lua_createtable(L, 0, 4);
  for (i = 0; i < sizeof rows / sizeof *rows; i++) {
    lua_pushboolean(L, (grammar & rows[i].bits) != 0);
    lua_setfield(L, -2, rows[i].name);
  }
}

/* Pushes the text at call->value with the defaults inserted; or returns 0 with the message of a text that cannot be
** edited on top, as one with a name twice on the way to a default. */
static int mod_schema_fill_text(struct mod_schema_call *call) {
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
  mod_schema_push_grammar(L, call->schema->o.grammar);
  const int status = lua_pcall(L, 3, 2, 0);
  if (status != 0 && (status != LUA_ERRRUN || lua_type(L, -1) != LUA_TSTRING)) lua_error(L);
  if (status != 0 || lua_isnil(L, -2)) return 0;
  lua_pop(L, 1);
  return 1;
}

/* Ends the call with the message on top, of a text that cannot be filled. */
static int mod_schema_end_unfilled(lua_State *L) {
  const int message = lua_gettop(L);
  lua_pushnil(L);
  lua_pushliteral(L, "the text cannot be filled: ");
  lua_pushvalue(L, message);
  lua_concat(L, 2);
  lua_createtable(L, 0, 4);
  lua_pushliteral(L, "invalid");
  lua_setfield(L, -2, "kind");
  lua_pushliteral(L, "");
  lua_setfield(L, -2, "instance");
  lua_pushliteral(L, "");
  lua_setfield(L, -2, "keyword");
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, "message");
  return 3;
}

/* Replaces the table on top by its copy. `copies` maps tables to their copies; `queue` lists the n tables whose members
** are not copied yet. */
static int mod_schema_begin_copy(lua_State *L, int copies, int n) {
  const int from = lua_gettop(L);
  lua_pushvalue(L, from);
  lua_rawget(L, copies);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_newtable(L);
    if (lua_getmetatable(L, from)) lua_setmetatable(L, from + 1);
    lua_pushvalue(L, from);
    lua_pushvalue(L, from + 1);
    lua_rawset(L, copies);
    lua_pushvalue(L, from);
    lua_rawseti(L, copies + 1, ++n);
  }
  lua_replace(L, from);
  return n;
}

/* Replaces the value on top by a deep copy; only the table that stands for null is shared. */
static void mod_schema_copy(struct mod_schema_call *call) {
  lua_State *L = call->L;
  const int value = lua_gettop(L), copies = value + 1, queue = value + 2, to = value + 3;
  struct mod_decode d;
  int i, n, null;
  if (!lua_istable(L, value)) return;
  lua_newtable(L);
  lua_newtable(L);
  lua_pushvalue(L, value);
  n = mod_schema_begin_copy(L, copies, 0);
  lua_replace(L, value);
  lua_pushnil(L);
  mod_schema_begin_decode(&d, L, call->schema, call->values);
  null = d.o.null;
  for (i = 1; i <= n; i++) {
    int from;
    lua_rawgeti(L, queue, i);
    from = lua_gettop(L);
    lua_pushvalue(L, from);
    lua_rawget(L, copies);
    lua_replace(L, to);
    for (lua_pushnil(L); lua_next(L, from);) {
      if (lua_istable(L, -1) && !(null && lua_rawequal(L, null, -1))) n = mod_schema_begin_copy(L, copies, n);
      lua_pushvalue(L, -2);
      lua_insert(L, -2);
      lua_rawset(L, to);
    }
    lua_settop(L, from - 1);
  }
  lua_settop(L, value);
}

/* Sets a default at its path in the table at `root`. */
static void mod_schema_fill_path(struct mod_schema_call *call, const struct schema_failure *x, int root) {
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
    lua_replace(L, table);
    lua_settop(L, table);
  }
  mod_schema_push_value_of(L, call->schema, p->units[x->unit].source, x->place, call->values);
  lua_rawset(L, table);
  lua_settop(L, table - 1);
}

/* Adds the paths of defaults to the table at `paths`. The report keeps the first default for a path. */
static void mod_schema_note_paths(lua_State *L, struct schema_report *r, int paths) {
  size_t i, n = 0;
  for (i = 0; i < r->count; i++) {
    lua_pushlstring(L, r->text + r->failures[i].path, r->failures[i].path_length);
    lua_pushvalue(L, -1);
    lua_rawget(L, paths);
    if (!lua_toboolean(L, -1)) {
      r->failures[n++] = r->failures[i];
      lua_pushvalue(L, -2);
      lua_pushboolean(L, 1);
      lua_rawset(L, paths);
    }
    lua_pop(L, 2);
  }
  r->count = n;
}

/* If the invalid value comes from a default, says so in the message and the failure, which are on top. */
static void mod_schema_blame_default(lua_State *L, int paths) {
  const int failure = lua_gettop(L);
  const char *path;
  size_t n, i;
  int is_default = 0;
  lua_getfield(L, failure, "instance");
  path = lua_tolstring(L, -1, &n);
  for (i = 1; path && i <= n && !is_default; i++) {
    if (i < n && path[i] != '/') continue;
    lua_pushlstring(L, path, i);
    lua_rawget(L, paths);
    is_default = lua_toboolean(L, -1);
    lua_pop(L, 1);
  }
  lua_settop(L, failure);
  if (!is_default) return;
  lua_pushliteral(L, "a default of the schema is not valid: ");
  lua_pushvalue(L, failure - 1);
  lua_concat(L, 2);
  lua_pushvalue(L, -1);
  lua_replace(L, failure - 1);
  lua_setfield(L, failure, "message");
}

/* Stack slots of a call: the paths of the defaults, and the value filled so far. */
enum { MOD_SCHEMA_PATHS = 3, MOD_SCHEMA_FILLED, MOD_SCHEMA_COPY };

/* Ends the call when the value is not valid. */
static int mod_schema_end_fill(struct mod_schema_call *call, enum mod_schema_form form) {
  lua_State *L = call->L;
  const int n = mod_schema_explain(call, form);
  if (n < 0) return -n;
  mod_schema_blame_default(L, MOD_SCHEMA_PATHS);
  lua_pushnil(L);
  lua_insert(L, -n - 1);
  return n + 1;
}

FL_PRIVATE int mod_schema_fill(lua_State *L) {
  struct mod_schema_call call;
  struct schema_report report;
  enum mod_schema_form asked, form;
  enum value_error error;
  int rounds, is_filled;
  size_t i;
  lua_settop(L, 2);
  mod_schema_start(L, &call, &asked, 0);
  if (asked == MOD_SCHEMA_VIEW) mod_type_error(L, 2, "table or text");
  lua_settop(L, 2);
  lua_newtable(L);
  lua_pushvalue(L, 2);
  call.value = MOD_SCHEMA_COPY;
  for (rounds = 0; rounds < MOD_SCHEMA_FILL_ROUNDS; rounds++) {
    lua_settop(L, MOD_SCHEMA_FILLED);
    lua_pushvalue(L, MOD_SCHEMA_FILLED); /* the run may replace it by its decoded form */
    form = asked;
    mod_schema_ask(&call, &report, SIZE_MAX);
    call.fills = 1;
    error = mod_schema_run(&call, &form);
    if (error) return mod_schema_fail(&call, error);
    is_filled = form == MOD_SCHEMA_WRONG_TEXT || report.count == 0;
    if (form != MOD_SCHEMA_WRONG_TEXT && is_filled) {
      lua_settop(L, call.value);
      call.report = NULL;
      call.fills = 0;
      error = mod_schema_run(&call, &form);
      if (error) return mod_schema_fail(&call, error);
    }
    if (is_filled) break;
    mod_schema_note_paths(L, &report, MOD_SCHEMA_PATHS);
    if (asked == MOD_SCHEMA_TEXT) {
      call.text = 0; /* places would be those of the filled text */
      lua_pushvalue(L, MOD_SCHEMA_FILLED);
      call.value = lua_gettop(L);
      if (!mod_schema_fill_text(&call)) return mod_schema_end_unfilled(L);
      call.value = MOD_SCHEMA_COPY;
    } else {
      lua_pushvalue(L, MOD_SCHEMA_FILLED);
      if (rounds == 0) mod_schema_copy(&call);
      for (i = 0; i < report.count; i++) mod_schema_fill_path(&call, &report.failures[i], lua_gettop(L));
    }
    lua_replace(L, MOD_SCHEMA_FILLED);
  }
  if (rounds == MOD_SCHEMA_FILL_ROUNDS) {
    lua_pushliteral(L, "the defaults of the schema have defaults in them without end");
    return mod_raise_kind(L, (int)call.schema->o.safe, FL_KIND_SCHEMA);
  }
  if (form == MOD_SCHEMA_WRONG_TEXT || !call.is_valid) return mod_schema_end_fill(&call, form);
  lua_settop(L, MOD_SCHEMA_FILLED);
  if (rounds == 0 && asked == MOD_SCHEMA_TABLE) mod_schema_copy(&call);
  return 1;
}
