/* SPDX-License-Identifier: MIT
** pack.c -- a unit of the part document: Lua values to documents, and documents to them. */

#include "lua_version.h"

#include "../document/from_lua/fast.c" /* what the fast mode remembers of records */
#include "../document/from_lua/instances.c" /* the raw walks to a document, one for each layout */
#include "../document/from_lua/api/walk.c" /* the public-API walk to a document */
#include "../document/to_lua/api.c" /* the same from documents */
#include "../document/to_lua/instances.c" /* the same below the API */
