/* SPDX-License-Identifier: MIT
** splice.c -- the text of a changed text view: passes the changes of its layers to json/edit one by one.
** Must hold: raises nothing. Memory comes from the output buffer's allocator and is freed. Layers nest as deep as the
** text and are walked without recursion. */
#include "json.h"
#include "text.h"

/* A layer whose changes are being passed on. */
struct splice_frame {
  const struct bin_layer *layer;
  size_t next;  /* index of the next change or item */
  size_t old;   /* for an array: the next item of its source */
  size_t after; /* for an array: the next item, from `next` on, that comes from the source */
  struct splice_frame *around;
};

struct splice_block {
  struct splice_block *next;
  size_t size;
};

struct splice {
  struct json_out *out; /* the walk's output; not written to before the end */
  const struct mod_mutable *m;
  struct json_edit e;
  struct json_step *steps; /* path to the current member; one step for each frame */
  size_t depth, room;
  struct splice_block *blocks;
  size_t max_depth;
  int fine; /* 0: out of memory, or the text must be rewritten */
};

/* json_edit's alloc. */
static void *splice_alloc(void *owner, size_t n) {
  struct splice *p = (struct splice *)owner;
  const struct buffer *b = &p->out->buffer;
  const size_t head = (sizeof(struct splice_block) + 15) / 16 * 16;
  struct splice_block *block = n < SIZE_MAX / 2 ? (struct splice_block *)b->alloc(b->alloc_ud, NULL, 0, head + n)
                                                : NULL;
  if (!block) return NULL;
  block->next = p->blocks;
  block->size = head + n;
  p->blocks = block;
  return (char *)block + head;
}

static void splice_free(struct splice *p) {
  const struct buffer *b = &p->out->buffer;
  while (p->blocks) {
    struct splice_block *block = p->blocks;
    p->blocks = block->next;
    b->alloc(b->alloc_ud, block, block->size, 0);
  }
}

/* Copies n bytes and appends a 0. */
static struct json_slice splice_copy(struct splice *p, const char *s, size_t n) {
  struct json_slice copy = {NULL, NULL};
  char *to = (char *)json_edit_memory(&p->e, n + 1);
  if (!to) return p->fine = 0, copy;
  memcpy(to, s, n);
  to[n] = 0;
  copy.begin = to;
  copy.end = to + n;
  return copy;
}

/* Makes room for more steps. */
static int splice_widen(struct splice *p) {
  struct json_step *wider = (struct json_step *)json_edit_memory(&p->e, 2 * p->depth * sizeof *wider);
  if (!wider) return 0;
  if (p->room) memcpy(wider, p->steps, p->room * sizeof *wider);
  p->steps = wider;
  p->room = 2 * p->depth;
  return 1;
}

static void splice_push_frame(struct splice *p, struct splice_frame **frame, const struct bin_layer *layer) {
  struct splice_frame *f = (struct splice_frame *)json_edit_memory(&p->e, sizeof *f);
  if (!f || (p->depth++ == p->room && !splice_widen(p))) {
    p->fine = 0;
    return;
  }
  memset(f, 0, sizeof *f);
  f->layer = layer;
  f->around = *frame;
  *frame = f;
}

/* Returns the text of a value, or of the string s[0..n) if `doc` is NULL. */
static struct json_slice splice_text(struct splice *p, const struct bin_doc *doc, bin_value v, const char *s,
                                     size_t n) {
  struct json_slice text = {NULL, NULL};
  struct json_out o = *p->out;
  struct binary_to_json k;
  char *w = NULL;
  buf_init(&o.buffer, p->out->buffer.alloc, p->out->buffer.alloc_ud);
  if (buf_resize(&o.buffer, BUF_FIRST + BUF_SLACK)) {
    if (doc) {
      binary_to_json_init(&k, &o, doc);
      k.kinds = BINARY_TO_JSON_VALUES;
      k.max_depth = p->max_depth;
      w = binary_to_json_write(&k, o.buffer.begin, v);
    } else {
      w = json_write_string_styled(&o, o.buffer.begin, s, n, (int)o.style->escape);
    }
  }
  if (w) text = splice_copy(p, o.buffer.begin, (size_t)(w - o.buffer.begin));
  else p->fine = 0;
  buf_free(&o.buffer);
  return text;
}

/* Returns the text of a layer, which is converted to a document first. */
static struct json_slice splice_text_of_layer(struct splice *p, const struct bin_layer *layer) {
  const struct mod_mutable *m = p->m;
  const struct buffer *b = &p->out->buffer;
  struct json_slice text = {NULL, NULL};
  struct bin_encoder e;
  struct bin_work work;
  struct bin_doc doc;
  bin_encoder_init(&e, b->alloc, b->alloc_ud, 0);
  bin_encoder_reset(&e);
  bin_work_init(&work, b->alloc, b->alloc_ud, bin_doc_bytes(&m->owner->doc) + m->tree->put);
  if (bin_write_layer(&work, &e, layer) && bin_finish(&e)) {
    memset(&doc, 0, sizeof doc);
    doc.begin = (const uint8_t *)e.out.begin;
    doc.end = (const uint8_t *)e.w;
    text = splice_text(p, &doc, bin_root(&doc), NULL, 0);
  } else {
    p->fine = 0;
  }
  bin_encoder_free(&e);
  return text;
}

/* Passes on a change at the end of the steps; the slot has the value to set or insert. */
static void splice_change(struct splice *p, enum json_edit_operation operation, struct bin_slot slot) {
  const struct json_step *last = &p->steps[p->depth - 1];
  struct json_edit_change c = {0};
  c.operation = operation;
  c.steps = p->steps;
  c.count = p->depth;
  if (operation != JSON_EDIT_REMOVE) {
    if (bin_slot_layer(slot)) c.value = splice_text_of_layer(p, bin_slot_layer(slot));
    else c.value = splice_text(p, slot.doc, bin_slot_value(slot), NULL, 0);
    if (last->name && p->fine) c.name = splice_text(p, NULL, NULL, last->name, last->n);
  }
  p->fine = p->fine && json_edit_apply(&p->e, &c);
}

/* Returns whether the slot has a layer over the text's value `was`, so that the value was not replaced. */
static int splice_is_over(const struct bin_layer *around, struct bin_slot slot, bin_value was) {
  const struct bin_layer *layer = bin_slot_layer(slot);
  return layer && layer->doc == around->doc && layer->source == was;
}

/* Passes on the next change of a dict, or pushes the frame of a changed member. Returns 0 at the end. */
static int splice_next_member(struct splice *p, struct splice_frame **frame) {
  const struct bin_layer *l = (*frame)->layer;
  const struct bin_change *c = &l->changes[(*frame)->next];
  struct json_step *step = &p->steps[p->depth - 1];
  if ((*frame)->next++ == l->count) return 0;
  const bin_value was = bin_dict_get(l->doc, l->source, c->name, c->n);
  memset(step, 0, sizeof *step);
  step->name = c->name;
  step->n = c->n;
  if (was && splice_is_over(l, c->slot, was)) {
    if (bin_slot_layer(c->slot)->is_changed) splice_push_frame(p, frame, bin_slot_layer(c->slot));
  } else if (!bin_slot_is_empty(c->slot)) {
    splice_change(p, JSON_EDIT_SET, c->slot);
  } else if (was) {
    splice_change(p, JSON_EDIT_REMOVE, c->slot);
  }
  return 1;
}

/* Returns the item of the layer's source in a slot, or NULL. */
static bin_value splice_source_of(const struct bin_layer *l, struct bin_slot slot) {
  const struct bin_layer *layer = bin_slot_layer(slot);
  if (layer) return layer->doc == l->doc ? layer->source : NULL;
  return slot.doc == l->doc ? bin_slot_value(slot) : NULL;
}

/* Passes on the next change of an array, or pushes the frame of a changed item. The remaining items of the source are
** in their old order. Returns 0 at the end. */
static int splice_next_item(struct splice *p, struct splice_frame **frame) {
  struct splice_frame *f = *frame;
  const struct bin_layer *l = f->layer;
  const size_t k = f->next;
  const struct bin_slot none = {NULL, NULL};
  const bin_value old = bin_array_get(l->doc, l->source, f->old);
  struct json_step *step = &p->steps[p->depth - 1];
  if (!l->items || (k == l->count && !old)) return 0;
  memset(step, 0, sizeof *step);
  step->indexes = 1;
  step->index = (int64_t)k;
  if (f->after < k) f->after = k;
  while (f->after < l->count && !splice_source_of(l, bin_layer_get_at(l, f->after))) f->after++;
  const bin_value after = f->after < l->count ? splice_source_of(l, bin_layer_get_at(l, f->after)) : NULL;
  if (old && after == old && f->after == k) {
    f->next++, f->old++;
    if (splice_is_over(l, bin_layer_get_at(l, k), old) && bin_slot_layer(bin_layer_get_at(l, k))->is_changed)
      splice_push_frame(p, frame, bin_slot_layer(bin_layer_get_at(l, k)));
  } else if (f->after == k) { /* the items before it were removed */
    FL_ASSERT(old != NULL);
    f->old++;
    splice_change(p, JSON_EDIT_REMOVE, none);
  } else {
    f->next++;
    f->old += old && after != old;
    splice_change(p, old && after != old ? JSON_EDIT_SET : JSON_EDIT_INSERT, bin_layer_get_at(l, k));
  }
  return 1;
}

static void splice_begin(struct splice *p, struct json_slice text) {
  struct json_scan *j = &p->e.scan;
  p->e.alloc = splice_alloc;
  p->e.owner = p;
  p->e.cpu = p->out->cpu;
  p->fine = 1;
  text = splice_copy(p, text.begin, (size_t)(text.end - text.begin));
  j->begin = text.begin;
  j->end = text.end;
  j->utf8 = p->out->utf8;
  j->max_depth = UINT32_MAX;
  if (p->fine) json_edit_begin(&p->e, text.begin, text.end);
}

/* Copies the text to w, unless its nesting exceeds the limit. */
static char *splice_result(struct splice *p, char **w) {
  size_t n;
  char *at;
  if (!json_edit_length(&p->e, &n) || !(at = json_reserve(p->out, *w, n + JSON_TEXT_ROOM))) return NULL;
  *w = at;
  return json_edit_write(&p->e, at);
}

FL_PRIVATE char *view_splice(struct json_out *out, char **w, const struct mod_mutable *m, size_t max_depth) {
  struct splice_frame *f = NULL;
  struct splice p = {0};
  p.out = out;
  p.m = m;
  p.max_depth = max_depth;
  splice_begin(&p, view_text_of(m->owner, m->layer->source));
  if (p.fine) splice_push_frame(&p, &f, m->layer);
  while (f && p.fine) {
    if (f->layer->is_dict ? splice_next_member(&p, &f) : splice_next_item(&p, &f)) continue;
    f = f->around;
    p.depth--;
  }
  char *end = p.fine ? splice_result(&p, w) : NULL;
  splice_free(&p);
  return end;
}
