/* SPDX-License-Identifier: MIT
** documents.h -- values of a document: views, and whole documents: a form of value.h.
** Must hold: the document is pinned during the walk, and no word raises. Undefined values in arrays count as null;
** undefined members do not exist. */
#pragma once

#include "../binary/read/equal.h"
#include "value.h"

struct value_documents {
  struct value_walk walk;
  struct bin_doc doc; /* a copy, because the document may be closed meanwhile */
  fl_alloc alloc;     /* Lua's allocator, for comparisons */
  void *alloc_ud;
};

#define VALUE(name) value_documents_##name
typedef struct value_documents value_documents_form;
typedef bin_value value_documents_node;

typedef struct {
  struct bin_list list;   /* for an array */
  size_t i;               /* the next item */
  struct bin_pairs pairs; /* for a dict */
  int is_array;
} value_documents_cursor;

FL_INLINE int value_documents_settle(struct value_documents *k, bin_value v, int is_any, int is_below) {
  return (void)k, (void)v, (void)is_any, (void)is_below, 1;
}

FL_FUNC int value_documents_is_collection(struct value_documents *k, bin_value v) {
  return (void)k, bin_is_collection(v);
}

FL_FUNC void value_documents_read(struct value_documents *k, bin_value v, struct value *to) {
  int is_big;
  (void)k;
  switch (bin_type_of(v)) {
  case BIN_TYPE_BOOLEAN: to->type = bin_is_true(v) ? VALUE_TRUE : VALUE_FALSE; return;
  case BIN_TYPE_NUMBER:
    to->type = VALUE_NUMBER;
    if (!bin_is_integer(v)) {
      to->number.form = NUM_IS_DOUBLE;
      to->number.is.d = bin_double(v);
      return;
    }
    to->number.is.u = bin_integer(v, &is_big);
    to->number.form = is_big ? NUM_IS_UNSIGNED : NUM_IS_INTEGER;
    if (!is_big) to->number.is.i = (int64_t)to->number.is.u;
    return;
  case BIN_TYPE_STRING:
    to->type = VALUE_STRING;
    to->s = bin_bytes(v, &to->n);
    return;
  case BIN_TYPE_ARRAY:
    to->type = VALUE_ARRAY;
    to->n = bin_list_of(v).count;
    return;
  case BIN_TYPE_DICT: to->type = VALUE_OBJECT; return;
  case BIN_TYPE_DATA: to->type = VALUE_OTHER; return;
  default: to->type = VALUE_NULL;
  }
}

FL_FUNC int value_documents_member(struct value_documents *k, bin_value v, const struct value_name *name,
                                   bin_value *child) {
  if (bin_tag(v) != BIN_TAG_DICT) return 0;
  *child = bin_dict_get(&k->doc, v, k->walk.names + name->at, name->length);
  return *child != NULL;
}

FL_FUNC int value_documents_length(struct value_documents *k, bin_value v, uint64_t *n) {
  (void)k;
  if (bin_tag(v) != BIN_TAG_ARRAY) return 0;
  *n = bin_list_of(v).count;
  return 1;
}

FL_FUNC int value_documents_item(struct value_documents *k, bin_value v, uint64_t place, bin_value *child) {
  *child = bin_array_get(&k->doc, v, (size_t)place);
  return *child != NULL;
}

FL_FUNC void value_documents_open(struct value_documents *k, bin_value v, value_documents_cursor *c) {
  c->is_array = bin_tag(v) == BIN_TAG_ARRAY;
  c->i = 0;
  if (c->is_array) c->list = bin_list_of(v);
  else bin_pairs_begin(&c->pairs, &k->doc, v);
}

FL_FUNC int value_documents_next(struct value_documents *k, bin_value v, value_documents_cursor *c, bin_value *child) {
  (void)v;
  if (c->is_array) {
    if (c->i == c->list.count) return 0;
    *child = bin_list_item(&k->doc, &c->list, c->i++);
    return 1;
  }
  do {
    if (!bin_next_pair(&c->pairs)) return 0;
  } while (bin_is_undefined(c->pairs.value));
  *child = c->pairs.value;
  return 1;
}

FL_FUNC uint64_t value_documents_members(struct value_documents *k, bin_value v) {
  value_documents_cursor c;
  bin_value child;
  uint64_t n = 0;
  value_documents_open(k, v, &c);
  while (value_documents_next(k, v, &c, &child) && value_spend(&k->walk, 1)) n++;
  return n;
}

FL_FUNC int value_documents_equal(struct value_documents *k, bin_value a, bin_value b) {
  struct bin_work work;
  if (!bin_is_collection(a)) return bin_equal_scalars(a, b, 0);
  bin_work_init(&work, k->alloc, k->alloc_ud, 0);
  work.left = k->walk.left;
  const int equal = bin_equal(&work, &k->doc, a, &k->doc, b, 0);
  k->walk.left = work.left;
  if (equal >= 0) return equal;
  return value_fail(&k->walk, work.error == BIN_ERROR_MEMORY ? VALUE_ERROR_MEMORY : VALUE_ERROR_STEPS);
}

FL_FUNC const char *value_documents_step(struct value_documents *k, bin_value v, const value_documents_cursor *c,
                                         char *room, size_t *n) {
  const char *s;
  (void)v, (void)room;
  if (c->is_array) return *n = c->i - 1, (const char *)NULL;
  if ((s = bin_key_text(&k->doc, c->pairs.key, n))) return s;
  *n = 0;
  return "";
}

#define VALUE_NO_NODE NULL
#include "plain_nodes.h"

#undef VALUE
