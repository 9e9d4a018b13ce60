/* SPDX-License-Identifier: MIT
** path.h -- finds a value by a compiled key path ("people[122].name") or a JSON pointer (RFC 6901).
** Must hold: as read.h. Indices of arrays count from 0; negative ones of key paths count from the end. */
#pragma once

#include "../../number/integer.h"
#include "read.h"

/* What a wildcard stands for: each item of an array, each member of an object. */
enum bin_each { BIN_EACH_NONE, BIN_EACH_ITEM, BIN_EACH_MEMBER };

struct bin_step {
  const char *name; /* NULL for an index, and a wildcard */
  size_t n;
  int32_t index;
  enum bin_each each;
};

/* Returns whether a name can stand in a path after a dot, without quotes. */
FL_PRIVATE int bin_path_is_plain(const char *name, size_t n);

/* Compiles the path s[0..n). `steps` must have room for n + 1, `names` for n bytes. has_wildcards: it may have some.
** Returns the number of steps, or -1 with the position of the error in *where. */
FL_PRIVATE ptrdiff_t bin_path_compile(const char *s, size_t n, int has_wildcards, struct bin_step *steps, char *names,
                                      size_t *where);

/* Returns the value that the steps lead to from v, or NULL. */
FL_INLINE bin_value bin_path_follow(const struct bin_doc *d, bin_value v, const struct bin_step *steps, size_t count) {
  for (size_t i = 0; i < count && v; i++) {
    const struct bin_step *step = &steps[i];
    if (step->name) {
      if (bin_tag(v) != BIN_TAG_DICT) return NULL;
      v = bin_dict_get(d, v, step->name, step->n);
    } else {
      int64_t at = step->index;
      if (bin_tag(v) != BIN_TAG_ARRAY) return NULL;
      struct bin_list l = bin_list_of(v);
      if (at < 0) at += l.count;
      v = at >= 0 && at < (int64_t)l.count ? bin_list_item(d, &l, (size_t)at) : NULL;
    }
  }
  return v;
}

enum { BIN_PATH_WILDCARDS = 16 }; /* of one path at most */

/* Gets a value that a path leads to. Returning 0 ends the search. */
typedef int (*bin_path_found)(void *ud, bin_value v);

/* Passes the values that steps with at most BIN_PATH_WILDCARDS wildcards lead to from v, in the document's order;
** members that are undefined are left out. Returns 0 if it was ended. */
FL_PRIVATE int bin_path_each(const struct bin_doc *d, bin_value v, const struct bin_step *steps, size_t count,
                             bin_path_found found, void *ud);

/* A JSON pointer is empty, or a list of tokens that each begin with a slash. */
FL_PRIVATE int bin_pointer_is_valid(const char *s, size_t n);

/* Returns the value that the valid pointer s[0..n) leads to from v, or NULL. `scratch` must have room for n bytes. */
FL_PRIVATE bin_value bin_pointer_follow(const struct bin_doc *d, bin_value v, const char *s, size_t n, char *scratch);
