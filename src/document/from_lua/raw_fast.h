/* SPDX-License-Identifier: MIT
** raw_fast.h -- template: the raw walk of the fast mode, included once per layout after raw.h.
** Must hold: as in raw.h, but the bytes differ from those of the same JSON text: the values of a record are in the
** order of its sorted names, and its names are written together. Write position and items are local variables, which
** must be stored before calling a function of binary/encode/ and loaded after it. Opening a collection makes room for
** its items, so that values need not test for it.
** Parameter: LAYOUT, the prefix of the layout's readers. Instances: instances.h. */

#define LAY(name) FL_PASTE(LAYOUT, name)

/* Returns whether the names of a shape from an earlier document still have the same bytes. If so, the shape is valid
** for this document. */
FL_NOINLINE int LAY(pack_shape_holds_)(const struct pack_shapes *all, struct pack_shape *shape, const char *nodes) {
  size_t i, n;
  for (i = 0; i < shape->pairs; i++) {
    const bin_value v = (bin_value)shape->text + shape->names[i].at;
    const char *s = LAY(string)(LAY(node_key)(nodes + shape->names[i].node), &n);
    if (n < BIN_POOLED_LEAST ? v[0] != (BIN_TAG_STRING << 4 | n) || (n && v[1] != (uint8_t)*s)
                             : !bin_holds_bytes(v, BIN_TAG_STRING, s, n))
      return 0;
  }
  shape->document = all->document;
  shape->open = 0;
  return 1;
}

/* Appends a node's name to the text of a shape, if it is short enough for a slot (`is_short`), or if it is not. */
FL_INLINE int LAY(pack_add_name)(struct lua_to_binary *b, struct pack_shape *shape, const char *nodes, size_t node,
                                 int is_short) {
  struct pack_name *name = &shape->names[shape->pairs];
  size_t n;
  const char *s = LAY(string)(LAY(node_key)(nodes + node * LAY(node_bytes)), &n);
  uint8_t *w = (uint8_t *)shape->text + shape->bytes;
  if ((n < BIN_POOLED_LEAST) != is_short) return 1;
  if (n > PACK_SHAPE_NAME || shape->pairs == PACK_SHAPE_PAIRS || shape->bytes + n + 3 > PACK_SHAPE_TEXT) return 0;
  if (!pack_is_ascii(s, n) && b->walk->out.utf8(s, n) != n) return 0;
  name->node = (uint16_t)(node * LAY(node_bytes));
  name->at = shape->bytes;
  *w++ = (uint8_t)(BIN_TAG_STRING << 4 | (n < BIN_LONG_LENGTH ? n : BIN_LONG_LENGTH));
  if (n >= BIN_LONG_LENGTH) *w++ = (uint8_t)n;
  memcpy(w, s, n);
  w += n;
  *w = 0;
  shape->bytes = (uint16_t)((w - (uint8_t *)shape->text + 1) & ~1);
  shape->pairs++;
  return 1;
}

/* Makes the shape of a record in the slot. NULL if it cannot have one or memory is lacking. */
FL_NOINLINE struct pack_shape *LAY(pack_make_shape_)(struct lua_to_binary *b, size_t slot, const char *const *key,
                                                     const char *nodes, size_t count) {
  struct pack_shape shape;
  size_t i, bytes;
  FL_ASSERT(count <= PACK_SHAPE_NODES);
  memset(&shape, 0, offsetof(struct pack_shape, text));
  shape.nodes = (uint16_t)count;
  memcpy(shape.key, key, count * sizeof *key);
  for (i = 0; i < count; i++)
    if (key[i] && !LAY(pack_add_name)(b, &shape, nodes, i, 0)) return NULL;
  bytes = shape.bytes;
  for (i = 0; i < count; i++)
    if (key[i] && !LAY(pack_add_name)(b, &shape, nodes, i, 1)) return NULL;
  i = shape.bytes;
  shape.bytes = (uint16_t)bytes; /* the short ones are not written */
  return pack_sort_names(&shape) ? pack_store_shape(b->shapes, slot, &shape, i, &b->e->out) : NULL;
}

/* Returns whether the shape, which may be NULL, has these keys. */
FL_INLINE int LAY(pack_shape_is)(const struct pack_shape *shape, const char *const *key, size_t count) {
  return shape && shape->nodes == count && memcmp(shape->key, key, count * sizeof *key) == 0;
}

/* Finds the shape of these keys if neither slot has it, or only from an earlier document. Returns NULL if it cannot
** have one. */
FL_NOINLINE struct pack_shape *LAY(pack_new_shape_)(struct lua_to_binary *b, size_t slot, const char *const *key,
                                                    const char *nodes, size_t count, uint64_t hash) {
  struct pack_shapes *all = b->shapes;
  struct pack_shape *shape;
  size_t to = slot, way;
  for (way = 2; way-- > 0;) {
    shape = all->slots[slot ^ way].shape;
    if (!shape || shape->document != all->document) to = slot ^ way;
    if (LAY(pack_shape_is)(shape, key, count) && LAY(pack_shape_holds_)(all, shape, nodes)) return shape;
  }
  shape = all->slots[to].shape;
  if (shape && shape->document == all->document && shape->open) shape = all->slots[to ^= 1].shape;
  if ((shape && shape->document == all->document && shape->open) || all->slots[slot].failed == hash) return NULL;
  if (all->slots[slot].missed != hash) {
    all->slots[slot].missed = hash;
    return NULL;
  }
  shape = LAY(pack_make_shape_)(b, to, key, nodes, count);
  if (!shape) all->slots[slot].failed = hash;
  return shape;
}

/* Finds the shape of a table with only names in its hash part, in one of two slots. NULL if it cannot have one. */
FL_NOINLINE struct pack_shape *LAY(pack_find_shape_)(struct lua_to_binary *b, const char *nodes, size_t count) {
  const char *key[PACK_SHAPE_NODES];
  struct pack_shapes *all = b->shapes;
  uint64_t hash = 0;
  const char *node = nodes;
  if (FL_UNLIKELY(count > PACK_SHAPE_NODES)) return NULL;
  for (size_t i = 0; i < count; i++, node += LAY(node_bytes)) {
    const struct lay_value k = LAY(node_key)(node);
    const int is_nil = LAY(node_is_nil)(node);
    if (FL_UNLIKELY(!is_nil && !LAY(is_string)(k))) return NULL; /* the pointer part of a number may be NULL, as of 0 */
    key[i] = is_nil ? NULL : LAY(pointer)(k);
    hash = (hash << 5 | hash >> 59) ^ (uint64_t)(uintptr_t)key[i];
  }
  hash = hash * UINT64_C(0x9e3779b97f4a7c15) + count;
  const size_t slot = hash >> 32 & (PACK_SHAPES - 1);
  struct pack_shape *shape = all->slots[slot].shape;
  if (!LAY(pack_shape_is)(shape, key, count)) shape = all->slots[slot ^ 1].shape;
  if (!LAY(pack_shape_is)(shape, key, count) || shape->document != all->document)
    shape = LAY(pack_new_shape_)(b, slot, key, nodes, count, hash);
  if (shape) {
    if (all->slots[all->last].shape) all->slots[all->last].shape->next = shape->slot;
    all->last = shape->slot;
  }
  return shape;
}

/* Like pack_find_shape_, trying first the shape that followed the last one before. */
FL_INLINE struct pack_shape *LAY(pack_find_shape)(struct lua_to_binary *b, const char *nodes, size_t count) {
  struct pack_shapes *all = b->shapes;
  const struct pack_shape *last = all->slots[all->last].shape;
  struct pack_shape *shape = FL_LIKELY(last != NULL) ? all->slots[last->next].shape : NULL;
  if (FL_LIKELY(shape != NULL) && FL_LIKELY(shape->nodes == count)) {
    size_t i;
    for (i = 0; i < count; i++, nodes += LAY(node_bytes)) {
      const struct lay_value key = LAY(node_key)(nodes);
      if (LAY(node_is_nil)(nodes)) {
        if (FL_UNLIKELY(shape->key[i] != NULL)) break;
      } else if (FL_UNLIKELY(shape->key[i] != LAY(pointer)(key)) || FL_UNLIKELY(!LAY(is_string)(key))) {
        break;
      }
    }
    nodes -= i * LAY(node_bytes);
    if (FL_LIKELY(i == count) &&
        (FL_LIKELY(shape->document == all->document) || LAY(pack_shape_holds_)(all, shape, nodes)))
      return all->last = shape->slot, shape;
  }
  return LAY(pack_find_shape_)(b, nodes, count);
}

/* Writes a record whose values are the items from `first` on, all at or after position `begin`. */
FL_INLINE char *LAY(pack_record)(struct bin_encoder *e, char *w, struct bin_item *first, struct pack_shape *shape,
                                 uint64_t document, uint32_t begin, uint32_t *position) {
  const size_t n = shape->pairs;
  uint32_t here = pack_position(e, w);
  if (shape->written != document || FL_UNLIKELY(here + 2 * n + 1 - shape->position > BIN_NARROW_REACH / 2)) {
    w = buf_reserve(&e->out, w, PACK_PIECE + shape->bytes);
    if (FL_UNLIKELY(!w)) return bin_fail(e, BIN_ERROR_MEMORY), NULL;
    for (size_t i = 0; i < shape->bytes; i += 32) memcpy(w + i, shape->text + i, 32);
    shape->written = document;
    shape->position = here;
    here += shape->bytes / 2;
    w += shape->bytes;
  }
  if (FL_UNLIKELY(here + 2 * n + 1 - begin > BIN_NARROW_REACH / 2))
    return pack_wide_record_(e, w, first, shape, position);
  *position = here;
  bin_store16((uint8_t *)w, bin_header(n, 1, 0));
  w += 2;
  for (size_t i = 0; i < n; i++, w += 4) {
    const struct pack_name x = shape->names[i];
    here += 2;
    pack_store_slots(w, x.slot + ((here - 1 - shape->position) & x.mask), bin_narrow_slot(first[i].word, here));
  }
  return w;
}

/* Writes a number, if it does not fit the item. Returns the end, or NULL if it is NaN. */
FL_INLINE char *LAY(pack_number)(const struct bin_encoder *e, char *w, struct lay_value v, uint32_t *item) {
  uint64_t integer;
  int is_negative;
  if (LAY(is_integer)(v)) {
    integer = (uint64_t)LAY(integer)(v);
    is_negative = LAY(integer)(v) < 0;
  } else {
    const double d = LAY(number)(v);
    if (LAY(has_integers) || !pack_is_integer(d)) {
      *item = pack_position(e, w) | BIN_ITEM_POINTER;
      return FL_LIKELY(d == d) ? pack_fast_double(w, d) : NULL;
    }
    integer = pack_integer_bits(d);
    is_negative = d < 0;
  }
  if (FL_LIKELY(integer + (uint64_t)-BIN_SMALL_LEAST <= (uint64_t)(BIN_SMALL_MOST - BIN_SMALL_LEAST)) &&
      (is_negative || integer <= (uint64_t)BIN_SMALL_MOST)) {
    *item = ((uint32_t)integer & 0xfff) << 16;
    return w;
  }
  *item = pack_position(e, w) | BIN_ITEM_POINTER;
  return pack_fast_integer(w, integer, is_negative);
}

/* Writes an array of a few numbers. Returns the end, or NULL if one is NaN. */
FL_INLINE char *LAY(pack_point)(struct bin_encoder *e, char *w, const char *items, size_t n, uint32_t *position) {
  struct bin_item point[PACK_POINT];
  const uint32_t begin = pack_position(e, w);
  for (size_t i = 0; i < n; i++) {
    w = LAY(pack_number)(e, w, LAY(array_item)(items, i), &point[i].word);
    if (FL_UNLIKELY(!w)) return NULL;
  }
  return pack_array(e, w, point, n, begin, position);
}

/* Makes room for n more items and a piece of output, and sets where both end. Stores and loads `w` and `top`. */
FL_NOINLINE int LAY(pack_make_room_)(struct bin_encoder *e, size_t n) {
  if (e->count + n > e->items_room && !bin_grow_(e, (void **)&e->items, &e->items_room, e->count + n, sizeof *e->items))
    return 0;
  return (!e->w || bin_is_short(e)) && bin_reserve(e, PACK_PIECE);
}

/* Encodes the table at `root`: the loop of raw.h with faster writers. */
FL_NOINLINE FL_ALIGNED enum encode_result LAY(pack_fast)(struct lua_to_binary *b, const char *root) {
  struct encode_state *c = b->walk;
  struct bin_encoder *e = b->e;
  const size_t max_depth = c->out.style->max_depth;
  const char *t = root, *base = NULL;
  size_t depth = 0, i = 0, n = 0;
  enum encode_kind kind = ENCODE_ITEMS;
  struct pack_shape *shape = NULL;
  struct lay_value v;
  const char *tortoise = NULL; /* finds cycles: see encode/raw/loop.h */
  size_t tortoise_depth = 0;
  char *w;
  struct bin_item *top;
  FL_ASSERT(e->base_n == 0 && !e->keys && !e->is_extern);
  c->has_classes = 0;
  c->list_length = 0;
  if (!LAY(pack_make_room_)(e, 1)) goto fail;

#define STORE() (e->w = w, e->count = (size_t)(top - e->items))
#define LOAD() (w = e->w, top = e->items + e->count)
  LOAD();

open : {
  struct encode_opened f;
  struct encode_frame *frame;
  enum encode_result opened;
  size_t room;
  if (FL_UNLIKELY(t == tortoise || depth >= max_depth)) return ENCODE_REDO;
  opened = LAY(encode_open_unordered)(c, t, &f);
  if (FL_UNLIKELY(opened != ENCODE_DONE)) return opened;
  if (FL_UNLIKELY(f.empty)) {
    const int is_dict = f.kind == ENCODE_NODES || f.kind == ENCODE_LIST_OBJECT;
    top++->word = (uint32_t)(is_dict ? BIN_TAG_DICT : BIN_TAG_ARRAY) << 28;
    if (depth == 0) goto done;
    goto next;
  }
  if (FL_UNLIKELY(!encode_need_frames(c, depth + 1))) return ENCODE_MEMORY;
  room = f.n - f.i;
  shape = NULL;
  if (FL_LIKELY(f.kind == ENCODE_NODES)) {
    room = 2 * (room / LAY(node_bytes));
    shape = LAY(pack_find_shape)(b, f.base, f.n / LAY(node_bytes));
    if (FL_LIKELY(shape != NULL)) {
      shape->open++;
      f.kind = PACK_SHAPED;
      f.i = 0, f.n = shape->pairs;
      room = 2 * f.n;
    }
  } else if (f.kind == ENCODE_LIST_OBJECT) {
    room *= 2;
  }
  STORE();
  if (FL_UNLIKELY(room > e->items_room - e->count) && !LAY(pack_make_room_)(e, room)) goto fail;
  if (FL_UNLIKELY(!bin_begin(e, f.kind != ENCODE_ITEMS && f.kind != ENCODE_LIST_ARRAY))) goto fail;
  LOAD();
  if (shape) e->open[depth].mark = (uint16_t)shape->slot;
  frame = &c->frames[depth++];
  if (depth == 2 * tortoise_depth || depth == 1) tortoise = t, tortoise_depth = depth;
  frame->table = t;
  frame->kind = kind = f.kind;
  frame->base = base = f.base;
  frame->n = n = f.n;
  frame->list_start = i = f.i;
}

next:
  if (FL_UNLIKELY(w > e->out.end)) {
    STORE();
    if (!LAY(pack_make_room_)(e, 0)) goto fail;
    LOAD();
  }
  if (kind == ENCODE_ITEMS) {
    if (i == n) goto close;
    v = LAY(array_item)(base, i++);
  } else if (FL_LIKELY(kind == PACK_SHAPED)) {
    if (i == n) goto close;
    v = LAY(node_value)(base + shape->names[i++].node);
  } else {
    struct lay_value key;
    if (kind == ENCODE_NODES) {
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
    if (kind != ENCODE_LIST_ARRAY) {
      size_t length;
      int fine;
      STORE();
      if (FL_LIKELY(LAY(is_string)(key))) {
        const char *s = LAY(string)(key, &length);
        fine = pack_put_text(e, c->out.utf8, 1, s, length);
      } else {
        fine = LAY(pack_put_number_key_)(b, key);
      }
      if (FL_UNLIKELY(!fine)) goto fail;
      if (FL_UNLIKELY(e->w > e->out.end) && !LAY(pack_make_room_)(e, 0)) goto fail;
      LOAD();
    }
  }

  if (FL_LIKELY(LAY(is_string)(v))) {
    size_t length;
    const char *s = LAY(string)(v, &length);
    if (FL_LIKELY(length >= BIN_POOLED_LEAST && length <= PACK_SHORT) && FL_LIKELY(text_is_readable(s, PACK_SHORT))) {
      const size_t head = 1 + (length >= BIN_LONG_LENGTH);
      top->word = pack_position(e, w) | BIN_ITEM_POINTER;
      w[0] = (char)(BIN_TAG_STRING << 4 | (length < BIN_LONG_LENGTH ? length : BIN_LONG_LENGTH));
      w[1] = (char)length;
      if (FL_LIKELY(!pack_copy_short(w + head, s, length)) || FL_LIKELY(c->out.utf8(s, length) == length)) {
        w[head + length] = 0;
        w += (head + length + 1) & ~(size_t)1;
        top++;
        goto next;
      }
    }
    w = pack_fast_text_(b, w, top, s, length);
    if (FL_UNLIKELY(!w)) goto fail;
    top++;
    goto next;
  }
  if (LAY(is_integer)(v) || LAY(is_float)(v)) {
    w = LAY(pack_number)(e, w, v, &top->word);
    if (FL_UNLIKELY(!w)) return ENCODE_REDO;
    top++;
    goto next;
  }
  if (LAY(is_table)(v)) {
    if (kind != PACK_SHAPED) LAY(encode_fetch_next)(kind, base, i, n);
    t = LAY(pointer)(v);
    const size_t numbers = LAY(encode_point)(c, t, PACK_POINT);
    if (numbers && FL_LIKELY(depth < max_depth)) {
      uint32_t position;
      w = LAY(pack_point)(e, w, LAY(array)(t), numbers, &position);
      if (FL_UNLIKELY(!w)) return ENCODE_REDO;
      top++->word = position | BIN_ITEM_POINTER;
      goto next;
    }
    c->frames[depth - 1].i = i;
    goto open;
  }
  if (LAY(is_true)(v) || LAY(is_false)(v)) {
    top++->word = (uint32_t)(LAY(is_true)(v) ? BIN_TRUE : BIN_FALSE) << 24;
  } else if (LAY(is_nil)(v) || (LAY(is_light)(v) && v.bits == c->null_word)) {
    top++->word = (uint32_t)BIN_NULL << 24; /* nil: a hole in a list */
  } else {
    STORE();
    if (FL_UNLIKELY(!LAY(pack_put_other_)(b, v))) goto fail;
    LOAD();
  }
  goto next;

close : {
  const struct encode_frame *frame = &c->frames[--depth];
  const struct bin_open *o = &e->open[depth];
  struct bin_item *first = e->items + o->first;
  uint32_t position;
  if (FL_LIKELY(kind == PACK_SHAPED)) {
    FL_ASSERT((size_t)(top - first) == n);
    shape->open--;
    e->depth--;
    w = LAY(pack_record)(e, w, first, shape, b->shapes->document, o->begin, &position);
    if (FL_UNLIKELY(!w)) goto fail;
  } else if (kind == ENCODE_ITEMS) {
    FL_ASSERT((size_t)(top - first) == n);
    e->depth--;
    w = pack_array(e, w, first, n, o->begin, &position);
    if (FL_UNLIKELY(!w)) goto fail;
  } else {
    STORE();
    if (FL_UNLIKELY(!bin_end(e))) goto fail;
    LOAD();
    goto closed;
  }
  first->word = position | BIN_ITEM_POINTER;
  top = first + 1;
closed:
  if (kind >= ENCODE_LIST_ARRAY && kind != PACK_SHAPED) c->list_length = frame->list_start;
  if (depth == 0) goto done;
  if (depth < tortoise_depth) tortoise_depth /= 2, tortoise = c->frames[tortoise_depth - 1].table;
  frame--;
  kind = frame->kind, base = frame->base, i = frame->i, n = frame->n;
  shape = kind == PACK_SHAPED ? b->shapes->slots[e->open[depth - 1].mark].shape : NULL;
  goto next;
}

done:
  STORE();
  return ENCODE_DONE;

fail:
  return LAY(pack_failed_)(b);
#undef STORE
#undef LOAD
}

#undef LAY
