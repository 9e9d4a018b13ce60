/* SPDX-License-Identifier: MIT
** test_buffer.c -- the output buffer: its bytes, its bounds, its block, whichever place they begin at; requests that are
** refused; pieces that are handed out.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/base/test_buffer.c -lcmocka */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "../support/heap.h"

static const size_t fronts[] = {0, BUF_FRONT};
enum { FRONTS = sizeof fronts / sizeof *fronts, TEXT = 3 * 1024 * 1024 };

static char text_at(size_t i) { return (char)(i * 31 + i / 251); }

static struct buffer buffer_of(struct heap *h, size_t front) {
  struct buffer b;
  buf_init(&b, heap_alloc, h);
  b.front = front;
  return b;
}

/* Appends n bytes of the text and writes to the last of the slack. */
static char *append(struct buffer *b, char *w, size_t at, size_t n) {
  size_t i;
  w = buf_reserve(b, w, n);
  if (!w) return NULL;
  assert_true(w + n <= b->end);
  for (i = 0; i < n; i++) *w++ = text_at(at + i);
  memset(w, 0x5a, BUF_SLACK);
  return w;
}

static void must_hold(const struct buffer *b, const char *w, size_t n) {
  size_t i;
  assert_ptr_equal(w, b->begin + n);
  for (i = 0; i < n && b->begin[i] == text_at(i); i++) continue;
  assert_int_equal(i, n);
}

/* The heap ends the test when a block is given back at another place or with another size. */
static void test_growth(void **unused) {
  static const size_t steps[] = {1, 71, 72, 73, 1000, 1023, 1024, 1025, 4096, 100000};
  size_t i, f;
  (void)unused;
  for (f = 0; f < FRONTS; f++)
    for (i = 0; i < sizeof steps / sizeof *steps; i++) {
      struct heap h = {0};
      struct buffer b = buffer_of(&h, fronts[f]);
      char *w = NULL;
      size_t n;
      assert_null(buf_block(&b));
      assert_int_equal(buf_capacity(&b), 0);
      for (n = 0; n < steps[i] * 50 || n < 20000; n += steps[i]) {
        assert_non_null(w = append(&b, w, n, steps[i]));
        assert_ptr_equal(buf_block(&b), b.begin - fronts[f]);
        assert_int_equal(buf_capacity(&b), b.end + BUF_SLACK - buf_block(&b));
      }
      must_hold(&b, w, n);
      assert_true(h.requests < 16); /* it doubles */
      buf_free(&b);
      assert_null(b.begin);
      assert_int_equal(h.blocks, 0);
    }
}

/* A host near its limit: where the double is refused, what is needed is taken; where that is, all stays. */
static void test_refused(void **unused) {
  size_t f;
  (void)unused;
  for (f = 0; f < FRONTS; f++) {
    struct heap h = {0};
    struct buffer b = buffer_of(&h, fronts[f]);
    char *w = append(&b, NULL, 0, 20000), *more;
    size_t capacity, n;
    assert_non_null(w);
    h.most = fronts[f] + 50000 + BUF_SLACK;
    assert_non_null(w = append(&b, w, 20000, 30000));
    assert_int_equal(buf_capacity(&b), h.most);
    must_hold(&b, w, 50000);
    assert_ptr_equal(buf_reserve(&b, w, 0), w);
    more = buf_reserve(&b, w, 1);
    assert_null(more);
    must_hold(&b, w, 50000);
    for (n = SIZE_MAX; n > SIZE_MAX / 8; n -= SIZE_MAX / 8) assert_null(buf_reserve(&b, w, n));
    capacity = 4 * h.most;
    assert_false(buf_resize(&b, capacity));
    assert_int_equal(buf_capacity(&b), h.most);
    h.most = 0;
    assert_true(buf_resize(&b, capacity));
    assert_int_equal(buf_capacity(&b), capacity);
    must_hold(&b, b.begin + 50000, 50000);
    assert_true(buf_resize(&b, fronts[f] + 40000 + BUF_SLACK));
    must_hold(&b, b.begin + 40000, 40000);
    buf_free(&b);
    assert_int_equal(h.blocks, 0);
  }
}

struct sink {
  char *bytes;
  size_t n, most;
};

static int take(void *ud, const char *bytes, size_t n) {
  struct sink *s = ud;
  if (s->n + n > s->most) return 0;
  assert_true(n >= BUF_DRAIN_FROM - BUF_KEEP_TAIL);
  memcpy(s->bytes + s->n, bytes, n);
  s->n += n;
  return 1;
}

static void test_drain(void **unused) {
  static const size_t steps[] = {1, 1000, 30000};
  struct sink s = {malloc(TEXT), 0, 0};
  size_t i, f, n;
  (void)unused;
  assert_non_null(s.bytes);
  for (f = 0; f < FRONTS; f++)
    for (i = 0; i < sizeof steps / sizeof *steps; i++) {
      struct heap h = {0};
      struct buffer b = buffer_of(&h, fronts[f]);
      char *w = NULL;
      b.drain = take, b.drain_ud = &s;
      s.n = 0, s.most = TEXT / 2;
      for (n = 0; (w = append(&b, w, n, steps[i])) != NULL; n += steps[i]) {
        assert_true(w - b.begin >= BUF_KEEP_TAIL && buf_capacity(&b) < 200000);
        assert_int_equal(w[-1], text_at(n + steps[i] - 1));
        assert_int_equal(s.n + (size_t)(w - b.begin), n + steps[i]);
      }
      assert_true(b.refused && s.n <= s.most && s.n + 200000 > s.most);
      for (n = 0; n < s.n && s.bytes[n] == text_at(n); n++) continue;
      assert_int_equal(n, s.n);
      buf_free(&b);
      assert_int_equal(h.blocks, 0);
    }
  free(s.bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_growth), cmocka_unit_test(test_refused),
                                     cmocka_unit_test(test_drain)};
  return cmocka_run_group_tests_name("buffer", tests, NULL, NULL);
}
