/* SPDX-License-Identifier: MIT
** put.h -- writes documents, views, data and mutable views into an encoder.
** Must hold: nothing here raises; memory comes from the encoder's allocator and is freed. */
#pragma once

#include "../../binary/delta/amend.h"
#include "../../lua/state.h"
#include "../view.h"

/* A mutable view. Its environment has the tree and the document's environment. */
struct mod_mutable {
  const char *magic;
  struct bin_tree *tree;
  struct bin_layer *layer;
  const struct mod_doc *owner;
};

FL_IDENTITY view_mutable_magic = 0;

/* The userdata that contains `tree`. */
struct mod_tree {
  struct bin_tree tree;
  struct heap_user user; /* for its allocator */
};

FL_INLINE struct mod_mutable *view_test_mutable(lua_State *L, int index) {
  return (struct mod_mutable *)mod_test_userdata(L, index, &view_mutable_magic, sizeof(struct mod_mutable));
}

/* Returns whether its layers can be read. A finalizer frees the tree, maybe before other finalizers that still use
** it. */
FL_INLINE int view_mutable_is_open(lua_State *L, const struct mod_mutable *m) {
  struct mod_tree *t = (struct mod_tree *)(void *)m->tree;
  return m->owner->doc.begin && t->tree.blocks && !heap_is_dead(L, &t->user);
}

/* Returns whether the value on top is a view, mutable view, document or data. */
FL_PRIVATE int view_is_value(lua_State *L);

/* Returns the document of the value on top, or NULL for data. */
FL_PRIVATE const struct mod_doc *view_owner(lua_State *L);

/* Converts the value on top if it is a text view (text.h). Returns 0 if out of memory. Never raises. */
FL_PRIVATE int view_settle_quietly(lua_State *L);

/* Writes the value on top. Returns 0, BIN_ERROR_x, BIN_DELTA_ERROR_x, or -1 if its document is closed. */
FL_PRIVATE int view_put_value(lua_State *L, struct bin_encoder *e);
