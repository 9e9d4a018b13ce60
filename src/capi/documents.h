/* SPDX-License-Identifier: MIT
** documents.h -- documents: checked, opened and closed; shared keys; JSON text to binary and back; files.
** Must hold: an open document has its bytes and its root; that of an edit stays open as long as the edit. A text is
** copied first unless it is known to have a 0 after it: see json/grammar/scan.h. */
#pragma once

#include <stdio.h>
#include "../binary/check/check.h"
#include "../document/from_json/json_to_binary.h"
#include "../document/to_json/binary_to_json.h"
#include "capi.h"

FL_PRIVATE void capi_set_doc(struct bin_doc *d, const void *bytes, size_t n, const fleece_options *o);

/* Reports an error of the system, in errno. Returns FLEECE_ERROR_FILE. */
FL_PRIVATE int capi_file_error(fleece_error *error, const char *message);

/* COMPATIBLE counts, even if FAST is given, too. */
FL_INLINE enum bin_mode capi_mode(uint32_t flags) {
  return flags & FLEECE_COMPATIBLE ? BIN_COMPATIBLE : flags & FLEECE_FAST ? BIN_FAST : BIN_COMPACT;
}

/* Reads a text into an encoder without output. Returns the status. */
FL_PRIVATE int capi_read_json(struct bin_encoder *e, const char *text, size_t n, const fleece_options *o,
                              fleece_error *error);

/* Initializes an encoder for one document that writes into the memory of `out`. */
FL_PRIVATE void capi_begin_document(struct bin_encoder *e, const fleece_options *o, enum bin_mode mode,
                                    fleece_bytes *out);

/* Moves a finished document into `out`, or nothing if the status is an error, and frees the encoder. Returns the final
** status. */
FL_PRIVATE int capi_return_document(struct bin_encoder *e, int status, fleece_bytes *out, fleece_error *error);

/* Puts a copy of the value. Returns 0 with an error in the encoder. */
FL_PRIVATE int capi_copy(struct bin_encoder *e, fleece_value v);

/* Finishes the document, then does the same as capi_return_document. */
FL_PRIVATE int capi_end_document(struct bin_encoder *e, int status, fleece_bytes *out, fleece_error *error);

/* Sets the style for a writer of JSON. Returns 0 if an option is invalid. */
FL_PRIVATE int capi_style(const fleece_options *o, struct json_style *s, fleece_error *error);

/* Prepares to write values of a document of n bytes. */
FL_PRIVATE void capi_init_out(struct json_out *out, const struct json_style *style, size_t n);

/* Returns the document that an edit changes. */
FL_PRIVATE const fleece_doc *capi_edited(const fleece_edit *edit);

/* fleece_edit_write. An appended delta begins after `front` zero bytes, which its pointers count: room for a frame. */
FL_PRIVATE int capi_write_edit(fleece_edit *edit, const fleece_options *options, size_t front, fleece_bytes *out,
                               fleece_error *error);
