/* SPDX-License-Identifier: MIT */
#include "put.h"
#include "text.h"

FL_PRIVATE int view_is_value(lua_State *L) {
  return view_is_at(L, -1) || view_test_data(L, -1) || view_test_doc(L, -1) || view_test_mutable(L, -1);
}

FL_PRIVATE const struct mod_doc *view_owner(lua_State *L) {
  const struct mod_view *v = view_test(L, -1);
  const struct mod_mutable *m = view_test_mutable(L, -1);
  return v ? v->owner : m ? m->owner : view_test_doc(L, -1);
}

/* Converts the text view at 1 to a view of a document. Runs protected. */
static int view_settle_protected(lua_State *L) {
  (void)view_settle_(L, 1);
  return 0;
}

FL_PRIVATE int view_settle_quietly(lua_State *L) {
  if (!view_test_text(L, -1)) return 1;
  lua_pushcfunction(L, view_settle_protected);
  lua_pushvalue(L, -2);
  const int fine = lua_pcall(L, 1, 0, 0) == 0;
  if (!fine) lua_pop(L, 1);
  return fine;
}

FL_PRIVATE int view_put_value(lua_State *L, struct bin_encoder *e) {
  const struct mod_data *data = view_test_data(L, -1);
  const struct mod_mutable *m = view_test_mutable(L, -1);
  struct bin_work work;
  struct bin_copier copier;
  int fine;
  if (!view_settle_quietly(L)) return BIN_ERROR_MEMORY;
  const struct mod_view *v = view_test(L, -1);
  const struct mod_doc *owner = view_owner(L);
  FL_ASSERT(data || owner);
  if (data) return bin_put_data(e, (const char *)(data + 1), data->n) ? 0 : (int)e->error;
  if (!owner->doc.begin || (m && !view_mutable_is_open(L, m))) return -1;
  bin_work_init(&work, e->out.alloc, e->out.alloc_ud, bin_doc_bytes(&owner->doc) + (m ? m->tree->put : 0));
  if (m) {
    fine = bin_write_layer(&work, e, m->layer);
  } else {
    bin_copier_init(&copier, &work, e);
    fine = bin_copy(&copier, &owner->doc, v ? v->value : owner->doc.root);
    bin_copier_free(&copier);
  }
  return fine ? 0 : work.error ? work.error : (int)e->error;
}
