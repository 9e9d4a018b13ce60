/* SPDX-License-Identifier: MIT */
#include "amend.h"
#include "../encode/end.h"

enum { BIN_AMEND_ANCESTORS = 2 }; /* ancestors that a new dict may have */

FL_PRIVATE size_t bin_value_size(bin_value v, bin_value end) {
  bin_value p = v + 1;
  uint32_t n = v[0] & 15;
  uint64_t size = 2;
  switch (bin_tag(v)) {
  case BIN_TAG_INTEGER: size = 2 + (v[0] & 7u); break;
  case BIN_TAG_FLOAT: size = v[0] & BIN_EIGHT_BYTES ? 10 : 6; break;
  case BIN_TAG_STRING:
  case BIN_TAG_DATA:
    if (n == BIN_LONG_LENGTH && !bin_varint(&p, end, &n)) break;
    size = (uint64_t)(p - v) + n;
    break;
  case BIN_TAG_ARRAY:
  case BIN_TAG_DICT:
    n = bin_big16(v) & 0x7ff;
    p = v + 2;
    size = n;
    if (n == BIN_LONG_COUNT && bin_varint(&p, end, &n)) size += n;
    size *= (v[0] & BIN_WIDE ? 4u : 2u) << (bin_tag(v) == BIN_TAG_DICT);
    size += (uint64_t)(p - v) + ((p - v) & 1);
    break;
  default: break;
  }
  size += size & 1;
  return size <= (uint64_t)(end - v) ? (size_t)size : 2;
}

/* Adds the strings of the base to the encoder's pool, reading the base value by value from its beginning. Any bytes
** that look like a string may be pointed to as that string. */
static int bin_reuse_strings(struct bin_encoder *e) {
  bin_value v = e->base, end = e->base + e->base_n;
  for (; v < end; v += bin_value_size(v, end)) {
    size_t n;
    if (bin_tag(v) != BIN_TAG_STRING || bin_value_size(v, end) <= 2) continue;
    const char *s = bin_bytes(v, &n);
    if (n < BIN_POOLED_LEAST || n > BIN_POOLED_MOST) continue;
    if (!bin_pool_reserve(&e->pool, e->out.alloc, e->out.alloc_ud)) return bin_fail(e, BIN_ERROR_MEMORY);
    const uint32_t hash = bin_hash(s, n, e->seed + BIN_TAG_STRING);
    bin_pool_enter(e, bin_find_bytes(e, BIN_TAG_STRING, s, n, hash), (uint32_t)((size_t)(v - e->base) / 2), hash);
  }
  return 1;
}

FL_PRIVATE int bin_amend(struct bin_encoder *e, const struct bin_doc *base, int reuse_strings, int is_extern) {
  FL_ASSERT(!e->compact && e->count == 0 && (base->end - base->begin) % 2 == 0);
  e->base = base->begin;
  e->base_n = (size_t)(base->end - base->begin);
  e->is_extern = is_extern != 0;
  e->layers = 0;
  if (e->base_n > BIN_WIDE_REACH) return bin_fail(e, BIN_ERROR_REACH);
  return !reuse_strings || bin_reuse_strings(e);
}

FL_PRIVATE int bin_amend_front(struct bin_encoder *e, size_t n) {
  FL_ASSERT(e->w == e->out.begin && n % 2 == 0);
  if (n == 0) return 1;
  if (!bin_reserve(e, n)) return 0;
  memset(e->w, 0, n);
  e->w += n;
  return 1;
}

/* Writes the root. Output that is appended to a base must end with a pointer, so a root that would be inline, for
** instance an empty collection, is written out of line. */
static int bin_amend_root(struct bin_encoder *e) {
  struct bin_item *root = &e->items[0];
  if (!e->base || e->is_extern || e->depth > 0 || bin_item_points(*root)) return 1;
  if (!bin_reserve(e, 2)) return 0;
  bin_store16((uint8_t *)e->w, root->word >> 16);
  root->word = bin_position(e) | BIN_ITEM_POINTER;
  e->w += 2;
  return 1;
}

/* Checks the finished output together with its base. */
static int bin_amend_passes(struct bin_encoder *e, const struct bin_doc *base, uint64_t max_values, uint64_t *values) {
  const size_t n = (size_t)(e->w - e->out.begin), both = e->base_n + n;
  struct bin_check c;
  uint8_t *copy = NULL;
  struct bin_doc d = {0};
  d.keys = base->keys;
  d.begin = (const uint8_t *)e->out.begin, d.end = d.begin + n, d.base = base;
  if (!e->is_extern) {
    if (!(copy = (uint8_t *)e->out.alloc(e->out.alloc_ud, NULL, 0, both))) return bin_fail(e, BIN_ERROR_MEMORY);
    memcpy(copy, e->base, e->base_n);
    memcpy(copy + e->base_n, e->out.begin, n);
    d.begin = copy, d.end = copy + both, d.base = base->base;
  }
  c.alloc = e->out.alloc, c.alloc_ud = e->out.alloc_ud;
  c.max_depth = UINT32_MAX;
  c.max_values = max_values;
  c.utf8 = 0;
  c.codes = 1;
  const int fine = bin_check(&c, &d);
  *values = d.values;
  if (copy) e->out.alloc(e->out.alloc_ud, copy, both, 0);
  return fine || bin_fail(e, c.error);
}

FL_PRIVATE int bin_amend_finish(struct bin_encoder *e, const struct bin_doc *base, uint64_t shared, uint64_t max_values,
                                uint64_t *values) {
  const uint64_t asked = max_values ? max_values : bin_default_values(bin_doc_bytes(base));
  const uint64_t any = bin_most_values(bin_doc_bytes(base)), most = asked < any ? asked : any;
  const uint64_t before = bin_doc_values(base), layers = e->layers ? e->layers : 1;
  if (!bin_finish(e)) return 0;
  const uint64_t written = (uint64_t)(e->w - e->out.begin) + e->texts;
  if (shared > most || written > most || shared + before > (most - written) / layers)
    return bin_amend_passes(e, base, max_values, values);
  *values = (shared + before) * layers + written;
  return 1;
}

/* An open layer. Its members are the changes (`value` is the address of a struct bin_change), then those of the source
** if the dict is written in full. */
struct bin_amend_frame {
  const struct bin_layer *layer;
  size_t first, change, change_end, source, source_end;
  size_t next; /* of an array: the next item */
};

struct bin_amender {
  struct bin_work *work;
  struct bin_copier copier;
  struct bin_members members;
  struct bin_amend_frame *frames;
  size_t depth, room;
};

FL_INLINE const struct bin_change *bin_change_of(const struct bin_member *m) {
  return (const struct bin_change *)(const void *)m->value;
}

/* Adds the changes that have an effect, sorted by name. Sets *count to the number of members after them. */
static int bin_amend_changes(struct bin_amender *a, const struct bin_layer *l, size_t *count) {
  struct bin_members *m = &a->members;
  const size_t from = m->count;
  if (!bin_members_reserve(a->work, m, from + 2 * l->count)) return 0; /* twice the room, for sorting */
  *count = bin_dict_count(l->doc, l->source);
  for (size_t i = 0; i < l->count; i++) {
    const struct bin_change *c = &l->changes[i];
    const struct bin_layer *nested = bin_slot_layer(c->slot);
    bin_value was = bin_dict_get(l->doc, l->source, c->name, c->n);
    const int is = !bin_slot_is_empty(c->slot);
    if (!bin_work_spend(a->work, c->n)) return 0;
    if ((!was && !is) || (was && nested && nested->source == was && !nested->is_changed)) continue;
    *count = *count + (size_t)is - (size_t)(was != NULL);
    m->at[m->count].name = c->name;
    m->at[m->count].n = c->n;
    m->at[m->count++].value = (bin_value)(const void *)c;
  }
  bin_members_sort(m->at + from, m->count - from);
  return 1;
}

/* Returns whether the dict `v` can be the parent of a new one: it must be in the base, and it and its ancestors must
** write names as the encoder does. */
static int bin_amend_inherits(const struct bin_encoder *e, const struct bin_doc *d, bin_value v) {
  if (!bin_lies_in_base(e, v) || d->keys != e->keys) return 0;
  for (unsigned ancestors = 0; ancestors < BIN_AMEND_ANCESTORS; ancestors++) {
    const struct bin_list l = bin_list_of(v);
    if (e->keys && !bin_uses_codes(&l)) return 0;
    if (!bin_has_parent(&l)) return 1;
    v = bin_parent(d, &l);
  }
  return 0;
}

/* Begins the innermost frame's dict, or copies its source if nothing has changed. */
static int bin_amend_open_dict(struct bin_amender *a, struct bin_amend_frame *f) {
  struct bin_encoder *e = a->copier.e;
  const struct bin_layer *l = f->layer;
  size_t count;
  f->first = f->change = a->members.count;
  if (!bin_amend_changes(a, l, &count)) return 0;
  if (a->members.count == f->first) {
    a->depth--;
    return bin_copy(&a->copier, l->doc, l->source);
  }
  f->change_end = f->source = f->source_end = a->members.count;
  if (f->change_end - f->change + 1 < count && bin_amend_inherits(e, l->doc, l->source)) {
    return bin_copy_begin(e, 1) && bin_push_inline(e, (uint32_t)BIN_PARENT_0 << 24 | (uint32_t)BIN_PARENT_1 << 16) &&
           bin_put_base_pointer(e, l->source);
  }
  if (!bin_members_add(a->work, &a->members, l->doc, l->source)) return 0;
  f->source_end = a->members.count;
  return bin_copy_begin(e, 1);
}

/* Copies the source of an unchanged layer, or opens a changed one. */
static int bin_amend_layer(struct bin_amender *a, const struct bin_layer *l) {
  struct bin_amend_frame *f;
  if (!l->is_changed) return bin_copy(&a->copier, l->doc, l->source);
  if (!bin_work_spend(a->work, 0)) return 0;
  f = (struct bin_amend_frame *)bin_work_reserve(a->work, a->frames, &a->room, a->depth + 1, sizeof *f);
  if (!f) return 0;
  a->frames = f;
  f += a->depth++;
  if (a->depth > a->copier.e->layers) a->copier.e->layers = a->depth;
  memset(f, 0, sizeof *f);
  f->layer = l;
  f->first = a->members.count;
  return l->is_dict ? bin_amend_open_dict(a, f) : bin_copy_begin(a->copier.e, 0);
}

static int bin_amend_slot(struct bin_amender *a, struct bin_slot s) {
  if (s.doc) return bin_copy(&a->copier, s.doc, bin_slot_value(s));
  return s.at ? bin_amend_layer(a, bin_slot_layer(s)) : bin_put_special(a->copier.e, BIN_UNDEFINED);
}

/* Writes the next member, changed or from the source. Returns 1, 0 after an error, -1 at the end. If the source's
** members are not listed, the source is the parent, and removed members are written as undefined. */
static int bin_amend_next_member(struct bin_amender *a, struct bin_amend_frame *f) {
  const int in_full = f->source_end > f->change_end;
  while (f->change < f->change_end || f->source < f->source_end) {
    const struct bin_member *c = &a->members.at[f->change], *s = &a->members.at[f->source];
    const int order = f->change == f->change_end ? 1 : f->source == f->source_end ? -1 : bin_member_order(c, s);
    f->source += order >= 0;
    if (order > 0) {
      const struct bin_member m = *s;
      return bin_copy_key(&a->copier, m.name, m.n) && bin_copy(&a->copier, f->layer->doc, m.value);
    }
    f->change++;
    if (in_full && bin_slot_is_empty(bin_change_of(c)->slot)) continue;
    return bin_copy_key(&a->copier, c->name, c->n) && bin_amend_slot(a, bin_change_of(c)->slot);
  }
  return -1;
}

static int bin_amend_next_item(struct bin_amender *a, struct bin_amend_frame *f) {
  return f->next < f->layer->count ? bin_amend_slot(a, bin_layer_get_at(f->layer, f->next++)) : -1;
}

static int bin_amend_walk(struct bin_amender *a) {
  while (a->depth > 0) {
    struct bin_amend_frame *f = &a->frames[a->depth - 1];
    const int more = f->layer->is_dict ? bin_amend_next_member(a, f) : bin_amend_next_item(a, f);
    if (more == 0) return 0;
    if (more > 0) continue;
    a->members.count = f->first;
    a->depth--;
    if (!bin_end(a->copier.e)) return 0;
  }
  return 1;
}

FL_PRIVATE int bin_write_layer(struct bin_work *w, struct bin_encoder *e, const struct bin_layer *l) {
  struct bin_amender a = {0};
  a.work = w;
  bin_copier_init(&a.copier, w, e);
  const int done = bin_amend_layer(&a, l) && bin_amend_walk(&a) && bin_amend_root(e);
  bin_copier_free(&a.copier);
  bin_members_free(w, &a.members);
  bin_work_free(w, a.frames, a.room, sizeof *a.frames);
  return done;
}
