/* SPDX-License-Identifier: MIT
** test_library_schema.c -- libfleece through its public header: schemas are compiled, texts checked, failures listed;
** each allocation may fail. Expected verdicts come from JSON Schema 2020-12 and draft 4, and the standards' own suite
** is run over the engine elsewhere.
** Build: make build/tests/plain/simd/test_library_schema */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../../include/fleece.h"

static const char PERSON[] = "{\"type\": \"object\", \"required\": [\"name\"], \"properties\": {\n"
                             "\"name\": {\"type\": \"string\", \"maxLength\": 3}, \"age\": {\"type\": \"integer\"}}}";

static fleece_schema *compile(const char *text, const fleece_schema_options *options) {
  fleece_error e;
  fleece_schema *s = fleece_schema_compile(text, strlen(text), options, NULL, NULL, &e);
  if (!s) fail_msg("%s: %s", text, e.message);
  assert_int_equal(e.status, FLEECE_OK);
  return s;
}

static int verdict(const fleece_schema *s, const char *text) {
  fleece_error e;
  const int status = fleece_schema_check(s, text, strlen(text), NULL, NULL, NULL, &e);
  assert_int_equal(status, e.status);
  return status;
}

/* ------------------------------------------------------------------------------------- verdicts */

static void test_verdicts(void **unused) {
  static const struct {
    const char *schema;
    int draft;
    uint32_t flags;
    const char *text;
    int status;
  } cases[] = {
      {"true", 0, 0, "1", FLEECE_OK},
      {"false", 0, 0, "1", FLEECE_ERROR_INVALID},
      {"{\"type\":\"integer\"}", 0, 0, "1.0", FLEECE_OK},
      {"{\"type\":\"integer\"}", FLEECE_DRAFT_4, 0, "1.0", FLEECE_ERROR_INVALID},
      {"{\"type\":\"integer\"}", FLEECE_DRAFT_7, 0, "1.0", FLEECE_OK},
      {"{\"multipleOf\":0.01}", 0, 0, "4.35", FLEECE_OK},
      {"{\"multipleOf\":0.01}", 0, 0, "4.355", FLEECE_ERROR_INVALID},
      {"{\"const\":9007199254740993}", 0, 0, "9007199254740992", FLEECE_ERROR_INVALID},
      {"{\"minLength\":2}", 0, 0, "\"\xc3\xa9\"", FLEECE_ERROR_INVALID},
      {"{\"format\":\"date\"}", 0, 0, "\"x\"", FLEECE_OK},
      {"{\"format\":\"date\"}", 0, FLEECE_SCHEMA_FORMATS, "\"x\"", FLEECE_ERROR_INVALID},
      {"{\"contentMediaType\":\"application/json\"}", 0, 0, "\"[\"", FLEECE_OK},
      {"{\"contentMediaType\":\"application/json\"}", 0, FLEECE_SCHEMA_CONTENTS, "\"[\"", FLEECE_ERROR_INVALID},
      {"{\"minimum\":3,\"exclusiveMinimum\":true}", FLEECE_DRAFT_4, 0, "3", FLEECE_ERROR_INVALID},
      {"{\"minimum\":3,\"exclusiveMinimum\":true}", FLEECE_DRAFT_OPENAPI_30, 0, "3", FLEECE_ERROR_INVALID},
      {"{\"type\":\"string\",\"nullable\":true}", FLEECE_DRAFT_OPENAPI_30, 0, "null", FLEECE_OK},
      {"{\"type\":\"string\",\"nullable\":true}", FLEECE_DRAFT_OPENAPI_31, 0, "null", FLEECE_ERROR_INVALID},
      {"{\"pattern\":\"^\\\\p{Lu}\"}", 0, 0, "\"\xc3\x89\"", FLEECE_OK},
      {"{\"uniqueItems\":true}", 0, 0, "[1,2,3,4,5,6,7,8,1.0]", FLEECE_ERROR_INVALID},
      {"{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}", 0, 0, "{\"type\":1}", FLEECE_ERROR_INVALID},
      {"true", 0, 0, "[1,]", FLEECE_ERROR_JSON},
      {"true", 0, 0, "", FLEECE_ERROR_JSON},
      {"true", 0, 0, "1 2", FLEECE_ERROR_JSON},
      {"true", 0, 0, "\"\xff\"", FLEECE_ERROR_JSON},
      {"{\"properties\":{\"a\":true}}", 0, 0, "{\"a\":1,\"a\":2}", FLEECE_ERROR_VALUE},
  };
  size_t i;
  (void)unused;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    fleece_schema_options o = FLEECE_SCHEMA_OPTIONS_INIT;
    fleece_schema *s;
    o.draft = cases[i].draft;
    o.flags = cases[i].flags;
    s = compile(cases[i].schema, &o);
    if (verdict(s, cases[i].text) != cases[i].status)
      fail_msg("%s of %s: %d", cases[i].schema, cases[i].text, verdict(s, cases[i].text));
    fleece_schema_free(s);
  }
  fleece_schema_free(NULL);
}

/* What a text may hold, and how much of it. */
static void test_reading(void **unused) {
  fleece_schema_options o = FLEECE_SCHEMA_OPTIONS_INIT;
  fleece_schema *s;
  (void)unused;
  o.reading = FLEECE_COMMENTS | FLEECE_TRAILING_COMMAS | FLEECE_BOM | FLEECE_TERMINATED;
  o.max_depth = 3;
  s = compile("{\"maxItems\":2}", &o);
  assert_int_equal(verdict(s, "\xef\xbb\xbf[1, /* two */ 2,]"), FLEECE_OK);
  assert_int_equal(verdict(s, "[1,2,3,]"), FLEECE_ERROR_INVALID);
  assert_int_equal(verdict(s, "[[[]]]"), FLEECE_OK);
  assert_int_equal(verdict(s, "[[[[]]]]"), FLEECE_ERROR_LIMIT);
  fleece_schema_free(s);
  o.reading = 0;
  o.max_depth = 0;
  o.max_steps = 20;
  s = compile("{\"items\":{\"items\":{\"not\":{\"const\":1}}}}", &o);
  assert_int_equal(verdict(s, "[[2],[2]]"), FLEECE_OK);
  assert_int_equal(verdict(s, "[[2],[2],[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2]]"), FLEECE_ERROR_LIMIT);
  fleece_schema_free(s);
}

/* ------------------------------------------------------------------------------------- failures */

static void test_failures(void **unused) {
  static const char text[] = "{\"age\": true,\n \"name\": \"Anna\"}";
  fleece_bytes scratch = FLEECE_BYTES_INIT;
  fleece_schema *s = compile(PERSON, NULL);
  fleece_failure f[4];
  fleece_error e;
  size_t count = 4;
  (void)unused;
  assert_int_equal(fleece_schema_check(s, text, sizeof text - 1, f, &count, &scratch, &e), FLEECE_ERROR_INVALID);
  assert_int_equal(count, 2);
  assert_string_equal(f[0].instance, "/age");
  assert_string_equal(f[0].keyword, "type");
  assert_string_equal(f[0].schema, "/properties/age/type");
  assert_string_equal(f[0].absolute, "#/properties/age/type");
  assert_int_equal(f[0].message_size, strlen(f[0].message));
  assert_non_null(strstr(f[0].message, "/age"));
  assert_non_null(strstr(f[0].message, "true"));
  assert_int_equal(f[0].offset, 8);
  assert_int_equal(f[0].line, 1);
  assert_int_equal(f[0].column, 9);
  assert_string_equal(f[1].instance, "/name");
  assert_int_equal(f[1].line, 2);
  assert_int_equal(f[1].column, 10);
  assert_int_equal(f[1].instance_size, 5);
  assert_int_equal(e.status, FLEECE_ERROR_INVALID);
  assert_int_equal(e.offset, 8);
  assert_int_equal(e.column, 9);
  count = 1; /* the first alone */
  assert_int_equal(fleece_schema_check(s, text, sizeof text - 1, f, &count, &scratch, NULL), FLEECE_ERROR_INVALID);
  assert_int_equal(count, 1);
  assert_string_equal(f[0].instance, "/age");
  count = 0;
  assert_int_equal(fleece_schema_check(s, text, sizeof text - 1, f, &count, NULL, &e), FLEECE_ERROR_INVALID);
  count = 4;
  assert_int_equal(fleece_schema_check(s, "{\"name\":\"\"}", 11, f, &count, &scratch, &e), FLEECE_OK);
  assert_int_equal(count, 0);
  count = 4;
  assert_int_equal(fleece_schema_check(s, "{\"name\":", 8, f, &count, &scratch, &e), FLEECE_ERROR_JSON);
  assert_int_equal(count, 0);
  assert_int_equal(e.offset, 8);
  count = 4;
  assert_int_equal(fleece_schema_check(s, "{}", 2, f, &count, NULL, &e), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_schema_check(s, NULL, 2, NULL, NULL, NULL, &e), FLEECE_ERROR_ARGUMENT);
  fleece_schema_free(s);
  fleece_bytes_free(&scratch);
}

/* More failures and levels than the memory on the stack holds; values are not told. */
static void test_many_failures(void **unused) {
  enum { ITEMS = 300 };
  static fleece_failure f[ITEMS];
  fleece_bytes scratch = FLEECE_BYTES_INIT;
  fleece_schema_options o = FLEECE_SCHEMA_OPTIONS_INIT;
  fleece_schema *s;
  char text[16 * ITEMS], *w = text, wanted[40];
  size_t count = ITEMS, i;
  (void)unused;
  o.flags = FLEECE_SCHEMA_HIDE_VALUES;
  s = compile("{\"items\":{\"items\":{\"items\":{\"items\":{\"type\":\"null\"}}}}}", &o);
  *w++ = '[';
  for (i = 0; i < ITEMS; i++) w += sprintf(w, "%s[[[\"pass\"]]]", i ? "," : "");
  *w++ = ']';
  assert_int_equal(fleece_schema_check(s, text, (size_t)(w - text), f, &count, &scratch, NULL), FLEECE_ERROR_INVALID);
  assert_int_equal(count, ITEMS);
  for (i = 0; i < ITEMS; i++) {
    sprintf(wanted, "/%d/0/0/0", (int)i);
    assert_string_equal(f[i].instance, wanted);
    assert_int_equal(f[i].offset, 4 + 13 * i);
    assert_null(strstr(f[i].message, "pass"));
  }
  fleece_schema_free(s);
  fleece_bytes_free(&scratch);
}

/* Causes, and theirs, in the order of the branches; the places are those of their values. */
static void test_causes(void **unused) {
  static const char schema[] = "{\"items\":{\"anyOf\":[{\"type\":\"null\"},{\"oneOf\":[{\"required\":[\"x\"]},"
                               "{\"properties\":{\"a\":{\"minimum\":5},\"b\":false}}]},{\"maxProperties\":1}]}}";
  static const char text[] = "[{\"a\":1,\r\n\"b\":2},\n{\"a\":9},{\"b\":0,\"\xc3\xa9\":1,\"a\":2}]";
  fleece_bytes scratch = FLEECE_BYTES_INIT;
  fleece_schema *s = compile(schema, NULL);
  const fleece_failure *one;
  fleece_failure f[3];
  size_t count = 3;
  (void)unused;
  assert_int_equal(fleece_schema_check(s, text, sizeof text - 1, f, &count, &scratch, NULL), FLEECE_ERROR_INVALID);
  assert_int_equal(count, 2);
  assert_string_equal(f[0].keyword, "anyOf");
  assert_int_equal(f[0].cause_count, 3);
  assert_string_equal(f[0].causes[0].schema, "/items/anyOf/0/type");
  assert_int_equal(f[0].causes[0].cause_count, 0);
  assert_null(f[0].causes[0].causes);
  assert_string_equal(f[0].causes[2].keyword, "maxProperties");
  one = &f[0].causes[1];
  assert_string_equal(one->keyword, "oneOf");
  assert_string_equal(one->instance, "/0");
  assert_int_equal(one->cause_count, 3);
  assert_string_equal(one->causes[0].message, "at /0: the member x is required");
  assert_string_equal(one->causes[1].instance, "/0/a");
  assert_string_equal(one->causes[2].absolute, "#/items/anyOf/1/oneOf/1/properties/b");
  assert_int_equal(one->causes[2].line, 2);
  assert_int_equal(one->causes[2].column, 5);
  one = &f[1].causes[1];
  assert_int_equal(f[1].cause_count, 3);
  assert_string_equal(one->causes[1].instance, "/2/b"); /* in the order of the text */
  assert_string_equal(one->causes[2].instance, "/2/a");
  assert_int_equal(one->causes[2].line, 3);
  assert_int_equal(one->causes[2].column, 26);
  count = 1; /* what is no cause is counted */
  assert_int_equal(fleece_schema_check(s, text, sizeof text - 1, f, &count, &scratch, NULL), FLEECE_ERROR_INVALID);
  assert_int_equal(count, 1);
  assert_int_equal(f[0].cause_count, 3);
  fleece_schema_free(s);
  fleece_bytes_free(&scratch);
}

/* ------------------------------------------------------------------------------------- wrong schemas */

static void test_wrong_schemas(void **unused) {
  static const struct {
    const char *schema;
    uint32_t flags;
    int status, offset;
    const char *pointer;
  } cases[] = {
      {"{\"type\":\"strin\"}", 0, FLEECE_ERROR_SCHEMA, 8, "/type"},
      {"{\"properties\":{\"a/b\":{\"minLength\":-1}}}", 0, FLEECE_ERROR_SCHEMA, 34, "/properties/a~1b/minLength"},
      {"{\"pattern\":\"(\"}", 0, FLEECE_ERROR_SCHEMA, 11, "/pattern"},
      {"{\"$ref\":\"#/nowhere\"}", 0, FLEECE_ERROR_SCHEMA, 8, "/$ref"},
      {"{\"minimun\":1}", FLEECE_SCHEMA_STRICT, FLEECE_ERROR_SCHEMA, 11, "/minimun"},
      {"{\"type\":", 0, FLEECE_ERROR_JSON, 8, ""},
      {"", 0, FLEECE_ERROR_JSON, 0, ""},
  };
  fleece_bytes scratch = FLEECE_BYTES_INIT;
  size_t i;
  (void)unused;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    fleece_schema_options o = FLEECE_SCHEMA_OPTIONS_INIT;
    const char *s = cases[i].schema;
    fleece_failure f;
    fleece_error e;
    o.flags = cases[i].flags;
    assert_null(fleece_schema_compile(s, strlen(s), &o, &f, &scratch, &e));
    assert_int_equal(e.status, cases[i].status);
    assert_int_equal(e.offset, cases[i].offset);
    assert_int_equal(e.line, 1);
    assert_int_equal(f.offset, cases[i].offset);
    assert_string_equal(f.schema, cases[i].pointer);
    assert_int_equal(f.message_size, strlen(f.message));
    assert_null(strchr(f.message, '%'));
    assert_null(strchr(e.message, '%'));
    assert_null(fleece_schema_compile(s, strlen(s), &o, NULL, NULL, NULL));
  }
  fleece_bytes_free(&scratch);
}

static void test_wrong_arguments(void **unused) {
  fleece_schema_options o = FLEECE_SCHEMA_OPTIONS_INIT;
  fleece_failure f;
  fleece_error e;
  (void)unused;
  assert_null(fleece_schema_compile(NULL, 1, NULL, NULL, NULL, &e));
  assert_int_equal(e.status, FLEECE_ERROR_ARGUMENT);
  assert_null(fleece_schema_compile("{}", 2, NULL, &f, NULL, &e));
  assert_int_equal(e.status, FLEECE_ERROR_ARGUMENT);
  o.flags = 0x10;
  assert_null(fleece_schema_compile("{}", 2, &o, NULL, NULL, &e));
  assert_int_equal(e.status, FLEECE_ERROR_ARGUMENT);
  o.flags = 0;
  o.reading = FLEECE_JSON5;
  assert_null(fleece_schema_compile("{}", 2, &o, NULL, NULL, &e));
  assert_int_equal(e.status, FLEECE_ERROR_ARGUMENT);
  o.reading = 0;
  o.draft = FLEECE_DRAFT_OPENAPI_30 + 1;
  assert_null(fleece_schema_compile("{}", 2, &o, NULL, NULL, &e));
  assert_int_equal(e.status, FLEECE_ERROR_ARGUMENT);
}

/* ------------------------------------------------------------------------------------- references */

struct asked {
  int count;
  char uri[40];
};

static int find(void *ud, const char *uri, size_t n, fleece_text *schema) {
  struct asked *asked = (struct asked *)ud;
  static const char text[] = "{\"$defs\": {\"s\": {\"type\": \"string\"}}}";
  asked->count++;
  if (n >= sizeof asked->uri) return 0;
  memcpy(asked->uri, uri, n);
  asked->uri[n] = 0;
  if (strcmp(asked->uri, "file:///x/other.json") != 0) return 0;
  schema->at = text;
  schema->size = sizeof text - 1;
  return 1;
}

static void test_references(void **unused) {
  fleece_schema_options o = FLEECE_SCHEMA_OPTIONS_INIT;
  fleece_bytes scratch = FLEECE_BYTES_INIT;
  struct asked asked = {0, ""};
  fleece_failure f;
  fleece_error e;
  fleece_schema *s;
  size_t count = 1;
  (void)unused;
  o.uri = "file:///x/y/api.json";
  o.at = "/components/schemas/Pet";
  o.find = find;
  o.ud = &asked;
  s = compile("{\"components\":{\"schemas\":{\"Pet\":{\"$ref\":\"../other.json#/$defs/s\"}}}}", &o);
  assert_int_equal(asked.count, 1);
  assert_int_equal(fleece_schema_check(s, "1", 1, &f, &count, &scratch, &e), FLEECE_ERROR_INVALID);
  assert_string_equal(f.absolute, "file:///x/other.json#/$defs/s/type");
  assert_int_equal(verdict(s, "\"\""), FLEECE_OK);
  fleece_schema_free(s);
  o.at = NULL;
  assert_null(fleece_schema_compile("{\"$ref\":\"none\"}", 15, &o, &f, &scratch, &e));
  assert_int_equal(e.status, FLEECE_ERROR_SCHEMA);
  assert_non_null(strstr(f.message, "none"));
  assert_string_equal(asked.uri, "file:///x/y/none");
  fleece_bytes_free(&scratch);
}

/* ------------------------------------------------------------------------------------- memory */

struct memory {
  long left; /* allocations that succeed; -1: all */
  size_t used;
};

static void *limited(void *ud, void *block, size_t old_size, size_t new_size) {
  struct memory *m = (struct memory *)ud;
  void *to;
  if (!new_size) {
    m->used -= old_size;
    free(block);
    return NULL;
  }
  if (m->left == 0) return NULL;
  if (m->left > 0) m->left--;
  to = malloc(new_size); /* always another place */
  assert_non_null(to);
  if (block) memcpy(to, block, old_size < new_size ? old_size : new_size);
  free(block);
  m->used += new_size - old_size;
  return to;
}

/* Compiles and checks with so many allocations. Returns whether they were enough. */
static int run_limited(long left) {
  static const char schema[] =
      "{\"$ref\":\"other.json#/$defs/s\",\"minLength\":2,\"pattern\":\"^(a|b)+$\",\"enum\":[1,[2]],"
      "\"properties\":{\"a\":{\"uniqueItems\":true,\"anyOf\":[{\"$ref\":\"#\"},{\"maxItems\":1}]}}}";
  static const char text[] = "{\"a\":[1,2,3,4,5,6,7,\"\\u00e9\"]}";
  struct memory m;
  struct asked asked = {0, ""};
  fleece_schema_options o = FLEECE_SCHEMA_OPTIONS_INIT;
  fleece_bytes scratch = FLEECE_BYTES_INIT;
  fleece_allocator a;
  fleece_failure f[4];
  fleece_error e;
  fleece_schema *s;
  size_t count = 4;
  int status = FLEECE_ERROR_MEMORY;
  m.left = left;
  m.used = 0;
  a.alloc = limited;
  a.ud = &m;
  o.allocator = &a;
  o.uri = "file:///x/";
  o.find = find;
  o.ud = &asked;
  scratch.allocator = a;
  s = fleece_schema_compile(schema, sizeof schema - 1, &o, f, &scratch, &e);
  assert_int_equal(e.status, s ? FLEECE_OK : FLEECE_ERROR_MEMORY);
  if (s) status = fleece_schema_check(s, text, sizeof text - 1, f, &count, &scratch, &e);
  if (s) assert_int_equal(status, e.status);
  if (status == FLEECE_ERROR_MEMORY) assert_int_equal(s ? count : 0, 0);
  else assert_int_equal(status, FLEECE_ERROR_INVALID);
  fleece_schema_free(s);
  fleece_bytes_free(&scratch);
  assert_int_equal(m.used, 0);
  return status == FLEECE_ERROR_INVALID;
}

static void test_memory(void **unused) {
  long left;
  (void)unused;
  assert_true(run_limited(-1));
  for (left = 0; !run_limited(left); left++) assert_true(left < 1000);
  assert_true(left > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_verdicts),        cmocka_unit_test(test_reading),    cmocka_unit_test(test_failures),
      cmocka_unit_test(test_many_failures),   cmocka_unit_test(test_causes),     cmocka_unit_test(test_wrong_schemas),
      cmocka_unit_test(test_wrong_arguments), cmocka_unit_test(test_references), cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
