/* SPDX-License-Identifier: MIT
** stops_template.h -- template: finds all bytes of a short text that may end a string.
** Must hold: included by members.c for each size of vectors.
** Parameter, undefined at the end: JSON_S_BYTES, the bytes of a vector, see text/blocks.h. */

#define JSON_S(name) FL_PASTE(FL_PASTE(json_stops, name), JSON_S_BYTES)
#define JSON_S_BLOCK(name) FL_PASTE(FL_PASTE(text_block, name), JSON_S_BYTES)

/* Stores a bit for each quote, backslash and control byte of [s, end). Returns 0 if all bytes are below 0x80. */
FL_PASTE(TEXT_TARGET, JSON_S_BYTES) FL_FUNC uint64_t JSON_S(find)(uint64_t *stops, const char *s, const char *end) {
  uint64_t high = 0;
  for (; s < end; s += 64) {
    const char *bytes = s;
    struct FL_PASTE(text_block, JSON_S_BYTES) b;
    char last[64];
    if (end - s < 64 && !text_is_readable(s, 64)) {
      memset(last, 0, sizeof last);
      bytes = (const char *)memcpy(last, s, (size_t)(end - s));
    }
    b = JSON_S_BLOCK(load)(bytes);
    *stops++ = JSON_S_BLOCK(stops)(&b);
    uint64_t is_high = JSON_S_BLOCK(high)(&b);
    if (end - s < 64) is_high &= ((uint64_t)1 << (end - s)) - 1; /* the rest is beyond the text */
    high |= is_high;
  }
  return high;
}

#undef JSON_S
#undef JSON_S_BLOCK
#undef JSON_S_BYTES
