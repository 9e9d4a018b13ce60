/* SPDX-License-Identifier: MIT
** pack.h -- pack: converts a Lua value to a binary document.
** Must hold: the raw walk and scalars use an encoder of the mod_state, so nothing may raise or run Lua code meanwhile.
** The public-API walk uses the encoder of its holder. The document ends up in the walk's buffer; encode/face/encode.h
** makes the result. Both walks write the same bytes. */
#pragma once

#include "../from_lua/api/walk.h"
#include "../document.h"
#include "../options.h"
#include "../view/put.h"

struct mod_pack {
  struct mod_call call; /* first, because the walks receive its address */
  enum bin_mode mode;
  int data;              /* strings that are no UTF-8 become data */
  struct bin_keys *keys; /* shared keys, or NULL; only the public-API walk supports them */
};

/* Reads the options at `arg`, of pack or a function that calls it. */
FL_PRIVATE void mod_read_pack_options(lua_State *L, int arg, struct mod_pack *pack, enum mod_taker of);
