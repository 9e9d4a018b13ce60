/* SPDX-License-Identifier: MIT
** pointer.h -- JSON Pointers (RFC 6901): their tokens, also as a URI fragment (section 6).
** Must hold: a token's name may hold any bytes; its index is what it means in an array. */
#pragma once

#include "../number/integer.h"
#include "../text/utf8.h"
#include "tokens/tokens.h"

#define JSON_NO_INDEX UINT32_MAX
/* Longest pointer, in bytes. The tokens of longer ones could exceed a size_t. */
#define JSON_POINTER_LONGEST (SIZE_MAX / 64)

struct json_token {
  const char *name;
  size_t n;
  uint32_t index; /* the name as an index, or JSON_NO_INDEX */
};

/* Returns the name as an index, or JSON_NO_INDEX. */
FL_PRIVATE uint32_t json_pointer_index(const char *s, size_t n);

/* Returns whether a URI fragment may contain the character without a percent sign: "unreserved" of RFC 3986, section
** 2.3. */
FL_PRIVATE int json_is_unreserved(char c);

/* Returns the byte that is written at *p, and moves *p past it. -1 if it is not allowed there. */
FL_PRIVATE int json_pointer_byte(const char **p, const char *end, int fragment);

/* Returns the number of tokens of a pointer. */
FL_PRIVATE size_t json_pointer_tokens(const char *s, size_t n);

/* Reads a pointer, as text or, if it begins with #, as a URI fragment. Writes its tokens' names to `w`, which must have
** room for n bytes. Returns 0 if it is not a pointer. */
FL_PRIVATE int json_read_pointer(const char *s, size_t n, struct json_token *tokens, char *w, size_t *count);
