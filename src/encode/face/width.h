/* SPDX-License-Identifier: MIT
** width.h -- the option `width`: lays out what a call writes, see json/write/fold.h.
** Must hold: what lays out the text calls no Lua unless the sink does, and has all its memory from the beginning. The
** text that it gets has no lines, so that every function writes the same text for the same value. */
#pragma once

#include "../../json/write/fold.h"
#include "encode.h"

struct mod_width {
  lua_State *L;
  struct mod_state *state;
  struct json_fold fold;
  struct encode_state *walk; /* of a holder: the result */
  struct mod_sink *to;       /* NULL: it becomes a string */
  struct mod_sink from;      /* see mod_width_sink */
};

/* Makes the options those of a text without lines. */
FL_FUNC void mod_options_in_a_row(struct mod_options *o) {
  o->style.indent_length = 0;
  o->style.width = 0;
  mod_settle_options(o);
}

/* Prepares to lay out a text with these options, which stay where they are. Pushes two slots. False: no memory. */
FL_PRIVATE int mod_width_begin(struct mod_width *x, lua_State *L, struct mod_state *m, const struct mod_options *o,
                               struct mod_sink *to);

/* Passes the result to a sink. */
FL_PRIVATE void mod_width_pass(struct mod_width *x, struct mod_sink *to);

/* A buf_drain; `ud` is the mod_width. */
FL_PRIVATE int mod_width_drain(void *ud, const char *bytes, size_t n);

/* A sink that lays out the text. */
FL_PRIVATE struct mod_sink *mod_width_sink(struct mod_width *x);

/* Gives *s the reason why drain or end has failed. */
FL_PRIVATE void mod_width_fail(const struct mod_width *x, struct mod_sink *s);

/* The text has ended. False: it cannot be written. */
FL_PRIVATE int mod_width_end(struct mod_width *x);

/* Pushes the result and frees x->walk. Where the text goes to a sink, or cannot be written, the caller frees it: a
** finalizer that has no memory to run would lose it. */
FL_PRIVATE void mod_width_push(struct mod_width *x);
