/* SPDX-License-Identifier: MIT
** raw.h -- template: the scans of a text whose values are created below the API, for one layout; one of them remembers
** members' order and numbers' digits.
** Must hold: raw_tables.h of the same layout is included before. Rare cases are in lossless.h, on the same waiting
** values. An object of a known shape costs two stores and one look-up more than without its order.
** Parameter, stays defined: LAYOUT. */

#define LAY(name) FL_PASTE(LAYOUT, name)
#define JSON_TO_LUA_SLOT LAY(slot_bytes)

#define SCAN_NAME LAY(json_to_lua_scan)
#define SCAN_SINK struct json_to_lua
#define SCAN_GUESSES
#define SCAN(event) FL_PASTE(LAYOUT, json_to_lua_##event)
#include "../json/grammar/scan_template.h"

#define SCAN_NAME LAY(json_to_lua_scan_part)
#define SCAN_SINK struct json_to_lua
#define SCAN_GUESSES
#define SCAN(event) FL_PASTE(LAYOUT, json_to_lua_##event)
#define SCAN_PARTS 1
#include "../json/grammar/scan_template.h"

FL_FUNC void LAY(json_to_lua_lossless_take)(struct json_to_lua *k) {
  json_to_lua_take_lists(k);
  LAY(json_to_lua_take)(k);
}

FL_NOINLINE int LAY(json_to_lua_exact_number_)(struct json_to_lua *k, const char *text, size_t n,
                                               const struct num_value *v) {
  (void)LAY(json_to_lua_slot)(k);
  LAY(json_to_lua_sync)(k);
  const int fine = json_to_lua_lossless_number(k, text, n, v);
  LAY(json_to_lua_take)(k);
  return fine;
}

/* A number that only JSON5 can spell may not have passed json_to_lua_lossless_parse. */
FL_INLINE int LAY(json_to_lua_lossless_number)(struct json_to_lua *k, const char *text, size_t n,
                                               const struct num_value *v) {
  const int is_plain = (v->kind == NUM_INTEGER || v->kind == NUM_DOUBLE) && !(k->scan.grammar & JSON_JSON5);
  if (FL_LIKELY(is_plain) || !k->o->exact) return LAY(json_to_lua_number)(k, text, n, v);
  return LAY(json_to_lua_exact_number_)(k, text, n, v);
}

FL_NOINLINE void LAY(json_to_lua_remember_order_)(struct json_to_lua *k, unsigned shape) {
  LAY(json_to_lua_sync)(k);
  json_to_lua_remember_order(k, shape);
  LAY(json_to_lua_take)(k);
}

/* Remembers that the table before k->top has the order of this shape. The arrays of orders are older than it: a store
** of a white object needs an array that is not black (layout/puc_write.h); the API makes it so. A list is white only
** while it is new: in a generational collector the array of lists stays black. */
FL_FUNC void LAY(json_to_lua_note_order)(struct json_to_lua *k, unsigned shape) {
  struct order_state *o = k->orders;
  const char *slot = k->top - JSON_TO_LUA_SLOT, *address = LAY(pointer)(LAY(slot)(slot));
  char *tables = (char *)(uintptr_t)o->tables, *lists = (char *)(uintptr_t)o->lists;
  char list[JSON_TO_LUA_SLOT];
  if (FL_LIKELY(LAY(array_size)(k->shape_lists) > shape) && FL_LIKELY(order_has_room(o)) &&
      FL_LIKELY(!LAY(is_black)(tables)) && LAY(array_size)(tables) >= o->slots && LAY(array_size)(lists) >= o->slots) {
    const struct lay_value v = LAY(array_item)(LAY(array)(k->shape_lists), shape);
    if (FL_LIKELY(LAY(is_table)(v)) && FL_LIKELY(!LAY(is_black)(lists) || !LAY(is_white)(LAY(pointer)(v)))) {
      const size_t i = order_place(o->address, o->slots, address);
      o->used += !o->address[i];
      o->address[i] = address;
      LAY(put_value)(list, v);
      LAY(put_item)(lists, i, list);
      LAY(put_item)(tables, i, slot);
      return;
    }
  }
  LAY(json_to_lua_remember_order_)(k, shape);
}

FL_NOINLINE enum scan_container LAY(json_to_lua_lossless_close)(struct json_to_lua *k, enum scan_container kind) {
  const unsigned shape = k->shape;
  enum scan_container in;
  if (kind == SCAN_ARRAY) return LAY(json_to_lua_close_array)(k);
  if (k->o->order && shape == JSON_TO_LUA_PAIRS) {
    LAY(json_to_lua_sync)(k);
    in = json_to_lua_lossless_close(k, kind);
    LAY(json_to_lua_take)(k);
    return in;
  }
  in = LAY(json_to_lua_close_object)(k);
  if (k->o->order) LAY(json_to_lua_note_order)(k, shape);
  return in;
}

/* The names of the events. */
#define JSON_TO_LUA_LOSSLESS_null json_to_lua_null
#define JSON_TO_LUA_LOSSLESS_boolean json_to_lua_boolean
#define JSON_TO_LUA_LOSSLESS_number json_to_lua_lossless_number
#define JSON_TO_LUA_LOSSLESS_string json_to_lua_string
#define JSON_TO_LUA_LOSSLESS_guess json_to_lua_guess
#define JSON_TO_LUA_LOSSLESS_name json_to_lua_name
#define JSON_TO_LUA_LOSSLESS_open json_to_lua_open
#define JSON_TO_LUA_LOSSLESS_close json_to_lua_lossless_close

#define SCAN_NAME LAY(json_to_lua_lossless_scan)
#define SCAN_SINK struct json_to_lua
#define SCAN_NUMBER(p, end, v) json_to_lua_lossless_parse(k, p, end, v)
#define SCAN_GUESSES
#define SCAN(event) FL_PASTE(LAYOUT, JSON_TO_LUA_LOSSLESS_##event)
#include "../json/grammar/scan_template.h"

#define SCAN_NAME LAY(json_to_lua_lossless_scan_part)
#define SCAN_SINK struct json_to_lua
#define SCAN_NUMBER(p, end, v) json_to_lua_lossless_parse(k, p, end, v)
#define SCAN_GUESSES
#define SCAN(event) FL_PASTE(LAYOUT, JSON_TO_LUA_LOSSLESS_##event)
#define SCAN_PARTS 1
#include "../json/grammar/scan_template.h"

#undef JSON_TO_LUA_LOSSLESS_null
#undef JSON_TO_LUA_LOSSLESS_boolean
#undef JSON_TO_LUA_LOSSLESS_number
#undef JSON_TO_LUA_LOSSLESS_string
#undef JSON_TO_LUA_LOSSLESS_guess
#undef JSON_TO_LUA_LOSSLESS_name
#undef JSON_TO_LUA_LOSSLESS_open
#undef JSON_TO_LUA_LOSSLESS_close

#undef LAY
#undef JSON_TO_LUA_SLOT
