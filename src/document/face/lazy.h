/* SPDX-License-Identifier: MIT
** lazy.h -- lazy(text): a view of JSON text, which is converted to a document.
** Must hold: as binary.h; the binary form is in a userdata of the document. */
#pragma once

#include "../view/read.h"
#include "binary.h"

/* lazy(text [, options]) -> a view of the text's value, or the value itself if it is a scalar */
FL_PRIVATE int mod_lazy(lua_State *L);
