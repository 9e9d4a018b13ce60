/* SPDX-License-Identifier: MIT
** levels.h -- the open tables of a public-API walk: opening one more, its next value and key, closing it.
** Must hold: the stack ends with the levels, two slots each: the table, and an aux, which is the key of lua_next or a
** list. Levels deeper than API_LEVELS share the last pair; what was there waits in the spill table. */
#pragma once

#include "state.h"

/* How a table is written: the result of api_open_table, or of a policy's own rules. */
struct api_opened {
  enum api_kind kind;
  int is_array, empty;
  int counted, pending; /* see encode_frame; pending pairs lie in the place of the aux */
  size_t n;             /* items or pairs */
  const char *text;     /* what its __tojson returned, on top; NULL: the table has no such hook */
  size_t text_length;
};

/* The stack index of open table number `level`, from 1; its aux is the next slot. */
FL_INLINE int api_slot_of(const struct api_walk *a, size_t level) {
  return a->levels + 2 * (int)((level < API_LEVELS ? level : API_LEVELS) - 1);
}

/* The same of the innermost one. */
FL_INLINE int api_slot(const struct api_walk *a) { return api_slot_of(a, a->depth); }

/* Copies the pair of slots at `slot` to the spill table, as level number `level`. */
FL_PRIVATE void api_spill_pair(struct api_walk *a, int slot, size_t level);

/* Pushes the pair that was spilled as level number `level`. */
FL_PRIVATE void api_push_spilled(struct api_walk *a, size_t level);

/* Is the table on top open already? Only on the way to an error or at a power of two of the depth, so that a
** walk stays linear: as the raw walk, but over the whole path, for handlers want the first occurrence. */
FL_PRIVATE int api_is_open(const struct api_walk *a, const void *table);

/* Makes the table at `table` with the aux after it the innermost level. The stack then ends with them. */
FL_INLINE void api_push_level(struct api_walk *a, const struct api_opened *f, int table) {
  lua_State *L = a->L;
  struct encode_frame *frame = &a->walk->frames[a->depth];
  int pending = f->pending;
  FL_ASSERT(a->depth < a->walk->frame_room && !f->empty);
  if (a->depth >= API_LEVELS) {
    const int slot = api_slot(a);
    if (pending) {
      lua_settop(L, table);
      lua_pushnil(L);
      pending = 0;
    }
    api_spill_pair(a, slot, a->depth);
    lua_replace(L, slot + 1);
    lua_replace(L, slot);
    table = slot;
  }
  a->depth++;
  frame->table = (const char *)lua_topointer(L, table);
  frame->kind = (enum encode_kind)f->kind;
  frame->base = NULL;
  frame->i = 0;
  frame->n = f->n;
  frame->is_array = (int8_t)f->is_array;
  frame->counted = (int8_t)f->counted;
  frame->pending = (int8_t)pending;
  frame->calls = a->shared->calls.count;
}

/* Closes the innermost level. */
FL_INLINE void api_pop_level(struct api_walk *a) {
  FL_ASSERT(a->depth > 0);
  lua_settop(a->L, api_slot(a) - 1);
  a->depth--;
  if (a->depth >= API_LEVELS) api_push_spilled(a, a->depth);
}

/* api_next after a call: the key may be gone, and then lua_next raises an error. */
FL_PRIVATE_NOINLINE int api_next_protected_(struct api_walk *a, int slot);

/* Replaces the key above the table at `slot` by the next one and its value; 0: there is none, -1: an error. */
FL_INLINE int api_next(struct api_walk *a, struct encode_frame *frame, int slot) {
  if (FL_LIKELY(frame->calls == a->shared->calls.count)) return lua_next(a->L, slot);
  frame->calls = a->shared->calls.count;
  return api_next_protected_(a, slot);
}

/* Pushes the next value of the innermost level (API_NEXT: its key is the aux); 0: none is left, -1: an error. */
FL_INLINE int api_advance(struct api_walk *a, struct encode_frame *frame, int slot) {
  lua_State *L = a->L;
  if ((int)frame->kind == API_NEXT) return api_next(a, frame, slot);
  if (frame->i == frame->n) return 0;
  frame->i++;
  switch ((int)frame->kind) {
  case API_ITEMS: lua_rawgeti(L, slot, (int)frame->i); return 1;
  case API_PAIRS: lua_rawgeti(L, slot + 1, (int)(2 * frame->i)); return 1;
  default:
    lua_pushcfunction(L, api_get_index);
    lua_pushvalue(L, slot);
    lua_pushinteger(L, (lua_Integer)frame->i);
    return api_call(a, 2, 1) ? 1 : -1;
  }
}

/* Pushes an item of the table at `table`; its type. */
FL_INLINE int api_push_item(lua_State *L, int table, size_t i) {
#if LUA_VERSION_NUM >= 503
  return lua_rawgeti(L, table, (lua_Integer)i);
#else
  lua_rawgeti(L, table, (int)i);
  return lua_type(L, -1);
#endif
}

/* The stack index of the key of the value at slot + 2; of a list's pair it is pushed above the value. */
FL_INLINE int api_current_key(struct api_walk *a, const struct encode_frame *frame, int slot) {
  if (FL_LIKELY((int)frame->kind == API_NEXT)) return slot + 1;
  lua_rawgeti(a->L, slot + 1, (int)(2 * frame->i - 1));
  return slot + 3;
}

/* Pushes the key that leads from open table number `level` (from 1) to its child. */
FL_PRIVATE void api_push_key(struct api_walk *a, size_t level);
