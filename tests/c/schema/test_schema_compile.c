/* SPDX-License-Identifier: MIT
** test_schema_compile.c -- JSON Schemas compiled to programs: which operations keywords become, by their drafts.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/schema/test_schema_compile.c -lcmocka -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../support/schemas.h"

/* ------------------------------------------------------------------------------------- operations */

static void test_scalars(void **unused) {
  const struct schema_op *op;
  (void)unused;
  reset();
  must_compile(
      "{\"pattern\":\"^ab\",\"maxLength\":2,\"minimum\":1.50,\"type\":[\"string\",\"integer\"],\"minLength\":0}");
  EXPECT_OPS(program->root, SCHEMA_OP_TYPE, SCHEMA_OP_MINIMUM, SCHEMA_OP_MAX_LENGTH, SCHEMA_OP_PATTERN);
  assert_int_equal(program->units[program->root].flags, SCHEMA_UNIT_LEAF);
  assert_int_equal(program->units[program->root].types, SCHEMA_STRING | SCHEMA_INTEGER);
  op = find_op(program->root, SCHEMA_OP_TYPE);
  assert_int_equal(op->a, SCHEMA_STRING | SCHEMA_INTEGER);
  assert_int_equal(op->b, 0);
  op = find_op(program->root, SCHEMA_OP_MINIMUM);
  assert_int_equal(op->types, SCHEMA_NUMBER);
  assert_int_equal(op->keyword, SCHEMA_KEYWORD_MINIMUM);
  assert_true(program->literals[op->a].number.is.d == 1.5);
  assert_memory_equal(program->literals[op->a].number.text, "1.50", 4);
  assert_int_equal(find_op(program->root, SCHEMA_OP_MAX_LENGTH)->a, 2);
  op = find_op(program->root, SCHEMA_OP_PATTERN);
  assert_int_equal(program->regexes[op->a].is_prefix, 1);
  assert_memory_equal(program->bytes + program->regexes[op->a].text, "^ab", 3);

  must_compile("true");
  assert_int_equal(program->root, SCHEMA_UNIT_TRUE);
  must_compile("{}");
  assert_int_equal(program->root, SCHEMA_UNIT_TRUE);
  must_compile(" false ");
  assert_int_equal(program->root, SCHEMA_UNIT_FALSE);
  EXPECT_OPS(SCHEMA_UNIT_FALSE, SCHEMA_OP_FALSE);
  must_compile("{\"title\":\"no\",\"unknown\":{\"type\":5}}");
  assert_int_equal(first_op(program->root)->code, SCHEMA_OP_END);
  must_compile("{\"multipleOf\":0.01,\"maxItems\":4294967296,\"minItems\":2.0}");
  EXPECT_OPS(program->root, SCHEMA_OP_MULTIPLE_OF, SCHEMA_OP_MIN_ITEMS);
  assert_int_equal(find_op(program->root, SCHEMA_OP_MIN_ITEMS)->a, 2);
}

static void test_drafts(void **unused) {
  (void)unused;
  reset();
  settings.draft = SCHEMA_DRAFT_4;
  must_compile(
      "{\"type\":\"integer\",\"maximum\":3,\"exclusiveMaximum\":true,\"const\":1,\"contains\":{\"type\":\"null\"}}");
  EXPECT_OPS(program->root, SCHEMA_OP_TYPE, SCHEMA_OP_EXCLUSIVE_MAXIMUM);
  assert_int_equal(find_op(program->root, SCHEMA_OP_TYPE)->b, 1);
  must_compile("{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"const\":1}");
  EXPECT_OPS(program->root, SCHEMA_OP_CONST);
  must_compile("{\"id\":\"http://a/b\",\"$ref\":\"#/definitions/"
               "x\",\"type\":\"null\",\"definitions\":{\"x\":{\"type\":\"null\"}}}");
  EXPECT_OPS(program->root, SCHEMA_OP_CALL);
  settings.draft = SCHEMA_DRAFT_OPENAPI_30;
  must_compile("{\"type\":\"string\",\"nullable\":true}");
  assert_int_equal(find_op(program->root, SCHEMA_OP_TYPE)->a, SCHEMA_STRING | SCHEMA_NULL);
  settings.draft = SCHEMA_DRAFT_2019;
  must_compile("{\"items\":[true,{\"type\":\"null\"}],\"additionalItems\":false,\"contains\":{\"type\":\"null\"},"
               "\"minContains\":0}");
  EXPECT_OPS(program->root, SCHEMA_OP_ITEMS);
  assert_int_equal(first_op(program->root)->b, 2);
  assert_int_equal(first_op(program->root)->c, SCHEMA_UNIT_FALSE);
  assert_int_equal(schema_keyword_of_item(first_op(program->root), 1), SCHEMA_KEYWORD_ITEMS);
  assert_int_equal(schema_keyword_of_item(first_op(program->root), 2), SCHEMA_KEYWORD_ADDITIONAL_ITEMS);
  settings.draft = SCHEMA_DRAFT_2020;
  must_compile(
      "{\"prefixItems\":[{\"type\":\"null\"}],\"items\":{\"type\":\"null\"},\"contains\":true,\"minContains\":0}");
  EXPECT_OPS(program->root, SCHEMA_OP_ITEMS, SCHEMA_OP_CONTAINS);
  assert_int_equal(schema_keyword_of_item(first_op(program->root), 0), SCHEMA_KEYWORD_PREFIX_ITEMS);
  assert_int_equal(schema_keyword_of_item(first_op(program->root), 1), SCHEMA_KEYWORD_ITEMS);
  assert_int_equal(program->contains[0].least, 0);
  assert_int_equal(program->contains[0].most, SCHEMA_NONE);
  assert_int_equal(program->contains[0].evaluates, 1);
}

static void test_objects(void **unused) {
  const struct schema_object *object;
  const struct value_texts *texts;
  const struct schema_op *op;
  uint32_t i;
  (void)unused;
  reset();
  must_compile("{\"required\":[\"a\",\"b\"]}");
  EXPECT_OPS(program->root, SCHEMA_OP_REQUIRED);
  assert_int_equal(first_op(program->root)->b, 2);
  assert_memory_equal(program->bytes + program->names[program->numbers[first_op(program->root)->a + 1]].at, "b", 1);

  must_compile("{\"properties\":{\"a\":{\"type\":\"null\",\"default\":7},\"12\":true},\"required\":[\"z\",\"a\"]}");
  texts = &program->sources[0]->texts;
  object = object_of(program->root);
  assert_int_equal(object->count, 3);
  assert_int_equal(object->required, 2);
  assert_int_equal(object->needs_all, 0);
  assert_int_equal(property(object, "z")->required, 1);
  assert_int_equal(property(object, "z")->unit, SCHEMA_NONE);
  assert_int_equal(property(object, "a")->required, 2);
  assert_int_equal(texts->text[texts->places[property(object, "a")->initial].begin], '7');
  assert_int_equal(property(object, "12")->unit, SCHEMA_UNIT_TRUE);
  assert_int_equal(property(object, "12")->required, 0);
  assert_int_equal(property(object, "12")->name.is_number, 1);
  assert_int_equal(property(object, "a")->name.is_number, 0);
  assert_int_equal(object->additional, SCHEMA_NONE);

  must_compile(
      "{\"properties\":{\"a\":true,\"b\":true,\"c\":true,\"d\":true,\"e\":true,\"f\":true,\"g\":true,\"h\":true,"
      "\"i\":true},\"additionalProperties\":false,\"patternProperties\":{\"^x\":true}}");
  object = object_of(program->root);
  assert_int_equal(object->count, 9);
  assert_int_equal(object->additional, SCHEMA_UNIT_FALSE);
  assert_int_equal(object->needs_all, 1);
  assert_int_equal(object->pattern_count, 1);
  assert_true(object->slots != SCHEMA_NONE);
  for (i = object->first; i < object->first + object->count; i++) { /* each is found from its hash on */
    uint32_t at = program->properties[i].hash & object->mask;
    while (program->numbers[object->slots + at] && object->first + program->numbers[object->slots + at] - 1 != i)
      at = (at + 1) & object->mask;
    assert_true(program->numbers[object->slots + at] != 0);
  }
  must_compile("{\"dependentRequired\":{\"a\":[\"b\",\"c\"],\"d\":[]},\"dependentSchemas\":{\"a\":false}}");
  EXPECT_OPS(program->root, SCHEMA_OP_DEPENDENT_REQUIRED, SCHEMA_OP_DEPENDENT_SCHEMA);
  op = first_op(program->root);
  assert_int_equal(op->c, 2);
  assert_memory_equal(program->bytes + program->names[op->a].at, "a", 1);
  settings.draft = SCHEMA_DRAFT_7;
  must_compile("{\"dependencies\":{\"a\":[\"b\"],\"c\":{\"type\":\"null\"}}}");
  EXPECT_OPS(program->root, SCHEMA_OP_DEPENDENT_REQUIRED, SCHEMA_OP_DEPENDENT_SCHEMA);
}

static void test_constants(void **unused) {
  const struct schema_op *op;
  uint32_t unit, i, used = 0;
  (void)unused;
  reset();
  must_compile("{\"enum\":[1,\"a\",null]}");
  op = first_op(program->root);
  assert_int_equal(op->code, SCHEMA_OP_ENUM);
  assert_int_equal(op->b, 3);
  assert_int_equal(op->c, SCHEMA_NONE);
  assert_int_equal(program->units[program->root].types, SCHEMA_INTEGER | SCHEMA_STRING | SCHEMA_NULL);
  must_compile("{\"enum\":[1,2,3,4,5,6,7,8,9,1.0]}"); /* the last one equals the first */
  op = first_op(program->root);
  assert_int_equal(op->b, 10);
  for (i = 0; i <= program->numbers[op->c]; i++) used += program->numbers[op->c + 1 + i] != 0;
  assert_int_equal(used, 9);

  must_compile("{\"const\":{\"a\":[1,{}],\"b\":null}}");
  op = first_op(program->root);
  assert_int_equal(op->code, SCHEMA_OP_CALL);
  assert_int_equal(op->keyword, SCHEMA_KEYWORD_CONST);
  assert_int_equal(op->is_branch, 1);
  assert_int_equal(program->units[program->root].types, SCHEMA_OBJECT);
  unit = op->a;
  EXPECT_OPS(unit, SCHEMA_OP_TYPE, SCHEMA_OP_MAX_PROPERTIES, SCHEMA_OP_OBJECT);
  assert_int_equal(object_of(unit)->required, 2);
  unit = member(unit, "a");
  EXPECT_OPS(unit, SCHEMA_OP_TYPE, SCHEMA_OP_MIN_ITEMS, SCHEMA_OP_MAX_ITEMS, SCHEMA_OP_ITEMS);
  op = find_op(unit, SCHEMA_OP_ITEMS);
  assert_int_equal(op->b, 2);
  assert_int_equal(op->c, SCHEMA_NONE);
  EXPECT_OPS(program->numbers[op->a], SCHEMA_OP_CONST);
  EXPECT_OPS(program->numbers[op->a + 1], SCHEMA_OP_TYPE, SCHEMA_OP_MAX_PROPERTIES);

  must_compile("{\"enum\":[[1],2,{\"a\":3},4]}");
  op = first_op(program->root);
  assert_int_equal(op->code, SCHEMA_OP_ANY_OF);
  assert_int_equal(op->keyword, SCHEMA_KEYWORD_ENUM);
  assert_int_equal(op->b, 3);
  EXPECT_OPS(program->numbers[op->a], SCHEMA_OP_ENUM);
  assert_int_equal(first_op(program->numbers[op->a])->b, 2);
  must_compile("{\"enum\":[]}");
  EXPECT_OPS(program->root, SCHEMA_OP_FALSE);
}

static void test_branches(void **unused) {
  (void)unused;
  reset();
  must_compile("{\"allOf\":[true,{\"type\":\"null\"}],\"anyOf\":[{\"type\":\"null\"},false],\"oneOf\":[true],"
               "\"not\":{\"type\":\"string\"},\"if\":{\"type\":\"null\"},\"then\":false,\"$ref\":\"#/allOf/1\","
               "\"unevaluatedProperties\":false,\"unevaluatedItems\":true}");
  EXPECT_OPS(program->root, SCHEMA_OP_CALL, SCHEMA_OP_CALL, SCHEMA_OP_ANY_OF, SCHEMA_OP_ONE_OF, SCHEMA_OP_NOT,
             SCHEMA_OP_IF, SCHEMA_OP_UNEVALUATED_ITEMS, SCHEMA_OP_UNEVALUATED_PROPERTIES);
  assert_int_equal(first_op(program->root)->a, first_op(program->root)[1].a); /* one schema, one unit */
  assert_int_equal(program->units[first_op(program->root)->a].flags & SCHEMA_UNIT_SHARED, SCHEMA_UNIT_SHARED);
  assert_int_equal(find_op(program->root, SCHEMA_OP_IF)->b, SCHEMA_UNIT_FALSE);
  assert_int_equal(find_op(program->root, SCHEMA_OP_IF)->c, SCHEMA_UNIT_TRUE);
  assert_int_equal(find_op(program->root, SCHEMA_OP_NOT)->is_branch, 1);
  assert_int_equal(program->units[program->root].flags & SCHEMA_UNIT_TRACKS, SCHEMA_UNIT_TRACKS);
  must_compile("{\"then\":false,\"not\":false}");
  assert_int_equal(first_op(program->root)->code, SCHEMA_OP_END);
  assert_int_equal(program->units[program->root].flags & SCHEMA_UNIT_TRACKS, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_scalars),   cmocka_unit_test(test_drafts),   cmocka_unit_test(test_objects),
      cmocka_unit_test(test_constants), cmocka_unit_test(test_branches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
