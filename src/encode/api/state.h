/* SPDX-License-Identifier: MIT
** state.h -- the state of a public-API walk: how it calls a program's functions; its open tables: opening one, its next
** value and key, closing it; the error that stops a walk.
** Must hold: `walk` is in a userdata on the stack, which frees its memory; any lua_* call may raise, and a handler
** may do anything. The stack ends with the levels, two slots each: the table, and an aux, which is the key of
** lua_next or a list. Levels deeper than API_LEVELS share the last pair; the pairs before wait in the spill table. */
#pragma once

#include "../../layout/lua_compat/api.h"
#include "../state.h"
#include "../keys.h"

/* Limit for hooks that call encode, which calls hooks ...: each takes C stack, and LuaJIT does not count them. They are
** counted for each C stack, because in a host with fibers many hooks can wait at the same time, each on its own. Calls
** of one Lua thread are on one stack. So are those of a coroutine that a hook runs: they are less than API_NEAR apart,
** or not many of them would fit on a stack. */
enum { API_NESTING = 128, API_NEAR = 64 * 1024 };

/* Levels with stack slots of their own, two each. */
enum { API_LEVELS = 400, API_STACK = 2 * API_LEVELS + 40 };

enum api_kind {
  API_ITEMS = 16, /* table[1..n], raw */
  API_INDEX,      /* table[1..n] through __index */
  API_NEXT,       /* lua_next, aux is the key */
  API_PAIRS       /* aux is a list k1, v1, k2, v2 ... */
};

/* A call of a program's code in progress; on the C stack. */
struct api_running {
  struct api_running *older, **link; /* in the list of struct api_calls; `link` points to this call */
  const lua_State *L;
  int nesting; /* how many on this C stack are in progress */
};

/* Calls of a program's code (hooks, handlers, sinks) by all walks of a Lua state. With fibers they end in any order. */
struct api_calls {
  struct api_running *newest;
  unsigned count; /* calls begun; wraps around */
};

/* Before and after a call. Returns 0, without having begun it, if too many are in progress. */
FL_PRIVATE int api_begin_call(struct api_calls *calls, struct api_running *call, const lua_State *L);
FL_PRIVATE void api_end_call(struct api_running *call);

/* Light userdata of other libraries and our own, known by address. */
struct api_sentinels {
  const void *empty_array[2];
  const void *null[2];
};

struct api_walk;

struct encode_frame;

/* What a policy does instead of the walk's own rules. All but write_table may be NULL. Functions that write receive and
** return the end of the text, or return NULL after an error. JSON_TEXT_ROOM bytes are reserved, and more than a comma's
** must stay so. */
struct api_ops {
  /* Writes the table on top; or opens it as a level, and sets *opened. */
  char *(*write_table)(struct api_walk *a, char *w, int *opened);
  /* Writes the value on top, which is not plain data and stays. NULL: the walk's own rules apply. */
  char *(*write_other)(struct api_walk *a, char *w);
  /* Called when the table at `slot` is closed. */
  void (*close)(struct api_walk *a, int slot);
};

/* What all walks of a Lua state share. */
struct api_shared {
  struct api_calls calls;
  struct api_sentinels sentinels;
  const void *raw_metatable;     /* of fleece.raw's texts */
  const struct value_kind *kind; /* documents and their parts; NULL: no such value was made in this state */
  const void *next;              /* the function `next`, which the anchors keep alive; NULL: unknown */
  lua_CFunction next_function;   /* the C function that it is, or NULL */
};

/* How a part's userdata are encoded. */
struct value_kind {
  /* Returns whether the userdata on top is one. */
  int (*is)(lua_State *L);
  /* Writes it as text. JSON_TEXT_ROOM bytes must be reserved. */
  char *(*write)(struct api_walk *a, char *w);
};

/* What a walk asks its owner to do. */
struct api_callbacks {
  /* Finds out which libraries are loaded by now, and updates marks and sentinels. */
  int (*refresh)(lua_State *L, void *owner);
  /* Writes the table on top by a raw walk; or a part of it, and then opens the tables in it as levels and sets *opened.
  ** NULL without an error: the walk must write it. May be NULL. */
  char *(*try_raw)(struct api_walk *a, char *w, int *opened);
  /* Goes on by a raw walk in the innermost level, whose frame has a base; if it cannot, the base is NULL afterwards; or
  ** `tried` is set, if the next value is one for the walk. NULL: an error, whose message is on top. */
  char *(*go_on)(struct api_walk *a, char *w, int *opened);
};

/* One walk: what a walk to text and one to binary (document/from_lua/api/walk.h) have in common. */
struct api_walk {
  lua_State *L;
  struct encode_state *walk; /* output, style, frames, known metatables */
  struct api_shared *shared;
  const struct api_callbacks *callbacks;
  void *owner; /* argument of callbacks */

  /* Stack indices, or 0. */
  int levels;    /* of the root, and then of the first level */
  int spill;     /* of the spill table; nil until needed */
  int own_order; /* of the table name -> rank for the __jsonorder of the table being opened */
  int order;     /* of the table name -> rank for the option key_order */
  int on_error;  /* of the handler */
  int book;      /* of encode/order.h */

  /* Options. */
  int guarded;            /* errors of hooks are returned as errors with a path (safe mode, handler) */
  int skips;              /* skip_unsupported */
  int bulk_scalars;       /* no option or handler concerns single values, so scalars are written in runs */
  int pairs_honours_meta; /* this Lua's pairs uses __pairs, and its # __len */
  int ignores_order;      /* the book says which tables are objects, but the order of their members is ignored */

  /* Position. */
  size_t depth;
  int visit_all_keys; /* look at every key when the next table is opened */
  int refreshed;      /* callbacks->refresh was called */
  int tried;          /* the raw encoder could not open the table that is written next */

  /* The error. */
  int thrown;         /* a hook raised an error: its error object is on top, to be raised again unchanged */
  const char *detail; /* a type name, a number, a whole message */
  char detail_room[32];
  char inner[200]; /* the rest of the path, inside a document */
  size_t inner_length;
  int path; /* stack index of the path in the message on top, or 0 */

  /* Walks in parts. */
  size_t limit;  /* bytes of text at which the walk stops, or 0 */
  int opened;    /* it stopped after a bracket, where no comma is needed */
  size_t stored; /* levels that are in the spill table */

  const struct api_ops *ops; /* of the policy, or NULL */
  void *special;             /* the ops' data for this call */
};

FL_INLINE int api_is_of_kind(const struct api_walk *a) { return a->shared->kind && a->shared->kind->is(a->L); }

FL_INLINE char *api_fail(struct api_walk *a, enum fl_error error, const char *detail) {
  a->detail = detail;
  return json_fail(&a->walk->out, error);
}

/* Something unknown was found: returns whether the library that made it may have been loaded since. True only once, at
** the first call. */
FL_PRIVATE int api_refresh(struct api_walk *a);

/* Calls the function below `args` arguments. Returns 0 if it raised an error. All calls are protected, because the
** walk's memory must come back; the caller raises the error again, or, in safe mode, adds the path. */
FL_PRIVATE int api_call(struct api_walk *a, int args, int results);

/* table[i] through __index, for lua_pcall. */
FL_PRIVATE int api_get_index(lua_State *L);

/* How to write a table: the result of api_open_table, or of a policy's own rules. */
struct api_opened {
  enum api_kind kind;
  int is_array, empty;
  int counted, pending; /* see encode_frame; pending pairs are in place of the aux */
  size_t n;             /* items or pairs */
  const char *text;     /* the result of its __tojson, on top; NULL if it has no such hook */
  size_t text_length;
};

/* Returns the stack index of open table number `level`, from 1; its aux is in the next slot. */
FL_INLINE int api_slot_of(const struct api_walk *a, size_t level) {
  return a->levels + 2 * (int)((level < API_LEVELS ? level : API_LEVELS) - 1);
}

/* Returns the stack index of the innermost open table. */
FL_INLINE int api_slot(const struct api_walk *a) { return api_slot_of(a, a->depth); }

/* Copies the pair of slots at `slot` to the spill table, as level number `level`. */
FL_PRIVATE void api_spill_pair(struct api_walk *a, int slot, size_t level);

/* Pushes the pair that was spilled as level number `level`. */
FL_PRIVATE void api_push_spilled(struct api_walk *a, size_t level);

/* Returns whether the table on top is open already. Only called on the way to an error or at powers of two of the
** depth, so that a walk stays linear: like the raw walk, but over the whole path, because handlers want the first
** occurrence. */
FL_PRIVATE int api_is_open(const struct api_walk *a, const void *table);

/* Makes the table at `table`, with the aux after it, the innermost level. The stack then ends with them. */
FL_INLINE void api_push_level(struct api_walk *a, const struct api_opened *f, int table) {
  lua_State *L = a->L;
  struct encode_frame *frame = &a->walk->frames[a->depth];
  int pending = f->pending;
  FL_ASSERT(a->depth < a->walk->frame_room && !f->empty);
  if (a->depth >= API_LEVELS) {
    const int slot = api_slot(a);
    if (pending) {
      lua_settop(L, table);
      lua_pushnil(L);
      pending = 0;
    }
    api_spill_pair(a, slot, a->depth);
    lua_replace(L, slot + 1);
    lua_replace(L, slot);
    table = slot;
  }
  a->depth++;
  frame->table = (const char *)lua_topointer(L, table);
  frame->kind = (enum encode_kind)f->kind;
  frame->base = NULL;
  frame->i = 0;
  frame->n = f->n;
  frame->is_array = (int8_t)f->is_array;
  frame->counted = (int8_t)f->counted;
  frame->pending = (int8_t)pending;
  frame->calls = a->shared->calls.count;
}

/* Closes the innermost level. */
FL_INLINE void api_pop_level(struct api_walk *a) {
  FL_ASSERT(a->depth > 0);
  lua_settop(a->L, api_slot(a) - 1);
  a->depth--;
  if (a->depth >= API_LEVELS) api_push_spilled(a, a->depth);
}

/* api_next after a call: the key may be gone, and then lua_next raises an error. */
FL_PRIVATE_NOINLINE int api_next_protected_(struct api_walk *a, int slot);

/* Replaces the key above the table at `slot` by the next one and its value. Returns 0 at the end, -1 after an error. */
FL_INLINE int api_next(struct api_walk *a, struct encode_frame *frame, int slot) {
  if (FL_LIKELY(frame->calls == a->shared->calls.count)) return lua_next(a->L, slot);
  frame->calls = a->shared->calls.count;
  return api_next_protected_(a, slot);
}

/* Pushes the next value of the innermost level (API_NEXT: its key is the aux). Returns 0 at the end, -1 after an
** error. */
FL_INLINE int api_advance(struct api_walk *a, struct encode_frame *frame, int slot) {
  lua_State *L = a->L;
  if ((int)frame->kind == API_NEXT) return api_next(a, frame, slot);
  if (frame->i == frame->n) return 0;
  frame->i++;
  switch ((int)frame->kind) {
  case API_ITEMS: lua_rawgeti(L, slot, (int)frame->i); return 1;
  case API_PAIRS: lua_rawgeti(L, slot + 1, (int)(2 * frame->i)); return 1;
  default:
    lua_pushcfunction(L, api_get_index);
    lua_pushvalue(L, slot);
    lua_pushinteger(L, (lua_Integer)frame->i);
    return api_call(a, 2, 1) ? 1 : -1;
  }
}

/* Pushes an item of the table at `table`. Returns its type. */
FL_INLINE int api_push_item(lua_State *L, int table, size_t i) {
#if LUA_VERSION_NUM >= 503
  return lua_rawgeti(L, table, (lua_Integer)i);
#else
  lua_rawgeti(L, table, (int)i);
  return lua_type(L, -1);
#endif
}

/* Returns the stack index of the key of the value at slot + 2; the key of a list's pair is pushed above the value. */
FL_INLINE int api_current_key(struct api_walk *a, const struct encode_frame *frame, int slot) {
  if (FL_LIKELY((int)frame->kind == API_NEXT)) return slot + 1;
  lua_rawgeti(a->L, slot + 1, (int)(2 * frame->i - 1));
  return slot + 3;
}

/* Pushes the key that leads from open table number `level` (from 1) to its child. */
FL_PRIVATE void api_push_key(struct api_walk *a, size_t level);

/* Turns the key on top into one step of a path: .name, ["other"] or [7]. */
FL_PRIVATE void api_key_to_step(lua_State *L);

/* Pushes the message about the first table in the table at `value` that contains itself, with its path. Returns 0, and
** pushes nothing, if there is none down to `max_depth` levels. */
FL_PRIVATE int api_push_cycle(lua_State *L, int value, size_t max_depth);

/* Pushes the message of the error that stopped the walk. `path`: stack index of its path, or 0. */
FL_PRIVATE_NOINLINE void api_push_message(struct api_walk *a, int path);

/* After a failure of the value at `at`: replaces it by the result of on_error(value, path, message), unless __serialize
** has replaced it already. Returns 0, with the message on top, if there is no handler, it returned nothing, or `tries`
** says that it was asked before. `levels` open tables lead to the value. */
FL_PRIVATE_NOINLINE int api_replace(struct api_walk *a, int at, size_t levels, int tries);

/* api_advance or api_next failed: the error is the item's, or the table's whose key is gone. Returns whether a handler
** may replace the item that __index did not return; nil stands for it, below the message. */
FL_PRIVATE_NOINLINE int api_may_substitute(struct api_walk *a, int slot);
