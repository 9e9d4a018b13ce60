/* SPDX-License-Identifier: MIT */
#include "state.h"

FL_PRIVATE void mod_free_heap(struct mod_state *m) {
  while (m->heap && m->heap_users == 0) {
    union heap_block *first = m->heap;
    m->heap = first->is.next;
    m->alloc(m->alloc_ud, first, sizeof *first + first->is.size, 0);
  }
}
