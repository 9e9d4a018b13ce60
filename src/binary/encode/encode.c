/* SPDX-License-Identifier: MIT */
#include "encode.h"

#include "../../number/scale.h"

FL_INLINE void *bin_free_array(struct bin_encoder *e, void *block, size_t bytes) {
  if (block) e->out.alloc(e->out.alloc_ud, block, bytes, 0);
  return NULL;
}

FL_PRIVATE void bin_encoder_free(struct bin_encoder *e) {
  buf_free(&e->out);
  e->w = NULL;
  e->items = (struct bin_item *)bin_free_array(e, e->items, e->items_room * sizeof *e->items);
  e->open = (struct bin_open *)bin_free_array(e, e->open, e->open_room * sizeof *e->open);
  e->pairs = (struct bin_pair *)bin_free_array(e, e->pairs, e->pairs_room * sizeof *e->pairs);
  e->orders = (struct bin_order *)bin_free_array(e, e->orders, BIN_ORDERS * sizeof *e->orders);
  bin_pool_free(&e->pool, e->out.alloc, e->out.alloc_ud);
  bin_recent_free(&e->numbers, e->out.alloc, e->out.alloc_ud);
  bin_recent_free(&e->lists, e->out.alloc, e->out.alloc_ud);
  e->count = e->items_room = e->depth = e->open_room = e->pairs_room = 0;
}

/* Starts another document: no order is known. */
FL_INLINE void bin_forget_orders(struct bin_encoder *e) {
  if (FL_LIKELY(++e->document != 0)) return;
  if (e->orders) memset(e->orders, 0, BIN_ORDERS * sizeof *e->orders);
  e->document = 1;
}

FL_PRIVATE void bin_encoder_reset(struct bin_encoder *e) {
  e->w = e->out.begin;
  e->count = e->depth = 0;
  e->values = e->names = e->texts = e->names_again = 0;
  e->error = BIN_ERROR_NONE;
  e->newest = 0;
  bin_forget_orders(e);
  bin_recent_clear(&e->numbers, e->out.alloc, e->out.alloc_ud);
  bin_recent_clear(&e->lists, e->out.alloc, e->out.alloc_ud);
  bin_pool_clear(&e->pool, e->out.alloc, e->out.alloc_ud);
}

FL_PRIVATE_NOINLINE int bin_fail(struct bin_encoder *e, enum bin_error error) {
  FL_ASSERT(error != BIN_ERROR_NONE || e->error);
  if (!e->error) e->error = error;
  return 0;
}

FL_PRIVATE_NOINLINE int bin_grow_(struct bin_encoder *e, void **array, size_t *room, size_t need, size_t member) {
  size_t more = *room ? 2 * *room : BIN_FIRST_ITEMS;
  void *block;
  while (more < need) more *= 2;
  if (more > SIZE_MAX / 4 / member) return bin_fail(e, BIN_ERROR_MEMORY);
  block = e->out.alloc(e->out.alloc_ud, *array, *room * member, more * member);
  if (!block) return bin_fail(e, BIN_ERROR_MEMORY);
  *array = block;
  *room = more;
  return 1;
}

FL_PRIVATE void bin_presize(struct bin_encoder *e, size_t n) {
  size_t room = BIN_POOL_FIRST;
  char *w = buf_reserve(&e->out, e->w, n / 2);
  if (w) e->w = w;
  while (room < n / BIN_TEXT_PER_ENTRY && room < SIZE_MAX / 64) room *= 2;
  if (room > e->pool.room && (e->compact || e->pooled_most[0]))
    (void)bin_pool_resize_(&e->pool, e->out.alloc, e->out.alloc_ud, room);
}

FL_PRIVATE_NOINLINE int bin_spend_text_(struct bin_encoder *e, size_t n) {
  const uint64_t texts = e->texts + bin_text_values(n);
  if (texts > BIN_TEXT_SPREAD_LEAST + BIN_TEXT_SPREAD * (uint64_t)bin_end_offset(e)) return 0;
  e->texts = texts;
  return 1;
}

FL_PRIVATE int bin_put_number_bytes(struct bin_encoder *e, const uint8_t *bytes, size_t size) {
  const unsigned high = size < 10 ? 0 : (unsigned)bin_little(bytes + 8, 2);
  return bin_put_number(e, bin_little(bytes, size < 8 ? (unsigned)size : 8), high, (unsigned)size);
}

/* Puts 4 bytes; the first byte tells whether the value was a float or a double. */
static int bin_put_float_bytes(struct bin_encoder *e, float f, unsigned first_byte) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bin_put_number(e, (uint64_t)bits << 16 | first_byte, 0, 6);
}

FL_PRIVATE int bin_put_float(struct bin_encoder *e, float f) {
  return f != f ? bin_fail(e, BIN_ERROR_NAN) : bin_put_float_bytes(e, f, BIN_TAG_FLOAT << 4);
}

FL_PRIVATE int bin_put_double(struct bin_encoder *e, double d) {
  uint64_t bits;
  if (FL_UNLIKELY(d != d)) return bin_fail(e, BIN_ERROR_NAN);
  if (d >= -3.4028234663852886e38 && d <= 3.4028234663852886e38 && num_bits(d) == num_bits((double)(float)d))
    return bin_put_float_bytes(e, (float)d, BIN_TAG_FLOAT << 4 | 4);
  memcpy(&bits, &d, sizeof bits);
  return bin_put_number(e, bits << 16 | BIN_TAG_FLOAT << 4 | BIN_EIGHT_BYTES, (unsigned)(bits >> 48), 10);
}
