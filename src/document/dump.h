/* SPDX-License-Identifier: MIT
** dump.h -- dump(bytes): the bytes of a document with the meaning of each value.
** May call: base, number, json, binary, layout, convert, lua_*.
** Must hold: memory is userdata and a luaL_Buffer; the document was checked. Pointers go backwards, so one pass from
** the end to the beginning marks all values, with a bit for each even offset. */
#ifndef FLEECE_MODULE_BINARY_DUMP_H
#define FLEECE_MODULE_BINARY_DUMP_H

#include "../binary/delta/amend.h"
#include "binary.h"

struct mod_dump {
  lua_State *L;
  luaL_Buffer *out;
  const struct bin_doc *doc;
  uint8_t *seen;
};

/* dump(bytes or document [, options]) -> text: a line for each value and item */
FL_PRIVATE int mod_dump(lua_State *L);

#endif
