/* SPDX-License-Identifier: MIT
** edit.h -- changes values of a JSON text; every byte that no change touches stays as it is.
** Must hold: a container becomes a list of its items only when a change goes through it; of a long list only those
** items become nodes that changes touch. So the work is linear in the text, times the depth of the paths, plus
** O(log n) for each change. No recursion. Memory comes from the caller and is not returned: the caller frees all of
** it. */
#pragma once

#include "../index/goals.h"
#include "state.h"

/* DISCARD removes what is at the path, if anything. ADD and REPLACE are those of RFC 6902: ADD inserts an item or sets
** a member; REPLACE requires that the value exists. */
enum json_edit_operation {
  JSON_EDIT_SET,
  JSON_EDIT_INSERT,
  JSON_EDIT_APPEND,
  JSON_EDIT_REMOVE,
  JSON_EDIT_DISCARD,
  JSON_EDIT_ADD,
  JSON_EDIT_REPLACE
};

struct json_edit_change {
  enum json_edit_operation operation;
  const struct json_step *steps;
  size_t count;
  /* JSON texts, each followed by a 0, which must stay as long as the edit. `name`: the last step's, if it has one, for
  ** operations that may add a member. REMOVE and DISCARD have no value. A value may also be one of json_edit_value. */
  struct json_slice name, value;
  enum json_edit_origin origin; /* of the value; 0 if it does not come from the text */
  struct json_edit_list *list;  /* set by json_edit_take: the list that earlier changes made of the value, or NULL */
  size_t level;                 /* set by json_edit_take: level of the list that the value was in, else 0 */
  int indented;                 /* the value may have line ends: convert them to the text's, with indentation */
  const char *source;           /* where this value stands in e->patch, or NULL */
};

/* Set these before: scan (with begin, end, grammar, bad_text, utf8), alloc and owner, cpu, and the first memory, free
** and limit, which may be empty. Set patch and one_line after it, if needed. [value, end) is the text's value without
** white space after it; if it is not tested, later calls may find errors in it. */
FL_PRIVATE void json_edit_begin(struct json_edit *e, const char *value, const char *end);

/* Returns the end of the value at p in an untested text; only white space may follow it. NULL after an error in
** e->scan. Call this before json_edit_begin. */
FL_PRIVATE const char *json_edit_find_end(struct json_edit *e, const char *p);

/* Applies one change. Refuses a value that makes the text deeper than e->scan.max_depth. Once e->is_unsure is set it
** cannot tell; then test the text after all changes. Returns 0 after an error, which ends the edit; e->error tells why,
** e->step and e->at where. */
FL_PRIVATE int json_edit_apply(struct json_edit *e, const struct json_edit_change *c);

/* Returns the piece that the steps lead to, or NULL after an error. Sets *in to the list that it is in, NULL for the
** whole text. */
FL_PRIVATE struct json_edit_piece *json_edit_find(struct json_edit *e, const struct json_step *steps, size_t count,
                                                  struct json_edit_list **in);

/* The same for steps[from..to), from the piece on, which is in the list *in. */
FL_PRIVATE struct json_edit_piece *json_edit_follow(struct json_edit *e, struct json_edit_list **in,
                                                    struct json_edit_piece *piece, const struct json_step *steps,
                                                    size_t from, size_t to);

/* Like json_edit_apply for the steps from number `from` on, from the piece on, which is in the list l. */
FL_PRIVATE int json_edit_apply_from(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece,
                                    const struct json_edit_change *c, size_t from);

/* Returns whether the error means that nothing is at the path; then it is none. */
FL_PRIVATE int json_edit_finds_nothing(struct json_edit *e);

/* Like json_edit_apply, for a path with wildcards, at most JSON_EDIT_WILDCARDS: the change is made wherever they lead,
** in the order of the text; where a path ends before, nothing happens. */
enum { JSON_EDIT_WILDCARDS = 16 };
FL_PRIVATE int json_edit_apply_each(struct json_edit *e, const struct json_edit_change *c);

/* Gets the current text of the piece's value, for json_edit_change; it stays as long as the edit. Returns 0 after an
** error. */
FL_PRIVATE int json_edit_value(struct json_edit *e, const struct json_edit_piece *piece, struct json_slice *value,
                               enum json_edit_origin *origin);

/* Removes the piece from the list, to set its value elsewhere with `c`. Returns 0 after an error. */
FL_PRIVATE int json_edit_take(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece,
                              struct json_edit_change *c);

/* Parts of json_edit_apply for callers that walk the lists themselves: set the value of a piece, add a member or item
** before `at` or at the end, remove one. They read only the change's value. */
FL_PRIVATE int json_edit_set_value(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece,
                                   const struct json_edit_change *c);
FL_PRIVATE int json_edit_put(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *at,
                             const struct json_edit_change *c);
FL_PRIVATE int json_edit_remove(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece);

FL_PRIVATE const char *json_edit_message(enum json_edit_error error);
FL_PRIVATE enum fl_kind json_edit_kind(enum json_edit_error error);

/* Computes the length of the text. Returns 0 if it would not fit into memory. */
FL_PRIVATE int json_edit_length(const struct json_edit *e, size_t *n);

/* Writes the text, json_edit_length bytes. Returns its end. */
FL_PRIVATE char *json_edit_write(const struct json_edit *e, char *w);

/* Makes pieces of what json_locate with JSON_LOCATE_UNIQUE found in the edit's text, which must be strict JSON, before
** the first change. The goals must be those of JSON pointers, no two for one value, and few: each one is compared with
** its siblings. Goals and names must stay as long as the edit. Returns 0 if out of memory. */
FL_PRIVATE int json_edit_place(struct json_edit *e, const struct json_goal *goals, uint32_t count,
                               const struct json_slice *found);
