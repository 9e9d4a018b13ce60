/* SPDX-License-Identifier: MIT
** places.h -- the values that changes lead to, found while the text is tested, as pieces of an edit.
** Must hold: the text is strict JSON, and no change was made yet. Few goals: each one is compared with its siblings. */
#pragma once

#include "state.h"

/* Makes pieces of what json_locate has found in the text of the edit with JSON_LOCATE_UNIQUE: goals of JSON pointers,
** of which no two lead to one value. The goals and their names stay as long as the edit. False: no memory. */
FL_PRIVATE int json_edit_place(struct json_edit *e, const struct json_goal *goals, uint32_t count,
                               const struct json_slice *found);
