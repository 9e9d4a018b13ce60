/* SPDX-License-Identifier: MIT
** values.c -- access to values: type, content, names, indices, paths, pointers, iteration, equality; functions on
** fleece_bytes; the version.
** Must hold: every function accepts every value; for a wrong type it returns the caller's default, or a missing
** value. */
#include "../binary/read/equal.h"
#include "../binary/read/path.h"
#include "capi.h"

int fleece_type_of(fleece_value v) {
  static const uint8_t types[8] = {FLEECE_TYPE_INTEGER, FLEECE_TYPE_INTEGER, FLEECE_TYPE_DOUBLE, FLEECE_TYPE_NULL,
                                   FLEECE_TYPE_STRING,  FLEECE_TYPE_DATA,    FLEECE_TYPE_ARRAY,  FLEECE_TYPE_DICT};
  if (!v.at) return FLEECE_TYPE_NONE;
  if (bin_tag(capi_at(v)) != BIN_TAG_SPECIAL) return types[bin_tag(capi_at(v)) & 7];
  switch (bin_special(capi_at(v))) {
  case BIN_FALSE:
  case BIN_TRUE: return FLEECE_TYPE_BOOLEAN;
  case BIN_UNDEFINED: return FLEECE_TYPE_UNDEFINED;
  default: return FLEECE_TYPE_NULL;
  }
}

int fleece_boolean(fleece_value v, int otherwise) {
  return v.at && bin_type_of(capi_at(v)) == BIN_TYPE_BOOLEAN ? bin_is_true(capi_at(v)) : otherwise;
}

FL_INLINE int capi_is_number(fleece_value v) {
  return FL_LIKELY(v.at != NULL) && bin_type_of(capi_at(v)) == BIN_TYPE_NUMBER;
}

int64_t fleece_int64(fleece_value v, int64_t otherwise) {
  int is_big;
  if (!capi_is_number(v)) return otherwise;
  if (FL_LIKELY(bin_is_integer(capi_at(v)))) {
    const uint64_t bits = bin_integer(capi_at(v), &is_big);
    return is_big ? otherwise : (int64_t)bits;
  }
  const double d = bin_double(capi_at(v));
  return d >= -9223372036854775808.0 && d < 9223372036854775808.0 && d == (double)(int64_t)d ? (int64_t)d : otherwise;
}

uint64_t fleece_uint64(fleece_value v, uint64_t otherwise) {
  int is_big;
  if (!capi_is_number(v)) return otherwise;
  if (FL_LIKELY(bin_is_integer(capi_at(v)))) {
    const uint64_t bits = bin_integer(capi_at(v), &is_big);
    return is_big || (int64_t)bits >= 0 ? bits : otherwise;
  }
  const double d = bin_double(capi_at(v));
  return d >= 0 && d < 18446744073709551616.0 && d == (double)(uint64_t)d ? (uint64_t)d : otherwise;
}

double fleece_double(fleece_value v, double otherwise) {
  int is_big;
  if (!capi_is_number(v)) return otherwise;
  if (!bin_is_integer(capi_at(v))) return bin_double(capi_at(v));
  const uint64_t bits = bin_integer(capi_at(v), &is_big);
  return is_big ? (double)bits : (double)(int64_t)bits;
}

FL_INLINE const char *capi_bytes_of(fleece_value v, enum bin_tag tag, size_t *n) {
  size_t unused;
  if (FL_UNLIKELY(!n)) n = &unused;
  return capi_is(v, tag) ? bin_bytes(capi_at(v), n) : (*n = 0, (const char *)NULL);
}

const char *fleece_string(fleece_value v, size_t *n) { return capi_bytes_of(v, BIN_TAG_STRING, n); }

const void *fleece_data(fleece_value v, size_t *n) { return capi_bytes_of(v, BIN_TAG_DATA, n); }

size_t fleece_count(fleece_value v) {
  if (capi_is(v, BIN_TAG_ARRAY)) return bin_list_of(capi_at(v)).count;
  return capi_is(v, BIN_TAG_DICT) ? bin_dict_count(&v.doc->doc, capi_at(v)) : 0;
}

int fleece_equal(fleece_value a, fleece_value b, fleece_error *error) {
  struct bin_work work;
  capi_ok(error);
  if (!a.at || !b.at) return !a.at && !b.at;
  bin_work_init(&work, a.doc->memory.alloc, a.doc->memory.ud, bin_doc_bytes(&a.doc->doc) + bin_doc_bytes(&b.doc->doc));
  const int same = bin_equal(&work, &a.doc->doc, capi_at(a), &b.doc->doc, capi_at(b), 0);
  if (same < 0) capi_binary_error(error, work.error, FLEECE_NOWHERE);
  return same;
}

fleece_value fleece_get_n(fleece_value v, const char *name, size_t n) {
  if (FL_UNLIKELY(!capi_is(v, BIN_TAG_DICT) || (!name && n > 0))) return capi_none();
  if (FL_UNLIKELY(!name)) name = "";
  return capi_value(v.doc, bin_dict_get(&v.doc->doc, capi_at(v), name, n));
}

fleece_value fleece_at(fleece_value v, size_t i) {
  if (FL_UNLIKELY(!capi_is(v, BIN_TAG_ARRAY))) return capi_none();
  return capi_value(v.doc, bin_array_get(&v.doc->doc, capi_at(v), i));
}

/* Where a path leads: to one value, or, if there is `each`, to all that it is called with. */
struct capi_path_to {
  fleece_value value;
  fleece_path_found each;
  void *ud;
};

static int capi_path_found(void *ud, bin_value v) {
  const struct capi_path_to *to = (const struct capi_path_to *)ud;
  return to->each(to->ud, capi_value(to->value.doc, v));
}

/* Follows the path from to->value. Returns the status. */
static int capi_path(struct capi_path_to *to, const char *path, size_t n, struct bin_step *steps, char *names,
                     fleece_error *error) {
  size_t where = 0, wildcards = 0;
  const ptrdiff_t count = bin_path_compile(path, n, to->each != NULL, steps, names, &where);
  if (count < 0) return capi_error(error, FLEECE_ERROR_PATH, "not a path", where);
  for (ptrdiff_t i = 0; i < count; i++) wildcards += steps[i].each != BIN_EACH_NONE;
  if (wildcards > BIN_PATH_WILDCARDS)
    return capi_error(error, FLEECE_ERROR_PATH, "more than 16 wildcards", FLEECE_NOWHERE);
  if (!to->value.at) return FLEECE_OK;
  const struct bin_doc *d = &to->value.doc->doc;
  if (to->each) (void)bin_path_each(d, capi_at(to->value), steps, (size_t)count, capi_path_found, to);
  else to->value = capi_value(to->value.doc, bin_path_follow(d, capi_at(to->value), steps, (size_t)count));
  return FLEECE_OK;
}

/* The same with memory for the steps. */
static int capi_follow_path(struct capi_path_to *to, const char *path, size_t n, fleece_error *error) {
  enum { SHORT = 64 };
  struct bin_step steps[SHORT + 1];
  char names[SHORT];
  const fleece_allocator memory = capi_memory(to->value.at ? &to->value.doc->memory : NULL);
  capi_ok(error);
  if (!path && n > 0) return capi_bad_argument(error, "there is no path");
  if (!path) path = "";
  if (n <= SHORT) return capi_path(to, path, n, steps, names, error);
  if (n > SIZE_MAX / 64) return capi_no_memory(error);
  const size_t bytes = (n + 1) * sizeof *steps + n;
  struct bin_step *block = (struct bin_step *)memory.alloc(memory.ud, NULL, 0, bytes);
  if (!block) return capi_no_memory(error);
  const int status = capi_path(to, path, n, block, (char *)(block + n + 1), error);
  capi_free(&memory, block, bytes);
  return status;
}

fleece_value fleece_path(fleece_value v, const char *path, size_t n, fleece_error *error) {
  struct capi_path_to to = {v, NULL, NULL};
  return capi_follow_path(&to, path, n, error) == FLEECE_OK ? to.value : capi_none();
}

int fleece_path_each(fleece_value v, const char *path, size_t n, fleece_path_found found, void *ud,
                     fleece_error *error) {
  struct capi_path_to to = {v, found, ud};
  if (!found) return capi_bad_argument(error, "there is no function");
  return capi_follow_path(&to, path, n, error);
}

fleece_value fleece_pointer(fleece_value v, const char *pointer, size_t n, fleece_error *error) {
  enum { SHORT = 256 };
  char first[SHORT], *scratch = first;
  const fleece_allocator *memory;
  capi_ok(error);
  if (!pointer && n > 0) return capi_bad_argument(error, "there is no pointer"), capi_none();
  if (!pointer) pointer = "";
  if (!bin_pointer_is_valid(pointer, n))
    return capi_error(error, FLEECE_ERROR_PATH, "not a JSON pointer", FLEECE_NOWHERE), capi_none();
  if (!v.at) return v;
  memory = &v.doc->memory;
  if (n > SHORT) scratch = (char *)memory->alloc(memory->ud, NULL, 0, n);
  if (!scratch) return capi_no_memory(error), capi_none();
  v = capi_value(v.doc, bin_pointer_follow(&v.doc->doc, capi_at(v), pointer, n, scratch));
  if (scratch != first) capi_free(memory, scratch, n);
  return v;
}

/* The content of fleece_iterator.opaque. */
struct capi_iterator {
  struct bin_pairs pairs; /* for a dict */
  struct bin_list list;   /* for an array */
  const fleece_doc *doc;
  size_t next;
  unsigned tag; /* of the collection; 0 at the end */
};

FL_STATIC_ASSERT(sizeof(struct capi_iterator) <= sizeof(((fleece_iterator *)0)->opaque), the_iterator_has_room);

FL_INLINE struct capi_iterator *capi_iterator_in(fleece_iterator *i) {
  return (struct capi_iterator *)(void *)i->opaque;
}

void fleece_iterate(fleece_iterator *i, fleece_value v) {
  if (!i) return;
  struct capi_iterator *c = capi_iterator_in(i);
  i->name = NULL;
  i->name_size = i->index = 0;
  i->value = capi_none();
  c->doc = v.doc;
  c->next = 0;
  c->tag = v.at && bin_is_collection(capi_at(v)) ? bin_tag(capi_at(v)) : 0;
  if (c->tag == BIN_TAG_DICT) bin_pairs_begin(&c->pairs, &v.doc->doc, capi_at(v));
  else if (c->tag == BIN_TAG_ARRAY) c->list = bin_list_of(capi_at(v));
}

/* Finds the next member. For a code without a name sets name_size to the code. */
FL_INLINE int capi_next_member(fleece_iterator *i, struct capi_iterator *c) {
  do
    if (!bin_next_pair(&c->pairs)) return 0;
  while (FL_UNLIKELY(bin_is_undefined(c->pairs.value)));
  i->name = bin_key_text(&c->doc->doc, c->pairs.key, &i->name_size);
  if (FL_UNLIKELY(!i->name)) i->name_size = (size_t)bin_small(c->pairs.key);
  i->value = capi_value(c->doc, c->pairs.value);
  return 1;
}

int fleece_next(fleece_iterator *i) {
  if (FL_UNLIKELY(!i)) return 0;
  struct capi_iterator *c = capi_iterator_in(i);
  FL_ASSERT(c->tag == 0 || c->tag == BIN_TAG_ARRAY || c->tag == BIN_TAG_DICT);
  if (c->tag == BIN_TAG_DICT) {
    if (!capi_next_member(i, c)) {
      c->tag = 0;
      return 0;
    }
  } else {
    if (c->tag == 0 || c->next == c->list.count) return 0;
    i->value = capi_value(c->doc, bin_list_item(&c->doc->doc, &c->list, c->next));
  }
  i->index = c->next++;
  return 1;
}

void fleece_bytes_free(fleece_bytes *b) { capi_free_bytes(b); }

void fleece_bytes_fit(fleece_bytes *b) {
  if (!b || !b->data || b->room == b->size + 1) return;
  const fleece_allocator memory = capi_memory(&b->allocator);
  char *block = (char *)memory.alloc(memory.ud, b->data, b->room, b->size + 1);
  if (block) b->data = block, b->room = b->size + 1;
}

const char *fleece_version(void) { return FLEECE_VERSION; }
int fleece_version_number(void) { return FLEECE_VERSION_NUMBER; }

const char *fleece_kind_name(int kind) {
  static const char *const names[] = {
#define X(name, word) word,
      FL_KINDS(X)
#undef X
  };
  return kind >= 0 && (size_t)kind < sizeof names / sizeof *names ? names[kind] : "";
}
