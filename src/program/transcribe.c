/* SPDX-License-Identifier: MIT
** transcribe.c -- values of a text as decode with `order` and encode would write them, without Lua values in between.
** Must hold: the same bytes as by way of Lua values. What is rare here (many names, equal ones, deep nesting, long
** strings with escapes, numbers that no double holds) is left to them. */
#include "../json/index/quoted.h"
#include "../number/shortest.h"
#include "../text/quote.h"
#include "../text/unescape.h"
#include "program.h"
#include "text.h"

enum {
  PROGRAM_WRITTEN_NAMES = 64, /* of all open objects */
  PROGRAM_WRITTEN_DEPTH = 64,
  PROGRAM_IN_ARRAY = 255,
  PROGRAM_ESCAPED_ROOM = 96 /* more than text_escape_json writes after the string */
};

/* The names of open objects, as places in the output, and where those of each begin. */
struct program_written {
  size_t at[PROGRAM_WRITTEN_NAMES], n[PROGRAM_WRITTEN_NAMES];
  size_t names, depth;
  unsigned char first[PROGRAM_WRITTEN_DEPTH];
};

/* Appends the string of [p, end), which has escapes. Returns 0 if it is long or one is invalid. */
static int program_put_escaped(lua_State *L, struct program_text *to, const char *p, const char *end, size_t rest,
                               unsigned cpu) {
  const char *close = end - 1, *at = p + 1;
  const size_t n = (size_t)(close - at);
  unsigned high = 0;
  if (n > TEXT_PIECE_MAX) return 0;
  program_reserve_text(L, to, 7 * n + PROGRAM_ESCAPED_ROOM + TEXT_UNESCAPE_MARGIN + rest);
  char *w = to->block + to->n, *plain = w + 6 * n + PROGRAM_ESCAPED_ROOM;
  const char *last = text_unescape(plain, &at, close, end, cpu);
  if (at != close) return 0;
  *w++ = '"';
  w = text_escape_json(w, plain, (size_t)(last - plain), &high);
  *w++ = '"';
  to->n = (size_t)(w - to->block);
  return 1;
}

/* Adds what was written at `at` to the names. Returns 0 if the object has it already, or there are too many. */
static int program_add_name(struct program_written *k, const struct program_text *to, size_t at) {
  const size_t n = to->n - at;
  if (k->names == PROGRAM_WRITTEN_NAMES) return 0;
  for (size_t i = k->first[k->depth - 1]; i < k->names; i++)
    if (k->n[i] == n && memcmp(to->block + k->at[i], to->block + at, n) == 0) return 0;
  k->at[k->names] = at;
  k->n[k->names++] = n;
  return 1;
}

/* Returns whether the number in [p, end) is written with the same bytes: an integer, or a decimal of at least 1, with
** few digits, each of which counts. */
static int program_is_short_number(const char *p, const char *end) {
  const int is_negative = *p == '-';
  int points = 0;
  p += is_negative;
  if (end - p > 15) return 0;
  if (*p == '0') return p + 1 == end && !is_negative;
  for (; p < end; p++) {
    if (*p == '.') points++;
    else if (!json_is_digit(*p)) return 0;
  }
  return !points || end[-1] != '0';
}

/* Appends the number of [p, end). Returns 0 if no double holds it. */
static int program_put_number(struct program_text *to, const char *p, const char *end) {
  char *w = to->block + to->n;
  struct num_value v;
  (void)num_read(p, end, &v);
  if (v.kind == NUM_BAD || v.kind == NUM_HUGE) return 0;
#if LUA_VERSION_NUM >= 503
  w = v.kind == NUM_INTEGER ? num_write_i64(w, v.i) : num_write_double(w, v.d, 0);
#else
  w = num_write_double(w, v.kind == NUM_INTEGER ? (double)v.i : v.d, 0);
#endif
  to->n = (size_t)(w - to->block);
  return 1;
}

FL_PRIVATE int program_put_encoded(lua_State *L, struct program_text *to, const struct json_slice *value,
                                   unsigned cpu) {
  const char *p = value->begin, *end = value->end, *q;
  struct program_written k;
  int expects_name = 0;
  k.names = k.depth = 0;
  program_reserve_text(L, to, (size_t)(end - p));
  for (; p < end; p = q) {
    const size_t at = to->n, rest = (size_t)(end - p);
    FL_ASSERT(to->room - to->n > rest);
    q = p + 1;
    switch (*p) {
    case ' ':
    case '\t':
    case '\r':
    case '\n': continue;
    case '"':
      q = json_after_string(p, end);
      if (!memchr(p, '\\', (size_t)(q - p))) {
        memcpy(to->block + at, p, (size_t)(q - p));
        to->n += (size_t)(q - p);
      } else if (!program_put_escaped(L, to, p, q, rest, cpu)) {
        return 0;
      }
      if (expects_name && !program_add_name(&k, to, at)) return 0;
      expects_name = 0;
      continue;
    case '{':
    case '[':
      if (k.depth == PROGRAM_WRITTEN_DEPTH) return 0;
      expects_name = *p == '{';
      k.first[k.depth++] = expects_name ? (unsigned char)k.names : (unsigned char)PROGRAM_IN_ARRAY;
      break;
    case '}':
    case ']':
      k.depth--;
      if (*p == '}') k.names = k.first[k.depth];
      expects_name = 0;
      break;
    case ',': expects_name = k.first[k.depth - 1] != PROGRAM_IN_ARRAY; break;
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
      while (q < end && (json_is_digit(*q) || *q == '.' || (*q | 0x20) == 'e' || *q == '+' || *q == '-')) q++;
      if (program_is_short_number(p, q)) break;
      program_reserve_text(L, to, NUM_ROOM + rest);
      if (!program_put_number(to, p, q)) return 0;
      continue;
    default: break; /* a colon, or a letter of a word */
    }
    memcpy(to->block + at, p, (size_t)(q - p));
    to->n += (size_t)(q - p);
  }
  return 1;
}
