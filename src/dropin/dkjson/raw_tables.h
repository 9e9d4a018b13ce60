/* SPDX-License-Identifier: MIT
** raw_tables.h -- template: dkjson's rules for tables in the raw encoder, included once per layout.
** Must hold: no lua_* call; the same decisions as dropin/dkjson/tables.c; on any doubt ENCODE_REDO.
** Parameter: LAYOUT, the prefix of the layout's readers. Instances: raw.c. */

#define LAY(name) FL_PASTE(LAYOUT, name)

/* Looks for a field `n` with a number in the list from `start` on: it is the length of an array, not an item. Moves it
** to the end. */
FL_FUNC int LAY(dkjson_find_n)(struct encode_state *c, size_t start, double *n) {
  for (size_t i = start; i < c->list_length; i++) {
    struct encode_entry e = c->list[i];
    if (!LAY(is_string)(e.key) || !(LAY(is_integer)(e.value) || LAY(is_float)(e.value))) continue;
    if (!LAY(encode_is_n)(e.key)) continue;
    *n = LAY(is_integer)(e.value) ? (double)LAY(integer)(e.value) : LAY(number)(e.value);
    memmove(c->list + i, c->list + i + 1, (c->list_length - 1 - i) * sizeof e);
    c->list[c->list_length - 1] = e;
    return 1;
  }
  return 0;
}

/* Opens a table that cannot be iterated in place. An array may have gaps if it is short, has its length in a field `n`,
** or is at least half full. */
FL_NOINLINE enum encode_result LAY(dkjson_list_)(struct encode_state *c, const char *t, enum table_class mark,
                                                 enum encode_kind *kind, size_t *first, size_t *end) {
  size_t start = c->list_length, count, i;
  double highest = 0, n = 0;
  int has_n, is_array = 1;
  if (!LAY(encode_collect)(c, t)) return ENCODE_MEMORY;
  *first = start;
  *end = c->list_length;
  *kind = ENCODE_LIST_OBJECT;
  for (i = start; i < c->list_length && is_array; i++)
    is_array = LAY(encode_index)(c->list[i].key) != 0 || LAY(encode_is_n)(c->list[i].key);
  if (!is_array) return ENCODE_DONE;
  /* only when it cannot be an object, whose order must stay */
  has_n = LAY(dkjson_find_n)(c, start, &n);
  count = c->list_length - start - (size_t)has_n;
  for (i = start; i < start + count; i++) {
    double index = LAY(encode_index)(c->list[i].key);
    if (index == 0) return ENCODE_DONE; /* an n that is not a number */
    if (index > highest) highest = index;
  }
  if (n > highest) highest = n;
  if (highest > 10 && highest > n && highest > 2 * (double)count) return has_n ? ENCODE_REDO : ENCODE_DONE;
  if (highest < 1 && mark == ENCODE_EMPTY_OBJECT) return ENCODE_REDO;
  highest = highest < 1e9 ? (double)(size_t)highest : 1e9;
  if (highest > (double)count && (LAY(metatable)(t) || highest > 2 * (double)count + 1000)) return ENCODE_REDO;
  c->list_length = start + count;
  if (!LAY(encode_order_by_index)(c, start, (size_t)highest)) return ENCODE_MEMORY;
  *kind = ENCODE_LIST_ARRAY;
  *end = c->list_length;
  return ENCODE_DONE;
}

/* Opens the common tables: only a dense array part, or only string keys of which the first is not `n`. */
FL_INLINE enum encode_result LAY(dkjson_open)(struct encode_state *c, const char *t, struct encode_opened *f) {
  const char *array = LAY(array)(t), *nodes = LAY(nodes)(t), *mt = LAY(metatable)(t);
  size_t size = LAY(array_size)(t), node_count = LAY(node_count)(t);
  size_t dense = LAY(encode_dense)(array, size), rest = dense, node = 0;
  enum table_class mark = ENCODE_PLAIN;
  if (FL_UNLIKELY(mt != NULL)) {
    mark = LAY(encode_table_class_)(c, mt);
    if (mark == ENCODE_HOOK) return ENCODE_REDO;
    f->kind = ENCODE_ITEMS, f->empty = ENCODE_IS_NULL;
    if (mark == ENCODE_NULL) return ENCODE_DONE;
  }
  FL_ASSERT(mark == ENCODE_PLAIN || mark == ENCODE_EMPTY_OBJECT);
  rest = LAY(encode_skip_nils)(array, rest, size, c->out.cpu & ~c->out.style->avoid);
  while (node < node_count && LAY(node_is_nil)(nodes + node * LAY(node_bytes))) node++;
  f->empty = ENCODE_FILLED;
  if (FL_LIKELY(rest == size && !LAY(has_key0)(t))) {
    if (node == node_count && dense > 0) {
      f->kind = ENCODE_ITEMS, f->base = array, f->i = 0, f->n = dense;
      LAY(encode_fetch_items)(array, dense);
      return ENCODE_DONE;
    }
    if (node == node_count) {
      f->kind = mark == ENCODE_EMPTY_OBJECT ? ENCODE_NODES : ENCODE_ITEMS, f->empty = ENCODE_EMPTY;
      return ENCODE_DONE;
    }
    if (dense == 0 && LAY(is_string)(LAY(node_key)(nodes + node * LAY(node_bytes))) &&
        !LAY(encode_is_n)(LAY(node_key)(nodes + node * LAY(node_bytes)))) {
      LAY(encode_take_nodes)(f, nodes, node, node_count);
      return ENCODE_DONE;
    }
  }
  return LAY(dkjson_list_)(c, t, mark, &f->kind, &f->i, &f->n);
}

FL_NOINLINE FL_ALIGNED enum encode_result LAY(dkjson_encode)(struct encode_state *c, const char *root) {
  return LAY(encode_body)(c, root, JSON_ESCAPE_UNSEEN, 0, ENCODE_NUM_STYLED, ENCODE_KEYS_NUMBERS, LAY(dkjson_open));
}

static const struct encode_shape LAY(dkjson_shape) = {LAY(dkjson_open), LAY(dkjson_encode)};

#undef LAY
