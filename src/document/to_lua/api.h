/* SPDX-License-Identifier: MIT
** api.h -- the state of unpacking, which turns a checked document into Lua values by the sinks of decode/api.h; and the
** instance over the public API.
** Must hold: the document was checked, does not move and stays alive. As in decode/api.h all memory is on the C stack
** or in userdata on the Lua stack. No recursion. */
#pragma once

#include "../../binary/read/errors.h"
#include "../../binary/read/read.h"
#include "../../decode/api.h"
#include "../../layout/probe.h"

enum {
  UNPACK_FRAMES = 32,         /* nesting without allocation */
  UNPACK_KNOWN = 64,          /* slots: shapes whose last name is recognized by address */
  UNPACK_RECENT = 128,        /* slots: values whose Lua string is found by address (raw layouts only), */
  UNPACK_RECENT_BYTES = 2048, /* used for documents of at least this size */
  /* Strings and data of at least this length are created once for all pointers to them, or a short document could fill
  ** the memory. */
  UNPACK_SHARED = 256,
  UNPACK_PRICE = 16,
  UNPACK_POINT = 128 /* items of an array of numbers that is created without a frame */
};

/* The rest of an open collection. */
struct unpack_list {
  bin_value item, end;
  uint32_t count; /* number of all items of an array */
  uint8_t width, is_dict;
  uint8_t merged; /* a dict with parents: its bin_pairs are in the slots before this one; item and end are unused */
};

enum { UNPACK_PAIRS = (int)((sizeof(struct bin_pairs) + sizeof(struct unpack_list) - 1) / sizeof(struct unpack_list)) };

struct binary_to_lua {
  struct json_to_lua *k; /* builds the tables */
  const struct bin_doc *doc;
  struct unpack_list *lists; /* stack: collections around the innermost one, and pairs of merged dicts */
  size_t used, room;
  void (*push_data)(lua_State *L, const char *s, size_t n);
  int strings;          /* stack index of the table from offsets to long strings and data, or nil */
  size_t left;          /* parameter: bytes still allowed, roughly; a value costs UNPACK_PRICE and its text */
  enum bin_error error; /* or k->scan has the error */
  bin_value where;      /* position of the error */
  struct {
    uint32_t shape;
    bin_value key;
  } known[UNPACK_KNOWN]; /* last address of a shape's last name */
  int recent_n;          /* number of cached Lua strings on the stack before the pending values, the last one first; */
  bin_value recent[UNPACK_RECENT]; /* the values they belong to, or NULL */
  struct unpack_list first_lists[UNPACK_FRAMES];
};

FL_INLINE void unpack_init(struct binary_to_lua *b, struct json_to_lua *k, const struct bin_doc *doc, int strings) {
  b->k = k;
  b->doc = doc;
  b->lists = b->first_lists;
  b->used = 0;
  b->room = UNPACK_FRAMES;
  b->strings = strings;
  b->error = BIN_ERROR_NONE;
  b->where = doc->begin;
  memset(b->known, 0, sizeof b->known);
  b->recent_n = doc->end - doc->begin < UNPACK_RECENT_BYTES ? 0 : UNPACK_RECENT;
  if (b->recent_n) memset(b->recent, 0, sizeof b->recent);
}

/* Makes room for n more lists in the scan's memory, which is free because no text is scanned. */
FL_PRIVATE_NOINLINE void unpack_grow_lists_(struct binary_to_lua *b, size_t n);

FL_INLINE void unpack_reserve_lists(struct binary_to_lua *b, size_t n) {
  if (FL_UNLIKELY(b->room - b->used < n)) unpack_grow_lists_(b, n);
}

/* Begins a dict with parents: pushes its bin_pairs onto the lists. */
FL_PRIVATE_NOINLINE void unpack_begin_merged_(struct binary_to_lua *b, bin_value dict);

/* Returns the next value of that dict, and its key. At the end pops the bin_pairs and returns NULL. */
FL_PRIVATE_NOINLINE bin_value unpack_next_merged_(struct binary_to_lua *b, bin_value *key);
FL_PRIVATE_NOINLINE int unpack_fail(struct binary_to_lua *b, enum bin_error error);

/* Pays for n bytes of Lua values. Returns 0 if the limit is exceeded. */
FL_INLINE int unpack_spend(struct binary_to_lua *b, size_t n) {
  if (FL_UNLIKELY(n > b->left)) return unpack_fail(b, BIN_ERROR_BYTES);
  b->left -= n;
  return 1;
}

/* Replaces the value on top by a long string or data, created on first use. Returns 0 if the limit is exceeded. */
FL_PRIVATE_NOINLINE int unpack_shared_(struct binary_to_lua *b, const char *s, size_t n, int is_data);

/* Replaces the value on top of the stack by data. */
FL_PRIVATE_NOINLINE int unpack_data_(struct binary_to_lua *b, bin_value v);

/* Gets the text of a key. Returns 0 for a code without a name. */
FL_INLINE int unpack_key_text(struct binary_to_lua *b, bin_value key, struct json_string *name) {
  name->s = bin_key_text(b->doc, key, &name->n);
  return FL_LIKELY(name->s != NULL) || unpack_fail(b, b->doc->keys ? BIN_ERROR_CODE : BIN_ERROR_KEYS);
}

/* Compares n bytes without calling memcmp, since most names are short. */
FL_INLINE int unpack_same_bytes(const char *a, const char *b, size_t n) {
  if (n >= 8 && n <= 16) return ((fl_load64(a) ^ fl_load64(b)) | (fl_load64(a + n - 8) ^ fl_load64(b + n - 8))) == 0;
  if (n >= 4 && n < 8) return ((fl_load32(a) ^ fl_load32(b)) | (fl_load32(a + n - 4) ^ fl_load32(b + n - 4))) == 0;
  return memcmp(a, b, n) == 0;
}

/* Makes the Lua value of v with all in it. Returns 0 after an error of the sink. */
FL_PRIVATE_NOINLINE int json_to_lua_api_unpack(struct binary_to_lua *b, bin_value v);

/* The same below the API: returns the function of a proven layout, or NULL. */
typedef int (*unpack_raw)(struct binary_to_lua *b, bin_value v);
FL_PRIVATE unpack_raw unpack_of_layout(const struct lay_facts *facts);
