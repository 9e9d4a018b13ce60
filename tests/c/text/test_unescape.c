/* SPDX-License-Identifier: MIT
** test_unescape.c -- strings with escapes, read in blocks, and the general escape, written in blocks: against what RFC
** 8259 says of single cases, and against the ways byte by byte, at page edges.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/text/test_unescape.c -lcmocka; also with -DFLEECE_NO_SIMD,
** -DFLEECE_STRICT_READS=1, and sanitizers. */
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
#include "text/unescape.h"
#include "../support/guarded.h"
#include "../support/random.h"
#include "../support/sparse.h"

enum { LONGEST = 600, TAIL = 200, SIZE = 2 * 4096, ROUNDS = SPARSE > 1 ? 3000 : 60000 };

static unsigned cpu; /* text_cpu() */

/* ---- single cases --------------------------------------------------------------------------------------------- */

/* What a string means, at every offset from a block's beginning. `bad`: of the first wrong escape, -1: there is none. */
static void test_cases(void **unused) {
  /* clang-format off */
  static const struct { const char *in, *out; int bad; } cases[] = {
    { "", "", -1 },
    { "\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t", -1 },
    { "\\u0041\\u00e9\\u4E2d\\uFFFF", "A\xc3\xa9\xe4\xb8\xad\xef\xbf\xbf", -1 },
    { "\\ud83d\\ude00\\uD800\\uDC00\\udbff\\udfff", "\xf0\x9f\x98\x80\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", -1 },
    { "\\u043c\\u0438\\u0440, \\u043c\\u0438\\u0440 12345678\\u0440", "\xd0\xbc\xd0\xb8\xd1\x80, \xd0\xbc\xd0\xb8\xd1\x80 12345678\xd1\x80", -1 },
    { "\\\\u0041\\\\\\n\\\\\\\\", "\\u0041\\\n\\\\", -1 },
    { "\\u007f\\u0080\\u07ff\\u0800\\ud7ff\\ue000", "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80", -1 },
    { "ab\\x", "ab", 2 }, { "\\N", "", 0 }, { "\\n\\u12g4", "\n", 2 }, { "\\u123", "", 0 }, { "\\u12\\n4", "", 0 },
    { "\\ud800", "", 0 }, { "a\\udc00", "a", 1 }, { "\\ud800\\ud800\\udc00", "", 0 }, { "\\ud800x", "", 0 },
    { "\\ud800\\n", "", 0 }, { "\\ud800\\u0041", "", 0 }, { "\\n\\n\\n\\n\\n\\n\\n\\n\\q", "\n\n\n\n\n\n\n\n", 16 },
  };
  /* clang-format on */
  char *edge = guarded(SIZE), *got = guarded(SIZE) - SIZE;
  unsigned i, before, after;
  for (i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (before = 0; before < 130; before++)
      for (after = 0; after < 2; after++) {
        const size_t n = strlen(cases[i].in), m = strlen(cases[i].out), more = after ? TAIL : 0;
        char *s = edge - (before + n + 2 + more), *end = edge - 1;
        const char *close = s + before + n, *wrong = cases[i].bad < 0 ? close : s + before + cases[i].bad, *at = s;
        uint64_t high = 0;
        memset(s, 'x', before);
        memcpy(s + before, cases[i].in, n);
        memset(s + before + n, '"', more + 1);
        *end = 0;
        assert_ptr_equal(text_string_end(s, end, &high), close);
        assert_ptr_equal(text_string_end_bytes(s, end, &high), close);
        assert_ptr_equal(text_check_escapes(s, end, &high), wrong);
        assert_ptr_equal(text_check_escapes_bytes(s, end, &high), wrong);
        assert_int_equal(high, 0);
        assert_int_equal(text_unescape(got, &at, close, end, before & 1 ? cpu : 0) - got, before + m);
        assert_ptr_equal(at, wrong);
        assert_memory_equal(got + before, cases[i].out, m);
        at = s;
        assert_int_equal(text_unescape_bytes(got, &at, close) - got, before + m);
        assert_ptr_equal(at, wrong);
        assert_memory_equal(got + before, cases[i].out, m);
      }
  (void)unused;
}

/* Every byte after a backslash, and as each digit of \uXXXX, in a block and after the last one. */
static void test_every_byte(void **unused) {
  static const char names[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
  char *edge = guarded(SIZE), *got = guarded(SIZE) - SIZE;
  unsigned byte, digit, after;
  for (byte = 1; byte < 256; byte++)
    for (digit = 0; digit < 5; digit++)
      for (after = 0; after < 2; after++) {
        char escape[7] = "\\u112F", wanted[4];
        const size_t n = digit ? 6 : 2, more = after ? TAIL : 0;
        char *s = edge - (n + 2 + more), *end = edge - 1;
        const char *close = s + n, *name = strchr(names, (int)byte), *at = s;
        const int valid = digit ? strchr("0123456789abcdefABCDEF", (int)byte) != NULL : name != NULL;
        uint64_t high = 0;
        escape[1 + digit] = (char)byte;
        if (!digit && byte == 'u') continue;
        memcpy(s, escape, n);
        memset(s + n, '"', more + 1);
        *end = 0;
        assert_ptr_equal(text_check_escapes(s, end, &high), valid ? close : s);
        assert_ptr_equal(text_check_escapes_bytes(s, end, &high), valid ? close : s);
        *wanted = name ? means[name - names] : 0;
        if (digit) { /* of three bytes, or below U+1000 of two or three */
          const unsigned long c = valid ? strtoul(escape + 2, NULL, 16) : 0;
          if (c < 0x800) wanted[0] = (char)(0xc0 | c >> 6), wanted[1] = (char)(0x80 | (c & 63));
          else
            wanted[0] = (char)(0xe0 | c >> 12), wanted[1] = (char)(0x80 | (c >> 6 & 63)),
            wanted[2] = (char)(0x80 | (c & 63));
        }
        text_unescape(got, &at, close, end, byte & 1 ? cpu : 0);
        assert_ptr_equal(at, valid ? close : s);
        if (valid) assert_memory_equal(got, wanted, digit ? ((unsigned char)*wanted >= 0xe0 ? 3 : 2) : 1);
        at = s;
        text_unescape_bytes(got, &at, close);
        assert_ptr_equal(at, valid ? close : s);
        if (valid) assert_memory_equal(got, wanted, digit ? ((unsigned char)*wanted >= 0xe0 ? 3 : 2) : 1);
      }
  (void)unused;
}

/* ---- blocks and bytes ------------------------------------------------------------------------------------------ */

/* Writes parts at s, up to about n bytes; returns how many. */
static size_t fill(char *s, size_t n, const char *const *parts, unsigned count) {
  const unsigned from = random_below(count), some = 1 + random_below(count);
  size_t m = 0;
  while (m < n) {
    const char *part = parts[(from + random_below(some)) % count];
    memcpy(s + m, part, strlen(part));
    m += strlen(part);
  }
  return m;
}

static void test_blocks(void **unused) {
  static const char *const parts[] = {"\\n",
                                      "\\t\\t\\t\\t\\t\\t\\t\\t\\t",
                                      "\\\\",
                                      "\\\"",
                                      "a",
                                      "bc",
                                      "\\u0041",
                                      "\\u00e9",
                                      "\\u4e2d",
                                      "\\ud83d\\ude00",
                                      "words and more",
                                      "\\/",
                                      "\xc3\xa9",
                                      "\\",
                                      "\\u",
                                      "\\ud800",
                                      "\\u12",
                                      "\"",
                                      "\1",
                                      "\x7f",
                                      "\\u005C",
                                      "\\u043c\\u0438\\u4e2d\\u0041\\u00e9",
                                      "\\uD83D\\uDE00\\uD83D\\uDE00",
                                      "\\u0447\\u0438\\u0442\\u0430\\u0442\\u0435\\u043b\\u044C",
                                      "\\u07FF\\u0100 \\u0390, \\u03b1",
                                      ", ",
                                      "\\n\\\"\\t\\\\\\r\\/\\b\\f\\n\\\"\\t\\\\\\r\\/\\b\\f\\n\\n",
                                      "\\x",
                                      "/",
                                      "                                                                              "};
  char *edge = guarded(SIZE), *got = guarded(SIZE) - SIZE, *want = guarded(SIZE) - SIZE;
  unsigned round;
  for (round = 0; round < ROUNDS; round++) {
    char text[LONGEST + 100];
    const size_t n = fill(text, random_below(LONGEST), parts, sizeof parts / sizeof parts[0]),
                 more = random_below(2) ? 0 : random_below(TAIL);
    char *s = edge - (n + more + 2), *end = edge - 1;
    const char *close, *good, *at = s, *at2 = s;
    uint64_t high = 0, high2 = 0;
    size_t m;
    memcpy(s, text, n);
    memset(s + n, '"', more + 1);
    *end = 0;
    close = text_string_end_bytes(s, end, &high2);
    assert_ptr_equal(text_string_end(s, end, &high), close);
    good = text_check_escapes_bytes(s, end, &high2);
    assert_ptr_equal(text_check_escapes(s, end, &high), good);
    if (*good == '"') assert_int_equal(!high, !high2);
    if (*close != '"') continue;
    memset(got, 1, SIZE);
    m = (size_t)(text_unescape_bytes(want, &at2, close) - want);
    assert_int_equal(text_unescape(got, &at, close, end, round & 1 ? cpu : 0) - got, m);
    assert_ptr_equal(at, at2);
    assert_memory_equal(got, want, m);
    for (m = (size_t)(close - s) + TEXT_UNESCAPE_MARGIN; m < SIZE; m++) assert_int_equal(got[m], 1);
  }
  (void)unused;
}

/* Runs in which one byte is replaced by each other one. */
static void test_each_byte(void **unused) {
  static const char *const runs[] = {"\\u043f\\u0440\\u0418\\u07fF\\u0100\\u0732\\u03A9 \\u0434, \\u0435",
                                     "\\u00e9\\uABCD\\u043f", "\\ud83d\\ude00\\u4e2d", "\\u4e2d\\uD83D\\uDE00",
                                     "\\n\\t\\r\\f\\b\\/\\\\\\\"\\n\\t\\r\\f\\b\\/\\\\\\\"\\n"};
  char *edge = guarded(SIZE), *got = guarded(SIZE) - SIZE, *want = guarded(SIZE) - SIZE;
  unsigned run, i, byte;
  for (run = 0; run < sizeof runs / sizeof runs[0]; run++)
    for (i = 0; runs[run][i]; i++)
      for (byte = 0; byte < 256; byte++) {
        const size_t n = strlen(runs[run]);
        char *s = edge - n - TAIL, *end = edge - 1;
        const char *close, *at, *at2 = s;
        uint64_t high = 0;
        size_t m;
        unsigned way;
        memcpy(s, runs[run], n);
        memset(s + n, '"', TAIL);
        s[i] = (char)byte;
        *end = 0;
        assert_ptr_equal(text_check_escapes(s, end, &high), text_check_escapes_bytes(s, end, &high));
        close = text_string_end_bytes(s, end, &high);
        if (*close != '"') continue;
        m = (size_t)(text_unescape_bytes(want, &at2, close) - want);
        for (way = 0; way < 2; way++) {
          at = s;
          assert_int_equal(text_unescape(got, &at, close, end, way ? cpu : 0) - got, m);
          assert_ptr_equal(at, at2);
          assert_memory_equal(got, want, m);
        }
      }
  (void)unused;
}

/* Two words of letters of two bytes, with other bytes between them: each length of a word and of a gap, at each place of
** a block, up to an edge and before other text. What it means is known without a reader: c0 + c / 64, 80 + c % 64 (The
** Unicode Standard, table 3-6). */
static char *put_word(char **w, char *s, unsigned letters) {
  unsigned i;
  for (i = 0; i < letters; i++) {
    const unsigned c = 0x100 + random_below(0x700);
    s += sprintf(s, i & 1 ? "\\u%04X" : "\\u%04x", c);
    *(*w)++ = (char)(0xc0 + c / 64);
    *(*w)++ = (char)(0x80 + c % 64);
  }
  return s;
}

static void test_words(void **unused) {
  char *edge = guarded(SIZE), *got = guarded(SIZE) - SIZE, text[LONGEST], want[LONGEST];
  unsigned first, gap, second, before, way;
  for (first = 1; first < 9; first++)
    for (gap = 0; gap < 40; gap += gap < 20 ? 1 : 7)
      for (second = 1; second < 14; second += 1 + random_below(4))
        for (before = 0; before < 130; before += 1 + random_below(SPARSE > 1 ? 40 : 4))
          for (way = 0; way < 4; way++) {
            char *w = want, *s = text;
            const char *close, *at;
            size_t n;
            memset(s, 'x', before), memset(w, 'x', before);
            w += before;
            s = put_word(&w, s + before, first);
            memset(s, 'u', gap), memset(w, 'u', gap);
            s += gap, w += gap;
            s = put_word(&w, s, second);
            n = (size_t)(s - text);
            s = edge - (n + 2 + (way & 1 ? TAIL : 0));
            memcpy(s, text, n);
            memset(s + n, '"', (size_t)(edge - s) - n - 1);
            edge[-1] = 0;
            at = s;
            close = s + n;
            assert_int_equal(text_unescape(got, &at, close, edge - 1, way & 2 ? cpu : 0) - got, w - want);
            assert_ptr_equal(at, close);
            assert_memory_equal(got, want, (size_t)(w - want));
          }
  (void)unused;
}

/* The general escape in blocks and byte by byte; and a reader gets what text_mend says. */
static void test_general_blocks(void **unused) {
  static const char *const parts[] = {
      "a",
      "words, and more",
      "\"",
      "\n\n\n",
      "/",
      "\\",
      "<b>&",
      "\x7f",
      "\1",
      "\xd0\xbc",
      "\xd0\x9a\xd0\xb0\xd0\xb6\xd0\xb4\xc2\x80\xdf\xbf\xc3\xa9\xce\xb1\xd0\xb0",
      "\xd1\x81\xd0\xbb\xd0\xbe\xd0\xb2\xd0\xbe, \xd0\xb8 "
      "\xd0\xbf\xd1\x80\xd0\xb5\xd0\xb4\xd0\xbb\xd0\xbe\xd0\xb6\xd0\xb5\xd0\xbd\xd0\xb8\xd1\x8f ("
      "\xd1\x87\xd0\xb8\xd1\x82\xd0\xb0\xd1\x82\xd0\xb5\xd0\xbb\xd1\x8f) \xd0\xb8 "
      "\xd1\x81\xd0\xbb\xd0\xbe\xd0\xb2\xd0\xbe ",
      "\xe4\xb8\xad",
      "\xe4\xb8\xad\xe6\x96\x87\xe5\xad\x97\xe7\xac\xa6\xe6\xb5\x8b\xe8\xaf\x95",
      "\xf0\x9f\x98\x80",
      "\xe2\x80\xa8",
      "\xe2\x80\xa6",
      " ",
      "\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"",
      "\xff",
      "\xe2\x80",
      "\xed\xa0\x80"};
  enum { GOOD = 19 }; /* the first so many are UTF-8 */
  char *edge = guarded(SIZE), *got, *want = malloc(6 * SIZE), *mended = malloc(3 * SIZE), *read = malloc(3 * SIZE);
  unsigned round;
  for (round = 0; round < ROUNDS; round++) {
    struct text_style style = {.slash = random_below(2),
                               .del = random_below(2),
                               .ascii = random_below(2),
                               .html = random_below(2),
                               .invalid = random_below(4)};
    const int good = style.invalid == TEXT_INVALID_ERROR;
    char text[LONGEST + 100], *s;
    const char *at = want;
    const size_t n = fill(text, random_below(LONGEST), parts, good ? GOOD : sizeof parts / sizeof parts[0]);
    size_t m;
    s = edge - n - (random_below(2) ? TAIL : 0);
    memset(s, '\xd0', (size_t)(edge - s));
    memcpy(s, text, n);
    got = malloc(6 * n + 64);
    m = (size_t)(text_escape_general_portable(want, s, n, &style) - want);
    assert_int_equal(text_escape_general(got, s, n, &style, round & 1 ? cpu : 0) - got, m);
    assert_memory_equal(got, want, m);
    free(got);
    m = (size_t)(text_unescape_bytes(read, &at, want + m) - read);
    assert_int_equal(text_mend(mended, s, n, &style) - mended, m);
    assert_memory_equal(mended, read, m);
  }
  free(want), free(mended), free(read);
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases),  cmocka_unit_test(test_every_byte),
                                     cmocka_unit_test(test_blocks), cmocka_unit_test(test_each_byte),
                                     cmocka_unit_test(test_words),  cmocka_unit_test(test_general_blocks)};
  cpu = text_cpu();
  return cmocka_run_group_tests_name("unescape", tests, NULL, NULL);
}
