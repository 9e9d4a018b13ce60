/* SPDX-License-Identifier: MIT
** choices.c -- finds the tag of anyOf and oneOf, a member whose scalar decides which branches can be valid, and makes
** tables from the scalars to the branches.
** Must hold: a branch that a table leaves out would be invalid. Branches without constants for the tag are in all
** lists, so there may be only few of them, and the time is linear in branches and constants. Without such a member, the
** presence of one may decide (asks.c). */
#include "../unit.h"

enum { SCHEMA_MOST_UNTAGGED = 4, SCHEMA_LOOKS = 64, SCHEMA_MOST_LISTS = 16 };

struct schema_choosing {
  struct schema_compiler *c;
  const struct schema_op *op;
  const struct schema_property *tag;                /* a property with the tag's name */
  const struct schema_op *lists[SCHEMA_MOST_LISTS]; /* of a branch: the operations with its constants */
  uint32_t list_count;
  uint32_t left;        /* operations and properties of a branch that may still be looked at */
  int is_required;      /* the branch, which has the tag, requires it */
  uint32_t slots, mask; /* as in schema_choice */
  uint32_t state;       /* for each slot two numbers: entries of its list so far, the branch added last */
};

/* Returns the operation that compares the property with constants if scalars pass no other way, or NULL. */
static const struct schema_op *schema_constants_of(const struct schema_program *p, const struct schema_property *x) {
  const struct schema_op *op;
  if (!x || x->unit == SCHEMA_NONE) return NULL;
  op = p->ops + p->units[p->units[x->unit].stand_in].decider;
  return op->code == SCHEMA_OP_CONST || op->code == SCHEMA_OP_ENUM ? op : NULL;
}

static uint32_t schema_constant_count(const struct schema_op *op) { return op->code == SCHEMA_OP_CONST ? 1 : op->b; }

/* Returns the object's property for the tag; without a tag, its first property with one constant, or with several. */
static const struct schema_property *schema_tag_of_object(struct schema_choosing *is, const struct schema_object *o) {
  const struct schema_program *p = &is->c->to;
  const struct schema_property *x, *found = NULL;
  uint32_t i, hint = 0;
  if (is->tag) {
    const struct value_name *name = &is->tag->name;
    x = schema_find_property(p, o, p->bytes + name->at, name->length, &hint);
    return schema_constants_of(p, x) ? x : NULL;
  }
  for (i = 0; i < o->count && is->left > 0; i++, is->left--) {
    const struct schema_op *of = schema_constants_of(p, x = &p->properties[o->first + i]);
    if (of && schema_constant_count(of) == 1) return x;
    if (of && !found) found = x;
  }
  return found;
}

static int schema_list_object(struct schema_choosing *is, const struct schema_object *o) {
  const struct schema_property *x = schema_tag_of_object(is, o);
  if (!x || is->list_count == SCHEMA_MOST_LISTS) return 0;
  if (!is->tag) is->tag = x;
  is->is_required &= x->required != 0;
  is->lists[is->list_count++] = schema_constants_of(&is->c->to, x);
  return 1;
}

static int schema_list_branches(struct schema_choosing *is, const struct schema_op *op);

/* Lists the operations with constants for the tag in the unit, or in units that it calls for the same value. Returns
** whether a scalar that is none of them is invalid. Few operations are looked at, so the depth is bounded. */
static int schema_list_unit(struct schema_choosing *is, uint32_t unit) {
  const struct schema_program *p = &is->c->to;
  const struct schema_op *op;
  int found = 0;
  for (op = p->ops + p->units[unit].first; op->code != SCHEMA_OP_END && is->left > 0 && !found; op++) {
    is->left--;
    switch (op->code) {
    case SCHEMA_OP_OBJECT: found = schema_list_object(is, &p->objects[op->a]); break;
    case SCHEMA_OP_CALL: found = !op->is_branch && schema_list_unit(is, op->a); break;
    case SCHEMA_OP_ANY_OF:
    case SCHEMA_OP_ONE_OF: found = schema_list_branches(is, op); break;
    default: break;
    }
  }
  return found;
}

/* Does so for anyOf or oneOf, if it does for all branches that take objects. */
static int schema_list_branches(struct schema_choosing *is, const struct schema_op *op) {
  const struct schema_program *p = &is->c->to;
  const uint32_t before = is->list_count;
  uint32_t i;
  for (i = 0; i < op->b; i++) {
    const uint32_t unit = p->numbers[op->a + i];
    if (!schema_takes(p, unit, SCHEMA_OBJECT) || schema_list_unit(is, unit)) continue;
    is->list_count = before;
    return 0;
  }
  return is->list_count > before;
}

/* Lists the constants of a branch. With the same tag the list is the same. */
static int schema_list_branch(struct schema_choosing *is, uint32_t i) {
  is->is_required = 1;
  is->left = SCHEMA_LOOKS;
  is->list_count = 0;
  return schema_list_unit(is, is->c->to.numbers[is->op->a + i]);
}

/* Finds the tag: that of the first branch with one. */
static int schema_find_tag(struct schema_choosing *is) {
  uint32_t i;
  for (i = 0; i < is->op->b && !is->tag; i++) (void)schema_list_branch(is, i);
  return is->tag != NULL;
}

/* Counts the branches without the tag, and the constants of the others. Returns whether a table is worth it. */
static int schema_count_tags(struct schema_choosing *is, uint32_t *constants, uint32_t *untagged) {
  uint32_t tagged = 0, i, j;
  *constants = *untagged = 0;
  for (i = 0; i < is->op->b; i++) {
    if (!schema_takes(&is->c->to, is->c->to.numbers[is->op->a + i], SCHEMA_OBJECT)) continue;
    if (!schema_list_branch(is, i)) ++*untagged;
    else tagged++;
    for (j = 0; j < is->list_count; j++) *constants += schema_constant_count(is->lists[j]);
    if (*untagged > SCHEMA_MOST_UNTAGGED || *constants > SCHEMA_LOOKS + 2 * is->op->b) return 0;
  }
  return tagged >= 2;
}

/* Returns the slot of the hash, taken or free; SCHEMA_NONE if too many are alike. */
static uint32_t schema_slot_of(const struct schema_choosing *is, uint32_t hash) {
  const uint32_t *slots = is->c->to.numbers + is->slots;
  uint32_t i = hash & is->mask, probes = 0;
  for (; slots[3 * i + 1] && slots[3 * i] != hash; i = (i + 1) & is->mask)
    if (++probes > SCHEMA_LONGEST_PROBE) return SCHEMA_NONE;
  return i;
}

/* Notes a literal in its slot: the only string with this hash, or SCHEMA_NONE. */
static void schema_note_literal(const struct schema_program *p, uint32_t *slot, uint32_t literal) {
  const int is_other = slot[1] && (slot[2] == SCHEMA_NONE || p->literals[slot[2]].at != p->literals[literal].at);
  slot[2] = is_other || p->literals[literal].type != VALUE_STRING ? SCHEMA_NONE : literal;
}

/* Returns whether a unit refuses objects whose tag is this string, by `not`. */
static int schema_refuses(const struct schema_choosing *is, uint32_t unit, uint32_t literal) {
  const struct schema_program *p = &is->c->to;
  const struct schema_op *op = p->ops + p->units[p->units[unit].stand_in].decider;
  const struct schema_property *x;
  const struct value_name *name = &is->tag->name;
  uint32_t i;
  while (op->code != SCHEMA_OP_OBJECT && op->code != SCHEMA_OP_END) op++;
  if (literal == SCHEMA_NONE || op->code == SCHEMA_OP_END) return 0;
  x = schema_seek_property(p, &p->objects[op->a], p->bytes + name->at, name->length);
  if (!x || x->unit == SCHEMA_NONE) return 0;
  for (op = p->ops + p->units[p->units[x->unit].stand_in].decider; op->code != SCHEMA_OP_END; op++) {
    const struct schema_op *of = p->ops + p->units[p->units[op->a].stand_in].decider;
    if (op->code != SCHEMA_OP_NOT || !(op->types & SCHEMA_STRING) || of[1].code != SCHEMA_OP_END) continue;
    if (of->code != SCHEMA_OP_CONST && of->code != SCHEMA_OP_ENUM) continue;
    for (i = 0; i < schema_constant_count(of) && i < SCHEMA_SMALL; i++)
      if (p->literals[of->a + i].type == VALUE_STRING && p->literals[of->a + i].at == p->literals[literal].at) return 1;
  }
  return 0;
}

/* Adds the branch to the lists of its constants. first_pass: only counts the entries, into the slots. */
static int schema_deal_constants(struct schema_choosing *is, uint32_t branch, const struct schema_op *of,
                                 int first_pass) {
  const struct schema_program *p = &is->c->to;
  uint32_t *slots = p->numbers + is->slots, *state = p->numbers + is->state, i, slot;
  for (i = 0; i < schema_constant_count(of); i++) {
    const struct schema_literal *l = &p->literals[of->a + i];
    if ((slot = schema_slot_of(is, l->hash)) == SCHEMA_NONE) return 0;
    if (first_pass) schema_note_literal(p, slots + 3 * slot, of->a + i);
    if (state[2 * slot + 1] == branch + 1) continue;
    state[2 * slot + 1] = branch + 1;
    slots[3 * slot] = l->hash;
    if (first_pass) slots[3 * slot + 1]++;
    else p->numbers[slots[3 * slot + 1] + state[2 * slot]++] = p->numbers[is->op->a + branch];
  }
  return 1;
}

/* Adds branches without the tag to all lists; *others: the end of the list for all other scalars. */
static int schema_deal(struct schema_choosing *is, uint32_t *others, int first_pass) {
  struct schema_program *p = &is->c->to;
  const uint32_t *slots = p->numbers + is->slots;
  uint32_t *state = p->numbers + is->state, slot, i, j;
  for (i = 0; i < is->op->b; i++) {
    const uint32_t unit = p->numbers[is->op->a + i];
    if (!schema_takes(p, unit, SCHEMA_OBJECT)) continue;
    if (schema_list_branch(is, i)) {
      for (j = 0; j < is->list_count; j++)
        if (!schema_deal_constants(is, i, is->lists[j], first_pass)) return 0;
    } else if (!first_pass) {
      p->numbers[(*others)++] = unit;
      for (slot = 0; slot <= is->mask; slot++)
        if (slots[3 * slot + 1] && !schema_refuses(is, unit, slots[3 * slot + 2]))
          p->numbers[slots[3 * slot + 1] + state[2 * slot]++] = unit;
    }
  }
  return 1;
}

/* Fills the list for objects without the tag. */
static void schema_fill_missing(struct schema_choosing *is, uint32_t at) {
  struct schema_program *p = &is->c->to;
  uint32_t i;
  for (i = 0; i < is->op->b; i++)
    if (schema_takes(p, p->numbers[is->op->a + i], SCHEMA_OBJECT) && !(schema_list_branch(is, i) && is->is_required))
      p->numbers[at++] = p->numbers[is->op->a + i];
  p->numbers[at] = SCHEMA_NONE;
}

/* Fills the lists, which begin at number `at`; the first is for all other scalars. */
static int schema_fill_lists(struct schema_choosing *is, uint32_t at, uint32_t untagged) {
  struct schema_program *p = &is->c->to;
  uint32_t *slots = p->numbers + is->slots, *state = p->numbers + is->state, slot, others = at;
  if (!schema_deal(is, NULL, 1)) return 0;
  at += untagged + 1;
  for (slot = 0; slot <= is->mask; slot++) {
    const uint32_t count = slots[3 * slot + 1];
    if (count) slots[3 * slot + 1] = at, at += count + untagged + 1;
    state[2 * slot + 1] = 0;
  }
  if (!schema_deal(is, &others, 0)) return 0;
  p->numbers[others] = SCHEMA_NONE;
  for (slot = 0; slot <= is->mask; slot++)
    if (slots[3 * slot + 1]) p->numbers[slots[3 * slot + 1] + state[2 * slot]] = SCHEMA_NONE;
  return 1;
}

static int schema_add_choice(struct schema_compiler *c, const struct schema_op *op,
                             const struct schema_choice *choice) {
  if (!SCHEMA_GROW(c, CHOICES, c->to.choices, c->to.choice_count, 1)) return 0;
  c->to.choices[c->to.choice_count++] = *choice;
  c->to.numbers[op->a + op->b + 1] = c->to.choice_count;
  return 1;
}

/* Makes the table of an operation for which the presence of a member decides. */
static int schema_find_presence_choice(struct schema_compiler *c, const struct schema_op *op) {
  struct schema_choice choice;
  uint32_t asking, at, i;
  memset(&choice, 0, sizeof choice);
  if ((asking = schema_find_asking(&c->to, op, &choice.name)) == SCHEMA_NONE) return 1;
  if ((at = schema_add_numbers(c, op->b + 5)) == SCHEMA_NONE) return 0;
  choice.by_presence = 1;
  choice.slots = at; /* one, free */
  choice.others = at + 3;
  choice.missing = at + 5;
  c->to.numbers[at + 3] = c->to.numbers[op->a + asking];
  c->to.numbers[at + 4] = SCHEMA_NONE;
  for (i = 0, at += 5; i < op->b; i++)
    if (i != asking && schema_takes(&c->to, c->to.numbers[op->a + i], SCHEMA_OBJECT))
      c->to.numbers[at++] = c->to.numbers[op->a + i];
  c->to.numbers[at] = SCHEMA_NONE;
  return schema_add_choice(c, op, &choice);
}

/* Makes the table of an operation, if it has a tag. */
static int schema_find_choice(struct schema_compiler *c, const struct schema_op *op) {
  struct schema_choosing is;
  struct schema_choice choice;
  uint32_t constants, untagged, lists, missing;
  const uint32_t before = c->to.number_count;
  memset(&is, 0, sizeof is);
  is.c = c;
  is.op = op;
  if (op->b < 2 || c->to.numbers[op->a + op->b + 1]) return 1; /* merged operations share it */
  if (!schema_find_tag(&is) || !schema_count_tags(&is, &constants, &untagged))
    return schema_find_presence_choice(c, op);
  is.mask = schema_slot_mask(constants);
  is.slots = schema_add_numbers(c, 3 * (is.mask + 1));
  lists = schema_add_numbers(c, (constants + 1) * (untagged + 1) + constants);
  missing = schema_add_numbers(c, op->b + 1);
  is.state = schema_add_numbers(c, 2 * (is.mask + 1));
  if (is.slots == SCHEMA_NONE || lists == SCHEMA_NONE || missing == SCHEMA_NONE || is.state == SCHEMA_NONE) return 0;
  c->to.number_count = is.state;
  if (!schema_fill_lists(&is, lists, untagged)) return c->to.number_count = before, 1;
  schema_fill_missing(&is, missing);
  choice.name = is.tag->name;
  choice.others = lists;
  choice.missing = missing;
  choice.slots = is.slots;
  choice.mask = is.mask;
  choice.by_presence = 0;
  return schema_add_choice(c, op, &choice);
}

/* Tables may not be much larger than the rest; further operations do without. */
FL_PRIVATE int schema_find_choices(struct schema_compiler *c) {
  const size_t most = c->to.number_count + schema_budget(c) / 8;
  uint32_t i;
  for (i = 0; i < c->to.op_count && c->to.number_count < most; i++)
    if ((c->to.ops[i].code == SCHEMA_OP_ANY_OF || c->to.ops[i].code == SCHEMA_OP_ONE_OF) &&
        !schema_find_choice(c, &c->to.ops[i]))
      return 0;
  return 1;
}
