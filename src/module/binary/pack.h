/* SPDX-License-Identifier: MIT
** pack.h -- pack: a Lua value in, a binary document out.
** May call: lua_*, convert, module/json/encode.h, layout, json, binary, text.
** Must hold: no Lua code runs while an encoder is in use, and nothing that could raise; then the document lies in
** the walk's buffer, and all that module/json/encode.h says of results holds for it. Either way, below the API or by
** JSON text, the bytes are the same. */
#ifndef FLEECE_MODULE_BINARY_PACK_H
#define FLEECE_MODULE_BINARY_PACK_H

#include "../../convert/json_to_binary/json_to_binary.h"
#include "../../binary/encode/end.h"
#include "options.h"
#include "../json/encode.h"
#include "../view/put.h"

/* ------------------------------------------------------------------------------------- values of other kinds */

/* Writes the kept value on top: a string that is no UTF-8, or what view_is_value has said yes to. Must not raise. */
FL_FUNC int mod_put_kept(lua_State *L, struct bin_encoder *e) {
  size_t n;
  const char *s = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &n) : NULL;
  const int error = s ? !bin_put_data(e, s, n) : view_put_value(L, e);
  if (error > 0) bin_fail(e, (enum bin_error)error);
  else if (error < 0) bin_fail(e, BIN_ERROR_CLOSED);
  return error == 0;
}

/* A walk by the public API begins whose text will become binary: pushes the table for what it keeps. */
FL_NOINLINE void mod_begin_kept(struct mod_call *call, struct api_walk *a) {
  lua_newtable(call->L);
  lua_insert(call->L, a->spill);
  a->kept = a->spill;
  a->spill++;
  a->own_order++;
  a->levels++;
  a->data = call->pack->data;
}

/* A json_to_binary's `foreign`: s is the byte 0xff and a number in the table of kept values, which is on top. */
FL_FUNC int mod_put_numbered(void *owner, struct bin_encoder *e, const char *s, size_t n) {
  lua_State *L = (lua_State *)owner;
  int number = 0, fine;
  size_t i;
  for (i = 1; i < n; i++) number = 10 * number + (s[i] - '0');
  lua_rawgeti(L, -1, number);
  fine = mod_put_kept(L, e);
  lua_pop(L, 1);
  return fine;
}

/* ------------------------------------------------------------------------------------- the encoder */

/* The encoder writes into the walk's buffer. */
FL_INLINE struct bin_encoder *mod_encoder_borrow_buffer(struct mod_call *call, struct encode_state *c) {
  struct bin_encoder *e = &call->state->binary[call->pack->compact];
  buf_free(&e->out);
  e->out.begin = c->out.buffer.begin, e->out.end = c->out.buffer.end;
  bin_encoder_reset(e);
  return e;
}

/* Gives back the memory of a large document; all that is kept for packing, once the state is over. */
FL_FUNC void mod_trim_encoder(struct mod_state *m, struct bin_encoder *e) {
  if (bin_encoder_memory(e) > MOD_KEEP || m->finalized) bin_encoder_free(e);
  if (FL_UNLIKELY(m->finalized)) mod_free_keys(m);
}

/* Returns the buffer, and ends the document if all went well: its end, or NULL. */
FL_INLINE char *mod_take_back(struct mod_state *m, struct encode_state *c, struct bin_encoder *e, int fine) {
  char *end = fine && bin_finish(e) ? e->w : NULL;
  c->out.buffer.begin = e->out.begin, c->out.buffer.end = e->out.end;
  e->out.begin = e->out.end = NULL;
  mod_trim_encoder(m, e);
  return end;
}

/* The memory of known keys for a mode, new. */
FL_NOINLINE struct pack_keys *mod_new_keys_(struct mod_state *m, int mode) {
  const struct buffer *b = &m->walk.out.buffer;
  m->packed_keys[mode] = (struct pack_keys *)b->alloc(b->alloc_ud, NULL, 0, sizeof **m->packed_keys);
  if (m->packed_keys[mode]) memset(m->packed_keys[mode], 0, sizeof **m->packed_keys);
  return m->packed_keys[mode];
}

/* A table below the API. */
FL_NOINLINE enum encode_result mod_pack_raw(struct mod_call *call, struct encode_state *c) {
  struct bin_encoder *e;
  struct lua_to_binary b;
  enum encode_result result;
  b.keys = call->state->packed_keys[call->pack->compact];
  if (FL_UNLIKELY(!b.keys) && !(b.keys = mod_new_keys_(call->state, call->pack->compact))) return ENCODE_MEMORY;
  e = mod_encoder_borrow_buffer(call, c);
  pack_begin(b.keys, e);
  b.walk = c;
  b.e = e;
  b.data = call->pack->data;
  c->out.style = &call->options->style;
  c->policy = &call->options->policy;
  c->out.error = FL_ERROR_NONE;
  c->unknown_metatable = 0;
  result = call->state->pack(&b, (const char *)lua_topointer(call->L, call->value));
  c->finish = mod_take_back(call->state, c, e, result == ENCODE_DONE);
  if (result == ENCODE_DONE && !c->finish) result = e->error == BIN_ERROR_MEMORY ? ENCODE_MEMORY : ENCODE_REDO;
  return result;
}

/* Hands a value that is no table to the encoder; false: the public-API walk will see. */
FL_FUNC int mod_put_scalar(struct mod_call *call, struct encode_state *c, struct bin_encoder *e) {
  lua_State *L = call->L;
  const int value = call->value;
  size_t n;
  const char *s;
  double d;
  switch (lua_type(L, value)) {
  case LUA_TSTRING:
    s = lua_tolstring(L, value, &n);
    return c->out.utf8(s, n) == n ? bin_put_string(e, s, n) : call->pack->data && bin_put_data(e, s, n);
  case LUA_TNUMBER:
    if (compat_is_integer(L, value)) return bin_put_integer(e, compat_to_integer(L, value));
    d = lua_tonumber(L, value);
    return LUA_VERSION_NUM < 503 && pack_is_integer(d) ? bin_put_integer(e, (int64_t)d) : bin_put_double(e, d);
  case LUA_TBOOLEAN: return bin_put_special(e, lua_toboolean(L, value) ? BIN_TRUE : BIN_FALSE);
  case LUA_TNIL: return bin_put_special(e, BIN_NULL);
  default: return 0;
  }
}

/* Pushes why the text of a value did not become binary. */
FL_FUNC void mod_push_pack_error(lua_State *L, const struct json_to_binary *k) {
  if (k->e->error) lua_pushstring(L, bin_message(k->e->error));
  else lua_pushstring(L, json_check_message(k->scan.error));
}

/* The text of the value, from the start of the buffer to `end`, becomes binary; the buffer is the document's then.
** NULL: the message is on top. `kept`: stack index of the table of kept values. */
FL_NOINLINE char *mod_pack_text(struct mod_call *call, struct encode_state *c, char *end, int kept) {
  struct bin_encoder *e = &call->state->binary[call->pack->compact];
  struct buffer *text = &c->out.buffer;
  struct json_to_binary k;
  int fine = 0;
  compat_need_stack(call->L, 3);
  lua_pushvalue(call->L, kept);
  bin_encoder_reset(e);
  e->keys = call->pack->keys;
  e->max_depth = call->options->style.max_depth;
  end = buf_reserve(text, end, 1);
  json_to_binary_init(&k, e, text->begin, end);
  if (end) {
    *end = 0;
    k.scan.utf8 = call->state->utf8;
    k.scan.grammar = JSON_NAN_LITERALS;
    k.scan.bad_text = JSON_BAD_PASS;
    k.scan.max_depth = UINT32_MAX;
    k.foreign = mod_put_numbered;
    k.foreign_owner = call->L;
    fine = json_to_binary_scan(&k, &k.scan, text->begin) && bin_finish(e);
  } else {
    e->error = BIN_ERROR_MEMORY;
  }
  json_to_binary_free(&k);
  e->keys = NULL;
  e->max_depth = SIZE_MAX;
  if (fine) {
    struct buffer document = e->out;
    e->out.begin = text->begin, e->out.end = text->end;
    text->begin = document.begin, text->end = document.end;
    end = e->w;
  }
  if (buf_capacity(&e->out) > MOD_KEEP) buf_free(&e->out);
  mod_trim_encoder(call->state, e);
  if (fine) return end;
  mod_push_pack_error(call->L, &k);
  return NULL;
}

/* ------------------------------------------------------------------------------------- the function */

/* Of a codec's options those that concern values; how text looks is of no account. */
FL_FUNC void mod_default_pack(struct mod_options *o) {
  struct json_style *s = &o->style;
  s->escape = JSON_ESCAPE_JSON;
  memset(&s->text, 0, sizeof s->text);
  s->text.invalid = TEXT_INVALID_ERROR;
  s->invalid_numbers = JSON_NUMBERS_INFINITIES;
  s->indent_length = 0;
  s->precision = 0;
  s->float_integers = LUA_VERSION_NUM >= 503; /* else whole doubles are integers, as encode writes them */
  s->sort_keys = 0;
  o->order = 0;
}

/* Reads the options at `arg`. Pushes three slots: one for on_error, and the last keeps the shared keys, which a hook
** could take out of the table of options. */
FL_FUNC void mod_read_pack_options(lua_State *L, int arg, struct mod_options *o, struct mod_pack *pack) {
  struct mod_reader r;
  int slots;
  mod_begin_reader(&r, L, arg, mod_names_pack);
  r.to = o;
  compat_need_stack(L, 16);
  lua_settop(L, lua_gettop(L) + 3);
  slots = lua_gettop(L) - 2;
  lua_pushnil(L);
  while (lua_next(L, arg)) {
    mod_read_name(&r, -2);
    if (strcmp(r.name, "mode") == 0) pack->compact = mod_read_word(&r, "compatible|compact");
    else if (strcmp(r.name, "invalid_utf8") == 0) pack->data = mod_read_word(&r, "error|data");
    else if (strcmp(r.name, "keys") == 0) {
      if (!mod_is_no_keys(L)) {
        if (!view_test_keys(L, -1)) mod_bad_option(&r, "an object that fleece.keys returned, or false");
        pack->keys = &view_test_keys(L, -1)->keys;
        lua_pushvalue(L, -1);
        lua_replace(L, slots + 2);
      }
    } else (void)mod_read_option(&r, slots, slots + 1);
    lua_settop(L, slots + 3);
  }
}

/* pack(value [, options]) -> bytes */
FL_FUNC int mod_pack(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct mod_call call;
  struct mod_pack pack = {!codec->binary.compatible, 0, NULL, mod_pack_raw, mod_pack_text, mod_begin_kept};
  struct mod_state *m = codec->state;
  struct encode_state *c;
  enum encode_result result;
  mod_check_any(L, 1);
  mod_start_call(&call, L, m, &call.own, 1);
  call.own = codec->encode;
  call.pack = &pack;
  mod_default_pack(&call.own);
  if (!lua_isnoneornil(L, 2)) mod_read_pack_options(L, 2, &call.own, &pack);
  mod_settle_options(&call.own);
  c = mod_encode_state_for_call(L, m);
  if (!mod_make_ready(&call, c)) return mod_raise_memory_(L, call.own.safe);
  if (FL_LIKELY(lua_type(L, 1) == LUA_TTABLE)) {
    if (!m->pack || pack.keys || call.own.force_api || call.own.style.skip_unsupported)
      return mod_encode_by_api(&call, c);
    result = mod_pack_raw(&call, c);
    return FL_LIKELY(result == ENCODE_DONE) ? mod_finish(&call, c, c->finish) : mod_encode_again_(&call, c, result);
  } else {
    struct bin_encoder *e = mod_encoder_borrow_buffer(&call, c);
    char *end = mod_take_back(m, c, e, mod_put_scalar(&call, c, e));
    return end ? mod_finish(&call, c, end) : mod_encode_by_api(&call, c);
  }
}

#endif
