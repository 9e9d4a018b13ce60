/* SPDX-License-Identifier: MIT
** report.h -- what a run reports: failures, each with its place, its operation and a message for people.
** Must hold: causes of a failure come directly before it. Texts are appended to one block; when a valid branch's
** failures are dropped, so are their texts. */
#pragma once

#include "run.h"
#include "../../json/grammar/where.h"

struct schema_failure {
  uint32_t unit, place; /* the failed unit, and the place of the keyword's value in its source */
  uint32_t op;          /* SCHEMA_NONE: the unit is false, or the value is not JSON */
  uint32_t causes;      /* number of failures before it that are its causes, including theirs */
  uint8_t keyword;
  size_t path, path_length; /* a JSON Pointer, in the text */
  size_t told, told_length; /* the path of the value that the message is about, maybe a cause's */
  size_t message, message_length;
  uint64_t at; /* offset of that value in the checked text, or UINT64_MAX */
};

struct schema_report {
  struct schema_failure *failures;
  size_t count, room;
  char *text;
  size_t length, text_room;
  size_t wanted, roots; /* wanted failures; failures so far that are not causes */
  int hides_values;     /* messages do not quote values */
};

/* Limit for failures and causes. */
enum { SCHEMA_MOST_FAILURES = 10000 };

/* What is known about a failure. */
struct schema_found {
  const struct schema_op *op; /* NULL: the unit is false, or the value is not JSON */
  uint8_t keyword;
  uint32_t unit, place;
  const struct value *value; /* what was found */
  unsigned types;            /* its types; 0 if it is not JSON */
  uint64_t count;            /* its items or members */
  uint64_t fitting;          /* of contains and oneOf: how many were valid */
  const char *name;          /* a missing or invalid name */
  size_t name_length;
  uint64_t at;
  size_t mark;    /* number of failures before its causes; `count` if it has no causes */
  size_t nearest; /* number + 1 of the nearest branch's failure, or 0 */
  int is_named;   /* the discriminator names this branch */
};

#define SCHEMA_NAMED UINT64_MAX /* rating of a branch that the value names */

/* Begin the path of a failure, and add a step: a name, or NULL and an index. Return 0 if out of memory. */
FL_PRIVATE void schema_begin_path(struct schema_run *r);
FL_PRIVATE int schema_put_step(struct schema_run *r, const char *name, size_t n, uint64_t index);

/* Adds the failure whose path was written last. Returns 0 if out of memory. */
FL_PRIVATE int schema_add_failure(struct schema_run *r, const struct schema_found *found);

/* Adds a missing member, whose path was written last; its default is at `place` of the unit's source. */
FL_PRIVATE int schema_add_fill(struct schema_run *r, uint32_t unit, uint32_t place);

/* Returns the place of a property's default, found through references and allOf, or SCHEMA_NONE. Sets *unit to the unit
** that has it. */
FL_PRIVATE uint32_t schema_find_default(struct schema_run *r, uint32_t *unit);

/* Drops all failures but the first n. */
FL_PRIVATE void schema_drop_failures(struct schema_run *r, size_t n);

/* Returns whether the value of the discriminator's property names this branch, a unit. */
FL_PRIVATE int schema_is_branch_named(const struct schema_run *r, uint32_t unit, uint32_t branch,
                                      const struct value *v);

/* Rates how near the branch was whose failures are those from `first` on: more is nearer. `depth`: the value's. Sets
** *top to the number + 1 of the failure that tells most, or 0. */
FL_PRIVATE uint64_t schema_rate_branch(const struct schema_run *r, size_t first, uint64_t depth, size_t *top);

/* A place in a text, counted from 0. */
struct schema_line {
  size_t at, line, column;
};

/* Moves the place to s[at]. Places that are asked for in the order of the text are found in one pass over it. */
FL_PRIVATE void schema_move_line(struct schema_line *last, const char *s, size_t n, size_t at);
