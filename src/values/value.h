/* SPDX-License-Identifier: MIT
** value.h -- one set of words for "a value" of any form. What is done with values is a template over these words
** (query/evaluate_template.h, equal_template.h), included once for each form: tables below the API (tables/raw.h),
** tables through it (tables/api.h), values of documents (documents.h), values of texts (texts.h; for queries
** outline.h). A new form defines all words; a new capability is a template.
** Must hold: no word calls Lua code, except finalizers, and the __tostring of a cdata that is not an integer. Only
** words of tables through the API may raise. After a word failed, k->walk.error says why; its results are arbitrary.
**
** A form defines, under the prefix that the macro VALUE(name) pastes:
**   VALUE(form)      a struct that begins with `struct value_walk walk`: one walk, the k of all words
**   VALUE(node)      identifies a value
**   VALUE(cursor)    a struct: position among the children of a node
** What a value is:
**   is_collection(k, node)             whether it may have children; called before `open`, and cheap
**   read(k, node, *value)              gets its type, and the contents of a scalar
**   scalar(k, node)                    returns the type of a scalar if that is cheap, else NOTHING: also of NaN; TRUE
**                                      of false; only in forms whose nodes live as long as the walk
**   length(k, node, *n)                returns whether it is an array, and sets *n to its length
**   members(k, node)                   returns the number of members of an object; each costs a step
** Its children:
**   member(k, node, name, *child)      finds the member with this name, a value_name, or returns 0
**   item(k, node, place, *child)       finds item `place`, from 0, of an array that is long enough
**   open(k, node, *cursor)             begins to visit all children
**   next(k, node, *cursor, *child)     finds the next child, or returns 0
**   step(k, node, *cursor, room, *n)   returns the name, n bytes, of the child that `next` has found, maybe in `room`
**                                      (VALUE_STEP_ROOM bytes); NULL for item n of an array
**   settle(k, node, is_any, is_below)  for queries: returns whether what was found in the node counts. is_any: by its
**                      place, so no name of the node may occur twice; is_below: nor of those around it. Only in texts
** Two values:
**   equal(k, a, b)                     whether they are equal: numbers by value, members in any order; the form's own,
**                                      or by equal_template.h, which needs the next two words
**   same(k, a, b)                      whether they are identical, and therefore equal
**   twin(k, node, *cursor, other, *child)   finds the child of `other`, a value of the same type, with the name or
**                                      index of the child that `next` has found in node, or returns 0
** How long a node lives: in all forms but one as long as the walk (plain_nodes.h). In tables through the API it is a
** slot of the Lua stack, and is gone once the stack is cut below it:
**   hold(k, node)                      keeps the node found last, which is above all others, so that its children can
**                                      be visited; they, and what is found in them, are above it
**   reset(k, node)                     drops what is above a held node
**   replace(k, *node, child)           replaces a node by the child found last
**   copy(k, node)                      returns a copy above all others
**   mark(k), trim(k, mark)             drop all nodes since the mark
**   slot(k), keep(k, *slot, node)      a slot, and storing a node in it
**   remember(k, number, *node)         keeps a node for the whole walk */
#pragma once

#include "../base/error.h"
#include "../number/compare.h"

enum value_type {
  VALUE_NOTHING, /* no value */
  VALUE_NULL,
  VALUE_FALSE,
  VALUE_TRUE,
  VALUE_NUMBER,
  VALUE_STRING,
  VALUE_ARRAY,
  VALUE_OBJECT,
  VALUE_OTHER /* not JSON: equal only to itself */
};

/* For objects and OTHER only the node is known. */
struct value {
  enum value_type type;
  struct num_any number;
  const char *s; /* of a string, valid as long as the node */
  size_t n;      /* bytes of a string, items of an array; of an empty table 0 */
};

/* A name that is looked up repeatedly. Tables look it up as a Lua string from a list. */
struct value_name {
  uint32_t at, length; /* offset and length in the walk's names */
  uint32_t number;     /* index in the list of strings */
  uint8_t is_number;   /* it reads as a number, so a key may be a number */
};

enum { VALUE_STEP_ROOM = 64 };

enum value_error {
  VALUE_OK,
  VALUE_ERROR_STEPS, /* max_steps reached */
  VALUE_ERROR_DEPTH, /* max_depth reached */
  VALUE_ERROR_MEMORY,
  VALUE_ERROR_REGEX, /* a regular expression in the value is too large */
  VALUE_ERROR_REDO   /* this form cannot decide something: begin again with another */
};

/* Returns the kind of an error that ends a walk. */
FL_INLINE enum fl_kind value_kind(enum value_error error) {
  static const unsigned char kinds[] = {FL_KIND_NONE, FL_KIND_LIMIT, FL_KIND_DEPTH, FL_KIND_MEMORY, FL_KIND_LIMIT};
  FL_ASSERT(error < VALUE_ERROR_REDO);
  return (enum fl_kind)kinds[error];
}

/* Memory blocks of a walk; capabilities continue the list. */
enum value_block {
  VALUE_BLOCK_TABLES, /* known tables; for outline.h its containers, and then its strings */
  VALUE_BLOCK_INDEX,
  VALUE_BLOCK_PAIRS,  /* for equal_template.h */
  VALUE_BLOCK_PLACES, /* for texts.h and outline.h */
  VALUE_BLOCK_BYTES,
  VALUE_BLOCK_CHILDREN,
  VALUE_BLOCKS
};

/* Returns the block enlarged to at least n bytes, of which the first `used` keep their contents. NULL if out of memory.
** May raise if the form may. */
typedef void *(*value_memory)(void *owner, unsigned block, size_t n, size_t used);

/* Whether a Lua table is an array, and its length. Finding out takes a look at all keys, and costs no steps, since
** documents know it; therefore it is done once in a walk for each table with more than VALUE_LONG keys. */
struct value_table {
  const void *at;
  uint64_t n;
  int is_array; /* not 0: an array, or what the form defines */
};

enum { VALUE_LONG = 64 };

/* Which members of an object, in the order of lua_next, are equal in another. */
struct value_same {
  uint64_t array, object; /* limit for the steps of comparing one with these values */
  size_t room, next;      /* of `same`; for the caller */
  unsigned char same[1];
};

struct value_words;

struct value_walk {
  const struct value_words *words; /* for schema/face/any.c, else NULL */
  value_memory memory;             /* NULL if tables may change, so that none is remembered */
  void *owner;
  const char *names; /* the text of all value_names */
  uint64_t left;     /* steps left */
  uint32_t max_depth;
  int is_strict; /* for `equal`: only JSON values are equal, and a table is compared even with itself */
  enum value_error error;
  struct value_table *tables; /* the long tables known so far, or NULL */
  uint32_t *index;            /* hash table by address: number of the table + 1, or 0; 2 * tables_room slots */
  size_t table_count, tables_room;
  void *pairs; /* of equal_template.h */
  size_t pairs_room;
};

/* Sets the error, unless there is one. Returns 0. */
FL_PRIVATE_NOINLINE int value_fail(struct value_walk *w, enum value_error error);

/* Pays for n bytes or visits. Returns 0 if no steps are left. */
FL_INLINE int value_spend(struct value_walk *w, uint64_t n) {
  if (FL_UNLIKELY(w->left < n)) return value_fail(w, VALUE_ERROR_STEPS);
  w->left -= n;
  return 1;
}

enum { VALUE_BYTES_PER_STEP = 32 };

/* Returns the block with at least n bytes, like value_memory. NULL with the error set if out of memory. */
FL_PRIVATE_NOINLINE void *value_reserve(struct value_walk *w, unsigned block, size_t n, size_t used);

/* Makes room for more than `count` elements of `size` bytes; sets *room. Returns 0 if out of memory. */
FL_PRIVATE_NOINLINE int value_grow(struct value_walk *w, unsigned block, void **things, size_t *room, size_t count,
                                   size_t size);

/* Returns what is known about the table, or NULL. */
FL_PRIVATE const struct value_table *value_find_table(const struct value_walk *w, const void *at);

/* Remembers a table not yet known. Returns 0 if out of memory. */
FL_PRIVATE int value_add_table(struct value_walk *w, const void *at, uint64_t n, int is_array);

/* Compares two numbers; the common pairs of forms without a call. */
FL_INLINE int value_order_numbers(const struct num_any *a, const struct num_any *b) {
  if (a->form == NUM_IS_INTEGER && b->form == NUM_IS_INTEGER) return (a->is.i > b->is.i) - (a->is.i < b->is.i);
  if (a->form == NUM_IS_DOUBLE && b->form == NUM_IS_INTEGER && b->is.i == (int32_t)b->is.i) {
    const double d = (double)b->is.i;
    return a->is.d != a->is.d ? NUM_UNORDERED : (a->is.d > d) - (a->is.d < d);
  }
  return num_compare(a, b);
}

/* Compares two scalars: -1, 0, 1, or NUM_UNORDERED if their types differ, one is NaN, or they are not scalars. */
FL_PRIVATE int value_order(struct value_walk *w, const struct value *a, const struct value *b);
