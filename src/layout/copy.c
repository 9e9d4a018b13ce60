/* SPDX-License-Identifier: MIT
** copy.c -- copies of whole tables below the API.
** Must hold: as copy.h. */
#include "copy.h"

#define PASTE "copy_template.h"
#include "each.h"

FL_PRIVATE const struct lay_copy *lay_copy_of(const struct lay_facts *facts) { return LAYOUT_PICK(facts, copy); }
