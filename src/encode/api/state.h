/* SPDX-License-Identifier: MIT
** state.h -- the state of a public-API walk: how it calls a program's functions, and its open tables: opening one more,
** its next value and key, closing it; the error that stops a walk.
** Must hold: `walk` lies in a userdata on the stack that frees its memory; any lua_* call may raise, and a handler
** may do anything. The stack ends with the levels, two slots each: the table, and an aux, which is the key of
** lua_next or a list. Levels deeper than API_LEVELS share the last pair; what was there waits in the spill table. */
#pragma once

#include "../../layout/lua_compat/api.h"
#include "../state.h"
#include "../keys.h"

/* Hooks that encode that call hooks ...: each call takes C stack, and LuaJIT does not count them. */
enum { API_NESTING = 128 };

/* How many levels have stack slots of their own, two each. */
enum { API_LEVELS = 400, API_STACK = 2 * API_LEVELS + 40 };

enum api_kind {
  API_ITEMS = 16, /* table[1..n], raw */
  API_INDEX,      /* table[1..n] through __index */
  API_NEXT,       /* lua_next, aux is the key */
  API_PAIRS       /* aux is a list k1, v1, k2, v2 ... */
};

/* Calls of a program's code (hooks, handlers, sinks) by all walks of a Lua state. */
struct api_calls {
  int nesting;    /* that are under way */
  unsigned count; /* that were begun; wraps */
};

/* Light userdata of other libraries and our own, known by address. */
struct api_sentinels {
  const void *empty_array[2];
  const void *null[2];
};

struct api_walk;

struct encode_frame;

/* What a policy has in place of the rules of the walk itself. All but write_table may be NULL. Functions that write get
** and return the end of the text; NULL: an error. JSON_TEXT_ROOM bytes are reserved, and more than a comma's must stay
** so. */
struct api_ops {
  /* Writes the table on top; or opens it as a level, and *opened says so. */
  char *(*write_table)(struct api_walk *a, char *w, int *opened);
  /* Writes the value on top that is no plain data, which stays; NULL: as the walk itself. */
  char *(*write_other)(struct api_walk *a, char *w);
  /* The table at `slot` is closed. */
  void (*close)(struct api_walk *a, int slot);
};

/* What all walks of a Lua state share. */
struct api_shared {
  struct api_calls calls;
  struct api_sentinels sentinels;
  const void *raw_metatable;     /* of fleece.raw's texts */
  const struct value_kind *kind; /* documents and their parts; NULL: no such value was made in this state */
};

/* What userdata of a part mean as values. */
struct value_kind {
  /* Is the userdata on top one? */
  int (*is)(lua_State *L);
  /* Writes it as text. JSON_TEXT_ROOM bytes are reserved. */
  char *(*write)(struct api_walk *a, char *w);
};

/* What a walk asks its owner to do. */
struct api_callbacks {
  /* Looks which libraries are loaded by now, and brings marks and sentinels up to date. */
  int (*refresh)(lua_State *L, void *owner);
  /* Writes the table on top by a raw walk; or part of it, and what is open then are levels, as *opened says. NULL
  ** without an error: the walk is to write it. NULL: there is no such function. */
  char *(*try_raw)(struct api_walk *a, char *w, int *opened);
};

/* One walk. All that a walk to text and one to binary (document/from_lua/api/walk.h) have in common. */
struct api_walk {
  lua_State *L;
  struct encode_state *walk; /* output, style, frames, known metatables */
  struct api_shared *shared;
  const struct api_callbacks *callbacks;
  void *owner; /* an argument of callbacks */

  /* Stack indices; 0: none. */
  int levels;    /* of the root, and of the first level */
  int spill;     /* of the spill table; nil until it is needed */
  int own_order; /* of the table name -> rank for the __jsonorder of the table that is being opened */
  int order;     /* of the same for the option key_order */
  int on_error;  /* of the handler */
  int book;      /* of encode/order.h */

  /* Options. */
  int guarded;            /* errors of hooks come back as errors with a path (safe mode, handler) */
  int skips;              /* skip_unsupported */
  int bulk_scalars;       /* no option or handler looks at single values: scalars are written in runs */
  int pairs_honours_meta; /* this Lua's pairs asks __pairs, and its # __len */
  int ignores_order;      /* the book tells which tables are objects, and not the order of their members */

  /* Position. */
  size_t depth;
  int visit_all_keys; /* the next table is to be opened by looking at every key */
  int refreshed;      /* callbacks->refresh was called */

  /* The error. */
  int thrown;         /* a hook raised: its error object is on top, to be raised again as it is */
  const char *detail; /* a type name, a number, a whole message */
  char detail_room[32];
  char inner[200]; /* the rest of the path, inside a document */
  size_t inner_length;

  /* Walks in parts. */
  size_t limit;  /* bytes of text at which the walk stops; 0: none */
  int opened;    /* it stopped after a bracket, where no comma is wanted */
  size_t stored; /* levels that are in the spill table */

  const struct api_ops *ops; /* of the policy; NULL: none */
  void *special;             /* what they keep for this call */
};

/* Is the userdata on top a document, or part of one? */
FL_INLINE int api_is_of_kind(const struct api_walk *a) { return a->shared->kind && a->shared->kind->is(a->L); }

FL_INLINE char *api_fail(struct api_walk *a, enum fl_error error, const char *detail) {
  a->detail = detail;
  return json_fail(&a->walk->out, error);
}

/* Something unknown was met: was the library that made it loaded since? True once, at the first call. */
FL_PRIVATE int api_refresh(struct api_walk *a);

/* Calls the function below `args` arguments; false: it raised. All calls are protected, for the walk's memory
** must come back; the error is raised again by the caller, or in safe mode becomes one with a path. */
FL_PRIVATE int api_call(struct api_walk *a, int args, int results);

/* table[i] through __index, for lua_pcall. */
FL_PRIVATE int api_get_index(lua_State *L);

/* How a table is written: the result of api_open_table, or of a policy's own rules. */
struct api_opened {
  enum api_kind kind;
  int is_array, empty;
  int counted, pending; /* see encode_frame; pending pairs lie in the place of the aux */
  size_t n;             /* items or pairs */
  const char *text;     /* what its __tojson returned, on top; NULL: the table has no such hook */
  size_t text_length;
};

/* The stack index of open table number `level`, from 1; its aux is the next slot. */
FL_INLINE int api_slot_of(const struct api_walk *a, size_t level) {
  return a->levels + 2 * (int)((level < API_LEVELS ? level : API_LEVELS) - 1);
}

/* The same of the innermost one. */
FL_INLINE int api_slot(const struct api_walk *a) { return api_slot_of(a, a->depth); }

/* Copies the pair of slots at `slot` to the spill table, as level number `level`. */
FL_PRIVATE void api_spill_pair(struct api_walk *a, int slot, size_t level);

/* Pushes the pair that was spilled as level number `level`. */
FL_PRIVATE void api_push_spilled(struct api_walk *a, size_t level);

/* Is the table on top open already? Only on the way to an error or at a power of two of the depth, so that a
** walk stays linear: as the raw walk, but over the whole path, for handlers want the first occurrence. */
FL_PRIVATE int api_is_open(const struct api_walk *a, const void *table);

/* Makes the table at `table` with the aux after it the innermost level. The stack then ends with them. */
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

/* Replaces the key above the table at `slot` by the next one and its value; 0: there is none, -1: an error. */
FL_INLINE int api_next(struct api_walk *a, struct encode_frame *frame, int slot) {
  if (FL_LIKELY(frame->calls == a->shared->calls.count)) return lua_next(a->L, slot);
  frame->calls = a->shared->calls.count;
  return api_next_protected_(a, slot);
}

/* Pushes the next value of the innermost level (API_NEXT: its key is the aux); 0: none is left, -1: an error. */
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

/* Pushes an item of the table at `table`; its type. */
FL_INLINE int api_push_item(lua_State *L, int table, size_t i) {
#if LUA_VERSION_NUM >= 503
  return lua_rawgeti(L, table, (lua_Integer)i);
#else
  lua_rawgeti(L, table, (int)i);
  return lua_type(L, -1);
#endif
}

/* The stack index of the key of the value at slot + 2; of a list's pair it is pushed above the value. */
FL_INLINE int api_current_key(struct api_walk *a, const struct encode_frame *frame, int slot) {
  if (FL_LIKELY((int)frame->kind == API_NEXT)) return slot + 1;
  lua_rawgeti(a->L, slot + 1, (int)(2 * frame->i - 1));
  return slot + 3;
}

/* Pushes the key that leads from open table number `level` (from 1) to its child. */
FL_PRIVATE void api_push_key(struct api_walk *a, size_t level);

/* Turns the key on top into one step of a path: .name, ["other"] or [7]. */
FL_PRIVATE void api_key_to_step(lua_State *L);

/* Pushes the message about the first table in the table at `value` that contains itself, with its path. False, with
** nothing pushed: none does, down to `max_depth` levels. */
FL_PRIVATE int api_push_cycle(lua_State *L, int value, size_t max_depth);

/* Pushes the message of the error that stopped the walk; `path` is the stack index of its path, or 0. */
FL_PRIVATE_NOINLINE void api_push_message(struct api_walk *a, int path);

/* After a failure of the value at `at`: puts what on_error(value, path, message) returns in its place. False,
** with the message on top: no handler, or it returned nothing, or `tries` says that it was asked before.
** `levels` open tables lead to the value. */
FL_PRIVATE_NOINLINE int api_replace(struct api_walk *a, int at, size_t levels, int tries);

/* api_advance or api_next failed: the error is the item's, or the table's whose key is gone. True: a handler may
** replace the item that __index did not give; nil stands for it, below the message. */
FL_PRIVATE_NOINLINE int api_may_substitute(struct api_walk *a, int slot);
