/* SPDX-License-Identifier: MIT
** state.h -- what documents keep per Lua state: encoders, names that pack has met, the number of maps. An encoder
** writes a document into a walk's buffer; the result becomes a Lua value.
** Must hold: the walk owns the buffer. No Lua runs while the encoder has it. */
#pragma once

#include "from_json/json_to_binary.h"
#include "from_lua/fast.h"
#include "to_lua/api.h"
#include "../encode/face/encode.h"

/* Limit of file maps below which the state does not collect garbage to unmap unused ones. A Linux process may have
** 65530 maps (vm.max_map_count), including those for its memory. */
enum { MOD_MAPS = 1000 };

/* The documents' slice of the state. */
struct document_slice {
  pack_raw pack, pack_fast; /* raw walks, or NULL */
  unpack_raw unpack;
  struct bin_encoder binary[BIN_MODES];    /* one for each mode; while one is in use no Lua code runs */
  struct pack_keys *packed_keys[BIN_FAST]; /* their known keys; NULL before the first pack */
  struct pack_shapes *packed_shapes;       /* shapes of the fast mode, in place of known keys; may be NULL, too */
  int views_texts;                         /* the metatable at MOD_ANCHOR_TEXTS exists */
  size_t maps, maps_most;                  /* mapped files of open documents; how many trigger a collection */
};

/* Initializes the slice of a new state. */
FL_PRIVATE void mod_open_documents(struct mod_state *m);
FL_PRIVATE void mod_close_documents(struct mod_state *m);

/* Lends the walk's buffer to the encoder, which begins a document. */
FL_INLINE void mod_encoder_borrow_buffer(struct bin_encoder *e, struct encode_state *c) {
  buf_free(&e->out);
  e->out.begin = c->out.buffer.begin, e->out.end = c->out.buffer.end;
  c->out.buffer.begin = c->out.buffer.end = NULL; /* one owner only, in case of an error */
  bin_encoder_reset(e);
}

FL_INLINE void mod_encoder_return_buffer(struct bin_encoder *e, struct encode_state *c) {
  c->out.buffer.begin = e->out.begin, c->out.buffer.end = e->out.end;
  e->out.begin = e->out.end = NULL;
}

/* Frees the memory of a large document; after the state's finalizer, all memory kept for packing. */
FL_PRIVATE void mod_trim_encoder(struct mod_state *m, struct bin_encoder *e);

/* Returns the state's encoder for a new document in the buffer of the walk `c`. Nothing may raise before
** mod_end_encoder. */
FL_PRIVATE struct bin_encoder *mod_reset_encoder(struct mod_state *m, enum bin_mode mode, struct encode_state *c);

/* Like mod_reset_encoder, with the walk of this call. */
FL_PRIVATE struct bin_encoder *mod_begin_encoder(lua_State *L, struct mod_state *m, enum bin_mode mode,
                                                 struct encode_state **c);

/* Returns the buffer to the walk and resets the settings of this document. */
FL_PRIVATE void mod_end_encoder(struct mod_state *m, struct bin_encoder *e, struct encode_state *c);

/* Pushes the document as a string. */
FL_PRIVATE int mod_push_document(lua_State *L, struct mod_state *m, struct bin_encoder *e, struct encode_state *c);

/* Replaces mod_copy_piece and `piece`, which are on top, by a userdata with the document. Finalizers that run meanwhile
** may use the encoder. */
FL_PRIVATE const char *mod_push_document_copy(lua_State *L, struct mod_state *m, struct bin_encoder *e,
                                              struct encode_state *c, struct mod_piece *piece);

/* mod_begin_encoder for a document that this call reads itself, in which the last of duplicate names counts. Pushes
** what mod_push_document_copy needs. */
FL_PRIVATE struct bin_encoder *mod_begin_private_document(lua_State *L, struct mod_state *m, struct encode_state **c,
                                                          struct mod_piece *piece);
