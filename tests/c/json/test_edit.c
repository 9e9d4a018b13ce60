/* SPDX-License-Identifier: MIT
** test_edit.c -- texts with some values changed, without Lua: the sequence of pieces against an array, cases by hand, and
** memory that ends at each allocation.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/json/test_edit.c -lcmocka */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "json/edit/edit.h"
#include "json/pointer.h"
#include "text/cpu.h"

/* ------------------------------------------------------------------------------------- the tree */

enum { NODES = 400, STEPS = 20000 };

static uint32_t seed = 20111;

static uint32_t below(uint32_t n) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % n;
}

static int64_t count_to(struct json_edit_node *const *list, size_t n) {
  int64_t sum = 0;
  size_t i;
  for (i = 0; i < n; i++) sum += list[i]->count;
  return sum;
}

static void test_tree(void **unused) {
  static struct json_edit_node nodes[NODES];
  struct json_edit_node *list[NODES], *free_nodes[NODES], *root = NULL, *n;
  size_t length = 0, free_count = NODES, i, step;
  for (i = 0; i < NODES; i++) free_nodes[i] = &nodes[i];
  for (step = 0; step < STEPS; step++) {
    if (free_count > 0 && (length == 0 || below(step / 2000 % 2 ? 3 : 2) == 0)) {
      const size_t at = below((uint32_t)length + 1);
      n = free_nodes[--free_count];
      n->count = below(4);
      if (at < length && below(2)) json_edit_add_node(&root, list[at], n, JSON_EDIT_BEFORE);
      else if (at > 0) json_edit_add_node(&root, list[at - 1], n, JSON_EDIT_AFTER);
      else json_edit_add_node(&root, length ? list[0] : NULL, n, JSON_EDIT_BEFORE);
      memmove(&list[at + 1], &list[at], (length - at) * sizeof *list);
      list[at] = n;
      length++;
    } else if (length > 0) {
      const size_t at = below((uint32_t)length);
      n = list[at];
      json_edit_take_out(&root, n);
      free_nodes[free_count++] = n;
      memmove(&list[at], &list[at + 1], (--length - at) * sizeof *list);
    }
    if (length == 0) {
      assert_null(root);
      continue;
    }
    i = below((uint32_t)length);
    assert_ptr_equal(json_edit_neighbour(&root, list[i], JSON_EDIT_BEFORE), i > 0 ? list[i - 1] : NULL);
    assert_ptr_equal(json_edit_neighbour(&root, list[i], JSON_EDIT_AFTER), i + 1 < length ? list[i + 1] : NULL);
    json_edit_recount(&root, list[i], below(4));
    assert_int_equal(root->weight, count_to(list, length));
    if (list[i]->count > 0) {
      int64_t index = count_to(list, i) + list[i]->count - 1;
      assert_ptr_equal(json_edit_at(&root, &index), list[i]);
      assert_int_equal(index, list[i]->count - 1);
    }
    if (step % 100) continue;
    for (i = 0, n = json_edit_leftmost(root); n; n = json_edit_next(n)) assert_ptr_equal(n, list[i++]);
    assert_int_equal(i, length);
    assert_ptr_equal(json_edit_outermost(&root, JSON_EDIT_BEFORE), list[0]);
    assert_ptr_equal(json_edit_outermost(&root, JSON_EDIT_AFTER), list[length - 1]);
  }
  (void)unused;
}

/* ------------------------------------------------------------------------------------- changes */

enum { BLOCKS = 64 };

/* Blocks that were given out; after `left` of them there is no memory. */
struct blocks {
  void *block[BLOCKS];
  int count, left;
  size_t bytes;
};

static void *give(void *owner, size_t n) {
  struct blocks *b = (struct blocks *)owner;
  if (b->left-- == 0) return NULL;
  assert_true(b->count < BLOCKS);
  b->bytes += n;
  return b->block[b->count++] = malloc(n);
}

struct change {
  enum json_edit_operation operation;
  const char *pointer, *name, *value;
};

/* The text of `length` bytes after the changes, from malloc; NULL: the error is in *error. All but the text is freed.
** The first block of memory has 2 * half bytes, if that is enough for what is asked for; 0: the usual size. */
static char *edit(const char *text, size_t length, const struct change *changes, size_t n, unsigned grammar,
                  size_t half, int blocks, enum json_edit_error *error) {
  struct json_edit e;
  struct blocks b;
  size_t i;
  const char *begin = text;
  char *result = NULL;
  memset(&e, 0, sizeof e);
  memset(&b, 0, sizeof b);
  b.left = blocks;
  e.scan.begin = text;
  e.scan.end = text + length;
  e.scan.grammar = grammar;
  e.scan.max_depth = 5;
  e.scan.utf8 = text_utf8_valid;
  e.cpu = text_cpu();
  e.alloc = give;
  e.owner = &b;
  while (json_is_blank(*begin)) begin++;
  json_edit_begin(&e, begin, json_edit_find_end(&e, begin));
  e.block = half;
  for (i = 0; i < n && !e.error; i++) {
    struct json_edit_change c;
    struct json_token tokens[16];
    struct json_step steps[16];
    char names[200];
    size_t k;
    memset(&c, 0, sizeof c);
    assert_true(json_read_pointer(changes[i].pointer, strlen(changes[i].pointer), tokens, names, &c.count));
    for (k = 0; k < c.count; k++) {
      const int after = tokens[k].n == 1 && *tokens[k].name == '-';
      steps[k].name = tokens[k].name;
      steps[k].n = tokens[k].n;
      steps[k].index = after ? JSON_EDIT_AFTER_LAST : tokens[k].index;
      steps[k].indexes = after || tokens[k].index != JSON_NO_INDEX;
    }
    c.operation = changes[i].operation;
    c.steps = steps;
    if (changes[i].name) c.name = json_slice_of(changes[i].name, changes[i].name + strlen(changes[i].name));
    c.indented = changes[i].value && strchr(changes[i].value, '\n');
    if (changes[i].value) c.value = json_slice_of(changes[i].value, changes[i].value + strlen(changes[i].value));
    if (json_edit_apply(&e, &c) != (e.error == JSON_EDIT_OK)) fail_msg("%s: the result and the error differ", text);
  }
  *error = e.error;
  if (!e.error && json_edit_length(&e, &length)) {
    result = malloc(length + 1);
    assert_non_null(result);
    assert_ptr_equal(json_edit_write(&e, result), result + length);
    result[length] = 0;
  }
  for (i = 0; i < (size_t)b.count; i++) free(b.block[i]);
  return result;
}

static const struct {
  const char *text, *result;
  unsigned grammar;
  struct change changes[6];
  size_t more; /* bytes that are not of the text, but follow it */
} cases[] = {
    {"[1, 2]", "[1, 3]", 0, {{JSON_EDIT_SET, "/1", NULL, "3"}}},
    {" {\"a\":1} ", " {\"a\":1,\"b\":[]} ", 0, {{JSON_EDIT_INSERT, "/b", "\"b\"", "[]"}}},
    {"{\"a\":[{\"b\":[0]}]}", "{\"a\":[{\"b\":[0,1]}]}", 0, {{JSON_EDIT_APPEND, "/a/0/b", NULL, "1"}}},
    {"[[],[]]",
     "[[1,2]]",
     0,
     {{JSON_EDIT_APPEND, "/1", NULL, "2"},
      {JSON_EDIT_INSERT, "/1/0", NULL, "1"},
      {JSON_EDIT_REMOVE, "/0", NULL, NULL}}},
    {"{\n\t\"a\": {}\n}\n",
     "{\n\t\"a\": {\n\t\t\"x\": {\"y\":[2]}\n\t}\n}\n",
     0,
     {{JSON_EDIT_SET, "/a/x", "\"x\"", "{\"y\":[1]}"}, {JSON_EDIT_SET, "/a/x/y/0", NULL, "2"}}},
    {"{\"1\":1,\"2\":2,\"3\":3,\"4\":4}",
     "{\"4\":0,\"5\":5}",
     0,
     {{JSON_EDIT_REMOVE, "/1", NULL, NULL},
      {JSON_EDIT_REMOVE, "/3", NULL, NULL},
      {JSON_EDIT_REMOVE, "/2", NULL, NULL},
      {JSON_EDIT_SET, "/4", "\"4\"", "7"},
      {JSON_EDIT_SET, "/4", "\"4\"", "0"},
      {JSON_EDIT_SET, "/5", "\"5\"", "5"}}},
    {"[1, // one\n 2, /* two */]",
     "[ // one\n 2, /* two */\n 3,]",
     JSON_COMMENTS | JSON_TRAILING_COMMAS,
     {{JSON_EDIT_REMOVE, "/0", NULL, NULL}, {JSON_EDIT_SET, "/-", NULL, "3"}}},
    /* an array whose items are counted when memory ends: what was found then does not count */
    {"[[0],1]", "[[5],1,9]", 0, {{JSON_EDIT_SET, "/2", NULL, "9"}, {JSON_EDIT_SET, "/0/0", NULL, "5"}}},
    /* what is in names that are not looked for does not count */
    {"{\"\xff\":1,\"a\":2}", "{\"\xff\":1,\"a\":3}", 0, {{JSON_EDIT_SET, "/a", "\"a\"", "3"}}},
    /* a comment in the line of the item before stays there; but if the item after it is in that line it is that one's */
    {"[0, /*a*/\n /*b*/ 1]",
     "[0, 6, /*a*/ 5,\n /*b*/ 1]",
     JSON_COMMENTS,
     {{JSON_EDIT_INSERT, "/1", NULL, "5"}, {JSON_EDIT_INSERT, "/1", NULL, "6"}}},
    /* as deep as may be, and long but not deep */
    {"[[[[0]]]]", "[[[[[]]]]]", 0, {{JSON_EDIT_SET, "/0/0/0/0", NULL, "[]"}}},
    {"[[[[[0]]]]]", "[[[[[1]]]]]", 0, {{JSON_EDIT_SET, "/0/0/0/0/0", NULL, "1"}}},
    {"[0]",
     "[\"longer than twice five levels\"]",
     0,
     {{JSON_EDIT_SET, "/0", NULL, "\"longer than twice five levels\""}}},
    {"[0]", "[[1,[2],[3],[4],[5]]]", 0, {{JSON_EDIT_SET, "/0", NULL, "[1,[2],[3],[4],[5]]"}}},
    {"[0]", "[[[[[]]]]]", 0, {{JSON_EDIT_SET, "/0", NULL, "[[[[]]]]"}}},
    /* the line ends of a value become those of the text, here \r */
    {"[0]\r\n", "[[\r1\r]]\r", 0, {{JSON_EDIT_SET, "/0", NULL, "[\n1\n]"}}, 1},
    {"[0]\r\n", "[[\r\n1\r\n]]\r\n", 0, {{JSON_EDIT_SET, "/0", NULL, "[\n1\n]"}}, 0},
};

static size_t count_changes(const struct change *c) {
  size_t n = 0;
  while (n < 6 && c[n].pointer) n++;
  return n;
}

/* With all the memory there is; and with none from each allocation on: then the error says so. Many requests share a
** block, so blocks of all small sizes are tried: each request is once the first that gets nothing. */
static void test_cases(void **unused) {
  size_t i, half;
  for (i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (half = 0; half <= 1024; half += 4) {
      enum json_edit_error error;
      int blocks = 0;
      char *got;
      do {
        got = edit(cases[i].text, strlen(cases[i].text) - cases[i].more, cases[i].changes,
                   count_changes(cases[i].changes), cases[i].grammar, half, blocks++, &error);
        if (!got) assert_int_equal(error, JSON_EDIT_MEMORY);
      } while (!got);
      assert_true(blocks > 1);
      if (strcmp(got, cases[i].result) != 0) fail_msg("%s: expected %s, got %s", cases[i].text, cases[i].result, got);
      free(got);
    }
  (void)unused;
}

static void test_errors(void **unused) {
  static const struct {
    const char *text;
    struct change change;
    enum json_edit_error error;
  } wrong[] = {
      {"1", {JSON_EDIT_SET, "/a", "\"a\"", "1"}, JSON_EDIT_SCALAR},
      {"[1]", {JSON_EDIT_SET, "/a", "\"a\"", "1"}, JSON_EDIT_NO_INDEX},
      {"[1]", {JSON_EDIT_SET, "/2", NULL, "1"}, JSON_EDIT_NO_ITEM},
      {"{}", {JSON_EDIT_REMOVE, "/2", NULL, NULL}, JSON_EDIT_NO_MEMBER},
      {"{\"a\":1,\"\\u0061\":1}", {JSON_EDIT_REMOVE, "/a", NULL, NULL}, JSON_EDIT_DUPLICATE},
      {"{\"a\":1}", {JSON_EDIT_INSERT, "/a", "\"a\"", "1"}, JSON_EDIT_EXISTS},
      {"{\"a\":1}", {JSON_EDIT_APPEND, "/a", NULL, "1"}, JSON_EDIT_NO_ARRAY},
      {"{\"a\":1}", {JSON_EDIT_INSERT, "", NULL, "1"}, JSON_EDIT_ROOT},
      {"[[0]]", {JSON_EDIT_SET, "/0/0", NULL, "[[[[]]]]"}, JSON_EDIT_DEPTH},
      {"[0]", {JSON_EDIT_SET, "/0", NULL, "[[[[[]]]]]"}, JSON_EDIT_DEPTH},
      {"[[[[[0]]]]]", {JSON_EDIT_SET, "/0/0/0/0/0", NULL, "[]"}, JSON_EDIT_DEPTH},
      {"[[[[[0]]]]]", {JSON_EDIT_SET, "/0/0/0/0/0", NULL, "{}"}, JSON_EDIT_DEPTH},
      {"[1,,2]", {JSON_EDIT_APPEND, "", NULL, "1"}, JSON_EDIT_TEXT},
      {"[\"a]", {JSON_EDIT_APPEND, "", NULL, "1"}, JSON_EDIT_TEXT},
  };
  size_t i;
  for (i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    enum json_edit_error error;
    if (edit(wrong[i].text, strlen(wrong[i].text), &wrong[i].change, 1, 0, 0, -1, &error) || error != wrong[i].error)
      fail_msg("%s: %s", wrong[i].text, json_edit_message(error));
  }
  (void)unused;
}

/* White space of up to 1024 bytes is copied for a new item, and for a new member what is around the colon. */
static void test_long_space(void **unused) {
  static char text[5000], wanted[8000], blanks[1100];
  int n, object;
  memset(blanks, ' ', sizeof blanks);
  for (n = 1000; n < 1050; n++)
    for (object = 0; object < 2; object++) {
      const struct change change = {JSON_EDIT_SET, object ? "/b" : "/-", "\"b\"", "3"};
      enum json_edit_error error;
      char *got;
      if (object) {
        sprintf(text, "{\"a\":%.*s1}", n, blanks);
        sprintf(wanted, "{\"a\":%.*s1, \"b\":%.*s3}", n, blanks, n < 1024 ? n : 1, blanks);
      } else {
        sprintf(text, "[1,%.*s2]", n, blanks);
        sprintf(wanted, "[1,%.*s2,%.*s3]", n, blanks, n <= 1024 ? n : 0, blanks);
      }
      got = edit(text, strlen(text), &change, 1, 0, 0, -1, &error);
      assert_non_null(got);
      assert_string_equal(got, wanted);
      free(got);
    }
  (void)unused;
}

/* Memory of each size is aligned; and no block is so large that a size_t cannot count twice its bytes. */
static void test_memory(void **unused) {
  struct json_edit e;
  struct blocks b;
  size_t n;
  memset(&e, 0, sizeof e);
  memset(&b, 0, sizeof b);
  b.left = -1;
  e.alloc = give;
  e.owner = &b;
  for (n = 1; n < 50; n++) assert_int_equal((uintptr_t)json_edit_memory(&e, n) % sizeof(int64_t), 0);
  assert_int_equal(b.count, 1);
  free(b.block[0]);
  e.free = e.limit;
  e.block = SIZE_MAX / 2 + 1;
  assert_null(json_edit_memory(&e, 1));
  assert_int_equal(e.error, JSON_EDIT_MEMORY);
  assert_int_equal(b.count, 1);
  (void)unused;
}

/* Many changes of a long array need memory for its items once, and then a little for each change. */
static void test_long_array(void **unused) {
  enum { ITEMS = 20000, CHANGES = 300 };
  static const char eight[] = "8";
  char *text = malloc(2 * ITEMS + 2);
  struct json_edit e;
  struct blocks b;
  size_t i;
  assert_non_null(text);
  for (i = 0; i < ITEMS; i++) memcpy(text + 2 * i + 1, "7,", 2);
  *text = '[', text[2 * ITEMS] = ']';
  memset(&e, 0, sizeof e);
  memset(&b, 0, sizeof b);
  b.left = -1;
  e.scan.begin = text;
  e.scan.end = text + 2 * ITEMS + 1;
  e.scan.max_depth = 5;
  e.scan.utf8 = text_utf8_valid;
  e.alloc = give;
  e.owner = &b;
  json_edit_begin(&e, text, e.scan.end);
  for (i = 0; i < CHANGES; i++) {
    const struct json_step step = {NULL, 0, (int64_t)(i * 7919 % ITEMS), 1};
    struct json_edit_change c;
    memset(&c, 0, sizeof c);
    c.operation = JSON_EDIT_SET;
    c.steps = &step;
    c.count = 1;
    c.value = json_slice_of(eight, eight + 1);
    assert_true(json_edit_apply(&e, &c));
  }
  assert_true(b.bytes >= 1 && b.bytes <= 1 << 20);
  for (i = 0; i < (size_t)b.count; i++) free(b.block[i]);
  free(text);
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tree),   cmocka_unit_test(test_cases),      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_memory), cmocka_unit_test(test_long_array), cmocka_unit_test(test_long_space),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
