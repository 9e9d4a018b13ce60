/* SPDX-License-Identifier: MIT
** open_file.h -- open_file: documents of files, with frames or without.
** Must hold: a file with frames is read up to the end of its last whole part; what is after it may be cut off by a
** writer at any moment, and is never read from a mapping. */
#pragma once

#include "../../files/append.h"
#include "../../files/file.h"
#include "binary.h"

/* What append needs of a document of a file with frames; at VIEW_ENV_FILE. The name follows, with a 0. */
struct mod_stored {
  struct append_state at;
  unsigned names; /* of the shared keys, that the file has */
  int is_damaged; /* there is more in the file, and it is no part: recover */
  int in_memory;  /* map = false */
};

/* Opens what `file` is, which a userdata owns, up to `limit`: pushes the document, or the results of an error, whose
** message does not name the file. The file is closed. */
FL_PRIVATE int mod_open_stream(lua_State *L, const char *path, FILE **file, struct mod_binary *b, uint64_t limit);

/* The same with the file of that name. */
FL_PRIVATE int mod_open_named(lua_State *L, const char *path, struct mod_binary *b);
