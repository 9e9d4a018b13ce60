/* SPDX-License-Identifier: MIT
** query.c -- fleece.query and the functions of a query.
** Must hold: as query.h. */
#include "query.h"
#include "../../lua/exact.h"
#include "../../encode/face/marks.h"
#include "../../encode/face/state.h"
#include "../../lua/options/options.h"
#include "../../lua/guard.h"
#include "../../lua/state.h"
#include "../../values/tables/api.h"

static const unsigned char mod_query_kept[] = {VALUE_BLOCK_PLACES, VALUE_BLOCK_TABLES};

/* Ends the call with an error of the query's text. */
static int mod_query_wrong(lua_State *L, const struct query_compiler *c, int safe) {
  const size_t byte = (size_t)(c->at - c->begin), left = (size_t)(c->end - c->at);
  lua_pushfstring(L, "not a JSONPath query: %s at byte %d", c->error, (int)byte + 1);
  if (left > 0) {
    lua_pushliteral(L, " near '");
    lua_pushlstring(L, c->at, left < 20 ? left : text_cut(c->at, left, 20));
    lua_pushliteral(L, "'");
    lua_concat(L, 4);
  }
  return mod_raise_at(L, safe, FL_KIND_SYNTAX, byte + 1);
}

/* Pushes a table of the names in selectors, each at the selector's number + 1. */
static void mod_query_push_names(lua_State *L, const struct query_program *p) {
  lua_createtable(L, (int)p->selector_count, 0);
  for (uint32_t i = 0; i < p->selector_count; i++) {
    const struct query_selector *s = &p->selectors[i];
    if (s->kind == QUERY_NAME) lua_pushlstring(L, p->bytes + s->name.at, s->name.length);
    else lua_pushboolean(L, 0);
    lua_rawseti(L, -2, (int)i + 1);
  }
}

static int mod_query_tostring(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  return 1;
}

/* The run's value_memory: blocks are userdata in stack slots. */
static void *mod_query_memory(void *owner, unsigned block, size_t n, size_t used) {
  const struct mod_query_call *call = (const struct mod_query_call *)owner;
  const int slot = call->blocks + (int)block;
  if (lua_rawlen(call->L, slot) >= n && n > 0) return lua_touserdata(call->L, slot);
  luajit_reserve_heap(call->query->state, n);
  return value_tables_move(call->L, slot, n, lua_touserdata(call->L, slot), used);
}

FL_PRIVATE void mod_query_begin(struct query_run *r, struct value_walk *walk, struct mod_query_call *call,
                                value_memory memory, void *owner) {
  memset(r, 0, sizeof *r);
  memset(walk, 0, sizeof *walk);
  walk->memory = memory ? memory : mod_query_memory;
  walk->owner = memory ? owner : call;
  walk->names = call->query->program->bytes;
  walk->left = call->query->max_steps;
  walk->max_depth = call->query->o.max_depth;
  r->program = call->query->program;
  r->walk = walk;
  r->wants_paths = call->wants != MOD_QUERY_VALUES;
}

FL_PRIVATE int mod_query_add(struct query_run *r, struct mod_query_call *call) {
  lua_State *L = call->L;
  if (FL_UNLIKELY(call->count >= INT32_MAX - 2)) return value_fail(r->walk, VALUE_ERROR_STEPS);
  if (call->wants != MOD_QUERY_PATHS) lua_rawseti(L, call->results, ++call->count);
  else lua_pop(L, 1);
  if (call->wants == MOD_QUERY_VALUES) return 1;
  lua_pushlstring(L, r->text, r->text_length);
  lua_rawseti(L, call->results, ++call->count);
  return 1;
}

/* Pushes the error, and ends the call. */
static int mod_query_fail(const struct mod_query_call *call, enum value_error error) {
  lua_State *L = call->L;
  const struct mod_query *q = call->query;
  if (error == VALUE_ERROR_REGEX) lua_pushliteral(L, "a regular expression of the value is too large");
  else value_tables_push_error(L, error, "query", q->max_steps, q->o.max_depth);
  return mod_raise_kind(L, q->o.safe, value_kind(error));
}

FL_PRIVATE void mod_query_begin_decode(struct mod_decode *d, lua_State *L, const struct mod_query *q) {
  mod_start_decode(d, L, q->state, &q->o, MOD_OF_QUERY);
  mod_settle_decode(d, lua_upvalueindex(MOD_VALUES));
  if (!q->of_edit) return;
  mod_push_exact_metatable(L);
  d->o.exact = lua_gettop(L);
}

/* Replaces the text at 2 by its decoded value. Integers that would lose digits are exact numbers during comparisons,
** counted by *kept. Returns 0 with the results of an error on the stack. */
static int mod_query_decode(lua_State *L, const struct mod_query *q, size_t *kept, int *results) {
  struct mod_decode d;
  struct json_scan scan;
  mod_query_begin_decode(&d, L, q);
  mod_keep_big(&d, kept);
  mod_set_text(&d, 2);
  if (!mod_scan_whole(&d, &scan)) {
    *results = mod_decode_error_(&d, scan.error, scan.at);
    return 0;
  }
  lua_replace(L, 2);
  lua_settop(L, 2);
  return 1;
}

/* Replaces the exact numbers in the table on top by the nearest ones of this Lua. Adds the tables in it to the list at
** `list`, which has n, unless that is 0. */
static size_t mod_query_round_table(lua_State *L, int null, int list, size_t n) {
  const int table = lua_gettop(L), key = table + 1, value = table + 2;
  for (lua_pushnil(L); lua_next(L, table); lua_settop(L, key)) {
    const struct exact_number *x = exact_test(L, value);
    if (x) {
      lua_pushvalue(L, key);
      mod_push_nearest(L, x);
      lua_rawset(L, table);
    } else if (list && lua_istable(L, value) && !(null && lua_rawequal(L, null, value))) {
      lua_rawseti(L, list, (int)++n);
    }
  }
  return n;
}

/* Does the same as mod_query_round_table for all tables in the results, and in the decoded value at 2. */
static void mod_query_round(lua_State *L, const struct mod_query_call *call) {
  const int list = lua_gettop(L) + 1;
  size_t i, n = 1;
  lua_pushvalue(L, call->results);
  (void)mod_query_round_table(L, 0, 0, 0);
  if (!lua_istable(L, 2)) return;
  lua_newtable(L);
  lua_replace(L, list);
  compat_set_item(L, list, 1, 2);
  for (i = 1; i <= n; i++) {
    lua_rawgeti(L, list, (int)i);
    n = mod_query_round_table(L, call->null, list, n);
    lua_settop(L, list);
  }
}

static void mod_query_push_values(struct mod_query_call *call) {
  struct mod_decode d;
  mod_query_begin_decode(&d, call->L, call->query);
  call->null = d.o.null;
  call->book = d.o.order;
}

static void mod_query_push_slots(struct mod_query_call *call) {
  call->blocks = lua_gettop(call->L) + 1;
  call->results = call->blocks + QUERY_BLOCKS;
  call->count = 0;
  lua_settop(call->L, call->results);
}

static void mod_query_begin_results(struct mod_query_call *call) {
  lua_newtable(call->L);
  lua_replace(call->L, call->results);
}

/* Finds the results for the value at 2, which is not a text. */
static enum value_error mod_query_find(struct mod_query_call *call, int is_view) {
  enum value_error error = VALUE_ERROR_REDO;
  if (!is_view) mod_query_push_values(call);
  mod_query_push_slots(call);
  if (!is_view && !call->book) error = mod_query_raw(call, 2);
  if (error != VALUE_ERROR_REDO) return error;
  mod_query_begin_results(call);
  return is_view ? mod_query_documents(call, 2) : mod_query_tables(call, 2);
}

/* The large blocks of a query of a text stay between calls, in the table of anchors: new ones would not be in the CPU's
** cache, and would make the collector run. Takes them, so that a query that a finalizer runs meanwhile has its own. */
static void mod_query_take_blocks(const struct mod_query_call *call) {
  for (int i = 0; i < 2; i++) {
    lua_rawgeti(call->L, lua_upvalueindex(MOD_ANCHORS), MOD_ANCHOR_OUTLINE + i);
    lua_replace(call->L, call->blocks + (int)mod_query_kept[i]);
    lua_pushnil(call->L);
    lua_rawseti(call->L, lua_upvalueindex(MOD_ANCHORS), MOD_ANCHOR_OUTLINE + i);
  }
}

static void mod_query_return_blocks(const struct mod_query_call *call) {
  for (int i = 0; i < 2; i++) {
    const int slot = call->blocks + (int)mod_query_kept[i];
    if (lua_rawlen(call->L, slot) > MOD_QUERY_KEEP) continue;
    lua_pushvalue(call->L, slot);
    lua_rawseti(call->L, lua_upvalueindex(MOD_ANCHORS), MOD_ANCHOR_OUTLINE + i);
  }
}

/* Finds the results for a text. Sets *kept to the number of exact numbers in the table that it was decoded to, at 2.
** Returns 0 with the results of an error of the text on the stack. */
static int mod_query_find_in_text(struct mod_query_call *call, enum value_error *error, size_t *kept, int *results) {
  mod_query_push_slots(call);
  mod_query_begin_results(call);
  mod_query_take_blocks(call);
  *error = mod_query_text(call, 2);
  mod_query_return_blocks(call);
  if (*error != VALUE_ERROR_REDO) return 1;
  lua_settop(call->L, 2);
  if (!mod_query_decode(call->L, call->query, kept, results)) return 0;
  *error = mod_query_find(call, 0);
  return 1;
}

/* Returns the query with the options that edit reads its text with. */
static struct mod_query *mod_query_for_edit(struct mod_query *own, const struct mod_query *q,
                                            const struct json_to_lua_options *o) {
  *own = *q;
  own->of_edit = 1;
  own->o.grammar = o->grammar;
  own->o.rules = o->rules;
  own->o.bad_text = o->bad_text;
  own->o.max_depth = o->max_depth;
  own->o.safe = o->safe;
  own->o.duplicates = JSON_TO_LUA_UNIQUE;
  own->o.big = JSON_TO_LUA_BIG_DOUBLE;
  own->o.max_bytes = own->o.max_values = 0;
  own->o.numeric_keys = own->o.drop_null = 0;
  own->o.int64 = own->o.exact = 0;
  own->o.force_api = 1;
  return own;
}

/* Does the call, and leaves the results on top. Returns -n after an error with n results on the stack. */
static int mod_query_run(lua_State *L, enum mod_query_wants wants) {
  struct mod_query *q = (struct mod_query *)mod_test_userdata(L, 1, &mod_query_magic, sizeof *q);
  struct mod_query own;
  struct mod_query_call call;
  enum value_error error;
  size_t kept = 0;
  int results, type, is_view;
  if (!q) mod_type_error(L, 1, "query");
  const struct mod_query_of_edit *edit = (const struct mod_query_of_edit *)mod_test_userdata(
      L, 3, &mod_query_of_edit_magic, sizeof *edit);
  if (FL_UNLIKELY(edit != NULL)) q = mod_query_for_edit(&own, q, edit->o);
  lua_settop(L, 2);
  compat_need_stack(L, 64);
  type = lua_type(L, 2);
  is_view = type == LUA_TUSERDATA && mod_query_is_document(L, 2);
  if (!is_view && !value_tables_takes(L, 2)) {
    if (wants == MOD_QUERY_VALUES) lua_remove(L, 1); /* q(value): for the caller it is the first argument */
    return mod_type_error(L, lua_gettop(L), "table, text or view");
  }
  call.L = L;
  call.query = q;
  call.wants = wants;
  call.null = call.book = 0;
  call.names = lua_upvalueindex(MOD_QUERY_NAMES);
  if (type != LUA_TSTRING) error = mod_query_find(&call, is_view);
  else if (!mod_query_find_in_text(&call, &error, &kept, &results)) return -results;
  if (error) return -mod_query_fail(&call, error);
  if (FL_UNLIKELY(kept > 0)) mod_query_round(L, &call);
  lua_settop(L, call.results);
  return 1;
}

static int mod_query_values(lua_State *L) {
  const int results = mod_query_run(L, MOD_QUERY_VALUES);
  return results < 0 ? -results : results;
}

static int mod_query_paths(lua_State *L) {
  const int results = mod_query_run(L, MOD_QUERY_PATHS);
  return results < 0 ? -results : results;
}

/* Returns the next value and path of a list. */
static int mod_query_next(lua_State *L) {
  const int i = (int)lua_tointeger(L, lua_upvalueindex(2));
  lua_settop(L, 0);
  lua_rawgeti(L, lua_upvalueindex(1), i + 1);
  if (lua_isnil(L, 1)) return 1;
  lua_rawgeti(L, lua_upvalueindex(1), i + 2);
  lua_pushinteger(L, i + 2);
  lua_replace(L, lua_upvalueindex(2));
  return 2;
}

static int mod_query_each(lua_State *L) {
  const int results = mod_query_run(L, MOD_QUERY_BOTH);
  if (results < 0) return -results;
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, mod_query_next, 2);
  return 1;
}

FL_PRIVATE const luaL_Reg mod_query_methods[] = {
    {"query", mod_query_values}, {"each", mod_query_each}, {"paths", mod_query_paths}, {NULL, NULL}};

FL_PRIVATE int mod_query(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  int values = lua_upvalueindex(MOD_VALUES);
  struct query_compiler c;
  struct mod_query head, *q;
  size_t n, size;
  const char *s = mod_check_string(L, 1, &n);
  memset(&head, 0, sizeof head);
  head.magic = &mod_query_magic;
  head.state = codec->state;
  head.o = codec->decode;
  head.style = codec->encode.style;
  head.room = MOD_QUERY_ROOM;
  lua_settop(L, 2);
  compat_need_stack(L, MOD_QUERY_UPVALUES + 20);
  if (!lua_isnil(L, 2)) values = mod_read_decode_options(L, 2, &head.o, MOD_OF_QUERY);
  head.max_steps = head.o.max_steps ? head.o.max_steps : MOD_QUERY_STEPS;
  if (!query_compile(&c, lua_newuserdata(L, query_compiler_memory(n < QUERY_LONGEST ? n : 0)), s, n) ||
      (size = query_measure(&c)) == 0)
    return mod_query_wrong(L, &c, head.o.safe);
  q = (struct mod_query *)lua_newuserdata(L, sizeof *q + 8 + size);
  *q = head;
  q->program = query_finish(&c, (void *)(((uintptr_t)(q + 1) + 7) & ~(uintptr_t)7));
  mod_query_push_names(L, q->program);
  mod_push_callable(L, "fleece.query", mod_query_methods, values, 1, (int)head.o.safe);
  lua_pushvalue(L, 1);
  lua_pushcclosure(L, mod_query_tostring, 1);
  lua_setfield(L, -2, "__tostring");
  lua_setmetatable(L, -2);
  return 1;
}
