/* SPDX-License-Identifier: MIT
** options.h -- option tables to plain structs; every wrong name or value is an error of the programmer.
** May call: base, text, json, layout, convert, lua_*.
** Must hold: raises `bad argument` before anything is allocated for a walk. */
#ifndef FLEECE_MODULE_OPTIONS_OPTIONS_H
#define FLEECE_MODULE_OPTIONS_OPTIONS_H

#include "../../convert/lua_to_json/api/open.h"
#include "../../convert/json_to_lua/api.h"
#include "../../json/write/style.h"
#include "../../layout/lua_compat/api.h"
#include "option_names.h"

struct mod_call;

struct api_walk;

struct mod_options {
  struct json_style style;
  struct encode_policy policy;
  char indent[JSON_INDENT_LIMIT];  /* style.indent of the struct in use points here */
  int order, on_error;             /* stack or upvalue index of key_order's ranks and of the handler; 0: none */
  unsigned force_api : 1;          /* layout = "api" */
  unsigned safe : 1;               /* data errors are returned: nil, message */
  unsigned pairs_honours_meta : 1; /* of other libraries: this Lua's pairs asks __pairs, and its # __len */
  /* Of other libraries: before a public-API walk; and after one that failed, where what was thrown, or our
  ** message, or the value is on top. */
  void (*begin)(struct mod_call *call);
  int (*raise)(struct mod_call *call, const struct api_walk *a, enum fl_error error);
  enum encode_speed speed; /* the fastest instance of the raw walk that writes this text */
};

/* What the binary functions want of all documents. */
struct mod_binary_flags {
  unsigned compatible : 1; /* mode = "compatible" */
  unsigned canonical : 1;
  unsigned trusted : 1;
  unsigned utf8 : 1;      /* check_utf8: strings are looked at by check */
  unsigned in_memory : 1; /* map = false: open_file reads the file */
};

/* What pickers return, and what they test. */
struct mod_pick_flags {
  unsigned raw : 1;  /* the text of values */
  unsigned read : 1; /* test = "read" */
  unsigned avoid;    /* vectors that are not used: layout = "any-cpu" or "avx2" */
};

/* The defaults of encode, json, decode and the binary functions, and what new() froze. */
struct mod_codec {
  struct mod_state *state; /* an upvalue of each function keeps it alive; one fetched upvalue less per call */
  struct mod_options encode, json;
  struct json_to_lua_options decode;
  struct mod_binary_flags binary;
  struct mod_pick_flags pick;
  uint64_t max_values; /* of binary documents; 0: the default */
};

enum { MOD_DEPTH = 1000, MOD_DEPTH_JSON = 1000000, MOD_DEPTH_LIMIT = 10000000, MOD_RATIO_LIMIT = 1000 };

FL_PRIVATE void mod_default_options(struct mod_options *o, int escape);

/* What follows from the options read; to be called after each change. */
FL_PRIVATE void mod_settle_options(struct mod_options *o);

/* Reading one option: its value is on top of the stack, `arg` is the argument to blame. */
struct mod_reader {
  lua_State *L;
  int arg;
  const char *names; /* of the function, which several readers share; NULL: those that this one reads, and no others */
  const char *name;
  struct mod_options *to;
  int values; /* of decoding: index of a table for the values that Lua keeps */
};

/* Starts to read the table at `arg`. */
FL_INLINE void mod_begin_reader(struct mod_reader *r, lua_State *L, int arg, const char *names) {
  mod_check_options(L, arg);
  r->L = L, r->arg = arg, r->names = names, r->name = NULL, r->to = NULL, r->values = 0;
}

/* Sets the name of an option, the key at `at`, which has to be one of the function's. */
FL_PRIVATE void mod_read_name(struct mod_reader *r, int at);
FL_PRIVATE int mod_bad_option(const struct mod_reader *r, const char *expected);
FL_PRIVATE int mod_read_boolean(const struct mod_reader *r);

/* An option with a value that does not fit this function: of argument `arg`, or where there is none of the codec. */
FL_PRIVATE int mod_unfit_option(lua_State *L, int arg, const char *name, const char *value);

/* A whole number between two limits. */
FL_PRIVATE int mod_read_integer(const struct mod_reader *r, int least, int most);

/* One of some words: its place. */
FL_PRIVATE int mod_read_word(const struct mod_reader *r, const char *words);

/* The raw walk can do without instructions that not all CPUs have. */
#define MOD_LAYOUTS "auto|api|any-cpu|avx2"

/* Reads one option into `to` (and its values for Lua into the stack slots `order` and `on_error`); false: another
** reader's. */
FL_PRIVATE int mod_read_option(const struct mod_reader *r, int order, int on_error);

/* Reads the table at `arg` over the options `to`. Pushes two slots, for the values that Lua keeps. `names`: see
** mod_reader. */
FL_PRIVATE void mod_read_options(lua_State *L, int arg, struct mod_options *to, const char *names);

#endif
