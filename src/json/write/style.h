/* SPDX-License-Identifier: MIT
** style.h -- how JSON text looks: every option of the encoder that does not need Lua. Plain data. */
#pragma once

#include "../../text/general.h"

enum json_escape { /* the copy of text/quote.h that writes strings; E0 to E4 have fast walks */
                   JSON_ESCAPE_JSON,
                   JSON_ESCAPE_E0,
                   JSON_ESCAPE_E1,
                   JSON_ESCAPE_E2,
                   JSON_ESCAPE_E3,
                   JSON_ESCAPE_E4,
                   JSON_ESCAPE_DEL,    /* E4 without the slash */
                   JSON_ESCAPE_UNSEEN, /* DEL and text_unseen */
                   JSON_ESCAPE_UPPER,  /* JSON with digits A-F; bytes that are not UTF-8 pass */
                   JSON_ESCAPE_GENERAL /* byte by byte, as json_style.text says */
};

/* INFINITIES: literals for infinities, an error for NaN. */
enum json_invalid_numbers { JSON_NUMBERS_ERROR, JSON_NUMBERS_NULL, JSON_NUMBERS_LITERAL, JSON_NUMBERS_INFINITIES };

/* How to write an array with holes: as an object; filled with null if dense enough, else as an object; not at all;
** filled if dense enough, else not at all. */
enum json_sparse { JSON_SPARSE_OBJECT, JSON_SPARSE_NULL, JSON_SPARSE_ERROR, JSON_SPARSE_NULL_OR_ERROR };

/* Special values of `precision`: 15 digits if they are exact, else 17, as tostring in Lua 5.5; as num_write_ecma; as
** num_write_canonical. */
enum { JSON_PRECISION_15_17 = 18, JSON_PRECISION_ECMA, JSON_PRECISION_CANONICAL };

/* The text of a number key: its shortest exact one, so that different keys stay different; as for a value; as Lua's
** tostring, which also has texts for NaN and infinities. */
enum json_number_keys { JSON_KEYS_EXACT, JSON_KEYS_AS_VALUES, JSON_KEYS_AS_TOSTRING };

struct json_style {
  enum json_escape escape;
  struct text_style text; /* also says what JSON_ESCAPE_JSON does with invalid UTF-8 */
  enum json_invalid_numbers invalid_numbers;
  enum json_sparse sparse;
  int sparse_ratio;       /* dense enough: highest index <= ratio * count, */
  double sparse_free;     /* or <= this */
  const char *indent;     /* of one level; its owner keeps it alive */
  size_t indent_length;   /* 0: no white space at all */
  uint32_t width;         /* containers that fit in so many columns stay in a line (fold.h, by the caller); or 0 */
  size_t first_level;     /* levels around the text, which indent its lines, too */
  double sparse_most;     /* an array with holes and a higher index is an object; 0 for no limit */
  uint32_t max_depth;     /* limit for open containers, 1 .. 10,000,000 */
  int precision;          /* significant digits 1..17; 0: shortest exact; JSON_PRECISION_15_17, _ECMA, _CANONICAL */
  uint64_t whole;         /* with a precision: doubles below this that are integers are written as integers */
  unsigned char decimals; /* 0, or the digits after the point of what is no integer, plus one */
  unsigned char float32;  /* what has a fraction is written as a float of 32 bits */
  unsigned char safe_integers; /* integers beyond 2^53 - 1 are an error (RFC 8259, section 6) */
  enum json_number_keys number_keys;
  unsigned avoid; /* TEXT_CPU_*: features of the CPU not to use; the text is the same */
  unsigned char float_integers, sort_keys, skip_unsupported;
  unsigned char canonical;    /* RFC 8785: numbers and order of names as in ECMAScript; json_style_canonize */
  unsigned char empty_object; /* write {} for an empty unmarked table */
  unsigned char one_line;     /* texts written as they are lose their white space if they have line breaks */
  /* With indentation: items of arrays stay on one line; no space after a colon; {} contains a line break. */
  unsigned items_on_one_line : 1;
  unsigned no_space : 1;
  unsigned break_empty_objects : 1;
  unsigned rounds_fractions_only : 1; /* a precision keeps integers up to 2^53; else it is printf's */
  unsigned key_order : 1;             /* a list of names comes first; the walker's caller holds it */
  unsigned skip_values_only : 1;      /* skip_unsupported is for values only; keys must be writable */
  unsigned whole_are_integers : 1;    /* doubles without a fraction have no decimals: this Lua has no integers */
};

enum { JSON_SPARSE_FREE = 10, JSON_INDENT_LIMIT = 64 };

FL_INLINE void json_style_canonize(struct json_style *s) {
  s->canonical = s->sort_keys = 1;
  s->precision = JSON_PRECISION_CANONICAL;
}

/* Returns whether numbers of a JSON text are looked at. */
FL_INLINE int json_style_rewrites_numbers(const struct json_style *s) {
  return s->canonical | s->decimals | s->float32 | s->safe_integers;
}

/* Returns whether a JSON text may be written as it is. */
FL_INLINE int json_style_keeps_text(const struct json_style *s) {
  return s->escape == JSON_ESCAPE_JSON && !s->indent_length && !s->precision && !s->sort_keys && !s->key_order &&
         !s->float_integers && !json_style_rewrites_numbers(s);
}

/* Returns whether an array with `count` values and index `highest` is dense enough to fill its holes with null. */
FL_INLINE int json_style_fills(const struct json_style *s, double highest, size_t count) {
  return highest <= s->sparse_free || highest <= (double)s->sparse_ratio * (double)count;
}

/* Returns how to write a table of indexes with holes: SPARSE_OBJECT, SPARSE_NULL (to be filled) or SPARSE_ERROR. */
FL_INLINE enum json_sparse json_style_holes(const struct json_style *s, double highest, size_t count) {
  if (s->sparse == JSON_SPARSE_OBJECT || s->sparse == JSON_SPARSE_ERROR) return s->sparse;
  if (s->sparse_most > 0 && highest > s->sparse_most) return JSON_SPARSE_OBJECT;
  if (json_style_fills(s, highest, count)) return JSON_SPARSE_NULL;
  return s->sparse == JSON_SPARSE_NULL ? JSON_SPARSE_OBJECT : JSON_SPARSE_ERROR;
}
