/* SPDX-License-Identifier: MIT
** report.h -- what a run reports: failures, each with its place, its operation and a message for people.
** Must hold: failures that are causes of another one come directly before it. Texts are in one block, one after the
** other; what is dropped when a branch is valid is dropped there, too. */
#pragma once

#include "run.h"

struct schema_failure {
  uint32_t unit, place; /* the unit that failed, and the place of the keyword's value in its source */
  uint32_t op;          /* SCHEMA_NONE: a unit that is false, or no JSON */
  uint32_t causes;      /* how many failures before it are its causes, and theirs */
  uint8_t keyword;
  size_t path, path_length; /* in the text: a JSON Pointer */
  size_t told, told_length; /* the same of the value that the message is about: it may be of a cause */
  size_t message, message_length;
  uint64_t at; /* the first byte of that value in the text that was checked; UINT64_MAX: it has none */
};

struct schema_report {
  struct schema_failure *failures;
  size_t count, room;
  char *text;
  size_t length, text_room;
  size_t wanted, roots; /* how many failures are wanted, and how many there are that are no causes */
  int hides_values;     /* messages do not quote what was found */
};

/* Failures and causes that are kept at most. */
enum { SCHEMA_MOST_FAILURES = 10000 };

/* What is known of a failure. */
struct schema_found {
  const struct schema_op *op; /* NULL: a unit that is false, or no JSON */
  uint8_t keyword;
  uint32_t unit, place;
  const struct value *value; /* what was found */
  unsigned types;            /* of it; 0: it is no JSON */
  uint64_t count;            /* its items or members */
  uint64_t fitting;          /* of contains, oneOf: how many were valid */
  const char *name;          /* a name that is missing, or that is wrong */
  size_t name_length;
  uint64_t at;
  size_t mark;    /* failures there were before its causes; `count`: it has none */
  size_t nearest; /* the failure of the nearest branch, plus 1; 0: none */
  int is_named;   /* the value says that it is this branch */
};

#define SCHEMA_NAMED UINT64_MAX /* how near a branch is that the value names */

/* Begins the path of a failure; adds a step: a name, or NULL and an index. False: no memory. */
FL_PRIVATE void schema_begin_path(struct schema_run *r);
FL_PRIVATE int schema_put_step(struct schema_run *r, const char *name, size_t n, uint64_t index);

/* Adds the failure whose path was written last. False: no memory. */
FL_PRIVATE int schema_add_failure(struct schema_run *r, const struct schema_found *found);

/* Adds the member whose path was written last as one that is missing: its default is at that place of the unit's
** source. */
FL_PRIVATE int schema_add_fill(struct schema_run *r, uint32_t unit, uint32_t place);

/* The place of the default of a property's unit, where references and allOf lead; *unit becomes the one that has it.
** SCHEMA_NONE: it has none. */
FL_PRIVATE uint32_t schema_find_default(struct schema_run *r, uint32_t *unit);

/* Drops all failures but the first n. */
FL_PRIVATE void schema_drop_failures(struct schema_run *r, size_t n);

/* Does the value of the property that the unit's discriminator tells of name the branch, a unit? */
FL_PRIVATE int schema_is_branch_named(const struct schema_run *r, uint32_t unit, uint32_t branch,
                                      const struct value *v);

/* How near was the branch whose failures are those from `first` on, for a value so many steps from the root? More is
** nearer. *top becomes the failure that tells most, plus 1; 0: it has none. */
FL_PRIVATE uint64_t schema_rate_branch(const struct schema_run *r, size_t first, uint64_t depth, size_t *top);
