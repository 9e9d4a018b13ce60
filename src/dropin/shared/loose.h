/* SPDX-License-Identifier: MIT
** loose.h -- to Lua, texts that are not JSON as several libraries read them: commas are optional, any value can be a
** name, arrays can have names and objects items.
** Must hold: as decode/api.h. Of each element of a container its key waits and its value; the key of an
** item is nil. k->shape is 1 where the value that is read has a name. */
#pragma once

#include "../../decode/api.h"

/* The string whose opening quote is at p. A backslash before what is not an escape is dropped; before a u without four
** digits it is the error `bad_unicode`, unless that is 0. `unclosed`: the error if the closing quote is missing.
** Returns the byte after the string, or NULL with the error. */
FL_PRIVATE const char *dropin_loose_string(struct json_scan *j, const char *p, int unclosed, int bad_unicode,
                                           struct json_string *out);

/* Opens the container whose bracket is at p. Returns the byte after the bracket, or NULL with the error. */
FL_PRIVATE const char *dropin_loose_open(struct json_to_lua *k, const char *p);

/* Does the innermost container end with this byte? */
FL_INLINE int dropin_loose_closes(const struct json_to_lua *k, char c) {
  return c == (k->frame->kind == SCAN_OBJECT ? '}' : ']');
}

/* The innermost container ends: a table replaces its elements. `assigned`: it has its metatable before its values, so
** that a __newindex is called. */
FL_PRIVATE void dropin_loose_close(struct json_to_lua *k, int assigned);

/* An element of the innermost container begins; so far it has no name. */
FL_PRIVATE void dropin_loose_begin(struct json_to_lua *k);

/* The value on top is the name of the value that follows. False: it is nil. */
FL_PRIVATE int dropin_loose_name(struct json_to_lua *k);
