/* SPDX-License-Identifier: MIT
** pieces.h -- encodes to a Lua function piece by piece with the raw encoder: it pauses while the function runs.
** Must hold: while the function runs, the tables that the walk is in are on the Lua stack as levels of the public-API
** walk, each with the key it is at. If the raw encoder cannot go on from there, that walk does. */
#pragma once

#include "sink.h"
#include "state.h"
#include "../../lua/options/options.h"

enum {
  PIECES_SIZE = 2 * BUF_DRAIN_FROM, /* bytes of text between two pauses, or a little more */
  PIECES_LOSS = 64,                 /* what a raw walk costs that fails at once, in bytes of text */
  PIECES_LOSSES = 256 * 1024        /* raw walks may lose so many bytes more than were written */
};

/* Lets the public-API walk of a holder, just begun, write tables with the raw encoder. False: there is no memory. */
FL_PRIVATE int pieces_begin(struct mod_holder *h, const struct mod_options *o);

/* Ends that, whether the walk was successful or not. The holder's walk gets back the memory of pieces_begin. */
FL_PRIVATE void pieces_end(struct mod_holder *h);
