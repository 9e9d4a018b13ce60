/* SPDX-License-Identifier: MIT
** save.h -- save, write_file and compact: files that are replaced whole or not at all. doc:append: an amendment that is
** added to the document's file.
** Must hold: the lock is taken before the old file is read. An error leaves the old file and no temporary one. Nothing
** of a file is appended to before it is known to be in the document's state. */
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

/* doc:append(fn [, options]) -> a document of the new state. fn(m) changes the root, m, as with amend. */
FL_PRIVATE int view_doc_append(lua_State *L);
