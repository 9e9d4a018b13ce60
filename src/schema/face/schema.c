/* SPDX-License-Identifier: MIT
** schema.c -- fleece.schema and the functions of a schema.
** Must hold: as schema.h. */
#include "schema.h"
#include "../../encode/face/encode.h"
#include "../../encode/face/marks.h"
#include "../../lua/exact.h"
#include "../../lua/guard.h"
#include "../../lua/options/options.h"
#include "../../lua/state.h"
#include "../../values/tables/api.h"
#if PART_HAS_document
#include "../../document/view.h"
#endif

/* The run's value_memory: after the first blocks, which are C arrays, userdata in stack slots. */
static void *mod_schema_memory(void *owner, unsigned block, size_t n, size_t used) {
  struct mod_schema_call *call = (struct mod_schema_call *)owner;
  const void *from;
  int slot;
  if (!call->blocks) mod_schema_reserve(call->L, &call->blocks, SCHEMA_BLOCKS + 1);
  slot = call->blocks + (int)block;
  from = lua_touserdata(call->L, slot);
  if (!from) from = block == SCHEMA_BLOCK_FRAMES ? call->frames : call->places;
  return value_tables_move(call->L, slot, n, from, used);
}

FL_PRIVATE int mod_schema_call_check(struct mod_schema_call *call, const char *list, uint32_t number,
                                     const struct schema_op *op) {
  lua_State *L = call->L;
  struct schema_run *r = call->run;
  int is_valid;
  compat_need_stack(L, 8);
  lua_getfield(L, call->kept, list);
  lua_rawgeti(L, -1, (int)number + 1);
  lua_replace(L, -2);
  lua_insert(L, -2);
  if (op) {
    lua_getfield(L, call->kept, "values");
    lua_rawgeti(L, -1, (int)(op - r->program->ops) + 1);
    lua_replace(L, -2);
  }
  if (lua_pcall(L, op ? 2 : 1, 2, 0) != 0) {
#if PART_HAS_document
    if (call->owner) view_unpin(call->owner);
#endif
    return lua_error(L);
  }
  is_valid = lua_toboolean(L, -2);
  r->said = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &r->said_length) : NULL;
  lua_replace(L, call->blocks + SCHEMA_BLOCKS);
  lua_pop(L, 1);
  return is_valid;
}

/* The run's schema_custom. */
static int mod_schema_custom(void *owner, uint32_t number, const char *s, size_t n) {
  struct mod_schema_call *call = (struct mod_schema_call *)owner;
  compat_need_stack(call->L, 8);
  lua_pushlstring(call->L, s, n);
  return mod_schema_call_check(call, "formats", number, NULL);
}

FL_PRIVATE void mod_schema_begin(struct schema_run *r, struct value_walk *walk, struct mod_schema_call *call,
                                 value_memory memory, void *owner) {
  memset(walk, 0, sizeof *walk);
  schema_begin_run(r, call->schema->program, walk);
  walk->memory = memory ? memory : mod_schema_memory;
  walk->owner = memory ? owner : call;
  walk->left = call->schema->max_steps;
  walk->max_depth = call->schema->o.max_depth;
  walk->is_strict = 1;
  r->custom = memory ? NULL : mod_schema_custom;
  r->custom_owner = call;
  r->report = call->report;
  r->fills = call->fills;
  call->run = r;
  if (call->fills) r->small = 0; /* only frames find missing defaults */
}

FL_PRIVATE int mod_schema_fail(const struct mod_schema_call *call, enum value_error error) {
  lua_State *L = call->L;
  const struct mod_schema *s = call->schema;
  if (error == VALUE_ERROR_REGEX) lua_pushliteral(L, "a regular expression is too large");
  else value_tables_push_error(L, error, "schema", s->max_steps, s->o.max_depth);
  return mod_raise_kind(L, s->o.safe, value_kind(error));
}

FL_PRIVATE void mod_schema_begin_decode(struct mod_decode *d, lua_State *L, const struct mod_schema *s, int values) {
  mod_start_decode(d, L, s->state, &s->o, MOD_OF_SCHEMA);
  mod_settle_decode(d, values);
}

/* Replaces the text at the index, the last one, by its decoded value; numbers that would lose digits become exact ones.
** An empty table without a mark was [] then, unless null = "nil" has emptied an object. On failure returns 0
** and pushes nil, a message and the position. */
static int mod_schema_decode_text(struct mod_schema_call *call, int text) {
  lua_State *L = call->L;
  struct mod_decode d;
  struct json_scan scan;
  mod_schema_begin_decode(&d, L, call->schema, call->values);
  mod_push_exact_metatable(L);
  d.o.exact = lua_gettop(L);
  d.o.force_api = 1;
  d.o.safe = 1;
  mod_set_text(&d, text);
  if (!mod_scan_whole(&d, &scan)) {
    (void)mod_decode_error_(&d, scan.error, scan.at);
    return 0;
  }
  lua_replace(L, text);
  lua_settop(L, text);
  if (call->schema->o.drop_null) return 1;
  if (call->schema != &call->own) call->own = *call->schema, call->schema = &call->own;
  call->own.own.empty = SCHEMA_EMPTY_ARRAY;
  call->own.style.empty_object = 0;
  return 1;
}

/* Begins a report anew. */
static void mod_schema_clear(struct schema_report *report) {
  const size_t wanted = report->wanted;
  const int hides_values = report->hides_values;
  memset(report, 0, sizeof *report);
  report->wanted = wanted;
  report->hides_values = hides_values;
}

FL_PRIVATE enum value_error mod_schema_run(struct mod_schema_call *call, enum mod_schema_form *form) {
  lua_State *L = call->L;
  enum value_error error = VALUE_ERROR_REDO;
  struct mod_decode d;
  call->null = call->book = 0;
  if (*form == MOD_SCHEMA_TEXT) {
    call->blocks = lua_gettop(L) + 1;
    lua_settop(L, call->blocks + SCHEMA_BLOCKS);
    error = mod_schema_text(call, call->value);
    if (error != VALUE_ERROR_REDO) return error;
    lua_settop(L, call->value);
    if (!mod_schema_decode_text(call, call->value)) return *form = MOD_SCHEMA_WRONG_TEXT, VALUE_OK;
    *form = MOD_SCHEMA_TABLE;
    if (call->report) mod_schema_clear(call->report); /* its memory is gone with the slots */
  }
  if (*form == MOD_SCHEMA_TABLE) {
    mod_schema_begin_decode(&d, L, call->schema, call->values);
    call->null = d.o.null;
    call->book = d.o.order;
    error = call->book ? VALUE_ERROR_REDO : mod_schema_raw(call, call->value);
    if (error != VALUE_ERROR_REDO) return error;
  }
  call->blocks = lua_gettop(L) + 1;
  lua_settop(L, call->blocks + SCHEMA_BLOCKS);
  return *form == MOD_SCHEMA_VIEW ? mod_schema_documents(call, call->value) : mod_schema_tables(call, call->value);
}

/* Returns the schema that is argument 1, or NULL. */
static const struct mod_schema *mod_schema_of(lua_State *L) {
  return (const struct mod_schema *)mod_test_userdata(L, 1, &mod_schema_magic, sizeof(struct mod_schema));
}

FL_PRIVATE void mod_schema_start(lua_State *L, struct mod_schema_call *call, enum mod_schema_form *form, int first) {
  const struct mod_schema *s = mod_schema_of(L);
  int type;
  if (!s) mod_type_error(L, 1, "schema");
  compat_need_stack(L, 64);
  type = lua_type(L, 2);
  *form = type == LUA_TSTRING                                     ? MOD_SCHEMA_TEXT
          : type == LUA_TUSERDATA && mod_schema_is_document(L, 2) ? MOD_SCHEMA_VIEW
                                                                  : MOD_SCHEMA_TABLE;
  if (*form == MOD_SCHEMA_TABLE && !value_tables_takes(L, 2)) {
    if (first) lua_remove(L, 1);
    mod_type_error(L, first ? 1 : 2, "table, text or view");
  }
  memset(call, 0, offsetof(struct mod_schema_call, own));
  call->L = L;
  lua_pushvalue(L, 2);
  call->value = lua_gettop(L);
  call->values = lua_upvalueindex(MOD_VALUES);
  call->text = type == LUA_TSTRING ? 2 : 0;
  call->schema = s;
  call->names = lua_upvalueindex(MOD_SCHEMA_NAMES);
  call->kept = lua_upvalueindex(MOD_SCHEMA_KEPT);
}

FL_PRIVATE void mod_schema_ask(struct mod_schema_call *call, struct schema_report *report, size_t wanted) {
  memset(report, 0, sizeof *report);
  report->wanted = wanted;
  report->hides_values = call->schema->own.hides_values;
  call->report = report;
  call->fills = 0;
}

/* Completes the failure of a text that is not JSON. On top are nil, the message and the failure. With `values` = false
** the message does not quote the text. */
static void mod_schema_push_wrong_text(struct mod_schema_call *call) {
  lua_State *L = call->L;
  const int failure = lua_gettop(L);
  size_t n;
  const char *message = lua_tolstring(L, -2, &n), *shown = strstr(message, " near '");
  if (shown && call->schema->own.hides_values) n = (size_t)(shown - message);
  mod_schema_push_words(L, message, n);
  lua_replace(L, failure - 1);
  lua_pushliteral(L, "");
  lua_setfield(L, -2, "instance");
  lua_pushliteral(L, "");
  lua_setfield(L, -2, "keyword");
  lua_pushvalue(L, failure - 1);
  lua_setfield(L, -2, "message");
}

FL_PRIVATE int mod_schema_explain(struct mod_schema_call *call, enum mod_schema_form form) {
  lua_State *L = call->L;
  struct schema_report report;
  enum value_error error;
  if (form != MOD_SCHEMA_WRONG_TEXT) {
    lua_settop(L, call->value);
    mod_schema_ask(call, &report, 1);
    error = mod_schema_run(call, &form);
    if (error) return -mod_schema_fail(call, error);
  }
  if (form == MOD_SCHEMA_WRONG_TEXT) {
    mod_schema_push_wrong_text(call);
    return 2;
  }
  if (report.count == 0 && call->pass < 0) return 0;
  if (report.count == 0) {
    lua_pushliteral(L, "not valid");
    lua_newtable(L);
    return 2;
  }
  if (form == MOD_SCHEMA_TABLE && call->text) mod_schema_locate(call);
  mod_schema_push_words(L, report.text + report.failures[report.count - 1].message,
                        report.failures[report.count - 1].message_length);
  mod_schema_push_failure(call, report.count - 1);
  return 2;
}

FL_PRIVATE int mod_schema_check(lua_State *L) {
  struct mod_schema_call call;
  enum mod_schema_form form;
  enum value_error error;
  const struct mod_schema *s;
  size_t passed = 0;
  int passes = 0, n = 0;
  lua_settop(L, 2);
  if (lua_type(L, 2) == LUA_TSTRING && (s = mod_schema_of(L)) != NULL &&
      (passes = mod_schema_passes(L, s, 2, &passed)) > 0) {
    lua_pushboolean(L, 1);
    return 1;
  }
  lua_settop(L, 2);
  mod_schema_start(L, &call, &form, 1);
  call.pass = form != MOD_SCHEMA_TEXT ? 0 : passes < 0 ? -1 : 1;
  call.passed = passes < 0 ? passed : 0;
  if (passes == 0) {
    error = mod_schema_run(&call, &form);
    if (error) return mod_schema_fail(&call, error);
  }
  if (form == MOD_SCHEMA_WRONG_TEXT || !call.is_valid) n = mod_schema_explain(&call, form);
  if (n < 0) return -n;
  lua_pushboolean(L, n == 0);
  lua_insert(L, -n - 1);
  return n + 1;
}

FL_PRIVATE int mod_schema_errors(lua_State *L) {
  struct mod_schema_call call;
  struct schema_report report;
  enum mod_schema_form form;
  enum value_error error;
  size_t i, roots = 0, wanted;
  int list;
  const lua_Number most = mod_optional_number(L, 3, 0);
  if (!lua_isnoneornil(L, 3) && !(most >= 1)) mod_argument_error(L, 3, "a number from 1 on expected");
  wanted = most < (lua_Number)MOD_SCHEMA_MOST_ERRORS ? (size_t)most : MOD_SCHEMA_MOST_ERRORS;
  lua_settop(L, 2);
  mod_schema_start(L, &call, &form, 0);
  mod_schema_ask(&call, &report, wanted ? wanted : call.schema->own.max_errors);
  error = mod_schema_run(&call, &form);
  if (error) return mod_schema_fail(&call, error);
  if (form == MOD_SCHEMA_WRONG_TEXT) {
    mod_schema_push_wrong_text(&call);
    lua_createtable(L, 1, 0);
    lua_insert(L, -2);
    lua_rawseti(L, -2, 1);
    return 1;
  }
  if (form == MOD_SCHEMA_TABLE && call.text) mod_schema_locate(&call);
  for (i = report.count; i > 0; i -= 1 + report.failures[i - 1].causes) roots++;
  compat_need_stack(L, 20);
  lua_createtable(L, (int)roots, 0);
  list = lua_gettop(L);
  for (i = report.count; i > 0; i -= 1 + report.failures[i - 1].causes) {
    mod_schema_push_failure(&call, i - 1);
    lua_rawseti(L, list, (int)roots--);
  }
  return 1;
}

/* Reads the options of s:decode into call->own. Returns the index of their values; 0: no options. */
static int mod_schema_read_call(lua_State *L, struct mod_schema_call *call) {
  struct mod_schema *own = &call->own;
  const struct mod_schema *s = mod_schema_of(L);
  int values;
  if (!s || lua_isnil(L, 3)) {
    lua_settop(L, 2);
    return 0;
  }
  *own = *s;
  values = mod_read_decode_options(L, 3, &own->o, MOD_OF_DECODE);
  if (own->o.partial) mod_argument_error(L, 3, "option 'partial' has no effect here");
  if (own->o.unfinished) mod_argument_error(L, 3, "option 'unfinished' has no effect here");
  own->o.safe = s->o.safe;
  return values;
}

FL_PRIVATE int mod_schema_decode(lua_State *L) {
  struct mod_schema_call call;
  struct mod_decode d;
  enum mod_schema_form form;
  enum value_error error;
  int n, values;
  if (lua_type(L, 2) != LUA_TSTRING) mod_type_error(L, 2, "string");
  lua_settop(L, 3);
  values = mod_schema_read_call(L, &call);
  mod_schema_start(L, &call, &form, 0);
  if (values) call.values = values, call.schema = &call.own;
  if (mod_schema_decode_fused(&call)) return 1;
  error = mod_schema_run(&call, &form);
  if (error) return mod_schema_fail(&call, error);
  if (form != MOD_SCHEMA_WRONG_TEXT && call.is_valid) {
    lua_settop(L, call.value);
    mod_schema_begin_decode(&d, L, call.schema, call.values);
    d.o.safe = 1;
    mod_set_text(&d, 2);
    if ((n = mod_decode_whole(&d)) < 3) return n;
    mod_schema_push_wrong_text(&call); /* such as a number too large for Lua */
    return n;
  }
  n = mod_schema_explain(&call, form);
  if (n < 0) return -n;
  lua_pushnil(L);
  lua_insert(L, -n - 1);
  return n + 1;
}
