/* SPDX-License-Identifier: MIT
** edge.h -- what the tests of texts in place share: texts that end where memory does, and texts with errors. Include it
** after the public header, library.h and cmocka. */
#ifndef FLEECE_TESTS_EDGE_H
#define FLEECE_TESTS_EDGE_H

#include <sys/mman.h>

/* ------------------------------------------------------------------------------------- texts that end with memory */

enum { EDGE = 1 << 16 };

static char *edge; /* the first byte that must not be read */

MAYBE static int make_edge(void **unused) {
  char *block = mmap(NULL, 2 * EDGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  (void)unused;
  if (block == MAP_FAILED || mprotect(block + EDGE, EDGE, PROT_NONE)) return -1;
  edge = block + EDGE;
  return 0;
}

static int free_edge(void **unused) {
  (void)unused;
  return munmap(edge - EDGE, 2 * EDGE);
}

/* The bytes, and nothing after them that could be read. */
static const char *at_edge(const char *s, size_t n) {
  assert_true(n < EDGE);
  return n ? (const char *)memcpy(edge - n, s, n) : edge;
}

static uint32_t seed = 20260;

static uint32_t below(uint32_t n) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % n;
}

static const char *const seeds[] = {
    "{\"a\":[1,-2.5e3,\"x\\n\\u20ac\",{\"b\":true,\"c\":[]}],\"d\":{\"e\":{\"f\":null}},\"a\":[{\"b\":false},[[7]]]}",
    " [ {\"name\":\"\xe4\xb8\xad\",\"n\":18446744073709551615}, [0.1,[2,[3,[4]]]], \"\\ud83d\\ude00\", {} , 1e2 ] ",
    "{\"id\":12345678901234567,\"tags\":[\"a\",\"bb\",\"ccc\",\"dddd\",\"eeeee\",\"ffffff\",\"ggggggg\"],"
    "\"n\\u0061me\":\"y\"}",
    "\"only a string\"",
    "-0.25",
};

/* A text of `seeds` with up to two bytes changed or cut off. */
MAYBE static size_t mutated(char *w) {
  const char *s = seeds[below(sizeof seeds / sizeof *seeds)];
  size_t n = strlen(s), k = below(3);
  memcpy(w, s, n);
  while (k--) {
    const size_t at = below((uint32_t)n);
    switch (below(4)) {
    case 0: w[at] = "{}[]\",:\\0e- \xff"[below(13)]; break;
    case 1: w[at] = w[below((uint32_t)n)]; break;
    case 2: n = at + 1; break;
    default: memmove(w + at, w + at + 1, n - at - 1), n -= n > 1;
    }
  }
  return n;
}

/* ------------------------------------------------------------------------------------- pickers */

MAYBE static fleece_picker *picker(const char *const *paths, size_t count, uint32_t flags) {
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  fleece_picker *p;
  o.flags = flags;
  p = fleece_text_picker_new(paths, NULL, count, &o, &e);
  if (!p) fail_msg("%s: %s", paths[0], e.message);
  assert_int_equal(e.status, FLEECE_OK);
  return p;
}

#endif
