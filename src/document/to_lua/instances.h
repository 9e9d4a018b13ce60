/* SPDX-License-Identifier: MIT
** instances.h -- unpacking below the API: one function for each layout that the Lua API of this build may meet. */
#pragma once

#include "../../layout/probe.h"
#include "api.h"

/* Pushes a value of a checked document, like json_to_lua_api_unpack. */
typedef int (*unpack_raw)(struct binary_to_lua *b, bin_value v);

/* Returns the function of a proven layout, or NULL. */
FL_PRIVATE unpack_raw unpack_of_layout(const struct lay_facts *facts);
