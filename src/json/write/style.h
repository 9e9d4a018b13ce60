/* SPDX-License-Identifier: MIT
** style.h -- how JSON text is to look: every option of the encoder that does not need Lua.
** Must hold: nothing; plain data. */
#pragma once

#include "../../text/general.h"

enum json_escape { /* which copy of text/quote.h writes the strings; those up to E4 have fast walks */
                   JSON_ESCAPE_JSON,
                   JSON_ESCAPE_E0,
                   JSON_ESCAPE_E1,
                   JSON_ESCAPE_E2,
                   JSON_ESCAPE_E3,
                   JSON_ESCAPE_E4,
                   JSON_ESCAPE_DEL,    /* as E4, but not the slash */
                   JSON_ESCAPE_UNSEEN, /* as DEL, and text_unseen */
                   JSON_ESCAPE_UPPER,  /* as JSON, with digits A-F, and any bytes pass */
                   JSON_ESCAPE_GENERAL /* byte by byte, by json_style.text */
};

/* INFINITIES: these are literals, and NaN is an error. */
enum json_invalid_numbers { JSON_NUMBERS_ERROR, JSON_NUMBERS_NULL, JSON_NUMBERS_LITERAL, JSON_NUMBERS_INFINITIES };

/* An array with holes: an object; filled with null if it is dense enough, else an object; an error; filled, else an
** error. */
enum json_sparse { JSON_SPARSE_OBJECT, JSON_SPARSE_NULL, JSON_SPARSE_ERROR, JSON_SPARSE_NULL_OR_ERROR };

/* What precision may be instead of a number of digits: 15 digits if they are exact, else 17, as tostring of Lua 5.5;
** as num_write_ecma; as num_write_canonical. */
enum { JSON_PRECISION_15_17 = 18, JSON_PRECISION_ECMA, JSON_PRECISION_CANONICAL };

/* The text of a number that is a key: its shortest exact one, so that no two keys get the same; as a value; as Lua's
** tostring, where NaN and the infinities have a text. */
enum json_number_keys { JSON_KEYS_EXACT, JSON_KEYS_AS_VALUES, JSON_KEYS_AS_TOSTRING };

struct json_style {
  enum json_escape escape;
  struct text_style text; /* also holds the policy for invalid UTF-8 of JSON_ESCAPE_JSON */
  enum json_invalid_numbers invalid_numbers;
  enum json_sparse sparse;
  int sparse_ratio;     /* what is dense enough: highest index <= ratio * count, */
  double sparse_free;   /* or <= this */
  const char *indent;   /* one level; the owner keeps it alive */
  size_t indent_length; /* 0: no white space at all */
  uint32_t width;       /* columns of a line: containers that fit stay in one (fold.h), by the caller; 0: they do not */
  size_t first_level;   /* levels around the text, whose indentation its lines have too */
  double sparse_most;   /* an array with holes and a higher index is an object; 0: no limit */
  uint32_t max_depth;   /* open containers, 1 .. 10,000,000 */
  int precision;        /* significant digits 1..17; 0: shortest exact; JSON_PRECISION_15_17, _ECMA, _CANONICAL */
  uint64_t whole;       /* with a precision: doubles that are integers below this are written as integers */
  enum json_number_keys number_keys;
  unsigned avoid; /* TEXT_CPU_*: what of this CPU is left alone, though the text is the same */
  unsigned char float_integers, sort_keys, skip_unsupported;
  unsigned char canonical;    /* RFC 8785: numbers and order of names as ECMAScript has them; json_style_canonize */
  unsigned char empty_object; /* {} for an empty unmarked table */
  unsigned char one_line;     /* texts written as they are lose their white space if they have line breaks */
  /* Where lines are indented: items of arrays stay on one line; no space after a colon; {} has a line break in it. */
  unsigned items_on_one_line : 1;
  unsigned no_space : 1;
  unsigned break_empty_objects : 1;
  unsigned rounds_fractions_only : 1; /* a precision does not round integers up to 2^53; else it is printf's */
  unsigned key_order : 1;             /* a list of names comes first; the walker's caller holds the list */
  unsigned skip_values_only : 1;      /* skip_unsupported leaves out values; a key that cannot be written is an error */
};

enum { JSON_SPARSE_FREE = 10, JSON_INDENT_LIMIT = 64 };

/* Makes the style that of canonical JSON. */
FL_INLINE void json_style_canonize(struct json_style *s) {
  s->canonical = s->sort_keys = 1;
  s->precision = JSON_PRECISION_CANONICAL;
}

/* May a JSON text be written as it stands? */
FL_INLINE int json_style_keeps_text(const struct json_style *s) {
  return s->escape == JSON_ESCAPE_JSON && !s->indent_length && !s->precision && !s->sort_keys && !s->key_order &&
         !s->float_integers;
}

/* Is an array with `count` values and `highest` index dense enough to fill its holes with null? */
FL_INLINE int json_style_fills(const struct json_style *s, double highest, size_t count) {
  return highest <= s->sparse_free || highest <= (double)s->sparse_ratio * (double)count;
}

/* What becomes of a table whose keys are indexes, with holes: SPARSE_OBJECT, SPARSE_NULL (to be filled) or
** SPARSE_ERROR. */
FL_INLINE enum json_sparse json_style_holes(const struct json_style *s, double highest, size_t count) {
  if (s->sparse == JSON_SPARSE_OBJECT || s->sparse == JSON_SPARSE_ERROR) return s->sparse;
  if (s->sparse_most > 0 && highest > s->sparse_most) return JSON_SPARSE_OBJECT;
  if (json_style_fills(s, highest, count)) return JSON_SPARSE_NULL;
  return s->sparse == JSON_SPARSE_NULL ? JSON_SPARSE_OBJECT : JSON_SPARSE_ERROR;
}
