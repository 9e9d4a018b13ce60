/* SPDX-License-Identifier: MIT
** patterns.h -- the regular expressions of a schema: those of `pattern` and the names in `patternProperties`.
** Must hold: in the block of the tree, after the tree, follow the scratch for searches and the compiled patterns. After
** each of them stands its text. The value of the pattern in the tree points to that text, so its regex is found from
** it. The patterns of all possible places of schemas are compiled, down to SCHEMA_DEPTH. */
#pragma once

#include "../../../regex/compile.h"
#include "parts.h"

struct schema_patterns {
  char *at;       /* where they are written; NULL: they are measured */
  size_t used;    /* bytes of the patterns */
  size_t scratch; /* bytes of the scratch that the largest one needs */
  struct regex_compiler compiler;
  const struct tree_value *bad; /* the pattern that could not be compiled; the compiler says why */
};

/* Compiles the patterns of the tree to `at`; NULL: they are measured. False: k->bad is wrong. */
FL_PRIVATE int schema_compile_all(struct schema_patterns *k, const struct tree *tree, char *at);

/* ------------------------------------------------------------------------------------- where they lie */

FL_INLINE uint32_t *schema_scratch(const struct tree *tree) { return (uint32_t *)(void *)(tree->begin + tree->used); }

/* The regex of a pattern; NULL: it was too deep to be compiled. */
FL_PRIVATE const struct regex *schema_regex(const struct tree *tree, const struct tree_value *pattern);
