/* SPDX-License-Identifier: MIT
** edit.c -- changes values of a JSON text; every byte that no change touches stays as it is.
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
  e->is_unsure = 0;
  e->last_run = NULL;
  e->line_end = json_slice_none();
  e->patch = NULL;
  e->one_line = 0;
  e->may_repeat = 0;
  memset(root, 0, sizeof *root);
  root->node.count = 1;
  root->lead = json_edit_space_of(json_slice_of(e->begin, value));
  root->value = json_slice_of(value, end);
  root->tail = json_edit_space_of(json_slice_of(end, e->end));
  root->name = root->colon = json_slice_none();
}

FL_PRIVATE const char *json_edit_find_end(struct json_edit *e, const char *p) {
  const char *end = e->scan.end, *q;
  if (!(e->scan.grammar & JSON_WIDE_SPACE) && (*p == '[' || *p == '{')) { /* brackets are tested later */
    while (json_is_blank(end[-1])) end--;
    return end;
  }
  if (!(p = json_edit_after_value(e, p)) || !(q = json_edit_skip_space(e, p))) return NULL;
  return q == end ? p : json_scan_error(&e->scan, JSON_CHECK_AFTER, q);
}

FL_PRIVATE const char *json_edit_message(enum json_edit_error error) {
  static const char *const messages[] = {"",
#define JSON_EDIT_WORDS(name, kind, message) message,
                                         JSON_EDIT_ERRORS(JSON_EDIT_WORDS)
#undef JSON_EDIT_WORDS
  };
  return messages[error];
}

FL_PRIVATE enum fl_kind json_edit_kind(enum json_edit_error error) {
  static const unsigned char kinds[] = {FL_KIND_NONE, JSON_EDIT_ERRORS(FL_KIND_OF)};
  return (enum fl_kind)kinds[error];
}

/* Sets the white space before an item: the comments, then the blanks. Returns 0 after an error. */
static int json_edit_set_lead(struct json_edit *e, struct json_edit_piece *piece, struct json_edit_comments *comments,
                              struct json_slice blanks) {
  piece->lead = json_edit_space_of(blanks);
  piece->lead.is_parted = 1;
  return json_edit_put_comments(e, comments, &piece->lead);
}

static int json_edit_add_first(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece) {
  struct json_slice lead, tail;
  FL_ASSERT(!l->trailing);
  if (!json_edit_space_inside(e, l, &lead, &tail) || !json_edit_part(e, &l->inner)) return 0;
  if (!json_edit_set_lead(e, piece, l->inner.comments, lead)) return 0;
  piece->tail = json_edit_space_of(tail);
  l->inner = json_edit_space_of(json_slice_none());
  return json_edit_add(e, l, NULL, piece);
}

/* Adds a new last item. The white space before the closing bracket stays there; comments in it belong to the items
** before and come before the new item. */
static int json_edit_add_last(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece) {
  struct json_edit_piece *last = json_edit_last_item(e, l);
  struct json_slice lead;
  if (!last && e->error) return 0;
  if (l->is_object) piece->colon = json_edit_colon_like(e, l, last);
  if (!last) return json_edit_add_first(e, l, piece);
  if (!json_edit_lead_like(e, l, last, !json_edit_neighbour(&l->pieces, &last->node, JSON_EDIT_BEFORE), &lead))
    return 0;
  struct json_edit_space *space = l->trailing ? &l->inner : &last->tail;
  if (!json_edit_part(e, space) || !json_edit_set_lead(e, piece, space->comments, lead)) return 0;
  space->comments = NULL;
  if (!l->trailing) {
    piece->tail = *space;
    *space = json_edit_space_of(json_slice_none());
  }
  return json_edit_add(e, l, NULL, piece);
}

/* Adds an item before another one. A comment on the line before that one stays there. */
static int json_edit_add_before_item(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *at,
                                     struct json_edit_piece *piece) {
  const int first = !json_edit_neighbour(&l->pieces, &at->node, JSON_EDIT_BEFORE);
  struct json_slice lead;
  if (!json_edit_lead_like(e, l, at, 0, &lead)) return 0;
  struct json_edit_comments *line = json_edit_take_line(e, &at->lead);
  if ((!line && e->error) || !json_edit_set_lead(e, piece, line, lead)) return 0;
  if (first && !at->lead.comments) {
    struct json_edit_piece *second = json_edit_item_beside(e, l, at, JSON_EDIT_AFTER);
    if ((!second && e->error) || !json_edit_lead_like(e, l, second ? second : at, !second, &lead)) return 0;
    at->lead.blanks = lead;
  }
  return json_edit_add(e, l, at, piece);
}

/* Moves the white space after a removed last item, `tail`, to the new last item, after the comments there. */
static int json_edit_leave_tail(struct json_edit *e, struct json_edit_comments *comments, struct json_slice tail,
                                struct json_edit_space *to) {
  struct json_edit_space rest = json_edit_space_of(tail);
  rest.is_parted = 1;
  if (!json_edit_part(e, to) || !json_edit_put_comments(e, comments, &rest) ||
      !json_edit_put_comments(e, to->comments, &rest))
    return 0;
  *to = rest;
  return 1;
}

/* Removes an item with its comma, and leaves the white space that would be there without it. Keeps comments. */
FL_PRIVATE int json_edit_remove(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece) {
  struct json_edit_piece *before = json_edit_piece_of(json_edit_neighbour(&l->pieces, &piece->node, JSON_EDIT_BEFORE));
  struct json_edit_piece *after = json_edit_piece_of(json_edit_neighbour(&l->pieces, &piece->node, JSON_EDIT_AFTER));
  if (!json_edit_part(e, &piece->lead) || !json_edit_part(e, &piece->tail)) return 0;
  struct json_slice tail = piece->tail.blanks;
  const struct json_slice blanks = piece->tail.comments ? tail : piece->lead.blanks;
  if (!json_edit_put_comments(e, piece->lead.comments, &piece->tail)) return 0;
  struct json_edit_comments *comments = piece->tail.comments;
  if (after && (comments || !before)) {
    if (!(after = json_edit_item_beside(e, l, piece, JSON_EDIT_AFTER)) || !json_edit_part(e, &after->lead)) return 0;
    if (comments && !json_edit_begin_line(e, blanks, &after->lead)) return 0;
    if (!json_edit_put_comments(e, comments, &after->lead)) return 0;
    if (!after->lead.comments) after->lead.blanks = piece->lead.blanks;
  } else if (!after && !before) {
    if (!json_edit_part(e, &l->inner)) return 0;
    if (l->trailing) tail = l->inner.blanks;
    if (!comments && !l->inner.comments) tail = json_slice_none();
    l->inner.blanks = tail;
    if (!json_edit_put_comments(e, comments, &l->inner)) return 0;
    l->trailing = 0;
  } else if (!after && l->trailing) {
    if (!json_edit_part(e, &l->inner) || !json_edit_put_comments(e, comments, &l->inner)) return 0;
  } else if (!after) {
    if (!(before = json_edit_item_beside(e, l, piece, JSON_EDIT_BEFORE)) ||
        !json_edit_leave_tail(e, comments, tail, &before->tail))
      return 0;
  }
  return json_edit_drop(e, l, piece);
}

/* Moves a value. A container that changes went through moves as its list, so that each value is copied at most once. An
** item of an inserted text is not followed by a 0, so if it is a container it becomes a list, too. */
FL_PRIVATE int json_edit_take(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece,
                              struct json_edit_change *c) {
  const char *const begin = piece->value.begin;
  if (!piece->list && !piece->is_new && !(begin >= e->begin && begin < e->end) && (*begin == '[' || *begin == '{') &&
      !json_edit_open(e, l, piece))
    return 0;
  c->value = piece->value;
  c->list = piece->list;
  c->level = l->level;
  return (c->list || json_edit_value(e, piece, &c->value, &c->origin)) && json_edit_remove(e, l, piece);
}

/* Returns the piece that one step leads to. NULL if there is none, or after an error with e->error set. *can_add: an
** item may be added there at the end. */
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

FL_PRIVATE struct json_edit_piece *json_edit_follow(struct json_edit *e, struct json_edit_list **in,
                                                    struct json_edit_piece *piece, const struct json_step *steps,
                                                    size_t from, size_t to) {
  int can_add;
  for (e->step = from; e->step < to; e->step++) {
    if (!(*in = json_edit_open(e, *in, piece))) return NULL;
    piece = json_edit_step(e, *in, &steps[e->step], &can_add);
    if (!piece && !e->error) (void)json_edit_missing(e, *in);
    if (!piece) return NULL;
  }
  return piece;
}

FL_PRIVATE struct json_edit_piece *json_edit_find(struct json_edit *e, const struct json_step *steps, size_t count,
                                                  struct json_edit_list **in) {
  *in = NULL;
  return json_edit_follow(e, in, &e->root, steps, 0, count);
}

FL_PRIVATE int json_edit_set_value(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece,
                                   const struct json_edit_change *c) {
  const size_t level = l ? l->level : 0;
  if (c->level != level && c->level > 0 && (c->list || *c->value.begin == '[' || *c->value.begin == '{'))
    e->is_unsure = 1;
  if (!e->is_unsure && c->level == 0 &&
      !json_edit_fits(e, c->value, c->origin == JSON_EDIT_NEW ? 0 : e->grammar, level)) {
    e->step = c->count;
    return json_edit_fail(e, JSON_EDIT_DEPTH, NULL) != NULL;
  }
  piece->value = c->value;
  piece->list = c->list;
  if (c->list) c->list->entry = piece, c->list->above = l;
  piece->is_new = c->origin != JSON_EDIT_SOURCE;
  piece->is_written = c->origin == JSON_EDIT_WRITTEN;
  return !c->indented || json_edit_indent(e, l, piece, c->source);
}

FL_PRIVATE int json_edit_put(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *at,
                             const struct json_edit_change *c) {
  struct json_edit_piece *piece = json_edit_new_piece(e, 0);
  if (!piece) return 0;
  if (l->is_object) piece->name = c->name;
  if (!(at ? json_edit_add_before_item(e, l, at, piece) : json_edit_add_last(e, l, piece))) return 0;
  return json_edit_set_value(e, l, piece, c);
}

static int json_edit_append(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece,
                            const struct json_edit_change *c, size_t from) {
  struct json_edit_piece *found;
  int none;
  if (!(piece = json_edit_follow(e, &l, piece, c->steps, from, c->count)) || !(l = json_edit_open(e, l, piece))) {
    if (e->error == JSON_EDIT_SCALAR && e->step == c->count) e->error = JSON_EDIT_NO_ARRAY;
    return 0;
  }
  if (l->is_object) return json_edit_fail(e, JSON_EDIT_NO_ARRAY, l->entry->value.begin) != NULL;
  return json_edit_find_item(e, l, JSON_EDIT_AFTER_LAST, &found, &none) && json_edit_put(e, l, NULL, c);
}

FL_PRIVATE int json_edit_finds_nothing(struct json_edit *e) {
  if (e->error < JSON_EDIT_SCALAR || e->error > JSON_EDIT_NO_ITEM) return 0;
  e->error = JSON_EDIT_OK;
  return 1;
}

/* Changes the value of the piece itself. */
static int json_edit_apply_here(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece,
                                const struct json_edit_change *c) {
  const int sets = c->operation == JSON_EDIT_SET || c->operation >= JSON_EDIT_ADD;
  e->step = c->count;
  if (sets) return json_edit_set_value(e, l, piece, c);
  if (!l || c->operation == JSON_EDIT_INSERT) return json_edit_fail(e, JSON_EDIT_ROOT, piece->value.begin) != NULL;
  return json_edit_remove(e, l, piece);
}

FL_PRIVATE int json_edit_apply_from(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece,
                                    const struct json_edit_change *c, size_t from) {
  int can_add;
  if (c->operation == JSON_EDIT_APPEND) return json_edit_append(e, l, piece, c, from);
  if (from == c->count) return json_edit_apply_here(e, l, piece, c);
  if (c->operation == JSON_EDIT_DISCARD) {
    if (!(piece = json_edit_follow(e, &l, piece, c->steps, from, c->count))) return json_edit_finds_nothing(e);
    return json_edit_remove(e, l, piece);
  }
  if (!(piece = json_edit_follow(e, &l, piece, c->steps, from, c->count - 1)) || !(l = json_edit_open(e, l, piece)))
    return 0;
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

FL_PRIVATE int json_edit_apply(struct json_edit *e, const struct json_edit_change *c) {
  return json_edit_apply_from(e, NULL, &e->root, c, 0);
}
