/* SPDX-License-Identifier: MIT
** tables.c -- a query over Lua tables and scalars, by the public API.
** Must hold: as query.h. */
#include "../../values/tables/api.h"
#include "query.h"

#define VALUE(name) value_tables_##name
#define QUERY(name) query_tables_##name

#include "../evaluate_template.h"

static int query_tables_emit(struct query_tables_run_of *k, int node) {
  lua_pushvalue(k->values.L, node);
  return mod_query_add(&k->is, (struct mod_query_call *)k->results);
}

FL_PRIVATE enum value_error mod_query_tables(struct mod_query_call *call, int value) {
  lua_State *L = call->L;
  const struct mod_query *q = call->query;
  const int caches = (int)q->program->caches;
  struct query_tables_run_of k = {0};
  mod_query_begin(&k.is, &k.values.walk, call, NULL, NULL);
  value_tables_begin(&k.values, L, q->state, &q->style, (int)q->o.layout_api);
  k.values.null = call->null;
  k.values.book = call->book;
  k.values.names = call->names;
  k.values.slots = call->book ? 2 : 1;
  k.values.remembered = lua_gettop(L) + 1;
  k.root = value;
  k.results = call;
  compat_need_stack(L, caches + VALUE_TABLES_SLOTS);
  lua_settop(L, k.values.remembered + caches);
  return query_tables_evaluate(&k) ? VALUE_OK : k.values.walk.error;
}
