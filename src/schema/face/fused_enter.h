/* SPDX-License-Identifier: MIT
** fused_enter.h -- template: a part of fused.c, what the units of a container ask for when it begins: checkers of its
** children and counts, in the branches that its first members choose.
** Must hold: as there. What cannot be found out then is for later. What is remembered of an object is all that entering
** its units has changed: see fused_chosen.h. */

/* Leaves a unit to a check of the text of the container at this offset, which may repeat what was done for it. */
static int mod_schema_fused_postpone_at(struct mod_schema_fused *f, uint32_t unit, size_t at) {
  if (f->later_count == f->later_room) return value_fail(f->run->walk, VALUE_ERROR_REDO);
  f->later[f->later_count].at = at;
  f->later[f->later_count++].unit = unit;
  return 1;
}

/* Does so for the container that has begun. */
static int mod_schema_fused_postpone(struct mod_schema_fused *f, uint32_t unit) {
  f->is_lost = 1;
  return mod_schema_fused_postpone_at(f, unit, (size_t)(f->k.scan.at - f->k.scan.begin));
}

/* Begins to compare the items of an array, one unit for all. */
static int mod_schema_fused_begin_unique(struct mod_schema_fused *f) {
  if (f->level->has_lists) return 0;
  f->level->unique = 1;
  f->level->has_lists = 1;
  f->level->has_containers = 0;
  f->level->at = (size_t)(f->k.scan.at - f->k.scan.begin);
  return 1;
}

/* Compares the items of an array by a walk if they were too many, or not all scalars. */
FL_NOINLINE int mod_schema_fused_end_unique_(struct mod_schema_fused *f) {
  struct mod_schema_later part;
  struct json_scan j = f->k.scan;
  if (f->level->n <= MOD_SCHEMA_FUSED_HASHES && (f->level->n < 2 || !f->level->has_containers)) return 1;
  if (f->level->in_unique && f->level->has_containers) return 0; /* reading each level again would not be linear */
  part.at = f->level->at;
  part.unit = MOD_SCHEMA_ONLY_UNIQUE;
  if (!f->parts) return mod_schema_fused_postpone_at(f, part.unit, part.at);
  j.depth++; /* as before the array has ended */
  return mod_schema_text_part(f->parts, &j, &part, 1, f->run->walk) != NULL;
}

/* Narrows the range of the number of items or members. */
FL_INLINE int mod_schema_fused_count(struct mod_schema_fused *f, uint32_t least, uint32_t most) {
  if (f->level->least < least) f->level->least = least;
  if (f->level->most > most) f->level->most = most;
  return 1;
}

static int mod_schema_fused_add_checker(struct mod_schema_fused *f, const struct schema_op *op) {
  if (op->code == SCHEMA_OP_ITEMS) {
    if (op->b == 0 && op->c != SCHEMA_NONE && f->level->item == f->program->units + SCHEMA_UNIT_TRUE)
      return f->level->item = mod_schema_fused_unit(f->program, op->c), 1;
    f->level->has_lists = 1;
  }
  if (f->level->count == MOD_SCHEMA_FUSED_UNITS) return value_fail(f->run->walk, VALUE_ERROR_REDO);
  mod_schema_fused_put_checker(f, op, op->code == SCHEMA_OP_OBJECT ? &f->program->objects[op->a] : NULL);
  return 1;
}

static int mod_schema_fused_enter(struct mod_schema_fused *f, uint32_t unit, const struct value *v, unsigned type,
                                  int calls);

enum { MOD_SCHEMA_IS_LATER = 2 }; /* the operation has to be left to a check of the text, with its unit */

/* Begins to find members of an object that are not evaluated, by its checkers from number `from` on. */
static int mod_schema_fused_track(struct mod_schema_fused *f, const struct schema_op *op, uint32_t from) {
  if (f->is_lost || f->level->count == MOD_SCHEMA_FUSED_UNITS) return MOD_SCHEMA_IS_LATER;
  mod_schema_fused_put_checker(f, op, NULL);
  f->checkers[f->checker_count - 1].from = from;
  return 1;
}

/* Enters one of the two units of a condition, which evaluates members, too, if it is true. */
static int mod_schema_fused_enter_if(struct mod_schema_fused *f, const struct schema_op *op, const struct value *v,
                                     unsigned type, int calls) {
  const int is_true = mod_schema_fused_condition(f, op->a, type);
  if (is_true < 0) return MOD_SCHEMA_IS_LATER;
  if (is_true && f->tracks && !mod_schema_fused_enter(f, op->a, v, type, calls)) return 0;
  return mod_schema_fused_enter(f, is_true ? op->b : op->c, v, type, calls);
}

/* Adds what an operation requires of the container that has begun. */
static int mod_schema_fused_enter_op(struct mod_schema_fused *f, const struct schema_op *op, const struct value *v,
                                     unsigned type, int calls) {
  const struct value *tag;
  uint32_t branch;
  int found;
  switch (op->code) {
  case SCHEMA_OP_ANY_OF:
  case SCHEMA_OP_ONE_OF:
    if (op->keyword == SCHEMA_KEYWORD_ENUM && f->tracks) return MOD_SCHEMA_IS_LATER; /* a constant evaluates nothing */
    branch = mod_schema_fused_branch(f, op, type);
    return branch == SCHEMA_NONE ? MOD_SCHEMA_IS_LATER : mod_schema_fused_enter(f, branch, v, type, calls);
  case SCHEMA_OP_IF: return mod_schema_fused_enter_if(f, op, v, type, calls);
  case SCHEMA_OP_DEPENDENT_SCHEMA:
    found = mod_schema_fused_read_tag(f, &f->program->names[op->a], &tag);
    if (found < 0) return MOD_SCHEMA_IS_LATER;
    return !found || mod_schema_fused_enter(f, op->b, v, type, calls);
  case SCHEMA_OP_MIN_ITEMS:
  case SCHEMA_OP_MIN_PROPERTIES: return mod_schema_fused_count(f, op->a, UINT32_MAX);
  case SCHEMA_OP_MAX_ITEMS:
  case SCHEMA_OP_MAX_PROPERTIES: return mod_schema_fused_count(f, 0, op->a);
  case SCHEMA_OP_UNIQUE_ITEMS: return mod_schema_fused_begin_unique(f) ? 1 : MOD_SCHEMA_IS_LATER;
  case SCHEMA_OP_OBJECT:
  case SCHEMA_OP_ITEMS: return mod_schema_fused_add_checker(f, op);
  case SCHEMA_OP_CALL: return mod_schema_fused_enter(f, op->a, v, type, calls);
  default: return schema_test(f->run, op, v, type);
  }
}

/* Adds what the unit requires of the container that has begun. `v` has only its type. */
static int mod_schema_fused_enter(struct mod_schema_fused *f, uint32_t unit, const struct value *v, unsigned type,
                                  int calls) {
  const struct schema_program *p = f->program;
  const struct schema_op *op;
  const struct schema_unit *u;
  const uint32_t from = f->level->count;
  const unsigned later = f->parts ? 1 : 2;
  int is_valid = 1, tracks;
  unit = p->units[unit].stand_in;
  u = &p->units[unit];
  if (unit == SCHEMA_UNIT_TRUE) return 1;
  if (!(u->possible & type)) return 0;
  if (f->budget == 0) return value_fail(f->run->walk, VALUE_ERROR_REDO);
  f->budget--;
  if (calls == MOD_SCHEMA_FUSED_CALLS) return mod_schema_fused_postpone(f, unit);
  tracks = schema_tracks(u);
  if (f->tracks == 0) f->is_lost = 0;
  f->tracks += (uint32_t)tracks;
  for (op = p->ops + u->decider; is_valid == 1 && op->code != SCHEMA_OP_END; op++) {
    if (!(op->types & type) || (type == SCHEMA_OBJECT && op->types & SCHEMA_OP_SETTLED)) continue;
    if (!value_spend(f->run->walk, 1)) is_valid = 0;
    else if (op->is_later & later) is_valid = MOD_SCHEMA_IS_LATER;
    else if (op->code == SCHEMA_OP_UNEVALUATED_PROPERTIES) is_valid = mod_schema_fused_track(f, op, from);
    else is_valid = mod_schema_fused_enter_op(f, op, v, type, calls + 1);
  }
  f->tracks -= (uint32_t)tracks;
  return is_valid == MOD_SCHEMA_IS_LATER ? mod_schema_fused_postpone(f, unit) : is_valid;
}

/* Begins the object at scan.at as one before it that began alike. Returns 0 if none is remembered. */
FL_INLINE int mod_schema_fused_recall(struct mod_schema_fused *f, uint32_t unit) {
  const char *p = f->k.scan.at + 1;
  const size_t left = (size_t)(f->k.scan.end - p);
  const struct mod_schema_chosen *is;
  uint32_t i;
  int reads_value = 0;
  if (left < MOD_SCHEMA_CHOSEN_HASHED || f->checker_count + MOD_SCHEMA_CHOSEN_CHECKERS > f->checker_room) return 0;
  do {
    is = mod_schema_chosen_at(f, unit, p, reads_value);
    if (is->unit == unit && left > is->length && schema_is_same(is->text, p, is->length)) break;
  } while (!reads_value++);
  if (reads_value == 2) return 0;
  f->level[-1].has_containers = 1;
  f->level->least = is->least;
  f->level->most = is->most;
  f->level->tag_count = is->tag_count;
  f->level->tags_seen = is->tags_seen;
  for (i = 0; i < is->tag_count; i++) f->level->tags[i] = is->tags[i];
  for (i = 0; i < is->checker_count; i++) {
    const struct schema_op *op = is->ops[i];
    struct mod_schema_checker *c = &f->checkers[f->checker_count];
    mod_schema_fused_put_checker(f, op, op->code == SCHEMA_OP_OBJECT ? &f->program->objects[op->a] : NULL);
    c->from = is->from[i];
    if (is->checker_count == 1 && c->object) f->level->checker = c;
  }
  return 1;
}

/* Remembers what the object that has begun is checked by. */
static void mod_schema_fused_remember(struct mod_schema_fused *f, uint32_t unit) {
  const struct mod_schema_level *level = f->level;
  const char *const p = f->k.scan.at + 1, *end;
  struct mod_schema_chosen *is;
  uint32_t i;
  if (f->reads & MOD_SCHEMA_READS_MORE || level->count > MOD_SCHEMA_CHOSEN_CHECKERS) return;
  if (f->k.scan.end - p < MOD_SCHEMA_CHOSEN_HASHED || (!f->look_count && mod_schema_fused_look(f) != 1)) return;
  end = f->looks[0].name + f->looks[0].length;
  if (f->reads) {
    if (*f->looks[0].value != '"' || !(end = mod_schema_fused_plain(&f->k.scan, f->looks[0].value + 1))) return;
  }
  if (end - p >= MOD_SCHEMA_CHOSEN_TEXT) return;
  is = mod_schema_chosen_at(f, unit, p, f->reads != 0);
  is->unit = unit;
  is->length = (uint8_t)(end + 1 - p);
  memcpy(is->text, p, is->length);
  is->least = level->least;
  is->most = level->most;
  is->tag_count = (uint8_t)level->tag_count;
  is->tags_seen = (uint8_t)level->tags_seen;
  for (i = 0; i < level->tag_count; i++) is->tags[i] = level->tags[i];
  is->checker_count = (uint8_t)level->count;
  for (i = 0; i < level->count; i++) {
    is->ops[i] = f->checkers[level->first + i].op;
    is->from[i] = (uint8_t)f->checkers[level->first + i].from;
  }
}
