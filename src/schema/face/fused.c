/* SPDX-License-Identifier: MIT
** fused.c -- checks a text in one pass, which may decode it, too: each event of the scan is tested by the units of its
** value.
** Must hold: only success counts. After anything else (an invalid value, an invalid text, a duplicate name, too many
** steps) the text is read again by other code, which finds the result and the message. A container whose unit tests
** more than children and counts (several branches, contains, uniqueItems ...) is checked as a text: by a verdict where
** it stands, by a decode after the scan. Memory is userdata on the Lua stack, allocated only between `give` and `take`
** while the scan uses that. */
#include "fused_branches.h"

/* Slots of the memory blocks. */
enum { FUSED_SCRATCH, FUSED_STRING, FUSED_LEVELS, FUSED_CHECKERS, FUSED_LATER, FUSED_BLOCKS };

/* Allocates block `block` with n bytes and copies `used` bytes from `from`. */
static void *mod_schema_fused_block(struct mod_schema_fused *f, int block, size_t n, const void *from, size_t used) {
  lua_State *L = f->k.L;
  void *to;
  if (!f->parts) f->k.decoder->give(&f->k);
  if (!f->slots) mod_schema_reserve(L, &f->slots, FUSED_BLOCKS);
  to = lua_newuserdata(L, n);
  if (used) memcpy(to, from, used);
  lua_replace(L, f->slots + block);
  if (!f->parts) f->k.decoder->take(&f->k);
  return to;
}

/* The run's value_memory, which only regular expressions use. */
static void *mod_schema_fused_memory(void *owner, unsigned block, size_t n, size_t used) {
  FL_ASSERT(block == SCHEMA_BLOCK_SCRATCH && used == 0);
  return (void)block, (void)used, mod_schema_fused_block((struct mod_schema_fused *)owner, FUSED_SCRATCH, n, NULL, 0);
}

/* Makes room for one more level and what it may need, if there is none. */
FL_NOINLINE void mod_schema_fused_more_(struct mod_schema_fused *f) {
  const size_t levels = (size_t)(f->level - f->levels) + 1;
  if (f->level + 1 == f->levels_end) {
    f->levels = (struct mod_schema_level *)mod_schema_fused_block(f, FUSED_LEVELS, 2 * levels * sizeof *f->levels,
                                                                  f->levels, levels * sizeof *f->levels);
    f->level = f->levels + levels - 1;
    f->levels_end = f->levels + 2 * levels;
  }
  if (f->checker_count + MOD_SCHEMA_FUSED_UNITS > f->checker_room) {
    struct mod_schema_level *level;
    f->checker_room *= 2;
    f->checkers = (struct mod_schema_checker *)mod_schema_fused_block(
        f, FUSED_CHECKERS, f->checker_room * sizeof *f->checkers, f->checkers, f->checker_count * sizeof *f->checkers);
    for (level = f->levels; level <= f->level; level++)
      if (level->checker) level->checker = f->checkers + level->first;
  }
  if (f->later_count + MOD_SCHEMA_FUSED_UNITS > f->later_room) {
    f->later_room = 2 * f->later_room + MOD_SCHEMA_FUSED_UNITS;
    f->later = (struct mod_schema_later *)mod_schema_fused_block(f, FUSED_LATER, f->later_room * sizeof *f->later,
                                                                 f->later, f->later_count * sizeof *f->later);
  }
}

/* ------------------------------------------------------------------------------------- children */

/* Sets the only unit, its own stand-in, that the next value must pass. */
FL_INLINE void mod_schema_fused_set(struct mod_schema_fused *f, uint32_t unit) { f->unit = &f->program->units[unit]; }

/* Adds a unit to those that the next value must pass. */
static int mod_schema_fused_add(struct mod_schema_fused *f, uint32_t unit) {
  const struct schema_unit *u = &f->program->units[f->program->units[unit].stand_in];
  if (u->sure == SCHEMA_ANY_TYPE) return 1;
  if (f->unit == f->program->units + SCHEMA_UNIT_TRUE) return f->unit = u, 1;
  if (f->unit != &f->several) {
    f->several.possible = f->unit->possible;
    f->several.sure = f->unit->sure;
    f->units[0] = (uint32_t)(f->unit - f->program->units);
    f->unit_count = f->unit->sure != f->unit->possible;
    f->unit = &f->several;
  }
  f->several.possible &= u->possible;
  f->several.sure &= u->sure;
  if (u->sure == u->possible) return 1;
  if (f->unit_count == MOD_SCHEMA_FUSED_UNITS) return value_fail(f->run->walk, VALUE_ERROR_REDO);
  f->units[f->unit_count++] = (uint32_t)(u - f->program->units);
  return 1;
}

/* Sets the units of the next item if not all items have the same. */
FL_NOINLINE void mod_schema_fused_item_(struct mod_schema_fused *f) {
  const struct mod_schema_checker *c = f->checkers + f->level->first, *const end = c + f->level->count;
  const uint32_t i = f->level->n - 1;
  f->unit = f->level->item;
  if (f->level->unique) { /* no scalar is sure */
    mod_schema_fused_list(f);
    f->several.possible = f->unit->possible;
    f->several.sure = 0;
    f->unit = &f->several;
  }
  for (; c < end; c++) {
    uint32_t unit;
    if (c->op->code != SCHEMA_OP_ITEMS) continue;
    unit = i < c->op->b ? f->program->numbers[c->op->a + i] : c->op->c;
    if (unit != SCHEMA_NONE && !mod_schema_fused_add(f, unit)) mod_schema_fused_set(f, SCHEMA_UNIT_FALSE);
  }
}

/* Notes that a member was found: its bit. */
FL_INLINE void mod_schema_fused_note(struct mod_schema_checker *c, uint32_t bit) { c->members |= (uint64_t)1 << bit; }

/* Adds the units of a member, whose property is x or NULL, for all its patterns. */
static int mod_schema_fused_match(struct mod_schema_fused *f, struct mod_schema_checker *c,
                                  const struct schema_property *x, const char *s, size_t n) {
  const struct schema_program *p = f->program;
  const struct schema_object *o = c->object;
  const struct schema_pattern *pattern = p->patterns + o->patterns, *const end = pattern + o->pattern_count;
  int is_matched = 0;
  if (x) {
    mod_schema_fused_note(c, x->bit);
    is_matched = x->unit != SCHEMA_NONE;
    if (is_matched && !mod_schema_fused_add(f, x->unit)) return 0;
  }
  for (; pattern < end; pattern++) {
    const struct schema_regex *regex = &p->regexes[pattern->regex];
    if (regex->is_prefix ? !schema_begins_with(p, regex, s, n) : !schema_search(f->run, pattern->regex, s, n)) continue;
    is_matched = 1;
    if (pattern->bit < SCHEMA_BITS) mod_schema_fused_note(c, pattern->bit);
    if (!mod_schema_fused_add(f, pattern->unit)) return 0;
  }
  if (f->run->walk->error) return 0;
  c->is_evaluated = (uint32_t)is_matched | (o->additional != SCHEMA_NONE);
  return is_matched || o->additional == SCHEMA_NONE || mod_schema_fused_add(f, o->additional);
}

/* Does so for a member that only this checker is about. */
FL_NOINLINE int mod_schema_fused_match_(struct mod_schema_fused *f, struct mod_schema_checker *c,
                                        const struct schema_property *x, const char *s, size_t n) {
  mod_schema_fused_set(f, SCHEMA_UNIT_TRUE);
  return mod_schema_fused_match(f, c, x, s, n);
}

/* Adds the units of a member. Returns 0 if its name is invalid. */
static int mod_schema_fused_member(struct mod_schema_fused *f, struct mod_schema_checker *c, const char *s, size_t n) {
  const struct schema_program *p = f->program;
  const struct schema_object *o = c->object;
  const struct schema_property *x = schema_find_property(p, o, s, n, &c->hint);
  if (FL_LIKELY(o->is_plain)) {
    const uint32_t unit = x && x->unit != SCHEMA_NONE ? x->unit : o->additional;
    if (x) mod_schema_fused_note(c, x->bit);
    c->is_evaluated = unit != SCHEMA_NONE;
    return unit == SCHEMA_NONE || mod_schema_fused_add(f, unit);
  }
  if (o->names != SCHEMA_NONE && o->names != SCHEMA_UNIT_TRUE) {
    struct value name;
    name.type = VALUE_STRING;
    name.s = s, name.n = n;
    f->budget = SCHEMA_SMALL;
    if (!mod_schema_fused_decide(f, o->names, &name, SCHEMA_STRING, 0)) return 0;
  }
  return mod_schema_fused_match(f, c, x, s, n);
}

/* Adds the unit of members that no checker from number c->from on up to *c has evaluated. */
static int mod_schema_fused_unevaluated(struct mod_schema_fused *f, struct mod_schema_checker *c) {
  const struct mod_schema_checker *of = f->checkers + f->level->first + c->from;
  uint32_t is_evaluated = 0;
  for (; of < c; of++) is_evaluated |= of->is_evaluated;
  c->is_evaluated = 1;
  return is_evaluated || mod_schema_fused_add(f, c->op->a);
}

/* Handles a name. Returns 0 if it is invalid, or out of memory. */
FL_NOINLINE int mod_schema_fused_name_(struct mod_schema_fused *f, const char *s, size_t n) {
  struct mod_schema_checker *c = f->checkers + f->level->first, *const end = c + f->level->count;
  mod_schema_fused_set(f, SCHEMA_UNIT_TRUE);
  f->level->n++;
  if (f->is_failed) return 0;
  for (; c < end; c++) {
    if (c->object && !(c->object->lengths >> (n & 31) & 1)) c->is_evaluated = 0;
    else if (c->object && !mod_schema_fused_member(f, c, s, n)) return 0;
    if (c->op->code == SCHEMA_OP_UNEVALUATED_PROPERTIES && !mod_schema_fused_unevaluated(f, c)) return 0;
  }
  return 1;
}

/* Handles a name of which the decoder knows the number, and remembers what it means if that is one unit. */
FL_NOINLINE void mod_schema_fused_learn_(struct mod_schema_fused *f, const char *s, size_t n, unsigned name) {
  struct mod_schema_checker *c = f->level->checker;
  struct mod_schema_known *to;
  uint64_t members, bits;
  uint32_t before;
  if (!c) {
    if (!mod_schema_fused_name_(f, s, n)) mod_schema_fused_set(f, SCHEMA_UNIT_FALSE);
    return;
  }
  to = &f->known[(c->key + c->hint) & f->known_mask];
  before = c->hint;
  members = c->members;
  mod_schema_fused_set(f, SCHEMA_UNIT_TRUE);
  f->level->n++;
  c->members = 0;
  if (!mod_schema_fused_member(f, c, s, n)) mod_schema_fused_set(f, SCHEMA_UNIT_FALSE);
  bits = c->members;
  c->members |= members;
  if (c->hint == before) c->hint = name;
  if (!f->unit->possible || f->unit == &f->several || c->hint > UINT16_MAX || bits & (bits - 1)) return;
  to->key = c->key;
  to->name = (uint16_t)name;
  to->hint = (uint16_t)c->hint;
  to->bit = bits ? (uint8_t)fl_trailing_zeros(bits) : SCHEMA_BITS;
  to->unit = (uint32_t)(f->unit - f->program->units);
}

/* ------------------------------------------------------------------------------------- containers */

FL_INLINE void mod_schema_fused_put_checker(struct mod_schema_fused *f, const struct schema_op *op,
                                            const struct schema_object *o) {
  struct mod_schema_checker *c = &f->checkers[f->checker_count++];
  f->level->count++;
  c->op = op;
  c->object = o;
  c->members = 0;
  c->from = c->is_evaluated = c->hint = 0;
  c->place = c->key = o ? o->key : 0;
}

#include "fused_enter.h"

/* Forgets what the container that has begun is checked by; all its items have this unit then. */
static void mod_schema_fused_clear(struct mod_schema_fused *f, uint32_t item) {
  f->level->count = f->level->has_lists = f->level->least = f->level->unique = 0;
  f->level->most = UINT32_MAX;
  f->level->checker = NULL;
  f->level->tag_count = f->level->tags_seen = 0;
  f->level->item = &f->program->units[item];
  f->checker_count = f->level->first;
}

/* Leaves the container that has begun to the walk over its part of the text. */
static void mod_schema_fused_delay(struct mod_schema_fused *f) {
  uint32_t i;
  mod_schema_fused_clear(f, SCHEMA_UNIT_TRUE);
  mod_schema_fused_list(f);
  f->later_count = 0;
  for (i = 0; i < f->unit_count; i++) (void)mod_schema_fused_postpone(f, f->units[i]);
}

/* Tries to begin a container whose only unit has at most one operation. */
FL_INLINE int mod_schema_fused_open_only(struct mod_schema_fused *f, unsigned type) {
  const struct schema_unit *u = f->unit;
  const uint32_t only = u->only[type == SCHEMA_OBJECT];
  const struct schema_op *op = &f->program->ops[only];
  if (FL_UNLIKELY(only == SCHEMA_NONE)) return 0;
  if (type == SCHEMA_ARRAY) {
    f->level->least = u->least;
    f->level->most = u->most;
    if (op->code == SCHEMA_OP_ITEMS) f->level->item = mod_schema_fused_unit(f->program, op->c);
  } else if (op->code == SCHEMA_OP_OBJECT) {
    if (FL_UNLIKELY(f->checker_count == f->checker_room)) return 0;
    f->level->checker = &f->checkers[f->checker_count];
    mod_schema_fused_put_checker(f, op, &f->program->objects[op->a]);
  }
  return 1;
}

/* Tries to begin an object about which the presence of a member says all. */
static int mod_schema_fused_open_asked(struct mod_schema_fused *f) {
  const struct schema_program *p = f->program;
  const uint32_t unit = mod_schema_fused_ask(f, &p->choices[f->unit->asks - 1]);
  if (unit == SCHEMA_NONE) return 0;
  f->unit = &p->units[p->units[unit].stand_in];
  f->level[-1].has_containers = 1;
  return f->unit->possible & SCHEMA_OBJECT && mod_schema_fused_open_only(f, SCHEMA_OBJECT);
}

/* Begins a container that has units. If it is not valid, neither is anything in it. */
FL_NOINLINE void mod_schema_fused_open_(struct mod_schema_fused *f, unsigned type, int is_valid) {
  static const struct schema_op nothing = {SCHEMA_OP_FALSE, 0, 0, 0, 0, 0, 0, 0, 0};
  const struct schema_unit *const unit = f->unit;
  struct value v;
  uint32_t i;
  const int may_recall = type == SCHEMA_OBJECT && is_valid && f->parts && f->chosen && unit != &f->several;
  f->look_count = 0;
  f->has_more = 1;
  f->reads = 0;
  if (type == SCHEMA_OBJECT && is_valid && f->unit->asks && mod_schema_fused_open_asked(f)) return;
  if (may_recall && mod_schema_fused_recall(f, (uint32_t)(unit - f->program->units))) return;
  v.type = type == SCHEMA_ARRAY ? VALUE_ARRAY : VALUE_OBJECT;
  v.s = NULL, v.n = 0;
  mod_schema_fused_more_(f);
  f->budget = SCHEMA_SMALL;
  f->level[-1].has_containers = 1;
  mod_schema_fused_list(f);
  for (i = 0; is_valid && i < f->unit_count; i++) is_valid = mod_schema_fused_enter(f, f->units[i], &v, type, 0);
  if (is_valid && !f->run->walk->error) {
    if (FL_UNLIKELY(f->parts != NULL) && f->later_count) mod_schema_fused_delay(f);
    else if (may_recall) mod_schema_fused_remember(f, (uint32_t)(unit - f->program->units));
    if (f->level->count == 1 && f->checkers[f->level->first].object) f->level->checker = &f->checkers[f->level->first];
    return;
  }
  f->is_failed = 1;
  mod_schema_fused_clear(f, SCHEMA_UNIT_FALSE);
  f->level->least = 1;                             /* not even an empty one is valid */
  (void)mod_schema_fused_add_checker(f, &nothing); /* keeps one checker: the names need one */
}

/* Returns whether the object had the members that it must have. */
FL_INLINE int mod_schema_fused_has_all(const struct mod_schema_fused *f, const struct mod_schema_checker *c) {
  return (~c->members & c->object->must) == 0 &&
         (!c->op->c || mod_schema_fused_settle(f, c->op->c, c->members, SCHEMA_OP_SETTLED));
}

/* Ends an object that has checkers. Returns whether it is valid. */
FL_NOINLINE int mod_schema_fused_close_(const struct mod_schema_fused *f) {
  const struct mod_schema_checker *c = f->checkers + f->level->first, *const end = c + f->level->count;
  for (; c < end; c++)
    if (c->object && !mod_schema_fused_has_all(f, c)) return 0;
  return 1;
}

/* A value begins: sets its units. */
FL_INLINE void mod_schema_fused_item(struct mod_schema_fused *f) {
  if (f->level->is_array) {
    f->level->n++;
    if (FL_UNLIKELY(f->level->has_lists)) mod_schema_fused_item_(f);
  }
}

/* Does so for a value of one of these types, and returns whether it is allowed. */
FL_INLINE int mod_schema_fused_begin(struct mod_schema_fused *f, unsigned types) {
  mod_schema_fused_item(f);
  return (f->unit->possible & types) != 0;
}

/* Does so for a scalar, and tests it. */
FL_INLINE int mod_schema_fused_scalar(struct mod_schema_fused *f, enum value_type type, unsigned types, const char *s,
                                      size_t n) {
  mod_schema_fused_item(f);
  if (FL_LIKELY(f->unit->sure & types)) return 1;
  return type == VALUE_STRING ? mod_schema_fused_text_(f, s, n) : mod_schema_fused_scalar_(f, type, types, s, n);
}

FL_INLINE int mod_schema_fused_number(struct mod_schema_fused *f, const char *text, size_t n,
                                      const struct num_value *number) {
  if (!mod_schema_fused_begin(f, SCHEMA_NUMBER | SCHEMA_INTEGER)) return 0;
  if (f->unit->sure & (number->kind == NUM_INTEGER ? SCHEMA_NUMBER | SCHEMA_INTEGER : SCHEMA_NUMBER)) return 1;
  return mod_schema_fused_number_(f, text, n, number);
}

/* Handles a name of which the decoder knows the number. */
FL_INLINE void mod_schema_fused_known_name(struct mod_schema_fused *f, const char *s, size_t n, unsigned name) {
  struct mod_schema_checker *c = f->level->checker;
  const struct mod_schema_known *known;
  if (f->level->count == 0) {
    f->level->n++;
    mod_schema_fused_set(f, SCHEMA_UNIT_TRUE);
    return;
  }
  if (FL_UNLIKELY(!c) || FL_UNLIKELY((known = &f->known[(c->key + c->hint) & f->known_mask])->key != c->key) ||
      FL_UNLIKELY(known->name != name)) {
    mod_schema_fused_learn_(f, s, n, name);
    return;
  }
  f->level->n++;
  c->hint = known->hint;
  mod_schema_fused_note(c, known->bit);
  mod_schema_fused_set(f, known->unit);
}

FL_INLINE void mod_schema_fused_open(struct mod_schema_fused *f, enum scan_container kind) {
  const unsigned type = kind == SCAN_ARRAY ? SCHEMA_ARRAY : SCHEMA_OBJECT;
  const int is_valid = mod_schema_fused_begin(f, type);
  if (FL_UNLIKELY(f->level + 1 == f->levels_end)) mod_schema_fused_more_(f);
  f->level++;
  f->level->is_array = kind == SCAN_ARRAY;
  f->level->count = f->level->n = f->level->least = f->level->unique = 0;
  f->level->has_lists = f->level->tag_count = f->level->tags_seen = 0;
  f->level->checker = NULL;
  f->level->item = f->program->units + SCHEMA_UNIT_TRUE;
  f->level->first = f->checker_count;
  f->level->most = UINT32_MAX;
  f->level->in_unique = f->level[-1].unique | f->level[-1].in_unique;
  if (!(FL_LIKELY(is_valid) && (f->unit->sure & type || mod_schema_fused_open_only(f, type))))
    mod_schema_fused_open_(f, type, is_valid);
  if (kind == SCAN_ARRAY) f->unit = f->level->item;
}

/* Ends a container. Returns whether it is valid. */
FL_INLINE int mod_schema_fused_close(struct mod_schema_fused *f) {
  const struct mod_schema_checker *c = f->level->checker;
  int is_valid = f->level->n >= f->level->least && f->level->n <= f->level->most;
  if (FL_LIKELY(is_valid)) {
    if (FL_UNLIKELY(f->level->unique)) is_valid = mod_schema_fused_end_unique_(f);
    else if (c) is_valid = mod_schema_fused_has_all(f, c);
    else if (FL_UNLIKELY(f->level->count != 0)) is_valid = mod_schema_fused_close_(f);
  }
  f->checker_count = f->level->first;
  f->level--;
  if (f->level->is_array) f->unit = f->level->item;
  return is_valid;
}

#ifndef JSON_TO_LUA_TABLES /* once in each unit of compilation */
#define JSON_TO_LUA_TABLES
#define PASTE "../decode/raw_tables.h"
#include "../../layout/each.h"
#endif
#define PASTE "../schema/face/fused_raw.h"
#include "../../layout/each.h"

typedef const char *(*mod_schema_fused_scan)(struct mod_schema_fused *f, struct json_scan *j, const char *p);

/* ------------------------------------------------------------------------------------- the call */

/* Entries for known members; fewer for short texts. */
static uint32_t mod_schema_known_room(size_t n) {
  uint32_t room = 16;
  while (room < MOD_SCHEMA_FUSED_KNOWN && room * 32 < n) room *= 2;
  return room;
}

static void mod_schema_fused_start(struct mod_schema_fused *f, const struct mod_schema_call *call,
                                   struct schema_run *run, struct value_walk *walk) {
  const struct schema_program *p = call->schema->program;
  memset(walk, 0, sizeof *walk);
  schema_begin_run(run, p, walk);
  walk->memory = mod_schema_fused_memory;
  walk->owner = f;
  walk->left = call->schema->max_steps;
  walk->max_depth = call->schema->o.max_depth;
  f->run = run;
  f->program = p;
  f->level = f->levels = f->first_levels;
  f->levels_end = f->first_levels + MOD_SCHEMA_FUSED_LEVELS;
  memset(f->level, 0, offsetof(struct mod_schema_level, tags));
  f->checkers = f->first_checkers;
  f->checker_count = 0;
  f->checker_room = MOD_SCHEMA_FUSED_CHECKERS;
  f->later = f->first_later;
  f->later_count = 0;
  f->later_room = MOD_SCHEMA_FUSED_LATER;
  f->is_failed = 0;
  f->tracks = f->is_lost = 0;
  f->several.only[0] = f->several.only[1] = SCHEMA_NONE;
  f->several.asks = 0;
  f->several.low = 1, f->several.high = 0;
  mod_schema_fused_set(f, SCHEMA_UNIT_TRUE);
  (void)mod_schema_fused_add(f, p->root);
}

#include "fused_text.h"

/* Runs the scan in its own stack frame, which is gone before parts of the text are read again. */
static int mod_schema_fuse(struct mod_schema_call *call, struct mod_decode *d, mod_schema_fused_scan scan,
                           struct mod_schema_fused *f) {
  lua_State *L = call->L;
  const uint32_t known = mod_schema_known_room((size_t)(d->end - d->begin));
  struct value_walk walk;
  struct schema_run run;
  char scratch[MOD_DECODE_SCRATCH];
  const char *p;
  mod_schema_reserve(L, &f->slots, FUSED_BLOCKS);
  mod_begin_tables(d, &f->k);
  f->parts = NULL;
  mod_schema_fused_start(f, call, &run, &walk);
  memset(f->known, 0xff, known * sizeof *f->known);
  f->known_mask = known - 1;
  f->k.scan.scratch = scratch;
  f->k.scan.room = sizeof scratch;
  p = mod_skip_first(d, &f->k.scan, d->begin);
  if (!p) return 0;
  f->k.decoder->take(&f->k);
  p = scan(f, &f->k.scan, p);
  f->k.decoder->give(&f->k);
  if (!p || json_skip_space(&f->k.scan, p) != d->end) return 0;
  lua_replace(L, f->k.anchors);
  lua_settop(L, f->k.anchors);
  return 1;
}

FL_PRIVATE int mod_schema_decode_fused(struct mod_schema_call *call) {
  lua_State *L = call->L;
  const struct mod_schema *s = call->schema;
  const mod_schema_fused_scan scan = LAYOUT_PICK(s->state->verdict.facts, schema_fused_scan);
  const int top = lua_gettop(L);
  struct mod_schema_fused f;
  struct mod_decode d;
  if (!scan || !s->fuses || s->o.max_values) return 0;
  mod_schema_begin_decode(&d, L, s, call->values);
  mod_set_text(&d, 2);
  if (mod_schema_is_readable(&d.o) && !d.o.force_api && mod_decoder_for(&d) && mod_schema_fuse(call, &d, scan, &f) &&
      (f.later_count == 0 || mod_schema_text_later(call, 2, f.later, f.later_count)))
    return 1;
  lua_settop(L, top);
  return 0;
}
