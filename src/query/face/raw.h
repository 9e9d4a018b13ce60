/* SPDX-License-Identifier: MIT
** raw.h -- template: a query over Lua tables below the API, included by raw.c once for each layout.
** Must hold: as values/tables/raw.h. The results go to a table created before.
** Parameter: LAYOUT, the prefix of the layout's readers. */
#define LAY(name) FL_PASTE(LAYOUT, name)
#define VALUE(name) FL_PASTE(LAYOUT, value_##name)
#define QUERY(name) FL_PASTE(LAYOUT, query_##name)

#include "../evaluate_template.h"

FL_INLINE void LAY(query_put)(struct mod_query_walk *w, struct lay_value v) {
  char slot[LAY(slot_bytes)];
  if (FL_LIKELY(w->count < w->room)) {
    LAY(put_value)(slot, v);
    LAY(put_item)(w->results, w->count, slot);
  }
  w->count++;
}

static int LAY(query_emit)(struct LAY(query_run_of) * k, struct lay_value v) {
  struct mod_query_walk *w = (struct mod_query_walk *)k->results;
  if (w->wants != MOD_QUERY_PATHS) LAY(query_put)(w, v);
  if (w->wants == MOD_QUERY_VALUES) return 1;
  LAY(query_put)(w, v); /* in place of its path */
  mod_query_put_path(w, k->is.text, k->is.text_length);
  return 1;
}

/* Runs the query. A table that the collector has already visited cannot take results. */
static enum value_error LAY(query)(struct mod_query_walk *w) {
  struct LAY(query_run_of) k = {0};
  k.values = w->values;
  mod_query_begin(&k.is, &k.values.walk, w->call, value_blocks_memory, w->blocks);
  k.results = w;
  k.root = LAY(slot)(LAY(top)(w->call->L) - LAY(slot_bytes));
  w->room = LAY(is_black)(w->results) ? 0 : LAY(array_size)(w->results);
  return LAY(query_evaluate)(&k) ? VALUE_OK : k.values.walk.error;
}
#undef LAY
