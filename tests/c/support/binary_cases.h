/* SPDX-License-Identifier: MIT
** binary_cases.h -- what test_binary.c and test_binary_back.c share: documents at the edge of a page, in hex, compared. */
#ifndef FLEECE_TESTS_BINARY_CASES_H
#define FLEECE_TESTS_BINARY_CASES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "binary.h"
#include "guarded.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static struct heap heap;
static int setup(void **unused) {
  (void)unused;
  memset(&heap, 0, sizeof heap); /* what a test that failed has left is forgotten */
  return 0;
}

/* ------------------------------------------------------------------------------------- helpers */

/* The bytes as close to an unmapped page as an even address allows; only even lengths reach it. */
static const uint8_t *at_edge(const uint8_t *bytes, size_t n) {
  enum { EDGE = 1 << 21 };
  static uint8_t *edge;
  if (!edge) edge = (uint8_t *)guarded(EDGE);
  MUST(n <= EDGE - 1);
  n += n % 2;
  memcpy(edge - n, bytes, n);
  return edge - n;
}

FL_FUNC size_t unhex(const char *hex, uint8_t *out) {
  size_t n = 0;
  unsigned byte;
  for (; *hex; hex += *hex == ' ' ? 1 : 2)
    if (*hex != ' ') {
      MUST(sscanf(hex, "%2x", &byte) == 1);
      out[n++] = (uint8_t)byte;
    }
  return n;
}

static enum bin_error judge(const uint8_t *bytes, size_t n, int utf8) {
  const long blocks = heap.blocks;
  struct bin_doc d;
  enum bin_error error = verdict(&heap, at_edge(bytes, n), n, utf8, &d);
  if (!error) read_all(&d);
  assert_int_equal(heap.blocks, blocks);
  return error;
}
FL_FUNC enum bin_error judge_hex(const char *hex, int utf8) {
  uint8_t bytes[4096];
  return judge(bytes, unhex(hex, bytes), utf8);
}

static void equal_bytes(const uint8_t *got, size_t n, const uint8_t *wanted, size_t wanted_n, const char *what) {
  size_t i;
  for (i = 0; i < n && i < wanted_n && got[i] == wanted[i]; i++) {}
  if (i < n || i < wanted_n) fail_msg("%.60s: byte %d of %d differs, wanted %d", what, (int)i, (int)n, (int)wanted_n);
}

/* The encoder has ended with these bytes. */
FL_FUNC void ends_as(struct bin_encoder *e, const uint8_t *wanted, size_t n, const char *what) {
  equal_bytes((uint8_t *)e->out.begin, (size_t)(e->w - e->out.begin), wanted, n, what);
  assert_int_equal(judge((uint8_t *)e->out.begin, (size_t)(e->w - e->out.begin), 0), BIN_ERROR_NONE);
  bin_encoder_free(e);
  assert_int_equal(heap.blocks, 0);
}
FL_FUNC void ends_as_hex(struct bin_encoder *e, const char *hex) {
  uint8_t bytes[4096];
  assert_true(bin_finish(e));
  ends_as(e, bytes, unhex(hex, bytes), hex);
}

FL_FUNC void begin(struct bin_encoder *e, int compact) {
  bin_encoder_init(e, heap_alloc, &heap, compact ? BIN_COMPACT : BIN_COMPATIBLE);
}

#endif
