/* SPDX-License-Identifier: MIT
** writer.h -- writer(value, options): encodes in pieces, each with a bounded amount of work.
** Must hold: the public-API walk holds the open tables. A table with a short text is written by one raw walk into a
** buffer of limited size. No address of a Lua object is kept between two pieces. A piece is written protected; what it
** raises becomes the writer's error. */
#pragma once

#include "../encode/api/walk.h"
#include "../encode/face/encode.h"
#include "../encode/face/state.h"
#include "../lua/state.h"
#include "../encode/face/steps.h"
#include "../encode/face/width.h"

struct mod_writer {
  struct mod_steps steps;
  struct api_walk a;
  struct encode_state walk, whole; /* for the text, and for raw walks */
  struct mod_options o;
  struct json_style inner; /* for raw walks, with the rest of max_depth */
  struct mod_state *state;
  int begun;
  struct heap_user user; /* of the allocator of both walks */
  unsigned losses;
  size_t limit;
  /* For `width`; fold.out is NULL without it. */
  struct json_fold fold;
  struct encode_state lines; /* the text that is laid out */
  struct json_style style;   /* with its indentation: `o` has none then */
  char indent[JSON_INDENT_LIMIT];
};

/* writer:next([bytes]) -> the next piece; nil at the end */
FL_PRIVATE int writer_next(lua_State *L);

static const luaL_Reg writer_methods[] = {{"next", writer_next}, {NULL, NULL}};

/* writer(value [, options]) -> a writer with the method next. */
FL_PRIVATE int mod_writer(lua_State *L);
