/* SPDX-License-Identifier: MIT
** raw.h -- template: unpacking below the API, for one layout.
** Must hold: as decode/raw.h of the same layout, which is included before.
** Parameter, stays defined: LAYOUT. */

#define LAY(name) FL_PASTE(LAYOUT, name)

/* Sets a name whose address is not the likely one's; its bytes may still be the same. */
FL_NOINLINE int LAY(unpack_name_)(struct binary_to_lua *b, bin_value key) {
  struct json_to_lua *k = b->k;
  struct json_string name;
  unsigned to = k->shape != JSON_TO_LUA_PAIRS ? k->shapes->shape[k->shape].likely : 0;
  if (!unpack_key_text(b, key, &name)) return 0;
  if (to != 0) {
    const struct shapes_name *likely = &k->shapes->name[k->shapes->shape[to].name];
    if (likely->length == name.n && unpack_same_bytes(likely->text, name.s, name.n)) k->shape = to;
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
  if (n < 2) return 1; /* its bytes are inside the item */
  b->recent[place] = v;
  memcpy(k->first - (place + 1) * SLOT, k->top - SLOT, SLOT);
  return 1;
}

/* Stores the number at v in a slot. Returns 0 if it is not a number, or one that a slot of this Lua cannot hold. */
FL_INLINE int LAY(unpack_put_number)(char *slot, bin_value v) {
  int is_big;
  uint64_t bits;
  double d;
  switch (bin_tag(v)) {
  case BIN_TAG_SMALL: LAY(put_integer)(slot, bin_small(v)); return 1;
  case BIN_TAG_INTEGER:
    bits = bin_integer(v, &is_big);
    if (is_big || !json_to_lua_integer_fits((int64_t)bits)) return 0;
    LAY(put_integer)(slot, (int64_t)bits);
    return 1;
  case BIN_TAG_FLOAT:
    d = bin_double(v);
    if (FL_UNLIKELY(d != d)) return 0;
    LAY(put_number)(slot, d);
    return 1;
  default: return 0;
  }
}

/* An array of numbers needs no frame: its items fill the next slots, and then its table. Coordinates and vectors are
** such arrays. */
FL_INLINE int LAY(unpack_numbers)(struct binary_to_lua *b, const struct bin_list *array) {
  enum { SLOT = LAY(slot_bytes) };
  struct json_to_lua *k = b->k;
  const size_t n = array->count;
  bin_value item = array->first;
  size_t i;
  char *slot, *table;
  if (n == 0 || bin_tag(bin_item_value(b->doc, item + (n - 1) * array->width, array->width)) > BIN_TAG_FLOAT) return 0;
  LAY(json_to_lua_need_child)(k);
  slot = k->top;
  if (FL_UNLIKELY((size_t)(k->limit - slot) / SLOT < n)) return 0;
  for (i = 0; i < n; i++, item += array->width)
    if (!LAY(unpack_put_number)(slot + i * SLOT, bin_item_value(b->doc, item, array->width))) return 0;
  k->top = slot + n * SLOT;
  LAY(json_to_lua_sync)(k);
  lua_createtable(k->L, (int)n, 0);
  LAY(json_to_lua_pushed)(k);
  k->top -= SLOT;
  table = (char *)(uintptr_t)LAY(pointer)(LAY(slot)(k->top));
  if (FL_UNLIKELY(!LAY(is_white)(table)) || FL_UNLIKELY(LAY(array_size)(table) < n)) {
    k->top -= n * SLOT;
    return 0;
  }
  LAY(fill_items)(table, k->top - n * SLOT, n);
  LAY(json_to_lua_replace)(k, k->top - n * SLOT);
  if (FL_UNLIKELY(k->o->arrays)) LAY(json_to_lua_set_result_metatable)(k, table, 1, n);
  return 1;
}

#define UNPACK_NAME LAY(json_to_lua_unpack)
#define UNPACK_KEY LAY(unpack_name)
#define UNPACK_STRING LAY(unpack_string)
#define UNPACK_NUMBERS LAY(unpack_numbers)
#define SCAN(event) FL_PASTE(LAYOUT, json_to_lua_##event)
#include "values_template.h"

#undef LAY
