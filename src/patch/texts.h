/* SPDX-License-Identifier: MIT
** texts.h -- JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7396) for texts: reads operations, applies them, and finds
** the difference between two values.
** Must hold: as value.h and json/edit/edit.h. Nothing can follow an operation that failed. A patch that was found is
** never longer than one that replaces the whole value. */
#pragma once

#include "../json/edit/edit.h"
#include "value.h"

enum patch_kind_of_operation {
  PATCH_OP_ADD,
  PATCH_OP_REMOVE,
  PATCH_OP_REPLACE,
  PATCH_OP_MOVE,
  PATCH_OP_COPY,
  PATCH_OP_TEST
};

static const char *const patch_words[] = {"add", "remove", "replace", "move", "copy", "test"};

/* Errors of an operation, apart from those of json/edit. */
#define PATCH_ERRORS(X)                                                            \
  X(EDIT, NONE, "")                                                                \
  X(NO_OBJECT, SYNTAX, "an operation is an object")                                \
  X(NO_OP, SYNTAX, "it has no \"op\"")                                             \
  X(UNKNOWN_OP, SYNTAX, "\"op\" must be add, remove, replace, move, copy or test") \
  X(NO_PATH, SYNTAX, "it has no \"path\"")                                         \
  X(PATH, SYNTAX, "\"path\" is not a JSON pointer")                                \
  X(NO_FROM, SYNTAX, "it has no \"from\"")                                         \
  X(FROM, SYNTAX, "\"from\" is not a JSON pointer")                                \
  X(NO_VALUE, SYNTAX, "it has no \"value\"")                                       \
  X(INSIDE, CHANGE, "a value cannot be moved into itself")                         \
  X(DIFFERENT, CHANGE, "the value is a different one")                             \
  X(COPIES, LENGTH, "the copies are too long: more than max_bytes, or 64 MB and 64 times the value")

enum patch_error {
  PATCH_OK,
#define PATCH_ERROR_NAME(name, kind, message) PATCH_ERROR_##name,
  PATCH_ERRORS(PATCH_ERROR_NAME)
#undef PATCH_ERROR_NAME
};

/* Return the message and the kind of an error, except PATCH_ERROR_EDIT. */
FL_PRIVATE const char *patch_message(enum patch_error error);
FL_PRIVATE enum fl_kind patch_kind(enum patch_error error);

/* A JSON pointer, and its steps. */
struct patch_pointer {
  const char *s; /* or NULL */
  size_t n;
  const struct json_step *steps;
  size_t count;
};

struct patch_operation {
  enum patch_kind_of_operation is;
  struct patch_pointer path, from;
  const struct patch_value *value; /* NULL if missing, or not a value of a text */
};

/* Returns the operation that the word means, or -1. */
FL_PRIVATE int patch_find_word(const char *s, size_t n);

/* Return whether the operation has a value, and a pointer `from`. */
FL_INLINE int patch_has_value(enum patch_kind_of_operation is) {
  return is == PATCH_OP_ADD || is == PATCH_OP_REPLACE || is == PATCH_OP_TEST;
}
FL_INLINE int patch_has_from(enum patch_kind_of_operation is) { return is == PATCH_OP_MOVE || is == PATCH_OP_COPY; }

/* Returns whether the path of the operation leads into the value that it moves. */
FL_PRIVATE int patch_moves_inside(const struct patch_operation *o);

/* Reads an operation from a value. What it points to is in the value's text, or in the memory of the edit. */
FL_PRIVATE enum patch_error patch_read_operation(struct json_edit *e, const struct patch_value *v,
                                                 struct patch_operation *o);

/* How many bytes the operations `copy` of a patch may copy in a text of n bytes, since each can double it. `max_bytes`:
** limit for texts, or 0. */
enum { PATCH_COPIES = 64 << 20, PATCH_COPIES_TIMES = 64 };
FL_INLINE size_t patch_copies(size_t n, size_t max_bytes) {
  const size_t most = n > SIZE_MAX / PATCH_COPIES_TIMES       ? SIZE_MAX
                      : PATCH_COPIES_TIMES * n > PATCH_COPIES ? PATCH_COPIES_TIMES * n
                                                              : PATCH_COPIES;
  return max_bytes && max_bytes < most ? max_bytes : most;
}

/* Applies it to the text of the edit. After PATCH_ERROR_EDIT e->error tells what is wrong, and *failed is the pointer
** that it is about. *copies is what is left of patch_copies. */
FL_PRIVATE enum patch_error patch_apply(struct json_edit *e, const struct patch_operation *o, size_t *copies,
                                        const struct patch_pointer **failed);

/* A step of a pointer: to a member or an item. */
struct patch_step {
  const struct patch_step *up; /* NULL: from the whole value */
  const char *name;            /* NULL: an item */
  size_t n;
  size_t index;
  size_t length; /* bytes of the pointer up to here, in a JSON string */
};

struct patch_change {
  struct patch_change *next;
  const struct patch_step *at;
  const struct patch_value *value; /* unused for PATCH_OP_REMOVE */
  enum patch_kind_of_operation is; /* never move or copy */
};

struct patch_list_of_changes {
  struct patch_change *first, *last;
  size_t size; /* length of its text, with a comma after each operation */
};

struct patch_diff {
  struct json_edit *e;
  int tests;       /* test each value before it is removed or replaced */
  int needs_whole; /* after an error: a value had to be replaced of which only a part was given */
  struct patch_list_of_changes changes;
};

/* Finds the changes; e and tests must be set. Returns 0 with an error in e->error. */
FL_PRIVATE int patch_diff(struct patch_diff *d, struct patch_value *a, struct patch_value *b);

/* Returns the length of an operation in a JSON Patch, with a comma after it. value: NULL for PATCH_OP_REMOVE. */
FL_PRIVATE size_t patch_operation_size(enum patch_kind_of_operation is, const struct patch_step *at,
                                       const struct patch_value *value);

/* Writes the changes as a JSON Patch, at most 2 + changes.size bytes. Returns the end. */
FL_PRIVATE char *patch_write(const struct patch_diff *d, char *w);

/* Writes the text of a value without white space. Returns the end. */
FL_PRIVATE char *patch_write_value(char *w, const struct patch_value *v);

/* Writes a name as a JSON string; at most 6 n + 2 bytes. Returns the end. */
FL_PRIVATE char *patch_write_name(char *w, const char *s, size_t n);

/* Like patch_write_name, in the memory of the edit, with a 0 after it. Returns 0 after an error. */
FL_PRIVATE int patch_keep_name(struct json_edit *e, const char *s, size_t n, struct json_slice *to);

/* Returns how many bytes a name needs in a JSON string, or in a pointer within one. */
FL_PRIVATE size_t patch_escaped_length(const char *s, size_t n, int in_pointer);

/* Applies a merge patch to the text of the edit. Returns 0 with an error in e->error, which is about *at, a value of
** the patch. */
FL_PRIVATE int patch_merge(struct json_edit *e, const struct patch_value *patch, const struct patch_value **at);

/* Makes the merge patch from a to b as a text in the memory of the edit. Returns 0 with an error in e->error, or with
** *null set to a member that is null, which no merge patch can set. */
FL_PRIVATE int patch_merge_diff(struct json_edit *e, struct patch_value *a, struct patch_value *b,
                                struct json_slice *text, const struct patch_value **null);
