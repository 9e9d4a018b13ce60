/* SPDX-License-Identifier: MIT */
#include "run.h"
#include "report.h"
#include "../../json/grammar/check.h"

FL_PRIVATE void schema_forget_results(struct schema_run *r) {
  memset(&r->results, 0, sizeof r->results);
  r->results.left = SCHEMA_PERIOD / 4; /* small values need no remembered results */
}

FL_PRIVATE void schema_begin_run(struct schema_run *r, const struct schema_program *p, struct value_walk *walk) {
  memset(r, 0, sizeof *r);
  r->program = p;
  r->root = p->root;
  r->walk = walk;
  schema_forget_results(r);
  r->small = SCHEMA_SMALL;
  walk->names = p->bytes;
}

FL_PRIVATE unsigned schema_narrow_(const struct schema_run *r, unsigned allowed, enum value_type type) {
  const unsigned both = SCHEMA_ARRAY | SCHEMA_OBJECT;
  allowed &= both;
  if (r->empty == SCHEMA_EMPTY_BOTH) return both;
  if (allowed && allowed != both) return allowed;
  return type == VALUE_OBJECT || r->fills ? SCHEMA_OBJECT : SCHEMA_ARRAY;
}

/* ------------------------------------------------------------------------------------- numbers */

FL_PRIVATE unsigned schema_types_of_number(const struct num_any *x) {
  if (x->form == NUM_IS_DOUBLE && !(x->is.d - x->is.d == 0)) return 0;
  return num_is_whole(x) ? SCHEMA_NUMBER | SCHEMA_INTEGER : SCHEMA_NUMBER;
}

/* Draft 4: a number written with a fraction or an exponent is not an integer. */
static int schema_is_written_whole(const struct schema_run *r, const struct num_any *x) {
  size_t i;
  if (x->form == NUM_IS_DOUBLE) return r->whole_is_integer;
  if (x->form != NUM_IS_TEXT) return 1;
  for (i = 0; i < x->n; i++)
    if ((x->text[i] < '0' || x->text[i] > '9') && x->text[i] != '-') return 0;
  return 1;
}

static struct num_any schema_number_of(const struct schema_run *r, const struct schema_literal *l) {
  struct num_any x = l->number;
  x.text = r->program->bytes + l->at;
  x.n = l->length;
  return x;
}

/* ------------------------------------------------------------------------------------- literals */

static int schema_is_literal(struct schema_run *r, const struct schema_literal *l, const struct value *v) {
  struct num_any x;
  if (l->type != v->type) return 0;
  if (v->type == VALUE_STRING)
    return l->length == v->n && (v->n == 0 || memcmp(r->program->bytes + l->at, v->s, v->n) == 0);
  if (v->type != VALUE_NUMBER) return v->type < VALUE_ARRAY;
  x = schema_number_of(r, l);
  return num_compare(&v->number, &x) == 0;
}

static int schema_is_in_enum(struct schema_run *r, const struct schema_op *op, const struct value *v) {
  const struct schema_literal *l = r->program->literals + op->a;
  const uint32_t *slots;
  uint32_t i, mask, hash;
  if (v->type >= VALUE_ARRAY) return 0;
  if (op->c == SCHEMA_NONE) {
    for (i = 0; i < op->b; i++)
      if (schema_is_literal(r, &l[i], v)) return 1;
    return 0;
  }
  mask = r->program->numbers[op->c];
  slots = r->program->numbers + op->c + 1;
  hash = schema_hash_value(v);
  for (i = hash & mask; slots[i]; i = (i + 1) & mask)
    if (l[slots[i] - 1].hash == hash && schema_is_literal(r, &l[slots[i] - 1], v)) return 1;
  return 0;
}

/* ------------------------------------------------------------------------------------- strings */

FL_PRIVATE uint64_t schema_count_characters(const char *s, size_t n) {
  uint64_t count = 0;
  size_t i;
  for (i = 0; i < n; i++) count += (s[i] & 0xc0) != 0x80;
  return count;
}

/* Returns whether the string has at least `least` characters. Counts them only if its size in bytes does not decide. */
static int schema_has_characters(struct schema_run *r, const struct value *v, uint64_t least) {
  if (v->n < least) return 0;
  if ((v->n + 3) / 4 >= least) return 1;
  (void)value_spend(r->walk, v->n / VALUE_BYTES_PER_STEP);
  return schema_count_characters(v->s, v->n) >= least;
}

/* Makes room for a search. The memory must be initialized once. */
static int schema_need_scratch(struct schema_run *r, size_t n) {
  const size_t room = n > r->program->scratch ? n : r->program->scratch;
  if (FL_LIKELY(n <= r->scratch_room)) return 1;
  r->scratch = (uint32_t *)value_reserve(r->walk, SCHEMA_BLOCK_SCRATCH, room, 0);
  r->scratch_room = r->scratch ? room : 0;
  if (!r->scratch) return 0;
  memset(r->scratch, 0, room);
  return 1;
}

FL_PRIVATE int schema_search(struct schema_run *r, uint32_t number, const char *s, size_t n) {
  const struct schema_regex *x = &r->program->regexes[number];
  const struct regex *regex = (const struct regex *)(const void *)((const char *)r->program + x->at);
  if (x->is_prefix) return schema_begins_with(r->program, x, s, n);
  if (x->table) {
    const struct regex_table *table = (const struct regex_table *)(const void *)((const char *)r->program + x->table);
    return value_spend(r->walk, n / VALUE_BYTES_PER_STEP + 1) && regex_search_table(regex, table, s, n);
  }
  if (!value_spend(r->walk, n + 1 + regex_cost(regex, n) / VALUE_BYTES_PER_STEP)) return 0;
  if (!schema_need_scratch(r, regex_scratch_for(regex, n))) return 0;
  return regex_search(regex, r->scratch, s, n);
}

/* Tests contentEncoding and contentMediaType: base64, JSON, or JSON in base64. */
static int schema_test_content(struct schema_run *r, const struct schema_op *op, const struct value *v) {
  char *w;
  size_t n = v->n;
  if (!value_spend(r->walk, n / VALUE_BYTES_PER_STEP) || !schema_need_scratch(r, n + 1)) return 0;
  w = (char *)r->scratch;
  if (op->a) n = schema_from_base64(v->s, n, w);
  else if (n) memcpy(w, v->s, n);
  if (n == SIZE_MAX) return 0;
  w[n] = 0;
  return !op->b || json_check(w, n, r->walk->max_depth, NULL) == 0;
}

/* ------------------------------------------------------------------------------------- one operation */

static int schema_test_number(struct schema_run *r, const struct schema_op *op, const struct num_any *x) {
  const struct num_any y = schema_number_of(r, &r->program->literals[op->a]);
  int order;
  if (op->code == SCHEMA_OP_MULTIPLE_OF) return num_is_multiple(x, &y);
  order = num_compare(x, &y);
  switch (op->code) {
  case SCHEMA_OP_MINIMUM: return order == 0 || order == 1;
  case SCHEMA_OP_EXCLUSIVE_MINIMUM: return order == 1;
  case SCHEMA_OP_MAXIMUM: return order <= 0;
  default: return order < 0;
  }
}

FL_PRIVATE int schema_test(struct schema_run *r, const struct schema_op *op, const struct value *v, unsigned types) {
  switch (op->code) {
  case SCHEMA_OP_FALSE: return 0;
  case SCHEMA_OP_TYPE:
    if (!(op->a & types)) return 0;
    return !op->b || v->type != VALUE_NUMBER || (op->a & SCHEMA_NUMBER) || schema_is_written_whole(r, &v->number);
  case SCHEMA_OP_CONST: return schema_is_literal(r, &r->program->literals[op->a], v);
  case SCHEMA_OP_ENUM: return schema_is_in_enum(r, op, v);
  case SCHEMA_OP_MINIMUM:
  case SCHEMA_OP_EXCLUSIVE_MINIMUM:
  case SCHEMA_OP_MAXIMUM:
  case SCHEMA_OP_EXCLUSIVE_MAXIMUM:
  case SCHEMA_OP_MULTIPLE_OF: return schema_test_number(r, op, &v->number);
  case SCHEMA_OP_MIN_LENGTH: return schema_has_characters(r, v, op->a);
  case SCHEMA_OP_MAX_LENGTH: return !schema_has_characters(r, v, (uint64_t)op->a + 1);
  case SCHEMA_OP_PATTERN: return schema_search(r, op->a, v->s, v->n);
  case SCHEMA_OP_FORMAT:
    if (v->type == VALUE_NUMBER && !op->b) return schema_format_check_number((enum schema_format)op->a, &v->number);
    if (v->type != VALUE_STRING) return 1;
    if (!op->b) return schema_format_check((enum schema_format)op->a, v->s, v->n);
    if (!r->custom) return value_fail(r->walk, VALUE_ERROR_REDO);
    return r->custom(r->custom_owner, op->a, v->s, v->n);
  default: FL_ASSERT(op->code == SCHEMA_OP_CONTENT); return schema_test_content(r, op, v);
  }
}

/* ------------------------------------------------------------------------------------- names */

FL_PRIVATE const struct schema_property *schema_find_property_(const struct schema_program *p,
                                                               const struct schema_object *o, const char *s, size_t n,
                                                               uint32_t *hint) {
  const struct schema_property *x = schema_seek_property(p, o, s, n);
  if (x) *hint = (uint32_t)(x - (p->properties + o->first)) + 1;
  return x;
}

FL_PRIVATE uint32_t schema_choose(const struct schema_program *p, const struct schema_choice *choice,
                                  const struct value *tag) {
  const uint32_t *slots = p->numbers + choice->slots, hash = schema_hash_value(tag);
  uint32_t i = hash & choice->mask;
  for (; slots[3 * i + 1] && slots[3 * i] != hash; i = (i + 1) & choice->mask) continue;
  if (slots[3 * i + 1] && slots[3 * i + 2] != SCHEMA_NONE) {
    const struct schema_literal *l = &p->literals[slots[3 * i + 2]];
    if (tag->type != VALUE_STRING || tag->n != l->length || memcmp(tag->s, p->bytes + l->at, l->length) != 0)
      return choice->others;
  }
  return slots[3 * i + 1] ? slots[3 * i + 1] : choice->others;
}

/* ------------------------------------------------------------------------------------- what was evaluated */

FL_PRIVATE int schema_push_bits(struct schema_run *r, size_t words) {
  const size_t need = r->bits_count + words;
  if (need > r->bits_room) {
    const size_t room = 2 * need + 64;
    uint64_t *bits = (uint64_t *)value_reserve(r->walk, SCHEMA_BLOCK_BITS, room * sizeof *bits,
                                               r->bits_count * sizeof *bits);
    if (!bits) return 0;
    r->bits = bits;
    r->bits_room = room;
  }
  if (words) memset(r->bits + r->bits_count, 0, words * sizeof *r->bits);
  r->bits_count = need;
  return value_spend(r->walk, words / 8);
}

/* ------------------------------------------------------------------------------------- results */

/* Returns the slot of the result, or a free one for it. */
static struct schema_result *schema_result_slot(const struct schema_results *m, uint32_t unit, uintptr_t node) {
  const size_t mask = m->room - 1;
  size_t i = (size_t)schema_stir(schema_stir(unit, node), 0) & mask;
  while (m->slots[i].node && (m->slots[i].node != node || m->slots[i].unit != unit)) i = (i + 1) & mask;
  return &m->slots[i];
}

FL_PRIVATE int schema_recall_result(struct schema_run *r, uint32_t unit, uintptr_t node) {
  const struct schema_result *x = r->results.room ? schema_result_slot(&r->results, unit, node) : NULL;
  if (!x || !x->node) return -1;
  r->results.hits++;
  return (int)x->is_valid;
}

/* Doubles the table, or empties a very large one. */
static int schema_grow_results(struct schema_run *r) {
  struct schema_results *m = &r->results;
  const size_t old = m->room, room = old ? 2 * old : 256;
  struct schema_result *slots, x;
  size_t i;
  if (room > SCHEMA_MOST_RESULTS) {
    memset(m->slots, 0, old * sizeof *slots);
    m->count = 0;
    return 1;
  }
  slots = (struct schema_result *)value_reserve(r->walk, SCHEMA_BLOCK_RESULTS, 2 * room * sizeof *slots,
                                                old * sizeof *slots);
  if (!slots) return 0;
  memcpy(slots + room, slots, old * sizeof *slots); /* copy the old slots after the new ones */
  memset(slots, 0, room * sizeof *slots);
  m->slots = slots;
  m->room = room;
  for (i = 0; i < old; i++) {
    x = slots[room + i];
    if (x.node) *schema_result_slot(m, x.unit, x.node) = x;
  }
  return 1;
}

FL_PRIVATE int schema_keep_result(struct schema_run *r, uint32_t unit, uintptr_t node, int is_valid) {
  struct schema_results *m = &r->results;
  struct schema_result *x;
  if (2 * m->count >= m->room && !schema_grow_results(r)) return 0;
  x = schema_result_slot(m, unit, node);
  m->count += !x->node;
  x->node = node;
  x->unit = unit;
  x->is_valid = (uint32_t)is_valid;
  return 1;
}
