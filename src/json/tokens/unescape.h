/* SPDX-License-Identifier: MIT
** unescape.h -- the escapes of JSON strings, and the memory for what they mean.
** Must hold: as json/tokens/state.h. An escape never means more bytes than it has. */
#pragma once

#include "../../text/unescape.h"
#include "check_string.h"
#include "state.h"

/* Bytes after the end of a string that text_unescape may overwrite in the scratch. */
enum { JSON_SCRATCH_MARGIN = TEXT_UNESCAPE_MARGIN };

/* Scratch for a string of n bytes; NULL: an error. */
FL_PRIVATE char *json_scratch(struct json_scan *j, size_t n);

/* The string is what was written to the scratch, up to w. */
FL_INLINE void json_set_scratch_string(const struct json_scan *j, const char *w, struct json_string *out) {
  FL_ASSERT(w >= j->scratch && (size_t)(w - j->scratch) + JSON_SCRATCH_MARGIN <= j->room);
  out->s = j->scratch;
  out->n = (size_t)(w - j->scratch);
}

/* Appends the character of the \uXXXX escape whose backslash is at *at, and moves *at past it. Two surrogates in a row
** make one character. NULL: an error. */
FL_PRIVATE char *json_unescape_unicode(struct json_scan *j, char *w, const char **at);

FL_INLINE char *json_put_utf8(char *w, uint32_t c) { return text_put_utf8(w, c); }
FL_INLINE char json_short_escape(char c) { return text_short_escape(c); }
