/* SPDX-License-Identifier: MIT */
#include "binary.h"
#include "mutable.h"
#include "../../encode/face/width.h"
#include "../view/text.h"

FL_PRIVATE int mod_scan_into(struct mod_decode *d, const struct mod_binary *b, struct bin_encoder *e,
                             struct mod_write_failure *failed) {
  struct json_scan scan;
  struct json_to_binary k;
  failed->error = BIN_ERROR_NONE;
  mod_begin_scan(d, &scan);
  const char *p = mod_skip_first(d, &scan, d->begin);
  if (FL_UNLIKELY(p == d->end) && !d->o.lines) p = json_scan_error(&scan, JSON_CHECK_EMPTY, p);
  if (p && FL_UNLIKELY(d->o.max_values)) p = mod_count_values_(d, &scan, p);
  if (FL_LIKELY(p != NULL)) {
    const unsigned opens = d->o.lines && e->depth == 0;
    if (opens) bin_begin(e, 0);
    json_to_binary_init(&k, e, d->begin, d->end);
    k.scan.grammar = d->o.grammar;
    k.scan.bad_text = d->o.bad_text;
    json_to_binary_set_pass(&k, b->pass);
    k.reference = mod_mode_of(&b->is) == BIN_COMPATIBLE;
    if (k.reference) d->of = MOD_OF_NOTHING; /* the reference encoder has no such options */
    k.scan.utf8 = k.reference ? mod_any_text : d->state->utf8;
    /* the new array counts as a level */
    k.scan.max_depth = k.reference ? JSON_TO_BINARY_DEPTH_COMPATIBLE + 1 : d->o.max_depth - opens;
    p = FL_UNLIKELY(d->o.lines) ? json_to_binary_scan_lines(&k, p) : json_to_binary_scan(&k, &k.scan, p);
    if (p) p = json_read_space(&k.scan, p);
    if (p && p != d->end) p = json_scan_error(&k.scan, JSON_CHECK_AFTER, p);
    json_to_binary_free(&k);
    if (p && opens) bin_end(e);
    scan = k.scan;
    if (!p && k.document && (p = mod_cut_line(k.document, scan.at, d->end, d->o.grammar)) != NULL)
      p = json_scan_error(&scan, JSON_CHECK_END, p);
    failed->error = e->error;
  }
  failed->json_error = scan.error;
  failed->at = scan.at;
  return p && !failed->error;
}

FL_PRIVATE int mod_scan_document(struct mod_decode *d, const struct mod_binary *b, struct bin_encoder *e,
                                 struct mod_write_failure *failed) {
  if (!mod_scan_into(d, b, e, failed)) return 0;
  if (!bin_finish(e)) failed->error = e->error;
  return !failed->error;
}

FL_PRIVATE_NOINLINE int mod_write_error_(struct mod_decode *d, const struct mod_write_failure *failed) {
  if (!failed->error) return mod_decode_error_(d, failed->json_error, failed->at);
  lua_pushstring(d->L, bin_message((int)failed->error));
  return mod_raise_kind(d->L, d->o.safe, bin_kind((int)failed->error));
}

/* Begins from_json or lazy, whose text is at 1 and options at 2. */
static void mod_begin_from_json(struct mod_decode *d, lua_State *L, struct mod_binary *b, enum mod_taker of) {
  d->L = L;
  mod_set_text(d, 1);
  lua_settop(L, 2);
  mod_begin_decode(d, L, 2, of);
  d->several = MOD_SEVERAL_LINES;
  mod_read_binary_options(L, 2, b, of);
  mod_check_duplicates(d, 2);
}

FL_PRIVATE int mod_from_json(lua_State *L) {
  struct mod_decode d;
  struct mod_binary b;
  struct mod_write_failure failed;
  struct encode_state *c;
  mod_begin_from_json(&d, L, &b, MOD_OF_FROM_JSON);
  struct bin_encoder *e = mod_begin_encoder(L, d.state, mod_mode_of(&b.is), &c);
  if (b.keys) e->keys = &view_test_keys(L, b.keys)->keys;
  if (FL_LIKELY(mod_scan_document(&d, &b, e, &failed))) return mod_push_document(L, d.state, e, c);
  mod_end_encoder(d.state, e, c);
  return mod_write_error_(&d, &failed);
}

FL_PRIVATE int mod_check_doc(lua_State *L, const struct mod_binary *b, struct bin_doc *doc, struct bin_check *c) {
  void *ud;
  c->alloc = lua_getallocf(L, &ud);
  c->alloc_ud = ud;
  c->max_depth = b->max_depth;
  c->max_values = b->max_values;
  c->utf8 = b->is.utf8;
  c->codes = b->is.codes;
  return bin_check(c, doc);
}

/* Pushes "MESSAGE at byte N", and the failure. */
static void mod_push_check_error(lua_State *L, const struct bin_doc *doc, const struct bin_check *c) {
  char text[128], *w = text;
  const char *message = bin_message((int)c->error);
  const int inside = c->where >= doc->begin && c->where <= doc->end; /* else the error is in the base */
  w = mod_put_text(w, message, strlen(message));
  if (inside) {
    w = MOD_PUT_LITERAL(w, " at byte ");
    w = num_write_u64(w, (uint64_t)(c->where - doc->begin) + 1);
  }
  lua_pushlstring(L, text, (size_t)(w - text));
  const struct mod_failure failure = {
      bin_kind((int)c->error), inside ? (size_t)(c->where - doc->begin) + 1 : 0, 0, 0, NULL, 0};
  mod_push_failure(L, &failure);
}

/* Copies bytes to an even address, kept alive by a userdata on the stack. Lua's strings are at even addresses already,
** except external strings of Lua 5.5. */
FL_NOINLINE const char *mod_align_bytes_(lua_State *L, const char *s, size_t n) {
  compat_need_stack(L, 1);
  return (const char *)memcpy(lua_newuserdata(L, n), s, n);
}

FL_PRIVATE void mod_doc_of_string(lua_State *L, int index, const struct mod_binary *b, struct bin_doc *doc) {
  size_t n;
  const char *s = mod_check_bytes(L, index, &n);
  if (FL_UNLIKELY((uintptr_t)s % 2)) s = mod_align_bytes_(L, s, n);
  memset(doc, 0, sizeof *doc);
  doc->begin = (const uint8_t *)s;
  doc->end = doc->begin + n;
  if (b->base) doc->base = &view_test_doc(L, b->base)->doc;
  if (doc->base && !doc->base->begin) view_closed_(L); /* a finalizer may have closed it */
  doc->keys = mod_keys_for(L, b, doc->base);
}

FL_PRIVATE int mod_check(lua_State *L) {
  struct mod_binary b;
  struct bin_doc doc;
  struct bin_check c;
  mod_read_binary_options(L, 2, &b, MOD_OF_BYTES);
  mod_doc_of_string(L, 1, &b, &doc);
  if (mod_check_doc(L, &b, &doc, &c)) {
    lua_pushboolean(L, 1);
    return 1;
  }
  lua_pushnil(L);
  mod_push_check_error(L, &doc, &c);
  return 3;
}

/* Raises the error of a check, or returns nil and the error. `is_json`: the message mentions that the bytes may be
** JSON. */
FL_NOINLINE int mod_check_error_(lua_State *L, const struct bin_doc *doc, const struct bin_check *c, int is_json) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  mod_push_check_error(L, doc, c);
  if (is_json) {
    lua_pushfstring(L, "%s%s", lua_tostring(L, -2), MOD_JSON_HINT);
    lua_replace(L, -3);
  }
  if (codec->decode.safe) {
    lua_pushnil(L);
    lua_insert(L, -3);
    return 3;
  }
  lua_pop(L, 1);
  return mod_raise(L, 0);
}

FL_PRIVATE int mod_binary_argument(lua_State *L, int index, const struct mod_binary *b, struct bin_doc *room,
                                   const struct bin_doc **doc, bin_value *value, int *results) {
  const struct mod_doc *owner;
  struct bin_check c;
  if (view_value_at(L, index, &owner, value)) {
    *doc = &owner->doc;
    return 1;
  }
  if (lua_type(L, index) != LUA_TSTRING) mod_type_error(L, index, "bytes, document or view");
  mod_doc_of_string(L, index, b, room);
  *doc = room;
  if (b->is.trusted && room->end - room->begin >= 2) room->root = bin_root(room);
  else if (!mod_check_doc(L, b, room, &c)) {
    *results = mod_check_error_(L, room, &c, mod_may_be_json(room->begin, room->end));
    return 0;
  }
  *value = room->root;
  FL_ASSERT(*value >= room->begin || room->base);
  return 1;
}

FL_PRIVATE int mod_pin_operand(lua_State *L, int index, const struct mod_binary *b, struct mod_operand *o,
                               int *results) {
  const struct bin_doc *doc;
  struct bin_doc room;
  bin_value v;
  o->pinned = NULL;
  if (!mod_binary_argument(L, index, b, &room, &doc, &o->value, results)) return 0;
  o->doc = *doc;
  if (!view_value_at(L, index, &o->pinned, &v) && b->base) {
    o->pinned = view_test_doc(L, b->base);
    o->base = o->pinned->doc;
    o->doc.base = &o->base;
  }
  if (o->pinned) view_pin(o->pinned);
  return 1;
}

FL_PRIVATE void mod_unpin_operand(const struct mod_operand *o) {
  if (o->pinned) view_unpin(o->pinned);
}

FL_PRIVATE int mod_to_json(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct mod_binary b;
  struct bin_doc room;
  const struct bin_doc *doc;
  struct binary_to_json k;
  struct doc_selector way;
  struct mod_options lines; /* needed for `width` */
  struct mod_width x;
  bin_value value;
  enum bin_error error;
  x.L = NULL;
  mod_read_binary_options(L, 2, &b, MOD_OF_TO_JSON);
  mod_prepare_way_(L, &b, &way);
  struct mod_call call = {0};
  call.own = codec->encode;
  if (!lua_isnoneornil(L, 2)) mod_read_options(L, 2, &call.own, MOD_OF_TO_JSON);
  mod_settle_options(&call.own);
  call.L = L;
  call.state = codec->state;
  call.options = &call.own;
  call.own.style.sort_keys = (call.own.style.sort_keys || b.is.canonical) & 1u;
  if (call.own.style.width && call.own.style.indent_length) {
    lines = call.own;
    if (!mod_width_begin(&x, L, call.state, &lines, NULL)) return mod_raise_memory_(L, codec->encode.safe);
    mod_options_in_a_row(&call.own);
  }
  int results = mutable_to_bytes(L, 1);
  if (results < 0) return 3;
  if (results) b.keys = b.base = 0, b.is.trusted = !b.counts;
  struct encode_state *c = mod_encode_state_for_call(L, call.state);
  if (!mod_make_ready(&call, c)) return mod_raise_memory_(L, codec->encode.safe);
  /* after this no finalizer can close the document */
  if (!mod_binary_argument(L, 1, &b, &room, &doc, &value, &results)) return results;
  if (!(value = mod_follow_way_(&way, doc, value))) {
    lua_pushnil(L);
    return 1;
  }
  if (doc != &room && !mod_is_within_max_values(L, &b, doc, value, &error)) {
    lua_pushstring(L, bin_message((int)error));
    return mod_raise_kind(L, codec->encode.safe, bin_kind((int)error));
  }
  c->out.style = &call.own.style;
  c->out.error = FL_ERROR_NONE;
  binary_to_json_init(&k, &c->out, doc);
  k.json5 = b.is.json5;
  if (call.own.style.canonical | call.own.style.decimals | call.own.style.float32) k.kinds = BINARY_TO_JSON_VALUES;
  k.max_bytes = b.max_bytes ? b.max_bytes : bin_default_bytes(bin_doc_bytes(doc));
  char *end = binary_to_json_write(&k, c->out.buffer.begin, value);
  if (FL_LIKELY(end != NULL) && !x.L) return mod_finish(&call, c, end);
  if (end && mod_width_drain(&x, c->out.buffer.begin, (size_t)(end - c->out.buffer.begin)) && mod_width_end(&x)) {
    mod_free_encode_state(c);
    return mod_width_push(&x), 1;
  }
  if (x.L) mod_free_encode_state(x.walk);
  mod_free_encode_state(c);
  const enum fl_error failed = end ? FL_ERROR_MEMORY : c->out.error;
  lua_pushstring(L, encode_message(failed));
  struct mod_failure failure = {encode_kind(failed), 0, 0, 0, NULL, 0};
  if (!end && k.path_length) {
    lua_pushlstring(L, k.path, k.path_length);
    failure.path = lua_gettop(L);
    lua_pushfstring(L, "%s at ", lua_tostring(L, -2));
    lua_pushvalue(L, failure.path);
    lua_concat(L, 2);
  }
  return mod_raise_failure(L, codec->encode.safe, &failure);
}

FL_NOINLINE void mod_copy_bytes_(lua_State *L, struct mod_doc *d) {
  const size_t n = (size_t)(d->doc.end - d->doc.begin);
  uint8_t *copy = (uint8_t *)lua_newuserdata(L, n);
  memcpy(copy, d->doc.begin, n);
  view_put_env(L, -2, VIEW_ENV_BYTES);
  d->doc.begin = copy;
  d->doc.end = copy + n;
}

/* A pointer's address identifies its document, so two documents must not share memory, as equal strings do. */
FL_PRIVATE_NOINLINE void mod_attach_base_and_keys_(lua_State *L, struct mod_doc *d, const struct mod_binary *b) {
  if (b->base) {
    struct mod_doc *base = view_test_doc(L, b->base);
    if (bin_overlaps(&d->doc, &base->doc)) mod_copy_bytes_(L, d);
    lua_pushvalue(L, b->base);
    view_put_env(L, -2, VIEW_ENV_BASE);
    if (!base->doc.begin) view_closed_(L); /* a finalizer may have closed it */
    d->base = base;
    d->doc.base = &base->doc;
    base->users++;
  }
  d->doc.keys = mod_keys_for(L, b, d->doc.base); /* keys of the base live as long as the base */
  if (b->keys) {
    lua_pushvalue(L, b->keys);
    view_put_env(L, -2, VIEW_ENV_KEYS);
  }
}

/* Sets what views return for scalars. The document's environment is on top. */
FL_FUNC void mod_attach_values(lua_State *L, struct mod_doc *d, const struct mod_binary *b) {
  if (FL_LIKELY(!b->values)) return;
  d->scalars = b->scalars;
  lua_pushvalue(L, b->values);
  view_put_env(L, -2, VIEW_ENV_VALUES);
}

FL_PRIVATE int mod_finish_doc(lua_State *L, struct mod_doc *d, const struct mod_binary *b) {
  const size_t n = (size_t)(d->doc.end - d->doc.begin);
  struct bin_check c;
  if (b->is.trusted && n >= 2 && n % 2 == 0) {
    d->doc.root = bin_root(&d->doc);
  } else if (!mod_check_doc(L, b, &d->doc, &c)) {
    struct bin_doc doc = d->doc;
    const int is_json = mod_may_be_json(doc.begin, doc.end);
    view_free_bytes(d);
    return mod_check_error_(L, &doc, &c, is_json);
  }
  mod_attach_values(L, d, b);
  lua_pop(L, 1);
  return 1;
}

FL_PRIVATE int mod_open_bytes(lua_State *L) {
  struct mod_binary b;
  size_t n;
  const char *s = mod_check_bytes(L, 1, &n);
  mod_read_open_options(L, 2, &b, MOD_OF_OPEN);
  struct mod_doc *d = mod_push_doc(L, b.base     ? MOD_NEEDS_END
                                      : b.values ? MOD_NEEDS_VALUES
                                      : b.keys   ? MOD_NEEDS_KEYS
                                                 : MOD_NEEDS_NOTHING);
  if (FL_UNLIKELY((uintptr_t)s % 2)) s = mod_align_bytes_(L, s, n);
  else lua_pushvalue(L, 1);
  view_put_env(L, -2, VIEW_ENV_BYTES);
  d->doc.begin = (const uint8_t *)s;
  d->doc.end = d->doc.begin + n;
  if (FL_UNLIKELY(b.base || b.keys)) mod_attach_base_and_keys_(L, d, &b);
  return mod_finish_doc(L, d, &b);
}

/* views of texts */

/* Pushes a view of the text at 1 without converting it. Returns 0 if the options or the text require converting it
** now. */
FL_FUNC int mod_lazy_text(lua_State *L, struct mod_state *m, const struct json_to_lua_options *o,
                          const struct mod_binary *b) {
  const enum bin_mode mode = mod_mode_of(&b->is);
  if (FL_UNLIKELY(o->grammar & ~(unsigned)JSON_BOM) || o->bad_text != JSON_BAD_ERROR) return 0;
  if (o->lines || o->duplicates != JSON_TO_LUA_LAST || mode == BIN_COMPATIBLE) return 0;
  if (o->max_bytes && lua_rawlen(L, 1) > o->max_bytes) return 0;
  return view_push_text(L, 1, o->max_depth, m, b->values, b->scalars);
}

FL_PRIVATE int mod_lazy(lua_State *L) {
  struct mod_decode d;
  struct mod_binary b;
  struct mod_write_failure failed;
  struct encode_state *c;
  struct mod_piece piece;
  if ((FL_LIKELY(lua_gettop(L) == 1) || lua_isnoneornil(L, 2)) && FL_LIKELY(lua_type(L, 1) == LUA_TSTRING)) {
    const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
    b.is.mode = codec->binary.mode;
    mod_default_values(L, codec, &b);
    if (mod_lazy_text(L, codec->state, &codec->decode, &b)) return 1;
    lua_settop(L, 1);
  }
  mod_begin_from_json(&d, L, &b, MOD_OF_LAZY);
  mod_read_values(L, 2, &b, MOD_OF_LAZY);
  if (mod_lazy_text(L, d.state, &d.o, &b)) return 1;
  struct mod_doc *doc = mod_push_doc(L, b.values ? MOD_NEEDS_VALUES : MOD_NEEDS_NOTHING);
  const int env = lua_gettop(L);
  mod_attach_values(L, doc, &b);
  struct bin_encoder *e = mod_begin_private_document(L, d.state, &c, &piece);
  bin_pool_keys(e);
  if (FL_UNLIKELY(!mod_scan_document(&d, &b, e, &failed))) {
    mod_end_encoder(d.state, e, c);
    return mod_write_error_(&d, &failed);
  }
  doc->doc.begin = (const uint8_t *)mod_push_document_copy(L, d.state, e, c, &piece);
  doc->doc.end = doc->doc.begin + piece.n;
  doc->doc.root = bin_root(&doc->doc);
  view_put_env(L, env, VIEW_ENV_BYTES);
  view_push_root(L, env, doc);
  return 1;
}
