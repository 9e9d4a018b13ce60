/* SPDX-License-Identifier: MIT
** instances.h -- the raw walks of this build: one for each layout its Lua API may meet.
** Must hold: includes no lua.h; the includer defines FLEECE_LUA_VERSION. */
#pragma once

#include "../../layout/layouts.h"
#include "../state.h"

typedef enum encode_result (*encode_raw)(struct encode_state *c, const char *root, enum encode_speed speed);

/* Returns the raw walk of a proven layout, or NULL. */
FL_PRIVATE encode_raw encode_of_layout(const struct lay_facts *facts);

typedef int (*encode_sequence)(const char *table, size_t *n);

/* Returns the function that tells whether a table is only a dense array part, as most arrays are; NULL for some
** layouts. */
FL_PRIVATE encode_sequence encode_sequence_of_layout(const struct lay_facts *facts);
