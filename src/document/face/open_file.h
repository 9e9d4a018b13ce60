/* SPDX-License-Identifier: MIT
** open_file.h -- open_file: documents of files, with frames or without.
** Must hold: a file with frames is used up to the end of its last whole part. A writer may truncate the rest at any
** moment, so it is never read from a mapping. */
#pragma once

#include "../../files/append.h"
#include "../../files/file.h"
#include "binary.h"

/* What append needs to know about a document's file with frames; stored at VIEW_ENV_FILE. The file's name follows, with
** a 0. */
struct mod_stored {
  struct append_state at;
  unsigned names; /* number of shared keys in the file */
  int is_damaged; /* recover: invalid bytes follow in the file */
  int in_memory;  /* map = false */
};

/* Opens the stream `file`, which a userdata owns, up to `limit` bytes. Pushes the document or the results of an error,
** whose message does not name the file. Closes the stream. */
FL_PRIVATE int mod_open_stream(lua_State *L, const char *path, FILE **file, struct mod_binary *b, uint64_t limit);

/* Like mod_open_stream, for a file name. */
FL_PRIVATE int mod_open_named(lua_State *L, const char *path, struct mod_binary *b);
