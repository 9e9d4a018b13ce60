/* SPDX-License-Identifier: MIT
** api.h -- the state of a decode, and building tables through the public API.
** Must hold: values wait on the Lua stack until their container ends; then its table is created, once and in its
** exact size, and replaces them. All memory of a decode is on the C stack or in userdata on the Lua stack, so any
** call may raise, and a finalizer may decode meanwhile. */
#pragma once

#include <limits.h>
#include "../json/grammar/scan.h"
#include "../layout/lua_compat/api.h"
#include "../lua/options/options.h"
#include "../number/integer.h"
#include "shapes.h"

/* An open container. */
struct json_to_lua_frame {
  size_t start;   /* number of its first value */
  uint32_t shape; /* saved while a container in it is read */
  enum scan_container kind;
  /* Not 0 for a container that has its table already, as its first value: the number of items or members in the table +
  ** 1. Only for long arrays, or any container in parts. Readers with a grammar of their own may use it for their
  ** containers. */
  size_t flushed;
};

enum {
  JSON_TO_LUA_PAIRS = 0xffff, /* as a shape: the names wait on the stack, too, each before its value */
  JSON_TO_LUA_FRAMES = 32,    /* open containers without allocating memory; */
  JSON_TO_LUA_SCRATCH = 256,  /* bytes of a string with escapes without allocating memory */
  JSON_TO_LUA_FIRST_SLOTS = 64,
  JSON_TO_LUA_LOOK_FOR_GC = 512,  /* see json_to_lua_find_metatables */
  JSON_TO_LUA_MARGIN = 8,         /* slots beyond the granted ones, for our own calls */
  JSON_TO_LUA_SPILL_KEEP = 16,    /* waiting values that stay on the stack */
  JSON_TO_LUA_FLUSH_AT = 4000,    /* waiting items of an array before its table is created early; */
  JSON_TO_LUA_FLUSH_KNOWN = 1000, /* the same if the number of its items is known */
/* JSON_TO_LUA_CHILD: slots that must be free when a container begins, or the array around it is flushed */
#if LUA_VERSION_NUM >= 502
  JSON_TO_LUA_CHILD = 1,
  JSON_TO_LUA_SPILL_AT = 50000
#else
  JSON_TO_LUA_CHILD = 32,
  JSON_TO_LUA_SPILL_AT = 6000
#endif
};

struct json_to_lua;
struct binary_to_lua;
struct order_state;

/* The decoder below the API for one layout. */
struct json_to_lua_decoder {
  const char *(*scan)(struct json_to_lua *k, struct json_scan *j, const char *p);
  const char *(*scan_part)(struct json_to_lua *k, struct json_scan *j, const char *p); /* see json/grammar/scan.h */
  void (*take)(struct json_to_lua *k);  /* before a scan: takes over the stack from the public API; */
  void (*give)(struct json_to_lua *k);  /* after it: returns the stack */
  char *(*grow)(void *owner, size_t n); /* json_scan.grow */
  /* Moves the n values above the table at the index into its items from done + 1 on. Returns 0 if it must not. */
  int (*flush)(lua_State *L, int table, size_t done, size_t n);
  const struct json_to_lua_decoder *lossless; /* the one that remembers order and digits, or NULL for this one */
};

struct lay_facts;

/* Returns the decoder of a proven layout, or NULL. */
FL_PRIVATE const struct json_to_lua_decoder *json_to_lua_decoder_of(const struct lay_facts *facts);

struct json_to_lua {
  struct json_scan scan;
  lua_State *L;
  const struct json_to_lua_options *o;
  struct json_to_lua_frame *frame, *frames, *frames_end; /* the innermost; the first; after the last */
  uint32_t shape, object_shape; /* of the innermost container; for an object that begins: 0 or JSON_TO_LUA_PAIRS */
  /* slots of a waiting pair: name, value; with duplicates = "error" also the name's position, between them */
  unsigned stride;
  int region, spill, frames_owner, scratch_owner, empty_object, anchors; /* stack indices */
  size_t spilled;
  size_t granted;                            /* number of values for which the stack has room */
  const char *counted_to;                    /* items up to here were counted ahead; */
  size_t recount;                            /* bytes before it that may be counted once more */
  size_t items;                              /* of the innermost array, if known; 0 to count ahead */
  const struct json_to_lua_decoder *decoder; /* or NULL for the public API */
  /* below the API: */
  char *top, *limit;                         /* the next slot, and the first one not granted */
  char *first;                               /* the slot at `region` */
  struct shapes *shapes;                     /* the table at `anchors` keeps them and their names alive */
  int (*grow_shapes)(struct json_to_lua *k); /* replaces them by larger ones, or returns 0. L's top must be right */
  void *shapes_owner;                        /* its own */
  uint64_t null_word;
  const char *metatable[2]; /* of objects and of arrays, if it may be set on a new table without the API, else NULL */
  /* for order = true: */
  struct order_state *orders;
  const char *shape_lists; /* the Lua table with the lists of names, item s + 1 for shape s: lossless.h */
  /* in parts: parts.h */
  int in_parts;
  size_t passed;    /* bytes of the text before scan.begin */
  size_t waiting;   /* values in the spill table between two parts, */
  size_t stored;    /* and how many there were after the previous part */
  size_t duplicate; /* offset of a duplicate name in the whole text */
  /* initial memory */
  struct json_to_lua_frame first_frames[JSON_TO_LUA_FRAMES];
  char first_scratch[JSON_TO_LUA_SCRATCH];
};

/* json_scan.grow. */
FL_PRIVATE char *json_to_lua_grow_scratch(void *owner, size_t n);

/* Enlarges the array of frames when all are in use. */
FL_PRIVATE void json_to_lua_grow_frames(struct json_to_lua *k);

FL_INLINE size_t json_to_lua_on_stack(const struct json_to_lua *k) {
  return (size_t)(lua_gettop(k->L) - k->region + 1);
}

/* Moves all but the last few waiting values from the stack to the spill table. */
FL_PRIVATE void json_to_lua_spill(struct json_to_lua *k);

/* Returns how many items or members are in the container's table already. */
FL_INLINE size_t json_to_lua_done(const struct json_to_lua_frame *f) { return f->flushed ? f->flushed - 1 : 0; }

FL_INLINE int json_to_lua_count(size_t n) { return n < INT_MAX ? (int)n : INT_MAX; }

/* Returns whether the values of this open container may be moved to its table before it ends. For objects only in
** parts, where making the table of a million members at the end would be one long step; rawset keeps the last of equal
** names. */
FL_PRIVATE int json_to_lua_is_flushable(const struct json_to_lua *k, const struct json_to_lua_frame *f);

/* Moves the n waiting values of the innermost container to its table, because the waiting items of a long array would
** take many times the memory of its text. Returns 0, and leaves them, if the array's size is not known. */
FL_PRIVATE int json_to_lua_flush(struct json_to_lua *k, size_t n);

/* Moves the n waiting values of the open container f to its table; the values above them move down. Returns how many
** slots that frees. */
FL_PRIVATE size_t json_to_lua_flush_open(struct json_to_lua *k, struct json_to_lua_frame *f, size_t n);

/* Makes room for more waiting values, and for JSON_TO_LUA_MARGIN other ones. */
FL_PRIVATE_NOINLINE void json_to_lua_more_(struct json_to_lua *k);

FL_PRIVATE void json_to_lua_push_waiting(struct json_to_lua *k, size_t number);

/* Replaces the values from number `start` on by the table on top. */
FL_PRIVATE void json_to_lua_collapse(struct json_to_lua *k, size_t start);

/* Sets the metatable that the options ask for on the table on top, which has n entries. */
FL_PRIVATE void json_to_lua_set_result_metatable(struct json_to_lua *k, int is_array, size_t n);

/* Removes the metatable of empty objects from the object at the index, which may have been seen while empty and gets
** its first member. */
FL_PRIVATE void json_to_lua_unmark_empty(struct json_to_lua *k, int index);

/* Returns the metatable at a stack index, or NULL if it has a __gc, which from 5.2 on the collector only notices in
** lua_setmetatable. A __gc that a finalizer adds during the decode takes effect from the next call on. */
FL_PRIVATE const char *json_to_lua_plain_metatable(lua_State *L, int index);

/* Finds the metatables that can be set without the API, for a text of n bytes: with a short text, looking for __gc
** takes longer than lua_setmetatable. */
FL_INLINE void json_to_lua_find_metatables(struct json_to_lua *k, lua_State *L, size_t n) {
  const int fine = LUA_VERSION_NUM < 502 || n >= JSON_TO_LUA_LOOK_FOR_GC;
  k->metatable[0] = FL_UNLIKELY(k->o->objects) && fine ? json_to_lua_plain_metatable(L, k->o->objects) : NULL;
  k->metatable[1] = FL_UNLIKELY(k->o->arrays) && fine ? json_to_lua_plain_metatable(L, k->o->arrays) : NULL;
}

/* Ends an array whose values are those from `start` on. */
FL_PRIVATE_NOINLINE void json_to_lua_build_array_(struct json_to_lua *k, size_t start);

/* Pushes the table of an object whose waiting values are pairs, with positions if `stride` is 3; the pairs stay.
** Returns 0 if a name is duplicate and the options forbid that. */
FL_PRIVATE int json_to_lua_push_pairs(struct json_to_lua *k, size_t start);

/* Like json_to_lua_push_pairs, and replaces the pairs by the table. */
FL_PRIVATE_NOINLINE int json_to_lua_build_pairs_(struct json_to_lua *k, size_t start);

/* Makes room for a value, 1 slot, or a name, `stride` - 1 slots. */
FL_INLINE void json_to_lua_reserve(struct json_to_lua *k, size_t slots) {
  if (FL_UNLIKELY(json_to_lua_on_stack(k) + slots > k->granted)) json_to_lua_more_(k);
}

FL_PRIVATE void json_to_lua_push_null(struct json_to_lua *k);

/* Pushes, as the options say, a number that does not fit Lua's: beyond its integers, or NUM_HUGE. Returns 0 after an
** error. */
FL_PRIVATE int json_to_lua_push_big(struct json_to_lua *k, const char *text, size_t n, const struct num_value *v);

/* Returns whether this integer and its neighbours are exact as numbers of this Lua. If not, json_to_lua_push_big
** handles it. */
FL_INLINE int json_to_lua_integer_fits(int64_t i) {
#if LUA_VERSION_NUM >= 503
  (void)i;
  return 1;
#else
  return i >= -NUM_CONSECUTIVE && i <= NUM_CONSECUTIVE;
#endif
}

/* Pushes a name, which waits for its value, and its position if needed. */
FL_PRIVATE void json_to_lua_push_name(struct json_to_lua *k, struct json_string name, const char *p);

FL_INLINE void json_to_lua_open(struct json_to_lua *k, enum scan_container kind, size_t start, uint32_t shape) {
  if (FL_UNLIKELY(k->frame + 1 == k->frames_end)) json_to_lua_grow_frames(k);
  FL_ASSERT(start >= k->frame->start);
  k->frame->shape = k->shape;
  k->frame++;
  k->frame->kind = kind;
  k->frame->start = start;
  k->frame->flushed = 0;
  k->shape = shape;
}

/* Opens a container after the waiting values. It reserves the slot of its table, so that json_to_lua_collapse needs
** none. */
FL_PRIVATE void json_to_lua_begin_container(struct json_to_lua *k, enum scan_container kind, uint32_t shape);

/* Closes the innermost container. Returns the kind of its parent. */
FL_INLINE enum scan_container json_to_lua_close(struct json_to_lua *k) {
  FL_ASSERT(k->frame > k->frames);
  k->frame--;
  k->shape = k->frame->shape;
  return k->frame->kind;
}

FL_PRIVATE int json_to_lua_api_null(struct json_to_lua *k);
FL_PRIVATE int json_to_lua_api_boolean(struct json_to_lua *k, int b);

/* Pushes the number *v, whose text has n bytes. */
FL_PRIVATE int json_to_lua_api_number(struct json_to_lua *k, const char *text, size_t n, const struct num_value *v);
FL_PRIVATE int json_to_lua_api_string(struct json_to_lua *k, const char *s, size_t n);
FL_PRIVATE int json_to_lua_api_name(struct json_to_lua *k, struct json_string name, const char *p, int plain);

/* The other events. The template of document/to_lua calls them by pasted names, too. */
FL_PRIVATE int json_to_lua_api_integer(struct json_to_lua *k, int64_t i, const char *text, size_t n);
FL_PRIVATE int json_to_lua_api_double(struct json_to_lua *k, double d);
FL_PRIVATE int json_to_lua_api_big(struct json_to_lua *k, const char *text, size_t n, const struct num_value *v);
FL_PRIVATE void json_to_lua_api_open(struct json_to_lua *k, enum scan_container kind);
FL_PRIVATE enum scan_container json_to_lua_api_close(struct json_to_lua *k, enum scan_container kind);

/* Read the value at p, or the part of it that is available. Return the byte after it, or NULL with the scan's error. */
FL_PRIVATE_NOINLINE const char *json_to_lua_api_scan(struct json_to_lua *k, struct json_scan *j, const char *p);
FL_PRIVATE_NOINLINE const char *json_to_lua_api_scan_part(struct json_to_lua *k, struct json_scan *j, const char *p);
