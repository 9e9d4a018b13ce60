/* SPDX-License-Identifier: MIT
** rare_tables.h -- template: the rare tables of the raw walk: metatables, numeric keys, holes, sorting.
** Must hold: only open.h includes it, with its LAY; no lua_* call. */
#include "../sort.h"

/* Classifies a metatable: by its address, then by the names in its hash part. */
FL_NOINLINE enum table_class LAY(encode_classify_)(struct encode_state *c, const char *mt) {
  const struct encode_rules *rules = c->policy->rules;
  const enum table_class known = encode_class_of(c->marks, mt);
  enum table_class is = (enum table_class)rules->known[known];
  const char *nodes = LAY(nodes)(mt);
  size_t i, count = LAY(node_count)(mt), fields = 0;
  FL_ASSERT(known < ENCODE_HOOK);
  if (is != ENCODE_PLAIN) return is;
  if (rules->inherits_fields && LAY(metatable)(mt)) return ENCODE_HOOK;
  for (i = 0; i < count; i++) {
    const char *node = nodes + i * LAY(node_bytes), *name, *text = NULL;
    size_t length, text_length = 0;
    if (LAY(node_is_nil)(node)) continue;
    fields++;
    if (!LAY(is_string)(LAY(node_key)(node))) continue;
    name = LAY(string)(LAY(node_key)(node), &length);
    if (length < 2 || name[0] != '_' || name[1] != '_') continue;
    if (LAY(is_string)(LAY(node_value)(node))) text = LAY(string)(LAY(node_value)(node), &text_length);
    const enum table_class field = encode_field_class(rules->fields, name, length, text, text_length);
    if (field == ENCODE_HOOK || (is != ENCODE_PLAIN && field != ENCODE_PLAIN && field != is)) return ENCODE_HOOK;
    if (field != ENCODE_PLAIN) is = field;
  }
  if (fields == 0 && known == ENCODE_PLAIN && rules->finds_new_metatables && !c->unknown_are_plain) {
    c->unknown_metatable = 1;
    return ENCODE_HOOK;
  }
  return is;
}

/* Like encode_classify_, and remembers the result for this walk: objects of one class share their metatable. The marks
** of fleece.array and fleece.object need no memory: 50 instructions less for the first of a call. */
FL_NOINLINE enum table_class LAY(encode_table_class_)(struct encode_state *c, const char *mt) {
  size_t place = mt != c->marks->metatable[0];
  if (mt == c->marks->metatable[place]) {
    const enum table_class is = (enum table_class)c->policy->rules->known[c->marks->mark[place]];
    if (is != ENCODE_PLAIN) return is;
  }
  place = ((uintptr_t)mt >> 5) % ENCODE_METATABLES;
  if (!c->has_classes) {
    memset(c->classes, 0, sizeof c->classes);
    c->has_classes = 1;
  }
  if (c->classes[place].metatable != mt) {
    c->classes[place].is = LAY(encode_classify_)(c, mt);
    c->classes[place].metatable = mt;
  }
  return c->classes[place].is;
}

/* Returns whether skip_unsupported keeps this value. Userdata may have a hook, and light userdata a meaning: those are
** left to the public-API encoder. */
FL_INLINE int LAY(encode_supported)(struct lay_value v) {
  return LAY(is_string)(v) || LAY(is_integer)(v) || LAY(is_float)(v) || LAY(is_table)(v) || LAY(is_true)(v) ||
         LAY(is_false)(v) || LAY(is_nil)(v) || LAY(is_light)(v) || !LAY(is_plain_other)(v);
}

/* Returns whether the key is the name "n", whose value some libraries take for the length of an array. */
FL_INLINE int LAY(encode_is_n)(struct lay_value key) {
  size_t length;
  return LAY(is_string)(key) && *LAY(string)(key, &length) == 'n' && length == 1;
}

FL_INLINE int LAY(encode_is_key)(struct lay_value key) {
  return LAY(is_string)(key) || LAY(is_integer)(key) || LAY(is_float)(key);
}

/* Returns whether skip_unsupported leaves out this pair. With skip_values_only never because of its key: one that
** cannot be written is an error when its turn comes. */
FL_NOINLINE int LAY(encode_skips_)(const struct json_style *style, struct lay_value key, struct lay_value v) {
  const int is_key = LAY(encode_is_key)(key), supported = LAY(encode_supported)(v);
  if (!style->skip_values_only) return !is_key || !supported;
  if (LAY(is_float)(key) && !json_is_key(style, LAY(number)(key))) return 0;
  return is_key && !supported;
}

/* Writes the text of a numeric key, unquoted. NULL if it is not a number, or is infinite where that is an error. */
FL_FUNC char *LAY(encode_number_text)(struct json_out *out, char *w, struct lay_value key) {
  if (LAY(is_integer)(key) && (LAY(has_integers) || out->style->number_keys != JSON_KEYS_AS_VALUES))
    return num_write_i64(w, LAY(integer)(key));
  if (LAY(is_float)(key) || LAY(is_integer)(key)) return json_write_double_key(out, w, LAY(number)(key));
  return json_fail(out, FL_ERROR_KEY);
}

FL_NOINLINE char *LAY(encode_number_key_)(struct encode_state *c, char *w, struct lay_value key) {
  if (c->policy->rules->keys != ENCODE_KEYS_NUMBERS) return json_fail(&c->out, FL_ERROR_KEY);
  w = json_reserve(&c->out, w, JSON_NUMBER_ROOM + 8);
  if (!w) return NULL;
  *w++ = '"';
  w = LAY(encode_number_text)(&c->out, w, key);
  if (!w) return NULL;
  w[0] = '"', w[1] = ':';
  return w + 2;
}

/* Returns whether it is the value of the option null, or, if that is a null pointer, one as well. */
FL_FUNC int LAY(encode_is_null)(struct encode_state *c, struct lay_value v) {
  const char *const holder = c->policy->null;
  if (FL_LIKELY(!holder) || LAY(array_size)(holder) == 0) return 0;
  struct lay_value null = LAY(array_item)(LAY(array)(holder), 0);
  if (v.tag == null.tag && v.bits == null.bits) return 1;
  return LAY(is_box)(v) && LAY(is_box)(null) && encode_knows_boxes(c, 1) && LAY(boxed_null)(v) && LAY(boxed_null)(null);
}

/* Writes a value that is not plain Lua data: null, a boxed integer. NULL: left to the public API. Room must be
** reserved. */
FL_NOINLINE char *LAY(encode_other_)(struct encode_state *c, char *w, struct lay_value v) {
  uint64_t n = 0;
  if (LAY(encode_is_null)(c, v)) return (char *)memcpy(w, "null", 4) + 4;
  int boxed = c->policy->rules->boxed_integers && encode_knows_boxes(c, LAY(is_box)(v)) ? LAY(boxed_integer)(v, &n) : 0;
  if (!boxed || FL_UNLIKELY(c->out.style->canonical | c->out.style->safe_integers))
    return json_fail(&c->out, FL_ERROR_TYPE); /* the API decides */
  return boxed == 1 ? num_write_i64(w, (int64_t)n) : num_write_u64(w, n);
}

/* Returns the index a key stands for in an array, or 0. Indexes above 2^53 are not exact in every runtime. */
FL_INLINE double LAY(encode_index)(struct lay_value key) {
  if (LAY(is_integer)(key)) return LAY(integer)(key) > 0 ? (double)LAY(integer)(key) : 0;
  if (LAY(has_integers) || !LAY(is_float)(key)) return 0;
  const double d = LAY(number)(key);
  return d >= 1 && d <= 9007199254740992.0 && d == (double)(int64_t)d ? d : 0;
}

/* Appends the live pairs of `t` to the list in the order of `next`. Returns 0 if out of memory. */
FL_FUNC int LAY(encode_collect)(struct encode_state *c, const char *t) {
  const char *array = LAY(array)(t), *nodes = LAY(nodes)(t);
  size_t i, size = LAY(array_size)(t), count = LAY(node_count)(t);
  if (!encode_need_list(c, c->list_length + size + count + 1)) return 0;
  struct encode_entry *to = c->list + c->list_length;
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

/* Turns the pairs from `start` on, whose keys are indexes up to `highest`, into a list of values by index. */
FL_FUNC int LAY(encode_order_by_index)(struct encode_state *c, size_t start, size_t highest) {
  size_t i, count = c->list_length - start;
  FL_ASSERT(start <= c->list_length && highest >= count);
  if (!encode_need_list(c, c->list_length + highest)) return 0;
  struct encode_entry *pairs = c->list + start;
  struct encode_entry *places = c->list + c->list_length;
  for (i = 0; i < highest; i++) places[i].value = LAY(nil)();
  for (i = 0; i < count; i++) places[(size_t)LAY(encode_index)(pairs[i].key) - 1].value = pairs[i].value;
  memmove(pairs, places, highest * sizeof *pairs);
  c->list_length = start + highest;
  return 1;
}

/* Writes the text of a number key for sorting. Always the shortest: it never fails, and equal texts are equal
** numbers. */
FL_FUNC char *LAY(encode_key_text)(char *w, struct lay_value key) {
  return LAY(is_integer)(key) ? num_write_i64(w, LAY(integer)(key)) : json_write_key_text(w, LAY(number)(key));
}

/* Compares the keys' texts. */
FL_INLINE int LAY(encode_compare_keys)(const struct encode_entry *a, const struct encode_entry *b, int canonical) {
  char digits[2][JSON_NUMBER_ROOM + 8];
  const char *text[2];
  size_t n[2];
  for (int k = 0; k < 2; k++) {
    struct lay_value key = (k ? b : a)->key;
    if (LAY(is_string)(key)) {
      text[k] = LAY(string)(key, &n[k]);
    } else {
      char *end = LAY(encode_key_text)(digits[k], key);
      text[k] = digits[k], n[k] = (size_t)(end - digits[k]);
    }
  }
  return encode_compare_names(canonical, text[0], n[0], text[1], n[1]);
}

/* A number comes before a string of the same text. */
FL_FUNC int LAY(encode_compare)(const struct encode_entry *a, const struct encode_entry *b) {
  const int order = LAY(encode_compare_keys)(a, b, 0);
  return order ? order : LAY(is_string)(a->key) - LAY(is_string)(b->key);
}

FL_FUNC int LAY(encode_compare_canonical)(const struct encode_entry *a, const struct encode_entry *b) {
  return LAY(encode_compare_keys)(a, b, 1);
}

/* Returns whether two successive sorted pairs have the same name; one of their keys is a number then. */
FL_FUNC int LAY(encode_has_same_names)(const struct encode_entry *e, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (e[i].prefix == e[i - 1].prefix && LAY(is_string)(e[i].key) != LAY(is_string)(e[i - 1].key) &&
        LAY(encode_compare_keys)(&e[i - 1], &e[i], 1) == 0)
      return 1;
  return 0;
}

FL_FUNC int LAY(encode_sort_keys)(struct encode_state *c, size_t start) {
  const int canonical = c->out.style->canonical;
  size_t i, n = c->list_length - start;
  if (!encode_need_list(c, c->list_length + n)) return 0;
  for (i = start; i < c->list_length; i++) {
    struct encode_entry *e = &c->list[i];
    if (LAY(is_string)(e->key)) {
      size_t length;
      const char *s = LAY(string)(e->key, &length);
      e->prefix = encode_name_prefix(canonical, s, length);
    } else {
      char digits[JSON_NUMBER_ROOM + 8], *end = LAY(encode_key_text)(digits, e->key);
      e->prefix = encode_prefix(digits, (size_t)(end - digits));
    }
  }
  encode_sort(c->list + start, n, c->list + c->list_length,
              canonical ? LAY(encode_compare_canonical) : LAY(encode_compare));
  return 1;
}

/* Opens a table that cannot be iterated in place: puts its pairs on the list, as an array's values by index or as an
** object's pairs in order. */
FL_SHARED enum encode_result LAY(encode_list_)(struct encode_state *c, const char *t, enum table_class mark,
                                               enum encode_kind *kind, size_t *first, size_t *end) {
  const struct json_style *style = c->out.style;
  const struct encode_rules *rules = c->policy->rules;
  size_t start = c->list_length, count, i;
  double highest = 0;
  const int mends = style->sort_keys && encode_mends(style);
  int is_array = mark != ENCODE_OBJECT, all_keys = 1;  /* that can be sorted here */
  if (mark == ENCODE_LENGTH_ARRAY) return ENCODE_REDO; /* only Lua knows which border is the length */
  if (!LAY(encode_collect)(c, t)) return ENCODE_MEMORY;
  count = c->list_length - start;
  for (i = start; i < c->list_length; i++) {
    double index = LAY(encode_index)(c->list[i].key);
    if (index == 0) is_array = 0;
    if (index > highest) highest = index;
    if (!LAY(encode_is_key)(c->list[i].key)) all_keys = 0;
    if (FL_UNLIKELY(mends) && LAY(is_string)(c->list[i].key)) {
      size_t length;
      const char *s = LAY(string)(c->list[i].key, &length);
      if (c->out.utf8(s, length) != length) all_keys = 0;
    }
  }
  if (mark == ENCODE_ARRAY && (!is_array || (highest > (double)count && !json_style_fills(style, highest, count))))
    return ENCODE_REDO;
  if (is_array && mark != ENCODE_ARRAY && highest > (double)count) {
    enum json_sparse holes = json_style_holes(style, highest, count);
    if (holes == JSON_SPARSE_ERROR) return ENCODE_REDO;
    is_array = holes == JSON_SPARSE_NULL;
    if (is_array && rules->index_fills_holes && LAY(metatable)(t)) return ENCODE_REDO;
  }
  if (!is_array && rules->empty_array_is_any && mark == ENCODE_EMPTY_ARRAY) return ENCODE_REDO;
  if (is_array) {
    if (!LAY(encode_order_by_index)(c, start, (size_t)highest)) return ENCODE_MEMORY;
  } else if (style->sort_keys) {
    if (!all_keys) return ENCODE_REDO;
    if (!LAY(encode_sort_keys)(c, start)) return ENCODE_MEMORY;
    if (FL_UNLIKELY(style->canonical) && LAY(encode_has_same_names)(c->list + start, count)) return ENCODE_REDO;
  }
  *kind = is_array ? ENCODE_LIST_ARRAY : ENCODE_LIST_OBJECT;
  *first = start;
  *end = c->list_length;
  return ENCODE_DONE;
}

/* Returns the list of names that encode/order.h remembers for the table, which was an object in a text, or NULL. */
FL_FUNC const char *LAY(encode_names_of)(const struct order_state *o, const char *t) {
  const size_t i = order_slot(o, t);
  if (i == o->slots) return NULL;
  const struct lay_value v = LAY(array_item)(LAY(array)(o->tables), i);
  if (!LAY(is_table)(v) || LAY(pointer)(v) != t) return NULL;
  return LAY(pointer)(LAY(array_item)(LAY(array)(o->lists), i));
}

/* Opens a remembered table without a mark: it is an object, whatever its keys are now. */
FL_NOINLINE enum encode_result LAY(encode_open_remembered_)(struct encode_state *c, const char *t,
                                                            struct encode_opened *f) {
  f->base = NULL, f->empty = ENCODE_FILLED;
  return LAY(encode_list_)(c, t, ENCODE_OBJECT, &f->kind, &f->i, &f->n);
}
