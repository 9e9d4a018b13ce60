/* SPDX-License-Identifier: MIT
** any.c -- checks values of any form through function pointers: reports on texts, verdicts and reports on tables by the
** public API and on documents.
** Must hold: as in schema.h. A document is pinned during the check. Only lack of memory can raise then; the collector
** unpins the document after that: see view_pin. */
#include "../../encode/face/marks.h"
#include "../../values/tables/api.h"
#include "../../values/texts.h"
#include "schema.h"
#if PART_HAS_document
#include "../../document/view/read.h"
#include "../../document/view/text.h"
#include "../../values/documents.h"
#endif

/* ------------------------------------------------------------------------------------- the words of any form */

/* A value of any form: the words of value.h, called through the table walk.words. What need not be fast is compiled
** once like this, not once for each form. */
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
  /* NULL if nodes live as long as the walk */
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

/* ------------------------------------------------------------------------------------- the schema over them */

#define VALUE(name) value_texts_##name
#define VALUE_IS_HELD 0
#include "words_template.h"

#define VALUE(name) value_tables_##name
#define VALUE_IS_HELD 1
#include "words_template.h"

#if PART_HAS_document
#define VALUE(name) value_documents_##name
#define VALUE_IS_HELD 0
#include "words_template.h"
#endif

#define VALUE(name) value_any_##name
#define SCHEMA(name) schema_any_##name
#define SCHEMA_REPORTS 1
#define SCHEMA_SKIPS
#define SCHEMA_LOOKS_UP (k->values.walk.words != &value_texts_words)
#define SCHEMA_DECIDES 0
#include "../run/evaluate_template.h"

FL_INLINE int schema_any_is_table(const struct schema_any_run_of *k) {
  return k->values.walk.words == &value_tables_words;
}

FL_INLINE uintptr_t schema_any_identity(struct schema_any_run_of *k, uintptr_t node) {
  return schema_any_is_table(k) ? (uintptr_t)lua_topointer(k->values.tables.L, (int)node) : 2 * (node + 1);
}

static uint64_t schema_any_at(struct schema_any_run_of *k, uintptr_t node) {
  return k->values.walk.words == &value_texts_words ? k->values.texts.places[node].begin : UINT64_MAX;
}

static int schema_any_ends_before(struct schema_any_run_of *k, uintptr_t node, size_t at) {
  const struct value_texts *texts = &k->values.texts;
  const uint32_t next = texts->places[node].next;
  FL_ASSERT(k->values.walk.words == &value_texts_words);
  return next < texts->count && texts->places[next].begin <= at;
}

FL_INLINE int schema_any_is_either(struct schema_any_run_of *k, uintptr_t node) {
  lua_State *L;
  const int table = (int)node;
  if (!schema_any_is_table(k)) return 0;
  L = k->values.tables.L;
  if (lua_getmetatable(L, table)) return lua_pop(L, 1), 0;
  lua_pushnil(L);
  if (lua_next(L, table)) return lua_pop(L, 2), 0;
  return !mod_is_remembered(L, k->values.tables.state, table);
}

static int schema_any_test_custom(struct schema_any_run_of *k, const struct schema_op *op, uintptr_t node) {
  struct mod_schema_call *call = (struct mod_schema_call *)k->is.custom_owner;
  if (k->values.walk.words == &value_texts_words) return value_fail(&k->values.walk, VALUE_ERROR_REDO);
  compat_need_stack(call->L, 8);
  if (schema_any_is_table(k)) lua_pushvalue(call->L, (int)node);
#if PART_HAS_document
  else view_push_value(call->L, call->env, call->env + 1, call->owner, (bin_value)node);
#endif
  return mod_schema_call_check(call, "keywords", op->a, op);
}

/* Begins a run over the form that `words` implements. */
static void mod_schema_begin_any(struct schema_any_run_of *k, struct mod_schema_call *call,
                                 const struct value_words *words) {
  memset(k, 0, offsetof(struct schema_any_run_of, room));
  mod_schema_begin(&k->is, &k->values.walk, call, NULL, NULL);
  k->values.walk.words = words;
}

FL_PRIVATE enum value_error mod_schema_report_text(struct mod_schema_call *call, int text) {
  struct schema_any_run_of k;
  struct value_place places[SCHEMA_FEW_PLACES];
  struct schema_any_frame frames[SCHEMA_FEW_FRAMES];
  mod_schema_begin_any(&k, call, &value_texts_words);
  call->places = k.values.texts.places = places;
  k.values.texts.room = SCHEMA_FEW_PLACES;
  call->frames = k.is.frames = frames;
  k.is.room = SCHEMA_FEW_FRAMES;
  if (!mod_schema_scan(&k.values.texts, call, text)) return VALUE_ERROR_REDO;
  k.is.passed = call->passed;
  call->is_valid = schema_any_evaluate(&k, 0);
  return k.values.walk.error;
}

FL_PRIVATE enum value_error mod_schema_tables(struct mod_schema_call *call, int value) {
  lua_State *L = call->L;
  const struct mod_schema *s = call->schema;
  struct schema_any_run_of k;
  struct value_tables *tables = &k.values.tables;
  mod_schema_begin_any(&k, call, &value_tables_words);
  value_tables_begin(tables, L, s->state, &s->style, (int)s->o.layout_api);
  tables->null = call->null;
  tables->book = call->book;
  tables->names = call->names;
  tables->slots = call->book ? 2 : 1;
  k.is.empty = (enum schema_empty)s->own.empty;
  k.is.whole_is_integer = LUA_VERSION_NUM < 503;
  compat_need_stack(L, VALUE_TABLES_SLOTS);
  lua_pushvalue(L, value);
  call->is_valid = schema_any_evaluate(&k, (uintptr_t)lua_gettop(L));
  return k.values.walk.error;
}

#if PART_HAS_document
FL_PRIVATE enum value_error mod_schema_documents(struct mod_schema_call *call, int value) {
  lua_State *L = call->L;
  struct schema_any_run_of k;
  const struct mod_doc *owner;
  bin_value root;
  mod_schema_begin_any(&k, call, &value_documents_words);
  (void)view_value_at(L, value, &owner, &root);
  k.values.documents.doc = owner->doc;
  k.values.documents.alloc = lua_getallocf(L, &k.values.documents.alloc_ud);
  view_push_env_of(L, value);
  call->env = lua_gettop(L);
  view_push_metatable(L, &view_key);
  call->owner = owner;
  view_pin(owner);
  call->is_valid = schema_any_evaluate(&k, (uintptr_t)root);
  view_unpin(owner);
  return k.values.walk.error;
}

FL_PRIVATE int mod_schema_is_document(lua_State *L, int index) {
  return view_is_at(L, index) || view_test_doc(L, index) != NULL;
}
#endif
