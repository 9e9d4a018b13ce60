/* SPDX-License-Identifier: MIT
** dkjson.h -- what the files of this folder share.
** Must hold: a hook sees all that was written before it as strings in state.buffer, counted in state.bufferlen, and
** may change these; what follows is written to the walk's buffer, from its beginning. */
#pragma once

#include "../../decode/api.h"
#include "../../encode/state.h"
#include "../shared/lua.h"

/* Returns the table shape of a proven layout, or NULL. */
FL_PRIVATE const struct encode_shape *dkjson_shape_of(const struct lay_facts *facts);

/* Error numbers beyond those of json/tokens/tokens.h. `at` is the value, the opening bracket or quote, or the colon. */
enum dkjson_error {
  DKJSON_VALUE = JSON_CHECK_COUNT,
  DKJSON_END,
  DKJSON_STRING,
  DKJSON_ARRAY,
  DKJSON_OBJECT,
  DKJSON_NIL
};

/* Reads the value at p, or after white space there. `assigned`: one of the metatables has a __newindex. Returns the
** byte after the value, or NULL with the error. */
FL_PRIVATE_NOINLINE const char *dkjson_scan_(struct json_to_lua *k, const char *p, int assigned);

/* The state of a call of encode. Stack indices, or 0. */
struct dkjson_call {
  int state;        /* its second argument, or a table instead */
  int buffer;       /* a table of strings: what was written before the text in the walk's buffer */
  int tables;       /* the open tables, if a handler or the caller needs them all */
  int order;        /* the list of names that come first */
  int has_handler;  /* at the beginning; a hook may set one later */
  int message;      /* the message of an error, if there was one */
  int buffer_given; /* the buffer is the caller's */
  size_t pieces;    /* number of strings in the buffer */
};

FL_TABLE const struct api_ops dkjson_ops;
