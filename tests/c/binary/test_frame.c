/* SPDX-License-Identifier: MIT
** test_frame.c -- checksums against known values and each other; files with frames: every cut, every changed bit.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/binary/test_frame.c -lcmocka */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "binary/frame/frame.h"
#include "binary/check/check.h"
#include "../support/heap.h"

static struct heap heap;
static unsigned variants[2] = {0, 0}; /* the bits of a CPU without the instruction, and of this one */

/* ------------------------------------------------------------------------------------- checksums */

/* Bit by bit, from the definition. */
static uint32_t slow_checksum(const uint8_t *s, size_t n) {
  uint32_t r = 0xffffffff;
  int i;
  for (; n > 0; n--)
    for (r ^= *s++, i = 0; i < 8; i++) r = r >> 1 ^ (r & 1 ? 0x82f63b78u : 0);
  return ~r;
}

/* RFC 3720, B.4, and the check value of the catalogue of CRCs. */
static void test_known_checksums(void **unused) {
  uint8_t s[32];
  unsigned v, i;
  (void)unused;
  for (v = 0; v < 2; v++) {
    assert_int_equal(bin_checksum(variants[v], 0, "", 0), 0);
    assert_int_equal(bin_checksum(variants[v], 0, "123456789", 9), 0xe3069283);
    memset(s, 0, sizeof s);
    assert_int_equal(bin_checksum(variants[v], 0, s, sizeof s), 0x8a9136aa);
    memset(s, 0xff, sizeof s);
    assert_int_equal(bin_checksum(variants[v], 0, s, sizeof s), 0x62a8ab43);
    for (i = 0; i < 32; i++) s[i] = (uint8_t)i;
    assert_int_equal(bin_checksum(variants[v], 0, s, sizeof s), 0x46dd794e);
  }
}

/* All variants, at all alignments, in one piece and in two. */
static void test_checksum_variants(void **unused) {
  static const size_t sizes[] = {1, 7, 8, 9, 63, 1023, 1024, 1025, 8192, 24575, 24576, 24577, 49160, 100003};
  enum { MOST = 100003 + 8 };
  uint8_t *s = malloc(MOST);
  size_t i, k, at;
  unsigned v;
  (void)unused;
  MUST(s != NULL);
  for (i = 0; i < MOST; i++) s[i] = (uint8_t)(i * 131 ^ i >> 7 ^ i >> 13);
  for (i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (at = 0; at < 8; at++) {
      const size_t n = sizes[i];
      const uint32_t want = slow_checksum(s + at, n);
      for (v = 0; v < 2; v++) {
        MUST(bin_checksum(variants[v], 0, s + at, n) == want);
        for (k = 0; k <= n; k += n / 3 + 1)
          MUST(bin_checksum(variants[v], bin_checksum(variants[v], 0, s + at, k), s + at + k, n - k) == want);
      }
    }
  free(s);
}

/* ------------------------------------------------------------------------------------- files */

struct file {
  uint8_t bytes[1024];
  size_t n, ends[4]; /* of its parts */
  unsigned parts;
};

/* Adds a part with the body (hexadecimal) and names. */
static void add_part(struct file *f, const char *hex, const char *names, size_t names_n) {
  struct bin_frames before;
  uint8_t *frame = f->bytes + f->n;
  const size_t frame_n = bin_frame_size(names_n), n = strlen(hex) / 2;
  size_t i;
  unsigned x;
  bin_frames_init(&before, 0);
  if (f->parts) MUST(bin_frames_find(&before, f->bytes, f->n, 1));
  MUST(f->n + frame_n + n <= sizeof f->bytes);
  memset(frame, 0, frame_n);
  memcpy(frame + BIN_FRAME_HEAD, names, names_n);
  for (i = 0; i < n; i++) sscanf(hex + 2 * i, "%2x", &x), frame[frame_n + i] = (uint8_t)x;
  bin_frame_write(variants[1], frame, names_n, frame + frame_n, n, f->parts ? &before : NULL);
  f->n += frame_n + n;
  f->ends[f->parts++] = f->n;
}

/* {"x":1} and two amendments, x = 2 and x = 3. The pointer to the parent counts across the frames. */
static void make_file(struct file *f) {
  memset(f, 0, sizeof *f);
  add_part(f, "7001417800018003", "", 0);
  add_part(f, "70020800801e417800028005", "", 0); /* 60 bytes back: 4 here, 48 of the frame, 8 */
  add_part(f, "417900017001803f00038003", "\x41\x61\x60\x01\x41\x61\x80\x02", 8);
}

/* The file byte by byte, as docs/format.md describes it, with checksums by the definition. */
static void test_frame_bytes(void **unused) {
  static const uint8_t start[] = {0x8f, 0x46, 0x5f, 0x2c, 0x0d, 0x0a, 0x1a, 0x0a, 1, 0, 3, 0};
  struct file f;
  uint8_t want[48];
  uint32_t sum;
  int i;
  (void)unused;
  make_file(&f);
  memset(want, 0, sizeof want);
  memcpy(want, start, sizeof start);
  want[16] = 8;
  sum = slow_checksum(f.bytes + 48, 8);
  for (i = 0; i < 4; i++) want[40 + i] = (uint8_t)(sum >> 8 * i);
  sum = slow_checksum(want, 44);
  for (i = 0; i < 4; i++) want[44 + i] = (uint8_t)(sum >> 8 * i);
  assert_memory_equal(f.bytes, want, 48);
  want[9] = 1, want[16] = 12, want[24] = 56;
  for (i = 0; i < 4; i++) want[32 + i] = want[44 + i];
  sum = slow_checksum(f.bytes + 104, 12);
  for (i = 0; i < 4; i++) want[40 + i] = (uint8_t)(sum >> 8 * i);
  sum = slow_checksum(want, 44);
  for (i = 0; i < 4; i++) want[44 + i] = (uint8_t)(sum >> 8 * i);
  assert_memory_equal(f.bytes + 56, want, 48);
  assert_int_equal(f.bytes[116 + 10], 4); /* 64 bytes: 48, 8 of names, 8 of padding */
  assert_int_equal(f.bytes[116 + 12], 8);
}

/* Are the bytes a document for a reader that knows no frames? */
static int plain_is_document(const uint8_t *s, size_t n) {
  struct bin_check c;
  struct bin_doc d;
  uint8_t *copy = malloc(n + 1);
  int fine;
  MUST(copy != NULL);
  memcpy(copy, s, n);
  memset(&d, 0, sizeof d);
  memset(&c, 0, sizeof c);
  d.begin = copy, d.end = copy + n;
  c.alloc = heap_alloc, c.alloc_ud = &heap;
  c.max_depth = 100;
  fine = bin_check(&c, &d);
  free(copy);
  return fine;
}

static void test_parts(void **unused) {
  struct file f;
  struct bin_frames found;
  unsigned v;
  (void)unused;
  make_file(&f);
  for (v = 0; v < 2; v++) {
    bin_frames_init(&found, variants[v]);
    MUST(bin_frames_find(&found, f.bytes, f.n, 1));
    assert_int_equal(found.parts, 3);
    assert_int_equal(found.begin, 48);
    assert_int_equal(found.end, f.n);
    assert_int_equal(found.names_n, 8);
    assert_int_equal(found.names, 116 + 48);
    assert_int_equal(found.pending, 0);
  }
  MUST(plain_is_document(f.bytes, f.ends[0])); /* the reference reads it */
  MUST(plain_is_document(f.bytes, f.ends[1]));
}

/* What a cut leaves is a whole state if it is between two parts, and else an error at its end; never frameless. */
static void test_every_cut(void **unused) {
  struct file f;
  struct bin_frames found;
  size_t n;
  (void)unused;
  make_file(&f);
  for (n = 0; n <= f.n; n++) {
    const unsigned parts = n < f.ends[0] ? 0 : n < f.ends[1] ? 1 : n < f.ends[2] ? 2 : 3;
    const int whole = parts > 0 && n == f.ends[parts - 1];
    bin_frames_init(&found, variants[n % 2]);
    MUST(bin_frames_find(&found, f.bytes, n, 1) == whole);
    assert_int_equal(found.parts, parts);
    assert_int_equal(found.end, parts ? f.ends[parts - 1] : 0);
    if (n == 0) assert_int_equal(found.error, BIN_FRAME_ERROR_NONE);
    else if (!whole) assert_int_equal(found.error, BIN_FRAME_ERROR_CUT), assert_int_equal(found.where, n);
    if (n > 0) MUST(bin_frame_begins(f.bytes, n));
    if (n <= BIN_FRAME_MAGIC) MUST(!plain_is_document(f.bytes, n));
  }
}

/* A changed bit is found, and the parts before it stay whole. */
static void test_every_bit(void **unused) {
  struct file f;
  struct bin_frames found;
  size_t i;
  (void)unused;
  make_file(&f);
  for (i = 0; i < 8 * f.n; i++) {
    const size_t at = i / 8;
    const unsigned parts = at < f.ends[0] ? 0 : at < f.ends[1] ? 1 : 2;
    f.bytes[at] ^= (uint8_t)(1u << i % 8);
    bin_frames_init(&found, variants[i / 8 % 2]);
    MUST(!bin_frames_find(&found, f.bytes, f.n, 1));
    MUST(found.error != BIN_FRAME_ERROR_FINE && found.error != BIN_FRAME_ERROR_NONE);
    assert_int_equal(found.parts, parts);
    f.bytes[at] ^= (uint8_t)(1u << i % 8);
  }
}

/* An amendment whose first byte is 0 is no part yet, wherever it ends. */
static void test_pending(void **unused) {
  struct file f;
  struct bin_frames found;
  size_t n;
  (void)unused;
  make_file(&f);
  f.bytes[f.ends[1]] = BIN_FRAME_PENDING;
  for (n = f.ends[1]; n <= f.n; n++) {
    bin_frames_init(&found, 0);
    MUST(bin_frames_find(&found, f.bytes, n, 1));
    assert_int_equal(found.parts, 2);
    assert_int_equal(found.pending, n - f.ends[1]);
  }
}

/* A part of another file, or one that is there twice, is refused. */
static void test_other_place(void **unused) {
  struct file f, g;
  struct bin_frames found;
  size_t n;
  (void)unused;
  make_file(&f);
  memset(&g, 0, sizeof g);
  add_part(&g, "7001417800098003", "", 0); /* as long, other content */
  n = f.ends[1] - f.ends[0];
  memcpy(g.bytes + g.n, f.bytes + f.ends[0], n);
  bin_frames_init(&found, 0);
  MUST(!bin_frames_find(&found, g.bytes, g.n + n, 1));
  assert_int_equal(found.error, BIN_FRAME_ERROR_PLACE);
  memcpy(f.bytes + f.ends[1], f.bytes + f.ends[0], n);
  bin_frames_init(&found, 0);
  MUST(!bin_frames_find(&found, f.bytes, f.ends[1] + n, 1));
  assert_int_equal(found.error, BIN_FRAME_ERROR_PLACE);
  assert_int_equal(found.parts, 2);
}

/* Without `verify` lengths and frames are tested, bodies are not. */
static void test_not_verified(void **unused) {
  struct file f;
  struct bin_frames found;
  (void)unused;
  make_file(&f);
  f.bytes[50] ^= 1;
  bin_frames_init(&found, 0);
  MUST(bin_frames_find(&found, f.bytes, f.n, 0));
  bin_frames_init(&found, 0);
  MUST(!bin_frames_find(&found, f.bytes, f.n, 1));
  assert_int_equal(found.error, BIN_FRAME_ERROR_BODY);
  assert_int_equal(found.where, 48);
  assert_string_equal(bin_frame_message(found.error), "the document was changed: its checksum differs");
}

/* Random bytes after a good start: no read outside (the block ends there), no state but the one before. */
static void test_random_tails(void **unused) {
  struct file f;
  struct bin_frames found;
  unsigned long x = 12345;
  int round;
  (void)unused;
  make_file(&f);
  for (round = 0; round < 20000; round++) {
    const size_t n = f.ends[1] + (size_t)(round % 200);
    uint8_t *copy = malloc(n);
    size_t i;
    MUST(copy != NULL);
    memcpy(copy, f.bytes, f.ends[1]);
    for (i = f.ends[1]; i < n; i++) copy[i] = (uint8_t)((x = x * 6364136223846793005ul + 1442695040888963407ul) >> 56);
    if (round % 2 && n > f.ends[1] + 8) memcpy(copy + f.ends[1], f.bytes, 8);
    bin_frames_init(&found, 0);
    (void)bin_frames_find(&found, copy, n, 1);
    assert_int_equal(found.parts, 2);
    MUST(n == f.ends[1] || found.error || copy[f.ends[1]] == BIN_FRAME_PENDING);
    free(copy);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_checksums), cmocka_unit_test(test_checksum_variants),
      cmocka_unit_test(test_frame_bytes),     cmocka_unit_test(test_parts),
      cmocka_unit_test(test_every_cut),       cmocka_unit_test(test_every_bit),
      cmocka_unit_test(test_pending),         cmocka_unit_test(test_other_place),
      cmocka_unit_test(test_not_verified),    cmocka_unit_test(test_random_tails),
  };
  variants[1] = text_cpu();
  printf("checksums by %s\n", variants[1] & TEXT_CPU_CHECKSUM ? "instruction and tables" : "tables");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
