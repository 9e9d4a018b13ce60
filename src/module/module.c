/* SPDX-License-Identifier: MIT */
#include "module.h"
#include "../lua/guard.h"
#include "version.h"

/* Pushes why the public API is used: what it means to an operator, then the step of the proof that failed. */
static void mod_push_reason(lua_State *L, const char *failed) {
  static const char *const meanings[][2] = {
      {"memory", "too little memory to test the layout of this Lua"},
      {"platform", "only 64-bit machines, little-endian, with 64-bit numbers are read below the public API"},
      {"no lua_newstate", "this program does not export lua_newstate, which the test of the layout needs"},
      {"FLEECE_LAYOUT=api", "the environment asks for it"},
  };
  const char *meaning = "this Lua lays out its memory in a way that this version of Fleece does not know";
  size_t i;
  for (i = 0; i < sizeof meanings / sizeof *meanings; i++)
    if (strcmp(failed, meanings[i][0]) == 0) meaning = meanings[i][1];
  lua_pushfstring(L, "%s (%s)", meaning, failed);
}

/* info() -> { version, lua, layout, decode, simd, parts [, reason] }. */
static int mod_info(lua_State *L) {
  struct mod_state *m = (struct mod_state *)lua_touserdata(L, lua_upvalueindex(MOD_STATE));
  mod_find_decoder_(L, m);
  lua_createtable(L, 0, 7);
  lua_pushliteral(L, FLEECE_VERSION);
  lua_setfield(L, -2, "version");
  lua_getglobal(L, "jit");
  if (lua_istable(L, -1)) compat_get_field(L, -1, "version");
  else lua_getglobal(L, "_VERSION");
  lua_remove(L, -2);
  if (lua_type(L, -1) != LUA_TSTRING) {
    lua_pop(L, 1);
    lua_pushliteral(L, LUA_VERSION);
  }
  lua_setfield(L, -2, "lua");
  lua_pushstring(L, m->encode->raw ? m->verdict.facts->name : "api");
  lua_setfield(L, -2, "layout");
  lua_pushstring(L, m->decode->decoder ? m->verdict.facts->name : "api");
  lua_setfield(L, -2, "decode");
  if (!m->encode->raw || !m->decode->decoder) {
    mod_push_reason(L, m->encode->raw ? m->verdict.write_failed : m->verdict.failed);
    lua_setfield(L, -2, "reason");
  }
#if defined(FLEECE_SIMD_SSE2)
  lua_pushstring(L, m->cpu & TEXT_CPU_WIDEST ? "avx512" : m->cpu & TEXT_CPU_WIDE ? "avx2" : "sse2");
#elif defined(FLEECE_SIMD_NEON)
  lua_pushliteral(L, "neon");
#else
  lua_pushliteral(L, "swar");
#endif
  lua_setfield(L, -2, "simd");
  lua_pushliteral(L, "core" PART_CHOOSE(document, " document", "") PART_CHOOSE(query, " query", "")
                         PART_CHOOSE(schema, " schema", "") PART_CHOOSE(program, " program", ""));
  lua_setfield(L, -2, "parts");
  return 1;
}

static int mod_new(lua_State *L);

/* Raise an error: a part was left out. */
#define PART_MISSING(part) \
  FL_FUNC int mod_without_##part(lua_State *L) { return luaL_error(L, "built without " #part " (FLEECE_PARTS)"); }
PART_MISSING(document)
PART_MISSING(query)
PART_MISSING(schema)
PART_MISSING(program)

/* The functions of the module's table; those of parts other than the core name their part. */
#define PART(part, f) PART_CHOOSE(part, f, mod_without_##part)
#define MOD_PAIRS PART_CHOOSE(document, mod_pairs, mod_pairs_of_tables)
#define MOD_IPAIRS PART_CHOOSE(document, mod_ipairs, mod_ipairs_of_tables)
static const luaL_Reg mod_functions[] = {
    {"encode", mod_encode},
    {"json", mod_json},
    {"size", mod_size},
    {"write", mod_write},
    {"new", mod_new},
    {"array", mod_array},
    {"object", mod_object},
    {"raw", mod_raw},
    {"info", mod_info},
    {"decode", mod_decode},
    {"decode_prefix", mod_decode_prefix},
    {"decode_file", mod_decode_file},
    {"documents", mod_documents},
    {"items", mod_items},
    {"tokens", mod_tokens},
    {"events", mod_events},
    {"pick", mod_pick},
    {"pairs", MOD_PAIRS},
    {"ipairs", MOD_IPAIRS},
    {"tonumber", mod_tonumber},
    {"format", mod_format},
    {"edit", mod_edit},
    {"format_stream", mod_format_stream},
    {"parser", mod_parser},
    {"writer", mod_writer},
    {"builder", mod_builder_new},
    {"pack", PART(document, mod_pack)},
    {"unpack", PART(document, mod_unpack)},
    {"from_json", PART(document, mod_from_json)},
    {"to_json", PART(document, mod_to_json)},
    {"check", PART(document, mod_check)},
    {"open", PART(document, mod_open_bytes)},
    {"open_file", PART(document, mod_open_file)},
    {"save", PART(document, mod_save)},
    {"write_file", PART(document, mod_write_file)},
    {"compact", PART(document, mod_compact)},
    {"lazy", PART(document, mod_lazy)},
    {"path", PART(document, mod_path)},
    {"get", PART(document, view_get)},
    {"type", PART(document, mod_type)},
    {"data", PART(document, mod_data)},
    {"keys", PART(document, mod_new_keys)},
    {"encoder", PART(document, mod_encoder)},
    {"diff", PART(document, mod_diff)},
    {"patch", PART(document, mod_patch)},
    {"date", PART(document, mod_date)},
    {"dump", PART(document, mod_dump)},
    {"query", PART(query, mod_query)},
    {"json_patch", PART(query, mod_json_patch)},
    {"json_diff", PART(query, mod_json_diff)},
    {"merge_patch", PART(query, mod_merge_patch)},
    {"merge_diff", PART(query, mod_merge_diff)},
    {"schema", PART(schema, mod_schema)},
    {NULL, NULL},
};
#undef PART

/* Lists of functions whose names argument errors look up: arguments.h. */
static const luaL_Reg *const mod_all_functions[] = {mod_functions,
                                                    parser_methods,
                                                    writer_methods,
                                                    mod_build_methods,
                                                    mod_pick_calls,
#if PART_HAS_document
                                                    builder_methods,
                                                    mutable_methods,
                                                    view_methods,
                                                    view_doc_methods,
                                                    view_keys_methods,
                                                    view_operators,
#endif
#if PART_HAS_query
                                                    mod_query_methods,
#endif
#if PART_HAS_schema
                                                    mod_schema_methods,
#endif
                                                    NULL};

/* Pushes the module's table. The upvalues of each function are on the stack from `base` on. A `for` would call nil, so
** pairs and ipairs raise an error. */
static void mod_push_functions(lua_State *L, int base) {
  const luaL_Reg *f = mod_functions;
  mod_push_library(L, base, mod_functions);
  for (; ((const struct mod_codec *)lua_touserdata(L, base + MOD_CODEC - 1))->decode.safe && f->name; f++) {
    if (f->func == MOD_PAIRS || f->func == MOD_IPAIRS) continue;
    compat_get_field(L, -1, f->name);
    lua_pushnil(L);
    mod_guard_function(L);
    lua_setfield(L, -2, f->name);
  }
  lua_pushlightuserdata(L, NULL);
  lua_setfield(L, -2, "null");
  mod_push_mark(L, MOD_MARK_ARRAY);
  lua_setfield(L, -2, "array_mt");
  mod_push_mark(L, MOD_MARK_OBJECT);
  lua_setfield(L, -2, "object_mt");
  mod_set_string(L, "_NAME", "fleece");
  mod_set_string(L, "_VERSION", FLEECE_VERSION);
}

/* Replaces an upvalue of the functions to come, from `base` on, by the value at `index`. Returns its index there. */
static int mod_give_upvalue(lua_State *L, int base, int upvalue, int index) {
  compat_copy(L, index, base + upvalue - 1);
  return lua_upvalueindex(upvalue);
}

/* new([options]) -> a table of the same functions with these options as defaults, over this table's. */
static int mod_new(lua_State *L) {
  const struct mod_codec *from = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct mod_codec codec = *from, *to;
  int i, base, order = 0, on_error = 0, null = 0, values = 0;
  lua_settop(L, 1);
  if (!lua_isnil(L, 1)) {
    mod_read_options(L, 1, &codec.encode, MOD_OF_NEW);
    lua_settop(L, 1);
    mod_read_options(L, 1, &codec.json, MOD_OF_NEW);
    order = codec.encode.order > 0 ? codec.encode.order : 0;
    on_error = codec.encode.on_error > 0 ? codec.encode.on_error : 0;
    null = codec.encode.null > 0 ? codec.encode.null : 0;
    codec.encode.policy.null = codec.json.policy.null;
    codec.json.style.escape = JSON_ESCAPE_E0;
    mod_settle_options(&codec.json);
    values = mod_read_decode_options(L, 1, &codec.decode, MOD_OF_NEW);
    PART_CHOOSE(document, mod_freeze_binary(L, 1, &codec, values), (void)0);
    mod_pick_read_options(L, 1, &codec.pick, MOD_OF_NEW);
  }
  compat_need_stack(L, 2 * MOD_UPVALUES + 4);
  base = lua_gettop(L) + 1;
  for (i = 1; i <= MOD_UPVALUES; i++) lua_pushvalue(L, lua_upvalueindex(i));
  if (order) codec.encode.order = codec.json.order = mod_give_upvalue(L, base, MOD_ORDER, order);
  if (on_error) codec.encode.on_error = codec.json.on_error = mod_give_upvalue(L, base, MOD_ON_ERROR, on_error);
  if (null) codec.encode.null = codec.json.null = mod_give_upvalue(L, base, MOD_NULL, null);
  if (values) (void)mod_give_upvalue(L, base, MOD_VALUES, values);
  to = (struct mod_codec *)lua_newuserdata(L, sizeof *to);
  *to = codec;
  mod_settle_options(&to->encode);
  mod_settle_options(&to->json);
  lua_replace(L, base + MOD_CODEC - 1);
  mod_push_functions(L, base);
  if (values) {
    compat_get_field(L, -1, "pack");
    lua_rawseti(L, values, MOD_VALUE_PACK);
  }
  return 1;
}

FL_PRIVATE int mod_open(lua_State *L, int safe) {
  struct mod_codec *codec = mod_push_upvalues(L, sizeof *codec);
  const int base = lua_gettop(L) - MOD_UPVALUES + 1;
  codec->state->functions = mod_all_functions;
  if (safe) mod_prepare_guards(L);
  mod_open_raw(L, codec->state);
  mod_default_options(&codec->encode, JSON_ESCAPE_JSON);
  mod_default_options(&codec->json, JSON_ESCAPE_E0);
  mod_default_decode_options(&codec->decode);
  codec->decode.safe = codec->encode.safe = codec->json.safe = (unsigned)safe & 1u;
  mod_settle_options(&codec->encode);
  mod_settle_options(&codec->json);
  mod_push_mark(L, MOD_MARK_OBJECT);
  lua_replace(L, base + MOD_EMPTY_OBJECT - 1);
  PART_CHOOSE(document, view_register_metatables(L, base), (void)0);
  mod_push_functions(L, base);
  return 1;
}

FLEECE_EXPORT int luaopen_fleece(lua_State *L);
FLEECE_EXPORT int luaopen_fleece_safe(lua_State *L);

/* require "fleece": data errors are raised */
int luaopen_fleece(lua_State *L) { return mod_open(L, 0); }

/* require "fleece.safe": data errors return nil, message */
int luaopen_fleece_safe(lua_State *L) { return mod_open(L, 1); }

#if !PART_HAS_program && !defined(FLEECE_BUILD)
FLEECE_EXPORT int luaopen_fleece_program(lua_State *L);
int luaopen_fleece_program(lua_State *L) { return mod_without_program(L); }
#endif
