/* SPDX-License-Identifier: MIT
** An array in a delta: [] deletes, [new] and [old,new] replace, [x,0,0] deletes, ["operations",0,2] changes a
** string. An object changes a dict member by member, or an array: "i" is for item i, "i-" replaces all from i on.
** Anything else is a new value. */
#include "apply.h"
#include "../encode/end.h"
#include "../../text/general.h"

/* Here and below, `name` is the name of the value in its dict, or NULL for an item of an array or the root. */
FL_INLINE int bin_patch_key(struct bin_patch *p, const struct bin_member *name) {
  return !name || bin_copy_key(&p->copier, name->name, name->n);
}

/* Deletes a value: a member is not written, an item or the root becomes undefined. */
static int bin_patch_delete(struct bin_patch *p, const struct bin_member *name, bin_value old) {
  if (!old) return bin_work_fail(p->work, BIN_DELTA_ERROR_DELETION);
  return name != NULL || bin_put_special(p->e, BIN_UNDEFINED);
}

static int bin_patch_text(struct bin_patch *p, const struct bin_member *name, bin_value old, bin_value ops) {
  size_t n, ops_n, old_n;
  const char *s, *old_s;
  if (bin_tag(ops) != BIN_TAG_STRING) return bin_work_fail(p->work, BIN_DELTA_ERROR_TEXT);
  if (!old || bin_tag(old) != BIN_TAG_STRING) return bin_work_fail(p->work, BIN_DELTA_ERROR_TEXT_OLD);
  s = bin_bytes(ops, &ops_n), old_s = bin_bytes(old, &old_n);
  return bin_work_spend(p->work, ops_n) && bin_work_spend(p->work, old_n) &&
         bin_text_apply(&p->text, s, ops_n, old_s, old_n, &n) && bin_patch_key(p, name) &&
         bin_put_string(p->e, p->text.applied, n);
}

static int bin_patch_array(struct bin_patch *p, const struct bin_member *name, bin_value old, bin_value delta) {
  const struct bin_list l = bin_list_of(delta);
  const struct bin_doc *d = p->delta_doc;
  bin_value mode;
  int is_big;
  switch (l.count) {
  case 0: return bin_patch_delete(p, name, old);
  case 1: return bin_patch_key(p, name) && bin_copy(&p->copier, d, bin_list_item(d, &l, 0));
  case 2:
    if (!old) return bin_work_fail(p->work, BIN_DELTA_ERROR_REPLACEMENT);
    return bin_patch_key(p, name) && bin_copy(&p->copier, d, bin_list_item(d, &l, 1));
  case 3:
    mode = bin_list_item(d, &l, 2);
    if (!bin_is_integer(mode)) break;
    if (bin_integer(mode, &is_big) == 0) return bin_patch_delete(p, name, old);
    if (bin_integer(mode, &is_big) == 2) return bin_patch_text(p, name, old, bin_list_item(d, &l, 0));
    break;
  default: return bin_work_fail(p->work, BIN_DELTA_ERROR_COUNT);
  }
  return bin_work_fail(p->work, BIN_DELTA_ERROR_MODE);
}

/* Opens a collection some of whose parts change. */
static int bin_patch_open(struct bin_patch *p, const struct bin_member *name, bin_value old, bin_value delta) {
  struct bin_patch_frame *f;
  if (!bin_patch_key(p, name)) return 0;
  f = (struct bin_patch_frame *)bin_work_reserve(p->work, p->frames, &p->room, p->depth + 1, sizeof *f);
  if (!f) return 0;
  p->frames = f;
  f += p->depth++;
  memset(f, 0, sizeof *f);
  f->is_dict = bin_tag(old) == BIN_TAG_DICT;
  f->first = f->old_next = p->members.count;
  f->delta = delta;
  if (f->is_dict) {
    if (!bin_members_add(p->work, &p->members, p->old_doc, old)) return 0;
    f->old_end = f->changes = p->members.count;
    if (!bin_members_add(p->work, &p->members, p->delta_doc, delta)) return 0;
    f->changes_end = p->members.count;
  } else {
    f->old_list = bin_list_of(old);
  }
  return bin_begin(p->e, f->is_dict);
}

/* Applies a delta to a value and writes the result; `old` may be NULL. */
static int bin_patch_visit(struct bin_patch *p, const struct bin_member *name, bin_value old, bin_value delta) {
  if (!bin_work_spend(p->work, 0)) return 0;
  if (bin_tag(delta) == BIN_TAG_ARRAY) return bin_patch_array(p, name, old, delta);
  if (bin_tag(delta) != BIN_TAG_DICT) return bin_patch_key(p, name) && bin_copy(&p->copier, p->delta_doc, delta);
  if (old && bin_is_slot_value(delta)) return bin_patch_key(p, name) && bin_copy(&p->copier, p->old_doc, old);
  if (old && bin_is_collection(old)) return bin_patch_open(p, name, old, delta);
  return bin_work_fail(p->work, BIN_DELTA_ERROR_OBJECT);
}

/* Writes the next member, old or changed. Returns 1, 0 with an error in the encoder or in p->work, -1 at the end. */
static int bin_patch_next_member(struct bin_patch *p, struct bin_patch_frame *f) {
  const int old_left = f->old_next < f->old_end, left = f->changes < f->changes_end;
  struct bin_member old = {NULL, 0, NULL}, change = {NULL, 0, NULL};
  if (!old_left && !left) return -1;
  if (old_left) old = p->members.at[f->old_next];
  if (left) change = p->members.at[f->changes];
  const int order = !left ? -1 : !old_left ? 1 : bin_member_order(&old, &change);
  f->old_next += order <= 0;
  f->changes += order >= 0;
  if (order < 0) return bin_patch_key(p, &old) && bin_copy(&p->copier, p->old_doc, old.value);
  return bin_patch_visit(p, &change, order == 0 ? old.value : NULL, change.value);
}

/* Returns the value in an array's delta under the index i, with '-' after it if `rest`, or NULL. */
static bin_value bin_patch_at(const struct bin_patch *p, const struct bin_patch_frame *f, size_t i, int rest) {
  char text[NUM_ROOM + 1], *end = num_write_u64(text, i);
  if (rest) *end++ = '-';
  return bin_dict_get(p->delta_doc, f->delta, text, (size_t)(end - text));
}

static int bin_patch_tail(struct bin_patch *p, bin_value items) {
  if (bin_tag(items) != BIN_TAG_ARRAY) return bin_work_fail(p->work, BIN_DELTA_ERROR_REMAINDER);
  struct bin_list l = bin_list_of(items);
  for (uint32_t i = 0; i < l.count; i++)
    if (!bin_copy(&p->copier, p->delta_doc, bin_list_item(p->delta_doc, &l, i))) return 0;
  return 1;
}

/* Writes the next item, changed or not, or the new tail in place of it and all later ones. */
static int bin_patch_next_item(struct bin_patch *p, struct bin_patch_frame *f) {
  const size_t i = f->at = f->next++;
  bin_value old = NULL, delta;
  if (i > f->old_list.count) return -1;
  if (!bin_work_spend(p->work, 0)) return 0;
  if (i < f->old_list.count) {
    old = bin_list_item(p->old_doc, &f->old_list, i);
    delta = bin_patch_at(p, f, i, 0);
    if (delta) return bin_patch_visit(p, NULL, old, delta);
  }
  delta = bin_patch_at(p, f, i, 1);
  if (delta) {
    f->next = (size_t)f->old_list.count + 1;
    return bin_patch_tail(p, delta);
  }
  return old ? bin_copy(&p->copier, p->old_doc, old) : -1;
}

static int bin_patch_walk(struct bin_patch *p) {
  while (p->depth > 0) {
    struct bin_patch_frame *f = &p->frames[p->depth - 1];
    const int more = f->is_dict ? bin_patch_next_member(p, f) : bin_patch_next_item(p, f);
    if (more == 0) return 0;
    if (more > 0) continue;
    p->members.count = f->first;
    p->depth--;
    if (!bin_end(p->e)) return 0;
  }
  return 1;
}

/* Adds a step to the path. Returns 0 if there is no room. */
static int bin_patch_place_add(struct bin_patch_place *place, const struct bin_member *name, size_t index) {
  const int plain = name && bin_path_is_plain(name->name, name->n);
  const size_t n = name ? name->n : NUM_ROOM, most = name && !plain ? 4 * n : n;
  char *w = place->text + place->n;
  if (n > BIN_PATCH_PLACE || place->n + most + sizeof "[\"\"]" + sizeof "..." > BIN_PATCH_PLACE) {
    memcpy(w, "...", 3);
    place->n += 3;
    return 0;
  }
  if (!plain) *w++ = '[';
  else if (place->n) *w++ = '.';
  if (!name) {
    char digits[NUM_ROOM];
    const size_t length = (size_t)(num_write_u64(digits, index) - digits);
    memcpy(w, digits, length);
    w += length;
  } else {
    if (!plain) *w++ = '"';
    w = text_show(w, name->name, n);
    if (!plain) *w++ = '"';
  }
  if (!plain) *w++ = ']';
  place->n = (size_t)(w - place->text);
  return 1;
}

/* Writes the path to the current value: the last visited member or item of each open collection. */
static void bin_patch_locate(const struct bin_patch *p, struct bin_patch_place *place) {
  int goes_on = 1;
  for (size_t i = 0; i < p->depth && goes_on; i++) {
    const struct bin_patch_frame *f = &p->frames[i];
    goes_on = bin_patch_place_add(place, f->is_dict ? &p->members.at[f->changes - 1] : NULL, f->at);
  }
}

FL_PRIVATE int bin_patch(struct bin_work *w, struct bin_encoder *e, const struct bin_doc *old_doc, bin_value old,
                         const struct bin_doc *delta_doc, bin_value delta, struct bin_patch_place *place) {
  place->n = 0;
  struct bin_patch p = {0};
  p.work = w, p.e = e, p.old_doc = old_doc, p.delta_doc = delta_doc;
  bin_copier_init(&p.copier, w, e);
  bin_text_init(&p.text, w);
  const int done = bin_patch_visit(&p, NULL, old, delta) && bin_patch_walk(&p);
  if (!done && w->error >= BIN_DELTA_ERROR_FIRST) bin_patch_locate(&p, place);
  bin_copier_free(&p.copier);
  bin_text_free(&p.text);
  bin_members_free(w, &p.members);
  bin_work_free(w, p.frames, p.room, sizeof *p.frames);
  return done;
}
