/* SPDX-License-Identifier: MIT
** characters.c -- compiles what matches one character: a character, an escape, a class. */
#include "compile.h"

#define REGEX_IS_SET UINT32_MAX /* in place of a character: the item of a class was a set, such as \d */

FL_PRIVATE_NOINLINE int regex_fail(struct regex_compiler *c, const char *at, const char *error) {
  if (!c->error) c->error = error, c->at = at;
  return 0;
}

FL_PRIVATE_NOINLINE int regex_fail_limit(struct regex_compiler *c, const char *error) {
  c->is_limit = !c->error;
  return regex_fail(c, c->p, error);
}

FL_PRIVATE int regex_need_steps(struct regex_compiler *c, uint64_t n) {
  return n <= REGEX_STEPS - c->size.steps || regex_fail_limit(c, "it is too large");
}

FL_PRIVATE int regex_put(struct regex_compiler *c, enum regex_op op, uint32_t argument) {
  if (!regex_need_steps(c, 1)) return 0;
  regex_set_step(c, c->size.steps++, op, argument);
  return 1;
}

FL_PRIVATE int regex_put_atom(struct regex_compiler *c, enum regex_op op, uint32_t argument) {
  c->atom = c->size.steps;
  c->has_slot = 0;
  return regex_put(c, op, argument);
}

FL_PRIVATE int regex_put_slot(struct regex_compiler *c) { return regex_put(c, REGEX_JUMP, 1); }

FL_PRIVATE int regex_put_range(struct regex_compiler *c, uint32_t from, uint32_t to) {
  if (c->size.ranges == REGEX_RANGES) return regex_fail_limit(c, "it is too large");
  if (c->to) {
    struct regex_range *range = regex_ranges(c->to) + c->size.ranges;
    range->from = from, range->to = to;
  }
  c->size.ranges++;
  return 1;
}

/* Restores the heap of the first n ranges after the one at i was replaced. */
static void regex_sift_range(struct regex_range *ranges, uint32_t i, uint32_t n) {
  const struct regex_range range = ranges[i];
  for (;;) {
    uint32_t child = 2 * i + 1;
    if (child + 1 < n && ranges[child + 1].from > ranges[child].from) child++;
    if (child >= n || ranges[child].from <= range.from) break;
    ranges[i] = ranges[child];
    i = child;
  }
  ranges[i] = range;
}

/* Sorts the ranges if needed, and merges those that overlap or adjoin. Returns how many are left. */
static uint32_t regex_unite_ranges(struct regex_range *ranges, uint32_t n) {
  uint32_t i, count = 0;
  for (i = 1; i < n && ranges[i - 1].from <= ranges[i].from;) i++;
  if (i < n) { /* heapsort: a class may have very many */
    for (i = n / 2; i-- > 0;) regex_sift_range(ranges, i, n);
    for (i = n; i-- > 1;) {
      const struct regex_range largest = ranges[0];
      ranges[0] = ranges[i];
      ranges[i] = largest;
      regex_sift_range(ranges, 0, i);
    }
  }
  for (i = 0; i < n; i++) {
    if (count == 0 || ranges[i].from > ranges[count - 1].to + 1) ranges[count++] = ranges[i];
    else if (ranges[i].to > ranges[count - 1].to) ranges[count - 1].to = ranges[i].to;
  }
  return count;
}

FL_PRIVATE int regex_put_class(struct regex_compiler *c, uint32_t first, int negated) {
  if (c->to) {
    struct regex_class *of = regex_classes(c->to) + c->size.classes;
    of->first = first, of->negated = (uint32_t)negated;
    of->ranges = regex_unite_ranges(regex_ranges(c->to) + first, c->size.ranges - first);
    memset(of->ascii, 0, sizeof of->ascii);
    for (uint32_t x = 0; x < 128; x++) of->ascii[x / 32] |= (uint32_t)regex_class_find(c->to, of, x) << (x & 31);
  }
  return regex_put_atom(c, REGEX_CLASS, c->size.classes++);
}

/* Each set is in ascending order. Spaces and newlines are WhiteSpace and LineTerminator of ECMA 262, with the space
** separators of Unicode. */
static const struct regex_range regex_digits[] = {{'0', '9'}};

static const struct regex_range regex_words[] = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};

static const struct regex_range regex_spaces[] = {
    {9, 13},          {' ', ' '},       {0xa0, 0xa0},     {0x1680, 0x1680}, {0x2000, 0x200a},
    {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000}, {0xfeff, 0xfeff}};

static const struct regex_range regex_newlines[] = {{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}};

/* Puts the n ranges of a set, or (others) the gaps between them. */
static int regex_put_set(struct regex_compiler *c, const struct regex_range *set, size_t n, int others) {
  uint32_t from = 0;
  for (size_t i = 0; i < n; i++) {
    if (!others && !regex_put_range(c, set[i].from, set[i].to)) return 0;
    if (others && !regex_put_range(c, from, set[i].from - 1)) return 0;
    from = set[i].to + 1;
  }
  return !others || regex_put_range(c, from, 0x10ffff);
}

FL_PRIVATE int regex_put_escaped_set(struct regex_compiler *c, char letter) {
#define REGEX_SET(set, others) regex_put_set(c, set, sizeof set / sizeof set[0], others)
  switch (letter) {
  case 'd': return REGEX_SET(regex_digits, 0);
  case 'D': return REGEX_SET(regex_digits, 1);
  case 'w': return REGEX_SET(regex_words, 0);
  case 'W': return REGEX_SET(regex_words, 1);
  case 's': return REGEX_SET(regex_spaces, 0);
  case 'S': return REGEX_SET(regex_spaces, 1);
  default: return -1;
  }
}

FL_PRIVATE int regex_put_any(struct regex_compiler *c) {
  const uint32_t first = c->size.ranges;
  return REGEX_SET(regex_newlines, 0) && regex_put_class(c, first, 1);
#undef REGEX_SET
}

FL_PRIVATE uint32_t regex_take_character(struct regex_compiler *c) {
  uint32_t x;
  const int length = text_utf8_next(c->p, (size_t)(c->end - c->p), &x);
  c->p += length > 0 ? length : -length;
  return length > 0 ? x : 0xfffd;
}

static int regex_hex_digit(const struct regex_compiler *c) {
  const char x = c->p < c->end ? *c->p : 0, lower = (char)(x | 32);
  return x >= '0' && x <= '9' ? x - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Reads exactly n digits. Returns REGEX_NO_CHARACTER, without moving p, if there are fewer. */
static uint32_t regex_take_hex(struct regex_compiler *c, int n) {
  const char *before = c->p;
  uint32_t x = 0;
  for (; n > 0 && regex_hex_digit(c) >= 0; n--, c->p++) x = x << 4 | (uint32_t)regex_hex_digit(c);
  if (n == 0) return x;
  c->p = before;
  return REGEX_NO_CHARACTER;
}

/* Reads the rest of an escape after its \u{ */
static uint32_t regex_take_braced_hex(struct regex_compiler *c) {
  uint32_t x = regex_hex_digit(c) < 0 ? REGEX_NO_CHARACTER : 0;
  for (; x <= 0x10ffff && regex_hex_digit(c) >= 0; c->p++) x = x << 4 | (uint32_t)regex_hex_digit(c);
  return x <= 0x10ffff && regex_take(c, '}') ? x : REGEX_NO_CHARACTER;
}

/* Reads the rest of an escape after its \u; two escapes of a surrogate pair are one character. */
static uint32_t regex_take_unicode(struct regex_compiler *c) {
  if (regex_take(c, '{')) return regex_take_braced_hex(c);
  const uint32_t x = regex_take_hex(c, 4);
  if (x < 0xd800 || x > 0xdbff) return x;
  const char *before = c->p;
  const uint32_t low = regex_take(c, '\\') && regex_take(c, 'u') ? regex_take_hex(c, 4) : REGEX_NO_CHARACTER;
  if (low >= 0xdc00 && low <= 0xdfff) return 0x10000 + ((x - 0xd800) << 10) + (low - 0xdc00);
  c->p = before;
  return x;
}

FL_INLINE int regex_is_letter(uint32_t x) { return (x | 32) >= 'a' && (x | 32) <= 'z'; }

FL_PRIVATE int regex_take_escape(struct regex_compiler *c, uint32_t *x) {
  const char *at = c->p - 1;
  FL_ASSERT(c->p < c->end && *at == '\\');
  *x = regex_take_character(c);
  switch (*x) {
  case 'f': *x = '\f'; return 1;
  case 'n': *x = '\n'; return 1;
  case 'r': *x = '\r'; return 1;
  case 't': *x = '\t'; return 1;
  case 'v': *x = '\v'; return 1;
  case 'x': *x = regex_take_hex(c, 2); break;
  case 'u': *x = regex_take_unicode(c); break;
  case 'c':
    *x = c->p < c->end && regex_is_letter((unsigned char)*c->p) ? (uint32_t)*c->p++ & 31 : REGEX_NO_CHARACTER;
    break;
  case '0': *x = c->p < c->end && *c->p >= '0' && *c->p <= '9' ? REGEX_NO_CHARACTER : 0; break;
  case 'p':
  case 'P': return regex_fail(c, at, "Unicode properties are not supported");
  case 'k':
  case '1':
  case '2':
  case '3':
  case '4':
  case '5':
  case '6':
  case '7':
  case '8':
  case '9': c->is_back_reference = !c->error; return regex_fail(c, at, "back references are not supported");
  default:
    if (regex_is_letter(*x)) return regex_fail(c, at, "unknown escape");
  }
  return *x != REGEX_NO_CHARACTER || regex_fail(c, at, "wrong escape");
}

/* Reads one item of a class. A set is put at once, and *x becomes REGEX_IS_SET. */
static int regex_class_item(struct regex_compiler *c, uint32_t *x) {
  if (!regex_take(c, '\\')) {
    *x = regex_take_character(c);
    return 1;
  }
  if (c->p == c->end) return regex_fail(c, c->p - 1, "'\\' at the end");
  if (regex_take(c, 'b')) {
    *x = '\b';
    return 1;
  }
  const int set = regex_put_escaped_set(c, *c->p);
  *x = REGEX_IS_SET;
  if (set < 0) return regex_is_ecma_property(c) ? regex_put_property(c) : regex_take_escape(c, x);
  c->p++;
  return set;
}

static int regex_put_one(struct regex_compiler *c, uint32_t x) { return x == REGEX_IS_SET || regex_put_range(c, x, x); }

/* Reads an item, or a range of two. If one end is a set it is not a range, and the - stands for itself (Annex B). */
static int regex_class_range(struct regex_compiler *c) {
  const char *at = c->p;
  uint32_t from, to;
  if (!regex_class_item(c, &from)) return 0;
  if (!regex_next_is(c, '-') || c->end - c->p < 2 || c->p[1] == ']') return regex_put_one(c, from);
  c->p++;
  if (!regex_class_item(c, &to)) return 0;
  if (from == REGEX_IS_SET || to == REGEX_IS_SET)
    return regex_put_one(c, from) && regex_put_one(c, '-') && regex_put_one(c, to);
  if (from > to) return regex_fail(c, at, "the range is out of order");
  return regex_put_range(c, from, to);
}

FL_PRIVATE int regex_class(struct regex_compiler *c) {
  const char *at = c->p - 1;
  const int negated = regex_take(c, '^');
  FL_ASSERT(*at == '[');
  const uint32_t first = c->size.ranges;
  while (!regex_next_is(c, ']')) {
    if (c->p == c->end) return regex_fail(c, at, "'[' without ']'");
    if (!regex_class_range(c)) return 0;
  }
  c->p++;
  return regex_put_class(c, first, negated);
}
