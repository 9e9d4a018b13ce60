/* SPDX-License-Identifier: MIT
** tokens.h -- the pieces of the texts that JSON4Lua reads and that are not JSON: comments, numbers.
** Must hold: a text [begin, end), as in json/grammar/scan.h. */
#pragma once

#include "../../json/tokens/json5.h"

/* Error numbers beyond those of json/tokens/check_errors.h. Their messages are in dropin/json4lua/module.h. */
enum json4lua_error {
  JSON4LUA_END = JSON_CHECK_COUNT, /* no value is left */
  JSON4LUA_END_ARRAY,
  JSON4LUA_END_OBJECT,
  JSON4LUA_END_MEMBER, /* after a name */
  JSON4LUA_COLON,
  JSON4LUA_WORD,
  JSON4LUA_NUMBER,
  JSON4LUA_ESCAPE,
  JSON4LUA_STRING,
  JSON4LUA_COMMENT,
  JSON4LUA_NIL /* as a name */
};

/* May the byte stand in a number? */
FL_INLINE int json4lua_is_number(char c) { return json_is_digit(c) || c == '+' || c == '-' || c == '.' || c == 'e'; }

/* Skips white space and comments, up to the first byte of a value. NULL: an error. */
FL_PRIVATE const char *json4lua_begin(struct json_scan *j, const char *p);

/* The number at p, which must be one to Lua. Returns the byte after it, or NULL with the error. */
FL_PRIVATE const char *json4lua_number(struct json_scan *j, const char *p, struct num_value *v);
