/* SPDX-License-Identifier: MIT
** documents.c -- a schema over values of a document: views, and documents as a whole.
** Must hold: the document is pinned; nothing raises but for want of memory, after which it stays pinned. */
#include "../../document/view/read.h"
#include "../../document/view/text.h"
#include "../../values/documents.h"
#include "schema.h"

#define VALUE(name) value_documents_##name
#define SCHEMA(name) schema_documents_##name
#define SCHEMA_REPORTS 1
#define SCHEMA_LOOKS_UP 1
#include "../run/evaluate_template.h"

FL_INLINE uintptr_t schema_documents_identity(struct schema_documents_run_of *k, bin_value node) {
  return (void)k, (uintptr_t)node;
}

FL_INLINE uint64_t schema_documents_at(struct schema_documents_run_of *k, bin_value node) {
  return (void)k, (void)node, UINT64_MAX;
}

FL_INLINE int schema_documents_is_either(struct schema_documents_run_of *k, bin_value node) {
  return (void)k, (void)node, 0;
}

static int schema_documents_test_custom(struct schema_documents_run_of *k, uint32_t number, bin_value node) {
  struct mod_schema_call *call = (struct mod_schema_call *)k->is.custom_owner;
  compat_need_stack(call->L, 8);
  view_push_value(call->L, call->env, call->env + 1, call->owner, node);
  return mod_schema_call_check(call, "keywords", number);
}

FL_PRIVATE enum value_error mod_schema_documents(struct mod_schema_call *call, int value) {
  lua_State *L = call->L;
  struct schema_documents_run_of k;
  const struct mod_doc *owner;
  bin_value root;
  memset(&k, 0, offsetof(struct schema_documents_run_of, room));
  mod_schema_begin(&k.is, &k.values.walk, call, NULL, NULL);
  (void)view_value_at(L, value, &owner, &root);
  k.values.doc = owner->doc;
  k.values.alloc = lua_getallocf(L, &k.values.alloc_ud);
  view_push_env_of(L, value);
  call->env = lua_gettop(L);
  view_push_metatable(L, &view_key);
  call->owner = owner;
  view_pin(owner);
  call->is_valid = schema_documents_evaluate(&k, root);
  view_unpin(owner);
  return k.values.walk.error;
}

FL_PRIVATE int mod_schema_is_document(lua_State *L, int index) {
  return view_is_at(L, index) || view_test_doc(L, index) != NULL;
}
