/* SPDX-License-Identifier: MIT
** test_text.c -- the escape copies, the UTF-8 checks, the general escape: against oracles, at page edges.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/text/test_text.c -lcmocka; also with -DFLEECE_NO_SIMD,
** -DFLEECE_STRICT_READS=1, and sanitizers. Under those, sweeps over all of UTF-8 become samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "text/general.h"
#include "text/quote.h"
#include "text/utf8.h"
#include "../support/guarded.h"
#include "../support/random.h"
#include "../support/sparse.h"
#include "../support/utf8.h"

enum { LONGEST = 300, ROOM = 6 * LONGEST + 64 };

/* text_escape_NAME_portable: byte by byte. The others are compared with it. */
#define PORTABLE(name, set)                                                                      \
  static char *text_escape_##name##_portable(char *w, const char *s, size_t n, unsigned *high) { \
    return text_escape_bytes(w, s, n, high, set);                                                \
  }
TEXT_ESCAPES(PORTABLE)

typedef char *(*escape_fn)(char *w, const char *s, size_t n, unsigned *high);
/* clang-format off */
static const struct { const char *name; escape_fn fast, portable; unsigned set; } escapes[] = {
#define ENTRY(name, set) { #name, text_escape_##name, text_escape_##name##_portable, set },
  TEXT_ESCAPES(ENTRY)
#undef ENTRY
};
/* clang-format on */
enum { ESCAPES = sizeof escapes / sizeof escapes[0] };

static unsigned cpu; /* text_cpu() */

/* ---- escape copies ---------------------------------------------------------------------------------------- */

static int escaped_in(unsigned set, unsigned c) {
  if (c == '"' || c == '\\') return (set & TEXT_QUOTE) != 0;
  if (c < 32) return (set & TEXT_CONTROL) != 0;
  return (c == '/' && (set & TEXT_SLASH)) || (c == 127 && (set & TEXT_DEL));
}

/* Every byte by every instance, against the rules in words of their own. */
static void test_every_byte(void **unused) {
  static const char two[] = "\"\"\\\\//\bb\tt\nn\ff\rr";
  unsigned c, i, k;
  for (i = 0; i < ESCAPES; i++)
    for (c = 0; c < 256; c++) {
      char want[8], got[6 + 64], s = (char)c;
      unsigned high = 0;
      sprintf(want, "%c", c);
      if (escapes[i].set & TEXT_STAR) {
        if (c == '"' || c == '\\') strcpy(want, "*");
      } else if (escaped_in(escapes[i].set, c)) {
        sprintf(want, "\\u%04x", c);
        for (k = 0; two[k]; k += 2)
          if ((unsigned char)two[k] == c) sprintf(want, "\\%c", two[k + 1]);
      }
      size_t n = c ? strlen(want) : (want[0] ? strlen(want) : 1);
      assert_int_equal(escapes[i].portable(got, &s, 1, &high) - got, n);
      assert_memory_equal(got, want, n);
      assert_int_equal(high != 0, c >= 128);
    }
  (void)unused;
}

static void fill(char *s, size_t n, int kind) {
  static const char special[] = "\"\\/\x7f\n\t\x1f\x01 !#[]\x20";
  size_t i;
  for (i = 0; i < n; i++) {
    s[i] = (char)('a' + random_below(26));
    if (kind == 1 || (kind == 2 && random_below(12) == 0)) s[i] = special[random_below(sizeof special)];
    if (kind == 3 && random_below(n < 8 ? 4 : 40) == 0) s[i] = (char)(128 + random_below(128));
    if (kind == 4) s[i] = (char)random_below(256);
  }
}

#if FLEECE_WIDE
#include "text/x86/copy.h"

/* The step for wide vectors, as the walk uses it. All sets but E1's,
** whose characters are not marked but replaced. */
#define WIDE(name)                                                                              \
  static TEXT_WIDE_TARGET char *wide_##name(char *w, const char *s, size_t n, unsigned *high) { \
    uint64_t marks = text_copy32_wide(w, s, TEXT_SET_##name) & fl_low_bits(n);                  \
    return marks ? text_settle32_wide(w, s, n, marks, high) : w + n;                            \
  }
/* clang-format off */
WIDE(json) WIDE(del) WIDE(e0) WIDE(e2) WIDE(e3) WIDE(e4)

static const struct vector_copy { const char *name; escape_fn fast, portable; } wides[] = {
#define AGREES(name) { "wide " #name, wide_##name, text_escape_##name##_portable }
  AGREES(json), AGREES(del), AGREES(e0), AGREES(e2), AGREES(e3), AGREES(e4)
#undef AGREES
};
/* clang-format on */
#if FLEECE_WIDEST
/* clang-format off */
static const struct vector_copy widests[] = {
#define AGREES(name) { "widest " #name, text_escape_##name##_widest, text_escape_##name##_portable }
  AGREES(json), AGREES(del), AGREES(e0), AGREES(e1), AGREES(e2), AGREES(e3), AGREES(e4)
#undef AGREES
};
/* clang-format on */
#endif

static void agree_each(const struct vector_copy *copies, size_t count, const char *s, size_t n, char *out_end) {
  static char want[ROOM];
  size_t i;
  for (i = 0; i < count; i++) {
    char *out = out_end - (6 * n + 64);
    unsigned high = 0, high2 = 0;
    size_t m = (size_t)(copies[i].portable(want, s, n, &high) - want);
    size_t k = (size_t)(copies[i].fast(out, s, n, &high2) - out);
    if (k != m || memcmp(out, want, m) != 0 || !high != !high2) fail_msg("%s, length %d", copies[i].name, (int)n);
  }
}

static void agree_wide(const char *s, size_t n, char *out_end) {
  if ((cpu & TEXT_CPU_WIDE) && text_is_short(s, n)) agree_each(wides, sizeof wides / sizeof *wides, s, n, out_end);
#if FLEECE_WIDEST
  if (cpu & TEXT_CPU_WIDEST) agree_each(widests, sizeof widests / sizeof *widests, s, n, out_end);
#endif
}
#else
static void agree_wide(const char *s, size_t n, char *out_end) { (void)s, (void)n, (void)out_end; }
#endif

static void agree(const char *s, size_t n, char *out_end) {
  static char want[ROOM];
  unsigned i;
  for (i = 0; i < ESCAPES; i++) {
    char *out = out_end - (6 * n + 64); /* exactly the room that was promised */
    unsigned high = 0, high2 = 0;
    size_t m = (size_t)(escapes[i].portable(want, s, n, &high) - want);
    size_t k = (size_t)(escapes[i].fast(out, s, n, &high2) - out);
    if (k != m || memcmp(out, want, m) != 0 || !high != !high2) fail_msg("%s, length %d", escapes[i].name, (int)n);
    high2 = 4;
    escapes[i].fast(out, s, n, &high2);
    assert_true(high2 & 4);
  }
  agree_wide(s, n, out_end);
}

/* Every length, `gap` bytes before an unmapped page, with bytes around it that must not count. */
static void test_edges(void **unused) {
  char *end = guarded(LONGEST + 4096), *out_end = guarded(ROOM);
  size_t n, gap;
  for (n = 0; n <= LONGEST; n++)
    for (gap = 0; gap <= (SPARSE > 1 ? 17 : 130); gap++) {
      char *s = end - gap - n;
      fill(s, n, (int)((n + gap) % 5));
      memset(end - gap, "\"\xff\\\x01"[gap % 4], gap);
      if (gap % 3 == 0) s[-1] = (char)0xfe;
      agree(s, n, out_end);
    }
  for (n = 0; n <= LONGEST; n++) agree(end - 4096 - LONGEST + n % 64 + 64, n, out_end);
  (void)unused;
}

/* One special byte at every place of every length, and every byte at some. */
static void test_places(void **unused) {
  char *end = guarded(LONGEST), *out_end = guarded(ROOM);
  static const char bytes[] = "\"\\/\x7f\x1f\n\xff\x80";
  size_t n, i;
  for (n = 1; n <= 200; n += SPARSE > 1 ? 7 : 1)
    for (i = 0; i < n; i++) {
      memset(end - n, 'x', n);
      end[(ptrdiff_t)i - (ptrdiff_t)n] = bytes[(i + n) % 8];
      agree(end - n, n, out_end);
    }
  for (n = 0; n < 256; n++)
    for (i = 31; i < 160; i += 43) {
      memset(end - i, 'x', i);
      end[-1 - (ptrdiff_t)(n % i)] = (char)n;
      agree(end - i, i, out_end);
    }
  (void)unused;
}

/* ---- UTF-8 ------------------------------------------------------------------------------------------------ */

static size_t valid_part(const char *s, size_t n) {
  size_t i = 0, k;
  while (i < n && (k = utf8_character((const unsigned char *)s + i, n - i)) != 0) i += k;
  return i;
}

/* The validators that this CPU can run. */
static text_utf8_fn validators[4];
static size_t validator_count;

static void find_validators(void) {
  static const unsigned parts[] = {TEXT_CPU_LOOKUP, TEXT_CPU_WIDE, TEXT_CPU_WIDEST};
  size_t i;
  validators[validator_count++] = text_utf8_valid;
  for (i = 0; i < 3; i++)
    if (text_utf8_pick(cpu & parts[i]) != text_utf8_valid)
      validators[validator_count++] = text_utf8_pick(cpu & parts[i]);
}

static void same_verdict(const char *s, size_t n) {
  const size_t want = valid_part(s, n);
  size_t i;
  for (i = 0; i < validator_count; i++) {
    const size_t got = validators[i](s, n);
    if (got != want) fail_msg("length %d: bad at %d, validator %d says %d", (int)n, (int)want, (int)i, (int)got);
  }
}

/* All sequences of up to three bytes and many of four, across the seams of blocks of 16 and 64 bytes, in
** ASCII and in other text. */
static void test_utf8_sequences(void **unused) {
  static const unsigned char places[8] = {0, 13, 14, 15, 29, 61, 62, 63};
  static char text[2][8][96];
  uint32_t x;
  unsigned i, k;
  memset(text, 'a', sizeof text);
  for (k = 0; k < 8; k++)
    for (i = places[k] % 6; i < places[k]; i++) text[1][k][i] = "\xd0\xb0\xe4\xb8\x80z"[(i - places[k] % 6) % 6];
  for (x = 0; x < 1u << 24; x += SPARSE) {
    unsigned place = (x ^ x >> 8 ^ x >> 16) % 8;
    char *s = text[x >> 3 & 1][place], *t = s + places[place];
    t[0] = (char)(x >> 16), t[1] = (char)(x >> 8), t[2] = (char)x;
    same_verdict(s, places[place] + 3u + x % 5);
  }
  for (x = 0; x < 8000000u / SPARSE; x++) {
    unsigned place = random_below(8);
    char *s = text[x & 1][place], *t = s + places[place];
    t[0] = (char)(0xec + random_below(20)), t[1] = (char)(0x7f + random_below(67)),
    t[2] = (char)(0x7f + random_below(67));
    t[3] = (char)(0x7f + random_below(67)), t[4] = random_below(4) ? 'z' : (char)random_below(256);
    same_verdict(s, places[place] + 1 + random_below(5));
  }
  (void)unused;
}

/* What begins at the end of a block, of four vector words, and is not continued in a block of ASCII. */
static void test_utf8_unfinished(void **unused) {
  static const unsigned char bytes[] = {'a',  0x80, 0x8f, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0,
                                        0xe2, 0xef, 0xf0, 0xf1, 0xf4, 0xf7, 0xff};
  static char text[640];
  unsigned block, i, n;
  for (block = 64; block <= 256; block *= 2)
    for (i = 0; i < 15 * 15 * 15; i++)
      for (n = block + 1; n <= 2 * block + 64; n += n < block + 3 ? 1 : block - 3) {
        memset(text, 'a', sizeof text);
        text[block - 3] = (char)bytes[i % 15], text[block - 2] = (char)bytes[i / 15 % 15];
        text[block - 1] = (char)bytes[i / 225];
        same_verdict(text, n);
      }
  (void)unused;
}

/* Good text of every length, cut and damaged, before an unmapped page. */
static void test_utf8_edges(void **unused) {
  static const char *const word[] = {"a", "\xd0\xb0", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "plain text", "\xed\x9f\xbf"};
  enum { MOST = 600 };
  char *end = guarded(MOST), text[MOST + 16];
  size_t n, m;
  unsigned round;
  for (round = 0; round < 200u / (SPARSE > 1 ? 20 : 1); round++)
    for (n = 0; n <= MOST; n++) {
      for (m = 0; m < n;) {
        const char *w = word[random_below(6)];
        memcpy(text + m, w, strlen(w)), m += strlen(w);
      }
      memcpy(end - n, text, n);
      if (n && round % 2) end[-1 - (ptrdiff_t)random_below((unsigned)n)] = (char)random_below(256);
      same_verdict(end - n, n);
    }
  (void)unused;
}

/* ---- the general escape ----------------------------------------------------------------------------------- */

static void test_general(void **unused) {
  enum { S = 1, D = 2, A = 4, H = 8, R = 16, E = 32, P = 64 };
  /* clang-format off */
  static const struct { int options; const char *in, *out; } cases[] = {
    { 0, "a\"b\\c/d\x7f\x01\n<&>", "a\\\"b\\\\c/d\x7f\\u0001\\n<&>" },
    { S | D, "/\x7f", "\\/\\u007f" },
    { H, "<a>&\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa", "\\u003ca\\u003e\\u0026\\u2028\\u2029\xe2\x80\xaa" },
    { A, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf\xef\xbf\xbf", "\\u00e9\\u20ac\\ud83d\\ude00\\udbff\\udfff\\uffff" },
    { 0, "\xc3\xa9\xf0\x9f\x98\x80", "\xc3\xa9\xf0\x9f\x98\x80" },
    /* Unicode 15, tables 3-8 to 3-11: what one U+FFFD stands for */
    { R | A, "\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41", "\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\ufffdA" },
    { R | A, "\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41", "\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\ufffdA" },
    { R | A, "\xf4\x91\x92\x93\xff\x41\x80\xbf\x42", "\\ufffd\\ufffd\\ufffd\\ufffd\\ufffdA\\ufffd\\ufffdB" },
    { R | A, "\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", "\\ufffd\\ufffd\\ufffd\\ufffdA" },
    { R, "a\xff\xe2\x82", "a\xef\xbf\xbd\xef\xbf\xbd" },
    { E, "\xff\xe2\x82", "\\u00ff\\u00e2\\u0082" },
    { E | A, "\xe9\xc3\xa9", "\\u00e9\\u00e9" },
    { P, "\xff\"\xe2\x82", "\xff\\\"\xe2\x82" },
    { P | A, "\xff\"\xc3\xa9", "\\u00ff\\\"\\u00e9" },
    { R, "", "" },
  };
  /* clang-format on */
  unsigned i;
  for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    int o = cases[i].options;
    struct text_style style = {.invalid = TEXT_INVALID_ERROR};
    char got[512];
    style.slash = (o & S) != 0, style.del = (o & D) != 0, style.ascii = (o & A) != 0, style.html = (o & H) != 0;
    if (o & R) style.invalid = TEXT_INVALID_REPLACE;
    if (o & E) style.invalid = TEXT_INVALID_ESCAPE;
    if (o & P) style.invalid = TEXT_INVALID_PASS;
    *text_escape_general(got, cases[i].in, strlen(cases[i].in), &style, cpu) = 0;
    assert_string_equal(got, cases[i].out);
  }
  (void)unused;
}

/* What the pattern `escapable` of Crockford's json2.js matches beyond ASCII, of all characters; also at the end of a text
** and cut there. */
static void test_unseen(void **unused) {
  static const unsigned escapable[][2] = {{0x80, 0x9f},     {0xad, 0xad},     {0x600, 0x604},   {0x70f, 0x70f},
                                          {0x17b4, 0x17b5}, {0x200c, 0x200f}, {0x2028, 0x202f}, {0x2060, 0x206f},
                                          {0xfeff, 0xfeff}, {0xfff0, 0xffff}};
  const struct text_style style = {.unseen = 1, .invalid = TEXT_INVALID_PASS};
  uint32_t c;
  for (c = 0x80; c <= 0x10ffff; c++) {
    char s[8] = "", want[16], got[6 * 4 + 64];
    const size_t n = (size_t)(text_put_utf8(s, c) - s);
    unsigned i, hit = 0;
    if (c >= 0xd800 && c <= 0xdfff) continue;
    for (i = 0; i < sizeof escapable / sizeof *escapable; i++) hit |= c >= escapable[i][0] && c <= escapable[i][1];
    if (hit) snprintf(want, sizeof want, "\\u%04x", c);
    else strcpy(want, s);
    *text_escape_general(got, s, n, &style, cpu) = 0;
    assert_string_equal(got, want);
    assert_int_equal(text_has_unseen(s, n), hit);
    *text_escape_general(got, s, n - 1, &style, cpu) = 0;
    assert_memory_equal(got, s, n - 1);
    assert_false(text_has_unseen(s, n - 1));
  }
  (void)unused;
}

/* Without options it is json; with slash and del, e4. Pieces give the same as the whole, in their room. */
static void test_general_pieces(void **unused) {
  static char whole[6 * 4096 + 64], pieces[6 * 4096 + 64 * 2048], text[4096];
  char *out_end = guarded(ROOM);
  unsigned round, i;
  for (round = 0; round < 20000u / SPARSE; round++) {
    size_t n = random_below(LONGEST), limit = 4 + random_below(60), at, m;
    struct text_style style = {.invalid = TEXT_INVALID_PASS};
    char *w = pieces;
    unsigned high = 0;
    for (i = 0; i < n; i++) text[i] = (char)(random_below(3) ? 0x7f + random_below(129) : random_below(128));
    m = (size_t)(text_escape_general(whole, text, n, &style, cpu) - whole);
    assert_int_equal(text_escape_json_portable(pieces, text, n, &high) - pieces, m);
    assert_memory_equal(pieces, whole, m);
    style.slash = style.del = 1;
    m = (size_t)(text_escape_general(whole, text, n, &style, cpu) - whole);
    assert_int_equal(text_escape_e4_portable(pieces, text, n, &high) - pieces, m);
    assert_memory_equal(pieces, whole, m);
    style.ascii = round & 1, style.html = round >> 1 & 1, style.invalid = TEXT_INVALID_REPLACE + round % 3;
    m = (size_t)(text_escape_general(whole, text, n, &style, cpu) - whole);
    assert_true(m <= 6 * n);
    assert_memory_equal(
        out_end - (6 * n + 64), whole,
        (size_t)(text_escape_general(out_end - (6 * n + 64), text, n, &style, cpu) - (out_end - (6 * n + 64))));
    for (at = 0; at < n;) {
      size_t take = text_cut(text + at, n - at, limit);
      assert_true(take > 0 && take <= limit && at + take <= n);
      w = text_escape_general(w, text + at, take, &style, cpu);
      at += take;
    }
    assert_int_equal(w - pieces, m);
    assert_memory_equal(pieces, whole, m);
  }
  (void)unused;
}

/* ASCII and letters of two bytes in any mixture, with some other characters and escapes: at the end of a page, and from
** its beginning on. */
static void test_general_words(void **unused) {
  static char want[ROOM], text[LONGEST + 4];
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *in_end = guarded(page), *in = in_end - page, *out_end = guarded(ROOM);
  const struct text_style style = {.ascii = 1, .invalid = TEXT_INVALID_ERROR};
  unsigned round;
  for (round = 0; round < 20000u / SPARSE; round++) {
    const size_t most = random_below(LONGEST), at = random_below(64);
    const unsigned letters = random_below(101), others = random_below(3) ? 0 : random_below(30);
    const unsigned parts[] = {cpu, cpu & ~(unsigned)TEXT_CPU_WIDE, 0};
    size_t n = 0, m, i;
    while (n < most) {
      uint32_t c = 0x20 + random_below(0x60);
      if (random_below(100) < letters) c = 0x80 + random_below(0x780);
      if (random_below(100) < others) c = random_below(3) ? random_below(0x20) : 0x800 + random_below(0x20000);
      if (c >= 0xd800 && c <= 0xdfff) c = '"';
      n = (size_t)(text_put_utf8(text + n, c) - text);
    }
    m = (size_t)(text_escape_general_portable(want, text, n, &style) - want);
    for (i = 0; i < sizeof parts / sizeof *parts; i++) {
      char *w = out_end - (6 * n + 64);
      memcpy(in_end - n, text, n);
      assert_int_equal(text_escape_general(w, in_end - n, n, &style, parts[i]) - w, m);
      assert_memory_equal(w, want, m);
      memcpy(in + at, text, n);
      assert_int_equal(text_escape_general(w, in + at, n, &style, parts[i]) - w, m);
      assert_memory_equal(w, want, m);
    }
  }
  (void)unused;
}

/* A cut is before the character that does not fit as a whole; what is not UTF-8 is cut anywhere. */
static void test_cuts(void **unused) {
  /* clang-format off */
  static const struct { const char *text; unsigned limit, at; } cases[] = {
    { "abc", 3, 3 }, { "abcd", 3, 3 }, { "ab\xc3\xa9", 3, 2 }, { "ab\xc3\xa9z", 4, 4 }, { "\xf0\x9f\x98\x80z", 4, 4 },
    { "z\xf0\x9f\x98\x80z", 4, 1 }, { "zz\xf0\x9f\x98\x80", 4, 2 }, { "zzz\xf0\x9f\x98\x80", 4, 3 },
    { "zz\xe2\x82\xac", 4, 2 }, { "zzz\xe2\x82\xac", 4, 3 }, { "z\xe2\x82\xacz", 4, 4 }, { "zz\x80\x80\x80", 4, 4 },
    { "\xc3\x80\x80\x80z", 4, 4 }, { "z\xc3\xa9\x80z", 4, 4 }, { "z\x80\x80\x80z", 4, 4 }, { "zzz\x7f\x80", 4, 4 },
    { "zzz\xc0\x80", 4, 3 }, { "zz\xe0\x80\x80", 4, 2 }, { "z\xf0\x80\x80\x80", 4, 1 },
  };
  /* clang-format on */
  unsigned i;
  for (i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(text_cut(cases[i].text, strlen(cases[i].text), cases[i].limit), cases[i].at);
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_byte),
                                     cmocka_unit_test(test_edges),
                                     cmocka_unit_test(test_places),
                                     cmocka_unit_test(test_utf8_sequences),
                                     cmocka_unit_test(test_utf8_unfinished),
                                     cmocka_unit_test(test_utf8_edges),
                                     cmocka_unit_test(test_general),
                                     cmocka_unit_test(test_general_pieces),
                                     cmocka_unit_test(test_general_words),
                                     cmocka_unit_test(test_unseen),
                                     cmocka_unit_test(test_cuts)};
  cpu = text_cpu();
  find_validators();
  return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
