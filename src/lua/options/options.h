/* SPDX-License-Identifier: MIT
** options.h -- reads tables of options into structs: which function takes which option, by the names of rows.h. A wrong
** name or value raises an error, even in safe functions.
** Must hold: errors are raised before memory for encoding is allocated. */
#pragma once

#include "../../json/grammar/scan.h"
#include "../../json/write/fold.h"
#include "arguments.h"
#include "rows.h"
#include "rules.h"

/* What to do with numbers that Lua's numbers cannot hold. ANY: like DOUBLE, but numbers that round to infinity are
** accepted as such. */
enum json_to_lua_big {
  JSON_TO_LUA_BIG_DOUBLE,
  JSON_TO_LUA_BIG_STRING,
  JSON_TO_LUA_BIG_ERROR,
  JSON_TO_LUA_BIG_INT64,
  JSON_TO_LUA_BIG_ANY,
  JSON_TO_LUA_BIG_KEPT /* an exact number, whose metatable is `int64`, counted by `kept` */
};

enum json_to_lua_duplicates { JSON_TO_LUA_LAST, JSON_TO_LUA_FIRST, JSON_TO_LUA_UNIQUE };

/* Options of decode. Indices are absolute stack indices or those of upvalues, or 0. */
struct json_to_lua_options {
  unsigned grammar; /* flags of enum json_grammar */
  enum json_bad_text bad_text;
  enum json_to_lua_big big;
  enum json_to_lua_duplicates duplicates;
  uint32_t max_depth;
  size_t max_bytes, max_values;   /* 0: no limit */
  const struct json_rules *rules; /* only with JSON_RULES in grammar */
  unsigned char numeric_keys;
  unsigned char force_api;    /* do not decode below the API, whatever the reason */
  unsigned char layout_api;   /* layout = "api" */
  unsigned char lines;        /* format, from_json: the text has any number of documents; documents: each is a line */
  unsigned char on_error;     /* documents and events: what is invalid is given to a function and passed over */
  unsigned char colors;       /* format: colors */
  unsigned char partial;      /* decode: the text may be incomplete, */
  unsigned char unfinished;   /* and an incomplete string or number counts */
  unsigned char raw;          /* events: the text of the data */
  unsigned char closed;       /* readers: a source that fails with the message "closed" has ended */
  unsigned char no_digits;    /* tokens: digits = false */
  unsigned plain_objects : 1; /* empty ones get no mark */
  unsigned drop_null : 1;     /* null = "nil" */
  unsigned safe : 1;
  uint32_t max_steps;        /* query: 0 for its default */
  int null, arrays, objects; /* the value for null; metatables */
  int int64;                 /* a Lua function (text, double) -> cdata */
  size_t *kept;
  int order; /* the book of encode/order.h, which remembers objects */
  int exact; /* the metatable of lua/exact.h, if numbers keep their digits */
};

/* An option, for messages. Several rows may have the same name. */
struct mod_option_name {
  const char *name;
  uint64_t takers;
  unsigned grammar, errors; /* what allows more where a text fails: see HINTED in rows.h; or 0, 0 */
  const char *value;
};

/* Returns the rows of all options; the last has no name. */
FL_PRIVATE const struct mod_option_name *mod_option_names(void);

FL_PRIVATE int mod_takes(enum mod_taker of, const char *name);

/* Returns the index of a word in a list, or -1. */
FL_PRIVATE int mod_find_word(const char *value, size_t n, const char *words);

/* The usual reason for a number or string instead of options: f(g(x)), where g has two results. */
#define MOD_SEVERAL_RESULTS "if it is a further result of a function, put the call in parentheses"

/* Raises an error: argument `arg`, the options, is not a table. */
FL_PRIVATE_NOINLINE int mod_no_options_(lua_State *L, int arg);

FL_INLINE void mod_check_options(lua_State *L, int arg) {
  if (FL_UNLIKELY(lua_type(L, arg) != LUA_TTABLE)) mod_no_options_(L, arg);
}

struct mod_call;
struct api_walk;

struct mod_options {
  struct json_style style;
  struct encode_policy policy;
  char indent[JSON_INDENT_LIMIT];  /* style.indent of the struct in use points here */
  int order, on_error, null;       /* stack or upvalue index of key_order's ranks, the handler, policy.null; or 0 */
  unsigned char force_api;         /* layout = "api" */
  unsigned safe : 1;               /* return data errors: nil, message */
  unsigned pairs_honours_meta : 1; /* for stand-ins: this Lua's pairs uses __pairs, and # uses __len */
  /* For stand-ins: called before the public-API encoder, and after it failed. Then the error object, our message or the
  ** value is on top. */
  void (*begin)(struct mod_call *call);
  int (*raise)(struct mod_call *call, const struct api_walk *a, enum fl_error error);
  enum encode_speed speed; /* the fastest instance of the raw encoder for these options */
};

/* Options of the binary functions that new() accepts. */
struct mod_binary_flags {
  unsigned char mode; /* an enum bin_mode */
  unsigned char trusted;
  unsigned char utf8;       /* check_utf8: check() also tests strings */
  unsigned char in_memory;  /* map = false: open_file reads the file */
  unsigned char framed;     /* frame = "required" */
  unsigned char unverified; /* verify = false: do not test checksums of documents */
  unsigned char recover;
  unsigned char in_place; /* write_file writes into the file itself */
  unsigned char sync;     /* index in the option's words */
  unsigned char json5;    /* of to_json; for from_json and others it is in the grammar */
  unsigned canonical : 1;
  unsigned codes : 1; /* keys = false: codes stay codes */
  unsigned kept : 1;  /* of a codec: some of keys, base, path, pointer are among its values */
  unsigned wait;      /* milliseconds to wait for a lock + 1, or 0 for the default */
};

/* What pickers return, and what they test. */
struct mod_pick_flags {
  unsigned char raw;  /* the values' text */
  unsigned char read; /* test = "read" */
  unsigned tests : 1; /* json_diff: test = true */
  unsigned avoid;     /* vectors not to use: layout = "any-cpu" or "avx2" */
};

/* The options of encode, json, decode and the binary functions: the defaults, or those given to new(). */
struct mod_codec {
  struct mod_state *state; /* here to save calls an upvalue; an upvalue keeps it alive */
  struct mod_options encode, json;
  struct json_to_lua_options decode;
  struct mod_binary_flags binary;
  struct mod_pick_flags pick;
  uint64_t max_values; /* of binary documents; 0 for the default */
};

enum { MOD_DEPTH = 1000, MOD_DEPTH_JSON = 1000000, MOD_DEPTH_LIMIT = 10000000, MOD_RATIO_LIMIT = 1000 };

/* State while a table of options, argument `arg`, is read. The value of the current option is on top of the stack. */
struct mod_reader {
  lua_State *L;
  int arg;
  enum mod_taker of;
  const char *name;
  int key;                              /* index of the name; the values that stay are below it */
  int values;                           /* for decode: index of the table that keeps Lua values alive */
  const struct mod_option *rows, *more; /* of `to` and of `more_to`, or NULL */
  void *to, *more_to, *into;            /* `into`: the one of the two that stores this option */
};

enum mod_kind { MOD_FLAG, MOD_INTEGER, MOD_AMOUNT, MOD_WORDS, MOD_BITS, MOD_KEPT, MOD_READ };

/* An option of one struct. A table of them ends with {0}. */
struct mod_option {
  const char *name;
  uint64_t takers;         /* a bit for each enum mod_taker */
  size_t at, size, length; /* offset and size of the member; length of the name */
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
#define MOD_IS_WORDS(words) MOD_WORDS, 0, 0, words, NULL /* stores the word's index */
#define MOD_IS_BITS(bit) MOD_BITS, bit, 0, NULL, NULL    /* a flag */
#define MOD_IS_WORDS_OF_BITS(words, second, third) MOD_BITS, second, third, words, NULL
#define MOD_IS_KEPT(place, read) MOD_KEPT, place, 0, NULL, read /* index of what `read` pushes, not nil */
#define MOD_IS_READ(read) MOD_READ, 0, 0, NULL, read

FL_INLINE void mod_begin_reader(struct mod_reader *r, lua_State *L, int arg, enum mod_taker of,
                                const struct mod_option *rows, void *to) {
  memset(r, 0, sizeof *r);
  r->L = L, r->arg = arg, r->of = of, r->rows = rows, r->to = to;
}

/* Reads the table. Raises an error if the function lacks one of its options or does not accept its value. Skips what
** other structs store. */
FL_PRIVATE void mod_read_table(struct mod_reader *r);

/* Like mod_read_table with the reader for one struct. */
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

/* Values of `layout`. any-cpu: the raw encoder, without instructions that only some CPUs have. */
#define MOD_LAYOUTS "auto|api|any-cpu|avx2"
enum mod_layout { MOD_LAYOUT_AUTO, MOD_LAYOUT_API, MOD_LAYOUT_ANY_CPU, MOD_LAYOUT_AVX2 };

/* Returns the vectors not to use with this layout. */
FL_INLINE unsigned mod_layout_avoids(int layout) {
  return layout == MOD_LAYOUT_ANY_CPU ? ~0u : layout == MOD_LAYOUT_AVX2 ? TEXT_CPU_WIDEST : 0;
}
