/* SPDX-License-Identifier: MIT
** patch.c -- json_patch and merge_patch, and their form for texts; json_diff and merge_diff, which work on texts: a
** table means what encode writes for it.
** Must hold: as patch.h. */
#include "patch.h"
#include "../../encode/face/marks.h"

/* limits for a patch whose places are found while the text is tested */
enum { MOD_PATCH_PATHS = 32, MOD_PATCH_STEPS = 256 };

static int mod_patch_begin_text(struct mod_patch *p, struct mod_edit_goals *known, int *results) {
  struct json_edit *e = &p->f.e;
  mod_set_text(&p->f.d, 1);
  if (!mod_edit_begin(&p->f, &p->is, known)) {
    *results = mod_decode_error_(&p->f.d, e->scan.error, e->scan.at);
    return 0;
  }
  if (known && known->done && !mod_edit_place(&p->f, known)) {
    *results = mod_patch_core_failed(p, 1);
    return 0;
  }
  e->patch = lua_tostring(p->L, 2);
  e->one_line = p->f.own.style.one_line;
  return 1;
}

static void mod_patch_add_path(struct json_goal_path *paths, uint32_t *n, size_t *steps,
                               const struct patch_pointer *pointer) {
  if (!pointer->steps) return;
  paths[*n].steps = pointer->steps;
  paths[(*n)++].count = pointer->count;
  *steps += pointer->count;
}

/* Returns the paths of the operations as goals, or NULL if they are too many, or invalid. */
static struct mod_edit_goals *mod_patch_goals(struct mod_patch *p, const struct patch_value *list,
                                              struct mod_edit_goals *known) {
  struct json_goal_path paths[MOD_PATCH_PATHS];
  size_t steps = 0;
  uint32_t n = 0;
  for (const struct patch_value *v = list->is.first; v; v = v->next) {
    struct patch_operation o;
    if (n + 2 > MOD_PATCH_PATHS || steps > MOD_PATCH_STEPS || patch_read_operation(&p->f.e, v, &o)) return NULL;
    mod_patch_add_path(paths, &n, &steps, &o.path);
    mod_patch_add_path(paths, &n, &steps, &o.from);
  }
  return n > 0 && steps <= MOD_PATCH_STEPS && mod_edit_make_goals(&p->f, paths, n, steps, known) ? known : NULL;
}

static int mod_patch_text(struct mod_patch *p) {
  const struct patch_value *list, *v;
  struct mod_edit_goals known;
  int results, number = 1;
  if (!(list = mod_patch_read(p, 2, NULL, &results))) return results;
  if (!mod_patch_begin_text(p, list->kind == PATCH_ARRAY ? mod_patch_goals(p, list, &known) : NULL, &results))
    return results;
  if (list->kind != PATCH_ARRAY) {
    lua_pushliteral(p->L, "a list of operations expected");
    return mod_patch_fail(p, FL_KIND_SYNTAX);
  }
  size_t copies = patch_copies((size_t)lua_rawlen(p->L, 1), p->f.d.o.max_bytes);
  for (v = list->is.first; v; v = v->next, number++) {
    struct patch_operation o;
    const struct patch_pointer *at;
    enum patch_error error = patch_read_operation(&p->f.e, v, &o);
    if (error) {
      const int has_op = error != PATCH_ERROR_NO_OBJECT && error != PATCH_ERROR_NO_OP &&
                         error != PATCH_ERROR_UNKNOWN_OP;
      return mod_patch_operation_failed(p, number, &o, has_op, error, &o.path);
    }
    if ((error = patch_apply(&p->f.e, &o, &copies, &at)) != PATCH_OK)
      return mod_patch_operation_failed(p, number, &o, 1, error, at);
  }
  return mod_edit_result(&p->f);
}

FL_PRIVATE int mod_json_patch(lua_State *L) {
  struct mod_patch p;
  int results;
  mod_patch_begin(&p, L, NULL, "operations", 0);
  if (lua_type(L, 2) != LUA_TSTRING && lua_type(L, 2) != LUA_TTABLE && !mod_patch_is_foreign(L, 2))
    return mod_type_error(L, 2, "table");
  if (lua_type(L, 1) == LUA_TSTRING) return mod_patch_to_text(&p, 2, &results) ? mod_patch_text(&p) : results;
  if (!mod_patch_to_value(&p, 1, &results) || !mod_patch_to_value(&p, 2, &results)) return results;
  return mod_patch_tables(&p);
}

/* Adds the path of a merge patch's member, which could not be set, to the message on top. */
static int mod_patch_merge_failed(struct mod_patch *p, const struct patch_value *v) {
  enum { SHOWN = 100 }; /* length of the path, roughly, and limit for a name */
  lua_State *L = p->L;
  lua_pushstring(L, "': ");
  for (; v->name && lua_rawlen(L, -1) < SHOWN; v = v->up) {
    lua_pushliteral(L, "/");
    lua_pushlstring(L, v->name, v->name_length < SHOWN ? v->name_length : SHOWN);
    luaL_gsub(L, luaL_gsub(L, lua_tostring(L, -1), "~", "~0"), "/", "~1");
    lua_replace(L, -3);
    lua_pop(L, 1);
    lua_insert(L, -3);
    lua_insert(L, -3);
    lua_concat(L, 3);
  }
  lua_pushstring(L, v->name ? "member '..." : "member '");
  lua_insert(L, -2);
  lua_pushstring(L, json_edit_message(p->f.e.error));
  lua_concat(L, 3);
  return mod_patch_fail_at(p);
}

static int mod_patch_merge_text(struct mod_patch *p) {
  const struct patch_value *patch, *at;
  int results;
  if (!(patch = mod_patch_read(p, 2, NULL, &results)) || !mod_patch_begin_text(p, NULL, &results)) return results;
  if (!patch_merge(&p->f.e, patch, &at)) {
    const int no_place = p->f.e.error == JSON_EDIT_TEXT || p->f.e.error == JSON_EDIT_MEMORY || !at->name;
    return no_place ? mod_patch_core_failed(p, 1) : mod_patch_merge_failed(p, at);
  }
  return mod_edit_result(&p->f);
}

FL_PRIVATE int mod_merge_patch(lua_State *L) {
  struct mod_patch p;
  int results;
  mod_patch_begin(&p, L, NULL, "patch", 0);
  if (lua_type(L, 1) == LUA_TSTRING) return mod_patch_to_text(&p, 2, &results) ? mod_patch_merge_text(&p) : results;
  if (!mod_patch_to_value(&p, 1, &results) || !mod_patch_to_value(&p, 2, &results)) return results;
  return mod_patch_merge_tables(&p);
}

#define MOD_DIFF_ROW(name, kind, member, takers) MOD_OPTION(name, struct patch_diff, member, takers, MOD_IS_##kind)
static const struct mod_option mod_patch_diff_rows[] = {MOD_DIFF_OPTIONS(MOD_DIFF_ROW){0}};

/* Reads what differs of two texts. Returns 0 if both must be read. */
static int mod_patch_read_parts(struct mod_patch *p, struct patch_value *v[2], int sizes) {
  struct patch_text texts[2];
  for (int i = 0; i < 2; i++) {
    mod_set_text(&p->f.d, i + 1);
    mod_edit_begin_scan(&p->f);
    if (!(texts[i].begin = mod_skip_first(&p->f.d, &p->f.e.scan, p->f.d.begin))) return 0;
    texts[i].end = p->f.d.end;
    texts[i].of_lua = !p->was_text[i];
  }
  return patch_read_parts(&p->f.e, texts, sizes, v);
}

/* Reads both arguments; v[1] may have values with `same` in v[0], unless is_parts. sizes: see patch_read_parts. Returns
** 0 with the results in *results. */
static int mod_patch_read_both(struct mod_patch *p, struct patch_value *v[2], int is_parts, int sizes, int *results) {
  for (int i = 0; i < 2; i++)
    if (!mod_patch_to_text(p, i + 1, results)) return 0;
  if (!is_parts && mod_patch_read_parts(p, v, sizes)) return 1;
  for (int i = 0; i < 2; i++)
    if (!(v[i] = mod_patch_read(p, i + 1, i > 0 && !is_parts ? v[0] : NULL, results))) return 0;
  return 1;
}

/* Returns the result on top, a text, as a table unless the first argument was a text. */
static int mod_patch_return(struct mod_patch *p, int is_text) {
  struct json_scan scan;
  if (is_text) return 1;
  lua_replace(p->L, 1);
  if (p->f.own.style.empty_object && !p->f.d.o.arrays) { /* or an empty array would be encoded as an object */
    mod_push_mark(p->L, MOD_MARK_ARRAY);
    p->f.d.o.arrays = lua_gettop(p->L);
  }
  mod_set_text(&p->f.d, 1);
  mod_patch_keep_digits(p);
  return mod_scan_whole(&p->f.d, &scan) ? 1 : mod_decode_error_(&p->f.d, scan.error, scan.at);
}

static int mod_patch_push_diff(struct mod_patch *p, const struct patch_diff *d) {
  struct mod_call call;
  struct encode_state *c;
  char *w = mod_edit_begin_text(&p->f, &p->f.own, &call, &c, d->changes.size + 2);
  if (!w) return mod_raise_memory_(p->L, p->f.d.o.safe);
  w = patch_write(d, w);
  FL_ASSERT((size_t)(w - c->out.buffer.begin) <= d->changes.size + 2);
  return mod_finish(&call, c, w);
}

/* Finds the changes between two tables from what differs of them. Returns 0 if that needs more of them, and if the
** arguments are not such tables. */
static int mod_patch_diff_parts(struct mod_patch *p, struct patch_diff *d) {
  lua_State *L = p->L;
  const int top = lua_gettop(L), a = top + 1, b = top + 2, parts = top + 3, less = top + 4;
  struct patch_value *v[2];
  int results, done = 0;
  if (d->tests || p->f.own.style.indent_length) return 0;
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  lua_newtable(L);
  if (mod_patch_prune(p, parts)) {
    lua_pushvalue(L, 2);
    done = mod_patch_read_both(p, v, 1, 0, &results) && mod_patch_measure_parts(p, v[1], less, parts) &&
           patch_diff(d, v[0], v[1]);
  }
  if (!done) compat_copy(L, a, 1), compat_copy(L, b, 2);
  lua_settop(L, top);
  return done;
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
  d.e = &p.f.e;
  if (!mod_patch_diff_parts(&p, &d)) {
    if (!mod_patch_read_both(&p, v, 0, 1 + (d.tests != 0), &results)) return results;
    if (!patch_diff(&d, v[0], v[1])) return mod_patch_core_failed(&p, 1);
  }
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
  if (!mod_patch_read_both(&p, v, mod_patch_prune(&p, 0), 0, &results)) return results;
  if (patch_merge_diff(&p.f.e, v[0], v[1], &text, &null)) {
    lua_pushlstring(L, text.begin, (size_t)(text.end - text.begin));
    return mod_patch_return(&p, is_text);
  }
  if (!null) return mod_patch_core_failed(&p, 1);
  lua_pushliteral(L, "a merge patch cannot set a member to null: '");
  lua_pushlstring(L, null->name, null->name_length < 100 ? null->name_length : 100);
  lua_pushliteral(L, "'");
  lua_concat(L, 3);
  return mod_patch_fail(&p, FL_KIND_TYPE);
}
