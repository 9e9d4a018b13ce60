/* SPDX-License-Identifier: MIT
** test_locate.c -- the fast reader of texts: how deep they may be, where it stops, and what it refuses on the way to
** its goals. With test_pick.c, which compares it with the reader of any grammar in random texts.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/json/test_locate.c -lcmocka -lm */
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
#include "json/index/members.h"
#include "text/cpu.h"
#include "../support/guarded.h"
#include "../support/sparse.h"

enum { DEPTH = 200, GOALS = 8, PATHS = 2, VARIANTS = 6 };

/* The bytes after `edge` cannot be read. */
enum { EDGE = 16384 };
static char *edge, *goals_edge, *states_edge, *found_edge;

static int make_edge(void **unused) {
  edge = guarded(EDGE);
  goals_edge = guarded(EDGE);
  states_edge = guarded(EDGE);
  found_edge = guarded(EDGE);
  return (void)unused, 0;
}

/* Where one case is enough each has one of the variants, else all. */
enum { EACH = SPARSE > 1 ? VARIANTS : 1 };
#define FIRST_OF(n) (EACH > 1 ? (int)((unsigned)(n) % VARIANTS) : 0)

/* The vectors of this CPU and fewer; short texts by their members, and by blocks. */
static unsigned cpu_of(int variant) {
  static const unsigned without[] = {0, TEXT_CPU_WIDEST, ~0u};
  return (text_cpu() & ~without[variant % 3]) | (variant >= 3 ? JSON_INDEX_BLOCKS : 0);
}

static const struct json_step steps[][2] = {
    {{"a", 1, 0, 0}, {NULL, 0, 0, 0}},
    {{"a", 1, 0, 0}, {"b", 1, 0, 0}},
    {{NULL, 0, 1, 1}, {NULL, 0, 0, 0}},
    {{NULL, 0, -1, 1}, {NULL, 0, 0, 0}},
};
enum { A, A_B, SECOND, LAST };
static const size_t lengths[] = {1, 2, 1, 1};

/* Looks for two paths in a text, which is copied to `copy`. Nothing can be read after the last goal, nor after what is
** known of it. */
static int locate_paths(const char *text, size_t n, struct json_goal_path *to, unsigned flags, unsigned cpu,
                        uint32_t max_depth, struct json_slice *found, char *copy) {
  unsigned char containers[JSON_CONTAINERS(DEPTH)];
  struct json_goal goals[GOALS], *last_goals;
  struct json_goal_state *states;
  struct json_slice *all;
  struct json_reading how = {flags, cpu, max_depth, containers, NULL};
  const uint32_t count = json_build_goals(goals, to, PATHS);
  int located;
  last_goals = (struct json_goal *)(void *)goals_edge - count;
  states = (struct json_goal_state *)(void *)states_edge - count;
  all = (struct json_slice *)(void *)found_edge - count;
  memcpy(last_goals, goals, count * sizeof *goals);
  memcpy(copy, text, n);
  located = json_locate(last_goals, count, states, all, copy, n, &how);
  found[0] = all[to[0].goal];
  found[1] = all[to[1].goal];
  return located;
}

/* The same for two of `steps`. */
static int locate(const char *text, size_t n, int one, int other, unsigned flags, unsigned cpu, uint32_t max_depth,
                  struct json_slice *found, char *copy) {
  struct json_goal_path to[PATHS];
  to[0].steps = steps[one], to[0].count = lengths[one];
  to[1].steps = steps[other], to[1].count = lengths[other];
  return locate_paths(text, n, to, flags, cpu, max_depth, found, copy);
}

static void test_depth(void **unused) {
  static const char *const opens[] = {"[", "{\"a\":", "[1,{\"b\":"}, *const closes[] = {"]", "}", "}]"};
  unsigned char containers[JSON_CONTAINERS(DEPTH)];
  int kind, depth, variant;
  uint32_t most;
  for (kind = 0; kind < 3; kind++)
    for (depth = 1; depth < 140; depth += depth < 8 || (depth > 60 && depth < 68) || depth > 125 ? 1 : 7) {
      char text[2000] = "", *exact;
      const int levels = kind == 2 ? 2 * depth : depth;
      size_t n;
      int i;
      if (levels >= DEPTH) continue;
      for (i = 0; i < depth; i++) strcat(text, opens[kind]);
      strcat(text, "0");
      for (i = 0; i < depth; i++) strcat(text, closes[kind]);
      n = strlen(text);
      exact = edge - n;
      for (most = (uint32_t)levels - 1; most <= (uint32_t)levels + 1; most++)
        for (variant = 0; variant < VARIANTS; variant++) {
          const int fits = most >= (uint32_t)levels;
          struct json_slice found[PATHS];
          struct json_member items[4];
          struct json_members k = {.items = items, .room = 4};
          memcpy(exact, text, n);
          if (json_is_text(exact, n, most, containers, cpu_of(variant)) != fits)
            fail_msg("json_is_text, variant %d, %d of %d: %s", variant, levels, (int)most, text);
          if (locate(text, n, A, LAST, JSON_LOCATE_TEST, cpu_of(variant), most, found, exact) != fits)
            fail_msg("json_locate, variant %d, %d of %d: %s", variant, levels, (int)most, text);
          if (n <= JSON_MEMBERS_BYTES &&
              json_read_members(&k, exact, exact + n, most, cpu_of(variant)) != (fits && levels <= JSON_MEMBERS_DEPTH))
            fail_msg("json_read_members, variant %d, %d of %d: %s", variant, levels, (int)most, text);
        }
    }
  (void)unused;
}

/* One object, at each level of arrays: it ends with its own bracket and with no other. */
static void test_kinds(void **unused) {
  static char text[2000];
  unsigned char containers[JSON_CONTAINERS(DEPTH)];
  int depth, level, variant, i;
  for (depth = 62; depth < 140; depth += depth == 67 ? 60 : 1)
    for (level = 0; level < depth; level++) {
      size_t n = 0, end;
      for (i = 0; i < depth; i++) n += (size_t)sprintf(text + n, i == level ? "{\"a\":" : "[");
      n += (size_t)sprintf(text + n, "0");
      for (end = n + (size_t)(depth - 1 - level), i = 0; i < depth; i++) text[n++] = ']';
      for (variant = FIRST_OF(depth + level); variant < VARIANTS; variant += EACH) {
        text[end] = '}';
        if (!json_is_text(text, n, DEPTH - 1, containers, cpu_of(variant)))
          fail_msg("variant %d, object %d of %d: refused", variant, level, depth);
        text[end] = ']';
        if (json_is_text(text, n, DEPTH - 1, containers, cpu_of(variant)))
          fail_msg("variant %d, object %d of %d: ended by ]", variant, level, depth);
      }
    }
  (void)unused;
}

/* Escapes at every place of a block of 64 bytes, after others and before others. */
static void test_escapes(void **unused) {
  static const struct {
    const char *text;
    int valid;
  } cases[] = {{"\\u0aFf", 1},
               {"\\u0000", 1},
               {"\\uD83D\\uDe00", 1},
               {"\\ud83d\\ude00\\udbff\\udfff\\ud800\\udc00", 1},
               {"\\ud7ff\\ue000", 1},
               {"\\u123", 0},
               {"\\u12g4", 0},
               {"\\u004:", 0},
               {"\\u/041", 0},
               {"\\u0\x60"
                "41",
                0},
               {"\\ud83d", 0},
               {"\\ude00", 0},
               {"\\ude00\\ud83d", 0},
               {"\\ud83dxudc00", 0},
               {"\\ud83d\\n", 0},
               {"\\ud83d\\ud83d\\ude00", 0},
               {"\\ud83d\\u0e00", 0},
               {"\\ud83d\\ud7ff", 0},
               {"\\ud83d\\ude00\\ude00", 0},
               {"\\ud83d\\\\ude00", 0},
               {"\\ud83d\\ude0", 0},
               {"\\U0041", 0}};
  static const char *const others[] = {"x", "\\u0041", "\\ud83d\\ude00"};
  unsigned char containers[JSON_CONTAINERS(DEPTH)];
  unsigned i, before, other;
  int variant;
  for (i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (before = 0; before < 200; before++)
      for (other = 0; other < sizeof others / sizeof others[0]; other++) {
        char text[700];
        size_t n = (size_t)sprintf(text, "[\"%*s", (int)(before % strlen(others[other])), "");
        while (n + strlen(others[other]) <= before) n += (size_t)sprintf(text + n, "%s", others[other]);
        n += (size_t)sprintf(text + n, "%s", cases[i].text);
        while (n < 400) n += (size_t)sprintf(text + n, "%s", others[other]);
        n += (size_t)sprintf(text + n, "\"]");
        for (variant = FIRST_OF(i + before + other); variant < VARIANTS; variant += EACH)
          if (json_is_text(text, n, DEPTH - 1, containers, cpu_of(variant)) != cases[i].valid)
            fail_msg("variant %d: %s", variant, text);
      }
  (void)unused;
}

/* Texts without JSON_LOCATE_TEST. The wanted values; "": not there; NULL: the text is refused. */
static const struct {
  const char *text;
  int one, other;
  unsigned flags;
  const char *wanted, *other_wanted;
} cases[] = {
    /* reading ends where all is found: what follows does not matter */
    {"{\"a\":1,x}", A, A, JSON_LOCATE_FIRST, "1", "1"},
    {"{\"a\" : 1 , ]", A, A, JSON_LOCATE_FIRST, "1", "1"},
    {"{\"a\":{\"b\":2,x}", A_B, A_B, JSON_LOCATE_FIRST, "2", "2"},
    {"{\"a\":{\"b\":2},x}", A_B, A, JSON_LOCATE_FIRST, "2", "{\"b\":2}"},
    {"[1,2,x]", SECOND, SECOND, JSON_LOCATE_FIRST, "2", "2"},
    {"[1,[2],x]", SECOND, SECOND, JSON_LOCATE_FIRST, "[2]", "[2]"},
    /* not before */
    {"{\"a\":{\"b\":2]", A_B, A_B, JSON_LOCATE_FIRST, NULL, NULL},
    {"{\"a\":{\"b\":2,x]", A_B, A, JSON_LOCATE_FIRST, NULL, NULL},
    {"[1,2,3}", SECOND, LAST, JSON_LOCATE_FIRST, NULL, NULL},
    {"{\"a\":1,]", A, A, 0, NULL, NULL},
    {"[1}", SECOND, SECOND, JSON_LOCATE_FIRST, NULL, NULL},
    /* the first or the last of equal names */
    {"{\"a\":1,\"a\":2}", A, A_B, 0, "2", ""},
    {"{\"a\":{\"b\":1},\"a\":2}", A, A_B, 0, "2", ""},
    {"{\"a\":{\"b\":1},\"a\":{\"b\":2}}", A, A_B, JSON_LOCATE_FIRST, "{\"b\":1}", "1"},
    {"{\"a\":{\"b\":1},\"a\":{\"b\":2}}", A, A_B, 0, "{\"b\":2}", "2"},
    {"{\"a\":1,\"a\":{\"b\":2}}", A, A_B, JSON_LOCATE_FIRST, "1", ""},
    {"{\"a\":1,\"a\":2}", A, A, JSON_LOCATE_UNIQUE, NULL, NULL},
    {"{\"a\":{\"b\":1,\"b\":2}}", A, A_B, JSON_LOCATE_UNIQUE, NULL, NULL},
    {"{\"a\":{\"b\":1},\"c\":1,\"c\":2}", A, A_B, JSON_LOCATE_UNIQUE, "{\"b\":1}", "1"},
    {"{\"\\u0061\":3}", A, A, JSON_LOCATE_UNIQUE, "3", "3"},
    {"{\"a\":1,\"\\u0061\":2}", A, A, JSON_LOCATE_UNIQUE, NULL, NULL},
    /* items from both ends */
    {"[7]", SECOND, LAST, 0, "", "7"},
    {"[7,8]", SECOND, LAST, 0, "8", "8"},
    {"[7,8,[9]]", SECOND, LAST, 0, "8", "[9]"},
    {"[]", SECOND, LAST, 0, "", ""},
    /* no step leads into this array */
    {"{\"a\":[,],\"c\":[,]}", A, A_B, 0, "[,]", ""},
    /* what is on the way is tested */
    {"{\"a\":,\"b\":1}", A, A, 0, NULL, NULL},
    {"{\"a\" 1}", A, A, 0, NULL, NULL},
    {"{\"a\"}", A, A, 0, NULL, NULL},
    {"{\"a\":1,}", A, A, 0, NULL, NULL},
    {"{\"a\":1]", A, A, 0, NULL, NULL},
    {"{,\"a\":1}", A, A, 0, NULL, NULL},
    {"{1:2,\"a\":1}", A, A, 0, NULL, NULL},
    {"{\"a\":{\"b\":}}", A_B, A, 0, NULL, NULL},
    {"{\"a\":}", A, A, 0, NULL, NULL},
    {"[1,,2]", SECOND, SECOND, 0, NULL, NULL},
    {"[1,2,]", LAST, SECOND, 0, NULL, NULL},
    {"[,1]", SECOND, SECOND, 0, NULL, NULL},
    {"[1,2}", SECOND, SECOND, 0, NULL, NULL},
    {"1", SECOND, SECOND, 0, NULL, NULL},
    {"", SECOND, SECOND, 0, NULL, NULL},
    {"[", SECOND, SECOND, 0, NULL, NULL},
    {"[]", A, A, 0, "", ""},
    {"[1,2,3|", SECOND, SECOND, JSON_LOCATE_FIRST, NULL, NULL},
    {"z1,2]", SECOND, SECOND, 0, NULL, NULL},
    /* the text ends after a name */
    {"{\"a\"", A, A, 0, NULL, NULL},
    {"{\"a\" ", A, A, 0, NULL, NULL},
    {"{\"a\":", A, A, 0, NULL, NULL},
    {"{\"a\": ", A, A, 0, NULL, NULL},
};

static void has(const char *text, const struct json_slice *found, const char *wanted) {
  const size_t n = found->begin ? (size_t)(found->end - found->begin) : 0;
  if (*wanted ? !found->begin || n != strlen(wanted) || memcmp(found->begin, wanted, n) != 0 : found->begin != NULL)
    fail_msg("%s: %.*s, not %s", text, (int)n, found->begin, wanted);
}

/* In one block, and in two. */
static void test_on_the_way(void **unused) {
  size_t i;
  int variant, blanks;
  for (i = 0; i < sizeof cases / sizeof *cases; i++)
    for (blanks = 0; blanks < 64; blanks += 9)
      for (variant = 0; variant < VARIANTS; variant++) {
        struct json_slice found[PATHS];
        char text[200], *copy;
        const size_t n = (size_t)snprintf(text, sizeof text, "%.1s%*s%s", cases[i].text, blanks, "",
                                          *cases[i].text ? cases[i].text + 1 : "");
        copy = edge - n;
        if (locate(text, n, cases[i].one, cases[i].other, cases[i].flags, cpu_of(variant), DEPTH, found, copy) !=
            (cases[i].wanted != NULL))
          fail_msg("variant %d: %s: %s", variant, text, cases[i].wanted ? "refused" : "taken");
        if (cases[i].wanted) {
          has(text, &found[0], cases[i].wanted);
          has(text, &found[1], cases[i].other_wanted);
        }
        if (cases[i].flags & JSON_LOCATE_UNIQUE)
          assert_int_equal(locate(text, n, cases[i].one, cases[i].other, cases[i].flags | JSON_LOCATE_TEST,
                                  cpu_of(variant), DEPTH, found, copy),
                           cases[i].wanted != NULL);
      }
  (void)unused;
}

/* Names of all lengths up to 130, of which only the last byte differs, among members whose names are one byte shorter
** or longer. */
static void test_long_names(void **unused) {
  char name[131], other[131], longer[131], text[700];
  struct json_step step = {name, 0, 0, 0}, other_step = {other, 0, 0, 0};
  struct json_goal_path to[PATHS] = {{&step, 1, 0, 0}, {&other_step, 1, 0, 0}};
  int length, variant;
  for (length = 1; length <= 129; length++) {
    size_t n;
    memset(name, 'n', sizeof name), memset(other, 'n', sizeof other), memset(longer, 'n', sizeof longer);
    other[length - 1] = 'o';
    longer[length] = 'l';
    step.n = other_step.n = (size_t)length;
    n = (size_t)sprintf(text, "{\"%.*s\":1,\"%.*s\":2,\"%.*s\":3,\"%.*sp\":4}", length - 1, name, length, name,
                        length + 1, longer, length - 1, name);
    for (variant = 0; variant < VARIANTS; variant++) {
      struct json_slice found[PATHS];
      unsigned test;
      for (test = 0; test <= JSON_LOCATE_TEST; test++) {
        assert_true(locate_paths(text, n, to, test, cpu_of(variant), DEPTH, found, edge - n));
        has(text, &found[0], "2");
        has(text, &found[1], "");
      }
    }
  }
  (void)unused;
}

/* What json_read_members says of an array or object of a given number of bytes. */
static int read_members(const char *text, size_t n, uint32_t room, struct json_members *k) {
  char *copy = edge - n;
  memcpy(copy, text, n);
  k->items = (struct json_member *)(void *)found_edge - room;
  k->room = room;
  k->is_short = 0;
  return json_read_members(k, copy, edge, DEPTH, text_cpu());
}

static void test_members(void **unused) {
  static const struct {
    const char *text;
    uint32_t count;
    int has_escapes, lost;
  } rows[] = {{"{}", 0, 0, 0},
              {"[1,\"a\",[2,3]]", 3, 0, 0},
              {"{\"a\":1,\"b\":{\"c\":2}}", 2, 0, 0},
              {"[\"\\n\"]", 1, 1, 0},
              {"{\"a\":[\"\\u0061\"]}", 1, 1, 0},
              {"{\"a\":{\"\\u0061\":1}}", 1, 1, 0},
              {"{\"\\u0061\":1}", 1, 1, 1}, /* its name is not what it means */
              {"[1,2,3,4]", 4, 0, 0},
              {"[1,2,3,4,5]", 0, 0, 1}};
  static const char *const wrong[] = {"[",   "{",   "[nu]", "[nul]", "[fal]",  "[fals]",
                                      "[t]", "[-]", "[1.]", "[1e]",  "{\"a\"}"};
  struct json_members k;
  char text[1100];
  uint32_t room;
  size_t i, n;
  for (i = 0; i < sizeof rows / sizeof *rows; i++) {
    memset(&k, 0xff, sizeof k);
    assert_true(read_members(rows[i].text, strlen(rows[i].text), 4, &k));
    assert_int_equal(k.lost != 0, rows[i].lost);
    assert_int_equal(k.has_escapes != 0, rows[i].has_escapes);
    if (!k.lost) assert_int_equal(k.count, rows[i].count);
  }
  for (room = 1; room < 6; room++) { /* nothing is written after the room */
    assert_true(read_members("[1,2,3,4,5]", 11, room, &k));
    assert_int_equal(k.lost != 0, room < 5);
  }
  for (i = 0; i < sizeof wrong / sizeof *wrong; i++) assert_false(read_members(wrong[i], strlen(wrong[i]), 4, &k));
  for (n = 1; n < 30; n++) { /* a number that the text ends with */
    const size_t length = (size_t)sprintf(text, "[%.*s]", (int)n, "111111111111111111111111111111");
    assert_true(read_members(text, length, 4, &k));
  }
  for (n = 60; n < 200; n++) /* a byte that is no UTF-8, at any place of the last blocks */
    for (i = 2; i < n - 2; i += i + 70 < n ? 7 : 1) {
      memset(text, 'x', n);
      memcpy(text, "[\"", 2), memcpy(text + n - 2, "\"]", 2);
      text[i] = '\xff';
      assert_false(read_members(text, n, 1, &k));
    }
  for (n = 1000; n <= 1030; n++) { /* texts of up to 1024 bytes */
    memset(text, '1', n);
    memcpy(text, "[\"", 2), memcpy(text + n - 2, "\"]", 2);
    assert_int_equal(read_members(text, n, 1, &k), n <= 1024);
  }
  (void)unused;
}

/* Nothing before the text is read. */
static void test_nothing(void **unused) {
  struct json_slice found[PATHS];
  char *begin = edge - EDGE;
  size_t n;
  for (n = 0; n < 3; n++) {
    assert_false(locate("  ", n, A, A, 0, 0, DEPTH, found, begin));
    assert_false(locate("  ", n, A, A, 0, 0, DEPTH, found, edge - 3));
  }
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_depth),      cmocka_unit_test(test_kinds),
                                     cmocka_unit_test(test_escapes),    cmocka_unit_test(test_on_the_way),
                                     cmocka_unit_test(test_long_names), cmocka_unit_test(test_members),
                                     cmocka_unit_test(test_nothing)};
  return cmocka_run_group_tests_name("locate", tests, make_edge, NULL);
}
