/* SPDX-License-Identifier: MIT
** instances.c -- the raw walks to binary of this build: one for each layout its Lua API may meet. */
#include "fast.h"
#include "../../encode/raw/paste_open.h"

#define PASTE "../document/from_lua/raw.h"
#include "../../layout/each.h"

#define PASTE "../document/from_lua/raw_fast.h"
#include "../../layout/each.h"

FL_PRIVATE pack_raw pack_of_layout(const struct lay_facts *facts) { return LAYOUT_PICK(facts, pack); }

FL_PRIVATE pack_raw pack_fast_of_layout(const struct lay_facts *facts) { return LAYOUT_PICK(facts, pack_fast); }
