/* SPDX-License-Identifier: MIT
** text_template.h -- reads a text 64 bytes at a time: finds what a reader wants, and tests the grammar of the rest.
** Must hold: included by locate.c for each size of vectors. The text begins and ends with a bracket or brace, so that
** no number and no word ends with it.
**
** Parameter, undefined at the end: JSON_I_BYTES, the bytes of a vector, see text/blocks.h.
**
** Strings are found as in G. Langdale and D. Lemire, "Parsing Gigabytes of JSON per Second", VLDB Journal 28 (2019).
** There an index of all tokens is made and read. Here only outline.h makes one. Which token may follow which is tested
** for all tokens of a block at once; only brackets, numbers and words are looked at one by one.
**
** Notation: a mask has the bit of the first byte of each token of its kind. */

#define JSON_I(name) FL_PASTE(FL_PASTE(json_index, name), JSON_I_BYTES)
#define JSON_I_BLOCK(name) FL_PASTE(FL_PASTE(text_block, name), JSON_I_BYTES)
#define JSON_I_TARGET FL_PASTE(TEXT_TARGET, JSON_I_BYTES)

/* Returns the tokens after those of `kind`; `gaps`: bytes where no token begins. The addition carries each mark across
** the gap after it. */
FL_INLINE uint64_t JSON_I(next)(uint64_t kind, uint64_t gaps, uint64_t *carry) {
  uint64_t sum;
  const uint64_t out = kind >> 63;
  *carry = fl_add(kind << 1 | *carry, gaps, &sum) | out;
  return sum & ~gaps;
}

/* Returns the escaped bytes of a block, except backslashes: those after an odd number of backslashes. The method is
** that of the same paper: adding a run's first bit to the run moves it to the byte after the run. `escaped` is 1 if the
** block's first byte is escaped; *after is set for the next block. */
FL_INLINE uint64_t JSON_I(escaped)(uint64_t backslashes, uint64_t escaped, uint64_t *after) {
  const uint64_t even = UINT64_C(0x5555555555555555), runs = backslashes & ~escaped;
  const uint64_t starts = runs & ~(runs << 1);
  uint64_t from_even, from_odd;
  (void)fl_add(runs, starts & even, &from_even);
  *after = fl_add(runs, starts & ~even, &from_odd);
  return (from_even & ~runs & ~even) | (from_odd & ~runs & even) | (escaped & ~backslashes);
}

/* Like JSON_I(escaped), for a block that is tested: sets *after to -1 if an escape is invalid. *low_surrogate: as
** json_index_escape sets it. A backslash outside strings is an error anyway. */
JSON_I_TARGET FL_NOINLINE uint64_t JSON_I(escapes_)(const char *bytes, uint64_t escaped, const char *block,
                                                    const char *end, const char **low_surrogate, uint64_t *after) {
  const struct FL_PASTE(text_block, JSON_I_BYTES) b = JSON_I_BLOCK(load)(bytes);
  const uint64_t found = JSON_I(escaped)(JSON_I_BLOCK(is)(&b, '\\'), escaped, after);
  uint64_t left = found & JSON_I_BLOCK(is)(&b, 'u');
  int ok = (found & ~JSON_I_BLOCK(escapes)(&b)) == 0;
#if JSON_I_BYTES >= 32
  if (left) { /* those that are complete in the block, and second halves of pairs; u is the first of five bytes */
    enum { WHOLE = 59, PAIR = 48 };
    const uint64_t units = left & fl_low_bits(WHOLE + 1), hex = JSON_I_BLOCK(digits)(&b, 15);
    const uint64_t d = units & (JSON_I_BLOCK(is)(&b, 'd') | JSON_I_BLOCK(is)(&b, 'D')) >> 1;
    ok &= (units & ~(hex >> 1 & hex >> 2 & hex >> 3 & hex >> 4)) == 0;
    left ^= units;
    if (d) {
      const uint64_t first = fl_low_bits(PAIR), high = d & first & JSON_I_BLOCK(digits)(&b, 6) >> 2;
      const ptrdiff_t due = *low_surrogate ? *low_surrogate + 1 - block : -1; /* from the block before */
      const uint64_t lows = high << 6 | (due >= 0 && due < PAIR ? UINT64_C(1) << due : 0);
      const uint64_t low = d & JSON_I_BLOCK(digits)(&b, 8) >> 2;
      ok &= (lows & ~low) == 0 && (low & ~lows & first) == 0;
      if (high >> (PAIR - 6)) *low_surrogate = block + PAIR - 1 + fl_trailing_zeros(high >> (PAIR - 6));
      left |= d & ~first;
    }
  }
#endif
  for (; left; left &= left - 1) ok &= json_index_escape(block + fl_trailing_zeros(left) - 1, end, low_surrogate);
  if (FL_UNLIKELY(!ok)) *after = ~UINT64_C(0);
  return found;
}

/* Finds the tokens of a block of which only the strings, the brackets and the bytes outside strings are known. */
JSON_I_TARGET FL_NOINLINE void JSON_I(tokens_)(struct json_tokens *t, const char *bytes, uint64_t outside) {
  const struct FL_PASTE(text_block, JSON_I_BYTES) b = JSON_I_BLOCK(load)(bytes);
  uint64_t words;
  t->commas = JSON_I_BLOCK(is)(&b, ',') & outside;
  t->colons = JSON_I_BLOCK(is)(&b, ':') & outside;
  words = outside & ~(t->commas | t->colons | t->opens | t->closes | JSON_I_BLOCK(spaces)(&b));
  t->words = words & ~(words << 1);
}

/* Reads the text [s, stop), or, with `parts`, a window of the text that ends at r->end. Returns the byte after the
** text, or NULL if it is invalid; without `test`, the byte after its value, or s if the reader has found everything.
** With r->continues the text goes on after it. `outline`: adds the tokens to r->outline. */
JSON_I_TARGET FL_INLINE const char *JSON_I(read)(struct json_reader *r, const char *s, const char *stop, const int test,
                                                 const int parts, const int outline) {
  const char *end = parts ? r->end : stop;
  struct json_carry carry = {0, 0, 0, 0, 0, 0, 0, NULL, 0};
  const char *block, *low_surrogate = NULL;
  uint64_t escaped = 0, bad = 0, kinds = 0;
  uint32_t depth = 0;
  char last[64];
  const JSON_I_BLOCK(vector) backslash = JSON_I_BLOCK(byte)('\\'), quote = JSON_I_BLOCK(byte)('"'),
                             open = JSON_I_BLOCK(byte)('{');
  const JSON_I_BLOCK(vector) close = JSON_I_BLOCK(byte)('}'), comma = JSON_I_BLOCK(byte)(','),
                             colon = JSON_I_BLOCK(byte)(':');
  if (parts && r->continues) {
    carry = *r->carry;
    low_surrogate = carry.low_surrogate;
    escaped = carry.escaped;
    kinds = carry.kinds;
    depth = carry.depth;
    r->continues = 0;
  }
  for (block = s; block < stop; block += 64) {
    const char *bytes = block;
    uint64_t backslashes, quotes, in_string, outside, commas = 0, colons = 0, opens, closes, words, starts = 0, strings;
    uint64_t bad_in_object = 0, brackets, left = ~UINT64_C(0);
    struct FL_PASTE(text_block, JSON_I_BYTES) b, folded;
    if (FL_UNLIKELY(stop - block < 64)) {
      memset(last, ' ', sizeof last);
      memcpy(last, block, (size_t)(stop - block));
      bytes = last;
    }
    b = JSON_I_BLOCK(load)(bytes);
    backslashes = JSON_I_BLOCK(are)(&b, backslash);
    quotes = JSON_I_BLOCK(are)(&b, quote);
    if (FL_UNLIKELY(backslashes | escaped)) {
      uint64_t after;
      quotes &= test ? ~JSON_I(escapes_)(bytes, escaped, block, end, &low_surrogate, &after)
                     : ~JSON_I(escaped)(backslashes, escaped, &after);
      escaped = after;
      if (test && FL_UNLIKELY(escaped > 1)) return NULL;
    }
    if (outline && FL_UNLIKELY(!json_outline_has_room(r->outline)) && !r->outline->grow(r->outline)) return NULL;
    if (FL_UNLIKELY(!quotes) && carry.in_string) { /* a long string */
      if (test) bad |= JSON_I_BLOCK(controls)(&b);
      if (outline && backslashes) r->outline->entries[r->outline->count - 1] |= JSON_OUTLINE_ESCAPES;
      continue;
    }
    in_string = JSON_I_BLOCK(odd)(quotes) ^ carry.in_string;
    carry.in_string = (uint64_t)((int64_t)in_string >> 63);
    folded = JSON_I_BLOCK(fold)(b);
    strings = quotes & in_string;
    outside = ~(in_string | quotes);
    opens = JSON_I_BLOCK(are)(&folded, open) & outside;
    closes = JSON_I_BLOCK(are)(&folded, close) & outside;
    brackets = opens | closes;

    if (test) {
      bad |= in_string & JSON_I_BLOCK(controls)(&b);
      commas = JSON_I_BLOCK(are)(&b, comma) & outside;
      colons = JSON_I_BLOCK(are)(&b, colon) & outside;
      words = outside & ~(commas | colons | brackets | JSON_I_BLOCK(spaces)(&b));
      starts = words & ~(words << 1 | carry.in_word);
      carry.in_word = words >> 63;

      /* Which token may follow which. Two additions find the kind of the token before each: value, opening, comma or
      ** colon. */
      const uint64_t ends = strings | starts | closes;
      const uint64_t tokens = ends | opens | commas | colons;
      const uint64_t after_value_or_comma = JSON_I(next)(ends | commas, ~tokens, &carry.value_or_comma);
      const uint64_t after_value_or_open = JSON_I(next)(ends | opens, ~tokens, &carry.value_or_open);
      const uint64_t after_value = after_value_or_comma & after_value_or_open;
      const uint64_t values = strings | starts | opens;
      bad |= (values & after_value) | ((commas | colons) & ~after_value) | (closes & ~after_value_or_open);
      /* In an object a string follows a comma or the opening brace, and a colon follows that and nothing else. */
      const uint64_t before_name = after_value_or_comma ^ after_value_or_open;
      bad_in_object = (before_name & (starts | opens)) |
                      (JSON_I(next)(before_name & strings, ~tokens, &carry.name) ^ colons);
      bad_in_object ^= colons; /* so that one operation selects the errors for the kind of the container */
    }
    const uint64_t outlined = strings | starts | opens;
    const uint32_t offset = outline ? (uint32_t)(block - r->outline->text) : 0, first = outline ? r->outline->count : 0;
    if (outline) {
      const unsigned count = JSON_I_BLOCK(count)(outlined);
      JSON_I_BLOCK(list)(r->outline->entries + first, outlined, count, offset);
      r->outline->count = first + count;
      for (; FL_UNLIKELY(backslashes); backslashes &= backslashes - 1) {
        const uint64_t before = outlined & (backslashes ^ (backslashes - 1));
        r->outline->entries[first + JSON_I_BLOCK(count)(before) - 1] |= JSON_OUTLINE_ESCAPES;
      }
    }

    /* Test for a token of a watched container, or of one around it. */
    if (!outline && FL_UNLIKELY(depth <= r->watched + JSON_I_BLOCK(count)(closes))) {
      struct json_tokens t = {block, commas, colons, strings, starts, opens, closes, quotes & ~strings, backslashes};
      const char *after = s;
      if (!test) JSON_I(tokens_)(&t, bytes, outside);
      const enum json_reader_says says = json_reader_block(r, &t, depth, &after);
      if (FL_UNLIKELY(says == JSON_READER_WRONG)) return NULL;
      if (!test && says != JSON_READER_CONTINUE) return after;
    }
    if (!test) {
      depth += JSON_I_BLOCK(count)(opens) - JSON_I_BLOCK(count)(closes);
      continue;
    }

    /* All tokens between two brackets, and the second bracket, belong to the same container. All four kinds of brackets
    ** are handled alike, because which comes next cannot be predicted. */
    for (; brackets; brackets &= brackets - 1) {
      const uint64_t here = left & (brackets ^ (brackets - 1));
      const unsigned i = fl_trailing_zeros(brackets);
      const unsigned char c = (unsigned char)bytes[i];
      const unsigned brace = c >> 5 & 1u, opening = c >> 1 & 1u; /* ASCII: 5b [, 5d ], 7b {, 7d } */
      left ^= here;
      if (outline)
        json_outline_bracket(r->outline, first + JSON_I_BLOCK(count)(outlined & ((brackets & (0 - brackets)) - 1)),
                             offset + i, (int)opening);
      bad |= here & ((bad_in_object & (0 - (kinds & 1))) ^ colons);
      bad |= ((kinds & 1) ^ brace) & ~opening;
      depth -= !opening;
      if (FL_UNLIKELY(depth % 64 == 0)) {
        if (!opening && depth == 0) {
          if (block + i + 1 != end) return NULL;
          break;
        }
        if (!opening) {
          kinds = fl_load64(r->containers + depth / 8);
          continue;
        }
        fl_store64(r->containers + depth / 8, kinds);
      }
      if (FL_UNLIKELY(depth + opening > r->max_depth)) return NULL;
      kinds = opening ? kinds << 1 | brace : kinds >> 1;
      depth += opening;
    }
    bad |= left & ((bad_in_object & (0 - (kinds & 1))) ^ colons);

    for (; starts; starts &= starts - 1)
      if (FL_UNLIKELY(!json_index_scalar(block + fl_trailing_zeros(starts), end))) return NULL;
  }
  if (parts && stop < end && !bad) {
    carry.low_surrogate = low_surrogate;
    carry.escaped = escaped;
    carry.kinds = kinds;
    carry.depth = depth;
    *r->carry = carry;
    r->continues = 1;
    return stop;
  }
  return test && depth == 0 && !bad ? stop : NULL;
}

JSON_I_TARGET FL_FUNC const char *JSON_I(test)(struct json_reader *r, const char *s, const char *stop) {
  return JSON_I(read)(r, s, stop, 1, 0, 0);
}

/* A separate instance, because testing for windows costs short texts 7 %. */
JSON_I_TARGET FL_FUNC const char *JSON_I(test_parts)(struct json_reader *r, const char *s, const char *stop) {
  return JSON_I(read)(r, s, stop, 1, 1, 0);
}

JSON_I_TARGET FL_FUNC const char *JSON_I(pass)(struct json_reader *r, const char *s, const char *stop) {
  return JSON_I(read)(r, s, stop, 0, 1, 0);
}

JSON_I_TARGET FL_FUNC const char *JSON_I(outline)(struct json_reader *r, const char *s, const char *stop) {
  return JSON_I(read)(r, s, stop, 1, 1, 1);
}

#undef JSON_I
#undef JSON_I_BLOCK
#undef JSON_I_TARGET
#undef JSON_I_BYTES
