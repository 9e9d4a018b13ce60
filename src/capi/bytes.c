/* SPDX-License-Identifier: MIT
** bytes.c -- functions on fleece_bytes; the version. */
#include "capi.h"

void fleece_bytes_free(fleece_bytes *b) { capi_free_bytes(b); }

void fleece_bytes_fit(fleece_bytes *b) {
  const fleece_allocator memory = capi_memory(&b->allocator);
  char *block;
  if (!b->data || b->room == b->size + 1) return;
  block = (char *)memory.alloc(memory.ud, b->data, b->room, b->size + 1);
  if (block) b->data = block, b->room = b->size + 1;
}

const char *fleece_version(void) { return FLEECE_VERSION; }

int fleece_version_number(void) { return FLEECE_VERSION_NUMBER; }
