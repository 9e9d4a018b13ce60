/* SPDX-License-Identifier: MIT
** run.h -- what the instances of evaluate_template.h share: tests of scalars, names, remembered results, bits of what
** was evaluated.
** Must hold: memory comes from the caller, who may raise; nothing else is held. Every operation and visit of a value
** costs steps, so the time is bounded even if a program visits values repeatedly. */
#pragma once

#include "../hash.h"
#include "../formats/formats.h"
#include "../program.h"

/* Memory blocks of a run, after those of its values. */
enum schema_run_block {
  SCHEMA_BLOCK_FRAMES = VALUE_BLOCKS,
  SCHEMA_BLOCK_SCRATCH, /* for regular expressions */
  SCHEMA_BLOCK_BITS,
  SCHEMA_BLOCK_RESULTS,
  SCHEMA_BLOCK_HASHES, /* of items, for uniqueItems */
  SCHEMA_BLOCK_LEVELS, /* for hashing an item */
  SCHEMA_BLOCK_FAILURES,
  SCHEMA_BLOCK_TEXT, /* messages of failures */
  SCHEMA_BLOCKS
};

/* What an empty, unmarked table is. EITHER: whichever the unit allows; if both, what encode writes. BOTH: an array and
** an object. */
enum schema_empty { SCHEMA_EMPTY_EITHER, SCHEMA_EMPTY_BOTH, SCHEMA_EMPTY_ARRAY, SCHEMA_EMPTY_OBJECT };

/* The remembered result of a unit for a container. */
struct schema_result {
  uintptr_t node; /* 0 if free */
  uint32_t unit;
  uint32_t is_valid;
};

/* Identifies a scalar, which has no identity of its own, by the visit. Identities of arrays and objects are even. */
#define SCHEMA_VISIT_OF(visit) (2 * (visit) + 1)

/* Results are looked up in every 16th period, from the second on, and after one with SCHEMA_WORTH hits. */
enum { SCHEMA_PERIOD = 256, SCHEMA_PERIODS = 16, SCHEMA_WORTH = SCHEMA_PERIOD / 8, SCHEMA_MOST_RESULTS = 1 << 21 };

struct schema_results {
  struct schema_result *slots; /* open addressing, at most half full */
  size_t count, room;
  uint32_t left, hits, period; /* in this period: look-ups left, hits; number of the period */
  int is_on;
};

/* A user's check of a string's format. */
typedef int (*schema_custom)(void *owner, uint32_t number, const char *s, size_t n);

struct schema_report;

struct schema_run {
  const struct schema_program *program;
  uint32_t root;           /* the unit that the value must pass */
  struct value_walk *walk; /* of the form's values */
  schema_custom custom;    /* NULL: another form must do it */
  void *custom_owner;
  const char *said; /* the last message of a user's check, or NULL */
  size_t said_length;
  enum schema_empty empty;
  int whole_is_integer; /* draft 4: the form cannot tell 3.0 from 3 */
  void *frames;         /* the instance's */
  size_t depth, room;
  uint32_t *scratch; /* of regular expressions */
  size_t scratch_room;
  uint64_t *bits; /* a stack: for each frame that tracks, one bit for each child */
  size_t bits_count, bits_room;
  struct schema_results results;
  uintptr_t visits;             /* how many values were entered */
  uint32_t first, second;       /* of uniqueItems: the equal items; of oneOf: the last two valid branches */
  uint32_t small;               /* units up to this size are small */
  struct schema_report *report; /* NULL: only a verdict is wanted */
  size_t branches;              /* operations in progress whose units may fail */
  int fills;                    /* the report lists missing members that have defaults */
  size_t passed;                /* in a report: children that end before this offset of the text are valid */
  int is_full;                  /* the report has all wanted failures */
};

/* Returns the schema_types of a value; 0 if it is not JSON. */
FL_PRIVATE unsigned schema_types_of_number(const struct num_any *x);

/* Returns the types of a scalar; a number may also be an integer. */
FL_INLINE unsigned schema_types_of_scalar(enum value_type type) {
  static const uint8_t types[] = {0, SCHEMA_NULL, SCHEMA_BOOLEAN, SCHEMA_BOOLEAN, SCHEMA_NUMBER, SCHEMA_STRING, 0, 0,
                                  0};
  return types[type];
}

FL_INLINE unsigned schema_types_of(const struct value *v) {
  if (v->type == VALUE_ARRAY) return SCHEMA_ARRAY;
  if (v->type == VALUE_OBJECT) return SCHEMA_OBJECT;
  return v->type == VALUE_NUMBER ? schema_types_of_number(&v->number) : schema_types_of_scalar(v->type);
}

/* schema_narrow for an empty table. */
FL_PRIVATE unsigned schema_narrow_(const struct schema_run *r, unsigned allowed, enum value_type type);

/* Returns the types that a value counts as for a unit that allows `allowed`. Empty tables may be arrays and objects. */
FL_INLINE unsigned schema_narrow(const struct schema_run *r, unsigned types, unsigned allowed, enum value_type type) {
  const unsigned both = SCHEMA_ARRAY | SCHEMA_OBJECT;
  return FL_LIKELY((types & both) != both) ? types : schema_narrow_(r, allowed, type);
}

/* Returns whether the value, which has one of the operation's types, passes it. For operations that look at no
** children. */
FL_PRIVATE int schema_test(struct schema_run *r, const struct schema_op *op, const struct value *v, unsigned types);

/* Returns whether the regular expression matches anywhere in the string. */
FL_PRIVATE int schema_search(struct schema_run *r, uint32_t regex, const char *s, size_t n);

/* Returns the number of characters. An invalid byte counts as one, or as the start of a character. */
FL_PRIVATE uint64_t schema_count_characters(const char *s, size_t n);

/* Returns the list of the units that can be valid for an object whose tag is this scalar: an index in `numbers`. */
FL_PRIVATE uint32_t schema_choose(const struct schema_program *p, const struct schema_choice *choice,
                                  const struct value *tag);

/* Pushes `words` zero words onto the stack of bits. Returns 0 if out of memory. */
FL_PRIVATE int schema_push_bits(struct schema_run *r, size_t words);

FL_INLINE void schema_set_bit(struct schema_run *r, size_t first, uint64_t i) {
  r->bits[first + (size_t)(i / 64)] |= (uint64_t)1 << (i & 63);
}

FL_INLINE int schema_has_bit(const struct schema_run *r, size_t first, uint64_t i) {
  return (int)(r->bits[first + (size_t)(i / 64)] >> (i & 63) & 1);
}

/* Returns whether to look for remembered results now. */
FL_INLINE int schema_asks_results(struct schema_results *m) {
  if (FL_UNLIKELY(m->left == 0)) {
    m->is_on = m->hits >= SCHEMA_WORTH || m->period++ % SCHEMA_PERIODS == 0;
    m->left = SCHEMA_PERIOD;
    m->hits = 0;
  }
  m->left--;
  return m->is_on;
}

/* Returns the remembered result of the unit for the node, or -1. */
FL_PRIVATE int schema_recall_result(struct schema_run *r, uint32_t unit, uintptr_t node);

/* Remembers a new result. Returns 0 if out of memory. */
FL_PRIVATE int schema_keep_result(struct schema_run *r, uint32_t unit, uintptr_t node, int is_valid);

/* Forgets all results before another value. */
FL_PRIVATE void schema_forget_results(struct schema_run *r);

/* Prepares a run whose memory is not from an earlier one. */
FL_PRIVATE void schema_begin_run(struct schema_run *r, const struct schema_program *p, struct value_walk *walk);
