/* SPDX-License-Identifier: MIT
** walk.h -- the public-API walk: any Lua value to JSON text, with hooks, handlers and messages; and what the walk to
** binary (document/from_lua/api/walk.h) shares with it: hooks, how a table is opened, which value comes next.
** Must hold: memory is the walk's, freed by a userdata on the stack; any lua_* call may raise or collect. A hook may
** do anything, even call encode; after each call only the stack is trusted. Tables are arrays or objects by the same
** decisions as in encode_open and encode_list_ of the raw walk. Between two parts of a walk nothing of it is on a
** Lua stack: each open table is in the spill table with its current key, and changes to it meanwhile have the same
** effect as changes between two calls of `next`. A part costs what it writes and its open levels, API_LEVELS at
** most: the others are in the spill table anyway. */
#pragma once

#include "../../json/grammar/check.h"
#include "state.h"
#include "../sort.h"

enum { API_CHECK_DEPTH = 1000 }; /* depth of texts that hooks return and fleece.raw takes */

enum api_hook { API_HOOK_NONE, API_HOOK_TOJSON, API_HOOK_SERIALIZE, API_HOOK_PAIRS, API_HOOK_LEN };

enum { API_SERIALIZE_MOST = 100 }; /* tables with a __serialize that follow each other in one place */

struct api_meta {
  enum table_class mark;
  enum api_hook hook; /* its function was pushed */
  int has_order;      /* the list of __jsonorder is in the slot own_order */
};

/* Pushes metatable[name] (of the metatable on top of the stack) if it is not nil. */
FL_INLINE int api_meta_field(lua_State *L, int metatable, const char *name) {
  compat_get_field(L, metatable, name);
  if (!lua_isnil(L, -1)) return 1;
  lua_pop(L, 1);
  return 0;
}

/* Calls __tojson(value, state); the value and the function are on top. Returns the resulting text, which stays on top,
** and its length, or NULL after an error. */
FL_PRIVATE const char *api_call_tojson(struct api_walk *a, size_t *n);

/* Calls __pairs and replaces its function on top by a list k1, v1, k2, v2 ...; the table is below. Returns the number
** of pairs, or -1. */
FL_PRIVATE int api_list_pairs(struct api_walk *a, int table);

/* Calls __len for the table below the function on top, which is popped. Returns -1 with an error if the result is not a
** length. */
FL_PRIVATE int api_hook_length(struct api_walk *a, int table);

/* What is known about a table's keys. */
struct api_keys {
  size_t count;
  double highest;
  int all_indexes;
};

/* The brackets of a level, by its is_array. */
static const char api_brackets[][3] = {"{}", "[]"};

/* Returns the array index of the key at `at`, or 0; like encode_index. */
FL_INLINE double api_index(lua_State *L, int at) {
#if LUA_VERSION_NUM >= 503
  lua_Integer i = lua_isinteger(L, at) ? lua_tointeger(L, at) : 0;
  return i > 0 ? (double)i : 0;
#else
  double d;
  if (lua_type(L, at) != LUA_TNUMBER) return 0;
  d = lua_tonumber(L, at);
  return d >= 1 && d <= 9007199254740992.0 && d == (double)(int64_t)d ? d : 0;
#endif
}

FL_INLINE void api_count_key(lua_State *L, int at, struct api_keys *keys) {
  double index = api_index(L, at);
  keys->count++;
  if (index == 0) keys->all_indexes = 0;
  if (index > keys->highest) keys->highest = index;
}

/* Replaces the list of `n` pairs on top by a sorted one: first the names of `order` (name -> rank, or 0), in that
** order, then the others, by text if the style says so. Returns 0 if out of memory. */
FL_PRIVATE int api_sort_list(struct api_walk *a, int n, int order);

/* Pushes a list of the pairs of the table at `table`; returns their number. */
FL_PRIVATE int api_list_raw(lua_State *L, int table);

/* Replaces a list of names at `names` by a table name -> rank. */
FL_PRIVATE void api_rank_names(lua_State *L, int names);

/* Returns the text of a light userdata, ours or another library's, or NULL if it is unknown. */
FL_PRIVATE const char *api_sentinel(struct api_walk *a, const void *p);

/* LuaJIT's 64-bit integers: the FFI's own text has their digits and LL or ULL. Returns how many bytes of the text on
** top, the result of a __tostring, are an integer, or 0. The digits are checked, because they must be JSON, and a
** program's function may return anything. */
FL_PRIVATE size_t api_boxed_digits(lua_State *L);

/* Returns the JSON text of the value on top, which is neither plain data nor binary, and its length. May push what the
** text needs. NULL after an error. */
FL_PRIVATE const char *api_other_text(struct api_walk *a, size_t *n);

/* Returns whether the table at `table` may become one more level; 0 with an error. */
FL_INLINE int api_may_open(struct api_walk *a, int table) {
  const size_t max_depth = a->walk->out.style->max_depth;
  if (api_is_open(a, lua_topointer(a->L, table))) return api_fail(a, FL_ERROR_CYCLE, NULL) != NULL;
  if (a->depth >= max_depth) {
    *num_write_u64(a->detail_room, max_depth) = 0;
    return api_fail(a, FL_ERROR_DEPTH, a->detail_room) != NULL;
  }
  return encode_need_frames(a->walk, a->depth + 1) || api_fail(a, FL_ERROR_MEMORY, NULL) != NULL;
}

/* Classifies the table on top, at `table`: sets the text of its hook, or leaves the aux after it and sets how to
** iterate. Returns 0 after an error, with anything on the stack above the table. */
FL_PRIVATE int api_open_table(struct api_walk *a, int table, struct api_opened *f);

/* Returns whether skip_unsupported leaves out the pair of the value on top; like encode_skips_. */
FL_PRIVATE int api_skips(struct api_walk *a, const struct encode_frame *frame, int slot);

/* Pushes the next value of the innermost level, whose table is at `slot`; its key is api_current_key. Returns 0 at the
** end, -1 after an error with the message on top. After an error that a handler may replace, returns 1 with
** a->walk->out.error set. */
FL_INLINE int api_next_value(struct api_walk *a, struct encode_frame *frame, int slot) {
  int more;
  do {
    if (frame->pending) {
      more = frame->pending > 0;
      frame->pending = 0;
      continue;
    }
    lua_settop(a->L, slot + 1);
    more = api_advance(a, frame, slot);
  } while (more > 0 && FL_UNLIKELY(a->skips) && api_skips(a, frame, slot));
  if (FL_UNLIKELY(more < 0)) return api_may_substitute(a, slot) ? 1 : -1;
  return more;
}

/* Writes the beginning of the table at `table`, which is opened as a level unless it is empty. */
FL_PRIVATE char *api_begin_level(struct api_walk *a, char *w, const struct api_opened *f, int table, int *opened);

/* What was written last: a value; the bracket of the innermost level; or all in front of the value on top of it. */
enum api_written { API_AFTER_VALUE, API_OPENED, API_VALUE };

/* Writes the rest of the open levels, or as much as fits in this part. `opened` is an api_written. Returns the end, or
** NULL with the message, or with a->thrown a hook's error object, on top. */
FL_PRIVATE char *api_write_levels(struct api_walk *a, char *w, int opened);

/* Writes the value on top, whose stack index is a->levels, with all it contains; returns like api_write_levels. */
FL_PRIVATE char *api_write(struct api_walk *a, char *w);

/* Moves the levels, which end the stack, off it. */
FL_PRIVATE void api_park(struct api_walk *a);

/* Moves the levels to the stack of a->L. */
FL_PRIVATE void api_unpark(struct api_walk *a);
