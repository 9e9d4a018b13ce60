/* SPDX-License-Identifier: MIT
** fuses.c -- finds out when a schema is made what a check of a text in one pass can do.
** Must hold: what is found here holds for every text; the rest fused.c decides for each. */
#include "fused.h"
#include "fused_chosen.h"

/* Returns whether the operation cannot be tested while a container is read, or at its end. `decodes`: names that repeat
** are found. */
static int mod_schema_is_for_later(const struct schema_program *p, const struct schema_op *op, int decodes) {
  switch (op->code) {
  case SCHEMA_OP_OBJECT: return p->objects[op->a].required > SCHEMA_BITS;
  case SCHEMA_OP_MIN_PROPERTIES: return !decodes && op->a > 1;
  case SCHEMA_OP_REQUIRED:
  case SCHEMA_OP_DEPENDENT_REQUIRED:
  case SCHEMA_OP_CONTAINS:
  case SCHEMA_OP_NOT:
  case SCHEMA_OP_UNEVALUATED_ITEMS:
  case SCHEMA_OP_CUSTOM: return 1;
  case SCHEMA_OP_IF: return mod_schema_condition_of(p, op->a) == NULL;
  case SCHEMA_OP_DEPENDENT_SCHEMA:
  case SCHEMA_OP_CALL: return op->is_branch;
  default: return 0;
  }
}

/* Returns whether containers of these types must be checked separately, as far as that is known before a text. */
static int mod_schema_unit_is_for_later(const struct schema_program *p, uint32_t unit, unsigned type, int decodes,
                                        int calls) {
  const struct schema_unit *u = &p->units[p->units[unit].stand_in];
  const struct schema_op *op;
  for (op = p->ops + u->decider; op->code != SCHEMA_OP_END; op++) {
    const unsigned types = op->types & u->types & (op->types & SCHEMA_OP_SETTLED ? SCHEMA_ARRAY : type);
    if (!types) continue;
    if (op->is_later & (decodes ? 2 : 1)) return 1;
    if (op->code == SCHEMA_OP_CALL)
      if (calls == MOD_SCHEMA_FUSED_CALLS || mod_schema_unit_is_for_later(p, op->a, types, decodes, calls + 1))
        return 1;
  }
  return 0;
}

/* Returns whether a pattern may match the name. */
static int mod_schema_may_match(const struct schema_program *p, const struct schema_regex *regex, const char *s,
                                size_t n) {
  const struct regex *const whole = (const struct regex *)(const void *)((const char *)p + regex->at);
  if (regex->is_prefix) return schema_begins_with(p, regex, s, n);
  return !regex->table ||
         regex_search_table(whole, (const struct regex_table *)(const void *)((const char *)p + regex->table), s, n) !=
             0;
}

/* Clears is_plain of the properties whose names a pattern may match, too, or have to pass a unit. Sets `verdict` of
** all, and what is expected to follow each in a text: the next one, after the last the first. */
static void mod_schema_find_matched(struct mod_schema *s, uint32_t object) {
  const struct schema_program *p = s->program;
  struct schema_object *o = &p->objects[object];
  uint32_t *const following = s->following + mod_schema_key(o, object);
  uint32_t i, k;
  o->key = mod_schema_key(o, object);
  o->must = o->required > SCHEMA_BITS ? 0 : ((uint64_t)1 << o->required) - 1; /* more are for later */
  o->lengths = o->is_plain && o->additional == SCHEMA_NONE ? 0 : UINT32_MAX;
  for (k = 0; k < o->count; k++) {
    struct schema_property *x = &p->properties[o->first + k];
    o->lengths |= (uint32_t)1 << (x->name.length & 31);
    if (o->names != SCHEMA_NONE) x->is_plain = 0;
    x->verdict = mod_schema_verdict_of(p, x->unit == SCHEMA_NONE ? o->additional : x->unit);
    x->place_after = o->key + k + 1;
  }
  for (i = 0; i < o->pattern_count; i++) {
    for (k = 0; k < o->count; k++) {
      struct schema_property *x = &p->properties[o->first + k];
      if (o->pattern_count > SCHEMA_FEW ||
          (x->is_plain && mod_schema_may_match(p, &p->regexes[p->patterns[o->patterns + i].regex],
                                               p->bytes + x->name.at, x->name.length)))
        x->is_plain = 0;
    }
  }
  for (k = 0; k <= o->count; k++)
    if (k < o->count ? p->properties[o->first + k].is_plain : k > 0 && following[0])
      following[k] = o->first + k % o->count + 1;
}

FL_PRIVATE size_t mod_schema_chosen_size(const struct schema_program *p) {
  uint32_t i;
  for (i = 0; i < p->op_count; i++) {
    switch (p->ops[i].code) {
    case SCHEMA_OP_ANY_OF:
    case SCHEMA_OP_ONE_OF:
    case SCHEMA_OP_IF:
    case SCHEMA_OP_DEPENDENT_SCHEMA:
      if (p->ops[i].types & SCHEMA_OBJECT) return MOD_SCHEMA_CHOSEN * sizeof(struct mod_schema_chosen);
      break;
    default: break;
    }
  }
  return 0;
}

FL_PRIVATE void mod_schema_set_fuses(struct mod_schema *s) {
  const struct schema_program *p = s->program;
  const unsigned types = SCHEMA_ARRAY | SCHEMA_OBJECT;
  uint32_t i;
  s->fuses = s->fuses_verdict = 0;
  for (i = 0; i < p->op_count; i++) {
    struct schema_op *op = &p->ops[i];
    op->is_later = ((unsigned)mod_schema_is_for_later(p, op, 0) | (unsigned)mod_schema_is_for_later(p, op, 1) << 1) & 3;
  }
  for (i = 0; i < p->op_count; i++)
    if (p->ops[i].code == SCHEMA_OP_CUSTOM || (p->ops[i].code == SCHEMA_OP_FORMAT && p->ops[i].b)) return;
  s->fuses = !mod_schema_unit_is_for_later(p, p->root, types, 1, 0);
  for (i = 0; i < p->object_count; i++) mod_schema_find_matched(s, i);
  s->fuses_verdict = !mod_schema_unit_is_for_later(p, p->root, types, 0, 0);
}
