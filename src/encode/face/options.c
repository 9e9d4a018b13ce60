/* SPDX-License-Identifier: MIT
** options.c -- reads the options of encode.
** Must hold: as encode.h. */
#include "encode.h"

FL_PRIVATE void mod_default_options(struct mod_options *o, int escape) {
  memset(o, 0, sizeof *o);
  o->style.escape = (enum json_escape)escape;
  o->style.text.invalid = escape == JSON_ESCAPE_JSON ? TEXT_INVALID_ERROR : TEXT_INVALID_PASS;
  o->style.max_depth = escape == JSON_ESCAPE_JSON ? MOD_DEPTH : MOD_DEPTH_JSON;
  o->style.sparse_ratio = 2;
  o->style.sparse_free = JSON_SPARSE_FREE;
  o->policy.rules = &encode_own_rules;
}

FL_PRIVATE void mod_settle_options(struct mod_options *o) {
  struct json_style *s = &o->style;
  const struct encode_policy *policy = &o->policy;
  int replaces = s->text.invalid == TEXT_INVALID_REPLACE || s->text.invalid == TEXT_INVALID_ESCAPE;
  s->indent = o->indent;
  if (s->canonical) json_style_canonize(s);
  s->whole_are_integers = LUA_VERSION_NUM < 503;
  s->whole = s->rounds_fractions_only ? (uint64_t)NUM_CONSECUTIVE + 1
                                      : num_ten_to[s->precision > 17 ? 0 : s->precision];
  if (s->escape == JSON_ESCAPE_JSON || s->escape == JSON_ESCAPE_GENERAL)
    s->escape = s->text.slash || s->text.ascii || s->text.html || s->text.del || replaces ? JSON_ESCAPE_GENERAL
                                                                                          : JSON_ESCAPE_JSON;
  if (policy->shape)
    o->speed = s->indent_length || s->sort_keys || !policy->shape->encode ? ENCODE_STYLED : ENCODE_SHAPED;
  else if (s->indent_length || s->float_integers || s->sort_keys || s->skip_unsupported) o->speed = ENCODE_STYLED;
  else if (s->escape > JSON_ESCAPE_E4 || s->precision > 17 || json_style_rewrites_numbers(s)) o->speed = ENCODE_STYLED;
  else o->speed = s->precision ? ENCODE_ROUNDED : ENCODE_FASTEST;
}

static void mod_read_indent(struct mod_reader *r) {
  struct mod_options *const o = r->into;
  const char *s = "                ";
  size_t n = 0, i;
  if (lua_type(r->L, -1) == LUA_TNUMBER) {
    n = (size_t)mod_read_integer(r, 0, 16);
  } else {
    s = lua_type(r->L, -1) == LUA_TSTRING ? lua_tolstring(r->L, -1, &n) : NULL;
    if (!s || n >= JSON_INDENT_LIMIT) mod_bad_option(r, "a number from 0 to 16 or a string of white space");
    for (i = 0; i < n; i++)
      if (!strchr(" \t\n\r", s[i]) || !s[i]) mod_bad_option(r, "a number from 0 to 16 or a string of white space");
  }
  memcpy(o->indent, s, n);
  o->style.indent_length = n;
}

/* Returns whether Lua interns the string on top, so that its address identifies it. It may have several copies of a
** long string. */
static int mod_is_interned(lua_State *L) {
  size_t n;
  const char *s = lua_tolstring(L, -1, &n);
  lua_pushlstring(L, s, n);
  const int is = lua_tolstring(L, -1, NULL) == s;
  lua_pop(L, 1);
  return is;
}

/* Pushes the result for the same list of n names from the last time, since programs often repeat the same names: a
** table name -> rank, with the ranks for raw walks as item 1. NULL, and pushes nothing, if the names differ. */
static const struct encode_ranks *mod_push_last_ranks(lua_State *L, int list, int n) {
  compat_registry_get(L, &mod_anchor_key);
  lua_rawgeti(L, -1, MOD_ANCHOR_RANKS);
  lua_remove(L, -2);
  if (lua_isnil(L, -1)) return lua_pop(L, 1), NULL;
  lua_rawgeti(L, -1, 1);
  const struct encode_ranks *ranks = (const struct encode_ranks *)lua_touserdata(L, -1);
  lua_pop(L, 1);
  int same = ranks->count == (size_t)n;
  for (int i = 1; same && i <= n; i++) {
    lua_rawgeti(L, list, i);
    same = lua_type(L, -1) == LUA_TSTRING && lua_tolstring(L, -1, NULL) == encode_ranks_names(ranks)[i - 1];
    lua_pop(L, 1);
  }
  if (same) return ranks;
  lua_pop(L, 1);
  return NULL;
}

/* Makes that result for a new list of names. */
static const struct encode_ranks *mod_push_new_ranks(struct mod_reader *r, int list, int n) {
  lua_State *L = r->L;
  const size_t bytes = encode_ranks_size((size_t)n);
  struct encode_ranks *ranks = (struct encode_ranks *)lua_newuserdata(L, bytes);
  encode_begin_ranks(ranks, (size_t)n);
  for (int i = 1; i <= n; i++) {
    lua_rawgeti(L, list, i);
    if (lua_type(L, -1) != LUA_TSTRING) mod_bad_option(r, "a list of strings");
    encode_set_rank(ranks, (size_t)i, lua_tolstring(L, -1, NULL));
    ranks->is_raw &= mod_is_interned(L);
    lua_pop(L, 1);
  }
  lua_pushvalue(L, list);
  api_rank_names(L, lua_gettop(L));
  lua_insert(L, -2);
  lua_rawseti(L, -2, 1);
  compat_registry_get(L, &mod_anchor_key);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, MOD_ANCHOR_RANKS);
  lua_pop(L, 1);
  return ranks;
}

static void mod_read_key_order(struct mod_reader *r) {
  lua_State *L = r->L;
  const int list = lua_gettop(L);
  if (!lua_istable(L, list)) mod_bad_option(r, "a list of strings");
  const int n = (int)lua_rawlen(L, list);
  const struct encode_ranks *ranks = mod_push_last_ranks(L, list, n);
  if (!ranks) ranks = mod_push_new_ranks(r, list, n);
  ((struct mod_options *)r->into)->policy.ranks = ranks->is_raw ? ranks : NULL;
  lua_replace(L, list);
}

static void mod_read_on_error(struct mod_reader *r) {
  if (!lua_isfunction(r->L, -1)) mod_bad_option(r, "a function");
}

/* Userdata and cdata stand for null in encode, too. Other values could not be told from data, so they are only for
** `decode`. */
static void mod_read_null_value(struct mod_reader *r) {
  lua_State *L = r->L;
  struct encode_policy *const policy = &((struct mod_options *)r->into)->policy;
  const int type = lua_type(L, -1);
  policy->null = NULL;
  if (type != LUA_TUSERDATA && type != LUA_TLIGHTUSERDATA && type != API_TCDATA && r->of != MOD_OF_NEW)
    mod_bad_option(r, "userdata or cdata");
  if (type == LUA_TUSERDATA || type == LUA_TLIGHTUSERDATA || type == API_TCDATA) {
    policy->null_type = type;
    policy->null_at = lua_topointer(L, -1);
    lua_createtable(L, 1, 0);
    policy->null = (const char *)lua_topointer(L, -1);
    lua_insert(L, -2);
    lua_rawseti(L, -2, 1);
  }
}

static void mod_read_metamethods(struct mod_reader *r) {
  const struct encode_rules **const rules = &((struct mod_options *)r->into)->policy.rules;
  const int is_word = lua_type(r->L, -1) == LUA_TSTRING;
  if (!is_word && lua_type(r->L, -1) != LUA_TBOOLEAN) mod_bad_option(r, "a boolean or \"serialize\"");
  if (is_word) (void)mod_read_word(r, "serialize");
  *rules = is_word ? &encode_serialize_rules : lua_toboolean(r->L, -1) ? &encode_own_rules : &encode_plain_rules;
}

static void mod_read_precision(struct mod_reader *r) {
  struct json_style *const s = &((struct mod_options *)r->into)->style;
  s->precision = mod_read_integer(r, 1, 17), s->rounds_fractions_only = 1;
}

static void mod_read_decimals(struct mod_reader *r) {
  ((struct mod_options *)r->into)->style.decimals = (unsigned char)(mod_read_integer(r, 0, 17) + 1);
}

static void mod_read_layout(struct mod_reader *r) {
  struct mod_options *const o = r->into;
  const int layout = mod_read_word(r, MOD_LAYOUTS);
  o->force_api = layout == MOD_LAYOUT_API;
  o->style.avoid = mod_layout_avoids(layout);
}

/* Reads canonical: "jcs" or false. Functions that read binary documents also take true. */
static void mod_read_canonical(struct mod_reader *r) {
  struct json_style *const s = &((struct mod_options *)r->into)->style;
  const int is_for_documents = r->of == MOD_OF_NEW || r->of == MOD_OF_TO_JSON;
  if (s->escape >= JSON_ESCAPE_E0 && s->escape <= JSON_ESCAPE_E4) { /* set by fleece.json, which has no such form */
    if (lua_type(r->L, -1) == LUA_TSTRING) s->sort_keys = 1;
    return;
  }
  if (lua_type(r->L, -1) != LUA_TBOOLEAN || (lua_toboolean(r->L, -1) && !is_for_documents)) {
    (void)mod_read_word(r, "jcs");
    s->canonical = 1;
  } else if (s->canonical) {
    s->canonical = s->sort_keys = 0;
    s->precision = 0;
  }
}

#define MOD_ENCODE_ROW(name, kind, member, takers) MOD_OPTION(name, struct mod_options, member, takers, MOD_IS_##kind)
/* Members that are pointers have a size, too. NOLINTNEXTLINE(bugprone-sizeof-expression) */
static const struct mod_option mod_encode_rows[] = {MOD_ENCODE_OPTIONS(MOD_ENCODE_ROW){0}};

FL_PRIVATE const struct mod_option *mod_encode_options(void) { return mod_encode_rows; }

/* Raises an error if canonical JSON is combined with an option that changes it. */
static void mod_check_canonical(lua_State *L, int arg, const struct mod_options *o) {
  const struct json_style *s = &o->style;
  const char *other = NULL;
  if (!s->canonical) return;
  if (s->indent_length) other = "indent";
  else if (o->order) other = "key_order";
  else if (s->precision && s->precision != JSON_PRECISION_CANONICAL) other = "precision";
  else if (s->decimals) other = "decimals";
  else if (s->float32) other = "float32";
  else if (s->text.slash) other = "escape_slash";
  else if (s->text.ascii) other = "ascii";
  else if (s->text.html) other = "html";
  else if (s->float_integers) other = "float_integers";
  else if (s->invalid_numbers != JSON_NUMBERS_ERROR) other = "invalid_numbers";
  else if (s->text.invalid != TEXT_INVALID_ERROR) other = "invalid_utf8";
  if (other) mod_argument_error(L, arg, lua_pushfstring(L, "option 'canonical' does not go with '%s'", other));
}

/* Raises an error if the table has a width for a text without lines. A codec keeps one for calls with `indent`. */
static void mod_check_width(lua_State *L, int arg, const struct mod_options *o) {
  if (o->style.escape >= JSON_ESCAPE_E0 && o->style.escape <= JSON_ESCAPE_E4) return; /* see mod_read_canonical */
  lua_pushliteral(L, "width");
  lua_rawget(L, arg);
  if (lua_tonumber(L, -1) > 0) mod_argument_error(L, arg, "option 'width' needs 'indent'");
  lua_pop(L, 1);
}

FL_PRIVATE void mod_read_options(lua_State *L, int arg, struct mod_options *to, enum mod_taker of) {
  mod_read_rows(L, arg, of, mod_encode_rows, to);
  mod_check_canonical(L, arg, to);
  if (to->style.decimals && (to->style.float32 || to->style.precision))
    mod_argument_error(
        L, arg,
        lua_pushfstring(L, "option 'decimals' does not go with '%s'", to->style.float32 ? "float32" : "precision"));
  if (to->style.float32 && to->style.precision)
    mod_argument_error(L, arg, "option 'float32' does not go with 'precision'");
  if (to->style.one_line && to->style.indent_length)
    mod_argument_error(L, arg, "option 'one_line' does not go with 'indent'");
  if (to->style.width && !to->style.indent_length) mod_check_width(L, arg, to);
  mod_settle_options(to);
}
