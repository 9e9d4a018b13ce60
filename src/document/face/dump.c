/* SPDX-License-Identifier: MIT
** dump.c -- dump(bytes): lists the bytes of a document with the meaning of each value.
** Must hold: memory is userdata and a luaL_Buffer; the document was checked. Pointers go backwards, so one pass from
** the end to the beginning marks all values, one bit for each even offset. */
#include "binary.h"

struct mod_dump {
  luaL_Buffer *out;
  const struct bin_doc *doc;
  uint8_t *seen;
};

enum { DUMP_BYTES = 12, DUMP_TEXT = 48 }; /* limits in a line: bytes of a value, bytes of a string */

static void dump_text(struct mod_dump *d, const char *s) { luaL_addlstring(d->out, s, strlen(s)); }

static void dump_number(struct mod_dump *d, uint64_t n) {
  char text[NUM_ROOM];
  luaL_addlstring(d->out, text, (size_t)(num_write_u64(text, n) - text));
}

static const char dump_digits[] = "0123456789abcdef";

/* Adds an offset in at least six hexadecimal digits, or "base". */
static void dump_offset(struct mod_dump *d, bin_value at) {
  const size_t offset = (size_t)(at - d->doc->begin);
  int shift = 20;
  if (!(at >= d->doc->begin && at < d->doc->end)) {
    dump_text(d, "base");
    return;
  }
  while (shift < 60 && offset >> (shift + 4)) shift += 4;
  for (; shift >= 0; shift -= 4) luaL_addchar(d->out, dump_digits[offset >> shift & 15]);
}

/* Adds an offset and some bytes, "000120: 44 6e 61 ..", padded to a fixed width. */
static void dump_bytes(struct mod_dump *d, bin_value at, size_t n) {
  const size_t shown = n > DUMP_BYTES ? DUMP_BYTES - 1 : n;
  dump_offset(d, at);
  luaL_addchar(d->out, ':');
  for (size_t i = 0; i < DUMP_BYTES; i++) {
    luaL_addchar(d->out, ' ');
    luaL_addchar(d->out, i < shown ? dump_digits[at[i] >> 4] : i == shown && n > shown ? '.' : ' ');
    luaL_addchar(d->out, i < shown ? dump_digits[at[i] & 15] : i == shown && n > shown ? '.' : ' ');
  }
  dump_text(d, "  ");
}

static int dump_is_marked(const struct mod_dump *d, size_t offset) {
  return d->seen[offset / 16] >> offset / 2 % 8 & 1;
}

static void dump_mark(struct mod_dump *d, bin_value v) {
  const size_t offset = (size_t)(v - d->doc->begin);
  if (v >= d->doc->begin && v < d->doc->end)
    d->seen[offset / 16] = (uint8_t)(d->seen[offset / 16] | 1u << offset / 2 % 8);
}

static void dump_mark_items(struct mod_dump *d, bin_value v) {
  const struct bin_list l = bin_list_of(v);
  const size_t n = (size_t)l.count << (bin_tag(v) == BIN_TAG_DICT);
  for (size_t i = 0; i < n; i++) {
    bin_value item = l.first + i * l.width;
    if (bin_is_pointer(item)) dump_mark(d, bin_follow(d->doc, item, l.width));
  }
}

/* Adds a quoted string, up to DUMP_TEXT bytes. */
static void dump_string(struct mod_dump *d, const char *s, size_t n) {
  luaL_addchar(d->out, '"');
  for (size_t i = 0; i < n && i < DUMP_TEXT; i++)
    luaL_addchar(d->out, (unsigned char)s[i] < ' ' || s[i] == 0x7f || s[i] == '"' ? '.' : s[i]);
  dump_text(d, n > DUMP_TEXT ? "...\"" : "\"");
}

/* Adds a scalar, or the type and size of a collection. */
static void dump_value(struct mod_dump *d, bin_value v) {
  char number[JSON_NUMBER_ROOM];
  size_t n;
  const char *s;
  int is_big;
  uint64_t x;
  switch (bin_tag(v)) {
  case BIN_TAG_SMALL:
  case BIN_TAG_INTEGER:
    x = bin_integer(v, &is_big);
    s = is_big ? num_write_u64(number, x) : num_write_i64(number, (int64_t)x);
    luaL_addlstring(d->out, number, (size_t)(s - number));
    if (bin_tag(v) == BIN_TAG_INTEGER && v[0] & BIN_UNSIGNED) dump_text(d, " (unsigned)");
    return;
  case BIN_TAG_FLOAT:
    if (!json_is_finite(bin_double(v))) {
      dump_text(d, bin_double(v) != bin_double(v) ? "NaN" : bin_double(v) < 0 ? "-Infinity" : "Infinity");
    } else {
      s = binary_to_json_put_number_kind(number, v, BINARY_TO_JSON_KINDS);
      luaL_addlstring(d->out, number, (size_t)(s - number));
    }
    dump_text(d, bin_is_double(v) ? v[0] & BIN_EIGHT_BYTES ? " (double)" : " (double in 4 bytes)" : " (float)");
    return;
  case BIN_TAG_SPECIAL:
    dump_text(d, bin_is_undefined(v)               ? "undefined"
                 : bin_type_of(v) == BIN_TYPE_NULL ? "null"
                 : bin_is_true(v)                  ? "true"
                                                   : "false");
    return;
  case BIN_TAG_STRING:
    s = bin_bytes(v, &n);
    dump_string(d, s, n);
    return;
  case BIN_TAG_DATA:
    (void)bin_bytes(v, &n);
    dump_text(d, "data of ");
    dump_number(d, n);
    dump_text(d, n == 1 ? " byte" : " bytes");
    return;
  default: {
    const struct bin_list l = bin_list_of(v);
    dump_text(d, l.width == 4 ? "wide " : "");
    dump_text(d, bin_tag(v) == BIN_TAG_DICT ? "dict of " : "array of ");
    dump_number(d, l.count);
  }
  }
}

/* Adds an item: its value, or its target's offset and value. */
static void dump_item(struct mod_dump *d, bin_value item, unsigned width) {
  bin_value v = bin_item_value(d->doc, item, width);
  if (v != item) {
    dump_text(d, "-> ");
    dump_offset(d, v);
    dump_text(d, ": ");
  }
  dump_value(d, v);
}

/* Adds a key: a string, or a code and, with shared keys, its name. */
static void dump_key(struct mod_dump *d, bin_value item, unsigned width) {
  size_t n;
  const char *s;
  if (bin_is_parent_key(item)) {
    dump_text(d, "parent");
    return;
  }
  dump_item(d, item, width);
  if (bin_tag(item) != BIN_TAG_SMALL || !(s = bin_key_text(d->doc, item, &n))) return;
  luaL_addchar(d->out, ' ');
  dump_string(d, s, n);
}

static void dump_items(struct mod_dump *d, bin_value v) {
  const struct bin_list l = bin_list_of(v);
  const int is_dict = bin_tag(v) == BIN_TAG_DICT;
  for (uint32_t i = 0; i < l.count; i++) {
    bin_value item = l.first + ((size_t)i << is_dict) * l.width;
    dump_bytes(d, item, (size_t)l.width << is_dict);
    dump_text(d, "  ");
    if (!is_dict) {
      luaL_addchar(d->out, '[');
      dump_number(d, i);
      luaL_addchar(d->out, ']');
    } else {
      dump_key(d, item, l.width);
    }
    dump_text(d, is_dict ? ": " : " ");
    dump_item(d, is_dict ? item + l.width : item, l.width);
    luaL_addchar(d->out, '\n');
  }
}

static void dump_lines(struct mod_dump *d) {
  const struct bin_doc *doc = d->doc;
  bin_value v = doc->begin;
  while (v < doc->end) {
    const int known = dump_is_marked(d, (size_t)(v - doc->begin));
    size_t n = known ? bin_value_size(v, doc->end) : 2;
    const int has_items = known && bin_is_collection(v) && bin_list_of(v).count > 0;
    if (has_items) n = (size_t)(bin_list_of(v).first - v);
    while (!known && v + n < doc->end && !dump_is_marked(d, (size_t)(v + n - doc->begin))) n += 2;
    dump_bytes(d, v, n);
    if (known) {
      dump_value(d, v);
    } else if (v + n == doc->end && bin_is_pointer(doc->end - 2)) {
      dump_text(d, "root -> ");
      dump_offset(d, doc->root);
    } else {
      dump_text(d, "(not used)");
    }
    luaL_addchar(d->out, '\n');
    if (has_items) {
      dump_items(d, v);
      n = bin_value_size(v, doc->end);
    }
    v += n;
  }
}

FL_PRIVATE int mod_dump(lua_State *L) {
  struct mod_binary b;
  struct mod_operand of;
  struct mod_dump d;
  luaL_Buffer out;
  int results;
  mod_read_binary_options(L, 2, &b, MOD_OF_BYTES);
  b.is.codes = 1;
  if (!mod_pin_operand(L, 1, &b, &of, &results)) return results;
  d.doc = &of.doc;
  const bin_value root = d.doc->root;
  const size_t n = (size_t)(d.doc->end - d.doc->begin);
  compat_need_stack(L, 12);
  d.seen = (uint8_t *)memset(lua_newuserdata(L, n / 16 + 1), 0, n / 16 + 1);
  dump_mark(&d, root);
  for (bin_value v = d.doc->end - 2; v >= d.doc->begin; v -= 2) {
    if (dump_is_marked(&d, (size_t)(v - d.doc->begin)) && bin_is_collection(v)) dump_mark_items(&d, v);
    if (v == d.doc->begin) break;
  }
  luaL_buffinit(L, &out);
  d.out = &out;
  dump_lines(&d);
  mod_unpin_operand(&of);
  luaL_pushresult(&out);
  return 1;
}
