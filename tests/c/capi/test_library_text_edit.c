/* SPDX-License-Identifier: MIT
** test_library_text_edit.c -- libfleece through its public header: texts that are changed in place; texts that end
** where memory does; every allocation failing once; memory that is kept.
** Build: make build/tests/plain/simd/test_library_text_edit */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "../support/heap.h"
#include "../../../include/fleece.h"
#include "../support/library.h"

#include "../support/edge.h"

/* ------------------------------------------------------------------------------------- changes */

static fleece_change change(int operation, const char *path, const char *value) {
  fleece_change c;
  memset(&c, 0, sizeof c);
  c.operation = operation;
  c.path = path, c.path_size = strlen(path);
  c.value = value, c.value_size = value ? strlen(value) : 0;
  return c;
}

static void assert_edit(const char *text, uint32_t flags, const fleece_change *changes, size_t count,
                        const char *wanted) {
  fleece_bytes out = FLEECE_BYTES_INIT, scratch = FLEECE_BYTES_INIT;
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  const size_t n = strlen(text);
  int k;
  for (k = 0; k < 4; k++) { /* as it is and with a 0 after it, all tested and not */
    o.flags = flags | (k & 1 ? FLEECE_TERMINATED : 0) | (k & 2 ? FLEECE_PARTIAL : 0);
    if (fleece_text_edit(k & 1 ? text : at_edge(text, n), n, changes, count, &o, &out, k ? &scratch : NULL, &e))
      fail_msg("%s: %s", text, e.message);
    assert_string_equal(out.data, wanted);
    assert_int_equal(out.size, strlen(wanted));
    assert_int_equal(e.status, FLEECE_OK);
  }
  fleece_bytes_free(&out), fleece_bytes_free(&scratch);
}

static void test_edit(void **unused) {
  fleece_change c[4];
  (void)unused;
  c[0] = change(FLEECE_SET, "model", "\"small\"");
  assert_edit("{\"model\" : \"gpt-4\",  \"stream\":true }", 0, c, 1, "{\"model\" : \"small\",  \"stream\":true }");
  c[1] = change(FLEECE_REMOVE, "/stream", NULL);
  c[2] = change(FLEECE_INSERT, "n\\.a\"\xc3\xa9", " [1, 2] ");
  assert_edit("{\n  \"model\": 1,\n  \"stream\": 1.50\n}\n", 0, c, 3,
              "{\n  \"model\": \"small\",\n  \"n.a\\\"\xc3\xa9\": [1, 2]\n}\n");
  c[0] = change(FLEECE_INSERT, "/n\xc3\xa9/", "1");
  assert_edit("{\"n\\u00e9\":{}}", FLEECE_ASCII, c, 1, "{\"n\\u00e9\":{\"\":1}}");
  c[0] = change(FLEECE_SET, "/\xc3\xa9", "1");
  assert_edit("{}", FLEECE_ASCII, c, 1, "{\"\\u00e9\":1}");
  c[0] = change(FLEECE_APPEND, "a", "{\"x\":[]}");
  c[1] = change(FLEECE_APPEND, "a[-1].x", "null");
  c[2] = change(FLEECE_INSERT, "/a/0", "\"first\"");
  c[3] = change(FLEECE_SET, "/a/-", "1e999");
  assert_edit("{\"a\":[1.0,2]}", 0, c, 4, "{\"a\":[\"first\",1.0,2,{\"x\":[null]},1e999]}");
  c[0] = change(FLEECE_SET, "", "7");
  assert_edit(" [1] ", 0, c, 1, " 7 ");
  assert_edit("\"scalar\"", 0, c, 1, "7");
  assert_edit("{\"dup\":1,\"dup\":2}", 0, NULL, 0, "{\"dup\":1,\"dup\":2}");
  c[0] = change(FLEECE_DISCARD, "b", NULL);
  c[1] = change(FLEECE_DISCARD, "b.c", NULL);
  assert_edit("{\"a\":[1], \"b\" : 2 }", 0, c, 2, "{\"a\":[1] }");
  assert_edit(" { \"a\":[1] } ", 0, c, 2, " { \"a\":[1] } ");
  c[0] = change(FLEECE_REMOVE, "b", NULL);
  assert_edit("{a:1, /* x */ b:'2', c:+3,} // end", FLEECE_JSON5, c, 1, "{a:1, /* x */ c:+3,} // end");
  c[0] = change(FLEECE_SET, "[0]", "2");
  assert_edit("\xef\xbb\xbf[1]", FLEECE_BOM, c, 1, "\xef\xbb\xbf[2]");
}

static void test_edit_errors(void **unused) {
  static const struct {
    const char *text;
    int operation;
    const char *path, *value;
    int status;
    size_t offset;
  } cases[] = {
      {"{\"a\":[1]}", FLEECE_SET, "a.b", "1", FLEECE_ERROR_CHANGE, 5},
      {"{\"a\":[1]}", FLEECE_SET, "b.c", "1", FLEECE_ERROR_CHANGE, 0},
      {"{\"a\":[1]}", FLEECE_REMOVE, "b", NULL, FLEECE_ERROR_CHANGE, 0},
      {"{\"a\":[1]}", FLEECE_INSERT, "a", "1", FLEECE_ERROR_CHANGE, 0},
      {"{\"a\":[1]}", FLEECE_APPEND, "", "1", FLEECE_ERROR_CHANGE, 0},
      {"{\"a\":1,\"a\":2}", FLEECE_SET, "a", "1", FLEECE_ERROR_CHANGE, 0},
      {"{\"a\":[1]}", FLEECE_SET, "a[", "1", FLEECE_ERROR_PATH, 1},
      {"{\"a\":[1]}", FLEECE_SET, "/~", "1", FLEECE_ERROR_PATH, FLEECE_NOWHERE},
      {"{\"a\":[1]}", FLEECE_SET, "a", "[1", FLEECE_ERROR_VALUE, 2},
      {"{\"a\":[1]}", FLEECE_SET, "a", "", FLEECE_ERROR_VALUE, 0},
      {"{\"a\":[1]}", FLEECE_SET, "a", "1,", FLEECE_ERROR_VALUE, 1},
      {"{\"a\":[1]}", FLEECE_SET, "a", NULL, FLEECE_ERROR_VALUE, 0},
      {"{\"a\":[1]}", FLEECE_SET, "\xff", "1", FLEECE_ERROR_VALUE, FLEECE_NOWHERE},
      {"{\"a\":1,\"a\":2}", FLEECE_DISCARD, "a", NULL, FLEECE_ERROR_CHANGE, 0},
      {"{\"a\":[1]}", FLEECE_DISCARD, "", NULL, FLEECE_ERROR_CHANGE, 0},
      {"{\"a\":[1]}", 5, "a", "1", FLEECE_ERROR_ARGUMENT, FLEECE_NOWHERE},
      {"{\"a\":[1]}", -1, "a", "1", FLEECE_ERROR_ARGUMENT, FLEECE_NOWHERE},
  };
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_change c[2];
  fleece_error e;
  size_t i;
  (void)unused;
  c[0] = change(FLEECE_SET, "", NULL);
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    c[0] = change(FLEECE_SET, "", cases[i].text);
    c[1] = change(cases[i].operation, cases[i].path, cases[i].value);
    assert_int_equal(fleece_text_edit(cases[i].text, strlen(cases[i].text), c + 1, 1, NULL, &out, NULL, &e),
                     cases[i].status);
    assert_int_equal(e.status, cases[i].status);
    assert_int_equal(e.index, 0);
    if (e.offset != cases[i].offset) fail_msg("case %d: offset %d", (int)i, (int)e.offset);
    assert_int_equal(out.size, 0);
    assert_true(strlen(e.message) > 0);
    /* after a change that succeeds; places in its value are not in the text */
    assert_int_equal(fleece_text_edit("[]", 2, c, 2, NULL, &out, NULL, &e), cases[i].status);
    assert_int_equal(e.index, 1);
    if (e.status == FLEECE_ERROR_CHANGE) assert_int_equal(e.offset, FLEECE_NOWHERE);
  }
  assert_int_equal(fleece_text_edit("[1,", 3, c, 0, NULL, &out, NULL, &e), FLEECE_ERROR_JSON);
  assert_int_equal(e.offset, 3);
  assert_int_equal(e.index, FLEECE_NOWHERE);
  o.flags = FLEECE_PARTIAL;
  c[0] = change(FLEECE_SET, "[1]", "1");
  assert_int_equal(fleece_text_edit(at_edge("[1;2]", 5), 5, c, 1, &o, &out, NULL, &e), FLEECE_ERROR_JSON);
  assert_int_equal(e.offset, 2);
  assert_int_equal(e.index, 0);
  o.flags = 0, o.max_depth = 1;
  c[0] = change(FLEECE_SET, "[0]", "[[]]");
  assert_int_equal(fleece_text_edit("[1]", 3, c, 1, &o, &out, NULL, &e), FLEECE_ERROR_LIMIT);
  assert_int_equal(fleece_text_edit("[[1]]", 5, c, 0, &o, &out, NULL, &e), FLEECE_ERROR_LIMIT);
  c[0] = change(FLEECE_SET, "[0]", "[]");
  assert_int_equal(fleece_text_edit("[1]", 3, c, 1, &o, &out, NULL, &e), FLEECE_ERROR_LIMIT);
  assert_int_equal(e.index, 0);
  assert_int_equal(fleece_text_edit("[1]", 3, NULL, 1, NULL, &out, NULL, &e), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_text_edit("[1]", 3, c, 1, NULL, &out, &out, &e), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_text_edit(NULL, 3, c, 1, NULL, &out, NULL, &e), FLEECE_ERROR_ARGUMENT);
  fleece_bytes_free(&out);
}

static void test_edit_wildcards(void **unused) {
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_change c[2];
  fleece_error e;
  char path[100] = "a";
  int i;
  (void)unused;
  c[0] = change(FLEECE_SET, "a[*].b", "true");
  c[1] = change(FLEECE_REMOVE, "a[*].c.*", NULL);
  assert_edit("{ \"a\": [ {\"b\": 1}, 2, {}, {\"c\": {\"x\": [1], \"y\": 2}, \"b\": 0} ] }", 0, c, 2,
              "{ \"a\": [ {\"b\": true}, 2, {\"b\": true}, {\"c\": {}, \"b\": true} ] }");
  c[0] = change(FLEECE_SET, "[*]", "0");
  assert_edit("[1, /* two */ [2]]", FLEECE_COMMENTS, c, 1, "[0, /* two */ 0]");
  c[0] = change(FLEECE_REMOVE, "x[*].y", NULL);
  assert_edit("[1]", 0, c, 1, "[1]");
  c[0] = change(FLEECE_SET, "[*]", "{}");
  c[1] = change(FLEECE_APPEND, "", "1");
  assert_edit("[1]", 0, c, 2, "[{},1]");
  c[1] = change(FLEECE_REMOVE, "[-1]", NULL);
  assert_edit("[1 , \"a\"]", 0, c, 2, "[{}]");
  c[0] = change(FLEECE_SET, "[\"*\"]", "0");
  assert_edit("{\"*\":1,\"a\":1}", 0, c, 1, "{\"*\":0,\"a\":1}");
  c[0] = change(FLEECE_INSERT, "a[*]", "0");
  assert_int_equal(fleece_text_edit("{\"a\":[]}", 8, c, 1, NULL, &out, NULL, &e), FLEECE_ERROR_PATH);
  for (i = 0; i < 17; i++) strcat(path, "[*]");
  for (i = 0; i < 2; i++) {
    path[strlen(path) - (size_t)i * 3] = 0;
    c[0] = change(FLEECE_DISCARD, path, NULL);
    assert_int_equal(fleece_text_edit("{}", 2, c, 1, NULL, &out, NULL, &e), i ? FLEECE_OK : FLEECE_ERROR_PATH);
  }
  assert_null(fleece_text_picker_new((const char *const[]){"a[*]"}, NULL, 1, NULL, &e));
  assert_int_equal(e.status, FLEECE_ERROR_PATH);
  fleece_bytes_free(&out);
}

/* A name that is not UTF-8 is the one that is written, so that no name is there twice. */
static void test_edit_names(void **unused) {
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_change c[2];
  (void)unused;
  o.flags = FLEECE_REPLACE_UTF8;
  c[0] = change(FLEECE_SET, "a\xff", "1");
  c[1] = change(FLEECE_SET, "/a\xfe", "2");
  assert_int_equal(fleece_text_edit("{}", 2, c, 2, &o, &out, NULL, NULL), FLEECE_OK);
  assert_string_equal(out.data, "{\"a\xef\xbf\xbd\":2}");
  fleece_bytes_free(&out);
}

/* A value that was found is replaced where it was found; all else stays. */
static void test_edit_random(void **unused) {
  static const char *const paths[] = {"a",    "d.e.f",   "/d",       "[0].name", "/1/1/1",
                                      "[-1]", "tags[3]", "tags[-1]", "id",       ""};
  fleece_bytes out = FLEECE_BYTES_INIT, scratch = FLEECE_BYTES_INIT;
  char text[256], wanted[300];
  int i, edited = 0;
  (void)unused;
  for (i = 0; i < 20000; i++) {
    const char *path = paths[below(sizeof paths / sizeof *paths)], *s;
    const fleece_change c = change(FLEECE_SET, path, "{\"new\":[1]}");
    const size_t n = mutated(text);
    fleece_picker *p = picker(&path, 1, 0);
    fleece_text found;
    fleece_error e;
    const int status = fleece_text_pick(p, s = at_edge(text, n), n, &found, NULL, NULL);
    fleece_text_picker_free(p);
    if (fleece_text_edit(s, n, &c, 1, NULL, &out, &scratch, &e) != FLEECE_OK) {
      if (status) assert_true(e.status == status || e.status == FLEECE_ERROR_CHANGE); /* huge numbers are allowed */
      else if (found.at) assert_string_equal(e.message, "there are several members of this name");
      continue;
    }
    if (status || !found.at) continue;
    edited++;
    assert_true(n + 20 < sizeof wanted);
    assert_int_equal(out.size, sprintf(wanted, "%.*s%s%.*s", (int)(found.at - s), s, c.value,
                                       (int)(s + n - found.at - found.size), found.at + found.size));
    assert_string_equal(out.data, wanted);
  }
  assert_true(edited > 1000);
  fleece_bytes_free(&out), fleece_bytes_free(&scratch);
}

/* ------------------------------------------------------------------------------------- memory */

struct run {
  struct heap heap;
  fleece_allocator memory;
  fleece_bytes out, scratch, string;
};

/* Everything that takes memory. Answers the first status that is not FLEECE_OK. */
static int everything(struct run *r, const char *text, size_t n) {
  static const char *const paths[] = {"/a/0", "/a/1", "b.c[-1].d", "text"};
  fleece_change changes[] = {change(FLEECE_SET, "/a/1", text + 5), change(FLEECE_INSERT, "b.new", "[]"),
                             change(FLEECE_REMOVE, "/a/0", NULL)};
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_text found[4];
  fleece_error e;
  fleece_picker *p;
  size_t length;
  int status;
  changes[0].value_size = strcspn(text, "]") + 1 - 5; /* the array */
  o.allocator = &r->memory;
  o.flags = FLEECE_COMMENTS;
  p = fleece_text_picker_new(paths, NULL, 4, &o, &e);
  if (!p) return e.status;
  status = fleece_text_check(text, n, &o, NULL, &e);
  if (!status) status = fleece_text_check(text, n, &o, &r->scratch, &e);
  if (!status) status = fleece_text_pick(p, text, n, found, NULL, &e);
  if (!status) status = fleece_text_pick(p, text, n, found, &r->scratch, &e);
  if (!status && !fleece_text_string(found[3], &length, &r->string, &e)) status = e.status;
  if (!status) status = fleece_text_edit(text, n, changes, 3, &o, &r->out, NULL, &e);
  if (!status) status = fleece_text_edit(text, n, changes, 3, &o, &r->out, &r->scratch, &e);
  fleece_text_picker_free(p);
  return status;
}

static void test_memory(void **unused) {
  static char text[70000];
  struct run r;
  size_t n = 0;
  long fail_at, refused = 0;
  int i, status;
  (void)unused;
  n += (size_t)sprintf(text, "{\"a\":[0");
  for (i = 1; i < 9000; i++) n += (size_t)sprintf(text + n, ",%d", i);
  n += (size_t)sprintf(text + n, "],/* */\"b\":{\"c\":[{\"d\":1}]},\"text\":\"\\n\"}");
  for (fail_at = 1;; fail_at++) {
    long requests;
    memset(&r, 0, sizeof r);
    r.heap.fail_at = fail_at;
    r.memory.alloc = heap_alloc, r.memory.ud = &r.heap;
    r.out.allocator = r.scratch.allocator = r.string.allocator = r.memory;
    status = everything(&r, text, n);
    if (status != FLEECE_OK) assert_int_equal(status, FLEECE_ERROR_MEMORY), refused++;
    requests = r.heap.requests;
    if (requests < fail_at) break;
    fleece_bytes_free(&r.out), fleece_bytes_free(&r.scratch), fleece_bytes_free(&r.string);
    assert_int_equal(r.heap.blocks, 0);
  }
  assert_int_equal(status, FLEECE_OK);
  assert_true(refused > 8);
  fleece_bytes_free(&r.out), fleece_bytes_free(&r.scratch), fleece_bytes_free(&r.string);
  assert_int_equal(r.heap.blocks, 0);
}

/* With memory that is kept the second call allocates nothing; on small strict texts neither does the first. */
static void test_kept_memory(void **unused) {
  static const char *const paths[] = {"model", "/stream"};
  static const char small[] = "{\"model\":\"x\",\"stream\":true}", other[] = "{/**/\"model\":1,\"stream\":[]}";
  const fleece_change changes[] = {change(FLEECE_SET, "model", "\"y\""), change(FLEECE_APPEND, "stream", "{}")};
  struct run r;
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_text found[2];
  fleece_picker *p;
  long before;
  int i;
  (void)unused;
  memset(&r, 0, sizeof r);
  r.memory.alloc = heap_alloc, r.memory.ud = &r.heap;
  r.out.allocator = r.scratch.allocator = r.memory;
  o.allocator = &r.memory;
  o.flags = FLEECE_COMMENTS;
  assert_non_null(p = fleece_text_picker_new(paths, NULL, 2, &o, NULL));
  assert_int_equal(r.heap.requests, 1);
  assert_int_equal(fleece_text_pick(p, small, sizeof small - 1, found, NULL, NULL), FLEECE_OK);
  assert_int_equal(fleece_text_check(small, sizeof small - 1, &o, NULL, NULL), FLEECE_OK);
  assert_int_equal(r.heap.requests, 1);
  assert_int_equal(fleece_text_edit(small, sizeof small - 1, changes, 1, &o, &r.out, NULL, NULL), FLEECE_OK);
  assert_int_equal(r.heap.blocks, 2); /* the picker and the output */
  for (i = 0; i < 2; i++) {
    char large[20000];
    size_t n = (size_t)sprintf(large, "%s", other);
    memset(large + n, ' ', sizeof large - n);
    before = r.heap.requests;
    assert_int_equal(fleece_text_pick(p, large, sizeof large, found, &r.scratch, NULL), FLEECE_OK);
    assert_int_equal(fleece_text_edit(large, sizeof large, changes, 2, &o, &r.out, &r.scratch, NULL), FLEECE_OK);
  }
  assert_int_equal(r.heap.requests, before);
  fleece_text_picker_free(p);
  fleece_bytes_free(&r.out), fleece_bytes_free(&r.scratch);
  assert_int_equal(r.heap.blocks, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_edit),           cmocka_unit_test(test_edit_errors), cmocka_unit_test(test_edit_random),
      cmocka_unit_test(test_memory),         cmocka_unit_test(test_kept_memory), cmocka_unit_test(test_edit_names),
      cmocka_unit_test(test_edit_wildcards),
  };
  return cmocka_run_group_tests(tests, make_edge, free_edge);
}
