/* SPDX-License-Identifier: MIT */
#include "state.h"

FL_PRIVATE void mod_free_keys(struct mod_state *m) {
  int mode;
  for (mode = 0; mode < BIN_FAST; mode++) {
    if (m->document->packed_keys[mode])
      m->alloc(m->alloc_ud, m->document->packed_keys[mode], sizeof **m->document->packed_keys, 0);
    m->document->packed_keys[mode] = NULL;
  }
  if (m->document->packed_shapes) pack_free_shapes(m->document->packed_shapes, m->alloc, m->alloc_ud);
  m->document->packed_shapes = NULL;
}

FL_PRIVATE void mod_open_documents(struct mod_state *m) {
  int i;
  m->document->maps_most = MOD_MAPS;
  for (i = 0; i < BIN_MODES; i++) mod_init_encoder(&m->document->binary[i], &m->encode->walk, (enum bin_mode)i);
  m->document->pack = m->verdict.facts ? pack_of_layout(m->verdict.facts) : NULL;
  m->document->unpack = m->verdict.facts ? unpack_of_layout(m->verdict.facts) : NULL;
  m->document->pack_fast = m->verdict.facts ? pack_fast_of_layout(m->verdict.facts) : NULL;
}

FL_PRIVATE void mod_close_documents(struct mod_state *m) {
  int mode;
  mod_free_keys(m);
  for (mode = 0; mode < BIN_MODES; mode++) bin_encoder_free(&m->document->binary[mode]);
}
