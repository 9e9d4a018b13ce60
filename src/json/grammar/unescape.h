/* SPDX-License-Identifier: MIT
** unescape.h -- the escapes of JSON strings, and the memory for what they mean.
** May call: base.
** Must hold: as json/grammar/state.h. An escape never means more bytes than it has. */
#ifndef FLEECE_JSON_GRAMMAR_UNESCAPE_H
#define FLEECE_JSON_GRAMMAR_UNESCAPE_H

#include "check_string.h"
#include "state.h"

/* Bytes after the end of a string that json_copy_plain may overwrite in the scratch. */
enum { JSON_SCRATCH_MARGIN = 32 };

/* Scratch for a string of n bytes; NULL: an error. */
FL_PRIVATE char *json_scratch(struct json_scan *j, size_t n);

/* The string is what was written to the scratch, up to w. */
FL_INLINE void json_set_scratch_string(const struct json_scan *j, const char *w, struct json_string *out) {
  FL_ASSERT(w >= j->scratch && (size_t)(w - j->scratch) + JSON_SCRATCH_MARGIN <= j->room);
  out->s = j->scratch;
  out->n = (size_t)(w - j->scratch);
}

/* Writes the character as UTF-8. Surrogates become three bytes as any other character does (WTF-8). */
FL_INLINE char *json_put_utf8(char *w, uint32_t c) {
  if (c < 0x80) {
    *w++ = (char)c;
  } else if (c < 0x800) {
    *w++ = (char)(0xc0 | c >> 6);
    *w++ = (char)(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    *w++ = (char)(0xe0 | c >> 12);
    *w++ = (char)(0x80 | (c >> 6 & 0x3f));
    *w++ = (char)(0x80 | (c & 0x3f));
  } else {
    *w++ = (char)(0xf0 | c >> 18);
    *w++ = (char)(0x80 | (c >> 12 & 0x3f));
    *w++ = (char)(0x80 | (c >> 6 & 0x3f));
    *w++ = (char)(0x80 | (c & 0x3f));
  }
  return w;
}

/* Appends the character of the \uXXXX escape whose backslash is at *at, and moves *at past it. Two surrogates in a row
** make one character. NULL: an error. */
FL_PRIVATE char *json_unescape_unicode(struct json_scan *j, char *w, const char **at);

/* The character that the escape \c means; 0: it is not one of the short escapes. */
FL_INLINE char json_short_escape(char c) {
  switch (c) {
  case '"':
  case '\\':
  case '/': return c;
  case 'b': return '\b';
  case 'f': return '\f';
  case 'n': return '\n';
  case 'r': return '\r';
  case 't': return '\t';
  default: return 0;
  }
}

#endif
