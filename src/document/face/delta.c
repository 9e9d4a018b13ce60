/* SPDX-License-Identifier: MIT
** delta.c -- diff and patch: JSON deltas between values; dates.
** Must hold: as binary.h; no Lua runs during a walk over documents. */
#include "../../binary/delta/apply.h"
#include "../../binary/read/dates.h"
#include "../to_json/delta.h"
#include "binary.h"
#include "views.h"
#include "../view/text.h"

FL_PRIVATE int view_eq(lua_State *L) {
  const struct mod_view *a, *b;
  struct bin_work work;
  void *ud;
  lua_Alloc alloc = lua_getallocf(L, &ud);
  if (!view_is_at(L, 1) || !view_is_at(L, 2)) return lua_pushboolean(L, 0), 1;
  (void)view_check(L, 1);
  b = view_check(L, 2);
  a = view_check(L, 1); /* converting the other one may have run a finalizer that closed this one */
  bin_work_init(&work, alloc, ud, bin_doc_bytes(&a->owner->doc) + bin_doc_bytes(&b->owner->doc));
  const int same = bin_equal(&work, &a->owner->doc, a->value, &b->owner->doc, b->value, 0);
  if (same < 0) return luaL_error(L, "%s", bin_message(work.error));
  lua_pushboolean(L, same);
  return 1;
}

FL_PRIVATE int mod_diff(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct bin_doc old_room, fresh_room;
  const struct bin_doc *old, *fresh;
  bin_value old_value, fresh_value;
  struct mod_binary o;
  struct bin_work work;
  int results;
  mod_read_binary_options(L, 3, &o, MOD_OF_BYTES);
  struct mod_call call = {0};
  call.L = L;
  call.state = codec->state;
  call.own = codec->encode;
  mod_default_options(&call.own, JSON_ESCAPE_JSON);
  mod_settle_options(&call.own);
  call.options = &call.own;
  struct encode_state *c = mod_encode_state_for_call(L, call.state);
  if (!mod_make_ready(&call, c)) return mod_raise_memory_(L, codec->encode.safe);
  /* after this no finalizer can close the documents */
  if (!mod_binary_argument(L, 1, &o, &old_room, &old, &old_value, &results) ||
      !mod_binary_argument(L, 2, &o, &fresh_room, &fresh, &fresh_value, &results))
    return results;
  c->out.style = &call.own.style;
  c->out.error = FL_ERROR_NONE;
  bin_work_init(&work, c->out.buffer.alloc, c->out.buffer.alloc_ud, bin_doc_bytes(old) + bin_doc_bytes(fresh));
  char *end = delta_to_json(&work, &c->out, c->out.buffer.begin, old, old_value, fresh, fresh_value);
  if (end) return mod_finish(&call, c, end);
  mod_free_encode_state(c);
  lua_pushstring(L, work.error ? bin_message(work.error) : encode_message(c->out.error));
  return mod_raise_kind(L, codec->encode.safe, work.error ? bin_kind(work.error) : encode_kind(c->out.error));
}

FL_PRIVATE int mod_patch(lua_State *L) {
  struct bin_doc old_room, text; /* text: a delta that was JSON; its bytes are on the stack */
  const struct bin_doc *old, *delta = &text;
  const struct mod_doc *owner;
  bin_value old_value, delta_value;
  struct mod_decode d;
  struct mod_binary o;
  struct mod_write_failure failed;
  struct bin_encoder *e;
  struct bin_work work;
  struct bin_patch_place place;
  struct mod_piece piece;
  struct encode_state *c;
  int results, error;
  mod_check_any(L, 2);
  lua_settop(L, 3);
  mod_begin_decode(&d, L, 3, MOD_OF_PATCH);
  d.several = MOD_SEVERAL_NOTHING;
  mod_read_binary_options(L, 3, &o, MOD_OF_PATCH);
  mod_check_duplicates(&d, 3);
  d.o.lines = 0; /* may be set by a codec */
  if (!view_value_at(L, 2, &owner, &delta_value)) {
    mod_set_text(&d, 2);
    e = mod_begin_private_document(L, d.state, &c, &piece);
    if (!mod_scan_document(&d, &o, e, &failed)) {
      mod_end_encoder(d.state, e, c);
      return mod_write_error_(&d, &failed);
    }
    memset(&text, 0, sizeof text);
    text.begin = (const uint8_t *)mod_push_document_copy(L, d.state, e, c, &piece);
    text.end = text.begin + piece.n;
    delta_value = bin_root(&text);
  }
  c = mod_encode_state_for_call(L, d.state);
  /* after this no finalizer can close the documents; one may already have closed the delta */
  if (!mod_binary_argument(L, 1, &o, &old_room, &old, &old_value, &results)) return results;
  if (view_value_at(L, 2, &owner, &delta_value)) delta = &owner->doc;
  e = mod_reset_encoder(d.state, mod_mode_of(&o.is), c);
  if (o.keys) e->keys = &view_test_keys(L, o.keys)->keys;
  bin_work_init(&work, e->out.alloc, e->out.alloc_ud, bin_doc_bytes(old) + bin_doc_bytes(delta));
  if (bin_patch(&work, e, old, old_value, delta, delta_value, &place) && bin_finish(e))
    return mod_push_document(L, d.state, e, c);
  error = work.error ? work.error : (int)e->error;
  mod_end_encoder(d.state, e, c);
  lua_pushstring(L, bin_message(error));
  if (place.n) {
    lua_pushliteral(L, " at ");
    lua_pushlstring(L, place.text, place.n);
    lua_concat(L, 3);
  }
  return mod_raise_kind(L, d.o.safe, bin_kind(error));
}

FL_PRIVATE int mod_date(lua_State *L) {
  const lua_Number minutes = mod_optional_number(L, 2, 0);
  char text[BIN_DATE_ROOM];
  size_t n;
  int64_t ms;
  if (!(minutes > -1440 && minutes < 1440) || minutes != (lua_Number)(int)minutes)
    return mod_argument_error(L, 2, "whole minutes of less than a day expected");
  if (lua_type(L, 1) == LUA_TNUMBER) {
    const lua_Number x = lua_tonumber(L, 1);
    if (!(x > -9.2e18 && x < 9.2e18)) return mod_argument_error(L, 1, "no date");
    ms = compat_is_integer(L, 1) ? compat_to_integer(L, 1) : (int64_t)x;
    lua_pushlstring(L, text, (size_t)(bin_format_date(text, ms, (int)minutes) - text));
    return 1;
  }
  const char *s = mod_check_string(L, 1, &n);
  ms = bin_parse_date(s, n, (int)minutes);
  if (ms == BIN_NO_DATE) lua_pushnil(L);
  else compat_push_integer(L, ms);
  return 1;
}
