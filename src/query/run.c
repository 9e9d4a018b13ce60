/* SPDX-License-Identifier: MIT */
#include "run.h"
#include "../number/integer.h"

/* ------------------------------------------------------------------------------------- slices */

/* RFC 9535, section 2.3.4.2.2: Normalize, and the bound. All numbers are below 2^54. */
static int64_t query_bound(int64_t i, int64_t n, int64_t least, int64_t most) {
  if (i < 0) i += n;
  return i < least ? least : i > most ? most : i;
}

FL_PRIVATE uint64_t query_slice(const struct query_selector *s, uint64_t length, uint64_t *at) {
  const int64_t n = (int64_t)length, step = s->step;
  int64_t start, end;
  if (step == 0) return 0;
  if (step > 0) {
    start = s->has_start ? query_bound(s->start, n, 0, n) : 0;
    end = s->has_end ? query_bound(s->end, n, 0, n) : n;
    *at = (uint64_t)start;
    return start < end ? (uint64_t)((end - start - 1) / step + 1) : 0;
  }
  start = s->has_start ? query_bound(s->start, n, -1, n - 1) : n - 1;
  end = s->has_end ? query_bound(s->end, n, -1, n - 1) : -1;
  *at = (uint64_t)start;
  return start > end ? (uint64_t)((start - end - 1) / -step + 1) : 0;
}

/* ------------------------------------------------------------------------------------- paths */

/* Room for n more bytes. */
static int query_need_text(struct query_run *r, size_t n) {
  const size_t need = r->text_length + n;
  if (need <= r->text_room) return 1;
  r->text = (char *)value_reserve(r->walk, QUERY_BLOCK_TEXT, 2 * need, r->text_length);
  r->text_room = r->text ? 2 * need : 0;
  return r->text != NULL;
}

FL_PRIVATE int query_begin_path(struct query_run *r) {
  r->text_length = 0;
  if (!query_need_text(r, 64)) return 0;
  r->text[r->text_length++] = '$';
  return 1;
}

/* A byte of a name, as RFC 9535, section 2.7 writes it in a normalized path. */
static char *query_put_byte(char *w, char x) {
  static const char digits[] = "0123456789abcdef", short_escapes[] = "btn?fr";
  if (x == '\'' || x == '\\') {
    *w++ = '\\';
    *w++ = x;
  } else if ((unsigned char)x >= ' ') {
    *w++ = x;
  } else if (x >= '\b' && x <= '\r' && x != '\v') {
    *w++ = '\\';
    *w++ = short_escapes[x - '\b'];
  } else {
    memcpy(w, "\\u00", 4);
    w[4] = digits[(unsigned char)x >> 4];
    w[5] = digits[x & 15];
    w += 6;
  }
  return w;
}

FL_PRIVATE int query_put_step(struct query_run *r, const char *name, size_t n, uint64_t index) {
  char *w;
  size_t i;
  if (n > SIZE_MAX / 32 || !value_spend(r->walk, n / VALUE_BYTES_PER_STEP) || !query_need_text(r, 6 * n + 32)) return 0;
  w = r->text + r->text_length;
  *w++ = '[';
  if (name) {
    *w++ = '\'';
    for (i = 0; i < n; i++) w = query_put_byte(w, name[i]);
    *w++ = '\'';
  } else {
    w = num_write_i64(w, (int64_t)index);
  }
  *w++ = ']';
  r->text_length = (size_t)(w - r->text);
  return 1;
}
