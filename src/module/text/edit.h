/* SPDX-License-Identifier: MIT
** edit.h -- edit(text, changes [, options]): a JSON text with some of its values changed, and all else as it was.
** May call: base.
** Must hold: the text stays on the Lua stack. All memory is on the C stack or in userdata on the Lua stack: what raises
** leaves nothing behind. Lua code runs only while a value is encoded. */
#ifndef FLEECE_MODULE_TEXT_EDIT_H
#define FLEECE_MODULE_TEXT_EDIT_H

#include "../json/decode.h"
#include "../json/encode.h"

/* edit(text, changes [, options]) -> text */
FL_PRIVATE int mod_edit(lua_State *L);

#endif
