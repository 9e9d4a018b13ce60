/* SPDX-License-Identifier: MIT
** edit.c -- changes values of a JSON text; every byte that no change touches stays as it is.
** May call: base.
** Must hold: as edit.h. */
#include "edit.h"

#include "lists.h"
#include "space.h"

FL_PRIVATE void json_edit_begin(struct json_edit *e, const char *value, const char *end) {
  struct json_edit_piece *root = &e->root;
  e->begin = e->scan.begin;
  e->end = e->scan.end;
  e->grammar = e->scan.grammar;
  e->scan.grow = json_edit_grow_scratch;
  e->scan.owner = e;
  e->block = 0;
  e->error = JSON_EDIT_OK;
  e->at = NULL;
  e->step = 0;
  e->last_run = NULL;
  memset(root, 0, sizeof *root);
  root->node.count = 1;
  root->lead = json_slice_of(e->begin, value);
  root->value = json_slice_of(value, end);
  root->tail = json_slice_of(end, e->end);
  root->name = root->colon = json_slice_none();
}

FL_PRIVATE const char *json_edit_find_end(struct json_edit *e, const char *p) {
  const char *end = e->scan.end, *q;
  if (!(e->scan.grammar & JSON_WIDE_SPACE) && (*p == '[' || *p == '{')) { /* its brackets are looked at later */
    while (json_is_blank(end[-1])) end--;
    return end;
  }
  if (!(p = json_edit_after_value(e, p)) || !(q = json_edit_skip_space(e, p))) return NULL;
  return q == end ? p : json_scan_error(&e->scan, JSON_CHECK_AFTER, q);
}

FL_PRIVATE const char *json_edit_message(enum json_edit_error error) {
  static const char *const messages[] = {"",
#define JSON_EDIT_WORDS(name, message) message,
                                         JSON_EDIT_ERRORS(JSON_EDIT_WORDS)
#undef JSON_EDIT_WORDS
  };
  return messages[error];
}

/* ------------------------------------------------------------------------------------- adding */

/* The first, and so far only, item of a list. */
static int json_edit_add_first(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece) {
  struct json_slice lead, tail;
  FL_ASSERT(!l->trailing);
  if (!json_edit_space_inside(e, l, &lead, &tail)) return 0;
  if (!json_edit_join(e, json_edit_comments(e, l->inner), lead, &piece->lead)) return 0;
  piece->tail = tail;
  l->inner = json_slice_none();
  return json_edit_add(e, l, NULL, piece);
}

/* A new last item. What stands before the closing bracket comes after it, but for comments, which belong to the items
** before it. */
static int json_edit_add_last(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece) {
  struct json_edit_piece *last = json_edit_last_item(e, l);
  struct json_slice *space, lead;
  int single;
  if (!last && e->error) return 0;
  if (l->is_object) piece->colon = json_edit_colon_like(e, l, last);
  if (!last) return json_edit_add_first(e, l, piece);
  single = !json_edit_before(&l->pieces, &last->node);
  lead = json_edit_lead_like(e, l, last, single);
  space = l->trailing ? &l->inner : &last->tail;
  if (!json_edit_join(e, json_edit_comments(e, *space), lead, &piece->lead)) return 0;
  if (l->trailing) *space = json_edit_blanks(e, *space);
  else piece->tail = json_edit_blanks(e, *space), *space = json_slice_none();
  return json_edit_add(e, l, NULL, piece);
}

/* A new item before another one. A comment in the line before that one stays where it is. */
static int json_edit_add_before_item(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *at,
                                     struct json_edit_piece *piece) {
  const struct json_slice line = json_edit_line_comment(e, at->lead);
  const int first = !json_edit_before(&l->pieces, &at->node);
  struct json_slice lead = json_edit_lead_like(e, l, at, 0);
  if (!json_edit_join(e, line, lead, &piece->lead)) return 0;
  at->lead.begin = line.end;
  if (first && !json_edit_has_comment(e, at->lead)) {
    const struct json_edit_piece *second = json_edit_item_after(e, l, at);
    if (!second && e->error) return 0;
    if (second) at->lead = json_edit_lead_like(e, l, second, 0);
    else at->lead = json_edit_lead_like(e, l, at, 1);
  }
  return json_edit_add(e, l, at, piece);
}

/* ------------------------------------------------------------------------------------- removing */

/* The only item: the list is empty afterwards. */
static int json_edit_remove_only(struct json_edit *e, struct json_edit_list *l, struct json_slice comments,
                                 struct json_slice tail) {
  struct json_slice rest = l->trailing ? l->inner : tail;
  const int any = comments.begin < comments.end || json_edit_has_comment(e, rest);
  if (!any) l->inner = json_slice_none();
  else if (!json_edit_join(e, comments, rest, &l->inner)) return 0;
  l->trailing = 0;
  return 1;
}

/* The comments of an item that is taken out, before the one after it. */
static int json_edit_leave_comments(struct json_edit *e, const struct json_edit_piece *piece,
                                    struct json_slice comments, struct json_slice *lead) {
  const struct json_slice space = json_edit_blanks(e,
                                                   json_edit_has_comment(e, piece->tail) ? piece->tail : piece->lead);
  const struct json_slice line = json_edit_last_line(space);
  if (line.begin < line.end && line.begin == space.begin && !json_edit_starts_line(*lead)) {
    while (lead->begin < lead->end && (*lead->begin == ' ' || *lead->begin == '\t')) lead->begin++;
    if (!json_edit_join(e, space, *lead, lead)) return 0;
  }
  return json_edit_join(e, comments, *lead, lead);
}

/* An item with its comma; the white space that is left is what would be there without it. Comments stay. */
FL_PRIVATE int json_edit_remove(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece) {
  struct json_edit_piece *before = json_edit_piece_of(json_edit_before(&l->pieces, &piece->node));
  struct json_edit_piece *after = json_edit_piece_of(json_edit_after(&l->pieces, &piece->node));
  struct json_slice comments = json_edit_comments(e, piece->tail), tail = json_edit_blanks(e, piece->tail);
  int any;
  if (comments.begin == comments.end) comments = json_edit_comments(e, piece->lead);
  else if (!json_edit_join(e, json_edit_comments(e, piece->lead), comments, &comments)) return 0;
  any = comments.begin < comments.end;
  if (after && (any || !before)) {
    if (!(after = json_edit_item_after(e, l, piece))) return 0;
    if (any && !json_edit_leave_comments(e, piece, comments, &after->lead)) return 0;
    if (!any && !json_edit_has_comment(e, after->lead)) after->lead = piece->lead;
  } else if (!after && !before) {
    if (!json_edit_remove_only(e, l, comments, tail)) return 0;
  } else if (!after && l->trailing) {
    if (any && !json_edit_join(e, comments, l->inner, &l->inner)) return 0;
  } else if (!after) {
    if (!(before = json_edit_item_before(e, l, piece))) return 0;
    if (any && !json_edit_join(e, comments, tail, &tail)) return 0;
    if (!json_edit_has_comment(e, before->tail)) before->tail = tail;
    else if (!json_edit_join(e, before->tail, tail, &before->tail)) return 0;
  }
  return json_edit_drop(e, l, piece);
}

/* ------------------------------------------------------------------------------------- one change */

/* The piece that one step leads to from a list; NULL: there is none, or with e->error an error. *can_add: an item
** may be added there, at the end. */
static struct json_edit_piece *json_edit_step(struct json_edit *e, struct json_edit_list *l,
                                              const struct json_step *step, int *can_add) {
  struct json_edit_piece *found = NULL;
  const char *at = l->entry->value.begin;
  int none = 0;
  *can_add = 0;
  if (l->is_object && !step->name) return json_edit_fail(e, JSON_EDIT_NO_NAME, at);
  if (!l->is_object && !step->indexes) return json_edit_fail(e, JSON_EDIT_NO_INDEX, at);
  if (l->is_object ? !json_edit_find_member(e, l, step->name, step->n, &found)
                   : !json_edit_find_item(e, l, step->index, &found, &none))
    return NULL;
  *can_add = !found && !none;
  return found;
}

static int json_edit_missing(struct json_edit *e, const struct json_edit_list *l) {
  return json_edit_fail(e, l->is_object ? JSON_EDIT_NO_MEMBER : JSON_EDIT_NO_ITEM, l->entry->value.begin) != NULL;
}

FL_PRIVATE struct json_edit_piece *json_edit_find(struct json_edit *e, const struct json_step *steps, size_t count,
                                                  struct json_edit_list **in) {
  struct json_edit_piece *piece = &e->root;
  int can_add;
  *in = NULL;
  for (e->step = 0; e->step < count; e->step++) {
    if (!(*in = json_edit_open(e, *in, piece))) return NULL;
    piece = json_edit_step(e, *in, &steps[e->step], &can_add);
    if (!piece && !e->error) (void)json_edit_missing(e, *in);
    if (!piece) return NULL;
  }
  return piece;
}

FL_PRIVATE int json_edit_set_value(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece,
                                   const struct json_edit_change *c) {
  piece->value = c->value;
  piece->list = NULL;
  piece->is_new = c->origin != JSON_EDIT_SOURCE;
  piece->is_written = c->origin == JSON_EDIT_WRITTEN;
  return !c->indented || json_edit_indent(e, l, piece, &piece->value);
}

FL_PRIVATE int json_edit_put(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *at,
                             const struct json_edit_change *c) {
  struct json_edit_piece *piece = json_edit_new_piece(e, 0);
  if (!piece) return 0;
  if (l->is_object) piece->name = c->name;
  if (!(at ? json_edit_add_before_item(e, l, at, piece) : json_edit_add_last(e, l, piece))) return 0;
  return json_edit_set_value(e, l, piece, c);
}

static int json_edit_append(struct json_edit *e, const struct json_edit_change *c) {
  struct json_edit_list *l;
  struct json_edit_piece *found, *piece = json_edit_find(e, c->steps, c->count, &l);
  int none;
  if (!piece || !(l = json_edit_open(e, l, piece))) {
    if (e->error == JSON_EDIT_SCALAR && e->step == c->count) e->error = JSON_EDIT_NO_ARRAY;
    return 0;
  }
  if (l->is_object) return json_edit_fail(e, JSON_EDIT_NO_ARRAY, l->entry->value.begin) != NULL;
  return json_edit_find_item(e, l, JSON_EDIT_AFTER_LAST, &found, &none) && json_edit_put(e, l, NULL, c);
}

FL_PRIVATE int json_edit_apply(struct json_edit *e, const struct json_edit_change *c) {
  struct json_edit_list *l;
  struct json_edit_piece *piece;
  int can_add;
  if (c->operation == JSON_EDIT_APPEND) return json_edit_append(e, c);
  e->step = 0;
  if (c->count == 0 && (c->operation == JSON_EDIT_INSERT || c->operation == JSON_EDIT_REMOVE))
    return json_edit_fail(e, JSON_EDIT_ROOT, e->root.value.begin) != NULL;
  if (c->count == 0) return json_edit_set_value(e, NULL, &e->root, c);
  if (!(piece = json_edit_find(e, c->steps, c->count - 1, &l)) || !(l = json_edit_open(e, l, piece))) return 0;
  piece = json_edit_step(e, l, &c->steps[c->count - 1], &can_add);
  if (e->error) return 0;
  if (!piece && (c->operation == JSON_EDIT_REMOVE || c->operation == JSON_EDIT_REPLACE || !can_add))
    return json_edit_missing(e, l);
  if (!piece) return json_edit_put(e, l, NULL, c);
  if (c->operation == JSON_EDIT_REMOVE) return json_edit_remove(e, l, piece);
  if (c->operation == JSON_EDIT_SET || c->operation == JSON_EDIT_REPLACE ||
      (c->operation == JSON_EDIT_ADD && l->is_object))
    return json_edit_set_value(e, l, piece, c);
  if (l->is_object) return json_edit_fail(e, JSON_EDIT_EXISTS, l->entry->value.begin) != NULL;
  return json_edit_put(e, l, piece, c);
}
