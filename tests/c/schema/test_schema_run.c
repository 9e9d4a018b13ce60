/* SPDX-License-Identifier: MIT
** test_schema_run.c -- programs of JSON Schema that are made by hand, run over texts: verdicts and failures; doubled
** branches take linear time; each allocation may fail.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/schema/test_schema_run.c -lcmocka -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "schema/run/report.h"
#include "schema/run/run.h"
#include "text/utf8.h"
#include "values/texts.h"

#define VALUE(name) value_texts_##name
#define SCHEMA(name) checked_##name
#define SCHEMA_REPORTS 1
#define SCHEMA_LOOKS_UP 0
#define SCHEMA_DECIDES 0
#include "schema/run/evaluate_template.h"

FL_INLINE uintptr_t checked_identity(struct checked_run_of *k, uint32_t node) {
  return (void)k, 2 * ((uintptr_t)node + 1);
}
FL_INLINE uint64_t checked_at(struct checked_run_of *k, uint32_t node) { return k->values.places[node].begin; }
FL_INLINE int checked_is_either(struct checked_run_of *k, uint32_t node) { return (void)k, (void)node, 0; }
static int checked_test_custom(struct checked_run_of *k, const struct schema_op *op, uint32_t node) {
  return (void)k, (void)op, (void)node, 1;
}

/* ------------------------------------------------------------------------------------- programs */

enum { MOST = 400 };
static struct schema_unit units[MOST];
static struct schema_op ops[MOST];
static struct schema_object objects[8];
static struct schema_property properties[32];
static struct schema_contains contains[4];
static struct schema_literal literals[32];
static uint32_t numbers[2 * MOST];
static struct value_name names[32];
static char bytes[1000];
static struct schema_program program;

static void begin(void) {
  memset(&program, 0, sizeof program);
  memset(units, 0, sizeof units);
  memset(ops, 0, sizeof ops);
  program.units = units;
  program.ops = ops;
  program.objects = objects;
  program.properties = properties;
  program.contains = contains;
  program.literals = literals;
  program.numbers = numbers;
  program.names = names;
  program.bytes = bytes;
  program.unit_count = SCHEMA_UNITS;
  program.root = SCHEMA_UNITS;
  ops[0].code = SCHEMA_OP_END;
  ops[1].code = SCHEMA_OP_FALSE;
  ops[1].types = SCHEMA_ANY_TYPE;
  ops[2].code = SCHEMA_OP_END;
  program.op_count = 3;
  units[SCHEMA_UNIT_FALSE].first = units[SCHEMA_UNIT_FALSE].decider = 1;
  units[SCHEMA_UNIT_FALSE].stand_in = SCHEMA_UNIT_FALSE;
  units[SCHEMA_UNIT_TRUE].types = units[SCHEMA_UNIT_FALSE].types = SCHEMA_ANY_TYPE;
  units[SCHEMA_UNIT_TRUE].flags = units[SCHEMA_UNIT_FALSE].flags = SCHEMA_UNIT_LEAF;
}

static uint32_t unit(unsigned flags) {
  struct schema_unit *u = &units[program.unit_count];
  u->first = u->decider = program.op_count;
  u->stand_in = program.unit_count;
  u->flags = (uint8_t)flags;
  u->types = SCHEMA_ANY_TYPE;
  return program.unit_count++;
}

static void op(enum schema_op_code code, enum schema_keyword keyword, unsigned types, uint32_t a, uint32_t b,
               uint32_t c) {
  struct schema_op *o = &ops[program.op_count++];
  o->code = (uint8_t)code;
  o->keyword = (uint8_t)keyword;
  o->types = (uint8_t)types;
  o->a = a, o->b = b, o->c = c;
}

static void end(void) { op(SCHEMA_OP_END, SCHEMA_KEYWORD_NONE, 0, 0, 0, 0); }

static uint32_t put_bytes(const char *s) {
  const uint32_t at = program.byte_count;
  memcpy(bytes + at, s, strlen(s));
  program.byte_count += (uint32_t)strlen(s);
  return at;
}

static uint32_t number(uint32_t x) {
  numbers[program.number_count] = x;
  return program.number_count++;
}

/* Ends a list of branches, which has no table. */
static void end_list(void) {
  (void)number(SCHEMA_NONE);
  (void)number(0);
}

static uint32_t literal(enum value_type type, const char *s) {
  struct schema_literal *l = &literals[program.literal_count];
  memset(l, 0, sizeof *l);
  l->type = (uint8_t)type;
  l->at = put_bytes(s);
  l->length = (uint32_t)strlen(s);
  l->number.form = NUM_IS_INTEGER;
  l->number.is.i = atoi(s);
  return program.literal_count++;
}

static uint32_t type_unit(unsigned types) {
  const uint32_t u = unit(SCHEMA_UNIT_LEAF);
  op(SCHEMA_OP_TYPE, SCHEMA_KEYWORD_TYPE, SCHEMA_ANY_TYPE, types, 0, 0);
  end();
  return u;
}

static void property(const char *name, uint32_t u, uint32_t required) {
  struct schema_property *x = &properties[program.property_count++];
  memset(x, 0, sizeof *x);
  x->name.at = put_bytes(name);
  x->name.length = (uint32_t)strlen(name);
  x->hash = schema_hash_bytes(name, strlen(name));
  x->unit = u;
  x->required = required;
}

static struct schema_object *object(uint32_t count, uint32_t required, uint32_t additional) {
  struct schema_object *o = &objects[program.object_count++];
  memset(o, 0, sizeof *o);
  o->first = program.property_count - count;
  o->count = count;
  o->slots = SCHEMA_NONE;
  o->additional = additional;
  o->names = SCHEMA_NONE;
  o->required = required;
  o->needs_all = additional != SCHEMA_NONE;
  return o;
}

/* ------------------------------------------------------------------------------------- runs */

/* Blocks of a run; the allocation number `fail` fails. */
static struct memory {
  void *block[SCHEMA_BLOCKS];
  long count, fail;
} memory;

static void *get(void *owner, unsigned block, size_t n, size_t used) {
  struct memory *m = (struct memory *)owner;
  void *to;
  if (m->count++ == m->fail) return NULL;
  to = malloc(n);
  assert_non_null(to);
  if (used) memcpy(to, m->block[block], used);
  free(m->block[block]);
  return m->block[block] = to;
}

static enum value_error error;
static uint64_t used_steps;
static struct schema_report report;
static char message[400];

static int run_with(const char *text, int reports, uint64_t steps) {
  struct checked_run_of k;
  struct json_scan j;
  const char *p;
  int is_valid, i;
  memset(&k, 0, sizeof k);
  schema_begin_run(&k.is, &program, &k.values.walk);
  k.values.walk.memory = get;
  k.values.walk.owner = &memory;
  k.values.walk.left = steps;
  k.values.walk.max_depth = 100;
  k.values.walk.is_strict = 1;
  memset(&report, 0, sizeof report);
  report.wanted = 100;
  if (reports) k.is.report = &report;
  memset(&j, 0, sizeof j);
  j.begin = text, j.end = text + strlen(text);
  j.utf8 = text_utf8_valid;
  j.max_depth = 1000;
  p = value_texts_scan(&k.values, &j, text, 1);
  is_valid = p && checked_evaluate(&k, 0);
  error = k.values.walk.error;
  used_steps = steps - k.values.walk.left;
  message[0] = 0;
  if (reports && !error && report.count) {
    const struct schema_failure *x = &report.failures[report.count - 1];
    snprintf(message, sizeof message, "%.*s", (int)x->message_length, report.text + x->message);
  }
  for (i = 0; i < SCHEMA_BLOCKS; i++) free(memory.block[i]), memory.block[i] = NULL;
  return is_valid;
}

/* The verdict, which the report has to agree with. */
static int check(const char *text) {
  int is_valid;
  memory.count = 0, memory.fail = -1;
  is_valid = run_with(text, 0, 1000000);
  assert_int_equal(error, VALUE_OK);
  assert_int_equal(run_with(text, 1, 1000000), is_valid);
  assert_int_equal(error, VALUE_OK);
  assert_int_equal(message[0] == 0, is_valid);
  return is_valid;
}

static void says(const char *text, const char *expected) {
  assert_false(check(text));
  assert_string_equal(message, expected);
}

static void an_object(void) {
  const uint32_t u = (begin(), unit(0));
  op(SCHEMA_OP_TYPE, SCHEMA_KEYWORD_TYPE, SCHEMA_ANY_TYPE, SCHEMA_OBJECT, 0, 0);
  op(SCHEMA_OP_OBJECT, SCHEMA_KEYWORD_PROPERTIES, SCHEMA_OBJECT, 0, 0, 0);
  end();
  assert_int_equal(u, program.root);
  const uint32_t integer = type_unit(SCHEMA_INTEGER), string = type_unit(SCHEMA_STRING), items = unit(0);
  op(SCHEMA_OP_UNIQUE_ITEMS, SCHEMA_KEYWORD_UNIQUE_ITEMS, SCHEMA_ARRAY, 0, 0, 0);
  op(SCHEMA_OP_ITEMS, SCHEMA_KEYWORD_ITEMS, SCHEMA_ARRAY, 0, 0, string);
  end();
  property("age", integer, 1);
  property("names", items, 0);
  object(2, 1, SCHEMA_UNIT_FALSE);
}

static void test_objects(void **state) {
  (void)state;
  an_object();
  assert_true(check("{\"age\":1}"));
  assert_true(check("{\"age\":1.0,\"names\":[\"a\",\"b\"]}"));
  assert_true(check("{\"names\":[],\"age\":10e-1}"));
  says("[]", "expected an object, found an array of 0 items");
  says("{}", "the member age is required");
  says("{\"age\":1.5}", "at /age: expected an integer, found 1.5");
  says("{\"age\":1,\"x/y~\":2}", "at /x~1y~0: this member is not allowed");
  says("{\"age\":1,\"names\":[\"a\",5]}", "at /names/1: expected a string, found 5");
  says("{\"age\":1,\"names\":[\"a\",\"b\",\"a\"]}", "at /names: the items 0 and 2 are equal");
  says("{\"age\":1,\"names\":[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"c\"]}",
       "at /names: the items 2 and 7 are equal");
}

static void test_failing_memory(void **state) {
  static const char text[] = "{\"age\":1.5,\"names\":[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"c\"],\"z\":[[]]}";
  long i;
  int reports;
  (void)state;
  an_object();
  for (reports = 0; reports < 2; reports++)
    for (i = 0;; i++) {
      memory.count = 0, memory.fail = i;
      assert_false(run_with(text, reports, 100000));
      if (memory.count <= i) break;
      assert_int_equal(error, VALUE_ERROR_MEMORY);
    }
}

/* Each unit calls the next one twice: 2^60 ways to the last one. */
static void test_doubled_branches(void **state) {
  enum { DEEP = 60 };
  uint32_t i, list;
  (void)state;
  begin();
  for (i = 0; i < DEEP; i++) {
    (void)unit(SCHEMA_UNIT_SHARED);
    list = number(SCHEMA_UNITS + i + 1);
    (void)number(SCHEMA_UNITS + i + 1);
    op(i % 2 ? SCHEMA_OP_ANY_OF : SCHEMA_OP_ONE_OF, i % 2 ? SCHEMA_KEYWORD_ANY_OF : SCHEMA_KEYWORD_ONE_OF,
       SCHEMA_ANY_TYPE, list, 2, 0);
    end();
  }
  (void)type_unit(SCHEMA_STRING);
  memory.count = 0, memory.fail = -1;
  assert_false(run_with("[]", 0, 100000));
  assert_int_equal(error, VALUE_OK);
}

/* Branches: the nearest one is told; oneOf refuses two. */
static void test_branches(void **state) {
  uint32_t list, string, o;
  (void)state;
  begin();
  (void)unit(0);
  op(SCHEMA_OP_ANY_OF, SCHEMA_KEYWORD_ANY_OF, SCHEMA_ANY_TYPE, 0, 2, 0);
  end();
  string = type_unit(SCHEMA_STRING);
  o = unit(0);
  op(SCHEMA_OP_OBJECT, SCHEMA_KEYWORD_PROPERTIES, SCHEMA_OBJECT, 0, 0, 0);
  end();
  property("a", string, 1);
  object(1, 1, SCHEMA_NONE);
  list = number(string);
  (void)number(o);
  end_list();
  assert_int_equal(list, 0);
  assert_true(check("\"x\""));
  assert_true(check("{\"a\":\"x\"}"));
  says("{}", "the member a is required");
  ops[units[program.root].first].code = SCHEMA_OP_ONE_OF;
  assert_false(check("\"x\"")); /* a string is no object, so the second one does not look at it */
  assert_false(check("{}"));
  assert_true(check("{\"a\":\"\"}"));
}

static void test_evaluated(void **state) {
  uint32_t integer, branch, literal_two;
  (void)state;
  begin();
  (void)unit(SCHEMA_UNIT_TRACKS);
  op(SCHEMA_OP_CALL, SCHEMA_KEYWORD_ALL_OF, SCHEMA_ANY_TYPE, SCHEMA_UNITS + 1, 0, 0);
  op(SCHEMA_OP_UNEVALUATED_PROPERTIES, SCHEMA_KEYWORD_UNEVALUATED_PROPERTIES, SCHEMA_OBJECT, SCHEMA_UNIT_FALSE, 0, 0);
  end();
  branch = unit(0);
  op(SCHEMA_OP_ANY_OF, SCHEMA_KEYWORD_ANY_OF, SCHEMA_ANY_TYPE, number(SCHEMA_UNITS + 2), 2, 0);
  (void)number(SCHEMA_UNITS + 3);
  end_list();
  end();
  assert_int_equal(branch, SCHEMA_UNITS + 1);
  (void)unit(0);
  op(SCHEMA_OP_OBJECT, SCHEMA_KEYWORD_PROPERTIES, SCHEMA_OBJECT, 0, 0, 0);
  end();
  (void)unit(0);
  op(SCHEMA_OP_OBJECT, SCHEMA_KEYWORD_PROPERTIES, SCHEMA_OBJECT, 1, 0, 0);
  end();
  integer = unit(SCHEMA_UNIT_LEAF);
  literal_two = literal(VALUE_NUMBER, "2");
  op(SCHEMA_OP_MINIMUM, SCHEMA_KEYWORD_MINIMUM, SCHEMA_NUMBER, literal_two, 0, 0);
  end();
  property("a", integer, 0);
  object(1, 0, SCHEMA_NONE);
  property("b", integer, 0);
  object(1, 0, SCHEMA_NONE);
  assert_true(check("{\"a\":2}"));
  assert_true(check("{\"a\":2,\"b\":3}"));
  says("{\"a\":2,\"b\":1}", "at /b: this member is not allowed");
  says("{\"a\":2,\"b\":2,\"c\":0}", "at /c: this member is not allowed");
  says("{\"a\":0,\"b\":1}", "at /a: expected a number of at least 2, found 0");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_objects),  cmocka_unit_test(test_failing_memory), cmocka_unit_test(test_doubled_branches),
      cmocka_unit_test(test_branches), cmocka_unit_test(test_evaluated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
