/* SPDX-License-Identifier: MIT
** values.h -- what the public-API walks to text and to binary do with a value: its text if it is no plain data, how a
** table is opened, which value comes next.
** Must hold: as levels.h. */
#pragma once

#include "open.h"

/* The text of a light userdata, ours or another library's; NULL: unknown. */
FL_PRIVATE const char *api_sentinel(struct api_walk *a, const void *p);

/* LuaJIT's 64-bit integers: the FFI's own text of one is its digits and LL or ULL. Returns how many bytes of the text
** on top, the result of a __tostring, are an integer; 0: it is none. A function of the program may return anything, so
** the digits are checked: they are to be JSON. */
FL_PRIVATE size_t api_boxed_digits(lua_State *L);

/* The JSON text of the value on top, which is no plain data and not binary, and its length. What the text needs may be
** pushed. NULL: an error. */
FL_PRIVATE const char *api_other_text(struct api_walk *a, size_t *n);

/* ------------------------------------------------------------------------------------- tables */

/* May the table at `table` become one more level? False: an error. */
FL_INLINE int api_may_open(struct api_walk *a, int table) {
  const size_t max_depth = a->walk->out.style->max_depth;
  if (api_is_open(a, lua_topointer(a->L, table))) return api_fail(a, FL_ERROR_CYCLE, NULL) != NULL;
  if (a->depth >= max_depth) {
    *num_write_u64(a->detail_room, max_depth) = 0;
    return api_fail(a, FL_ERROR_DEPTH, a->detail_room) != NULL;
  }
  return encode_need_frames(a->walk, a->depth + 1) || api_fail(a, FL_ERROR_MEMORY, NULL) != NULL;
}

/* Judges the table on top, at `table`: sets the text of its hook, or leaves the aux after it and says how to iterate.
** False: an error, whatever is on the stack above the table. */
FL_PRIVATE int api_open_table(struct api_walk *a, int table, struct api_opened *f);

/* ------------------------------------------------------------------------------------- next value */

/* Is the pair of the value on top left out by skip_unsupported? As encode_skips_. */
FL_PRIVATE int api_skips(struct api_walk *a, const struct encode_frame *frame, int slot);

/* Pushes the next value of the innermost level, whose table is at `slot`; its key is api_current_key. 0: none is left;
** -1: an error, whose message is on top. After an error that a handler may replace, 1 and a->walk->out.error. */
FL_INLINE int api_next_value(struct api_walk *a, struct encode_frame *frame, int slot) {
  int more;
  do {
    if (frame->pending) {
      more = frame->pending > 0;
      frame->pending = 0;
      continue;
    }
    lua_settop(a->L, slot + 1);
    more = api_advance(a, frame, slot);
  } while (more > 0 && FL_UNLIKELY(a->skips) && api_skips(a, frame, slot));
  if (FL_UNLIKELY(more < 0)) return api_may_substitute(a, slot) ? 1 : -1;
  return more;
}
