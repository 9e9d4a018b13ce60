/* SPDX-License-Identifier: MIT
** values_template.h -- template: turns a value of a checked document into the events of json/grammar/scan_template.h.
** Must hold: no recursion; events come in the order of a JSON text of the same value, names in the order of keys.
**
** Parameters, undefined at the end:
**   UNPACK_NAME      name of the instance:  int UNPACK_NAME(struct binary_to_lua *b, bin_value v)
**                false: b->error, or the scan's, tells why, and b->where, where
**   UNPACK_KEY       int UNPACK_KEY(struct binary_to_lua *b, bin_value key): takes a name
**   UNPACK_STRING    int UNPACK_STRING(struct binary_to_lua *b, bin_value v, const char *s, size_t n): takes the
**                string at v
**   UNPACK_POINTS    bin_value UNPACK_POINTS(struct binary_to_lua *b, bin_value v, bin_value item, bin_value end,
**                unsigned width): takes the array v of numbers, and those among the items that follow, up to another
**                value, which it returns. NULL: nothing was taken
**   SCAN(event)  names the sink's functions: null, boolean, integer, double, big, open, close
** Instances: json_to_lua_api_unpack (api.h), whose sink is json_to_lua_api_EVENT, and LAYOUT_json_to_lua_unpack (raw.h)
** with LAYOUT_json_to_lua_EVENT. */

/* Sets an integer that may not fit this Lua's, with the same result as decoding its digits. */
FL_NOINLINE int FL_PASTE(UNPACK_NAME, big_)(struct binary_to_lua *b, uint64_t bits, int is_big) {
  char text[NUM_ROOM];
  struct num_value number;
  const size_t n = (size_t)((is_big ? num_write_u64(text, bits) : num_write_i64(text, (int64_t)bits)) - text);
  if (!is_big) return SCAN(integer)(b->k, (int64_t)bits, text, n);
  number.kind = NUM_BIG;
  number.d = (double)bits;
  return SCAN(big)(b->k, text, n, &number);
}

FL_INLINE int FL_PASTE(UNPACK_NAME, integer)(struct binary_to_lua *b, bin_value v) {
  int is_big;
  const uint64_t bits = bin_integer(v, &is_big);
  if (FL_UNLIKELY(is_big) || FL_UNLIKELY(!json_to_lua_integer_fits((int64_t)bits)))
    return FL_PASTE(UNPACK_NAME, big_)(b, bits, is_big);
  return SCAN(integer)(b->k, (int64_t)bits, NULL, 0);
}

/* All NaNs become the same one, because some layouts use other NaNs for other types. */
FL_INLINE int FL_PASTE(UNPACK_NAME, number)(struct binary_to_lua *b, bin_value v) {
  double d = bin_double(v);
  if (FL_UNLIKELY(d != d)) d = lay_bits_double(UINT64_C(0x7ff8000000000000));
  return SCAN(double)(b->k, d);
}

FL_NOINLINE int FL_PASTE(UNPACK_NAME, long_string_)(struct binary_to_lua *b, const char *s, size_t n) {
  struct json_to_lua *k = b->k;
  if (!SCAN(boolean)(k, 0)) return 0; /* placeholder */
  if (k->decoder) k->decoder->give(k);
  const int fine = unpack_shared_(b, s, n, 0);
  if (k->decoder) k->decoder->take(k);
  return fine;
}

FL_INLINE int FL_PASTE(UNPACK_NAME, string)(struct binary_to_lua *b, bin_value v) {
  size_t n;
  const char *s = bin_bytes(v, &n);
  if (n < UNPACK_SHARED && FL_UNLIKELY(!unpack_spend(b, n))) return 0;
  return FL_LIKELY(n < UNPACK_SHARED) ? UNPACK_STRING(b, v, s, n) : FL_PASTE(UNPACK_NAME, long_string_)(b, s, n);
}

FL_NOINLINE int FL_PASTE(UNPACK_NAME, data_)(struct binary_to_lua *b, bin_value v) {
  struct json_to_lua *k = b->k;
  if (!SCAN(boolean)(k, 0)) return 0; /* placeholder */
  if (k->decoder) k->decoder->give(k);
  const int fine = unpack_data_(b, v);
  if (k->decoder) k->decoder->take(k);
  return fine;
}

FL_PRIVATE_NOINLINE FL_ALIGNED int UNPACK_NAME(struct binary_to_lua *b, bin_value v) {
  struct json_to_lua *k = b->k;
  const struct bin_doc *doc = b->doc;
  struct unpack_list l = {NULL, NULL, 0, 2, 0, 0};
  enum scan_container in = SCAN_ROOT;
  int fine;

value:
  switch (bin_tag(v)) {
  case BIN_TAG_STRING: fine = FL_PASTE(UNPACK_NAME, string)(b, v); break;
  case BIN_TAG_SMALL: fine = SCAN(integer)(k, bin_small(v), NULL, 0); break;
  case BIN_TAG_INTEGER: fine = FL_PASTE(UNPACK_NAME, integer)(b, v); break;
  case BIN_TAG_FLOAT: fine = FL_PASTE(UNPACK_NAME, number)(b, v); break;
  case BIN_TAG_DATA: fine = FL_PASTE(UNPACK_NAME, data_)(b, v); break;
  case BIN_TAG_SPECIAL:
    fine = bin_type_of(v) == BIN_TYPE_BOOLEAN ? SCAN(boolean)(k, bin_is_true(v)) : SCAN(null)(k);
    break;
  default: goto open;
  }
  if (FL_UNLIKELY(!fine)) goto fail;

next:
  FL_ASSERT(in == SCAN_ROOT || l.merged || l.item <= l.end);
  if (FL_UNLIKELY(in == SCAN_ROOT)) return 1;
  if (in == SCAN_ARRAY) {
    if (FL_UNLIKELY(l.item == l.end)) goto close;
    v = bin_item_value(doc, l.item, l.width);
    l.item += l.width;
    goto value;
  } else {
    bin_value key;
    do {
      if (FL_UNLIKELY(l.merged)) {
        if (!(v = unpack_next_merged_(b, &key))) goto close;
        continue;
      }
      if (FL_UNLIKELY(l.item == l.end)) goto close;
      key = bin_item_value(doc, l.item, l.width);
      v = bin_item_value(doc, l.item + l.width, l.width);
      l.item += 2 * l.width;
    } while (FL_UNLIKELY(bin_is_undefined(v)));
    if (FL_UNLIKELY(!UNPACK_KEY(b, key))) {
      v = key;
      goto fail;
    }
    goto value;
  }

open : {
  const struct bin_list list = bin_list_of(v);
  const int is_dict = bin_tag(v) == BIN_TAG_DICT;
  b->where = v;
  if (FL_UNLIKELY(!unpack_spend(b, UNPACK_PRICE + UNPACK_PRICE * (size_t)list.count))) goto fail;
  if (!is_dict && list.count && bin_tag(bin_list_item(doc, &list, list.count - 1)) <= BIN_TAG_FLOAT) {
    const bin_value after = UNPACK_POINTS(b, v, in == SCAN_ARRAY ? l.item : v, in == SCAN_ARRAY ? l.end : v, l.width);
    if (after) {
      if (in == SCAN_ARRAY) l.item = after;
      goto next;
    }
  }
  unpack_reserve_lists(b, 1 + UNPACK_PAIRS);
  b->lists[b->used++] = l;
  SCAN(open)(k, is_dict ? SCAN_OBJECT : SCAN_ARRAY); /* may create the table of the enclosing array */
  k->items = is_dict ? 0 : list.count;
  in = is_dict ? SCAN_OBJECT : SCAN_ARRAY;
  l.width = (uint8_t)list.width;
  l.is_dict = (uint8_t)is_dict;
  l.item = list.first;
  l.end = list.first + ((size_t)list.count << is_dict) * list.width;
  l.count = list.count;
  l.merged = is_dict && FL_UNLIKELY(bin_has_parent(&list));
  if (FL_UNLIKELY(l.merged)) unpack_begin_merged_(b, v);
  goto next;
}

close:
  in = SCAN(close)(k, l.is_dict ? SCAN_OBJECT : SCAN_ARRAY);
  if (FL_UNLIKELY(in == SCAN_STOP)) {
    v = (bin_value)k->scan.at; /* where the duplicate name is */
    goto fail;
  }
  FL_ASSERT(b->used > 0);
  l = b->lists[--b->used];
  k->items = l.is_dict ? 0 : l.count;
  goto next;

fail:
  b->where = v;
  return 0;
}

#undef UNPACK_NAME
#undef UNPACK_KEY
#undef UNPACK_STRING
#undef UNPACK_POINTS
#undef SCAN
