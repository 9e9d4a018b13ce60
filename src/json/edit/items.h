/* SPDX-License-Identifier: MIT
** items.h -- reads the items of a container one by one, without reading what is in them.
** Must hold: in a text that was not tested, brackets and quotes decide where a value ends, and what stands between
** items is tested. */
#pragma once

#include "state.h"

/* An item or member with the white space around it: [begin, end). `name` is NULL in an array. */
struct json_edit_item {
  const char *begin, *name, *name_end, *value, *value_end, *end;
};

/* Items of this list are read next: sets what the scanner may read. */
FL_PRIVATE void json_edit_read_from(struct json_edit *e, const struct json_edit_list *l);

/* The first byte from p on that is no white space; NULL: an error. */
FL_PRIVATE const char *json_edit_skip_space(struct json_edit *e, const char *p);

/* The byte after the value at p; NULL: an error. */
FL_PRIVATE const char *json_edit_after_value(struct json_edit *e, const char *p);

/* Does the value with `level` containers around it nest no deeper than e->scan.max_depth? Sets no error. */
FL_PRIVATE int json_edit_fits(struct json_edit *e, struct json_slice value, unsigned grammar, size_t level);

/* Reads the item at p of a run that ends at `end`. False: an error. */
FL_PRIVATE int json_edit_read_item(struct json_edit *e, const struct json_edit_list *l, const char *p, const char *end,
                                   struct json_edit_item *item);

/* Is the name, a token of the text, `n` bytes at s? -1: an error. */
FL_PRIVATE int json_edit_is_name(struct json_edit *e, struct json_slice token, const char *s, size_t n);

/* What the name means: a part of the token, or in the edit's memory. False: an error. */
FL_PRIVATE int json_edit_read_name(struct json_edit *e, struct json_slice token, struct json_slice *name);
