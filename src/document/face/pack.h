/* SPDX-License-Identifier: MIT
** pack.h -- pack: a Lua value in, a binary document out.
** Must hold: the raw walk and scalars use an encoder of the mod_state; nothing may raise or run Lua code meanwhile. The
** public-API walk uses the encoder of its holder. At the end the document lies in the walk's buffer, and results are
** those of encode/face/encode.h. Both walks give the same bytes. */
#pragma once

#include "../../binary/encode/end.h"
#include "../from_lua/api/walk.h"
#include "../document.h"
#include "../options.h"
#include "../state.h"
#include "../view/put.h"

/* A call of pack. */
struct mod_pack {
  struct mod_call call; /* must come first: the walks get it */
  enum bin_mode mode;
  int data;              /* strings that are no UTF-8 become data */
  struct bin_keys *keys; /* that the document shares, or NULL; only the public-API walk supports them */
};

/* Reads the options at `arg`, which are those of pack or of a function that calls it. */
FL_PRIVATE void mod_read_pack_options(lua_State *L, int arg, struct mod_pack *pack, enum mod_taker of);
