/* SPDX-License-Identifier: MIT
** binary_to_lua_raw.h -- template: unpacking below the API of one layout.
** May call: convert/binary_to_lua.h, convert/json_to_lua_raw.h.
** Must hold: as json_to_lua_raw.h, of the same layout, which is included before.
**
** Parameter, left defined: LAYOUT. */

#define LAY(name) FL_PASTE(LAYOUT, name)

/* A name that is not where the likely one was last time: may be the same bytes elsewhere. */
FL_NOINLINE int LAY(bl_name_)(struct binary_to_lua *b, bin_value key) {
  struct json_to_lua *k = b->k;
  struct json_string name;
  unsigned to = k->shape != JL_PAIRS ? k->shapes->shape[k->shape].likely : 0;
  if (!bl_key_text(b, key, &name)) return 0;
  if (to != 0) {
    const struct shapes_name *likely = &k->shapes->name[k->shapes->shape[to].name];
    if (likely->length == name.n && memcmp(likely->text, name.s, name.n) == 0) k->shape = to;
    else to = 0;
  }
  if (to == 0 && !LAY(jl_name)(k, name, (const char *)key, 1)) return 0;
  if (k->shape != JL_PAIRS) b->known[k->shape % BL_KNOWN].shape = k->shape, b->known[k->shape % BL_KNOWN].key = key;
  return 1;
}

/* Encoders write a name once for many dicts, so its address mostly tells that it is the likely one. */
FL_INLINE int LAY(bl_name)(struct binary_to_lua *b, bin_value key) {
  struct json_to_lua *k = b->k;
  if (FL_LIKELY(k->shape != JL_PAIRS)) {
    const unsigned to = k->shapes->shape[k->shape].likely, place = to % BL_KNOWN;
    if (FL_LIKELY(b->known[place].key == key) && FL_LIKELY(b->known[place].shape == to)) {
      k->shape = to;
      return 1;
    }
  }
  return LAY(bl_name_)(b, key);
}

#define BL_NAME LAY(jl_unpack)
#define BL_KEY LAY(bl_name)
#define SCAN(event) FL_PASTE(LAYOUT, jl_##event)
#include "binary_to_lua_template.h"

#undef LAY
