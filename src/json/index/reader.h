/* SPDX-License-Identifier: MIT
** reader.h -- handles the tokens of containers that are on the way to a reader's goals.
** Must hold: the blocks come in order, each once; a block without tokens of the container at depth `watched` and of
** those around it may be left out. */
#pragma once

#include "outline.h"

enum json_reader_expects {
  JSON_READER_FIRST, /* a name or an item, or the end of an empty container */
  JSON_READER_BEGIN, /* a name or an item */
  JSON_READER_NEXT   /* a comma, or the end */
};

enum { JSON_AGAIN_NO, JSON_AGAIN_SAME_VALUE, JSON_AGAIN_FROM_END };

enum json_reader_says {
  JSON_READER_WRONG,
  JSON_READER_CONTINUE,
  JSON_READER_DONE,  /* the rest does not matter, unless the text is tested */
  JSON_READER_CLOSED /* the whole value was read */
};

/* What one block passes to the next. */
struct json_carry {
  uint64_t in_string; /* all ones if the block ends in a string, else 0 */
  uint64_t in_word;   /* 1 if its last byte belongs to a number or word, else 0 */
  /* 1 if the last token is of this kind, and the next token has not come yet; else 0. */
  uint64_t value_or_comma, value_or_open, name;
  uint64_t escaped; /* 1 if the first byte of the next block is escaped, else 0 */
  uint64_t kinds;   /* bit i: the container i levels around the innermost one is an object */
  const char *low_surrogate;
  uint32_t depth;
};

struct json_reader {
  const struct json_goal *goals;
  struct json_goal_state *states;
  struct json_slice *found;
  const char *end; /* end of the text */
  unsigned flags;
  json_each_fn each; /* of json_locate_each, or NULL */
  void *owner;
  uint32_t each_goal; /* the goal whose values it gets */
  uint32_t root;      /* the goal whose value is read; its container has depth 1 */
  uint32_t goal;      /* the goal whose container is at depth `watched` */
  uint32_t watched;   /* JSON_READER_NOTHING once no container is on the way */
  uint32_t child;     /* the goal of the value that is read or comes next, or 0 */
  int64_t next;       /* the next item a child wants */
  enum json_reader_expects expects;
  unsigned char *containers; /* if the text is tested: the kinds of containers beyond carry.kinds */
  uint32_t max_depth;        /* if the text is tested: limit for open containers */
  /* A long text is read in windows, so that each is still in the cache after its UTF-8 was tested: */
  int continues; /* an earlier window has left this: */
  struct json_carry *carry;
  struct json_outline *outline; /* of json_make_outline */
};

#define JSON_READER_NOTHING 0

/* The tokens of a block of 64 bytes: a bit for the first byte of each token; bit 0 is the block's first byte. */
struct json_tokens {
  const char *block;
  uint64_t commas, colons, strings, words, opens, closes;
  uint64_t ends;        /* closing quotes; some strings may end in a later block */
  uint64_t backslashes; /* all backslashes */
};

/* Begins to read the container at p as the value of the goal `root`. Returns DONE if nothing can be found in it. */
FL_PRIVATE enum json_reader_says json_reader_begin(struct json_reader *r, uint32_t root, const char *p);

/* Handles the tokens of a block that are in watched containers. `depth`: open containers before the block. With
** JSON_READER_CLOSED sets *after to the byte after the value. */
FL_PRIVATE_NOINLINE enum json_reader_says json_reader_block(struct json_reader *r, const struct json_tokens *t,
                                                            uint32_t depth, const char **after);
