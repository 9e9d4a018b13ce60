/* SPDX-License-Identifier: MIT
** arguments.c -- the arguments of json_patch and related functions as texts or as Lua values; their errors.
** Must hold: as patch.h. */
#include "../../encode/face/marks.h"
#include "patch.h"

FL_PRIVATE void mod_patch_begin(struct mod_patch *p, lua_State *L, const char *first, const char *second, int options) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  for (int arg = 1; arg <= 2; arg++)
    if (lua_isnoneornil(L, arg)) mod_argument_error(L, arg, "value expected; fleece.null is null");
  if (!options && lua_istable(L, 3)) mod_argument_error(L, 3, "options are those of a codec: fleece.new(options)");
  lua_settop(L, 3);
  for (int arg = 1; arg <= 2; arg++) p->was_text[arg - 1] = lua_type(L, arg) == LUA_TSTRING;
  compat_need_stack(L, 40);
  p->L = L;
  p->names[0] = first;
  p->names[1] = second;
  p->is = codec->pick;
  p->is.read = 0;
  p->hint = NULL;
  lua_pushnil(L);
  mod_begin_decode(&p->f.d, L, 4, MOD_OF_PREFIX);
  mod_push_exact_metatable(L);
  p->exact = lua_gettop(L);
  p->f.own = codec->encode;
  memset(&p->tables, 0, sizeof p->tables);
  p->tables.walk.left = UINT64_MAX;
  value_tables_begin(&p->tables, L, codec->state, &p->f.own.style, (int)p->f.d.o.layout_api);
  mod_edit_settle(&p->f);
  mod_edit_prepare(&p->f);
}

/* Puts the name of the argument before the message on top. */
static void mod_patch_name_argument(const struct mod_patch *p, int arg) {
  if (arg > 2 || !p->names[arg - 1]) return; /* a value within argument 1 */
  lua_pushfstring(p->L, "%s: ", p->names[arg - 1]);
  lua_insert(p->L, -2);
  lua_concat(p->L, 2);
}

/* Ends the call: the argument, a text, has the scan's error. */
static int mod_patch_text_failed(struct mod_patch *p, int arg, const struct json_scan *scan) {
  size_t n;
  struct mod_failure failure;
  p->f.d.begin = lua_tolstring(p->L, arg, &n);
  p->f.d.end = p->f.d.begin + n;
  mod_push_decode_error_(&p->f.d, scan->error, scan->at, &failure);
  mod_patch_name_argument(p, arg);
  return mod_raise_failure(p->f.d.L, p->f.d.o.safe, &failure);
}

FL_PRIVATE int mod_patch_fail_at(const struct mod_patch *p) {
  const char *const at = p->f.e.at;
  const enum fl_kind kind = json_edit_kind(p->f.e.error);
  if (!at || at < p->f.d.begin || at >= p->f.d.end) return mod_patch_fail(p, kind);
  return mod_raise_at(p->f.d.L, p->f.d.o.safe, kind, (size_t)(at - p->f.d.begin) + 1);
}

FL_PRIVATE int mod_patch_core_failed(struct mod_patch *p, int arg) {
  if (p->f.e.error == JSON_EDIT_TEXT) return mod_patch_text_failed(p, arg, &p->f.e.scan);
  if (p->f.e.error == JSON_EDIT_MEMORY) return mod_raise_memory_(p->L, p->f.d.o.safe);
  lua_pushstring(p->L, json_edit_message(p->f.e.error));
  return mod_patch_fail(p, json_edit_kind(p->f.e.error));
}

FL_PRIVATE int mod_patch_to_text(struct mod_patch *p, int arg, int *results) {
  lua_State *L = p->L;
  const int top = lua_gettop(L);
  struct mod_call call;
  if (lua_type(L, arg) == LUA_TSTRING) return 1;
  mod_start_call(&call, L, p->f.d.state, &p->f.own, arg);
  if (mod_run(&call) != 1) {
    mod_patch_name_argument(p, arg);
    return *results = mod_patch_fail(p, call.kind), 0;
  }
  lua_replace(L, arg);
  lua_settop(L, top);
  return 1;
}

FL_PRIVATE int mod_patch_to_value(struct mod_patch *p, int arg, int *results) {
  lua_State *L = p->L;
  const struct json_to_lua_options o = p->f.d.o;
  struct json_scan scan;
  if (mod_patch_is_foreign(L, arg)) {
    if (!mod_patch_to_text(p, arg, results)) return 0;
    mod_patch_keep_digits(p);
  }
  if (lua_type(L, arg) != LUA_TSTRING) return 1;
  mod_set_text(&p->f.d, arg);
  if (arg == 2) p->f.d.o.duplicates = JSON_TO_LUA_UNIQUE; /* as mod_patch_read */
  if (!mod_scan_whole(&p->f.d, &scan)) return *results = mod_patch_text_failed(p, arg, &scan), 0;
  lua_replace(L, arg);
  p->f.d.o = o;
  return 1;
}

FL_PRIVATE struct patch_value *mod_patch_read(struct mod_patch *p, int arg, struct patch_value *other, int *results) {
  struct patch_value *v = NULL;
  const enum mod_taker of = p->f.d.of;
  mod_set_text(&p->f.d, arg);
  mod_edit_begin_scan(&p->f);
  p->f.d.of = MOD_OF_PATCH_TEXT;
  const char *s = mod_skip_first(&p->f.d, &p->f.e.scan, p->f.d.begin);
  if (s) v = patch_read_text(&p->f.e, s, p->f.d.end, !p->was_text[arg - 1], other);
  else p->f.e.error = JSON_EDIT_TEXT;
  if (!v) *results = mod_patch_core_failed(p, arg);
  p->f.d.of = of;
  return v;
}

FL_PRIVATE int mod_patch_operation_failed(struct mod_patch *p, int number, const struct patch_operation *o, int has_op,
                                          enum patch_error error, const struct patch_pointer *at) {
  lua_State *L = p->L;
  const struct json_edit *e = &p->f.e;
  if (error == PATCH_ERROR_EDIT && e->error == JSON_EDIT_MEMORY) return mod_raise_memory_(L, p->f.d.o.safe);
  if (!has_op) lua_pushfstring(L, "operation %d", number);
  else lua_pushfstring(L, "operation %d (%s)", number, patch_words[o->is]);
  if (at && at->s) {
    lua_pushlstring(L, at->s, at->n);
    mod_path_push_text(L, lua_gettop(L));
    lua_remove(L, -2);
    if (has_op)
      lua_pushfstring(L, "operation %d (%s%s '%s')", number, patch_words[o->is], at == &o->from ? " from" : "",
                      lua_tostring(L, -1));
    else lua_pushfstring(L, "operation %d ('%s')", number, lua_tostring(L, -1));
  }
  lua_pushliteral(L, ": ");
  if (error != PATCH_ERROR_EDIT) {
    lua_pushstring(L, patch_message(error));
  } else if (e->error == JSON_EDIT_TEXT) {
    lua_pushfstring(L, "its value cannot be read: %s", json_check_message(e->scan.error));
  } else {
    lua_pushstring(L, e->error == JSON_EDIT_ROOT ? "the whole value cannot be removed" : json_edit_message(e->error));
    if (at && at->s) mod_edit_add_step(L, at->steps, at->count, e->step);
  }
  lua_pushstring(L, p->hint ? p->hint : "");
  lua_concat(L, 4);
  return error == PATCH_ERROR_EDIT ? mod_patch_fail_at(p) : mod_patch_fail(p, patch_kind(error));
}
