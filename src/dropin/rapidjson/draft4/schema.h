/* SPDX-License-Identifier: MIT
** schema.h -- validates a value against a JSON Schema (draft 4); both are trees.
** Must hold: the order of the keywords in schema.c is part of the interface, because the first that fails is reported.
** Recursion ends at SCHEMA_DEPTH. The patterns of the schema have been compiled (patterns.h). */
#pragma once

#include "memory.h"
#include "patterns.h"
#include "../tree/path.h"
#include "../../../json/write/write.h"

/* The path to the value that is checked, from the inside out. */
struct schema_path {
  const struct schema_path *up;  /* NULL: this is the root */
  const struct tree_value *name; /* NULL: an item of an array, with `index` */
  size_t index;
};

struct schema_check {
  const struct tree *tree; /* the schema's, with its patterns */
  text_utf8_fn utf8;
  struct schema_work work;     /* after a failure its buffer holds the JSON pointer to the value that failed, */
  char *end;                   /* which ends here; NULL: no memory for it */
  const char *keyword;         /* that failed; NULL: none */
  int quiet;                   /* > 0: inside anyOf and others, where a failure is not reported */
  struct schema_memory memory; /* of quiet checks; the caller releases it with schema_forget */
  int depth;                   /* of checks that are open */
};

/* ------------------------------------------------------------------------------------- references */

FL_INLINE const struct tree_value *schema_root(const struct schema_check *k) {
  return (const struct tree_value *)(void *)k->tree->begin;
}

/* Does the value fit the schema? Everything fits a schema that is not an object. */
FL_PRIVATE int schema_value(struct schema_check *k, const struct tree_value *schema, const struct tree_value *v,
                            const struct schema_path *path);
