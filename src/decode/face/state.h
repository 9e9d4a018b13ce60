/* SPDX-License-Identifier: MIT
** state.h -- what decode keeps per Lua state: the decoder of this layout, and the names it has met. */
#pragma once

#include "../../lua/state.h"
#include "../instances.h"

enum { MOD_SHAPES_PATIENCE = 32 }; /* calls that go on with full shapes */

enum { MOD_WRITE_TRIES = 4 }; /* of the proof of writing, while there is no memory for it */

/* Decode's slice of the state. */
struct decode_slice {
  const struct json_to_lua_decoder *decoder; /* NULL: the public API only, or not looked for yet: mod_find_decoder_ */
  int write_tries;                           /* how often it may be looked for */
  struct shapes *shapes;                     /* what decoding remembers; NULL: nothing yet */
  int shapes_full;                           /* calls that found it full */
};

/* Proves writing when the first decode needs it: a state that only encodes is made in two thirds of the time. Returns
** the state's decoder. */
FL_PRIVATE_NOINLINE const struct json_to_lua_decoder *mod_find_decoder_(lua_State *L, struct mod_state *m);
