/* SPDX-License-Identifier: MIT
** frame.c -- fuzz target: files with frames. With the CPU's instruction and without it the same is found, also when the
** file comes piece by piece; what is found is inside the bytes; and what is before the end of the last whole part, alone,
** is the same parts without an error.
** Build: make build/tests/fuzz/frame */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "binary/frame/frame.h"
#include "../tests/c/support/heap.h"

static void find(struct bin_frames *f, unsigned cpu, const uint8_t *s, size_t n, int verify) {
  uint8_t *copy = (uint8_t *)malloc(n ? n : 1); /* a read outside is seen */
  MUST(copy != NULL);
  memcpy(copy, s, n);
  bin_frames_init(f, cpu);
  (void)bin_frames_find(f, copy, n, verify);
  free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *s, size_t n) {
  struct bin_frames a, b;
  find(&a, 0, s, n, 1);
  find(&b, text_cpu(), s, n, 1);
  MUST(a.parts == b.parts && a.end == b.end && a.error == b.error && a.where == b.where && a.names == b.names);
  MUST(a.end <= n && a.begin <= a.end && a.names + a.names_n <= a.end && a.where <= n && a.pending <= n);
  MUST(a.parts > 0 || a.error != BIN_FRAME_ERROR_FINE);
  if (a.parts > 0) {
    find(&b, 0, s, (size_t)a.end, 1);
    MUST(!b.error && b.parts == a.parts && b.sum == a.sum && b.pending == 0);
  }
  find(&b, 0, s, n, 0);
  MUST(b.parts >= a.parts);
  return 0;
}
