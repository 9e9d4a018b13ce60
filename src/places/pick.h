/* SPDX-License-Identifier: MIT
** pick.h -- pick(path, ... [, options]): paths compiled once, and the function that finds their values in a text.
** Must hold: a picker creates only its results, and memory for many paths. The text stays on the Lua stack; all
** memory of a call is on the C stack or in userdata on the Lua stack. */
#pragma once

#include "../json/index/locate.h"
#include "../json/index/pick.h"
#include "../decode/face/decode.h"

/* The upvalue of a picker, after those of all functions: a struct mod_pick. */
enum { MOD_PICK_PATHS = MOD_UPVALUES + 1, MOD_PICK_UPVALUES = MOD_PICK_PATHS };

/* Where a path leads, or the part before its first wildcard. */
struct mod_pick_place {
  uint32_t goal;
  uint32_t depth;       /* number of containers around its values */
  uint32_t rest, rests; /* its wildcards, as numbers of mod_pick.rests */
};

/* A wildcard, and the path from one of its values to the next wildcard, or to the result. */
struct mod_pick_rest {
  char each;                     /* the bracket of the container that it goes through */
  char counts_from_end;          /* a step of the path does */
  uint32_t count;                /* of goals */
  uint32_t goal;                 /* where the path leads */
  const struct json_goal *goals; /* as of json_build_goals, from the value on, */
  const struct json_goal *whole; /* and from the container on, where each goal has the number after */
};

enum { MOD_PICK_WILDCARDS = 16 }; /* of one path at most */

/* A compiled list of paths. The goals, the places and the names follow it. */
struct mod_pick {
  struct mod_state *state; /* kept alive by an upvalue */
  struct json_to_lua_options o;
  struct mod_pick_flags is;
  unsigned decodes : 1;  /* options make decode refuse texts that the readers accept, so each text is decoded first */
  unsigned any_size : 1; /* numbers that round to infinity are valid */
  unsigned fast : 1;     /* untested texts may be read by vectors */
  unsigned cpu;          /* text_cpu(), maybe with fewer features */
  uint32_t count;        /* of goals */
  uint32_t paths;
  struct json_goal *goals;
  struct mod_pick_place *places;
  struct mod_pick_rest *rests;
  uint32_t longest; /* most goals of a rest; 0 without wildcards */
};

/* A call. */
struct mod_pick_run {
  struct mod_decode d;
  const struct mod_pick *k;
  struct json_slice *found;
  int strict;              /* the whole text is valid RFC 8259 */
  int read;                /* the reader of any grammar has tested what it has found */
  int top;                 /* the stack index before the results */
  json_release_fn release; /* of a mapped text, else NULL */
  struct json_scan failed; /* an error */
};

/* Prepares the reader of any grammar, whose goals are to be set. Pushes a slot, and perhaps memory. `bytes`: of
** json_pick_bytes; `memory` has `room` bytes. */
struct mod_pick_reading {
  struct json_pick pick;
  lua_State *L;
  int slot;
  char scratch[256];
};
FL_PRIVATE void mod_pick_begin_reading(struct mod_pick_run *r, struct mod_pick_reading *to, void *memory, size_t room,
                                       size_t bytes);

/* Pushes the value in s; `depth`: the containers around it. Returns 0 with an error in failed, or without one if
** untested text is invalid. */
FL_PRIVATE int mod_pick_push_value(struct mod_pick_run *r, const struct json_slice *s, uint32_t depth,
                                   unsigned char *containers);

/* wildcards.c: pushes a table of the values that the wildcards of the place lead to from s, in the order of the text.
** Results as above. */
FL_PRIVATE int mod_pick_push_each(struct mod_pick_run *r, const struct mod_pick_place *place,
                                  const struct json_slice *s, unsigned char *containers);

/* pick(path, ... [, options]) -> picker; picker(text) returns one value for each path */
FL_PRIVATE int mod_pick(lua_State *L);

/* Reads the options raw and test of the table at `arg`. `names`: see mod_reader. */
FL_PRIVATE void mod_pick_read_options(lua_State *L, int arg, struct mod_pick_flags *is, enum mod_taker of);

/* Returns the picker at the index, or raises an argument error; it must be one that tests texts. */
FL_PRIVATE const struct mod_pick *mod_pick_check(lua_State *L, int picker);

/* Pushes the memory for mod_pick_places. */
FL_PRIVATE void *mod_pick_push_memory(lua_State *L, const struct mod_pick *k);

/* A text whose values are to be found. */
struct mod_pick_text {
  const char *s; /* s[n] is 0 */
  size_t n;
  json_release_fn release; /* of a mapped text, else NULL */
};

/* Finds the goals in the text. Returns their places, which are in the memory. NULL: pushed false, the message and the
** byte. May leave values on the stack. */
FL_PRIVATE const struct json_slice *mod_pick_places(lua_State *L, const struct mod_pick *k, void *memory,
                                                    const struct mod_pick_text *t);

/* Pushes the values of the paths, nil for a missing one, and for one that decode must read: then it sets bit i of path
** i, up to 31. Returns their places. NULL: it pushed nothing, because the text must be read with the picker's options.
** The stack has room for them. */
FL_PRIVATE const struct json_slice *mod_pick_push_simple(lua_State *L, const struct mod_pick *k, void *memory,
                                                         const struct mod_pick_text *t, uint32_t *others);

/* Returns whether the text holds one valid value, an array or object of strict JSON. If not, it must be read with the
** picker's options to tell. */
FL_PRIVATE int mod_pick_is_strict(lua_State *L, const struct mod_pick *k, void *memory, const struct mod_pick_text *t);

/* The name of pickers in argument errors. */
FL_TABLE const luaL_Reg mod_pick_calls[2];
