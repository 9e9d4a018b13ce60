/* SPDX-License-Identifier: MIT
** saving.h -- what files that are written need of edits.
** Must hold: the document of an edit stays open as long as the edit. */
#pragma once

#include "capi.h"

/* The document that an edit changes. */
FL_PRIVATE const fleece_doc *capi_edited(const fleece_edit *edit);

/* fleece_edit_write. Before a delta that is appended lie `front` zero bytes, across which its pointers count: room for
** a frame. */
FL_PRIVATE int capi_write_edit(fleece_edit *edit, const fleece_options *options, size_t front, fleece_bytes *out,
                               fleece_error *error);
