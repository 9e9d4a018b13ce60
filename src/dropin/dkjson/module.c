/* SPDX-License-Identifier: MIT
** module.c -- require "fleece.dkjson": the functions of dkjson 2.8, presets of encode and decode.
** Must hold: the options are those of the two codecs here, which do not change: `encode` writes no white space,
** `json` indents. JSON is read by the one scanner; only what it refuses is read again by loose rules. */
#include "../../module/library.h"
#include "../list.h"
#include "dkjson.h"

/* Upvalues with other uses in other modules: "__jsontype" and its two values, which each call of decode needs. */
enum { DKJSON_UPVALUE_TYPE = MOD_ORDER, DKJSON_UPVALUE_OBJECT = MOD_ON_ERROR, DKJSON_UPVALUE_ARRAY = MOD_VALUES };

/* Pushes state[name] and returns its stack index. If it is false or nil, pushes nothing and returns 0. */
static int dkjson_push_state_field(lua_State *L, int state, const char *name) {
  lua_getfield(L, state, name);
  if (lua_toboolean(L, -1)) return lua_gettop(L);
  lua_pop(L, 1);
  return 0;
}

static int dkjson_push_state_table(lua_State *L, int state, const char *name) {
  int at = dkjson_push_state_field(L, state, name);
  if (at && !lua_istable(L, at)) luaL_argerror(L, state, lua_pushfstring(L, "field '%s' must be a table", name));
  return at;
}

static size_t dkjson_read_count(lua_State *L, int state, const char *name) {
  lua_Number n = 0;
  int at = dkjson_push_state_field(L, state, name);
  if (!at) return 0;
  n = lua_tonumber(L, at);
  if (!lua_isnumber(L, at) || !(n >= 0 && n < INT32_MAX))
    luaL_argerror(L, state, lua_pushfstring(L, "field '%s' must be a number from 0 on", name));
  lua_pop(L, 1);
  return (size_t)n;
}

/* Reads the state at index 2 into the call. */
FL_NOINLINE void dkjson_read_state_(struct mod_call *call, const struct mod_codec *codec) {
  lua_State *L = call->L;
  struct dkjson_call *dk = (struct dkjson_call *)call->special;
  luaL_checktype(L, 2, LUA_TTABLE);
  compat_need_stack(L, 16);
  dk->state = 2;
  if (dkjson_push_state_field(L, 2, "indent")) call->options = &codec->json;
  const size_t level = dkjson_read_count(L, 2, "level");
  dk->order = dkjson_push_state_table(L, 2, "keyorder");
  dk->tables = dkjson_push_state_table(L, 2, "tables");
  dk->has_handler = dkjson_push_state_field(L, 2, "exception");
  dk->buffer = dk->buffer_given = dkjson_push_state_table(L, 2, "buffer");
  if (dk->buffer) dk->pieces = dkjson_read_count(L, 2, "bufferlen");
  if (!dk->order && !dk->tables && !(level && call->options == &codec->json)) return;
  call->own = *call->options;
  call->own.style.first_level = level;
  mod_settle_options(&call->own);
  call->own.force_api = 1;
  call->options = &call->own;
}

/* Sets a field of the state, bypassing its metatable. The value is on top. */
static void dkjson_set_field(lua_State *L, int state, const char *name) {
  lua_pushstring(L, name);
  lua_insert(L, -2);
  lua_rawset(L, state);
}

/* Pushes what the walk needs on the stack. */
FL_NOINLINE void dkjson_begin_(struct mod_call *call) {
  lua_State *L = call->L;
  struct dkjson_call *dk = (struct dkjson_call *)call->special;
  if (!dk->state) {
    lua_newtable(L);
    dk->state = lua_gettop(L);
  }
  if (!dk->buffer) {
    lua_newtable(L);
    dk->buffer = lua_gettop(L);
    lua_pushvalue(L, -1);
    dkjson_set_field(L, dk->state, "buffer");
  }
  if (dk->has_handler && !dk->tables) {
    lua_newtable(L);
    dk->tables = lua_gettop(L);
  }
  lua_pushnil(L);
  dk->message = lua_gettop(L);
}

/* Restores the state as dkjson does: without a buffer, unless it is the owner's. */
static void dkjson_end(lua_State *L, const struct dkjson_call *dk) {
  if (!dk->state || dk->buffer_given) return;
  lua_pushnil(L);
  dkjson_set_field(L, dk->state, "buffer");
  lua_pushnil(L);
  dkjson_set_field(L, dk->state, "bufferlen");
}

FL_NOINLINE int dkjson_raise_(struct mod_call *call, const struct api_walk *a, enum fl_error error) {
  lua_State *L = call->L;
  const struct dkjson_call *dk = (const struct dkjson_call *)call->special;
  dkjson_end(L, dk);
  if (a->thrown) return lua_error(L);
  switch (error) {
  case FL_ERROR_KEY: lua_pushfstring(L, "type '%s' is not supported as a key by JSON.", a->detail); break;
  case FL_ERROR_HOOK: lua_pushvalue(L, dk->message); break;
  default: dropin_push_error(L, error);
  }
  return mod_raise(L, 0);
}

/* buffer[i] = the text on top, with metamethods, like a program. */
static void dkjson_set_piece(lua_State *L, int buffer, lua_Integer i) {
  lua_pushinteger(L, i);
  lua_insert(L, -2);
  lua_settable(L, buffer);
}

/* Ends a text that was moved to a buffer, or whose buffer is the caller's. The rest of the text is on top. */
FL_NOINLINE int dkjson_join_(struct mod_call *call) {
  lua_State *L = call->L;
  struct dkjson_call *dk = (struct dkjson_call *)call->special;
  luaL_Buffer joined;
  int rest = lua_gettop(L), i;
  if (dk->buffer_given) {
    if (lua_rawlen(L, rest) > 0) dkjson_set_piece(L, dk->buffer, (lua_Integer)++dk->pieces);
    lua_pushinteger(L, (lua_Integer)dk->pieces);
    dkjson_set_field(L, dk->state, "bufferlen");
    lua_pushboolean(L, 1);
    return 1;
  }
  dkjson_end(L, dk);
  for (i = 1; i <= (int)dk->pieces; i++) {
    lua_rawgeti(L, dk->buffer, i);
    if (!lua_isstring(L, -1)) return luaL_error(L, "state.buffer has a %s among its strings", luaL_typename(L, -1));
    lua_pop(L, 1);
  }
  luaL_buffinit(L, &joined);
  for (i = 1; i <= (int)dk->pieces; i++) {
    lua_rawgeti(L, dk->buffer, i);
    luaL_addvalue(&joined);
  }
  lua_pushvalue(L, rest);
  luaL_addvalue(&joined);
  luaL_pushresult(&joined);
  return 1;
}

/* encode(value [, state]) -> text, or true if the state has a buffer */
static int dkjson_encode_call(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct mod_call call;
  struct dkjson_call dk;
  lua_settop(L, 2);
  mod_start_call(&call, L, codec->state, &codec->encode, 1);
  call.special = &dk;
  memset(&dk, 0, sizeof dk);
  if (lua_toboolean(L, 2)) dkjson_read_state_(&call, codec);
  mod_run(&call);
  if (FL_UNLIKELY(dk.pieces || dk.buffer_given)) return dkjson_join_(&call);
  if (FL_UNLIKELY(dk.state)) dkjson_end(L, &dk);
  return 1;
}

/* quotestring(s) -> s in quotes, escaped */
static int dkjson_quotestring(lua_State *L) {
  luaL_checkstring(L, 1);
  lua_settop(L, 1);
  return dkjson_encode_call(L);
}

/* addnewline(state): lets a __tojson break lines like encode */
static int dkjson_addnewline(lua_State *L) {
  luaL_Buffer blanks;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  if (!dkjson_push_state_field(L, 1, "indent")) return 0;
  const size_t n = dkjson_read_count(L, 1, "level");
  if (!dkjson_push_state_table(L, 1, "buffer")) luaL_argerror(L, 1, "field 'buffer' must be a table");
  const int length = dkjson_push_state_field(L, 1, "bufferlen") ? (int)dkjson_read_count(L, 1, "bufferlen")
                                                                : (int)lua_rawlen(L, 3);
  lua_settop(L, 3);
  lua_pushliteral(L, "\n");
  dkjson_set_piece(L, 3, length + 1);
  luaL_buffinit(L, &blanks);
  for (size_t i = 0; i < n; i++) luaL_addlstring(&blanks, "  ", 2);
  luaL_pushresult(&blanks);
  dkjson_set_piece(L, 3, length + 2);
  lua_pushinteger(L, length + 2);
  lua_setfield(L, 1, "bufferlen");
  return 0;
}

/* encodeexception(reason, value, state, message) -> the message as a JSON string: a handler of exceptions */
static int dkjson_encodeexception(lua_State *L) {
  luaL_checkstring(L, 4);
  lua_pushliteral(L, "<");
  lua_pushvalue(L, 4);
  lua_pushliteral(L, ">");
  lua_concat(L, 3);
  lua_replace(L, 1);
  lua_settop(L, 1);
  return dkjson_encode_call(L);
}

/* Returns nil, position, message. */
FL_NOINLINE int dkjson_return_fault_(struct mod_decode *d, const struct json_scan *scan) {
  static const char *const formats[] = {"no valid JSON value at %s", "no valid JSON value (reached the end)",
                                        "unterminated string at %s", "unterminated array at %s",
                                        "unterminated object at %s", "cannot use nil as table index (at %s)"};
  lua_State *L = d->L;
  const int inside = scan->error == DKJSON_VALUE || scan->error == DKJSON_NIL;
  if (scan->error < DKJSON_VALUE) return luaL_error(L, "%s", json_check_message(scan->error));
  lua_pushnil(L);
  lua_pushinteger(L, (lua_Integer)((inside ? scan->at : d->end) - d->begin) + 1);
  dropin_push_place(d, scan->at, "line %s, column %s");
  lua_pushfstring(L, formats[scan->error - DKJSON_VALUE], lua_tostring(L, -1));
  lua_remove(L, -2);
  return 3;
}

/* Reads what is not JSON, or for a metatable whose functions must see each table once. `assigned`: one of the
** metatables has a __newindex. */
FL_NOINLINE int dkjson_decode_loose_(struct mod_decode *d, const char *p, int assigned) {
  lua_State *L = d->L;
  struct json_to_lua k;
  d->o.force_api = 1;
  mod_begin_tables(d, &k);
  p = dkjson_scan_(&k, p, assigned);
  if (!p) return dkjson_return_fault_(d, &k.scan);
  lua_replace(L, k.anchors);
  lua_settop(L, k.anchors);
  lua_pushinteger(L, (lua_Integer)(p - d->begin) + 1);
  return 2;
}

/* Returns where string.find would begin. */
static const char *dkjson_start_of(const struct mod_decode *d, lua_Integer position) {
  const lua_Integer length = (lua_Integer)(d->end - d->begin);
  if (position < 0) position = length + position + 1;
  return position <= 1 ? d->begin : position > length ? d->end : d->begin + position - 1;
}

/* Returns `index` if a metatable is there, else 0 (nil). Sets *once if its functions could notice that a text is read
** twice. */
static int dkjson_metatable(struct mod_decode *d, int index, int *once, int *assigned) {
  if (lua_isnoneornil(d->L, index)) return 0;
  luaL_checktype(d->L, index, LUA_TTABLE);
  if (api_meta_field(d->L, index, "__newindex")) {
    *assigned = *once = 1;
    lua_pop(d->L, 1);
  }
  if (api_meta_field(d->L, index, "__gc")) {
    *once = 1;
    lua_pop(d->L, 1);
  }
  return index;
}

FL_INLINE int dkjson_push_metatable(lua_State *L, int type) {
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, lua_upvalueindex(DKJSON_UPVALUE_TYPE));
  lua_pushvalue(L, lua_upvalueindex(type));
  lua_rawset(L, -3);
  return lua_gettop(L);
}

/* Returns whether a number or word ends here, or the value is a container or string: dkjson numbers and words have more
** characters than JSON's. */
FL_INLINE int dkjson_ends(const char *value, char next) {
  return *value == '{' || *value == '[' || *value == '"' ||
         !(json_is_letter(next) || json_is_digit(next) || next == '.' || next == '+' || next == '-');
}

/* decode(text [, position [, null [, objectmeta [, arraymeta]]]]) -> value, the position after it; or nil, where,
** why */
static int dkjson_decode(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  const int given = lua_gettop(L) > 3;
  struct mod_decode d;
  struct json_scan scan;
  const char *begin, *first, *p = NULL;
  int top, once = 0, assigned = 0;
  d.L = L;
  d.state = codec->state;
  d.o = codec->decode;
  memset(&d.base, 0, sizeof d.base);
  mod_set_text(&d, 1);
  begin = dkjson_start_of(&d, luaL_optinteger(L, 2, 1));
  lua_settop(L, 5);
  if (lua_isnil(L, 3)) d.o.drop_null = 1;
  else d.o.null = 3;
  if (FL_UNLIKELY(given)) {
    d.o.objects = dkjson_metatable(&d, 4, &once, &assigned);
    d.o.arrays = dkjson_metatable(&d, 5, &once, &assigned);
  } else {
    d.o.objects = dkjson_push_metatable(L, DKJSON_UPVALUE_OBJECT);
    d.o.arrays = dkjson_push_metatable(L, DKJSON_UPVALUE_ARRAY);
  }
  top = lua_gettop(L);
  if (FL_UNLIKELY(once)) return dkjson_decode_loose_(&d, begin, assigned);
  mod_begin_scan(&d, &scan);
  first = json_read_space(&scan, begin);
  if (FL_LIKELY(first != d.end)) p = mod_decode_value(&d, first, &scan);
  if (FL_UNLIKELY(!p || !dkjson_ends(first, *p))) {
    lua_settop(L, top);
    return dkjson_decode_loose_(&d, begin, assigned);
  }
  lua_pushinteger(L, (lua_Integer)(p - d.begin) + 1);
  return 2;
}

static int dkjson_null_text(lua_State *L) {
  lua_pushliteral(L, "null");
  return 1;
}

/* Pushes the null: an empty table whose metatable encoding knows. */
static void dkjson_push_null(lua_State *L, struct mod_state *m) {
  lua_newtable(L);
  if (mod_make_mark(L, m, DKJSON_MARK_NULL, ENCODE_NULL)) {
    lua_pushcfunction(L, dkjson_null_text);
    lua_setfield(L, -2, "__tojson");
  }
  lua_setmetatable(L, -2);
}

static const struct encode_field_rule dkjson_fields[] = {
    ENCODE_FIELD("__tojson", NULL, ENCODE_HOOK),
    ENCODE_FIELD("__pairs", NULL, ENCODE_HOOK),
    ENCODE_FIELD("__jsonorder", NULL, ENCODE_HOOK),
    ENCODE_FIELD("__jsontype", "object", ENCODE_EMPTY_OBJECT),
    ENCODE_NO_MORE_FIELDS,
};

static const struct encode_rules dkjson_table_rules = {
    .fields = dkjson_fields,
    .known = {[ENCODE_OBJECT] = ENCODE_EMPTY_OBJECT, [ENCODE_NULL] = ENCODE_NULL},
    .errors = ENCODE_ERRORS_BARE,
    .inherits_fields = 1,
};

/* Sets the options of encode; `json` of the codec gets the same with indentation. */
static void dkjson_defaults(struct mod_codec *codec) {
  struct json_style *s = &codec->encode.style;
  mod_default_options(&codec->encode, JSON_ESCAPE_UNSEEN);
  s->max_depth = MOD_DEPTH_LIMIT;
  s->invalid_numbers = JSON_NUMBERS_NULL;
  s->precision = LUA_VERSION_NUM >= 505 ? JSON_PRECISION_15_17 : 14;
  s->float_integers = LUA_VERSION_NUM >= 503;
  s->number_keys = JSON_KEYS_AS_TOSTRING;
  s->items_on_one_line = s->no_space = s->break_empty_objects = 1;
  codec->encode.policy.rules = &dkjson_table_rules;
  codec->encode.policy.ops = &dkjson_ops;
  codec->encode.policy.shape = dkjson_shape_of(codec->state->verdict.facts);
  codec->encode.begin = dkjson_begin_;
  codec->encode.raise = dkjson_raise_;
  codec->json = codec->encode;
  memcpy(codec->json.indent, "  ", 2);
  codec->json.style.indent_length = 2;
  mod_settle_options(&codec->encode);
  mod_settle_options(&codec->json);
  mod_default_decode_options(&codec->decode);
  codec->decode.bad_text = JSON_BAD_PASS;
  codec->decode.big = JSON_TO_LUA_BIG_ANY;
  codec->decode.max_depth = MOD_DEPTH_LIMIT;
}

/* use_lpeg() -> the same functions, with using_lpeg = true */
static int dkjson_use_lpeg(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  return 1;
}

static const luaL_Reg dkjson_functions[] = {
    {"encode", dkjson_encode_call},      {"decode", dkjson_decode},
    {"quotestring", dkjson_quotestring}, {"encodeexception", dkjson_encodeexception},
    {"addnewline", dkjson_addnewline},   {NULL, NULL},
};

/* Pushes a module's table. The upvalues of its functions are on the stack from `base` on, followed by the null. */
static void dkjson_push_module(lua_State *L, int base) {
  mod_push_library(L, base, dkjson_functions);
  lua_pushvalue(L, base + MOD_UPVALUES);
  lua_setfield(L, -2, "null");
  mod_set_string(L, "version", "dkjson 2.8");
}

FL_PRIVATE int dkjson_open(lua_State *L) {
  struct mod_codec *codec = mod_push_upvalues(L, sizeof *codec);
  int base = lua_gettop(L) - MOD_UPVALUES + 1, lpeg;
  dkjson_defaults(codec);
  codec->encode.pairs_honours_meta = codec->json.pairs_honours_meta = (unsigned)mod_pairs_honours_meta(L) & 1u;
  lua_pushliteral(L, "__jsontype");
  lua_replace(L, base + DKJSON_UPVALUE_TYPE - 1);
  lua_pushliteral(L, "object");
  lua_replace(L, base + DKJSON_UPVALUE_OBJECT - 1);
  lua_pushliteral(L, "array");
  lua_replace(L, base + DKJSON_UPVALUE_ARRAY - 1);
  dkjson_push_null(L, codec->state);
  dkjson_push_module(L, base);
  lpeg = lua_gettop(L);
  lua_pushboolean(L, 1);
  lua_setfield(L, lpeg, "using_lpeg");
  dkjson_push_module(L, base);
  lua_pushvalue(L, lpeg);
  lua_pushcclosure(L, dkjson_use_lpeg, 1);
  lua_pushvalue(L, -1);
  lua_setfield(L, lpeg, "use_lpeg");
  lua_setfield(L, lpeg + 1, "use_lpeg");
  return 1;
}
