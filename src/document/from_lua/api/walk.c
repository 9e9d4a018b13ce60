/* SPDX-License-Identifier: MIT */
#include "walk.h"

/* Writes the value of a checked JSON text; s[n] must be 0. */
FL_NOINLINE int pack_put_json_(struct pack_walk *p, const char *s, size_t n) {
  struct json_to_binary k;
  FL_ASSERT(s[n] == 0);
  json_to_binary_init(&k, p->e, s, s + n);
  k.scan.utf8 = p->a.walk->out.utf8;
  k.scan.bad_text = JSON_BAD_PASS;
  k.scan.max_depth = UINT32_MAX;
  const char *end = json_read_space(&k.scan, s);
  if (end) end = json_to_binary_scan(&k, &k.scan, end);
  p->text_error = k.scan.error;
  json_to_binary_free(&k);
  return end != NULL;
}

/* Writes the table on top, at index `at`: an empty one, or one with a hook, completely; any other is opened as a
** level. */
static int pack_put_table(struct pack_walk *p, int at) {
  struct api_walk *a = &p->a;
  struct api_opened f;
  a->visit_all_keys = 1; /* decide before writing, because what is put cannot be undone */
  if (!api_open_table(a, at, &f)) return 0;
  if (f.text) return pack_put_json_(p, f.text, f.text_length);
  if (!bin_begin(p->e, !f.is_array)) return 0;
  if (f.empty) return bin_end(p->e);
  api_push_level(a, &f, at);
  return 1;
}

/* Writes the value on top, at index `at`. */
static int pack_put_value(struct pack_walk *p, int at) {
  struct api_walk *a = &p->a;
  lua_State *L = a->L;
  size_t n;
  const char *s;
  if (FL_LIKELY(pack_put_scalar(L, at, p->e, a->walk->out.utf8, p->data))) return 1;
  if (p->e->error) return 0;
  switch (lua_type(L, at)) {
  case LUA_TTABLE: return pack_put_table(p, at);
  case LUA_TSTRING: s = lua_tolstring(L, at, &n); return json_utf8_holds(&a->walk->out, s, n);
  case LUA_TNUMBER: return api_fail(a, FL_ERROR_NAN, NULL) != NULL;
  default:
    if (lua_type(L, at) == LUA_TUSERDATA && api_is_of_kind(a)) return p->put_binary(L, p->e);
    if (!(s = api_other_text(a, &n))) return 0;
    lua_pushlstring(L, s, n); /* a Lua string has the 0 at its end */
    return pack_put_json_(p, lua_tostring(L, -1), n);
  }
}

/* Like pack_put_value, but a handler may replace the value. */
FL_INLINE int pack_put_guarded(struct pack_walk *p, int at) {
  const struct json_out *out = &p->a.walk->out;
  int tries = 0;
  for (;;) {
    if (FL_LIKELY(out->error == FL_ERROR_NONE) && FL_LIKELY(pack_put_value(p, at))) return 1;
    const int asks = out->error != FL_ERROR_REPLACED;
    if (out->error == FL_ERROR_NONE || p->a.thrown || !api_replace(&p->a, at, p->a.depth, tries)) return 0;
    tries += asks;
  }
}

FL_PRIVATE int pack_put_key(struct pack_walk *p) {
  struct api_walk *a = &p->a;
  lua_State *L = a->L;
  char digits[JSON_NUMBER_ROOM + 8], *end;
  size_t n;
  const char *s;
  switch (lua_type(L, -1)) {
  case LUA_TSTRING:
    s = lua_tolstring(L, -1, &n);
    if (FL_LIKELY(!p->e->keys) && FL_LIKELY(pack_write_text(p->e, a->walk->out.utf8, 1, s, n))) return 1;
    return !p->e->error && json_utf8_holds(&a->walk->out, s, n) && bin_put_key(p->e, s, n);
  case LUA_TNUMBER: end = api_key_text(L, -1, digits); return bin_put_key(p->e, digits, (size_t)(end - digits));
  default: return api_fail(a, FL_ERROR_KEY, luaL_typename(L, -1)) != NULL;
  }
}

/* Writes the key at index `key`, which stays; a handler may replace it. */
static int pack_put_guarded_key(struct pack_walk *p, int key) {
  struct api_walk *a = &p->a;
  struct json_out *out = &a->walk->out;
  int at, tries = 0;
  lua_pushvalue(a->L, key);
  at = lua_gettop(a->L);
  while (!pack_put_key(p)) {
    if (out->error == FL_ERROR_NONE) return 0;
    if (out->error == FL_ERROR_UTF8) out->error = FL_ERROR_KEY_UTF8;
    if (!api_replace(a, at, a->depth - 1, tries++)) return 0;
  }
  lua_settop(a->L, at - 1);
  return 1;
}

/* Writes the items of the array at `slot` up to the first that is not a scalar. Returns 0 if the encoder failed. */
static int pack_put_run(struct pack_walk *p, struct encode_frame *frame, int slot) {
  lua_State *L = p->a.L;
  const text_utf8_fn utf8 = p->a.walk->out.utf8;
  int at = slot + 1;
  for (lua_settop(L, at); frame->i < frame->n; frame->i++) {
    if (at == slot + 9) lua_settop(L, at = slot + 1);
    (void)api_push_item(L, slot, frame->i + 1);
    if (!pack_put_scalar(L, ++at, p->e, utf8, p->data)) break;
  }
  return !p->e->error;
}

FL_PRIVATE int pack_write(struct pack_walk *p) {
  struct api_walk *a = &p->a;
  if (!pack_put_guarded(p, a->levels)) return 0;
  while (a->depth > 0) {
    struct encode_frame *frame = &a->walk->frames[a->depth - 1];
    const int slot = api_slot(a);
    if ((int)frame->kind == API_ITEMS && !pack_put_run(p, frame, slot)) return 0;
    const int more = api_next_value(a, frame, slot);
    if (more < 0) return 0;
    if (more == 0) {
      p->e->dropped = 0;
      if (!bin_end(p->e)) return 0;
      if (p->e->dropped) {
        (void)api_fail(a, FL_ERROR_SAME_NAME, NULL);
        return api_replace(a, slot, a->depth - 1, 1);
      }
      api_pop_level(a);
      continue;
    }
    if (!frame->is_array) {
      if (!pack_put_guarded_key(p, api_current_key(a, frame, slot))) return 0;
      lua_settop(a->L, slot + 2);
    }
    if (!pack_put_guarded(p, slot + 2)) return 0;
  }
  return 1;
}
