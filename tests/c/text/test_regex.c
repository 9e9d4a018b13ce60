/* SPDX-License-Identifier: MIT
** test_regex.c -- the regular expressions of ECMA 262: properties of characters, look-around, and what is refused.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/text/test_regex.c -lcmocka */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "regex/compile.h"
#include "regex/table.h"

static struct regex *compile(const char *pattern) {
  struct regex_compiler c;
  struct regex *r;
  if (!regex_compile(&c, NULL, pattern, strlen(pattern))) fail_msg("%s: %s", pattern, c.error);
  assert_non_null(r = (struct regex *)malloc(regex_size(&c.size)));
  *r = c.size;
  assert_true(regex_compile(&c, r, pattern, strlen(pattern)));
  return r;
}

static int search(const struct regex *r, const char *s, size_t n) {
  uint32_t *scratch = (uint32_t *)calloc(1, regex_scratch_for(r, n));
  int found;
  assert_non_null(scratch);
  found = regex_search(r, scratch, s, n);
  free(scratch);
  return found;
}

static unsigned draw(unsigned n) {
  static uint32_t state = 1;
  state = state * 1103515245u + 12345u;
  return (unsigned)(state >> 16) % n;
}

/* Random expressions and texts: a table finds what the search finds. */
static void test_tables(void **unused) {
  static const char *const parts[] = {"a",      "b",        "[ab]",  "[^a]",     ".",
                                      "\\d",    "(a|bc)",   "(ab)*", "b+",       "c?",
                                      "a{1,3}", "|",        "^",     "$",        "(^a|b$)",
                                      "\\s",    "\xc3\xa9", "(a*)*", "[b-d]{2}", "x",
                                      "(|a)",   "\\S",      "\\W",   "[^\\s]",   "[b\xc3\xa9-\xc3\xaf]"};
  static const char *const heads[] = {"^",
                                      "^(?=.*b)",
                                      "^(?!a*b)",
                                      "^(?=a|b$)",
                                      "^(?!.*\\s)",
                                      "^(?=[^x]+$)(?!bc)",
                                      "^(?!$)(?=.*\\d)(?=.*[a-d])",
                                      "^(?=)(?!x)",
                                      "^(?!)"};
  static const char *const characters[] = {
      "a", "b", "c", "d", "1", " ", "x", "\n", "\xc3\xa9", "\xc3\xaf", "\xe2\x80\xa8", "\xf0\x9f\x98\x80", "\xe2\x80"};
  size_t made = 0, found = 0, i, j;
  (void)unused;
  for (i = 0; i < 3000; i++) {
    char pattern[128];
    struct regex *r;
    struct regex_table *table;
    const unsigned many = 1 + draw(8);
    strcpy(pattern, draw(2) ? "" : heads[draw(sizeof heads / sizeof *heads)]);
    for (j = 0; j < many; j++) {
      const char *part = parts[draw(sizeof parts / sizeof *parts)];
      if (strlen(pattern) + strlen(part) < sizeof pattern - 1) strcat(pattern, part);
    }
    r = compile(pattern);
    assert_non_null(table = (struct regex_table *)malloc(regex_table_size(regex_table_room(r))));
    for (j = 0; regex_make_table(r, table) && j < 20; j++) {
      char text[64] = "";
      size_t n = draw(12), at;
      for (at = 0; at < n; at++) strcat(text, characters[draw(at % 2 ? 8 : sizeof characters / sizeof *characters)]);
      n = strlen(text);
      made++;
      found += (size_t)search(r, text, n);
      if (regex_search_table(r, table, text, n) != search(r, text, n)) fail_msg("%s: %.*s", pattern, (int)n, text);
    }
    free(table);
    free(r);
  }
  assert_true(made >= 50000 && made <= 60000);
  assert_true(found >= made / 8 && found <= made - made / 8);
  {
    static const char *const none[] = {"\\ba",
                                       "(?=a)a",
                                       "a{257}",
                                       "(a|b)*a(a|b){9}",
                                       "^(?<=a)",
                                       "^(?=a)|(?=b)",
                                       "^(?=a(?=b))",
                                       "^a(?=b)",
                                       "^\\s\xc3\xa8\xc3\xaa.[\xc3\xa9-\xc3\xaf]"};
    struct regex *r;
    struct regex_table *table = (struct regex_table *)malloc(regex_table_size(REGEX_TABLE_ENTRIES));
    assert_non_null(table);
    for (i = 0; i < sizeof none / sizeof *none; i++) {
      r = compile(none[i]);
      if (regex_make_table(r, table)) fail_msg("%s", none[i]);
      free(r);
    }
    free(table);
  }
}

/* ECMA 262, section 22.2: what matches somewhere in a text, and what does not. */
static void test_matches(void **unused) {
  static const struct {
    const char *pattern, *yes, *no;
  } cases[] = {
      {"^a(?=b)", "ab", "ac"},
      {"^a(?!b)", "ac", "ab"},
      {"(?<=a)b$", "ab", "cb"},
      {"(?<!a)b$", "cb", "ab"},
      {"^(?=.*\\d)(?=.*[a-z]).{4,}$", "abc1", "abcd"},
      {"^(?!.*--)[a-z-]+$", "a-b", "a--b"},
      {"(?<=a+)b", "aab", "b"},
      {"(?<=\\$)\\d+", "$12", "12"},
      {"^(?:(?!foo).)*$", "barfo", "afoo"},
      {"^(?=(?!a)b)", "b", "a"},
      {"(?<=(?<!x)a)b", "ab", "xab"},
      {"(?=a|b)c|d", "d", "c"},
      {"^(a(?=b)b){2}$", "abab", "abaa"},
      {"(?=(a*)*b)a", "aab", "aac"},
      {"(?<=^\\p{L}{2})1", "\xc3\xa9z1", "1z1"},
      {"(?=\xf0\x9f\x98\x80$)", "a\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80z"},
      {"\\b(?=a)", "b a", "ba"},
      {"^\\p{Lu}", "\xc3\x89", "\xc3\xa9"},
      {"^\\P{Lu}", "\xc3\xa9", "\xc3\x89"},
      {"^\\p{Letter}+$", "a\xc3\xa9", "a1"},
      {"^\\p{gc=Nd}$", "\xe0\xa7\xaa", "x"},
      {"^\\p{General_Category=Decimal_Number}$", "7", "x"},
      {"^\\p{digit}+$", "42", "-%#"},
      {"^[\\p{Ll}_]+$", "a_", "A_"},
      {"^[^\\p{Ll}_]+$", "A1", "A_"},
      {"^\\p{ASCII}$", "~", "\xc3\xa9"},
      {"^\\P{ASCII}$", "\xc3\xa9", "~"},
      {"^\\p{Any}$", "\xf0\x9f\x98\x80", ""},
      {"^\\p{LC}$", "a", "\xd7\x90"},
      {"^\\u{1F600}$", "\xf0\x9f\x98\x80", "a"},
      {"^abc$", "abc", "abc\n"},
      {"^[t-za-cb-ft]$", "e", "g"}, /* ranges in any order, which overlap */
      {"^[\xe4\xb8\xad\xe6\x96\x87\xc3\xa9]$", "\xe4\xb8\xad", "\xe4\xb8\xae"},
      {"^[^\xe6\x96\x87-\xe6\x96\x89\xc3\xa9-\xc3\xaf]$", "\xe6\x96\x8a", "\xe6\x96\x88"},
      {"^[a-c\xc3\xa9]+$", "ab\xc3\xa9", ""}, /* a class that is repeated */
      {"^[a-c]+$", "c", "abcd"},
      {"^[a-c]*$", "", "x"},
      {"^[^\\s]*$", "\xf0\x9f\x98\x80", "a b"},
      {"^.+$", "a", "a\nb"},
      {"^.{1,300}$", "\xf0\x9f\x98\x80z", ""},
      {"^[ab]{2}$", "ab", "aba"},
      {"^[ab]{2,}$", "aba", "a"},
      {"^[ab]{2,3}$", "aba", "abab"},
      {"^[ab]{0,2}$", "", "aba"},
      {"^[ab]?$", "b", "ba"},
      {"^([ab]{3,})$", "aba", "ab"},
      {"^(?:[ab]{1,2})$", "ab", "aba"},
      {"^([ab]|c)$", "c", "ac"},
      {"^([ab])*$", "", "ac"},
      {"^[ab]+$|c", "xc", "x"}, /* these are more than that */
      {"^[ab]?[ab]$", "ab", "bbb"},
      {"^[ab][cd]*$", "acd", "aa"},
      {"^[ab]*[ab]{2}$", "aab", "a"},
      {"^[ab]+b$", "ab", "aa"},
      {"^x?[ab]*$", "xa", "xx"},
      {"^\\d$", "0", "\xe0\xa7\xaa"},
  };
  size_t i;
  (void)unused;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct regex *r = compile(cases[i].pattern);
    if (!search(r, cases[i].yes, strlen(cases[i].yes))) fail_msg("%s: %s", cases[i].pattern, cases[i].yes);
    if (search(r, cases[i].no, strlen(cases[i].no))) fail_msg("%s: not %s", cases[i].pattern, cases[i].no);
    free(r);
  }
}

static void test_refused(void **unused) {
  static const struct {
    const char *pattern;
    int at, is_back_reference;
  } cases[] = {{"(a)\\1", 3, 1},  {"(?<n>a)\\k<n>", 7, 1}, {"\\p{Nope}", 0, 0}, {"\\p{Script=Greek}", 0, 0},
               {"\\pL", 0, 0},    {"[\\p{}]", 1, 0},       {"(?=a", 4, 0},      {"(?=a)*", 5, 0},
               {"(?<=a)+", 6, 0}, {"\\a", 0, 0},           {"(?P<n>a)", 0, 0},  {"(?#a)", 0, 0},
               {"a)", 1, 0},      {"(?<=", 4, 0}};
  struct regex_compiler c;
  char many[5 * REGEX_LOOKS + 6];
  size_t i;
  (void)unused;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (regex_compile(&c, NULL, cases[i].pattern, strlen(cases[i].pattern))) fail_msg("%s", cases[i].pattern);
    if (c.at - c.begin != cases[i].at) fail_msg("%s: at %d", cases[i].pattern, (int)(c.at - c.begin));
    assert_int_equal(c.is_back_reference, cases[i].is_back_reference);
    assert_false(c.is_limit);
  }
  for (i = 0; i < REGEX_LOOKS; i++) memcpy(many + 5 * i, "(?=a)", 5);
  assert_true(regex_compile(&c, NULL, many, 5 * REGEX_LOOKS));
  memcpy(many + 5 * REGEX_LOOKS, "(?=a)", 5);
  assert_false(regex_compile(&c, NULL, many, 5 * REGEX_LOOKS + 5));
  assert_true(c.is_limit);
}

/* Patterns on which a search that goes back takes ages, and bytes that are no UTF-8. */
static void test_long_texts(void **unused) {
  enum { LENGTH = 100000 };
  static const char *const patterns[] = {"^(?=(a*)*b)", "(?<=(a|aa)+b)$", "^(?!(a+)+b)a*c", "(?=.*b)(?=.*c)d"};
  char *text = (char *)malloc(LENGTH);
  size_t i;
  (void)unused;
  assert_non_null(text);
  memset(text, 'a', LENGTH);
  for (i = 0; i < sizeof patterns / sizeof *patterns; i++) {
    struct regex *r = compile(patterns[i]);
    assert_false(search(r, text, LENGTH));
    free(r);
  }
  for (i = 0; i < LENGTH; i++) text[i] = (char)(i % 3 ? 0xe2 : 0x82);
  {
    struct regex *r = compile("(?=\\u{fffd})(?<=\\u{fffd}{3})\\u{fffd}$");
    assert_true(search(r, text, LENGTH));
    assert_true(search(r, text, 5));
    assert_false(search(r, text, 3));
    free(r);
  }
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_matches), cmocka_unit_test(test_refused),
                                     cmocka_unit_test(test_long_texts), cmocka_unit_test(test_tables)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
