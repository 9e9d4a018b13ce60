/* SPDX-License-Identifier: MIT
** The difference is found by E. W. Myers' greedy algorithm ("An O(ND) Difference Algorithm and Its Variations",
** 1986) on what is between the common prefix and the common suffix. Row d holds, for each diagonal k = x - y = 2j -
** d that d edits can reach, the farthest x (the number of old characters consumed). After BIN_TEXT_EDITS rows, or
** when no steps are left, the best path so far is taken and the search starts again from its end. Dropped and
** inserted characters are marked. One pass reads the marks, and merges edits that are shorter as one. */
#include "text.h"

enum {
  BIN_TEXT_LEAST = 60, /* a text delta is only for new strings of at least so many bytes, */
  BIN_TEXT_GAIN = 6,   /* and must save more bytes than this */
  BIN_TEXT_EDITS = 64  /* limit of edits in one search, whose work grows with this times the length */
};
#define BIN_TEXT_CHANGED UINT32_C(0x80000000) /* marks a character */

FL_PRIVATE void bin_text_free(struct bin_text *t) {
  bin_work_free(t->work, t->ops, t->ops_room, 1);
  bin_work_free(t->work, t->chars, t->chars_room, sizeof *t->chars);
  bin_work_free(t->work, t->rows, t->rows_room, sizeof *t->rows);
  bin_work_free(t->work, t->applied, t->applied_room, 1);
  t->ops = t->applied = NULL, t->chars = NULL, t->rows = NULL;
  t->ops_room = t->applied_room = t->chars_room = t->rows_room = 0;
}

FL_INLINE int bin_text_bytes(struct bin_text *t, char **bytes, size_t *room, size_t need) {
  if (FL_LIKELY(need <= *room)) return 1;
  char *wider = (char *)bin_work_grow(t->work, *bytes, room, need, 1);
  if (wider) *bytes = wider;
  return wider != NULL;
}

/* Reads the number at *p. Returns 0 if there is none. */
FL_INLINE int bin_text_number(const char **p, const char *end, size_t *out) {
  const char *begin = *p;
  uint64_t x = 0;
  for (; *p < end && **p >= '0' && **p <= '9'; ++*p) {
    x = 10 * x + (uint64_t)(**p - '0');
    if (x > UINT32_MAX) x = UINT32_MAX; /* no string is that long */
  }
  *out = (size_t)x;
  return *p > begin;
}

FL_PRIVATE int bin_text_apply(struct bin_text *t, const char *ops, size_t ops_n, const char *old, size_t old_n,
                              size_t *out) {
  const char *p = ops, *end = ops + ops_n, *from = old, *old_end = old + old_n;
  if (ops_n == 0) return bin_work_fail(t->work, BIN_DELTA_ERROR_TEXT);
  if (!bin_text_bytes(t, &t->applied, &t->applied_room, old_n + ops_n)) return 0;
  char *w = t->applied;
  while (p < end) {
    size_t n;
    if (!bin_text_number(&p, end, &n) || p == end) return bin_work_fail(t->work, BIN_DELTA_ERROR_TEXT_OPERATION);
    switch (*p++) {
    case '=':
    case '-':
      if (n > (size_t)(old_end - from)) return bin_work_fail(t->work, BIN_DELTA_ERROR_TEXT_LENGTH);
      if (p[-1] == '=') memcpy(w, from, n), w += n;
      from += n;
      break;
    case '+':
      if (n >= (size_t)(end - p) || p[n] != '|') return bin_work_fail(t->work, BIN_DELTA_ERROR_TEXT_DELIMITER);
      memcpy(w, p, n), w += n;
      p += n + 1;
      break;
    default: return bin_work_fail(t->work, BIN_DELTA_ERROR_TEXT_OPERATION);
    }
  }
  if (from != old_end) return bin_work_fail(t->work, BIN_DELTA_ERROR_TEXT_SHORT);
  *out = (size_t)(w - t->applied);
  FL_ASSERT(*out <= t->applied_room);
  return 1;
}

/* Returns whether s[at] is inside a character, after its first byte. */
FL_INLINE int bin_text_is_inside(const char *s, size_t n, size_t at) {
  return at < n && ((uint8_t)s[at] & 0xc0) == 0x80;
}

static size_t bin_text_prefix(const char *a, size_t an, const char *b, size_t bn) {
  size_t n = 0;
  while (n < an && n < bn && a[n] == b[n]) n++;
  while (n > 0 && (bin_text_is_inside(a, an, n) || bin_text_is_inside(b, bn, n))) n--;
  return n;
}

static size_t bin_text_suffix(const char *a, size_t an, const char *b, size_t bn) {
  size_t n = 0;
  while (n < an && n < bn && a[an - 1 - n] == b[bn - 1 - n]) n++;
  while (n > 0 && bin_text_is_inside(a, an, an - n)) n--;
  return n;
}

static size_t bin_text_decode(uint32_t *out, const char *s, size_t n) {
  size_t count = 0, i = 0;
  while (i < n) i += (size_t)text_utf8_next(s + i, n - i, &out[count++]);
  return count;
}

/* Returns the x on row d's diagonal j before the run of equal characters: one more old character, or one more new one.
** -1 if out of range. */
FL_INLINE int32_t bin_text_enter(const int32_t *row, int32_t d, int32_t j, int32_t an, int32_t bn) {
  const int32_t *before = row - d; /* row d - 1 */
  const int32_t k = 2 * j - d;
  const int32_t dropped = j > 0 && before[j - 1] >= 0 && before[j - 1] < an ? before[j - 1] + 1 : -1;
  const int32_t inserted = j < d && before[j] >= 0 && before[j] - k <= bn ? before[j] : -1;
  return dropped > inserted ? dropped : inserted;
}

/* Marks the edits on the path to row d's diagonal j. */
static void bin_text_mark(const struct bin_text *t, int32_t d, int32_t j, uint32_t *a, int32_t an, uint32_t *b,
                          int32_t bn) {
  for (; d > 0; d--) {
    const int32_t *row = t->rows + (size_t)d * ((size_t)d + 1) / 2;
    const int32_t x = bin_text_enter(row, d, j, an, bn), y = x - (2 * j - d);
    FL_ASSERT(x >= 0 && x <= an && y >= 0 && y <= bn);
    if (j > 0 && row[j - 1 - d] >= 0 && row[j - 1 - d] + 1 == x) a[x - 1] |= BIN_TEXT_CHANGED, j--;
    else b[y - 1] |= BIN_TEXT_CHANGED;
  }
}

/* Searches once from the beginning of a and b, and marks the edits. Sets *x_out and *y_out to where it stopped. */
static int bin_text_search(struct bin_text *t, uint32_t *a, int32_t an, uint32_t *b, int32_t bn, int32_t *x_out,
                           int32_t *y_out) {
  int32_t d, j, best = 0;
  for (d = 0;; d++) {
    const size_t at = (size_t)d * ((size_t)d + 1) / 2;
    int32_t *row, most = -1;
    row = (int32_t *)bin_work_reserve(t->work, t->rows, &t->rows_room, at + (size_t)d + 1, sizeof *row);
    if (!row) return 0;
    t->rows = row;
    row += at;
    for (j = 0; j <= d; j++) {
      const int32_t k = 2 * j - d, begin = d == 0 ? 0 : bin_text_enter(row, d, j, an, bn);
      int32_t x = begin, y = begin - k;
      if (begin >= 0)
        while (x < an && y < bn && a[x] == b[y]) x++, y++;
      row[j] = x;
      t->steps -= (uint64_t)(x - begin) < t->steps ? (uint64_t)(x - begin) : t->steps;
      if (begin >= 0 && x + y > most) most = x + y, best = j, *x_out = x, *y_out = y;
    }
    t->steps -= (uint64_t)d < t->steps ? (uint64_t)d : t->steps;
    if (most == an + bn || d == BIN_TEXT_EDITS || t->steps == 0) break;
  }
  bin_text_mark(t, d, best, a, an, b, bn);
  return 1;
}

/* Marks what is dropped from a and inserted from b; all that remains when no steps are left. */
static int bin_text_compare(struct bin_text *t, uint32_t *a, size_t an, uint32_t *b, size_t bn) {
  while (an > 0 && bn > 0 && t->steps > 0) {
    int32_t x = 0, y = 0;
    if (!bin_text_search(t, a, (int32_t)an, b, (int32_t)bn, &x, &y)) return 0;
    FL_ASSERT(x + y > 0 && (size_t)x <= an && (size_t)y <= bn);
    a += x, an -= (size_t)x;
    b += y, bn -= (size_t)y;
  }
  for (; an > 0; an--) *a++ |= BIN_TEXT_CHANGED;
  for (; bn > 0; bn--) *b++ |= BIN_TEXT_CHANGED;
  return 1;
}

/* Replaces the bytes old[from..to) by new[new_from..new_to). */
struct bin_text_edit {
  size_t from, to, new_from, new_to;
};

FL_INLINE size_t bin_text_digits(size_t n) {
  size_t digits = 1;
  for (; n >= 10; n /= 10) digits++;
  return digits;
}

/* Returns the length of the operations of an edit that drops d bytes and inserts i. */
FL_INLINE size_t bin_text_price(size_t d, size_t i) {
  return (d ? bin_text_digits(d) + 1 : 0) + (i ? bin_text_digits(i) + 2 + i : 0);
}

static void bin_text_put_op(struct bin_text *t, size_t n, char op) {
  char *end = num_write_u64(t->ops + t->ops_n, n);
  FL_ASSERT(t->ops_n + NUM_ROOM <= t->ops_room);
  *end++ = op;
  t->ops_n = (size_t)(end - t->ops);
}

/* Writes an edit, after what is kept between `kept` and it. */
static int bin_text_put_edit(struct bin_text *t, size_t kept, const struct bin_text_edit *x, const char *fresh) {
  const size_t inserted = x->new_to - x->new_from;
  if (!bin_text_bytes(t, &t->ops, &t->ops_room, t->ops_n + inserted + 80)) return 0;
  if (x->from > kept) bin_text_put_op(t, x->from - kept, '=');
  if (x->to > x->from) bin_text_put_op(t, x->to - x->from, '-');
  if (inserted == 0) return 1;
  bin_text_put_op(t, inserted, '+');
  memcpy(t->ops + t->ops_n, fresh + x->new_from, inserted);
  t->ops_n += inserted;
  t->ops[t->ops_n++] = '|';
  return 1;
}

/* Returns whether writing two edits as one, which repeats what is kept between them, is not longer. */
static int bin_text_should_merge(const struct bin_text_edit *x, const struct bin_text_edit *y) {
  return bin_text_price(y->to - x->from, y->new_to - x->new_from) <=
         bin_text_price(x->to - x->from, x->new_to - x->new_from) + bin_text_digits(y->from - x->to) + 1 +
             bin_text_price(y->to - y->from, y->new_to - y->new_from);
}

FL_INLINE size_t bin_text_width(uint32_t c) { return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4; }

/* Writes the marks as operations. `start`: where both middle parts begin; `tail`: number of bytes kept after them. */
static int bin_text_write(struct bin_text *t, const uint32_t *a, size_t an, const uint32_t *b, size_t bn, size_t start,
                          size_t tail, const char *fresh) {
  struct bin_text_edit now = {0, 0, 0, 0}, next;
  size_t i = 0, j = 0, at = start, new_at = start, kept = 0;
  int any = 0;
  t->ops_n = 0;
  while (i < an || j < bn) {
    if (i < an && j < bn && !(a[i] & BIN_TEXT_CHANGED) && !(b[j] & BIN_TEXT_CHANGED)) {
      at += bin_text_width(a[i++]);
      new_at += bin_text_width(b[j++]);
      continue;
    }
    next.from = at, next.new_from = new_at;
    while (i < an && a[i] & BIN_TEXT_CHANGED) at += bin_text_width(a[i++] & ~BIN_TEXT_CHANGED);
    while (j < bn && b[j] & BIN_TEXT_CHANGED) new_at += bin_text_width(b[j++] & ~BIN_TEXT_CHANGED);
    next.to = at, next.new_to = new_at;
    if (any && bin_text_should_merge(&now, &next)) {
      now.to = next.to, now.new_to = next.new_to;
      continue;
    }
    if (any) {
      if (!bin_text_put_edit(t, kept, &now, fresh)) return 0;
      kept = now.to;
    }
    now = next;
    any = 1;
  }
  if (any && !bin_text_put_edit(t, kept, &now, fresh)) return 0;
  if (!bin_text_bytes(t, &t->ops, &t->ops_room, t->ops_n + NUM_ROOM)) return 0;
  if (any) kept = now.to;
  if (at + tail > kept) bin_text_put_op(t, at + tail - kept, '=');
  return 1;
}

FL_PRIVATE int bin_text_diff(struct bin_text *t, const char *a, size_t an, const char *b, size_t bn) {
  uint32_t *chars;
  if (bn < BIN_TEXT_LEAST || an >= INT32_MAX / 4 || bn >= INT32_MAX / 4 || t->steps < (an + bn) / 8) return 0;
  t->steps -= (an + bn) / 8;
  if (text_utf8_valid(a, an) != an || text_utf8_valid(b, bn) != bn) return 0;
  const size_t start = bin_text_prefix(a, an, b, bn);
  const size_t tail = bin_text_suffix(a + start, an - start, b + start, bn - start);
  size_t n = an + bn - 2 * (start + tail);
  if (n > t->chars_room) {
    chars = (uint32_t *)bin_work_grow(t->work, t->chars, &t->chars_room, n, sizeof *chars);
    if (!chars) return -1;
    t->chars = chars;
  }
  chars = t->chars;
  const size_t ac = bin_text_decode(chars, a + start, an - start - tail);
  const size_t bc = bin_text_decode(chars + ac, b + start, bn - start - tail);
  if (!bin_text_compare(t, chars, ac, chars + ac, bc)) return -1;
  if (!bin_text_write(t, chars, ac, chars + ac, bc, start, tail, b)) return -1;
  if (t->ops_n + BIN_TEXT_GAIN >= bn) return 0;
  if (!bin_text_apply(t, t->ops, t->ops_n, a, an, &n)) return -1;
  return n == bn && memcmp(t->applied, b, n) == 0;
}
