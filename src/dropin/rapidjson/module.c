/* SPDX-License-Identifier: MIT */
#include "module.h"

FL_PRIVATE_NOINLINE int rapidjson_raise_(struct mod_call *call, const struct api_walk *a, enum fl_error error) {
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

FL_PRIVATE int rapidjson_flag(lua_State *L, int index, const char *name, int initial) {
  int on;
  lua_getfield(L, index, name);
  on = lua_isnil(L, -1) ? initial : lua_toboolean(L, -1);
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
  if (rapidjson_flag(L, index, "pretty", 0)) rapidjson_indent(o);
  o->style.sort_keys = (unsigned)rapidjson_flag(L, index, "sort_keys", 0) & 1u;
  o->style.empty_object = !rapidjson_flag(L, index, "empty_table_as_array", 0);
  lua_getfield(L, index, "max_depth");
  if (lua_isnumber(L, -1)) {
    const lua_Integer depth = lua_tointeger(L, -1);
    o->style.max_depth = depth <= 0 ? 0 : depth < MOD_DEPTH_LIMIT ? (uint32_t)depth : MOD_DEPTH_LIMIT;
  }
  lua_pop(L, 1);
  mod_settle_options(o);
  call->options = o;
}

FL_PRIVATE int rapidjson_encode_call(lua_State *L) {
  struct mod_call call;
  rapidjson_begin(&call, L, 2);
  if (FL_UNLIKELY(lua_isnone(L, 1))) return luaL_error(L, "unsupported value type : no value");
  return mod_run(&call);
}

FL_PRIVATE int rapidjson_write_file(lua_State *L, const char *path) {
  size_t n;
  const char *s = lua_tolstring(L, -1, &n);
  FILE **file = mod_push_file(L);
  int fine;
  if (!(*file = fopen(path, "wb"))) return luaL_error(L, "error while open file: %s", path);
  fine = fwrite(s, 1, n, *file) == n;
  fine &= fclose(*file) == 0;
  *file = NULL;
  if (!fine) return luaL_error(L, "error while write file: %s", path);
  return 0;
}

FL_PRIVATE int rapidjson_dump(lua_State *L) {
  struct mod_call call;
  const char *path;
  rapidjson_begin(&call, L, 3);
  path = luaL_checkstring(L, 2);
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

/* Replaces the arguments address, length by a string of these bytes. */
FL_NOINLINE void rapidjson_take_bytes_(lua_State *L) {
  const char *s = (const char *)lua_touserdata(L, 1);
  const lua_Integer n = luaL_checkinteger(L, 2);
  luaL_argcheck(L, n >= 0 && (uint64_t)n <= SIZE_MAX / 2, 2, "length of a memory expected");
  luaL_argcheck(L, s || n == 0, 1, "memory expected, got NULL");
  lua_pushlstring(L, s ? s : "", (size_t)n);
  lua_replace(L, 1);
}

FL_PRIVATE int rapidjson_decode(lua_State *L) {
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
  struct text_form form;
  size_t n;
  FILE **file;
  char *bytes, *w;
  compat_need_stack(L, 8);
  file = mod_push_file(L);
  *file = file_open(path, "rb");
  *there = *file != NULL;
  bytes = *there ? (char *)(uintptr_t)mod_read_rest(L, *file, &n) : NULL;
  if (*there) fclose(*file);
  *file = NULL;
  if (!bytes) {
    lua_pushnil(L);
    lua_pushfstring(L, "error while %s file: %s", *there ? "read" : "open", path);
    return NULL;
  }
  form = text_form_of(bytes, n);
  d->begin = bytes + form.mark;
  d->end = bytes + n;
  if (form.unit == 1) return bytes;
  if (n > SIZE_MAX / 4) luaL_error(L, "not enough memory");
  w = (char *)lua_newuserdata(L, n / 2 * 3 + 4);
  d->end = text_wide_to_utf8(w, d->begin, (size_t)(d->end - d->begin), &form);
  d->begin = w;
  w[d->end - w] = 0;
  return w;
}

FL_PRIVATE int rapidjson_load(lua_State *L) {
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

/* Do many tables share the metatable at an index, as the mark of arrays or objects? The one of dkjson's null does not
** count. */
static int rapidjson_is_shared(lua_State *L, int metatable) {
  const struct mod_state *m = (const struct mod_state *)lua_touserdata(L, lua_upvalueindex(MOD_STATE));
  const enum table_class mark = encode_class_of(&m->encode->marks, lua_topointer(L, metatable));
  return mark != ENCODE_PLAIN && mark != ENCODE_NULL;
}

/* Marks the table at 1, or a new one. The metatables are found by name, so lua-rapidjson has the same. A metatable that
** other tables share is replaced instead of changed. */
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

FL_PRIVATE int rapidjson_object(lua_State *L) { return rapidjson_mark(L, "json.object", "json.array", "object"); }

FL_PRIVATE int rapidjson_array(lua_State *L) { return rapidjson_mark(L, "json.array", "json.object", "array"); }
