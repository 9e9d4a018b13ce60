/* SPDX-License-Identifier: MIT
** state.h -- what an edit knows: containers that changes went through, as lists of pieces.
** Must hold: a slice lies in the text, in a value that a change brought, or in the edit's memory. After a value that a
** list is made of stands a 0. */
#pragma once

#include "../grammar/scan.h"
#include "../index/goals.h"
#include "tree.h"

/* SCALAR to NO_ITEM: nothing is at the path. */
#define JSON_EDIT_ERRORS(X)                              \
  X(TEXT, "not valid JSON")                              \
  X(MEMORY, "not enough memory")                         \
  X(SCALAR, "no array or object is there")               \
  X(NO_NAME, "an object needs a name, not an index")     \
  X(NO_INDEX, "an array needs an index")                 \
  X(NO_MEMBER, "there is no such member")                \
  X(NO_ITEM, "there is no such item")                    \
  X(DUPLICATE, "there are several members of this name") \
  X(EXISTS, "there is such a member already")            \
  X(NO_ARRAY, "no array is there")                       \
  X(DEPTH, "nesting too deep (max_depth allows more)")   \
  X(UTF8, "the path is not UTF-8")                       \
  X(ROOT, "the whole text can be set, not inserted or removed")

enum json_edit_error {
  JSON_EDIT_OK,
#define JSON_EDIT_NAME(name, message) JSON_EDIT_##name,
  JSON_EDIT_ERRORS(JSON_EDIT_NAME)
#undef JSON_EDIT_NAME
};

/* The index after the last item: "-" of a JSON Pointer. */
#define JSON_EDIT_AFTER_LAST INT64_MAX

struct json_edit_list;

/* Where the text of a value comes from. WRITTEN: it was put together of values of the text and of changes. */
enum json_edit_origin { JSON_EDIT_NEW, JSON_EDIT_WRITTEN, JSON_EDIT_SOURCE };

/* A comment, and the blanks before it. */
struct json_edit_comment {
  struct json_edit_comment *next;
  struct json_slice text;
  int begins_line; /* there is a line end in the blanks */
  int ends_line;   /* a line end must follow */
};

struct json_edit_comments {
  struct json_edit_comment *first, *last;
  size_t lines; /* how many of them begin a line */
};

/* White space: comments, then blanks. Until a change needs them (json_edit_part) the comments are in `blanks`, too. */
struct json_edit_space {
  struct json_slice blanks;
  struct json_edit_comments *comments; /* NULL: none */
  int is_parted;
};

/* Some items of a list that no change has touched, `value`, with the commas between them; or one item. Of the white
** space around its tokens the item has what is before it, between name and value, with the colon, and after it. */
struct json_edit_piece {
  struct json_edit_node node; /* must come first: json_edit_piece_of */
  struct json_edit_space lead, tail;
  struct json_slice name, colon, value;
  struct json_edit_list *list; /* a container that a change went through; its value is not used any more */
  unsigned char is_run;        /* some items */
  unsigned char is_new;        /* the value came with a change, or was written */
  unsigned char is_written;
};

/* A member by its name. */
struct json_edit_name {
  struct json_edit_node node; /* must come first */
  struct json_edit_piece *piece;
  struct json_slice name; /* without escapes */
  int several;            /* others have this name too */
};

struct json_edit_list {
  struct json_edit_node *pieces;
  struct json_edit_node *names;  /* of an object that is asked often */
  struct json_edit_piece *entry; /* whose value it is */
  struct json_edit_list *above;  /* the list that has `entry`; NULL: it is the text's value */
  struct json_slice source;      /* the text that it was in: what the scanner may read */
  struct json_edit_space inner;  /* white space, if there are no items; or after a comma that follows the last one */
  size_t level;                  /* how many lists there were around its items when it was opened */
  uint32_t asked;                /* how often a member or item was looked for */
  /* Steps from here that json/edit/places.h has made: of those that lead to an item of the text it is a piece. */
  const struct json_goal *known;
  uint32_t known_count;
  unsigned char is_object, is_strict; /* strict: the text came with a change */
  unsigned char trailing;             /* a comma follows the last item */
  unsigned char counted;              /* an array whose runs are short and know their number of items */
};

typedef void *(*json_edit_alloc)(void *owner, size_t n);

struct json_edit {
  struct json_scan scan; /* of the text; what it may read changes with the list that is read */
  json_edit_alloc alloc; /* returns n bytes; NULL, or leaves by an error of its own: there are none */
  void *owner;
  unsigned cpu;       /* text_cpu(), or less */
  char *free, *limit; /* memory that is not used yet */
  size_t block;       /* the size of the last block */
  const char *begin, *end;
  unsigned grammar;
  struct json_edit_piece root;
  enum json_edit_error error;
  const char *at; /* where the container or value is that the error is about */
  size_t step;    /* number of steps of the path up to the error */
  int is_unsure;  /* a container has moved to another level: only the text after all changes tells its depth */
  /* The last item of the run that was searched last. */
  struct json_edit_piece *last_run;
  const char *last_item;
  struct json_slice line_end; /* the first of the text; empty if that was not looked for */
  const char *patch;          /* the text that values of changes come from */
  int one_line;               /* indented values with line ends lose their white space */
};

/* ------------------------------------------------------------------------------------- slices */

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

/* ------------------------------------------------------------------------------------- pieces, lists */

FL_INLINE struct json_edit_piece *json_edit_piece_of(struct json_edit_node *n) {
  return (struct json_edit_piece *)(void *)n;
}

FL_INLINE struct json_edit_name *json_edit_name_of(struct json_edit_node *n) {
  return (struct json_edit_name *)(void *)n;
}

/* ------------------------------------------------------------------------------------- memory, errors */

/* Notes the error and returns NULL. */
FL_PRIVATE void *json_edit_fail(struct json_edit *e, enum json_edit_error error, const char *at);

/* n bytes, aligned for any struct here; NULL: an error. */
FL_PRIVATE void *json_edit_memory(struct json_edit *e, size_t n);

/* Copies s[0..n) to the memory, with a 0 after it. False: an error. */
FL_PRIVATE int json_edit_keep(struct json_edit *e, const char *s, size_t n, struct json_slice *to);

/* A piece that is an item or a run, without text; NULL: an error. */
FL_PRIVATE struct json_edit_piece *json_edit_new_piece(struct json_edit *e, int is_run);

/* A json_scan's `grow`, whose owner is the edit. */
FL_PRIVATE char *json_edit_grow_scratch(void *owner, size_t n);
