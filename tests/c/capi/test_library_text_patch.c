/* SPDX-License-Identifier: MIT
** test_library_text_patch.c -- libfleece through its public header: JSON Patch and JSON Merge Patch of texts, and their
** differences. FLEECE_DATA names a directory with standards/json-patch.json (github.com/json-patch/json-patch-tests).
** Build: make build/tests/plain/simd/test_library_text_patch */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../support/heap.h"
#include "../../../include/fleece.h"
#include "../support/library.h"

#include "../support/edge.h"

typedef int (*change_fn)(const char *, size_t, const char *, size_t, const fleece_options *, fleece_bytes *,
                         fleece_bytes *, fleece_error *);

/* The call with texts that have nothing after them, and with a 0. */
static void assert_call(change_fn call, const char *a, const char *b, uint32_t flags, const char *wanted) {
  fleece_bytes out = FLEECE_BYTES_INIT, scratch = FLEECE_BYTES_INIT;
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  int k;
  for (k = 0; k < 3; k++) {
    const char *s = k == 1 ? at_edge(a, strlen(a)) : a, *t = k == 2 ? at_edge(b, strlen(b)) : b;
    o.flags = flags | (k ? 0 : FLEECE_TERMINATED);
    if (call(s, strlen(a), t, strlen(b), &o, &out, k ? &scratch : NULL, &e)) fail_msg("%s, %s: %s", a, b, e.message);
    assert_int_equal(e.status, FLEECE_OK);
    assert_string_equal(out.data, wanted);
    assert_int_equal(out.size, strlen(wanted));
  }
  fleece_bytes_free(&out), fleece_bytes_free(&scratch);
}

struct failure {
  const char *a, *b;
  uint32_t max_depth;
  int status;
  size_t index, offset;
};

static void assert_failures(change_fn call, const struct failure *cases, size_t count) {
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  size_t i;
  for (i = 0; i < count; i++) {
    const struct failure *c = &cases[i];
    o.max_depth = c->max_depth;
    assert_int_equal(call(c->a, strlen(c->a), c->b, strlen(c->b), &o, &out, NULL, &e), c->status);
    if (e.index != c->index || e.offset != c->offset)
      fail_msg("case %d: index %d, offset %d: %s", (int)i, (int)e.index, (int)e.offset, e.message);
    assert_int_equal(e.status, c->status);
    assert_int_equal(e.line, e.offset == FLEECE_NOWHERE ? 0 : 1);
    assert_int_equal(out.size, 0);
    assert_true(strlen(e.message) > 0);
  }
  fleece_bytes_free(&out);
}
#define ASSERT_FAILURES(call, cases) assert_failures(call, cases, sizeof(cases) / sizeof *(cases))
#define NO FLEECE_NOWHERE

/* ------------------------------------------------------------------------------------- JSON Patch */

static void test_json_patch(void **unused) {
  (void)unused;
  assert_call(
      fleece_text_json_patch, "{ \"a\": [1, 2.50],  \"b\": {} }\n",
      "[{\"op\":\"test\",\"path\":\"/a/1\",\"value\":2.5},{\"op\":\"add\",\"path\":\"/a/-\",\"value\":{\"x\":null}},"
      "{\"op\":\"move\",\"from\":\"/a/0\",\"path\":\"/b/c\"},{\"op\":\"copy\",\"from\":\"/b\",\"path\":\"/d\"}]",
      0, "{ \"a\": [2.50, {\"x\":null}],  \"b\": {\"c\": 1},  \"d\": {\"c\": 1} }\n");
  assert_call(fleece_text_json_patch, "1", "[]", 0, "1");
  assert_call(fleece_text_json_patch, "[1, /* two */ 2]", "[{\"op\":\"remove\",\"path\":\"/0\"}]", FLEECE_COMMENTS,
              "[ /* two */ 2]");
  assert_call(fleece_text_json_patch, "[1]", "\xef\xbb\xbf[]", FLEECE_BOM, "[1]");
  /* a name of the patch is written as it must be */
  assert_call(fleece_text_json_patch, "{}", "[{\"op\":\"add\",\"path\":\"/~1\\\"\\n\xc3\xa9\",\"value\":1}]", 0,
              "{\"/\\\"\\n\xc3\xa9\":1}");
}

static void test_json_patch_errors(void **unused) {
  static const struct failure cases[] = {
      {"[1,", "[]", 0, FLEECE_ERROR_JSON, NO, 3},
      {"[1]", "[", 0, FLEECE_ERROR_VALUE, NO, 1},
      {"[1]", "", 0, FLEECE_ERROR_VALUE, NO, 0},
      {"[1]", "[{\"op\":\"test\",\"op\":1}]", 0, FLEECE_ERROR_VALUE, NO, 14},
      {"[1]", "{}", 0, FLEECE_ERROR_VALUE, NO, 0},
      {"[1]", "[1]", 0, FLEECE_ERROR_VALUE, 0, 1},
      {"[1]", "[{\"op\":\"test\",\"path\":\"\",\"value\":[1]},{\"op\":\"tell\"}]", 0, FLEECE_ERROR_VALUE, 1, 37},
      {"[1]", "[{\"op\":\"add\",\"path\":\"a\",\"value\":1}]", 0, FLEECE_ERROR_VALUE, 0, 1},
      {"[1]", "[{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/a/b\"}]", 0, FLEECE_ERROR_VALUE, 0, 1},
      {"[1]", "[{\"op\":\"test\",\"path\":\"/0\",\"value\":2}]", 0, FLEECE_ERROR_INVALID, 0, NO},
      {"{\"a\":[1]}", "[{\"op\":\"remove\",\"path\":\"/a/1\"}]", 0, FLEECE_ERROR_CHANGE, 0, 5},
      {"{\"a\":[1]}", "[{\"op\":\"remove\",\"path\":\"\"}]", 0, FLEECE_ERROR_CHANGE, 0, 0},
      {"{\"a\":1,\"a\":2}", "[{\"op\":\"remove\",\"path\":\"/a\"}]", 0, FLEECE_ERROR_CHANGE, 0, 0},
      {"{\"a\":{\"b\":1,\"b\":2}}", "[{\"op\":\"test\",\"path\":\"/a\",\"value\":1}]", 0, FLEECE_ERROR_JSON, 0, 12},
      {"[[1]]", "[]", 1, FLEECE_ERROR_LIMIT, NO, 1},
      {"[1]", "[[]]", 1, FLEECE_ERROR_LIMIT, NO, 1},
      {"[1]", "[{\"op\":\"add\",\"path\":\"/0\",\"value\":[[]]}]", 2, FLEECE_ERROR_LIMIT, NO, 33},
      /* moved containers: only the result tells */
      {"[[1],[2],[3]]",
       "[{\"op\":\"add\",\"path\":\"/1/0\",\"value\":1},{\"op\":\"move\",\"from\":\"/1\",\"path\":\"/0/0\"},"
       "{\"op\":\"move\",\"from\":\"/1\",\"path\":\"/0/0/0\"}]",
       3, FLEECE_ERROR_LIMIT, NO, NO},
  };
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  static const char copy[] = "[{\"op\":\"copy\",\"from\":\"/0\",\"path\":\"/1\"}]";
  (void)unused;
  ASSERT_FAILURES(fleece_text_json_patch, cases);
  o.max_bytes = 4;
  assert_int_equal(fleece_text_json_patch("[12345]", 7, copy, strlen(copy), &o, &out, NULL, &e), FLEECE_ERROR_LIMIT);
  assert_int_equal(e.index, 0);
  o.max_bytes = 5;
  assert_int_equal(fleece_text_json_patch("[12345]", 7, copy, strlen(copy), &o, &out, NULL, &e), FLEECE_OK);
  assert_int_equal(fleece_text_json_patch("[]", 2, "[]", 2, NULL, &out, &out, &e), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_text_json_patch(NULL, 2, "[]", 2, NULL, &out, NULL, &e), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_text_json_patch("[]", 2, NULL, 2, NULL, &out, NULL, &e), FLEECE_ERROR_ARGUMENT);
  o.flags = FLEECE_TERMINATED;
  assert_int_equal(fleece_text_json_patch("[]", 2, "[]]", 2, &o, &out, NULL, &e), FLEECE_ERROR_ARGUMENT);
  o.flags = 0x80000000;
  assert_int_equal(fleece_text_json_patch("[]", 2, "[]", 2, &o, &out, NULL, &e), FLEECE_ERROR_ARGUMENT);
  fleece_bytes_free(&out);
}

static char *read_file(const char *path, size_t *n) {
  FILE *f = fopen(path, "rb");
  char *s;
  if (!f) return NULL;
  s = malloc(1 << 20);
  *n = fread(s, 1, 1 << 20, f);
  fclose(f);
  return s;
}

static void test_suite(void **unused) {
  const char *data = getenv("FLEECE_DATA");
  fleece_bytes binary = FLEECE_BYTES_INIT, doc = FLEECE_BYTES_INIT, patch = FLEECE_BYTES_INIT, out = FLEECE_BYTES_INIT;
  fleece_iterator i;
  fleece_doc *cases;
  fleece_error e;
  char path[1000], *text;
  size_t n;
  int done = 0;
  (void)unused;
  snprintf(path, sizeof path, "%s/standards/json-patch.json", data ? data : ".");
  if (!(text = read_file(path, &n))) {
    printf("# SKIPPED: no data: set FLEECE_DATA\n");
    return;
  }
  assert_int_equal(fleece_from_json(text, n, NULL, &binary, NULL), FLEECE_OK);
  assert_non_null(cases = fleece_open(binary.data, binary.size, NULL, NULL));
  for (fleece_iterate(&i, fleece_root(cases)); fleece_next(&i);) {
    const fleece_value wanted = fleece_get(i.value, "expected"), disabled = fleece_get(i.value, "disabled");
    int status;
    if (fleece_type_of(disabled) != FLEECE_TYPE_NONE) continue;
    assert_int_equal(fleece_to_json(fleece_get(i.value, "doc"), NULL, &doc, NULL), FLEECE_OK);
    assert_int_equal(fleece_to_json(fleece_get(i.value, "patch"), NULL, &patch, NULL), FLEECE_OK);
    status = fleece_text_json_patch(doc.data, doc.size, patch.data, patch.size, NULL, &out, NULL, &e);
    if ((status == FLEECE_OK) != (fleece_type_of(wanted) != FLEECE_TYPE_NONE))
      fail_msg("%s, %s: %s", doc.data, patch.data, e.message);
    done++;
    if (status != FLEECE_OK) continue;
    fleece_doc *got = doc_of_json(out.data, 0);
    assert_int_equal(fleece_equal(fleece_root(got), wanted, NULL), 1);
    close_doc(got);
  }
  assert_true(done > 60);
  fleece_close(cases);
  free(text);
  fleece_bytes_free(&binary), fleece_bytes_free(&doc), fleece_bytes_free(&patch), fleece_bytes_free(&out);
}

/* ------------------------------------------------------------------------------------- JSON Merge Patch */

/* RFC 7396, appendix A: the text, the patch, the result. */
static void test_merge_patch(void **unused) {
  static const char *const cases[][3] = {
      {"{\"a\":\"b\"}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"},
      {"{\"a\":\"b\"}", "{\"b\":\"c\"}", "{\"a\":\"b\",\"b\":\"c\"}"},
      {"{\"a\":\"b\"}", "{\"a\":null}", "{}"},
      {"{\"a\":\"b\",\"b\":\"c\"}", "{\"a\":null}", "{\"b\":\"c\"}"},
      {"{\"a\":[\"b\"]}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"},
      {"{\"a\":\"c\"}", "{\"a\":[\"b\"]}", "{\"a\":[\"b\"]}"},
      {"{\"a\":{\"b\":\"c\"}}", "{\"a\":{\"b\":\"d\",\"c\":null}}", "{\"a\":{\"b\":\"d\"}}"},
      {"{\"a\":[{\"b\":\"c\"}]}", "{\"a\":[1]}", "{\"a\":[1]}"},
      {"[\"a\",\"b\"]", "[\"c\",\"d\"]", "[\"c\",\"d\"]"},
      {"{\"a\":\"b\"}", "[\"c\"]", "[\"c\"]"},
      {"{\"a\":\"foo\"}", "null", "null"},
      {"{\"a\":\"foo\"}", "\"bar\"", "\"bar\""},
      {"{\"e\":null}", "{\"a\":1}", "{\"e\":null,\"a\":1}"},
      {"[1,2]", "{\"a\":\"b\",\"c\":null}", "{\"a\":\"b\"}"},
      {"{}", "{\"a\":{\"bb\":{\"ccc\":null}}}", "{\"a\":{\"bb\":{}}}"},
      {"{ \"port\": 8080,  \"ratio\": 1.50 } // end", "{\"port\":80}", "{ \"port\": 80,  \"ratio\": 1.50 } // end"},
  };
  static const struct failure wrong[] = {
      {"{\"a\":1,\"a\":2}", "{\"a\":3}", 0, FLEECE_ERROR_CHANGE, NO, 0},
      {"{", "{\"a\":3}", 0, FLEECE_ERROR_JSON, NO, 1},
      {"{}", "{\"a\":3", 0, FLEECE_ERROR_VALUE, NO, 6},
      {"{\"a\":{}}", "{\"a\":{\"b\":{}}}", 2, FLEECE_ERROR_LIMIT, NO, 10},
  };
  size_t i;
  (void)unused;
  for (i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_call(fleece_text_merge_patch, cases[i][0], cases[i][1], FLEECE_COMMENTS, cases[i][2]);
  ASSERT_FAILURES(fleece_text_merge_patch, wrong);
}

/* ------------------------------------------------------------------------------------- differences */

static void test_differences(void **unused) {
  static const struct failure wrong[] = {
      {"[", "[]", 0, FLEECE_ERROR_JSON, 0, 1},
      {"[]", "[}", 0, FLEECE_ERROR_JSON, 1, 1},
      {"{\"a\":1,\"a\":1}", "1", 0, FLEECE_ERROR_JSON, 0, 7},
      {"[]", "[[]]", 1, FLEECE_ERROR_LIMIT, 1, 1},
  };
  static const struct failure null[] = {
      {"{}", "{\"a\":null}", 0, FLEECE_ERROR_VALUE, 1, 5},
      {"1", "{\"a\":{\"b\":null}}", 0, FLEECE_ERROR_VALUE, 1, 10},
  };
  (void)unused;
  assert_call(fleece_text_json_diff, "[1, 2, 3]", "[1, 3.0]", 0, "[{\"op\":\"remove\",\"path\":\"/1\"}]");
  assert_call(fleece_text_json_diff, "{\"a/b\":1}", "{ \"a/b\" : [ 1 ] }", 0,
              "[{\"op\":\"replace\",\"path\":\"/a~1b\",\"value\":[1]}]");
  assert_call(fleece_text_json_diff, "[1]", "[2]", FLEECE_TESTS,
              "[{\"op\":\"test\",\"path\":\"/0\",\"value\":1},{\"op\":\"replace\",\"path\":\"/0\",\"value\":2}]");
  assert_call(fleece_text_json_diff, "{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1e0}", 0, "[]");
  assert_call(fleece_text_merge_diff, "{\"a\":1,\"b\":{\"c\":[1]}}", "{\"b\":{\"c\":[1 , 2]}}", 0,
              "{\"a\":null,\"b\":{\"c\":[1,2]}}");
  assert_call(fleece_text_merge_diff, "1", "[null]", 0, "[null]");
  ASSERT_FAILURES(fleece_text_json_diff, wrong);
  ASSERT_FAILURES(fleece_text_merge_diff, wrong);
  ASSERT_FAILURES(fleece_text_merge_diff, null);
}

/* Writes a random value. */
static char *random_value(char *w, int depth) {
  const uint32_t kind = below(depth > 0 ? 8 : 5);
  uint32_t n = below(4), i;
  if (kind < 5) return w + sprintf(w, "%s", (const char *[]){"1", "null", "\"x\\n\"", "2.50", "true"}[kind]);
  *w++ = kind < 6 ? '[' : '{';
  for (i = 0; i < n; i++) {
    if (i) *w++ = ',';
    if (kind >= 6) w += sprintf(w, "\"%c%d\": ", "ab~/"[below(4)], (int)i);
    w = random_value(w, depth - 1);
  }
  *w++ = kind < 6 ? ']' : '}';
  *w = 0;
  return w;
}

/* A difference that is applied makes the one of the other. */
static void test_random(void **unused) {
  fleece_bytes patch = FLEECE_BYTES_INIT, out = FLEECE_BYTES_INIT, scratch = FLEECE_BYTES_INIT;
  char a[4096], b[4096];
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  int i, merged = 0;
  (void)unused;
  for (i = 0; i < 5000; i++) {
    const size_t n = (size_t)(random_value(a, 4) - a), m = (size_t)(random_value(b, 4) - b);
    o.flags = below(2) ? FLEECE_TESTS : 0;
    int k, status = fleece_text_json_diff(a, n, b, m, &o, &patch, &scratch, &e);
    assert_int_equal(status, FLEECE_OK);
    for (k = 0; k < 2; k++) {
      if (k == 1 && (status = fleece_text_merge_diff(a, n, b, m, NULL, &patch, &scratch, &e)) != FLEECE_OK) {
        assert_int_equal(status, FLEECE_ERROR_VALUE);
        break;
      }
      if ((k ? fleece_text_merge_patch : fleece_text_json_patch)(a, n, patch.data, patch.size, NULL, &out, &scratch,
                                                                 &e))
        fail_msg("%s, %s: %s", a, patch.data, e.message);
      merged += k;
      fleece_doc *x = doc_of_json(out.data, 0), *y = doc_of_json(b, 0);
      if (fleece_equal(fleece_root(x), fleece_root(y), NULL) != 1) fail_msg("%s, %s: %s", a, patch.data, out.data);
      close_doc(x), close_doc(y);
    }
  }
  assert_true(merged > 1000);
  fleece_bytes_free(&patch), fleece_bytes_free(&out), fleece_bytes_free(&scratch);
}

/* ------------------------------------------------------------------------------------- memory */

struct run {
  struct heap heap;
  fleece_bytes out, patch, scratch;
};

static int everything(struct run *r, const char *a, size_t n, const char *b, size_t m, fleece_bytes *scratch) {
  int status = fleece_text_json_diff(a, n, b, m, NULL, &r->patch, scratch, NULL);
  if (!status) status = fleece_text_json_patch(a, n, r->patch.data, r->patch.size, NULL, &r->out, scratch, NULL);
  if (!status) status = fleece_text_merge_diff(a, n, b, m, NULL, &r->patch, scratch, NULL);
  if (!status) status = fleece_text_merge_patch(a, n, r->patch.data, r->patch.size, NULL, &r->out, scratch, NULL);
  return status;
}

static void test_memory(void **unused) {
  static char a[40000], b[40000];
  size_t n = 0, m = 0;
  long fail_at, refused = 0;
  int i, status;
  (void)unused;
  n += (size_t)sprintf(a, "{\"a\":[0");
  m += (size_t)sprintf(b, "{\"a\":[0");
  for (i = 1; i < 400; i++) {
    n += (size_t)sprintf(a + n, ",{\"n\":%d}", i);
    if (i % 50) m += (size_t)sprintf(b + m, ",{\"n\":%d}", i + i % 70 / 69);
  }
  n += (size_t)sprintf(a + n, "],\"text\":\"\\n\"}");
  m += (size_t)sprintf(b + m, "],\"text\":\"\\r\",\"new\":{\"\\u0001\":[]}}");
  for (fail_at = 1;; fail_at++) {
    struct run r;
    long requests;
    memset(&r, 0, sizeof r);
    r.heap.fail_at = fail_at;
    r.out.allocator.alloc = heap_alloc, r.out.allocator.ud = &r.heap;
    r.patch.allocator = r.scratch.allocator = r.out.allocator;
    status = everything(&r, a, n, b, m, NULL);
    if (!status) status = everything(&r, a, n, b, m, &r.scratch);
    if (status != FLEECE_OK) assert_int_equal(status, FLEECE_ERROR_MEMORY), refused++;
    requests = r.heap.requests;
    if (status == FLEECE_OK && requests < fail_at) { /* with memory that is kept nothing is allocated */
      assert_int_equal(everything(&r, a, n, b, m, &r.scratch), FLEECE_OK);
      assert_int_equal(r.heap.requests, requests);
      assert_string_equal(r.out.data, b);
    }
    fleece_bytes_free(&r.out), fleece_bytes_free(&r.scratch), fleece_bytes_free(&r.patch);
    assert_int_equal(r.heap.blocks, 0);
    if (requests < fail_at) break;
  }
  assert_int_equal(status, FLEECE_OK);
  assert_true(refused > 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_json_patch),  cmocka_unit_test(test_json_patch_errors), cmocka_unit_test(test_suite),
      cmocka_unit_test(test_merge_patch), cmocka_unit_test(test_differences),       cmocka_unit_test(test_random),
      cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, make_edge, free_edge);
}
