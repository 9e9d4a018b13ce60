/* SPDX-License-Identifier: MIT */
#include "text.h"

#include "../binary/lazy.h"

enum {
  VIEW_TEXT_DEPTH = 1024,  /* levels of a text for whose test no memory is allocated */
  VIEW_TEXT_SCRATCH = 256, /* the same for bytes of a string with escapes */
  VIEW_TEXT_SLOTS = 24     /* of the stack, to settle a view */
};

/* Items of the environment, if it is a table. */
enum { VIEW_TEXT_ENV_TEXT = 1, VIEW_TEXT_ENV_WHOLE };

/* ------------------------------------------------------------------------------------- environments */

/* Pushes the userdata of the whole text. */
static void view_push_whole(lua_State *L, int index, const struct view_text *t) {
  if (t == &t->whole->text) {
    lua_pushvalue(L, index);
    return;
  }
  view_push_env(L, index);
#if LUA_VERSION_NUM < 504
  lua_rawgeti(L, -1, VIEW_TEXT_ENV_WHOLE);
  lua_remove(L, -2);
#endif
}

/* Pushes what has the text of the whole at the index, which is not settled. */
static void view_push_keeper(lua_State *L, int index, const struct view_whole *whole) {
  if (whole->has_copy) {
    lua_pushvalue(L, index);
    return;
  }
  view_push_env(L, index);
#if LUA_VERSION_NUM < 504
  lua_rawgeti(L, -1, VIEW_TEXT_ENV_TEXT);
  lua_remove(L, -2);
#endif
}

/* Gives the whole on top its environment; the text is at the index, if it needs it. */
static void view_set_whole_env(lua_State *L, int index, struct view_whole *whole) {
#if LUA_VERSION_NUM >= 504
  lua_pushvalue(L, index);
#else
  lua_createtable(L, VIEW_TEXT_ENV_WHOLE, 0);
  if (!whole->has_copy) {
    lua_pushvalue(L, index);
    lua_rawseti(L, -2, VIEW_TEXT_ENV_TEXT);
  }
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, VIEW_TEXT_ENV_WHOLE);
#endif
  view_set_env(L, -2);
  whole->has_env = 1;
}

/* Pushes the environment of a new part of the view at the index. */
static void view_push_env_for_part(lua_State *L, int index, const struct view_text *from) {
#if LUA_VERSION_NUM >= 504
  view_push_whole(L, index, from);
#else
  if (from == &from->whole->text && !from->whole->has_env) {
    lua_pushvalue(L, index);
    view_set_whole_env(L, 0, from->whole);
    lua_pop(L, 1);
  }
  view_push_env(L, index);
#endif
}

/* ------------------------------------------------------------------------------------- a new view */

static void view_begin_text(struct view_text *t, const char *begin, const char *end, struct view_whole *whole,
                            struct json_member *members) {
  t->view.magic = &view_text_magic;
  t->view.owner = NULL;
  t->view.value = NULL;
  t->begin = begin;
  t->end = end;
  t->whole = whole;
  t->members = members;
  t->known = VIEW_KNOWN_NOTHING;
}

static int view_test_long(lua_State *L, const char *s, const char *end, uint32_t max_depth, unsigned cpu) {
  const size_t bytes = JSON_CONTAINERS(max_depth);
  unsigned char room[JSON_CONTAINERS(VIEW_TEXT_DEPTH)];
  unsigned char *containers = bytes <= sizeof room ? room : (unsigned char *)lua_newuserdata(L, bytes);
  const int fine = json_is_text(s, (size_t)(end - s), max_depth, containers, cpu);
  if (containers != room) lua_pop(L, 1);
  return fine;
}

/* Pushes the metatable of views of texts. */
static void view_push_text_metatable(lua_State *L, int anchors) {
  lua_rawgeti(L, anchors, MOD_ANCHOR_TEXTS);
  if (FL_LIKELY(!lua_isnil(L, -1))) return;
  lua_pop(L, 1);
  view_push_metatable(L, &view_text_key);
  lua_pushvalue(L, -1);
  lua_rawseti(L, anchors, MOD_ANCHOR_TEXTS);
}

/* Pushes a view of a text that was tested. `k`: its members; NULL: they were not read, and the text is not copied. */
static void view_push_tested(lua_State *L, int index, const char *begin, const char *end,
                             const struct json_members *k) {
  size_t n;
  const char *s = lua_tolstring(L, index, &n), *copy = s;
  const size_t room = !k ? VIEW_MEMBERS : k->lost ? 0 : k->count;
  struct view_whole *whole = (struct view_whole *)view_new_userdata(L, sizeof *whole + room * sizeof *k->items +
                                                                           (k ? n + 1 : 0));
  struct json_member *members = (struct json_member *)(void *)(whole + 1);
  if (k) {
    if (room) memcpy(members, k->items, room * sizeof *members);
    copy = (const char *)memcpy(members + room, s, n + 1);
  }
  view_begin_text(&whole->text, copy + (begin - s), copy + (end - s), whole, members);
  if (k) {
    whole->text.known = k->lost ? VIEW_KNOWN_MANY : VIEW_KNOWN_ALL;
    whole->text.count = k->count;
  }
  whole->stop = copy + n;
  whole->has_copy = k != NULL;
  whole->has_env = 0;
  whole->left = (n < SIZE_MAX / 2 / VIEW_TEXT_READINGS ? n * VIEW_TEXT_READINGS : n) + VIEW_TEXT_BYTES;
  if (!k) view_set_whole_env(L, index, whole);
}

FL_PRIVATE int view_push_text(lua_State *L, int index, uint32_t max_depth, unsigned cpu, int anchors) {
  size_t n;
  const char *s = lua_tolstring(L, index, &n), *begin = json_skip_blanks(s), *end = s + n;
  const uint32_t depth = n < max_depth ? (uint32_t)n : max_depth;
  struct json_member members[VIEW_MEMBERS];
  struct json_members k;
  struct view_whole *whole;
  int is_read;
  if ((*begin | 0x20) != '{') return 0;
  while (json_is_blank(end[-1])) end--;
  k.items = members;
  k.room = VIEW_MEMBERS;
  is_read = n <= JSON_MEMBERS_BYTES && json_read_members(&k, begin, end, s + n, depth, text_utf8_pick(cpu));
  if (!is_read && !view_test_long(L, begin, end, depth, cpu)) return 0;
  view_push_tested(L, index, begin, end, is_read ? &k : NULL);
  whole = (struct view_whole *)lua_touserdata(L, -1);
  whole->cpu = cpu;
  whole->max_depth = depth;
  view_push_text_metatable(L, anchors);
  lua_setmetatable(L, -2);
  return 1;
}

/* Pushes a view of a part of the text of the view at the index. */
static void view_push_part(lua_State *L, int index, const struct view_text *from, struct json_slice part) {
  struct view_text *t = (struct view_text *)view_new_userdata(L, sizeof *t + VIEW_MEMBERS * sizeof *t->members);
  view_begin_text(t, part.begin, part.end, from->whole, (struct json_member *)(void *)(t + 1));
  view_push_env_for_part(L, index, from);
  view_set_env(L, -2);
  view_push_metatable(L, &view_text_key);
  lua_setmetatable(L, -2);
}

/* ------------------------------------------------------------------------------------- settling */

/* Puts the places after the document, and frees them. Returns where they are, or 0: no memory. */
static size_t view_append_places(struct bin_encoder *e, struct json_to_binary_places *places) {
  const size_t n = places->count * sizeof *places->items, to = sizeof(void *);
  const size_t at = ((size_t)(e->w - e->out.begin) + to - 1) / to * to;
  const int fine = bin_reserve(e, n + to);
  if (fine) {
    memcpy(e->out.begin + at, places->items, n);
    e->w = e->out.begin + at + n;
  }
  json_to_binary_free_places(e, places);
  return fine ? at : 0;
}

/* Reads the text of a whole into the encoder. Returns the length of the document, or 0: no memory. */
static size_t view_write_document(const struct view_whole *whole, struct bin_encoder *e,
                                  struct json_to_binary_places *places) {
  struct json_to_binary k;
  const char *p;
  json_to_binary_init(&k, e, whole->text.begin, whole->stop);
  k.places = places;
  k.scan.utf8 = mod_any_text; /* it was tested */
  k.scan.max_depth = whole->max_depth;
  p = json_to_binary_scan(&k, &k.scan, whole->text.begin);
  FL_ASSERT(p == whole->text.end || e->error);
  json_to_binary_free(&k);
  return p && bin_finish(e) ? (size_t)(e->w - e->out.begin) : 0;
}

/* Makes a document of the whole at the index. */
static void view_settle_whole(lua_State *L, int index, struct view_whole *whole) {
  struct mod_state *m = mod_state_of(L);
  struct json_to_binary_places places;
  struct bin_encoder *e;
  struct encode_state *c;
  struct mod_piece piece;
  struct mod_doc *doc = (struct mod_doc *)view_new_doc(L, sizeof *doc, 0);
  const char *copy;
  size_t bytes, at = 0, count;
  int env;
  memset(doc, 0, sizeof *doc);
  doc->magic = &view_doc_magic;
  view_make_env(L);
  env = lua_gettop(L);
  memset(&places, 0, sizeof places);
  e = mod_begin_private_document(L, m, &c, &piece);
  bin_pool_keys(e);
  bytes = view_write_document(whole, e, &places);
  count = places.count;
  if (bytes) at = view_append_places(e, &places);
  else json_to_binary_free_places(e, &places);
  if (!at) {
    mod_end_encoder(m, e, c);
    luaL_error(L, "%s", bin_message(BIN_ERROR_MEMORY));
  }
  copy = mod_push_document_copy(L, m, e, c, &piece);
  if (whole->text.view.magic != &view_text_magic) return; /* a finalizer has settled it */
  doc->doc.begin = (const uint8_t *)copy;
  doc->doc.end = doc->doc.begin + bytes;
  doc->doc.root = bin_root(&doc->doc);
  doc->places = (const struct json_to_binary_place *)(const void *)(copy + at);
  doc->place_count = count;
  view_put_env(L, env, VIEW_ENV_BYTES);
  view_push_keeper(L, index, whole);
  view_put_env(L, env, VIEW_ENV_TEXT);
  lua_pushvalue(L, env);
  view_set_env(L, index);
  whole->text.view.owner = doc;
  whole->text.view.value = doc->doc.root;
  whole->text.view.magic = &view_magic;
  view_push_metatable(L, &view_key);
  lua_setmetatable(L, index);
}

/* The value of the collection whose text ends at `end`. */
static bin_value view_value_that_ends(const struct mod_doc *doc, const char *end) {
  size_t low = 0, high = doc->place_count;
  while (low < high) {
    const size_t i = low + (high - low) / 2;
    if (doc->places[i].end < end) low = i + 1;
    else high = i;
  }
  FL_ASSERT(low < doc->place_count && doc->places[low].end == end);
  return doc->doc.begin + 2 * doc->places[low].position;
}

FL_PRIVATE_NOINLINE struct mod_view *view_settle_(lua_State *L, int index) {
  struct view_text *t = view_test_text(L, index);
  const int top = lua_gettop(L);
  const struct mod_doc *doc;
  if (!t) return NULL;
  compat_need_stack(L, VIEW_TEXT_SLOTS);
  view_push_whole(L, index, t);
  if (view_test_text(L, top + 1)) view_settle_whole(L, top + 1, t->whole);
  if (t->view.magic == &view_text_magic) {
    doc = t->whole->text.view.owner;
    view_push_env(L, top + 1);
    view_set_env(L, index);
    t->view.owner = doc;
    t->view.value = view_value_that_ends(doc, t->end);
    t->view.magic = &view_magic;
    view_push_metatable(L, &view_key);
    lua_setmetatable(L, index);
  }
  lua_settop(L, top);
  return &t->view;
}

FL_PRIVATE struct json_slice view_text_of(const struct mod_doc *owner, bin_value v) {
  struct json_slice none = {NULL, NULL};
  const size_t position = (size_t)(v - owner->doc.begin) / 2;
  size_t low = 0, high = owner->place_count;
  while (low < high) {
    const size_t i = low + (high - low) / 2;
    if (owner->places[i].position < position) low = i + 1;
    else high = i;
  }
  if (low == owner->place_count || owner->places[low].position != position) return none;
  none.begin = owner->places[low].begin;
  none.end = owner->places[low].end;
  return none;
}

/* ------------------------------------------------------------------------------------- finding */

/* A json_scan's `grow`: memory for a string on the Lua stack. */
static char *view_text_grow(void *owner, size_t n) { return (char *)lua_newuserdata((lua_State *)owner, n); }

/* Pushes the string with escapes whose text begins at p. */
FL_NOINLINE void view_push_escaped_(lua_State *L, const struct view_whole *whole, const char *p) {
  char scratch[VIEW_TEXT_SCRATCH];
  const int top = lua_gettop(L);
  struct json_scan j;
  struct json_string s;
  memset(&j, 0, sizeof j);
  j.begin = whole->text.begin;
  j.end = whole->stop;
  j.utf8 = mod_any_text; /* it was tested */
  j.scratch = scratch;
  j.room = sizeof scratch;
  j.grow = view_text_grow;
  j.owner = L;
  if (!json_scan_string(&j, p + 1, &s)) s.s = "", s.n = 0;
  FL_ASSERT(!j.error);
  lua_pushlstring(L, s.s, s.n);
  if (lua_gettop(L) > top + 1) { /* below it is the memory */
    lua_replace(L, top + 1);
    lua_settop(L, top + 1);
  }
}

FL_INLINE void view_push_text_string(lua_State *L, const struct view_whole *whole, struct json_slice s) {
  const size_t n = (size_t)(s.end - s.begin) - 2;
  if (FL_UNLIKELY(memchr(s.begin + 1, '\\', n) != NULL)) view_push_escaped_(L, whole, s.begin);
  else lua_pushlstring(L, s.begin + 1, n);
}

static void view_push_text_number(lua_State *L, const struct view_whole *whole, const char *p) {
  struct num_value v = {0, 0, NUM_BAD};
  (void)num_parse(p, whole->stop, &v);
  FL_ASSERT(v.kind != NUM_BAD && v.kind != NUM_HUGE);
  if (v.kind != NUM_INTEGER) lua_pushnumber(L, (lua_Number)v.d);
#if LUA_VERSION_NUM >= 503
  else lua_pushinteger(L, (lua_Integer)v.i);
#else
  else lua_pushnumber(L, (lua_Number)v.i);
#endif
}

/* Pushes the value whose text this is. */
static void view_push_text_value(lua_State *L, int index, const struct view_text *from, struct json_slice s) {
  switch (*s.begin) {
  case '{':
  case '[': view_push_part(L, index, from, s); break;
  case '"': view_push_text_string(L, from->whole, s); break;
  case 't': lua_pushboolean(L, 1); break;
  case 'f': lua_pushboolean(L, 0); break;
  case 'n': lua_pushlightuserdata(L, NULL); break;
  default: view_push_text_number(L, from->whole, s.begin);
  }
}

/* May the text of `t` be read again? */
static int view_may_read(struct view_text *t) {
  struct view_whole *whole = t->whole;
  const size_t n = (size_t)(t->end - t->begin);
  if (whole->text.view.magic != &view_text_magic || whole->left < n) return 0;
  whole->left -= n;
  return 1;
}

/* The first quote or backslash from p on, in a string. */
FL_INLINE const char *view_after_plain(const struct view_text *t, const char *p) {
  struct json_scan j;
  uint64_t high = 0;
  j.end = t->whole->stop;
  return json_scan_plain(&j, p, &high);
}

/* The byte after the string, number, word or container at p. */
FL_INLINE const char *view_after_value(const struct view_text *t, const char *p) {
  if (*p == '"') {
    const char *end = view_after_plain(t, p + 1);
    if (FL_LIKELY(*end == '"')) return end + 1;
  }
  if (*p == '"' || (*p | 0x20) == '{') return json_after_value(p, t->end, t->whole->cpu, NULL);
  while (*p != ',' && (*p | 0x20) != '}' && !json_is_blank(*p)) p++;
  return p;
}

/* Reads the names and places of all members. */
FL_NOINLINE void view_read_members_(struct view_text *t) {
  const char *p = json_skip_blanks(t->begin + 1);
  const int is_object = *t->begin == '{';
  struct json_member *m = t->members;
  t->known = VIEW_KNOWN_MANY;
  if ((size_t)(t->end - t->begin) > UINT32_MAX) return;
  while ((*p | 0x20) != '}') {
    if (m == t->members + VIEW_MEMBERS) return;
    m->name_length = 0;
    if (is_object) {
      const char *end = view_after_plain(t, p + 1);
      if (*end != '"') return;
      m->name = (uint32_t)(p + 1 - t->begin);
      m->name_length = (uint32_t)(end - p - 1);
      p = json_skip_blanks(end + 1);
      FL_ASSERT(*p == ':');
      p = json_skip_blanks(p + 1);
    }
    m->begin = (uint32_t)(p - t->begin);
    p = view_after_value(t, p);
    m->end = (uint32_t)(p - t->begin);
    m++;
    p = json_skip_blanks(p);
    if (*p == ',') p = json_skip_blanks(p + 1);
  }
  FL_ASSERT(p + 1 == t->end);
  t->known = VIEW_KNOWN_ALL;
  t->count = (uint32_t)(m - t->members);
}

/* Finds a member of a container of which all are known; NULL: there is none. */
FL_INLINE const struct json_member *view_find_member(const struct view_text *t, const struct json_step *step) {
  uint32_t i = t->count;
  if (*t->begin == '[') return step->indexes && (uint64_t)step->index < t->count ? t->members + step->index : NULL;
  if (!step->name) return NULL;
  while (i-- > 0) { /* of equal names the last counts */
    const struct json_member *m = &t->members[i];
    if (m->name_length == step->n && memcmp(t->begin + m->name, step->name, step->n) == 0) return m;
  }
  return NULL;
}

/* view_text_follow for one step; -1: by this way it is not known. */
FL_INLINE int view_text_step(lua_State *L, int index, struct view_text *t, const struct json_step *step) {
  const struct json_member *m;
  struct json_slice value;
  if (FL_UNLIKELY(t->known == VIEW_KNOWN_NOTHING)) {
    if (!view_may_read(t)) return 0;
    view_read_members_(t);
  }
  if (t->known != VIEW_KNOWN_ALL || step->index < 0) return -1;
  m = view_find_member(t, step);
  if (!m) return lua_pushnil(L), 1;
  value.begin = t->begin + m->begin;
  value.end = t->begin + m->end;
  view_push_text_value(L, index, t, value);
  return 1;
}

/* view_text_follow over members that are not known. */
static int view_text_locate(lua_State *L, int index, struct view_text *t, const struct json_step *steps, size_t count) {
  struct json_goal goals[VIEW_TEXT_STEPS + 1];
  struct json_goal_state states[VIEW_TEXT_STEPS + 1];
  struct json_slice found[VIEW_TEXT_STEPS + 1];
  struct json_reading how = {JSON_LOCATE_FIRST, t->whole->cpu, 0, NULL, NULL};
  size_t i;
  if (count > VIEW_TEXT_STEPS || !view_may_read(t)) return 0;
  for (i = 0; i <= count; i++) {
    struct json_goal *g = &goals[i];
    memset(g, 0, sizeof *g);
    if (i > 0) g->step = steps[i - 1];
    if (i > 0 && g->step.name) how.flags = 0; /* of equal names the last counts */
    g->wanted = i == count;
    if (i == count) continue;
    g->first = (uint32_t)i + 1;
    g->count = 1;
    if (steps[i].name) g->lengths = (uint64_t)1 << steps[i].n % 64;
  }
  if (!json_locate(goals, (uint32_t)count + 1, states, found, t->begin, (size_t)(t->end - t->begin), &how)) return 0;
  if (found[count].begin) view_push_text_value(L, index, t, found[count]);
  else lua_pushnil(L);
  return 1;
}

FL_PRIVATE int view_text_follow(lua_State *L, int index, const struct json_step *steps, size_t count) {
  return view_text_locate(L, index, view_test_text(L, index), steps, count);
}

FL_PRIVATE int view_text_index(lua_State *L) {
  struct view_text *t = view_test_text(L, 1);
  const struct mod_view *v;
  struct json_step step;
  int done = -1;
  if (!view_read_key(L, 2, &step)) return 0;
  if (step.name && FL_UNLIKELY(view_may_be_method(step.name))) {
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(VIEW_UP_METHODS));
    if (!lua_isnil(L, -1)) return 1;
    lua_pop(L, 1);
  }
  if (FL_LIKELY(t != NULL)) done = view_text_step(L, 1, t, &step);
  if (done < 0 && t) done = view_text_locate(L, 1, t, &step, 1);
  if (FL_LIKELY(done > 0)) return 1;
  v = view_check(L, 1);
  view_push_from(L, 1, v->owner, view_lookup(L, &v->owner->doc, v->value, 2));
  return 1;
}

FL_PRIVATE int64_t view_text_count(lua_State *L, int index) {
  struct view_text *t = view_test_text(L, index);
  struct json_goal goals[2];
  struct json_goal_state states[2];
  struct json_slice found[2];
  const struct json_reading how = {0, t->whole->cpu, 0, NULL, NULL};
  if (*t->begin != '[' || !view_may_read(t)) return -1;
  memset(goals, 0, sizeof goals);
  goals[0].first = goals[0].count = 1;
  goals[1].step.index = INT64_MAX; /* which no array has, so that it is read up to its end */
  goals[1].step.indexes = goals[1].wanted = 1;
  if (!json_locate(goals, 2, states, found, t->begin, (size_t)(t->end - t->begin), &how)) return -1;
  return states[0].length;
}
