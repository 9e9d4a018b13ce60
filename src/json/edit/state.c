/* SPDX-License-Identifier: MIT
** state.c -- the state of an edit: containers that changes went through, as lists of pieces.
** Must hold: as state.h. */
#include "state.h"

enum { JSON_EDIT_FIRST_BLOCK = 16 * 1024, JSON_EDIT_ALIGN = 8 };

/* Alignment of memory on this CPU for 64-bit members. */
struct json_edit_aligned {
  char first;
  int64_t number;
};

FL_PRIVATE void *json_edit_fail(struct json_edit *e, enum json_edit_error error, const char *at) {
  e->error = error;
  e->at = at;
  return NULL;
}

/* Gets another, larger block of memory, so that there are few. */
FL_NOINLINE int json_edit_more_memory_(struct json_edit *e, size_t n) {
  size_t size = e->block ? 2 * e->block : JSON_EDIT_FIRST_BLOCK;
  char *block;
  if (e->block > SIZE_MAX / 4) return 0;
  if (size < n) size = n;
  if (!(block = (char *)e->alloc(e->owner, size))) return 0;
  FL_ASSERT((uintptr_t)block % offsetof(struct json_edit_aligned, number) == 0);
  e->block = size;
  e->free = block;
  e->limit = block + size;
  return 1;
}

FL_PRIVATE void *json_edit_memory(struct json_edit *e, size_t n) {
  if (n > SIZE_MAX / 4) return json_edit_fail(e, JSON_EDIT_MEMORY, NULL);
  n = (n + JSON_EDIT_ALIGN - 1) / JSON_EDIT_ALIGN * JSON_EDIT_ALIGN;
  if (FL_UNLIKELY(n > (size_t)(e->limit - e->free)) && !json_edit_more_memory_(e, n))
    return json_edit_fail(e, JSON_EDIT_MEMORY, NULL);
  char *block = e->free;
  e->free += n;
  return block;
}

FL_PRIVATE int json_edit_keep(struct json_edit *e, const char *s, size_t n, struct json_slice *to) {
  char *copy = (char *)json_edit_memory(e, n + 1);
  if (!copy) return 0;
  memcpy(copy, s, n);
  copy[n] = 0;
  *to = json_slice_of(copy, copy + n);
  return 1;
}

FL_PRIVATE struct json_edit_piece *json_edit_new_piece(struct json_edit *e, int is_run) {
  struct json_edit_piece *p = (struct json_edit_piece *)json_edit_memory(e, sizeof *p);
  if (!p) return NULL;
  memset(p, 0, sizeof *p);
  p->node.count = 1;
  p->is_run = is_run != 0;
  p->name = p->colon = p->value = json_slice_none();
  p->lead = p->tail = json_edit_space_of(p->value);
  return p;
}

FL_PRIVATE char *json_edit_grow_scratch(void *owner, size_t n) {
  struct json_edit *e = (struct json_edit *)owner;
  return (char *)json_edit_memory(e, n);
}
