/* SPDX-License-Identifier: MIT
** api.h -- values that are Lua tables and scalars, by the public API: a form of value.h whose words may raise. Only
** whether a table is an array is read below the API, if the layout is proven.
** Must hold: arrays and objects are told apart like in encode, but without hooks and errors: what encode refuses is an
** object. Nodes are slots of the Lua stack: one that is held has the slot of its table, then one for a key, and with
** `order` one for a list of keys; what it finds comes next. */
#pragma once

#include "../../encode/raw/instances.h"
#include "../../lua/state.h"
#include "../value.h"

struct value_tables {
  struct value_walk walk;
  lua_State *L;
  struct mod_state *state;
  const struct json_style *style; /* decides whether a table is an array */
  encode_sequence is_sequence;    /* or NULL to use the public API */
  int null;                       /* stack index of the value that stands for null, like fleece.null, or 0 */
  int book;                       /* with `order`: stack index of encode/order.h's book; 0: order of next */
  int names;                      /* stack index of a table with the strings of value_names, from 1 */
  int slots;                      /* slots of a held node after its table */
  int remembered;                 /* first slot of `remember` */
  int is_refreshed;               /* the marks of other libraries were looked up */
};

typedef struct value_tables value_tables_form;
typedef int value_tables_node;

typedef struct {
  uint64_t i, n; /* of an array, or of the list of keys: next item and length */
  int is_array, is_listed;
} value_tables_cursor;

enum { VALUE_TABLES_SLOTS = 48 }; /* more than is pushed between two held nodes */

/* Sets all but `walk`, `null`, `book`, `names` and `remembered`. layout_api: use only the public API. */
FL_PRIVATE void value_tables_begin(struct value_tables *k, lua_State *L, struct mod_state *m,
                                   const struct json_style *style, int layout_api);

/* Whether a table is an array. REFUSED: its metatable says so, or all keys are indices, but encode refuses it. */
enum value_list { VALUE_NO_LIST, VALUE_LIST, VALUE_REFUSED_LIST };

/* Returns what the table is, and sets *n to the length of a list. */
FL_PRIVATE enum value_list value_tables_list(struct value_tables *k, int table, uint64_t *n);

/* Pushes the table's key with the same name as the key at `key`: either this one, or its counterpart as number or text.
** If the table has neither, pushes the key itself and returns 0. Both indices are absolute. */
FL_PRIVATE int value_tables_push_key(lua_State *L, int table, int key);

FL_PRIVATE void value_tables_read(struct value_tables *k, int node, struct value *to);
FL_PRIVATE int value_tables_length(struct value_tables *k, int node, uint64_t *n);
FL_PRIVATE uint64_t value_tables_members(struct value_tables *k, int node);
FL_PRIVATE int value_tables_member(struct value_tables *k, int node, const struct value_name *name, int *child);
FL_PRIVATE void value_tables_open(struct value_tables *k, int node, value_tables_cursor *c);
/* With `order`: finds the next member of an object in the order of its list of keys, or of next. */
FL_PRIVATE int value_tables_next_in_order(struct value_tables *k, int node, value_tables_cursor *c);
FL_PRIVATE const char *value_tables_step(struct value_tables *k, int node, const value_tables_cursor *c, char *room,
                                         size_t *n);
FL_PRIVATE int value_tables_equal(struct value_tables *k, int a, int b);

/* Returns whether the argument at the index can be walked over; views and documents are asked for before. */
FL_PRIVATE int value_tables_takes(lua_State *L, int index);

/* Moves a block of a value_memory to a new userdata in its stack slot. */
FL_PRIVATE void *value_tables_move(lua_State *L, int slot, size_t n, const void *from, size_t used);

/* Pushes the message of a walk that ended with an error other than VALUE_ERROR_REGEX. `what` it was, for the value at
** index 2. */
FL_PRIVATE void value_tables_push_error(lua_State *L, enum value_error error, const char *what, uint64_t max_steps,
                                        size_t max_depth);

FL_INLINE int value_tables_is_key(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TSTRING || lua_type(L, index) == LUA_TNUMBER;
}

FL_INLINE int value_tables_settle(struct value_tables *k, int node, int is_any, int is_below) {
  return (void)k, (void)node, (void)is_any, (void)is_below, 1;
}

FL_FUNC int value_tables_is_collection(struct value_tables *k, int node) {
  return lua_type(k->L, node) == LUA_TTABLE && !(k->null && lua_rawequal(k->L, node, k->null));
}

FL_FUNC int value_tables_item(struct value_tables *k, int node, uint64_t place, int *child) {
  lua_State *L = k->L;
  lua_rawgeti(L, node, (int)place + 1);
  *child = lua_gettop(L);
  if (FL_UNLIKELY(lua_isnil(L, -1))) { /* a hole */
    lua_pushlightuserdata(L, NULL);
    lua_replace(L, *child);
  }
  return 1;
}

FL_INLINE int value_tables_next(struct value_tables *k, int node, value_tables_cursor *c, int *child) {
  lua_State *L = k->L;
  *child = node + k->slots + 1;
  lua_settop(L, node + k->slots);
  if (k->walk.error) return 0;
  if (c->is_array) return c->i < c->n && value_tables_item(k, node, c->i++, child);
  if (k->slots > 1) return value_tables_next_in_order(k, node, c);
  while (lua_next(L, node)) {
    if (FL_LIKELY(value_tables_is_key(L, node + 1))) return 1;
    lua_settop(L, node + 1);
  }
  lua_pushnil(L);
  return 0;
}

FL_INLINE int value_tables_hold(struct value_tables *k, int node) {
  compat_need_stack(k->L, VALUE_TABLES_SLOTS);
  lua_settop(k->L, node);
  lua_settop(k->L, node + k->slots);
  return node;
}

FL_INLINE int value_tables_copy(struct value_tables *k, int node) {
  compat_need_stack(k->L, VALUE_TABLES_SLOTS);
  lua_pushvalue(k->L, node);
  return lua_gettop(k->L);
}

FL_INLINE int value_tables_slot(struct value_tables *k) {
  lua_pushnil(k->L);
  return lua_gettop(k->L);
}

FL_INLINE void value_tables_reset(struct value_tables *k, int node) { lua_settop(k->L, node + k->slots); }

FL_INLINE void value_tables_replace(struct value_tables *k, int *node, int child) {
  lua_settop(k->L, child);
  lua_replace(k->L, *node);
}

FL_INLINE void value_tables_keep(struct value_tables *k, int *slot, int node) { compat_copy(k->L, node, *slot); }

FL_INLINE void value_tables_remember(struct value_tables *k, uint32_t number, int *node) {
  const int slot = k->remembered + (int)number;
  compat_copy(k->L, *node, slot);
  *node = slot;
}

FL_INLINE int value_tables_mark(struct value_tables *k) { return lua_gettop(k->L); }
FL_INLINE void value_tables_trim(struct value_tables *k, int mark) { lua_settop(k->L, mark); }
