/* SPDX-License-Identifier: MIT
** patterns.h -- the regular expressions of a schema: those of `pattern` and the names in `patternProperties`.
** May call: base, regex, tree.
** Must hold: behind the tree, in its block, lie a scratch for searches and the compiled patterns, each with its text
** behind it: there a pattern's value points, so that its regex is found from it. They are compiled wherever a schema
** can be; one that lies deeper than SCHEMA_DEPTH is not. */
#ifndef FLEECE_SCHEMA_PATTERNS_H
#define FLEECE_SCHEMA_PATTERNS_H

#include "../regex/compile.h"
#include "parts.h"

struct schema_patterns {
  char *at;             /* where they are written; NULL: they are measured */
  size_t used, scratch; /* bytes */
  struct regex_compiler compiler;
  const struct tree_value *bad; /* what could not be compiled, for the compiler's reason */
};

/* Compiles the patterns of the tree; with at NULL they are measured. False: k->bad is wrong. */
FL_PRIVATE int schema_compile_all(struct schema_patterns *k, const struct tree *tree, char *at);

/* ------------------------------------------------------------------------------------- where they lie */

FL_INLINE uint32_t *schema_scratch(const struct tree *tree) { return (uint32_t *)(void *)(tree->begin + tree->used); }

/* The regex of a pattern, or NULL. */
FL_PRIVATE const struct regex *schema_regex(const struct tree *tree, const struct tree_value *pattern);

#endif
