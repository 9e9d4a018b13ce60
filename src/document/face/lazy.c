/* SPDX-License-Identifier: MIT */
#include "lazy.h"
#include "../view/text.h"

/* Pushes a view of the text at 1 as it stands; false: with these options, or because it is another text, it is read at
** once. */
FL_FUNC int mod_lazy_text(lua_State *L, struct mod_state *m, const struct json_to_lua_options *o, enum bin_mode mode) {
  if (FL_UNLIKELY(o->grammar & ~(unsigned)JSON_BOM) || o->bad_text != JSON_BAD_ERROR) return 0;
  if (o->lines || o->duplicates != JSON_TO_LUA_LAST || mode == BIN_COMPATIBLE) return 0;
  if (o->max_bytes && lua_rawlen(L, 1) > o->max_bytes) return 0;
  return view_push_text(L, 1, o->max_depth, m, lua_upvalueindex(MOD_ANCHORS));
}

FL_PRIVATE int mod_lazy(lua_State *L) {
  struct mod_decode d;
  struct mod_binary b;
  struct mod_write_failure failed;
  struct bin_encoder *e;
  struct encode_state *c;
  struct mod_piece piece;
  struct mod_doc *doc;
  int env;
  if ((FL_LIKELY(lua_gettop(L) == 1) || lua_isnoneornil(L, 2)) && FL_LIKELY(lua_type(L, 1) == LUA_TSTRING)) {
    const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
    if (mod_lazy_text(L, codec->state, &codec->decode, mod_mode_of(&codec->binary))) return 1;
    lua_settop(L, 1);
  }
  mod_begin_from_json(&d, L, &b, MOD_OF_LAZY);
  if (mod_lazy_text(L, d.state, &d.o, mod_mode_of(&b.is))) return 1;
  doc = mod_push_doc(L, MOD_NEEDS_NOTHING);
  env = lua_gettop(L);
  e = mod_begin_private_document(L, d.state, &c, &piece);
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
