/* SPDX-License-Identifier: MIT
** space.h -- the white space around items: what a new one gets, and what stays of a removed one.
** Must hold: comments are never lost, and nothing is written into one: after a comment that ends with its line comes
** a line end. White space is copied only up to a length, or a long one could make the text grow beyond measure. Each
** comment is looked at once, and moving comments takes constant time, so that many changes take linear time. */
#pragma once

#include "state.h"

/* Parts white space into comments and blanks, once. False: an error. */
FL_PRIVATE int json_edit_part(struct json_edit *e, struct json_edit_space *s);

/* Puts the comments before those of s, which is parted. False: an error. */
FL_PRIVATE int json_edit_put_comments(struct json_edit *e, struct json_edit_comments *comments,
                                      struct json_edit_space *s);

/* Takes the comments of the line in which s begins, if another item's line holds it; NULL: none, or with e->error an
** error. s is parted. */
FL_PRIVATE struct json_edit_comments *json_edit_take_line(struct json_edit *e, struct json_edit_space *s);

/* Lets s, which is parted, begin with the blanks, if these are a line end and the indentation after it, and s does not
** begin with a line end. False: an error. */
FL_PRIVATE int json_edit_begin_line(struct json_edit *e, struct json_slice blanks, struct json_edit_space *s);

/* The white space of a new item, where `last` is the last item of a list, or its only one (`single`). False: an
** error. */
FL_PRIVATE int json_edit_lead_like(struct json_edit *e, const struct json_edit_list *l, struct json_edit_piece *last,
                                   int single, struct json_slice *lead);

/* What is between name and value of a new member; `like` is another member, or NULL. */
FL_PRIVATE struct json_slice json_edit_colon_like(const struct json_edit *e, const struct json_edit_list *l,
                                                  const struct json_edit_piece *like);

/* The white space of the only item of a list: before it and after it. False: an error. */
FL_PRIVATE int json_edit_space_inside(struct json_edit *e, const struct json_edit_list *l, struct json_slice *lead,
                                      struct json_slice *tail);

/* Gives the value of `piece` of the list the text's line ends, and the indentation of the line in which the piece is in
** place of that of the line in which `source` is in e->patch, if it is not NULL. l may be NULL. False: an error. */
FL_PRIVATE int json_edit_indent(struct json_edit *e, const struct json_edit_list *l, struct json_edit_piece *piece,
                                const char *source);
