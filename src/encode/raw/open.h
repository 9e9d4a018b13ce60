/* SPDX-License-Identifier: MIT
** open.h -- template: opens Lua tables below the API: whether one is an array or an object, and where its values are.
** Must hold: no lua_* call anywhere below; what it cannot decide is ENCODE_REDO.
** Parameter: LAYOUT, the prefix of the layout's readers. paste_open.h includes it once for each. */
#include "../state.h"

#define LAY(name) FL_PASTE(LAYOUT, name)

/* Returns the number of items before the first nil. By fours, because for an array of small integers this loop takes a
** tenth of the time. */
FL_INLINE size_t LAY(encode_dense)(const char *array, size_t size) {
  size_t i = 0;
  while (i + 4 <= size && !LAY(array_is_nil)(array, i) && !LAY(array_is_nil)(array, i + 1) &&
         !LAY(array_is_nil)(array, i + 2) && !LAY(array_is_nil)(array, i + 3))
    i += 4;
  while (i < size && !LAY(array_is_nil)(array, i)) i++;
  return i;
}

/* The number of the first item from i on that is not nil, or size. By eights without a branch between them, because an
** array that has lost most of its items keeps its size: 5 of 1,000 took 7,250 instructions, and take 3,070. `cpu`: the
** TEXT_CPU_ bits to use. */
FL_INLINE size_t LAY(encode_skip_nils)(const char *array, size_t i, size_t size, unsigned cpu) {
  if (LAY(has_tags) && FL_UNLIKELY(size - i >= ENCODE_SLOTS_LEAST)) i = encode_skip_slots(array, i, size, cpu);
  while (i + 8 <= size && LAY(array_is_nil8)(array, i)) i += 8;
  while (i < size && LAY(array_is_nil)(array, i)) i++;
  return i;
}

/* Prefetching. In a program that has run for a while, tables and strings are scattered over the heap, and encoding
** waits for memory most of the time. On a heap with 400,000 freed objects, prefetching the next values while one is
** written saves 35 to 50 % with canada and citm_catalog, 17 to 28 % with people and twitter; on a fresh heap 10 to 25 %
** with the first two. With five entries in the cache it costs 3 %. Values that are not pointers are prefetched, too,
** because a prefetch never faults. */
enum { LAY(encode_near) = 1, LAY(encode_far) = 3, LAY(encode_fetch_most) = 64 };

/* Adds as integers, because the value may not be a pointer. At 16 bytes are a string's length and first bytes. */
FL_INLINE void LAY(encode_fetch)(struct lay_value v) { FL_PREFETCH((const void *)((uintptr_t)LAY(pointer)(v) + 16)); }

/* When an array of tables is opened: prefetches those that are too near for encode_fetch_next. */
FL_INLINE void LAY(encode_fetch_items)(const char *array, size_t n) {
  if (!LAY(is_table)(LAY(array_item)(array, 0))) return;
  for (size_t i = 1; i < LAY(encode_far) && i < n; i++) LAY(encode_fetch)(LAY(array_item)(array, i));
}

/* Returns the distance from one value to the next: for nodes in bytes, which saves a multiplication. */
FL_INLINE size_t LAY(encode_step)(enum encode_kind kind) { return kind == ENCODE_NODES ? LAY(node_bytes) : 1; }

FL_INLINE struct lay_value LAY(encode_peek)(enum encode_kind kind, const char *base, size_t i) {
  return kind == ENCODE_ITEMS ? LAY(array_item)(base, i) : LAY(node_value)(base + i);
}

/* Before a table is opened, whose next sibling is at i: prefetches the array and nodes of the sibling after that, and
** the head of a later one. */
FL_INLINE void LAY(encode_fetch_next)(enum encode_kind kind, const char *base, size_t i, size_t n) {
  const size_t step = LAY(encode_step)(kind);
  if (FL_UNLIKELY(kind >= ENCODE_LIST_ARRAY)) return;
  if (i + LAY(encode_near) * step < n) {
    const struct lay_value v = LAY(encode_peek)(kind, base, i + LAY(encode_near) * step);
    if (LAY(is_table)(v)) {
      FL_PREFETCH(LAY(nodes)(LAY(pointer)(v)));
      FL_PREFETCH(LAY(array)(LAY(pointer)(v)));
    }
  }
  if (i + LAY(encode_far) * step < n) LAY(encode_fetch)(LAY(encode_peek)(kind, base, i + LAY(encode_far) * step));
}

/* Opens a table whose nodes are iterated from number `first` on. Prefetches the values, unless there are more than the
** cache can hold until they are needed. */
FL_INLINE void LAY(encode_take_nodes)(struct encode_opened *f, const char *nodes, size_t first, size_t count) {
  size_t i = first * LAY(node_bytes), n = count * LAY(node_bytes);
  f->kind = ENCODE_NODES, f->base = nodes, f->i = i, f->n = n, f->empty = 0;
  if (count > LAY(encode_fetch_most)) return;
  for (; i < n; i += LAY(node_bytes)) LAY(encode_fetch)(LAY(node_value)(nodes + i));
}

#include "rare_tables.h"

/* Opens the most common kind of table: no metatable, no array part, first key a string. Returns 0 for other kinds. The
** result is that of encode_open; with this apache_builds takes 5 % fewer instructions, github_events 3 %. */
FL_INLINE int LAY(encode_open_record)(const char *t, struct encode_opened *f) {
  const char *nodes = LAY(nodes)(t);
  const size_t node_count = LAY(node_count)(t);
  size_t node = 0;
  if (LAY(array_size)(t) != 0 || LAY(metatable)(t) || LAY(has_key0)(t)) return 0;
  while (node < node_count && LAY(node_is_nil)(nodes + node * LAY(node_bytes))) node++;
  if (node == node_count || !LAY(is_string)(LAY(node_key)(nodes + node * LAY(node_bytes)))) return 0;
  LAY(encode_take_nodes)(f, nodes, node, node_count);
  return 1;
}

/* Finishes encode_open for a table that cannot be iterated in place. It receives the members of encode_opened one by
** one: with a pointer to the struct, pack took 4 % more instructions for a list of integers. */
typedef enum encode_result (*LAY(encode_list))(struct encode_state *c, const char *t, enum table_class mark,
                                               enum encode_kind *kind, size_t *first, size_t *end);

/* Handles the common tables: only a dense array part, or only string keys. The rest is for `list`, usually
** encode_list_. */
FL_INLINE enum encode_result LAY(encode_open)(struct encode_state *c, const char *t, struct encode_opened *f,
                                              int styled, LAY(encode_list) list) {
  const struct json_style *style = c->out.style;
  const char *array = LAY(array)(t), *nodes = LAY(nodes)(t), *mt = LAY(metatable)(t);
  size_t size = LAY(array_size)(t), node_count = LAY(node_count)(t);
  size_t dense, rest, node = 0;
  enum table_class mark = ENCODE_PLAIN;
  if (!(styled && style->sort_keys) && FL_LIKELY(LAY(encode_open_record)(t, f))) return ENCODE_DONE;
  rest = dense = LAY(encode_dense)(array, size);
  if (FL_UNLIKELY(mt != NULL)) {
    mark = LAY(encode_table_class_)(c, mt);
    if (mark == ENCODE_HOOK) return ENCODE_REDO;
  }
  rest = LAY(encode_skip_nils)(array, rest, size, c->out.cpu & ~style->avoid);
  while (node < node_count && LAY(node_is_nil)(nodes + node * LAY(node_bytes))) node++;
  f->empty = ENCODE_FILLED;
  if (FL_LIKELY(rest == size && !LAY(has_key0)(t))) {
    if (node == node_count && dense > 0 && FL_LIKELY(mark != ENCODE_OBJECT)) {
      f->kind = ENCODE_ITEMS, f->base = array, f->i = 0, f->n = dense;
      LAY(encode_fetch_items)(array, dense);
      return ENCODE_DONE;
    }
    if (node == node_count && dense == 0) {
      int object = mark == ENCODE_OBJECT || (mark == ENCODE_PLAIN && style->empty_object);
      f->kind = object ? ENCODE_NODES : ENCODE_ITEMS, f->empty = ENCODE_EMPTY;
      return ENCODE_DONE;
    }
    if (dense == 0 && (mark == ENCODE_PLAIN || mark == ENCODE_OBJECT) && !(styled && style->sort_keys) &&
        (mark == ENCODE_OBJECT || LAY(is_string)(LAY(node_key)(nodes + node * LAY(node_bytes))))) {
      LAY(encode_take_nodes)(f, nodes, node, node_count);
      return ENCODE_DONE;
    }
  }
  return list(c, t, mark, &f->kind, &f->i, &f->n);
}

/* encode_open for walks that ignore the order of members: they, too, write a remembered table without a mark as an
** object. */
FL_INLINE enum encode_result LAY(encode_open_unordered)(struct encode_state *c, const char *t,
                                                        struct encode_opened *f) {
  const enum encode_result opened = LAY(encode_open)(c, t, f, 0, LAY(encode_list_));
  if (FL_LIKELY(!c->orders->used) || opened != ENCODE_DONE || f->kind == ENCODE_NODES || f->kind == ENCODE_LIST_OBJECT)
    return opened;
  if (LAY(metatable)(t) && LAY(encode_table_class_)(c, LAY(metatable)(t)) != ENCODE_PLAIN) return opened;
  if (!LAY(encode_names_of)(c->orders, t)) return opened;
  if (f->kind == ENCODE_LIST_ARRAY) c->list_length = f->i;
  return LAY(encode_open_remembered_)(c, t, f);
}

/* Returns the number of items of a plain array of at most `most` numbers, such as a point, or 0 for any other table. */
FL_INLINE size_t LAY(encode_point)(const struct encode_state *c, const char *t, size_t most) {
  const char *array = LAY(array)(t);
  const size_t size = LAY(array_size)(t);
  size_t n = 0, i;
  if (size - 1 >= most || LAY(node_count)(t) > 1 || !LAY(node_is_nil)(LAY(nodes)(t)) || LAY(metatable)(t)) return 0;
  if (LAY(has_key0)(t) || (FL_UNLIKELY(c->orders->used) && LAY(encode_names_of)(c->orders, t))) return 0;
  while (n < size && (LAY(is_float)(LAY(array_item)(array, n)) || LAY(is_integer)(LAY(array_item)(array, n)))) n++;
  for (i = n; i < size; i++)
    if (!LAY(array_is_nil)(array, i)) return 0;
  return n;
}

/* Returns whether the table is only a dense array part, and sets *n to its length. If not, it may still be an array. */
FL_FUNC int LAY(encode_is_sequence)(const char *t, size_t *n) {
  const char *array = LAY(array)(t), *nodes = LAY(nodes)(t);
  const size_t size = LAY(array_size)(t), node_count = LAY(node_count)(t);
  size_t rest, node = 0;
  rest = *n = LAY(encode_dense)(array, size);
  rest = LAY(encode_skip_nils)(array, rest, size, 0);
  while (node < node_count && LAY(node_is_nil)(nodes + node * LAY(node_bytes))) node++;
  return *n > 0 && rest == size && node == node_count && !LAY(has_key0)(t);
}

#undef LAY
