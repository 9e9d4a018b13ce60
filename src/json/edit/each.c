/* SPDX-License-Identifier: MIT
** each.c -- a change wherever the wildcards of its path lead.
** Must hold: as edit.h. A level for each wildcard, and no recursion. */
#include "edit.h"

#include "lists.h"

/* A container that a wildcard goes through, and the item that comes next. */
struct json_edit_each_level {
  struct json_edit_list *list;
  struct json_edit_piece *next;
  size_t after; /* the step after the wildcard */
};

/* Begins to go through the container that the steps lead to from the piece, up to the next wildcard. Returns whether
** there is one of the wildcard's kind; 0 also after an error. */
static int json_edit_begin_each(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece,
                                const struct json_edit_change *c, size_t from, struct json_edit_each_level *to) {
  size_t at = from;
  while (!c->steps[at].each) at++;
  if (!(piece = json_edit_follow(e, &l, piece, c->steps, from, at)) || !(l = json_edit_open(e, l, piece)))
    return json_edit_finds_nothing(e), 0;
  if (l->is_object != (c->steps[at].each == '{')) return 0;
  to->list = l;
  to->next = json_edit_first_item(e, l);
  to->after = at + 1;
  return !e->error;
}

FL_PRIVATE int json_edit_apply_each(struct json_edit *e, const struct json_edit_change *c) {
  struct json_edit_each_level levels[JSON_EDIT_WILDCARDS];
  size_t last = c->count, depth;
  while (last > 0 && !c->steps[last - 1].each) last--;
  FL_ASSERT(last > 0);
  depth = (size_t)json_edit_begin_each(e, NULL, &e->root, c, 0, &levels[0]);
  while (depth > 0 && !e->error) {
    struct json_edit_each_level *level = &levels[depth - 1];
    struct json_edit_piece *piece = level->next;
    if (!piece) {
      depth--;
      continue;
    }
    level->next = json_edit_item_beside(e, level->list, piece, JSON_EDIT_AFTER);
    if (e->error) break;
    if (level->after < last) depth += (size_t)json_edit_begin_each(e, level->list, piece, c, level->after, level + 1);
    else if (!json_edit_apply_from(e, level->list, piece, c, level->after)) (void)json_edit_finds_nothing(e);
  }
  return !e->error;
}
