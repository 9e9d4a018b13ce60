/* SPDX-License-Identifier: MIT */
#include "state.h"

static void mod_free_keys(struct mod_state *m) {
  for (int mode = 0; mode < BIN_FAST; mode++) {
    if (m->document->packed_keys[mode])
      m->alloc(m->alloc_ud, m->document->packed_keys[mode], sizeof **m->document->packed_keys, 0);
    m->document->packed_keys[mode] = NULL;
  }
  if (m->document->packed_shapes) pack_free_shapes(m->document->packed_shapes, m->alloc, m->alloc_ud);
  m->document->packed_shapes = NULL;
}

FL_PRIVATE void mod_open_documents(struct mod_state *m) {
  m->document->maps_most = MOD_MAPS;
  for (int i = 0; i < BIN_MODES; i++) mod_init_encoder(&m->document->binary[i], &m->encode->walk, (enum bin_mode)i);
  m->document->pack = m->verdict.facts ? pack_of_layout(m->verdict.facts) : NULL;
  m->document->unpack = m->verdict.facts ? unpack_of_layout(m->verdict.facts) : NULL;
  m->document->pack_fast = m->verdict.facts ? pack_fast_of_layout(m->verdict.facts) : NULL;
}

FL_PRIVATE void mod_close_documents(struct mod_state *m) {
  mod_free_keys(m);
  for (int mode = 0; mode < BIN_MODES; mode++) bin_encoder_free(&m->document->binary[mode]);
}

FL_PRIVATE void mod_trim_encoder(struct mod_state *m, struct bin_encoder *e) {
  if (bin_encoder_memory(e) > MOD_KEEP || m->finalized) bin_encoder_free(e);
  if (FL_UNLIKELY(m->finalized)) mod_free_keys(m);
}

FL_PRIVATE struct bin_encoder *mod_reset_encoder(struct mod_state *m, enum bin_mode mode, struct encode_state *c) {
  struct bin_encoder *e = &m->document->binary[mode];
  FL_ASSERT(!e->base && !e->is_extern);
  mod_encoder_borrow_buffer(e, c);
  return e;
}

FL_PRIVATE struct bin_encoder *mod_begin_encoder(lua_State *L, struct mod_state *m, enum bin_mode mode,
                                                 struct encode_state **c) {
  *c = mod_encode_state_for_call(L, m);
  return mod_reset_encoder(m, mode, *c);
}

FL_PRIVATE void mod_end_encoder(struct mod_state *m, struct bin_encoder *e, struct encode_state *c) {
  mod_encoder_return_buffer(e, c);
  bin_pool_by_mode(e);
  e->max_depth = SIZE_MAX;
  e->is_extern = 0;
  e->keys = NULL;
  e->base = NULL;
  e->base_n = 0;
  mod_trim_encoder(m, e);
}

FL_PRIVATE int mod_push_document(lua_State *L, struct mod_state *m, struct bin_encoder *e, struct encode_state *c) {
  char *end = e->w;
  struct mod_call call = {0};
  call.L = L;
  call.state = m;
  mod_end_encoder(m, e, c);
  return mod_finish(&call, c, end);
}

/* Pushes a userdata with the bytes of a mod_piece. Runs protected. */
static int mod_copy_piece(lua_State *L) {
  const struct mod_piece *piece = (const struct mod_piece *)lua_touserdata(L, 1);
  memcpy(lua_newuserdata(L, piece->n), piece->bytes, piece->n);
  return 1;
}

FL_PRIVATE const char *mod_push_document_copy(lua_State *L, struct mod_state *m, struct bin_encoder *e,
                                              struct encode_state *c, struct mod_piece *piece) {
  struct buffer detached = e->out;
  piece->bytes = detached.begin, piece->n = (size_t)(e->w - detached.begin);
  e->out.begin = e->out.end = NULL;
  mod_end_encoder(m, e, c);
  const int status = lua_pcall(L, 1, 1, 0);
  mod_keep_buffer(m, &detached, piece->n);
  if (status) lua_error(L);
  return (const char *)lua_touserdata(L, -1);
}

FL_PRIVATE struct bin_encoder *mod_begin_private_document(lua_State *L, struct mod_state *m, struct encode_state **c,
                                                          struct mod_piece *piece) {
  const int top = lua_gettop(L);
  lua_pushcfunction(L, mod_copy_piece);
  lua_pushlightuserdata(L, piece);
  struct bin_encoder *e = mod_begin_encoder(L, m, BIN_COMPATIBLE, c);
  e->drops_duplicates = 1;
  if (lua_gettop(L) != top + 2) lua_insert(L, top + 1); /* a holder of the walk is below */
  return e;
}
