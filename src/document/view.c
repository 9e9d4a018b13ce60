/* SPDX-License-Identifier: MIT */
#include "view.h"
#include "../decode/face/decode.h"
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

FL_PRIVATE void view_push_big(lua_State *L, unsigned scalars, const char *text, size_t n, const struct num_value *v) {
  struct json_to_lua_options o = {0};
  struct json_to_lua k;
  k.L = L;
  k.o = &o;
  o.big = (enum json_to_lua_big)(scalars & ~(unsigned)VIEW_HAS_NULL);
  lua_rawgeti(L, -1, MOD_VALUE_INT64);
  lua_replace(L, -2);
  o.int64 = lua_gettop(L);
  if (!json_to_lua_push_big(&k, text, n, v)) {
    lua_pushstring(L, json_check_message(JSON_CHECK_INEXACT));
    (void)mod_raise_kind(L, 0, json_check_kind(JSON_CHECK_INEXACT));
  }
  lua_replace(L, -2);
}

FL_PRIVATE_NOINLINE void view_push_by_options_(lua_State *L, int env, const struct mod_doc *owner, bin_value v) {
  char text[NUM_ROOM];
  int is_big;
  compat_need_stack(L, 8);
  if (bin_type_of(v) == BIN_TYPE_NULL && owner->scalars & VIEW_HAS_NULL) {
    view_get_env(L, env, VIEW_ENV_VALUES);
    lua_rawgeti(L, -1, MOD_VALUE_NULL);
    lua_replace(L, -2);
    return;
  }
  if (bin_tag(v) == BIN_TAG_INTEGER) {
    const uint64_t bits = bin_integer(v, &is_big);
    if (is_big || !json_to_lua_integer_fits((int64_t)bits)) {
      const struct num_value number = {(int64_t)bits, is_big ? (double)bits : (double)(int64_t)bits,
                                       is_big ? NUM_BIG : NUM_INTEGER};
      const char *end = is_big ? num_write_u64(text, bits) : num_write_i64(text, (int64_t)bits);
      view_get_env(L, env, VIEW_ENV_VALUES);
      view_push_big(L, owner->scalars, text, (size_t)(end - text), &number);
      return;
    }
  }
  view_push_scalar(L, owner, v);
}
