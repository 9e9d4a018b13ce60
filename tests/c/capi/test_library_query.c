/* SPDX-License-Identifier: MIT
** test_library_query.c -- libfleece through its public header: JSONPath queries of texts, and
** wildcards in paths of documents. FLEECE_DATA names a directory
** with standards/jsonpath.json (github.com/jsonpath-standard/jsonpath-compliance-test-suite).
** Build: make build/tests/plain/simd/test_library_query */
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

/* What a query has found, as JSON arrays. */
struct found {
  char values[1 << 16], paths[1 << 16];
  int count, most; /* most: 0: all */
  const char *begin, *end;
};

static int collect(void *ud, fleece_text value, const char *path, size_t n) {
  struct found *f = (struct found *)ud;
  size_t at = strlen(f->values);
  assert_true(value.at >= f->begin && value.size > 0 && value.at + value.size <= f->end);
  assert_true(at + value.size + 3 < sizeof f->values && strlen(f->paths) + n + 3 < sizeof f->paths);
  sprintf(f->values + at, "%s%.*s", f->count ? "," : "", (int)value.size, value.at);
  sprintf(f->paths + strlen(f->paths), "%s%.*s", f->count ? " " : "", (int)n, path ? path : "");
  if (path) { /* all functions take the path */
    char copy[1000];
    const char *const list = copy;
    fleece_text again;
    fleece_picker *p;
    snprintf(copy, sizeof copy, "%.*s", (int)n, path);
    p = picker(&list, 1, FLEECE_COMMENTS | FLEECE_TRAILING_COMMAS | FLEECE_BOM);
    assert_int_equal(fleece_text_pick(p, f->begin, (size_t)(f->end - f->begin), &again, NULL, NULL), FLEECE_OK);
    assert_ptr_equal(again.at, value.at);
    assert_int_equal(again.size, value.size);
    fleece_text_picker_free(p);
  }
  return ++f->count != f->most;
}

static fleece_query *compile(const char *query, uint32_t flags) {
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  fleece_query *q;
  o.flags = flags;
  q = fleece_query_new(query, strlen(query), &o, &e);
  if (!q) fail_msg("%s: %s", query, e.message);
  assert_int_equal(e.status, FLEECE_OK);
  return q;
}

static int run(const fleece_query *q, const char *text, size_t n, struct found *f, fleece_error *e) {
  memset(f, 0, offsetof(struct found, most));
  f->begin = text, f->end = text + n;
  return fleece_text_query(q, text, n, collect, f, NULL, e);
}

static struct found found;

static void assert_found(const char *query, uint32_t flags, const char *text, const char *values, const char *paths) {
  fleece_query *q = compile(query, flags | FLEECE_PATHS), *only = compile(query, flags);
  fleece_error e;
  if (run(q, at_edge(text, strlen(text)), strlen(text), &found, &e)) fail_msg("%s: %s", text, e.message);
  assert_string_equal(found.values, values);
  assert_string_equal(found.paths, paths);
  assert_int_equal(run(only, text, strlen(text), &found, &e), FLEECE_OK);
  assert_int_equal(e.status, FLEECE_OK);
  assert_string_equal(found.values, values);
  fleece_query_free(q), fleece_query_free(only);
}

static void test_query(void **unused) {
  static const char text[] = "{ \"a\" : [ {\"n\": 1.50, \"s\":\"]\\\"\"} , {\"n\": 2, \"m\":{ } }, [] ] }";
  (void)unused;
  assert_found("$.a[*].n", 0, text, "1.50,2", "$['a'][0]['n'] $['a'][1]['n']");
  assert_found("$.a[?@.n > 1.5]", 0, text, "{\"n\": 2, \"m\":{ } }", "$['a'][1]");
  assert_found("$..m", 0, text, "{ }", "$['a'][1]['m']");
  assert_found("$.a[0].s", 0, text, "\"]\\\"\"", "$['a'][0]['s']");
  assert_found("$.a[-1]", 0, text, "[]", "$['a'][2]");
  assert_found("$", 0, " 1 ", "1", "$");
  assert_found("$.x", 0, text, "", "");
  assert_found("$[*]", FLEECE_COMMENTS | FLEECE_TRAILING_COMMAS, "[[1, /* ] */ 2,], // ]\n3]", "[1, /* ] */ 2,],3",
               "$[0] $[1]");
  assert_found("$[0]", FLEECE_BOM, "\xef\xbb\xbf[7]", "7", "$[0]");
}

static void test_stop(void **unused) {
  fleece_query *q = compile("$..*", 0);
  fleece_error e;
  (void)unused;
  found.most = 2;
  assert_int_equal(run(q, "[1,[2],3]", 9, &found, &e), FLEECE_OK);
  assert_int_equal(e.status, FLEECE_OK);
  assert_int_equal(found.count, 2);
  found.most = 0;
  assert_int_equal(run(q, "[1,[2],3]", 9, &found, &e), FLEECE_OK);
  assert_string_equal(found.values, "1,[2],3,2");
  assert_int_equal(run(q, "[1e999]", 7, &found, &e), FLEECE_OK);
  assert_string_equal(found.values, "1e999");
  fleece_query_free(q);
}

static void test_errors(void **unused) {
  static const struct {
    const char *query, *text;
    uint32_t max_depth;
    size_t max_values;
    int status;
    size_t offset;
  } cases[] = {
      {"a", NULL, 0, 0, FLEECE_ERROR_PATH, 0},
      {"$.a[", NULL, 0, 0, FLEECE_ERROR_PATH, 3},
      {"$['\\u12']", NULL, 0, 0, FLEECE_ERROR_PATH, 3},
      {"$.a", "[1,", 0, 0, FLEECE_ERROR_JSON, 3},
      {"$.a", "[1] 2", 0, 0, FLEECE_ERROR_JSON, 4},
      {"$.a", "", 0, 0, FLEECE_ERROR_JSON, 0},
      {"$.a", "[[1]]", 1, 0, FLEECE_ERROR_LIMIT, 1},
      {"$..*", "[1,2,3,4,5,6]", 0, 5, FLEECE_ERROR_LIMIT, FLEECE_NOWHERE},
      {"$.*", "{\"a\":1,\"a\":2}", 0, 0, FLEECE_ERROR_VALUE, FLEECE_NOWHERE},
  };
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  fleece_query *q;
  size_t i;
  (void)unused;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    o.max_depth = cases[i].max_depth, o.max_values = cases[i].max_values;
    q = fleece_query_new(cases[i].query, strlen(cases[i].query), &o, &e);
    assert_int_equal(q != NULL, cases[i].text != NULL);
    if (q) assert_int_equal(run(q, cases[i].text, strlen(cases[i].text), &found, &e), cases[i].status);
    if (e.status != cases[i].status || e.offset != cases[i].offset)
      fail_msg("case %d: %d, offset %d: %s", (int)i, e.status, (int)e.offset, e.message);
    fleece_query_free(q);
  }
  memset(&o, 0, sizeof o);
  o.flags = FLEECE_JSON5;
  assert_null(fleece_query_new("$", 1, &o, &e));
  assert_int_equal(e.status, FLEECE_ERROR_ARGUMENT);
  assert_null(fleece_query_new(NULL, 1, NULL, &e));
  assert_int_equal(e.status, FLEECE_ERROR_ARGUMENT);
  q = compile("$", 0);
  assert_int_equal(fleece_text_query(q, NULL, 1, collect, &found, NULL, &e), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_text_query(q, "1", 1, NULL, &found, NULL, &e), FLEECE_ERROR_ARGUMENT);
  fleece_query_free(q);
}

static int count_only(void *ud, fleece_text value, const char *path, size_t n) {
  (void)value, (void)path, (void)n;
  ++*(int *)ud;
  return 1;
}

/* The text of what is found counts: here it is as long as the square of the depth. */
static void test_steps_of_texts(void **unused) {
  static char text[40000];
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  fleece_query *q;
  int i, count = 0;
  (void)unused;
  o.max_depth = 20000, o.max_values = 1000000;
  for (i = 0; i < 20000; i++) text[i] = '[', text[i + 20000] = ']';
  assert_non_null(q = fleece_query_new("$..*", 4, &o, NULL));
  assert_int_equal(fleece_text_query(q, text, sizeof text, count_only, &count, NULL, &e), FLEECE_ERROR_LIMIT);
  assert_true(count > 100 && count < 19999);
  fleece_query_free(q);
}

/* ------------------------------------------------------------------------------------- the suite */

/* Are the values among the results? They are documents. */
static int is_wanted(const char *values, fleece_value test) {
  char text[1 << 16];
  fleece_iterator i;
  fleece_doc *d;
  int same;
  snprintf(text, sizeof text, "[%s]", values);
  d = doc_of_json(text, 0);
  same = fleece_equal(fleece_root(d), fleece_get(test, "result"), NULL) == 1;
  for (fleece_iterate(&i, fleece_get(test, "results")); fleece_next(&i);)
    same |= fleece_equal(fleece_root(d), i.value, NULL) == 1;
  close_doc(d);
  return same;
}

static void test_suite(void **unused) {
  const char *data = getenv("FLEECE_DATA");
  static char text[1 << 20];
  fleece_bytes binary = FLEECE_BYTES_INIT, document = FLEECE_BYTES_INIT;
  fleece_iterator i;
  fleece_doc *suite;
  fleece_error e;
  char path[1000];
  FILE *file;
  size_t n;
  int done = 0;
  (void)unused;
  snprintf(path, sizeof path, "%s/standards/jsonpath.json", data ? data : ".");
  if (!(file = fopen(path, "rb"))) {
    printf("# SKIPPED: no data: set FLEECE_DATA\n");
    return;
  }
  n = fread(text, 1, sizeof text, file);
  fclose(file);
  assert_int_equal(fleece_from_json(text, n, NULL, &binary, NULL), FLEECE_OK);
  assert_non_null(suite = fleece_open(binary.data, binary.size, NULL, NULL));
  for (fleece_iterate(&i, fleece_get(fleece_root(suite), "tests")); fleece_next(&i); done++) {
    const char *s = fleece_string(fleece_get(i.value, "selector"), &n);
    fleece_query *q = fleece_query_new(s, n, NULL, &e);
    if ((q == NULL) != fleece_boolean(fleece_get(i.value, "invalid_selector"), 0))
      fail_msg("%.*s: %s", (int)n, s, e.message);
    if (!q) continue;
    assert_int_equal(fleece_to_json(fleece_get(i.value, "document"), NULL, &document, NULL), FLEECE_OK);
    assert_int_equal(run(q, document.data, document.size, &found, &e), FLEECE_OK);
    if (!is_wanted(found.values, i.value)) fail_msg("%.*s: %s", (int)n, s, found.values);
    fleece_query_free(q);
  }
  assert_true(done > 400);
  fleece_close(suite);
  fleece_bytes_free(&binary), fleece_bytes_free(&document);
}

/* ------------------------------------------------------------------------------------- memory */

static int everything(struct heap *heap, fleece_bytes *scratch, const char *text, size_t n) {
  static const char query[] = "$..a[?match(@.s, 'x+') || @.s == $.name]['s']";
  fleece_allocator memory;
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  fleece_query *q;
  int count = 0, status;
  memory.alloc = heap_alloc, memory.ud = heap;
  o.allocator = &memory;
  o.flags = FLEECE_PATHS | FLEECE_COMMENTS;
  if (!(q = fleece_query_new(query, sizeof query - 1, &o, &e))) return e.status;
  status = fleece_text_query(q, text, n, count_only, &count, NULL, &e);
  if (!status) status = fleece_text_query(q, text, n, count_only, &count, scratch, &e);
  if (!status) {
    long requests = heap->requests;
    status = fleece_text_query(q, text, n, count_only, &count, scratch, &e);
    if (!status && heap->fail_at > requests) assert_int_equal(heap->requests, requests); /* memory that is kept */
  }
  if (!status) assert_int_equal(count, 3 * 200);
  fleece_query_free(q);
  return status;
}

static void test_memory(void **unused) {
  static char text[20000];
  size_t n = (size_t)sprintf(text, "{\"name\":\"\\u0061\",\"list\":[[[{\"a\":[0");
  long fail_at, refused = 0;
  int i, status;
  (void)unused;
  for (i = 0; i < 200; i++) n += (size_t)sprintf(text + n, ",{\"s\":\"%s\"},{\"s\":\"y\\n\"}", i % 2 ? "a" : "xx");
  n += (size_t)sprintf(text + n, "]}]]]}");
  for (fail_at = 1;; fail_at++) {
    struct heap heap = {0};
    fleece_bytes scratch = FLEECE_BYTES_INIT;
    long requests;
    heap.fail_at = fail_at;
    scratch.allocator.alloc = heap_alloc, scratch.allocator.ud = &heap;
    status = everything(&heap, &scratch, text, n);
    if (status != FLEECE_OK) assert_int_equal(status, FLEECE_ERROR_MEMORY), refused++;
    requests = heap.requests;
    fleece_bytes_free(&scratch);
    assert_int_equal(heap.blocks, 0);
    if (requests < fail_at) break;
  }
  assert_int_equal(status, FLEECE_OK);
  assert_true(refused > 10);
}

/* What fleece_path_each has found, as JSON, and how many more it may find. */
struct walked {
  char text[200];
  int left;
};

static int add_walked(void *ud, fleece_value v) {
  struct walked *f = (struct walked *)ud;
  fleece_bytes json = FLEECE_BYTES_INIT;
  assert_int_equal(fleece_to_json(v, NULL, &json, NULL), FLEECE_OK);
  strncat(f->text, (const char *)json.data, json.size);
  strcat(f->text, ";");
  fleece_bytes_free(&json);
  return --f->left > 0;
}

static void test_wildcards(void **unused) {
  static const struct {
    const char *path, *found;
    int most;
  } cases[] = {{"people[*].name", "\"x\";\"y\";", 9},
               {"people[*].name", "\"x\";", 1},
               {"o.*.n[*]", "1;2;3;", 9},
               {"people[0].name", "\"x\";", 9},
               {"o[*]", "", 9},
               {"people.*", "", 9},
               {"[\"*\"]", "4;", 9},
               {"*[*].name", "\"x\";\"y\";", 9}};
  fleece_doc *d = doc_of_json("{\"people\":[{\"name\":\"x\"},{},{\"name\":\"y\"},7],"
                              "\"o\":{\"p\":{\"n\":[1,2]},\"q\":{\"n\":[3]},\"r\":5},\"*\":4}",
                              0);
  const fleece_value v = fleece_root(d), none = {NULL, NULL};
  char longer[100];
  fleece_error e;
  (void)unused;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct walked f = {"", cases[i].most};
    assert_int_equal(fleece_path_each(v, cases[i].path, strlen(cases[i].path), add_walked, &f, &e), FLEECE_OK);
    assert_string_equal(f.text, cases[i].found);
  }
  struct walked f = {"", 9};
  for (size_t i = 0; i < 17; i++) memcpy(longer + 3 * i, "[*]", 3);
  assert_int_equal(fleece_path_each(v, longer, 51, add_walked, &f, &e), FLEECE_ERROR_PATH);
  assert_int_equal(fleece_path_each(v, longer, 48, add_walked, &f, &e), FLEECE_OK);
  assert_int_equal(fleece_path_each(v, "a[*", 3, add_walked, &f, &e), FLEECE_ERROR_PATH);
  assert_int_equal(fleece_path_each(v, NULL, 1, add_walked, &f, &e), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_path_each(v, "a", 1, NULL, &f, &e), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_path_each(none, "a[*]", 4, add_walked, &f, NULL), FLEECE_OK);
  assert_string_equal(f.text, "");
  close_doc(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_query),          cmocka_unit_test(test_stop),  cmocka_unit_test(test_errors),
      cmocka_unit_test(test_steps_of_texts), cmocka_unit_test(test_suite), cmocka_unit_test(test_memory),
      cmocka_unit_test(test_wildcards),
  };
  return cmocka_run_group_tests(tests, make_edge, free_edge);
}
