/* SPDX-License-Identifier: MIT
** space.h -- the white space around items: what a new one gets, and what stays of a removed one.
** May call: base.
** Must hold: comments are never lost, and nothing is written into one: after a comment that ends with its line comes
** a line end. White space is copied only up to a length, or a long one could make the text grow beyond measure. */
#ifndef FLEECE_JSON_EDIT_SPACE_H
#define FLEECE_JSON_EDIT_SPACE_H

#include "state.h"

/* Does it hold a comment? */
FL_PRIVATE int json_edit_has_comment(const struct json_edit *e, struct json_slice s);

/* Up to the end of the last comment, empty if there is none; and the rest. */
FL_PRIVATE struct json_slice json_edit_comments(const struct json_edit *e, struct json_slice s);
FL_PRIVATE struct json_slice json_edit_blanks(const struct json_edit *e, struct json_slice s);

/* The part of the line in which s begins, if there is a comment in it that another item's line holds; else empty. */
FL_PRIVATE struct json_slice json_edit_line_comment(const struct json_edit *e, struct json_slice s);

/* `a`, then `b`, with a line end between them if `a` ends with a comment that needs it. False: an error. */
FL_PRIVATE int json_edit_join(struct json_edit *e, struct json_slice a, struct json_slice b, struct json_slice *out);

/* Does it begin with a line end? */
FL_PRIVATE int json_edit_starts_line(struct json_slice s);

/* From the last line end on, which may be two bytes; empty if there is none. */
FL_PRIVATE struct json_slice json_edit_last_line(struct json_slice s);

/* The white space of a new item, where `last` is the last item of a list, or its only one (`single`). */
FL_PRIVATE struct json_slice json_edit_lead_like(const struct json_edit *e, const struct json_edit_list *l,
                                                 const struct json_edit_piece *last, int single);

/* What is between name and value of a new member; `like` is another member, or NULL. */
FL_PRIVATE struct json_slice json_edit_colon_like(const struct json_edit *e, const struct json_edit_list *l,
                                                  const struct json_edit_piece *like);

/* The white space of the only item of a list: before it and after it. False: an error. */
FL_PRIVATE int json_edit_space_inside(struct json_edit *e, const struct json_edit_list *l, struct json_slice *lead,
                                      struct json_slice *tail);

/* The value with the indentation of the line in which `piece` of the list is; l may be NULL. False: an error. */
FL_PRIVATE int json_edit_indent(struct json_edit *e, const struct json_edit_list *l,
                                const struct json_edit_piece *piece, struct json_slice *value);

#endif
