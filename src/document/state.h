/* SPDX-License-Identifier: MIT
** state.h -- what documents keep per Lua state: encoders, names that pack has met, the number of maps. An encoder
** writes a document into the buffer of a walk; what it wrote becomes a Lua value.
** Must hold: the walk owns the buffer. No Lua runs while the encoder has it. */
#pragma once

#include "../encode/face/state.h"
#include "from_json/json_to_binary.h"
#include "from_lua/instances.h"
#include "to_lua/instances.h"
#include "../encode/face/encode.h"

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

/* ------------------------------------------------------------------------------------- writing */

/* Moves the walk's buffer to the encoder, which starts a document. */
FL_INLINE void mod_encoder_borrow_buffer(struct bin_encoder *e, struct encode_state *c) {
  buf_free(&e->out);
  e->out.begin = c->out.buffer.begin, e->out.end = c->out.buffer.end;
  c->out.buffer.begin = c->out.buffer.end = NULL; /* one owner, should something raise */
  bin_encoder_reset(e);
}

FL_INLINE void mod_encoder_return_buffer(struct bin_encoder *e, struct encode_state *c) {
  c->out.buffer.begin = e->out.begin, c->out.buffer.end = e->out.end;
  e->out.begin = e->out.end = NULL;
}

/* Frees the memory of a large document; after the state's finalizer all memory that packing keeps. */
FL_PRIVATE void mod_trim_encoder(struct mod_state *m, struct bin_encoder *e);

/* The state's encoder for a new document, with the buffer of the walk `c`. Nothing may raise before mod_end_encoder. */
FL_PRIVATE struct bin_encoder *mod_reset_encoder(struct mod_state *m, enum bin_mode mode, struct encode_state *c);

/* The same with the walk of this call. */
FL_PRIVATE struct bin_encoder *mod_begin_encoder(lua_State *L, struct mod_state *m, enum bin_mode mode,
                                                 struct encode_state **c);

/* Returns the buffer to the walk and resets the settings for this document. */
FL_PRIVATE void mod_end_encoder(struct mod_state *m, struct bin_encoder *e, struct encode_state *c);

/* Pushes the written document as a string. */
FL_PRIVATE int mod_push_document(lua_State *L, struct mod_state *m, struct bin_encoder *e, struct encode_state *c);

/* Replaces mod_copy_piece and `piece`, which are on top, by a userdata with the written document. A finalizer that runs
** meanwhile can use the encoder. */
FL_PRIVATE const char *mod_push_document_copy(lua_State *L, struct mod_state *m, struct bin_encoder *e,
                                              struct encode_state *c, struct mod_piece *piece);

/* mod_begin_encoder for a document that this call reads itself: of duplicate names the last one counts. Pushes what
** mod_push_document_copy needs. */
FL_PRIVATE struct bin_encoder *mod_begin_private_document(lua_State *L, struct mod_state *m, struct encode_state **c,
                                                          struct mod_piece *piece);
