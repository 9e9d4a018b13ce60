/* SPDX-License-Identifier: MIT
** value.h -- one set of words for "a value" of any form. What is done with values is a template over these words
** (query/evaluate_template.h, equal_template.h), pasted once for each form: tables below the API (tables/raw.h), tables
** by it (tables/api.h), values of documents (documents.h), values of texts (texts.h). A new form has all words; a new
** capability is a template.
** Must hold: no word calls Lua code, but for finalizers, and the __tostring of a cdata that is no integer. Words of
** tables by the API may raise, no others. After a word failed, k->walk.error says why, and what it gave means nothing.
**
** A form defines, under the prefix that the macro VALUE(name) pastes:
**   VALUE(form)      a struct that begins with `struct value_walk walk`: one walk, the k of all words
**   VALUE(node)      how a value is reached
**   VALUE(cursor)    a struct: how far the children of a node were visited
** What a value is:
**   is_collection(k, node)             may it have children? Asked before `open`, and costs next to nothing
**   read(k, node, *value)              its type, and what a scalar is
**   length(k, node, *n)                is it an array? Its length
**   members(k, node)                   the number of members of an object; each is paid for
** Its children:
**   member(k, node, name, *child)      finds the member of this name, a value_name, or returns false
**   item(k, node, place, *child)       item number `place`, from 0, of an array that is long enough
**   open(k, node, *cursor)             begins with all of them
**   next(k, node, *cursor, *child)     finds the next one, or returns false
**   step(k, node, *cursor, room, *n)   what leads to the child that `next` has found: its name, of n bytes, perhaps
**                                      in the VALUE_STEP_ROOM bytes of room; NULL: it is item n of an array
** Two values:
**   equal(k, a, b)                     are they equal? Numbers by value, members in any order. equal_template.h, which
**                                      needs two words more, or the form's own
**   same(k, a, b)                      is it the same thing, and so equal?
**   twin(k, node, *cursor, other, *child)   the child of `other`, which is of the node's type, to which the step leads
**                                      that leads to the one that `next` has found, or returns false
** How long a node lives: in all forms but one as long as the walk (plain_nodes.h). In tables by the API it is a slot of
** the Lua stack, and goes when one below it goes:
**   hold(k, node)                      makes the node that was found last, above all others, one whose children may be
**                                      visited: they, and what is found there, lie above it
**   reset(k, node)                     drops what lies above a node that is held
**   replace(k, *node, child)           puts the child, which was found last, in its place
**   copy(k, node)                      another one, above all others
**   mark(k), trim(k, mark)             drop all that came since
**   slot(k), keep(k, *slot, node)      a slot, and a node that is stored in it
**   remember(k, number, *node)         keeps a node for the whole walk */
#pragma once

#include "../number/compare.h"

enum value_type {
  VALUE_NOTHING, /* there is no value */
  VALUE_NULL,
  VALUE_FALSE,
  VALUE_TRUE,
  VALUE_NUMBER,
  VALUE_STRING,
  VALUE_ARRAY,
  VALUE_OBJECT,
  VALUE_OTHER /* no value of JSON: equal to itself alone */
};

/* Of the types from ARRAY on only the node is known. */
struct value {
  enum value_type type;
  struct num_any number;
  const char *s; /* of a string: as long as the node lives */
  size_t n;
};

/* A name that is asked for again and again. Tables are asked with a string of Lua, which is in a list. */
struct value_name {
  uint32_t at, length; /* its place among the walk's names */
  uint32_t number;     /* in the list of strings */
  uint8_t is_number;   /* it reads as a number, and a key may be one */
};

enum { VALUE_STEP_ROOM = 64 };

enum value_error {
  VALUE_OK,
  VALUE_ERROR_STEPS, /* max_steps */
  VALUE_ERROR_DEPTH, /* max_depth */
  VALUE_ERROR_MEMORY,
  VALUE_ERROR_REGEX, /* a regular expression of the value is too large */
  VALUE_ERROR_REDO   /* this form cannot decide something: another one has to begin again */
};

/* Blocks of memory that a walk has; capabilities continue the list. */
enum value_block {
  VALUE_BLOCK_TABLES, /* of tables: those that are known */
  VALUE_BLOCK_INDEX,
  VALUE_BLOCK_PAIRS,  /* of equal_template.h */
  VALUE_BLOCK_PLACES, /* of texts.h */
  VALUE_BLOCK_BYTES,
  VALUE_BLOCK_CHILDREN,
  VALUE_BLOCKS
};

/* Gives the block at least n bytes, of which the first `used` keep their contents. Returns NULL for want of memory. It
** may raise, for forms that may. */
typedef void *(*value_memory)(void *owner, unsigned block, size_t n, size_t used);

/* Is a Lua table an array, and of which length? To find out, all its keys are looked at. This costs no steps, since
** documents know it: so it is done once in a walk for each table with more than VALUE_LONG keys. */
struct value_table {
  const void *at;
  uint64_t n;
  int is_array; /* not 0: an array, or what the form means by it */
};

enum { VALUE_LONG = 64 };

struct value_words;

struct value_walk {
  const struct value_words *words; /* of schema/face/any.c; NULL: the form is known where it is walked */
  value_memory memory;             /* NULL where tables may change: then none is remembered */
  void *owner;
  const char *names; /* the text of all value_names */
  uint64_t left;     /* steps that may still be made */
  uint32_t max_depth;
  int is_strict; /* for `equal`: only what is JSON is equal, and the same table is looked at as two are */
  enum value_error error;
  struct value_table *tables; /* the long ones that are known; NULL: none */
  uint32_t *index;            /* of tables, plus 1, by address; 2 * tables_room slots; 0: free */
  size_t table_count, tables_room;
  void *pairs; /* of equal_template.h */
  size_t pairs_room;
};

/* The first error counts. Returns 0. */
FL_PRIVATE_NOINLINE int value_fail(struct value_walk *w, enum value_error error);

/* Pays for n bytes or visits; false: there are no steps left. */
FL_INLINE int value_spend(struct value_walk *w, uint64_t n) {
  if (FL_UNLIKELY(w->left < n)) return value_fail(w, VALUE_ERROR_STEPS);
  w->left -= n;
  return 1;
}

enum { VALUE_BYTES_PER_STEP = 32 };

/* The block with at least n bytes, as value_memory. NULL: no memory, which is the error. */
FL_PRIVATE_NOINLINE void *value_reserve(struct value_walk *w, unsigned block, size_t n, size_t used);

/* Gives the block room for more than `count` things of `size` bytes; *room is how many. False: no memory. */
FL_PRIVATE_NOINLINE int value_grow(struct value_walk *w, unsigned block, void **things, size_t *room, size_t count,
                                   size_t size);

/* What is known of the table; NULL: nothing. */
FL_PRIVATE const struct value_table *value_find_table(const struct value_walk *w, const void *at);

/* Remembers a table that is not known. False: no memory. */
FL_PRIVATE int value_add_table(struct value_walk *w, const void *at, uint64_t n, int is_array);

/* How two scalars are ordered: -1, 0, 1; NUM_UNORDERED: they are not of one type, or NaN, or no scalars. */
FL_PRIVATE int value_order(struct value_walk *w, const struct value *a, const struct value *b);
