/* SPDX-License-Identifier: MIT
** binary_to_lua_raw.h -- template: unpacking below the API of one layout.
** May call: convert/binary_to_lua.h, convert/json_to_lua_raw.h, layout, json, binary.
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

/* Encoders write equal strings once, so that the address of one that was met lately tells which Lua string it is. */
FL_INLINE int LAY(bl_string)(struct binary_to_lua *b, bin_value v, const char *s, size_t n) {
  enum { SLOT = LAY(slot_bytes) };
  struct json_to_lua *k = b->k;
  const size_t place = (uintptr_t)v / 2 % BL_RECENT;
  if (!b->recent_n) return LAY(jl_string)(k, s, n);
  if (b->recent[place] == v) {
    char *slot = k->top;
    if (FL_UNLIKELY(slot >= k->limit)) LAY(jl_more_)(k), slot = k->top;
    memcpy(slot, k->first - (place + 1) * SLOT, SLOT);
    k->top = slot + SLOT;
    return 1;
  }
  if (FL_UNLIKELY(!LAY(jl_string)(k, s, n))) return 0;
  if (n < 2) return 1; /* it stands in an item */
  b->recent[place] = v;
  memcpy(k->first - (place + 1) * SLOT, k->top - SLOT, SLOT);
  return 1;
}

#define BL_NAME LAY(jl_unpack)
#define BL_KEY LAY(bl_name)
#define BL_STRING LAY(bl_string)
#define SCAN(event) FL_PASTE(LAYOUT, jl_##event)
#include "binary_to_lua_template.h"

#undef LAY
