/* SPDX-License-Identifier: MIT
** places.c -- makes edit pieces of the values that changes lead to, found while the text is tested.
** Must hold: as json_edit_place says. */
#include "edit.h"

#include "lists.h"

static const char *json_edit_before_blanks(const char *p) {
  while (json_is_blank(p[-1])) p--;
  return p;
}

/* Returns the opening quote of the string that ends before p: the last quote before its end that is not escaped. */
static const char *json_edit_begin_of_string(const char *p) {
  const char *q;
  p--;
  do {
    do p--;
    while (*p != '"');
    for (q = p; q[-1] == '\\';) q--;
  } while ((p - q) % 2 != 0);
  return p;
}

static void json_edit_item_around(const struct json_edit_list *l, struct json_slice value,
                                  struct json_edit_item *item) {
  const char *p = json_edit_before_blanks(value.begin), *end = value.end;
  item->name = item->name_end = NULL;
  item->value = value.begin;
  item->value_end = value.end;
  if (l->is_object) {
    item->name_end = json_edit_before_blanks(p - 1); /* before the colon */
    item->name = json_edit_begin_of_string(item->name_end);
    p = json_edit_before_blanks(item->name);
  }
  item->begin = p;
  while (json_is_blank(*end)) end++;
  item->end = end;
}

/* A piece and its list. */
struct json_edit_placed {
  struct json_edit_piece *piece;
  struct json_edit_list *list;
};

FL_PRIVATE int json_edit_place(struct json_edit *e, const struct json_goal *goals, uint32_t count,
                               const struct json_slice *found) {
  struct json_edit_placed *placed = (struct json_edit_placed *)json_edit_memory(e, count * sizeof *placed);
  if (!placed) return 0;
  memset(placed, 0, count * sizeof *placed);
  placed[0].piece = &e->root;
  for (uint32_t g = 0; g < count; g++) {
    const struct json_goal *goal = &goals[g];
    struct json_edit_list *l;
    if (!placed[g].piece || !goal->count || (*placed[g].piece->value.begin | 0x20) != '{') continue;
    if (!(l = json_edit_open(e, placed[g].list, placed[g].piece))) return 0;
    l->known = &goals[goal->first];
    l->known_count = goal->count;
    l->asked = 1;
    for (uint32_t c = goal->first; c < goal->first + goal->count; c++) {
      struct json_edit_item item;
      if (!found[c].begin) continue;
      json_edit_item_around(l, found[c], &item);
      placed[c].list = l;
      if (!(placed[c].piece = json_edit_single_out(e, l, &item, goals[c].step.index))) return 0;
    }
  }
  return 1;
}
