/* SPDX-License-Identifier: MIT
** marks.h -- the places of the stand-ins' metatables among those that encoding knows by address.
** Must hold: a place belongs to one stand-in, which registers its metatable with mod_make_mark or mod_set_mark. */
#pragma once

#include "../../encode/face/marks.h"

enum dropin_mark {
  CJSON_MARK_ARRAY = MOD_MARK_DROPIN, /* array_mt, */
  CJSON_MARK_EMPTY,                   /* and empty_array_mt */
  DKJSON_MARK_NULL,                   /* the metatable of null */
  DROPIN_MARKS
};
FL_STATIC_ASSERT((int)DROPIN_MARKS <= (int)KNOWN_METATABLES, each_mark_has_a_place);
