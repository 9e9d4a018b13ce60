/* SPDX-License-Identifier: MIT
** api.h -- the state of a decode, and building tables through the public API.
** Must hold: values wait on the Lua stack until their container ends; then its table is made, once and in its exact
** size, and replaces them. All memory of a decode is on the C stack or in userdata on the Lua stack, so any call may
** raise, and a finalizer may decode meanwhile. */
#pragma once

#include <limits.h>
#include "../json/grammar/count.h"
#include "../json/grammar/scan.h"
#include "../layout/lua_compat/api.h"
#include "../lua/options/options.h"
#include "../number/integer.h"
#include "../number/shortest.h"
#include "../text/page_read.h"
#include "shapes.h"

/* An open container. */
struct json_to_lua_frame {
  size_t start;   /* number of its first value */
  uint32_t shape; /* its names, while a container in it is read */
  enum scan_container kind;
  /* Of a long array, or in parts of any container: it has its table already, which is its first value, with this many
  ** items or members, and 1; 0: it has none. Readers with a grammar of their own may use it for their containers. */
  size_t flushed;
};

enum {
  JSON_TO_LUA_PAIRS = 0xffff, /* as a shape: the names wait on the stack too, each before its value */
  JSON_TO_LUA_FRAMES = 32,    /* open containers for which no memory is allocated; */
  JSON_TO_LUA_SCRATCH = 256,  /* the same for the bytes of a string with escapes */
  JSON_TO_LUA_FIRST_SLOTS = 64,
  JSON_TO_LUA_LOOK_FOR_GC = 512, /* see json_to_lua_find_metatables */
  JSON_TO_LUA_MARGIN = 8,        /* slots beyond the granted ones, for our own calls */
  JSON_TO_LUA_SPILL_KEEP = 16,   /* waiting values that stay on the stack */
  JSON_TO_LUA_FLUSH_AT = 4000,   /* waiting items of an array before its table is made in advance */
/* JSON_TO_LUA_CHILD: slots that are free when a container begins, or else the array around it is flushed */
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
  void (*take)(struct json_to_lua *k);  /* before a scan: takes the stack over from the public API; */
  void (*give)(struct json_to_lua *k);  /* after it: gives the stack back */
  char *(*grow)(void *owner, size_t n); /* a scan's */
  /* Moves the n values above the table at the index into its items from done + 1 on; false: it must not. */
  int (*flush)(lua_State *L, int table, size_t done, size_t n);
  const struct json_to_lua_decoder *lossless; /* the one that remembers order and digits; NULL: this one */
};

struct lay_facts;

/* Returns the decoder of a proven layout, or NULL. */
FL_PRIVATE const struct json_to_lua_decoder *json_to_lua_decoder_of(const struct lay_facts *facts);

struct json_to_lua {
  struct json_scan scan;
  lua_State *L;
  const struct json_to_lua_options *o;
  struct json_to_lua_frame *frame, *frames, *frames_end; /* the innermost; the first; after the last */
  uint32_t shape, object_shape; /* of the innermost container; of an object that begins: 0 or JSON_TO_LUA_PAIRS */
  /* slots of a waiting pair: name, value; with duplicates = "error" the name's place between them */
  unsigned stride;
  int region, spill, frames_owner, scratch_owner, empty_object, anchors; /* stack indices */
  size_t spilled;
  size_t granted;                            /* values for which the stack has room */
  const char *counted_to;                    /* up to here items have been counted ahead; */
  size_t recount;                            /* how many bytes before it may be looked at once more */
  size_t items;                              /* of the innermost array, if they are known; 0: they are counted ahead */
  const struct json_to_lua_decoder *decoder; /* NULL: the public API */
  /* below the API: */
  char *top, *limit;                         /* the next slot, and the first that is not granted */
  char *first;                               /* the slot at `region` */
  struct shapes *shapes;                     /* the table at `anchors` keeps them and their names alive */
  int (*grow_shapes)(struct json_to_lua *k); /* puts larger ones in their place; false: they stay. L's top is right */
  void *shapes_owner;                        /* its own */
  uint64_t null_word;
  const char *metatable[2]; /* of objects and arrays, if it may be stored into a new table without the API; or NULL */
  /* for order = true: */
  struct order_state *orders;
  const char *shape_lists; /* the Lua table with the lists of names, item s + 1 for shape s: lossless.h */
  /* in parts: parts.h */
  int in_parts;
  size_t passed;    /* bytes of the text before scan.begin */
  size_t waiting;   /* values in the spill table between two parts, */
  size_t stored;    /* and how many there were after the part before */
  size_t duplicate; /* the place of a duplicate name in the whole text */
  /* first memory */
  struct json_to_lua_frame first_frames[JSON_TO_LUA_FRAMES];
  char first_scratch[JSON_TO_LUA_SCRATCH];
};

/* ------------------------------------------------------------------------------------- memory */

/* A scan's `grow`. */
FL_PRIVATE char *json_to_lua_grow_scratch(void *owner, size_t n);

/* All frames are in use. */
FL_PRIVATE void json_to_lua_grow_frames(struct json_to_lua *k);

FL_INLINE size_t json_to_lua_on_stack(const struct json_to_lua *k) {
  return (size_t)(lua_gettop(k->L) - k->region + 1);
}

/* Moves all but the last few waiting values from the stack to the spill table. */
FL_PRIVATE void json_to_lua_spill(struct json_to_lua *k);

/* How many items or members are in the container's table. */
FL_INLINE size_t json_to_lua_done(const struct json_to_lua_frame *f) { return f->flushed ? f->flushed - 1 : 0; }

FL_INLINE int json_to_lua_count(size_t n) { return n < INT_MAX ? (int)n : INT_MAX; }

/* May the values of this open container be moved to its table before it ends? Objects only in parts, where the table of
** a million members made at the end would be one long step; rawset keeps the last of equal names. */
FL_PRIVATE int json_to_lua_is_flushable(const struct json_to_lua *k, const struct json_to_lua_frame *f);

/* Moves the waiting values of the innermost container, n of them, to its table: the waiting items of a long array would
** take many times the memory of its text. False: the array's size is not known, and they stay. */
FL_PRIVATE int json_to_lua_flush(struct json_to_lua *k, size_t n);

/* Moves the values of the open container f, n of which wait, to its table; the values above them move down. Returns how
** many slots fewer it takes. */
FL_PRIVATE size_t json_to_lua_flush_open(struct json_to_lua *k, struct json_to_lua_frame *f, size_t n);

/* Makes room for more waiting values, and for JSON_TO_LUA_MARGIN other ones. */
FL_PRIVATE_NOINLINE void json_to_lua_more_(struct json_to_lua *k);

/* Pushes a waiting value. */
FL_PRIVATE void json_to_lua_push_waiting(struct json_to_lua *k, size_t number);

/* The table on top replaces the values from number `start` on. */
FL_PRIVATE void json_to_lua_collapse(struct json_to_lua *k, size_t start);

/* Gives the table on top, of n entries, the metatable that is asked for. */
FL_PRIVATE void json_to_lua_set_result_metatable(struct json_to_lua *k, int is_array, size_t n);

/* The object at the index, which could be seen while it was empty, gets its first member: it loses the metatable of
** empty objects. */
FL_PRIVATE void json_to_lua_unmark_empty(struct json_to_lua *k, int index);

/* The metatable at a stack index; NULL: it has a __gc, which from 5.2 on must be made known to the collector by
** lua_setmetatable. A __gc that a finalizer adds during the decode takes effect from the next call on. */
FL_PRIVATE const char *json_to_lua_plain_metatable(lua_State *L, int index);

/* Notes the metatables that can be stored without the API, for a text of n bytes: in a short one, to look for __gc
** takes longer than lua_setmetatable does. */
FL_INLINE void json_to_lua_find_metatables(struct json_to_lua *k, lua_State *L, size_t n) {
  const int fine = LUA_VERSION_NUM < 502 || n >= JSON_TO_LUA_LOOK_FOR_GC;
  k->metatable[0] = FL_UNLIKELY(k->o->objects) && fine ? json_to_lua_plain_metatable(L, k->o->objects) : NULL;
  k->metatable[1] = FL_UNLIKELY(k->o->arrays) && fine ? json_to_lua_plain_metatable(L, k->o->arrays) : NULL;
}

/* Ends an array whose values are those from `start` on. */
FL_PRIVATE_NOINLINE void json_to_lua_build_array_(struct json_to_lua *k, size_t start);

/* Pushes the table of an object whose waiting values are pairs, with their places if `stride` is 3; they stay. False:
** it has a duplicate name, which the options make an error. */
FL_PRIVATE int json_to_lua_push_pairs(struct json_to_lua *k, size_t start);

/* The same, and ends the object: the table replaces its pairs. */
FL_PRIVATE_NOINLINE int json_to_lua_build_pairs_(struct json_to_lua *k, size_t start);

/* ------------------------------------------------------------------------------------- values */

/* Makes room for a value, 1 slot, or a name, `stride` - 1 slots. */
FL_INLINE void json_to_lua_reserve(struct json_to_lua *k, size_t slots) {
  if (FL_UNLIKELY(json_to_lua_on_stack(k) + slots > k->granted)) json_to_lua_more_(k);
}

FL_PRIVATE void json_to_lua_push_null(struct json_to_lua *k);

/* Pushes by the options a number that does not fit Lua's: beyond its integers, or NUM_HUGE. False: an error. */
FL_PRIVATE int json_to_lua_push_big(struct json_to_lua *k, const char *text, size_t n, const struct num_value *v);

/* Are this integer and its neighbours exact as numbers of this Lua? Otherwise it goes to json_to_lua_push_big. */
FL_INLINE int json_to_lua_integer_fits(int64_t i) {
#if LUA_VERSION_NUM >= 503
  (void)i;
  return 1;
#else
  return i >= -NUM_CONSECUTIVE && i <= NUM_CONSECUTIVE;
#endif
}

/* Pushes a name, which waits for its value, and its place if that is needed. */
FL_PRIVATE void json_to_lua_push_name(struct json_to_lua *k, struct json_string name, const char *p);

/* ------------------------------------------------------------------------------------- containers */

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

/* Opens a container after the values that wait. It reserves the slot of its table, so that json_to_lua_collapse needs
** none. */
FL_PRIVATE void json_to_lua_begin_container(struct json_to_lua *k, enum scan_container kind, uint32_t shape);

/* Closes the innermost container. Returns the kind of the one around it. */
FL_INLINE enum scan_container json_to_lua_close(struct json_to_lua *k) {
  FL_ASSERT(k->frame > k->frames);
  k->frame--;
  k->shape = k->frame->shape;
  return k->frame->kind;
}

/* ------------------------------------------------------------------------------------- the sink over the API */

FL_PRIVATE int json_to_lua_api_null(struct json_to_lua *k);
FL_PRIVATE int json_to_lua_api_boolean(struct json_to_lua *k, int b);

/* The number *v, whose text has n bytes. */
FL_PRIVATE int json_to_lua_api_number(struct json_to_lua *k, const char *text, size_t n, const struct num_value *v);
FL_PRIVATE int json_to_lua_api_string(struct json_to_lua *k, const char *s, size_t n);
FL_PRIVATE int json_to_lua_api_name(struct json_to_lua *k, struct json_string name, const char *p, int plain);

/* The other events, which the template of binary_to_lua/ calls by pasted names, too. */
FL_PRIVATE int json_to_lua_api_integer(struct json_to_lua *k, int64_t i, const char *text, size_t n);
FL_PRIVATE int json_to_lua_api_double(struct json_to_lua *k, double d);
FL_PRIVATE int json_to_lua_api_big(struct json_to_lua *k, const char *text, size_t n, const struct num_value *v);
FL_PRIVATE void json_to_lua_api_open(struct json_to_lua *k, enum scan_container kind);
FL_PRIVATE enum scan_container json_to_lua_api_close(struct json_to_lua *k, enum scan_container kind);

/* Read the value at p, or the part of it that is there. Return the byte after it, or NULL: the scan's error tells. */
FL_PRIVATE_NOINLINE const char *json_to_lua_api_scan(struct json_to_lua *k, struct json_scan *j, const char *p);
FL_PRIVATE_NOINLINE const char *json_to_lua_api_scan_part(struct json_to_lua *k, struct json_scan *j, const char *p);
