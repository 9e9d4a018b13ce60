/* SPDX-License-Identifier: MIT
** any.h -- values of any form: the words of value.h through a table of them. For what need not be fast, and is compiled
** once in this way instead of once for each form.
** Must hold: walk.words is the table of the form that the walk is of. words_template.h makes the tables. */
#pragma once

#include "../../lua/parts.h"
#if PART_HAS_document
#include "../documents.h"
#endif
#include "../tables/api.h"
#include "../texts.h"

#define VALUE(name) value_any_##name
typedef union value_any {
  struct value_walk walk;
  struct value_texts texts;
  struct value_tables tables;
#if PART_HAS_document
  struct value_documents documents;
#endif
} value_any_form;
typedef uintptr_t value_any_node;

typedef union {
  value_texts_cursor texts;
  value_tables_cursor tables;
#if PART_HAS_document
  value_documents_cursor documents;
#endif
} value_any_cursor;

struct value_words {
  void (*read)(value_any_form *k, uintptr_t v, struct value *to);
  int (*length)(value_any_form *k, uintptr_t v, uint64_t *n);
  uint64_t (*members)(value_any_form *k, uintptr_t v);
  int (*member)(value_any_form *k, uintptr_t v, const struct value_name *name, uintptr_t *child);
  int (*item)(value_any_form *k, uintptr_t v, uint64_t place, uintptr_t *child);
  void (*open)(value_any_form *k, uintptr_t v, value_any_cursor *c);
  int (*next)(value_any_form *k, uintptr_t v, value_any_cursor *c, uintptr_t *child);
  const char *(*step)(value_any_form *k, uintptr_t v, const value_any_cursor *c, char *room, size_t *n);
  int (*equal)(value_any_form *k, uintptr_t a, uintptr_t b);
  /* NULL where nodes live as long as the walk */
  void (*hold)(value_any_form *k, uintptr_t v);
  void (*reset)(value_any_form *k, uintptr_t v);
  int (*mark)(value_any_form *k);
  void (*trim)(value_any_form *k, int mark);
};

#define VALUE_WORD(word) k->walk.words->word
FL_INLINE void value_any_read(value_any_form *k, uintptr_t v, struct value *to) { VALUE_WORD(read)(k, v, to); }

FL_INLINE int value_any_length(value_any_form *k, uintptr_t v, uint64_t *n) { return VALUE_WORD(length)(k, v, n); }

FL_INLINE uint64_t value_any_members(value_any_form *k, uintptr_t v) { return VALUE_WORD(members)(k, v); }

FL_INLINE int value_any_member(value_any_form *k, uintptr_t v, const struct value_name *name, uintptr_t *child) {
  return VALUE_WORD(member)(k, v, name, child);
}

FL_INLINE int value_any_item(value_any_form *k, uintptr_t v, uint64_t place, uintptr_t *child) {
  return VALUE_WORD(item)(k, v, place, child);
}

FL_INLINE void value_any_open(value_any_form *k, uintptr_t v, value_any_cursor *c) { VALUE_WORD(open)(k, v, c); }

FL_INLINE int value_any_next(value_any_form *k, uintptr_t v, value_any_cursor *c, uintptr_t *child) {
  return VALUE_WORD(next)(k, v, c, child);
}

FL_INLINE const char *value_any_step(value_any_form *k, uintptr_t v, const value_any_cursor *c, char *room, size_t *n) {
  return VALUE_WORD(step)(k, v, c, room, n);
}

FL_INLINE int value_any_equal(value_any_form *k, uintptr_t a, uintptr_t b) { return VALUE_WORD(equal)(k, a, b); }

FL_INLINE uintptr_t value_any_hold(value_any_form *k, uintptr_t v) {
  if (VALUE_WORD(hold)) VALUE_WORD(hold)(k, v);
  return v;
}

FL_INLINE void value_any_reset(value_any_form *k, uintptr_t v) {
  if (VALUE_WORD(reset)) VALUE_WORD(reset)(k, v);
}

FL_INLINE int value_any_mark(value_any_form *k) { return VALUE_WORD(mark) ? VALUE_WORD(mark)(k) : 0; }

FL_INLINE void value_any_trim(value_any_form *k, int mark) {
  if (VALUE_WORD(trim)) VALUE_WORD(trim)(k, mark);
}

#undef VALUE_WORD
#undef VALUE
