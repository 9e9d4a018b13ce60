/* SPDX-License-Identifier: MIT */
#include "module.h"

/* ------------------------------------------------------------------------------------- encode */

FL_NOINLINE int luajson_raise_(struct mod_call *call, const struct api_walk *a, enum fl_error error) {
  lua_State *L = call->L;
  const struct luajson_special *special = luajson_special_of(a);
  if (a->thrown) return lua_error(L);
  switch (error) {
  case FL_ERROR_TYPE:
    if (strcmp(a->detail, "function") == 0 || strcmp(a->detail, "boolean") == 0 ||
        (special && (strcmp(a->detail, special->types[0]) == 0 || strcmp(a->detail, special->types[1]) == 0)))
      lua_pushfstring(L, "Failed to encode value, encoders for %s deny encoding", a->detail);
    else lua_pushfstring(L, "Failed to encode value, unhandled type: %s", a->detail);
    return mod_raise(L, 0);
  case FL_ERROR_KEY: lua_pushfstring(L, "Invalid object index type: %s", a->detail); break;
  case FL_ERROR_CYCLE: lua_pushliteral(L, "Recursive encoding of value"); break;
  case FL_ERROR_NAN: lua_pushliteral(L, "Invalid number: NaN not enabled"); break;
  case FL_ERROR_INFINITE: lua_pushliteral(L, "Invalid number: Infinity not enabled"); break;
  case FL_ERROR_HOOK: lua_pushstring(L, a->detail); break;
  case FL_ERROR_LENGTH: lua_pushliteral(L, "Invalid array length"); break;
  default: dropin_push_error(L, error);
  }
  return lua_error(L);
}

/* encode(value, state, is_key) -> text, or nothing: what a program's composite calls. */
static int luajson_encode_part(lua_State *L) {
  const struct luajson_codec *lj = luajson_upvalue(L);
  struct mod_call call;
  struct luajson_special special;
  int base, nothing = 0;
  lua_settop(L, 3);
  base = luajson_push_values(L, LUAJSON_SLOT_VALUES);
  lua_getfield(L, base + LUAJSON_SLOT_STATE, "encode");
  luajson_set_special(L, base, &special);
  special.composite = base + LUAJSON_SLOT_COMPOSITE;
  special.state = base + LUAJSON_SLOT_STATE;
  special.encode = lua_gettop(L);
  special.is_key = lua_toboolean(L, 3);
  special.nothing = &nothing;
  mod_start_call(&call, L, lj->codec.state, &lj->codec.encode, 1);
  call.special = &special;
  return mod_run(&call) && !nothing;
}

/* Calls the output. Pushes what it returned, the state of this call, and luajson_encode_part for it; false: it
** returned nothing, and nor is anything pushed. */
static int luajson_begin_output(lua_State *L, const struct luajson_codec *lj, int base) {
  struct luajson_codec *to;
  lua_pushvalue(L, base + LUAJSON_SLOT_OUTPUT);
  lua_call(L, 0, 1);
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    return 0;
  }
  lua_getfield(L, -1, "composite");
  lua_replace(L, base + LUAJSON_SLOT_COMPOSITE);
  lua_newtable(L);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, "outputEncoder");
  lua_newtable(L);
  lua_setfield(L, -2, "already_encoded");
  lua_pushvalue(L, -1);
  lua_replace(L, base + LUAJSON_SLOT_STATE);
  to = luajson_push_function(L, luajson_encode_part, base);
  luajson_copy(to, lj);
  mod_settle_options(&to->codec.encode);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "encode");
  return 1;
}

/* Encodes argument 1 with what luajson_begin_output pushed. */
static int luajson_write_output(lua_State *L) {
  lua_pushvalue(L, 1);
  lua_pushvalue(L, -3);
  lua_call(L, 2, 1);
  if (lua_isnil(L, -1)) return 0;
  lua_getfield(L, -3, "simple");
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    return 1;
  }
  lua_pushvalue(L, -2);
  lua_call(L, 1, 1);
  if (!lua_toboolean(L, -1)) lua_pop(L, 1);
  return 1;
}

/* Encodes argument 1. `base`: the slot before the kept values, if there is anything special among them. */
static int luajson_encode_value(lua_State *L, const struct luajson_codec *lj, int base) {
  struct mod_call call;
  struct luajson_special special;
  if (FL_UNLIKELY(lj->initial_object) && (!lua_istable(L, 1) || luajson_has_mark(L, 1, LUAJSON_MARK_CALL))) {
    lua_pushliteral(L, "Invalid arguments: expects a JSON Object or Array at the root");
    return lua_error(L);
  }
  mod_start_call(&call, L, lj->codec.state, &lj->codec.encode, 1);
  if (FL_UNLIKELY(lj->special)) {
    if (luajson_kept(L, base + LUAJSON_SLOT_OUTPUT) && luajson_begin_output(L, lj, base))
      return luajson_write_output(L);
    luajson_set_special(L, base, &special);
    call.special = &special;
  }
  return mod_run(&call);
}

/* encode(value [, options]) -> text */
static int luajson_encode(lua_State *L) {
  const struct luajson_codec *lj = luajson_upvalue(L);
  struct luajson_codec own;
  int base;
  lua_settop(L, 2);
  if (FL_LIKELY(!lua_toboolean(L, 2))) return luajson_encode_value(L, lj, 0);
  luajson_copy(&own, lj);
  base = luajson_push_values(L, LUAJSON_SLOT_VALUES);
  luajson_read_encode(L, 2, &own, base);
  mod_settle_options(&own.codec.encode);
  return luajson_encode_value(L, &own, base);
}

/* What getEncoder returns: encoder(value) -> text */
static int luajson_encoder(lua_State *L) {
  const struct luajson_codec *lj = luajson_upvalue(L);
  lua_settop(L, 1);
  return luajson_encode_value(L, lj, FL_UNLIKELY(lj->special) ? luajson_push_values(L, LUAJSON_SLOT_VALUES) : 0);
}

/* getEncoder([options]) -> encoder */
static int luajson_get_encoder(lua_State *L) {
  struct luajson_codec *to, own;
  int base;
  luajson_copy(&own, luajson_upvalue(L));
  lua_settop(L, 1);
  base = luajson_push_values(L, LUAJSON_SLOT_VALUES);
  if (lua_toboolean(L, 1)) luajson_read_encode(L, 1, &own, base);
  to = luajson_push_function(L, luajson_encoder, base);
  luajson_copy(to, &own);
  mod_settle_options(&to->codec.encode);
  return 1;
}

/* ------------------------------------------------------------------------------------- decode */

/* The text of %q for one byte, or none, as Lua 5.2 and later have it. */
static void luajson_push_quoted(lua_State *L, const char *at, const char *end) {
  const unsigned char c = (unsigned char)*at;
  if (at >= end) lua_pushliteral(L, "\"\"");
  else if (c == '\n') lua_pushliteral(L, "\"\\\n\"");
  else if (c == '"' || c == '\\') lua_pushfstring(L, "\"\\%c\"", c);
  else if (c < 32 || c == 127) lua_pushfstring(L, "\"\\%d\"", c);
  else {
    lua_pushliteral(L, "\"");
    lua_pushlstring(L, at, 1);
    lua_pushliteral(L, "\"");
    lua_concat(L, 3);
  }
}

/* Pushes a size as decimals. */
static void luajson_push_size(lua_State *L, size_t n) {
  char digits[NUM_ROOM];
  lua_pushlstring(L, digits, (size_t)(num_write_u64(digits, n) - digits));
}

/* Pushes the message of an error; true: LuaJSON puts a place before it. */
static int luajson_push_message(struct mod_decode *d, const struct luajson_reader *r, const struct json_scan *scan) {
  lua_State *L = d->L;
  const int error = scan->error, top = lua_gettop(L);
  struct luajson_where where;
  if (error == LUAJSON_ERROR_DENIED) {
    lua_pushfstring(L, luajson_message(error), lua_tostring(L, r->denied));
    return 1;
  }
  lua_pushstring(L, luajson_message(error));
  if (error < JSON_CHECK_COUNT || error >= LUAJSON_ERROR_TWICE) return 0;
  luajson_where(d->begin, d->end, scan->at, &where);
  compat_need_stack(L, 16);
  if (error >= LUAJSON_ERROR_UNICODE_ESCAPE) {
    lua_pushliteral(L, " in string [");
    luajson_push_quoted(L, scan->at, d->end);
    lua_pushliteral(L, "] @ ");
    luajson_push_size(L, where.line);
    lua_pushliteral(L, ":");
    luajson_push_size(L, where.column);
  } else {
    lua_pushliteral(L, " @ character: ");
    luajson_push_size(L, where.position);
    lua_pushliteral(L, " ");
    luajson_push_size(L, where.line);
    lua_pushliteral(L, ":");
    luajson_push_size(L, where.column);
    lua_pushliteral(L, " [");
    lua_pushlstring(L, scan->at, scan->at < d->end);
    lua_pushliteral(L, "] line:\n");
    lua_pushlstring(L, where.shown, where.column);
  }
  lua_concat(L, lua_gettop(L) - top);
  return 1;
}

/* Ends a call whose text is wrong. */
FL_NOINLINE int luajson_raise_fault_(struct mod_decode *d, const struct luajson_reader *r,
                                     const struct json_scan *scan) {
  const int placed = luajson_push_message(d, r, scan);
  if (luajson_has(r->rules, LUAJSON_NOTHROW)) return mod_raise(d->L, 1);
  return placed ? mod_raise(d->L, 0) : lua_error(d->L);
}

/* Is a null in the text, as far as letters tell? */
static int luajson_has_null(const char *p, const char *end) {
  while ((p = (const char *)memchr(p, 'n', (size_t)(end - p))) != NULL) {
    if (end - p >= 4 && memcmp(p, "null", 4) == 0) return 1;
    p++;
  }
  return 0;
}

/* Does JSON mean by these rules what the one scanner makes of it? */
static int luajson_is_plain(const struct mod_decode *d, const struct luajson_reader *r) {
  const struct luajson_rules *rules = r->rules;
  const char *escape = "\"\\/bfnrtu";
  int c;
  if (r->set || r->init || rules->functions) return 0;
  if (!luajson_has(rules, LUAJSON_FRAC) || !luajson_has(rules, LUAJSON_EXP)) return 0;
  for (c = 4; c < 32; c++)
    if (rules->bad[c]) return 0;
  for (; *escape; escape++)
    if (rules->check_escapes && !text_in_set(rules->escapes, *escape)) return 0;
  return !lua_isnil(d->L, r->null) || !luajson_has_null(d->begin, d->end);
}

/* Reads by LuaJSON's own rules. */
FL_NOINLINE int luajson_decode_(struct mod_decode *d, struct luajson_reader *r) {
  struct json_to_lua k;
  d->o.force_api = 1;
  if (r->rules->calls) {
    lua_pushliteral(d->L, "buildCall");
    lua_rawget(d->L, lua_upvalueindex(LUAJSON_SLOT_UTIL));
    r->build_call = lua_gettop(d->L);
    lua_pushnil(d->L);
    r->denied = lua_gettop(d->L);
  }
  mod_begin_tables(d, &k);
  if (!luajson_scan_(&k, r, d->begin)) return luajson_raise_fault_(d, r, &k.scan);
  lua_replace(d->L, k.anchors);
  lua_settop(d->L, k.anchors);
  return 1;
}

/* Arrays are marked as util.InitArray says, which a program may replace. The function that it has, or nil, is on
** top. */
static void luajson_set_arrays(struct mod_decode *d, struct luajson_reader *r) {
  lua_State *L = d->L;
  const int init = lua_gettop(L);
  if (lua_tocfunction(L, init) == luajson_init_array) {
    mod_push_mark(L, LUAJSON_MARK_ARRAY);
    d->o.arrays = init + 1;
  } else if (lua_toboolean(L, init)) {
    luaL_checktype(L, init, LUA_TFUNCTION);
    r->init = init;
  }
}

/* Decodes argument 1 by the rules, and the values behind `base`. */
static int luajson_decode_by(lua_State *L, const struct luajson_codec *lj, const struct luajson_rules *rules,
                             int base) {
  struct luajson_reader r;
  struct mod_decode d;
  struct json_scan scan;
  int top;
  if (FL_UNLIKELY(luajson_has(rules, LUAJSON_NOTHROW)) && !lua_isstring(L, 1)) return mod_no_text_(L);
  d.L = L;
  d.state = lj->codec.state;
  d.o = lj->codec.decode;
  memset(&d.base, 0, sizeof d.base);
  mod_set_text(&d, 1);
  memset(&r, 0, sizeof r);
  r.rules = rules;
  r.text = 1;
  r.null = base + LUAJSON_SLOT_NULL;
  r.undefined = base + LUAJSON_SLOT_UNDEFINED;
  r.set = luajson_kept(L, base + LUAJSON_SLOT_SET);
  if (FL_UNLIKELY(rules->functions)) {
    r.unicode = luajson_kept(L, base + LUAJSON_SLOT_UNICODE);
    r.check = luajson_kept(L, base + LUAJSON_SLOT_CHECK);
    r.more = luajson_kept(L, base + LUAJSON_SLOT_MORE);
    r.defs = luajson_kept(L, base + LUAJSON_SLOT_DEFS);
  }
  lua_pushliteral(L, "InitArray");
  lua_rawget(L, lua_upvalueindex(LUAJSON_SLOT_UTIL));
  luajson_set_arrays(&d, &r);
  d.o.null = r.null;
  top = lua_gettop(L);
  if (FL_LIKELY(luajson_is_plain(&d, &r)) && FL_LIKELY(mod_scan_whole(&d, &scan)) &&
      (!luajson_has(rules, LUAJSON_INITIAL_OBJECT) || lua_istable(L, -1)))
    return 1;
  lua_settop(L, top);
  return luajson_decode_(&d, &r);
}

/* What getDecoder returns: decoder(text) -> value */
static int luajson_decoder(lua_State *L) {
  const struct luajson_codec *lj = luajson_upvalue(L);
  lua_settop(L, 1);
  return luajson_decode_by(
      L, lj, &lj->rules,
      luajson_push_values(L, FL_UNLIKELY(lj->rules.functions) ? LUAJSON_SLOT_VALUES : LUAJSON_SLOT_USUAL));
}

/* Reads the mode at an index: options, or true for the strict ones. */
static void luajson_read_mode(lua_State *L, int mode, struct luajson_rules *rules, int base) {
  if (!lua_toboolean(L, mode)) return;
  if (lua_isboolean(L, mode)) {
    lua_getfield(L, lua_upvalueindex(LUAJSON_SLOT_MODES), "strict");
    lua_replace(L, mode);
  }
  luajson_read_decode(L, mode, rules, base);
}

/* decode(text [, mode]) -> value; with the option nothrow nil, message */
static int luajson_decode(lua_State *L) {
  const struct luajson_codec *lj = luajson_upvalue(L);
  struct luajson_rules rules = lj->rules;
  int base;
  lua_settop(L, 2);
  base = luajson_push_values(L, lua_toboolean(L, 2) ? LUAJSON_SLOT_VALUES : LUAJSON_SLOT_USUAL);
  luajson_read_mode(L, 2, &rules, base);
  return luajson_decode_by(L, lj, &rules, base);
}

/* getDecoder([mode]) -> decoder */
static int luajson_get_decoder(lua_State *L) {
  struct luajson_rules rules = luajson_upvalue(L)->rules;
  int base;
  lua_settop(L, 1);
  base = luajson_push_values(L, LUAJSON_SLOT_VALUES);
  luajson_read_mode(L, 1, &rules, base);
  luajson_push_function(L, luajson_decoder, base)->rules = rules;
  return 1;
}

/* ------------------------------------------------------------------------------------- the module */

/* The call of json.encode and json.decode themselves, which are tables. */
static int luajson_call_encode(lua_State *L) {
  luaL_checkany(L, 1);
  lua_remove(L, 1);
  return luajson_encode(L);
}

static int luajson_call_decode(lua_State *L) {
  luaL_checkany(L, 1);
  lua_remove(L, 1);
  return luajson_decode(L);
}

static const struct encode_rules luajson_table_rules = {
    .fields = dropin_unmixed_fields,
    .known = {[ENCODE_TAGGED_ARRAY] = ENCODE_ARRAY, [ENCODE_CALL] = ENCODE_HOOK},
    .keys = ENCODE_KEYS_BOOLEANS,
    .errors = ENCODE_ERRORS_BARE,
    .inherits_fields = 1,
};

static void luajson_defaults(struct luajson_codec *lj) {
  struct mod_options *o = &lj->codec.encode;
  mod_default_options(o, JSON_ESCAPE_SLASH);
  o->style.max_depth = MOD_DEPTH_LIMIT;
  o->style.invalid_numbers = JSON_NUMBERS_LITERAL;
  o->style.precision = LUA_VERSION_NUM >= 505 ? JSON_PRECISION_15_17 : 14;
  o->style.float_integers = LUA_VERSION_NUM >= 503;
  o->style.number_keys = JSON_KEYS_AS_TOSTRING;
  o->style.empty_object = 1;
  o->policy.rules = &luajson_table_rules;
  o->policy.ops = &luajson_ops;
  o->policy.shape = dropin_unmixed_shape_of(lj->codec.state->verdict.facts, 0);
  o->policy.writes_undefined = 1;
  o->raise = luajson_raise_;
  mod_settle_options(o);
  mod_default_decode_options(&lj->codec.decode);
  lj->codec.decode.bad_text = JSON_BAD_PASS;
  lj->codec.decode.big = JSON_TO_LUA_BIG_ANY;
  lj->codec.decode.max_depth = MOD_DEPTH_LIMIT;
#define X(id, group, name, normal, strict) | (uint32_t)normal << LUAJSON_##id
  lj->rules.flags = 0 LUAJSON_FLAGS(X);
#undef X
  lj->rules.check_escapes = 1;
  luajson_fill_set(lj->rules.escapes, luajson_escapes, sizeof luajson_escapes - 1);
}

/* Makes the table on top callable. */
static void luajson_make_callable(lua_State *L, int base, lua_CFunction f) {
  const luaL_Reg call[] = {{"__call", f}, {NULL, NULL}};
  mod_push_library(L, base, call);
  lua_setmetatable(L, -2);
}

/* Pushes json.encode and json.decode, of the upvalues from `base` on. */
static void luajson_push_encode(lua_State *L, int base) {
  static const luaL_Reg functions[] = {{"encode", luajson_encode}, {"getEncoder", luajson_get_encoder}, {NULL, NULL}};
  mod_push_library(L, base, functions);
  luajson_push_style(L, 0, base + LUAJSON_SLOT_UTIL - 1);
  lua_setfield(L, -2, "default");
  luajson_push_style(L, 1, base + LUAJSON_SLOT_UTIL - 1);
  lua_setfield(L, -2, "strict");
  luajson_make_callable(L, base, luajson_call_encode);
}

static void luajson_push_decode(lua_State *L, int base) {
  static const luaL_Reg functions[] = {{"decode", luajson_decode}, {"getDecoder", luajson_get_decoder}, {NULL, NULL}};
  mod_push_library(L, base, functions);
  lua_getfield(L, base + LUAJSON_SLOT_MODES - 1, "strict");
  lua_setfield(L, -2, "strict");
  luajson_push_mode(L, 0, base + LUAJSON_SLOT_UTIL - 1);
  lua_setfield(L, -2, "simple");
  lua_createtable(L, 0, 1);
  lua_getglobal(L, "tonumber");
  lua_pushcclosure(L, luajson_set_number, 1);
  lua_setfield(L, -2, "setObjectKeyForceNumber");
  lua_setfield(L, -2, "util");
  luajson_make_callable(L, base, luajson_call_decode);
}

/* Pushes string.gsub, or nil where a host has none: of require "string", as LuaJSON. */
static void luajson_push_gsub(lua_State *L) {
  lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
  lua_getfield(L, -1, "string");
  if (lua_istable(L, -1)) lua_getfield(L, -1, "gsub");
  else lua_pushnil(L);
  lua_replace(L, -3);
  lua_pop(L, 1);
}

/* Puts what the functions keep into the upvalues from `base` on. json.util is on top, and is popped. */
static void luajson_fill_upvalues(lua_State *L, int base, struct luajson_codec *lj) {
  const int util = base + LUAJSON_SLOT_UTIL - 1;
  lua_replace(L, util);
  lua_newtable(L);
  luajson_push_mode(L, 1, util);
  lua_setfield(L, -2, "strict");
  lua_getfield(L, util, "IsArray");
  lua_setfield(L, -2, "isArray");
  lua_replace(L, base + LUAJSON_SLOT_MODES - 1);
  lua_createtable(L, LUAJSON_SLOT_VALUES, 0);
  lua_getfield(L, util, "null");
  lj->codec.encode.policy.null = lua_topointer(L, -1);
  lua_rawseti(L, -2, LUAJSON_SLOT_NULL);
  lua_getfield(L, util, "undefined");
  lj->codec.encode.policy.undefined = lua_topointer(L, -1);
  lua_rawseti(L, -2, LUAJSON_SLOT_UNDEFINED);
  lua_getglobal(L, "rawset");
  lua_rawseti(L, -2, LUAJSON_SLOT_RAWSET);
  luajson_push_gsub(L);
  lua_rawseti(L, -2, LUAJSON_SLOT_GSUB);
  lua_getglobal(L, "tostring");
  lua_rawseti(L, -2, LUAJSON_SLOT_SHOW);
  lua_replace(L, base + MOD_VALUES - 1);
}

FL_PRIVATE int luajson_open(lua_State *L) {
  struct luajson_codec *lj = (struct luajson_codec *)mod_push_upvalues(L, sizeof *lj);
  const int base = lua_gettop(L) - MOD_UPVALUES + 1;
  luajson_defaults(lj);
  lj->codec.encode.pairs_honours_meta = mod_pairs_honours_meta(L) != 0;
  luajson_push_util(L, lj->codec.state);
  luajson_fill_upvalues(L, base, lj);
  lua_createtable(L, 0, 6);
  luajson_push_encode(L, base);
  lua_setfield(L, -2, "encode");
  luajson_push_decode(L, base);
  lua_setfield(L, -2, "decode");
  lua_pushvalue(L, base + LUAJSON_SLOT_UTIL - 1);
  lua_setfield(L, -2, "util");
  mod_set_string(L, "_VERSION", "1.3.4");
  mod_set_string(L, "_DESCRIPTION", "LuaJSON : customizable JSON decoder/encoder");
  return 1;
}
