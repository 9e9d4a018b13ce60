/* SPDX-License-Identifier: MIT
** options.h -- reads tables of options into structs. A wrong name or value raises an error, even in safe functions.
** Must hold: errors are raised before memory for encoding is allocated. */
#pragma once

#include "../../json/write/fold.h"
#include "../../layout/lua_compat/api.h"
#include "decoding.h"
#include "option_names.h"
#include "rules.h"

struct mod_call;

struct api_walk;

struct mod_options {
  struct json_style style;
  struct encode_policy policy;
  char indent[JSON_INDENT_LIMIT];  /* style.indent of the struct in use points here */
  int order, on_error;             /* stack or upvalue index of key_order's ranks and of the handler; 0: none */
  unsigned force_api : 1;          /* layout = "api" */
  unsigned safe : 1;               /* data errors are returned: nil, message */
  unsigned pairs_honours_meta : 1; /* for stand-ins: this Lua's pairs uses __pairs, and # uses __len */
  /* For stand-ins: called before the public-API encoder, and after it has failed. Then the error object, our message or
  ** the value is on top. */
  void (*begin)(struct mod_call *call);
  int (*raise)(struct mod_call *call, const struct api_walk *a, enum fl_error error);
  enum encode_speed speed; /* the fastest instance of the raw encoder for these options */
};

/* Options of the binary functions that new() accepts. */
struct mod_binary_flags {
  unsigned mode : 2; /* an enum bin_mode */
  unsigned canonical : 1;
  unsigned trusted : 1;
  unsigned utf8 : 1;       /* check_utf8: check() also validates strings */
  unsigned in_memory : 1;  /* map = false: open_file reads the file */
  unsigned framed : 1;     /* frame = "required" */
  unsigned unverified : 1; /* verify = false: checksums of documents are not tested */
  unsigned recover : 1;
  unsigned in_place : 1; /* write_file writes the file itself */
  unsigned sync : 2;     /* an index in MOD_SYNCS */
  unsigned wait;         /* milliseconds for a lock, and 1; 0: the default */
  unsigned json5 : 1;    /* of to_json; from_json and others have a bit of the grammar */
  unsigned codes : 1;    /* keys = false: codes stay codes */
  unsigned kept : 1;     /* of a codec: some of keys, base, path, pointer are in its values */
};

/* What pickers return, and what they test. */
struct mod_pick_flags {
  unsigned raw : 1;   /* the text of values */
  unsigned read : 1;  /* test = "read" */
  unsigned tests : 1; /* of json_diff: test = true */
  unsigned avoid;     /* vectors that are not used: layout = "any-cpu" or "avx2" */
};

/* The options of encode, json, decode and the binary functions: the defaults, or those given to new(). */
struct mod_codec {
  struct mod_state *state; /* here so that a call needs one upvalue less; an upvalue keeps it alive */
  struct mod_options encode, json;
  struct json_to_lua_options decode;
  struct mod_binary_flags binary;
  struct mod_pick_flags pick;
  uint64_t max_values; /* of binary documents; 0: the default */
};

enum { MOD_DEPTH = 1000, MOD_DEPTH_JSON = 1000000, MOD_DEPTH_LIMIT = 10000000, MOD_RATIO_LIMIT = 1000 };

/* State while a table of options, argument `arg`, is read. The value of the current option is on top of the stack. */
struct mod_reader {
  lua_State *L;
  int arg;
  const char *names; /* all options of the function; NULL: only those that mod_read_option knows */
  const char *name;
  struct mod_options *to;
  int values; /* for decode: stack index of the table that keeps Lua values alive */
};

/* Starts to read the table at `arg`. */
FL_INLINE void mod_begin_reader(struct mod_reader *r, lua_State *L, int arg, const char *names) {
  mod_check_options(L, arg);
  r->L = L, r->arg = arg, r->names = names, r->name = NULL, r->to = NULL, r->values = 0;
}

/* Sets r->name to the key at `at`. Raises an error if the function has no such option. */
FL_PRIVATE void mod_read_name(struct mod_reader *r, int at);
FL_PRIVATE int mod_bad_option(const struct mod_reader *r, const char *expected);
FL_PRIVATE int mod_read_boolean(const struct mod_reader *r);

/* Raises an error: the value of the option does not fit this function. It is in argument `arg`, if there is one, or the
** codec's. */
FL_PRIVATE int mod_unfit_option(lua_State *L, int arg, const char *name, const char *value);

/* Reads an integer between two limits. */
FL_PRIVATE int mod_read_integer(const struct mod_reader *r, int least, int most);

/* Reads one of the words "a|b|c" and returns its index. */
FL_PRIVATE int mod_read_word(const struct mod_reader *r, const char *words);

/* Values of `layout`. any-cpu: the raw encoder without instructions that only some CPUs have. */
#define MOD_LAYOUTS "auto|api|any-cpu|avx2"
