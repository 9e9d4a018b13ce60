/* SPDX-License-Identifier: MIT
** json.h -- encode's writer for documents, views, data and mutable views.
** Must hold: as encode/api/walk.h: memory belongs to the walk, so nothing here raises. */
#pragma once

#include "../../encode/api/state.h"
#include "../../binary/encode/end.h"
#include "../../json/edit/edit.h"
#include "../to_json/binary_to_json.h"
#include "put.h"

/* Writes the text of the value on top, which stays. JSON_TEXT_ROOM bytes must be reserved. */
FL_PRIVATE char *view_write_json(struct api_walk *a, char *w);

/* Writes a mutable view of a text at *w, which moves with the buffer; unchanged parts are copied. Returns the end.
** Returns NULL if out of memory, or if the text must be written anew at *w, because a name is there twice or a value is
** nested deeper than max_depth. */
FL_PRIVATE char *view_splice(struct json_out *out, char **w, const struct mod_mutable *m, size_t max_depth);
