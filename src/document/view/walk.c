/* SPDX-License-Identifier: MIT
** walk.c -- view:walk: iterates over every value under a view, with its path and pointer.
** Must hold: the queued collections and their paths are in a Lua table; the position in the current one is in a
** userdata. No recursion. Short paths and pointers are strings; long ones are objects whose text is made on demand,
** which refer to the object of the enclosing collection and to the name in the document. So creating one takes constant
** time, and a long name above many values is not copied for each. The order is the reference's: all items of a
** collection come before the contents of its collections, of which the last comes first. */
#include "read.h"

enum { STEP_TEXT = 1000 }; /* longer paths and pointers are objects */

/* The environment of paths and pointers: path and pointer of the enclosing collection, and the document's
** environment. */
enum { STEP_ENV_PATH = 1, STEP_ENV_POINTER, STEP_ENV_DOC };

struct view_step {
  const char *magic;
  const struct mod_doc *owner;
  const char *name; /* n bytes in the document or its keys; NULL for an item */
  size_t n, index;
  int is_pointer;
};

static const char step_magic = 0, step_key = 0;

FL_INLINE const struct view_step *step_test(lua_State *L, int index) {
  return (const struct view_step *)mod_test_userdata(L, index, &step_magic, sizeof(struct view_step));
}

/* Returns whether a byte of a name becomes two: with a tilde in a pointer, with a backslash in the quotes of a path. */
FL_INLINE int step_is_escaped(const struct view_step *s, char c) {
  return s->is_pointer ? c == '~' || c == '/' : c == '"' || c == '\\';
}

/* Returns how many bytes a step adds to the path or pointer. */
static size_t step_size(const struct view_step *s) {
  char digits[NUM_ROOM];
  size_t i, n = s->n;
  if (!s->name) return (size_t)(num_write_u64(digits, s->index) - digits) + (s->is_pointer ? 1 : 2);
  if (!s->is_pointer && bin_path_is_plain(s->name, n)) return n + 1;
  for (i = 0; i < s->n; i++) n += step_is_escaped(s, s->name[i]) ? 1 : 0;
  if (!s->is_pointer) return n + 4;
  return n + 1;
}

/* Writes the digits of an index; unlike num_write_u64 it writes no byte after them. */
static char *step_write_index(char *w, size_t index) {
  char digits[NUM_ROOM];
  const size_t n = (size_t)(num_write_u64(digits, index) - digits);
  memcpy(w, digits, n);
  return w + n;
}

/* Writes a step. Returns its end. */
static char *step_write(const struct view_step *s, char *w) {
  const int plain = s->name && bin_path_is_plain(s->name, s->n);
  if (s->is_pointer) {
    *w++ = '/';
    if (!s->name) return step_write_index(w, s->index);
    for (size_t i = 0; i < s->n; i++) {
      const char c = s->name[i];
      *w++ = c == '/' ? '~' : c;
      if (c == '~' || c == '/') *w++ = c == '~' ? '0' : '1';
    }
    return w;
  }
  *w++ = plain ? '.' : '[';
  if (!s->name) w = step_write_index(w, s->index);
  if (s->name && !plain) *w++ = '"';
  for (size_t i = 0; s->name && i < s->n; i++) {
    if (step_is_escaped(s, s->name[i])) *w++ = '\\';
    *w++ = s->name[i];
  }
  if (s->name && !plain) *w++ = '"';
  if (!plain) *w++ = ']';
  return w;
}

/* Replaces the step on top by its parent, or by the string it begins with. */
FL_INLINE void step_to_parent(lua_State *L) {
  const int slot = step_test(L, -1)->is_pointer ? STEP_ENV_POINTER : STEP_ENV_PATH;
  mod_push_env(L, -1);
  lua_rawgeti(L, -1, slot);
  lua_replace(L, -3);
  lua_pop(L, 1);
}

static int step_push_text(lua_State *L, int index) {
  const struct view_step *s;
  size_t size = 0, n;
  compat_need_stack(L, 6);
  for (lua_pushvalue(L, index); (s = step_test(L, -1)) != NULL; step_to_parent(L)) {
    if (!s->owner->doc.begin) return view_closed_(L);
    size += step_size(s);
  }
  const char *begin = lua_tolstring(L, -1, &n);
  size += n;
  char *text = (char *)lua_newuserdata(L, size);
  memcpy(text, begin, n);
  char *end = text + size;
  for (lua_pushvalue(L, index); (s = step_test(L, -1)) != NULL; step_to_parent(L)) {
    if (!s->owner->doc.begin) return view_closed_(L); /* a finalizer may have closed it */
    end -= step_size(s);
    FL_ASSERT(end >= text + n);
    (void)step_write(s, end);
  }
  lua_pushlstring(L, text, size);
  lua_replace(L, -4);
  lua_pop(L, 2);
  return 1;
}

/* Replaces a step at the index by its text; leaves other values. */
static void step_to_text(lua_State *L, int index) {
  if (!step_test(L, index)) return;
  step_push_text(L, index);
  lua_replace(L, index);
}

static int step_tostring(lua_State *L) {
  if (!step_test(L, 1)) return luaL_argerror(L, 1, "path expected");
  return step_push_text(L, 1);
}

static int step_concat(lua_State *L) {
  lua_settop(L, 2);
  step_to_text(L, 1);
  step_to_text(L, 2);
  lua_concat(L, 2);
  return 1;
}

static int step_eq(lua_State *L) {
  lua_settop(L, 2);
  step_to_text(L, 1);
  step_to_text(L, 2);
  lua_pushboolean(L, lua_rawequal(L, 1, 2));
  return 1;
}

static int step_len(lua_State *L) {
  lua_settop(L, 1);
  step_to_text(L, 1);
  lua_pushinteger(L, (lua_Integer)lua_rawlen(L, 1));
  return 1;
}

static void step_push_metatable(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"__tostring", step_tostring}, {"__concat", step_concat}, {"__eq", step_eq}, {"__len", step_len}, {NULL, NULL}};
  compat_registry_get(L, &step_key);
  if (!lua_isnil(L, -1)) return;
  lua_pop(L, 1);
  lua_createtable(L, 0, 5);
  compat_set_functions(L, functions);
  lua_pushliteral(L, "fleece.place");
  lua_setfield(L, -2, "__name");
  lua_pushvalue(L, -1);
  compat_registry_set(L, &step_key);
}

/* Pushes path and pointer of a member as objects. `around`: stack index of its collection's path, followed by the
** pointer; `env`: index of the document's environment. */
FL_NOINLINE void step_push_objects_(lua_State *L, int around, int env, const struct view_step *step) {
  lua_createtable(L, 3, 0);
  lua_pushvalue(L, around);
  lua_rawseti(L, -2, STEP_ENV_PATH);
  lua_pushvalue(L, around + 1);
  lua_rawseti(L, -2, STEP_ENV_POINTER);
  lua_pushvalue(L, env);
  lua_rawseti(L, -2, STEP_ENV_DOC);
  step_push_metatable(L);
  for (int i = 0; i < 2; i++) {
    struct view_step *s = (struct view_step *)mod_new_userdata(L, sizeof *s);
    *s = *step;
    s->is_pointer = i;
    lua_pushvalue(L, -3 - i);
    mod_set_env(L, -2);
    lua_pushvalue(L, -2 - i);
    lua_setmetatable(L, -2);
  }
  lua_remove(L, -3);
  lua_remove(L, -3);
}

static void step_push(lua_State *L, int around, int env, struct view_step *step) {
  char text[4 * STEP_TEXT]; /* a byte of a name takes at most two in a pointer */
  step->magic = &step_magic;
  for (int i = 0; i < 2; i++)
    if (lua_type(L, around + i) != LUA_TSTRING || lua_rawlen(L, around + i) + step->n > STEP_TEXT) {
      step_push_objects_(L, around, env, step);
      return;
    }
  for (int i = 0; i < 2; i++) {
    size_t n;
    const char *begin = lua_tolstring(L, around + i, &n);
    memcpy(text, begin, n);
    step->is_pointer = i;
    FL_ASSERT(n + step_size(step) <= sizeof text);
    lua_pushlstring(L, text, (size_t)(step_write(step, text + n) - text));
  }
}

/* Upvalues of the iterator: the first view, the environment, the metatable of views, the state, the queue of
** collections (three slots of the table each: offset of the value, path, pointer), and the function that decides
** whether to enter a collection. */
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
  int kind;      /* tag of the current collection; -1 without one, 0 before the root */
  int waiting;   /* queued collections */
  uint64_t left; /* values left of max_values */
};

/* Queues the collection at `offset` from its document's start, unless `enter` returns false. Path and pointer are at
** stack index `path`. */
static void view_queue_collection(lua_State *L, struct view_walk_state *p, lua_Number offset, int value, int path) {
  if (!lua_isnil(L, lua_upvalueindex(VIEW_WALK_UP_ENTER))) {
    lua_pushvalue(L, lua_upvalueindex(VIEW_WALK_UP_ENTER));
    lua_pushvalue(L, value);
    lua_pushvalue(L, path);
    lua_pushvalue(L, path + 1);
    lua_call(L, 3, 1);
    const int no = lua_isboolean(L, -1) && !lua_toboolean(L, -1);
    lua_pop(L, 1);
    if (no) return;
  }
  lua_pushnumber(L, offset);
  lua_rawseti(L, lua_upvalueindex(VIEW_WALK_UP_QUEUE), 3 * p->waiting + 1);
  for (int i = 0; i < 2; i++) {
    lua_pushvalue(L, path + i);
    lua_rawseti(L, lua_upvalueindex(VIEW_WALK_UP_QUEUE), 3 * p->waiting + 2 + i);
  }
  p->waiting++;
}

/* Returns the next member of the current collection, or NULL. */
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

/* Makes the last queued collection the current one; moves its path and pointer to slots -2 and -3 of the queue. */
static void view_walk_enter(lua_State *L, const struct mod_view *from, struct view_walk_state *p) {
  FL_ASSERT(p->waiting > 0);
  p->waiting--;
  for (int i = 3; i >= 2; i--) {
    lua_rawgeti(L, lua_upvalueindex(VIEW_WALK_UP_QUEUE), 3 * p->waiting + i);
    lua_rawseti(L, lua_upvalueindex(VIEW_WALK_UP_QUEUE), -i);
  }
  lua_rawgeti(L, lua_upvalueindex(VIEW_WALK_UP_QUEUE), 3 * p->waiting + 1);
  const bin_value v = (bin_value)((intptr_t)from->owner->doc.begin + (intptr_t)lua_tonumber(L, -1));
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
  const lua_Number offset = (lua_Number)((intptr_t)v - (intptr_t)begin);
  const int waits = bin_is_collection(v);
  view_push_value(L, lua_upvalueindex(VIEW_WALK_UP_ENV), lua_upvalueindex(VIEW_WALK_UP_METATABLE), from->owner, v);
  view_unpin(from->owner);
  if (lua_isnil(L, -1)) { /* undefined in an array: nil would end the loop */
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
  struct mod_binary b;
  if (!view_value_at(L, 1, &owner, &v)) return mod_type_error(L, 1, "view or document");
  if (!lua_isnoneornil(L, 2)) mod_check_type(L, 2, LUA_TFUNCTION);
  mod_read_binary_options(L, 3, &b, MOD_OF_WALK);
  lua_settop(L, 2);
  compat_need_stack(L, VIEW_WALK_UPVALUES + 4);
  view_push_env_of(L, 1);
  view_push_metatable(L, &view_key);
  view_push(L, 3, 4, owner, v); /* needed for a scalar, too: it keeps the document alive, and is never returned */
  lua_pushvalue(L, 3);
  lua_pushvalue(L, 4);
  struct view_walk_state *p = (struct view_walk_state *)lua_newuserdata(L, sizeof *p);
  memset(p, 0, sizeof *p);
  p->left = b.counts ? b.max_values : UINT64_MAX;
  lua_newtable(L);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, view_walk_next, VIEW_WALK_UPVALUES);
  return 1;
}
