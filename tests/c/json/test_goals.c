/* SPDX-License-Identifier: MIT
** test_goals.c -- what the readers of json/index share: the tree of goals, JSON pointers as steps, and strings where they
** stand; and where the list begins that a pointer leads to.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/json/test_goals.c -lcmocka -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "json/index/goals.h"
#include "json/index/locate.h"
#include "json/index/quoted.h"
#include "json/index/seek.h"
#include "json/index/steps.h"
#include "text/cpu.h"
#include "../support/goals.h"

/* ------------------------------------------------------------------------------------- goals */

static void test_goals(void **unused) {
  static const struct path list[] = {
      {{NAME("a"), NAME("b")}, 2},
      {{ITEM(0)}, 1},
      {{NAME("a")}, 1},
      {{EITHER("0", 0)}, 1},
      {{NAME("a"), NAME("c"), ITEM(-1)}, 3},
      {{NAME("0")}, 1},
      {{NAME("a"), NAME("b")}, 2},
      {{ITEM(-1)}, 1},
      {{{NULL, 0, 0, 0}}, 0},
      {{NAME("ab")}, 1},
      {{ITEM(-1)}, 1},
  };
  struct paths p;
  uint32_t g, i;
  build(&p, list, 11);
  assert_int_equal(p.count, 10);
  assert_int_equal(p.goals[0].count, 6); /* names by length and bytes, then items: 0, either, a, ab, [-1], [0] */
  assert_int_equal(p.goals[0].first, 1);
  assert_int_equal(p.goals[0].wanted, 1);
  assert_int_equal(p.to[8].goal, 0);
  assert_int_equal(p.to[5].goal, 1);
  assert_int_equal(p.to[3].goal, 2);
  assert_int_equal(p.to[2].goal, 3);
  assert_int_equal(p.to[9].goal, 4);
  assert_int_equal(p.to[7].goal, 5);
  assert_int_equal(p.to[1].goal, 6);
  assert_int_equal(p.to[0].goal, p.to[6].goal);
  assert_int_equal(p.to[7].goal, p.to[10].goal);
  assert_int_equal(p.goals[3].count, 2);
  assert_int_equal(p.goals[p.goals[3].first + 1].wanted, 0); /* a.c is only on the way */
  for (g = 0; g < p.count; g++) {
    assert_true(p.goals[g].first > g);
    assert_true(p.goals[g].first + p.goals[g].count <= p.count);
  }
  /* Each path is found again by going down the tree. */
  for (i = 0; i < p.n; i++) {
    size_t step;
    for (g = 0, step = 0; step < list[i].count; step++) {
      const struct json_step *wanted = &list[i].steps[step];
      uint32_t c, next = 0;
      for (c = p.goals[g].first; c < p.goals[g].first + p.goals[g].count; c++) {
        const struct json_step *is = &p.goals[c].step;
        if (is->name == wanted->name && is->index == wanted->index && is->indexes == wanted->indexes) next = c;
      }
      assert_true(next > 0);
      if (wanted->name && !wanted->indexes)
        assert_int_equal(json_first_child(p.goals, &p.goals[g], wanted->name, wanted->n), next);
      g = next;
    }
    assert_int_equal(g, p.to[i].goal);
    assert_int_equal(p.goals[g].wanted, 1);
  }
  for (g = 0; g < p.count; g++) /* no two children have equal steps */
    for (i = p.goals[g].first; i < p.goals[g].first + p.goals[g].count; i++) {
      const struct json_step *a = &p.goals[i].step, *b;
      uint32_t j;
      for (j = p.goals[g].first; j < i; j++) {
        b = &p.goals[j].step;
        assert_true(a->name != b->name || a->indexes != b->indexes || a->index != b->index);
      }
    }
  assert_int_equal(json_build_goals(p.goals, p.to, 0), 1);
  assert_int_equal(p.goals[0].count + (uint32_t)p.goals[0].wanted, 0);
  (void)unused;
}

/* Of many children each is found by its name, and both that one name has; other names are not. */
static void test_many_goals(void **unused) {
  enum { MANY = 1000 };
  static char names[MANY][8];
  static struct json_step steps[MANY + 1];
  static struct json_goal_path paths[MANY + 1];
  static struct json_goal goals[MANY + 2];
  uint32_t i;
  for (i = 0; i < MANY; i++) {
    const uint32_t number = i * 7919 % MANY; /* a prime number: in no order */
    steps[i].name = names[i];
    steps[i].n = (size_t)snprintf(names[i], sizeof names[i], "%u", number);
    paths[i].steps = &steps[i];
    paths[i].count = 1;
  }
  steps[MANY] = steps[0]; /* "0" */
  steps[MANY].indexes = 1;
  paths[MANY].steps = &steps[MANY];
  paths[MANY].count = 1;
  assert_int_equal(json_build_goals(goals, paths, MANY + 1), MANY + 2);
  for (i = 0; i < MANY; i++) {
    const uint32_t c = json_first_child(goals, goals, names[i], steps[i].n);
    const uint32_t next = json_next_child(goals, goals, c, names[i], steps[i].n);
    assert_int_equal(c, paths[i].goal);
    assert_int_equal(next, i ? MANY + 2 : paths[MANY].goal);
  }
  assert_int_equal(json_first_child(goals, goals, "1000", 4), MANY + 2);
  assert_int_equal(json_first_child(goals, goals, "", 0), MANY + 2);
  assert_int_equal(json_first_child(goals, goals, "00", 2), MANY + 2);
  (void)unused;
}

/* ------------------------------------------------------------------------------------- pointers */

/* JSON pointers as steps. "-" is the item after the last one only where that is asked for. */
static void test_pointer_steps(void **unused) {
  static const struct {
    const char *token;
    int64_t index; /* -1: none */
    int indexes, after_indexes;
  } rows[] = {{"", -1, 0, 0},   {"-", 77, 0, 1},  {"--", -1, 0, 0}, {"a", -1, 0, 0}, {"0", 0, 1, 1},
              {"17", 17, 1, 1}, {"01", -1, 0, 0}, {"-1", -1, 0, 0}, {".", -1, 0, 0}};
  char *memory = calloc(1, 10 * (sizeof(struct json_step) + sizeof(struct json_token)) + 100), pointer[20];
  struct json_step *s = (struct json_step *)(void *)memory;
  size_t i, count;
  int after;
  if (!memory) abort();
  for (i = 0; i < sizeof rows / sizeof *rows; i++)
    for (after = 0; after < 2; after++) {
      const int n = snprintf(pointer, sizeof pointer, "/x/%s", rows[i].token);
      assert_true(json_pointer_steps(pointer, (size_t)n, after ? 77 : 0, s, 10, &count));
      assert_int_equal(count, 2);
      assert_int_equal(s[0].n, 1);
      assert_int_equal(*s[0].name, 'x');
      assert_int_equal(s[0].indexes, 0);
      assert_int_equal(s[1].n, strlen(rows[i].token));
      assert_memory_equal(s[1].name, rows[i].token, s[1].n);
      assert_int_equal(s[1].indexes, after ? rows[i].after_indexes : rows[i].indexes);
      if (s[1].indexes) assert_int_equal(s[1].index, rows[i].index);
    }
  assert_true(json_pointer_steps("", 0, 0, s, 10, &count));
  assert_int_equal(count, 0);
  assert_false(json_pointer_steps("x", 1, 0, s, 10, &count));
  assert_false(json_pointer_steps("/~", 2, 0, s, 10, &count));
  free(memory);
  (void)unused;
}

/* ------------------------------------------------------------------------------------- strings */

/* Does the text between two quotes mean the name? */
static void test_names(void **unused) {
#define TEXTS(text, name) text, sizeof text - 1, name, sizeof name - 1
  static const struct {
    const char *text;
    size_t n;
    const char *name;
    size_t name_n;
    int is;
  } rows[] = {{TEXTS("", ""), 1},
              {TEXTS("a", "a"), 1},
              {TEXTS("ab", "ac"), 0},
              {TEXTS("ab", "a"), 0},
              {TEXTS("a", "ab"), 0},
              {TEXTS("\\u0061", "a"), 1},
              {TEXTS("\\u0061", "b"), 0},
              {TEXTS("\\u0061", ""), 0},
              {TEXTS("\\u0061", "ab"), 0},
              {TEXTS("\\u0061b", "ab"), 1},
              {TEXTS("b\\u0061", "ba"), 1},
              {TEXTS("\\u0000", "\0"), 1},
              {TEXTS("\\u0000", "a"), 0},
              {TEXTS("\\u00e9", "\xc3\xa9"), 1},
              {TEXTS("\\u20AC", "\xe2\x82\xac"), 1},
              {TEXTS("\\ud83d\\ude00", "\xf0\x9f\x98\x80"), 1},
              {TEXTS("\\uD800\\uDC00", "\xf0\x90\x80\x80"), 1},
              {TEXTS("\\udbff\\udfff", "\xf4\x8f\xbf\xbf"), 1},
              {TEXTS("\\udbff\\udfff.", "\xf4\x8f\xbf\xbf."), 1},
              {TEXTS("\\ud801\\udc37", "\xf0\x90\x90\xb7"), 1},
              {TEXTS("\\ud7ff\\udc00", "\xf0\x90\x80\x80"), 0},
              {TEXTS("\\ud83dxude00", "\xf0\x9f\x98\x80"), 0},
              {TEXTS("\\ud83d\\nde00", "\xf0\x9f\x98\x80"), 0},
              {TEXTS("\\ud83d\\u0061", "\xf0\x9f\x91\xa1"), 0},
              {TEXTS("\\u12g4", "\xe1\x88"), 0},
              {TEXTS("\\u12g4", ""), 0},
              {TEXTS("\\u12", ""), 0},
              {TEXTS("\\b\\f\\n\\r\\t\\\"\\\\\\/", "\b\f\n\r\t\"\\/"), 1},
              {TEXTS("\\n", "n"), 0},
              {TEXTS("\\nu", "\nu"), 1},
              {TEXTS("\\\\u0061", "\\u0061"), 1}};
  size_t i;
  for (i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct json_step step = {rows[i].name, rows[i].name_n, 0, 0};
    if (json_step_is_name(&step, rows[i].text, rows[i].n) != rows[i].is) fail_msg("%s: %s", rows[i].text, rows[i].name);
  }
  (void)unused;
}

/* The byte after a string, or the end, which is marked by '|' and may be before other quotes. */
static void test_string_ends(void **unused) {
  static const struct {
    const char *text;
    size_t after;
  } rows[] = {{"\"\"]|", 2},          {"\"a\"]|", 3},           {"\"a\"|", 3},       {"\"ab|\"\"", 3},
              {"\"ab\\\"|", 5},       {"\"\\\"\"]|", 4},        {"\"\\\\\"]\"|", 4}, {"\"\\\\|\"", 3},
              {"\"\\\\\\\"x\"]|", 7}, {"\"\\\\\\\\\"x\"]|", 6}, {"\"a|", 2},         {"\"|\"", 1}};
  size_t i;
  for (i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *text = rows[i].text, *end = strchr(text, '|');
    assert_int_equal(json_after_string(text, end) - text, rows[i].after);
  }
  (void)unused;
}

/* The byte after a value, whatever follows; the text ends at '|'. */
static void test_after_values(void **unused) {
  static const char *const values[] = {"1", "-1.5e+3", "true", "null", "\"a]\"", "[]", "{}", "[[\"]\"],{}]"};
  static const char *const others[] = {"|", ",|", "]|", "}|", " ,|", "\t]|", "\n}|", "\r|", "|1", "|]"};
  char text[40];
  size_t i, j;
  int variant;
  for (i = 0; i < sizeof values / sizeof *values; i++)
    for (j = 0; j < sizeof others / sizeof *others; j++)
      for (variant = 0; variant < 2; variant++) {
        sprintf(text, "%s%s", values[i], others[j]);
        assert_ptr_equal(json_after_value(text, strchr(text, '|'), variant ? text_cpu() : 0, NULL),
                         text + strlen(values[i]));
      }
  (void)unused;
}

/* ------------------------------------------------------------------------------------- lists */

static char *grow(void *owner, size_t n) {
  char **scratch = (char **)owner;
  if (!scratch) return NULL;
  free(*scratch);
  return *scratch = malloc(n);
}

/* The list, an array, whose first item is 7, begins where `where` says; or there is an error. */
static void test_lists(void **unused) {
  enum { DEPTH = 8, TOKENS = 4, ENOUGH = 100 };
  static const struct {
    const char *text, *pointer;
    size_t most;
    int error;
  } rows[] = {{"[7]", "", ENOUGH, 0},
              {"[[7],1]", "/0", ENOUGH, 0},
              {"[[1],[7]]", "/1", ENOUGH, 0},
              {"[1,[],\"x\",[7]]", "/3", ENOUGH, 0},
              {"{\"a\":[7]}", "/a", ENOUGH, 0},
              {"{\"b\":[1],\"a\":[7]}", "/a", ENOUGH, 0},
              {"{\"b\":{\"a\":[1]},\"a\":{\"b\":[2],\"c\":[[3],[7]]}}", "/a/c/1", ENOUGH, 0},
              {"{\"\\u0061\":[7]}", "/a", ENOUGH, 0},
              {"{\"ab\":[1],\"b\":[2],\"\":[3],\"a\":[7]}", "/a", ENOUGH, 0},
              {"{\"0\":[7]}", "/0", ENOUGH, 0},
              {"[1,2]", "/0", ENOUGH, JSON_CHECK_NO_LIST},
              {"{\"a\":1}", "/a", ENOUGH, JSON_CHECK_NO_LIST},
              {"[[1]]", "/1", ENOUGH, JSON_CHECK_NOWHERE},
              {"[[1]]", "/x", ENOUGH, JSON_CHECK_NOWHERE},
              {"[]", "/0", ENOUGH, JSON_CHECK_NOWHERE},
              {"{}", "/a", ENOUGH, JSON_CHECK_NOWHERE},
              {"{\"a\":[[1]]}", "/a/b", ENOUGH, JSON_CHECK_NOWHERE},
              {"{\"a\":{\"c\":[1]},\"a\":{\"b\":[7]}}", "/a/b", ENOUGH, JSON_CHECK_DUPLICATE},
              {"[12345,[7]]", "/1", 5, 0},
              {"[\"abc\",true,null,[7]]", "/3", 5, 0},
              {"[12345,[7]]", "/1", 4, JSON_CHECK_LENGTH},
              {"[\"abc\",[7]]", "/1", 4, JSON_CHECK_LENGTH},
              {"[true,[7]]", "/1", 3, JSON_CHECK_LENGTH},
              {"[null,[7]]", "/1", 3, JSON_CHECK_LENGTH},
              {"[false,[7]]", "/1", 4, JSON_CHECK_LENGTH},
              {"[false,[7]]", "/1", 5, 0},
              {"[true,[7]]", "/1", 4, 0},
              {"{\"b\":[[[[[[[[[7]]]]]]]]]}", "/a", ENOUGH, JSON_CHECK_DEPTH}};
  size_t i;
  int memory;
  for (i = 0; i < sizeof rows / sizeof *rows; i++)
    for (memory = 0; memory < 2; memory++) {
      unsigned char objects[DEPTH / 8];
      struct json_token tokens[TOKENS];
      char names[20], *scratch = NULL;
      const char *text = rows[i].text, *after;
      const int error = !memory && strchr(text, '\\') ? JSON_CHECK_MEMORY : rows[i].error;
      struct json_seek k;
      memset(&k, 0, sizeof k);
      k.scan.begin = k.scan.at = text;
      k.scan.end = k.scan.stop = text + strlen(text);
      k.scan.whole = 1;
      k.scan.utf8 = text_utf8_valid;
      k.scan.max_depth = DEPTH;
      k.scan.grow = grow;
      k.scan.owner = memory ? &scratch : NULL;
      k.tokens = tokens;
      k.most = rows[i].most;
      k.objects = objects;
      assert_true(json_read_pointer(rows[i].pointer, strlen(rows[i].pointer), tokens, names, &k.count));
      json_seek_begin(&k);
      after = json_seek(&k, text);
      if (after || (int)k.scan.error != error || (!error && (!k.found || *k.scan.at != '7')))
        fail_msg("%s, %s: %s at %d", text, rows[i].pointer, k.scan.error ? json_check_message(k.scan.error) : "found",
                 (int)(k.scan.at - text));
      free(scratch);
    }
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_goals),         cmocka_unit_test(test_many_goals),
                                     cmocka_unit_test(test_pointer_steps), cmocka_unit_test(test_names),
                                     cmocka_unit_test(test_string_ends),   cmocka_unit_test(test_after_values),
                                     cmocka_unit_test(test_lists)};
  return cmocka_run_group_tests_name("goals", tests, make_guards, NULL);
}
