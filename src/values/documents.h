/* SPDX-License-Identifier: MIT
** documents.c -- a query over values of a document: views, and documents as a whole.
** Must hold: the document is pinned, because results allocate. Undefined values of arrays count as null; undefined
** members are no members. */
#include "../document/view/read.h"
#include "../document/view/text.h"
#include "../query/face/query.h"

#include "../binary/read/equal.h"

#define QUERY(name) query_documents_##name
typedef bin_value query_documents_node;

struct query_documents_cursor {
  struct bin_list list;   /* of an array */
  size_t i;               /* the next item */
  struct bin_pairs pairs; /* of a dict */
  int is_array;
};

struct query_documents_run_of {
  struct query_run is;
  bin_value root;
  struct query_documents_cached *cache;
  struct mod_query_call *call;
  const struct mod_doc *owner;
  struct bin_doc doc; /* a copy: the document may be closed meanwhile */
  int env, metatable; /* of the views that are results */
};

static int query_documents_is_collection(struct query_documents_run_of *k, bin_value v) {
  return (void)k, bin_is_collection(v);
}

static void query_documents_value(struct query_documents_run_of *k, bin_value v, struct query_value *to) {
  int is_big;
  (void)k;
  switch (bin_type_of(v)) {
  case BIN_TYPE_BOOLEAN: to->kind = bin_is_true(v) ? QUERY_TRUE : QUERY_FALSE; return;
  case BIN_TYPE_NUMBER:
    to->kind = QUERY_NUMBER;
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
    to->kind = QUERY_STRING;
    to->s = bin_bytes(v, &to->n);
    return;
  case BIN_TYPE_ARRAY: to->kind = QUERY_ARRAY; return;
  case BIN_TYPE_DICT: to->kind = QUERY_OBJECT; return;
  case BIN_TYPE_DATA: to->kind = QUERY_OTHER; return;
  default: to->kind = QUERY_NULL;
  }
}

static int query_documents_member(struct query_documents_run_of *k, bin_value v, const struct query_selector *s,
                                  bin_value *child) {
  if (bin_tag(v) != BIN_TAG_DICT) return 0;
  *child = bin_dict_get(&k->doc, v, k->is.program->bytes + s->name, s->length);
  return *child != NULL;
}

static int query_documents_length(struct query_documents_run_of *k, bin_value v, uint64_t *n) {
  (void)k;
  if (bin_tag(v) != BIN_TAG_ARRAY) return 0;
  *n = bin_list_of(v).count;
  return 1;
}

static int query_documents_item(struct query_documents_run_of *k, bin_value v, uint64_t place, bin_value *child) {
  *child = bin_array_get(&k->doc, v, (size_t)place);
  return *child != NULL;
}

static void query_documents_open(struct query_documents_run_of *k, bin_value v, struct query_documents_cursor *c) {
  c->is_array = bin_tag(v) == BIN_TAG_ARRAY;
  c->i = 0;
  if (c->is_array) c->list = bin_list_of(v);
  else bin_pairs_begin(&c->pairs, &k->doc, v);
}

static int query_documents_next(struct query_documents_run_of *k, bin_value v, struct query_documents_cursor *c,
                                bin_value *child) {
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

static uint64_t query_documents_members(struct query_documents_run_of *k, bin_value v) {
  struct query_documents_cursor c;
  bin_value child;
  uint64_t n = 0;
  query_documents_open(k, v, &c);
  while (query_documents_next(k, v, &c, &child) && query_spend(&k->is, 1)) n++;
  return n;
}

static int query_documents_equal(struct query_documents_run_of *k, bin_value a, bin_value b) {
  struct bin_work work;
  void *ud;
  const lua_Alloc alloc = lua_getallocf(k->call->L, &ud);
  int equal;
  if (!bin_is_collection(a)) return bin_equal_scalars(a, b, 0);
  bin_work_init(&work, alloc, ud, 0);
  work.left = k->is.left;
  equal = bin_equal(&work, &k->doc, a, &k->doc, b, 0);
  k->is.left = work.left;
  if (equal >= 0) return equal;
  return query_run_fail(&k->is, work.error == BIN_ERROR_MEMORY ? QUERY_ERROR_MEMORY : QUERY_ERROR_STEPS);
}

static int query_documents_put_key(struct query_documents_run_of *k, bin_value v,
                                   const struct query_documents_cursor *c) {
  size_t n;
  const char *s;
  (void)v;
  if (c->is_array) return query_put_step(&k->is, NULL, 0, c->i - 1);
  s = bin_key_text(&k->doc, c->pairs.key, &n);
  return query_put_step(&k->is, s ? s : "", s ? n : 0, 0);
}

static int query_documents_emit(struct query_documents_run_of *k, bin_value v) {
  lua_State *L = k->call->L;
  if (bin_tag(v) == BIN_TAG_SPECIAL && bin_is_undefined(v)) lua_pushlightuserdata(L, NULL);
  else view_push_value(L, k->env, k->metatable, k->owner, v);
  return mod_query_add(&k->is, k->call);
}

/* Nodes are places in the document, and need no care. */
static bin_value query_documents_hold(struct query_documents_run_of *k, bin_value v) { return (void)k, v; }
static bin_value query_documents_copy(struct query_documents_run_of *k, bin_value v) { return (void)k, v; }
static bin_value query_documents_slot(struct query_documents_run_of *k) { return (void)k, NULL; }
static void query_documents_reset(struct query_documents_run_of *k, bin_value v) { (void)k, (void)v; }
static void query_documents_replace(struct query_documents_run_of *k, bin_value *v, bin_value child) {
  (void)k;
  *v = child;
}
static void query_documents_keep(struct query_documents_run_of *k, bin_value *slot, bin_value v) {
  (void)k;
  *slot = v;
}
static void query_documents_remember(struct query_documents_run_of *k, uint32_t cache, bin_value *v) {
  (void)k, (void)cache, (void)v;
}
static int query_documents_mark(struct query_documents_run_of *k) { return (void)k, 0; }
static void query_documents_trim(struct query_documents_run_of *k, int mark) { (void)k, (void)mark; }

#include "../query/evaluate_template.h"

FL_PRIVATE int mod_query_documents(struct query_run *r, struct mod_query_call *call, int view) {
  struct query_documents_run_of k;
  int fine;
  memset(&k, 0, sizeof k);
  k.is = *r;
  k.call = call;
  (void)view_value_at(call->L, view, &k.owner, &k.root);
  k.doc = k.owner->doc;
  view_push_env_of(call->L, view);
  k.env = lua_gettop(call->L);
  view_push_metatable(call->L, &view_key);
  k.metatable = k.env + 1;
  view_pin(k.owner);
  fine = query_documents_evaluate(&k);
  view_unpin(k.owner);
  *r = k.is;
  return fine;
}

FL_PRIVATE int mod_query_is_document(lua_State *L, int index) {
  return view_is_at(L, index) || view_test_doc(L, index) != NULL;
}
