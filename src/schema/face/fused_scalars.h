/* SPDX-License-Identifier: MIT
** fused_scalars.h -- a part of fused.c: whether a scalar passes its units.
** Must hold: as there. */
#pragma once

#include "fused.h"

/* Returns whether a scalar passes the unit, ignoring operations on children. */
static int mod_schema_fused_decide(struct mod_schema_fused *f, uint32_t unit, const struct value *v, unsigned types,
                                   int calls) {
  const struct schema_program *p = f->program;
  const struct schema_op *op;
  const struct schema_unit *u;
  uint32_t i, count;
  int is_valid;
  unit = p->units[unit].stand_in;
  u = &p->units[unit];
  if (!(u->possible & types)) return 0;
  if (u->sure & types & ~(unsigned)SCHEMA_INTEGER) return 1;
  if (f->budget == 0 || calls == MOD_SCHEMA_FUSED_CALLS) return value_fail(f->run->walk, VALUE_ERROR_REDO);
  f->budget--;
  for (op = p->ops + u->decider; op->code != SCHEMA_OP_END; op++) {
    if (!(op->types & types)) continue;
    if (!value_spend(f->run->walk, 1)) return 0;
    switch (op->code) {
    case SCHEMA_OP_ANY_OF:
    case SCHEMA_OP_ONE_OF:
      for (i = count = 0; i < op->b && count < (op->code == SCHEMA_OP_ONE_OF ? 2u : 1u); i++)
        if (mod_schema_may_be(p, p->numbers[op->a + i], types))
          count += (uint32_t)mod_schema_fused_decide(f, p->numbers[op->a + i], v, types, calls + 1);
      is_valid = count == 1;
      break;
    case SCHEMA_OP_CALL: is_valid = mod_schema_fused_decide(f, op->a, v, types, calls + 1); break;
    case SCHEMA_OP_NOT: is_valid = !mod_schema_fused_decide(f, op->a, v, types, calls + 1); break;
    case SCHEMA_OP_IF:
      is_valid = mod_schema_fused_decide(f, op->a, v, types, calls + 1);
      is_valid = mod_schema_fused_decide(f, is_valid ? op->b : op->c, v, types, calls + 1);
      break;
    default: is_valid = schema_test(f->run, op, v, types);
    }
    if (!is_valid || f->run->walk->error) return 0;
  }
  return 1;
}

/* Returns whether the string is one of the `count` literals from number `first` on. */
FL_INLINE int mod_schema_fused_is_among(const struct schema_program *p, uint32_t first, uint32_t count, const char *s,
                                        size_t n) {
  const struct schema_literal *l = p->literals + first, *const end = l + count;
  for (; l < end; l++)
    if (l->length == n && l->type == VALUE_STRING && schema_is_same(p->bytes + l->at, s, n)) return 1;
  return 0;
}

/* Returns whether a string passes the operation. */
FL_NOINLINE int mod_schema_fused_test_string_(const struct mod_schema_fused *f, const struct schema_op *op,
                                              const char *s, size_t n) {
  struct value v;
  v.type = VALUE_STRING;
  v.s = s, v.n = n;
  return schema_test(f->run, op, &v, SCHEMA_STRING);
}

/* Returns whether a string passes the unit: 1 or 0, or -1 if units that it calls have to decide. */
FL_INLINE int mod_schema_fused_string(const struct mod_schema_fused *f, const struct schema_unit *u, const char *s,
                                      size_t n) {
  const struct schema_program *p = f->program;
  const struct schema_op *op = p->ops + u->decider;
  for (; op->code != SCHEMA_OP_END; op++) {
    if (!(op->types & SCHEMA_STRING)) continue;
    if (!value_spend(f->run->walk, 1)) return 0;
    switch (op->code) {
    case SCHEMA_OP_MIN_LENGTH:
      if ((n + 3) / 4 >= op->a) continue;
      break;
    case SCHEMA_OP_MAX_LENGTH:
      if (n <= op->a) continue;
      break;
    case SCHEMA_OP_ENUM:
      if (op->c != SCHEMA_NONE) break;
      if (!mod_schema_fused_is_among(p, op->a, op->b, s, n)) return 0;
      continue;
    case SCHEMA_OP_CONST:
      if (!mod_schema_fused_is_among(p, op->a, 1, s, n)) return 0;
      continue;
    case SCHEMA_OP_PATTERN:
      if (!schema_search(f->run, op->a, s, n)) return 0;
      continue;
    case SCHEMA_OP_CALL:
    case SCHEMA_OP_ANY_OF:
    case SCHEMA_OP_ONE_OF:
    case SCHEMA_OP_NOT:
    case SCHEMA_OP_IF: return -1;
    default: break;
    }
    if (!mod_schema_fused_test_string_(f, op, s, n)) return 0;
  }
  return !f->run->walk->error;
}

FL_NOINLINE int mod_schema_fused_string_(const struct mod_schema_fused *f, const struct schema_unit *u, const char *s,
                                         size_t n) {
  return mod_schema_fused_string(f, u, s, n);
}

static int mod_schema_fused_test(struct mod_schema_fused *f, const struct value *v, unsigned types) {
  uint32_t i;
  mod_schema_fused_list(f);
  f->budget = SCHEMA_SMALL;
  for (i = 0; i < f->unit_count; i++)
    if (!mod_schema_fused_decide(f, f->units[i], v, types, 0)) return 0;
  return 1;
}

/* Returns whether the value differs from all items of its array before it, as far as hashes tell. A walk decides on
** those that have the same hash, or are too many. */
static int mod_schema_fused_is_new(struct mod_schema_fused *f, const struct value *v) {
  const uint32_t hash = schema_hash_value(v), n = f->level->n - 1;
  uint32_t i;
  if (n >= MOD_SCHEMA_FUSED_HASHES) return 1;
  for (i = 0; i < n; i++)
    if (f->hashes[i] == hash) return 0;
  f->hashes[n] = hash;
  return 1;
}

/* Returns whether a scalar of one of the types passes the units. */
FL_NOINLINE int mod_schema_fused_scalar_(struct mod_schema_fused *f, enum value_type type, unsigned types,
                                         const char *s, size_t n) {
  struct value v;
  if (!(f->unit->possible & types)) return 0;
  v.type = type;
  v.s = s, v.n = n;
  return mod_schema_fused_test(f, &v, types) && (FL_LIKELY(!f->level->unique) || mod_schema_fused_is_new(f, &v));
}

/* Does so for a string. */
FL_NOINLINE int mod_schema_fused_text_(struct mod_schema_fused *f, const char *s, size_t n) {
  int is_valid = -1;
  if (FL_UNLIKELY(!(f->unit->possible & SCHEMA_STRING))) return 0;
  if (FL_LIKELY(f->unit != &f->several)) is_valid = mod_schema_fused_string(f, f->unit, s, n);
  return FL_LIKELY(is_valid >= 0) ? is_valid : mod_schema_fused_scalar_(f, VALUE_STRING, SCHEMA_STRING, s, n);
}

/* Returns whether a number passes its only unit: 1 or 0, or -1 if that is not easy to see. Its floor is known, and
** whether it has a fraction. */
FL_INLINE int mod_schema_fused_floor(const struct mod_schema_fused *f, int64_t floor, int is_fraction) {
  const unsigned types = is_fraction ? SCHEMA_NUMBER : SCHEMA_NUMBER | SCHEMA_INTEGER;
  if (f->unit->sure & types || !(f->unit->possible & types)) return (f->unit->possible & types) != 0;
  if (f->unit->low > f->unit->high || floor > SCHEMA_MOST_FLOOR || floor < -SCHEMA_MOST_FLOOR) return -1;
  floor = 2 * floor + is_fraction;
  return floor >= f->unit->low && floor <= f->unit->high;
}

FL_NOINLINE int mod_schema_fused_number_(struct mod_schema_fused *f, const char *text, size_t n,
                                         const struct num_value *number) {
  struct value v;
  unsigned types;
  int is_valid;
  if (number->kind == NUM_INTEGER && (is_valid = mod_schema_fused_floor(f, number->i, 0)) >= 0) return is_valid;
  v.type = VALUE_NUMBER;
  v.s = NULL, v.n = 0;
  v.number = num_any_of(text, n, number);
  types = schema_types_of(&v);
  return f->unit->possible & types && mod_schema_fused_test(f, &v, types) &&
         (FL_LIKELY(!f->level->unique) || mod_schema_fused_is_new(f, &v));
}
