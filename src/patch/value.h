/* SPDX-License-Identifier: MIT
** value.h -- a JSON text as a tree of values that know their text, with members in two orders; equality, and numbers
** for values: two values with the same number are equal.
** Must hold: a value points into its text and into the memory of the edit, which both stay. A duplicate name is an
** error: readers disagree on which one counts. No recursion. Each value is compared with a bounded number of others.
** So equal values may get different numbers, if someone has chosen values with equal hashes, or a number has very
** many digits: then results are longer, not slower. Therefore different numbers do not mean that values differ. */
#pragma once

#include "../json/edit/state.h"

/* PATCH_NO_NUMBER: NaN or an infinity, in texts that may have them. */
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
  const char *name;        /* of a member: what its name means, else NULL */
  size_t name_length;
  size_t n; /* length of a string, number of items or members */
  union {
    const char *s;             /* contents of a string */
    struct patch_value *first; /* of a container: its first child in the text, */
  } is;
  struct patch_value *least;        /* and the first by name; of an array the first item */
  struct patch_value *next, *after; /* the next one in the text, and by name, or NULL */
  struct patch_value *up;           /* the container that contains it */
  struct patch_value *match;        /* when comparing two objects: the other one's member */
  struct patch_value *same;         /* see patch_read_text */
  size_t size;                      /* length of its text without white space */
  size_t skipped;                   /* of an array: items before the first one, which are the same in the other */
  uint32_t hash, id;                /* for struct patch_ids */
  enum patch_kind kind;
  uint8_t of_lua;  /* of a number: it may have been a float */
  uint8_t is_part; /* an object without members that are equal in the other value; `size` is that of all */
};

FL_INLINE int patch_compare_names(const struct patch_value *a, const struct patch_value *b) {
  if (a->name_length != b->name_length) return a->name_length < b->name_length ? -1 : 1;
  return memcmp(a->name, b->name, a->name_length);
}

FL_INLINE int patch_is_container(const struct patch_value *v) { return v->kind >= PATCH_ARRAY; }
FL_INLINE int patch_has_children(const struct patch_value *v) { return patch_is_container(v) && v->n > 0 && !v->same; }

/* Reads the value at p of a text that ends at `end`, where a 0 must be. `grammar`: what is allowed beyond RFC 8259;
** then the value can only be compared. Memory is that of the edit. Returns the value, or NULL with an error in e->error
** and, if that is JSON_EDIT_TEXT, in e->scan. */
FL_PRIVATE struct patch_value *patch_read(struct json_edit *e, const char *p, const char *end, unsigned grammar);

/* Like patch_read for a whole text of RFC 8259, which may have NaN and infinities if e->scan allows them. of_lua:
** encode wrote it; then a number that is the shortest text of a float stands for all texts that read as that float.
** `other`: a text that was read so, to be compared with this one, or NULL. A container with the same bytes as one near
** its place there is not read: `same` is that one, and it has no children until patch_expand. */
FL_PRIVATE struct patch_value *patch_read_text(struct json_edit *e, const char *begin, const char *end, int of_lua,
                                               struct patch_value *other);

struct patch_text {
  const char *begin, *end;
  int of_lua;
};

/* Reads what differs of two texts of RFC 8259 that are arrays or objects; e->scan and e->cpu must be set. Members, and
** items at the beginning and end of arrays, that have the same bytes in both are left out. `begin` and `end` are those
** of the whole values, and so is `size` in the last `sizes` of the two; in the others it is an upper limit for what a
** merge patch needs of it. Returns 0 if both must be read by patch_read_text. */
FL_PRIVATE int patch_read_parts(struct json_edit *e, const struct patch_text texts[2], int sizes,
                                struct patch_value *v[2]);

/* Reads the value at p of a text that was tested, as patch_read_text. NULL after an error. */
FL_PRIVATE struct patch_value *patch_read_part(struct json_edit *e, const char *p, const char *end, int of_lua,
                                               struct patch_value *other);

/* Sorts the members of an object by name. Returns 0 after an error. */
FL_PRIVATE int patch_sort_members(struct json_edit *e, struct patch_value *object);

/* Returns how many bytes two texts of n bytes have in common at their beginning. */
FL_INLINE size_t patch_common(const char *a, const char *b, size_t n) {
  size_t i = 0;
  while (n - i >= 8 && fl_load64(a + i) == fl_load64(b + i)) i += 8;
  while (i < n && a[i] == b[i]) i++;
  return i;
}

/* Gives a container with `same` its children, which may have `same` in turn. Returns 0 after an error. */
FL_PRIVATE int patch_expand(struct json_edit *e, struct patch_value *v);

/* Sets `match` of the members of two objects that have the same name. */
FL_PRIVATE void patch_match(struct patch_value *a, struct patch_value *b);

/* Returns whether two values are equal as in RFC 6902, section 4.6: numbers by value, objects without order. */
FL_PRIVATE int patch_equal(const struct patch_value *a, const struct patch_value *b);

/* patch_equal for scalars, but a float does not stand for several texts, so that equality is transitive. */
FL_PRIVATE int patch_same_scalar(const struct patch_value *a, const struct patch_value *b);

/* patch_equal for scalars. */
FL_PRIVATE int patch_equal_scalars(const struct patch_value *a, const struct patch_value *b);

/* Returns the next value within `root` after v and its contents, or NULL. */
FL_PRIVATE const struct patch_value *patch_next(const struct patch_value *root, const struct patch_value *v);

/* Returns the member with this name, or NULL. */
FL_PRIVATE struct patch_value *patch_member(const struct patch_value *object, const char *name);

struct patch_ids {
  struct patch_value **slots;
  size_t mask;
  uint64_t seed;
  uint32_t count; /* the highest number */
};

/* Makes room for the values of two trees, the second of which may have values with `same` in the first. Returns 0 after
** an error. */
FL_PRIVATE int patch_begin_ids(struct patch_ids *t, struct json_edit *e, const struct patch_value *a,
                               const struct patch_value *b);

FL_PRIVATE void patch_number(struct patch_ids *t, struct patch_value *v);
