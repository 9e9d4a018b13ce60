/* SPDX-License-Identifier: MIT
** instances.h -- the decoders of this build: one for each layout that its Lua API may meet.
** Must hold: nothing of its own. */
#pragma once

#include "../layout/probe.h"
#include "api.h"
#include "lossless.h"
#include "parts.h"

/* The decoder of a proven layout; NULL: there is none. */
FL_PRIVATE const struct json_to_lua_decoder *json_to_lua_decoder_of(const struct lay_facts *facts);
