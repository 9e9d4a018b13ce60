/* SPDX-License-Identifier: MIT
** convert.c -- a unit of the part document, and of the C library: texts to documents and back, without Lua. */

#include "../document/from_json/json_to_binary.c"
#include "../document/to_json/binary_to_json.c"
#include "../document/to_json/delta.c"
