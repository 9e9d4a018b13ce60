/* SPDX-License-Identifier: MIT
** text_edit.h -- a call that changes a text: its memory, the edit, the result.
** Must hold: as json/edit/edit.h. The caller's output holds names in the meantime. */
#pragma once

#include "../json/edit/edit.h"
#include "documents.h"
#include "text.h"

enum {
  CAPI_EDIT_ROOM = 8192, /* bytes on the C stack for a call, */
  CAPI_EDIT_FIRST = 4096 /* of which the edit itself gets these */
};

struct capi_text_edit {
  struct capi_room room;
  struct capi_text text;
  struct capi_path path;
  struct json_edit e;
  struct json_style style;
  struct json_out out; /* for names, then for the result */
  fleece_options o;
  fleece_error *error;
  int64_t first[CAPI_EDIT_ROOM / sizeof(int64_t)];
};

/* Begins a call: reads its options, and takes the memory of `out`. Returns the status; after an error nothing is to be
** ended. */
FL_PRIVATE int capi_edit_begin(struct capi_text_edit *f, const char *text, size_t n, const fleece_options *options,
                               fleece_bytes *out, fleece_bytes *scratch, fleece_error *error);

/* Tests the text, and begins its edit. Returns the status. */
FL_PRIVATE int capi_edit_read(struct capi_text_edit *f);

/* Sets the error of an edit that has failed. Returns the status. */
FL_PRIVATE int capi_edit_refused(struct capi_text_edit *f);

/* Writes the text after its changes. NULL if out of memory. */
FL_PRIVATE char *capi_edit_result(struct capi_text_edit *f);

/* Ends the call: what was written up to `end` is the result, unless the status is an error. Returns the final
** status. */
FL_PRIVATE int capi_edit_end(struct capi_text_edit *f, int status, fleece_bytes *out, char *end);
