/* SPDX-License-Identifier: MIT
** test_schema_references.c -- JSON Schemas compiled: references, dynamic scopes, metaschemas, errors with their places,
** limits; each allocation may fail.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/schema/test_schema_references.c -lcmocka -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../support/schemas.h"

/* ------------------------------------------------------------------------------------- URIs */

/* RFC 3986, section 5.4, and what is said there of other bases. */
static void test_uris(void **unused) {
  static const char base[] = "http://a/b/c/d;p?q";
  static const char *const cases[][3] = {
      {base, "g:h", "g:h"},
      {base, "g", "http://a/b/c/g"},
      {base, "./g", "http://a/b/c/g"},
      {base, "g/", "http://a/b/c/g/"},
      {base, "/g", "http://a/g"},
      {base, "//g", "http://g"},
      {base, "?y", "http://a/b/c/d;p?y"},
      {base, "g?y", "http://a/b/c/g?y"},
      {base, "#s", "http://a/b/c/d;p?q#s"},
      {base, "g#s", "http://a/b/c/g#s"},
      {base, "g?y#s", "http://a/b/c/g?y#s"},
      {base, ";x", "http://a/b/c/;x"},
      {base, "g;x", "http://a/b/c/g;x"},
      {base, "g;x?y#s", "http://a/b/c/g;x?y#s"},
      {base, "", "http://a/b/c/d;p?q"},
      {base, ".", "http://a/b/c/"},
      {base, "./", "http://a/b/c/"},
      {base, "..", "http://a/b/"},
      {base, "../", "http://a/b/"},
      {base, "../g", "http://a/b/g"},
      {base, "../..", "http://a/"},
      {base, "../../", "http://a/"},
      {base, "../../g", "http://a/g"},
      {base, "../../../g", "http://a/g"},
      {base, "../../../../g", "http://a/g"},
      {base, "/./g", "http://a/g"},
      {base, "/../g", "http://a/g"},
      {base, "g.", "http://a/b/c/g."},
      {base, ".g", "http://a/b/c/.g"},
      {base, "g..", "http://a/b/c/g.."},
      {base, "..g", "http://a/b/c/..g"},
      {base, "./../g", "http://a/b/g"},
      {base, "./g/.", "http://a/b/c/g/"},
      {base, "g/./h", "http://a/b/c/g/h"},
      {base, "g/../h", "http://a/b/c/h"},
      {base, "g;x=1/./y", "http://a/b/c/g;x=1/y"},
      {base, "g;x=1/../y", "http://a/b/c/y"},
      {base, "g?y/./x", "http://a/b/c/g?y/./x"},
      {base, "g#s/../x", "http://a/b/c/g#s/../x"},
      {base, "http:g", "http:g"},
      {"http://a", "g", "http://a/g"},
      {"", "g", "g"},
      {"", "../g", "g"},
      {"", "#s", "#s"},
      {"x/y", "z", "x/z"},
      {"urn:uuid:1", "#s", "urn:uuid:1#s"},
      {"urn:uuid:1", "urn:uuid:2", "urn:uuid:2"},
      {"file:///a/b", "../../c", "file:///c"},
      {"tag:a,b:c", "?d", "tag:a,b:c?d"},
      {"http://a/b#c", "", "http://a/b"},
      {"http://a/b", "HTTP://x/./y", "HTTP://x/y"},
  };
  char to[200];
  size_t i;
  (void)unused;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *const *c = cases[i];
    const size_t n = schema_resolve_uri(c[0], strlen(c[0]), c[1], strlen(c[1]), to);
    assert_true(n <= strlen(c[0]) + strlen(c[1]) + SCHEMA_URI_ROOM);
    to[n] = 0;
    assert_string_equal(to, c[2]);
  }
}

/* ------------------------------------------------------------------------------------- references */

/* Where the reference of a schema leads. */
static const char *leads_to(const char *text) {
  const struct schema_op *op;
  must_compile(text);
  op = find_op(program->root, SCHEMA_OP_CALL);
  assert_non_null(op);
  return location(op->a);
}

static void test_references(void **unused) {
  static const char *const more[] = {"http://x/other", "{\"$defs\":{\"n\":{\"$anchor\":\"n\",\"type\":\"null\"}}}",
                                     "http://x/moved", "{\"$id\":\"http://y/here\",\"type\":\"null\"}", NULL};
  (void)unused;
  reset();
  others = more;
  assert_string_equal(leads_to("{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"type\":\"null\"}}}"), "#/$defs/a");
  assert_string_equal(leads_to("{\"$ref\":\"#/a~1b/%25%22~0/1\",\"a/b\":{\"%\\\"~\":[0,{\"type\":\"null\"}]}}"),
                      "#/a~1b/%25%22~0/1");
  assert_string_equal(leads_to("{\"$id\":\"http://x/y/z\",\"$ref\":\"w#q\",\"$defs\":{\"a\":{\"$id\":\"w\",\"$defs\":"
                               "{\"b\":{\"$anchor\":\"q\",\"type\":\"null\"}}}}}"),
                      "http://x/y/w#/$defs/b");
  assert_string_equal(leads_to("{\"$ref\":\"http://x/other#n\"}"), "http://x/other#/$defs/n");
  assert_string_equal(leads_to("{\"$ref\":\"http://x/moved\"}"), "http://y/here#");
  /* the base changes on the way of a pointer, and in what no keyword knows */
  assert_string_equal(
      leads_to("{\"$id\":\"http://x/\",\"$ref\":\"#/$defs/a/$defs/b\",\"$defs\":{\"a\":{\"$id\":\"a/\",\"$defs\":"
               "{\"b\":{\"$ref\":\"c\"},\"c\":{\"$id\":\"c\",\"type\":\"null\"}}}}}"),
      "http://x/a/#/$defs/b");
  assert_string_equal(location(find_op(find_op(program->root, SCHEMA_OP_CALL)->a, SCHEMA_OP_CALL)->a), "http://x/a/c#");
  assert_string_equal(leads_to("{\"$ref\":\"#/x-a\",\"x-a\":{\"$id\":\"http://z/\",\"type\":\"null\"}}"), "http://z/#");
  settings.draft = SCHEMA_DRAFT_7;
  assert_string_equal(leads_to("{\"$ref\":\"#q\",\"definitions\":{\"a\":{\"$id\":\"#q\",\"type\":\"null\"}}}"),
                      "#/definitions/a");
  /* a $ref hides the $id beside it */
  assert_string_equal(
      leads_to("{\"$id\":\"http://x/\",\"allOf\":[{\"$id\":\"y/\",\"$ref\":\"a\"}],\"definitions\":"
               "{\"a\":{\"$id\":\"a\",\"type\":\"null\"},\"b\":{\"$id\":\"y/a\",\"type\":\"string\"}}}"),
      "http://x/#/allOf/0");
  assert_string_equal(location(find_op(find_op(program->root, SCHEMA_OP_CALL)->a, SCHEMA_OP_CALL)->a), "http://x/a#");
  settings.draft = SCHEMA_DRAFT_4;
  assert_string_equal(leads_to("{\"$ref\":\"b#q\",\"definitions\":{\"a\":{\"id\":\"b#q\",\"type\":\"null\"}}}"), "b#");
  /* what is asked for, and once */
  reset();
  others = more;
  must_compile("{\"allOf\":[{\"$ref\":\"http://x/other#n\"},{\"$ref\":\"http://x/other#/$defs/n\"},"
               "{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}]}");
  assert_int_equal(asked, 1);
  settings.at.s = "#/components/schemas/Pet";
  settings.at.n = strlen(settings.at.s);
  must_compile("{\"openapi\":\"3.1.0\",\"type\":5,\"components\":{\"schemas\":{\"Pet\":{\"type\":\"null\"},\"No\":{"
               "\"type\":5}}}}");
  assert_string_equal(location(program->root), "#/components/schemas/Pet");
}

/* ------------------------------------------------------------------------------------- scopes */

static void test_scopes(void **unused) {
  static const char *const tree[] = {
      "http://x/tree",
      "{\"$dynamicAnchor\":\"node\",\"type\":\"object\",\"properties\":{\"children\":{\"items\":"
      "{\"$dynamicRef\":\"#node\"}}}}",
      NULL};
  static const char *const recursive[] = {
      "http://x/tree", "{\"$recursiveAnchor\":true,\"properties\":{\"child\":{\"$recursiveRef\":\"#\"}}}", NULL};
  const struct schema_op *op;
  uint32_t plain, strict, items;
  (void)unused;
  reset();
  others = tree;
  must_compile("{\"properties\":{\"plain\":{\"$ref\":\"http://x/tree\"},\"strict\":{\"$ref\":\"http://x/strict\"}},"
               "\"$defs\":{\"strict\":{\"$id\":\"http://x/strict\",\"$dynamicAnchor\":\"node\",\"$ref\":\"tree\","
               "\"unevaluatedProperties\":false}}}");
  plain = find_op(member(program->root, "plain"), SCHEMA_OP_CALL)->a;
  strict = find_op(member(program->root, "strict"), SCHEMA_OP_CALL)->a;
  assert_string_equal(location(plain), "http://x/tree#");
  assert_string_equal(location(strict), "http://x/strict#");
  items = find_op(member(plain, "children"), SCHEMA_OP_ITEMS)->c;
  assert_int_equal(find_op(items, SCHEMA_OP_CALL)->a, plain);
  op = find_op(strict, SCHEMA_OP_CALL); /* the same schema in another scope */
  assert_string_equal(location(op->a), "http://x/tree#");
  assert_int_not_equal(op->a, plain);
  items = find_op(member(op->a, "children"), SCHEMA_OP_ITEMS)->c;
  assert_int_equal(find_op(items, SCHEMA_OP_CALL)->a, strict);
  assert_int_equal(find_op(items, SCHEMA_OP_CALL)->keyword, SCHEMA_KEYWORD_DYNAMIC_REF);

  settings.draft = SCHEMA_DRAFT_2019;
  others = recursive;
  must_compile("{\"$id\":\"http://x/strict\",\"$recursiveAnchor\":true,\"allOf\":[{\"$ref\":\"tree\"}]}");
  op = find_op(find_op(program->root, SCHEMA_OP_CALL)->a, SCHEMA_OP_CALL);
  assert_int_equal(find_op(member(op->a, "child"), SCHEMA_OP_CALL)->a, program->root);
  must_compile("{\"$id\":\"http://x/loose\",\"allOf\":[{\"$ref\":\"tree\"}]}");
  op = find_op(find_op(program->root, SCHEMA_OP_CALL)->a, SCHEMA_OP_CALL);
  assert_int_equal(find_op(member(op->a, "child"), SCHEMA_OP_CALL)->a, op->a);
}

static void test_metaschemas(void **unused) {
  static const char *const uris[] = {
      "http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-06/schema#",
      "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema",
      "https://json-schema.org/draft/2020-12/schema"};
  static const char *const meta[] = {
      "http://x/meta",
      "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$vocabulary\":{"
      "\"https://json-schema.org/draft/2020-12/vocab/core\":true,"
      "\"https://json-schema.org/draft/2020-12/vocab/applicator\":true,\"http://x/mine\":false}}",
      "http://x/formats",
      "{\"$vocabulary\":{\"https://json-schema.org/draft/2020-12/vocab/format-assertion\":false}}",
      "http://x/odd",
      "{\"$vocabulary\":{\"http://x/mine\":true}}",
      "http://x/a",
      "{\"$schema\":\"http://x/b\"}",
      "http://x/b",
      "{\"$schema\":\"http://x/a\"}",
      NULL};
  size_t i;
  char text[200];
  (void)unused;
  reset();
  others = meta;
  for (i = 0; i < sizeof uris / sizeof *uris; i++) {
    (void)snprintf(text, sizeof text, "{\"$ref\":\"%s\"}", uris[i]);
    must_compile(text);
    (void)snprintf(text, sizeof text, "{\"$schema\":\"%s\"}", uris[i]);
    must_compile(text);
    assert_int_equal(program->resources[0].draft, i);
  }
  assert_int_equal(asked, 0);
  must_compile("{\"$schema\":\"http://x/meta\",\"type\":\"null\",\"not\":{\"minimum\":1,\"not\":{}}}");
  EXPECT_OPS(program->root, SCHEMA_OP_NOT);
  must_compile("{\"$schema\":\"http://x/formats\",\"format\":\"ipv4\"}");
  EXPECT_OPS(program->root, SCHEMA_OP_FORMAT);
  assert_false(compile("{\"$schema\":\"http://x/odd\"}"));
  assert_string_equal(message(), "the vocabulary http://x/mine is required, but not known");
  assert_int_equal(compiler.error.source, 1);
  assert_false(compile("{\"$schema\":\"http://x/a\"}"));
  assert_string_equal(message(), "the metaschema http://x/a is not known");
  assert_false(compile("{\"$schema\":\"http://x/none\"}"));
  assert_int_equal(compiler.error.kind, SCHEMA_ERROR_SCHEMA);
}

/* ------------------------------------------------------------------------------------- errors */

static void expect_error(const char *text, const char *pointer, const char *says) {
  char at[100];
  size_t n = 0;
  if (compile(text)) { fail_msg("%s\n", text); }
  if (compiler.error.place != SCHEMA_NONE)
    n = schema_write_pointer(&compiler.to.sources[compiler.error.source]->texts, 0, compiler.error.place, 0, at,
                             sizeof at - 1);
  at[n] = 0;
  if (strcmp(at, pointer) != 0 || !strstr(message(), says)) fail_msg("%s\n%s: %s\n", text, at, message());
  assert_string_equal(at, pointer);
  assert_non_null(strstr(message(), says));
}

static void test_errors(void **unused) {
  static const char *const cases[][3] = {
      {"{\"type\":\"strng\"}", "/type", "strng"},
      {"{\"type\":[]}", "/type", "empty"},
      {"{\"type\":[\"null\",\"null\"]}", "/type/1", "twice"},
      {"{\"type\":5}", "/type", "string"},
      {"{\"minLength\":-1}", "/minLength", "minLength must be a whole number"},
      {"{\"maxItems\":1.5}", "/maxItems", "maxItems"},
      {"{\"minItems\":\"1\"}", "/minItems", "minItems"},
      {"{\"minContains\":-1}", "/minContains", "minContains"},
      {"{\"minimum\":\"1\"}", "/minimum", "minimum must be a number"},
      {"{\"exclusiveMinimum\":true}", "/exclusiveMinimum", "number"},
      {"{\"multipleOf\":0}", "/multipleOf", "above 0"},
      {"{\"multipleOf\":-2}", "/multipleOf", "above 0"},
      {"{\"pattern\":\"(\"}", "/pattern", "invalid regular expression"},
      {"{\"patternProperties\":{\"[\":true}}", "/patternProperties/[", "invalid regular expression"},
      {"{\"properties\":{\"a\":5}}", "/properties/a", "object or a boolean"},
      {"{\"properties\":[]}", "/properties", "properties must be an object"},
      {"{\"required\":\"a\"}", "/required", "required must be an array"},
      {"{\"required\":[\"a\",\"b\",\"a\"]}", "/required/2", "the name a is there twice"},
      {"{\"required\":[1]}", "/required/0", "string"},
      {"{\"properties\":{\"a\":true},\"required\":[\"b\",\"b\"]}", "/required/1", "twice"},
      {"{\"dependentRequired\":{\"a\":true}}", "/dependentRequired/a", "array"},
      {"{\"allOf\":[]}", "/allOf", "allOf must not be empty"},
      {"{\"anyOf\":{}}", "/anyOf", "anyOf must be an array"},
      {"{\"oneOf\":[true,1]}", "/oneOf/1", "schema"},
      {"{\"not\":null}", "/not", "schema"},
      {"{\"items\":[true]}", "/items", "prefixItems"},
      {"{\"prefixItems\":[]}", "/prefixItems", "empty"},
      {"{\"uniqueItems\":1}", "/uniqueItems", "boolean"},
      {"{\"enum\":1}", "/enum", "enum must be an array"},
      {"{\"format\":1}", "/format", "string"},
      {"{\"$ref\":5}", "/$ref", "string"},
      {"{\"$ref\":\"#/nowhere\"}", "/$ref", "the reference #/nowhere leads nowhere"},
      {"{\"$ref\":\"#nowhere\"}", "/$ref", "nowhere"},
      {"{\"$ref\":\"#/a/%\",\"a\":{\"%\":{}}}", "/$ref", "nowhere"},
      {"{\"$ref\":\"#/a/~2\",\"a\":{\"~2\":{}}}", "/$ref", "nowhere"},
      {"{\"$ref\":\"#/a/01\",\"a\":[{},{}]}", "/$ref", "nowhere"},
      {"{\"$ref\":\"#/a\",\"a\":1}", "/a", "schema"},
      {"{\"$ref\":\"http://nobody/\"}", "/$ref", "http://nobody/"},
      {"{\"$id\":\"a#b\"}", "/$id", "fragment"},
      {"{\"$id\":5}", "/$id", "string"},
      {"{\"$anchor\":\"a b\"}", "/$anchor", "anchor"},
      {"{\"$defs\":{\"a\":{\"$anchor\":\"x\"},\"b\":{\"$anchor\":\"x\"}}}", "/$defs/a/$anchor", "twice"},
      {"{\"$defs\":{\"a\":{\"$id\":\"x\"},\"b\":{\"$id\":\"x\"}}}", "/$defs/a/$id",
       "another schema here has the URI x"},
      {"{\"$schema\":1}", "/$schema", "string"},
      {"{\"a\":1,\"a\":2}", "/a", "the name a occurs twice"},
      {"{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"b\":2}", "/b",
       "the name b occurs twice"},
      {"{\"const\":{\"a\":[{\"b\":1,\"c\":2,\"b\":3}]}}", "/const/a/0/b", "twice"},
      {"{\"$defs\":{\"unused\":{\"properties\":{\"a\":{\"type\":\"no\"}}}}}", "/$defs/unused/properties/a/type", "no"},
      {"{\"$ref\":\"#\"}", "/$ref", "no end"},
      {"{\"allOf\":[{\"$ref\":\"#/$defs/a\"}],\"$defs\":{\"a\":{\"anyOf\":[true,{\"$ref\":\"#\"}]}}}",
       "/$defs/a/anyOf/1/$ref", "no end"},
      {"5", "", "schema"},
      {"[]", "", "schema"},
  };
  static const char *const strict[][3] = {
      {"{\"typ\":\"null\"}", "/typ", "typ"},
      {"{\"divisibleBy\":2,\"x-y\":1}", "/divisibleBy", "divisibleBy"},
      {"{\"minimum\":2,\"maximum\":1.5}", "/minimum", "nothing is valid"},
      {"{\"type\":\"string\",\"const\":1}", "", "nothing is valid"},
      {"{\"exclusiveMinimum\":2,\"maximum\":2}", "/exclusiveMinimum", "nothing is valid"},
      {"{\"minimum\":2,\"exclusiveMaximum\":2.0}", "/minimum", "nothing is valid"},
      {"{\"exclusiveMinimum\":1,\"exclusiveMaximum\":1}", "/exclusiveMinimum", "nothing is valid"},
      {"{\"minContains\":2,\"maxContains\":1,\"contains\":true}", "/minContains", "nothing is valid"},
      {"{\"type\":[\"string\",\"null\"],\"enum\":[\"a\",null,1]}", "/enum/2", "type excludes"},
      {"{\"type\":\"integer\",\"enum\":[1,[]]}", "/enum/1", "type excludes"},
      {"{\"type\":\"string\",\"minimum\":1}", "/minimum", "minimum says nothing here"},
      {"{\"type\":[\"null\",\"array\"],\"additionalProperties\":true}", "/additionalProperties", "says nothing here"},
      {"{\"type\":\"object\",\"items\":{}}", "/items", "items says nothing here"},
      {"{\"enum\":[\"a\"],\"uniqueItems\":true}", "/uniqueItems", "uniqueItems says nothing here"},
      {"{\"$defs\":{\"a\":{\"type\":\"array\",\"pattern\":\"a\"}}}", "/$defs/a/pattern", "pattern says nothing here"},
      {"{\"then\":{}}", "/then", "then says nothing here"},
      {"{\"minContains\":1}", "/minContains", "minContains says nothing here"},
      {"{\"properties\":{\"a\":true},\"required\":[\"b\"]}", "/required/0", "properties has no member b"},
      {"{\"properties\":{\"a\":false},\"required\":[\"a\"]}", "/required/0", "the member a must not be there"},
      {"{\"additionalProperties\":false,\"required\":[\"b\"]}", "/required/0", "properties has no member b"},
      {"{\"if\":{},\"then\":{\"additionalProperties\":false,\"required\":[\"b\"]}}", "/then/required/0", "no member b"},
      {"{\"additionalItems\":true}", "/additionalItems", "additionalItems"},
  };
  size_t i;
  (void)unused;
  reset();
  for (i = 0; i < sizeof cases / sizeof *cases; i++) expect_error(cases[i][0], cases[i][1], cases[i][2]);
  settings.is_strict = 1;
  for (i = 0; i < sizeof strict / sizeof *strict; i++) expect_error(strict[i][0], strict[i][1], strict[i][2]);
  must_compile("{\"x-y\":1,\"type\":\"integer\",\"minimum\":1,\"maximum\":1.0,\"description\":\"d\"}");
  must_compile("{\"type\":\"integer\",\"exclusiveMinimum\":1,\"maximum\":2,\"multipleOf\":1,\"enum\":[2,2.0]}");
  must_compile("{\"type\":[\"string\",\"array\"],\"minLength\":1,\"items\":{\"type\":\"number\",\"minimum\":1}}");
  /* other parts may describe what is required */
  must_compile("{\"properties\":{\"a\":{}},\"allOf\":[{\"properties\":{\"b\":{}},\"required\":[\"a\",\"b\"]}]}");
  must_compile("{\"properties\":{\"a\":{}},\"required\":[\"b\"],\"$ref\":\"#/$defs/b\",\"$defs\":{\"b\":{}}}");
  must_compile("{\"anyOf\":[{\"required\":[\"a\"]},{\"required\":[\"b\"]}],\"required\":[\"c\"]}");
  must_compile("{\"required\":[\"ab\"],\"patternProperties\":{\"b$\":{}},\"additionalProperties\":false}");
  settings.draft = SCHEMA_DRAFT_7;
  expect_error("{\"$ref\":\"#/definitions/a\",\"minimum\":1,\"definitions\":{\"a\":{}}}", "/minimum",
               "does not count beside $ref");
  expect_error("{\"$ref\":\"#/definitions/a\",\"min\":1,\"definitions\":{\"a\":{}}}", "/min", "not known");
  expect_error("{\"additionalItems\":false}", "/additionalItems", "additionalItems says nothing here");
  must_compile("{\"$ref\":\"#/definitions/a\",\"title\":\"t\",\"default\":1,\"definitions\":{\"a\":{}}}");
  settings.draft = SCHEMA_DRAFT_OPENAPI_30;
  expect_error("{\"items\":{\"$ref\":\"#/x-a\",\"nullable\":true},\"x-a\":{}}", "/items/nullable",
               "does not count beside");
  settings.draft = SCHEMA_DRAFT_4;
  expect_error("{\"minimum\":1,\"maximum\":1,\"exclusiveMaximum\":true}", "/minimum", "nothing is valid");
  must_compile("{\"minimum\":1,\"maximum\":1,\"exclusiveMaximum\":false}");
  settings.is_strict = 0;
  expect_error("{\"required\":[]}", "/required", "empty");
  expect_error("{\"not\":true}", "/not", "object");
  expect_error("{\"exclusiveMaximum\":1,\"maximum\":1}", "/exclusiveMaximum", "boolean");
  must_compile("{\"additionalProperties\":false}");
  reset();
  expect_error("{\"type\":}", "", "expected a value");
  assert_int_equal(compiler.error.kind, SCHEMA_ERROR_TEXT);
  assert_int_equal(compiler.error.byte, 8);
  expect_error("", "", "empty text");
  expect_error("{} {}", "", "text after the value");
  settings.max_depth = 2;
  expect_error("{\"not\":{\"not\":{}}}", "", "nesting too deep");
}

/* ------------------------------------------------------------------------------------- sizes */

static void test_limits(void **unused) {
  enum { MANY = 20000 };
  char *const text = malloc(40 * MANY), *w = text;
  int i;
  (void)unused;
  assert_non_null(text);
  reset();
  w += sprintf(w, "{\"properties\":{");
  for (i = 0; i < MANY; i++) w += sprintf(w, "%s\"p%d\":{\"minimum\":%d}", i ? "," : "", i, i);
  (void)sprintf(w, "}}");
  must_compile(text);
  assert_int_equal(program->unit_count, SCHEMA_UNITS + 1 + MANY);
  assert_true(allocations < 3000); /* arrays grow by doubling */
  settings.max_units = MANY;
  assert_false(compile(text));
  assert_int_equal(compiler.error.kind, SCHEMA_ERROR_LIMIT);
  /* doubled references: each schema has one unit */
  settings.max_units = 0;
  w = text + sprintf(text, "{\"$ref\":\"#/$defs/0\",\"$defs\":{\"1000\":{\"type\":\"null\"}");
  for (i = 0; i < 1000; i++)
    w += sprintf(w, ",\"%d\":{\"allOf\":[{\"$ref\":\"#/$defs/%d\"},{\"$ref\":\"#/$defs/%d\"}]}", i, i + 1, i + 1);
  (void)sprintf(w, "}}");
  must_compile(text);
  assert_int_equal(program->unit_count, SCHEMA_UNITS + 1 + 3 * 1000 + 1);
  free(text);
}

/* ------------------------------------------------------------------------------------- memory */

static void test_memory(void **unused) {
  static const char *const more[] = {
      "http://x/tree", "{\"$dynamicAnchor\":\"node\",\"items\":{\"$dynamicRef\":\"#node\"},\"pattern\":\"^(a|b)*$\"}",
      "http://x/meta", "{\"$vocabulary\":{\"https://json-schema.org/draft/2020-12/vocab/core\":true}}", NULL};
  static const char text[] =
      "{\"$id\":\"http://x/"
      "root\",\"$dynamicAnchor\":\"node\",\"properties\":{\"a\":{\"$ref\":\"tree\"},\"b\":{\"type\":\"null\"},"
      "\"c\":true,\"d\":true,\"e\":true,\"f\":true,\"g\":true,\"h\":true,\"i\":true,\"\\u0041\":{\"$ref\":\"#/$defs/"
      "x\"}},"
      "\"required\":[\"z\"],\"patternProperties\":{\"^q\":{\"const\":[1,{\"k\":null}]}},\"enum\":[{},1,2,3,4,5,6,7,8,9]"
      ","
      "\"contains\":{\"minimum\":1.5},\"anyOf\":[{\"not\":{}},{\"if\":{\"type\":\"array\"}}],"
      "\"dependentRequired\":{\"a\":[\"b\"]},\"$defs\":{\"x\":{\"prefixItems\":[{\"enum\":[\"x\"]}]},"
      "\"u\":{\"type\":\"null\"},\"m\":{\"$id\":\"m\",\"$schema\":\"http://x/meta\"}}}";
  long n = 0;
  (void)unused;
  reset();
  others = more;
  must_compile(text);
  n = allocations;
  assert_true(n > 30);
  for (fails_at = 1; fails_at <= n; fails_at++) {
    allocations = 0;
    assert_false(compile(text));
    assert_int_equal(compiler.error.kind, SCHEMA_ERROR_MEMORY);
    assert_string_equal(message(), "not enough memory");
  }
  fails_at = 0;
  must_compile(text);
}

static int end(void **unused) {
  (void)unused;
  free(program);
  program = NULL;
  release();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_uris),        cmocka_unit_test(test_references), cmocka_unit_test(test_scopes),
      cmocka_unit_test(test_metaschemas), cmocka_unit_test(test_errors),     cmocka_unit_test(test_limits),
      cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, end);
}
