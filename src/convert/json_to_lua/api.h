/* SPDX-License-Identifier: MIT
** api.h -- the state of a decode, and building tables through the public API.
** May call: base, number, json, layout, lua_*.
** Must hold: values wait on the Lua stack until their container ends; then its table is made, once and in its exact
** size, and replaces them. All memory of a decode is on the C stack or in userdata on the Lua stack, so any call may
** raise, and a finalizer may decode meanwhile.
**
** The waiting values are numbered from 0. Usually number v is at the stack index region + v. When the stack is full
** (8000 slots in 5.1 and LuaJIT, a million in the others), the first `spilled` values move to the table at the index
** `spill`, where number v is item v + 1; the others move down to `region`. */
#ifndef FLEECE_CONVERT_JSON_TO_LUA_API_H
#define FLEECE_CONVERT_JSON_TO_LUA_API_H

#include <limits.h>

#include "../../json/grammar/count.h"
#include "../../json/grammar/scan.h"
#include "../../layout/lua_compat/api.h"
#include "../../number/integer.h"
#include "../../number/shortest.h"
#include "../../text/page_read.h"
#include "shapes.h"

/* What becomes of numbers that Lua's numbers do not hold. ANY: as DOUBLE, and what rounds to infinity is infinity. */
enum json_to_lua_big {
  JSON_TO_LUA_BIG_DOUBLE,
  JSON_TO_LUA_BIG_STRING,
  JSON_TO_LUA_BIG_ERROR,
  JSON_TO_LUA_BIG_INT64,
  JSON_TO_LUA_BIG_ANY
};
enum json_to_lua_duplicates { JSON_TO_LUA_LAST, JSON_TO_LUA_FIRST, JSON_TO_LUA_UNIQUE };

/* Options of a decode. Indices are absolute stack indices or those of upvalues; 0: none. */
struct json_to_lua_options {
  unsigned grammar; /* of enum json_grammar */
  enum json_bad_text bad_text;
  enum json_to_lua_big big;
  enum json_to_lua_duplicates duplicates;
  uint32_t max_depth;
  size_t max_bytes;               /* 0: any */
  const struct json_rules *rules; /* with JSON_RULES in grammar */
  unsigned numeric_keys : 1;
  unsigned drop_null : 1; /* null = "nil" */
  unsigned force_api : 1;
  unsigned safe : 1;
  unsigned lines : 1;        /* of format and from_json: the text is any number of documents */
  unsigned colors : 1;       /* of format */
  int null, arrays, objects; /* a value for null; metatables */
  int int64;                 /* a Lua function: text, double -> cdata */
};

/* An open container. */
struct json_to_lua_frame {
  size_t start;   /* number of its first value */
  uint32_t shape; /* its names, while a container in it is read */
  enum scan_container kind;
  /* Of a long array: this many items are in its table already, which is its first value. Readers with a grammar of
  ** their own may use it for their containers. */
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
#if LUA_VERSION_NUM >= 502
  JSON_TO_LUA_SPILL_AT = 50000
#else
  JSON_TO_LUA_SPILL_AT = 6000
#endif
};

struct json_to_lua;
struct binary_to_lua;

/* The decoder below the API for one layout. */
struct json_to_lua_decoder {
  const char *(*scan)(struct json_to_lua *k, struct json_scan *j, const char *p);
  const char *(*scan_part)(struct json_to_lua *k, struct json_scan *j, const char *p); /* see json/grammar/parts.h */
  void (*take)(struct json_to_lua *k);  /* before a scan: takes the stack over from the public API; */
  void (*give)(struct json_to_lua *k);  /* after it: gives the stack back */
  char *(*grow)(void *owner, size_t n); /* a scan's */
  int (*unpack)(struct binary_to_lua *b, const uint8_t *value); /* see convert/binary_to_lua/template.h */
  /* Moves the n values above the table at the index into its items from done + 1 on; false: it must not. */
  int (*flush)(lua_State *L, int table, size_t done, size_t n);
};

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
  char *top, *limit; /* the next slot, and the first that is not granted */
  char *first;       /* the slot at `region` */
  struct shapes *shapes;
  uint64_t null_word;
  const char *metatable[2]; /* of objects and arrays, if it may be stored into a new table without the API; or NULL */
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
FL_FUNC char *json_to_lua_grow_scratch(void *owner, size_t n) {
  struct json_to_lua *k = (struct json_to_lua *)owner;
  char *block = (char *)lua_newuserdata(k->L, n);
  lua_replace(k->L, k->scratch_owner);
  return block;
}

/* All frames are in use. */
FL_FUNC void json_to_lua_grow_frames(struct json_to_lua *k) {
  size_t count = (size_t)(k->frames_end - k->frames);
  struct json_to_lua_frame *to = (struct json_to_lua_frame *)lua_newuserdata(k->L, 2 * count * sizeof *to);
  memcpy(to, k->frames, count * sizeof *to);
  lua_replace(k->L, k->frames_owner);
  k->frames = to;
  k->frame = to + count - 1;
  k->frames_end = to + 2 * count;
}

FL_INLINE size_t json_to_lua_on_stack(const struct json_to_lua *k) {
  return (size_t)(lua_gettop(k->L) - k->region + 1);
}

/* Moves all but the last few waiting values from the stack to the spill table. */
FL_FUNC void json_to_lua_spill(struct json_to_lua *k) {
  lua_State *L = k->L;
  size_t n = json_to_lua_on_stack(k), keep = n < JSON_TO_LUA_SPILL_KEEP ? n : JSON_TO_LUA_SPILL_KEEP, i;
  FL_ASSERT(lua_gettop(L) >= k->region - 1);
  if (!lua_istable(L, k->spill)) {
    lua_createtable(L, (int)n, 0);
    lua_replace(L, k->spill);
  }
  for (i = 0; i < n - keep; i++) {
    lua_pushvalue(L, k->region + (int)i);
    lua_rawseti(L, k->spill, (int)(k->spilled + i + 1));
  }
  for (i = 0; i < keep; i++) {
    lua_pushvalue(L, k->region + (int)(n - keep + i));
    lua_replace(L, k->region + (int)i);
  }
  lua_settop(L, k->region + (int)keep - 1);
  k->spilled += n - keep;
}

FL_INLINE int json_to_lua_count(size_t n) { return n < INT_MAX ? (int)n : INT_MAX; }

/* Counts the items of the innermost array ahead of time, of which n wait; 0: unknown. The count ends with the array, so
** that a stream of texts costs no more than its texts do. Each byte is looked ahead at most twice, or nested arrays
** would be quadratic. */
FL_FUNC size_t json_to_lua_count_ahead(struct json_to_lua *k, size_t n) {
  const char *at = k->scan.at, *end = k->scan.end, *stop;
  const int again = at < k->counted_to;
  size_t more;
  if (again && (size_t)(end - at) > k->recount) end = at + k->recount;
  more = json_count_items(&k->scan, at, end, &stop);
  if (again) {
    k->recount -= (size_t)(stop - at);
  } else {
    k->recount += (size_t)(stop - at);
    k->counted_to = stop;
  }
  return more ? n + more : 0;
}

/* Makes the table of a long array below its n waiting items, which are on top of the stack. False: its size is not
** known. */
FL_FUNC int json_to_lua_preallocate_array(struct json_to_lua *k, size_t n) {
  const size_t items = k->in_parts ? n : k->items ? k->items : json_to_lua_count_ahead(k, n);
  if (!items) return 0;
  lua_createtable(k->L, json_to_lua_count(items), 0);
  lua_insert(k->L, -(int)n - 1);
  return 1;
}

/* Moves the waiting values of the innermost container, an array with n of them, to its table: the waiting items of a
** long array would take many times the memory of its text. False: its size is not known, and they stay. */
FL_FUNC int json_to_lua_flush(struct json_to_lua *k, size_t n) {
  lua_State *L = k->L;
  struct json_to_lua_frame *f = k->frame;
  size_t items = f->flushed ? n - 1 : n, i;
  int table;
  FL_ASSERT(f->kind == SCAN_ARRAY && n > 0 && n <= json_to_lua_on_stack(k));
  if (!f->flushed && !json_to_lua_preallocate_array(k, n)) return 0;
  table = lua_gettop(L) - (int)items;
  if (!k->decoder || !k->decoder->flush(L, table, f->flushed, items)) {
    for (i = 0; i < items; i++) {
      lua_pushvalue(L, table + 1 + (int)i);
      lua_rawseti(L, table, (int)(f->flushed + i + 1));
    }
  }
  lua_settop(L, table);
  f->flushed += items;
  return 1;
}

/* Makes room for more waiting values, and for JSON_TO_LUA_MARGIN other ones. */
FL_NOINLINE void json_to_lua_more_(struct json_to_lua *k) {
  size_t n = json_to_lua_on_stack(k), wanted = n + JSON_TO_LUA_FIRST_SLOTS + JSON_TO_LUA_MARGIN;
  size_t mine = k->spilled + n - k->frame->start; /* of the innermost container; more than n if some are spilled */
  if (k->frame->kind == SCAN_ARRAY && mine >= JSON_TO_LUA_FLUSH_AT && mine <= n && json_to_lua_flush(k, mine)) return;
  if (n < JSON_TO_LUA_SPILL_AT && lua_checkstack(k->L, (int)wanted)) k->granted = 2 * n + JSON_TO_LUA_FIRST_SLOTS;
  else if (n >= JSON_TO_LUA_SPILL_KEEP + JSON_TO_LUA_MARGIN) json_to_lua_spill(k);
  else compat_need_stack(k->L, (int)wanted); /* raises: to spill so few would make no room */
}

/* Pushes a waiting value. */
FL_FUNC void json_to_lua_push_waiting(struct json_to_lua *k, size_t number) {
  FL_ASSERT(number < k->spilled + json_to_lua_on_stack(k));
  if (number < k->spilled) lua_rawgeti(k->L, k->spill, (int)number + 1);
  else lua_pushvalue(k->L, k->region + (int)(number - k->spilled));
}

/* The table on top replaces the values from number `start` on. */
FL_FUNC void json_to_lua_collapse(struct json_to_lua *k, size_t start) {
  int place;
  FL_ASSERT(start < k->spilled + json_to_lua_on_stack(k));
  if (start < k->spilled) k->spilled = start;
  place = k->region + (int)(start - k->spilled);
  if (lua_gettop(k->L) != place) lua_replace(k->L, place);
  lua_settop(k->L, place);
}

/* Gives the table on top, of n entries, the metatable that is asked for. */
FL_FUNC void json_to_lua_set_result_metatable(struct json_to_lua *k, int is_array, size_t n) {
  int metatable = is_array ? k->o->arrays : k->o->objects;
  if (!metatable && !is_array && n == 0) metatable = k->empty_object;
  if (!metatable) return;
  lua_pushvalue(k->L, metatable);
  lua_setmetatable(k->L, -2);
}

/* The metatable at a stack index; NULL: it has a __gc, which from 5.2 on must be made known to the collector by
** lua_setmetatable. A __gc that a finalizer adds during the decode takes effect from the next call on. */
FL_FUNC const char *json_to_lua_plain_metatable(lua_State *L, int index) {
#if LUA_VERSION_NUM >= 502
  lua_pushliteral(L, "__gc");
  lua_rawget(L, index);
  if (!lua_isnil(L, -1)) index = 0;
  lua_pop(L, 1);
#endif
  return index ? (const char *)lua_topointer(L, index) : NULL;
}

/* Notes the metatables that can be stored without the API, for a text of n bytes: in a short one, to look for __gc
** takes longer than lua_setmetatable does. */
FL_INLINE void json_to_lua_find_metatables(struct json_to_lua *k, lua_State *L, size_t n) {
  const int fine = LUA_VERSION_NUM < 502 || n >= JSON_TO_LUA_LOOK_FOR_GC;
  k->metatable[0] = FL_UNLIKELY(k->o->objects) && fine ? json_to_lua_plain_metatable(L, k->o->objects) : NULL;
  k->metatable[1] = FL_UNLIKELY(k->o->arrays) && fine ? json_to_lua_plain_metatable(L, k->o->arrays) : NULL;
}

/* Ends an array whose values are those from `start` on. */
FL_NOINLINE void json_to_lua_build_array_(struct json_to_lua *k, size_t start) {
  size_t end = k->spilled + json_to_lua_on_stack(k), done = k->frame->flushed, from = start, i;
  FL_ASSERT(start + (done > 0) <= end);
  if (done) json_to_lua_push_waiting(k, from++);
  else lua_createtable(k->L, json_to_lua_count(end - start), 0);
  for (i = from; i < end; i++) {
    json_to_lua_push_waiting(k, i);
    lua_rawseti(k->L, -2, (int)(done + i - from + 1));
  }
  json_to_lua_set_result_metatable(k, 1, done + end - from);
  json_to_lua_collapse(k, start);
}

/* With duplicates = "error": stores true for each name in the table on top, which is empty; the values, which may be
** nil, are stored later. False: there is a duplicate name. */
FL_FUNC int json_to_lua_mark_names(struct json_to_lua *k, size_t start, size_t n) {
  lua_State *L = k->L;
  size_t i;
  FL_ASSERT(k->stride == 3);
  for (i = 0; i < n; i++) {
    json_to_lua_push_waiting(k, start + k->stride * i);
    lua_pushvalue(L, -1);
    lua_rawget(L, -3);
    if (!lua_isnil(L, -1)) {
      json_to_lua_push_waiting(k, start + k->stride * i + 1);
      k->duplicate = (size_t)lua_tonumber(L, -1);
      json_scan_error(&k->scan, JSON_CHECK_DUPLICATE, k->in_parts ? k->scan.begin : k->scan.begin + k->duplicate);
      return 0;
    }
    lua_pop(L, 1);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
  }
  return 1;
}

/* Ends an object whose waiting values are pairs, with their places if `stride` is 3. False: it has a duplicate name,
** which the options make an error. */
FL_NOINLINE int json_to_lua_build_pairs_(struct json_to_lua *k, size_t start) {
  lua_State *L = k->L;
  size_t end = k->spilled + json_to_lua_on_stack(k), n = (end - start) / k->stride, i;
  FL_ASSERT(start <= end && (end - start) % k->stride == 0);
  lua_createtable(L, 0, json_to_lua_count(n));
  if (k->o->duplicates == JSON_TO_LUA_UNIQUE && !json_to_lua_mark_names(k, start, n)) return 0;
  for (i = 0; i < n; i++) {
    size_t at = start + k->stride * (k->o->duplicates == JSON_TO_LUA_FIRST ? n - 1 - i : i);
    json_to_lua_push_waiting(k, at);
    json_to_lua_push_waiting(k, at + k->stride - 1);
    lua_rawset(L, -3);
  }
  json_to_lua_set_result_metatable(k, 0, n);
  json_to_lua_collapse(k, start);
  return 1;
}

/* ------------------------------------------------------------------------------------- values */

/* Makes room for a value, 1 slot, or a name, `stride` - 1 slots. */
FL_INLINE void json_to_lua_reserve(struct json_to_lua *k, size_t slots) {
  if (FL_UNLIKELY(json_to_lua_on_stack(k) + slots > k->granted)) json_to_lua_more_(k);
}

FL_FUNC void json_to_lua_push_null(struct json_to_lua *k) {
  if (k->o->drop_null) lua_pushnil(k->L);
  else if (k->o->null) lua_pushvalue(k->L, k->o->null);
  else lua_pushlightuserdata(k->L, NULL);
}

/* Pushes a number that Lua's numbers do not hold, by the options. False: an error. */
FL_FUNC int json_to_lua_push_big(struct json_to_lua *k, const char *text, size_t n, const struct num_value *v) {
  switch (k->o->big) {
  case JSON_TO_LUA_BIG_STRING: lua_pushlstring(k->L, text, n); return 1;
  case JSON_TO_LUA_BIG_ANY: lua_pushnumber(k->L, v->d); return 1;
  case JSON_TO_LUA_BIG_ERROR:
    if (v->kind == NUM_HUGE) break;
    json_scan_error(&k->scan, JSON_CHECK_INEXACT, text);
    return 0;
  case JSON_TO_LUA_BIG_INT64:
    if (v->kind == NUM_HUGE) break;
    lua_pushvalue(k->L, k->o->int64);
    lua_pushlstring(k->L, text, n);
    lua_pushnumber(k->L, v->d);
    lua_call(k->L, 2, 1);
    return 1;
  case JSON_TO_LUA_BIG_DOUBLE: break;
  }
  if (v->kind == NUM_HUGE) {
    json_scan_error(&k->scan, JSON_CHECK_HUGE, text);
    return 0;
  }
  lua_pushnumber(k->L, v->d);
  return 1;
}

/* Is this integer exact as a number of this Lua? */
FL_INLINE int json_to_lua_integer_fits(int64_t i) {
#if LUA_VERSION_NUM >= 503
  (void)i;
  return 1;
#else
  const int64_t exact = (int64_t)1 << 53;
  double d;
  if (FL_LIKELY(i >= -exact && i <= exact)) return 1;
  d = (double)i;
  return d < 0x1p63 && (int64_t)d == i;
#endif
}

FL_FUNC int json_to_lua_push_integer(struct json_to_lua *k, int64_t i, const char *text, size_t n) {
#if LUA_VERSION_NUM >= 503
  (void)text, (void)n;
  lua_pushinteger(k->L, (lua_Integer)i);
#else
  if (!json_to_lua_integer_fits(i)) {
    struct num_value v;
    v.i = i, v.d = (double)i, v.kind = NUM_BIG;
    return json_to_lua_push_big(k, text, n, &v);
  }
  lua_pushnumber(k->L, (double)i);
#endif
  return 1;
}

/* Pushes the number that encode writes as exactly this name if it is a key; false: there is none. From 5.3 on whole
** keys are integers, before that all keys are doubles, and -0 is the key 0. */
FL_FUNC int json_to_lua_push_numeric_name(struct json_to_lua *k, const char *s, size_t n) {
  char text[NUM_ROOM + 1], again[NUM_ROOM];
  struct num_value v;
  size_t written;
  if (n == 0 || n > 32 || !(*s == '-' || json_is_digit(*s))) return 0;
  memcpy(text, s, n);
  text[n] = 0;
  if (num_parse(text, text + n, &v) != text + n) return 0;
  if (v.kind != NUM_INTEGER && (v.kind != NUM_DOUBLE || v.d == 0)) return 0;
#if LUA_VERSION_NUM >= 503
  if (v.kind == NUM_DOUBLE && v.d >= -0x1p63 && v.d < 0x1p63 && (double)(int64_t)v.d == v.d) return 0;
#else
  if (v.kind == NUM_INTEGER) v.d = (double)v.i, v.kind = NUM_DOUBLE;
#endif
  if (v.kind == NUM_INTEGER) written = (size_t)(num_write_i64(again, v.i) - again);
  else written = (size_t)(num_write_double(again, v.d, 0) - again);
  if (written != n || memcmp(again, text, n) != 0) return 0;
  if (v.kind == NUM_DOUBLE) lua_pushnumber(k->L, v.d);
  else lua_pushinteger(k->L, (lua_Integer)v.i);
  return 1;
}

/* Pushes a name, which waits for its value, and its place if that is needed. */
FL_FUNC void json_to_lua_push_name(struct json_to_lua *k, struct json_string name, const char *p) {
  json_to_lua_reserve(k, k->stride - 1);
  if (!k->o->numeric_keys || !json_to_lua_push_numeric_name(k, name.s, name.n)) lua_pushlstring(k->L, name.s, name.n);
  if (k->stride == 3) lua_pushnumber(k->L, (lua_Number)(k->passed + (size_t)(p - k->scan.begin)));
}

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
FL_FUNC void json_to_lua_begin_container(struct json_to_lua *k, enum scan_container kind, uint32_t shape) {
  json_to_lua_reserve(k, 1);
  json_to_lua_open(k, kind, k->spilled + json_to_lua_on_stack(k), shape);
}

/* Closes the innermost container. Returns the kind of the one around it. */
FL_INLINE enum scan_container json_to_lua_close(struct json_to_lua *k) {
  FL_ASSERT(k->frame > k->frames);
  k->frame--;
  k->shape = k->frame->shape;
  return k->frame->kind;
}

/* ------------------------------------------------------------------------------------- the sink over the API */

FL_FUNC int json_to_lua_api_null(struct json_to_lua *k) {
  json_to_lua_reserve(k, 1);
  json_to_lua_push_null(k);
  return 1;
}
FL_FUNC int json_to_lua_api_boolean(struct json_to_lua *k, int b) {
  json_to_lua_reserve(k, 1);
  lua_pushboolean(k->L, b);
  return 1;
}
FL_FUNC int json_to_lua_api_integer(struct json_to_lua *k, int64_t i, const char *text, size_t n) {
  json_to_lua_reserve(k, 1);
  return json_to_lua_push_integer(k, i, text, n);
}
FL_FUNC int json_to_lua_api_number(struct json_to_lua *k, double d) {
  json_to_lua_reserve(k, 1);
  lua_pushnumber(k->L, d);
  return 1;
}
FL_FUNC int json_to_lua_api_big(struct json_to_lua *k, const char *text, size_t n, const struct num_value *v) {
  json_to_lua_reserve(k, 1);
  return json_to_lua_push_big(k, text, n, v);
}
/* The number *v, whose text has n bytes. */
FL_FUNC int json_to_lua_api_parsed(struct json_to_lua *k, const char *text, size_t n, const struct num_value *v) {
  if (v->kind == NUM_INTEGER) return json_to_lua_api_integer(k, v->i, text, n);
  return v->kind == NUM_DOUBLE ? json_to_lua_api_number(k, v->d) : json_to_lua_api_big(k, text, n, v);
}
FL_FUNC int json_to_lua_api_string(struct json_to_lua *k, const char *s, size_t n) {
  json_to_lua_reserve(k, 1);
  lua_pushlstring(k->L, s, n);
  return 1;
}
FL_FUNC const char *json_to_lua_api_guess(struct json_to_lua *k, const char *p) {
  (void)k, (void)p;
  return NULL;
}
FL_FUNC int json_to_lua_api_name(struct json_to_lua *k, struct json_string name, const char *p, int plain) {
  (void)plain;
  json_to_lua_push_name(k, name, p);
  return 1;
}
FL_FUNC void json_to_lua_api_open(struct json_to_lua *k, enum scan_container kind) {
  json_to_lua_begin_container(k, kind, JSON_TO_LUA_PAIRS);
}
FL_FUNC enum scan_container json_to_lua_api_close_array(struct json_to_lua *k) {
  json_to_lua_build_array_(k, k->frame->start);
  return json_to_lua_close(k);
}
FL_FUNC enum scan_container json_to_lua_api_close_object(struct json_to_lua *k) {
  return json_to_lua_build_pairs_(k, k->frame->start) ? json_to_lua_close(k) : SCAN_STOP;
}

#define SCAN_NAME json_to_lua_api_scan
#define SCAN_SINK struct json_to_lua
#define SCAN(event) json_to_lua_api_##event
#include "../../json/grammar/scan_template.h"

#define SCAN_NAME json_to_lua_api_scan_part
#define SCAN_SINK struct json_to_lua
#define SCAN(event) json_to_lua_api_##event
#define SCAN_PARTS 1
#include "../../json/grammar/scan_template.h"

#endif
