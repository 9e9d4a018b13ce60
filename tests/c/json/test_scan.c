/* SPDX-License-Identifier: MIT
** test_scan.c -- the scanner, strict and lenient: what is given for each text, and where each wrong one goes wrong.
** Texts end at an unmapped page, and so does the scratch: one byte too far is a crash.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/json/test_scan.c -lcmocka -lm */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../support/guarded.h"
#include "../support/random.h"
#include "../support/scanning.h"
#include "../support/texts.h"
#include "../support/sparse.h"

#define E(name) JSON_CHECK_##name
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* ------------------------------------------------------------------------------------- at the edge */

enum { EDGE = 65536 };
static char *text_edge, *scratch_edge; /* the first bytes that cannot be read */

/* The text with its 0, as close to the edge as it goes. */
static const char *at_edge(const char *s, size_t n) {
  if (!text_edge) text_edge = guarded(EDGE);
  MUST(n < EDGE);
  memcpy(text_edge - n - 1, s, n);
  text_edge[-1] = 0;
  return text_edge - n - 1;
}

static char *grow_at_edge(void *owner, size_t n) {
  (void)owner;
  if (!scratch_edge) scratch_edge = guarded(EDGE);
  return n > EDGE ? NULL : scratch_edge - n;
}

/* The text read in one grammar; the notes, or NULL with the error. The caller frees. */
static char *scan(const char *s, size_t n, unsigned grammar, enum json_bad_text bad_text, int *error, size_t *where) {
  struct note_sink k;
  const char *text = at_edge(s, n);
  note_read(&k, text, n, grammar, bad_text, grow_at_edge);
  *error = k.scan.error;
  *where = k.scan.error ? (size_t)(k.scan.at - text) : n;
  if (!k.scan.error) return k.notes.s;
  note_free(&k);
  return NULL;
}

static void gives(const char *s, size_t n, unsigned grammar, enum json_bad_text bad_text, const char *wanted,
                  size_t wanted_n) {
  int error;
  size_t where;
  char *got = scan(s, n, grammar, bad_text, &error, &where);
  if (!got) fail_msg("%s (%x): %s at %d", s, grammar, json_check_message(error), (int)where);
  if (memcmp(got, wanted, wanted_n + 1) != 0) fail_msg("%s (%x): %s, not %s", s, grammar, got, wanted);
  free(got);
}

static void fails(const char *s, size_t n, unsigned grammar, enum json_bad_text bad_text, int wanted, size_t at) {
  int error;
  size_t where;
  char *got = scan(s, n, grammar, bad_text, &error, &where);
  if (got) fail_msg("%s (%x): %s", s, grammar, got);
  if (error != wanted || where != at)
    fail_msg("%s (%x): %s at %d, not %s at %d", s, grammar, json_check_message(error), (int)where,
             json_check_message(wanted), (int)at);
}

/* ------------------------------------------------------------------------------------- strict */

/* By hand, and by the oracle, which the random tests rely on. */
static void test_strict(void **unused) {
  struct oracle o;
  size_t i;
  for (i = 0; i < LENGTH(good); i++) {
    oracle_read(&o, good[i], strlen(good[i]));
    assert_int_equal(o.error, 0);
    gives(good[i], strlen(good[i]), 0, JSON_BAD_ERROR, o.notes.s, o.notes.n);
    free(o.notes.s);
  }
  for (i = 0; i < LENGTH(bad); i++) {
    oracle_read(&o, bad[i].text, strlen(bad[i].text));
    assert_int_equal(o.error, bad[i].error);
    assert_int_equal(o.at, bad[i].where);
    fails(bad[i].text, strlen(bad[i].text), 0, JSON_BAD_ERROR, bad[i].error, (size_t)bad[i].where);
    free(o.notes.s);
  }
  (void)unused;
}

static void test_values(void **unused) {
#define GIVES(text, notes) gives(text, sizeof text - 1, 0, JSON_BAD_ERROR, notes, sizeof notes - 1)
  GIVES("[null,true,false]", "[ n t f ] ");
  GIVES("{\"a\":{\"bc\":[]},\"\":{}}", "{ k1:a { k2:bc [ ] } k0: { } } ");
  GIVES("[0,-0,1,-17,9223372036854775807,-9223372036854775808]",
        "[ i0 d-0 i1 i-17 i9223372036854775807 i-9223372036854775808 ] ");
  GIVES("[9223372036854775808,1e400]", "[ b9223372036854775808=9.2233720368547758e+18 b1e400=inf ] ");
  GIVES("[0.5,1e2,-1E-2,1.0]", "[ d0.5 d100 d-0.01 d1 ] ");
  GIVES("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "s8:\"\\/\b\f\n\r\t ");
  GIVES("\"\\u0000\\u00e9\\u20AC\\uD83D\\uDE00\"", "s10:\0\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 ");
#undef GIVES
  (void)unused;
}

/* One odd piece at each place of strings of each length: blocks, their ends, and what comes behind. */
static void test_places(void **unused) {
  /* clang-format off */
  static const char *const pieces[] = {
    "\\n", "\\u00e9", "\\ud83d\\ude00", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\x01", "\xff", "\\x",
    "\\ud800", "\xe2\x82", "\"", "\\", "" };
  /* clang-format on */
  char s[256], plain[100];
  size_t length, place, i, object;
  for (i = 0; i < sizeof plain; i++) plain[i] = (char)(i % 93 < 59 ? 'A' + i % 26 : '#' + i % 20);
  for (i = 0; i < LENGTH(pieces); i++)
    for (length = 0; length < 100; length += length < 70 && SPARSE == 1 ? 1 : 7)
      for (place = 0; place <= length; place += place + 40 < length ? 5 : 1)
        for (object = 0; object < 2; object++) {
          const char *format = object ? "{\"%.*s%s%.*s\":1}" : "[\"%.*s%s%.*s\"]";
          size_t n = (size_t)sprintf(s, format, (int)place, plain, pieces[i], (int)(length - place), plain);
          must_hold(at_edge(s, n), n);
          must_hold(at_edge(s, n - 2 - 2 * object), n - 2 - 2 * object); /* without its end */
        }
  (void)unused;
}

static void test_depth(void **unused) {
  char s[2 * DEEPEST + 4];
  memset(s, '[', DEEPEST + 1);
  memset(s + DEEPEST + 1, ']', DEEPEST + 1);
  must_hold(at_edge(s + 1, 2 * DEEPEST), 2 * DEEPEST);
  fails(s, 2 * DEEPEST + 2, 0, JSON_BAD_ERROR, E(DEPTH), DEEPEST);
  fails(s, 2 * DEEPEST + 2, JSON5_WHOLE, JSON_BAD_ERROR, E(DEPTH), DEEPEST);
  (void)unused;
}

/* ------------------------------------------------------------------------------------- lenient */

enum {
  J5 = JSON5_WHOLE,
  CO = JSON_COMMENTS,
  TC = JSON_TRAILING_COMMAS,
  NL = JSON_NAN_LITERALS,
  NN = JSON_NAN_NULL,
  BO = JSON_BOM,
  CJ = CJSON_GRAMMAR,
  CN = CJSON_GRAMMAR | DROPIN_STRTOD_NUMBERS
};
#define FAULT JSON_BAD_ERROR
#define REPL JSON_BAD_REPLACE
#define ESC JSON_BAD_ESCAPE
#define PASS JSON_BAD_PASS

/* Wrong by RFC 8259, right with leave. A text may hold NUL: sizes are those of the arrays. */
#define T(text) text, sizeof text - 1
static const struct {
  const char *text;
  size_t n;
  unsigned grammar;
  enum json_bad_text bad;
  const char *notes;
  size_t notes_n;
} lenient[] = {
    {T("[1/**/,/***/2//]\n]"), CO, FAULT, T("[ i1 i2 ] ")},
    {T("//\r1//"), CO, FAULT, T("i1 ")},
    {T("/*/*/1/*\"[{*/"), CO, FAULT, T("i1 ")},
    {T("{/*a*/\"k\"/*b*/:/*c*/1/*d*/}"), CO, FAULT, T("{ k1:k i1 } ")},
    {T("1// \xe2\x80\xa8 x"), CO, FAULT, T("i1 ")},
    {T("// \xe2\x80\xa8 1"), J5, FAULT, T("i1 ")},
    {T("// \xe2\x80\xa9"
       "1"),
     J5, FAULT, T("i1 ")},
    {T("/*\0*/1"), CO, FAULT, T("i1 ")},
    {T("[1,]"), TC, FAULT, T("[ i1 ] ")},
    {T("{\"a\":[[],],}"), TC, FAULT, T("{ k1:a [ [ ] ] } ")},
    {T("[1,/**/]"), TC | CO, FAULT, T("[ i1 ] ")},
    {T("[NaN,Infinity,-Infinity]"), NL, FAULT, T("[ dnan dinf d-inf ] ")},
    {T("[NaN,Infinity,-Infinity]"), NN, FAULT, T("[ n n n ] ")},
    {T("[+NaN,-NaN,+Infinity]"), J5, FAULT, T("[ dnan dnan dinf ] ")},
    {T("[+NaN,-NaN,+Infinity]"), J5 | NN, FAULT, T("[ n n n ] ")},
    {T("\xef\xbb\xbf"
       "1"),
     BO, FAULT, T("i1 ")},
    {T("\xef\xbb\xbf\xef\xbb\xbf"
       "1"),
     J5, FAULT, T("i1 ")},
    {T("\v\f\xc2\xa0\xe1\x9a\x80\xe2\x80\x80\xe2\x80\x8a\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaf"
       "\xe2\x81\x9f\xe3\x80\x80\xef\xbb\xbf"
       "1\v"),
     J5, FAULT, T("i1 ")},
    /* numbers: section 6 of JSON5 */
    {T("[+1,.5,5.,-.5,-5.,+.5e1,5.E-1]"), J5, FAULT, T("[ i1 d0.5 d5 d-0.5 d-5 d5 d0.5 ] ")},
    {T("[0x0,0XaF,-0x1f,+0xF]"), J5, FAULT, T("[ i0 i175 i-31 i15 ] ")},
    {T("[0x7fffffffffffffff,-0x8000000000000000]"), J5, FAULT, T("[ i9223372036854775807 i-9223372036854775808 ] ")},
    {T("0x8000000000000000"), J5, FAULT, T("b0x8000000000000000=9.2233720368547758e+18 ")},
    {T("-0x0"), J5, FAULT, T("d-0 ")},
    /* half: to even; more: up */
    {T("0x10000000000000800"), J5, FAULT, T("b0x10000000000000800=1.8446744073709552e+19 ")},
    {T("0x10000000000001801"), J5, FAULT, T("b0x10000000000001801=1.844674407370956e+19 ")},
    {T("-.0"), J5, FAULT, T("d-0 ")},
    {T("0x100000000000008000000000000000001"), J5, FAULT,
     T("b0x100000000000008000000000000000001=3.4028236692093854e+38 ")},
    {T("+12345678901234567890"), J5, FAULT, T("b+12345678901234567890=1.2345678901234567e+19 ")},
    {T("+1e999"), J5, FAULT, T("b+1e999=inf ")},
    /* strings: section 5 */
    {T("['','a\"b',\"a'b\",'\\'\\\"']"), J5, FAULT, T("[ s0: s3:a\"b s3:a'b s2:'\" ] ")},
    {T("\"\\v\\0\\x41\\xe9\\q\\\xc3\xbc\""), J5, FAULT, T("s8:\v\0A\xc3\xa9q\xc3\xbc ")},
    {T("'a\\\nb\\\r\nc\\\rd\\\xe2\x80\xa8"
       "e\\\xe2\x80\xa9'"),
     J5, FAULT, T("s5:abcde ")},
    {T("'\t\0\x1f\xe2\x80\xa8'"), J5, FAULT, T("s6:\t\0\x1f\xe2\x80\xa8 ")},
    {T("'\\u0041\\ud83d\\ude00\\n'"), J5, FAULT, T("s6:A\xf0\x9f\x98\x80\n ")},
    {T("'\\0x'"), J5, FAULT, T("s2:\0x ")},
    /* names: section 3 */
    {T("{a:1,$:2,_9:3,null:4,\\u0061b:5,'c d':6,\xc3\xbc:7,a\\u00e9:8}"), J5, FAULT,
     T("{ k1:a i1 k1:$ i2 k2:_9 i3 k4:null i4 k2:ab i5 k3:c d i6 k2:\xc3\xbc i7 k3:a\xc3\xa9 i8 } ")},
    /* bad text: the first two are examples of the Unicode standard, section 3.9 */
    {T("\"a\xf1\x80\x80\xe1\x80\xc2"
       "b\x80"
       "c\x80\xbf"
       "d\""),
     0, REPL,
     T("s22:a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
       "b\xef\xbf\xbd"
       "c\xef\xbf\xbd\xef\xbf\xbd"
       "d ")},
    {T("\"\xc0\xaf\xe0\x80\xbf\xf0\x81\x82"
       "A\""),
     0, REPL,
     T("s25:\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
       "A ")},
    {T("\"\xe2\x82\\n\xff\""), 0, ESC, T("s7:\xc3\xa2\xc2\x82\n\xc3\xbf ")},
    {T("\"\xe2\x82\\n\xff\""), 0, PASS, T("s4:\xe2\x82\n\xff ")},
    {T("\"\\ud800\\n\""), 0, REPL, T("s4:\xef\xbf\xbd\n ")},
    {T("\"\\ud800\\n\""), 0, ESC, T("s4:\xef\xbf\xbd\n ")},
    {T("\"\\udc00\\ud800\\u0041\""), 0, PASS,
     T("s7:\xed\xb0\x80\xed\xa0\x80"
       "A ")},
    {T("{\"\xff\":1}"), 0, REPL, T("{ k3:\xef\xbf\xbd i1 } ")},
    {T("\"\\ud800\xff\""), 0, REPL, T("s6:\xef\xbf\xbd\xef\xbf\xbd ")},
    {T("'\xff\\x41'"), J5, REPL,
     T("s4:\xef\xbf\xbd"
       "A ")},
    /* lua-cjson: what strtod reads, in strings anything but 0 */
    {T("1."), CJ, FAULT, T("d1 ")},
    {T("-.5"), CJ, FAULT, T("d-0.5 ")},
    {T("[1.e2]"), CJ, FAULT, T("[ d100 ] ")},
    {T("007"), CN, FAULT, T("i7 ")},
    {T("-00.5"), CN, FAULT, T("d-0.5 ")},
    {T("00"), CN, FAULT, T("i0 ")},
    {T("-00"), CN, FAULT, T("d-0 ")},
    {T("+12"), CN, FAULT, T("i12 ")},
    {T("+.5e1"), CN, FAULT, T("d5 ")},
    {T("0x10"), CN, FAULT, T("d16 ")},
    {T("-0X.8"), CN, FAULT, T("d-0.5 ")},
    {T("0x1P4"), CN, FAULT, T("d16 ")},
    {T("[0x6.ffp1,0xA]"), CN, FAULT, T("[ d13.9921875 d10 ] ")},
    {T("+inf"), CN, FAULT, T("dinf ")},
    {T("[-INFINITY,iNf]"), CN, FAULT, T("[ d-inf dinf ] ")},
    {T("{\"a\":-NaN}"), CN, FAULT, T("{ k1:a dnan } ")},
    {T("\"\t\xff\\n\x7f\""), CJ, FAULT, T("s4:\t\xff\n\x7f ")},
    {T("{\"\n\":1}"), CJ, FAULT, T("{ k1:\n i1 } ")},
    {T("//\r\n1"), CJ | CO, FAULT, T("i1 ")},
};

static void test_lenient(void **unused) {
  struct oracle o;
  size_t i;
  for (i = 0; i < LENGTH(lenient); i++) {
    gives(lenient[i].text, lenient[i].n, lenient[i].grammar, lenient[i].bad, lenient[i].notes, lenient[i].notes_n);
    oracle_read(&o, lenient[i].text, lenient[i].n);
    assert_int_not_equal(o.error, 0);
    fails(lenient[i].text, lenient[i].n, 0, FAULT, o.error, o.at);
    free(o.notes.s);
    must_hold(at_edge(lenient[i].text, lenient[i].n), lenient[i].n);
  }
  (void)unused;
}

/* Wrong with leave too. */
static const struct {
  const char *text;
  size_t n;
  unsigned grammar;
  enum json_bad_text bad;
  int error, where;
} wrong[] = {
    {T("/*"), CO, FAULT, E(COMMENT), 0},
    {T("1 /*/"), CO, FAULT, E(COMMENT), 2},
    {T("[1,/* ]"), CO, FAULT, E(COMMENT), 3},
    {T("{/*"), J5, FAULT, E(COMMENT), 1},
    {T("//"), CO, FAULT, E(END), 2},
    {T("/"), J5, FAULT, E(VALUE), 0},
    {T("1/"), J5, FAULT, E(AFTER), 1},
    {T("[/ /x\n]"), CO, FAULT, E(VALUE), 1},
    {T("#\n1"), J5, FAULT, E(VALUE), 0},
    {T("/**/1"), TC | NL | BO, FAULT, E(VALUE), 0},
    {T("[,]"), J5, FAULT, E(VALUE), 1},
    {T("[1,,]"), J5, FAULT, E(VALUE), 3},
    {T("{,}"), J5, FAULT, E(NAME), 1},
    {T("{\"a\":1,,}"), J5, FAULT, E(NAME), 7},
    {T("{a:}"), J5, FAULT, E(VALUE), 3},
    {T("{a:]"), J5, FAULT, E(VALUE), 3},
    {T("[1,}"), J5, FAULT, E(VALUE), 3},
    {T("{a:1,]"), J5, FAULT, E(NAME), 5},
    {T("1,"), J5, FAULT, E(AFTER), 1},
    {T("]"), J5, FAULT, E(VALUE), 0},
    {T("[1,"), J5, FAULT, E(END), 3},
    {T("{"), J5, FAULT, E(END), 1},
    {T("{a"), J5, FAULT, E(END), 2},
    {T("{a b"), J5, FAULT, E(COLON), 3},
    {T("{'a'"), J5, FAULT, E(END), 4},
    {T("[nan]"), NL, FAULT, E(VALUE), 1},
    {T("[-NaN]"), NL, FAULT, E(NUMBER), 2},
    {T("[+NaN]"), NL, FAULT, E(VALUE), 1},
    {T("[-Infinit]"), NL, FAULT, E(NUMBER), 2},
    {T("[-Infinity]"), CO, FAULT, E(NUMBER), 2},
    {T("[NaNs]"), J5, FAULT, E(ARRAY), 4},
    {T("+"), J5, FAULT, E(NUMBER), 1},
    {T("-"), J5, FAULT, E(NUMBER), 1},
    {T("."), J5, FAULT, E(NUMBER), 1},
    {T("-."), J5, FAULT, E(NUMBER), 2},
    {T(".e1"), J5, FAULT, E(NUMBER), 1},
    {T("01"), J5, FAULT, E(NUMBER), 1},
    {T("-01"), J5, FAULT, E(NUMBER), 2},
    {T("+00"), J5, FAULT, E(NUMBER), 2},
    {T("1e"), J5, FAULT, E(NUMBER), 2},
    {T("1.e+"), J5, FAULT, E(NUMBER), 4},
    {T("0x"), J5, FAULT, E(NUMBER), 2},
    {T("-0xg"), J5, FAULT, E(NUMBER), 3},
    {T("--1"), J5, FAULT, E(NUMBER), 1},
    {T("0x1.8"), J5, FAULT, E(AFTER), 3},
    {T("1..2"), J5, FAULT, E(AFTER), 2},
    {T("1_0"), J5, FAULT, E(AFTER), 1},
    {T("0x1"), TC, FAULT, E(AFTER), 1},
    {T("-a"), TC, FAULT, E(NUMBER), 1},
    {T("1."), TC, FAULT, E(NUMBER), 2},
    {T("+1"), TC, FAULT, E(VALUE), 0},
    {T("'a"), J5, FAULT, E(END), 2},
    {T("'a\""), J5, FAULT, E(END), 3},
    {T("'a\nb'"), J5, FAULT, E(CONTROL), 2},
    {T("\"\r\""), J5, FAULT, E(CONTROL), 1},
    {T("'\\"), J5, FAULT, E(ESCAPE), 1},
    {T("'\\1'"), J5, FAULT, E(ESCAPE), 1},
    {T("'\\9'"), J5, FAULT, E(ESCAPE), 1},
    {T("'a\\01'"), J5, FAULT, E(ESCAPE), 2},
    {T("'\\x4'"), J5, FAULT, E(ESCAPE), 1},
    {T("'\\x4"), J5, FAULT, E(ESCAPE), 1},
    {T("'\\u004'"), J5, FAULT, E(ESCAPE), 1},
    {T("'\\xg0'"), J5, FAULT, E(ESCAPE), 1},
    {T("'\\ud800'"), J5, FAULT, E(SURROGATE), 1},
    {T("'\xff'"), J5, FAULT, E(UTF8), 1},
    {T("'\\\xff'"), J5, FAULT, E(UTF8), 2},
    {T("'\\x41'"), CO, FAULT, E(VALUE), 0},
    {T("\"\\x41\""), CO, FAULT, E(ESCAPE), 1},
    {T("\"\t\""), CO, FAULT, E(CONTROL), 1},
    {T("\"\xff\\x41\""), 0, REPL, E(ESCAPE), 2},
    {T("\"\xff\x01\\x\""), 0, ESC, E(CONTROL), 2},
    {T("\"\xff"), 0, PASS, E(END), 2},
    {T("\"\xff\\"), 0, PASS, E(ESCAPE), 2},
    {T("\"\\ud800\\u12\""), 0, REPL, E(ESCAPE), 7},
    {T("\"\\v\xff\""), 0, REPL, E(ESCAPE), 1},
    {T("\xff"), 0, REPL, E(VALUE), 0},
    {T("{1a:1}"), J5, FAULT, E(NAME), 1},
    {T("{:1}"), J5, FAULT, E(NAME), 1},
    {T("{a-b:1}"), J5, FAULT, E(COLON), 2},
    {T("{a\\x41:1}"), J5, FAULT, E(ESCAPE), 2},
    {T("{a\\"), J5, FAULT, E(ESCAPE), 2},
    {T("{\\u0020:1}"), J5, FAULT, E(ESCAPE), 1},
    {T("{\\u0031:1}"), J5, FAULT, E(ESCAPE), 1},
    {T("{\\u00a0:1}"), J5, FAULT, E(ESCAPE), 1},
    {T("{a\\u2028:1}"), J5, FAULT, E(ESCAPE), 2},
    {T("{\xc2\xa0:1}"), J5, FAULT, E(NAME), 3},
    {T("{a:1}"), CO | TC | NL, FAULT, E(NAME), 1},
    {T("{'a':1}"), CO | TC | NL, FAULT, E(NAME), 1},
    {T("\v1"), CO, FAULT, E(VALUE), 0},
    {T("\xef\xbb\xbf"
       "1"),
     CO, FAULT, E(BOM), 0},
    {T("1\xef\xbb\xbf"), BO, FAULT, E(AFTER), 1},
    {T("\xef\xbb"), J5, FAULT, E(VALUE), 0},
    {T("01"), CJ, FAULT, E(NUMBER), 0},
    {T("-0x1"), CJ, FAULT, E(NUMBER), 0},
    {T("-inf"), CJ, FAULT, E(NUMBER), 0},
    {T("+1"), CJ, FAULT, E(VALUE), 0},
    {T("nan"), CJ, FAULT, E(VALUE), 0},
    {T(".5"), CN, FAULT, E(VALUE), 0},
    {T("1e"), CJ, FAULT, E(AFTER), 1},
    {T("[1.5e+]"), CN, FAULT, E(ARRAY), 4},
    {T("0x"), CN, FAULT, E(AFTER), 1},
    {T("0x1p"), CN, FAULT, E(AFTER), 3},
    {T("-."), CN, FAULT, E(NUMBER), 0},
    {T("+-1"), CN, FAULT, E(NUMBER), 0},
    {T("-"), CJ, FAULT, E(NUMBER), 0},
    {T("\"\\x41\""), CN, FAULT, E(ESCAPE), 1},
    {T("'a'"), CN, FAULT, E(VALUE), 0},
    {T("\"\\ud800\""), CN, FAULT, E(SURROGATE), 1},
    {T("//\r1"), CJ | CO, FAULT, E(END), 4},
};

static void test_wrong(void **unused) {
  size_t i;
  for (i = 0; i < LENGTH(wrong); i++) {
    fails(wrong[i].text, wrong[i].n, wrong[i].grammar, wrong[i].bad, wrong[i].error, (size_t)wrong[i].where);
    must_hold(at_edge(wrong[i].text, wrong[i].n), wrong[i].n);
  }
  (void)unused;
}

/* A string of the worst bytes takes thrice its room, to the byte; a quote that is escaped does not end it. */
static void test_room(void **unused) {
  char s[200] = "\"\\\"";
  size_t n;
  for (n = 1; n < 150; n++) {
    unsigned bad_text;
    memset(s + 3, '\xff', n);
    s[n + 3] = '"';
    for (bad_text = REPL; bad_text <= PASS; bad_text++) {
      int error;
      size_t where;
      char *got = scan(s, n + 4, 0, (enum json_bad_text)bad_text, &error, &where);
      assert_non_null(got);
      assert_int_equal(atoi(got + 1), 1 + (bad_text == REPL ? 3 : bad_text == ESC ? 2 : 1) * n);
      free(got);
    }
  }
  (void)unused;
}

/* Hexadecimal integers up to the largest double and beyond: 16 ** 256 is 2 ** 1024. */
static void test_hex(void **unused) {
  char s[400], wanted[500];
  size_t digits;
  for (digits = 17; digits < 300; digits++) {
    size_t n = (size_t)sprintf(s, "-0x1%0*d", (int)digits - 1, 0);
    sprintf(wanted, "b%s=%.17g ", s, -ldexp(1, 4 * (int)(digits - 1)));
    gives(s, n, J5, FAULT, wanted, strlen(wanted));
  }
  (void)unused;
}

/* A hexadecimal float without a sign, rounded once, half to even (IEEE 754-2019, 4.3.1), by whole numbers alone: not
** every C library's strtod is exact. */
static double hex_float(const char *s) {
  uint64_t kept = 0, rest;
  int exponent = 0, lost = 0, point = 0, bits, drop;
  for (s += 2; *s && (*s | 32) != 'p'; s++) {
    const int digit = *s <= '9' ? *s - '0' : (*s | 32) - 'a' + 10;
    if (*s == '.') {
      point = 1;
      continue;
    }
    if (kept >> 60) lost |= digit, exponent += point ? 0 : 4;
    else kept = kept << 4 | (unsigned)digit, exponent -= point ? 4 : 0;
  }
  if (*s) exponent += atoi(s + 1);
  for (bits = 0; bits < 64 && kept >> bits; bits++) continue;
  drop = bits - 53 > -1074 - exponent ? bits - 53 : -1074 - exponent;
  if (drop <= 0) return ldexp((double)kept, exponent);
  if (drop > 64) return 0;
  rest = drop == 64 ? kept : kept & ((UINT64_C(1) << drop) - 1);
  kept = drop == 64 ? 0 : kept >> drop;
  if (rest > UINT64_C(1) << (drop - 1) || (rest == UINT64_C(1) << (drop - 1) && (lost || (kept & 1)))) kept++;
  return ldexp((double)kept, exponent + drop);
}

/* lua-cjson's hexadecimal floats. */
static void test_hex_floats(void **unused) {
  static const char digits[] = "0123456789abcdefABCDEF00000fffff";
  long i;
  for (i = 0; i < 200000 / SPARSE; i++) {
    char s[100], wanted[60];
    size_t n = (size_t)sprintf(s, "%s0%c", i & 1 ? "-" : "", i & 2 ? 'x' : 'X'), k, some = 1 + random_below(40);
    unsigned point = random_below(3) ? random_below(45) : 99;
    for (k = 0; k < some; k++) {
      if (k == point) s[n++] = '.';
      s[n++] = digits[random_below(32)];
    }
    if (random_below(4))
      n += (size_t)sprintf(s + n, "p%d",
                           random_below(2) ? (int)random_below(2300) - 1150
                                           : -1074 + (int)random_below(8) - 4 * (int)some);
    s[n] = 0;
    sprintf(wanted, "d%s%.17g ", i & 1 ? "-" : "", hex_float(s + (i & 1)));
    gives(s, n, CN, FAULT, wanted, strlen(wanted));
  }
  (void)unused;
}

static char *grow_nothing(void *owner, size_t n) { return (void)owner, (void)n, (char *)NULL; }

static void test_no_memory(void **unused) {
  static const char *const texts[] = {"\"\\n\"", "['a']", "{\"\\u0061\":1}", "{a:1}", "[.5]", "[+0]", "\"\\x41\""};
  struct note_sink k;
  size_t i;
  for (i = 0; i < LENGTH(texts); i++) {
    size_t n = strlen(texts[i]);
    note_read(&k, at_edge(texts[i], n), n, J5, FAULT, grow_nothing);
    assert_int_equal(k.scan.error, E(MEMORY));
    note_free(&k);
  }
  (void)unused;
}

/* ------------------------------------------------------------------------------------- at random */

static size_t any_text(char *s) {
  size_t i = random_below(LENGTH(good) + LENGTH(bad) + LENGTH(lenient)), n;
  const char *t;
  if (i < LENGTH(good)) t = good[i], n = strlen(t);
  else if ((i -= LENGTH(good)) < LENGTH(bad)) t = bad[i].text, n = strlen(t);
  else t = lenient[i - LENGTH(bad)].text, n = lenient[i - LENGTH(bad)].n;
  memcpy(s, t, n);
  return n;
}

static void test_random(void **unused) {
  static const char marks[] =
      "\"\"''\\\\/*,,::[]{}+-.0x1eEuN nt\n\r\t\v\0\x1f\xc2\xa0\xe2\x80\xa8\xef\xbb\xbf\xed\xa0\xff";
  const char *count = getenv("FLEECE_TEST_COUNT");
  long left = (count ? atol(count) : 1000000) / 4;
  for (; left > 0; left--) {
    char s[1024];
    size_t n = any_text(s);
    unsigned edits = random_below(4);
    if (random_below(3) == 0) s[n++] = ",:/ "[random_below(4)], n += any_text(s + n);
    if (random_below(2)) memmove(s + 1, s, n), *s = '[', s[++n] = ']', n++;
    while (edits--) {
      size_t at = random_below(n + 1);
      switch (random_below(4)) {
      case 0:
        if (at < n) memmove(s + at, s + at + 1, --n - at);
        break;
      case 1: n = random_below(8) ? n : at; break;
      case 2:
        if (at < n) s[at] = random_below(4) ? marks[random_below(sizeof marks - 1)] : (char)random_below(256);
        break;
      default: memmove(s + at + 1, s + at, n++ - at), s[at] = marks[random_below(sizeof marks - 1)];
      }
    }
    must_hold(at_edge(s, n), n);
  }
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_strict),    cmocka_unit_test(test_values),  cmocka_unit_test(test_places),
      cmocka_unit_test(test_depth),     cmocka_unit_test(test_lenient), cmocka_unit_test(test_wrong),
      cmocka_unit_test(test_room),      cmocka_unit_test(test_hex),     cmocka_unit_test(test_hex_floats),
      cmocka_unit_test(test_no_memory), cmocka_unit_test(test_random)};
  return cmocka_run_group_tests_name("scan", tests, NULL, NULL);
}
