/* SPDX-License-Identifier: MIT
** tables.c -- a schema over Lua tables and scalars, by the public API.
** Must hold: as schema.h. */
#include "../../encode/face/marks.h"
#include "../../values/tables/api.h"
#include "schema.h"

#define VALUE(name) value_tables_##name
#define SCHEMA(name) schema_tables_##name
#define SCHEMA_REPORTS 1
#define SCHEMA_LOOKS_UP 1
#include "../run/evaluate_template.h"

FL_INLINE uintptr_t schema_tables_identity(struct schema_tables_run_of *k, int node) {
  return (uintptr_t)lua_topointer(k->values.L, node);
}

FL_INLINE uint64_t schema_tables_at(struct schema_tables_run_of *k, int node) {
  return (void)k, (void)node, UINT64_MAX;
}

FL_INLINE int schema_tables_is_either(struct schema_tables_run_of *k, int node) {
  lua_State *L = k->values.L;
  if (lua_getmetatable(L, node)) return lua_pop(L, 1), 0;
  lua_pushnil(L);
  if (lua_next(L, node)) return lua_pop(L, 2), 0;
  return !mod_is_remembered(L, k->values.state, node);
}

static int schema_tables_test_custom(struct schema_tables_run_of *k, uint32_t number, int node) {
  struct mod_schema_call *call = (struct mod_schema_call *)k->is.custom_owner;
  lua_pushvalue(k->values.L, node);
  return mod_schema_call_check(call, "keywords", number);
}

FL_PRIVATE enum value_error mod_schema_tables(struct mod_schema_call *call, int value) {
  lua_State *L = call->L;
  const struct mod_schema *s = call->schema;
  struct schema_tables_run_of k;
  memset(&k, 0, offsetof(struct schema_tables_run_of, room));
  mod_schema_begin(&k.is, &k.values.walk, call, NULL, NULL);
  value_tables_begin(&k.values, L, s->state, &s->style, (int)s->o.layout_api);
  k.values.null = call->null;
  k.values.book = call->book;
  k.values.names = call->names;
  k.values.slots = call->book ? 2 : 1;
  k.is.empty = (enum schema_empty)s->own.empty;
  k.is.whole_is_integer = LUA_VERSION_NUM < 503;
  compat_need_stack(L, VALUE_TABLES_SLOTS);
  lua_pushvalue(L, value);
  call->is_valid = schema_tables_evaluate(&k, lua_gettop(L));
  return k.values.walk.error;
}
