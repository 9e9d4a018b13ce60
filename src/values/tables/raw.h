/* SPDX-License-Identifier: MIT
** raw.h -- template: a query over Lua tables below the API, pasted by raw.c once for each layout.
** Must hold: no lua_* call anywhere below, so nothing that was read moves or is collected. The results go to a table
** that was made before. What is an array or an object is decided as tables.c does; what cannot be decided here ends the
** run with QUERY_ERROR_REDO, and tables.c does all of it.
**
** Parameter: LAYOUT, the prefix of the layout's readers. */
#define LAY(name) FL_PASTE(LAYOUT, name)
#define QUERY(name) FL_PASTE(LAYOUT, query_##name)

typedef struct lay_value QUERY(node);

/* First the items from number i on, then the nodes. */
struct QUERY(cursor) {
  const char *items, *node, *end;
  size_t i, n;
  const char *at; /* the node of the pair that was read last; NULL: item i - 1 */
  int is_array;
};

struct QUERY(run_of) {
  struct query_run is;
  QUERY(node) root;
  struct QUERY(cached) * cache;
  struct mod_query_walk *walk;
};

static int QUERY(redo)(struct QUERY(run_of) * k) { return query_run_fail(&k->is, QUERY_ERROR_REDO); }

/* ------------------------------------------------------------------------------------- arrays and objects */

static enum table_class QUERY(class)(struct QUERY(run_of) * k, const char *t) {
  const struct order_state *orders = k->walk->classes.orders;
  const char *metatable = LAY(metatable)(t);
  enum table_class is;
  is = FL_LIKELY(!metatable) ? ENCODE_PLAIN : LAY(encode_table_class_)(&k->walk->classes, metatable);
  if (FL_UNLIKELY(orders->used) && is == ENCODE_PLAIN && LAY(encode_names_of)(orders, t)) return ENCODE_OBJECT;
  if (is == ENCODE_HOOK) (void)QUERY(redo)(k);
  return is;
}

FL_INLINE void QUERY(begin_pairs)(struct QUERY(run_of) * k, struct QUERY(cursor) * c, const char *t) {
  if (FL_UNLIKELY(LAY(has_key0)(t))) (void)QUERY(redo)(k);
  c->items = LAY(array)(t);
  c->i = 0, c->n = LAY(array_size)(t), c->at = NULL;
  c->node = LAY(nodes)(t);
  c->end = c->node + LAY(node_count)(t) * LAY(node_bytes);
}

/* The next pair of a table without key 0. */
FL_INLINE int QUERY(next_pair)(struct QUERY(cursor) * c, struct lay_value *key, QUERY(node) * child) {
  while (c->i < c->n) {
    *child = LAY(array_item)(c->items, c->i++);
    if (LAY(is_nil)(*child)) continue;
    *key = LAY(index_key)(c->i - 1);
    return 1;
  }
  while (c->node < c->end) {
    c->at = c->node;
    c->node += LAY(node_bytes);
    if (LAY(node_is_nil)(c->at)) continue;
    *child = LAY(node_value)(c->at);
    *key = LAY(node_key)(c->at);
    return 1;
  }
  return 0;
}

/* As is_array, for a table that is not known. *seen: how many keys were looked at. */
static int QUERY(find_array)(struct QUERY(run_of) * k, const char *t, size_t *n, size_t *seen) {
  const enum table_class is = QUERY(class)(k, t);
  struct QUERY(cursor) c;
  struct lay_value key;
  QUERY(node) child;
  int any = 0;
  *n = *seen = 0;
  if (is == ENCODE_OBJECT || is == ENCODE_NULL || FL_UNLIKELY(k->is.error)) return 0;
  *seen = LAY(array_size)(t);
  if (*seen > 0 && LAY(encode_is_sequence)(t, n)) return 1;
  QUERY(begin_pairs)(k, &c, t);
  for (*n = 0; QUERY(next_pair)(&c, &key, &child); any = 1) {
    if (LAY(encode_index)(key) != 0) continue;
    *seen += (size_t)(c.node - LAY(nodes)(t)) / LAY(node_bytes);
    return 0;
  }
  if (any) return QUERY(redo)(k); /* it has holes, or items among its nodes */
  return is != ENCODE_EMPTY_OBJECT && !(is == ENCODE_PLAIN && k->walk->empty_is_object);
}

/* Is the table an array? Then it is dense, all in its array part, and has n items. */
static int QUERY(is_array)(struct QUERY(run_of) * k, const char *t, size_t *n) {
  const int may_be_known = k->is.tables && LAY(array_size)(t) + LAY(node_count)(t) > QUERY_LONG;
  const struct query_table *known = may_be_known ? query_find_table(&k->is, t) : NULL;
  size_t seen;
  int is;
  if (known) return *n = (size_t)known->n, known->is_array;
  is = QUERY(find_array)(k, t, n, &seen);
  if (FL_UNLIKELY(seen > QUERY_LONG) && !k->is.error && !query_add_table(&k->is, t, *n, is)) return 0;
  return is;
}

/* ------------------------------------------------------------------------------------- reading */

static int QUERY(is_collection)(struct QUERY(run_of) * k, QUERY(node) v) { return (void)k, LAY(is_table)(v); }

static void QUERY(value)(struct QUERY(run_of) * k, QUERY(node) v, struct query_value *to) {
  size_t n;
  to->kind = QUERY_OTHER;
  if (LAY(is_string)(v)) {
    to->kind = QUERY_STRING;
    to->s = LAY(string)(v, &to->n);
  } else if (LAY(is_integer)(v)) {
    to->kind = QUERY_NUMBER;
    to->number.form = NUM_IS_INTEGER;
    to->number.is.i = LAY(integer)(v);
  } else if (LAY(is_float)(v)) {
    to->kind = QUERY_NUMBER;
    to->number.form = NUM_IS_DOUBLE;
    to->number.is.d = LAY(number)(v);
  } else if (LAY(is_table)(v)) {
    const char *t = LAY(pointer)(v);
    to->kind = QUERY(is_array)(k, t, &n) ? QUERY_ARRAY : QUERY(class)(k, t) == ENCODE_NULL ? QUERY_NULL : QUERY_OBJECT;
  } else if (LAY(is_true)(v) || LAY(is_false)(v)) {
    to->kind = LAY(is_true)(v) ? QUERY_TRUE : QUERY_FALSE;
  } else if (LAY(is_light)(v)) {
    if (v.bits == k->walk->null_word) to->kind = QUERY_NULL;
  } else if (!LAY(is_plain_other)(v)) {
    (void)QUERY(redo)(k); /* userdata and cdata may be numbers */
  }
}

/* The node whose key is the interned string; NULL: there is none. */
FL_INLINE const char *QUERY(node_of)(const char *t, const char *name) {
  const char *node = LAY(chain_of)(t, name);
  do {
    const struct lay_value key = LAY(node_key)(node);
    if (LAY(pointer)(key) == name && LAY(is_interned)(key)) return node;
    node = LAY(node_after)(node);
  } while (node);
  return NULL;
}

static int QUERY(member)(struct QUERY(run_of) * k, QUERY(node) v, const struct query_selector *s, QUERY(node) * child) {
  const struct lay_value name = LAY(array_item)(LAY(array)(k->walk->names), (size_t)(s - k->is.program->selectors));
  const char *t = LAY(pointer)(v), *node;
  if (!LAY(is_table)(v)) return 0;
  if (FL_UNLIKELY(!LAY(is_interned)(name))) return QUERY(redo)(k);
  node = QUERY(node_of)(t, LAY(pointer)(name));
  if (node && !LAY(node_is_nil)(node)) {
    const enum table_class is = QUERY(class)(k, t);
    *child = LAY(node_value)(node);
    return is != ENCODE_ARRAY && is != ENCODE_NULL && !k->is.error;
  }
  return FL_UNLIKELY(s->is_number) && QUERY(redo)(k); /* the key may be a number */
}

static int QUERY(length)(struct QUERY(run_of) * k, QUERY(node) v, uint64_t *n) {
  size_t length = 0;
  const int is = LAY(is_table)(v) && QUERY(is_array)(k, LAY(pointer)(v), &length);
  *n = length;
  return is;
}

static int QUERY(item)(struct QUERY(run_of) * k, QUERY(node) v, uint64_t place, QUERY(node) * child) {
  (void)k;
  *child = LAY(array_item)(LAY(array)(LAY(pointer)(v)), (size_t)place);
  return 1;
}

static void QUERY(open)(struct QUERY(run_of) * k, QUERY(node) v, struct QUERY(cursor) * c) {
  const char *t = LAY(pointer)(v);
  size_t n;
  c->is_array = QUERY(is_array)(k, t, &n) || FL_UNLIKELY(LAY(metatable)(t) && QUERY(class)(k, t) == ENCODE_NULL);
  QUERY(begin_pairs)(k, c, t);
  if (c->is_array) c->n = n, c->node = c->end;
}

FL_INLINE int QUERY(next)(struct QUERY(run_of) * k, QUERY(node) v, struct QUERY(cursor) * c, QUERY(node) * child) {
  struct lay_value key;
  (void)v;
  if (FL_UNLIKELY(k->is.error)) return 0;
  while (QUERY(next_pair)(c, &key, child))
    if (FL_LIKELY(LAY(encode_is_key)(key))) return 1;
  return 0;
}

static uint64_t QUERY(members)(struct QUERY(run_of) * k, QUERY(node) v) {
  struct QUERY(cursor) c;
  QUERY(node) child;
  uint64_t n = 0;
  QUERY(begin_pairs)(k, &c, LAY(pointer)(v));
  while (QUERY(next)(k, v, &c, &child) && query_spend(&k->is, 1)) n++;
  return n;
}

static int QUERY(equal)(struct QUERY(run_of) * k, QUERY(node) a, QUERY(node) b) {
  if (a.tag == b.tag && a.bits == b.bits) return 1;
  return LAY(is_table)(a) && LAY(is_table)(b) && QUERY(redo)(k);
}

/* ------------------------------------------------------------------------------------- nodes and results */

FL_INLINE void QUERY(put)(struct mod_query_walk *w, QUERY(node) v) {
  char slot[LAY(slot_bytes)];
  if (FL_LIKELY(w->count < w->room)) {
    LAY(put_value)(slot, v);
    LAY(put_item)(w->results, w->count, slot);
  }
  w->count++;
}

static int QUERY(emit)(struct QUERY(run_of) * k, QUERY(node) v) {
  struct mod_query_walk *w = k->walk;
  if (w->wants != MOD_QUERY_PATHS) QUERY(put)(w, v);
  if (w->wants == MOD_QUERY_VALUES) return 1;
  QUERY(put)(w, v); /* in the place of its path */
  mod_query_put_path(w, k->is.text, k->is.text_length);
  return 1;
}

static int QUERY(put_key)(struct QUERY(run_of) * k, QUERY(node) v, const struct QUERY(cursor) * c) {
  const struct lay_value key = c->at ? LAY(node_key)(c->at) : LAY(index_key)(c->i - 1);
  char digits[JSON_NUMBER_ROOM + 8];
  const char *s = digits;
  size_t n;
  (void)v;
  if (c->is_array) return query_put_step(&k->is, NULL, 0, c->i - 1);
  if (LAY(is_string)(key)) s = LAY(string)(key, &n);
  else n = (size_t)(LAY(encode_key_text)(digits, key) - digits);
  return query_put_step(&k->is, s, n, 0);
}

/* Nodes are values, and need no care. */
static QUERY(node) QUERY(hold)(struct QUERY(run_of) * k, QUERY(node) v) { return (void)k, v; }
static QUERY(node) QUERY(copy)(struct QUERY(run_of) * k, QUERY(node) v) { return (void)k, v; }
static QUERY(node) QUERY(slot)(struct QUERY(run_of) * k) { return (void)k, LAY(nil)(); }
static void QUERY(reset)(struct QUERY(run_of) * k, QUERY(node) v) { (void)k, (void)v; }
static void QUERY(replace)(struct QUERY(run_of) * k, QUERY(node) * v, QUERY(node) child) { (void)k, *v = child; }
static void QUERY(keep)(struct QUERY(run_of) * k, QUERY(node) * slot, QUERY(node) v) { (void)k, *slot = v; }
static void QUERY(remember)(struct QUERY(run_of) * k, uint32_t cache, QUERY(node) * v) {
  (void)k, (void)cache, (void)v;
}
static int QUERY(mark)(struct QUERY(run_of) * k) { return (void)k, 0; }
static void QUERY(trim)(struct QUERY(run_of) * k, int mark) { (void)k, (void)mark; }

#include "../../query/evaluate_template.h"

/* Runs the query. A table that the collector has visited already takes no results. */
static int LAY(query)(struct mod_query_walk *w) {
  struct LAY(query_run_of) k;
  int fine;
  memset(&k, 0, sizeof k);
  k.is = w->is;
  k.walk = w;
  k.root = LAY(slot)(LAY(top)(w->state) - LAY(slot_bytes));
  w->room = LAY(is_black)(w->results) ? 0 : LAY(array_size)(w->results);
  fine = LAY(query_evaluate)(&k);
  w->is = k.is;
  return fine;
}
#undef LAY
