/* SPDX-License-Identifier: MIT
** fold.h -- lays out a JSON text: containers that fit in a line stay in one, the others get a line for each item.
** Must hold: the text may come in pieces, divided anywhere, with any white space between its tokens. Each token is
** looked at once, and what waits is less than a line: a token is written as soon as no container around it can fit any
** more. Needs one block of memory, of json_fold_bytes, for the whole text.
**
** A container is written in one line if its text, what is before it in its line, and the comma after it have at most
** `width` characters together; outer ones are asked first. Every character counts as one, a tab and a wide one too.
** With a width of 0 only empty containers fit. Outside of containers line ends are kept. */
#pragma once

#include "write.h"

enum { JSON_FOLD_WIDEST = 10000 };

enum json_fold_kind { FOLD_RUN, FOLD_COLON, FOLD_COMMA, FOLD_OPEN, FOLD_CLOSE };

/* What the last byte was part of. COLOR: an escape sequence of a terminal, which takes no column. */
enum json_fold_in { FOLD_IN_TEXT, FOLD_IN_STRING, FOLD_IN_ESCAPE, FOLD_IN_COLOR };

/* A token that waits: a bracket, a comma, a colon, or a run of other characters. */
struct json_fold_entry {
  enum json_fold_kind kind;
  char c;         /* a bracket */
  size_t text, n; /* the place of a run in `pending` */
  size_t before;  /* columns of all tokens before it, in one line */
  size_t partner; /* OPEN: where its container ends in `entries`; 0: not yet */
  size_t outer;   /* OPEN: the one around it and 1, or 0 */
};

struct json_fold {
  struct json_out *out; /* with its style, of which the indentation counts, and a drain if it has one */
  char *w;
  size_t width;
  enum json_fold_in in;
  size_t level;  /* containers around the next token to be written */
  size_t column; /* where that is in its line */
  /* The tokens that wait, from `head` to `tail`. The first is a bracket. */
  struct json_fold_entry *entries;
  size_t head, tail, room;
  size_t innermost; /* the innermost container that has begun in `entries` and not ended, and 1; 0: none */
  size_t columns;   /* of all tokens so far, in one line */
  char *pending;    /* the bytes of the runs, up to `used` */
  size_t used, bytes;
  int full; /* containers that have not ended do not fit */
};

/* The size of the block for lines of this width, at most JSON_FOLD_WIDEST. */
FL_PRIVATE size_t json_fold_bytes(size_t width);

/* Begins a text. The buffer of `out` has its first block. */
FL_PRIVATE void json_fold_begin(struct json_fold *f, struct json_out *out, size_t width, void *block);

/* Takes a piece of the text. False: it cannot be written, see out->error. */
FL_PRIVATE int json_fold_feed(struct json_fold *f, const char *s, size_t n);

/* Writes what waits. The text ends at f->w then. */
FL_PRIVATE int json_fold_end(struct json_fold *f);
