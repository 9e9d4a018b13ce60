/* SPDX-License-Identifier: MIT
** state.h -- the state of a public-API walk, and how it calls a program's functions.
** Must hold: `walk` lies in a userdata on the stack that frees its memory; any lua_* call may raise. */
#pragma once

#include "../../layout/lua_compat/api.h"
#include "../state.h"

/* Hooks that encode that call hooks ...: each call takes C stack, and LuaJIT does not count them. */
enum { API_NESTING = 128 };

/* How many levels have stack slots of their own, two each: see levels.h. */
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

  /* Walks in parts: parts.h. */
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
