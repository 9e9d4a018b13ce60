/* SPDX-License-Identifier: MIT
** fault.h -- finds the first fault of a text that is not JSON, and where it is, as another library would report it.
** May call: base, json.
** Must hold: runs only after a scan has failed; *end is readable and 0. A library's rules say how it words each
** cause, and so what it accepts; they read the values that are neither strings nor containers. */
#ifndef FLEECE_DROPIN_SHARED_FAULT_H
#define FLEECE_DROPIN_SHARED_FAULT_H

#include "../../base/bits.h"
#include "../../json/grammar/scan.h"

enum dropin_fault_cause {
  /* What was due where something else stands. */
  DROPIN_FAULT_ROOT, /* the value that is the whole text */
  DROPIN_FAULT_VALUE,
  DROPIN_FAULT_NAME,
  DROPIN_FAULT_COLON,
  DROPIN_FAULT_ARRAY,  /* a comma or the end of an array */
  DROPIN_FAULT_OBJECT, /* a comma or the end of an object */
  DROPIN_FAULT_END,    /* the end of the text */

  DROPIN_FAULT_DEPTH,   /* a bracket opens more levels than are allowed */
  DROPIN_FAULT_COMMENT, /* has no end */

  /* In strings. A library that has no text for CONTROL, PAIR or LOW accepts them. */
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
  DROPIN_FAULT_BIG,      /* no double is as large */
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
  const char *rests[DROPIN_FAULT_CAUSES];   /* not NULL: a piece of the JSON text stands between `texts` and this */
  unsigned char place[DROPIN_FAULT_CAUSES]; /* an enum dropin_fault_place */
};

struct dropin_fault {
  const struct dropin_fault_rules *rules;
  const char *end;  /* of the text */
  unsigned grammar; /* of enum json_grammar */
  uint32_t max_depth;
  /* What was due when the fault was found, and the token that stands there. */
  enum dropin_fault_cause due;
  const char *token;
  /* The result. `at` may be one byte after the end. */
  enum dropin_fault_cause cause;
  const char *at;
};

/* Begins to look for the fault of a text that ends at `end`. */
FL_FUNC void dropin_fault_begin(struct dropin_fault *f, const struct dropin_fault_rules *rules, const char *end,
                                unsigned grammar, uint32_t max_depth) {
  memset(f, 0, sizeof *f);
  f->rules = rules;
  f->end = end;
  f->grammar = grammar;
  f->max_depth = max_depth;
}

/* Notes the fault at p and returns NULL. */
FL_FUNC const char *dropin_fault_is(struct dropin_fault *f, enum dropin_fault_cause cause, const char *p) {
  const unsigned char place = f->rules->place[cause];
  FL_ASSERT(f->rules->texts[cause]);
  f->cause = cause;
  f->at = place == DROPIN_FAULT_TOKEN ? f->token : p + (place == DROPIN_FAULT_NEXT_BYTE);
  return NULL;
}

/* Skips white space and comments. Returns the next token, or NULL with the fault. */
FL_FUNC const char *dropin_fault_space(struct dropin_fault *f, const char *p) {
  for (;;) {
    p = json_skip_blanks(p);
    if (!(f->grammar & JSON_COMMENTS) || *p != '/' || (p[1] != '/' && p[1] != '*')) return p;
    if (p[1] == '/') {
      while (p < f->end && *p != '\n') p++;
    } else {
      if (!(p = json_comment_close(p + 2, f->end))) return dropin_fault_is(f, DROPIN_FAULT_COMMENT, f->end);
    }
  }
}

/* Reads the \u escape at p, or two of them, a surrogate pair. Returns the byte after it, or NULL with the fault. */
FL_FUNC const char *dropin_fault_unicode(struct dropin_fault *f, const char *p) {
  int unit = json_check_hex(p + 2, f->end);
  if (unit < 0) return dropin_fault_is(f, DROPIN_FAULT_HEX, p);
  if ((unit & 0xfc00) == 0xdc00 && f->rules->texts[DROPIN_FAULT_LOW]) return dropin_fault_is(f, DROPIN_FAULT_LOW, p);
  if ((unit & 0xfc00) != 0xd800 || !f->rules->texts[DROPIN_FAULT_PAIR]) return p + 6;
  if (p[6] != '\\' || p[7] != 'u') return dropin_fault_is(f, DROPIN_FAULT_PAIR, p);
  unit = json_check_hex(p + 8, f->end);
  if (unit < 0) return dropin_fault_is(f, DROPIN_FAULT_HEX, p);
  return (unit & 0xfc00) == 0xdc00 ? p + 12 : dropin_fault_is(f, DROPIN_FAULT_PAIR, p);
}

/* Reads the string whose opening quote is at p. Returns the byte after it, or NULL with the fault. */
FL_FUNC const char *dropin_fault_string(struct dropin_fault *f, const char *p) {
  p++;
  while (*p != '"') {
    if (*p == 0) return dropin_fault_is(f, p == f->end ? DROPIN_FAULT_UNCLOSED : DROPIN_FAULT_ZERO, p);
    if ((unsigned char)*p < 0x20 && f->rules->texts[DROPIN_FAULT_CONTROL])
      return dropin_fault_is(f, DROPIN_FAULT_CONTROL, p);
    if (*p != '\\') p++;
    else if (json_short_escape(p[1])) p += 2;
    else if (p[1] != 'u') return dropin_fault_is(f, DROPIN_FAULT_ESCAPE, p);
    else if (!(p = dropin_fault_unicode(f, p))) return NULL;
  }
  return p + 1;
}

/* Moves *p to the next token, where `due` is expected. False with the fault: a comment has no end. */
FL_FUNC int dropin_fault_expect(struct dropin_fault *f, const char **p, enum dropin_fault_cause due) {
  f->due = due;
  f->token = f->end;
  if (!(*p = dropin_fault_space(f, *p))) return 0;
  f->token = *p;
  return 1;
}

/* Finds the fault of the text from p on. `arrays` has a bit for each level that can be open: is the container around
** it an array? False: there is no fault. */
FL_FUNC int dropin_read_fault(struct dropin_fault *f, const char *p, unsigned char *arrays) {
  size_t depth = 0;
  int in_array = 0;

value:
  if (!dropin_fault_expect(f, &p, depth ? DROPIN_FAULT_VALUE : DROPIN_FAULT_ROOT)) return 1;
  if (*p == '{' || *p == '[') {
    if (depth == f->max_depth) return !dropin_fault_is(f, DROPIN_FAULT_DEPTH, p);
    fl_set_bit(arrays, depth, in_array);
    depth++;
    in_array = *p++ == '[';
    goto item_or_end;
  }
  if (!(p = *p == '"' ? dropin_fault_string(f, p) : f->rules->scalar(f, p))) return 1;

next:
  if (!dropin_fault_expect(f, &p, !depth ? DROPIN_FAULT_END : in_array ? DROPIN_FAULT_ARRAY : DROPIN_FAULT_OBJECT))
    return 1;
  if (!depth) return p != f->end && !dropin_fault_is(f, DROPIN_FAULT_END, p);
  if (*p == (in_array ? ']' : '}')) goto close;
  if (*p++ != ',') return !dropin_fault_is(f, f->due, p - 1);
  if (f->grammar & JSON_TRAILING_COMMAS) goto item_or_end;

item:
  if (in_array) goto value;
  if (!dropin_fault_expect(f, &p, DROPIN_FAULT_NAME)) return 1;
  if (*p != '"') return !dropin_fault_is(f, DROPIN_FAULT_NAME, p);
  if (!(p = dropin_fault_string(f, p))) return 1;
  if (!dropin_fault_expect(f, &p, DROPIN_FAULT_COLON)) return 1;
  if (*p++ != ':') return !dropin_fault_is(f, DROPIN_FAULT_COLON, p - 1);
  goto value;

item_or_end:
  if (!dropin_fault_expect(f, &p, in_array ? DROPIN_FAULT_VALUE : DROPIN_FAULT_NAME)) return 1;
  if (*p != (in_array ? ']' : '}')) goto item;

close:
  FL_ASSERT(depth > 0);
  p++;
  depth--;
  in_array = fl_bit(arrays, depth);
  goto next;
}

#endif
