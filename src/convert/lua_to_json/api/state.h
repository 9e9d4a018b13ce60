/* SPDX-License-Identifier: MIT
** state.h -- the state of a public-API walk, and how it calls a program's functions.
** May call: base, json, lua_*.
** Must hold: `walk` lies in a userdata on the stack that frees its memory; any lua_* call may raise. */
#ifndef FLEECE_CONVERT_LUA_TO_JSON_API_STATE_H
#define FLEECE_CONVERT_LUA_TO_JSON_API_STATE_H

#include "../../../layout/lua_compat/api.h"
#include "../state.h"

/* Hooks that encode that call hooks ...: each call takes C stack, and LuaJIT does not count them. */
enum { API_NESTING = 128 };

/* Each open table takes two stack slots, the table and an aux (the key of lua_next, or a list). Levels
** deeper than API_LEVELS share the last pair; what was there waits in the spill table. */
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

/* Light userdata of other libraries, known by address. */
struct api_sentinels {
  const void *empty_array[2]; /* lua-cjson's and our own */
  const void *null[2];
};

/* What dkjson's encode has of its own. Stack indices; 0: none. */
struct api_dkjson {
  int state;        /* its second argument, or a table in its place */
  int buffer;       /* a table of strings: what was written before the text in the walk's buffer */
  int tables;       /* the open tables, where a handler or the caller wants to know them all */
  int order;        /* the list of names that come first */
  int has_handler;  /* from the beginning; another may come later */
  int message;      /* an error's, once there is one */
  int buffer_given; /* the buffer is the caller's */
  size_t pieces;    /* strings in the buffer */
  size_t level;     /* of the root */
};

/* What LuaJSON's encode was given by a program. Stack indices; 0: none. */
struct api_luajson {
  int pre_process, is_array, processor;
  int null, undefined;     /* what is compared as by ==, for it may have an __eq */
  int own_arrays;          /* is_array, or nothing, is asked in place of IsArray */
  const char *booleans[2]; /* the words for false and true; NULL: such a value is an error */
  const char *types[2];    /* of null and undefined */
  int is_key;              /* the root is a name */
  /* Where a program writes the tables: its function `composite` makes of each what stands for it, and calls `encode`
  ** for what is in it; `state` is theirs. */
  int composite, encode, state;
  int *nothing; /* set if nothing stands for the root: what was to be written is elsewhere */
};

struct api_walk;

/* What all walks of a Lua state share. */
struct api_shared {
  struct api_calls calls;
  struct api_sentinels sentinels;
  const void *raw_metatable; /* of fleece.raw's texts */
};

/* What a walk asks its owner to do. */
struct api_callbacks {
  /* Looks which libraries are loaded by now, and brings marks and sentinels up to date. */
  int (*refresh)(lua_State *L, void *owner);
  /* Is the userdata on top data, a document or a part of one? */
  int (*is_binary)(lua_State *L);
  /* Writes that userdata as text. JSON_TEXT_ROOM bytes are reserved. */
  char *(*write_binary)(struct api_walk *a, char *w);
  /* Writes the table on top if its text is short, else returns NULL; NULL: no such function. */
  char *(*try_short_table)(struct api_walk *a, char *w);
};

/* One walk. All that a walk to text and one to binary (convert/lua_to_binary/api/walk.h) have in common. */
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

  /* Options. */
  int guarded;            /* errors of hooks come back as errors with a path (safe mode, handler) */
  int guards;             /* a handler or LuaJSON's functions: each value is looked at before it is written */
  int bulk_scalars;       /* no option or handler looks at single values: scalars are written in runs */
  int pairs_honours_meta; /* this Lua's pairs asks __pairs, and its # __len */

  /* Position. */
  size_t depth;
  int visit_all_keys; /* the next table is to be opened by looking at every key */
  int refreshed;      /* callbacks->refresh was called */

  /* The error. */
  int thrown;         /* a hook raised: its error object is on top, to be raised again as it is */
  const char *detail; /* a type name, a number, a whole message */
  char detail_room[32];

  /* Walks in parts: parts.h. */
  size_t limit;  /* bytes of text at which the walk stops; 0: none */
  int opened;    /* it stopped after a bracket, where no comma is wanted */
  size_t stored; /* levels that are in the spill table */

  /* Other libraries'. */
  struct api_dkjson *dk;        /* NULL: another dialect */
  const struct api_luajson *lj; /* NULL: no functions or words of a program, or another dialect */
};

FL_INLINE char *api_fail(struct api_walk *a, enum fl_error error, const char *detail) {
  a->detail = detail;
  return json_fail(&a->walk->out, error);
}

/* Something unknown was met: was the library that made it loaded since? True once, at the first call. */
FL_FUNC int api_refresh(struct api_walk *a) {
  if (a->refreshed) return 0;
  a->callbacks->refresh(a->L, a->owner);
  return a->refreshed = 1;
}

/* Calls the function below `args` arguments; false: it raised. All calls are protected, for the walk's memory
** must come back; the error is raised again by the caller, or in safe mode becomes one with a path. */
FL_FUNC int api_call(struct api_walk *a, int args, int results) {
  lua_State *L = a->L;
  int status;
  if (a->shared->calls.nesting >= API_NESTING) return api_fail(a, FL_ERROR_NESTING, NULL) != NULL;
  a->shared->calls.nesting++;
  a->shared->calls.count++;
  status = lua_pcall(L, args, results, 0);
  a->shared->calls.nesting--;
  if (status == 0) return 1;
  a->thrown = !a->guarded;
  a->detail = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "error in a hook";
  json_fail(&a->walk->out, FL_ERROR_HOOK); /* the message stays on the stack, and so alive */
  return 0;
}

/* table[i] through __index, for lua_pcall. */
FL_FUNC int api_get_index(lua_State *L) {
  lua_gettable(L, 1);
  return 1;
}

#endif
