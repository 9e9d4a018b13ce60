/* SPDX-License-Identifier: MIT
** json.h -- encode's writer for documents, views, data and mutable views.
** Must hold: as encode/api/walk.h: memory belongs to the walk, so nothing here raises. */
#pragma once

#include "../../encode/api/state.h"
#include "../../binary/encode/end.h"
#include "../../json/edit/edit.h"
#include "../to_json/binary_to_json.h"
#include "put.h"

/* Writes the text of the value on top, which stays. JSON_TEXT_ROOM bytes are reserved. */
FL_PRIVATE char *view_write_json(struct api_walk *a, char *w);

/* Writes the text of a mutable view of a text at *w, which moves with the buffer: what was not changed stays as it
** stands there. Returns its end; NULL: there is no memory, or the text must be written anew at *w, because members
** share a name or a value is nested deeper than max_depth. */
FL_PRIVATE char *view_splice(struct json_out *out, char **w, const struct mod_mutable *m, size_t max_depth);
