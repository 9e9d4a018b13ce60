/* SPDX-License-Identifier: MIT
** fused_branches.h -- a part of fused.c: which branch of anyOf or oneOf is the only one that a container can pass.
** Must hold: as there. */
#pragma once

#include "fused.h"

/* Returns the only unit of anyOf or oneOf that can be valid for a container of this type, SCHEMA_UNIT_TRUE if one of
** anyOf always is, or SCHEMA_NONE if there are several. */
static uint32_t mod_schema_branch_of(const struct schema_program *p, const struct schema_op *op, unsigned type) {
  uint32_t found = SCHEMA_UNIT_FALSE, i;
  for (i = 0; i < op->b; i++) {
    const uint32_t unit = p->units[p->numbers[op->a + i]].stand_in;
    if (unit == SCHEMA_UNIT_TRUE && op->code == SCHEMA_OP_ANY_OF) return unit;
    if (!(p->units[unit].types & type)) continue;
    if (found != SCHEMA_UNIT_FALSE) found = SCHEMA_NONE;
    else found = unit;
  }
  return found;
}

/* Returns the table of anyOf or oneOf, or NULL. */
static const struct schema_choice *mod_schema_choice_of(const struct schema_program *p, const struct schema_op *op) {
  const uint32_t number = p->numbers[op->a + op->b + 1];
  return number ? &p->choices[number - 1] : NULL;
}

/* Returns the unit that the first member of the object at scan.at chooses by a table, or SCHEMA_NONE. */
static uint32_t mod_schema_fused_choose(struct mod_schema_fused *f, const struct schema_choice *choice) {
  const struct schema_program *p = f->program;
  struct json_scan j = f->k.scan; /* errors do not count here */
  const char *q, *begin;
  const uint32_t *list;
  uint64_t high = 0;
  if (f->level->choice || !(q = json_read_space(&j, j.at + 1)) || *q != '"') return SCHEMA_NONE;
  begin = q + 1;
  q = json_scan_plain(&j, begin, &high);
  if (*q != '"' || (size_t)(q - begin) != choice->name.length ||
      memcmp(p->bytes + choice->name.at, begin, choice->name.length) != 0)
    return SCHEMA_NONE;
  if (!(q = json_read_space(&j, q + 1)) || *q != ':' || !(q = json_read_space(&j, q + 1)) || *q != '"')
    return SCHEMA_NONE;
  begin = q + 1;
  q = json_scan_plain(&j, begin, &high);
  if (*q != '"') return SCHEMA_NONE;
  list = p->numbers + schema_choose(p, choice, begin, (size_t)(q - begin));
  if (list[0] == SCHEMA_NONE || list[1] != SCHEMA_NONE) return SCHEMA_NONE;
  f->level->choice = choice;
  return list[0];
}

/* Returns the only unit of anyOf or oneOf that can be valid for the container that has begun, or SCHEMA_NONE. */
static uint32_t mod_schema_fused_branch(struct mod_schema_fused *f, const struct schema_op *op, unsigned type) {
  const struct schema_choice *choice = mod_schema_choice_of(f->program, op);
  uint32_t unit = SCHEMA_NONE;
  if (choice && type == SCHEMA_OBJECT) unit = mod_schema_fused_choose(f, choice);
  return unit != SCHEMA_NONE ? unit : mod_schema_branch_of(f->program, op, type);
}
