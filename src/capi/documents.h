/* SPDX-License-Identifier: MIT
** documents.h -- checks bytes, opens and closes documents; shared keys.
** Must hold: an open document has its bytes and its root. */
#pragma once

#include <stdio.h>
#include "../binary/check/check.h"
#include "../files/append.h"
#include "capi.h"

/* ------------------------------------------------------------------------------------- checking */

FL_PRIVATE void capi_set_doc(struct bin_doc *d, const void *bytes, size_t n, const fleece_options *o);

/* ------------------------------------------------------------------------------------- files */

/* A file that is opened. */
struct capi_file {
  struct bin_frames frames;
  uint64_t id[2];           /* of append_identity */
  int is_framed, is_walked; /* is_walked: its frames were read before its bytes, because it is no pipe */
};

/* An error of the system, in errno. Returns NULL. */
FL_PRIVATE const char *capi_file_error(fleece_error *error, const char *message);

/* Reads the frames of a file. False: *error. */
FL_PRIVATE int capi_walk_file(struct capi_file *f, FILE *file, fleece_error *error);

/* Makes *bytes and *n those of the file's document, and o->keys its shared keys unless the caller has given some. The
** document owns the file's bytes. False: *error. */
FL_PRIVATE int capi_use_frames(struct capi_file *f, fleece_doc *d, const char **bytes, size_t *n, fleece_options *o,
                               fleece_error *error);
