/* SPDX-License-Identifier: MIT
** raw.h -- template: values that are Lua tables and scalars, below the API: a form of value.h. paste_raw.h includes it
** once for each layout.
** Must hold: no lua_* call anywhere below, so nothing that was read moves or is collected, and no word raises. Arrays
** and objects are told apart as in api.h. What cannot be decided here fails with VALUE_ERROR_REDO: begin again with
** api.h.
** Parameter: LAYOUT, the prefix of the layout's readers. */
#include "../value.h"

#define LAY(name) FL_PASTE(LAYOUT, name)
#define VALUE(name) FL_PASTE(LAYOUT, value_##name)

typedef struct value_raw VALUE(form);
typedef struct lay_value VALUE(node);

/* Position in a table: items from number i on, then nodes. */
typedef struct {
  const char *items, *node, *end;
  size_t i, n;
  const char *at; /* node of the last pair; NULL: item i - 1 */
  int is_array;
} VALUE(cursor);

FL_FUNC int VALUE(redo)(VALUE(form) * k) { return value_fail(&k->walk, VALUE_ERROR_REDO); }

FL_FUNC enum table_class VALUE(class)(VALUE(form) * k, const char *t) {
  const struct order_state *orders = k->classes->orders;
  const char *metatable = LAY(metatable)(t);
  const enum table_class is = FL_LIKELY(!metatable) ? ENCODE_PLAIN : LAY(encode_table_class_)(k->classes, metatable);
  if (FL_UNLIKELY(orders->used) && is == ENCODE_PLAIN && LAY(encode_names_of)(orders, t)) return ENCODE_OBJECT;
  if (is == ENCODE_HOOK) (void)VALUE(redo)(k);
  return is;
}

/* The same, for tables that most often have neither a metatable nor an order. */
FL_INLINE enum table_class VALUE(class_of)(VALUE(form) * k, const char *t) {
  return FL_LIKELY(!LAY(metatable)(t) && !k->classes->orders->used) ? ENCODE_PLAIN : VALUE(class)(k, t);
}

FL_INLINE void VALUE(begin_pairs)(VALUE(form) * k, VALUE(cursor) * c, const char *t) {
  if (FL_UNLIKELY(LAY(has_key0)(t))) (void)VALUE(redo)(k);
  c->items = LAY(array)(t);
  c->i = 0, c->n = LAY(array_size)(t), c->at = NULL, c->is_array = 0;
  c->node = LAY(nodes)(t);
  c->end = c->node + LAY(node_count)(t) * LAY(node_bytes);
}

/* Finds the next pair of a table without key 0. */
FL_INLINE int VALUE(next_pair)(VALUE(cursor) * c, struct lay_value *key, VALUE(node) * child) {
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

/* Like is_array, for a table not yet known. *seen: number of keys looked at. */
FL_FUNC int VALUE(find_array)(VALUE(form) * k, const char *t, size_t *n, size_t *seen) {
  const enum table_class is = VALUE(class_of)(k, t);
  VALUE(cursor) c;
  struct lay_value key;
  VALUE(node) child;
  int any = 0;
  *n = *seen = 0;
  if (is == ENCODE_OBJECT || is == ENCODE_NULL || FL_UNLIKELY(k->walk.error)) return 0;
  *seen = LAY(array_size)(t);
  if (*seen > 0 && LAY(encode_is_sequence)(t, n)) return 1;
  VALUE(begin_pairs)(k, &c, t);
  for (*n = 0; VALUE(next_pair)(&c, &key, &child); any = 1) {
    if (LAY(encode_index)(key) != 0) continue;
    *seen += (size_t)(c.node - LAY(nodes)(t)) / LAY(node_bytes);
    return 0;
  }
  if (any) return VALUE(redo)(k); /* it has holes, or items among its nodes */
  return is != ENCODE_EMPTY_OBJECT && !(is == ENCODE_PLAIN && k->empty_is_object);
}

FL_NOINLINE int VALUE(is_array_)(VALUE(form) * k, const char *t, size_t *n) {
  const int may_be_known = k->walk.tables && LAY(array_size)(t) + LAY(node_count)(t) > VALUE_LONG;
  const struct value_table *known = may_be_known ? value_find_table(&k->walk, t) : NULL;
  size_t seen;
  if (known) return *n = (size_t)known->n, known->is_array;
  const int is = VALUE(find_array)(k, t, n, &seen);
  if (FL_UNLIKELY(seen > VALUE_LONG) && !k->walk.error && !value_add_table(&k->walk, t, *n, is)) return 0;
  if (is) {
    k->arrays[1] = k->arrays[0];
    k->arrays[0].at = t, k->arrays[0].n = *n;
  }
  return is;
}

/* Returns whether the table is an array that is dense and completely in its array part; sets *n. Words for the same
** array often follow each other. */
FL_INLINE int VALUE(is_array)(VALUE(form) * k, const char *t, size_t *n) {
  if (t == k->arrays[0].at) return *n = (size_t)k->arrays[0].n, 1;
  if (t == k->arrays[1].at) return *n = (size_t)k->arrays[1].n, 1;
  return VALUE(is_array_)(k, t, n);
}

/* Returns the length of an array that has no metatable, no order and no hash part, 0 for other values; sets *items. A
** verdict on points takes 0.87 of the time with a look at them in line. */
FL_INLINE size_t VALUE(list)(VALUE(form) * k, VALUE(node) v, const char **items) {
  const char *t = LAY(pointer)(v);
  size_t n;
  if (!LAY(is_table)(v) || LAY(metatable)(t) || k->classes->orders->used) return 0;
  if (LAY(array_size)(t) > VALUE_LONG) return 0; /* what it is has to be remembered */
  *items = LAY(array)(t);
  if (LAY(array_size)(t) > 0 && LAY(is_float)(LAY(array_item)(*items, 0))) {
    n = LAY(encode_point)(k->classes, t, 4);
    if (n > 0) return n;
  }
  return LAY(encode_is_sequence)(t, &n) ? n : 0;
}

FL_INLINE VALUE(node) VALUE(item_of)(const char *items, size_t i) { return LAY(array_item)(items, i); }
FL_INLINE void VALUE(fetch)(const char *items, size_t i) { LAY(encode_fetch)(LAY(array_item)(items, i)); }

FL_FUNC int VALUE(is_collection)(VALUE(form) * k, VALUE(node) v) { return (void)k, LAY(is_table)(v); }

FL_INLINE int VALUE(settle)(VALUE(form) * k, VALUE(node) v, int is_any, int is_below) {
  return (void)k, (void)v, (void)is_any, (void)is_below, 1;
}

FL_INLINE enum value_type VALUE(scalar)(VALUE(form) * k, VALUE(node) v) {
  (void)k;
  if (LAY(is_string)(v)) return VALUE_STRING;
  if (LAY(is_integer)(v) || (LAY(is_float)(v) && LAY(number)(v) - LAY(number)(v) == 0)) return VALUE_NUMBER;
  return LAY(is_true)(v) || LAY(is_false)(v) ? VALUE_TRUE : VALUE_NOTHING;
}

FL_FUNC void VALUE(read)(VALUE(form) * k, VALUE(node) v, struct value *to) {
  to->type = VALUE_OTHER;
  if (LAY(is_string)(v)) {
    to->type = VALUE_STRING;
    to->s = LAY(string)(v, &to->n);
  } else if (LAY(is_integer)(v)) {
    to->type = VALUE_NUMBER;
    to->number.form = NUM_IS_INTEGER;
    to->number.is.i = LAY(integer)(v);
  } else if (LAY(is_float)(v)) {
    to->type = VALUE_NUMBER;
    to->number.form = NUM_IS_DOUBLE;
    to->number.is.d = LAY(number)(v);
  } else if (LAY(is_table)(v)) {
    const char *t = LAY(pointer)(v);
    to->type = VALUE(is_array)(k, t, &to->n)       ? VALUE_ARRAY
               : VALUE(class)(k, t) == ENCODE_NULL ? VALUE_NULL
                                                   : VALUE_OBJECT;
  } else if (LAY(is_true)(v) || LAY(is_false)(v)) {
    to->type = LAY(is_true)(v) ? VALUE_TRUE : VALUE_FALSE;
  } else if (LAY(is_light)(v)) {
    if (v.bits == k->null_word) to->type = VALUE_NULL;
  } else if (!LAY(is_plain_other)(v)) {
    (void)VALUE(redo)(k); /* userdata and cdata may be numbers */
  }
}

/* Returns the node with this interned string as key, or NULL. */
FL_INLINE const char *VALUE(node_of)(const char *t, const char *name) {
  const char *node = LAY(chain_of)(t, name);
  do {
    const struct lay_value key = LAY(node_key)(node);
    if (LAY(pointer)(key) == name && LAY(is_interned)(key)) return node;
    node = LAY(node_after)(node);
  } while (node);
  return NULL;
}

FL_FUNC int VALUE(member)(VALUE(form) * k, VALUE(node) v, const struct value_name *name, VALUE(node) * child) {
  const struct lay_value text = LAY(array_item)(LAY(array)(k->names), name->number);
  const char *t = LAY(pointer)(v), *node;
  if (!LAY(is_table)(v)) return 0;
  if (FL_UNLIKELY(!LAY(is_interned)(text))) return VALUE(redo)(k);
  node = VALUE(node_of)(t, LAY(pointer)(text));
  if (node && !LAY(node_is_nil)(node)) {
    const enum table_class is = VALUE(class_of)(k, t);
    *child = LAY(node_value)(node);
    return is != ENCODE_ARRAY && is != ENCODE_NULL && !k->walk.error;
  }
  return FL_UNLIKELY(name->is_number) && VALUE(redo)(k);
}

FL_FUNC int VALUE(length)(VALUE(form) * k, VALUE(node) v, uint64_t *n) {
  size_t length = 0;
  const int is = LAY(is_table)(v) && VALUE(is_array)(k, LAY(pointer)(v), &length);
  *n = length;
  return is;
}

FL_FUNC int VALUE(item)(VALUE(form) * k, VALUE(node) v, uint64_t place, VALUE(node) * child) {
  (void)k;
  *child = LAY(array_item)(LAY(array)(LAY(pointer)(v)), (size_t)place);
  return 1;
}

FL_INLINE void VALUE(open)(VALUE(form) * k, VALUE(node) v, VALUE(cursor) * c) {
  const char *t = LAY(pointer)(v);
  size_t n;
  const int is_array = VALUE(is_array)(k, t, &n) || FL_UNLIKELY(LAY(metatable)(t) && VALUE(class)(k, t) == ENCODE_NULL);
  VALUE(begin_pairs)(k, c, t);
  if (is_array) c->is_array = 1, c->n = n, c->node = c->end;
}

FL_INLINE int VALUE(next)(VALUE(form) * k, VALUE(node) v, VALUE(cursor) * c, VALUE(node) * child) {
  struct lay_value key;
  (void)v;
  if (FL_UNLIKELY(k->walk.error)) return 0;
  if (c->is_array) return c->i < c->n && (*child = LAY(array_item)(c->items, c->i++), 1);
  while (VALUE(next_pair)(c, &key, child))
    if (FL_LIKELY(LAY(encode_is_key)(key))) return 1;
  return 0;
}

FL_FUNC uint64_t VALUE(members)(VALUE(form) * k, VALUE(node) v) {
  VALUE(cursor) c;
  VALUE(node) child;
  uint64_t n = 0;
  VALUE(begin_pairs)(k, &c, LAY(pointer)(v));
  while (VALUE(next)(k, v, &c, &child)) n++;
  return value_spend(&k->walk, n) ? n : 0;
}

FL_FUNC const char *VALUE(step)(VALUE(form) * k, VALUE(node) v, const VALUE(cursor) * c, char *room, size_t *n) {
  const struct lay_value key = c->at ? LAY(node_key)(c->at) : LAY(index_key)(c->i - 1);
  (void)k, (void)v;
  if (c->is_array) return *n = c->i - 1, (const char *)NULL;
  if (LAY(is_string)(key)) return LAY(string)(key, n);
  *n = (size_t)(LAY(encode_key_text)(room, key) - room);
  return room;
}

#define VALUE_NO_NODE LAY(nil)()
#include "../plain_nodes.h"

FL_INLINE int VALUE(same)(VALUE(form) * k, VALUE(node) a, VALUE(node) b) {
  return (void)k, a.tag == b.tag && a.bits == b.bits;
}

/* A key that is not an interned string, or may be a number in the other object, is left to api.h. */
FL_FUNC int VALUE(twin)(VALUE(form) * k, VALUE(node) v, const VALUE(cursor) * c, VALUE(node) other,
                        VALUE(node) * child) {
  const struct lay_value key = c->at ? LAY(node_key)(c->at) : LAY(nil)();
  size_t n;
  (void)v;
  if (c->is_array) return VALUE(item)(k, other, c->i - 1, child);
  if (!c->at || !LAY(is_interned)(key)) return VALUE(redo)(k);
  /* Tables with the same history have a name in the same node. A node with nil may have the key of a dead string. */
  const size_t at = (size_t)(c->at - LAY(nodes)(LAY(pointer)(v)));
  const char *const t = LAY(pointer)(other), *node = LAY(nodes)(t) + at;
  if (at >= LAY(node_count)(t) * LAY(node_bytes) || LAY(node_is_nil)(node) || !VALUE(same)(k, LAY(node_key)(node), key))
    node = VALUE(node_of)(t, LAY(pointer)(key));
  if (node && !LAY(node_is_nil)(node)) return *child = LAY(node_value)(node), 1;
  const char *s = LAY(string)(key, &n);
  return n > 0 && (*s == '-' || (*s >= '0' && *s <= '9')) && VALUE(redo)(k);
}

#define VALUE_EQUAL FL_FUNC
#define VALUE_EQUAL_SOON(k, a, b) (VALUE(same)(k, a, b) && VALUE(scalar)(k, a) != VALUE_NOTHING)
#include "../equal_template.h"

/* Compares the two values on top of the Lua stack. */
FL_FUNC int VALUE(equal_top)(VALUE(form) * k, const void *state) {
  const char *b = LAY(top)(state) - LAY(slot_bytes);
  return VALUE(equal)(k, LAY(slot)(b - LAY(slot_bytes)), LAY(slot)(b));
}

/* Returns how many pairs the hash part of the table on top of the Lua stack has room for. */
FL_FUNC size_t VALUE(top_nodes)(const void *state) {
  return LAY(node_count)(LAY(pointer)(LAY(slot)(LAY(top)(state) - LAY(slot_bytes))));
}

/* Looks for the pairs of the table on top of the Lua stack in the table below it. Returns whether all keys there are
** also in the upper one; -1 if there is no room, or not all keys are interned strings. */
FL_FUNC int VALUE(same_members)(VALUE(form) * k, const void *state, struct value_same *to) {
  const char *const slot = LAY(top)(state) - LAY(slot_bytes);
  const char *const a = LAY(pointer)(LAY(slot)(slot - LAY(slot_bytes))), *const b = LAY(pointer)(LAY(slot)(slot));
  VALUE(cursor) c;
  struct lay_value key, x, y;
  size_t count = 0, found = 0, length;
  VALUE(begin_pairs)(k, &c, b);
  if (k->walk.error) return -1;
  for (; VALUE(next_pair)(&c, &key, &y); count++) {
    if (count == to->room || !c.at || !LAY(is_interned)(key)) return -1;
    const char *node = VALUE(node_of)(a, LAY(pointer)(key));
    to->same[count] = 0;
    if (!node || LAY(node_is_nil)(node)) continue;
    found++;
    x = LAY(node_value)(node);
    if (VALUE(same)(k, x, y)) {
      to->same[count] = !LAY(is_float)(x) || LAY(number)(x) == LAY(number)(x);
    } else if (LAY(is_table)(x) && LAY(is_table)(y)) {
      k->walk.left = VALUE(is_array)(k, LAY(pointer)(y), &length) ? to->array : to->object;
      to->same[count] = VALUE(equal)(k, x, y) != 0;
      k->walk.error = VALUE_OK;
    }
  }
  for (VALUE(begin_pairs)(k, &c, a); VALUE(next_pair)(&c, &key, &x); found--)
    if (!c.at || !LAY(is_interned)(key)) return -1;
  return k->walk.error ? -1 : found == 0;
}

#undef VALUE
#undef LAY