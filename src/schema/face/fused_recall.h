/* SPDX-License-Identifier: MIT
** fused_recall.h -- template: a part of fused.c, remembers what an object was checked by, see fused_chosen.h.
** Must hold: as there. What is remembered is all that entering the units of the object has changed. */

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
