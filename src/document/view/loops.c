/* SPDX-License-Identifier: MIT */
#include "loops.h"

#if LUA_VERSION_NUM < 502 /* LuaJIT has the API of Lua 5.1 */

/* Items of the metatable of views: the iterators over arrays and dicts. */
enum { VIEW_META_ITEMS = 1, VIEW_META_PAIRS };

/* Item of a document's environment: true while it is open, once there was a loop. LuaJIT's tables have room for it. */
enum { VIEW_ENV_IS_OPEN = 0 };

/* Items of a loop's table. Of an array AT and END are the number of items before the batch, and in it, LAST that of all
** items; of a dict AT and END are the slots of the next name, and after the batch, LAST is its position, or false if
** nothing follows the batch. From FIRST on the batch. */
enum { VIEW_LOOP_ENV, VIEW_LOOP_AT, VIEW_LOOP_END, VIEW_LOOP_VIEW, VIEW_LOOP_LAST, VIEW_LOOP_FIRST };

/* Slots of the stack, above that of a loop's table, while a batch is made. */
enum { VIEW_UP_TO_VIEW = 1, VIEW_UP_TO_ENV, VIEW_UP_TO_META, VIEW_UP_TO_LAST };

/* A loop that ends early has made a batch in vain: the first one is short, and long strings end a batch. */
enum { VIEW_BATCH_FIRST = 16, VIEW_BATCH = 64, VIEW_BATCH_BYTES = 4096 };

static const char view_loop_source[] = "local more_items, more_pairs = ...\n"
                                       "local function items(loop, i)\n"
                                       "  if loop[0][0] then\n"
                                       "    local at = i - loop[1]\n"
                                       "    if at >= 0 and at < loop[2] then return i + 1, loop[at + 5] end\n"
                                       "    if i == loop[4] then return end\n"
                                       "  end\n"
                                       "  return more_items(loop, i)\n"
                                       "end\n"
                                       "local function pairs(loop)\n"
                                       "  if loop[0][0] then\n"
                                       "    local at = loop[1]\n"
                                       "    if at < loop[2] then\n"
                                       "      loop[1] = at + 2\n"
                                       "      return loop[at], loop[at + 1]\n"
                                       "    end\n"
                                       "    if not loop[4] then return end\n"
                                       "  end\n"
                                       "  return more_pairs(loop)\n"
                                       "end\n"
                                       "return items, pairs\n";

FL_STATIC_ASSERT(VIEW_ENV_IS_OPEN == 0 && VIEW_LOOP_ENV == 0 && VIEW_LOOP_AT == 1 && VIEW_LOOP_END == 2 &&
                     VIEW_LOOP_LAST == 4 && VIEW_LOOP_FIRST == 5,
                 items_are_those_of_the_source);

FL_IDENTITY view_position_magic = 0;

/* Where a loop over a dict has got to. */
struct view_position {
  const char *magic;
  const struct mod_doc *owner;
  struct bin_pairs pairs;
};

static void view_set_numbers(lua_State *L, int loop, size_t at, size_t end) {
  lua_pushnumber(L, (lua_Number)at);
  lua_rawseti(L, loop, VIEW_LOOP_AT);
  lua_pushnumber(L, (lua_Number)end);
  lua_rawseti(L, loop, VIEW_LOOP_END);
}

/* Pushes a value and pops it into a slot of the loop's table. Returns how many bytes count of it. */
FL_INLINE size_t view_store(lua_State *L, int loop, int slot, const struct mod_doc *owner, bin_value value) {
  size_t n = 0;
  view_push_value(L, loop + VIEW_UP_TO_ENV, loop + VIEW_UP_TO_META, owner, value);
  lua_rawseti(L, loop, slot);
  if (bin_tag(value) == BIN_TAG_STRING || bin_tag(value) == BIN_TAG_DATA) (void)bin_bytes(value, &n);
  return n;
}

/* Makes a batch of the items of an array from number i on, at most `most`. It ends early if a finalizer closes the
** document. */
static void view_fill_items(lua_State *L, int loop, const struct mod_view *v, size_t i, size_t most) {
  const struct mod_doc *owner = v->owner;
  const struct bin_list list = bin_list_of(v->value);
  const size_t begin = i, end = most < list.count - i ? i + most : list.count;
  size_t bytes = 0;
  view_pin(owner);
  for (; i < end && bytes < VIEW_BATCH_BYTES && owner->doc.begin; i++)
    bytes += view_store(L, loop, VIEW_LOOP_FIRST + (int)(i - begin), owner, bin_list_item(&owner->doc, &list, i));
  view_unpin(owner);
  view_set_numbers(L, loop, begin, i - begin);
}

/* Makes a batch of the next pairs of a dict, at most `most`. Returns 0 if it ends with them. */
static int view_fill_pairs(lua_State *L, int loop, const struct mod_doc *owner, struct bin_pairs *pairs, int most) {
  const int end = VIEW_LOOP_FIRST + 2 * most;
  size_t bytes = 0, n;
  int slot = VIEW_LOOP_FIRST, more = 1;
  view_pin(owner);
  while (slot < end && bytes < VIEW_BATCH_BYTES && owner->doc.begin && (more = bin_next_pair(pairs)) != 0) {
    const bin_value value = pairs->value;
    if (FL_UNLIKELY(bin_is_undefined(value))) continue;
    const char *name = bin_key_text(&owner->doc, pairs->key, &n);
    if (FL_LIKELY(name != NULL)) lua_pushlstring(L, name, n);
    else lua_pushinteger(L, bin_small(pairs->key)); /* a code, if there are no shared keys */
    lua_rawseti(L, loop, slot);
    bytes += view_store(L, loop, slot + 1, owner, value);
    slot += 2;
  }
  more = more && (pairs->levels > 1 || pairs->level[0].count > 0);
  view_unpin(owner);
  view_set_numbers(L, loop, VIEW_LOOP_FIRST, (size_t)slot);
  return more;
}

static void view_end_pairs(lua_State *L, int loop) {
  lua_pushboolean(L, 0);
  lua_rawseti(L, loop, VIEW_LOOP_LAST);
}

/* Pushes what is needed above a loop's table, which is at 1. Returns its view. */
static const struct mod_view *view_push_loop(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_rawgeti(L, 1, VIEW_LOOP_VIEW);
  const struct mod_view *v = view_check(L, 1 + VIEW_UP_TO_VIEW);
  mod_push_env(L, 1 + VIEW_UP_TO_VIEW);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_rawgeti(L, 1, VIEW_LOOP_LAST);
  return v;
}

/* After the batch: makes the next one, and does the iterator's step. */
static int view_more_items(lua_State *L) {
  const lua_Number i = lua_tonumber(L, 2);
  const struct mod_view *v = view_push_loop(L);
  if (!view_item(&v->owner->doc, v->value, i + 1)) return 0;
  view_fill_items(L, 1, v, (size_t)i, VIEW_BATCH);
  lua_pushnumber(L, i + 1);
  lua_rawgeti(L, 1, VIEW_LOOP_FIRST);
  return 2;
}

static int view_more_pairs(lua_State *L) {
  const struct mod_view *v = view_push_loop(L);
  struct view_position *p = (struct view_position *)mod_test_userdata(L, 1 + VIEW_UP_TO_LAST, &view_position_magic,
                                                                      sizeof *p);
  if (!p || p->owner != v->owner) return 0;
  if (!view_fill_pairs(L, 1, v->owner, &p->pairs, VIEW_BATCH)) view_end_pairs(L, 1);
  lua_rawgeti(L, 1, VIEW_LOOP_END);
  if (lua_tointeger(L, -1) <= VIEW_LOOP_FIRST) return 0;
  lua_pushnumber(L, VIEW_LOOP_FIRST + 2);
  lua_rawseti(L, 1, VIEW_LOOP_AT);
  lua_rawgeti(L, 1, VIEW_LOOP_FIRST);
  lua_rawgeti(L, 1, VIEW_LOOP_FIRST + 1);
  return 2;
}

/* Pushes a new loop's table, with room for a batch of n values, and what is needed above it. The view is at 1, the
** metatable at 2. */
static int view_push_table(lua_State *L, size_t n) {
  lua_createtable(L, VIEW_LOOP_FIRST - 1 + (int)n, 0);
  const int loop = lua_gettop(L);
  (void)view_check(L, 1); /* a finalizer may have closed it */
  lua_pushvalue(L, 1);
  mod_push_env(L, 1);
  lua_pushboolean(L, 1);
  lua_rawseti(L, loop + VIEW_UP_TO_ENV, VIEW_ENV_IS_OPEN);
  compat_set_item(L, loop, VIEW_LOOP_ENV, loop + VIEW_UP_TO_ENV);
  compat_set_item(L, loop, VIEW_LOOP_VIEW, 1);
  lua_pushvalue(L, 2);
  return loop;
}

static void view_begin_items(lua_State *L, const struct mod_view *v) {
  const size_t n = bin_list_of(v->value).count;
  const int loop = view_push_table(L, n < VIEW_BATCH_FIRST ? n : VIEW_BATCH);
  lua_pushnumber(L, (lua_Number)n);
  lua_rawseti(L, loop, VIEW_LOOP_LAST);
  view_fill_items(L, loop, v, 0, VIEW_BATCH_FIRST);
}

/* A dict whose pairs are all in the first batch needs no position. */
static void view_begin_pairs(lua_State *L, const struct mod_view *v) {
  struct bin_pairs pairs;
  bin_pairs_begin(&pairs, &v->owner->doc, v->value);
  const size_t n = pairs.levels == 1 ? pairs.level[0].count : VIEW_BATCH;
  const int loop = view_push_table(L, 2 * (n <= VIEW_BATCH_FIRST ? n : VIEW_BATCH));
  if (!view_fill_pairs(L, loop, v->owner, &pairs, VIEW_BATCH_FIRST)) {
    view_end_pairs(L, loop);
    return;
  }
  struct view_position *p = (struct view_position *)lua_newuserdata(L, sizeof *p);
  p->magic = &view_position_magic;
  p->owner = v->owner;
  p->pairs = pairs;
  lua_pushvalue(L, loop + VIEW_UP_TO_ENV); /* keeps the document, whose address is compared */
  mod_set_env(L, -2);
  lua_rawseti(L, loop, VIEW_LOOP_LAST);
}

FL_PRIVATE int view_begin_loop(lua_State *L) {
  compat_need_stack(L, 16);
  view_push_metatable(L, &view_key);
  const struct mod_view *v = view_check(L, 1);
  const int is_dict = bin_tag(v->value) == BIN_TAG_DICT;
  lua_rawgeti(L, 2, is_dict ? VIEW_META_PAIRS : VIEW_META_ITEMS);
  if (lua_isnil(L, 3) || v->owner->scalars) {
    lua_settop(L, 1);
    return 0;
  }
  if (is_dict) view_begin_pairs(L, v);
  else view_begin_items(L, v);
  lua_settop(L, 4);
  if (is_dict) lua_pushnil(L);
  else lua_pushinteger(L, 0);
  return 1;
}

FL_PRIVATE void view_end_loops(lua_State *L, int index) {
  view_push_doc_env(L, index);
  lua_rawgeti(L, -1, VIEW_ENV_IS_OPEN);
  if (!lua_isnil(L, -1)) { /* storing nil where nothing is could allocate memory */
    lua_pushnil(L);
    lua_rawseti(L, -3, VIEW_ENV_IS_OPEN);
  }
  lua_pop(L, 2);
}

FL_PRIVATE void view_add_loops(lua_State *L) {
  lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
  compat_get_field(L, -1, "jit");
  if (lua_istable(L, -1) && luaL_loadbuffer(L, view_loop_source, sizeof view_loop_source - 1, "=fleece") == 0) {
    view_push_metatable(L, &view_key);
    const int metatable = lua_gettop(L);
    lua_pushvalue(L, -2);
    lua_pushvalue(L, metatable);
    lua_pushcclosure(L, view_more_items, 1);
    lua_pushvalue(L, metatable);
    lua_pushcclosure(L, view_more_pairs, 1);
    lua_call(L, 2, 2);
    lua_rawseti(L, metatable, VIEW_META_PAIRS);
    lua_rawseti(L, metatable, VIEW_META_ITEMS);
  }
}

#endif
