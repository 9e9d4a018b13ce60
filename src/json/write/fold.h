/* SPDX-License-Identifier: MIT
** fold.h -- lays out a JSON text: containers that fit in a line stay in one line, the others get a line for each item.
** Must hold: the text may come in pieces, divided anywhere, with any white space between tokens. Each token is read
** once, and less than a line waits: a token is written as soon as no container around it can fit any more. Needs one
** block of memory, of json_fold_bytes, for the whole text.
** A container is written in one line if its text, what precedes it in the line, and the comma after it have at most
** `width` characters together; outer containers are tried first. Every character counts as one, even a tab or wide one.
** With a width of 0 only empty containers fit. Line ends outside containers are kept. */
#pragma once

#include "write.h"

enum { JSON_FOLD_WIDEST = 10000 };

enum json_fold_kind { FOLD_RUN, FOLD_COLON, FOLD_COMMA, FOLD_OPEN, FOLD_CLOSE };

/* What the last byte belongs to. COLOR: a terminal's escape sequence, which takes no columns. */
enum json_fold_in { FOLD_IN_TEXT, FOLD_IN_STRING, FOLD_IN_ESCAPE, FOLD_IN_COLOR };

/* A waiting token: a bracket, comma, colon, or a run of other characters. */
struct json_fold_entry {
  enum json_fold_kind kind;
  char c;         /* for a bracket */
  size_t text, n; /* offset and length of a run in `pending` */
  size_t before;  /* columns of all tokens before it, if in one line */
  size_t partner; /* OPEN: index in `entries` where its container ends, or 0 if it has not */
  size_t outer;   /* OPEN: index of the container around it + 1, or 0 */
};

struct json_fold {
  struct json_out *out; /* its style gives the indentation; it may have a drain */
  char *w;
  size_t width;
  enum json_fold_in in;
  size_t level;  /* containers around the next token to write */
  size_t column; /* column of that token */
  /* The waiting tokens, from `head` to `tail`. The first is a bracket. */
  struct json_fold_entry *entries;
  size_t head, tail, room;
  size_t innermost; /* index + 1 of the innermost unfinished container in `entries`, or 0 */
  size_t columns;   /* of all tokens so far, if in one line */
  char *pending;    /* bytes of the runs, up to `used` */
  size_t used, bytes;
  int full; /* open containers do not fit */
};

/* Returns the size of the block for lines of this width, at most JSON_FOLD_WIDEST. */
FL_PRIVATE size_t json_fold_bytes(size_t width);

/* Begins a text. The buffer of `out` has its first block. */
FL_PRIVATE void json_fold_begin(struct json_fold *f, struct json_out *out, size_t width, void *block);

/* Adds a piece of the text. Returns 0 if writing failed, see out->error. */
FL_PRIVATE int json_fold_feed(struct json_fold *f, const char *s, size_t n);

/* Writes all that waits. The text then ends at f->w. */
FL_PRIVATE int json_fold_end(struct json_fold *f);
