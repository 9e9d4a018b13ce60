/* SPDX-License-Identifier: MIT
** builder.h -- what the program does with an encoder of fleece.encoder, which is at 1, beyond its methods: texts and
** outputs that are files. */
#pragma once

#include "binary.h"

/* Like encoder:json, for a text that need not be a string: text[n] is 0. Returns the encoder; nil, message, failure; or
** nil, reason if the output could not be written. */
FL_PRIVATE int builder_read(lua_State *L, const char *text, size_t n, const struct json_to_binary_pass *pass);

/* Lets the output of the empty encoder go to the file while it grows, so that little of it is in memory. The file must
** stay open until the document is stored. Returns 0 if that is not possible. */
FL_PRIVATE int builder_spill(lua_State *L, FILE *file);

/* Ends the document and writes it, or what is left of it, to the file. Results as of builder_read. */
FL_PRIVATE int builder_store(lua_State *L, FILE *file);
