/* SPDX-License-Identifier: MIT
** pointer.h -- JSON Pointers (RFC 6901): the tokens of one, also as a URI fragment (its section 6).
** Must hold: a token's name may hold any bytes; its index is what it means in an array. */
#pragma once

#include "../number/integer.h"
#include "../text/utf8.h"
#include "tokens/tokens.h"

#define JSON_NO_INDEX UINT32_MAX
/* Bytes of a pointer. The size of the tokens of longer ones could exceed a size_t. */
#define JSON_POINTER_LONGEST (SIZE_MAX / 64)

struct json_token {
  const char *name;
  size_t n;
  uint32_t index; /* the name as an index, or JSON_NO_INDEX */
};

/* The name as an index; JSON_NO_INDEX: it is not one. */
FL_PRIVATE uint32_t json_pointer_index(const char *s, size_t n);

/* The characters of a URI fragment that need no percent sign: "unreserved" of RFC 3986, section 2.3. */
FL_PRIVATE int json_is_unreserved(char c);

/* The byte that is written at *p, which moves past it; -1: it may not stand there. */
FL_PRIVATE int json_pointer_byte(const char **p, const char *end, int fragment);

/* The number of tokens of a pointer. */
FL_PRIVATE size_t json_pointer_tokens(const char *s, size_t n);

/* Reads a pointer, as text or, if it begins with #, as a URI fragment. Its tokens' names are written to `w`, which has
** room for n bytes. False: it is not a pointer. */
FL_PRIVATE int json_read_pointer(const char *s, size_t n, struct json_token *tokens, char *w, size_t *count);
