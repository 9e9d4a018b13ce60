/* SPDX-License-Identifier: MIT
** fused_branches.h -- a part of fused.c: which branch of anyOf or oneOf is the only one that a container can pass,
** and what its members settle.
** Must hold: as there. */
#pragma once

#include "fused_chosen.h"
#include "fused_scalars.h"

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

/* Looks at one more member of the object at scan.at, after f->look_count others. Returns 1 if there is one, 0 if there
** is none, -1 if that is not easy to see. Errors do not count here. */
static int mod_schema_fused_look(struct mod_schema_fused *f) {
  struct json_scan j = f->k.scan;
  struct mod_schema_look *look = &f->looks[f->look_count];
  struct value v;
  const char *p = j.at + 1;
  if (f->look_count == MOD_SCHEMA_FUSED_LOOKS) return -1;
  if (f->look_count) { /* after the member before */
    if (!(p = mod_schema_fused_peek(&j, look[-1].value, &v)) || !(p = json_read_space(&j, p))) return -1;
    if (*p != ',') return *p == '}' ? 0 : -1;
    p++;
  }
  if (!(p = json_read_space(&j, p))) return -1;
  if (*p == '}' && f->look_count == 0) return 0;
  look->name = p + 1;
  if (*p != '"' || !(p = mod_schema_fused_plain(&j, p + 1))) return -1;
  look->length = (size_t)(p - look->name);
  if (!(p = json_read_space(&j, p + 1)) || *p != ':' || !(look->value = json_read_space(&j, p + 1))) return -1;
  f->look_count++;
  return 1;
}

/* Finds the object's member `tag`. Returns 1 if it is there, and its scalar in *v, or only the type of an array or
** object; 0 if the object has no such member; -1 if that is not easy to see. */
static int mod_schema_fused_find_tag(struct mod_schema_fused *f, const struct value_name *tag, struct value *v) {
  uint32_t i;
  for (i = 0;; i++) {
    const struct mod_schema_look *look = &f->looks[i];
    if (i == f->look_count && f->has_more > 0) f->has_more = mod_schema_fused_look(f);
    if (i == f->look_count) return f->has_more;
    if (look->length != tag->length || !schema_is_same(f->program->bytes + tag->at, look->name, tag->length)) continue;
    if (i > 0) f->reads |= MOD_SCHEMA_READS_MORE;
    if ((*look->value | 0x20) == '{') return v->type = *look->value == '[' ? VALUE_ARRAY : VALUE_OBJECT, 1;
    if (mod_schema_fused_peek(&f->k.scan, look->value, v)) return 1;
    f->reads |= MOD_SCHEMA_READS_MORE;
    return -1;
  }
}

/* Returns whether the first member of the object at scan.at has this name. */
static int mod_schema_fused_begins_with(struct mod_schema_fused *f, const struct value_name *tag) {
  const char *p = json_skip_strict_space(&f->k.scan, f->k.scan.at + 1);
  return p && (size_t)(f->k.scan.end - p) > tag->length + 1 && *p == '"' && p[tag->length + 1] == '"' &&
         schema_is_same(p + 1, f->program->bytes + tag->at, tag->length);
}

/* Returns where the schema remembers that a tag came late: an object had it after all that seemed to have none. */
FL_INLINE uint32_t *mod_schema_fused_is_late(const struct mod_schema_fused *f, const struct value_name *tag) {
  return f->following + f->program->property_count + f->program->object_count + 1 + tag->number;
}

/* Notes that the units of the object depend on this member: it may come once, if it is there. */
static int mod_schema_fused_put_tag(struct mod_schema_fused *f, const struct value_name *tag, int is_there) {
  struct mod_schema_level *level = f->level;
  if (level->tag_count == MOD_SCHEMA_FUSED_TAGS) return 0;
  level->tags_seen |= (uint32_t)!is_there << level->tag_count;
  if (!is_there) f->tags[level->tag_count].type = VALUE_NOTHING;
  level->tags[level->tag_count++] = tag;
  return 1;
}

/* A member begins: returns whether it is a tag that may not come now. `at`: its name's place among the bytes. */
static int mod_schema_fused_is_again(struct mod_schema_fused *f, uint32_t at) {
  struct mod_schema_level *level = f->level;
  uint32_t i;
  for (i = 0; i < level->tag_count; i++) {
    if (level->tags[i]->at != at) continue;
    if (level->tags_seen >> i & 1) {
      *mod_schema_fused_is_late(f, level->tags[i]) = 1;
      if (f->chosen) memset(f->chosen, 0xff, MOD_SCHEMA_CHOSEN * sizeof *f->chosen);
      return 1;
    }
    level->tags_seen |= (uint32_t)1 << i;
  }
  return 0;
}

/* Likewise, for a name in the text. */
FL_NOINLINE int mod_schema_fused_is_named_again_(struct mod_schema_fused *f, const char *s, size_t n) {
  uint32_t i;
  for (i = 0; i < f->level->tag_count; i++) {
    const struct value_name *tag = f->level->tags[i];
    if (tag->length == n && schema_is_same(f->program->bytes + tag->at, s, n))
      return mod_schema_fused_is_again(f, tag->at);
  }
  return 0;
}

/* Finds the tag of the object at scan.at, which may not come again then. A verdict takes one that was not seen for
** missing; if it is not, the value is found invalid. Returns 1 if it is there, as find_tag has it in *v, 0 if it is
** missing, or -1. */
static int mod_schema_fused_read_tag(struct mod_schema_fused *f, const struct value_name *tag, const struct value **v) {
  struct value *to;
  uint32_t i = 0;
  int found;
  while (i < f->level->tag_count && f->level->tags[i]->at != tag->at) i++;
  if (i == MOD_SCHEMA_FUSED_TAGS) return -1;
  *v = to = &f->tags[i];
  if (i < f->level->tag_count) return to->type != VALUE_NOTHING;
  to->s = NULL, to->n = 0;
  found = mod_schema_fused_find_tag(f, tag, to);
  if (found < 1 && f->parts && *mod_schema_fused_is_late(f, tag)) f->reads |= MOD_SCHEMA_READS_MORE;
  if (found < 0 && (!f->parts || *mod_schema_fused_is_late(f, tag))) return -1;
  (void)mod_schema_fused_put_tag(f, tag, found == 1);
  return found == 1;
}

/* Returns the only unit that an object can pass which begins at scan.at, by the presence of a member. One that is not
** the first is likely missing; if not, the value is found invalid, and from then on it is looked for. */
static uint32_t mod_schema_fused_ask(struct mod_schema_fused *f, const struct schema_choice *choice) {
  const uint32_t *list = f->program->numbers + choice->others;
  int is_there = mod_schema_fused_begins_with(f, &choice->name);
  struct value v;
  if (!is_there) {
    if (!f->parts || *mod_schema_fused_is_late(f, &choice->name))
      is_there = mod_schema_fused_find_tag(f, &choice->name, &v) == 1, f->reads |= MOD_SCHEMA_READS_MORE;
    else if (!mod_schema_fused_put_tag(f, &choice->name, 0)) return SCHEMA_NONE;
  }
  if (!is_there) list = f->program->numbers + choice->missing;
  return list[1] == SCHEMA_NONE ? list[0] : SCHEMA_NONE;
}

/* Returns the units that a table chooses for the object at scan.at, or NULL. */
static const uint32_t *mod_schema_fused_choose(struct mod_schema_fused *f, const struct schema_choice *choice) {
  const struct value *v;
  const int found = mod_schema_fused_read_tag(f, &choice->name, &v);
  if (found > 0) f->reads |= MOD_SCHEMA_READS_VALUE;
  if (found < 0 || (found && v->type >= VALUE_ARRAY)) return NULL;
  return f->program->numbers + (found ? schema_choose(f->program, choice, v) : choice->missing);
}

/* Returns whether the object at scan.at may have a member of this name. */
FL_INLINE int mod_schema_fused_may_have(struct mod_schema_fused *f, const struct value_name *name) {
  const struct value *v;
  return mod_schema_fused_read_tag(f, name, &v) != 0;
}

/* Returns 0 if the object at scan.at lacks a member that the unit requires. */
static int mod_schema_fused_is_possible(struct mod_schema_fused *f, uint32_t unit, int calls) {
  const struct schema_program *p = f->program;
  const struct schema_unit *u = &p->units[p->units[unit].stand_in];
  const struct schema_op *op = p->ops + u->decider;
  const struct schema_object *o;
  uint32_t i;
  if (!(u->possible & SCHEMA_OBJECT)) return 0;
  if (f->budget == 0 || calls == MOD_SCHEMA_FUSED_CALLS) return 1;
  f->budget--;
  for (; op->code != SCHEMA_OP_END; op++) {
    if (!(op->types & SCHEMA_OBJECT)) continue;
    switch (op->code) {
    case SCHEMA_OP_REQUIRED:
      if (!mod_schema_fused_may_have(f, &p->names[p->numbers[op->a]])) return 0;
      break;
    case SCHEMA_OP_OBJECT:
      o = &p->objects[op->a];
      for (i = 0; o->required && i < o->count && i < SCHEMA_FEW; i++)
        if (p->properties[o->first + i].required == 1) break;
      if (o->required && i < o->count && i < SCHEMA_FEW &&
          !mod_schema_fused_may_have(f, &p->properties[o->first + i].name))
        return 0;
      break;
    case SCHEMA_OP_CALL:
      if (!op->is_branch && !mod_schema_fused_is_possible(f, op->a, calls + 1)) return 0;
      break;
    case SCHEMA_OP_ANY_OF:
    case SCHEMA_OP_ONE_OF:
      for (i = 0; i < op->b; i++)
        if (mod_schema_may_be(p, p->numbers[op->a + i], SCHEMA_OBJECT) &&
            mod_schema_fused_is_possible(f, p->numbers[op->a + i], calls + 1))
          break;
      if (i == op->b) return 0;
      break;
    default: break;
    }
  }
  return 1;
}

/* Returns the only unit of a list that the object at scan.at can pass, SCHEMA_NONE if there may be several. */
static uint32_t mod_schema_fused_only_of(struct mod_schema_fused *f, const uint32_t *list) {
  uint32_t found = SCHEMA_UNIT_FALSE;
  if (list[0] != SCHEMA_NONE && list[1] == SCHEMA_NONE) return list[0];
  for (; *list != SCHEMA_NONE; list++) {
    if (!mod_schema_may_be(f->program, *list, SCHEMA_OBJECT) || !mod_schema_fused_is_possible(f, *list, 0)) continue;
    if (found != SCHEMA_UNIT_FALSE) return SCHEMA_NONE;
    found = *list;
  }
  return found;
}

/* Returns the only unit of anyOf or oneOf that can be valid for the container that has begun, or SCHEMA_NONE. */
static uint32_t mod_schema_fused_branch(struct mod_schema_fused *f, const struct schema_op *op, unsigned type) {
  const struct schema_choice *choice = mod_schema_choice_of(f->program, op);
  uint32_t unit = SCHEMA_NONE;
  if (choice && type == SCHEMA_OBJECT) {
    const uint32_t *list = choice->by_presence ? NULL : mod_schema_fused_choose(f, choice);
    if (choice->by_presence) unit = mod_schema_fused_ask(f, choice);
    else if (list) unit = mod_schema_fused_only_of(f, list);
  }
  if (unit == SCHEMA_NONE) unit = schema_branch_of(f->program, op, type);
  if (unit == SCHEMA_UNIT_TRUE && f->tracks) unit = SCHEMA_NONE; /* others may evaluate members, too */
  if (unit != SCHEMA_NONE || choice || type != SCHEMA_OBJECT) return unit;
  return mod_schema_fused_only_of(f, f->program->numbers + op->a);
}

/* Returns whether the member of this name is there if it must be, and passes the unit; -1 if that is hard to see. */
static int mod_schema_fused_member_passes(struct mod_schema_fused *f, const struct value_name *name, uint32_t unit,
                                          int is_required) {
  const struct value *v;
  const int found = mod_schema_fused_read_tag(f, name, &v);
  unsigned types;
  if (found <= 0) return found < 0 ? -1 : !is_required;
  if (unit == SCHEMA_NONE) return 1;
  f->reads |= MOD_SCHEMA_READS_VALUE;
  unit = f->program->units[unit].stand_in;
  if (v->type == VALUE_STRING) {
    const int is_valid = mod_schema_fused_string_(f, &f->program->units[unit], v->s, v->n);
    if (FL_LIKELY(is_valid >= 0)) return is_valid && f->program->units[unit].possible & SCHEMA_STRING;
  }
  types = schema_types_of(v);
  if (v->type < VALUE_ARRAY) return mod_schema_fused_decide(f, unit, v, types, 0);
  if (!(f->program->units[unit].possible & types)) return 0;
  return f->program->units[unit].sure & types ? 1 : -1;
}

/* Returns whether the container at scan.at passes the unit of a condition; -1 if that is not easy to see. */
static int mod_schema_fused_condition(struct mod_schema_fused *f, uint32_t unit, unsigned type) {
  const struct schema_program *p = f->program;
  const struct schema_unit *u = &p->units[p->units[unit].stand_in];
  const struct schema_op *op = mod_schema_condition_of(p, unit);
  uint32_t i;
  int is_valid = 1;
  if (!(u->possible & type) || u->sure & type) return (u->possible & type) != 0;
  if (!op || type != SCHEMA_OBJECT) return -1;
  if (op->code == SCHEMA_OP_REQUIRED) {
    for (i = 0; i < op->b && is_valid == 1; i++)
      is_valid = mod_schema_fused_member_passes(f, &p->names[p->numbers[op->a + i]], SCHEMA_NONE, 1);
    return is_valid;
  }
  for (i = 0; i < p->objects[op->a].count && is_valid == 1; i++) {
    const struct schema_property *x = &p->properties[p->objects[op->a].first + i];
    is_valid = mod_schema_fused_member_passes(f, &x->name, x->unit, x->required != 0);
  }
  return is_valid;
}

static int mod_schema_fused_settle(const struct mod_schema_fused *f, uint32_t unit, uint64_t members, unsigned types);

/* Returns whether an object with these members passes the unit. */
FL_INLINE int mod_schema_fused_settle_unit(const struct mod_schema_fused *f, uint32_t unit, uint64_t members) {
  const struct schema_unit *u = &f->program->units[unit];
  const struct schema_op *op = f->program->ops + u->decider;
  if (FL_LIKELY(op->code == SCHEMA_OP_REQUIRED) && op[1].code == SCHEMA_OP_END && u->possible & SCHEMA_OBJECT)
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
  int is_valid = (u->possible & SCHEMA_OBJECT) != 0;
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
