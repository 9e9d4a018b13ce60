/* SPDX-License-Identifier: MIT
** schemas.h -- schemas compiled in tests: memory that always moves and may fail, other schemas by URI, and looks at
** programs.
** Must hold: cmocka.h comes before. One program at a time. */
#pragma once

#include "schema/compile/state.h"
#include "text/cpu.h"

/* ------------------------------------------------------------------------------------- compiling */

enum { MOST_BLOCKS = 400 };
static void *blocks[MOST_BLOCKS];
static size_t sizes[MOST_BLOCKS];
static long allocations, fails_at; /* the allocation that fails; 0: none */

FL_FUNC void *memory(void *owner, unsigned block, size_t n, size_t used) {
  void *to;
  (void)owner;
  assert_true(block < MOST_BLOCKS);
  assert_true(used <= sizes[block]);
  if (++allocations == fails_at) return NULL;
  to = malloc(n ? n : 1); /* it always moves, so that a pointer that was kept is found */
  assert_non_null(to);
  if (used) memcpy(to, blocks[block], used);
  free(blocks[block]);
  blocks[block] = to;
  sizes[block] = n;
  return to;
}

FL_FUNC void release(void) {
  unsigned i;
  for (i = 0; i < MOST_BLOCKS; i++) {
    free(blocks[i]);
    blocks[i] = NULL;
    sizes[i] = 0;
  }
}

/* Other schemas: pairs of URI and text. */
static const char *const *others;
static int asked;

FL_FUNC int find(void *owner, const char *uri, size_t n, unsigned from, struct schema_text *text) {
  const char *const *other;
  (void)owner;
  if (!(from & SCHEMA_FROM_LOADER)) return 0;
  asked++;
  for (other = others; other && *other; other += 2)
    if (strlen(*other) == n && memcmp(*other, uri, n) == 0) {
      text->s = other[1];
      text->n = strlen(other[1]);
      return 1;
    }
  return 0;
}

static struct schema_compiler compiler;
static struct schema_settings settings;
static struct schema_program *program;

FL_FUNC void reset(void) {
  memset(&settings, 0, sizeof settings);
  settings.memory = memory;
  settings.find = find;
  settings.utf8 = text_utf8_pick(text_cpu());
  settings.draft = SCHEMA_DRAFT_2020;
  settings.max_depth = 100;
  others = NULL;
  allocations = fails_at = 0;
  asked = 0;
}

FL_FUNC int compile(const char *text) {
  free(program);
  program = NULL;
  release();
  if (!schema_compile(&compiler, &settings, text, strlen(text))) {
    assert_true(compiler.error.kind != SCHEMA_ERROR_NONE);
    return 0;
  }
  program = malloc(compiler.size);
  assert_non_null(program);
  assert_ptr_equal(schema_finish(&compiler, program), program);
  return 1;
}

FL_FUNC const char *message(void) {
  static char text[300];
  const struct schema_error *e = &compiler.error;
  const char *slot = e->message ? strstr(e->message, "%s") : NULL;
  if (!slot) return e->message ? e->message : "";
  (void)snprintf(text, sizeof text, "%.*s%.*s%s", (int)(slot - e->message), e->message, (int)e->detail.n, e->detail.s,
                 slot + 2);
  return text;
}

FL_FUNC void must_compile(const char *text) {
  if (!compile(text)) { fail_msg("%s\n%s\n", text, message()); }
}

/* ------------------------------------------------------------------------------------- looking at a program */

/* The operations of a unit by the numbers of their codes, without the end. */
FL_FUNC const struct schema_op *first_op(uint32_t unit) {
  assert_true(unit < program->unit_count);
  return &program->ops[program->units[unit].first];
}

FL_FUNC const struct schema_op *find_op(uint32_t unit, enum schema_op_code code) {
  const struct schema_op *op = first_op(unit);
  for (; op->code != SCHEMA_OP_END; op++)
    if (op->code == code) return op;
  return NULL;
}

FL_FUNC void expect_ops(uint32_t unit, const enum schema_op_code *codes) {
  const struct schema_op *op = first_op(unit);
  for (; *codes != SCHEMA_OP_END; codes++, op++) assert_int_equal(op->code, *codes);
  assert_int_equal(op->code, SCHEMA_OP_END);
}
#define EXPECT_OPS(unit, ...)                                                \
  do {                                                                       \
    static const enum schema_op_code codes[] = {__VA_ARGS__, SCHEMA_OP_END}; \
    expect_ops(unit, codes);                                                 \
  } while (0)

FL_FUNC const struct schema_property *property(const struct schema_object *object, const char *name) {
  uint32_t i;
  for (i = object->first; i < object->first + object->count; i++) {
    const struct schema_property *p = &program->properties[i];
    if (p->name.length == strlen(name) && memcmp(program->bytes + p->name.at, name, p->name.length) == 0) return p;
  }
  return NULL;
}

FL_FUNC const struct schema_object *object_of(uint32_t unit) {
  const struct schema_op *op = find_op(unit, SCHEMA_OP_OBJECT);
  assert_non_null(op);
  return &program->objects[op->a];
}

/* The unit of a property. */
FL_FUNC uint32_t member(uint32_t unit, const char *name) {
  const struct schema_property *p = property(object_of(unit), name);
  assert_non_null(p);
  return p->unit;
}

/* Where a unit's schema is. */
FL_FUNC const char *location(uint32_t unit) {
  static char text[300];
  const struct schema_unit *u = &program->units[unit];
  const size_t n = schema_write_location(program, u, u->place, text, sizeof text - 1);
  assert_true(n < sizeof text);
  text[n] = 0;
  return text;
}
