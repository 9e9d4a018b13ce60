/* SPDX-License-Identifier: MIT
** documents.c -- a query over values of a document: views, and documents as a whole.
** Must hold: the document is pinned, because results allocate. */
#include "../../document/view/read.h"
#include "../../document/view/text.h"
#include "../../values/documents.h"
#include "query.h"

#define VALUE(name) value_documents_##name
#define QUERY(name) query_documents_##name

/* Where results go. */
struct mod_query_views {
  struct mod_query_call *call;
  const struct mod_doc *owner;
  int env, metatable; /* of the views that are results */
};

#include "../evaluate_template.h"

static int query_documents_emit(struct query_documents_run_of *k, bin_value v) {
  const struct mod_query_views *to = (const struct mod_query_views *)k->results;
  lua_State *L = to->call->L;
  if (bin_tag(v) == BIN_TAG_SPECIAL && bin_is_undefined(v)) lua_pushlightuserdata(L, NULL);
  else view_push_value(L, to->env, to->metatable, to->owner, v);
  return mod_query_add(&k->is, to->call);
}

FL_PRIVATE enum value_error mod_query_documents(struct mod_query_call *call, int value) {
  lua_State *L = call->L;
  struct mod_query_views to;
  struct query_documents_run_of k = {0};
  mod_query_begin(&k.is, &k.values.walk, call, NULL, NULL);
  k.results = &to;
  to.call = call;
  (void)view_value_at(L, value, &to.owner, &k.root);
  k.values.doc = to.owner->doc;
  k.values.alloc = lua_getallocf(L, &k.values.alloc_ud);
  view_push_env_of(L, value);
  to.env = lua_gettop(L);
  view_push_metatable(L, &view_key);
  to.metatable = to.env + 1;
  view_pin(to.owner);
  const int fine = query_documents_evaluate(&k);
  view_unpin(to.owner);
  return fine ? VALUE_OK : k.values.walk.error;
}

FL_PRIVATE int mod_query_is_document(lua_State *L, int index) {
  return view_is_at(L, index) || view_test_doc(L, index) != NULL;
}
