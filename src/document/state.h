/* SPDX-License-Identifier: MIT
** state.h -- what documents keep per Lua state: encoders, names that pack has met, the number of maps. */
#pragma once

#include "../encode/face/state.h"
#include "from_json/json_to_binary.h"
#include "from_lua/instances.h"
#include "to_lua/instances.h"

/* Maps of files that the state has at least before it looks which of them are garbage. A process of Linux has 65530
** if nobody has raised that (vm.max_map_count), for its memory too. */
enum { MOD_MAPS = 1000 };

/* The slice of the state that documents have. */
struct document_slice {
  pack_raw pack, pack_fast; /* below the API; NULL: there is none */
  unpack_raw unpack;
  struct bin_encoder binary[BIN_MODES];    /* one for each mode; no Lua code runs while one is in use */
  struct pack_keys *packed_keys[BIN_FAST]; /* for these; NULL: nothing was packed yet */
  struct pack_shapes *packed_shapes;       /* for the fast mode, in place of these; NULL: as above */
  int views_texts;                         /* the metatable at MOD_ANCHOR_TEXTS is there */
  size_t maps, maps_most; /* of files, in documents that are not closed yet; how many may be before it is collected */
};

FL_PRIVATE void mod_free_keys(struct mod_state *m);

/* Fills the slice of a new state. */
FL_PRIVATE void mod_open_documents(struct mod_state *m);
FL_PRIVATE void mod_close_documents(struct mod_state *m);
