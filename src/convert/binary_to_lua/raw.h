/* SPDX-License-Identifier: MIT
** raw.h -- template: unpacking below the API, for one layout.
** May call: convert/binary_to_lua/api.h, convert/json_to_lua/raw.h, layout, json, binary.
** Must hold: as convert/json_to_lua/raw.h, of the same layout, which is included before.
**
** Parameter, left defined: LAYOUT. */

#define LAY(name) FL_PASTE(LAYOUT, name)

/* Sets a name whose address is not that of the likely one; its bytes may still be the same. */
FL_NOINLINE int LAY(unpack_name_)(struct binary_to_lua *b, bin_value key) {
  struct json_to_lua *k = b->k;
  struct json_string name;
  unsigned to = k->shape != JSON_TO_LUA_PAIRS ? k->shapes->shape[k->shape].likely : 0;
  if (!unpack_key_text(b, key, &name)) return 0;
  if (to != 0) {
    const struct shapes_name *likely = &k->shapes->name[k->shapes->shape[to].name];
    if (likely->length == name.n && memcmp(likely->text, name.s, name.n) == 0) k->shape = to;
    else to = 0;
  }
  if (to == 0 && !LAY(json_to_lua_name)(k, name, (const char *)key, 1)) return 0;
  if (k->shape != JSON_TO_LUA_PAIRS)
    b->known[k->shape % UNPACK_KNOWN].shape = k->shape, b->known[k->shape % UNPACK_KNOWN].key = key;
  return 1;
}

/* Encoders write a name once for many dicts, so usually its address shows that it is the likely one. */
FL_INLINE int LAY(unpack_name)(struct binary_to_lua *b, bin_value key) {
  struct json_to_lua *k = b->k;
  if (FL_LIKELY(k->shape != JSON_TO_LUA_PAIRS)) {
    const unsigned to = k->shapes->shape[k->shape].likely, place = to % UNPACK_KNOWN;
    if (FL_LIKELY(b->known[place].key == key) && FL_LIKELY(b->known[place].shape == to)) {
      k->shape = to;
      return 1;
    }
  }
  return LAY(unpack_name_)(b, key);
}

/* Encoders write equal strings once, so the address of a recent one identifies its Lua string. */
FL_INLINE int LAY(unpack_string)(struct binary_to_lua *b, bin_value v, const char *s, size_t n) {
  enum { SLOT = LAY(slot_bytes) };
  struct json_to_lua *k = b->k;
  const size_t place = (uintptr_t)v / 2 % UNPACK_RECENT;
  if (!b->recent_n) return LAY(json_to_lua_string)(k, s, n);
  if (b->recent[place] == v) {
    char *slot = k->top;
    if (FL_UNLIKELY(slot >= k->limit)) LAY(json_to_lua_more_)(k), slot = k->top;
    memcpy(slot, k->first - (place + 1) * SLOT, SLOT);
    k->top = slot + SLOT;
    return 1;
  }
  if (FL_UNLIKELY(!LAY(json_to_lua_string)(k, s, n))) return 0;
  if (n < 2) return 1; /* its bytes are in an item */
  b->recent[place] = v;
  memcpy(k->first - (place + 1) * SLOT, k->top - SLOT, SLOT);
  return 1;
}

#define UNPACK_NAME LAY(json_to_lua_unpack)
#define UNPACK_KEY LAY(unpack_name)
#define UNPACK_STRING LAY(unpack_string)
#define SCAN(event) FL_PASTE(LAYOUT, json_to_lua_##event)
#include "values_template.h"

#undef LAY
