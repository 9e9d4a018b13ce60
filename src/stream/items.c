/* SPDX-License-Identifier: MIT
** items.c -- items(source, pointer): iterates over the values of one array or object of a document.
** Must hold: as documents.h. Only the current item, or a token at the end of a piece, and one piece are in memory:
** the document may have any size. */
#include "../binary/read/path.h"
#include "../json/index/seek.h"
#include "feed.h"
#include "stream.h"

struct mod_items {
  struct mod_feed f; /* first, as feed.h says */
  struct json_seek k;
  size_t count; /* items of the list so far */
  int is_long;  /* the item found is longer than max_bytes */
};

/* Upvalues of an iterator, after those of feed.h: the name of the next member. */
enum { MOD_ITEMS_NAME = MOD_FEED_UPVALUES + 1, MOD_ITEMS_UPVALUES = MOD_ITEMS_NAME };

/* Skips to the next item of the list. Returns 1 if found, 0 at the end, -1 after an error, as in mod_feed_load_text. */
static int mod_items_seek(struct mod_items *it, int at_item) {
  lua_State *L = it->f.L;
  struct mod_documents *s = &it->f.s;
  struct json_seek *k = &it->k;
  for (;; at_item = it->f.inside && json_seek_at_item(k)) {
    if (at_item) return 1;
    if (!mod_feed_load_text(&it->f)) return -1;
    if (!it->f.inside) {
      if (!mod_feed_begin_document(&it->f)) return -1;
      it->count = 0;
      if (it->f.inside) json_seek_begin(k);
      if (!it->f.inside && s->ended) return 0;
      if (!it->f.inside || (mod_feed_is_wide(&it->f) && !it->f.in_comment)) continue;
    }
    const char *p = json_seek(k, s->text + s->taken);
    if (!p && k->scan.error) return -1;
    it->f.inside = !p;
    mod_feed_leave(&it->f, p ? p : k->scan.at);
    if (p) continue;
    if (k->name.s) {
      lua_pushlstring(L, k->name.s, k->name.n);
      lua_replace(L, lua_upvalueindex(MOD_ITEMS_NAME));
    }
  }
}

/* Loads the whole next item and returns its beginning, or the bracket at the end of the list. NULL after an error, as
** in mod_feed_load_text. */
static const char *mod_items_find_item(struct mod_items *it) {
  struct mod_documents *s = &it->f.s;
  struct json_scan *j = &it->k.scan;
  const char *p, *end = NULL;
  const size_t offset = mod_feed_offset(&it->f);
  j->error = JSON_CHECK_OK;
  if (!s->ended || s->o.max_bytes || s->is_within) {
    if (!s->is_within) memset(&s->split, 0, sizeof s->split);
    s->split.in_list = 1;
    const int is_found = mod_documents_find_end(it->f.L, s, &end);
    s->is_within = s->waits;
    mod_feed_shift(&it->f, mod_feed_offset(&it->f) - offset); /* white space and comments were consumed */
    if (!is_found) return NULL;
    if (s->split.kind != SPLIT_NOTHING) mod_feed_consume(&it->f, s->split.start);
  }
  j->begin = s->text;
  j->end = s->text + s->length;
  p = json_read_space(j, s->text + s->taken);
  it->is_long = p && end > p && s->o.max_bytes && (size_t)(end - p) > s->o.max_bytes;
  return p;
}

/* Pushes the item at p and its position, and consumes it. Returns 0, and pushes nothing, with an error in *failed. */
static int mod_items_decode(struct mod_items *it, struct mod_decode *d, const char *p, struct json_scan *failed) {
  struct mod_documents *s = &it->f.s;
  const int top = lua_gettop(it->f.L);
  d->begin = s->text;
  d->end = s->text + s->length;
  d->base = s->base;
  d->o.max_depth = s->o.max_depth - it->k.on_path;
  const char *end = it->is_long ? mod_documents_long_(d, p, failed) : mod_decode_value(d, p, failed);
  if (!end) return lua_settop(it->f.L, top), 0;
  mod_documents_replace_nil(it->f.L);
  lua_pushinteger(it->f.L, (lua_Integer)(s->base.bytes + (size_t)(p - s->text) + 1));
  mod_feed_consume(&it->f, (size_t)(end - s->text) - s->taken);
  s->last = (size_t)(end - p);
  json_seek_passed(&it->k);
  it->count++;
  return 1;
}

/* Does the same for the next item, if it is probably in the text. Returns 0 if its end must be found first. */
static int mod_items_try(struct mod_items *it, struct mod_decode *d) {
  const struct mod_documents *s = &it->f.s;
  const char *p = s->text + s->taken;
  struct json_scan failed;
  while (json_is_blank(*p)) p++;
  return !it->f.in_comment && mod_documents_may_try(s, p) && mod_items_decode(it, d, p, &failed);
}

/* The iterator: value, position of its first byte, name or number from 1; nil at the end. */
static int mod_items_next(lua_State *L) {
  struct mod_items *it = (struct mod_items *)lua_touserdata(L, lua_upvalueindex(MOD_DOCUMENTS));
  struct json_scan *j = &it->k.scan, failed;
  struct mod_decode d;
  const char *p;
  int found, at_item = it->f.inside && json_seek_at_item(&it->k);
  if (!mod_documents_begin(L, &it->f.s, &d)) return lua_pushnil(L), 1;
  it->f.L = L;
  j->grammar = d.o.grammar;
  if (!it->f.s.begun && !mod_documents_skip_bom(L, &it->f.s))
    return it->f.s.waits ? mod_documents_wait(L, &it->f.s) : mod_documents_error_(&d, &it->f.s);
  do { /* if no value begins here the list ends, or the scan reports an error */
    found = mod_items_seek(it, at_item);
    if (found == 0) return mod_documents_end(L, &it->f.s, MOD_FED_COMPLETE);
    if (found > 0 && !it->f.s.is_within && mod_items_try(it, &d)) goto found;
    p = found > 0 ? mod_items_find_item(it) : NULL;
    if (it->f.s.waits) return mod_documents_wait(L, &it->f.s);
    if (!p) return mod_feed_error_(&it->f, &d, j);
    at_item = 0;
  } while (p == j->end || *p == ']' || *p == '}');
  if (!mod_items_decode(it, &d, p, &failed)) return mod_feed_error_(&it->f, &d, &failed);
found:
  if (it->k.scan.in == SCAN_OBJECT) lua_pushvalue(L, lua_upvalueindex(MOD_ITEMS_NAME));
  else lua_pushinteger(L, (lua_Integer)it->count);
  it->f.s.done = 0;
  return 3;
}

/* Reads a key path as tokens. Their names are written to w, which has room for n bytes. */
static void mod_items_read_path(lua_State *L, const char *s, size_t n, struct json_token *tokens, char *w,
                                size_t *count) {
  size_t wrong = 0;
  struct bin_step *steps = (struct bin_step *)lua_newuserdata(L, (n + 1) * sizeof *steps);
  const ptrdiff_t found = bin_path_compile(s, n, 0, steps, w, &wrong);
  if (found < 0)
    mod_argument_error(L, 2, lua_pushfstring(L, "not a key path: wrong at byte %d", json_to_lua_count(wrong + 1)));
  *count = (size_t)found;
  for (size_t i = 0; i < *count; i++) {
    const struct bin_step *step = &steps[i];
    if (!step->name && step->index < 0) mod_argument_error(L, 2, "an index from the end, which a stream does not know");
    tokens[i].name = step->name;
    tokens[i].n = step->name ? step->n : SIZE_MAX; /* no member has such a name */
    tokens[i].index = step->name ? JSON_NO_INDEX : (uint32_t)step->index;
  }
  lua_pop(L, 1);
}

FL_PRIVATE int mod_items(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct json_to_lua_options o = codec->decode;
  const int is_fed = mod_is_fed(L, 1);
  if (is_fed) lua_insert(L, 2); /* the pointer comes before the options */
  struct mod_items *it;
  struct json_token *tokens;
  size_t n, most;
  const char *pointer = lua_isnoneornil(L, 2) ? (n = 0, "") : mod_check_string(L, 2, &n);
  if (!is_fed) mod_check_source(L);
  lua_settop(L, 3);
  const int values = mod_read_reader_options(L, 3, &o, MOD_OF_ITEMS, is_fed);
  if (n > JSON_POINTER_LONGEST) return mod_argument_error(L, 2, "path too long");
  compat_need_stack(L, MOD_ITEMS_UPVALUES + 4);
  mod_documents_push_upvalues(L, values);
  const int is_path = n > 0 && *pointer != '/';
  most = is_path ? n + 1 : json_pointer_tokens(pointer, n);
  it = (struct mod_items *)lua_newuserdata(L, sizeof *it + most * sizeof *tokens + n + o.max_depth / 8 + 1);
  memset(it, 0, sizeof *it);
  mod_documents_open(L, &it->f.s, &o, is_fed);
  it->f.scan = &it->k.scan;
  it->f.separators = 1;
  it->k.tokens = tokens = (struct json_token *)(void *)(it + 1);
  if (is_path) mod_items_read_path(L, pointer, n, tokens, (char *)(tokens + most), &it->k.count);
  else if (!json_read_pointer(pointer, n, tokens, (char *)(tokens + most), &it->k.count))
    return mod_pointer_error(L, 2, pointer, n);
  it->k.objects = (unsigned char *)(tokens + most) + n;
  it->k.scan.utf8 = codec->state->utf8;
  it->k.scan.bad_text = o.bad_text;
  it->k.scan.max_depth = o.max_depth;
  it->k.most = o.max_bytes ? o.max_bytes : SIZE_MAX;
  it->k.scan.grow = mod_feed_grow;
  it->k.scan.owner = &it->f;
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  lua_pushnil(L);
  lua_pushnil(L);
  lua_pushcclosure(L, mod_items_next, MOD_ITEMS_UPVALUES);
  return is_fed ? mod_return_fed(L, o.safe) : mod_return_reader(L, o.safe);
}
