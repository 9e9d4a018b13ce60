/* SPDX-License-Identifier: MIT
** fused_branches.h -- a part of fused.c: which branch of anyOf or oneOf is the only one that a container can pass,
** and what its members settle.
** Must hold: as there. */
#pragma once

#include "fused.h"

/* Returns the table of anyOf or oneOf, or NULL. */
static const struct schema_choice *mod_schema_choice_of(const struct schema_program *p, const struct schema_op *op) {
  const uint32_t number = p->numbers[op->a + op->b + 1];
  return number ? &p->choices[number - 1] : NULL;
}

enum { MOD_SCHEMA_FUSED_LOOKS = 16 }; /* members in which the tag is looked for */

/* Reads a string without escapes whose opening quote is p[-1]. Returns its end, or NULL. */
static const char *mod_schema_fused_plain(const struct json_scan *j, const char *p) {
  uint64_t high = 0;
  p = json_scan_plain(j, p, &high);
  return *p == '"' ? p : NULL;
}

/* Reads a scalar whose strings have no escapes. Returns the byte after it, or NULL. */
static const char *mod_schema_fused_peek(const struct json_scan *j, const char *p, struct value *v) {
  struct num_value number;
  const char *q = p + 1;
  switch (*p) {
  case '"':
    v->type = VALUE_STRING;
    v->s = q;
    if (!(q = mod_schema_fused_plain(j, q))) return NULL;
    v->n = (size_t)(q - v->s);
    return q + 1;
  case 't': return v->type = VALUE_TRUE, j->end - p < 4 ? NULL : p + 4;
  case 'f': return v->type = VALUE_FALSE, j->end - p < 5 ? NULL : p + 5;
  case 'n': return v->type = VALUE_NULL, j->end - p < 4 ? NULL : p + 4;
  case '[':
  case '{':
  case '}': return NULL;
  default:
    q = num_read(p, j->end, &number);
    if (number.kind == NUM_BAD) return NULL;
    v->type = VALUE_NUMBER;
    v->number = num_any_of(p, (size_t)(q - p), &number);
    return q;
  }
}

/* Finds the object's member `tag`. Returns 1 if its scalar is in *v (v is NULL: if it is there), 0 if the object has no
** such member, -1 if that is not easy to see. Errors do not count here. */
static int mod_schema_fused_find_tag(const struct mod_schema_fused *f, struct value_name tag, struct value *v) {
  struct json_scan j = f->k.scan;
  struct value other;
  const char *p = j.at + 1, *name, *end;
  int i, is_tag;
  for (i = 0; i < MOD_SCHEMA_FUSED_LOOKS; i++, p++) {
    if (!(p = json_read_space(&j, p))) return -1;
    if (*p == '}' && i == 0) return 0;
    if (*p != '"' || !(end = mod_schema_fused_plain(&j, name = p + 1))) return -1;
    if (!(p = json_read_space(&j, end + 1)) || *p != ':' || !(p = json_read_space(&j, p + 1))) return -1;
    is_tag = (size_t)(end - name) == tag.length && schema_is_same(f->program->bytes + tag.at, name, tag.length);
    if (is_tag && !v) return 1;
    if (!(p = mod_schema_fused_peek(&j, p, v ? v : &other))) return -1;
    if (is_tag) return 1;
    if (!(p = json_read_space(&j, p)) || (*p != ',' && *p != '}')) return -1;
    if (*p == '}') return 0;
  }
  return -1;
}

/* Returns where the schema remembers that a tag came late: an object had it after all that seemed to have none. */
FL_INLINE uint32_t *mod_schema_fused_is_late(const struct mod_schema_fused *f, const struct value_name *tag) {
  return f->following + f->program->property_count + f->program->object_count + 1 + tag->number;
}

/* Finds the tag of the object at scan.at, which may not come again then. A verdict takes one that was not seen for
** missing; if it is not, the value is found invalid. Returns 1 if its scalar is in *v, 0 if it is missing, or -1. */
static int mod_schema_fused_read_tag(struct mod_schema_fused *f, const struct value_name *tag, struct value *v) {
  struct mod_schema_level *level = f->level;
  int found;
  if (level->tag && level->tag->at != tag->at) return -1;
  found = mod_schema_fused_find_tag(f, *tag, v);
  if (found < 0 && (!f->parts || *mod_schema_fused_is_late(f, tag))) return -1;
  level->tag = tag;
  level->has_tag = found != 1;
  return found == 1;
}

/* Returns the unit that a table chooses for the object at scan.at, or SCHEMA_NONE. */
static uint32_t mod_schema_fused_choose(struct mod_schema_fused *f, const struct schema_choice *choice) {
  const struct schema_program *p = f->program;
  const uint32_t *list;
  struct value v;
  int found;
  if (choice->by_presence) { /* a member that was not seen is likely missing; if not, the value is found invalid */
    found = mod_schema_fused_find_tag(f, choice->name, NULL) == 1;
    list = p->numbers + (found ? choice->others : choice->missing);
    return list[1] == SCHEMA_NONE ? list[0] : SCHEMA_NONE;
  }
  if ((found = mod_schema_fused_read_tag(f, &choice->name, &v)) < 0) return SCHEMA_NONE;
  list = p->numbers + (found ? schema_choose(p, choice, &v) : choice->missing);
  return list[0] != SCHEMA_NONE && list[1] == SCHEMA_NONE ? list[0] : SCHEMA_NONE;
}

/* Returns the only unit of anyOf or oneOf that can be valid for the container that has begun, or SCHEMA_NONE. */
static uint32_t mod_schema_fused_branch(struct mod_schema_fused *f, const struct schema_op *op, unsigned type) {
  const struct schema_choice *choice = mod_schema_choice_of(f->program, op);
  uint32_t unit = SCHEMA_NONE;
  if (choice && type == SCHEMA_OBJECT) unit = mod_schema_fused_choose(f, choice);
  return unit != SCHEMA_NONE ? unit : schema_branch_of(f->program, op, type);
}

static int mod_schema_fused_settle(const struct mod_schema_fused *f, uint32_t unit, uint64_t members, unsigned types);

/* Returns whether an object with these members passes the unit. */
FL_INLINE int mod_schema_fused_settle_unit(const struct mod_schema_fused *f, uint32_t unit, uint64_t members) {
  const struct schema_unit *u = &f->program->units[unit];
  const struct schema_op *op = f->program->ops + u->decider;
  if (FL_LIKELY(op->code == SCHEMA_OP_REQUIRED) && op[1].code == SCHEMA_OP_END && u->types & SCHEMA_OBJECT)
    return (members & op->c) == op->c;
  return mod_schema_fused_settle(f, unit, members, SCHEMA_OBJECT);
}

/* Likewise, but of the unit only the operations that have one of these types count. */
static int mod_schema_fused_settle(const struct mod_schema_fused *f, uint32_t unit, uint64_t members, unsigned types) {
  const struct schema_program *p = f->program;
  const struct schema_unit *u = &p->units[p->units[unit].stand_in];
  const struct schema_op *op = p->ops + u->decider;
  const struct schema_object *o;
  uint32_t i, count, most;
  int is_valid = (u->types & SCHEMA_OBJECT) != 0;
  for (; is_valid && op->code != SCHEMA_OP_END; op++) {
    if (!(op->types & types)) continue;
    switch (op->code) {
    case SCHEMA_OP_TYPE: is_valid = (op->a & SCHEMA_OBJECT) != 0; break;
    case SCHEMA_OP_REQUIRED: is_valid = (members & op->c) == op->c; break;
    case SCHEMA_OP_OBJECT:
      o = &p->objects[op->a];
      is_valid = (members & o->has) == o->has && !(members & o->lacks);
      break;
    case SCHEMA_OP_CALL: is_valid = mod_schema_fused_settle_unit(f, op->a, members); break;
    case SCHEMA_OP_NOT: is_valid = !mod_schema_fused_settle_unit(f, op->a, members); break;
    case SCHEMA_OP_IF:
      is_valid = mod_schema_fused_settle_unit(f, op->a, members);
      is_valid = mod_schema_fused_settle_unit(f, is_valid ? op->b : op->c, members);
      break;
    case SCHEMA_OP_ANY_OF:
    case SCHEMA_OP_ONE_OF:
      most = op->code == SCHEMA_OP_ONE_OF ? 2 : 1;
      for (i = count = 0; i < op->b && count < most; i++)
        count += (uint32_t)mod_schema_fused_settle_unit(f, p->numbers[op->a + i], members);
      is_valid = count == 1;
      break;
    default: is_valid = 0;
    }
    if (!value_spend(f->run->walk, 1)) return 0;
  }
  return is_valid;
}
