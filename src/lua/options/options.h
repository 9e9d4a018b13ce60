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
  unsigned char force_api;         /* layout = "api" */
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
  unsigned char mode; /* an enum bin_mode */
  unsigned char trusted;
  unsigned char utf8;       /* check_utf8: check() also validates strings */
  unsigned char in_memory;  /* map = false: open_file reads the file */
  unsigned char framed;     /* frame = "required" */
  unsigned char unverified; /* verify = false: checksums of documents are not tested */
  unsigned char recover;
  unsigned char in_place; /* write_file writes the file itself */
  unsigned char sync;     /* an index in the words of the option */
  unsigned char json5;    /* of to_json; from_json and others have a bit of the grammar */
  unsigned canonical : 1;
  unsigned codes : 1; /* keys = false: codes stay codes */
  unsigned kept : 1;  /* of a codec: some of keys, base, path, pointer are in its values */
  unsigned wait;      /* milliseconds for a lock, and 1; 0: the default */
};

/* What pickers return, and what they test. */
struct mod_pick_flags {
  unsigned char raw;  /* the text of values */
  unsigned char read; /* test = "read" */
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
  enum mod_taker of;
  const char *name;
  int key;                              /* the index of the name; below it lie the values that stay */
  int values;                           /* for decode: index of the table that keeps Lua values alive */
  const struct mod_option *rows, *more; /* of `to` and of `more_to`, or NULL */
  void *to, *more_to, *into;            /* `into`: the one of the two that stores this option */
};

enum mod_kind { MOD_FLAG, MOD_INTEGER, MOD_AMOUNT, MOD_WORDS, MOD_BITS, MOD_KEPT, MOD_READ };

/* An option of one struct. A table of them ends with {0}. */
struct mod_option {
  const char *name;
  uint64_t takers;         /* a bit for each enum mod_taker */
  size_t at, size, length; /* the member; the length of the name */
  enum mod_kind kind;
  int least, most;
  const char *words;
  void (*read)(struct mod_reader *r);
};
#define MOD_OPTION(name, type, member, takers, ...) \
  {name, (takers) | MOD_OF(NEW), offsetof(type, member), sizeof((type *)0)->member, sizeof name - 1, __VA_ARGS__},
#define MOD_IS_FLAG MOD_FLAG, 0, 0, NULL, NULL
#define MOD_IS_NO_FLAG MOD_FLAG, 1, 0, NULL, NULL /* false sets the member */
#define MOD_IS_INTEGER(least, most) MOD_INTEGER, least, most, NULL, NULL
#define MOD_IS_AMOUNT MOD_AMOUNT, 0, 0, NULL, NULL
#define MOD_IS_WORDS(words) MOD_WORDS, 0, 0, words, NULL /* the place of the word is stored */
#define MOD_IS_BITS(bit) MOD_BITS, bit, 0, NULL, NULL    /* a flag */
#define MOD_IS_WORDS_OF_BITS(words, second, third) MOD_BITS, second, third, words, NULL
#define MOD_IS_KEPT(place, read) MOD_KEPT, place, 0, NULL, read /* the index of what `read` leaves on top, not nil */
#define MOD_IS_READ(read) MOD_READ, 0, 0, NULL, read

FL_INLINE void mod_begin_reader(struct mod_reader *r, lua_State *L, int arg, enum mod_taker of,
                                const struct mod_option *rows, void *to) {
  memset(r, 0, sizeof *r);
  r->L = L, r->arg = arg, r->of = of, r->rows = rows, r->to = to;
}

/* Reads the table. Raises an error if the function does not take one of its options, or not with its value. Skips what
** other structs store. */
FL_PRIVATE void mod_read_table(struct mod_reader *r);

/* The same with the reader for one struct. */
FL_PRIVATE void mod_read_rows(lua_State *L, int arg, enum mod_taker of, const struct mod_option *rows, void *to);

/* Moves the value on top below the name, where it stays, and returns its index. */
FL_PRIVATE int mod_keep(struct mod_reader *r);

FL_PRIVATE int mod_bad_option(const struct mod_reader *r, const char *expected);
FL_PRIVATE int mod_read_boolean(const struct mod_reader *r);

/* Reads an integer between two limits. */
FL_PRIVATE int mod_read_integer(const struct mod_reader *r, int least, int most);

/* Reads a size, a whole number from 1 on. */
FL_PRIVATE uint64_t mod_read_amount(const struct mod_reader *r);

/* Reads one of the words "a|b|c" and returns its index. */
FL_PRIVATE int mod_read_word(const struct mod_reader *r, const char *words);

/* Values of `layout`. any-cpu: the raw encoder without instructions that only some CPUs have. */
#define MOD_LAYOUTS "auto|api|any-cpu|avx2"
enum mod_layout { MOD_LAYOUT_AUTO, MOD_LAYOUT_API, MOD_LAYOUT_ANY_CPU, MOD_LAYOUT_AVX2 };

/* The vectors that are not used with this layout. */
FL_INLINE unsigned mod_layout_avoids(int layout) {
  return layout == MOD_LAYOUT_ANY_CPU ? ~0u : layout == MOD_LAYOUT_AVX2 ? TEXT_CPU_WIDEST : 0;
}
