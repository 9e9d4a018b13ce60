/* SPDX-License-Identifier: MIT
** diff.h -- what makes one value of another: a JSON Patch (RFC 6902) or a JSON Merge Patch (RFC 7396), as text.
** Must hold: as value.h and sequence.h. A patch is never longer than one that replaces the whole value. */
#pragma once

#include "value.h"

/* A step of a pointer: to a member or an item. */
struct patch_step {
  const struct patch_step *up; /* NULL: from the whole value */
  const char *name;            /* NULL: an item */
  size_t n;
  size_t index;
  size_t length; /* bytes of the pointer up to here, in a JSON string */
};

enum patch_write { PATCH_ADD, PATCH_REMOVE, PATCH_REPLACE, PATCH_TEST };

struct patch_change {
  struct patch_change *next;
  const struct patch_step *at;
  const struct patch_value *value; /* not of PATCH_REMOVE */
  enum patch_write is;
};

struct patch_list_of_changes {
  struct patch_change *first, *last;
  size_t size; /* bytes of its text, with a comma after each operation */
};

struct patch_diff {
  struct json_edit *e;
  int tests; /* each value that is removed or replaced is tested before */
  struct patch_list_of_changes changes;
};

/* Finds the changes. The caller has set e and tests. False: an error, in e->error. */
FL_PRIVATE int patch_diff(struct patch_diff *d, struct patch_value *a, struct patch_value *b);

/* Bytes of an operation in a JSON Patch, with a comma after it. value: NULL for PATCH_REMOVE. */
FL_PRIVATE size_t patch_operation_size(enum patch_write is, const struct patch_step *at,
                                       const struct patch_value *value);

/* Writes them as a JSON Patch; at most 2 + changes.size bytes. Returns the end. */
FL_PRIVATE char *patch_write(const struct patch_diff *d, char *w);

/* Writes the text of a value without white space. Returns the end. */
FL_PRIVATE char *patch_write_value(char *w, const struct patch_value *v);

/* Writes a name as a JSON string; at most 6 n + 2 bytes. Returns the end. */
FL_PRIVATE char *patch_write_name(char *w, const char *s, size_t n);
