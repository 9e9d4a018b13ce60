/* SPDX-License-Identifier: MIT
** test_pick.c -- several values of a text by paths: the reader of any grammar against find_value, which follows one path
** in a text without white space; and the fast readers against that one.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/json/test_pick.c -lcmocka -lm */
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
#include "json/index/pick.h"
#include "text/cpu.h"
#include "../support/texts.h"
#include "../support/finding.h"
#include "../support/goals.h"
#include "../support/sparse.h"

enum { TEXT = 4000, DEPTH = 64, MEMBERS = 20 };

/* A block of its own size, so that address sanitizers see its edges; a 0 follows it, as it follows strings of Lua. */
static char *copy_of(const char *s, size_t n) {
  char *copy = malloc(n + 1);
  if (!copy) abort();
  memcpy(copy, s, n);
  copy[n] = 0;
  return copy;
}

static char *grow(void *owner, size_t n) {
  char **scratch = (char **)owner;
  free(*scratch);
  return *scratch = malloc(n);
}

/* Reads a whole text. Returns the error, with its place in *where. */
static int read_any(const struct paths *p, struct json_slice *found, const char *s, size_t n, unsigned grammar,
                    unsigned flags, size_t *where) {
  struct json_slice *exact = (struct json_slice *)(void *)guards[1] - p->count;
  struct json_pick k;
  char *scratch = NULL;
  const char *end;
  memset(&k, 0, sizeof k);
  k.scan.begin = k.scan.at = s;
  k.scan.end = s + n;
  k.scan.grammar = grammar;
  k.scan.utf8 = text_utf8_valid;
  k.scan.max_depth = DEPTH;
  k.scan.grow = grow;
  k.scan.owner = &scratch;
  k.goals = p->goals;
  k.count = p->count;
  k.flags = flags;
  k.found = exact;
  if (!(k.memory = malloc(json_pick_bytes(p->count, DEPTH)))) abort();
  end = json_skip_space(&k.scan, s);
  if (end) {
    k.scan.error = JSON_CHECK_DEPTH; /* of an earlier text */
    end = json_pick(&k, end);
  }
  if (end && !k.stopped) end = json_skip_space(&k.scan, end);
  if (end && !k.stopped && end != s + n) json_scan_error(&k.scan, JSON_CHECK_AFTER, end);
  if (where) *where = (size_t)((k.scan.error ? k.scan.at : end) - s);
  memcpy(found, exact, p->count * sizeof *found);
  free(k.memory);
  free(scratch);
  return k.scan.error;
}

/* ------------------------------------------------------------------------------------- texts by hand */

static const struct path tree[] = {
    {{NAME("a")}, 1}, {{NAME("a"), ITEM(-1)}, 2}, {{ITEM(0)}, 1}, {{ITEM(-1), NAME("a")}, 2}, {{NAME("b")}, 1},
};

static void test_good(void **unused) {
  struct json_slice found[GOALS];
  struct paths p;
  size_t i;
  build(&p, tree, 5);
  for (i = 0; i < sizeof good / sizeof *good; i++) {
    char *s = copy_of(good[i], strlen(good[i]));
    size_t where;
    const int error = read_any(&p, found, s, strlen(s), 0, JSON_PICK_ANY_SIZE, &where);
    if (error) fail_msg("%s: %s at %d", s, json_check_message(error), (int)where);
    free(s);
  }
  (void)unused;
}

/* Errors and their places are those of the grammar, whatever is looked for. */
static void test_bad(void **unused) {
  struct json_slice found[GOALS];
  struct paths p;
  size_t i;
  build(&p, tree, 5);
  for (i = 0; i < sizeof bad / sizeof *bad; i++) {
    char *s = copy_of(bad[i].text, strlen(bad[i].text));
    size_t where;
    const int error = read_any(&p, found, s, strlen(s), 0, 0, &where);
    if (bad[i].error != JSON_CHECK_BOM && (error != bad[i].error || (int)where != bad[i].where))
      fail_msg("%s: %s at %d", s, error ? json_check_message(error) : "accepted", (int)where);
    free(s);
  }
  (void)unused;
}

static void finds(const char *text, unsigned grammar, unsigned flags, const char *const *wanted) {
  struct json_slice found[GOALS];
  struct paths p;
  size_t i;
  char *s = copy_of(text, strlen(text));
  int error;
  build(&p, tree, 5);
  error = read_any(&p, found, s, strlen(s), grammar, flags, NULL);
  if (error) fail_msg("%s: %s", text, json_check_message(error));
  for (i = 0; i < 5; i++) {
    const struct json_slice *is = &found[p.to[i].goal];
    const size_t n = wanted[i] ? strlen(wanted[i]) : 0;
    if (!wanted[i] ? is->begin != NULL
                   : !is->begin || (size_t)(is->end - is->begin) != n || memcmp(is->begin, wanted[i], n) != 0)
      fail_msg("%s: path %d: %.*s", text, (int)i, is->begin ? (int)(is->end - is->begin) : 4,
               is->begin ? is->begin : "none");
  }
  free(s);
}

#define FINDS(text, grammar, flags, ...)        \
  do {                                          \
    const char *const wanted[] = {__VA_ARGS__}; \
    finds(text, grammar, flags, wanted);        \
  } while (0)

static void test_found(void **unused) {
  FINDS(" { \"a\" : [ 1 , [ ] ] , \"b\":\"x\" } ", 0, 0, "[ 1 , [ ] ]", "[ ]", NULL, NULL, "\"x\"");
  FINDS("[ -1.50 ,{\"\\u0061\" :null}]", 0, 0, NULL, NULL, "-1.50", "null", NULL);
  FINDS("[{\"a\":[2]}]", 0, 0, NULL, NULL, "{\"a\":[2]}", "[2]", NULL); /* one item, twice wanted */
  FINDS("{\"a\":[1],\"b\":1,\"a\":[],\"b\":2}", 0, 0, "[]", NULL, NULL, NULL, "2");
  FINDS("{\"a\":[1],\"b\":1,\"a\":[],\"b\":2}", 0, JSON_PICK_FIRST, "[1]", "1", NULL, NULL, "1");
  FINDS("[1,[2,3],//,]\n{a:'x',/*]*/},]", JSON_JSON5 | JSON_COMMENTS | JSON_TRAILING_COMMAS, 0, NULL, NULL, "1", "'x'",
        NULL);
  FINDS("[{a:1},\"\\u0061\",/*,*/]", JSON_JSON5 | JSON_COMMENTS | JSON_TRAILING_COMMAS, 0, NULL, NULL, "{a:1}", NULL,
        NULL);
  FINDS("{}", 0, 0, NULL, NULL, NULL, NULL, NULL);
  FINDS("1", 0, 0, NULL, NULL, NULL, NULL, NULL);
  (void)unused;
}

/* Reading ends where all is found. */
static void test_stop(void **unused) {
  static const struct path item[] = {{{ITEM(0)}, 1}}, member[] = {{{NAME("a")}, 1}},
                           both[] = {{{ITEM(0)}, 1}, {{ITEM(1)}, 1}};
  static const struct {
    const char *text;
    const struct path *paths;
    uint32_t count;
    unsigned grammar;
    int error, where;
  } cases[] = {{"[[1] x", item, 1, 0, 0, 4},
               {"[\"a\"x", item, 1, 0, 0, 4},
               {"['a'x", item, 1, JSON_JSON5, 0, 4},
               {"[{}x", item, 1, 0, 0, 3},
               {"[1 x", item, 1, 0, 0, 2},
               {"[1,x", item, 1, 0, 0, 2},
               {"[1]x", item, 1, 0, 0, 2},
               {"[1", item, 1, 0, JSON_CHECK_END, 2},
               {"[1x", item, 1, 0, JSON_CHECK_ARRAY, 2},
               {"[1}", item, 1, 0, JSON_CHECK_ARRAY, 2},
               {"[1/*", item, 1, JSON_COMMENTS, JSON_CHECK_COMMENT, 2},
               {"[true", item, 1, 0, JSON_CHECK_END, 5},
               {"[[1]", item, 1, 0, 0, 4},
               {"[]x", item, 1, 0, JSON_CHECK_AFTER, 2},
               {"[", item, 1, 0, JSON_CHECK_END, 1},
               {"[1e999]", item, 1, 0, JSON_CHECK_HUGE, 1},
               {"{\"a\":1}x", member, 1, 0, 0, 6},
               {"{\"a\":1]", member, 1, 0, JSON_CHECK_OBJECT, 6},
               {"{\"a\":1|", member, 1, 0, JSON_CHECK_OBJECT, 6},
               {"{\"b\":2,\"a\":null,x", member, 1, 0, 0, 15},
               {"[1,2,x", both, 2, 0, 0, 4},
               {"[1,x", both, 2, 0, JSON_CHECK_VALUE, 3},
               {"[[],[]x", both, 2, 0, 0, 6}};
  struct json_slice found[GOALS];
  struct paths p;
  size_t i, where;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *s = copy_of(cases[i].text, strlen(cases[i].text));
    int error;
    build(&p, cases[i].paths, cases[i].count);
    error = read_any(&p, found, s, strlen(s), cases[i].grammar, JSON_PICK_FIRST | JSON_PICK_STOP, &where);
    if (error != cases[i].error || (int)where != cases[i].where)
      fail_msg("%s: %s at %d", s, error ? json_check_message(error) : "accepted", (int)where);
    free(s);
  }
  (void)unused;
}

/* A bit for each open container, and for each goal a level and a number. */
static void test_memory(void **unused) {
  uint32_t count, depth;
  for (count = 0; count < 3; count++)
    for (depth = 0; depth < 300; depth++)
      assert_true(json_pick_bytes(count, depth) * 8 >=
                  count * 8 * (sizeof(struct json_pick_level) + sizeof(uint32_t)) + depth);
  (void)unused;
}

/* ------------------------------------------------------------------------------------- random texts */

static uint32_t seed;
static uint32_t below(uint32_t n) {
  seed = (uint32_t)(seed * UINT64_C(48271) % 2147483647);
  return seed % n;
}

static const char *const names[] = {"a", "b", "0", "1", "\\u0061", "a\\n", "", "\\\"", "\xc3\xa9"};
static const char *const meanings[] = {"a", "b", "0", "1", "a", "a\n", "", "\"", "\xc3\xa9"};
static const char *const scalars[] = {"1",     "-0.5e3",   "null",        "true",  "\"\"",
                                      "\"a\"", "\"\\\\\"", "\"],\\\"{\"", "123456"};
enum { NAMES = sizeof names / sizeof *names, SCALARS = sizeof scalars / sizeof *scalars };

static size_t put(char *text, size_t n, const char *s) {
  memcpy(text + n, s, strlen(s));
  return n + strlen(s);
}

/* A text without white space of at most `depth` levels; `spaces`: with white space. */
static size_t random_text(char *text, size_t n, int depth, int spaces) {
  static const char *const blanks[] = {"", "", " ", "\n\t", "                                        "};
  const uint32_t kind = n > TEXT / 2 ? 0 : below(depth > 0 ? 5 : 1);
  uint32_t items = below(5), i;
  if (kind < 2) return put(text, n, scalars[below(SCALARS)]);
  if (below(30) == 0) items += 40;
  n = put(text, n, kind < 4 ? "{" : "[");
  for (i = 0; i < items; i++) {
    if (i > 0) n = put(text, n, ",");
    if (spaces) n = put(text, n, blanks[below(5)]);
    if (kind < 4) {
      n = put(text, n, "\"");
      n = put(text, n, names[below(NAMES)]);
      n = put(text, n, spaces ? "\" : " : "\":");
    }
    n = random_text(text, n, items > 5 ? 0 : depth - 1, spaces);
    if (spaces) n = put(text, n, blanks[below(5)]);
  }
  return put(text, n, kind < 4 ? "}" : "]");
}

static void random_paths(struct path *list, uint32_t n) {
  uint32_t i, step;
  for (i = 0; i < n; i++) {
    list[i].count = below(STEPS);
    for (step = 0; step < list[i].count; step++) {
      struct json_step *s = &list[i].steps[step];
      const uint32_t kind = below(4), name = below(NAMES);
      memset(s, 0, sizeof *s);
      if (kind > 1) s->name = meanings[name], s->n = strlen(meanings[name]);
      if (kind < 2) s->indexes = 1, s->index = (int64_t)below(6) - 3;
      if (kind == 3 && (*s->name == '0' || *s->name == '1')) s->indexes = 1, s->index = *s->name - '0';
    }
  }
}

/* Both ways to the same places, and the fast reader. */
static void test_random(void **unused) {
  static char room[4 * TEXT];
  struct path list[PATHS];
  struct json_slice found[GOALS];
  struct paths p;
  int round;
  seed = 20111;
  for (round = 0; round < 6000; round++) {
    const uint32_t n = 1 + below(PATHS);
    const size_t length = random_text(room, 0, 6, 0);
    char *s = copy_of(room, length);
    uint32_t i;
    int error;
    random_paths(list, n);
    build(&p, list, n);
    error = read_any(&p, found, s, length, 0, 0, NULL);
    if (error) fail_msg("%s: %s", s, json_check_message(error));
    for (i = 0; i < n; i++) {
      struct json_slice wanted = {s, s + length};
      const struct json_slice *is = &found[p.to[i].goal];
      const int is_there = find_value(&wanted, list[i].steps, list[i].count);
      if (is_there != (is->begin != NULL) || (is_there && (is->begin != wanted.begin || is->end != wanted.end)))
        fail_msg("round %d, path %d: %s", round, (int)i, s);
    }
    free(s);
  }
  (void)unused;
}

/* Each variant of the vectors: those of this CPU, and fewer. */
static unsigned cpu_of(int variant) {
  return variant == 0 ? text_cpu() : variant == 1 ? text_cpu() & ~(unsigned)TEXT_CPU_WIDEST : 0;
}

/* Damages a text, sometimes. Returns its new length. */
static size_t damaged(char *text, size_t n) {
  static const char pieces[] = "[]{},:\"\\0-.et \n/\xc3\xff\x01u1";
  uint32_t damage = below(3);
  for (; damage > 0 && n > 0; damage--) {
    const size_t at = below((uint32_t)n);
    if (below(6) == 0) n = at;
    else text[at] = pieces[below(sizeof pieces - 1)];
  }
  return n;
}

/* Does the text begin with a container? The fast reader takes no others. */
static int is_container(const char *s) {
  while (*s && strchr(" \t\r\n", *s)) s++;
  return *s == '[' || *s == '{';
}

/* Does the reader of short texts take the text, which begins with a bracket? Its members are the same in both forms. */
static int is_taken_exactly(const char *s, size_t n, unsigned cpu) {
  struct json_member items[MEMBERS];
  struct json_short_member short_items[MEMBERS];
  struct json_members k, by_bytes;
  int taken;
  uint32_t i;
  k.items = items, k.room = MEMBERS, k.is_short = 0;
  taken = json_read_members(&k, s, s + n, DEPTH, cpu);
  if (n > JSON_MEMBERS_SHORT) return taken;
  by_bytes.items = short_items, by_bytes.room = MEMBERS, by_bytes.is_short = 1;
  assert_int_equal(json_read_members(&by_bytes, s, s + n, DEPTH, cpu), taken);
  if (!taken) return 0;
  assert_int_equal(by_bytes.lost, k.lost);
  for (i = 0; !k.lost && i < k.count; i++) {
    assert_int_equal(by_bytes.count, k.count);
    assert_int_equal(short_items[i].begin, items[i].begin);
    assert_int_equal(short_items[i].end, items[i].end);
    if (*s == '[') continue;
    assert_int_equal(short_items[i].name, items[i].name);
    assert_int_equal(short_items[i].name_length, items[i].name_length);
  }
  return 1;
}

/* The same for any text; no byte outside of the value is there. */
static int is_taken_short(const char *s, size_t n, unsigned cpu) {
  const char *end = s + n;
  char *exact;
  int taken;
  while (s < end && json_is_blank(*s)) s++;
  while (end > s && json_is_blank(end[-1])) end--;
  if (s == end || !is_container(s)) return 0;
  n = (size_t)(end - s);
  if (!(exact = (char *)malloc(n))) abort();
  taken = is_taken_exactly((const char *)memcpy(exact, s, n), n, cpu);
  free(exact);
  return taken;
}

/* The fast reader finds what the other one finds; with JSON_LOCATE_TEST it takes no text that this one refuses. */
static void test_locate(void **unused) {
  static char room[4 * TEXT];
  struct path list[PATHS];
  struct json_slice found[GOALS], fast[GOALS];
  struct json_goal_state states[GOALS];
  unsigned char containers[JSON_CONTAINERS(DEPTH)];
  struct paths p;
  int round;
  seed = 20112;
  for (round = 0; round < (SPARSE > 1 ? 10000 : 30000); round++) {
    const uint32_t n = 1 + below(PATHS), first = below(2), test = below(2);
    const unsigned cpu = cpu_of((int)below(3)) | (below(2) ? JSON_INDEX_BLOCKS : 0);
    struct json_reading how;
    const size_t length = damaged(room, random_text(room, 0, 6, (int)below(2)));
    char *s = copy_of(room, length);
    uint32_t i;
    int error, located;
    random_paths(list, n);
    build(&p, list, n);
    error = read_any(&p, found, s, length, 0, first ? JSON_PICK_FIRST : 0, NULL);
    if (json_is_text(s, length, DEPTH, containers, cpu) != (!error && is_container(s)))
      fail_msg("round %d: json_is_text and %s: %s", round, error ? json_check_message(error) : "no error", s);
    if (length <= JSON_MEMBERS_BYTES && is_taken_short(s, length, cpu) != (!error && is_container(s)))
      fail_msg("round %d: json_read_members: %s", round, s);
    how.flags = (first ? JSON_LOCATE_FIRST : 0) | (test ? JSON_LOCATE_TEST : 0);
    how.cpu = cpu;
    how.max_depth = DEPTH;
    how.containers = containers;
    how.release = NULL;
    located = json_locate(p.goals, p.count, states, fast, s, length, &how);
    if (test ? located != (!error && is_container(s)) : !error && is_container(s) && !located)
      fail_msg("round %d: %s: %s", round, located ? "taken" : "refused", s);
    for (i = 0; i < n && located; i++) {
      const struct json_slice *is = &fast[p.to[i].goal], *wanted = &found[p.to[i].goal];
      if (is->begin && (is->begin < s || is->end <= is->begin || is->end > s + length))
        fail_msg("round %d, path %d: outside: %s", round, (int)i, s);
      if (!error && (is->begin != wanted->begin || (is->begin && is->end != wanted->end)))
        fail_msg("round %d, path %d: %s", round, (int)i, s);
    }
    free(s);
  }
  (void)unused;
}

/* Every byte in every kind of place, near the beginning and the end of a block. */
static void test_bytes(void **unused) {
  static const char *const forms[] = {"[?1,2]",  "[1?,2]", "[1,2?]", "{\"a\"?:1}", "{\"a\":?\"b\"}",
                                      "[\"?\"]", "[[]?]",  "?[]",    "[]?"};
  struct path root = {{{NULL, 0, 0, 0}}, 0};
  struct json_slice found[GOALS];
  unsigned char containers[JSON_CONTAINERS(DEPTH)];
  struct paths p;
  size_t i;
  int byte, at, variant;
  build(&p, &root, 1);
  for (i = 0; i < sizeof forms / sizeof *forms; i++)
    for (byte = 0; byte < 256; byte++)
      for (at = 0; at < 70; at += at < 55 ? 11 : 1) {
        const size_t n = strlen(forms[i]);
        char text[100], *s;
        int error;
        memset(text, ' ', sizeof text);
        memcpy(text + at, forms[i], n);
        *strchr(text + at, '?') = (char)byte;
        s = copy_of(text, (size_t)at + n);
        error = read_any(&p, found, s, (size_t)at + n, 0, 0, NULL);
        if (is_taken_short(s, (size_t)at + n, cpu_of(byte % 3)) != (!error && is_container(s)))
          fail_msg("byte %d at %d of %s, read by its members", byte, at, forms[i]);
        for (variant = 0; variant < 3; variant++)
          if (json_is_text(s, (size_t)at + n, DEPTH, containers, cpu_of(variant)) != (!error && is_container(s)))
            fail_msg("byte %d at %d of %s, variant %d", byte, at, forms[i], variant);
        free(s);
      }
  (void)unused;
}

static void test_after_value(void **unused) {
  static char room[4 * TEXT];
  int round;
  seed = 20113;
  for (round = 0; round < 2000; round++) {
    const size_t length = random_text(room, 0, 6, (int)below(2)), more = put(room, length, " ,[1]");
    char *s = copy_of(room, more);
    if (json_after_value(s, s + more, cpu_of((int)below(3)), NULL) != s + length) fail_msg("round %d: %s", round, s);
    free(s);
  }
  (void)unused;
}

/* Numbers that round to infinity are left to the other reader; all others are taken. */
static void test_huge(void **unused) {
  static const char *const small[] = {"1e99", "1E+99", "1e-400", "-1.5e07", "0.000000000000000000000000000000000001"};
  static const char *const huge[] = {"1e309", "1e400", "-1E+1000", "17976931348623159e292"};
  unsigned char containers[JSON_CONTAINERS(DEPTH)];
  char text[1000];
  size_t i;
  for (i = 0; i < sizeof small / sizeof *small; i++) {
    const int n = snprintf(text, sizeof text, "[%s]", small[i]);
    assert_int_equal(json_is_text(text, (size_t)n, DEPTH, containers, 0), 1);
  }
  for (i = 0; i < sizeof huge / sizeof *huge; i++) {
    const int n = snprintf(text, sizeof text, "[%s]", huge[i]);
    assert_int_equal(json_is_text(text, (size_t)n, DEPTH, containers, 0), 0);
  }
  for (i = 200; i < 400; i++) { /* 400 digits, and 210 with e99 */
    memset(text, '9', sizeof text);
    text[0] = '[';
    memcpy(text + 1 + i, "e99]", 5);
    if (i > 210) assert_int_equal(json_is_text(text, i + 5, DEPTH, containers, 0), 0);
    memcpy(text + 1 + i, "]", 2);
    if (i > 308) assert_int_equal(json_is_text(text, i + 2, DEPTH, containers, 0), 0);
  }
  (void)unused;
}

/* A text of two windows with a character, whole or cut, near the end of either. */
static void test_long_end(void **unused) {
  enum { WINDOW = 128 * 1024, LONG = WINDOW + 1000 };
  static const char *const characters[] = {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xf0\x9f\x98", "\xff"};
  unsigned char containers[JSON_CONTAINERS(DEPTH)];
  char *s = malloc(LONG);
  int kind, round;
  if (!s) abort();
  for (kind = 0; kind < 5; kind++)
    for (round = 0; round < 16; round++) {
      const size_t length = strlen(characters[kind]);
      const size_t at = round < 8 ? (size_t)(WINDOW - 6 + round) : LONG - 2 - length - (size_t)(round - 8);
      memset(s, 'x', LONG);
      memcpy(s, "[\"", 2), memcpy(s + LONG - 2, "\"]", 2);
      memcpy(s + at, characters[kind], length);
      if (json_is_text(s, LONG, DEPTH, containers, cpu_of(round % 4)) != (kind < 3))
        fail_msg("character %d at %d", kind, (int)at);
    }
  free(s);
  (void)unused;
}

/* What test_windows was told to release: [released_from, released_to). */
static const char *released_from, *released_to;

static void note_released(const char *from, const char *to) {
  if (!released_from) released_from = from;
  else assert_true(from <= released_to); /* nothing is left out; a value may be read again */
  assert_true(to > from);
  released_to = to;
}

/* A text of several windows: characters, escapes, names, numbers and brackets of all kinds continue in the next one. */
static void test_windows(void **unused) {
  enum { LONG = 300 * 1024 };
  static const char *const units[] = {"\"\xc3\xa9\xf0\x9f\x98\x80\"", "\"\\ud83d\\ude00\\\\\"", "-12.5e-3", "[[]]",
                                      "{\"a\":[true],\"bc\":{}}",     "\"\\\\\\\"\"",           "null "};
  static char room[LONG + 100];
  struct path paths[2] = {{{{NULL, 0, -1, 1}}, 1}, {{{NULL, 0, 1000, 1}}, 1}};
  struct json_slice found[GOALS], wanted[GOALS];
  struct json_goal_state states[GOALS];
  unsigned char containers[JSON_CONTAINERS(DEPTH)];
  struct json_reading how;
  struct paths p;
  int round;
  how.max_depth = DEPTH;
  how.containers = containers;
  how.release = note_released;
  seed = 20114;
  build(&p, paths, 2);
  for (round = 0; round < (SPARSE > 1 ? 14 : 120); round++) {
    const char *unit = units[round % 7];
    size_t n = put(room, 0, "[0"), at;
    char *s;
    int located, error, bad = round % 3;
    n = put(room, n, below(2) ? "  " : ""), n = put(room, n, below(2) ? "    " : " ");
    while (n < LONG) n = put(room, n, ","), n = put(room, n, unit);
    n = put(room, n, "]");
    /* A wrong byte is near the end of a window, or anywhere. */
    at = below(2) ? 128 * 1024 * (1 + below(2)) - 6 + below(12) : below(LONG);
    if (bad == 1) room[at] = (char)(0x80 + below(128));
    if (bad == 2) room[at] = "\\\"]}{[,:1"[below(9)];
    s = copy_of(room, n);
    how.cpu = cpu_of((int)below(3)) | (below(2) ? JSON_INDEX_BLOCKS : 0);
    how.flags = JSON_LOCATE_TEST;
    released_from = released_to = NULL;
    error = read_any(&p, wanted, s, n, 0, 0, NULL);
    located = json_locate(p.goals, p.count, states, found, s, n, &how);
    if (located != !error) fail_msg("round %d: %s at %d", round, located ? "taken" : "refused", (int)at);
    if (json_is_text(s, n, DEPTH, containers, how.cpu) != !error) fail_msg("round %d: at %d", round, (int)at);
    if (located) {
      assert_ptr_equal(found[p.to[0].goal].begin, wanted[p.to[0].goal].begin);
      assert_ptr_equal(found[p.to[1].goal].end, wanted[p.to[1].goal].end);
    }
    released_from = NULL;
    if (!error) assert_ptr_equal(json_after_value(s, s + n, how.cpu, note_released), s + n);
    if (!error) assert_true(released_from == s && released_to == s + n);
    free(s);
  }
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_good),   cmocka_unit_test(test_bad),     cmocka_unit_test(test_found),
      cmocka_unit_test(test_stop),   cmocka_unit_test(test_memory),  cmocka_unit_test(test_random),
      cmocka_unit_test(test_locate), cmocka_unit_test(test_bytes),   cmocka_unit_test(test_after_value),
      cmocka_unit_test(test_huge),   cmocka_unit_test(test_windows), cmocka_unit_test(test_long_end)};
  return cmocka_run_group_tests_name("pick", tests, make_guards, NULL);
}
