/* SPDX-License-Identifier: MIT
** edit.h -- changes values of a JSON text; every byte that no change touches stays as it is.
** Must hold: a container becomes a list of its items only when a change goes through it; of a long list only those
** items become nodes that changes touch. So the work is linear in the text, times the depth of the paths, plus
** O(log n) for each change. No recursion. Memory comes from the caller and is not returned: the caller frees all of
** it. */
#pragma once

#include "../index/goals.h"
#include "state.h"

/* DISCARD removes what is at the path, if anything is. ADD and REPLACE are those of RFC 6902: ADD inserts an item and
** sets a member, what REPLACE sets must be there. */
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
  /* As JSON texts, a 0 after each. They must stay as long as the edit. The name is the last step's, for all that may
  ** add a member, if it has one; REMOVE and DISCARD have no value. A value may also be one of json_edit_value. */
  struct json_slice name, value;
  enum json_edit_origin origin; /* of the value; 0: it came from elsewhere */
  struct json_edit_list *list;  /* of json_edit_take: what earlier changes made of the value; or NULL */
  size_t level;                 /* of json_edit_take: of the list that the value was in; else 0 */
  int indented;                 /* the value may have line ends: they become those of the text, with indentation */
  const char *source;           /* where such a value stands in e->patch; NULL: in no other text */
};

/* What the caller has set before: scan (with begin, end, grammar, bad_text, utf8), alloc and owner, cpu, free and
** limit: the first memory, which may be empty. Afterwards it may set patch and one_line. [value, end) is the text's
** value without white space after it; it may be untested, then errors of the text can come later. */
FL_PRIVATE void json_edit_begin(struct json_edit *e, const char *value, const char *end);

/* The end of the value at p, for a text that is not tested: what is after it may only be white space. NULL: an
** error, in e->scan. Before json_edit_begin. */
FL_PRIVATE const char *json_edit_find_end(struct json_edit *e, const char *p);

/* Applies one change. A value that makes the text deeper than e->scan.max_depth is refused, except after e->is_unsure:
** then the caller must test the text after the changes. False: nothing can follow; e->error tells why, and where:
** e->step, e->at. */
FL_PRIVATE int json_edit_apply(struct json_edit *e, const struct json_edit_change *c);

/* The piece that the steps lead to, and the list that it is in, NULL for the whole text; NULL: an error. */
FL_PRIVATE struct json_edit_piece *json_edit_find(struct json_edit *e, const struct json_step *steps, size_t count,
                                                  struct json_edit_list **in);

/* The text of its value now, which stays as long as the edit: for json_edit_change. False: an error. */
FL_PRIVATE int json_edit_value(struct json_edit *e, const struct json_edit_piece *piece, struct json_slice *value,
                               enum json_edit_origin *origin);

/* Takes the piece out of the list; `c` will set its value elsewhere. False: an error. */
FL_PRIVATE int json_edit_take(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece,
                              struct json_edit_change *c);

/* Parts of json_edit_apply, for who goes through the lists: the value of a piece is set, a member or item is added
** before `at` or at the end, or one is removed. Of the change they read what is about the value. */
FL_PRIVATE int json_edit_set_value(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece,
                                   const struct json_edit_change *c);
FL_PRIVATE int json_edit_put(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *at,
                             const struct json_edit_change *c);
FL_PRIVATE int json_edit_remove(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece);

/* What e->error means, in words. */
FL_PRIVATE const char *json_edit_message(enum json_edit_error error);

/* The length of the text now. False: it would not fit into memory. */
FL_PRIVATE int json_edit_length(const struct json_edit *e, size_t *n);

/* Writes the text, json_edit_length bytes. Returns its end. */
FL_PRIVATE char *json_edit_write(const struct json_edit *e, char *w);
