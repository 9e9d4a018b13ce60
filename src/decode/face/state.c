/* SPDX-License-Identifier: MIT */
#include "state.h"

FL_PRIVATE_NOINLINE const struct json_to_lua_decoder *mod_find_decoder_(lua_State *L, struct mod_state *m) {
  if (m->decode->write_tries == 0) return m->decode->decoder;
  probe_writing(L, &m->verdict);
  if (!m->verdict.write_failed) m->decode->decoder = json_to_lua_decoder_of(m->verdict.facts);
  m->decode->write_tries = m->verdict.write_failed && strcmp(m->verdict.write_failed, "memory") == 0
                               ? m->decode->write_tries - 1
                               : 0;
  return m->decode->decoder;
}
