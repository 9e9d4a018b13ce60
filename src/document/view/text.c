/* SPDX-License-Identifier: MIT */
#include "text.h"

#include "../../decode/face/decode.h"
#include "../../lua/state.h"
#include "../../number/compare.h"
#include "../state.h"

enum {
  VIEW_TEXT_DEPTH = 1024,  /* depth of texts that are tested without allocating memory */
  VIEW_TEXT_SCRATCH = 256, /* bytes of a string with escapes, without allocating memory */
  VIEW_TEXT_SLOTS = 24     /* Lua stack slots for converting a view */
};

/* Items of the environment, if it is a table. */
enum { VIEW_TEXT_ENV_TEXT = 1, VIEW_TEXT_ENV_WHOLE, VIEW_TEXT_ENV_VALUES };

/* Pushes the userdata at the index, or what its environment has in this slot; from Lua 5.4 on its environment. */
static void view_push_itself_or(lua_State *L, int index, int itself, int slot) {
  if (itself) {
    lua_pushvalue(L, index);
    return;
  }
  mod_push_env(L, index);
  if (LUA_VERSION_NUM >= 504) return;
  lua_rawgeti(L, -1, slot);
  lua_remove(L, -2);
}

static void view_push_whole(lua_State *L, int index, const struct view_text *t) {
  view_push_itself_or(L, index, t == &t->whole->text, VIEW_TEXT_ENV_WHOLE);
}

static void view_push_keeper(lua_State *L, int index, const struct view_whole *whole) {
  view_push_itself_or(L, index, whole->has_copy, VIEW_TEXT_ENV_TEXT);
}

/* Sets the environment of the whole on top; the text, if it is needed, is at the index. */
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
  mod_set_env(L, -2);
  whole->has_env = 1;
}

/* Stores the table of values at the index for the whole on top. */
static void view_set_values(lua_State *L, int values, struct view_whole *whole) {
#if LUA_VERSION_NUM >= 504
  lua_pushvalue(L, values);
  lua_setiuservalue(L, -2, 2);
#else
  if (!whole->has_env) view_set_whole_env(L, 0, whole);
  mod_push_env(L, -1);
  lua_pushvalue(L, values);
  lua_rawseti(L, -2, VIEW_TEXT_ENV_VALUES);
  lua_pop(L, 1);
#endif
  whole->has_values = 1;
}

/* Pushes the table of values, or nil, for the text view at the index. */
static void view_push_values(lua_State *L, int index, const struct view_text *t) {
  if (!t->whole->has_values) {
    lua_pushnil(L);
    return;
  }
#if LUA_VERSION_NUM >= 504
  view_push_whole(L, index, t);
  lua_getiuservalue(L, -1, 2);
#else
  (void)t;
  mod_push_env(L, index);
  lua_rawgeti(L, -1, VIEW_TEXT_ENV_VALUES);
#endif
  lua_remove(L, -2);
}

static void view_push_env_for_part(lua_State *L, int index, const struct view_text *from) {
#if LUA_VERSION_NUM >= 504
  view_push_whole(L, index, from);
#else
  if (from == &from->whole->text && !from->whole->has_env) {
    lua_pushvalue(L, index);
    view_set_whole_env(L, 0, from->whole);
    lua_pop(L, 1);
  }
  mod_push_env(L, index);
#endif
}

static void view_begin_text(struct view_text *t, const char *begin, const char *end, struct view_whole *whole) {
  t->is.text.magic = &view_text_magic;
  t->is.text.begin = begin;
  t->is.text.end = end;
  t->whole = whole;
  t->known = VIEW_KNOWN_NOTHING;
  t->plain = 0;
  t->count = 0;
}

FL_FUNC void *view_members(const struct view_text *t) {
  const void *after = t == &t->whole->text ? (const void *)(t->whole + 1) : (const void *)(t + 1);
  return (void *)(uintptr_t)after;
}

static int view_test_long(lua_State *L, const char *s, const char *end, uint32_t max_depth, unsigned cpu) {
  const size_t bytes = JSON_CONTAINERS(max_depth);
  unsigned char room[JSON_CONTAINERS(VIEW_TEXT_DEPTH)];
  unsigned char *containers = bytes <= sizeof room ? room : (unsigned char *)lua_newuserdata(L, bytes);
  const int fine = json_is_text(s, (size_t)(end - s), max_depth, containers, cpu);
  if (containers != room) lua_pop(L, 1);
  return fine;
}

FL_FUNC void view_push_text_metatable(lua_State *L, struct mod_state *m, int anchors) {
  if (FL_LIKELY(m->document->views_texts)) {
    lua_rawgeti(L, anchors, MOD_ANCHOR_TEXTS);
    return;
  }
  view_push_metatable(L, &view_text_key);
  compat_set_item(L, anchors, MOD_ANCHOR_TEXTS, -1);
  m->document->views_texts = 1;
}

/* Pushes a view of the tested text s[0..n) at the index; its value is [begin, end). `k`: its members, or NULL if they
** were not read; then the text is not copied. */
FL_FUNC struct view_whole *view_push_tested(lua_State *L, int index, const char *s, size_t n, struct json_slice value,
                                            const struct json_members *k, int values) {
  const size_t size = k && k->is_short ? sizeof(struct json_short_member) : sizeof(struct json_member);
  const size_t room = size * (!k ? (size_t)VIEW_MEMBERS : k->lost ? 0 : k->count);
  const size_t bytes = sizeof(struct view_whole) + room + (k ? n + 1 : 0);
#if LUA_VERSION_NUM >= 504
  struct view_whole *whole = (struct view_whole *)lua_newuserdatauv(L, bytes, values ? 2 : 1);
#else
  struct view_whole *whole = (struct view_whole *)mod_new_userdata(L, bytes);
#endif
  const char *copy = s;
  if (k) {
    memcpy(whole + 1, k->items, room);
    copy = (const char *)memcpy((char *)(whole + 1) + room, s, n + 1);
  }
  view_begin_text(&whole->text, copy + (value.begin - s), copy + (value.end - s), whole);
  if (k) {
    whole->text.known = k->lost ? VIEW_KNOWN_MANY : k->is_short ? VIEW_KNOWN_SHORT : VIEW_KNOWN_ALL;
    whole->text.plain = !k->has_escapes;
    whole->text.count = (unsigned char)k->count;
  }
  whole->stop = copy + n;
  whole->has_copy = k != NULL;
  whole->has_env = 0;
  whole->left = (n < SIZE_MAX / 2 / VIEW_TEXT_READINGS ? n * VIEW_TEXT_READINGS : n) + VIEW_TEXT_BYTES;
  whole->has_values = 0;
  if (!k) view_set_whole_env(L, index, whole);
  if (FL_UNLIKELY(values)) view_set_values(L, values, whole);
  return whole;
}

FL_PRIVATE int view_push_text(lua_State *L, int index, uint32_t max_depth, struct mod_state *m, int values,
                              unsigned scalars) {
  size_t n;
  const char *s = lua_tolstring(L, index, &n);
  const uint32_t depth = n < max_depth ? (uint32_t)n : max_depth;
  struct json_slice value = {json_skip_blanks(s), s + n};
  struct json_member members[VIEW_MEMBERS];
  struct json_members k;
  if ((*value.begin | 0x20) != '{') return 0;
  while (json_is_blank(value.end[-1])) value.end--;
  k.items = members;
  k.room = VIEW_MEMBERS;
  k.is_short = n <= JSON_MEMBERS_SHORT;
  const int is_read = n <= JSON_MEMBERS_BYTES && json_read_members(&k, value.begin, value.end, depth, m->cpu);
  if (!is_read && !view_test_long(L, value.begin, value.end, depth, m->cpu)) return 0;
  struct view_whole *whole = view_push_tested(L, index, s, n, value, is_read ? &k : NULL, values);
  whole->cpu = (uint16_t)m->cpu;
  whole->scalars = scalars & 0xff;
  whole->max_depth = depth;
  view_push_text_metatable(L, m, lua_upvalueindex(MOD_ANCHORS));
  lua_setmetatable(L, -2);
  return 1;
}

FL_NOINLINE void view_push_part_(lua_State *L, int index, const struct view_text *from, struct json_slice part) {
  struct view_text *t = (struct view_text *)mod_new_userdata(L, sizeof *t + VIEW_MEMBERS * sizeof(struct json_member));
  view_begin_text(t, part.begin, part.end, from->whole);
  view_push_env_for_part(L, index, from);
  mod_set_env(L, -2);
  view_push_metatable(L, &view_text_key);
  lua_setmetatable(L, -2);
}

/* Appends the positions to the document, and frees them. Returns their offset, or 0 if out of memory. */
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

/* Reads the text of a whole into the encoder. Returns the document's length, or 0 if out of memory. */
static size_t view_write_document(const struct view_whole *whole, struct json_slice text, struct bin_encoder *e,
                                  struct json_to_binary_places *places) {
  struct json_to_binary k;
  json_to_binary_init(&k, e, text.begin, whole->stop);
  json_to_binary_set_places(&k, places);
  k.scan.utf8 = mod_any_text; /* it was tested */
  k.scan.max_depth = whole->max_depth;
  const char *p = json_to_binary_scan(&k, &k.scan, text.begin);
  FL_ASSERT(p ? p == text.end : e->error || k.scan.error);
  json_to_binary_free(&k);
  return p && bin_finish(e) ? (size_t)(e->w - e->out.begin) : 0;
}

static void view_settle_whole(lua_State *L, int index, struct view_whole *whole) {
  struct mod_state *m = mod_state_of(L);
  /* A finalizer that runs meanwhile may convert it, too. */
  const struct json_slice text = {whole->text.is.text.begin, whole->text.is.text.end};
  struct encode_state *c;
  struct mod_piece piece;
  struct mod_doc *doc = (struct mod_doc *)view_new_doc(L, sizeof *doc, MOD_NEEDS_VALUES);
  size_t bytes, at = 0, count;
  memset(doc, 0, sizeof *doc);
  doc->magic = &view_doc_magic;
  view_make_env(L);
  const int env = lua_gettop(L);
  struct json_to_binary_places places = {0};
  struct bin_encoder *e = mod_begin_private_document(L, m, &c, &piece);
  bin_pool_keys(e);
  bytes = view_write_document(whole, text, e, &places);
  count = places.count;
  if (bytes) at = view_append_places(e, &places);
  else json_to_binary_free_places(e, &places);
  if (!at) {
    mod_end_encoder(m, e, c);
    luaL_error(L, "%s", bin_message(BIN_ERROR_MEMORY));
  }
  const char *copy = mod_push_document_copy(L, m, e, c, &piece);
  if (whole->text.is.view.magic != &view_text_magic) return; /* a finalizer has converted it */
  doc->doc.begin = (const uint8_t *)copy;
  doc->doc.end = doc->doc.begin + bytes;
  doc->doc.root = bin_root(&doc->doc);
  doc->places = (const struct json_to_binary_place *)(const void *)(copy + at);
  doc->place_count = count;
  view_put_env(L, env, VIEW_ENV_BYTES);
  view_push_keeper(L, index, whole);
  view_put_env(L, env, VIEW_ENV_TEXT);
  view_push_values(L, index, &whole->text);
  view_put_env(L, env, VIEW_ENV_VALUES);
  doc->scalars = (unsigned char)whole->scalars;
  lua_pushvalue(L, env);
  mod_set_env(L, index);
  whole->text.is.view.owner = doc;
  whole->text.is.view.value = doc->doc.root;
  whole->text.is.view.magic = &view_magic;
  view_push_metatable(L, &view_key);
  lua_setmetatable(L, index);
}

/* Returns the collection whose text ends at `end`. */
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
  if (!t) return NULL;
  compat_need_stack(L, VIEW_TEXT_SLOTS);
  view_push_whole(L, index, t);
  if (view_test_text(L, top + 1)) view_settle_whole(L, top + 1, t->whole);
  if (t->is.text.magic == &view_text_magic) {
    const char *end = t->is.text.end;
    const struct mod_doc *doc = t->whole->text.is.view.owner;
    mod_push_env(L, top + 1);
    mod_set_env(L, index);
    t->is.view.owner = doc;
    t->is.view.value = view_value_that_ends(doc, end);
    t->is.text.magic = &view_magic;
    view_push_metatable(L, &view_key);
    lua_setmetatable(L, index);
  }
  lua_settop(L, top);
  return &t->is.view;
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

/* json_scan.grow: allocates a string's memory on the Lua stack. */
static char *view_text_grow(void *owner, size_t n) { return (char *)lua_newuserdata((lua_State *)owner, n); }

FL_NOINLINE void view_push_escaped_(lua_State *L, const struct view_whole *whole, const char *p) {
  char scratch[VIEW_TEXT_SCRATCH];
  const int top = lua_gettop(L);
  struct json_string s;
  struct json_scan j = {0};
  j.begin = p;
  j.end = whole->stop;
  j.utf8 = mod_any_text; /* it was tested */
  j.scratch = scratch;
  j.room = sizeof scratch;
  j.grow = view_text_grow;
  j.owner = L;
  if (!json_read_string(&j, p + 1, &s)) s.s = "", s.n = 0;
  FL_ASSERT(!j.error);
  lua_pushlstring(L, s.s, s.n);
  if (lua_gettop(L) > top + 1) { /* the memory is below it */
    lua_replace(L, top + 1);
    lua_settop(L, top + 1);
  }
}

FL_FUNC void view_push_text_string(lua_State *L, const struct view_whole *whole, struct json_slice s) {
  const size_t n = (size_t)(s.end - s.begin) - 2;
  if (FL_LIKELY(whole->text.plain) || !memchr(s.begin + 1, '\\', n)) lua_pushlstring(L, s.begin + 1, n);
  else view_push_escaped_(L, whole, s.begin);
}

FL_NOINLINE void view_push_text_number_(lua_State *L, int index, const struct view_text *from, struct json_slice s) {
  const struct view_whole *whole = from->whole;
  struct num_value v = {0, 0, NUM_BAD};
  (void)num_read(s.begin, whole->stop, &v);
  FL_ASSERT(v.kind != NUM_BAD && v.kind != NUM_HUGE);
  if (FL_UNLIKELY(whole->scalars) && (v.kind == NUM_BIG || (v.kind == NUM_INTEGER && !json_to_lua_integer_fits(v.i)))) {
    const size_t n = (size_t)(s.end - s.begin);
    if (num_any_of(s.begin, n, &v).form != NUM_IS_TEXT) { /* else a document has a double, too */
      if (v.kind == NUM_INTEGER) v.d = (double)v.i;
      compat_need_stack(L, 8);
      view_push_values(L, index, from);
      view_push_big(L, whole->scalars, s.begin, n, &v);
      return;
    }
  }
  if (v.kind != NUM_INTEGER) lua_pushnumber(L, (lua_Number)v.d);
  else compat_push_integer(L, v.i);
}

static void view_push_text_null(lua_State *L, int index, const struct view_text *from) {
  if (FL_LIKELY(!(from->whole->scalars & VIEW_HAS_NULL))) {
    lua_pushlightuserdata(L, NULL);
    return;
  }
  view_push_values(L, index, from);
  lua_rawgeti(L, -1, MOD_VALUE_NULL);
  lua_replace(L, -2);
}

FL_FUNC void view_push_text_value(lua_State *L, int index, const struct view_text *from, struct json_slice s) {
  if (*s.begin == '"') {
    view_push_text_string(L, from->whole, s);
    return;
  }
  switch (*s.begin) {
  case '{':
  case '[': view_push_part_(L, index, from, s); break;
  case 't': lua_pushboolean(L, 1); break;
  case 'f': lua_pushboolean(L, 0); break;
  case 'n': view_push_text_null(L, index, from); break;
  default: view_push_text_number_(L, index, from, s);
  }
}

/* Returns whether the text of `t` may be read once more. */
static int view_may_read(struct view_text *t) {
  struct view_whole *whole = t->whole;
  const size_t n = (size_t)(t->is.text.end - t->is.text.begin);
  if (whole->text.is.view.magic != &view_text_magic || whole->left < n) return 0;
  whole->left -= n;
  return 1;
}

/* Returns the first quote or backslash of a string from p on. */
FL_FUNC const char *view_after_plain(const struct view_text *t, const char *p) {
  struct json_scan j;
  uint64_t high = 0;
  j.end = t->whole->stop;
  return json_scan_plain(&j, p, &high);
}

/* Returns the byte after the string, number, word or container at p. */
FL_FUNC const char *view_after_value(const struct view_text *t, const char *p) {
  if (*p == '"') {
    const char *end = view_after_plain(t, p + 1);
    if (FL_LIKELY(*end == '"')) return end + 1;
  }
  if (*p == '"' || (*p | 0x20) == '{') return json_after_value(p, t->is.text.end, t->whole->cpu, NULL);
  while (*p != ',' && (*p | 0x20) != '}' && !json_is_blank(*p)) p++;
  return p;
}

FL_NOINLINE void view_read_members_(struct view_text *t) {
  const char *const begin = t->is.text.begin, *p = json_skip_blanks(begin + 1);
  const int is_object = *begin == '{';
  struct json_member *const first = (struct json_member *)view_members(t), *m = first;
  t->known = VIEW_KNOWN_MANY;
  if ((size_t)(t->is.text.end - begin) > UINT32_MAX) return;
  while ((*p | 0x20) != '}') {
    if (m == first + VIEW_MEMBERS) return;
    m->name_length = 0;
    if (is_object) {
      const char *end = view_after_plain(t, p + 1);
      if (*end != '"') return;
      m->name = (uint32_t)(p + 1 - begin);
      m->name_length = (uint32_t)(end - p - 1);
      p = json_skip_blanks(end + 1);
      FL_ASSERT(*p == ':');
      p = json_skip_blanks(p + 1);
    }
    m->begin = (uint32_t)(p - begin);
    p = view_after_value(t, p);
    m->end = (uint32_t)(p - begin);
    m++;
    p = json_skip_blanks(p);
    if (*p == ',') p = json_skip_blanks(p + 1);
  }
  FL_ASSERT(p + 1 == t->is.text.end);
  t->known = VIEW_KNOWN_ALL;
  t->count = (unsigned char)(m - first);
}

/* Compares n bytes; for names, which are short. */
FL_FUNC int view_same_name(const char *a, const char *b, size_t n) {
  if (n < 4) return n == 0 || (*a == *b && a[n / 2] == b[n / 2] && a[n - 1] == b[n - 1]);
  if (n < 8) return fl_load32(a) == fl_load32(b) && fl_load32(a + n - 4) == fl_load32(b + n - 4);
  for (size_t i = 0; i + 8 < n; i += 8)
    if (fl_load64(a + i) != fl_load64(b + i)) return 0;
  return fl_load64(a + n - 8) == fl_load64(b + n - 8);
}

FL_INLINE struct json_member view_member(const struct view_text *t, uint32_t i, int is_short) {
  const struct json_short_member *from = (const struct json_short_member *)view_members(t) + i;
  struct json_member m;
  if (!is_short) return ((const struct json_member *)view_members(t))[i];
  m.name = from->name;
  m.name_length = from->name_length;
  m.begin = from->begin;
  m.end = from->end;
  return m;
}

/* Finds a member of an object whose members are all known. begin is NULL if there is none. */
FL_INLINE struct json_slice view_find_name(const struct view_text *t, const char *name, size_t n, int is_short) {
  const char *const begin = t->is.text.begin;
  struct json_slice value = {NULL, NULL};
  uint32_t i = t->count;
  while (i-- > 0) { /* of equal names the last counts */
    const struct json_member m = view_member(t, i, is_short);
    if (m.name_length != n || !view_same_name(begin + m.name, name, n)) continue;
    value.begin = begin + m.begin;
    value.end = begin + m.end;
    break;
  }
  return value;
}

FL_FUNC struct json_slice view_find_member(const struct view_text *t, const struct json_step *step) {
  const char *const begin = t->is.text.begin;
  const int is_short = t->known == VIEW_KNOWN_SHORT;
  struct json_slice value = {NULL, NULL};
  if (*begin == '{') {
    if (!step->name) return value;
    return is_short ? view_find_name(t, step->name, step->n, 1) : view_find_name(t, step->name, step->n, 0);
  }
  if (!step->indexes || (uint64_t)step->index >= t->count) return value;
  struct json_member m = view_member(t, (uint32_t)step->index, is_short);
  value.begin = begin + m.begin;
  value.end = begin + m.end;
  return value;
}

/* view_text_follow for one step. Returns -1 if known members do not answer it. */
static int view_text_step(lua_State *L, int index, struct view_text *t, const struct json_step *step) {
  if (FL_UNLIKELY(t->known == VIEW_KNOWN_NOTHING)) {
    if (!view_may_read(t)) return 0;
    view_read_members_(t);
  }
  if (t->known == VIEW_KNOWN_MANY || step->index < 0) return -1;
  struct json_slice value = view_find_member(t, step);
  if (value.begin) view_push_text_value(L, index, t, value);
  else lua_pushnil(L);
  return 1;
}

static int view_locate(const struct view_text *t, const struct json_goal *goals, uint32_t count,
                       struct json_goal_state *states, struct json_slice *found, const struct json_reading *how) {
  const char *begin = t->is.text.begin;
  return json_locate(goals, count, states, found, begin, (size_t)(t->is.text.end - begin), how);
}

/* view_text_follow for members that are not known. */
static int view_text_locate(lua_State *L, int index, struct view_text *t, const struct json_step *steps, size_t count) {
  struct json_goal goals[VIEW_TEXT_STEPS + 1];
  struct json_goal_state states[VIEW_TEXT_STEPS + 1];
  struct json_slice found[VIEW_TEXT_STEPS + 1];
  struct json_reading how = {JSON_LOCATE_FIRST, t->whole->cpu, 0, NULL, NULL};
  if (count > VIEW_TEXT_STEPS || !view_may_read(t)) return 0;
  for (size_t i = 0; i <= count; i++) {
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
  if (!view_locate(t, goals, (uint32_t)count + 1, states, found, &how)) return 0;
  if (found[count].begin) view_push_text_value(L, index, t, found[count]);
  else lua_pushnil(L);
  return 1;
}

FL_PRIVATE int view_text_follow(lua_State *L, int index, const struct json_step *steps, size_t count) {
  return view_text_locate(L, index, view_test_text(L, index), steps, count);
}

/* view[key] for values that are not known at once. */
FL_NOINLINE int view_text_index_(lua_State *L) {
  struct view_text *t = view_test_text(L, 1);
  struct json_step step;
  int done = -1;
  if (!view_read_key(L, 2, &step)) return 0;
  if (step.name && FL_UNLIKELY(view_may_be_method(step.name))) {
    compat_raw_get(L, lua_upvalueindex(VIEW_UP_METHODS), 2);
    if (!lua_isnil(L, -1)) return 1;
    lua_pop(L, 1);
  }
  if (FL_LIKELY(t != NULL)) done = view_text_step(L, 1, t, &step);
  if (done < 0 && t) done = view_text_locate(L, 1, t, &step, 1);
  if (FL_LIKELY(done > 0)) return 1;
  const struct mod_view *v = view_check(L, 1);
  view_push_from(L, 1, v->owner, view_lookup(L, &v->owner->doc, v->value, 2));
  return 1;
}

FL_PRIVATE int view_text_index(lua_State *L) {
  const struct view_text *t = view_test_text(L, 1);
  if (FL_LIKELY(t != NULL) && t->known == VIEW_KNOWN_SHORT && FL_LIKELY(lua_type(L, 2) == LUA_TSTRING)) {
    size_t n;
    const char *name = lua_tolstring(L, 2, &n);
    if (FL_LIKELY(!view_may_be_method(name)) && FL_LIKELY(*t->is.text.begin == '{')) {
      const struct json_slice value = view_find_name(t, name, n, 1);
      if (value.begin) view_push_text_value(L, 1, t, value);
      else lua_pushnil(L);
      return 1;
    }
  }
  return view_text_index_(L);
}

FL_PRIVATE int64_t view_text_count(lua_State *L, int index) {
  struct view_text *t = view_test_text(L, index);
  struct json_goal goals[2];
  struct json_goal_state states[2];
  struct json_slice found[2];
  const struct json_reading how = {0, t->whole->cpu, 0, NULL, NULL};
  if (*t->is.text.begin != '[' || !view_may_read(t)) return -1;
  memset(goals, 0, sizeof goals);
  goals[0].first = goals[0].count = 1;
  goals[1].step.index = INT64_MAX; /* no array has this index, so the array is read to its end */
  goals[1].step.indexes = goals[1].wanted = 1;
  if (!view_locate(t, goals, 2, states, found, &how)) return -1;
  return states[0].length;
}
