/* SPDX-License-Identifier: MIT
** parts.h -- the fields of a schema, and where in it schemas stand.
** May call: tree/tree.h.
** Must hold: of members of one name the first counts. Recursion ends at SCHEMA_DEPTH. */
#ifndef FLEECE_SCHEMA_PARTS_H
#define FLEECE_SCHEMA_PARTS_H

#include "../tree/tree.h"

enum { SCHEMA_DEPTH = 500 };

FL_PRIVATE const struct tree_value *schema_field(const struct tree_value *schema, const char *keyword);

/* The field if it is of that type, else NULL. */
FL_PRIVATE const struct tree_value *schema_field_of(const struct tree_value *schema, const char *keyword,
                                                    enum tree_type type);
FL_PRIVATE int schema_flag(const struct tree_value *schema, const char *keyword);

/* A count of 32 bits, else `initial`. */
FL_PRIVATE uint64_t schema_count(const struct tree_value *schema, const char *keyword, uint64_t initial);

/* Is the string among the items of the list, if there is one? */
FL_PRIVATE int schema_lists(const struct tree_value *list, const struct tree_value *name);

/* Is the member's name one of these, "|a|b|"? */
FL_PRIVATE int schema_is_named(const struct tree_value *name, const char *words);

/* Do all references lead to the root, or to a member of its `definitions` or `properties`? Then a value that stands
** in no schema's place is none. */
FL_PRIVATE int schema_refers_plainly(const struct tree_value *v, int depth);

#endif
