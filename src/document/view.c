/* SPDX-License-Identifier: MIT */
#include "view.h"
#include "../files/map.h"

FL_PRIVATE void view_free_bytes(struct mod_doc *d) {
  while (d) {
    struct mod_doc *base = d->base;
    d->doc.begin = d->doc.end = NULL;
    d->doc.root = NULL;
    if (d->pins) return;
    if (d->map) {
      map_free(d->map, d->map_bytes);
      --*d->maps;
    }
    if (d->release) d->release(d->release_ud);
    d->release = NULL;
    d->map = NULL;
    d->base = NULL;
    d = base && --base->users == 0 && base->finalized ? base : NULL;
  }
}

FL_PRIVATE_NOINLINE int view_closed_(lua_State *L) { return luaL_error(L, "the document is closed"); }

FL_PRIVATE int view_value_at(lua_State *L, int index, const struct mod_doc **owner, bin_value *value) {
  const struct mod_view *v = view_test(L, index);
  if (!v) v = view_settle_(L, index);
  if (v) {
    *owner = v->owner;
    *value = v->value;
  } else {
    *owner = view_test_doc(L, index);
    if (!*owner) return 0;
    *value = (*owner)->doc.root;
  }
  if (FL_UNLIKELY(!(*owner)->doc.begin)) view_closed_(L);
  return 1;
}

FL_PRIVATE void view_push_metatable(lua_State *L, const void *key) {
  compat_registry_get(L, key);
  if (FL_LIKELY(!lua_isnil(L, -1))) return;
  lua_pop(L, 1);
  compat_registry_get(L, &view_metatables_key);
  lua_call(L, 0, 0);
  compat_registry_get(L, key);
}

FL_PRIVATE char *view_push_data(lua_State *L, size_t n) {
  struct mod_data *d = (struct mod_data *)lua_newuserdata(L, sizeof *d + n);
  d->magic = &view_data_magic;
  d->n = n;
  view_push_metatable(L, &view_data_key);
  lua_setmetatable(L, -2);
  return (char *)(d + 1);
}

FL_PRIVATE_NOINLINE void view_push_data_of_(lua_State *L, const char *s, size_t n) {
  memcpy(view_push_data(L, n), s, n);
}
