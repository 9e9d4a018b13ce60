/* SPDX-License-Identifier: MIT
** rare_tables.h -- template: the rare tables of the raw walk: metatables, numeric keys, holes, sorting.
** May call: base, number, json, the layout's inline readers.
** Must hold: included by walk.h alone, with its LAY; no lua_* call. */
#include "../sort.h"

/* For rapidjson: __jsontype alone counts; a string that is not "array" says object. */
FL_FUNC enum table_class LAY(encode_classify_rapidjson)(const char *mt) {
  const char *nodes = LAY(nodes)(mt);
  size_t i, count = LAY(node_count)(mt), n;
  for (i = 0; i < count; i++) {
    const char *node = nodes + i * LAY(node_bytes), *s;
    if (LAY(node_is_nil)(node) || !LAY(is_string)(LAY(node_key)(node))) continue;
    s = LAY(string)(LAY(node_key)(node), &n);
    if (n != 10 || memcmp(s, "__jsontype", 10) != 0) continue;
    if (!LAY(is_string)(LAY(node_value)(node))) return ENCODE_HOOK;
    s = LAY(string)(LAY(node_value)(node), &n);
    return n == 5 && memcmp(s, "array", 5) == 0 ? ENCODE_ARRAY : ENCODE_OBJECT;
  }
  return LAY(metatable)(mt) ? ENCODE_HOOK : ENCODE_PLAIN; /* the field may be its __index's */
}

/* Judges the metatable of a table by address, then by the names in its hash part. */
FL_NOINLINE enum table_class LAY(encode_classify_)(struct encode_state *c, const char *mt) {
  const char *nodes = LAY(nodes)(mt);
  size_t i, count = LAY(node_count)(mt), fields = 0;
  enum table_class known, mark;
  if (c->out.style->dialect == JSON_RAPIDJSON) return LAY(encode_classify_rapidjson)(mt);
  known = encode_class_of(c->marks, mt);
  mark = encode_known_class(known, c->out.style);
  if (mark != ENCODE_PLAIN || !c->out.style->metamethods) return mark;
  if (known != ENCODE_PLAIN || c->out.style->dialect) fields = 1; /* no unknown_metatable; others' marks mean nothing */
  if ((c->out.style->dialect == JSON_DKJSON || c->out.style->dialect == JSON_LUAJSON) && LAY(metatable)(mt))
    return ENCODE_HOOK; /* fields may be its __index's */
  for (i = 0; i < count; i++) {
    const char *node = nodes + i * LAY(node_bytes), *name, *type = NULL;
    size_t length, type_length = 0;
    enum table_class field;
    if (LAY(node_is_nil)(node)) continue;
    fields++;
    if (!LAY(is_string)(LAY(node_key)(node))) continue;
    name = LAY(string)(LAY(node_key)(node), &length);
    if (length < 2 || name[0] != '_' || name[1] != '_') continue;
    if (LAY(is_string)(LAY(node_value)(node))) type = LAY(string)(LAY(node_value)(node), &type_length);
    field = encode_field_class(name, length, type, type_length, c->out.style);
    if (field == ENCODE_HOOK) return ENCODE_HOOK;
    if (field != ENCODE_PLAIN) mark = field;
  }
  if (fields == 0 && !c->unknown_are_plain) {
    c->unknown_metatable = 1;
    return ENCODE_HOOK;
  }
  return mark;
}

/* The same with a memory for this walk: objects of one class share their metatable. */
FL_NOINLINE enum table_class LAY(encode_table_class_)(struct encode_state *c, const char *mt) {
  size_t place = ((uintptr_t)mt >> 5) % ENCODE_METATABLES;
  if (!c->judges) {
    memset(c->judged, 0, sizeof c->judged);
    c->judges = 1;
  }
  if (c->judged[place].metatable != mt) {
    c->judged[place].mark = LAY(encode_classify_)(c, mt);
    c->judged[place].metatable = mt;
  }
  return c->judged[place].mark;
}

/* What skip_unsupported keeps. Userdata may have a hook, light userdata a meaning: kept, so that the public-API
** walker decides. */
FL_INLINE int LAY(encode_supported)(struct lay_value v) {
  return LAY(is_string)(v) || LAY(is_integer)(v) || LAY(is_float)(v) || LAY(is_table)(v) || LAY(is_true)(v) ||
         LAY(is_false)(v) || LAY(is_nil)(v) || LAY(is_light)(v) || !LAY(is_plain_other)(v);
}

/* Is this the name that tells dkjson an array's length? */
FL_INLINE int LAY(encode_is_n)(struct lay_value key) {
  size_t length;
  return LAY(is_string)(key) && *LAY(string)(key, &length) == 'n' && length == 1;
}

FL_INLINE int LAY(encode_is_key)(struct lay_value key) {
  return LAY(is_string)(key) || LAY(is_integer)(key) || LAY(is_float)(key);
}

/* Does skip_unsupported leave out this pair? lua-cjson does so only when the key is written: a key that it refuses is
** an error. */
FL_NOINLINE int LAY(encode_skips_)(const struct json_style *style, struct lay_value key, struct lay_value v) {
  if (style->cjson && LAY(is_float)(key) && !json_is_key(style, LAY(number)(key))) return 0;
  if (style->cjson) return LAY(encode_is_key)(key) && !LAY(encode_supported)(v);
  return !LAY(encode_is_key)(key) || !LAY(encode_supported)(v);
}

/* The common tables of LuaJSON and JSON4Lua: items alone, names alone, nothing. A metatable may have an `n`, or
** items. */
FL_NOINLINE enum encode_result LAY(encode_open_luajson_)(struct encode_state *c, const char *t,
                                                         struct LAY(encode_opened) * f) {
  const char *array = LAY(array)(t), *nodes = LAY(nodes)(t), *mt = LAY(metatable)(t);
  const int luajson = c->out.style->dialect == JSON_LUAJSON;
  size_t size = LAY(array_size)(t), node_count = LAY(node_count)(t), node = 0;
  size_t dense = LAY(encode_dense)(array, size), rest = dense;
  const enum table_class mark = mt ? LAY(encode_table_class_)(c, mt) : ENCODE_PLAIN;
  if (mark == ENCODE_HOOK || LAY(has_key0)(t)) return ENCODE_REDO;
  while (rest < size && LAY(array_is_nil)(array, rest)) rest++;
  while (node < node_count && LAY(node_is_nil)(nodes + node * LAY(node_bytes))) node++;
  if (rest < size) return ENCODE_REDO;
  f->empty = dense == 0 && node == node_count;
  if (f->empty) {
    f->kind = (luajson ? mark != ENCODE_ARRAY : mark == ENCODE_OBJECT) ? ENCODE_NODES : ENCODE_ITEMS;
  } else if (node == node_count) {
    if (mt && mark != ENCODE_ARRAY) return ENCODE_REDO;
    f->kind = ENCODE_ITEMS, f->base = array, f->i = 0, f->n = dense;
  } else {
    const struct lay_value key = LAY(node_key)(nodes + node * LAY(node_bytes));
    if (dense > 0 || mark == ENCODE_ARRAY || !LAY(is_string)(key) || (!luajson && LAY(encode_is_n)(key)))
      return ENCODE_REDO;
    LAY(encode_take_nodes)(f, nodes, node, node_count);
  }
  return ENCODE_DONE;
}

/* The text of a numeric key, unquoted; NULL: not a number, or an infinite one where that is an error. */
FL_FUNC char *LAY(encode_number_text)(struct json_out *out, char *w, struct lay_value key) {
  if (LAY(is_integer)(key) && (LAY(has_integers) || !out->style->cjson)) return num_write_i64(w, LAY(integer)(key));
  if (LAY(is_float)(key) || LAY(is_integer)(key)) return json_write_double_key(out, w, LAY(number)(key));
  return json_fail(out, FL_ERROR_KEY);
}

FL_NOINLINE char *LAY(encode_number_key_)(struct encode_state *c, char *w, struct lay_value key) {
  if (c->out.style->dialect == JSON_RXI) return json_fail(&c->out, FL_ERROR_KEY);
  w = json_reserve(&c->out, w, JSON_NUMBER_ROOM + 8);
  if (!w) return NULL;
  *w++ = '"';
  w = LAY(encode_number_text)(&c->out, w, key);
  if (!w) return NULL;
  w[0] = '"', w[1] = ':';
  return w + 2;
}

/* A value that is no plain Lua data: a boxed integer, or NULL for the public API. Room is reserved. */
FL_NOINLINE char *LAY(encode_other_)(struct encode_state *c, char *w, struct lay_value v) {
  uint64_t n = 0;
  const int plain = !c->out.style->cjson && !c->out.style->dialect;
  const int boxed = plain && encode_knows_boxes(c, LAY(is_box)(v)) ? LAY(boxed_integer)(v, &n) : 0;
  if (c->out.style->null && !LAY(is_light)(v) && LAY(pointer)(v) == (const char *)c->out.style->null) {
    memcpy(w, "null", 4);
    return w + 4;
  }
  if (!boxed) return json_fail(&c->out, FL_ERROR_TYPE);
  return boxed == 1 ? num_write_i64(w, (int64_t)n) : num_write_u64(w, n);
}

/* The index a key stands for in an array, or 0. Indexes above 2^53 are not exact in every runtime. */
FL_INLINE double LAY(encode_index)(struct lay_value key) {
  double d;
  if (LAY(is_integer)(key)) return LAY(integer)(key) > 0 ? (double)LAY(integer)(key) : 0;
  if (LAY(has_integers) || !LAY(is_float)(key)) return 0;
  d = LAY(number)(key);
  return d >= 1 && d <= 9007199254740992.0 && d == (double)(int64_t)d ? d : 0;
}

/* Appends the live pairs of `t` to the list in the order of `next`; returns whether memory sufficed. */
FL_FUNC int LAY(encode_collect)(struct encode_state *c, const char *t) {
  const char *array = LAY(array)(t), *nodes = LAY(nodes)(t);
  size_t i, size = LAY(array_size)(t), count = LAY(node_count)(t);
  struct encode_entry *to;
  if (!encode_need_list(c, c->list_length + size + count + 1)) return 0;
  to = c->list + c->list_length;
  if (LAY(has_key0)(t)) {
    to->key = LAY(index_key)((size_t)-1);
    to++->value = LAY(key0)(t);
  }
  for (i = 0; i < size; i++) {
    if (LAY(array_is_nil)(array, i)) continue;
    to->key = LAY(index_key)(i);
    to++->value = LAY(array_item)(array, i);
  }
  for (i = 0; i < count; i++) {
    const char *node = nodes + i * LAY(node_bytes);
    if (LAY(node_is_nil)(node)) continue;
    to->key = LAY(node_key)(node);
    to++->value = LAY(node_value)(node);
  }
  c->list_length = (size_t)(to - c->list);
  return 1;
}

/* Turns the pairs from `start` on, all with indexes up to `highest`, into values in their places. */
FL_FUNC int LAY(encode_order_by_index)(struct encode_state *c, size_t start, size_t highest) {
  size_t i, count = c->list_length - start;
  struct encode_entry *pairs, *places;
  if (!encode_need_list(c, c->list_length + highest)) return 0;
  pairs = c->list + start;
  places = c->list + c->list_length;
  for (i = 0; i < highest; i++) places[i].value = LAY(nil)();
  for (i = 0; i < count; i++) places[(size_t)LAY(encode_index)(pairs[i].key) - 1].value = pairs[i].value;
  memmove(pairs, places, highest * sizeof *pairs);
  c->list_length = start + highest;
  return 1;
}

/* A number key's text. Shortest form whatever the style: it never fails, and equal texts are equal numbers. */
FL_FUNC char *LAY(encode_key_text)(char *w, struct lay_value key) {
  return LAY(is_integer)(key) ? num_write_i64(w, LAY(integer)(key)) : json_write_key_text(w, LAY(number)(key));
}

/* Byte order of the keys' texts; a number before a string of the same text. */
FL_FUNC int LAY(encode_compare)(const struct encode_entry *a, const struct encode_entry *b) {
  char digits[2][JSON_NUMBER_ROOM + 8];
  const char *text[2];
  size_t n[2];
  int k, order;
  for (k = 0; k < 2; k++) {
    struct lay_value key = (k ? b : a)->key;
    if (LAY(is_string)(key)) {
      text[k] = LAY(string)(key, &n[k]);
    } else {
      char *end = LAY(encode_key_text)(digits[k], key);
      text[k] = digits[k], n[k] = (size_t)(end - digits[k]);
    }
  }
  order = encode_compare_texts(text[0], n[0], text[1], n[1]);
  return order ? order : LAY(is_string)(a->key) - LAY(is_string)(b->key);
}

FL_FUNC int LAY(encode_sort_keys)(struct encode_state *c, size_t start) {
  size_t i, n = c->list_length - start;
  if (!encode_need_list(c, c->list_length + n)) return 0;
  for (i = start; i < c->list_length; i++) {
    struct encode_entry *e = &c->list[i];
    if (LAY(is_string)(e->key)) {
      size_t length;
      const char *s = LAY(string)(e->key, &length);
      e->prefix = encode_prefix(s, length);
    } else {
      char digits[JSON_NUMBER_ROOM + 8], *end = LAY(encode_key_text)(digits, e->key);
      e->prefix = encode_prefix(digits, (size_t)(end - digits));
    }
  }
  encode_sort(c->list + start, n, c->list + c->list_length, LAY(encode_compare));
  return 1;
}

/* dkjson: an array may say its length in a field `n`, which is no item. Puts that pair last. */
FL_FUNC int LAY(encode_find_n)(struct encode_state *c, size_t start, double *n) {
  size_t i;
  for (i = start; i < c->list_length; i++) {
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

/* The same by dkjson's rules: an array with gaps is one if it is short, says so, or is at least half full. */
FL_NOINLINE enum encode_result LAY(encode_list_dkjson_)(struct encode_state *c, const char *t, enum table_class mark,
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
  /* only now, for an object's order must stay */
  has_n = LAY(encode_find_n)(c, start, &n);
  count = c->list_length - start - (size_t)has_n;
  for (i = start; i < start + count; i++) {
    double index = LAY(encode_index)(c->list[i].key);
    if (index == 0) return ENCODE_DONE; /* an n that is no number */
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

/* The same by rapidjson's rules: an array if its length is not 0, whatever else it has; of an object the names that
** are strings. */
FL_NOINLINE enum encode_result LAY(encode_list_rapidjson_)(struct encode_state *c, const char *t, enum table_class mark,
                                                           enum encode_kind *kind, size_t *first, size_t *end) {
  size_t start = c->list_length, items = 0, names = 0, i;
  double highest = 0;
  int is_array;
  if (!LAY(encode_collect)(c, t)) return ENCODE_MEMORY;
  for (i = start; i < c->list_length && mark != ENCODE_OBJECT; i++) {
    double index = LAY(encode_index)(c->list[i].key);
    items += index != 0;
    if (index > highest) highest = index;
  }
  if (highest != (double)items) return ENCODE_REDO; /* which border is its length is Lua's own affair */
  is_array = items > 0 || mark == ENCODE_ARRAY;
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

/* Opens a table that cannot be iterated in place: its pairs go to the list, as an array's values in their
** places or as an object's pairs in their order. */
FL_NOINLINE enum encode_result LAY(encode_list_)(struct encode_state *c, const char *t, enum table_class mark,
                                                 enum encode_kind *kind, size_t *first, size_t *end) {
  const struct json_style *style = c->out.style;
  size_t start = c->list_length, count, i;
  double highest = 0;
  int is_array = mark != ENCODE_OBJECT, all_keys = 1;
  if (mark == ENCODE_LENGTH_ARRAY) return ENCODE_REDO; /* the length operator is Lua's own affair */
  if (!LAY(encode_collect)(c, t)) return ENCODE_MEMORY;
  count = c->list_length - start;
  for (i = start; i < c->list_length; i++) {
    double index = LAY(encode_index)(c->list[i].key);
    if (index == 0) is_array = 0;
    if (index > highest) highest = index;
    if (!LAY(encode_is_key)(c->list[i].key)) all_keys = 0;
  }
  if (mark == ENCODE_ARRAY && (!is_array || (highest > (double)count && !json_style_fills(style, highest, count))))
    return ENCODE_REDO;
  if (is_array && mark != ENCODE_ARRAY && highest > (double)count) {
    enum json_sparse holes = json_style_holes(style, highest, count);
    if (holes == JSON_SPARSE_ERROR) return ENCODE_REDO;
    is_array = holes == JSON_SPARSE_NULL;
    if (is_array && style->cjson && LAY(metatable)(t)) return ENCODE_REDO; /* the holes may have an __index */
  }
  if (!is_array && style->cjson && mark == ENCODE_EMPTY_ARRAY) return ENCODE_REDO;
  if (is_array) {
    if (!LAY(encode_order_by_index)(c, start, (size_t)highest)) return ENCODE_MEMORY;
  } else if (style->sort_keys) {
    if (!all_keys) return ENCODE_REDO;
    if (!LAY(encode_sort_keys)(c, start)) return ENCODE_MEMORY;
  }
  *kind = is_array ? ENCODE_LIST_ARRAY : ENCODE_LIST_OBJECT;
  *first = start;
  *end = c->list_length;
  return ENCODE_DONE;
}
