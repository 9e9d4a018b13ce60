/* SPDX-License-Identifier: MIT
** raw_tables.h -- template: rapidjson's rules for tables in the raw encoder, included once per layout.
** Must hold: no lua_* call; the same decisions as dropin/rapidjson/module.c; on any doubt ENCODE_REDO.
** Parameter: LAYOUT, the prefix of the layout's readers. Instances: raw.c. */

#define LAY(name) FL_PASTE(LAYOUT, name)

/* Opens a table that cannot be iterated in place: an array if its length is not 0, whatever else it has; else an
** object, of which only string keys count. */
FL_NOINLINE enum encode_result LAY(rapidjson_list_)(struct encode_state *c, const char *t, enum table_class mark,
                                                    enum encode_kind *kind, size_t *first, size_t *end) {
  size_t start = c->list_length, items = 0, names = 0, i;
  double highest = 0;
  if (!LAY(encode_collect)(c, t)) return ENCODE_MEMORY;
  for (i = start; i < c->list_length && mark != ENCODE_OBJECT; i++) {
    double index = LAY(encode_index)(c->list[i].key);
    items += index != 0;
    if (index > highest) highest = index;
  }
  if (highest != (double)items) return ENCODE_REDO; /* only Lua knows which border is the length */
  const int is_array = items > 0 || mark == ENCODE_ARRAY;
  for (i = start; i < c->list_length; i++)
    if (is_array ? LAY(encode_index)(c->list[i].key) != 0 : LAY(is_string)(c->list[i].key))
      c->list[start + names++] = c->list[i];
  c->list_length = start + names;
  if (is_array ? !LAY(encode_order_by_index)(c, start, items)
               : c->out.style->sort_keys && !LAY(encode_sort_keys)(c, start))
    return ENCODE_MEMORY;
  *kind = is_array ? ENCODE_LIST_ARRAY : ENCODE_LIST_OBJECT;
  *first = start;
  *end = c->list_length;
  return ENCODE_DONE;
}

FL_INLINE enum encode_result LAY(rapidjson_open)(struct encode_state *c, const char *t, struct encode_opened *f) {
  return LAY(encode_open)(c, t, f, 1, LAY(rapidjson_list_));
}

/* The instance without indentation and sorting. */
FL_INLINE enum encode_result LAY(rapidjson_open_unsorted)(struct encode_state *c, const char *t,
                                                          struct encode_opened *f) {
  return LAY(encode_open)(c, t, f, 0, LAY(rapidjson_list_));
}

FL_NOINLINE FL_ALIGNED enum encode_result LAY(rapidjson_encode)(struct encode_state *c, const char *root) {
  return LAY(encode_body)(c, root, JSON_ESCAPE_UPPER, 0, ENCODE_NUM_ECMA, ENCODE_KEYS_SKIPPED,
                          LAY(rapidjson_open_unsorted));
}

static const struct encode_shape LAY(rapidjson_shape) = {LAY(rapidjson_open), LAY(rapidjson_encode)};

#undef LAY
