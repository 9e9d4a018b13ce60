/* SPDX-License-Identifier: MIT
** width.h -- the option `width`: lays out what a call writes, see json/write/fold.h.
** Must hold: laying out the text calls no Lua unless the sink does, and has all its memory from the beginning. It
** receives the text without lines, so that every function writes the same text for the same value. */
#pragma once

#include "../../json/write/fold.h"
#include "encode.h"

struct mod_width {
  lua_State *L;
  struct mod_state *state;
  struct json_fold fold;
  struct encode_state *walk; /* of a holder: the result */
  struct mod_sink *to;       /* or NULL: it becomes a string */
  struct mod_sink from;      /* see mod_width_sink */
};

/* Changes the options to those of a text without lines. */
FL_FUNC void mod_options_in_a_row(struct mod_options *o) {
  o->style.indent_length = 0;
  o->style.width = 0;
  mod_settle_options(o);
}

/* Prepares to lay out a text with these options, which must stay. Pushes two slots. Returns 0 if out of memory. */
FL_PRIVATE int mod_width_begin(struct mod_width *x, lua_State *L, struct mod_state *m, const struct mod_options *o,
                               struct mod_sink *to);

/* Passes the result to a sink. */
FL_PRIVATE void mod_width_pass(struct mod_width *x, struct mod_sink *to);

/* A buf_drain; `ud` is the mod_width. */
FL_PRIVATE int mod_width_drain(void *ud, const char *bytes, size_t n);

/* Returns a sink that lays out the text. */
FL_PRIVATE struct mod_sink *mod_width_sink(struct mod_width *x);

/* Sets the reason in *s why drain or end has failed. */
FL_PRIVATE void mod_width_fail(const struct mod_width *x, struct mod_sink *s);

/* Ends the text. Returns 0 if it cannot be written. */
FL_PRIVATE int mod_width_end(struct mod_width *x);

/* Pushes the result and frees x->walk. If the text goes to a sink, or cannot be written, the caller frees it, because
** its finalizer might not run without memory. */
FL_PRIVATE void mod_width_push(struct mod_width *x);
