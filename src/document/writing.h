/* SPDX-License-Identifier: MIT
** writing.h -- the encoder of a state writes a document into the buffer of a walk; what it wrote becomes a Lua value.
** Must hold: the walk owns the buffer. No Lua runs while the encoder has it. */
#pragma once

#include "../encode/face/encode.h"
#include "state.h"

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
