/* SPDX-License-Identifier: MIT */
#include "pack.h"

/* Returns the buffer to the walk. If `fine`, ends the document and returns its end, else NULL. */
FL_FUNC char *mod_take_back(struct mod_state *m, struct encode_state *c, struct bin_encoder *e, int fine) {
  char *end = fine && bin_finish(e) ? e->w : NULL;
  mod_encoder_return_buffer(e, c);
  mod_trim_encoder(m, e);
  return end;
}

FL_NOINLINE void *mod_new_zeros_(struct mod_state *m, size_t n) {
  const struct buffer *b = &m->encode->walk.out.buffer;
  void *block = b->alloc(b->alloc_ud, NULL, 0, n);
  return block ? memset(block, 0, n) : NULL;
}

/* Lends the raw walk what is remembered for this mode. */
FL_FUNC int mod_pack_memory(struct mod_state *m, enum bin_mode mode, struct lua_to_binary *b) {
  b->keys = NULL;
  b->shapes = NULL;
  if (mode == BIN_FAST) {
    if (FL_UNLIKELY(!m->document->packed_shapes))
      m->document->packed_shapes = (struct pack_shapes *)mod_new_zeros_(m, sizeof *m->document->packed_shapes);
    return (b->shapes = m->document->packed_shapes) != NULL;
  }
  if (FL_UNLIKELY(!m->document->packed_keys[mode]))
    m->document->packed_keys[mode] = (struct pack_keys *)mod_new_zeros_(m, sizeof *m->document->packed_keys[mode]);
  return (b->keys = m->document->packed_keys[mode]) != NULL;
}

FL_NOINLINE enum encode_result mod_pack_raw(struct mod_call *call, struct encode_state *c) {
  const struct mod_pack *pack = (const struct mod_pack *)(void *)call;
  struct bin_encoder *e = &call->state->document->binary[pack->mode];
  struct lua_to_binary b;
  if (!mod_pack_memory(call->state, pack->mode, &b)) return ENCODE_MEMORY;
  mod_encoder_borrow_buffer(e, c);
  if (pack->mode == BIN_FAST) b.shapes->document++;
  else pack_begin(b.keys, e);
  b.walk = c;
  b.e = e;
  b.data = pack->data;
  c->out.style = &call->options->style;
  c->policy = &call->options->policy;
  c->out.error = FL_ERROR_NONE;
  c->unknown_metatable = 0;
  e->dropped = 0;
  enum encode_result result = (pack->mode == BIN_FAST ? call->state->document->pack_fast : call->state->document->pack)(
      &b, (const char *)lua_topointer(call->L, call->value));
  if (e->dropped && result == ENCODE_DONE) result = ENCODE_REDO;
  c->finish = mod_take_back(call->state, c, e, result == ENCODE_DONE);
  if (result == ENCODE_DONE && !c->finish) result = e->error == BIN_ERROR_MEMORY ? ENCODE_MEMORY : ENCODE_REDO;
  return result;
}

/* pack_walk.put_binary: puts data, a document, a view or a mutable view. Must not raise. */
static int mod_put_view(lua_State *L, struct bin_encoder *e) {
  const int error = view_put_value(L, e);
  if (error) bin_fail(e, error > 0 ? (enum bin_error)error : BIN_ERROR_CLOSED);
  return error == 0;
}

/* Moves an encoder's memory, and what it remembers of earlier documents; resets `from`. Known keys are valid for one
** generation of the encoder's pool (struct pack_keys), and no generation comes again. */
static void mod_move_encoder(struct bin_encoder *to, struct bin_encoder *from) {
  const uint64_t one = to->pool.generation, other = from->pool.generation;
  bin_encoder_free(to);
  *to = *from;
  bin_encoder_init(from, to->out.alloc, to->out.alloc_ud, to->mode);
  from->out.front = to->out.front;
  to->pool.generation = from->pool.generation = (one > other ? one : other) + 1;
}

/* Packs any value by the public API. Meanwhile the walk's holder has the mod_state's encoder, because a hook may pack,
** too. It is moved back at the end, because a holder created while the Lua state closes has no finalizer. */
FL_NOINLINE int mod_pack_by_api(struct mod_call *call, struct encode_state *c) {
  const struct mod_pack *pack = (const struct mod_pack *)(void *)call;
  lua_State *L = call->L;
  struct bin_encoder *own = &call->state->document->binary[pack->mode], *e;
  struct pack_walk p;
  if (!mod_begin_api_walk(&p.a, call, c, mod_holder_for_call(call, c))) return mod_call_memory_(call);
  p.a.ignores_order = 1;
  e = &mod_holder_of(p.a.walk)->encoder;
  mod_move_encoder(e, own);
  mod_encoder_borrow_buffer(e, p.a.walk);
  e->keys = pack->keys;
  e->max_depth = call->options->style.max_depth;
  p.e = e;
  p.data = pack->data;
  p.text_error = 0;
  p.put_binary = mod_put_view;
  char *end = mod_take_back(call->state, p.a.walk, e, pack_write(&p));
  e->keys = NULL;
  e->max_depth = SIZE_MAX;
  mod_move_encoder(own, e);
  if (!end && !p.a.walk->out.error) {
    compat_need_stack(L, 1);
    lua_pushstring(L, own->error ? bin_message((int)own->error) : json_check_message(p.text_error));
    call->kind = own->error ? bin_kind((int)own->error) : json_check_kind(p.text_error);
  }
  return mod_end_api_walk(&p.a, call, c, end);
}

static const struct mod_walks mod_pack_walks = {mod_pack_raw, mod_pack_by_api};

/* A codec's text options have no effect on pack. */
static void mod_default_pack(struct mod_options *o) {
  struct json_style *s = &o->style;
  memset(&s->text, 0, sizeof s->text);
  s->text.invalid = TEXT_INVALID_ERROR;
  s->invalid_numbers = JSON_NUMBERS_INFINITIES; /* for keys */
  s->indent_length = 0;
  s->sort_keys = 0;
  o->order = 0;
}

/* Keeps the shared keys alive, because a hook could remove them from the options table. */
static void mod_read_pack_keys(struct mod_reader *r) {
  struct mod_pack *const pack = r->into;
  pack->keys = mod_read_keys_object(r);
  if (pack->keys) mod_keep(r);
}

#define MOD_PACK_ROW(name, kind, member, takers) MOD_OPTION(name, struct mod_pack, member, takers, MOD_IS_##kind)
/* Members that are pointers have a size, too. NOLINTNEXTLINE(bugprone-sizeof-expression) */
static const struct mod_option mod_pack_rows[] = {MOD_PACK_OPTIONS(MOD_PACK_ROW){0}};

FL_PRIVATE void mod_read_pack_options(lua_State *L, int arg, struct mod_pack *pack, enum mod_taker of) {
  struct mod_reader r;
  mod_begin_reader(&r, L, arg, of, mod_pack_rows, pack);
  r.more = mod_encode_options(), r.more_to = &pack->call.own;
  mod_read_table(&r);
}

FL_PRIVATE int mod_pack(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct mod_pack pack;
  struct mod_call *call = &pack.call;
  struct mod_state *m = codec->state;
  mod_check_any(L, 1);
  mod_start_call(call, L, m, &call->own, 1);
  call->walks = &mod_pack_walks;
  call->own = codec->encode;
  pack.mode = mod_mode_of(&codec->binary);
  pack.data = 0;
  pack.keys = NULL;
  mod_default_pack(&call->own);
  if (FL_UNLIKELY(codec->binary.kept)) {
    if (lua_gettop(L) < 2) lua_settop(L, 2);
    lua_rawgeti(L, lua_upvalueindex(MOD_VALUES), MOD_VALUE_KEYS);
    if (view_test_keys(L, -1)) pack.keys = &view_test_keys(L, -1)->keys;
  }
  if (!lua_isnoneornil(L, 2)) mod_read_pack_options(L, 2, &pack, MOD_OF_PACK);
  struct encode_state *c = mod_encode_state_for_call(L, m);
  if (!mod_make_ready(call, c)) return mod_call_memory_(call);
  if (FL_LIKELY(lua_type(L, 1) == LUA_TTABLE)) {
    if (!m->document->pack || pack.keys || call->own.force_api || call->own.style.skip_unsupported)
      return mod_pack_by_api(call, c);
    const enum encode_result result = mod_pack_raw(call, c);
    return FL_LIKELY(result == ENCODE_DONE) ? mod_finish(call, c, c->finish) : mod_encode_again_(call, c, result);
  } else {
    struct bin_encoder *e = &m->document->binary[pack.mode];
    mod_encoder_borrow_buffer(e, c);
    char *end = mod_take_back(m, c, e, pack_put_scalar(L, 1, e, c->out.utf8, pack.data));
    return end ? mod_finish(call, c, end) : mod_pack_by_api(call, c);
  }
}
