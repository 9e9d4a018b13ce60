/* SPDX-License-Identifier: MIT */
#include "items.h"

/* Upvalues of an iterator, after those of one over documents: the memory of json_scan's scratch, and the name of the
** next member. */
enum { MOD_ITEMS_SCRATCH = MOD_ITERATOR_UPVALUES + 1, MOD_ITEMS_NAME, MOD_ITEMS_UPVALUES = MOD_ITEMS_NAME };

/* A json_scan's grow. */
static char *mod_items_grow(void *owner, size_t n) {
  lua_State *L = ((struct mod_items *)owner)->L;
  char *block = (char *)lua_newuserdata(L, n);
  lua_replace(L, lua_upvalueindex(MOD_ITEMS_SCRATCH));
  return block;
}

FL_INLINE int mod_items_is_wide(const struct mod_items *it) { return (it->k.scan.grammar & JSON_WIDE_SPACE) != 0; }

/* The rest of the text begins n bytes later, outside strings and comments. */
static void mod_items_shift(struct mod_items *it, size_t n) {
  it->looked = it->looked > n ? it->looked - n : 0;
  it->safe = it->safe > n ? it->safe - n : 0;
  if (it->looked == 0) memset(&it->part, 0, sizeof it->part);
}

/* Consumes n bytes of the text. */
static void mod_items_consume(struct mod_items *it, size_t n) {
  it->s.taken += n;
  FL_ASSERT(it->s.taken <= it->s.length);
  mod_items_shift(it, n);
}

/* Where the rest of the text begins in the stream. */
FL_INLINE size_t mod_items_offset(const struct mod_items *it) { return it->s.base.bytes + it->s.taken; }

/* Scans new text for the end of a token. True: reading can continue. */
static int mod_items_look_ahead(struct mod_items *it) {
  const struct mod_documents *s = &it->s;
  const char *begin = s->text + s->taken, *p = begin + it->looked, *end = s->text + s->length, *q;
  it->looked = (size_t)(end - begin);
  if (!mod_items_is_wide(it)) return json_token_end(&it->part, p, end) != NULL;
  while ((q = json_safe_end(&it->part, p, end, (it->k.scan.grammar & JSON_JSON5) != 0)) != NULL) {
    it->safe = (size_t)(q - begin);
    p = q;
  }
  return it->safe > 0;
}

/* Outside the list, in grammars with comments: consumes white space and comments. The text must not end in a
** comment. */
static void mod_items_drop_space(struct mod_items *it) {
  struct mod_documents *s = &it->s;
  struct json_scan *j = &it->k.scan;
  const char *begin = s->text + s->taken, *next = begin, *p;
  j->end = s->text + s->length;
  do {
    p = next;
    while (p < j->end && (*p == 0x1e ? !it->inside : json_split_is_space(*p))) p++;
    next = json_skip_space(j, p);
  } while (next && next != p);
  mod_items_consume(it, (size_t)(p - begin));
}

/* Outside the list, in grammars with comments: does the text end inside a comment? */
FL_INLINE int mod_items_ends_in_comment(const struct mod_items *it) { return it->part.in >= PART_LINE; }

/* Consumes the text, which ends in that comment. False: the comment exceeds max_bytes. */
static int mod_items_consume_comment(struct mod_documents *s) {
  if (s->o.max_bytes && s->base.bytes + s->length - s->comment > s->o.max_bytes)
    return mod_documents_fail(s, JSON_CHECK_LENGTH, s->text + (s->comment + s->o.max_bytes - s->base.bytes));
  s->taken = s->length;
  return 1;
}

/* The text ends in a comment, and the text before that is complete: the scan reads it up to the comment, whose first
** bytes are replaced by a blank and a 0. */
static void mod_items_end_at_comment(struct mod_items *it) {
  struct mod_documents *s = &it->s;
  struct json_scan *j = &it->k.scan;
  const int json5 = (j->grammar & JSON_JSON5) != 0;
  char *begin = (char *)(uintptr_t)s->text + s->taken, *end = (char *)(uintptr_t)s->text + s->length, *p,
       *slash = begin;
  struct json_part part;
  memset(&part, 0, sizeof part);
  for (p = begin; p < end; p++) {
    (void)json_safe_end(&part, p, p + 1, json5);
    if (part.in == PART_SLASH) slash = p;
  }
  mod_documents_note_comment_(it->L, s, (size_t)(slash - s->text));
  it->in_comment = 1;
  it->skip = it->part;
  slash[0] = ' ', slash[1] = 0;
  j->begin = s->text;
  j->end = slash + 1;
  j->stop = j->end + 1;
  j->whole = 0;
}

/* Consumes the rest of a comment that began before the text. False: an error. */
static int mod_items_skip_comment(struct mod_items *it) {
  struct mod_documents *s = &it->s;
  const char *begin = s->text + s->taken, *end = s->text + s->length;
  const char *p = json_comment_end(&it->skip, begin, end, (it->k.scan.grammar & JSON_JSON5) != 0);
  it->looked = it->safe = 0;
  memset(&it->part, 0, sizeof it->part);
  if (!p && s->ended && it->skip.in != PART_LINE) return mod_documents_fail(s, JSON_CHECK_COMMENT, NULL);
  if (!p) return mod_items_consume_comment(s);
  s->taken = (size_t)(p - s->text);
  it->in_comment = 0;
  return 1;
}

/* Reads pieces until the scan can continue, and sets its text. False: an error, in k.scan or s, or as a message on the
** stack. */
static int mod_items_load_text(struct mod_items *it) {
  struct mod_documents *s = &it->s;
  struct json_scan *j = &it->k.scan;
  const int wide = mod_items_is_wide(it);
  int ready = s->ended || (wide ? !it->in_comment && mod_items_look_ahead(it) : !it->waits);
  j->error = s->error = JSON_CHECK_OK;
  if (it->in_comment && s->text + s->taken < j->end) return 1; /* in the list tokens are read one by one */
  if (it->in_comment) s->taken = s->length;                    /* the text before the comment was read */
  while (!ready || it->in_comment) {
    size_t kept;
    if (it->in_comment) {
      if (s->ended ? !mod_items_skip_comment(it) : !mod_items_consume_comment(s)) return 0;
    } else if (wide && mod_items_ends_in_comment(it)) {
      return mod_items_end_at_comment(it), 1;
    } else if (wide) {
      mod_items_drop_space(it);
    }
    if (s->ended) break;
    kept = s->length - s->taken;
    j->error = JSON_CHECK_OK;
    if (s->o.max_bytes && kept > s->o.max_bytes)
      return json_scan_error(j, JSON_CHECK_LENGTH, s->text + s->taken + s->o.max_bytes) != NULL;
    if (!mod_documents_read_piece(it->L, s)) return 0;
    if (it->in_comment && !mod_items_skip_comment(it)) return 0;
    ready = s->ended || (!it->in_comment && mod_items_look_ahead(it));
  }
  j->begin = s->text;
  j->end = s->text + s->length;
  j->whole = s->ended != 0;
  j->stop = s->ended || !mod_items_is_wide(it) ? j->end + 1 : s->text + s->taken + it->safe;
  if (!mod_items_is_wide(it)) it->looked = 0, memset(&it->part, 0, sizeof it->part);
  it->waits = 0;
  return 1;
}

/* Between documents: skips to the next one, or to the end of the text. Comments in the text are complete. False: an
** error. */
static int mod_items_begin_document(struct mod_items *it) {
  struct mod_documents *s = &it->s;
  struct json_scan *j = &it->k.scan;
  const char *begin = s->text + s->taken, *p = begin;
  if (s->base.bytes == 0 && p == s->text && j->end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
    return json_scan_error(j, JSON_CHECK_BOM, p) != NULL;
  for (;;) {
    const char *blank = p;
    while (p < j->end && json_split_is_space(*p)) p++;
    if ((s->ended || mod_items_is_wide(it)) && !(p = json_skip_space(j, p))) return 0;
    if (p == blank) break;
  }
  mod_items_consume(it, (size_t)(p - begin));
  it->inside = p < j->end;
  it->waits = !it->inside;
  it->count = 0;
  if (it->inside) json_seek_begin(&it->k);
  return 1;
}

/* Skips to the next item of the list. 1: found; 0: at the end; -1: an error, as in mod_items_load_text. */
static int mod_items_seek(struct mod_items *it, int at_item) {
  lua_State *L = it->L;
  struct mod_documents *s = &it->s;
  struct json_seek *k = &it->k;
  for (;; at_item = it->inside && json_seek_at_item(k)) {
    const char *p;
    if (at_item) return 1;
    if (!mod_items_load_text(it)) return -1;
    if (!it->inside) {
      if (!mod_items_begin_document(it)) return -1;
      if (!it->inside && s->ended) return 0;
      if (!it->inside || (mod_items_is_wide(it) && !it->in_comment)) continue;
    }
    p = json_seek(k, s->text + s->taken);
    if (!p && k->scan.error) return -1;
    it->inside = !p;
    mod_items_consume(it, (size_t)((p ? p : k->scan.at) - (s->text + s->taken)));
    if (p) continue;
    if (k->scan.cut && !mod_items_is_wide(it)) {
      it->waits = 1;
      (void)mod_items_look_ahead(it);
    }
    if (k->name.s) {
      lua_pushlstring(L, k->name.s, k->name.n);
      lua_replace(L, lua_upvalueindex(MOD_ITEMS_NAME));
    }
  }
}

/* Loads the whole next item and returns its beginning, or the bracket at the end of the list; NULL: an error, as in
** mod_items_load_text. */
static const char *mod_items_find_item(struct mod_items *it) {
  struct mod_documents *s = &it->s;
  struct json_scan *j = &it->k.scan;
  const char *p, *end = NULL;
  const size_t offset = mod_items_offset(it);
  j->error = JSON_CHECK_OK;
  if (!s->ended || s->o.max_bytes) {
    memset(&s->split, 0, sizeof s->split);
    s->split.in_list = 1;
    if (!mod_documents_find_end(it->L, s, &end)) return NULL;
    mod_items_shift(it, mod_items_offset(it) - offset); /* white space and comments were consumed */
    if (s->split.kind != SPLIT_NOTHING) mod_items_consume(it, s->split.start);
  }
  j->begin = s->text;
  j->end = s->text + s->length;
  p = json_skip_space(j, s->text + s->taken);
  if (p && end > p && s->o.max_bytes && (size_t)(end - p) > s->o.max_bytes)
    return json_scan_error(j, JSON_CHECK_LENGTH, p + s->o.max_bytes);
  return p;
}

/* Ends a call that has failed. */
FL_NOINLINE int mod_items_error_(struct mod_items *it, struct mod_decode *d, const struct json_scan *scan) {
  if (!scan->error) return mod_documents_error_(d, &it->s);
  d->begin = it->s.text;
  d->end = it->s.text + it->s.length;
  d->base = it->s.base;
  return mod_decode_error_(d, scan->error, scan->at);
}

/* Pushes the item at p and its position, and consumes it. False: an error, in *failed; nothing is pushed. */
static int mod_items_decode(struct mod_items *it, struct mod_decode *d, const char *p, struct json_scan *failed) {
  struct mod_documents *s = &it->s;
  const int top = lua_gettop(it->L);
  const char *end;
  d->begin = s->text;
  d->end = s->text + s->length;
  d->base = s->base;
  d->o.max_depth = s->o.max_depth - it->k.on_path;
  end = mod_decode_value(d, p, failed);
  if (end && s->o.max_bytes && (size_t)(end - p) > s->o.max_bytes)
    end = json_scan_error(failed, JSON_CHECK_LENGTH, p + s->o.max_bytes);
  if (!end) return lua_settop(it->L, top), 0;
  mod_documents_replace_nil(it->L);
  lua_pushinteger(it->L, (lua_Integer)(s->base.bytes + (size_t)(p - s->text) + 1));
  mod_items_consume(it, (size_t)(end - s->text) - s->taken);
  s->last = (size_t)(end - p);
  json_seek_passed(&it->k);
  it->count++;
  return 1;
}

/* The same of the next item, if it is likely to be in the text. False: its end must be found first. */
static int mod_items_try(struct mod_items *it, struct mod_decode *d) {
  const struct mod_documents *s = &it->s;
  const char *p = s->text + s->taken;
  struct json_scan failed;
  while (json_is_blank(*p)) p++;
  return !it->in_comment && mod_documents_may_try(s, p) && mod_items_decode(it, d, p, &failed);
}

/* The iterator: value, position of its first byte, name or number from 1; nil at the end. */
static int mod_items_next(lua_State *L) {
  struct mod_items *it = (struct mod_items *)lua_touserdata(L, lua_upvalueindex(MOD_DOCUMENTS));
  struct json_scan *j = &it->k.scan, failed;
  struct mod_decode d;
  const char *p;
  int found, at_item = it->inside && json_seek_at_item(&it->k);
  lua_settop(L, 0);
  if (it->s.done) return lua_pushnil(L), 1;
  it->s.done = 1; /* until this call has succeeded */
  it->L = d.L = L;
  d.state = (struct mod_state *)lua_touserdata(L, lua_upvalueindex(MOD_STATE));
  d.o = it->s.o;
  d.several = MOD_SEVERAL_NOTHING;
  mod_settle_decode(&d, lua_upvalueindex(MOD_VALUES));
  j->grammar = d.o.grammar;
  if (!it->s.begun && !mod_documents_skip_bom(L, &it->s)) return mod_raise(L, d.o.safe);
  do { /* if no value begins here the list ends, or the scan reports an error */
    found = mod_items_seek(it, at_item);
    if (found == 0) return lua_pushnil(L), 1;
    if (found > 0 && mod_items_try(it, &d)) goto found;
    if (found < 0 || !(p = mod_items_find_item(it))) return mod_items_error_(it, &d, j);
    at_item = 0;
  } while (p == j->end || *p == ']' || *p == '}');
  if (!mod_items_decode(it, &d, p, &failed)) return mod_items_error_(it, &d, &failed);
found:
  if (it->k.scan.in == SCAN_OBJECT) lua_pushvalue(L, lua_upvalueindex(MOD_ITEMS_NAME));
  else lua_pushinteger(L, (lua_Integer)it->count);
  it->s.done = 0;
  return 3;
}

FL_PRIVATE int mod_items(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  int values = lua_upvalueindex(MOD_VALUES);
  struct json_to_lua_options o = codec->decode;
  struct mod_items *it;
  struct json_token *tokens;
  size_t n, most;
  const char *pointer = lua_isnoneornil(L, 2) ? (n = 0, "") : mod_check_string(L, 2, &n);
  mod_check_any(L, 1);
  lua_settop(L, 3);
  if (!lua_isnil(L, 3)) values = mod_read_decode_options(L, 3, &o, NULL);
  if (n > JSON_POINTER_LONGEST) return mod_argument_error(L, 2, "JSON pointer too long");
  compat_need_stack(L, MOD_ITEMS_UPVALUES + 4);
  mod_documents_push_upvalues(L, values);
  most = json_pointer_tokens(pointer, n);
  it = (struct mod_items *)lua_newuserdata(L, sizeof *it + most * sizeof *tokens + n + o.max_depth / 8 + 1);
  memset(it, 0, sizeof *it);
  mod_documents_open(L, &it->s, &o);
  it->k.tokens = tokens = (struct json_token *)(void *)(it + 1);
  if (*pointer == '#' || !json_read_pointer(pointer, n, tokens, (char *)(tokens + most), &it->k.count))
    return mod_argument_error(L, 2, "not a JSON pointer");
  it->k.objects = (unsigned char *)(tokens + most) + n;
  it->k.scan.utf8 = codec->state->utf8;
  it->k.scan.bad_text = o.bad_text;
  it->k.scan.max_depth = o.max_depth;
  it->k.scan.grow = mod_items_grow;
  it->k.scan.owner = it;
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  lua_pushnil(L);
  lua_pushnil(L);
  lua_pushcclosure(L, mod_items_next, MOD_ITEMS_UPVALUES);
  return 1;
}
