/* SPDX-License-Identifier: MIT
** items.h -- reads the items of a container one by one, without reading their contents.
** Must hold: in an untested text, brackets and quotes decide where a value ends, and what stands between items is
** tested. */
#pragma once

#include "state.h"

/* An item or member with the white space around it: [begin, end). `name` is NULL in an array. */
struct json_edit_item {
  const char *begin, *name, *name_end, *value, *value_end, *end;
};

/* Prepares to read items of this list: sets what the scanner may read. */
FL_PRIVATE void json_edit_read_from(struct json_edit *e, const struct json_edit_list *l);

/* Returns the first byte from p on that is not white space, or NULL after an error. */
FL_PRIVATE const char *json_edit_skip_space(struct json_edit *e, const char *p);

/* Returns the byte after the value at p, or NULL after an error. */
FL_PRIVATE const char *json_edit_after_value(struct json_edit *e, const char *p);

/* Returns whether a value with `level` containers around it nests no deeper than e->scan.max_depth. Sets no error. */
FL_PRIVATE int json_edit_fits(struct json_edit *e, struct json_slice value, unsigned grammar, size_t level);

/* Reads the item at p of a run that ends at `end`. Returns 0 after an error. */
FL_PRIVATE int json_edit_read_item(struct json_edit *e, const struct json_edit_list *l, const char *p, const char *end,
                                   struct json_edit_item *item);

/* Returns whether the name, a token of the text, means s[0..n), or -1 after an error. */
FL_PRIVATE int json_edit_is_name(struct json_edit *e, struct json_slice token, const char *s, size_t n);

/* Gets what a name means, as a part of the token or in the edit's memory. Returns 0 after an error. */
FL_PRIVATE int json_edit_read_name(struct json_edit *e, struct json_slice token, struct json_slice *name);
