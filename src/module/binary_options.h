/* SPDX-License-Identifier: MIT
** binary_options.h -- the options of the binary functions.
** May call: lua_*, module/options.h, module/view.h.
** Must hold: raises `bad argument` before anything is allocated. What other functions know is accepted, as everywhere: one table
** serves a whole codec. */
#ifndef FLEECE_MODULE_BINARY_OPTIONS_H
#define FLEECE_MODULE_BINARY_OPTIONS_H

#include "decode_options.h"
#include "view.h"

struct mod_binary {
  int compatible;    /* mode = "compatible" */
  int canonical, json5;
  int trusted;
  int map;           /* of open_file */
  int utf8;          /* check_utf8: strings are looked at by check */
  uint32_t max_depth;
  int keys, base;    /* stack indices of a keys object and of a document, or 0 */
};

/* Pushes option `name` of the table at `arg`; false (nothing pushed): it is not there. */
FL_FUNC int mod_option(lua_State *L, int arg, const char *name, struct mod_reader *r) {
  api_get_field(L, arg, name);
  r->name = name;
  if (!lua_isnil(L, -1)) return 1;
  lua_pop(L, 1);
  return 0;
}

/* Reads the options of argument `arg`, which may be missing, over the codec's. Leaves on the stack what it refers to. */
FL_FUNC void mod_read_binary_options(lua_State *L, int arg, struct mod_binary *b) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct mod_reader r;
  memset(b, 0, sizeof *b);
  b->compatible = codec->compatible;
  b->max_depth = codec->decode.max_depth;
  b->map = 1;
  if (lua_isnoneornil(L, arg)) return;
  luaL_checktype(L, arg, LUA_TTABLE);
  luaL_checkstack(L, 12, "options");
  r.L = L, r.arg = arg, r.to = NULL, r.values = 0;
  if (mod_option(L, arg, "mode", &r)) b->compatible = mod_read_word(&r, "compact|compatible"), lua_pop(L, 1);
  if (mod_option(L, arg, "canonical", &r)) b->canonical = mod_read_boolean(&r), lua_pop(L, 1);
  if (mod_option(L, arg, "json5", &r)) b->json5 = mod_read_boolean(&r), lua_pop(L, 1);
  if (mod_option(L, arg, "trusted", &r)) b->trusted = mod_read_boolean(&r), lua_pop(L, 1);
  if (mod_option(L, arg, "map", &r)) b->map = mod_read_boolean(&r), lua_pop(L, 1);
  if (mod_option(L, arg, "check_utf8", &r)) b->utf8 = mod_read_boolean(&r), lua_pop(L, 1);
  if (mod_option(L, arg, "max_depth", &r)) b->max_depth = (uint32_t)mod_read_integer(&r, 1, MOD_DEPTH_LIMIT), lua_pop(L, 1);
  if (mod_option(L, arg, "keys", &r)) {
    b->keys = lua_gettop(L);
    if (!view_test_keys(L, b->keys)) mod_bad_option(&r, "an object that fleece.keys returned");
  }
  if (mod_option(L, arg, "base", &r)) {
    const struct mod_doc *doc = view_test_doc(L, b->base = lua_gettop(L));
    if (!doc) mod_bad_option(&r, "a document");
    if (!doc->doc.begin) view_closed_(L);
  }
}

/* Raises if the table at `arg` has an option that nobody knows. */
FL_FUNC void mod_check_option_names(lua_State *L, int arg) {
  if (lua_isnoneornil(L, arg)) return;
  luaL_checktype(L, arg, LUA_TTABLE);
  luaL_checkstack(L, 4, "options");
  lua_pushnil(L);
  while (lua_next(L, arg)) {
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
    if (!name) luaL_argerror(L, arg, "option names must be strings");
    if (!mod_is_word(name, mod_binary_names) && !mod_is_word(name, mod_decode_names) && !mod_is_word(name, mod_encode_names) &&
        !mod_is_word(name, "max_depth|invalid_numbers|invalid_utf8|layout"))
      luaL_argerror(L, arg, lua_pushfstring(L, "unknown option '%s'", name));
    lua_pop(L, 1);
  }
}

#endif
