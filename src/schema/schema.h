/* SPDX-License-Identifier: MIT
** schema.h -- JSON Schema draft 4: checks a tree against a schema, which is a tree too, keyword by keyword.
** May call: base, tree.
** Must hold: the order of the keywords is fixed, because the first one that fails is reported. Recursion ends at
** SCHEMA_DEPTH. The patterns of the schema were compiled (patterns.h). */
#ifndef FLEECE_SCHEMA_SCHEMA_H
#define FLEECE_SCHEMA_SCHEMA_H

#include "memory.h"
#include "patterns.h"
#include "../tree/path.h"
#include "../json/write/write.h"

/* How the value that is checked is reached. */
struct schema_path {
  const struct schema_path *up;
  const struct tree_value *name; /* NULL: an item */
  size_t index;
};

struct schema_check {
  const struct tree *tree; /* the schema's, with its patterns */
  text_utf8_fn utf8;
  struct schema_work work;     /* its buffer takes the pointer to the value that failed, */
  char *end;                   /* up to here, when nothing more is compared */
  const char *keyword;         /* that failed */
  int quiet;                   /* inside anyOf and the like a failure is none yet */
  struct schema_memory memory; /* of quiet checks; the caller frees it with schema_forget */
  int depth;
};

/* ------------------------------------------------------------------------------------- references */

FL_INLINE const struct tree_value *schema_root(const struct schema_check *k) {
  return (const struct tree_value *)(void *)k->tree->begin;
}

/* Does the value fit the schema? What is no object is a schema that everything fits. */
FL_PRIVATE int schema_value(struct schema_check *k, const struct tree_value *schema, const struct tree_value *v,
                            const struct schema_path *path);

#endif
