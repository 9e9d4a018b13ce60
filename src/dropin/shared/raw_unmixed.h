/* SPDX-License-Identifier: MIT
** raw_unmixed.h -- template: a table shape of LuaJSON and of JSON4Lua, pasted once per layout: tables that have only
** items, only names, or nothing. What others are depends on the length operator, fields, and the type of each value.
** Must hold: no lua_* call; the same decisions as dropin/luajson/tables.h; on any doubt ENCODE_REDO.
**
** Parameter: LAYOUT, the prefix of the layout's readers. Instances: raw_unmixed_instances.h. */

#define LAY(name) FL_PASTE(LAYOUT, name)

/* `n_is_length`: a field `n` can make an array of a table without items. */
FL_INLINE enum encode_result LAY(unmixed_open)(struct encode_state *c, const char *t, struct encode_opened *f,
                                               int n_is_length) {
  const char *array = LAY(array)(t), *nodes = LAY(nodes)(t), *mt = LAY(metatable)(t);
  size_t size = LAY(array_size)(t), node_count = LAY(node_count)(t), node = 0;
  size_t dense = LAY(encode_dense)(array, size), rest = dense;
  const enum table_class mark = mt ? LAY(encode_table_class_)(c, mt) : ENCODE_PLAIN;
  if (mark == ENCODE_HOOK || LAY(has_key0)(t)) return ENCODE_REDO;
  while (rest < size && LAY(array_is_nil)(array, rest)) rest++;
  while (node < node_count && LAY(node_is_nil)(nodes + node * LAY(node_bytes))) node++;
  if (rest < size) return ENCODE_REDO;
  f->empty = ENCODE_FILLED;
  if (dense == 0 && node == node_count) {
    const int is_object = mark == ENCODE_OBJECT || (mark != ENCODE_ARRAY && c->out.style->empty_object);
    f->kind = is_object ? ENCODE_NODES : ENCODE_ITEMS, f->empty = ENCODE_EMPTY;
  } else if (node == node_count) {
    if (mt && mark != ENCODE_ARRAY) return ENCODE_REDO; /* it may have an `n`, or items, by its __index */
    f->kind = ENCODE_ITEMS, f->base = array, f->i = 0, f->n = dense;
  } else {
    const struct lay_value key = LAY(node_key)(nodes + node * LAY(node_bytes));
    if (dense > 0 || mark == ENCODE_ARRAY || !LAY(is_string)(key) || (n_is_length && LAY(encode_is_n)(key)))
      return ENCODE_REDO;
    LAY(encode_take_nodes)(f, nodes, node, node_count);
  }
  return ENCODE_DONE;
}

FL_FUNC enum encode_result LAY(unmixed_open_any_n)(struct encode_state *c, const char *t, struct encode_opened *f) {
  return LAY(unmixed_open)(c, t, f, 0);
}
FL_FUNC enum encode_result LAY(unmixed_open_without_n)(struct encode_state *c, const char *t, struct encode_opened *f) {
  return LAY(unmixed_open)(c, t, f, 1);
}

static const struct encode_shape LAY(unmixed_shapes)[2] = {{LAY(unmixed_open_any_n), NULL},
                                                           {LAY(unmixed_open_without_n), NULL}};

#undef LAY
