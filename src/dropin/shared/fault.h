/* SPDX-License-Identifier: MIT
** fault.h -- finds the first fault of a text that is not JSON, and where another library would report it.
** Must hold: runs only after a scan has failed; *end is readable and 0. A library's rules say how it words each
** cause, and thereby what it accepts; they read the values that are neither strings nor containers. */
#pragma once

#include "../../json/grammar/scan.h"

enum dropin_fault_cause {
  /* What was expected where something else is found. */
  DROPIN_FAULT_ROOT, /* the value that is the whole text */
  DROPIN_FAULT_VALUE,
  DROPIN_FAULT_NAME,
  DROPIN_FAULT_COLON,
  DROPIN_FAULT_ARRAY,  /* a comma or the end of an array */
  DROPIN_FAULT_OBJECT, /* a comma or the end of an object */
  DROPIN_FAULT_END,    /* the end of the text */

  DROPIN_FAULT_DEPTH,   /* a bracket opens more levels than are allowed */
  DROPIN_FAULT_COMMENT, /* has no end */

  /* In strings. A library without a text for CONTROL, PAIR or LOW accepts them. */
  DROPIN_FAULT_UNCLOSED, /* the text ends in a string */
  DROPIN_FAULT_ZERO,     /* a zero byte inside the text */
  DROPIN_FAULT_CONTROL,  /* any other byte below 0x20 */
  DROPIN_FAULT_ESCAPE,
  DROPIN_FAULT_HEX,  /* \u without four hexadecimal digits */
  DROPIN_FAULT_PAIR, /* the first half of a surrogate pair without the second */
  DROPIN_FAULT_LOW,  /* the second half alone */

  /* From the libraries' own readers. */
  DROPIN_FAULT_EMPTY,
  DROPIN_FAULT_CHARACTER, /* no value begins with it */
  DROPIN_FAULT_WORD,
  DROPIN_FAULT_NUMBER,
  DROPIN_FAULT_FRACTION, /* no digit after the point */
  DROPIN_FAULT_EXPONENT, /* no digit after the 'e' */
  DROPIN_FAULT_BIG,      /* too large for a double */
  DROPIN_FAULT_CAUSES
};

/* Which byte a library reports. */
enum dropin_fault_place { DROPIN_FAULT_HERE, DROPIN_FAULT_NEXT_BYTE, DROPIN_FAULT_TOKEN };

struct dropin_fault;

struct dropin_fault_rules {
  /* Reads the value at p, which begins with neither a quote nor a bracket. Returns the byte after it, or NULL with the
  ** fault. */
  const char *(*scalar)(struct dropin_fault *f, const char *p);
  const char *texts[DROPIN_FAULT_CAUSES];   /* NULL: the library does not report this cause */
  const char *rests[DROPIN_FAULT_CAUSES];   /* not NULL: the message is `texts`, a part of the JSON text, and this */
  unsigned char place[DROPIN_FAULT_CAUSES]; /* an enum dropin_fault_place */
};

struct dropin_fault {
  const struct dropin_fault_rules *rules;
  const char *end;  /* of the text */
  unsigned grammar; /* of enum json_grammar */
  uint32_t max_depth;
  /* What was expected when the fault was found, and the token found there. */
  enum dropin_fault_cause due;
  const char *token;
  /* The result. `at` may be one byte after the end. */
  enum dropin_fault_cause cause;
  const char *at;
};

/* Begins to look for the fault of a text that ends at `end`. */
FL_PRIVATE void dropin_fault_begin(struct dropin_fault *f, const struct dropin_fault_rules *rules, const char *end,
                                   unsigned grammar, uint32_t max_depth);

/* Records the fault at p and returns NULL. */
FL_PRIVATE const char *dropin_fault_is(struct dropin_fault *f, enum dropin_fault_cause cause, const char *p);

/* Reads the string whose opening quote is at p. Returns the byte after it, or NULL with the fault. */
FL_PRIVATE const char *dropin_fault_string(struct dropin_fault *f, const char *p);

/* Finds the fault of the text from p on. `arrays`: bits for the levels that can be open, 1 if the container is an
** array. Returns 0 if there is no fault. */
FL_PRIVATE int dropin_read_fault(struct dropin_fault *f, const char *p, unsigned char *arrays);
