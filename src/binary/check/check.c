/* SPDX-License-Identifier: MIT
** Each value reachable from the root is checked. It ends before the pointer that leads to it, so there are no cycles.
** What a collection contains does not depend on what points to it, so it is checked once: a bit for every even offset
** records what was visited.
** Readers visit a shared value once for each pointer to it. The number of values counted like this is bounded. A
** collection that is met again and holds more than a few scalars nearby is walked once more, for the number of values
** in it, which the table `seen` then has: most documents share little. The default limit is much lower than what
** readers can bear (max_values). The bytes of long names, strings and data count as values, too (bin_text_values). So
** the work of readers is proportional to the document's size, as long as they look at each name or value a bounded
** number of times (once for each ancestor, for instance): a long name must cost nothing at other pairs than its own.
** Most collections are leaves: they hold only scalars nearby. A leaf is checked as soon as it is found. Other
** collections, and dicts with new keys, are opened: they get a frame. */
#include "check.h"

/* Checks the count of a collection with BIN_LONG_COUNT items or more. Returns its first item, or NULL if invalid. */
FL_NOINLINE bin_value bin_check_long_list_(struct bin_check *c, bin_value v, bin_value limit) {
  bin_value p = v + 2;
  uint32_t more;
  if (!bin_varint(&p, limit, &more) || more > UINT32_MAX - BIN_LONG_COUNT)
    return bin_check_fail(c, BIN_ERROR_LENGTH, v), NULL;
  p += (p - v) & 1;
  return p <= limit ? p : (bin_check_fail(c, BIN_ERROR_TRUNCATED, v), NULL);
}

FL_NOINLINE uint32_t bin_check_long_count_(bin_value v) { return bin_list_of(v).count; }

/* Skips the scalars nearby with which n bytes of items, or of pairs, from `first` on begin. */
FL_INLINE bin_value bin_check_scalars(const struct bin_check *c, const struct bin_doc *doc, bin_value v,
                                      bin_value first, size_t n, int pair) {
  if (FL_LIKELY(!(v[0] & BIN_WIDE)))
    return pair ? bin_check_scalar_run(first, first + n, 2, 4, bin_check_reach(c, doc, v, 2))
                : bin_check_scalar_run(first, first + n, 2, 2, bin_check_reach(c, doc, v, 2));
  return pair ? bin_check_scalar_run(first, first + n, 4, 8, bin_check_reach(c, doc, v, 4))
              : bin_check_scalar_run(first, first + n, 4, 4, bin_check_reach(c, doc, v, 4));
}

/* Checks the collection v, with n bytes of items from `first` on. Returns like bin_check_collection. */
FL_INLINE int bin_check_walk_items(struct bin_check *c, struct bin_check_frame *f, const struct bin_doc *doc,
                                   bin_value v, bin_value first, size_t n, uint32_t count, int again) {
  const bin_value end = first + n;
  enum bin_check_kind kind = BIN_CHECK_ARRAY;
  FL_ASSERT(count > 0 && n >= 2 * (size_t)count);
  if (bin_tag(v) == BIN_TAG_ARRAY) {
    first = bin_check_scalars(c, doc, v, first, n, 0);
  } else {
    if (!bin_check_has_known_keys(c, doc, v, first, n))
      return bin_check_push(c, doc, v, first, end, count, BIN_CHECK_DICT, again);
    first = bin_check_scalars(c, doc, v, first, n, 1);
    kind = BIN_CHECK_KNOWN;
  }
  if (first == end && f && !again) return bin_check_count(c, f, 1 + (uint64_t)count, 0, 0, 1);
  return bin_check_push(c, doc, v, first, end, count, kind, again);
}

/* Counts a collection that was visited before, with its items. The arguments and the result are those of
** bin_check_walk_items. */
FL_NOINLINE int bin_check_revisit_(struct bin_check *c, struct bin_check_frame *f, const struct bin_doc *doc,
                                   bin_value v, bin_value first, size_t n, uint32_t count) {
  if (count <= BIN_CHECK_FEW && bin_check_scalars(c, doc, v, first, n, bin_tag(v) == BIN_TAG_DICT) == first + n)
    return bin_check_count(c, f, 1 + (uint64_t)count, 0, 0, 1);
  const struct bin_seen *s = &c->seen[bin_seen_slot(c, v)];
  if (!s->at) return bin_check_walk_items(c, f, doc, v, first, n, count, 1);
  if (FL_UNLIKELY(s->levels > c->max_depth - c->depth)) return bin_check_fail(c, BIN_ERROR_DEPTH, v);
  return bin_check_count(c, f, s->values, s->texts, s->ancestors, s->levels);
}

/* Checks the collection v, which is, or is the target of, an item of f (NULL for the root). `counted`: bytes of its
** items that are part of an item of f. Returns 0 if it is invalid, 1 if it was checked, or BIN_CHECK_OPENED. */
FL_INLINE int bin_check_collection(struct bin_check *c, struct bin_check_frame *f, const struct bin_doc *doc,
                                   bin_value v, bin_value limit, size_t counted) {
  const uint32_t header = bin_big16(v);
  bin_value first = v + 2;
  uint32_t count = header & BIN_LONG_COUNT;
  uint64_t n;
  if (FL_UNLIKELY(count == BIN_LONG_COUNT)) {
    if (!(first = bin_check_long_list_(c, v, limit))) return 0;
    count = bin_check_long_count_(v);
  }
  n = (uint64_t)count << (1 + (header >> 11 & 1) + (header >> 12 & 1)); /* 2 bytes, or 4 if wide; two for a pair */
  if (FL_UNLIKELY(n > (uint64_t)(limit - first))) return bin_check_fail(c, BIN_ERROR_TRUNCATED, v);
  if (FL_UNLIKELY(c->depth >= c->max_depth)) return bin_check_fail(c, BIN_ERROR_DEPTH, v);
  if (FL_UNLIKELY(count == 0)) return !f || bin_check_count(c, f, 1, 0, 0, 1);
  if (bin_check_mark(c, doc, v)) return bin_check_revisit_(c, f, doc, v, first, (size_t)n, count);
  FL_ASSERT(n >= counted);
  /* Encoders write no overlapping collections, so in total they are not longer than the document. */
  if (FL_UNLIKELY(n - counted > c->budget)) return bin_check_fail(c, BIN_ERROR_OVERLAP, v);
  c->budget -= (size_t)n - counted;
  return bin_check_walk_items(c, f, doc, v, first, (size_t)n, count, 0);
}

FL_NOINLINE int bin_check_collection_(struct bin_check *c, struct bin_check_frame *f, const struct bin_doc *doc,
                                      bin_value v, bin_value limit, size_t counted) {
  return bin_check_collection(c, f, doc, v, limit, counted);
}

/* Checks the value of an item of f, or its target, of any kind. Returns like bin_check_collection. */
FL_NOINLINE int bin_check_item_(struct bin_check *c, struct bin_check_frame *f, bin_value item) {
  const struct bin_doc *doc = f->doc;
  bin_value v = item, limit = item + f->width;
  if (bin_is_pointer(v) && FL_UNLIKELY(!(v = bin_check_pointer(c, item, f->width, &doc, &limit)))) return 0;
  if (bin_is_collection(v)) return bin_check_collection_(c, f, doc, v, limit, v == item ? 2 : 0);
  return bin_check_scalar(c, v, limit) && (!bin_sizes[v[0]].mask || bin_check_text_(c, f, v));
}

/* Returns whether v, at least BIN_NARROW_REACH bytes after the document's begin, is a narrow array of two pointers to
** doubles of 8 bytes, as most points are. Eight bytes can be read. */
FL_INLINE int bin_check_is_pair(bin_value v) {
  const uint64_t head = UINT64_C(0x600280008000), pointers = UINT64_C(0xffffc000c000), word = bin_big64(v) >> 16;
  const ptrdiff_t x = (ptrdiff_t)(word >> 15 & 0x7ffe), y = (ptrdiff_t)(word << 1 & 0x7ffe);
  const uint8_t first = BIN_TAG_FLOAT << 4 | BIN_EIGHT_BYTES;
  return (word & pointers) == head && v[2 - x] == first && v[4 - y] == first && x >= 10 && y >= 10;
}

/* Checks the short narrow arrays of scalars nearby, such as points, to which the items of the array f from p on point,
** as long as they are new and valid, and keep within all limits. Returns the first other item. */
FL_INLINE bin_value bin_check_points(struct bin_check *c, struct bin_check_frame *f, bin_value p, unsigned width) {
  const bin_value begin = f->doc->begin, end = f->end;
  const size_t reach = bin_check_reach(c, f->doc, f->at, width);
  uint32_t *const bits = c->bits;
  uint64_t values = f->values, most = values + c->budget / 2;
  size_t offset;
  if (most > c->max_values) most = c->max_values;
  if (most > c->most_values - f->texts) most = c->most_values - f->texts;
  if (f->doc != c->doc || c->depth >= c->max_depth) return p;
  for (; p < end; p += width) {
    if (!bin_check_is_pointer(p, width, &offset) || offset > reach) break;
    const bin_value v = p - offset;
    const size_t at = (size_t)(v - begin) / 2;
    size_t count = 2;
    if (bits[at / 32] >> at % 32 & 1) break;
    if (!(FL_LIKELY(at >= BIN_NARROW_REACH / 2 && offset >= 6) && bin_check_is_pair(v))) {
      const size_t inner = 2 * at + 2 < BIN_NARROW_REACH ? 2 * at + 2 : BIN_NARROW_REACH;
      count = bin_big16(v) - (BIN_TAG_ARRAY << 12);
      if (count - 1 >= BIN_CHECK_FEW || 2 * count + 2 > offset) break;
      if (bin_check_scalar_run(v + 2, v + 2 + 2 * count, 2, 2, inner) != v + 2 + 2 * count) break;
    }
    if (values + count > most) break;
    bits[at / 32] |= UINT32_C(1) << at % 32;
    values += count;
  }
  c->budget -= 2 * (size_t)(values - f->values);
  f->values = values;
  return p;
}

FL_NOINLINE bin_value bin_check_points_(struct bin_check *c, struct bin_check_frame *f, bin_value p) {
  return f->width == 2 ? bin_check_points(c, f, p, 2) : bin_check_points(c, f, p, 4);
}

/* Checks the items of the innermost collection (an array, or a dict with known keys) up to its end, or to an item that
** opens another one. Returns like bin_check_collection. */
FL_NOINLINE int bin_check_items(struct bin_check *c) {
  struct bin_check_frame *f = &c->frames[c->depth - 1];
  const struct bin_doc *doc = f->doc;
  const unsigned width = f->width, stride = f->kind == BIN_CHECK_KNOWN ? 2 * width : width;
  const size_t reach = bin_check_reach(c, doc, f->at, width);
  const bin_value end = f->end;
  bin_value p, v;
  FL_ASSERT((size_t)(end - f->item) % stride == 0);
  for (p = f->item + (stride - width); p < end; p += stride) {
    int done;
    if (width == 2 ? bin_check_scalar_item(p, 2, reach, &v) : bin_check_scalar_item(p, 4, reach, &v)) continue;
    f->item = p + width;
    if (FL_LIKELY(v != p) && FL_LIKELY(bin_is_collection(v))) {
      done = bin_check_collection(c, f, doc, v, p, 0);
      if (done == 1 && f->kind == BIN_CHECK_ARRAY && bin_tag(v) == BIN_TAG_ARRAY)
        p = bin_check_points_(c, f, p + width) - width;
    } else done = bin_check_item_(c, f, p);
    if (FL_UNLIKELY(done != 1)) return done;
  }
  return bin_check_pop(c);
}

/* Like bin_check_items, for a dict whose keys must be checked. */
FL_INLINE int bin_check_pairs(struct bin_check *c, unsigned width) {
  struct bin_check_frame *f = &c->frames[c->depth - 1];
  const struct bin_doc *doc = f->doc;
  const size_t reach = bin_check_reach(c, doc, f->at, width);
  const bin_value end = f->end;
  bin_value p, v, key = f->key;
  uint64_t prefix = f->prefix;
  FL_ASSERT(f->kind == BIN_CHECK_DICT && f->width == width && (size_t)(end - f->item) % (2 * width) == 0);
  for (p = f->item; p < end; p += 2 * width) {
    if (FL_UNLIKELY(reach == 0) || !bin_check_key(p, end, width, reach, &key, &prefix)) {
      f->key = key;
      f->prefix = prefix;
      if (FL_UNLIKELY(!bin_check_key_(c, f, p))) return 0;
      key = f->key;
      prefix = f->prefix;
    }
    if (bin_check_scalar_item(p + width, width, reach, &v)) continue;
    f->item = p + 2 * width;
    f->key = key;
    f->prefix = prefix;
    const int done = bin_check_item_(c, f, p + width);
    if (FL_UNLIKELY(done != 1)) return done;
  }
  if (FL_LIKELY(!f->long_keys)) *bin_check_shape_slot(c, f->at) = f->at;
  return bin_check_pop(c);
}

FL_NOINLINE int bin_check_pairs_2(struct bin_check *c) { return bin_check_pairs(c, 2); }

FL_NOINLINE int bin_check_pairs_4(struct bin_check *c) { return bin_check_pairs(c, 4); }

/* Checks the open collections and everything in them. */
static int bin_check_walk(struct bin_check *c) {
  int fine = 1;
  while (fine && c->depth > 0) {
    const struct bin_check_frame *f = &c->frames[c->depth - 1];
    if (f->kind != BIN_CHECK_DICT) fine = bin_check_items(c);
    else fine = f->width == 2 ? bin_check_pairs_2(c) : bin_check_pairs_4(c);
  }
  return fine;
}

/* Checks the root: the last two bytes, or their target. */
static int bin_check_root(struct bin_check *c, struct bin_doc *d) {
  const struct bin_doc *doc = d;
  bin_value last = d->end - 2, limit = d->end;
  d->root = last;
  if (bin_is_pointer(last)) d->root = bin_check_pointer(c, last, 2, &doc, &limit);
  else if (last != d->begin) return bin_check_fail(c, BIN_ERROR_TRAILER, last);
  if (!d->root) return 0;
  return bin_is_collection(d->root) ? bin_check_collection_(c, NULL, doc, d->root, limit, 0)
                                    : bin_check_scalar(c, d->root, limit);
}

/* Checks the value v of a document, maybe not the root. */
static int bin_check_inner(struct bin_check *c, const struct bin_doc *d, bin_value v) {
  const struct bin_doc *owner = bin_owning_document(d, v);
  if (!owner) return bin_check_fail(c, BIN_ERROR_POINTER, d->begin);
  return bin_is_collection(v) ? bin_check_collection_(c, NULL, owner, v, owner->end, 0)
                              : bin_check_scalar(c, v, owner->end);
}

FL_PRIVATE int bin_check_value(struct bin_check *c, struct bin_doc *d, bin_value v) {
  const size_t n = (size_t)(d->end - d->begin);
  c->doc = d;
  c->error = BIN_ERROR_NONE;
  c->where = d->begin;
  if (n < 2 || n % 2) return bin_check_fail(c, BIN_ERROR_SIZE, d->begin);
  if ((uintptr_t)d->begin % 2) return bin_check_fail(c, BIN_ERROR_ADDRESS, d->begin);
  if (bin_overlaps(d, d->base)) return bin_check_fail(c, BIN_ERROR_BASE, d->begin);
  c->budget = bin_doc_bytes(d);
  c->most_values = bin_most_values(c->budget);
  if (!c->max_values) c->max_values = bin_default_values(c->budget);
  c->work = BIN_CHECK_WORK_LEAST + BIN_CHECK_WORK * (uint64_t)c->budget;
  if (!bin_check_init(c, c->budget)) return 0;
  int fine = (v ? bin_check_inner(c, d, v) : bin_check_root(c, d)) && bin_check_walk(c);
  bin_check_free(c);
  FL_ASSERT(!fine || c->depth == 0);
  if (fine && c->code && !c->codes) fine = bin_check_fail(c, BIN_ERROR_KEYS, c->code); /* the only error */
  if (fine && !v) d->values = c->values + c->texts;
  return fine;
}

FL_PRIVATE int bin_check(struct bin_check *c, struct bin_doc *d) { return bin_check_value(c, d, NULL); }
