/* SPDX-License-Identifier: MIT
** pack.h -- pack: a Lua value in, a binary document out.
** Must hold: the raw walk and scalars use an encoder of the mod_state; nothing may raise or run Lua code meanwhile. The
** public-API walk uses the encoder of its holder. At the end the document lies in the walk's buffer, and results are
** those of encode/face/encode.h. Both walks give the same bytes. */
#pragma once

#include "../../binary/encode/end.h"
#include "../from_lua/api/walk.h"
#include "../options.h"
#include "../../encode/face/encode.h"
#include "../view/put.h"

/* A call of pack. */
struct mod_pack {
  struct mod_call call; /* must come first: the walks get it */
  enum bin_mode mode;
  int data;              /* strings that are no UTF-8 become data */
  struct bin_keys *keys; /* that the document shares, or NULL; only the public-API walk supports them */
};

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

/* pack(value [, options]) -> bytes */
FL_PRIVATE int mod_pack(lua_State *L);
