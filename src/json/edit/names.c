/* SPDX-License-Identifier: MIT
** names.c -- names of steps; the members of an object in the order of their names.
** Must hold: as names.h. */
#include "names.h"

FL_PRIVATE int json_edit_mend_names(struct json_edit *e, struct json_step *steps, size_t count,
                                    const struct text_style *style) {
  for (e->step = 0; e->step < count; e->step++) {
    struct json_step *const step = &steps[e->step];
    char *w;
    if (!step->name || text_utf8_valid(step->name, step->n) == step->n) continue;
    if (style->invalid == TEXT_INVALID_ERROR) return json_edit_fail(e, JSON_EDIT_UTF8, NULL) != NULL;
    if (step->n > SIZE_MAX / 4 || !(w = (char *)json_edit_memory(e, 3 * step->n))) return 0;
    step->n = (size_t)(text_mend(w, step->name, step->n, style) - w);
    step->name = w;
  }
  return 1;
}

/* Compares names by length, then by bytes. */
static int json_edit_compare(struct json_slice a, struct json_slice b) {
  const size_t n = json_slice_length(a), m = json_slice_length(b);
  return n != m ? (n < m ? -1 : 1) : memcmp(a.begin, b.begin, n);
}

/* Returns the node of the name, or the last node compared, with the result of the comparison in *order. It becomes the
** root. NULL if there are no names. */
static struct json_edit_name *json_edit_seek_name(struct json_edit_list *l, struct json_slice name, int *order) {
  struct json_edit_node *n = l->names, *last = NULL;
  *order = 0;
  while (n) {
    last = n;
    *order = json_edit_compare(name, json_edit_name_of(n)->name);
    if (*order == 0) break;
    n = n->child[*order < 0 ? JSON_EDIT_BEFORE : JSON_EDIT_AFTER];
  }
  if (last) json_edit_splay(&l->names, last);
  return json_edit_name_of(last);
}

FL_PRIVATE int json_edit_add_name(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece) {
  struct json_edit_name *made, *near;
  struct json_slice name;
  int order;
  if (!json_edit_read_name(e, piece->name, &name)) return 0;
  near = json_edit_seek_name(l, name, &order);
  if (near && order == 0) {
    near->several = 1;
    return 1;
  }
  if (!(made = (struct json_edit_name *)json_edit_memory(e, sizeof *made))) return 0;
  memset(made, 0, sizeof *made);
  made->node.count = 1;
  made->piece = piece;
  made->name = name;
  json_edit_add_node(&l->names, near ? &near->node : NULL, &made->node, order < 0 ? JSON_EDIT_BEFORE : JSON_EDIT_AFTER);
  return 1;
}

FL_PRIVATE int json_edit_find_name(struct json_edit *e, struct json_edit_list *l, const char *s, size_t n,
                                   struct json_edit_piece **found) {
  int order;
  const struct json_edit_name *name = json_edit_seek_name(l, json_slice_of(s, s + n), &order);
  *found = name && order == 0 ? name->piece : NULL;
  if (!*found || !name->several || e->may_repeat) return 1;
  return json_edit_fail(e, JSON_EDIT_DUPLICATE, l->entry->value.begin) != NULL;
}

FL_PRIVATE int json_edit_drop_name(struct json_edit *e, struct json_edit_list *l, const struct json_edit_piece *piece) {
  struct json_slice s;
  int order;
  if (!json_edit_read_name(e, piece->name, &s)) return 0;
  struct json_edit_name *name = json_edit_seek_name(l, s, &order);
  FL_ASSERT(name && order == 0 && name->piece == piece && !name->several);
  (void)order;
  json_edit_take_out(&l->names, &name->node);
  return 1;
}
