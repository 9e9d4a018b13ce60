/* SPDX-License-Identifier: MIT
** text.h -- texts of the program as C functions use them; blocks of memory that grow.
** Must hold: what owns a block frees it with program_resize_text(L, t, 0). */
#pragma once

#include "../files/map.h"
#include "../places/pick.h"

/* A text in a block of Lua's allocator, or a mapped file. */
struct program_text {
  char *block; /* or NULL */
  size_t n, room;
  struct map_text map; /* the text, if it is mapped */
  size_t passed;       /* of a mapped text: pages before it were released */
};

FL_PRIVATE struct program_text *program_push_text(lua_State *L);

/* Makes the block `room` bytes long. Returns 0 if out of memory. */
FL_PRIVATE int program_resize_text(lua_State *L, struct program_text *t, size_t room);

/* Makes room for n more bytes, and one for the 0. Raises an error if out of memory. */
FL_PRIVATE void program_reserve_text(lua_State *L, struct program_text *t, size_t n);

FL_PRIVATE void program_append(lua_State *L, struct program_text *to, const void *bytes, size_t n);

/* Returns the text at the index: a string, or a text. */
FL_PRIVATE struct mod_pick_text program_to_text(lua_State *L, int index);

/* Releases the text at the index up to s[at], where the program is now. */
FL_PRIVATE void program_pass(lua_State *L, int index, size_t at);

/* Returns a number that is a size: not negative, and far from the end of a size_t. */
FL_PRIVATE size_t program_check_size(lua_State *L, int index);

/* Finds the next value after t->s[at], the bracket of a container of a valid text or the byte after the previous
** value. Returns 0 if there is none. */
FL_PRIVATE int program_next_value(const struct mod_pick_text *t, size_t at, int in_object, unsigned cpu,
                                  struct json_slice *value);

/* transcribe.c: appends the value as decode with `order` and encode would write it. Returns 0 if it is not simple;
** something may have been appended. */
FL_PRIVATE int program_put_encoded(lua_State *L, struct program_text *to, const struct json_slice *value, unsigned cpu);
