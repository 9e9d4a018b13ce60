/* SPDX-License-Identifier: MIT
** splice.h -- the text of a changed view of a text: what was not changed stays as it stands there.
** Must hold: raises nothing. Memory is that of the output buffer's allocator, and is freed. */
#pragma once

#include "../to_json/binary_to_json.h"
#include "../../json/edit/edit.h"
#include "put.h"

/* Is the mutable view one of a text? */
FL_FUNC int view_has_text(const struct mod_mutable *m) { return m->owner->places && m->layer->doc == &m->owner->doc; }

/* Writes the text of a mutable view of a text at *w, which moves with the buffer. Returns its end; NULL: there is no
** memory, or the text must be written anew at *w, because members share a name or a value is nested deeper than
** max_depth. */
FL_PRIVATE char *view_splice(struct json_out *out, char **w, const struct mod_mutable *m, size_t max_depth);
