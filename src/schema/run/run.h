/* SPDX-License-Identifier: MIT
** run.h -- runs a program over a value: what the instances of evaluate_template.h share: tests of scalars, names, the
** memory of results, bits of what was evaluated.
** Must hold: memory is asked of the caller, who may raise; nothing else is held. Every operation and every visit to a
** value is paid for, so the time is bounded even if a program visits values again and again. */
#pragma once

#include "../hash.h"
#include "../formats/formats.h"
#include "../program.h"

/* Blocks of memory that a run has, after those of its values. */
enum schema_run_block {
  SCHEMA_BLOCK_FRAMES = VALUE_BLOCKS,
  SCHEMA_BLOCK_SCRATCH, /* of regular expressions */
  SCHEMA_BLOCK_BITS,
  SCHEMA_BLOCK_RESULTS,
  SCHEMA_BLOCK_HASHES, /* of items, for uniqueItems */
  SCHEMA_BLOCK_LEVELS, /* of an item that is hashed */
  SCHEMA_BLOCK_FAILURES,
  SCHEMA_BLOCK_TEXT, /* of failures */
  SCHEMA_BLOCKS
};

/* What an empty table without a mark is. EITHER: what a unit allows, and what encode writes if it allows both. BOTH: an
** array and an object. */
enum schema_empty { SCHEMA_EMPTY_EITHER, SCHEMA_EMPTY_BOTH, SCHEMA_EMPTY_ARRAY, SCHEMA_EMPTY_OBJECT };

/* The result of a unit that several operations call, for a container. */
struct schema_result {
  uintptr_t node; /* 0: free */
  uint32_t unit;
  uint32_t is_valid;
};

/* How a scalar is known, which has no identity: by the visit. Identities of arrays and objects are even. */
#define SCHEMA_VISIT_OF(visit) (2 * (visit) + 1)

/* Results are looked up in the second period, then in one in 16, and as long as enough are found. */
enum { SCHEMA_PERIOD = 256, SCHEMA_PERIODS = 16, SCHEMA_WORTH = SCHEMA_PERIOD / 8, SCHEMA_MOST_RESULTS = 1 << 21 };

struct schema_results {
  struct schema_result *slots; /* open addressing; at most half of them are used */
  size_t count, room;
  uint32_t left, hits, period; /* of the period: look-ups, and those that found something */
  int is_on;
};

/* A check that the user gave: a format of a string. */
typedef int (*schema_custom)(void *owner, uint32_t number, const char *s, size_t n);

struct schema_report;

struct schema_run {
  const struct schema_program *program;
  uint32_t root;           /* the unit that the value has to pass */
  struct value_walk *walk; /* of the form's values */
  schema_custom custom;    /* NULL: another form must do it */
  void *custom_owner;
  const char *said; /* what the last check of the user says of a value that is not valid; NULL: nothing */
  size_t said_length;
  enum schema_empty empty;
  int whole_is_integer; /* draft 4: the form does not tell 3.0 from 3 */
  void *frames;         /* the instance's */
  size_t depth, room;
  uint32_t *scratch; /* of regular expressions */
  size_t scratch_room;
  uint64_t *bits; /* a stack: of each frame that tracks one for each child */
  size_t bits_count, bits_room;
  struct schema_results results;
  uintptr_t visits;             /* how many values were entered */
  uint32_t first, second;       /* of uniqueItems: the items that are equal; of oneOf: the last two that are right */
  uint32_t small;               /* units of this size are small */
  struct schema_report *report; /* NULL: only the verdict is asked for */
  size_t branches;              /* operations that are in progress and whose units may fail */
  int fills;                    /* the report is of members that are missing and have a default */
  int is_full;                  /* the report has as many failures as are wanted */
};

/* The schema_types of a value; 0: it is no JSON. */
FL_PRIVATE unsigned schema_types_of_number(const struct num_any *x);

FL_INLINE unsigned schema_types_of(const struct value *v) {
  static const uint8_t types[] = {
      0, SCHEMA_NULL, SCHEMA_BOOLEAN, SCHEMA_BOOLEAN, 0, SCHEMA_STRING, SCHEMA_ARRAY, SCHEMA_OBJECT, 0};
  return v->type == VALUE_NUMBER ? schema_types_of_number(&v->number) : types[v->type];
}

/* The same for a table without anything. */
FL_PRIVATE unsigned schema_narrow_(const struct schema_run *r, unsigned allowed, enum value_type type);

/* What a value of all these types counts as for a unit that allows some: tables without anything may be both. */
FL_INLINE unsigned schema_narrow(const struct schema_run *r, unsigned types, unsigned allowed, enum value_type type) {
  const unsigned both = SCHEMA_ARRAY | SCHEMA_OBJECT;
  return FL_LIKELY((types & both) != both) ? types : schema_narrow_(r, allowed, type);
}

/* Does the value, which has one of the operation's types, pass it? For all operations that look at no children. */
FL_PRIVATE int schema_test(struct schema_run *r, const struct schema_op *op, const struct value *v, unsigned types);

/* Does the regular expression match somewhere in the string? */
FL_PRIVATE int schema_search(struct schema_run *r, uint32_t regex, const char *s, size_t n);

/* Characters of a string; bytes that are not UTF-8 count one each, or as the start of a character. */
FL_PRIVATE uint64_t schema_count_characters(const char *s, size_t n);

/* Finds the property of the name, first at *hint; NULL: the object has none. *hint becomes the next one. */
FL_PRIVATE const struct schema_property *schema_find_property_(const struct schema_program *p,
                                                               const struct schema_object *o, const char *s, size_t n,
                                                               uint32_t *hint);

FL_INLINE int schema_is_named_so(const struct schema_program *p, const struct schema_property *x, const char *s,
                                 size_t n) {
  return x->name.length == n && memcmp(p->bytes + x->name.at, s, n) == 0;
}

FL_INLINE const struct schema_property *schema_find_property(const struct schema_program *p,
                                                             const struct schema_object *o, const char *s, size_t n,
                                                             uint32_t *hint) {
  const struct schema_property *x = &p->properties[o->first + *hint];
  if (FL_LIKELY(*hint < o->count) && FL_LIKELY(schema_is_named_so(p, x, s, n))) return ++*hint, x;
  return schema_find_property_(p, o, s, n, hint);
}

/* Puts `words` more words of zeros on the stack of bits. False: no memory. */
FL_PRIVATE int schema_push_bits(struct schema_run *r, size_t words);

FL_INLINE void schema_set_bit(struct schema_run *r, size_t first, uint64_t i) {
  r->bits[first + (size_t)(i / 64)] |= (uint64_t)1 << (i & 63);
}

FL_INLINE int schema_has_bit(const struct schema_run *r, size_t first, uint64_t i) {
  return (int)(r->bits[first + (size_t)(i / 64)] >> (i & 63) & 1);
}

/* Is it time to look for results? */
FL_INLINE int schema_asks_results(struct schema_results *m) {
  if (FL_UNLIKELY(m->left == 0)) {
    m->is_on = m->hits >= SCHEMA_WORTH || m->period++ % SCHEMA_PERIODS == 0;
    m->left = SCHEMA_PERIOD;
    m->hits = 0;
  }
  m->left--;
  return m->is_on;
}

/* The result of the unit for the node: 0, 1; -1: it is not known. */
FL_PRIVATE int schema_recall_result(struct schema_run *r, uint32_t unit, uintptr_t node);

/* Remembers one that is not known. False: no memory. */
FL_PRIVATE int schema_keep_result(struct schema_run *r, uint32_t unit, uintptr_t node, int is_valid);

/* Forgets the results, before another value. */
FL_PRIVATE void schema_forget_results(struct schema_run *r);

/* Prepares a run whose memory is not from an earlier one. */
FL_PRIVATE void schema_begin_run(struct schema_run *r, const struct schema_program *p, struct value_walk *walk);
