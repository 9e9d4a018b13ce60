/* SPDX-License-Identifier: MIT
** document.c -- lua-rapidjson's Document: a JSON text whose values are read and changed by JSON Pointers.
** Must hold: the environment of a document has its string and, once a pointer was used, an edit of that, a userdata. A
** call that uses them keeps both on the stack, because any allocation of Lua may run a finalizer that changes the
** document, or gives it another string. No Lua runs while json/edit works, whose memory is heap_alloc's. An edit that
** ran out of memory has not changed the text. */
#include "../../files/file.h"
#include "../../json/edit/edit.h"
#include "../../json/edit/lists.h"
#include "../../json/index/locate.h"
#include "../../json/index/steps.h"
#include "../../json/pointer.h"
#include "../../lua/state.h"
#include "rapidjson.h"

static const char rapidjson_edit_key = 0; /* keys of the registry */

/* A block of an edit's memory. */
struct rapidjson_block {
  struct rapidjson_block *next;
  size_t size;
};

struct rapidjson_edit {
  struct heap_user user;
  struct json_edit edit;
  struct rapidjson_block *blocks;
  size_t length, taken; /* bytes of the string, and of the blocks */
  size_t put;           /* bytes of values that were set, or put together for `get` */
  int is_changed;
  int is_closed; /* the blocks are freed */
};

struct rapidjson_document {
  struct rapidjson_edit *edit; /* or NULL */
  size_t version;              /* number of changes, and of strings that it had */
  unsigned asked;              /* calls of `get` since there is no edit */
};

/* Items of a document's environment; both exist, so that setting them takes no memory. */
enum { RAPIDJSON_STRING = 1, RAPIDJSON_EDIT };

enum {
  RAPIDJSON_FIRST = 512, /* half the size of the first block */
  /* When more bytes were put than twice the string and this slack, or taken than RAPIDJSON_PIECES times as many, the
  ** document gets a new string. An item of two bytes that a pointer has met takes 170, a member of five 240. */
  RAPIDJSON_SLACK = 64 * 1024,
  RAPIDJSON_PIECES = 128,
  /* An edit finds a value in the time of its pointer, but making it costs more than some readings of the text. */
  RAPIDJSON_READINGS = 3,
  RAPIDJSON_STEPS = 8,          /* longest pointer that is looked for without an edit */
  RAPIDJSON_FILL_MOST = 1 << 24 /* limit for the values that one `set` creates */
};

/* ------------------------------------------------------------------------------------- strings and edits */

/* json_edit's alloc. */
static void *rapidjson_alloc(void *owner, size_t n) {
  struct rapidjson_edit *t = (struct rapidjson_edit *)owner;
  struct rapidjson_block *b = (struct rapidjson_block *)heap_alloc(&t->user, NULL, 0, sizeof *b + n);
  if (!b) return NULL;
  b->next = t->blocks;
  b->size = sizeof *b + n;
  t->blocks = b;
  t->taken += n;
  return b + 1;
}

static int rapidjson_edit_gc(lua_State *L) {
  struct rapidjson_edit *t = (struct rapidjson_edit *)lua_touserdata(L, 1);
  struct rapidjson_block *b, *next;
  t->is_closed = 1; /* another finalizer may still use the document */
  if (heap_is_dead(L, &t->user)) return 0;
  for (b = t->blocks; b; b = next) {
    next = b->next;
    (void)heap_alloc(&t->user, b, b->size, 0);
  }
  return 0;
}

/* Pushes an edit of the string on top, which rapidjson_push_written has written. */
static struct rapidjson_edit *rapidjson_push_edit(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  size_t n;
  const char *s = lua_tolstring(L, -1, &n);
  struct rapidjson_edit *t = (struct rapidjson_edit *)lua_newuserdata(L, sizeof *t);
  struct json_edit *e = &t->edit;
  memset(t, 0, sizeof *t);
  heap_begin(L, &t->user, codec->state);
  t->length = n;
  e->alloc = rapidjson_alloc;
  e->owner = t;
  e->cpu = codec->state->cpu;
  e->scan.begin = s;
  e->scan.end = s + n;
  e->scan.utf8 = mod_any_text;
  e->scan.bad_text = JSON_BAD_PASS;
  e->scan.max_depth = MOD_DEPTH_LIMIT;
  json_edit_begin(e, s, s + n);
  e->may_repeat = 1;
  e->block = RAPIDJSON_FIRST;
  mod_set_finalizer(L, &rapidjson_edit_key, rapidjson_edit_gc);
  return t;
}

/* Pops the string on top and makes it that of the document at `index`. */
static void rapidjson_adopt(lua_State *L, int index) {
  struct rapidjson_document *doc = (struct rapidjson_document *)lua_touserdata(L, index);
  mod_push_env(L, index);
  lua_insert(L, -2);
  lua_rawseti(L, -2, RAPIDJSON_STRING);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, RAPIDJSON_EDIT);
  lua_pop(L, 1);
  doc->edit = NULL;
  doc->asked = 0;
  doc->version++;
}

/* Pushes the document's string and its edit, or false. */
static struct rapidjson_edit *rapidjson_hold(lua_State *L, int index) {
  struct rapidjson_edit *t = ((const struct rapidjson_document *)lua_touserdata(L, index))->edit;
  mod_push_env(L, index);
  lua_rawgeti(L, -1, RAPIDJSON_STRING);
  lua_rawgeti(L, -2, RAPIDJSON_EDIT);
  lua_remove(L, -3);
  if (t && (heap_is_dead(L, &t->user) || t->is_closed)) luaL_error(L, "the document is closed");
  return t;
}

/* Pushes a new document whose string is on top, which it pops. */
static void rapidjson_push_document(lua_State *L) {
  compat_need_stack(L, 12);
  struct rapidjson_document *doc = (struct rapidjson_document *)mod_new_userdata(L, sizeof *doc);
  memset(doc, 0, sizeof *doc);
  lua_createtable(L, RAPIDJSON_EDIT, 0);
  lua_pushvalue(L, -3);
  lua_rawseti(L, -2, RAPIDJSON_STRING);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, RAPIDJSON_EDIT);
  mod_set_env(L, -2);
  compat_registry_get(L, &rapidjson_document_key);
  lua_setmetatable(L, -2);
  lua_remove(L, -2);
}

FL_PRIVATE struct rapidjson_document *rapidjson_check_document(lua_State *L, int index) {
  return (struct rapidjson_document *)rapidjson_check(L, index, &rapidjson_document_key, "rapidjson.Document");
}

/* Makes d's text that of the document at `index`, which does not change if the text is not JSON. Pushes true, or nil
** and the message. */
static int rapidjson_parse_into(struct mod_decode *d, int index, const char *origin) {
  lua_State *L = d->L;
  compat_need_stack(L, 12);
  if (!rapidjson_push_written(d)) return rapidjson_return_fault_(d, origin, "%s (at Offset %s)");
  rapidjson_adopt(L, index);
  lua_pushboolean(L, 1);
  return 1;
}

/* document:parse(text) -> true; or nil, message */
static int rapidjson_parse(lua_State *L) {
  struct mod_decode d;
  (void)rapidjson_check_document(L, 1);
  rapidjson_begin_decode(&d, L);
  const char *origin = rapidjson_set_text(&d, 2);
  return rapidjson_parse_into(&d, 1, origin);
}

/* document:parseFile(path) -> true; or nil, message */
static int rapidjson_parse_file(lua_State *L) {
  struct mod_decode d;
  int there;
  (void)rapidjson_check_document(L, 1);
  const char *path = luaL_checkstring(L, 2);
  rapidjson_begin_decode(&d, L);
  const char *origin = rapidjson_read_file(&d, path, &there);
  return origin ? rapidjson_parse_into(&d, 1, origin) : 2;
}

static void rapidjson_push_changed(lua_State *L, const struct rapidjson_edit *t) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct encode_state *c = mod_encode_state_for_call(L, codec->state);
  struct mod_call call;
  char *w = NULL;
  size_t n;
  mod_start_call(&call, L, codec->state, &codec->json, 0);
  if (mod_make_ready(&call, c) && json_edit_length(&t->edit, &n))
    w = buf_reserve(&c->out.buffer, c->out.buffer.begin, n);
  if (!w) {
    mod_free_encode_state(c);
    luaL_error(L, "not enough memory");
    return;
  }
  (void)mod_finish(&call, c, json_edit_write(&t->edit, w));
}

FL_PRIVATE void rapidjson_push_string(lua_State *L, int index) {
  const struct rapidjson_document *doc = (const struct rapidjson_document *)lua_touserdata(L, index);
  const int held = lua_gettop(L) + 1;
  const size_t version = doc->version;
  compat_need_stack(L, 16);
  const struct rapidjson_edit *t = rapidjson_hold(L, index);
  if (t && t->is_changed) {
    rapidjson_push_changed(L, t);
    lua_replace(L, held);
    lua_pushvalue(L, held);
    if (doc->version == version) rapidjson_adopt(L, index); /* else a finalizer has changed it */
  }
  lua_settop(L, held);
}

static int rapidjson_is_full(const struct rapidjson_edit *t) {
  return t->put / 2 > t->length + RAPIDJSON_SLACK / 2 || t->taken / RAPIDJSON_PIECES > t->length + RAPIDJSON_SLACK;
}

/* Pushes the string of the document at `index` and its edit. */
static struct rapidjson_edit *rapidjson_use(lua_State *L, int index) {
  struct rapidjson_document *doc = (struct rapidjson_document *)lua_touserdata(L, index);
  const int top = lua_gettop(L);
  for (;;) {
    const size_t version = doc->version;
    struct rapidjson_edit *t = rapidjson_hold(L, index);
    if (FL_LIKELY(t && !rapidjson_is_full(t))) return t;
    if (t) {
      rapidjson_push_string(L, index);
      if (doc->edit == t && !t->is_changed) rapidjson_adopt(L, index);
    } else {
      lua_pop(L, 1);
      t = rapidjson_push_edit(L);
      if (doc->version == version && !doc->edit) { /* else a finalizer has changed it */
        mod_push_env(L, index);
        lua_pushvalue(L, -2);
        lua_rawseti(L, -2, RAPIDJSON_EDIT);
        doc->edit = t;
      }
    }
    lua_settop(L, top);
  }
}

static void rapidjson_push_document_text(lua_State *L, int index, int options) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct mod_options own = codec->json;
  struct mod_decode d;
  int pretty = 0;
  if (!lua_isnone(L, options)) {
    luaL_checktype(L, options, LUA_TTABLE);
    pretty = rapidjson_flag(L, options, "pretty");
  }
  rapidjson_begin_decode(&d, L);
  rapidjson_push_string(L, index);
  if (!pretty) return;
  rapidjson_indent(&own);
  mod_settle_options(&own);
  mod_set_text(&d, lua_gettop(L));
  if (!rapidjson_push_text(&d, &own)) luaL_error(L, "not enough memory");
}

/* document:stringify([options]) -> text */
static int rapidjson_stringify(lua_State *L) {
  (void)rapidjson_check_document(L, 1);
  rapidjson_push_document_text(L, 1, 2);
  return 1;
}

/* document:save(path [, options]) */
static int rapidjson_save(lua_State *L) {
  (void)rapidjson_check_document(L, 1);
  const char *path = luaL_checkstring(L, 2);
  rapidjson_push_document_text(L, 1, 3);
  return rapidjson_write_file(L, path);
}

/* ------------------------------------------------------------------------------------- get, set */

/* Reads the JSON Pointer at `index`. Pushes a userdata with its tokens. */
static const struct json_token *rapidjson_pointer(lua_State *L, int index, size_t *count) {
  size_t n, most;
  const char *s = luaL_checklstring(L, index, &n);
  compat_need_stack(L, 12);
  if (n > JSON_POINTER_LONGEST) luaL_argerror(L, index, "JSON Pointer too long");
  most = json_pointer_tokens(s, n);
  struct json_token *tokens = (struct json_token *)lua_newuserdata(L, most * sizeof *tokens + n + 1);
  if (!json_read_pointer(s, n, tokens, (char *)(tokens + most), count))
    luaL_argerror(L, index, "JSON Pointer expected");
  return tokens;
}

/* After json/edit has failed: raises an error. */
static int rapidjson_fail(lua_State *L, struct json_edit *e) {
  FL_ASSERT(e->error == JSON_EDIT_MEMORY);
  e->error = JSON_EDIT_OK;
  e->scan.error = 0;
  return luaL_error(L, "not enough memory");
}

FL_INLINE int rapidjson_is_container(const struct json_edit_piece *piece) {
  return piece->list || *piece->value.begin == '[' || *piece->value.begin == '{';
}

/* Returns the last value on the way of the tokens, and in *done how many of them lead to it. *in: the list that it is
** in. NULL after an error. */
static struct json_edit_piece *rapidjson_find(struct json_edit *e, const struct json_token *t, size_t count,
                                              size_t *done, struct json_edit_list **in) {
  struct json_edit_piece *piece = &e->root, *found;
  *in = NULL;
  for (*done = 0; *done < count && rapidjson_is_container(piece); ++*done, t++) {
    struct json_edit_list *l = json_edit_open(e, *in, piece);
    int none;
    found = NULL;
    if (!l) return NULL;
    if (l->is_object ? !json_edit_find_member(e, l, t->name, t->n, &found)
                     : t->index != JSON_NO_INDEX && !json_edit_find_item(e, l, t->index, &found, &none))
      return NULL;
    if (!found) break;
    *in = l;
    piece = found;
  }
  return piece;
}

/* Pushes what a value means. Its text must be on the stack. */
static void rapidjson_push_value(lua_State *L, struct json_slice s) {
  const size_t n = json_slice_length(s);
  struct num_value v;
  struct mod_decode d;
  struct json_scan scan;
  switch (*s.begin) {
  case '[':
  case '{': break;
  case 'n': lua_pushlightuserdata(L, NULL); return;
  case 't':
  case 'f': lua_pushboolean(L, *s.begin == 't'); return;
  case '"':
    if (memchr(s.begin, '\\', n)) break;
    lua_pushlstring(L, s.begin + 1, n - 2);
    return;
  default:
    (void)num_read(s.begin, s.end, &v);
    if (v.kind == NUM_INTEGER) compat_push_integer(L, v.i);
    else lua_pushnumber(L, v.d);
    return;
  }
  rapidjson_begin_decode(&d, L);
  lua_pushlstring(L, s.begin, n);
  mod_set_text(&d, lua_gettop(L));
  if (!mod_scan_whole(&d, &scan)) luaL_error(L, "not enough memory");
}

/* Finds a value of a document without an edit, and pushes its string; the slice is empty if there is none. Returns 0 if
** an edit has to find it. */
static int rapidjson_peek(lua_State *L, struct rapidjson_document *doc, const struct json_token *t, size_t count,
                          struct json_slice *value) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct json_step steps[RAPIDJSON_STEPS];
  struct json_goal goals[RAPIDJSON_STEPS + 1];
  struct json_goal_state states[RAPIDJSON_STEPS + 1];
  struct json_slice found[RAPIDJSON_STEPS + 1];
  struct json_goal_path path;
  size_t n, i;
  if (doc->edit || count > RAPIDJSON_STEPS) return 0;
  (void)rapidjson_hold(L, 1);
  const char *s = lua_tolstring(L, -2, &n);
  *value = json_slice_of(s, s + n);
  if (count == 0) return 1;
  if (doc->asked++ >= RAPIDJSON_READINGS || (*s != '[' && *s != '{')) return 0;
  for (i = 0; i < count; i++) json_set_step(&steps[i], t[i].name, t[i].n, t[i].index, t[i].index != JSON_NO_INDEX);
  path.steps = steps;
  path.count = count;
  struct json_reading how = {0};
  how.flags = JSON_LOCATE_FIRST;
  how.cpu = codec->state->cpu;
  i = json_build_goals(goals, &path, 1);
  if (!json_locate(goals, (uint32_t)i, states, found, s, n, &how)) return 0;
  *value = found[path.goal];
  return 1;
}

/* document:get(pointer [, default]) -> value */
static int rapidjson_get(lua_State *L) {
  const struct json_edit_piece *piece;
  struct json_edit_list *in;
  struct json_slice s;
  enum json_edit_origin origin;
  size_t count, done;
  struct rapidjson_document *doc = rapidjson_check_document(L, 1);
  luaL_checkstring(L, 2); /* this check's error says "no value" if the argument is missing */
  lua_settop(L, 3);
  const struct json_token *tokens = rapidjson_pointer(L, 2, &count);
  if (rapidjson_peek(L, doc, tokens, count, &s)) {
    if (s.begin) rapidjson_push_value(L, s);
    else lua_pushvalue(L, 3);
    return 1;
  }
  struct rapidjson_edit *t = rapidjson_use(L, 1);
  if (!(piece = rapidjson_find(&t->edit, tokens, count, &done, &in))) return rapidjson_fail(L, &t->edit);
  if (done < count) return lua_pushvalue(L, 3), 1;
  s = piece->value;
  if (piece->list) {
    if (!json_edit_value(&t->edit, piece, &s, &origin)) return rapidjson_fail(L, &t->edit);
    t->put += json_slice_length(s);
  }
  rapidjson_push_value(L, s);
  return 1;
}

enum { RAPIDJSON_NAME_ROOM = JSON_TEXT_ROOM + 8 };

/* Writes a name as a JSON string, in 6 n + RAPIDJSON_NAME_ROOM bytes of room. */
static char *rapidjson_write_name(const struct mod_codec *codec, char *w, const char *s, size_t n) {
  struct json_out out = {0};
  out.style = &codec->json.style;
  out.cpu = codec->state->cpu;
  out.buffer.begin = w;
  out.buffer.end = w + 6 * n + RAPIDJSON_NAME_ROOM;
  return json_write_string(&out, w, s, n, JSON_ESCAPE_UPPER);
}

/* Puts *value into new containers, one for each token. The first one continues the text `items` of an array without
** its closing bracket, if that is not empty; it has `have` items. Returns 0 after an error. */
static int rapidjson_wrap(const struct mod_codec *codec, struct json_edit *e, const struct json_token *t, size_t count,
                          struct json_slice items, size_t have, struct json_slice *value) {
  const size_t inside = json_slice_length(*value);
  size_t n = json_slice_length(items) + inside + 2, i;
  char *begin, *w;
  if (count == 0) return 1;
  for (i = 0; i < count; i++)
    n += t[i].index == JSON_NO_INDEX ? 6 * t[i].n + RAPIDJSON_NAME_ROOM + 3 : 5 * (size_t)t[i].index + 2;
  if (!(begin = w = (char *)json_edit_memory(e, n))) return 0;
  memcpy(w, items.begin, json_slice_length(items));
  w += json_slice_length(items);
  for (i = 0; i < count; i++, have = 0) {
    if (t[i].index == JSON_NO_INDEX) {
      *w++ = '{';
      w = rapidjson_write_name(codec, w, t[i].name, t[i].n);
      *w++ = ':';
      continue;
    }
    if (w == begin || i > 0) *w++ = '[';
    if (have > 0) *w++ = ',';
    for (; have < t[i].index; have++, w += 5) memcpy(w, "null,", 5);
  }
  memcpy(w, value->begin, inside);
  for (w += inside; i-- > 0;) *w++ = t[i].index == JSON_NO_INDEX ? '}' : ']';
  *w = 0;
  *value = json_slice_of(begin, w);
  return 1;
}

/* Returns whether no more than RAPIDJSON_FILL_MOST values come before those of the tokens; the first one's array has
** `have` items. */
static int rapidjson_may_fill(const struct json_token *t, size_t count, size_t have) {
  uint64_t n = 0;
  for (; count > 0; t++, count--, have = 0)
    if (t->index != JSON_NO_INDEX) n += t->index > have ? t->index - have : 0;
  return n < RAPIDJSON_FILL_MOST;
}

/* Creates the value at the tokens, of which the list has none, or which begin at a piece that is to be replaced. `in`:
** the list of that. Returns 0 after an error, -1 if an array would be too long. */
static int rapidjson_create(const struct mod_codec *codec, struct json_edit *e, struct json_edit_list *in,
                            struct json_edit_piece *piece, const struct json_token *t, size_t count,
                            struct json_edit_change *c) {
  struct json_edit_list *l = piece->list;
  struct json_slice items = json_slice_none();
  enum json_edit_origin origin;
  const int is_array = l && !l->is_object;
  const size_t have = is_array && l->pieces && t->index != JSON_NO_INDEX ? (size_t)l->pieces->weight : 0;
  const int is_last = is_array && (t->index == JSON_NO_INDEX ? t->n == 1 && *t->name == '-' : t->index == have);
  if (!rapidjson_may_fill(t, count, have)) return -1;
  if ((l && l->is_object) || is_last) {
    if (!rapidjson_wrap(codec, e, t + 1, count - 1, items, 0, &c->value)) return 0;
    if (l->is_object) {
      char *w = (char *)json_edit_memory(e, 6 * t->n + RAPIDJSON_NAME_ROOM);
      if (!w) return 0;
      c->name = json_slice_of(w, rapidjson_write_name(codec, w, t->name, t->n));
    }
    return json_edit_put(e, l, NULL, c);
  }
  if (is_array && t->index != JSON_NO_INDEX) {
    if (!json_edit_value(e, piece, &items, &origin)) return 0;
    items.end--;
  }
  return rapidjson_wrap(codec, e, t, count, items, have, &c->value) && json_edit_set_value(e, in, piece, c);
}

/* Sets the value that the tokens lead to. Creates what is missing: null, in containers that suit the tokens; an item
** beyond the end of an array also creates those before it. Results as of rapidjson_create. */
static int rapidjson_put_value(const struct mod_codec *codec, struct rapidjson_edit *t, const struct json_token *token,
                               size_t count, const char *s, size_t n) {
  struct json_edit *e = &t->edit;
  struct json_edit_list *in;
  struct json_edit_piece *piece;
  size_t done;
  struct json_edit_change c = {0};
  if (!json_edit_keep(e, s, n, &c.value) || !(piece = rapidjson_find(e, token, count, &done, &in))) return 0;
  const int is_put = done == count ? json_edit_set_value(e, in, piece, &c)
                                   : rapidjson_create(codec, e, in, piece, token + done, count - done, &c);
  t->put += json_slice_length(c.value);
  return is_put;
}

/* document:set(pointer, value) */
static int rapidjson_set(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct rapidjson_document *doc = rapidjson_check_document(L, 1);
  size_t count, n;
  luaL_checkstring(L, 2); /* if both arguments are invalid, the error names the first */
  if (lua_isnone(L, 3)) return luaL_error(L, "value type no value is not a valid json value");
  lua_settop(L, 3);
  const struct json_token *tokens = rapidjson_pointer(L, 2, &count);
  rapidjson_push_encoded(L, 3);
  const char *s = lua_tolstring(L, -1, &n);
  struct rapidjson_edit *t = rapidjson_use(L, 1);
  const int done = rapidjson_put_value(codec, t, tokens, count, s, n);
  if (done < 0) return luaL_argerror(L, 2, "the array would be too long");
  if (done == 0) return rapidjson_fail(L, &t->edit);
  t->is_changed = 1;
  doc->version++;
  return 0;
}

static int rapidjson_document_tostring(lua_State *L) {
  lua_pushfstring(L, "rapidjson.Document (%p)", (void *)rapidjson_check_document(L, 1));
  return 1;
}

FL_PRIVATE int rapidjson_document(lua_State *L) {
  const int type = lua_type(L, 1);
  struct mod_decode d;
  if (type != LUA_TNONE && type != LUA_TSTRING && type != LUA_TTABLE)
    return luaL_argerror(L, 1, lua_pushfstring(L, "none, string or table expected, got %s", luaL_typename(L, 1)));
  compat_need_stack(L, 12);
  if (type == LUA_TTABLE) {
    rapidjson_push_encoded(L, 1);
  } else if (type == LUA_TSTRING) {
    rapidjson_begin_decode(&d, L);
    (void)rapidjson_set_text(&d, 1);
    if (!rapidjson_push_written(&d)) lua_pushliteral(L, "null");
  } else {
    lua_pushliteral(L, "null");
  }
  rapidjson_push_document(L);
  return 1;
}

FL_PRIVATE void rapidjson_open_documents(lua_State *L, int base) {
  static const luaL_Reg methods[] = {
      {"parse", rapidjson_parse},
      {"parseFile", rapidjson_parse_file},
      {"get", rapidjson_get},
      {"set", rapidjson_set},
      {"stringify", rapidjson_stringify},
      {"save", rapidjson_save},
      {"__tostring", rapidjson_document_tostring},
      {NULL, NULL},
  };
  rapidjson_open_class(L, &rapidjson_document_key, "rapidjson.Document", methods, base);
}
