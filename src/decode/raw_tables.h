/* SPDX-License-Identifier: MIT
** raw_tables.h -- template: decoding below the API of one layout.
** Must hold: L->top may lag behind k->top and is set to it before each call of Lua; after each call that may move the
** stack our pointers are corrected. Between lua_createtable and the last store into the new table nothing is allocated.
** Rare cases use the public API, on the same waiting values.
** Parameter, stays defined: LAYOUT. instances.h makes an instance for each layout of layout/layouts.h, such as
** luajit_json_to_lua_scan. The scanner calls the functions named after its events (json/grammar/scan_template.h:
** null, boolean, number, string, guess, name, open, close), and so does the reader of binary
** (document/to_lua/values_template.h); struct json_to_lua_decoder has the others that are called from outside. */

#define LAY(name) FL_PASTE(LAYOUT, name)
#define JSON_TO_LUA_SLOT LAY(slot_bytes)

FL_INLINE void LAY(json_to_lua_sync)(struct json_to_lua *k) { LAY(set_top)(k->L, k->top); }
FL_FUNC void LAY(json_to_lua_give)(struct json_to_lua *k) { LAY(json_to_lua_sync)(k); }

/* After a call that has pushed one value: corrects pointers, since it may have moved the stack. */
FL_INLINE void LAY(json_to_lua_pushed)(struct json_to_lua *k) {
  char *top = LAY(top)(k->L);
  ptrdiff_t moved = (ptrdiff_t)((uintptr_t)top - (uintptr_t)k->top) - JSON_TO_LUA_SLOT;
  k->top = top;
  if (FL_UNLIKELY(moved != 0)) {
    k->first += moved;
    k->limit += moved;
  }
  k->limit = LAY(granted)(k->L, k->limit, JSON_TO_LUA_MARGIN);
}

/* Corrects pointers after any other call. */
FL_FUNC void LAY(json_to_lua_take)(struct json_to_lua *k) {
  k->top = LAY(top)(k->L);
  FL_ASSERT(lua_gettop(k->L) >= k->region - 1);
  k->first = k->top - json_to_lua_on_stack(k) * JSON_TO_LUA_SLOT;
  k->limit = LAY(granted)(k->L, k->first + k->granted * JSON_TO_LUA_SLOT, JSON_TO_LUA_MARGIN);
}

/* json_scan.grow. */
FL_FUNC char *LAY(json_to_lua_grow)(void *owner, size_t n) {
  struct json_to_lua *k = (struct json_to_lua *)owner;
  LAY(json_to_lua_sync)(k);
  char *block = json_to_lua_grow_scratch(k, n);
  LAY(json_to_lua_take)(k);
  return block;
}

FL_SHARED void LAY(json_to_lua_more_)(struct json_to_lua *k) {
  LAY(json_to_lua_sync)(k);
  json_to_lua_more_(k);
  LAY(json_to_lua_take)(k);
}

/* Returns the next slot, which is free. */
FL_INLINE char *LAY(json_to_lua_slot)(struct json_to_lua *k) {
  if (FL_UNLIKELY(k->top >= k->limit)) LAY(json_to_lua_more_)(k);
  FL_ASSERT(k->first <= k->top && k->top < k->limit);
  return k->top;
}
FL_INLINE void LAY(json_to_lua_taken)(struct json_to_lua *k, char *slot) { k->top = slot + JSON_TO_LUA_SLOT; }

FL_SHARED void LAY(json_to_lua_other_null_)(struct json_to_lua *k) {
  LAY(json_to_lua_sync)(k);
  json_to_lua_push_null(k);
  LAY(json_to_lua_pushed)(k);
}

FL_INLINE int LAY(json_to_lua_null)(struct json_to_lua *k) {
  char *slot = LAY(json_to_lua_slot)(k);
  if (FL_UNLIKELY(k->o->null || k->o->drop_null)) {
    LAY(json_to_lua_other_null_)(k);
    return 1;
  }
  LAY(put_light)(slot, k->null_word);
  LAY(json_to_lua_taken)(k, slot);
  return 1;
}

FL_INLINE int LAY(json_to_lua_boolean)(struct json_to_lua *k, int b) {
  char *slot = LAY(json_to_lua_slot)(k);
  LAY(put_boolean)(slot, b);
  LAY(json_to_lua_taken)(k, slot);
  return 1;
}

FL_INLINE int LAY(json_to_lua_double)(struct json_to_lua *k, double d) {
  char *slot = LAY(json_to_lua_slot)(k);
  LAY(put_number)(slot, d);
  LAY(json_to_lua_taken)(k, slot);
  return 1;
}

FL_SHARED int LAY(json_to_lua_big)(struct json_to_lua *k, const char *text, size_t n, const struct num_value *v) {
  (void)LAY(json_to_lua_slot)(k);
  LAY(json_to_lua_sync)(k);
  const int fine = json_to_lua_push_big(k, text, n, v);
  LAY(json_to_lua_take)(k);
  return fine;
}

#if LUA_VERSION_NUM < 503
FL_SHARED int LAY(json_to_lua_big_integer_)(struct json_to_lua *k, int64_t i, const char *text, size_t n) {
  struct num_value v;
  v.i = i, v.d = (double)i, v.kind = NUM_INTEGER;
  return LAY(json_to_lua_big)(k, text, n, &v);
}
#endif

FL_INLINE int LAY(json_to_lua_integer)(struct json_to_lua *k, int64_t i, const char *text, size_t n) {
  char *slot = LAY(json_to_lua_slot)(k);
#if LUA_VERSION_NUM < 503
  if (FL_UNLIKELY(!json_to_lua_integer_fits(i))) return LAY(json_to_lua_big_integer_)(k, i, text, n);
#else
  (void)text, (void)n;
#endif
  LAY(put_integer)(slot, i);
  LAY(json_to_lua_taken)(k, slot);
  return 1;
}

FL_INLINE int LAY(json_to_lua_number)(struct json_to_lua *k, const char *text, size_t n, const struct num_value *v) {
  if (FL_LIKELY(v->kind == NUM_INTEGER)) return LAY(json_to_lua_integer)(k, v->i, text, n);
  return FL_LIKELY(v->kind == NUM_DOUBLE) ? LAY(json_to_lua_double)(k, v->d) : LAY(json_to_lua_big)(k, text, n, v);
}

FL_INLINE int LAY(json_to_lua_string)(struct json_to_lua *k, const char *s, size_t n) {
  (void)LAY(json_to_lua_slot)(k);
  LAY(json_to_lua_sync)(k);
  lua_pushlstring(k->L, s, n);
  LAY(json_to_lua_pushed)(k);
  return 1;
}

/* Fills `names` with the names of a shape, first to last. Returns their number. */
FL_FUNC size_t LAY(json_to_lua_names)(const struct shapes *h, unsigned shape, const struct shapes_name **names) {
  size_t n = h->shape[shape].count, i;
  for (i = n; i > 0; i--) {
    names[i - 1] = &h->name[h->shape[shape].name];
    shape = h->shape[shape].parent;
  }
  return n;
}

/* Inserts the names of the innermost object before its values on the stack, because it is not a record. They are all
** different if duplicates are an error, so that no error needs their positions. */
FL_SHARED void LAY(json_to_lua_to_pairs_)(struct json_to_lua *k) {
  const struct shapes_name *names[SHAPES_LONGEST];
  const size_t n = LAY(json_to_lua_names)(k->shapes, k->shape, names), slots = k->stride * n, start = k->frame->start;
  size_t i;
  k->shape = JSON_TO_LUA_PAIRS;
  if (n == 0) return;
  LAY(json_to_lua_sync)(k);
  if (!lua_checkstack(k->L, (int)slots + JSON_TO_LUA_MARGIN)) json_to_lua_spill(k);
  compat_need_stack(k->L, (int)slots + JSON_TO_LUA_MARGIN);
  for (i = 0; i < n; i++) {
    char *top = LAY(top)(k->L);
    LAY(put_interned)(top, names[i]->object);
    LAY(set_top)(k->L, top + JSON_TO_LUA_SLOT);
    if (k->stride == 3) lua_pushnil(k->L);
    json_to_lua_push_waiting(k, start + i);
  }
  char *pairs = LAY(top)(k->L) - slots * JSON_TO_LUA_SLOT;
  if (start < k->spilled) k->spilled = start;
  LAY(json_to_lua_take)(k);
  char *place = k->first + (start - k->spilled) * JSON_TO_LUA_SLOT;
  memmove(place, pairs, slots * JSON_TO_LUA_SLOT);
  k->top = place + slots * JSON_TO_LUA_SLOT;
}

FL_SHARED void LAY(json_to_lua_pair_name_)(struct json_to_lua *k, struct json_string name, const char *p) {
  if (k->shape != JSON_TO_LUA_PAIRS) LAY(json_to_lua_to_pairs_)(k);
  LAY(json_to_lua_sync)(k);
  json_to_lua_push_name(k, name, p);
  LAY(json_to_lua_take)(k);
}

/* Replaces the shapes by larger ones. Returns 0 if that fails. */
FL_SHARED int LAY(json_to_lua_grow_shapes_)(struct json_to_lua *k) {
  LAY(json_to_lua_sync)(k);
  const int fine = k->grow_shapes(k); /* may run a finalizer that decodes */
  LAY(json_to_lua_take)(k);
  return fine;
}

/* Returns the number of a name, remembering it if possible, or -1. A new name is anchored before it can be found. */
FL_SHARED int LAY(json_to_lua_remember_)(struct json_to_lua *k, struct json_string name, uint32_t hash) {
  struct shapes *h = k->shapes;
  if (h->names == h->room) {
    h->full = 1;
    return -1;
  }
  (void)LAY(json_to_lua_slot)(k);
  LAY(json_to_lua_sync)(k);
  lua_pushlstring(k->L, name.s, name.n); /* may run a finalizer that decodes */
  LAY(json_to_lua_pushed)(k);
  const struct shapes_name *known = shapes_find_name(h, name.s, name.n, hash);
  const struct lay_value v = LAY(slot)(k->top - JSON_TO_LUA_SLOT);
  if (!known && h->names < h->room && LAY(is_interned)(v)) {
    lua_rawseti(k->L, k->anchors, h->names + 1); /* within the array part, so nothing is allocated */
    known = shapes_add_name(h, name.s, name.n, hash, LAY(pointer)(v));
  }
  k->top -= JSON_TO_LUA_SLOT;
  return known ? (int)(known - h->name) : -1;
}

/* Returns the shape that a name leads to, or 0 if it is not remembered. */
FL_INLINE unsigned LAY(json_to_lua_shape_after)(struct json_to_lua *k, struct json_string name, uint32_t hash) {
  struct shapes *h = k->shapes;
  const struct shapes_name *known = shapes_find_name(h, name.s, name.n, hash);
  int number = known ? (int)(known - h->name) : LAY(json_to_lua_remember_)(k, name, hash);
  unsigned to = number < 0 ? 0 : shapes_next(h, k->shape, (unsigned)number);
  if (FL_LIKELY(to != 0) && FL_LIKELY(h->name[number].is_plain)) {
    if (FL_LIKELY(!h->shape[to].repeats)) h->shape[k->shape].likely = (uint16_t)to;
    else h->shape[k->shape].likely_repeat = (uint16_t)to;
  }
  return to;
}

/* Like json_to_lua_shape_after, after there was no room for it. */
FL_SHARED unsigned LAY(json_to_lua_shape_at_last_)(struct json_to_lua *k, struct json_string name, uint32_t hash) {
  unsigned to = 0;
  while (to == 0 && k->shapes->full && LAY(json_to_lua_grow_shapes_)(k))
    to = LAY(json_to_lua_shape_after)(k, name, hash);
  return to;
}

/* Handles a name that was not the likely one. A record's name leads to the next shape; others wait as strings. */
FL_SHARED int LAY(json_to_lua_name)(struct json_to_lua *k, struct json_string name, const char *p, int plain) {
  if (k->shape != JSON_TO_LUA_PAIRS && plain && name.n <= SHAPES_NAME_BYTES) {
    uint32_t hash = shapes_hash(name.s, name.n);
    unsigned to = LAY(json_to_lua_shape_after)(k, name, hash);
    if (FL_UNLIKELY(to == 0) && k->shapes->full) to = LAY(json_to_lua_shape_at_last_)(k, name, hash);
    if (FL_LIKELY(to != 0) && (FL_LIKELY(!k->shapes->shape[to].repeats) || k->o->duplicates == JSON_TO_LUA_LAST)) {
      k->shape = to;
      return 1;
    }
  }
  LAY(json_to_lua_pair_name_)(k, name, p);
  return 1;
}

FL_INLINE const char *LAY(json_to_lua_guess)(struct json_to_lua *k, const char *p) {
  size_t length;
  if (FL_UNLIKELY(k->shape == JSON_TO_LUA_PAIRS)) return NULL;
  if (FL_UNLIKELY(k->scan.end - p < 16) && !text_is_readable(p, 16)) return NULL;
  const struct shapes_shape *from = &k->shapes->shape[k->shape];
  unsigned to = shapes_guess(k->shapes, from->likely, p, k->scan.end, &length);
  if (FL_UNLIKELY(to == 0) && FL_UNLIKELY(from->likely_repeat != 0) && k->o->duplicates == JSON_TO_LUA_LAST)
    to = shapes_guess(k->shapes, from->likely_repeat, p, k->scan.end, &length);
  if (!to) return NULL;
  k->shape = to;
  return p + length;
}

FL_INLINE size_t LAY(json_to_lua_number_of)(const struct json_to_lua *k, const char *slot) {
  return k->spilled + (size_t)(slot - k->first) / JSON_TO_LUA_SLOT;
}

FL_INLINE void LAY(json_to_lua_need_child)(struct json_to_lua *k) {
  if (FL_UNLIKELY(k->top >= k->limit - JSON_TO_LUA_CHILD * JSON_TO_LUA_SLOT)) LAY(json_to_lua_more_)(k);
}

FL_INLINE void LAY(json_to_lua_open)(struct json_to_lua *k, enum scan_container kind) {
  LAY(json_to_lua_need_child)(k); /* and a slot for the table that it will become */
  if (FL_UNLIKELY(k->frame + 1 == k->frames_end)) {
    LAY(json_to_lua_sync)(k);
    json_to_lua_grow_frames(k);
    LAY(json_to_lua_take)(k);
  }
  json_to_lua_open(k, kind, LAY(json_to_lua_number_of)(k, k->top), k->object_shape);
}

/* Replaces the values from `slots` on by the table at k->top, which is finished. */
FL_INLINE void LAY(json_to_lua_replace)(struct json_to_lua *k, char *slots) {
  FL_ASSERT(k->first <= slots && slots <= k->top);
  memmove(slots, k->top, JSON_TO_LUA_SLOT);
  k->top = slots + JSON_TO_LUA_SLOT;
}

FL_SHARED void LAY(json_to_lua_set_result_metatable_)(struct json_to_lua *k, int is_array, size_t n) {
  LAY(json_to_lua_sync)(k);
  json_to_lua_set_result_metatable(k, is_array, n);
  LAY(json_to_lua_take)(k);
}

/* Sets the metatable of a table that lua_createtable has just made: see `metatable` of struct json_to_lua. */
FL_INLINE void LAY(json_to_lua_set_result_metatable)(struct json_to_lua *k, char *table, int is_array, size_t n) {
  if (FL_LIKELY(k->metatable[is_array] != NULL)) LAY(put_metatable)(table, k->metatable[is_array]);
  else LAY(json_to_lua_set_result_metatable_)(k, is_array, n);
}

FL_SHARED void LAY(json_to_lua_build_array_)(struct json_to_lua *k) {
  LAY(json_to_lua_sync)(k);
  json_to_lua_build_array_(k, k->frame->start);
  LAY(json_to_lua_take)(k);
}

FL_INLINE enum scan_container LAY(json_to_lua_close_array)(struct json_to_lua *k) {
  size_t start = k->frame->start, n = LAY(json_to_lua_number_of)(k, k->top) - start;
  if (FL_UNLIKELY(start < k->spilled) || FL_UNLIKELY(k->frame->flushed)) {
    LAY(json_to_lua_build_array_)(k);
    return json_to_lua_close(k);
  }
  LAY(json_to_lua_sync)(k);
  lua_createtable(k->L, (int)n, 0);
  LAY(json_to_lua_pushed)(k);
  k->top -= JSON_TO_LUA_SLOT;
  char *table = (char *)(uintptr_t)LAY(pointer)(LAY(slot)(k->top));
  if (FL_LIKELY(LAY(is_white)(table) && LAY(array_size)(table) >= n)) {
    LAY(fill_items)(table, k->top - n * JSON_TO_LUA_SLOT, n);
    LAY(json_to_lua_replace)(k, k->top - n * JSON_TO_LUA_SLOT);
    if (FL_UNLIKELY(k->o->arrays)) LAY(json_to_lua_set_result_metatable)(k, table, 1, n);
  } else {
    LAY(json_to_lua_build_array_)(k);
  }
  return json_to_lua_close(k);
}

/* json_to_lua_decoder.flush. */
FL_FUNC int LAY(json_to_lua_flush)(lua_State *L, int table, size_t done, size_t n) {
  char *t = (char *)(uintptr_t)lua_topointer(L, table);
  const char *slots = LAY(top)(L) - n * JSON_TO_LUA_SLOT;
  if (LAY(is_black)(t) || LAY(array_size)(t) < done + n) return 0;
  for (size_t i = 0; i < n; i++) LAY(put_item)(t, done + i, slots + i * JSON_TO_LUA_SLOT);
  return 1;
}

/* Remembers where Lua has put the members of a table that has this shape and all its members. */
FL_SHARED void LAY(json_to_lua_learn_)(struct shapes *h, struct shapes_shape *s, const struct shapes_name **names,
                                       const char *table) {
  const char *nodes = LAY(nodes)(table);
  const char *mark = LAY(free_mark)(table);
  size_t count = LAY(node_count)(table), i, j, live = 0;
  struct lay_member *to = &h->member[h->members_used];
  if (!shapes_has_members(h, s->count)) h->full = 1;
  if (h->full || LAY(array_size)(table) != 0) return;
  for (j = 0; j < count; j++) {
    const char *node = nodes + j * LAY(node_bytes);
    struct lay_value key = LAY(node_key)(node);
    if (LAY(node_is_nil)(node)) continue;
    live++;
    for (i = 0; i < s->count && names[i]->object != LAY(pointer)(key); i++) {}
    if (i == s->count || !LAY(is_interned)(key)) return;
    to[i].key = (uint64_t)(uintptr_t)names[i]->object;
    to[i].at = (uint32_t)(node - nodes);
    to[i].next = LAY(node_next)(node);
  }
  if (live != s->count) return;
  if (mark) {
    ptrdiff_t at = fl_load_ptr(mark) - nodes;
    if (at < 0 || (size_t)at > count * LAY(node_bytes)) return;
    s->free_at = (uint32_t)at;
  }
  s->nodes = (uint16_t)count;
  s->members = (uint16_t)(h->members_used + 1);
  h->members_used = (uint16_t)(h->members_used + s->count);
}

/* Builds the innermost object by the public API; remembers its places if its shape has ended an object before. */
FL_SHARED int LAY(json_to_lua_build_object_)(struct json_to_lua *k) {
  const struct shapes_name *names[SHAPES_LONGEST];
  size_t start = k->frame->start, n, i;
  lua_State *L = k->L;
  LAY(json_to_lua_sync)(k);
  if (k->shape == JSON_TO_LUA_PAIRS) {
    int fine = json_to_lua_build_pairs_(k, start);
    LAY(json_to_lua_take)(k); /* also after an error, because the stack may have moved */
    return fine;
  }
  n = LAY(json_to_lua_names)(k->shapes, k->shape, names);
  lua_createtable(L, 0, (int)n);
  for (i = 0; i < n; i++) {
    char *top = LAY(top)(L);
    LAY(put_interned)(top, names[i]->object);
    LAY(set_top)(L, top + JSON_TO_LUA_SLOT);
    json_to_lua_push_waiting(k, start + i);
    lua_rawset(L, -3);
  }
  if (n > 0) {
    struct shapes_shape *s = &k->shapes->shape[k->shape];
    if (s->ended > 0 && !s->members && !s->repeats) {
      if (!shapes_has_members(k->shapes, n) && k->grow_shapes(k)) {
        s = &k->shapes->shape[k->shape];
        LAY(json_to_lua_names)(k->shapes, k->shape, names);
      }
      LAY(json_to_lua_learn_)(k->shapes, s, names, (const char *)lua_topointer(L, -1));
    }
    s->ended = 1;
  }
  json_to_lua_set_result_metatable(k, 0, n);
  json_to_lua_collapse(k, start);
  LAY(json_to_lua_take)(k);
  return 1;
}

FL_INLINE enum scan_container LAY(json_to_lua_close_object)(struct json_to_lua *k) {
  size_t start = k->frame->start;
  const struct shapes_shape *s;
  if (FL_LIKELY(k->shape != JSON_TO_LUA_PAIRS) && FL_LIKELY(start >= k->spilled) &&
      FL_LIKELY((s = &k->shapes->shape[k->shape])->members != 0)) {
    const struct lay_member *m = &k->shapes->member[s->members - 1];
    size_t n = s->count, i;
    char *table, *nodes, *slots;
    FL_ASSERT(LAY(json_to_lua_number_of)(k, k->top) - start == n);
    LAY(json_to_lua_sync)(k);
    lua_createtable(k->L, 0, (int)n);
    LAY(json_to_lua_pushed)(k);
    k->top -= JSON_TO_LUA_SLOT;
    table = (char *)(uintptr_t)LAY(pointer)(LAY(slot)(k->top));
    if (FL_LIKELY(LAY(is_white)(table) && LAY(node_count)(table) == s->nodes)) {
      nodes = (char *)(uintptr_t)LAY(nodes)(table);
      slots = k->top - n * JSON_TO_LUA_SLOT;
      for (i = 0; i < n; i++) LAY(put_member)(nodes, &m[i], slots + i * JSON_TO_LUA_SLOT);
      LAY(end_members)(table, s->free_at);
      LAY(json_to_lua_replace)(k, slots);
      if (FL_UNLIKELY(k->o->objects)) LAY(json_to_lua_set_result_metatable)(k, table, 0, n);
      return json_to_lua_close(k);
    }
  }
  return LAY(json_to_lua_build_object_)(k) ? json_to_lua_close(k) : SCAN_STOP;
}

FL_INLINE enum scan_container LAY(json_to_lua_close)(struct json_to_lua *k, enum scan_container kind) {
  return kind == SCAN_ARRAY ? LAY(json_to_lua_close_array)(k) : LAY(json_to_lua_close_object)(k);
}

#undef LAY
#undef JSON_TO_LUA_SLOT
