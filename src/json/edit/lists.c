/* SPDX-License-Identifier: MIT
** lists.c -- the items of a container that changes go through: finding, splitting off, adding and removing them.
** Must hold: as lists.h. */
#include "lists.h"

#include "names.h"

enum {
  JSON_EDIT_RUN = 64,         /* items in a short run */
  JSON_EDIT_RUN_BYTES = 4096, /* bytes in a short run; a longer item is a run of its own */
  JSON_EDIT_SEARCHES = 3      /* after so many linear searches an object is ordered by name */
};

/* In a text that may have trailing commas: if a comma follows the last item, ends the run before it. */
static int json_edit_find_trailing(struct json_edit *e, struct json_edit_list *l, struct json_slice *run) {
  const char *p = run->begin, *end = run->end, *q;
  struct json_edit_item item;
  for (;;) {
    if (!json_edit_read_item(e, l, p, end, &item)) return 0;
    if (item.end == end) return 1;
    p = item.end + 1;
    if (!(q = json_edit_skip_space(e, p))) return 0;
    if (q != end) continue;
    l->trailing = 1;
    l->inner = json_edit_space_of(json_slice_of(p, end));
    run->end = item.end;
    return 1;
  }
}

/* Reads the beginning of a container, and makes its contents one run. */
static int json_edit_fill(struct json_edit *e, struct json_edit_list *l, const char *begin, const char *end) {
  struct json_slice run = json_slice_of(begin + 1, end - 1);
  struct json_edit_piece *piece;
  const char *p;
  json_edit_read_from(e, l);
  if (end - begin < 2 || *run.end != (l->is_object ? '}' : ']')) {
    (void)json_scan_error(&e->scan, l->is_object ? JSON_CHECK_OBJECT : JSON_CHECK_ARRAY, end > begin ? end - 1 : end);
    return json_edit_fail(e, JSON_EDIT_TEXT, e->scan.at) != NULL;
  }
  l->inner = json_edit_space_of(run);
  if (!(p = json_edit_skip_space(e, run.begin))) return 0;
  if (p == run.end) return 1;
  l->inner = json_edit_space_of(json_slice_none());
  if ((e->scan.grammar & JSON_TRAILING_COMMAS) && !json_edit_find_trailing(e, l, &run)) return 0;
  if (!(piece = json_edit_new_piece(e, 1))) return 0;
  piece->value = run;
  json_edit_add_node(&l->pieces, NULL, &piece->node, JSON_EDIT_AFTER);
  return 1;
}

FL_PRIVATE struct json_edit_list *json_edit_open(struct json_edit *e, struct json_edit_list *above,
                                                 struct json_edit_piece *entry) {
  struct json_edit_list *l = entry->list;
  struct json_slice value = entry->value;
  if (l) return l;
  while (json_is_blank(*value.begin)) value.begin++; /* a raw value may have blanks around it */
  while (value.end > value.begin && json_is_blank(value.end[-1])) value.end--;
  if (*value.begin != '[' && *value.begin != '{')
    return (struct json_edit_list *)json_edit_fail(e, JSON_EDIT_SCALAR, value.begin);
  if (!(l = (struct json_edit_list *)json_edit_memory(e, sizeof *l))) return NULL;
  memset(l, 0, sizeof *l);
  l->entry = entry;
  l->above = above;
  l->level = above ? above->level + 1 : 1;
  l->is_object = *value.begin == '{';
  if (value.begin >= e->begin && value.begin < e->end) { /* part of the text, maybe moved */
    l->source = json_slice_of(e->begin, e->end);
  } else {
    l->is_strict = entry->is_new ? !entry->is_written : above && above->is_strict;
    l->source = entry->is_new ? value : above->source;
  }
  if (!json_edit_fill(e, l, value.begin, value.end)) return NULL;
  entry->list = l;
  return l;
}

static void json_edit_set_item(struct json_edit_piece *piece, const struct json_edit_item *item) {
  piece->is_run = 0;
  piece->lead = json_edit_space_of(json_slice_of(item->begin, item->name ? item->name : item->value));
  if (item->name) {
    piece->name = json_slice_of(item->name, item->name_end);
    piece->colon = json_slice_of(item->name_end, item->value);
  }
  piece->value = json_slice_of(item->value, item->value_end);
  piece->tail = json_edit_space_of(json_slice_of(item->value_end, item->end));
}

/* Makes an item of a run, with `number` items before it, a piece of its own. */
static struct json_edit_piece *json_edit_split(struct json_edit *e, struct json_edit_list *l,
                                               struct json_edit_piece *run, const struct json_edit_item *item,
                                               int64_t number) {
  const struct json_slice all = run->value;
  struct json_edit_piece *piece = run, *rest = NULL;
  FL_ASSERT(run->is_run && item->begin >= all.begin && item->end <= all.end);
  if (!l->asked) l->asked = 1; /* the list is not one run any more, which json_edit_find_first needs */
  e->last_run = NULL;
  if (item->begin > all.begin && !(piece = json_edit_new_piece(e, 0))) return NULL;
  if (item->end < all.end && !(rest = json_edit_new_piece(e, 1))) return NULL;
  if (rest) {
    rest->value = json_slice_of(item->end + 1, all.end);
    rest->node.count = run->node.count > number ? run->node.count - number - 1 : 0; /* if its items were counted */
    json_edit_add_node(&l->pieces, &run->node, &rest->node, JSON_EDIT_AFTER);
  }
  if (piece != run) {
    json_edit_add_node(&l->pieces, &run->node, &piece->node, JSON_EDIT_AFTER);
    run->value.end = item->begin - 1;
    json_edit_recount(&l->pieces, &run->node, number);
  } else {
    json_edit_recount(&l->pieces, &run->node, 1);
  }
  json_edit_set_item(piece, item);
  return piece;
}

/* Divides a run of an array into short ones; `run` keeps the last items. */
static int json_edit_divide(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *run) {
  struct json_slice *const rest = &run->value;
  const char *p = rest->begin;
  struct json_edit_item item;
  int64_t count = 0;
  for (;;) {
    struct json_edit_piece *piece;
    if (!json_edit_read_item(e, l, p, rest->end, &item)) return 0;
    count++;
    if (item.end == rest->end) break;
    p = item.end + 1;
    if (count < JSON_EDIT_RUN && item.end - rest->begin < JSON_EDIT_RUN_BYTES) continue;
    if (!(piece = json_edit_new_piece(e, 1))) return 0;
    piece->value = json_slice_of(rest->begin, item.end);
    piece->node.count = count;
    json_edit_add_node(&l->pieces, &run->node, &piece->node, JSON_EDIT_BEFORE);
    json_edit_recount(&l->pieces, &run->node, run->node.count > count ? run->node.count - count : 0);
    rest->begin = p;
    count = 0;
  }
  json_edit_recount(&l->pieces, &run->node, count);
  return 1;
}

/* Divides all runs of an array. The pieces stay valid; each run keeps its last items. */
static int json_edit_count(struct json_edit *e, struct json_edit_list *l) {
  if (l->counted) return 1;
  json_edit_read_from(e, l);
  e->last_run = NULL;
  for (struct json_edit_node *n = json_edit_outermost(&l->pieces, JSON_EDIT_BEFORE); n; n = json_edit_next(n))
    if (json_edit_piece_of(n)->is_run && !json_edit_divide(e, l, json_edit_piece_of(n))) return 0;
  l->counted = 1;
  return 1;
}

/* Returns the last or first item of a node as a piece. Finding the last one reads the run to its end, so before a
** second time the run is divided. */
static struct json_edit_piece *json_edit_end_of(struct json_edit *e, struct json_edit_list *l,
                                                struct json_edit_node *node, int last) {
  struct json_edit_piece *const piece = json_edit_piece_of(node);
  struct json_edit_item item;
  int64_t number = 0;
  if (!piece || !piece->is_run) return piece;
  if (last && !l->is_object && l->asked++ > 1 && !json_edit_count(e, l)) return NULL;
  json_edit_read_from(e, l);
  const char *p = piece->value.begin;
  if (last && e->last_run == piece) p = e->last_item, number = piece->node.count - 1;
  for (;; number++) {
    if (!json_edit_read_item(e, l, p, piece->value.end, &item)) return NULL;
    if (!last || item.end == piece->value.end) break;
    p = item.end + 1;
  }
  return json_edit_split(e, l, piece, &item, number);
}

FL_PRIVATE struct json_edit_piece *json_edit_first_item(struct json_edit *e, struct json_edit_list *l) {
  return json_edit_end_of(e, l, json_edit_outermost(&l->pieces, JSON_EDIT_BEFORE), 0);
}

FL_PRIVATE struct json_edit_piece *json_edit_last_item(struct json_edit *e, struct json_edit_list *l) {
  return json_edit_end_of(e, l, json_edit_outermost(&l->pieces, JSON_EDIT_AFTER), 1);
}

FL_PRIVATE struct json_edit_piece *json_edit_item_beside(struct json_edit *e, struct json_edit_list *l,
                                                         struct json_edit_piece *piece, enum json_edit_side side) {
  return json_edit_end_of(e, l, json_edit_neighbour(&l->pieces, &piece->node, side), side == JSON_EDIT_BEFORE);
}

FL_PRIVATE struct json_edit_piece *json_edit_single_out(struct json_edit *e, struct json_edit_list *l,
                                                        const struct json_edit_item *item, int64_t index) {
  for (struct json_edit_node *n = json_edit_outermost(&l->pieces, JSON_EDIT_BEFORE); n; n = json_edit_next(n)) {
    struct json_edit_piece *run = json_edit_piece_of(n);
    if (run->is_run && item->begin >= run->value.begin && item->end <= run->value.end)
      return json_edit_split(e, l, run, item, l->is_object ? 0 : index);
    index -= n->count;
  }
  FL_ASSERT(0);
  return (struct json_edit_piece *)json_edit_fail(e, JSON_EDIT_TEXT, item->begin);
}

/* Finds an item of an array, still one run, that is searched for the first time. */
static int json_edit_find_first(struct json_edit *e, struct json_edit_list *l, int64_t index,
                                struct json_edit_piece **found, int *found_none) {
  struct json_edit_piece *run = json_edit_piece_of(l->pieces);
  const char *p = run->value.begin, *end = run->value.end;
  struct json_edit_item item;
  int64_t number = 0;
  FL_ASSERT(run->is_run);
  json_edit_read_from(e, l);
  for (;;) {
    if (!json_edit_read_item(e, l, p, end, &item)) return 0;
    if (number == index) return (*found = json_edit_split(e, l, run, &item, number)) != NULL;
    number++;
    if (item.end < end) {
      p = item.end + 1;
      continue;
    }
    run->node.count = run->node.weight = number;
    e->last_run = run;
    e->last_item = p;
    if (index >= 0 || index < -number) break;
    index += number; /* from the end: now the length is known */
    number = 0;
    p = run->value.begin;
  }
  *found_none = index < 0 || index != number;
  return 1;
}

FL_PRIVATE int json_edit_find_item(struct json_edit *e, struct json_edit_list *l, int64_t index,
                                   struct json_edit_piece **found, int *found_none) {
  struct json_edit_piece *piece;
  struct json_edit_item item;
  int64_t length, number;
  *found = NULL;
  *found_none = 0;
  if (index == JSON_EDIT_AFTER_LAST) return l->asked++, 1;
  if (index >= 0 && l->pieces && index < l->pieces->weight) {
    number = index; /* only the last run may be uncounted */
    piece = json_edit_piece_of(json_edit_at(&l->pieces, &number));
    if (!piece->is_run) return *found = piece, 1;
  }
  if (l->asked++ == 0 && l->pieces) return json_edit_find_first(e, l, index, found, found_none);
  if (!json_edit_count(e, l)) return 0;
  length = l->pieces ? l->pieces->weight : 0;
  if (index < 0) index += length;
  *found_none = index < 0 || index > length;
  if (*found_none || index >= length) return 1;
  *found = piece = json_edit_piece_of(json_edit_at(&l->pieces, &index));
  if (!piece->is_run) return 1;
  json_edit_read_from(e, l);
  const char *p = piece->value.begin;
  for (number = 0;; number++) {
    if (!json_edit_read_item(e, l, p, piece->value.end, &item)) return 0;
    if (number == index) return (*found = json_edit_split(e, l, piece, &item, number)) != NULL;
    FL_ASSERT(item.end < piece->value.end);
    p = item.end + 1;
  }
}

/* The result of a search. */
struct json_edit_search {
  const char *s;
  size_t n;
  int several;
  struct json_edit_piece *piece; /* a member, or the run that contains it: */
  struct json_edit_item item;
};

static int json_edit_search_run(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *run,
                                struct json_edit_search *f) {
  const char *p = run->value.begin;
  for (;;) {
    struct json_edit_item item;
    if (!json_edit_read_item(e, l, p, run->value.end, &item)) return 0;
    const int is = json_edit_is_name(e, json_slice_of(item.name, item.name_end), f->s, f->n);
    if (is < 0) return 0;
    if (is && f->piece) {
      f->several = 1;
    } else if (is) {
      f->piece = run;
      f->item = item;
    }
    if (is && e->may_repeat) return 1;
    if (item.end == run->value.end) break;
    p = item.end + 1;
  }
  e->last_run = run;
  e->last_item = p;
  return 1;
}

/* Makes the first member of the list a piece, and adds it to the pieces and the names. Returns 0 after an error, with
** the list as before. */
static int json_edit_order_first(struct json_edit *e, struct json_edit_list *l, struct json_edit_node **pieces) {
  struct json_edit_node *n = json_edit_outermost(&l->pieces, JSON_EDIT_BEFORE);
  struct json_edit_piece *piece = json_edit_piece_of(n), *run = piece->is_run ? piece : NULL;
  struct json_edit_item item;
  if (run) {
    if (!json_edit_read_item(e, l, run->value.begin, run->value.end, &item)) return 0;
    if (!(piece = json_edit_new_piece(e, 0))) return 0;
    json_edit_set_item(piece, &item);
  }
  if (!json_edit_add_name(e, l, piece)) return 0;
  if (run && item.end < run->value.end) run->value.begin = item.end + 1;
  else json_edit_take_out(&l->pieces, n);
  json_edit_add_node(pieces, NULL, &piece->node, JSON_EDIT_AFTER);
  return 1;
}

/* Makes each member a piece, ordered by name. After an error the members are not ordered. */
static int json_edit_order(struct json_edit *e, struct json_edit_list *l) {
  struct json_edit_node *pieces = NULL, *n;
  int fine = 1;
  json_edit_read_from(e, l);
  e->last_run = NULL;
  while (fine && l->pieces) fine = json_edit_order_first(e, l, &pieces);
  if (!fine) l->names = NULL;
  while ((n = json_edit_outermost(&l->pieces, JSON_EDIT_BEFORE)) != NULL) {
    json_edit_take_out(&l->pieces, n);
    json_edit_add_node(&pieces, NULL, n, JSON_EDIT_AFTER);
  }
  l->pieces = pieces;
  return fine;
}

/* Returns whether the name was already looked for when the text was read. */
static int json_edit_knows(const struct json_edit_list *l, const char *s, size_t n) {
  for (uint32_t i = 0; i < l->known_count; i++) {
    const struct json_step *step = &l->known[i].step;
    if (step->name && step->n == n && memcmp(step->name, s, n) == 0) return 1;
  }
  return 0;
}

/* Finds a member whose name was looked for already: if it exists it is a piece. */
static int json_edit_find_known(struct json_edit *e, struct json_edit_list *l, const char *s, size_t n,
                                struct json_edit_piece **found) {
  struct json_edit_node *at;
  json_edit_read_from(e, l);
  for (at = json_edit_outermost(&l->pieces, JSON_EDIT_BEFORE); at && !*found; at = json_edit_next(at)) {
    struct json_edit_piece *piece = json_edit_piece_of(at);
    const int is = piece->is_run ? 0 : json_edit_is_name(e, piece->name, s, n);
    if (is < 0) return 0;
    if (is) *found = piece;
  }
  return 1;
}

FL_PRIVATE int json_edit_find_member(struct json_edit *e, struct json_edit_list *l, const char *s, size_t n,
                                     struct json_edit_piece **found) {
  struct json_edit_node *at, *next;
  *found = NULL;
  if (!l->names && json_edit_knows(l, s, n)) return json_edit_find_known(e, l, s, n, found);
  if (l->asked < JSON_EDIT_SEARCHES) l->asked++;
  else if (!l->names && l->pieces && !json_edit_order(e, l)) return 0;
  if (l->names) return json_edit_find_name(e, l, s, n, found);
  struct json_edit_search f = {0};
  f.s = s;
  f.n = n;
  json_edit_read_from(e, l);
  for (at = json_edit_outermost(&l->pieces, JSON_EDIT_BEFORE); at; at = next) {
    struct json_edit_piece *piece = json_edit_piece_of(at);
    int is = 0;
    if (piece->is_run ? !json_edit_search_run(e, l, piece, &f) : (is = json_edit_is_name(e, piece->name, s, n)) < 0)
      return 0;
    if (is) f.several |= f.piece != NULL, f.piece = piece;
    if (f.piece && e->may_repeat) break;
    next = json_edit_next(at);
  }
  if (f.several) return json_edit_fail(e, JSON_EDIT_DUPLICATE, l->entry->value.begin) != NULL;
  *found = f.piece;
  if (!f.piece || !f.piece->is_run) return 1;
  return (*found = json_edit_split(e, l, f.piece, &f.item, 0)) != NULL;
}

FL_PRIVATE int json_edit_add(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *at,
                             struct json_edit_piece *piece) {
  if (l->names && !json_edit_add_name(e, l, piece)) return 0;
  json_edit_add_node(&l->pieces, at ? &at->node : NULL, &piece->node, JSON_EDIT_BEFORE);
  return 1;
}

FL_PRIVATE int json_edit_drop(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece) {
  json_edit_take_out(&l->pieces, &piece->node);
  return !l->names || json_edit_drop_name(e, l, piece);
}
