/* SPDX-License-Identifier: MIT
** The arrays of a book are replaced all at once, by stores that allocate nothing. */
#include "order.h"
#include "keys.h"
#include "sort.h"
#include "state.h"

FL_PRIVATE struct order_state *order_state_of(lua_State *L, int book) {
  lua_rawgeti(L, book, ORDER_STATE);
  struct order_state *o = (struct order_state *)lua_touserdata(L, -1);
  lua_pop(L, 1);
  return o;
}

FL_PRIVATE void order_push_book(lua_State *L, struct order_state *o) {
  compat_need_stack(L, 4);
  lua_createtable(L, ORDER_END - 1, 0);
  lua_createtable(L, ORDER_RECENT_LISTS, 0);
  o->recent = (const char *)lua_topointer(L, -1);
  lua_rawseti(L, -2, ORDER_RECENT);
  lua_pushlightuserdata(L, o);
  lua_rawseti(L, -2, ORDER_STATE);
}

/* Pushes an empty table for n items, which keeps them weakly. */
static void order_push_weak(lua_State *L, int n) {
  lua_createtable(L, n, 0);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
}

/* Moves the table on top, which is popped, and its list to another slot. */
static void order_move_slot(lua_State *L, int tables, int lists, size_t from, size_t to) {
  lua_rawseti(L, tables, (int)to + 1);
  lua_rawgeti(L, lists, (int)from + 1);
  lua_rawseti(L, lists, (int)to + 1);
  lua_pushnil(L);
  lua_rawseti(L, tables, (int)from + 1);
}

/* Frees the slots whose tables are dead. Begins after an unused slot, so that what must be found from a slot on has its
** place there or later. Allocates nothing. */
static void order_sweep(lua_State *L, int book, struct order_state *o) {
  const int tables = lua_gettop(L) + 1, lists = tables + 1;
  const size_t mask = o->slots - 1;
  size_t first = 0;
  lua_rawgeti(L, book, ORDER_TABLES);
  lua_rawgeti(L, book, ORDER_LISTS);
  while (o->address[first]) first++;
  for (size_t n = 1; n <= mask; n++) {
    const size_t i = (first + n) & mask;
    const void *address = o->address[i];
    if (!address) continue;
    size_t to = o->slots;
    o->address[i] = NULL;
    lua_rawgeti(L, tables, (int)i + 1);
    if (!lua_isnil(L, -1)) {
      to = order_place(o->address, o->slots, address);
      o->address[to] = address;
    }
    if (to == i) {
      lua_pop(L, 1);
      continue;
    }
    if (to != o->slots) order_move_slot(L, tables, lists, i, to);
    else lua_pop(L, 1), o->used--;
    lua_pushnil(L);
    lua_rawseti(L, lists, (int)i + 1);
  }
  lua_settop(L, tables - 1);
}

/* Moves the live slots to new, empty arrays. Allocates nothing. Returns 0, and changes the new arrays only, if they are
** too many. */
static int order_move(lua_State *L, int book, struct order_state *o, const void **address, size_t slots, int arrays) {
  const int tables = lua_gettop(L) + 1, lists = tables + 1;
  struct order_state moved = {slots, 0, address, NULL, NULL, o->recent};
  size_t i;
  lua_rawgeti(L, book, ORDER_TABLES);
  lua_rawgeti(L, book, ORDER_LISTS);
  for (i = 0; i < o->slots; i++) {
    if (!o->address[i]) continue;
    lua_rawgeti(L, tables, (int)i + 1);
    if (lua_isnil(L, -1)) {
      lua_pop(L, 1);
      continue;
    }
    if (!order_has_room(&moved)) return 0;
    const size_t to = order_place(address, slots, o->address[i]);
    FL_ASSERT(!address[to]);
    address[to] = o->address[i];
    lua_rawseti(L, arrays, (int)to + 1);
    lua_rawgeti(L, lists, (int)i + 1);
    lua_rawseti(L, arrays + 1, (int)to + 1);
    moved.used++;
  }
  if (!order_has_room(&moved)) return 0;
  for (i = 0; i < 3; i++) { compat_set_item(L, book, ORDER_TABLES + (int)i, arrays + (int)i); }
  moved.tables = (const char *)lua_topointer(L, arrays);
  moved.lists = (const char *)lua_topointer(L, arrays + 1);
  *o = moved;
  return 1;
}

/* Makes room for one more table: frees slots, and changes their number if too many or too few tables are alive.
** Allocating may run finalizers that decode, so there may be more tables than were counted. */
static void order_make_room(lua_State *L, int book, struct order_state *o) {
  const int top = lua_gettop(L);
  size_t slots = ORDER_SLOTS_FIRST;
  compat_need_stack(L, 12);
  if (o->slots) order_sweep(L, book, o);
  if (2 * (o->used + 1) <= o->slots && 16 * (o->used + 1) >= o->slots) return;
  while (slots < 2 * (o->used + 1)) slots *= 2;
  for (;; slots *= 2) {
    if (slots > ORDER_SLOTS_MOST) luaL_error(L, "not enough memory");
    order_push_weak(L, (int)slots);
    lua_createtable(L, (int)slots, 0);
    const void **address = (const void **)lua_newuserdata(L, slots * sizeof *address);
    memset(address, 0, slots * sizeof *address);
    const int is_moved = order_move(L, book, o, address, slots, top + 1);
    lua_settop(L, top);
    if (is_moved) return;
  }
}

/* Returns the slot of the table at `table`, or `slots`. */
static size_t order_slot_of(lua_State *L, int book, const struct order_state *o, int table) {
  const size_t i = order_slot(o, lua_topointer(L, table));
  if (i == o->slots) return i;
  lua_rawgeti(L, book, ORDER_TABLES);
  lua_rawgeti(L, -1, (int)i + 1);
  const int same = lua_rawequal(L, -1, table);
  lua_pop(L, 2);
  return same ? i : o->slots;
}

FL_PRIVATE int order_has(lua_State *L, int book, int table) {
  const struct order_state *o = order_state_of(L, book);
  return order_slot_of(L, book, o, table) != o->slots;
}

FL_PRIVATE int order_push_list(lua_State *L, int book, int table) {
  const struct order_state *o = order_state_of(L, book);
  const size_t i = order_slot_of(L, book, o, table);
  if (i == o->slots) return 0;
  lua_rawgeti(L, book, ORDER_LISTS);
  lua_rawgeti(L, -1, (int)i + 1);
  lua_remove(L, -2);
  return 1;
}

FL_PRIVATE void order_remember(lua_State *L, int book, int table) {
  struct order_state *o = order_state_of(L, book);
  const void *address = lua_topointer(L, table);
  compat_need_stack(L, 4);
  if (!order_has_room(o) && order_slot(o, address) == o->slots) order_make_room(L, book, o);
  const size_t i = order_place(o->address, o->slots, address);
  o->used += !o->address[i];
  o->address[i] = address;
  lua_rawgeti(L, book, ORDER_LISTS);
  lua_insert(L, -2);
  lua_rawseti(L, -2, (int)i + 1);
  lua_rawgeti(L, book, ORDER_TABLES);
  lua_pushvalue(L, table);
  lua_rawseti(L, -2, (int)i + 1);
  lua_pop(L, 2);
}

FL_PRIVATE void order_push_recent(lua_State *L, int book, uint64_t hash) {
  lua_rawgeti(L, book, ORDER_RECENT);
  lua_rawgeti(L, -1, order_recent_item(hash));
  lua_remove(L, -2);
}

FL_PRIVATE void order_set_recent(lua_State *L, int book, uint64_t hash) {
  lua_rawgeti(L, book, ORDER_RECENT);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, order_recent_item(hash));
  lua_pop(L, 1);
}

/* Returns whether the table has exactly the names of the list. */
static int order_is_current(lua_State *L, int table, int list, int n) {
  int i, keys = 0;
  for (i = 1; i <= n; i++) {
    lua_rawgeti(L, list, i);
    lua_rawget(L, table);
    const int missing = lua_isnil(L, -1);
    lua_pop(L, 1);
    if (missing) return 0;
  }
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
    if (++keys > n) return lua_pop(L, 2), 0;
  return 1;
}

/* Appends the names of the list that the table still has to the list at `to`, and adds them to the set at to + 1.
** Returns their number. */
static int order_keep_names(lua_State *L, int table, int list, int n, int to) {
  int i, count = 0;
  for (i = 1; i <= n; i++) {
    lua_rawgeti(L, list, i);
    compat_raw_get(L, table, -1);
    if (lua_isnil(L, -1)) {
      lua_pop(L, 2);
      continue;
    }
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushboolean(L, 1);
    lua_rawset(L, to + 1);
    lua_rawseti(L, to, ++count);
  }
  return count;
}

/* Pushes a list of the table's keys that are not in the set, either names or other keys. Returns their number. */
static int order_push_others(lua_State *L, int table, int set, int names) {
  int to, count = 0;
  lua_newtable(L);
  to = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    const int type = lua_type(L, -2);
    lua_pop(L, 1);
    if ((type == LUA_TSTRING || type == LUA_TNUMBER) != names) continue;
    compat_raw_get(L, set, -1);
    if (lua_isnil(L, -1)) { compat_set_item(L, to, ++count, -2); }
    lua_pop(L, 1);
  }
  return count;
}

/* Returns the text that encode writes for the key on top, anchored in the table at `texts`. */
static const char *order_key_text(lua_State *L, int texts, int i, size_t *n) {
  char digits[JSON_NUMBER_ROOM + 8];
  if (lua_type(L, -1) == LUA_TSTRING) lua_pushvalue(L, -1);
  else lua_pushlstring(L, digits, (size_t)(api_key_text(L, -1, digits) - digits));
  compat_set_item(L, texts, i, -1);
  return lua_tolstring(L, -1, n);
}

/* Sorts the n names of the list on top, which is popped, and appends them to the list at `to` after its `count`
** names. */
static void order_append_sorted(lua_State *L, int to, int count, int n) {
  const int names = lua_gettop(L), texts = names + 1;
  lua_createtable(L, n, 0);
  struct encode_entry *e = (struct encode_entry *)lua_newuserdata(L, 2 * (size_t)n * sizeof *e + 1);
  for (int i = 0; i < n; i++) {
    size_t length;
    lua_rawgeti(L, names, i + 1);
    const char *s = order_key_text(L, texts, i + 1, &length);
    e[i].key.bits = (uint64_t)(uintptr_t)s;
    e[i].key.tag = lua_type(L, -2) == LUA_TSTRING;
    e[i].value.bits = length;
    e[i].value.tag = (uint32_t)i + 1;
    e[i].prefix = encode_prefix(s, length);
    lua_pop(L, 2);
  }
  encode_sort(e, (size_t)n, e + n, encode_compare_entries);
  for (int i = 0; i < n; i++) {
    lua_rawgeti(L, names, (int)e[i].value.tag);
    lua_rawseti(L, to, count + i + 1);
  }
  lua_settop(L, names - 1);
}

/* Appends the keys that are not names to a copy of the list at `list`, which has n names, and pushes it, or the list
** itself if there are none. */
static void order_push_all(lua_State *L, int table, int list, int n) {
  const int others = order_push_others(L, table, list + 1, 0);
  if (others == 0) {
    lua_pop(L, 1);
    lua_pushvalue(L, list);
    return;
  }
  lua_createtable(L, n + others, 0);
  for (int i = 1; i <= n + others; i++) {
    if (i <= n) lua_rawgeti(L, list, i);
    else lua_rawgeti(L, -2, i - n);
    lua_rawseti(L, -2, i);
  }
  lua_remove(L, -2);
}

/* Returns a hash of the n names of the list at `list`. */
static uint64_t order_hash_names(lua_State *L, int list, int n) {
  uint64_t hash = order_hash_begin((size_t)n);
  for (int i = 1; i <= n; i++) {
    lua_rawgeti(L, list, i);
    hash = order_hash_add(hash, lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL);
    lua_pop(L, 1);
  }
  return hash;
}

/* Returns whether the value on top is a list of the same n names as that at `list`. */
static int order_is_same(lua_State *L, int list, int n) {
  const int other = lua_gettop(L);
  int i = 0, same = lua_istable(L, other) && (int)lua_rawlen(L, other) == n;
  while (same && i++ < n) {
    lua_rawgeti(L, list, i);
    lua_rawgeti(L, other, i);
    same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
  }
  return same;
}

/* Pushes a list of the n names of that at `list`: a recent one, or a new one, which is recent then. All its names are
** in the array part, for readers below the API. */
static void order_push_shared(lua_State *L, int book, int list, int n) {
  const int shares = n <= ORDER_RECENT_NAMES;
  const uint64_t hash = shares ? order_hash_names(L, list, n) : 0;
  if (shares) {
    order_push_recent(L, book, hash);
    if (order_is_same(L, list, n)) return;
    lua_pop(L, 1);
  }
  lua_createtable(L, n, 0);
  for (int i = 1; i <= n; i++) {
    lua_rawgeti(L, list, i);
    lua_rawseti(L, -2, i);
  }
  if (shares) order_set_recent(L, book, hash);
}

FL_PRIVATE int order_push_keys(lua_State *L, int book, int table) {
  compat_need_stack(L, 16);
  if (!order_push_list(L, book, table)) return 0;
  const int list = lua_gettop(L);
  const int n = (int)lua_rawlen(L, list);
  if (order_is_current(L, table, list, n)) return 1;
  const int to = list + 1;
  lua_createtable(L, n + 1, 0); /* often one member was added; tables that grow cost most of this */
  lua_createtable(L, 0, n);
  const int count = order_keep_names(L, table, list, n, to);
  const int more = order_push_others(L, table, to + 1, 1);
  order_append_sorted(L, to, count, more);
  if (count < n || more > 0) {
    order_push_shared(L, book, to, count + more);
    order_remember(L, book, table);
  }
  order_push_all(L, table, to, count + more);
  lua_replace(L, list);
  lua_settop(L, list);
  return 1;
}

/* Pushes the table of the change if it is alive, and returns its slot; else returns `slots`. */
static size_t order_push_changed(lua_State *L, int tables, const struct order_state *o, const char *table) {
  const size_t i = order_slot(o, table);
  if (i == o->slots) return i;
  lua_rawgeti(L, tables, (int)i + 1);
  if (lua_topointer(L, -1) == (const void *)table) return i;
  lua_pop(L, 1);
  return o->slots;
}

FL_PRIVATE int order_update(lua_State *L, int book, struct encode_state *c, int all) {
  const int tables = lua_gettop(L) + 1, lists = tables + 1, recent = tables + 2;
  const struct order_state *o = c->orders;
  size_t left = 0, i;
  if (!book) return c->changed_length = 0, 1; /* the walk began before there were orders */
  compat_need_stack(L, 24);
  lua_rawgeti(L, book, ORDER_TABLES);
  lua_rawgeti(L, book, ORDER_LISTS);
  lua_rawgeti(L, book, ORDER_RECENT);
  for (i = 0; i < c->changed_length; i++) {
    struct encode_changed *its = &c->changed[i];
    if (!its->recent) {
      c->changed[left++] = *its;
      continue;
    }
    const size_t slot = order_push_changed(L, tables, o, its->table);
    if (slot == o->slots) continue;
    lua_rawgeti(L, recent, its->recent);
    lua_rawseti(L, lists, (int)slot + 1);
    lua_pop(L, 1);
  }
  c->changed_length = left;
  for (i = 0; all && i < left; i++) {
    lua_rawgeti(L, book, ORDER_TABLES); /* a finalizer that decodes may replace it */
    if (order_push_changed(L, lua_gettop(L), o, c->changed[i].table) != o->slots)
      (void)order_push_keys(L, book, lua_gettop(L));
    lua_settop(L, tables - 1);
  }
  lua_settop(L, tables - 1);
  return all || left == 0;
}
