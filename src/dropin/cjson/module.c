/* SPDX-License-Identifier: MIT
** module.c -- require "fleece.cjson": the functions and settings of OpenResty's lua-cjson, presets of encode and
** decode.
** Must hold: settings belong to one instance; marks and sentinel to the Lua state, shared by all copies of this
** library in it. Argument errors have lua-cjson's words, and the settings made before an error stay, as there. */
#include "../../module/library.h"
#include "../list.h"
#include "../shared/lua.h"
#include "text.h"

/* name, default */
#define CJSON_SWITCHES(X)                   \
  X(encode_keep_buffer, 1)                  \
  X(encode_empty_table_as_object, 1)        \
  X(encode_escape_forward_slash, 1)         \
  X(encode_skip_unsupported_value_types, 0) \
  X(encode_sort_keys, 0)                    \
  X(decode_invalid_numbers, 1)              \
  X(decode_array_with_array_mt, 0)          \
  X(decode_allow_comment, 0)

/* name, default, least, most */
#define CJSON_NUMBERS(X)                  \
  X(encode_max_depth, 1000, 1, INT32_MAX) \
  X(decode_max_depth, 1000, 1, INT32_MAX) \
  X(encode_number_precision, 14, 1, 16)

enum {
#define X(name, ...) CJSON_##name,
  CJSON_SWITCHES(X) CJSON_NUMBERS(X)
#undef X
      CJSON_encode_invalid_numbers, /* 0 "off", 1 "on", 2 "null" */
  CJSON_sparse_convert,
  CJSON_sparse_ratio,
  CJSON_sparse_safe,
  CJSON_SETTINGS
};

struct cjson_instance {
  struct mod_codec codec; /* first: encode and decode know only this */
  int32_t setting[CJSON_SETTINGS];
};

/* Ends a call that failed with lua-cjson's message. On top is the error object or our message. */
FL_NOINLINE int cjson_raise_(struct mod_call *call, const struct api_walk *a, enum fl_error error) {
  lua_State *L = call->L;
  switch (error) {
  case FL_ERROR_TYPE:
    if (call->options->style.skip_unsupported) { /* elements and members were left out, so this is the whole value */
      lua_pushliteral(L, "");
      return 1;
    }
    lua_pushfstring(L, "Cannot serialise %s: type not supported", a->detail);
    break;
  case FL_ERROR_KEY: lua_pushfstring(L, "Cannot serialise %s: table key must be a number or string", a->detail); break;
  case FL_ERROR_NAN:
  case FL_ERROR_INFINITE: lua_pushliteral(L, "Cannot serialise number: must not be NaN or Infinity"); break;
  case FL_ERROR_HOLES:
  case FL_ERROR_SPARSE: lua_pushliteral(L, "Cannot serialise table: excessively sparse array"); break;
  case FL_ERROR_DEPTH:
  case FL_ERROR_CYCLE: {
    char digits[NUM_ROOM], *end = num_write_u64(digits, (uint64_t)call->options->style.max_depth + 1);
    *end = 0;
    lua_pushfstring(L, "Cannot serialise, excessive nesting (%s)", digits);
    break;
  }
  default: break;
  }
  if (a->thrown && !call->options->safe) return lua_error(L);
  return mod_raise(L, call->options->safe);
}

static const struct encode_field_rule cjson_fields[] = {
    ENCODE_FIELD("__len", NULL, ENCODE_HOOK),
    ENCODE_NO_MORE_FIELDS,
};

static const struct encode_rules cjson_table_rules = {
    .fields = cjson_fields,
    .known = {ENCODE_KNOWN_TYPES(ENCODE_LENGTH_ARRAY)},
    .hooks = ENCODE_HOOKS_LENGTH,
    .errors = ENCODE_ERRORS_RETHROWN,
    .finds_new_metatables = 1,
    .index_fills_holes = 1,
    .empty_array_is_any = 1,
    .any_length = 1,
};

/* Sets the options that the settings mean. */
static void cjson_settle(struct cjson_instance *c) {
  static const unsigned char invalid[] = {JSON_NUMBERS_ERROR, JSON_NUMBERS_LITERAL, JSON_NUMBERS_NULL};
  const int32_t *set = c->setting;
  struct json_style *s = &c->codec.encode.style;
  struct json_to_lua_options *o = &c->codec.decode;
  s->escape = set[CJSON_encode_escape_forward_slash] ? JSON_ESCAPE_E4 : JSON_ESCAPE_DEL;
  s->empty_object = set[CJSON_encode_empty_table_as_object] != 0;
  s->skip_unsupported = set[CJSON_encode_skip_unsupported_value_types] != 0;
  s->sort_keys = set[CJSON_encode_sort_keys] != 0;
  s->invalid_numbers = (enum json_invalid_numbers)invalid[set[CJSON_encode_invalid_numbers]];
  s->max_depth = (uint32_t)set[CJSON_encode_max_depth];
  s->precision = set[CJSON_encode_number_precision];
  s->sparse = set[CJSON_sparse_convert] ? JSON_SPARSE_NULL : JSON_SPARSE_NULL_OR_ERROR;
  s->sparse_ratio = set[CJSON_sparse_ratio];
  s->sparse_free = set[CJSON_sparse_ratio] ? set[CJSON_sparse_safe] : INT32_MAX;
  s->sparse_most = INT32_MAX;
  s->number_keys = JSON_KEYS_AS_VALUES;
  s->skip_values_only = 1;
  c->codec.encode.policy.rules = &cjson_table_rules;
  c->codec.encode.raise = cjson_raise_;
  o->grammar = CJSON_GRAMMAR | (set[CJSON_decode_invalid_numbers] ? DROPIN_STRTOD_NUMBERS : 0) |
               (set[CJSON_decode_allow_comment] ? JSON_COMMENTS : 0);
  o->rules = &cjson_rules;
  o->bad_text = JSON_BAD_BYTES;
  o->big = JSON_TO_LUA_BIG_ANY;
  o->max_depth = (uint32_t)set[CJSON_decode_max_depth];
  o->arrays = set[CJSON_decode_array_with_array_mt];
  mod_settle_options(&c->codec.encode);
}

/* Begins a setting's function, which has at most `most` arguments; missing ones become nil. */
static struct cjson_instance *cjson_begin_setting(lua_State *L, int most) {
  if (lua_gettop(L) > most) luaL_argerror(L, most + 1, "found too many arguments");
  lua_settop(L, most);
  return (struct cjson_instance *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
}

/* Sets the switch to the index of the word at `arg`, if given. Pushes its current value. */
static void cjson_set_switch(lua_State *L, struct cjson_instance *c, int arg, int setting, const char *const words[]) {
  int32_t *to = &c->setting[setting];
  if (lua_isboolean(L, arg)) *to = lua_toboolean(L, arg);
  else if (!lua_isnil(L, arg)) *to = luaL_checkoption(L, arg, NULL, words);
  cjson_settle(c);
  if (*to <= 1) lua_pushboolean(L, *to);
  else lua_pushstring(L, words[*to]);
}

static void cjson_set_number(lua_State *L, struct cjson_instance *c, int arg, int setting, int32_t least,
                             int32_t most) {
  if (!lua_isnil(L, arg)) {
    lua_Integer n = luaL_checkinteger(L, arg);
    if (n < least || n > most) /* argument 1 is blamed for all */
      luaL_argerror(L, 1, lua_pushfstring(L, "expected integer between %d and %d", (int)least, (int)most));
    c->setting[setting] = (int32_t)n;
    cjson_settle(c);
  }
  lua_pushinteger(L, c->setting[setting]);
}

static const char *const cjson_words[] = {"off", "on", NULL};

#define X(name, initial)                                  \
  FL_FUNC int cjson_##name(lua_State *L) {                \
    struct cjson_instance *c = cjson_begin_setting(L, 1); \
    cjson_set_switch(L, c, 1, CJSON_##name, cjson_words); \
    return 1;                                             \
  }
CJSON_SWITCHES(X)
#undef X
#define X(name, initial, least, most)                     \
  FL_FUNC int cjson_##name(lua_State *L) {                \
    struct cjson_instance *c = cjson_begin_setting(L, 1); \
    cjson_set_number(L, c, 1, CJSON_##name, least, most); \
    return 1;                                             \
  }
CJSON_NUMBERS(X)
#undef X

static int cjson_encode_invalid_numbers(lua_State *L) {
  static const char *const words[] = {"off", "on", "null", NULL};
  struct cjson_instance *c = cjson_begin_setting(L, 1);
  cjson_set_switch(L, c, 1, CJSON_encode_invalid_numbers, words);
  return 1;
}

static int cjson_encode_sparse_array(lua_State *L) {
  struct cjson_instance *c = cjson_begin_setting(L, 3);
  cjson_set_switch(L, c, 1, CJSON_sparse_convert, cjson_words);
  cjson_set_number(L, c, 2, CJSON_sparse_ratio, 0, INT32_MAX);
  cjson_set_number(L, c, 3, CJSON_sparse_safe, 0, INT32_MAX);
  return 3;
}

static int cjson_encode_indent(lua_State *L) {
  struct cjson_instance *c = cjson_begin_setting(L, 1);
  struct mod_options *o = &c->codec.encode;
  if (!lua_isnil(L, 1)) {
    const char *s = luaL_checkstring(L, 1);
    size_t n = strlen(s);
    if (n >= JSON_INDENT_LIMIT)
      luaL_argerror(L, 1, lua_pushfstring(L, "expected at most %d bytes", JSON_INDENT_LIMIT - 1));
    memcpy(o->indent, s, n);
    o->style.indent_length = n;
    cjson_settle(c);
  }
  lua_pushlstring(L, o->indent, o->style.indent_length);
  return 1;
}

FL_INLINE void cjson_check_one(lua_State *L) {
  if (FL_UNLIKELY(lua_gettop(L) != 1)) luaL_argerror(L, 1, "expected 1 argument");
}

static int cjson_encode(lua_State *L) {
  struct mod_call call;
  cjson_check_one(L);
  mod_begin(&call, L, 1, 2);
  return mod_run(&call);
}

/* Ends a call whose text is invalid; Lua may add the caller's position. */
FL_NOINLINE int cjson_raise_fault_(struct mod_decode *d) {
  lua_State *L = d->L;
  char digits[NUM_ROOM], depth[NUM_ROOM];
  struct dropin_fault fault;
  if (!dropin_find_fault(d, &cjson_fault_rules, &fault)) {
    FL_ASSERT(0);
    lua_pushliteral(L, "invalid JSON");
    return mod_raise(L, d->o.safe);
  }
  const char *found = fault.cause == DROPIN_FAULT_COMMENT ? cjson_fault_rules.texts[fault.cause]
                      : fault.cause == DROPIN_FAULT_DEPTH ? NULL
                                                          : cjson_fault_token(&fault, fault.token);
  *num_write_u64(digits, (uint64_t)(fault.at - d->begin) + 1) = 0;
  *num_write_u64(depth, (uint64_t)d->o.max_depth + 1) = 0;
  if (found)
    lua_pushfstring(L, "Expected %s but found %s at character %s", cjson_fault_rules.texts[fault.due], found, digits);
  else lua_pushfstring(L, "Found too many nested data structures (%s) at character %s", depth, digits);
  return mod_raise(L, d->o.safe);
}

/* Decodes again a text that is invalid, or has a zero byte, where the text ends for lua-cjson. */
FL_NOINLINE int cjson_decode_again_(struct mod_decode *d, struct json_scan *scan, int top) {
  const size_t length = strlen(d->begin);
  if (length < (size_t)(d->end - d->begin)) {
    lua_settop(d->L, top);
    d->end = d->begin + length;
    if (mod_scan_whole(d, scan)) return 1;
  }
  if (scan->error != JSON_CHECK_MEMORY) return cjson_raise_fault_(d);
  lua_pushstring(d->L, json_check_message(scan->error));
  return mod_raise(d->L, d->o.safe);
}

static int cjson_decode(lua_State *L) {
  struct mod_decode d;
  struct json_scan scan;
  cjson_check_one(L);
  mod_begin_decode(&d, L, 2, MOD_OF_PREFIX);
  if (FL_UNLIKELY(d.o.safe) && !lua_isstring(L, 1)) return mod_no_text_(L); /* a data error for cjson.safe */
  mod_set_text(&d, 1);
  if (d.end - d.begin >= 2 && FL_UNLIKELY(!d.begin[0] || !d.begin[1])) {
    lua_pushliteral(L, "JSON parser does not support UTF-16 or UTF-32");
    return mod_raise(L, d.o.safe);
  }
  if (FL_UNLIKELY(d.o.grammar & JSON_COMMENTS)) d.end = d.begin + strlen(d.begin); /* a comment could hide the end */
  const int top = lua_gettop(L);
  return FL_LIKELY(mod_scan_whole(&d, &scan)) ? 1 : cjson_decode_again_(&d, &scan, top);
}

static int cjson_new(lua_State *L);

static const luaL_Reg cjson_functions[] = {
    {"encode", cjson_encode},
    {"decode", cjson_decode},
    {"new", cjson_new},
#define X(name, ...) {#name, cjson_##name},
    CJSON_SWITCHES(X) CJSON_NUMBERS(X)
#undef X
        {"encode_invalid_numbers", cjson_encode_invalid_numbers},
    {"encode_sparse_array", cjson_encode_sparse_array},
    {"encode_indent", cjson_encode_indent},
    {NULL, NULL},
};

/* Pushes the list of the two marks of this Lua state. Its registry key is a name, not an address, so that another copy
** of this library finds it, too. */
static void cjson_push_marks(lua_State *L) {
  static const char name[] = "fleece.cjson";
  lua_getfield(L, LUA_REGISTRYINDEX, name);
  if (lua_istable(L, -1)) return;
  lua_pop(L, 1);
  lua_createtable(L, 2, 0);
  lua_newtable(L);
  lua_rawseti(L, -2, 1);
  lua_newtable(L);
  lua_rawseti(L, -2, 2);
  lua_pushvalue(L, -1);
  lua_setfield(L, LUA_REGISTRYINDEX, name);
}

/* Sets the fields of the module on top that belong to the state, and makes the marks known to encoding. empty_array is
** the address of array_mt. */
static void cjson_set_marks(lua_State *L, struct mod_state *m) {
  static const char *const names[] = {"array_mt", "empty_array_mt"};
  int i, module = lua_gettop(L);
  cjson_push_marks(L);
  for (i = 0; i < 2; i++) {
    lua_rawgeti(L, module + 1, i + 1);
    mod_set_mark(L, m, CJSON_MARK_ARRAY + i, i == 0 ? ENCODE_LENGTH_ARRAY : ENCODE_EMPTY_ARRAY);
    lua_setfield(L, module, names[i]);
  }
  m->encode->shared.sentinels.empty_array[1] = m->encode->marks.metatable[CJSON_MARK_ARRAY];
  lua_pushlightuserdata(L, (void *)(uintptr_t)m->encode->shared.sentinels.empty_array[1]);
  lua_setfield(L, module, "empty_array");
  lua_settop(L, module);
}

/* Pushes a module's table. The upvalues of its functions are on the stack from `base` on. */
static void cjson_push_module(lua_State *L, struct mod_state *m, int base) {
  mod_push_library(L, base, cjson_functions);
  lua_pushlightuserdata(L, NULL);
  lua_setfield(L, -2, "null");
  cjson_set_marks(L, m);
  mod_set_string(L, "_NAME", "cjson");
  mod_set_string(L, "_VERSION", "2.1.0.11"); /* lua-cjson's version since 2021, in newer releases, too */
}

static int cjson_push_instance(lua_State *L, int safe) {
  static const int32_t defaults[CJSON_SETTINGS] = {
#define X(name, initial, ...) initial,
      CJSON_SWITCHES(X) CJSON_NUMBERS(X)
#undef X
          0,
      0, 2, 10};
  struct cjson_instance *c = (struct cjson_instance *)mod_push_upvalues(L, sizeof *c);
  const int base = lua_gettop(L) - MOD_UPVALUES + 1;
  mod_default_options(&c->codec.encode, JSON_ESCAPE_E4);
  c->codec.json = c->codec.encode;
  mod_default_decode_options(&c->codec.decode);
  c->codec.decode.safe = c->codec.encode.safe = (unsigned)safe & 1u;
  memcpy(c->setting, defaults, sizeof defaults);
  cjson_settle(c);
  lua_createtable(L, MOD_VALUE_ARRAYS, 0);
  cjson_push_marks(L);
  lua_rawgeti(L, -1, 1);
  lua_rawseti(L, -3, MOD_VALUE_ARRAYS);
  lua_pop(L, 1);
  lua_replace(L, base + MOD_VALUES - 1);
  cjson_push_module(L, c->codec.state, base);
  return 1;
}

/* new() -> an instance with the default settings, which raises errors if this one does */
static int cjson_new(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  return cjson_push_instance(L, codec->encode.safe);
}

FL_PRIVATE int cjson_open(lua_State *L) { return cjson_push_instance(L, 0); }
FL_PRIVATE int cjson_open_safe(lua_State *L) { return cjson_push_instance(L, 1); }
