/* SPDX-License-Identifier: MIT
** state.h -- the state of an edit: containers that changes went through, as lists of pieces.
** Must hold: a slice is in the text, in an inserted value, or in the edit's memory. A value that became a list is
** followed by a 0. */
#pragma once

#include "../grammar/scan.h"
#include "../index/goals.h"
#include "tree.h"

/* The errors from SCALAR to NO_ITEM mean that nothing is at the path. */
#define JSON_EDIT_ERRORS(X)                                         \
  X(TEXT, SYNTAX, "not valid JSON")                                 \
  X(MEMORY, MEMORY, "not enough memory")                            \
  X(SCALAR, CHANGE, "no array or object is there")                  \
  X(NO_NAME, CHANGE, "an object needs a name, not an index")        \
  X(NO_INDEX, CHANGE, "an array needs an index")                    \
  X(NO_MEMBER, CHANGE, "there is no such member")                   \
  X(NO_ITEM, CHANGE, "there is no such item")                       \
  X(DUPLICATE, DUPLICATE, "there are several members of this name") \
  X(EXISTS, CHANGE, "there is such a member already")               \
  X(NO_ARRAY, CHANGE, "no array is there")                          \
  X(DEPTH, DEPTH, "nesting too deep (max_depth allows more)")       \
  X(UTF8, UTF8, "the path is not UTF-8")                            \
  X(ROOT, CHANGE, "the whole text can be set, not inserted or removed")

enum json_edit_error {
  JSON_EDIT_OK,
#define JSON_EDIT_NAME(name, kind, message) JSON_EDIT_##name,
  JSON_EDIT_ERRORS(JSON_EDIT_NAME)
#undef JSON_EDIT_NAME
};

/* The index after the last item, "-" in a JSON Pointer. */
#define JSON_EDIT_AFTER_LAST INT64_MAX

struct json_edit_list;

/* Where a value's text comes from. WRITTEN: put together from parts of the text and of changes. */
enum json_edit_origin { JSON_EDIT_NEW, JSON_EDIT_WRITTEN, JSON_EDIT_SOURCE };

/* A comment, and the blanks before it. */
struct json_edit_comment {
  struct json_edit_comment *next;
  struct json_slice text;
  int begins_line; /* the blanks have a line end */
  int ends_line;   /* a line end must follow */
};

struct json_edit_comments {
  struct json_edit_comment *first, *last;
  size_t lines; /* how many comments begin a line */
};

/* White space: comments, then blanks. Until json_edit_part divides it, `blanks` has the comments, too. */
struct json_edit_space {
  struct json_slice blanks;
  struct json_edit_comments *comments; /* or NULL */
  int is_parted;
};

/* Items of a list that no change has touched, `value`, with the commas between them; or one item, with the white space
** before it, after it, and, with the colon, between name and value. */
struct json_edit_piece {
  struct json_edit_node node; /* first: see json_edit_piece_of */
  struct json_edit_space lead, tail;
  struct json_slice name, colon, value;
  struct json_edit_list *list; /* for a container that changes went through; its value is unused then */
  unsigned char is_run;        /* several items */
  unsigned char is_new;        /* the value comes from a change, or was written */
  unsigned char is_written;
};

/* A member in the order of names. */
struct json_edit_name {
  struct json_edit_node node; /* first */
  struct json_edit_piece *piece;
  struct json_slice name; /* without escapes */
  int several;            /* other members have this name, too */
};

struct json_edit_list {
  struct json_edit_node *pieces;
  struct json_edit_node *names;  /* of an object with many searches */
  struct json_edit_piece *entry; /* whose value this is */
  struct json_edit_list *above;  /* the list of `entry`; NULL for the text's value */
  struct json_slice source;      /* the text that contained it: what the scanner may read */
  struct json_edit_space inner;  /* white space in an empty list, or after a trailing comma */
  size_t level;                  /* number of lists around its items when it was opened */
  uint32_t asked;                /* number of searches */
  /* Steps found by json_edit_place; the items they lead to are pieces. */
  const struct json_goal *known;
  uint32_t known_count;
  unsigned char is_object, is_strict; /* strict: the text comes from a change */
  unsigned char trailing;             /* a comma follows the last item */
  unsigned char counted;              /* an array with short runs whose items are counted */
};

typedef void *(*json_edit_alloc)(void *owner, size_t n);

struct json_edit {
  struct json_scan scan; /* of the text; its limits change with the list that is read */
  json_edit_alloc alloc; /* returns n bytes, or NULL if out of memory; may also raise an error of its own */
  void *owner;
  unsigned cpu;       /* text_cpu(), maybe with fewer features */
  char *free, *limit; /* unused memory */
  size_t block;       /* size of the last block */
  const char *begin, *end;
  unsigned grammar;
  struct json_edit_piece root;
  enum json_edit_error error;
  const char *at; /* the container or value that the error is about */
  size_t step;    /* steps of the path before the error */
  int is_unsure;  /* a container was moved to another level, so only the final text shows the depth */
  /* The last item of the run searched last. */
  struct json_edit_piece *last_run;
  const char *last_item;
  struct json_slice line_end; /* the text's first line end; empty if not searched for yet */
  const char *patch;          /* the text that contains the values of changes */
  int one_line;               /* remove the white space of indented values with line ends */
  int may_repeat;             /* a name may occur several times: the first member counts */
};

FL_INLINE struct json_slice json_slice_of(const char *begin, const char *end) {
  struct json_slice s;
  s.begin = begin;
  s.end = end;
  return s;
}

FL_INLINE struct json_slice json_slice_none(void) { return json_slice_of("", ""); }

FL_INLINE struct json_edit_space json_edit_space_of(struct json_slice s) {
  struct json_edit_space space;
  space.blanks = s;
  space.comments = NULL;
  space.is_parted = s.begin == s.end;
  return space;
}

FL_INLINE size_t json_slice_length(struct json_slice s) { return (size_t)(s.end - s.begin); }

FL_INLINE struct json_edit_piece *json_edit_piece_of(struct json_edit_node *n) {
  return (struct json_edit_piece *)(void *)n;
}

FL_INLINE struct json_edit_name *json_edit_name_of(struct json_edit_node *n) {
  return (struct json_edit_name *)(void *)n;
}

/* Records the error and returns NULL. */
FL_PRIVATE void *json_edit_fail(struct json_edit *e, enum json_edit_error error, const char *at);

/* Allocates n bytes, aligned for any struct here. NULL after an error. */
FL_PRIVATE void *json_edit_memory(struct json_edit *e, size_t n);

/* Copies s[0..n) and a 0 into the edit's memory. Returns 0 after an error. */
FL_PRIVATE int json_edit_keep(struct json_edit *e, const char *s, size_t n, struct json_slice *to);

/* Makes a piece, an item or run, without text. NULL after an error. */
FL_PRIVATE struct json_edit_piece *json_edit_new_piece(struct json_edit *e, int is_run);

/* json_scan.grow, with the edit as owner. */
FL_PRIVATE char *json_edit_grow_scratch(void *owner, size_t n);
