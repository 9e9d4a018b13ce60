/* SPDX-License-Identifier: MIT
** rapidjson_module.h -- the table that require "fleece.rapidjson" returns.
** May call: lua_*, module/rapidjson*.h.  Must hold: all functions have the upvalues of state.h. */
#ifndef FLEECE_MODULE_RAPIDJSON_MODULE_H
#define FLEECE_MODULE_RAPIDJSON_MODULE_H

#include "rapidjson_schema.h"

static const luaL_Reg mod_rj_functions[] = {
    {"encode", mod_rj_encode}, {"decode", mod_rj_decode}, {"dump", mod_rj_dump},
    {"load", mod_rj_load},     {"object", mod_rj_object}, {"array", mod_rj_array},
    {"Document", mod_rj_document}, {"SchemaDocument", mod_rj_schema}, {"SchemaValidator", mod_rj_validator},
    {NULL, NULL},
};

/* Pushes the metatable of that name, made at the first call. */
FL_FUNC void mod_rj_push_metatable(lua_State *L, const char *name, const char *type) {
  luaL_newmetatable(L, name);
  lua_pushstring(L, type);
  lua_setfield(L, -2, "__jsontype");
}

FL_FUNC void mod_default_rapidjson(struct mod_codec *codec) {
  struct json_style *s = &codec->encode.style;
  mod_default_options(&codec->encode, JSON_ESCAPE_UPPER);
  s->dialect = JSON_RAPIDJSON;
  s->max_depth = MOD_RJ_DEPTH;
  s->empty_object = 1;
  s->metamethods = 0;
  codec->encode.raise = mod_raise_rapidjson_;
  codec->json = codec->encode;
  codec->json.style.max_depth = MOD_RJ_DEPTH_DOCUMENT;
  mod_settle_options(&codec->encode);
  mod_settle_options(&codec->json);
  mod_default_decode_options(&codec->decode);
  codec->decode.grammar = JSON_LOOSE;
  codec->decode.bad_text = JSON_BAD_LOW;
  codec->decode.max_depth = MOD_DEPTH_LIMIT;
  codec->decode.arrays = codec->decode.objects = 1;
}

/* Sets functions with all upvalues, which are on the stack from `base` on, in the table on top. */
FL_FUNC void mod_rj_set_functions(lua_State *L, const luaL_Reg *f, int base) {
  int i;
  for (; f->name; f++) {
    for (i = 0; i < MOD_UPVALUES; i++) lua_pushvalue(L, base + i);
    lua_pushcclosure(L, f->func, MOD_UPVALUES);
    lua_setfield(L, -2, f->name);
  }
}

/* Makes a class, whose metatable is found at `key`, unless there is one. */
FL_FUNC void mod_rj_open_class(lua_State *L, const void *key, const char *name, const luaL_Reg *methods, int base) {
  api_registry_get(L, key);
  if (lua_isnil(L, -1)) {
    lua_createtable(L, 0, 10);
    mod_rj_set_functions(L, methods, base);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    lua_pushstring(L, name);
    lua_setfield(L, -2, "__name");
    api_registry_set(L, key);
  }
  lua_pop(L, 1);
}

FL_FUNC int mod_open_rapidjson(lua_State *L) {
  struct mod_state *m;
  struct mod_codec *codec;
  int base;
  mod_check_host(L);
  luaL_checkstack(L, 2 * MOD_UPVALUES + 10, "rapidjson");
  m = mod_push_state(L);
  base = lua_gettop(L);
  codec = (struct mod_codec *)lua_newuserdata(L, sizeof *codec);
  memset(codec, 0, sizeof *codec);
  codec->state = m;
  mod_default_rapidjson(codec);
  lua_pushcfunction(L, mod_push_piece);
  lua_pushnil(L);
  lua_pushnil(L);
  lua_createtable(L, MOD_VALUE_OBJECTS, 0);
  mod_rj_push_metatable(L, "json.array", "array");
  lua_rawseti(L, -2, MOD_VALUE_ARRAYS);
  mod_rj_push_metatable(L, "json.object", "object");
  lua_rawseti(L, -2, MOD_VALUE_OBJECTS);
  lua_pushnil(L); /* no other mark for empty objects */
  mod_rj_open_class(L, &mod_rj_document_key, "rapidjson.Document", mod_rj_document_methods, base);
  mod_rj_open_class(L, &mod_rj_schema_key, "rapidjson.SchemaDocument", mod_rj_schema_methods, base);
  mod_rj_open_class(L, &mod_rj_validator_key, "rapidjson.SchemaValidator", mod_rj_validator_methods, base);
  lua_createtable(L, 0, 14);
  mod_rj_set_functions(L, mod_rj_functions, base);
  lua_pushlightuserdata(L, NULL);
  lua_setfield(L, -2, "null");
  lua_pushliteral(L, "rapidjson");
  lua_setfield(L, -2, "_NAME");
  lua_pushliteral(L, "0.7.2");
  lua_setfield(L, -2, "_VERSION");
  return 1;
}

#endif
