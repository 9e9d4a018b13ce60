/* SPDX-License-Identifier: MIT
** delta.h -- diff and patch: JSON deltas between values; equality of views; dates.
** Must hold: as binary.h; no Lua runs during a walk over documents. */
#pragma once

#include "../../binary/read/dates.h"
#include "../../binary/encode/end.h"
#include "../../binary/delta/apply.h"
#include "../../binary/delta/errors.h"
#include "../to_json/delta.h"
#include "binary.h"

/* view == view: by content, numbers by value */
FL_PRIVATE int view_eq(lua_State *L);

/* diff(old, new) -> the JSON delta from old to new */
FL_PRIVATE int mod_diff(lua_State *L);

/* patch(old, delta [, options]) -> bytes of the changed document. The delta is JSON text, a view or a document. */
FL_PRIVATE int mod_patch(lua_State *L);

/* date(text [, minutes]) -> milliseconds since 1970 UTC, or nil; date(ms [, minutes]) -> text. The zone, for a text
** that has none too, is so many minutes east of UTC. */
FL_PRIVATE int mod_date(lua_State *L);
