/* SPDX-License-Identifier: MIT */
#include "options.h"

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
  s->whole = s->rounds_fractions_only ? (uint64_t)NUM_CONSECUTIVE + 1
                                      : num_ten_to[s->precision > 17 ? 0 : s->precision];
  if (s->escape == JSON_ESCAPE_JSON || s->escape == JSON_ESCAPE_GENERAL)
    s->escape = s->text.slash || s->text.ascii || s->text.html || s->text.del || replaces ? JSON_ESCAPE_GENERAL
                                                                                          : JSON_ESCAPE_JSON;
  if (policy->shape)
    o->speed = s->indent_length || s->sort_keys || !policy->shape->encode ? ENCODE_STYLED : ENCODE_SHAPED;
  else if (s->indent_length || s->float_integers || s->sort_keys || s->skip_unsupported) o->speed = ENCODE_STYLED;
  else if (s->escape > JSON_ESCAPE_E4 || s->precision > 17) o->speed = ENCODE_STYLED;
  else o->speed = s->precision ? ENCODE_ROUNDED : ENCODE_FASTEST;
}

static void mod_read_indent(const struct mod_reader *r) {
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
  memcpy(r->to->indent, s, n);
  r->to->style.indent_length = n;
}

/* Reads key_order: stores a table name -> rank at the stack index r->to->order. */
static void mod_read_key_order(const struct mod_reader *r, int keep) {
  int i, n, list = lua_gettop(r->L);
  if (!lua_istable(r->L, -1)) mod_bad_option(r, "a list of strings");
  n = (int)lua_rawlen(r->L, list);
  for (i = 1; i <= n; i++) {
    lua_rawgeti(r->L, list, i);
    if (lua_type(r->L, -1) != LUA_TSTRING) mod_bad_option(r, "a list of strings");
    lua_pop(r->L, 1);
  }
  lua_pushvalue(r->L, list);
  api_rank_names(r->L, lua_gettop(r->L));
  lua_replace(r->L, keep);
  r->to->order = keep;
}

static void mod_read_layout(struct mod_options *o, int word) {
  o->force_api = word == 1;
  o->style.avoid = word == 2 ? ~0u : word == 3 ? TEXT_CPU_WIDEST : 0;
}

/* Reads canonical: "jcs" or false; functions that read binary documents take true, which means something to them. */
static void mod_read_canonical(const struct mod_reader *r) {
  struct json_style *s = &r->to->style;
  const int is_for_documents = r->names && mod_is_word("trusted", r->names);
  if (s->escape >= JSON_ESCAPE_E0 && s->escape <= JSON_ESCAPE_E4) return; /* of fleece.json, which has no such form */
  if (lua_type(r->L, -1) != LUA_TBOOLEAN || (lua_toboolean(r->L, -1) && !is_for_documents)) {
    (void)mod_read_word(r, "jcs");
    s->canonical = 1;
  } else if (s->canonical) {
    s->canonical = s->sort_keys = 0;
    s->precision = 0;
  }
}

/* Raises an error if canonical JSON is asked for with an option that changes it. */
static void mod_check_canonical(lua_State *L, int arg, const struct mod_options *o) {
  const struct json_style *s = &o->style;
  const char *other = NULL;
  if (!s->canonical) return;
  if (s->indent_length) other = "indent";
  else if (o->order) other = "key_order";
  else if (s->precision && s->precision != JSON_PRECISION_CANONICAL) other = "precision";
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

/* Raises an error if one line is asked for with indented lines. */
static void mod_check_one_line(lua_State *L, int arg, const struct mod_options *o) {
  if (o->style.one_line && o->style.indent_length)
    mod_argument_error(L, arg, "option 'one_line' does not go with 'indent'");
}

/* Boolean options, and the members that store them. */
#define MOD_FLAGS(X)                          \
  X(escape_slash, style.text.slash)           \
  X(ascii, style.text.ascii)                  \
  X(html, style.text.html)                    \
  X(sort_keys, style.sort_keys)               \
  X(skip_unsupported, style.skip_unsupported) \
  X(one_line, style.one_line)                 \
  X(float_integers, style.float_integers)

FL_PRIVATE int mod_read_option(const struct mod_reader *r, int order, int on_error) {
  struct json_style *s = &r->to->style;
#define IS(word) (strcmp(r->name, word) == 0)
#define X(flag, field)                                 \
  if (IS(#flag)) {                                     \
    r->to->field = (unsigned)mod_read_boolean(r) & 1u; \
    return 1;                                          \
  }
  MOD_FLAGS(X)
#undef X
  if (IS("indent")) mod_read_indent(r);
  else if (IS("width")) s->width = (uint32_t)mod_read_integer(r, 0, JSON_FOLD_WIDEST);
  else if (IS("key_order")) mod_read_key_order(r, order);
  else if (IS("empty_table")) s->empty_object = (unsigned)mod_read_word(r, "array|object") & 1u;
  else if (IS("metamethods")) r->to->policy.rules = mod_read_boolean(r) ? &encode_own_rules : &encode_plain_rules;
  else if (IS("sparse")) s->sparse = (enum json_sparse)mod_read_word(r, "object|null|error");
  else if (IS("sparse_ratio")) s->sparse_ratio = mod_read_integer(r, 1, MOD_RATIO_LIMIT);
  else if (IS("invalid_numbers"))
    s->invalid_numbers = (enum json_invalid_numbers)mod_read_word(r, "error|null|literal");
  else if (IS("invalid_utf8")) {
    static const unsigned char policies[] = {TEXT_INVALID_ERROR, TEXT_INVALID_REPLACE, TEXT_INVALID_ESCAPE,
                                             TEXT_INVALID_PASS};
    s->text.invalid = policies[mod_read_word(r, "error|replace|escape|pass")];
  } else if (IS("max_depth")) s->max_depth = (uint32_t)mod_read_integer(r, 1, MOD_DEPTH_LIMIT);
  else if (IS("canonical")) mod_read_canonical(r);
  else if (IS("precision")) s->precision = mod_read_integer(r, 1, 17), s->rounds_fractions_only = 1;
  else if (IS("layout")) mod_read_layout(r->to, mod_read_word(r, MOD_LAYOUTS));
  else if (IS("on_error")) {
    if (!lua_isfunction(r->L, -1)) mod_bad_option(r, "a function");
    lua_pushvalue(r->L, -1);
    lua_replace(r->L, on_error);
    r->to->on_error = on_error;
  } else return 0;
#undef IS
  return 1;
}

FL_PRIVATE void mod_read_options(lua_State *L, int arg, struct mod_options *to, const char *names) {
  struct mod_reader r;
  int order, on_error;
  mod_begin_reader(&r, L, arg, names);
  r.to = to;
  compat_need_stack(L, 16);
  lua_pushnil(L);
  order = lua_gettop(L);
  lua_pushnil(L);
  on_error = order + 1;
  lua_pushnil(L);
  while (lua_next(L, arg)) {
    mod_read_name(&r, -2);
    if (!mod_read_option(&r, order, on_error) && !names) mod_unknown_option_(L, arg, r.name, mod_names_encode);
    lua_settop(L, on_error + 1);
  }
  mod_check_canonical(L, arg, to);
  mod_check_one_line(L, arg, to);
  if (to->style.width && !to->style.indent_length) mod_check_width(L, arg, to);
  mod_settle_options(to);
}
