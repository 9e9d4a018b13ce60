/* SPDX-License-Identifier: MIT
** schema.c -- lua-rapidjson's SchemaDocument and SchemaValidator.
** Must hold: a SchemaDocument and a SchemaValidator keep a schema (schema/face/schema.h), which checks the string of a
** document. */
#include "../../json/pointer.h"
#include "../../lua/state.h"
#include "rapidjson.h"
#if PART_HAS_schema
#include "../../schema/face/schema.h"

FL_IDENTITY rapidjson_schema_key = 0, rapidjson_validator_key = 0; /* keys of the registry */

/* Pushes an object of a class that keeps the value on top. */
static int rapidjson_push_keeper(lua_State *L, const void *key) {
  const int kept = lua_gettop(L);
  compat_need_stack(L, 8);
  lua_newuserdata(L, 1);
  lua_createtable(L, 1, 0);
  lua_pushvalue(L, kept);
  lua_rawseti(L, -2, 1);
  mod_set_env(L, -2);
  compat_registry_get(L, key);
  lua_setmetatable(L, -2);
  return 1;
}

FL_PRIVATE int rapidjson_schema(lua_State *L) {
  struct mod_decode d;
  const char *origin;
  switch (lua_type(L, 1)) {
  case LUA_TNONE: lua_pushliteral(L, "null"); break;
  case LUA_TTABLE: rapidjson_push_encoded(L, 1); break;
  case LUA_TSTRING:
    rapidjson_begin_decode(&d, L);
    origin = rapidjson_set_text(&d, 1);
    if (rapidjson_push_written(&d)) break;
    (void)rapidjson_return_fault_(&d, origin, "%s (at Offset %s)");
    return luaL_error(L, "fleece.rapidjson: the schema is not JSON: %s", lua_tostring(L, -1));
  default:
    (void)rapidjson_check(L, 1, &rapidjson_document_key, "none, string, table or rapidjson.Document");
    rapidjson_push_string(L, 1);
  }
  lua_insert(L, 1);
  lua_settop(L, 1);
  (void)mod_schema_make(L, 1);
  return rapidjson_push_keeper(L, &rapidjson_schema_key);
}

static void rapidjson_push_kept(lua_State *L) {
  mod_push_env(L, 1);
  lua_rawgeti(L, -1, 1);
  lua_remove(L, -2);
}

FL_PRIVATE int rapidjson_validator(lua_State *L) {
  (void)rapidjson_check(L, 1, &rapidjson_schema_key, "rapidjson.SchemaDocument");
  rapidjson_push_kept(L);
  return rapidjson_push_keeper(L, &rapidjson_validator_key);
}

/* Adds the JSON Pointer of a failure as a URI fragment. */
static void rapidjson_add_pointer(luaL_Buffer *b, const char *s, size_t n) {
  static const char hex[] = "0123456789ABCDEF";
  luaL_addchar(b, '#');
  for (; n > 0; s++, n--) {
    const unsigned char c = (unsigned char)*s;
    if (c == '/' || json_is_unreserved(*s)) {
      luaL_addchar(b, *s);
      continue;
    }
    luaL_addchar(b, '%');
    luaL_addchar(b, hex[c >> 4]);
    luaL_addchar(b, hex[c & 15]);
  }
}

/* validator:validate(document) -> true; or false, message */
static int rapidjson_validate(lua_State *L) {
  luaL_Buffer b;
  size_t n;
  (void)rapidjson_check(L, 1, &rapidjson_validator_key, "rapidjson.SchemaValidator");
  (void)rapidjson_check_document(L, 2);
  lua_settop(L, 2);
  rapidjson_push_kept(L);
  rapidjson_push_string(L, 2);
  lua_call(L, 1, 3);
  if (lua_toboolean(L, 3)) return lua_settop(L, 3), 1;
  lua_getfield(L, 5, "keyword");
  lua_getfield(L, 5, "instance");
  const char *keyword = lua_tostring(L, 6);
  const char *pointer = lua_tolstring(L, 7, &n);
  lua_pushboolean(L, 0);
  luaL_buffinit(L, &b);
  luaL_addstring(&b, "invalid \"");
  luaL_addstring(&b, strcmp(keyword, "additionalItems") == 0 ? "items" : keyword);
  luaL_addstring(&b, "\" in document at pointer \"");
  rapidjson_add_pointer(&b, pointer, n);
  luaL_addchar(&b, '"');
  luaL_pushresult(&b);
  return 2;
}

FL_PRIVATE void rapidjson_open_schemas(lua_State *L, int base) {
  static const luaL_Reg none[] = {{NULL, NULL}};
  static const luaL_Reg methods[] = {{"validate", rapidjson_validate}, {NULL, NULL}};
  rapidjson_open_class(L, &rapidjson_schema_key, "rapidjson.SchemaDocument", none, base);
  rapidjson_open_class(L, &rapidjson_validator_key, "rapidjson.SchemaValidator", methods, base);
}

#else
FL_PRIVATE int rapidjson_schema(lua_State *L) { return luaL_error(L, "built without schema (FLEECE_PARTS)"); }

FL_PRIVATE int rapidjson_validator(lua_State *L) { return rapidjson_schema(L); }

FL_PRIVATE void rapidjson_open_schemas(lua_State *L, int base) { (void)L, (void)base; }
#endif
