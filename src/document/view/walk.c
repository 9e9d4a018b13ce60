/* SPDX-License-Identifier: MIT
** The order is that of the reference: all items of a collection come before the content of the collections among them;
** of these the last one comes first. */
#include "walk.h"

/* Upvalues of the iterator: the first view, the environment, the metatable of views, the state, the queued collections
** (three slots of the table each: offset of the value, path, pointer), the function that decides whether to enter a
** collection. */
enum {
  VIEW_WALK_UP_VIEW = 1,
  VIEW_WALK_UP_ENV,
  VIEW_WALK_UP_METATABLE,
  VIEW_WALK_UP_STATE,
  VIEW_WALK_UP_QUEUE,
  VIEW_WALK_UP_ENTER,
  VIEW_WALK_UPVALUES = VIEW_WALK_UP_ENTER
};

struct view_walk_state {
  struct bin_pairs pairs;
  struct bin_list list;
  size_t i;      /* of an array: the next item */
  int kind;      /* the tag of the current collection; -1: none; 0: before the root */
  int waiting;   /* queued collections */
  uint64_t left; /* values up to max_values */
};

/* Queues the collection at `offset` from its document's start, unless `enter` returns false. Its path and pointer are
** at stack index `path`. */
static void view_queue_collection(lua_State *L, struct view_walk_state *p, lua_Number offset, int value, int path) {
  int i;
  if (!lua_isnil(L, lua_upvalueindex(VIEW_WALK_UP_ENTER))) {
    int no;
    lua_pushvalue(L, lua_upvalueindex(VIEW_WALK_UP_ENTER));
    lua_pushvalue(L, value);
    lua_pushvalue(L, path);
    lua_pushvalue(L, path + 1);
    lua_call(L, 3, 1);
    no = lua_isboolean(L, -1) && !lua_toboolean(L, -1);
    lua_pop(L, 1);
    if (no) return;
  }
  lua_pushnumber(L, offset);
  lua_rawseti(L, lua_upvalueindex(VIEW_WALK_UP_QUEUE), 3 * p->waiting + 1);
  for (i = 0; i < 2; i++) {
    lua_pushvalue(L, path + i);
    lua_rawseti(L, lua_upvalueindex(VIEW_WALK_UP_QUEUE), 3 * p->waiting + 2 + i);
  }
  p->waiting++;
}

/* The next member of the current collection, or NULL. */
static bin_value view_next_member(const struct mod_view *from, struct view_walk_state *p, const char **name,
                                  size_t *n) {
  *name = NULL;
  if (p->kind == BIN_TAG_ARRAY) return p->i < p->list.count ? bin_list_item(&from->owner->doc, &p->list, p->i++) : NULL;
  while (p->kind == BIN_TAG_DICT && bin_next_pair(&p->pairs)) {
    *name = bin_key_text(&from->owner->doc, p->pairs.key, n);
    if (*name && !bin_is_undefined(p->pairs.value)) return p->pairs.value;
  }
  return NULL;
}

/* Makes the last queued collection the current one; its path and pointer go to slots -2 and -3 of the queue. */
static void view_walk_enter(lua_State *L, const struct mod_view *from, struct view_walk_state *p) {
  bin_value v;
  int i;
  FL_ASSERT(p->waiting > 0);
  p->waiting--;
  for (i = 3; i >= 2; i--) {
    lua_rawgeti(L, lua_upvalueindex(VIEW_WALK_UP_QUEUE), 3 * p->waiting + i);
    lua_rawseti(L, lua_upvalueindex(VIEW_WALK_UP_QUEUE), -i);
  }
  lua_rawgeti(L, lua_upvalueindex(VIEW_WALK_UP_QUEUE), 3 * p->waiting + 1);
  v = (bin_value)((intptr_t)from->owner->doc.begin + (intptr_t)lua_tonumber(L, -1));
  lua_pop(L, 1);
  p->kind = (int)bin_tag(v);
  p->i = 0;
  if (p->kind == BIN_TAG_ARRAY) p->list = bin_list_of(v);
  else bin_pairs_begin(&p->pairs, &from->owner->doc, v);
}

/* The iterator: value, path, pointer. */
static int view_walk_next(lua_State *L) {
  const struct mod_view *from = view_check(L, lua_upvalueindex(VIEW_WALK_UP_VIEW));
  struct view_walk_state *p = (struct view_walk_state *)lua_touserdata(L, lua_upvalueindex(VIEW_WALK_UP_STATE));
  const uint8_t *begin = from->owner->doc.begin;
  struct view_step step;
  bin_value v;
  lua_Number offset;
  int waits;
  lua_settop(L, 0);
  compat_need_stack(L, 20);
  step.owner = from->owner;
  step.name = NULL;
  step.n = 0;
  view_pin(from->owner);
  if (p->kind == 0) {
    p->kind = -1;
    v = from->value;
    lua_pushliteral(L, "");
    lua_pushliteral(L, "");
  } else {
    while (!(v = view_next_member(from, p, &step.name, &step.n))) {
      if (p->waiting == 0) return view_unpin(from->owner), 0;
      view_walk_enter(L, from, p);
    }
    lua_rawgeti(L, lua_upvalueindex(VIEW_WALK_UP_QUEUE), -2);
    lua_rawgeti(L, lua_upvalueindex(VIEW_WALK_UP_QUEUE), -3);
    step.index = p->i - 1;
    if (!step.name) step.n = 0;
    step_push(L, 1, lua_upvalueindex(VIEW_WALK_UP_ENV), &step);
    lua_remove(L, 1);
    lua_remove(L, 1);
  }
  if (FL_UNLIKELY(p->left-- == 0)) {
    view_unpin(from->owner);
    return luaL_error(L, "%s", bin_message(BIN_ERROR_VALUES));
  }
  offset = (lua_Number)((intptr_t)v - (intptr_t)begin);
  waits = bin_is_collection(v);
  view_push_value(L, lua_upvalueindex(VIEW_WALK_UP_ENV), lua_upvalueindex(VIEW_WALK_UP_METATABLE), from->owner, v);
  view_unpin(from->owner);
  if (lua_isnil(L, -1)) { /* undefined, in an array: nil would end the loop */
    lua_pop(L, 1);
    lua_pushlightuserdata(L, NULL);
  }
  lua_insert(L, 1);
  if (waits) view_queue_collection(L, p, offset, 1, 2);
  return 3;
}

FL_PRIVATE int view_walk(lua_State *L) {
  const struct mod_doc *owner;
  bin_value v;
  struct view_walk_state *p;
  struct mod_binary b;
  if (!view_value_at(L, 1, &owner, &v)) return mod_type_error(L, 1, "view or document");
  if (!lua_isnoneornil(L, 2)) mod_check_type(L, 2, LUA_TFUNCTION);
  mod_read_binary_options(L, 3, &b, MOD_OF_WALK);
  lua_settop(L, 2);
  compat_need_stack(L, VIEW_WALK_UPVALUES + 4);
  view_push_env_of(L, 1);
  view_push_metatable(L, &view_key);
  view_push(L, 3, 4, owner, v); /* also for a scalar: it keeps the document alive and is never returned */
  lua_pushvalue(L, 3);
  lua_pushvalue(L, 4);
  p = (struct view_walk_state *)lua_newuserdata(L, sizeof *p);
  memset(p, 0, sizeof *p);
  p->left = b.counts ? b.max_values : UINT64_MAX;
  lua_newtable(L);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, view_walk_next, VIEW_WALK_UPVALUES);
  return 1;
}
