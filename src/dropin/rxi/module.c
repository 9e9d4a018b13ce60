/* SPDX-License-Identifier: MIT
** module.c -- require "fleece.rxi": the functions of rxi's json.lua 0.1.2, presets of encode and decode.
** Must hold: a text is read by the one scanner; only what it refuses is read again, for the message. Rules as
** json/tokens/lenient.h and dropin/shared/fault.h require. The public-API walk decides like the raw walk about the
** tables that it does not leave to this one. */
#include "../../module/library.h"
#include "../list.h"
#include "../shared/lua.h"
#include "../shared/strtod.h"

/* Returns the byte after the token at p, which ends at white space, a comma or the end of a container. */
static const char *rxi_token(const char *p, const char *end) {
  while (p < end && !json_is_blank(*p) && *p != ',' && *p != ']' && *p != '}') p++;
  return p;
}

/* Returns whether the token [p, end), which begins with a digit or '-', is a number: "0x1f", "0x.8p1", "007", "1.".
** Sets *d unless it is a decimal. */
static int rxi_is_number(const char *p, const char *end, enum dropin_strtod_kind *kind, double *d) {
  return !dropin_is_inf_or_nan(p + (*p == '-')) && dropin_strtod_number(p, DROPIN_STRTOD_NUMBERS, kind, d) == end;
}

/* Reads a value that strict JSON lacks: a number. */
static const char *rxi_value_(struct json_scan *j, const char *p, struct json_lenient_value *out) {
  const int negative = *p == '-';
  const char *first = p + negative, *end = rxi_token(p, j->end);
  struct num_value *v = &out->number, hex;
  enum dropin_strtod_kind kind;
  if (!negative && !json_is_digit(*p)) return json_scan_error(j, JSON_CHECK_VALUE, p);
  if (!rxi_is_number(p, end, &kind, &v->d)) return json_scan_error(j, JSON_CHECK_NUMBER, p);
  v->kind = NUM_DOUBLE;
  if (kind == DROPIN_STRTOD_DECIMAL) return json_lenient_decimal(j, first, negative, 1, v);
  if (text_hex_digit(first[2]) < 0) return end;
  if (json5_hex(first + 2, negative, &hex) == end) *v = hex;
  return end;
}

static const struct json_rules rxi_rules = {NULL, rxi_value_};

enum { RXI_GRAMMAR = JSON_RULES | JSON_ODD_ZEROS | JSON_TRAILING_COMMAS };

/* Reads a number or word: a token up to the next separator, whose first byte decides which of the two it is. */
static const char *rxi_fault_scalar(struct dropin_fault *f, const char *p) {
  const char *after = rxi_token(p, f->end);
  enum dropin_strtod_kind kind;
  double d;
  const char *word = p;
  if (*p == '-' || json_is_digit(*p))
    return rxi_is_number(p, after, &kind, &d) ? after : dropin_fault_is(f, DROPIN_FAULT_NUMBER, p);
  if (*p != 't' && *p != 'f' && *p != 'n') return dropin_fault_is(f, DROPIN_FAULT_CHARACTER, p);
  if (json_read_literal(&word, f->end) <= JSON_LITERAL_NULL && word == after) return after;
  return dropin_fault_is(f, DROPIN_FAULT_WORD, p);
}

static const struct dropin_fault_rules rxi_fault_rules = {
    .scalar = rxi_fault_scalar,
    .texts =
        {
            [DROPIN_FAULT_NAME] = "expected string for key",
            [DROPIN_FAULT_COLON] = "expected ':' after key",
            [DROPIN_FAULT_ARRAY] = "expected ']' or ','",
            [DROPIN_FAULT_OBJECT] = "expected '}' or ','",
            [DROPIN_FAULT_END] = "trailing garbage",
            [DROPIN_FAULT_UNCLOSED] = "expected closing quote for string",
            [DROPIN_FAULT_ZERO] = "control character in string",
            [DROPIN_FAULT_CONTROL] = "control character in string",
            [DROPIN_FAULT_ESCAPE] = "invalid escape char '",
            [DROPIN_FAULT_HEX] = "invalid unicode escape in string",
            [DROPIN_FAULT_CHARACTER] = "unexpected character '",
            [DROPIN_FAULT_WORD] = "invalid literal '",
            [DROPIN_FAULT_NUMBER] = "invalid number '",
        },
    .rests = {[DROPIN_FAULT_ESCAPE] = "' in string",
              [DROPIN_FAULT_CHARACTER] = "'",
              [DROPIN_FAULT_WORD] = "'",
              [DROPIN_FAULT_NUMBER] = "'"},
    .place = {[DROPIN_FAULT_ARRAY] = DROPIN_FAULT_NEXT_BYTE,
              [DROPIN_FAULT_OBJECT] = DROPIN_FAULT_NEXT_BYTE,
              [DROPIN_FAULT_UNCLOSED] = DROPIN_FAULT_TOKEN},
};

/* Returns the part of the JSON text that the message quotes. */
static const char *rxi_fault_piece(const struct dropin_fault *f, size_t *n) {
  const char *piece = f->at + (f->cause == DROPIN_FAULT_ESCAPE);
  if (!f->rules->rests[f->cause]) *n = 0;
  else if (f->cause == DROPIN_FAULT_ESCAPE || f->cause == DROPIN_FAULT_CHARACTER) *n = piece < f->end;
  else *n = (size_t)(rxi_token(piece, f->end) - piece);
  return piece;
}

/* Returns whether the table at `table` is an array: it has an item 1, or nothing. */
static int rxi_is_array(lua_State *L, int table) {
  lua_rawgeti(L, table, 1);
  int is_array = !lua_isnil(L, -1);
  lua_settop(L, table + 1);
  if (is_array) return 1;
  lua_pushnil(L);
  is_array = !lua_next(L, table);
  lua_settop(L, table + 1);
  return is_array;
}

/* Counts the key at index `key`, which in an array must be a number. */
static int rxi_count_key(struct api_walk *a, int key, struct api_keys *keys) {
  if (lua_type(a->L, key) != LUA_TNUMBER) return api_fail(a, FL_ERROR_KEY, NULL) != NULL;
  api_count_key(a->L, key, keys);
  return 1;
}

/* Returns whether the keys of an array, from its __pairs or the table's own, are 1 .. #table. */
static int rxi_is_sequence(struct api_walk *a, int table, const struct dropin_table *t, struct api_keys *keys) {
  lua_State *L = a->L;
  if (t->pairs) {
    for (int i = 0; i < t->n; i++) {
      lua_rawgeti(L, t->pairs, 2 * i + 1);
      if (!rxi_count_key(a, t->pairs + 1, keys)) return 0;
      lua_settop(L, t->pairs);
    }
  } else {
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
      if (!rxi_count_key(a, lua_gettop(L) - 1, keys)) return 0;
  }
  double length = t->pairs ? (double)lua_rawlen(L, table) : (double)keys->count;
  if (a->pairs_honours_meta && t->meta && api_meta_field(L, t->meta, "__len")) {
    length = api_hook_length(a, table);
    if (length < 0) return 0;
  }
  if (keys->all_indexes && keys->highest == (double)keys->count && length == keys->highest) return 1;
  return api_fail(a, FL_ERROR_HOLES, NULL) != NULL;
}

/* Opens the table at `table`, which is followed by its metatable or nil; leaves the aux there. */
static int rxi_open_table(struct api_walk *a, int table, struct api_opened *f) {
  struct api_keys keys = {0, 0, 1};
  const int is_array = rxi_is_array(a->L, table);
  memset(f, 0, sizeof *f);
  struct dropin_table t = {0};
  if (!lua_isnil(a->L, table + 1)) t.meta = table + 1;
  if (!dropin_list_pairs(a, table, &t)) return 0;
  t.indexed = t.pairs != 0;
  if (is_array && !rxi_is_sequence(a, table, &t, &keys)) return 0;
  return dropin_end_table(a, table, &t, is_array ? (double)keys.count : -1, f);
}

FL_NOINLINE char *rxi_write_table(struct api_walk *a, char *w, int *opened) {
  lua_State *L = a->L;
  struct api_opened f;
  int table = lua_gettop(L);
  compat_need_stack(L, 20);
  if (!api_may_open(a, table)) return NULL;
  if (!lua_getmetatable(L, table)) lua_pushnil(L);
  if (!rxi_open_table(a, table, &f)) return NULL;
  return api_begin_level(a, w, &f, table, opened);
}

static const struct api_ops rxi_ops = {.write_table = rxi_write_table, .write_other = dropin_write_other};

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

/* Ends a call whose text is invalid. */
FL_NOINLINE int rxi_raise_fault_(struct mod_decode *d, struct json_scan *scan) {
  lua_State *L = d->L;
  struct dropin_fault fault;
  size_t n;
  if (scan->error == JSON_CHECK_DEPTH || scan->error == JSON_CHECK_MEMORY) {
    lua_pushstring(L, json_check_message(scan->error));
    return mod_raise(L, 0);
  }
  if (!dropin_find_fault(d, &rxi_fault_rules, &fault)) {
    FL_ASSERT(0);
    return luaL_error(L, "invalid JSON");
  }
  const char *piece = rxi_fault_piece(&fault, &n);
  const char *rest = rxi_fault_rules.rests[fault.cause];
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
