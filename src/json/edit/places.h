/* SPDX-License-Identifier: MIT
** places.h -- makes edit pieces of the values that changes lead to, found while the text is tested.
** Must hold: the text is strict JSON, and no change was made yet. For few goals: each one is compared with its
** siblings. */
#pragma once

#include "state.h"

/* Makes pieces of what json_locate with JSON_LOCATE_UNIQUE found in the edit's text. The goals must be those of JSON
** pointers, no two for one value. Goals and names must stay as long as the edit. Returns 0 if out of memory. */
FL_PRIVATE int json_edit_place(struct json_edit *e, const struct json_goal *goals, uint32_t count,
                               const struct json_slice *found);
