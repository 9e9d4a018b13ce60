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
  if (bin_tag(v) == BIN_TAG_FLOAT) {
    const double d = bin_double(v);
    LAY(put_number)(slot, d);
    return d == d;
  }
  if (FL_UNLIKELY(bin_tag(v) > BIN_TAG_INTEGER)) return 0;
  const int64_t i = (int64_t)bin_integer(v, &is_big);
  LAY(put_integer)(slot, i);
  return !is_big && json_to_lua_integer_fits(i);
}

/* Creates the table of a narrow array of n numbers, which needs no frame. Returns 0 if it has other values. */
FL_INLINE int LAY(unpack_point)(struct binary_to_lua *b, bin_value v, size_t n) {
  enum { SLOT = LAY(slot_bytes) };
  struct json_to_lua *k = b->k;
  char items[UNPACK_POINT * SLOT];
  LAY(json_to_lua_need_child)(k);
  for (size_t i = 0; i < n; i++) {
    bin_value x;
    v += 2;
    if (FL_LIKELY((v[0] & (BIN_POINTER | BIN_EXTERN)) == BIN_POINTER) &&
        FL_LIKELY(*(x = v - bin_narrow_offset(v)) == (BIN_TAG_FLOAT << 4 | BIN_EIGHT_BYTES))) {
      const double d = lay_bits_double(bin_little64(x + 2));
      if (FL_UNLIKELY(d != d)) return 0;
      LAY(put_number)(items + i * SLOT, d);
    } else if (!LAY(unpack_put_number)(items + i * SLOT, bin_item_value(b->doc, v, 2))) {
      return 0;
    }
  }
  LAY(json_to_lua_sync)(k);
  lua_createtable(k->L, (int)n, 0);
  LAY(json_to_lua_pushed)(k);
  char *table = (char *)(uintptr_t)LAY(pointer)(LAY(slot)(k->top - SLOT));
  if (FL_UNLIKELY(!LAY(is_white)(table)) || FL_UNLIKELY(LAY(array_size)(table) < n)) {
    k->top -= SLOT;
    return 0;
  }
  for (size_t i = 0; i < n; i++) LAY(put_item)(table, i, items + i * SLOT);
  if (FL_UNLIKELY(k->o->arrays)) LAY(json_to_lua_set_result_metatable)(k, table, 1, n);
  return 1;
}

/* Creates the tables of the array v and of the items from `item` on, as long as they are arrays of numbers: coordinates
** and vectors are. Returns the first other item, or NULL if v has other values. v is paid for. */
FL_NOINLINE bin_value LAY(unpack_points)(struct binary_to_lua *b, bin_value v, bin_value item, bin_value end,
                                         unsigned width) {
  bin_value at = NULL;
  size_t left = b->left, price = 0;
  for (;; item += width) {
    const size_t n = bin_big16(v) - (BIN_TAG_ARRAY << 12);
    if (n - 1 >= UNPACK_POINT) break; /* it is wide, long, empty, or no array */
    if (at) price = UNPACK_PRICE + UNPACK_PRICE * n;
    if (FL_UNLIKELY(price > left) || !LAY(unpack_point)(b, v, n)) break;
    left -= price;
    at = item;
    if (item == end) break;
    v = bin_item_value(b->doc, item, width);
  }
  b->left = left;
  return at;
}

#define UNPACK_NAME LAY(json_to_lua_unpack)
#define UNPACK_KEY LAY(unpack_name)
#define UNPACK_STRING LAY(unpack_string)
#define UNPACK_POINTS LAY(unpack_points)
#define SCAN(event) FL_PASTE(LAYOUT, json_to_lua_##event)
#include "values_template.h"

#undef LAY
