/* SPDX-License-Identifier: MIT
** patch.c -- json_patch and merge_patch: which way each takes, and the way of texts.
** May call: json, layout, lua_*, patch/apply.h, patch/merge.h, patch/value.h, module/json/decode.h,
** module/json/encode.h, module/text/edit.h.
** Must hold: as patch.h. */
#include "patch.h"

#include "../../patch/merge.h"

/* Makes the edit of argument 1 ready. */
static int mod_patch_begin_text(struct mod_patch *p, int *results) {
  mod_set_text(&p->f.d, 1);
  if (mod_edit_begin(&p->f, &p->is)) return 1;
  *results = mod_decode_error_(&p->f.d, p->f.e.scan.error, p->f.e.scan.at);
  return 0;
}

/* Reads the patch, argument 2, with a scan of its own: that of the edit stays. */
static const struct patch_value *mod_patch_read_patch(struct mod_patch *p, int *results) {
  const struct json_scan scan = p->f.e.scan;
  const struct patch_value *v = mod_patch_read(p, 2, results);
  char *const scratch = p->f.e.scan.scratch;
  const size_t room = p->f.e.scan.room;
  if (!v) return NULL;
  p->f.e.scan = scan;
  p->f.e.scan.scratch = scratch;
  p->f.e.scan.room = room;
  mod_set_text(&p->f.d, 1);
  return v;
}

/* json_patch of a text, with operations that are a text. */
static int mod_patch_text(struct mod_patch *p) {
  const struct patch_value *list, *v;
  int results, number = 1;
  size_t copies;
  if (!mod_patch_begin_text(p, &results) || !(list = mod_patch_read_patch(p, &results))) return results;
  if (list->kind != PATCH_ARRAY) {
    lua_pushliteral(p->L, "a list of operations expected");
    return mod_patch_fail(p);
  }
  copies = patch_copies(lua_rawlen(p->L, 1));
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
  mod_patch_begin(&p, L, NULL, "operations");
  if (lua_type(L, 2) != LUA_TSTRING && lua_type(L, 2) != LUA_TTABLE && !mod_patch_is_foreign(L, 2))
    return mod_type_error(L, 2, "table");
  if (lua_type(L, 1) == LUA_TSTRING) return mod_patch_to_text(&p, 2, &results) ? mod_patch_text(&p) : results;
  if (!mod_patch_to_value(&p, 1, &results) || !mod_patch_to_value(&p, 2, &results)) return results;
  return mod_patch_tables(&p);
}

/* merge_patch of a text, with a patch that is a text. */
static int mod_patch_merge_text(struct mod_patch *p) {
  const struct patch_value *patch;
  int results;
  if (!mod_patch_begin_text(p, &results) || !(patch = mod_patch_read_patch(p, &results))) return results;
  if (!patch_merge(&p->f.e, patch)) {
    if (p->f.e.error == JSON_EDIT_TEXT || p->f.e.error == JSON_EDIT_MEMORY) return mod_patch_core_failed(p, 1);
    lua_pushstring(p->L, json_edit_message(p->f.e.error));
    return mod_patch_fail(p);
  }
  return mod_edit_result(&p->f);
}

FL_PRIVATE int mod_merge_patch(lua_State *L) {
  struct mod_patch p;
  int results;
  mod_patch_begin(&p, L, NULL, "patch");
  if (lua_type(L, 1) == LUA_TSTRING) return mod_patch_to_text(&p, 2, &results) ? mod_patch_merge_text(&p) : results;
  if (!mod_patch_to_value(&p, 1, &results) || !mod_patch_to_value(&p, 2, &results)) return results;
  return mod_patch_merge_tables(&p);
}
