/* SPDX-License-Identifier: MIT
** equal: nothing, {} at the root
** removed: []
** new or changed scalar: itself, [itself] at the root
** two dicts: {"name": delta, ...}
** two arrays: {"i": delta, ..., "n-": [what comes after n items]}
** two strings: ["operations",0,2] if that is shorter
** anything else: [itself]
** The delta is passed to a sink call by call, with the names in the order of the new dict, then removed names. The
** sink of document/to_json/delta.h writes JSON text. */
#include "delta.h"

/* Two open dicts or arrays. Dicts are compared in two passes, over the new members and then over the old ones, each in
** step with the other list. */
struct bin_delta_frame {
  struct bin_list old_list, new_list;
  size_t old_first, old_end, new_first, new_end; /* ranges of members */
  size_t old_next, new_next;                     /* next members, or items in both */
  uint8_t is_dict, is_second;
  const char *name; /* name of the current member */
  size_t name_n;
  bin_value fresh;
  size_t from;    /* where its object begins in the delta, if it was begun; */
  size_t changed; /* then also, of an array: the first item that differs */
  size_t longest; /* length of the longest object in it */
};

struct bin_delta {
  struct bin_work *work;
  const struct bin_delta_sink *sink;
  const struct bin_doc *old_doc, *new_doc;
  struct bin_text text;
  struct bin_members members;
  struct bin_delta_frame *frames;
  size_t depth, room;
  size_t begun; /* outer frames whose objects were begun in the delta, because they contain a change */
  int any;      /* whether anything has changed */
};

/* Writes the key for all items from the index on. */
static int bin_delta_rest_key(struct bin_delta *d, size_t index) {
  char text[NUM_ROOM + 1], *end = num_write_u64(text, index);
  *end++ = '-';
  return d->sink->key(d->sink->owner, text, (size_t)(end - text));
}

/* Writes the key of frame f's current member: its name, or the index of the item. */
static int bin_delta_key(struct bin_delta *d, const struct bin_delta_frame *f) {
  char text[NUM_ROOM];
  if (f->is_dict) {
    if (!f->name) return bin_work_fail(d->work, BIN_ERROR_KEYS);
    return d->sink->key(d->sink->owner, f->name, f->name_n);
  }
  FL_ASSERT(f->old_next > 0);
  return d->sink->key(d->sink->owner, text, (size_t)(num_write_u64(text, f->old_next - 1) - text));
}

static int bin_delta_begin(struct bin_delta *d) {
  FL_ASSERT(d->begun <= d->depth);
  d->any = 1;
  for (; d->begun < d->depth; d->begun++) {
    struct bin_delta_frame *f = &d->frames[d->begun];
    if (d->begun > 0 && !bin_delta_key(d, f - 1)) return 0;
    if (d->sink->place) f->from = d->sink->place(d->sink->owner);
    f->changed = f->old_next - 1;
    if (!d->sink->begin(d->sink->owner, 1)) return 0;
  }
  return 1;
}

/* Begins the objects around a change, and writes the key of the innermost frame's current member. */
static int bin_delta_change(struct bin_delta *d) {
  return bin_delta_begin(d) && (d->depth == 0 || bin_delta_key(d, &d->frames[d->depth - 1]));
}

static int bin_delta_empty(struct bin_delta *d, int is_dict) {
  return d->sink->begin(d->sink->owner, is_dict) && d->sink->end(d->sink->owner, is_dict);
}

/* Writes a new value, in brackets if it could be mistaken for something else; for a deleted item, undefined. */
static int bin_delta_replace(struct bin_delta *d, bin_value v) {
  const struct bin_delta_sink *s = d->sink;
  if (!bin_delta_change(d)) return 0;
  if (bin_is_undefined(v)) return bin_delta_empty(d, 0);
  if (d->depth > 0 && !bin_is_collection(v)) return s->value(s->owner, d->new_doc, v);
  return s->begin(s->owner, 0) && s->value(s->owner, d->new_doc, v) && s->end(s->owner, 0);
}

static int bin_delta_strings(struct bin_delta *d, bin_value a, bin_value b) {
  const struct bin_delta_sink *s = d->sink;
  size_t an, bn;
  const char *as = bin_bytes(a, &an), *bs = bin_bytes(b, &bn);
  const int found = bin_text_diff(&d->text, as, an, bs, bn);
  if (found < 0) return 0;
  if (!found) return bin_delta_replace(d, b);
  return bin_delta_change(d) && s->begin(s->owner, 0) && s->string(s->owner, d->text.ops, d->text.ops_n) &&
         s->integer(s->owner, 0) && s->integer(s->owner, 2) && s->end(s->owner, 0);
}

static int bin_delta_rest(struct bin_delta *d, const struct bin_delta_frame *f, size_t from) {
  const struct bin_delta_sink *s = d->sink;
  if (!bin_delta_rest_key(d, from) || !s->begin(s->owner, 0)) return 0;
  for (size_t i = from; i < f->new_list.count; i++)
    if (!s->value(s->owner, d->new_doc, bin_list_item(d->new_doc, &f->new_list, i))) return 0;
  return s->end(s->owner, 0);
}

/* Writes the additional items of the new array, or none if it is shorter. */
static int bin_delta_tail(struct bin_delta *d, const struct bin_delta_frame *f) {
  return bin_delta_begin(d) &&
         bin_delta_rest(d, f, f->old_list.count < f->new_list.count ? f->old_list.count : f->new_list.count);
}

/* Replaces the frame's object, just written, by one with all items from the first change on, or (`whole`) by the new
** value in brackets, if that is shorter. */
static int bin_delta_try(struct bin_delta *d, const struct bin_delta_frame *f, int whole) {
  const struct bin_delta_sink *s = d->sink;
  s->retry(s->owner, f->from);
  const int done = s->begin(s->owner, !whole) &&
                   (whole ? s->value(s->owner, d->new_doc, f->fresh) : bin_delta_rest(d, f, f->changed)) &&
                   s->end(s->owner, !whole);
  return s->choose(s->owner, f->from, done);
}

/* Writes the innermost frame's object in the shortest way. A frame whose object is less than twice as long as one in it
** is left alone, unless it is the root: more cannot be saved than was already tried there. So each byte of the delta
** pays for a logarithmic number of attempts. */
static int bin_delta_shorten(struct bin_delta *d, struct bin_delta_frame *f) {
  const struct bin_delta_sink *s = d->sink;
  const size_t least = f->is_dict ? 5 * (f->new_end - f->new_first) : 2 * (size_t)f->new_list.count;
  if (!s->place) return 1;
  size_t n = s->place(s->owner) - f->from;
  if (d->depth == 1 || (n >= 2 * f->longest && n > least)) {
    if (!f->is_dict && f->changed > 0 && !bin_delta_try(d, f, 0)) return 0;
    if (!bin_delta_try(d, f, 1)) return 0;
    n = s->place(s->owner) - f->from;
  }
  if (d->depth > 1 && n > f[-1].longest) f[-1].longest = n;
  return 1;
}

static int bin_delta_open(struct bin_delta *d, bin_value a, bin_value b) {
  struct bin_delta_frame *f;
  f = (struct bin_delta_frame *)bin_work_reserve(d->work, d->frames, &d->room, d->depth + 1, sizeof *f);
  if (!f) return 0;
  d->frames = f;
  f += d->depth++;
  memset(f, 0, sizeof *f);
  f->is_dict = bin_tag(a) == BIN_TAG_DICT;
  f->fresh = b;
  f->old_list = bin_list_of(a), f->new_list = bin_list_of(b);
  if (!f->is_dict) return 1;
  f->old_first = f->old_next = d->members.count;
  if (!bin_members_add(d->work, &d->members, d->old_doc, a)) return 0;
  f->old_end = f->new_first = f->new_next = d->members.count;
  if (!bin_members_add(d->work, &d->members, d->new_doc, b)) return 0;
  f->new_end = d->members.count;
  return 1;
}

/* Compares two existing values. */
static int bin_delta_visit(struct bin_delta *d, bin_value a, bin_value b) {
  if (!bin_work_spend(d->work, bin_value_bytes(b))) return 0;
  if (a == b && bin_is_same_in(d->old_doc, d->new_doc, a)) return 1;
  if (bin_is_collection(a) && bin_tag(a) == bin_tag(b)) {
    const uint32_t an = bin_big16(a) & 0x7ff, bn = bin_big16(b) & 0x7ff;
    if (bin_tag(a) == BIN_TAG_DICT || (an && bn)) return bin_delta_open(d, a, b);
    return an == bn || bin_delta_replace(d, b);
  }
  if (bin_equal_scalars(a, b, 1)) return 1;
  if (bin_tag(a) == BIN_TAG_STRING && bin_tag(b) == BIN_TAG_STRING) return bin_delta_strings(d, a, b);
  return bin_delta_replace(d, b);
}

/* Compares the next member of a dict. Returns -1 at the end. */
static int bin_delta_next_member(struct bin_delta *d, struct bin_delta_frame *f) {
  const struct bin_member *all = d->members.at, *a, *b;
  int order = -1;
  if (!f->is_second) {
    if (f->new_next < f->new_end) {
      b = &all[f->new_next++];
      f->name = b->name, f->name_n = b->n;
      while (f->old_next < f->old_end && (order = bin_member_order(&all[f->old_next], b)) < 0) f->old_next++;
      if (f->old_next < f->old_end && order == 0) return bin_delta_visit(d, all[f->old_next].value, b->value);
      return bin_work_spend(d->work, 0) && bin_delta_replace(d, b->value);
    }
    f->is_second = 1;
    f->old_next = f->old_first, f->new_next = f->new_first;
  }
  while (f->old_next < f->old_end) {
    a = &all[f->old_next++];
    f->name = a->name, f->name_n = a->n;
    while (f->new_next < f->new_end && (order = bin_member_order(&all[f->new_next], a)) < 0) f->new_next++;
    if (f->new_next == f->new_end || order != 0) return bin_delta_change(d) && bin_delta_empty(d, 0);
  }
  return -1;
}

static int bin_delta_next_item(struct bin_delta *d, struct bin_delta_frame *f) {
  const size_t i = f->old_next++;
  if (i < f->old_list.count && i < f->new_list.count)
    return bin_delta_visit(d, bin_list_item(d->old_doc, &f->old_list, i), bin_list_item(d->new_doc, &f->new_list, i));
  if (f->is_second || f->old_list.count == f->new_list.count) return -1;
  f->is_second = 1;
  return bin_delta_tail(d, f);
}

static int bin_delta_walk(struct bin_delta *d) {
  while (d->depth > 0) {
    struct bin_delta_frame *f = &d->frames[d->depth - 1];
    const int more = f->is_dict ? bin_delta_next_member(d, f) : bin_delta_next_item(d, f);
    if (more == 0) return 0;
    if (more > 0) continue;
    if (d->begun == d->depth) {
      d->begun--;
      if (!d->sink->end(d->sink->owner, 1) || !bin_delta_shorten(d, f)) return 0;
    }
    if (f->is_dict) d->members.count = f->old_first;
    d->depth--;
    FL_ASSERT(d->begun <= d->depth);
  }
  return 1;
}

FL_PRIVATE int bin_diff(struct bin_work *w, const struct bin_delta_sink *sink, const struct bin_doc *a, bin_value va,
                        const struct bin_doc *b, bin_value vb) {
  struct bin_delta d = {0};
  d.work = w, d.sink = sink, d.old_doc = a, d.new_doc = b;
  bin_text_init(&d.text, w);
  const int done = bin_delta_visit(&d, va, vb) && bin_delta_walk(&d) && (d.any || bin_delta_empty(&d, 1));
  bin_text_free(&d.text);
  bin_members_free(w, &d.members);
  bin_work_free(w, d.frames, d.room, sizeof *d.frames);
  return done;
}
