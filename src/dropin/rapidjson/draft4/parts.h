/* SPDX-License-Identifier: MIT
** parts.h -- the fields of a schema, and the places of the schemas inside it.
** Must hold: of several members with one name the first counts. Recursion ends at SCHEMA_DEPTH. */
#pragma once

#include "../tree/tree.h"

enum { SCHEMA_DEPTH = 500 };

/* The value of a keyword; NULL: the schema does not have it. */
FL_PRIVATE const struct tree_value *schema_field(const struct tree_value *schema, const char *keyword);

/* The same; NULL also if it has another type. */
FL_PRIVATE const struct tree_value *schema_field_of(const struct tree_value *schema, const char *keyword,
                                                    enum tree_type type);

/* Is the keyword true? */
FL_PRIVATE int schema_flag(const struct tree_value *schema, const char *keyword);

/* The value of a keyword if it is an integer of 32 bits, else `initial`. */
FL_PRIVATE uint64_t schema_count(const struct tree_value *schema, const char *keyword, uint64_t initial);

/* Is the string an item of the list? `list` may be NULL or another value. */
FL_PRIVATE int schema_lists(const struct tree_value *list, const struct tree_value *name);

/* Is the name one of these words, written as "|a|b|"? */
FL_PRIVATE int schema_is_named(const struct tree_value *name, const char *words);

/* Do all references lead to the root or to a member of its `definitions` or `properties`? Then nothing but the values
** in the places of schemas can be used as a schema. */
FL_PRIVATE int schema_refers_plainly(const struct tree_value *v, int depth);
