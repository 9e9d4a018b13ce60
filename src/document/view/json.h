/* SPDX-License-Identifier: MIT
** json.h -- encode's writer for documents, views, data and mutable views.
** Must hold: as encode/api/walk.h: memory belongs to the walk, so nothing here raises. */
#pragma once

#include "../../encode/api/state.h"
#include "../../binary/encode/end.h"
#include "../to_json/binary_to_json.h"
#include "put.h"

/* Writes the text of the value on top, which stays. JSON_TEXT_ROOM bytes are reserved. */
FL_PRIVATE char *view_write_json(struct api_walk *a, char *w);
