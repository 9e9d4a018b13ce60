/* SPDX-License-Identifier: MIT */
#include "open.h"

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

/* Creates the metatable of a class, and registers it at `key`; only the first call does. */
static void rapidjson_open_class(lua_State *L, const void *key, const char *name, const luaL_Reg *methods, int base) {
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
  rapidjson_open_class(L, &rapidjson_document_key, "rapidjson.Document", rapidjson_document_methods, base);
  rapidjson_open_class(L, &rapidjson_schema_key, "rapidjson.SchemaDocument", rapidjson_schema_methods, base);
  rapidjson_open_class(L, &rapidjson_validator_key, "rapidjson.SchemaValidator", rapidjson_validator_methods, base);
  mod_push_library(L, base, rapidjson_functions);
  lua_pushlightuserdata(L, NULL);
  lua_setfield(L, -2, "null");
  mod_set_string(L, "_NAME", "rapidjson");
  mod_set_string(L, "_VERSION", "0.7.2");
  return 1;
}
