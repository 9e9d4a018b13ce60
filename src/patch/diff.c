/* SPDX-License-Identifier: MIT
** diff.c -- what makes one value of another, as a JSON Patch (RFC 6902).
** Must hold: as diff.h. Changes are listed in the order in which they are made: what stands before the place of a
** change is as in the new value already, so an index is that of the new array. */
#include "diff.h"

#include "../number/integer.h"
#include "ids.h"
#include "sequence.h"
#include "sizes.h"

/* Two containers of a kind that are compared. */
struct patch_level {
  struct patch_level *up;
  struct patch_value *a, *b;
  const struct patch_step *at;
  struct patch_list_of_changes before; /* the changes before those of this level */
  struct patch_value *next;            /* object: the member of b that is next, or of a, while they are removed */
  /* arrays: */
  struct patch_value *x, *y; /* the items that are next, NULL at the end */
  unsigned char *kept[2];    /* items that stay; */
  size_t i, j;               /* the numbers of x and y, */
  size_t pairs;              /* and how many items from there on are compared with each other */
};

struct patch_work {
  struct patch_diff *d;
  struct json_edit *e;
  struct patch_ids ids;
  struct patch_sequences sequences;
  struct patch_level *level, *unused;
};

/* ------------------------------------------------------------------------------------- changes */

static const struct patch_step *patch_make_step(struct json_edit *e, const struct patch_step *up, const char *name,
                                                size_t n, size_t index) {
  struct patch_step *step = (struct patch_step *)json_edit_memory(e, sizeof *step);
  char digits[NUM_ROOM];
  if (!step) return NULL;
  step->up = up;
  step->name = name;
  step->n = n;
  step->index = index;
  step->length = (up ? up->length : 0) + 1;
  step->length += name ? patch_escaped_length(name, n, 1) : (size_t)(num_write_u64(digits, index) - digits);
  return step;
}

static int patch_add_change(struct patch_work *k, enum patch_write is, const struct patch_step *at,
                            const struct patch_value *value) {
  struct patch_list_of_changes *to = &k->d->changes;
  struct patch_change *c = (struct patch_change *)json_edit_memory(k->e, sizeof *c);
  if (!c) return 0;
  c->next = NULL;
  c->at = at;
  c->value = value;
  c->is = is;
  if (to->last) to->last->next = c;
  else to->first = c;
  to->last = c;
  to->size += patch_operation_size(is, at, value);
  return 1;
}

/* Removes `was`, or replaces it. */
static int patch_drop(struct patch_work *k, const struct patch_step *at, const struct patch_value *was,
                      const struct patch_value *value) {
  if (k->d->tests && !patch_add_change(k, PATCH_TEST, at, was)) return 0;
  return patch_add_change(k, value ? PATCH_REPLACE : PATCH_REMOVE, at, value);
}

/* ------------------------------------------------------------------------------------- levels */

/* Lists the numbers of the items. */
static uint32_t *patch_item_ids(struct json_edit *e, const struct patch_value *array) {
  uint32_t *ids = (uint32_t *)json_edit_memory(e, array->n * sizeof *ids);
  const struct patch_value *v = array->is.first;
  size_t i;
  for (i = 0; ids && v; v = v->next) ids[i++] = v->id;
  return ids;
}

static int patch_begin_arrays(struct patch_work *k, struct patch_level *l) {
  const size_t n = l->a->n, m = l->b->n;
  uint32_t *a, *b;
  if (!(l->kept[0] = (unsigned char *)json_edit_memory(k->e, n + m))) return 0;
  memset(l->kept[0], 0, n + m);
  l->kept[1] = l->kept[0] + n;
  l->x = n > 0 ? l->a->is.first : NULL;
  l->y = m > 0 ? l->b->is.first : NULL;
  if (n == 0 || m == 0) return 1;
  if (!(a = patch_item_ids(k->e, l->a)) || !(b = patch_item_ids(k->e, l->b))) return 0;
  return patch_compare(&k->sequences, a, n, b, m, l->kept);
}

/* Finds for each member of a that of b with the same name, and removes the others. */
static int patch_begin_objects(struct patch_work *k, struct patch_level *l) {
  struct patch_value *x = l->a->least, *y = l->b->least;
  while (x && y) {
    const int order = patch_compare_names(x, y);
    if (order == 0) x->match = y, y->match = x;
    if (order <= 0) x = x->after;
    if (order >= 0) y = y->after;
  }
  for (x = l->a->is.first; x; x = x->next) {
    const struct patch_step *at;
    if (x->match) continue;
    if (!(at = patch_make_step(k->e, l->at, x->name, x->name_length, 0)) || !patch_drop(k, at, x, NULL)) return 0;
  }
  l->next = l->b->is.first;
  return 1;
}

/* Compares two values at one place. False: an error. */
static int patch_compare_values(struct patch_work *k, const struct patch_step *up, const char *name, size_t n,
                                size_t index, struct patch_value *a, struct patch_value *b, int is_root) {
  const struct patch_step *at = NULL;
  struct patch_level *l;
  if (a->id == b->id || (!patch_is_container(a) && patch_equal_scalars(a, b))) return 1;
  if (!is_root && !(at = patch_make_step(k->e, up, name, n, index))) return 0;
  if (a->kind != b->kind || !patch_is_container(a)) return patch_drop(k, at, a, b);
  l = k->unused;
  if (l) k->unused = l->up;
  else if (!(l = (struct patch_level *)json_edit_memory(k->e, sizeof *l))) return 0;
  memset(l, 0, sizeof *l);
  l->up = k->level;
  l->a = a;
  l->b = b;
  l->at = at;
  l->before = k->d->changes;
  k->level = l;
  return a->kind == PATCH_ARRAY ? patch_begin_arrays(k, l) : patch_begin_objects(k, l);
}

/* The level is done. If its changes are longer than the new value, that replaces the old one instead. */
static int patch_end_level(struct patch_work *k) {
  struct patch_level *l = k->level;
  struct patch_list_of_changes *now = &k->d->changes;
  size_t whole = patch_operation_size(PATCH_REPLACE, l->at, l->b);
  if (k->d->tests) whole += patch_operation_size(PATCH_TEST, l->at, l->a);
  k->level = l->up;
  l->up = k->unused;
  k->unused = l;
  if (now->size - l->before.size <= whole) return 1;
  *now = l->before;
  if (now->last) now->last->next = NULL;
  return patch_drop(k, l->at, l->a, l->b);
}

/* The next member of an object; 0: an error. */
static int patch_step_object(struct patch_work *k, struct patch_level *l) {
  struct patch_value *y = l->next;
  const struct patch_step *at;
  l->next = y->next;
  if (y->match) return patch_compare_values(k, l->at, y->name, y->name_length, 0, y->match, y, 0);
  at = patch_make_step(k->e, l->at, y->name, y->name_length, 0);
  return at && patch_add_change(k, PATCH_ADD, at, y);
}

/* How many items from here on are not kept. */
static size_t patch_gap(const unsigned char *kept, size_t i, size_t n) {
  const size_t from = i;
  while (i < n && !kept[i]) i++;
  return i - from;
}

/* The next item or items of an array. Between two that are kept, items of both are compared one with the other; those
** that are left over are removed or added. */
static int patch_step_array(struct patch_work *k, struct patch_level *l) {
  const struct patch_step *at;
  struct patch_value *x = l->x, *y = l->y;
  if (x && y && l->pairs == 0 && !l->kept[0][l->i] && !l->kept[1][l->j]) {
    const size_t r = patch_gap(l->kept[0], l->i, l->a->n), s = patch_gap(l->kept[1], l->j, l->b->n);
    l->pairs = r < s ? r : s;
  }
  if (x && y && l->kept[0][l->i] && l->kept[1][l->j]) {
    l->x = x->next, l->i++, l->y = y->next, l->j++;
    return 1;
  }
  if (l->pairs > 0) {
    l->pairs--;
    l->x = x->next, l->i++, l->y = y->next, l->j++;
    return patch_compare_values(k, l->at, NULL, 0, l->j - 1, x, y, 0);
  }
  if (!(at = patch_make_step(k->e, l->at, NULL, 0, l->j))) return 0;
  if (x && !l->kept[0][l->i]) {
    l->x = x->next, l->i++;
    return patch_drop(k, at, x, NULL);
  }
  FL_ASSERT(y && !l->kept[1][l->j]);
  l->y = y->next, l->j++;
  return patch_add_change(k, PATCH_ADD, at, y);
}

FL_PRIVATE int patch_diff(struct patch_diff *d, struct patch_value *a, struct patch_value *b) {
  struct patch_work k;
  memset(&d->changes, 0, sizeof d->changes);
  k.d = d;
  k.e = d->e;
  k.level = k.unused = NULL;
  if (!patch_begin_ids(&k.ids, d->e, a, b)) return 0;
  patch_number(&k.ids, a);
  patch_number(&k.ids, b);
  if (!patch_begin_sequences(&k.sequences, d->e, k.ids.count)) return 0;
  if (!patch_compare_values(&k, NULL, NULL, 0, 0, a, b, 1)) return 0;
  while (k.level) {
    struct patch_level *l = k.level;
    const int is_array = l->a->kind == PATCH_ARRAY;
    if (is_array ? !l->x && !l->y : !l->next) {
      if (!patch_end_level(&k)) return 0;
    } else if (is_array ? !patch_step_array(&k, l) : !patch_step_object(&k, l)) {
      return 0;
    }
  }
  return 1;
}
