/* SPDX-License-Identifier: MIT
** text_template.h -- reads a text 64 bytes at a time: finds what a reader wants, and tests the grammar of the rest.
** May call: base, text/blocks_template.h, json/index/locate.c, json/index/reader.h.
** Must hold: included by locate.c for each size of vectors. The text begins and ends with a bracket or brace, so that no
** number and no word ends with it.
**
** Parameter, undefined at the end: TEXT_B_BYTES, see text/blocks_template.h.
**
** Strings are found as in G. Langdale and D. Lemire, "Parsing Gigabytes of JSON per Second", VLDB Journal 28 (2019).
** There an index of all tokens is made and read. Here no index is made. Which token may follow which is tested for all
** tokens of a block at once; only brackets, numbers and words are looked at one by one.
**
** Notation: a mask has the bit of the first byte of each token of its kind. */

#include "../../text/blocks_template.h"
#define JSON_I(name) FL_PASTE(FL_PASTE(json_index, name), TEXT_B_BYTES)

/* What a block hands on to the next one. */
struct JSON_I(carry) {
  uint64_t in_string; /* all ones: the block ends in a string; else 0 */
  uint64_t in_word;   /* 1: its last byte belongs to a number or word; else 0 */
  uint64_t escaped;   /* 1: the first byte of the next block is escaped; else 0 */
  /* 1: the last token of the block is of this kind, and the token after it has not been seen; else 0. See JSON_I(next).*/
  uint64_t value_or_comma, value_or_open, name;
};

/* The tokens after those of `kind`; `gaps`: the bytes where no token begins. The addition carries each mark over the gap
** that begins with it. */
FL_INLINE uint64_t JSON_I(next)(uint64_t kind, uint64_t gaps, uint64_t *carry) {
  uint64_t sum;
  const uint64_t out = kind >> 63;
  *carry = fl_add(kind << 1 | *carry, gaps, &sum) | out;
  return sum & ~gaps;
}

/* The bytes of a block that its backslashes escape. 0 in *ok: an escape is wrong; low_surrogate NULL: that is not asked.
** A backslash outside of strings is an error in any case. */
TEXT_B_TARGET FL_NOINLINE uint64_t JSON_I(escapes_)(uint64_t backslashes, uint64_t *carry, const char *block,
                                                    const char *end, const char **low_surrogate, int *ok) {
  uint64_t escaped = *carry, left = backslashes & ~escaped;
  *carry = 0;
  while (left) {
    const unsigned i = fl_trailing_zeros(left);
    left &= left - 1;
    if (i == 63) *carry = 1;
    else escaped |= UINT64_C(2) << i, left &= ~(UINT64_C(2) << i);
    if (low_surrogate && FL_UNLIKELY(!json_index_escape(block + i, end, low_surrogate))) *ok = 0;
  }
  return escaped;
}

/* Gives a reader the tokens of some bytes of a block, which are in the container that it watches: the bytes `here` outside
** of strings, and the strings that begin there. */
TEXT_B_TARGET FL_NOINLINE enum json_reader_says JSON_I(watch_)(struct json_reader *r, const char *bytes,
                                                              const char *block, uint64_t here, uint64_t strings) {
  const TEXT_BLOCK b = TEXT_B(load)(bytes), folded = TEXT_B(fold)(b);
  struct json_tokens t;
  t.block = block;
  t.commas = TEXT_B(is)(&b, ',') & here;
  t.colons = TEXT_B(is)(&b, ':') & here;
  t.opens = TEXT_B(is)(&folded, '{') & here;
  t.closes = TEXT_B(is)(&folded, '}') & here;
  t.strings = strings;
  t.words = here & ~(t.commas | t.colons | t.opens | t.closes | TEXT_B(spaces)(&b));
  t.words &= ~(t.words << 1);
  return json_reader_tokens(r, &t);
}

/* Reads the text [s, end). Returns the byte after it, or NULL if it is not valid; without `test`, the byte after its
** value, or s if the reader has all. */
TEXT_B_TARGET FL_INLINE const char *JSON_I(read)(struct json_reader *r, const char *s, const char *end,
                                                 uint32_t max_depth, unsigned char *containers, const int test) {
  struct JSON_I(carry) carry = {0, 0, 0, 0, 0, 0};
  const char *block, *low_surrogate = NULL;
  uint64_t bad = 0, kinds = 0; /* bit i: is the container i levels around the innermost one an object? */
  uint32_t depth = 0;
  char last[64];
  const text_b_vector backslash = TEXT_B(byte)('\\'), quote = TEXT_B(byte)('"'), open = TEXT_B(byte)('{');
  const text_b_vector close = TEXT_B(byte)('}'), comma = TEXT_B(byte)(','), colon = TEXT_B(byte)(':');
  for (block = s; block < end; block += 64) {
    const char *bytes = block;
    uint64_t backslashes, quotes, in_string, outside, commas = 0, colons = 0, opens, closes, words, starts = 0, strings;
    uint64_t ends, tokens, values, after_value_or_comma, after_value_or_open, after_value, before_name;
    uint64_t bad_in_object = 0, brackets, left = ~UINT64_C(0);
    const uint32_t lowest = r->watched == JSON_READER_NOTHING ? 0 : r->watched;
    TEXT_BLOCK b, folded;
    if (FL_UNLIKELY(end - block < 64)) {
      memset(last, ' ', sizeof last);
      memcpy(last, block, (size_t)(end - block));
      bytes = last;
    }
    b = TEXT_B(load)(bytes);
    folded = TEXT_B(fold)(b);

    backslashes = TEXT_B(are)(&b, backslash);
    quotes = TEXT_B(are)(&b, quote);
    if (FL_UNLIKELY(backslashes | carry.escaped)) {
      int ok = 1;
      quotes &= ~JSON_I(escapes_)(backslashes, &carry.escaped, block, end, test ? &low_surrogate : NULL, &ok);
      if (test && FL_UNLIKELY(!ok)) return NULL;
    }
    in_string = TEXT_B(odd)(quotes) ^ carry.in_string;
    carry.in_string = (uint64_t)((int64_t)in_string >> 63);
    strings = quotes & in_string;
    outside = ~(in_string | quotes);
    opens = TEXT_B(are)(&folded, open) & outside;
    closes = TEXT_B(are)(&folded, close) & outside;
    brackets = opens | closes;

    if (test) {
      bad |= in_string & TEXT_B(controls)(&b);
      commas = TEXT_B(are)(&b, comma) & outside;
      colons = TEXT_B(are)(&b, colon) & outside;
      words = outside & ~(commas | colons | brackets | TEXT_B(spaces)(&b));
      starts = words & ~(words << 1 | carry.in_word);
      carry.in_word = words >> 63;

      /* Which token may follow which. Two additions tell the kind of the token before: value, opening, comma or colon. */
      ends = strings | starts | closes;
      tokens = ends | opens | commas | colons;
      after_value_or_comma = JSON_I(next)(ends | commas, ~tokens, &carry.value_or_comma);
      after_value_or_open = JSON_I(next)(ends | opens, ~tokens, &carry.value_or_open);
      after_value = after_value_or_comma & after_value_or_open;
      values = strings | starts | opens;
      bad |= (values & after_value) | ((commas | colons) & ~after_value) | (closes & ~after_value_or_open);
      /* In an object what follows a comma, or its brace, is a string, and a colon follows that and nothing else. */
      before_name = after_value_or_comma ^ after_value_or_open;
      bad_in_object = (before_name & (starts | opens)) |
                      (JSON_I(next)(before_name & strings, ~tokens, &carry.name) ^ colons);
      bad_in_object ^= colons; /* so that one operation with the kind gives the errors of either */
      for (; starts; starts &= starts - 1)
        if (FL_UNLIKELY(!json_index_scalar(block + fl_trailing_zeros(starts), end))) return NULL;
    } else if (depth > lowest && text_b_count(closes) < depth - lowest) {
      depth += text_b_count(opens) - text_b_count(closes); /* the watched container is not reached */
      continue;
    }

    /* Between two brackets all tokens belong to the same container; the second bracket counts with them. The work on a
    ** bracket is the same for all four kinds, because which comes next cannot be predicted. */
    for (; brackets; brackets &= brackets - 1) {
      const uint64_t here = left & (brackets ^ (brackets - 1));
      const unsigned i = fl_trailing_zeros(brackets);
      const unsigned char c = (unsigned char)bytes[i];
      const unsigned brace = c >> 5 & 1u, opening = c >> 1 & 1u; /* ASCII: 5b [, 5d ], 7b {, 7d } */
      left ^= here;
      if (test) {
        bad |= here & ((bad_in_object & (0 - (kinds & 1))) ^ colons);
        bad |= ((kinds & 1) ^ brace) & ~opening;
      }
      if (depth == r->watched) {
        const enum json_reader_says says = JSON_I(watch_)(r, bytes, block, here & outside, here & strings);
        if (FL_UNLIKELY(says == JSON_READER_WRONG)) return NULL;
        if (!test && says == JSON_READER_DONE) return s;
      }
      depth -= !opening;
      if (FL_UNLIKELY(depth % 64 == 0)) {
        if (!opening && depth == 0) return !test || (block + i + 1 == end && !bad) ? block + i + 1 : NULL;
        if (test && opening) fl_store64(containers + depth / 8, kinds);
        else if (test) kinds = (fl_load64(containers + depth / 8) << 1) | brace;
      }
      if (test && FL_UNLIKELY(depth + opening > max_depth)) return NULL;
      if (test) kinds = opening ? kinds << 1 | brace : kinds >> 1;
      depth += opening;
    }
    if (test) bad |= left & ((bad_in_object & (0 - (kinds & 1))) ^ colons);
    if (depth == r->watched) {
      const enum json_reader_says says = JSON_I(watch_)(r, bytes, block, left & outside, left & strings);
      if (FL_UNLIKELY(says == JSON_READER_WRONG)) return NULL;
      if (!test && says == JSON_READER_DONE) return s;
    }
  }
  return NULL;
}

TEXT_B_TARGET FL_FUNC const char *JSON_I(test)(struct json_reader *r, const char *s, const char *end,
                                               uint32_t max_depth, unsigned char *containers) {
  return JSON_I(read)(r, s, end, max_depth, containers, 1);
}

TEXT_B_TARGET FL_FUNC const char *JSON_I(pass)(struct json_reader *r, const char *s, const char *end) {
  return JSON_I(read)(r, s, end, UINT32_MAX, NULL, 0);
}

#undef JSON_I
#include "../../text/blocks_end.h"
