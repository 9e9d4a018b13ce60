/* SPDX-License-Identifier: MIT
** save.h -- save, write_file and compact: files that are replaced whole or not at all.
** Must hold: the lock is taken before the old file is read. An error leaves the old file and no temporary one. */
#pragma once

#include "open_file.h"

/* What replace_commit and append_part sync, and how long a lock is waited for. */
FL_PRIVATE int mod_sync_of(const struct mod_binary *b);
FL_PRIVATE unsigned mod_wait_of(const struct mod_binary *b);

/* save(path, value [, options]) -> true: a document with a frame; value: bytes of a document, or what pack takes */
FL_PRIVATE int mod_save(lua_State *L);

/* write_file(path, value [, options]) -> true: the JSON text of the value */
FL_PRIVATE int mod_write_file(lua_State *L);

/* compact(path [, options]) -> bytes of the new file, of the old one: writes the document anew, with a frame */
FL_PRIVATE int mod_compact(lua_State *L);
