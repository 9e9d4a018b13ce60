/* SPDX-License-Identifier: MIT
** foreign_marks.c -- values of other libraries that Fleece's own encoder understands, in every build: lua-cjson's
** array_mt, empty_array_mt and empty_array; the null of lua-rapidjson and of lua-yyjson.
** Must hold: only this file of the core names other libraries. A library counts once the program has loaded it. Its
** metatables are anchored, so that an address never means another table. */
#include "state.h"

struct mod_foreign_metatable {
  const char *library, *field;
  int place; /* index among the known metatables */
  enum table_class is;
};

static const struct mod_foreign_metatable mod_foreign_metatables[] = {
    {"cjson", "array_mt", MOD_MARK_FOREIGN, ENCODE_LENGTH_ARRAY},
    {"cjson", "empty_array_mt", MOD_MARK_FOREIGN + 1, ENCODE_EMPTY_ARRAY},
};

FL_STATIC_ASSERT(MOD_MARK_FOREIGN + sizeof mod_foreign_metatables / sizeof *mod_foreign_metatables == MOD_MARK_DROPIN,
                 each_has_a_place);

/* Pushes the table of a library if it is loaded, else returns 0 and pushes nothing. `loaded`: package.loaded. Of cjson
** a program may have only cjson.safe, whose marks are the same. */
static int mod_push_loaded(lua_State *L, int loaded, const char *library) {
  compat_get_field(L, loaded, library);
  if (!lua_istable(L, -1) && strcmp(library, "cjson") == 0) {
    lua_pop(L, 1);
    compat_get_field(L, loaded, "cjson.safe");
  }
  if (lua_istable(L, -1)) return 1;
  lua_pop(L, 1);
  return 0;
}

/* Looks a metatable up in its library, whose table is on top. Returns whether it is new. */
static int mod_refresh_metatable(lua_State *L, struct mod_state *m, int anchors,
                                 const struct mod_foreign_metatable *f) {
  compat_get_field(L, -1, f->field);
  const char *address = lua_istable(L, -1) ? (const char *)lua_topointer(L, -1) : NULL;
  const int changed = address != m->encode->marks.metatable[f->place];
  lua_rawseti(L, anchors, MOD_ANCHOR_MARKS + f->place);
  m->encode->marks.metatable[f->place] = address;
  m->encode->marks.mark[f->place] = f->is;
  return changed;
}

/* Sets a sentinel to the light userdata in a library's field; a library that is not loaded changes nothing. */
static void mod_refresh_sentinel(lua_State *L, int loaded, const char *library, const char *field,
                                 const void **sentinel) {
  if (!mod_push_loaded(L, loaded, library)) return;
  compat_get_field(L, -1, field);
  *sentinel = lua_islightuserdata(L, -1) ? lua_touserdata(L, -1) : NULL;
  lua_pop(L, 2);
}

FL_PRIVATE int mod_refresh_marks(lua_State *L, void *owner) {
  struct mod_state *m = (struct mod_state *)owner;
  const int top = lua_gettop(L), anchors = top + 1, loaded = top + 2;
  int changed = 0;
  compat_need_stack(L, 8);
  compat_registry_get(L, &mod_anchor_key);
  lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
  if (lua_istable(L, loaded)) {
    for (size_t i = 0; i < sizeof mod_foreign_metatables / sizeof *mod_foreign_metatables; i++) {
      if (mod_push_loaded(L, loaded, mod_foreign_metatables[i].library))
        changed |= mod_refresh_metatable(L, m, anchors, &mod_foreign_metatables[i]);
      lua_settop(L, loaded);
    }
    mod_refresh_sentinel(L, loaded, "cjson", "empty_array", &m->encode->shared.sentinels.empty_array[0]);
    mod_refresh_sentinel(L, loaded, "rapidjson", "null", &m->encode->shared.sentinels.null[0]);
    mod_refresh_sentinel(L, loaded, "yyjson", "null", &m->encode->shared.sentinels.null[1]);
  }
  lua_settop(L, top);
  return changed;
}
