/* SPDX-License-Identifier: MIT
** sort.h -- sorts the members of an object by name, by moving their finished texts.
** Must hold: the order is that of the bytes of the names as UTF-8, without escapes, in canonical JSON that of UTF-16;
** members with the same name keep their order. Each member's text ends with its comma, so the texts can be moved
** unchanged. */
#pragma once

#include "../text/utf16.h"
#include "../text/utf8.h"
#include "state.h"

FL_PRIVATE int reformat_begin_object(struct json_to_json *k);
FL_PRIVATE int reformat_begin_member(struct json_to_json *k, const char *w);
FL_PRIVATE void reformat_name_member(struct json_to_json *k, const char *name, size_t n);

/* Ends an object whose text ends at w. */
FL_PRIVATE int reformat_end_object(struct json_to_json *k, const char *w);
