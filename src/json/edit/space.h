/* SPDX-License-Identifier: MIT
** space.h -- the white space around items: of a new one, and what is left of a removed one's.
** Must hold: comments are never lost, and nothing is written into one: a line end follows a comment that ends with its
** line. Only short white space is copied, or the text could grow without limit. Each comment is read once, and moving
** comments takes constant time, so that many changes take linear time. */
#pragma once

#include "state.h"

/* Divides white space into comments and blanks, unless that was done. Returns 0 after an error. */
FL_PRIVATE int json_edit_part(struct json_edit *e, struct json_edit_space *s);

/* Inserts the comments before those of s, which must be divided. Returns 0 after an error. */
FL_PRIVATE int json_edit_put_comments(struct json_edit *e, struct json_edit_comments *comments,
                                      struct json_edit_space *s);

/* Removes and returns the comments of the line in which s begins, if the line belongs to another item. NULL if there
** are none, or after an error with e->error set. s must be divided. */
FL_PRIVATE struct json_edit_comments *json_edit_take_line(struct json_edit *e, struct json_edit_space *s);

/* Inserts the blanks before s, which must be divided, if they are a line end and indentation, and s does not begin with
** a line end. Returns 0 after an error. */
FL_PRIVATE int json_edit_begin_line(struct json_edit *e, struct json_slice blanks, struct json_edit_space *s);

/* Gets the white space before a new item like that of `last`, the last item of a list, or its only one (`single`).
** Returns 0 after an error. */
FL_PRIVATE int json_edit_lead_like(struct json_edit *e, const struct json_edit_list *l, struct json_edit_piece *last,
                                   int single, struct json_slice *lead);

/* Returns what stands between name and value of a new member. `like`: another member, or NULL. */
FL_PRIVATE struct json_slice json_edit_colon_like(const struct json_edit *e, const struct json_edit_list *l,
                                                  const struct json_edit_piece *like);

/* Gets the white space before and after the only item of a list. Returns 0 after an error. */
FL_PRIVATE int json_edit_space_inside(struct json_edit *e, const struct json_edit_list *l, struct json_slice *lead,
                                      struct json_slice *tail);

/* Gives the value of `piece` the text's line ends, and the indentation of the line of the piece instead of that of the
** line of `source` in e->patch, if that is not NULL. `l`: the piece's list, or NULL. Returns 0 after an error. */
FL_PRIVATE int json_edit_indent(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece,
                                const char *source);
