/* SPDX-License-Identifier: MIT
** texts.c -- queries a text: only what is found becomes Lua values.
** Must hold: as query.h. Invalid texts, and what this form does not support, are left to the query over tables. */
#include "../../values/outline.h"
#include "query.h"

#define VALUE(name) value_outline_##name
#define QUERY(name) query_texts_##name
#define QUERY_IN_ORDER

/* Where results go. */
struct mod_query_slices {
  struct mod_query_call *call;
  struct mod_decode d;
  size_t entries; /* of the results so far, including their contents */
};

#include "../evaluate_template.h"

/* Pushes a result as decode would make it; strings and fractions without a decode. Returns 0 after an error, such as
** lack of memory. */
static int mod_query_push_slice(struct query_texts_run_of *k, uint32_t node) {
  struct mod_query_slices *to = (struct mod_query_slices *)k->results;
  const char *p = value_outline_text(&k->values, node);
  lua_State *L = to->call->L;
  struct json_scan failed;
  struct num_value number = {0, 0, NUM_BAD};
  struct value v;
  if (*p == '"') {
    value_outline_read(&k->values, node, &v);
    if (v.type == VALUE_NOTHING) return 0;
    lua_pushlstring(L, v.s, v.n);
    return 1;
  }
  if (!to->d.o.exact && *p <= '9') (void)num_read(p, to->d.end, &number);
  if (number.kind != NUM_DOUBLE) return mod_decode_value(&to->d, p, &failed) != NULL;
  lua_pushnumber(L, number.d);
  return 1;
}

/* Results inside others would be decoded again and again, as often as they are nested deep. Paths are treated alike, so
** that they have the order of the values. */
static int query_texts_emit(struct query_texts_run_of *k, uint32_t node) {
  struct mod_query_slices *to = (struct mod_query_slices *)k->results;
  to->entries += value_outline_after(&k->values, node) - node;
  if (to->entries > k->values.is.count) return value_fail(&k->values.walk, VALUE_ERROR_REDO);
  if (to->call->wants == MOD_QUERY_PATHS) lua_pushnil(to->call->L);
  else if (!mod_query_push_slice(k, node)) return value_fail(&k->values.walk, VALUE_ERROR_REDO);
  return mod_query_add(&k->is, to->call);
}

/* Returns whether a result is the same as in the table that decode would make. */
static int mod_query_fits_text(const struct json_to_lua_options *o, int of_edit) {
  return !(o->grammar & ~(unsigned)VALUE_OUTLINE_GRAMMAR) && (o->duplicates == JSON_TO_LUA_LAST || of_edit) &&
         !o->numeric_keys && !o->drop_null && (o->big == JSON_TO_LUA_BIG_DOUBLE || o->exact);
}

/* Returns whether the query ends with ..*, which finds values inside others. */
static int mod_query_ends_with_all(const struct query_program *p) {
  const struct query_segment *last = NULL;
  for (uint32_t i = p->paths[0].segment; i != QUERY_NONE; i = last->next) last = &p->segments[i];
  return last && last->is_descendant && p->selectors[last->selector].kind == QUERY_WILDCARD;
}

FL_PRIVATE enum value_error mod_query_text(struct mod_query_call *call, int text) {
  const struct mod_query *q = call->query;
  struct mod_query_slices to;
  struct mod_decode *const d = &to.d;
  struct json_scan j;
  const char *p;
  struct query_texts_run_of k = {0};
  mod_query_begin(&k.is, &k.values.walk, call, NULL, NULL);
  mod_query_begin_decode(d, call->L, q);
  if (!mod_query_fits_text(&d->o, q->of_edit) || mod_query_ends_with_all(q->program)) return VALUE_ERROR_REDO;
  mod_set_text(d, text);
  mod_set_scan(d, &j);
  j.depth = 0;
  if ((p = mod_skip_counted(d, &j, d->begin)) == NULL ||
      (p = value_outline_scan(&k.values, &j, p, d->o.exact, q->state->cpu)) == NULL || json_read_space(&j, p) != d->end)
    return VALUE_ERROR_REDO;
  k.values.unique = q->of_edit;
  to.call = call;
  to.entries = 0;
  k.results = &to;
  return query_texts_evaluate(&k) ? VALUE_OK : k.values.walk.error;
}
