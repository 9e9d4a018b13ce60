/* SPDX-License-Identifier: MIT
** reader.h -- what a reader does with the tokens of containers that are on the way to its goals.
** Must hold: the blocks come in order, each once; one may be left out if it has no token of the container at depth
** `watched` and of those around it. */
#pragma once

#include "locate.h"

enum json_reader_expects {
  JSON_READER_FIRST, /* a name or an item, or the end of an empty container */
  JSON_READER_BEGIN, /* a name or an item */
  JSON_READER_NEXT   /* a comma, or the end */
};

enum { JSON_AGAIN_NO, JSON_AGAIN_SAME_VALUE, JSON_AGAIN_FROM_END };

enum json_reader_says {
  JSON_READER_WRONG,
  JSON_READER_CONTINUE,
  JSON_READER_DONE,  /* what follows does not matter, unless the text is tested */
  JSON_READER_CLOSED /* the whole value has been read */
};

/* What a block hands on to the next one. */
struct json_carry {
  uint64_t in_string; /* all ones: the block ends in a string; else 0 */
  uint64_t in_word;   /* 1: its last byte belongs to a number or word; else 0 */
  /* 1: the last token is of this kind, and the token after it has not been seen; else 0. */
  uint64_t value_or_comma, value_or_open, name;
  uint64_t escaped; /* 1: the first byte of the next block is escaped; else 0 */
  uint64_t kinds;   /* bit i: is the container i levels around the innermost one an object? */
  const char *low_surrogate;
  uint32_t depth;
};

struct json_reader {
  const struct json_goal *goals;
  struct json_goal_state *states;
  struct json_slice *found;
  const char *end; /* of the text */
  unsigned flags;
  uint32_t root;    /* the goal whose value is read; its container has depth 1 */
  uint32_t goal;    /* the goal whose container is at depth `watched` */
  uint32_t watched; /* JSON_READER_NOTHING: no container is on the way any more */
  uint32_t child;   /* the goal whose value is read or comes next; 0: none */
  int64_t next;     /* the next item that a child wants */
  enum json_reader_expects expects;
  unsigned char *containers; /* if the text is tested: the kinds of those that carry.kinds has no room for */
  uint32_t max_depth;        /* the same: how many may be open */
  /* A long text is read in windows, so that each is in the cache when its UTF-8 has been tested: */
  int continues; /* a window was read before, and has left this: */
  struct json_carry *carry;
};

#define JSON_READER_NOTHING 0

/* The tokens of a block of 64 bytes: a bit for the first byte of each, the first byte of the block lowest. */
struct json_tokens {
  const char *block;
  uint64_t commas, colons, strings, words, opens, closes;
  uint64_t ends;        /* the closing quotes; some of the strings may end later */
  uint64_t backslashes; /* all of them */
};

/* Begins to read the container at p as the value of the goal `root`. DONE: nothing is to be found in it. */
FL_PRIVATE enum json_reader_says json_reader_begin(struct json_reader *r, uint32_t root, const char *p);

/* Reads the tokens of a block that are in watched containers; `depth`: how many containers are open before it. With
** JSON_READER_CLOSED *after is the byte after the last of them. */
FL_PRIVATE_NOINLINE enum json_reader_says json_reader_block(struct json_reader *r, const struct json_tokens *t,
                                                            uint32_t depth, const char **after);
