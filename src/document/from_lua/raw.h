/* SPDX-License-Identifier: MIT
** raw.h -- template: the raw walk from Lua tables to a binary document, included once per layout.
** Must hold: no lua_* call anywhere below; on any doubt, and for every error with a path, the walk returns ENCODE_REDO.
** The encoder receives the same calls as for the JSON text of the same value, so the bytes are the same.
** Parameter: LAYOUT, the prefix of the layout's readers. Instances: instances.h. */

#define LAY(name) FL_PASTE(LAYOUT, name)

FL_INLINE int LAY(pack_put_number)(struct bin_encoder *e, double d) {
  return !LAY(has_integers) && pack_is_integer(d) ? pack_put_integer(e, d) : bin_put_double(e, d);
}

FL_INLINE int LAY(pack_put_string)(struct lua_to_binary *b, struct lay_value v) {
  size_t n;
  const char *s = LAY(string)(v, &n);
  return FL_LIKELY(pack_write_text(b->e, b->walk->out.utf8, 0, s, n)) ||
         (!b->e->error && b->data && bin_put_data(b->e, s, n));
}

FL_NOINLINE int LAY(pack_put_number_key_)(struct lua_to_binary *b, struct lay_value key) {
  char text[JSON_NUMBER_ROOM + 8], *end = LAY(encode_number_text)(&b->walk->out, text, key);
  return end && bin_put_key(b->e, text, (size_t)(end - text));
}

FL_NOINLINE int LAY(pack_put_new_key_)(struct lua_to_binary *b, struct lay_value key, struct pack_known *known) {
  size_t n;
  if (FL_UNLIKELY(b->e->error)) return 0;
  if (FL_UNLIKELY(!LAY(is_string)(key))) return LAY(pack_put_number_key_)(b, key);
  const char *s = LAY(string)(key, &n);
  if (FL_UNLIKELY(!pack_write_text(b->e, b->walk->out.utf8, 1, s, n))) return 0;
  known->object = LAY(pointer)(key);
  bin_remember(b->e, &known->known);
  return 1;
}

FL_INLINE int LAY(pack_put_key)(struct lua_to_binary *b, struct lay_value key) {
  struct pack_known *known = pack_find(b->keys, LAY(pointer)(key));
  if (FL_LIKELY(known->object == LAY(pointer)(key)) && FL_LIKELY(LAY(is_string)(key)) &&
      FL_LIKELY(bin_put_remembered(b->e, known->known)))
    return 1;
  return LAY(pack_put_new_key_)(b, key, known);
}

/* Writes a boxed integer. Any other userdata, function or thread makes the raw walk give up. */
FL_NOINLINE int LAY(pack_put_other_)(struct lua_to_binary *b, struct lay_value v) {
  uint64_t n = 0;
  if (LAY(encode_is_null)(b->walk, v)) return bin_put_special(b->e, BIN_NULL);
  const int boxed = encode_knows_boxes(b->walk, LAY(is_box)(v)) ? LAY(boxed_integer)(v, &n) : 0;
  if (!boxed) return 0;
  return boxed == 1 ? bin_put_integer(b->e, (int64_t)n) : bin_put_unsigned(b->e, n);
}

/* Writes an array of n numbers. */
FL_INLINE int LAY(pack_put_point)(struct bin_encoder *e, const char *items, size_t n) {
  int fine = bin_begin(e, 0);
  for (size_t i = 0; i < n && fine; i++) {
    const struct lay_value v = LAY(array_item)(items, i);
    fine = LAY(is_integer)(v) ? bin_put_integer(e, LAY(integer)(v)) : LAY(pack_put_number)(e, LAY(number)(v));
  }
  return fine && bin_end(e);
}

/* Returns the walk's result for the encoder's error. */
FL_NOINLINE enum encode_result LAY(pack_failed_)(const struct lua_to_binary *b) {
  return b->e->error == BIN_ERROR_MEMORY || b->walk->out.error == FL_ERROR_MEMORY ? ENCODE_MEMORY : ENCODE_REDO;
}

/* Encodes the table at `root` in one loop with the same steps as encode/raw/loop.h. They are written out twice, because
** inline functions for them (push, pop, next pair) cost encode 1 % more instructions, in some workloads 3.7 %. */
FL_NOINLINE FL_ALIGNED enum encode_result LAY(pack)(struct lua_to_binary *b, const char *root) {
  struct encode_state *c = b->walk;
  struct bin_encoder *e = b->e;
  const size_t max_depth = c->out.style->max_depth;
  const char *t = root, *base = NULL;
  size_t depth = 0, i = 0, n = 0;
  enum encode_kind kind = ENCODE_ITEMS;
  struct lay_value v;
  const char *tortoise = NULL; /* finds cycles: see encode/raw/loop.h */
  size_t tortoise_depth = 0;
  int fine;
  c->has_classes = 0;
  c->list_length = 0;

open : {
  struct encode_opened f;
  if (FL_UNLIKELY(t == tortoise || depth >= max_depth)) return ENCODE_REDO;
  const enum encode_result opened = LAY(encode_open_unordered)(c, t, &f);
  if (FL_UNLIKELY(opened != ENCODE_DONE)) return opened;
  if (FL_UNLIKELY(!bin_begin(e, f.kind == ENCODE_NODES || f.kind == ENCODE_LIST_OBJECT))) goto fail;
  if (FL_UNLIKELY(f.empty)) {
    if (FL_UNLIKELY(!bin_end(e))) goto fail;
    if (depth == 0) return ENCODE_DONE;
    goto next;
  }
  if (FL_UNLIKELY(!encode_need_frames(c, depth + 1))) return ENCODE_MEMORY;
  struct encode_frame *frame = &c->frames[depth++];
  if (depth == 2 * tortoise_depth || depth == 1) tortoise = t, tortoise_depth = depth;
  frame->table = t;
  frame->kind = kind = f.kind;
  frame->base = base = f.base;
  frame->n = n = f.n;
  frame->list_start = i = f.i;
}

next:
  if (kind == ENCODE_ITEMS) {
    if (i == n) goto close;
    v = LAY(array_item)(base, i++);
  } else {
    struct lay_value key;
    if (FL_LIKELY(kind == ENCODE_NODES)) {
      const char *node;
      do {
        if (i == n) goto close;
        node = base + i;
        i += LAY(node_bytes);
      } while (LAY(node_is_nil)(node));
      key = LAY(node_key)(node);
      v = LAY(node_value)(node);
    } else {
      if (i == n) goto close;
      key = c->list[i].key;
      v = c->list[i++].value;
    }
    if (FL_LIKELY(kind != ENCODE_LIST_ARRAY) && FL_UNLIKELY(!LAY(pack_put_key)(b, key))) goto fail;
  }

  if (LAY(is_string)(v)) {
    fine = LAY(pack_put_string)(b, v);
  } else if (LAY(is_integer)(v)) {
    fine = bin_put_integer(e, LAY(integer)(v));
  } else if (LAY(is_float)(v)) {
    fine = LAY(pack_put_number)(e, LAY(number)(v));
  } else if (LAY(is_table)(v)) {
    LAY(encode_fetch_next)(kind, base, i, n);
    t = LAY(pointer)(v);
    const size_t numbers = LAY(encode_point)(c, t, PACK_POINT);
    if (numbers && FL_LIKELY(depth < max_depth)) {
      fine = LAY(pack_put_point)(e, LAY(array)(t), numbers);
    } else {
      c->frames[depth - 1].i = i;
      goto open;
    }
  } else if (LAY(is_true)(v) || LAY(is_false)(v)) {
    fine = bin_put_special(e, LAY(is_true)(v) ? BIN_TRUE : BIN_FALSE);
  } else if (LAY(is_nil)(v) || (LAY(is_light)(v) && v.bits == c->null_word)) {
    fine = bin_put_special(e, BIN_NULL); /* nil: a hole in a list */
  } else {
    fine = LAY(pack_put_other_)(b, v);
  }
  if (FL_LIKELY(fine)) goto next;
  goto fail;

close : {
  const struct encode_frame *frame = &c->frames[--depth];
  if (FL_UNLIKELY(!bin_end(e))) goto fail;
  if (kind >= ENCODE_LIST_ARRAY) c->list_length = frame->list_start;
  if (depth == 0) return ENCODE_DONE;
  if (depth < tortoise_depth) tortoise_depth /= 2, tortoise = c->frames[tortoise_depth - 1].table;
  frame--;
  kind = frame->kind, base = frame->base, i = frame->i, n = frame->n;
  goto next;
}

fail:
  return LAY(pack_failed_)(b);
}

#undef LAY
