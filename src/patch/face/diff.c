/* SPDX-License-Identifier: MIT
** diff.c -- json_diff and merge_diff.
** Must hold: as patch.h. Both work on texts: what a table means is what encode writes. */
#include "../diff.h"

#include "../merge.h"
#include "patch.h"

#define MOD_DIFF_ROW(name, kind, member, takers) MOD_OPTION(name, struct patch_diff, member, takers, MOD_IS_##kind)
static const struct mod_option mod_patch_diff_rows[] = {MOD_DIFF_OPTIONS(MOD_DIFF_ROW){0}};

/* Reads both arguments. False: the results are in *results. */
static int mod_patch_read_both(struct mod_patch *p, struct patch_value *v[2], int *results) {
  int i;
  for (i = 0; i < 2; i++)
    if (!mod_patch_to_text(p, i + 1, results)) return 0;
  for (i = 0; i < 2; i++)
    if (!(v[i] = mod_patch_read(p, i + 1, results))) return 0;
  return 1;
}

/* The result is on top, a text: a table is wanted unless the first argument was a text. */
static int mod_patch_return(struct mod_patch *p, int is_text) {
  struct json_scan scan;
  if (is_text) return 1;
  lua_replace(p->L, 1);
  mod_set_text(&p->f.d, 1);
  mod_patch_keep_digits(p);
  return mod_scan_whole(&p->f.d, &scan) ? 1 : mod_decode_error_(&p->f.d, scan.error, scan.at);
}

/* Pushes the patch as a text. */
static int mod_patch_push_diff(struct mod_patch *p, const struct patch_diff *d) {
  lua_State *L = p->L;
  struct mod_call call;
  struct encode_state *c;
  char *w;
  mod_start_call(&call, L, p->f.d.state, &p->f.own, 1);
  c = mod_encode_state_for_call(L, p->f.d.state);
  if (!mod_make_ready(&call, c)) return mod_raise_memory_(L, p->f.d.o.safe);
  if (!(w = buf_reserve(&c->out.buffer, c->out.buffer.begin, d->changes.size + 2))) {
    mod_free_encode_state(c);
    return mod_raise_memory_(L, p->f.d.o.safe);
  }
  w = patch_write(d, w);
  FL_ASSERT((size_t)(w - c->out.buffer.begin) <= d->changes.size + 2);
  return mod_finish(&call, c, w);
}

FL_PRIVATE int mod_json_diff(lua_State *L) {
  struct mod_patch p;
  struct patch_diff d;
  struct patch_value *v[2];
  const int is_text = lua_type(L, 1) == LUA_TSTRING;
  int results;
  mod_patch_begin(&p, L, "first argument", "second argument", 1);
  d.tests = p.is.tests;
  if (!lua_isnil(L, 3)) mod_read_rows(L, 3, MOD_OF_JSON_DIFF, mod_patch_diff_rows, &d);
  if (!mod_patch_read_both(&p, v, &results)) return results;
  d.e = &p.f.e;
  if (!patch_diff(&d, v[0], v[1])) return mod_patch_core_failed(&p, 1);
  if ((results = mod_patch_push_diff(&p, &d)) != 1) return results;
  return mod_patch_return(&p, is_text);
}

FL_PRIVATE int mod_merge_diff(lua_State *L) {
  struct mod_patch p;
  struct patch_value *v[2];
  const struct patch_value *null;
  struct json_slice text = {NULL, NULL};
  const int is_text = lua_type(L, 1) == LUA_TSTRING;
  int results;
  mod_patch_begin(&p, L, "first argument", "second argument", 0);
  if (!mod_patch_read_both(&p, v, &results)) return results;
  if (patch_merge_diff(&p.f.e, v[0], v[1], &text, &null)) {
    lua_pushlstring(L, text.begin, (size_t)(text.end - text.begin));
    return mod_patch_return(&p, is_text);
  }
  if (!null) return mod_patch_core_failed(&p, 1);
  lua_pushliteral(L, "a merge patch cannot set a member to null: '");
  lua_pushlstring(L, null->name, null->name_length < 100 ? null->name_length : 100);
  lua_pushliteral(L, "'");
  lua_concat(L, 3);
  return mod_patch_fail(&p);
}
