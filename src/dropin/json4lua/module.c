/* SPDX-License-Identifier: MIT */
#include "module.h"

/* ------------------------------------------------------------------------------------- encode */

FL_NOINLINE int json4lua_raise_(struct mod_call *call, const struct api_walk *a, enum fl_error error) {
  lua_State *L = call->L;
  if (a->thrown) return lua_error(L);
  switch (error) {
  case FL_ERROR_TYPE: /* the value is on top */
    lua_pushfstring(L, "encode attempt to encode unsupported type %s:%s: %p", a->detail, luaL_typename(L, -1),
                    lua_topointer(L, -1));
    break;
  case FL_ERROR_KEY: lua_pushfstring(L, "encode attempt to encode a %s as a name", a->detail); break;
  case FL_ERROR_CYCLE: lua_pushliteral(L, "encode attempt to encode a circular reference"); break;
  case FL_ERROR_NAN:
  case FL_ERROR_INFINITE: lua_pushliteral(L, "encode attempt to encode NaN or an infinity"); break;
  case FL_ERROR_LENGTH: lua_pushliteral(L, "encode attempt to encode an array that is too long"); break;
  case FL_ERROR_HOOK: lua_pushstring(L, a->detail); break;
  default: dropin_push_error(L, error);
  }
  return lua_error(L);
}

/* encode(value) -> text */
static int json4lua_encode(lua_State *L) {
  struct mod_call call;
  lua_settop(L, 1);
  mod_begin(&call, L, 1, 2);
  return mod_run(&call);
}

/* ------------------------------------------------------------------------------------- decode */

/* Ends a call whose text is wrong. */
FL_NOINLINE int json4lua_raise_fault_(struct mod_decode *d, const struct json_scan *scan) {
  /* what stands before the position, or before the text if that comes first */
  static const char *const messages[] = {"Unterminated JSON encoded object found at position in [",
                                         "JSON String ended unexpectedly scanning array.",
                                         "JSON string ended unexpectedly while scanning object.",
                                         "JSON string ended unexpectedly searching for value of key",
                                         "JSON object key-value assignment mal-formed at ",
                                         "Failed to scan constant from string ",
                                         "Failed to scan number in JSON string at position ",
                                         "String decoding failed: bad Unicode escape at position ",
                                         "String decoding failed: missing closing quote for string at position ",
                                         "Unterminated comment in string at ",
                                         "JSON object key is null at "};
  lua_State *L = d->L;
  char position[NUM_ROOM];
  if (scan->error < JSON_CHECK_COUNT) return luaL_error(L, "%s", json_check_message(scan->error));
  *num_write_u64(position, (uint64_t)(scan->at - d->begin) + 1) = 0;
  lua_pushstring(L, messages[scan->error - JSON_CHECK_COUNT]);
  switch (scan->error) {
  case JSON4LUA_END:
    lua_pushvalue(L, 1);
    lua_pushliteral(L, "]");
    lua_concat(L, 3);
    break;
  case JSON4LUA_WORD:
    lua_pushvalue(L, 1);
    lua_pushfstring(L, " at starting position %s", position);
    lua_concat(L, 3);
    break;
  case JSON4LUA_END_ARRAY:
  case JSON4LUA_END_OBJECT:
  case JSON4LUA_END_MEMBER: break;
  default: lua_pushstring(L, position); lua_concat(L, 2);
  }
  return lua_error(L);
}

/* Reads what is not JSON. */
FL_NOINLINE int json4lua_decode_loose_(struct mod_decode *d, const char *p) {
  lua_State *L = d->L;
  struct json_to_lua k;
  d->o.force_api = 1;
  mod_begin_tables(d, &k);
  p = json4lua_scan_(&k, p);
  if (!p) return json4lua_raise_fault_(d, &k.scan);
  lua_replace(L, k.anchors);
  lua_settop(L, k.anchors);
  lua_pushinteger(L, (lua_Integer)(p - d->begin) + 1);
  return 2;
}

/* decode(text [, position]) -> value, the position behind it */
static int json4lua_decode(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct mod_decode d;
  struct json_scan scan;
  lua_Integer position;
  const char *begin, *first, *p = NULL;
  lua_settop(L, 2);
  d.L = L;
  d.state = codec->state;
  d.o = codec->decode;
  memset(&d.base, 0, sizeof d.base);
  mod_set_text(&d, 1);
  position = lua_toboolean(L, 2) ? luaL_checkinteger(L, 2) : 1;
  if (position < 1) luaL_argerror(L, 2, "positions begin with 1");
  begin = position - 1 < (lua_Integer)(d.end - d.begin) ? d.begin + position - 1 : d.end;
  mod_begin_scan(&d, &scan);
  first = json_skip_space(&scan, begin);
  if (FL_LIKELY(first != d.end)) p = mod_decode_value(&d, first, &scan);
  if (FL_UNLIKELY(!p || (json4lua_is_number(*first) && json4lua_is_number(*p)))) {
    lua_settop(L, 2);
    return json4lua_decode_loose_(&d, begin);
  }
  lua_pushinteger(L, (lua_Integer)(p - d.begin) + 1);
  return 2;
}

/* ------------------------------------------------------------------------------------- the module */

static const struct encode_rules json4lua_table_rules = {
    .fields = dropin_unmixed_fields,
    .known = {[ENCODE_ARRAY] = ENCODE_ARRAY, [ENCODE_OBJECT] = ENCODE_OBJECT},
    .keys = ENCODE_KEYS_BOOLEANS,
    .errors = ENCODE_ERRORS_BARE,
};

static void json4lua_defaults(struct mod_codec *codec) {
  struct mod_options *o = &codec->encode;
  mod_default_options(o, JSON_ESCAPE_SLASH);
  o->style.max_depth = MOD_DEPTH_LIMIT;
  o->style.precision = LUA_VERSION_NUM >= 505 ? JSON_PRECISION_15_17 : 14;
  o->style.float_integers = LUA_VERSION_NUM >= 503;
  o->style.number_keys = JSON_KEYS_AS_TOSTRING;
  o->policy.rules = &json4lua_table_rules;
  o->policy.ops = &json4lua_ops;
  o->policy.shape = dropin_unmixed_shape_of(codec->state->verdict.facts, 1);
  o->raise = json4lua_raise_;
  mod_settle_options(o);
  mod_default_decode_options(&codec->decode);
  codec->decode.bad_text = JSON_BAD_PASS;
  codec->decode.big = JSON_TO_LUA_BIG_ANY;
  codec->decode.drop_null = 1;
  codec->decode.max_depth = MOD_DEPTH_LIMIT;
}

/* Sets a field to an empty table with a mark. */
static void json4lua_set_empty(lua_State *L, const char *name, int place) {
  lua_newtable(L);
  mod_push_mark(L, place);
  lua_setmetatable(L, -2);
  lua_setfield(L, -2, name);
}

FL_PRIVATE int json4lua_open(lua_State *L) {
  static const luaL_Reg functions[] = {{"encode", json4lua_encode}, {"decode", json4lua_decode}, {NULL, NULL}};
  struct mod_codec *codec = mod_push_upvalues(L, sizeof *codec);
  const int base = lua_gettop(L) - MOD_UPVALUES + 1;
  json4lua_defaults(codec);
  codec->encode.pairs_honours_meta = (unsigned)mod_pairs_honours_meta(L) & 1u;
  dropin_push_itself(L);
  codec->encode.policy.null = lua_topointer(L, -1);
  lua_pushvalue(L, -1);
  lua_replace(L, base + MOD_VALUES - 1); /* its address is known: it must not go */
  mod_push_library(L, base, functions);
  lua_insert(L, -2);
  lua_setfield(L, -2, "null");
  json4lua_set_empty(L, "EMPTY_ARRAY", MOD_MARK_ARRAY);
  json4lua_set_empty(L, "EMPTY_OBJECT", MOD_MARK_OBJECT);
  return 1;
}
