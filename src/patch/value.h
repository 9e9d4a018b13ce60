/* SPDX-License-Identifier: MIT
** value.h -- a JSON text as a tree of values that know their text, with members in two orders; equality, and numbers
** for values: two values with the same number are equal.
** Must hold: a value points into its text and into the memory of the edit, which both stay. No two members of an object
** have the same name: readers disagree on which one counts, so that is an error. No recursion.
** Each value is compared with a fixed number of others at most. So equal values may get two numbers, if somebody has
** chosen values whose hashes are equal, or a number is written with very many digits: then results are longer, not
** slower. Nobody may conclude from two numbers that two values differ. */
#pragma once

#include "../json/edit/state.h"

/* PATCH_NO_NUMBER: NaN or an infinity, of a text that may have them. */
enum patch_kind {
  PATCH_NULL,
  PATCH_FALSE,
  PATCH_TRUE,
  PATCH_NO_NUMBER,
  PATCH_NUMBER,
  PATCH_STRING,
  PATCH_ARRAY,
  PATCH_OBJECT
};

struct patch_value {
  const char *begin, *end; /* its text */
  const char *name;        /* of a member: what its name means; else NULL */
  size_t name_length;
  size_t n; /* bytes of what a string means, items, members */
  union {
    const char *s;             /* of a string */
    struct patch_value *first; /* of a container: the first in the text, */
  } is;
  struct patch_value *least;        /* and the first by name; of an array the first item */
  struct patch_value *next, *after; /* the next one in the text, and by name; NULL: the last */
  struct patch_value *up;           /* the container that it is in */
  struct patch_value *match;        /* for comparisons of two objects: the member of the other one */
  size_t size;                      /* bytes of its text without white space */
  uint32_t hash, id;                /* for struct patch_ids */
  enum patch_kind kind;
  uint8_t of_lua; /* of a number: it may have been a float */
};

FL_INLINE int patch_is_container(const struct patch_value *v) { return v->kind >= PATCH_ARRAY; }

/* Reads the value at p, of a text that ends at `end`, where a 0 stands. `grammar`: what may be there beyond RFC 8259;
** the text of a value can then only be compared. Memory is that of the edit. Returns the value; NULL: an error, in
** e->error and, if that is JSON_EDIT_TEXT, in e->scan. */
FL_PRIVATE struct patch_value *patch_read(struct json_edit *e, const char *p, const char *end, unsigned grammar);

/* The same for a whole text of RFC 8259, which may have NaN and infinities if e->scan allows them. of_lua: encode has
** written it; then a number that is the shortest text of a float stands for all texts that are read as that. */
FL_PRIVATE struct patch_value *patch_read_text(struct json_edit *e, const char *begin, const char *end, int of_lua);

/* Sets `match` of the members of two objects that have the same name. */
FL_PRIVATE void patch_match(struct patch_value *a, struct patch_value *b);

/* Returns whether they are equal as RFC 6902, section 4.6 says: numbers by value, objects without order. */
FL_PRIVATE int patch_equal(const struct patch_value *a, const struct patch_value *b);

/* The same for scalars; and of texts of scalars: that a float stands for several is left out there, so that all which
** equal one are equal. */
FL_PRIVATE int patch_equal_scalars(const struct patch_value *a, const struct patch_value *b);

/* Returns the next value within `root` after v and all that is in v. NULL: v is the last. */
FL_PRIVATE const struct patch_value *patch_next(const struct patch_value *root, const struct patch_value *v);

/* Returns the member of this name, or NULL. */
FL_PRIVATE struct patch_value *patch_member(const struct patch_value *object, const char *name);

struct patch_ids {
  struct patch_value **slots;
  size_t mask;
  uint64_t seed;
  uint32_t count; /* the highest number */
};

/* Makes room for the values of two trees. False: an error. */
FL_PRIVATE int patch_begin_ids(struct patch_ids *t, struct json_edit *e, const struct patch_value *a,
                               const struct patch_value *b);

/* Gives a number to the value and to all that are in it. */
FL_PRIVATE void patch_number(struct patch_ids *t, struct patch_value *v);
