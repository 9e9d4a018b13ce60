/* SPDX-License-Identifier: MIT
** append.h -- doc:append: an amendment that is added to the document's file.
** Must hold: nothing of the file is changed before the lock is taken and the file is known to be in the document's
** state. */
#pragma once

#include "save.h"

/* doc:append(fn [, options]) -> a document of the new state. fn(m) changes the root, m, as with amend. */
FL_PRIVATE int view_doc_append(lua_State *L);
