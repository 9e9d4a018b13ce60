/* SPDX-License-Identifier: MIT
** dump.h -- dump(bytes): the bytes of a document with the meaning of each value.
** Must hold: memory is userdata and a luaL_Buffer; the document was checked. Pointers go backwards, so one pass from
** the end to the beginning marks all values, with a bit for each even offset. */
#pragma once

#include "../../binary/delta/amend.h"
#include "binary.h"

struct mod_dump {
  lua_State *L;
  luaL_Buffer *out;
  const struct bin_doc *doc;
  uint8_t *seen;
};

/* dump(bytes or document [, options]) -> text: a line for each value and item */
FL_PRIVATE int mod_dump(lua_State *L);
