/* SPDX-License-Identifier: MIT */
#include "module.h"

/* ------------------------------------------------------------------------------------- encode */

FL_NOINLINE int rxi_raise_(struct mod_call *call, const struct api_walk *a, enum fl_error error) {
  lua_State *L = call->L;
  if (a->thrown) return lua_error(L);
  switch (error) {
  case FL_ERROR_TYPE: lua_pushfstring(L, "unexpected type '%s'", a->detail); break;
  case FL_ERROR_KEY: lua_pushliteral(L, "invalid table: mixed or invalid key types"); break;
  case FL_ERROR_HOLES:
  case FL_ERROR_LENGTH: lua_pushliteral(L, "invalid table: sparse array"); break;
  case FL_ERROR_CYCLE: lua_pushliteral(L, "circular reference"); break;
  case FL_ERROR_NAN:
  case FL_ERROR_INFINITE: /* the value is on top */
    lua_pushfstring(L, "unexpected number value '%s'", lua_tostring(L, -1));
    break;
  default: dropin_push_error(L, error);
  }
  return mod_raise(L, 0);
}

/* encode(value) -> text */
static int rxi_encode(lua_State *L) {
  struct mod_call call;
  lua_settop(L, 1);
  mod_begin(&call, L, 1, 2);
  return mod_run(&call);
}

/* ------------------------------------------------------------------------------------- decode */

/* Ends a call whose text is wrong. */
FL_NOINLINE int rxi_raise_fault_(struct mod_decode *d, struct json_scan *scan) {
  lua_State *L = d->L;
  struct dropin_fault fault;
  const char *piece, *rest;
  size_t n;
  if (scan->error == JSON_CHECK_DEPTH || scan->error == JSON_CHECK_MEMORY) {
    lua_pushstring(L, json_check_message(scan->error));
    return mod_raise(L, 0);
  }
  if (!dropin_find_fault(d, &rxi_fault_rules, &fault)) {
    FL_ASSERT(0);
    return luaL_error(L, "invalid JSON");
  }
  piece = rxi_fault_piece(&fault, &n);
  rest = rxi_fault_rules.rests[fault.cause];
  lua_pushstring(L, rxi_fault_rules.texts[fault.cause]);
  lua_pushlstring(L, piece, n);
  lua_pushstring(L, rest ? rest : "");
  dropin_push_place(d, fault.at, " at line %s col %s");
  lua_concat(L, 4);
  return mod_raise(L, 0);
}

/* decode(text) -> value */
static int rxi_decode(lua_State *L) {
  struct mod_decode d;
  struct json_scan scan;
  lua_settop(L, 1);
  if (FL_UNLIKELY(lua_type(L, 1) != LUA_TSTRING))
    return luaL_error(L, "expected argument of type string, got %s", luaL_typename(L, 1));
  mod_begin_decode(&d, L, 2, MOD_OF_PREFIX);
  mod_set_text(&d, 1);
  return FL_LIKELY(mod_scan_whole(&d, &scan)) ? 1 : rxi_raise_fault_(&d, &scan);
}

/* ------------------------------------------------------------------------------------- the module */

static const struct encode_field_rule rxi_fields[] = {
    ENCODE_FIELD("__pairs", NULL, ENCODE_HOOK),
    ENCODE_FIELD("__len", NULL, ENCODE_HOOK),
    ENCODE_NO_MORE_FIELDS,
};

static const struct encode_rules rxi_table_rules = {
    .fields = rxi_fields, .keys = ENCODE_KEYS_REFUSED, .errors = ENCODE_ERRORS_BARE};

static void rxi_defaults(struct mod_codec *codec) {
  struct mod_options *o = &codec->encode;
  mod_default_options(o, JSON_ESCAPE_JSON);
  o->style.text.invalid = TEXT_INVALID_PASS;
  o->style.max_depth = MOD_DEPTH_LIMIT;
  o->style.sparse = JSON_SPARSE_ERROR;
  o->style.precision = 14;
  o->policy.rules = &rxi_table_rules;
  o->policy.ops = &rxi_ops;
  o->raise = rxi_raise_;
  mod_settle_options(o);
  mod_default_decode_options(&codec->decode);
  codec->decode.grammar = RXI_GRAMMAR;
  codec->decode.rules = &rxi_rules;
  codec->decode.bad_text = JSON_BAD_PASS;
  codec->decode.big = JSON_TO_LUA_BIG_ANY;
  codec->decode.drop_null = 1;
  codec->decode.max_depth = MOD_DEPTH_LIMIT;
}

FL_PRIVATE int rxi_open(lua_State *L) {
  static const luaL_Reg functions[] = {{"encode", rxi_encode}, {"decode", rxi_decode}, {NULL, NULL}};
  struct mod_codec *codec = mod_push_upvalues(L, sizeof *codec);
  rxi_defaults(codec);
  codec->encode.pairs_honours_meta = (unsigned)mod_pairs_honours_meta(L) & 1u;
  mod_push_library(L, lua_gettop(L) - MOD_UPVALUES + 1, functions);
  mod_set_string(L, "_version", "0.1.2");
  return 1;
}
