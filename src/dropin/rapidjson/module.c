/* SPDX-License-Identifier: MIT
** module.c -- require "fleece.rapidjson": the functions of lua-rapidjson 0.7.2, presets of encode and decode.
** Must hold: the options of the codec do not change: `encode` is for encode and dump, `json` for Documents. The
** public-API walk makes the same decisions as dropin/rapidjson/raw_tables.h. All functions have the upvalues of
** lua/state.h. */
#include "../../files/file.h"
#include "../../module/library.h"
#include "../../text/utf16.h"
#include "../list.h"
#include "rapidjson.h"

/* ------------------------------------------------------------------------------------- faults */

static const char *rapidjson_fault_number(struct dropin_fault *f, const char *begin) {
  const char *p = begin + (*begin == '-'), *after;
  struct num_value v;
  if (!json_is_digit(*p)) return dropin_fault_is(f, DROPIN_FAULT_VALUE, p);
  p = *p == '0' ? p + 1 : json_skip_digits(p);
  if (*p == '.') {
    if ((after = json_skip_digits(p + 1)) == p + 1) return dropin_fault_is(f, DROPIN_FAULT_FRACTION, after);
    p = after;
  }
  if ((*p | 0x20) == 'e') {
    p += 1 + (p[1] == '+' || p[1] == '-');
    if ((after = json_skip_digits(p)) == p) return dropin_fault_is(f, DROPIN_FAULT_EXPONENT, p);
    p = after;
  }
  (void)num_read(begin, f->end, &v);
  return v.kind == NUM_HUGE ? dropin_fault_is(f, DROPIN_FAULT_BIG, begin) : p;
}

/* Reads a word, whose first byte decides which, or a number. */
static const char *rapidjson_fault_scalar(struct dropin_fault *f, const char *p) {
  const char *word = *p == 'n' ? "null" : *p == 't' ? "true" : "false";
  if (*p == 0 && f->due == DROPIN_FAULT_ROOT) return dropin_fault_is(f, DROPIN_FAULT_EMPTY, p);
  if (*p != *word) return rapidjson_fault_number(f, p);
  for (; *word; word++, p++)
    if (*p != *word) return dropin_fault_is(f, DROPIN_FAULT_VALUE, p);
  return p;
}

static const struct dropin_fault_rules rapidjson_fault_rules = {
    .scalar = rapidjson_fault_scalar,
    .texts =
        {
            [DROPIN_FAULT_VALUE] = "Invalid value.",
            [DROPIN_FAULT_NAME] = "Missing a name for object member.",
            [DROPIN_FAULT_COLON] = "Missing a colon after a name of object member.",
            [DROPIN_FAULT_ARRAY] = "Missing a comma or ']' after an array element.",
            [DROPIN_FAULT_OBJECT] = "Missing a comma or '}' after an object member.",
            [DROPIN_FAULT_END] = "The document root must not be followed by other values.",
            [DROPIN_FAULT_DEPTH] = "Terminate parsing due to Handler error.",
            [DROPIN_FAULT_UNCLOSED] = "Missing a closing quotation mark in string.",
            [DROPIN_FAULT_ZERO] = "Missing a closing quotation mark in string.",
            [DROPIN_FAULT_CONTROL] = "Invalid encoding in string.",
            [DROPIN_FAULT_ESCAPE] = "Invalid escape character in string.",
            [DROPIN_FAULT_HEX] = "Incorrect hex digit after \\u escape in string.",
            [DROPIN_FAULT_PAIR] = "The surrogate pair in string is invalid.",
            [DROPIN_FAULT_EMPTY] = "The document is empty.",
            [DROPIN_FAULT_FRACTION] = "Miss fraction part in number.",
            [DROPIN_FAULT_EXPONENT] = "Miss exponent in number.",
            [DROPIN_FAULT_BIG] = "Number too big to be stored in double.",
        },
    .place = {[DROPIN_FAULT_DEPTH] = DROPIN_FAULT_NEXT_BYTE},
};

/* ------------------------------------------------------------------------------------- tables */

/* A string other than "array" means object. No known metatable counts. */
static const struct encode_field_rule rapidjson_fields[] = {
    ENCODE_FIELD("__jsontype", "array", ENCODE_ARRAY),
    ENCODE_FIELD("__jsontype", "", ENCODE_OBJECT),
    ENCODE_FIELD("__jsontype", NULL, ENCODE_HOOK),
    ENCODE_NO_MORE_FIELDS,
};

static const struct encode_rules rapidjson_table_rules = {
    .fields = rapidjson_fields,
    .keys = ENCODE_KEYS_SKIPPED,
    .errors = ENCODE_ERRORS_BARE,
    .inherits_fields = 1,
};

/* Returns what the metatable of the table at `table` says, or -1 if its __index raised an error. */
static int rapidjson_table_class(struct api_walk *a, int table) {
  lua_State *L = a->L;
  int mark = ENCODE_PLAIN;
  if (!lua_getmetatable(L, table)) return mark;
  if (!dropin_meta_field(a, table + 1, "__jsontype")) return -1;
  if (lua_isstring(L, -1)) { /* true for a number, too */
    size_t n;
    const char *s = lua_tolstring(L, -1, &n);
    mark = n == 5 && memcmp(s, "array", 5) == 0 ? ENCODE_ARRAY : ENCODE_OBJECT;
  }
  lua_settop(L, table);
  return mark;
}

/* Pushes the list of the pairs of the table at `table` whose keys are strings. Returns their number. */
static int rapidjson_list_names(lua_State *L, int table) {
  int list = table + 1, n = 0;
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, table); lua_settop(L, list + 1)) {
    if (lua_type(L, list + 1) != LUA_TSTRING) continue;
    lua_rawseti(L, list, 2 * n + 2);
    compat_set_item(L, list, 2 * n++ + 1, list + 1);
  }
  return n;
}

/* Opens the table on top; leaves the aux after it. */
static int rapidjson_open_table(struct api_walk *a, struct api_opened *f) {
  lua_State *L = a->L;
  const struct json_style *style = a->walk->out.style;
  const int table = lua_gettop(L);
  size_t length, others = 0;
  int mark;
  compat_need_stack(L, 20);
  memset(f, 0, sizeof *f);
  if (a->depth >= style->max_depth || api_is_open(a, lua_topointer(L, table)))
    return api_fail(a, FL_ERROR_DEPTH, NULL) != NULL;
  if (!encode_need_frames(a->walk, a->depth + 1)) return api_fail(a, FL_ERROR_MEMORY, NULL) != NULL;
  if ((mark = rapidjson_table_class(a, table)) < 0) return 0;
  length = mark == ENCODE_OBJECT ? 0 : (size_t)lua_rawlen(L, table);
  if (length > 0 || mark == ENCODE_ARRAY) {
    f->kind = API_ITEMS, f->is_array = 1;
    f->n = length < INT32_MAX ? length : INT32_MAX;
    f->empty = length == 0;
    lua_pushnil(L);
    return 1;
  }
  f->kind = API_NEXT, f->empty = 1;
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    f->empty = 0;
    others += lua_type(L, -2) != LUA_TSTRING;
  }
  f->is_array = f->empty && mark == ENCODE_PLAIN && !style->empty_object;
  if (!f->empty && (others || style->sort_keys)) {
    f->kind = API_PAIRS;
    f->n = (size_t)rapidjson_list_names(L, table);
    f->empty = f->n == 0;
    return !style->sort_keys || api_sort_list(a, (int)f->n, 0);
  }
  lua_pushnil(L);
  return 1;
}

FL_NOINLINE char *rapidjson_write_table(struct api_walk *a, char *w, int *opened) {
  struct api_opened f;
  return rapidjson_open_table(a, &f) ? api_begin_level(a, w, &f, lua_gettop(a->L) - 1, opened) : NULL;
}

static const struct api_ops rapidjson_ops = {.write_table = rapidjson_write_table};

/* ------------------------------------------------------------------------------------- encode, dump */

/* Raises an error of encoding with lua-rapidjson's message. */
FL_NOINLINE int rapidjson_raise_(struct mod_call *call, const struct api_walk *a, enum fl_error error) {
  lua_State *L = call->L;
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  if (a->thrown) return lua_error(L);
  switch (error) {
  case FL_ERROR_TYPE:
    lua_pushfstring(
        L, call->options == &codec->json ? "value type %s is not a valid json value" : "unsupported value type : %s",
        a->detail);
    break;
  case FL_ERROR_DEPTH: lua_pushliteral(L, "nested too depth"); break;
  case FL_ERROR_NAN:
  case FL_ERROR_INFINITE: lua_pushliteral(L, "error while encode double value."); break;
  default: dropin_push_error(L, error);
  }
  return mod_raise(L, 0);
}

FL_PRIVATE int rapidjson_flag(lua_State *L, int index, const char *name) {
  lua_getfield(L, index, name);
  const int on = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return on;
}

FL_PRIVATE void rapidjson_indent(struct mod_options *o) {
  memcpy(o->indent, "    ", 4);
  o->style.indent_length = 4;
}

FL_PRIVATE_NOINLINE void rapidjson_read_options_(struct mod_call *call, int index) {
  lua_State *L = call->L;
  struct mod_options *o = &call->own;
  luaL_checktype(L, index, LUA_TTABLE);
  *o = *call->options;
  if (rapidjson_flag(L, index, "pretty")) rapidjson_indent(o);
  o->style.sort_keys = (unsigned)rapidjson_flag(L, index, "sort_keys") & 1u;
  o->style.empty_object = !rapidjson_flag(L, index, "empty_table_as_array");
  lua_getfield(L, index, "max_depth");
  if (lua_isnumber(L, -1)) {
    const lua_Integer depth = lua_tointeger(L, -1);
    o->style.max_depth = depth <= 0 ? 0 : depth < MOD_DEPTH_LIMIT ? (uint32_t)depth : MOD_DEPTH_LIMIT;
  }
  lua_pop(L, 1);
  mod_settle_options(o);
  call->options = o;
}

/* encode(value [, options]) -> text */
static int rapidjson_encode_call(lua_State *L) {
  struct mod_call call;
  rapidjson_begin(&call, L, 2);
  if (FL_UNLIKELY(lua_isnone(L, 1))) return luaL_error(L, "unsupported value type : no value");
  return mod_run(&call);
}

FL_PRIVATE int rapidjson_write_file(lua_State *L, const char *path) {
  size_t n;
  const char *s = lua_tolstring(L, -1, &n);
  FILE **file = mod_push_file(L);
  if (!(*file = fopen(path, "wb"))) return luaL_error(L, "error while open file: %s", path);
  int fine = fwrite(s, 1, n, *file) == n;
  fine &= fclose(*file) == 0;
  *file = NULL;
  if (!fine) return luaL_error(L, "error while write file: %s", path);
  return 0;
}

/* dump(value, path [, options]) */
static int rapidjson_dump(lua_State *L) {
  struct mod_call call;
  rapidjson_begin(&call, L, 3);
  const char *path = luaL_checkstring(L, 2);
  compat_need_stack(L, 8);
  mod_run(&call);
  return rapidjson_write_file(L, path);
}

FL_PRIVATE_NOINLINE int rapidjson_return_fault_(struct mod_decode *d, const char *origin, const char *format) {
  lua_State *L = d->L;
  char digits[NUM_ROOM];
  struct dropin_fault fault;
  if (!dropin_find_fault(d, &rapidjson_fault_rules, &fault)) return luaL_error(L, "not enough memory");
  *num_write_u64(digits, (uint64_t)(fault.at - origin)) = 0;
  lua_pushnil(L);
  lua_pushfstring(L, format, rapidjson_fault_rules.texts[fault.cause], digits);
  return 2;
}

/* Replaces the arguments (address, length) by a string of these bytes. */
FL_NOINLINE void rapidjson_take_bytes_(lua_State *L) {
  const char *s = (const char *)lua_touserdata(L, 1);
  const lua_Integer n = luaL_checkinteger(L, 2);
  luaL_argcheck(L, n >= 0 && (uint64_t)n <= SIZE_MAX / 2, 2, "length of a memory expected");
  luaL_argcheck(L, s || n == 0, 1, "memory expected, got NULL");
  lua_pushlstring(L, s ? s : "", (size_t)n);
  lua_replace(L, 1);
}

/* decode(text), decode(address, length) -> value; or nil, message */
static int rapidjson_decode(lua_State *L) {
  struct mod_decode d;
  struct json_scan scan;
  if (FL_UNLIKELY(lua_type(L, 1) != LUA_TSTRING)) {
    if (lua_type(L, 1) != LUA_TLIGHTUSERDATA)
      return luaL_argerror(L, 1, "required string or lightuserdata (points to a memory of a string)");
    rapidjson_take_bytes_(L);
  }
  rapidjson_begin_decode(&d, L);
  mod_set_text(&d, 1);
  return FL_LIKELY(mod_scan_whole(&d, &scan)) ? 1 : rapidjson_return_fault_(&d, d.begin, "%s (%s)");
}

FL_PRIVATE const char *rapidjson_read_file(struct mod_decode *d, const char *path, int *there) {
  lua_State *L = d->L;
  size_t n;
  compat_need_stack(L, 8);
  FILE **file = mod_push_file(L);
  *file = file_open(path, "rb");
  *there = *file != NULL;
  char *bytes = *there ? (char *)(uintptr_t)mod_read_rest(L, *file, &n) : NULL;
  if (*there) fclose(*file);
  *file = NULL;
  if (!bytes) {
    lua_pushnil(L);
    lua_pushfstring(L, "error while %s file: %s", *there ? "read" : "open", path);
    return NULL;
  }
  struct text_form form = text_form_of(bytes, n);
  d->begin = bytes + form.mark;
  d->end = bytes + n;
  if (form.unit == 1) return bytes;
  if (n > SIZE_MAX / 4) luaL_error(L, "not enough memory");
  char *w = (char *)lua_newuserdata(L, n / 2 * 3 + 4);
  d->end = text_wide_to_utf8(w, d->begin, (size_t)(d->end - d->begin), &form);
  d->begin = w;
  w[d->end - w] = 0;
  return w;
}

/* load(path) -> value; or nil, message */
static int rapidjson_load(lua_State *L) {
  struct mod_decode d;
  struct json_scan scan;
  const char *path = luaL_checkstring(L, 1), *origin;
  int there;
  rapidjson_begin_decode(&d, L);
  origin = rapidjson_read_file(&d, path, &there);
  if (!origin) return there ? 2 : mod_raise(L, 0);
  return mod_scan_whole(&d, &scan) ? 1 : rapidjson_return_fault_(&d, origin, "%s (%s)");
}

/* ------------------------------------------------------------------------------------- object, array */

/* Returns whether the metatable at an index is one that many tables share, such as the marks of arrays and objects.
** That of dkjson's null does not count. */
static int rapidjson_is_shared(lua_State *L, int metatable) {
  const struct mod_state *m = (const struct mod_state *)lua_touserdata(L, lua_upvalueindex(MOD_STATE));
  const enum table_class mark = encode_class_of(&m->encode->marks, lua_topointer(L, metatable));
  return mark != ENCODE_PLAIN && mark != ENCODE_NULL;
}

/* Marks the table at 1, or a new one. The metatables are registered by name, so lua-rapidjson has the same. A metatable
** that other tables share is replaced instead of changed. */
static int rapidjson_mark(lua_State *L, const char *name, const char *other, const char *type) {
  if (lua_isnoneornil(L, 1)) {
    lua_settop(L, 0);
    lua_newtable(L);
  }
  if (!lua_istable(L, 1)) return luaL_argerror(L, 1, "optional table excepted");
  lua_settop(L, 1);
  lua_getfield(L, LUA_REGISTRYINDEX, name);
  if (lua_getmetatable(L, 1)) {
    lua_getfield(L, LUA_REGISTRYINDEX, other);
    if (!lua_rawequal(L, 3, 4) && !rapidjson_is_shared(L, 3)) {
      lua_pushstring(L, type);
      lua_setfield(L, 3, "__jsontype");
      lua_settop(L, 1);
      return 1;
    }
    lua_settop(L, 2);
  }
  lua_setmetatable(L, 1);
  return 1;
}

static int rapidjson_object(lua_State *L) { return rapidjson_mark(L, "json.object", "json.array", "object"); }
static int rapidjson_array(lua_State *L) { return rapidjson_mark(L, "json.array", "json.object", "array"); }

/* ------------------------------------------------------------------------------------- classes */

FL_PRIVATE void *rapidjson_check(lua_State *L, int index, const void *key, const char *name) {
  void *p = lua_touserdata(L, index);
  int is_one = 0;
  if (p && lua_getmetatable(L, index)) {
    compat_registry_get(L, key);
    is_one = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
  }
  if (!is_one) luaL_argerror(L, index, lua_pushfstring(L, "%s expected, got %s", name, luaL_typename(L, index)));
  return p;
}

FL_PRIVATE void rapidjson_open_class(lua_State *L, const void *key, const char *name, const luaL_Reg *methods,
                                     int base) {
  compat_registry_get(L, key);
  if (lua_isnil(L, -1)) {
    mod_push_library(L, base, methods);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    mod_set_string(L, "__name", name);
    compat_registry_set(L, key);
  }
  lua_pop(L, 1);
}

/* ------------------------------------------------------------------------------------- the module */

/* clang-format off */
static const luaL_Reg rapidjson_functions[] = {
    {"encode", rapidjson_encode_call}, {"decode", rapidjson_decode}, {"dump", rapidjson_dump},
    {"load", rapidjson_load},     {"object", rapidjson_object}, {"array", rapidjson_array},
    {"Document", rapidjson_document}, {"SchemaDocument", rapidjson_schema}, {"SchemaValidator", rapidjson_validator},
    {NULL, NULL},
};

/* clang-format on */

/* Pushes the metatable with that name in the registry; the first call creates it. */
static void rapidjson_push_metatable(lua_State *L, const char *name, const char *type) {
  luaL_newmetatable(L, name);
  mod_set_string(L, "__jsontype", type);
}

static void rapidjson_defaults(struct mod_codec *codec) {
  struct json_style *s = &codec->encode.style;
  mod_default_options(&codec->encode, JSON_ESCAPE_UPPER);
  s->max_depth = RAPIDJSON_DEPTH;
  s->empty_object = 1;
  s->precision = JSON_PRECISION_ECMA;
  codec->encode.policy.rules = &rapidjson_table_rules;
  codec->encode.policy.ops = &rapidjson_ops;
  codec->encode.policy.shape = rapidjson_shape_of(codec->state->verdict.facts);
  codec->encode.raise = rapidjson_raise_;
  codec->json = codec->encode;
  codec->json.style.max_depth = RAPIDJSON_DEPTH_DOCUMENT;
  mod_settle_options(&codec->encode);
  mod_settle_options(&codec->json);
  mod_default_decode_options(&codec->decode);
  codec->decode.bad_text = JSON_BAD_LOW;
  codec->decode.max_depth = MOD_DEPTH_LIMIT;
  codec->decode.arrays = codec->decode.objects = 1;
}

FL_PRIVATE int rapidjson_open(lua_State *L) {
  struct mod_codec *codec = mod_push_upvalues(L, sizeof *codec);
  const int base = lua_gettop(L) - MOD_UPVALUES + 1;
  rapidjson_defaults(codec);
  lua_createtable(L, MOD_VALUE_OBJECTS, 0);
  rapidjson_push_metatable(L, "json.array", "array");
  lua_rawseti(L, -2, MOD_VALUE_ARRAYS);
  rapidjson_push_metatable(L, "json.object", "object");
  lua_rawseti(L, -2, MOD_VALUE_OBJECTS);
  lua_replace(L, base + MOD_VALUES - 1);
  rapidjson_open_documents(L, base);
  rapidjson_open_schemas(L, base);
  mod_push_library(L, base, rapidjson_functions);
  lua_pushlightuserdata(L, NULL);
  lua_setfield(L, -2, "null");
  mod_set_string(L, "_NAME", "rapidjson");
  mod_set_string(L, "_VERSION", "0.7.2");
  return 1;
}
