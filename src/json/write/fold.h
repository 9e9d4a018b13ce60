/* SPDX-License-Identifier: MIT
** fold.h -- lays out a JSON text: containers that fit in a line stay in one line, the others get a line for each item.
** Must hold: the text may come in pieces, divided anywhere, with any white space between tokens. Each token is read
** once. After each piece less than a line waits: a token is written as soon as no container around it can fit any
** more. Needs one block of memory, of json_fold_bytes, for the whole text.
** A container is written in one line if its text, what precedes it in the line, and the comma after it have at most
** `width` characters together; outer containers are tried first. Every character counts as one, even a tab or wide one.
** With a width of 0 only empty containers fit. Line ends outside containers are kept. */
#pragma once

#include "write.h"

enum { JSON_FOLD_WIDEST = 10000, JSON_FOLD_LINE = 64 };

/* A bracket, comma or colon; or a line end outside containers. */
struct json_fold_token {
  size_t before;    /* columns of all text before it, if in one line */
  uint32_t at;      /* offset in `text` */
  uint32_t partner; /* of an opening bracket: index of the closing one; until that is read, see `innermost` */
};

struct json_fold {
  struct json_out *out; /* its style gives the indentation; it may have a drain */
  char *w;
  size_t width;
  /* At the end of what was read: */
  uint64_t in_string; /* all bits, or 0 */
  uint64_t escaped;   /* 1 after a backslash in a string, or 0 */
  int in_color;       /* in a terminal's escape sequence, which takes no columns */
  size_t depth;       /* open containers */
  size_t columns;     /* of all text, if in one line */
  uint32_t innermost; /* index + 1 of the innermost open bracket, whose `partner` is the one around it, or 0 */
  /* What is written: */
  size_t level;              /* containers around the next token, all divided into lines */
  size_t origin;             /* the column of a token is this + `before` */
  char line[JSON_FOLD_LINE]; /* a line break and indentation, */
  size_t line_bytes;         /* so many bytes of it */
  /* What waits, without white space: bytes from `from` to `used`, tokens from `head` to `tail`. */
  char *text;
  size_t from, used, bytes;
  struct json_fold_token *tokens;
  size_t head, tail, room;
};

/* Returns the size of the block for lines of this width, at most JSON_FOLD_WIDEST. */
FL_PRIVATE size_t json_fold_bytes(size_t width);

/* Begins a text. The buffer of `out` has its first block. */
FL_PRIVATE void json_fold_begin(struct json_fold *f, struct json_out *out, size_t width, void *block);

/* Adds a piece of the text. Returns 0 if writing failed, see out->error. */
FL_PRIVATE int json_fold_feed(struct json_fold *f, const char *s, size_t n);

/* Writes all that waits. The text then ends at f->w. */
FL_PRIVATE int json_fold_end(struct json_fold *f);
