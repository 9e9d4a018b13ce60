/* SPDX-License-Identifier: MIT
** edit.h -- edit(text, changes [, options]): changes some values of a JSON text, and nothing else.
** Must hold: the text stays on the Lua stack. All memory is on the C stack or in userdata on the Lua stack, so an
** error leaves nothing behind. Lua code runs only while a value is encoded. */
#pragma once

#include "../json/index/locate.h"
#include "../decode/face/decode.h"
#include "../encode/face/encode.h"
#include "paths.h"

enum {
  MOD_EDIT_MEMORY = 4096, /* bytes of the edit's memory that are on the C stack */
  MOD_EDIT_SCRATCH = 256  /* the same for names with escapes */
};

/* The paths of the changes as goals, whose values are found while the text is tested. */
struct mod_edit_goals {
  const struct json_goal *goals;
  uint32_t count;
  struct json_goal_state *states; /* memory for as many */
  struct json_slice *found;       /* memory for as many */
  int done;                       /* result: the places are known */
  struct json_slice text;         /* result: the whole value */
};

/* One call: its text, its options, and its memory, which is userdata on the Lua stack. */
struct mod_edit {
  struct mod_decode d;
  struct mod_options own;
  struct json_edit e;
  struct mod_path_steps path;
  int memory; /* stack index of a table of blocks, or nil */
  int blocks;
  /* of the current change: its number, from 1, and stack indices of its path and value */
  int change, path_at, value_at;
  int word;          /* its operation as it was named: that of what a query finds is another one */
  int has_wildcards; /* its path */
  int was_found;     /* a query has found the path: if it leads to nothing any more, nothing is to be done */
  int top;           /* stack top before that */
  struct json_edit_change is;
  int64_t first[MOD_EDIT_MEMORY / sizeof(int64_t)];
  char scratch[MOD_EDIT_SCRATCH];
};

/* Prepares the memory; pushes two slots. d must be set. */
FL_PRIVATE void mod_edit_prepare(struct mod_edit *f);

/* Prepares the encoder, whose options are f->own. */
FL_PRIVATE void mod_edit_settle(struct mod_edit *f);

/* Prepares the scanner for d's text. */
FL_PRIVATE void mod_edit_begin_scan(struct mod_edit *f);

/* Tests d's text and prepares its edit. Returns 0 with the error in e.scan. `known`: NULL, or goals; if these are
** `done`, mod_edit_place prepares the edit. */
FL_PRIVATE int mod_edit_begin(struct mod_edit *f, const struct mod_pick_flags *is, struct mod_edit_goals *known);

/* Prepares the edit, with the places of the goals. Returns 0 after an error. */
FL_PRIVATE int mod_edit_place(struct mod_edit *f, const struct mod_edit_goals *known);

/* Makes goals of n paths of together `steps` steps. Returns 0 if out of memory. */
FL_PRIVATE int mod_edit_make_goals(struct mod_edit *f, struct json_goal_path *paths, uint32_t n, size_t steps,
                                   struct mod_edit_goals *known);

/* Adds to the message on top which step failed: number `at` of `count`. */
FL_PRIVATE void mod_edit_add_step(lua_State *L, const struct json_step *steps, size_t count, size_t at);

/* Begins a text of at most n bytes that the call returns, which mod_finish ends. Returns where to write it, or NULL if
** out of memory. */
FL_PRIVATE char *mod_edit_begin_text(struct mod_edit *f, const struct mod_options *o, struct mod_call *call,
                                     struct encode_state **c, size_t n);

/* Pushes the text after the changes. Returns the number of results of the call. */
FL_PRIVATE int mod_edit_result(struct mod_edit *f);

/* edit(text, changes [, options]) -> text */
FL_PRIVATE int mod_edit(lua_State *L);
