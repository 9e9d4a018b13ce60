/* SPDX-License-Identifier: MIT
** binary_to_json.h -- converts a binary value to JSON text, without Lua.
** Must hold: the document was checked or is trusted. No recursion. Memory for open collections comes from the output
** buffer's allocator and is always freed. */
#pragma once

#include "../../binary/read/read.h"
#include "../../json/write/write.h"
#include "../../text/utf16.h"

struct binary_to_json_pair {
  bin_value key, value;
};

/* An open collection: its items, or a list of its pairs if they are written in another order. */
struct binary_to_json_frame {
  bin_value first, item, end;
  unsigned width;
  int is_dict;
  struct binary_to_json_pair *list; /* or NULL */
  size_t list_at, list_count, list_room;
};

enum { BINARY_TO_JSON_FRAMES = 24, BINARY_TO_JSON_PATH = 200 };

/* How floating point numbers are written. */
enum binary_to_json_kinds {
  BINARY_TO_JSON_VALUES, /* by value, like encode: 1 */
  BINARY_TO_JSON_KINDS,  /* never as an integer: 1.0; a float with its own shortest digits */
  BINARY_TO_JSON_DOUBLES /* never as an integer; a float with the digits of its double: 0.10000000149011612 */
};

struct binary_to_json {
  /* parameters */
  struct json_out *out; /* its style has indent, escapes, UTF-8, invalid_numbers, sort_keys (canonical) */
  const struct bin_doc *doc;
  int escape; /* enum json_escape, copied from the style */
  int json5;  /* write names without quotes if JSON5 allows it */
  enum binary_to_json_kinds kinds;
  size_t max_depth; /* limit for nesting */
  size_t indent;    /* levels around the value */
  size_t max_bytes; /* limit for the buffer from its start; one long string may exceed it before the error */
  /* result: the path to a number or string that failed, such as .a[2].b, maybe cut at its end */
  char path[BINARY_TO_JSON_PATH];
  size_t path_length;
  /* private */
  struct binary_to_json_frame *frames;
  size_t depth, room;
  struct binary_to_json_frame first_frames[BINARY_TO_JSON_FRAMES];
};

/* Sets the defaults: all values, numbers by their kind, no limits. */
FL_INLINE void binary_to_json_init(struct binary_to_json *k, struct json_out *out, const struct bin_doc *doc) {
  k->out = out;
  k->doc = doc;
  k->escape = (int)out->style->escape;
  k->json5 = 0;
  k->kinds = BINARY_TO_JSON_KINDS;
  k->indent = 0;
  k->max_depth = k->max_bytes = SIZE_MAX;
}

/* Writes a floating point number with a point or an exponent (docs/format.md). It has an exponent outside 10^-4 ..
** 2^53, or 2^24 if it is written as a float. */
FL_PRIVATE_NOINLINE char *binary_to_json_put_number_kind(char *w, bin_value v, enum binary_to_json_kinds kinds);

/* Writes quoted base64 with padding (RFC 4648, section 4). */
FL_PRIVATE_NOINLINE char *binary_to_json_put_base64(struct json_out *out, char *w, const uint8_t *s, size_t n);

/* Writes the value as text at w. Returns the end, or NULL with out->error set. */
FL_PRIVATE char *binary_to_json_write(struct binary_to_json *k, char *w, bin_value v);
