/* SPDX-License-Identifier: MIT
** lookup_time.c -- measures, without Lua, the look-up of a name in one item of a document's root array.
** Use: lookup_time INDEX.NAME FILE SECONDS SAMPLES, the index from 1; prints "hex" and the value, a string, in
** hexadecimal digits, "calls N", "ns T" per sample.
** May call: binary/read/read.h, libc.  Must hold: same clock (CPU time) and batches as measure/rounds.lua. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The reader, and what it is linked with. */
#include "base/def.h"
#include "base/buffer.c"
#include "binary/read/read.c"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct work {
  struct bin_doc doc;
  volatile size_t index; /* volatile: the compiler must not hoist the look-up out of the loop */
  const char *volatile name;
  volatile size_t length;
  volatile uint8_t sink;
};

static inline const char *look_up(struct work *w, size_t *n) {
  bin_value item = bin_array_get(&w->doc, w->doc.root, w->index);
  bin_value found = item && bin_tag(item) == BIN_TAG_DICT ? bin_dict_get(&w->doc, item, w->name, w->length) : NULL;
  if (!found || bin_tag(found) != BIN_TAG_STRING) exit(3);
  return bin_bytes(found, n);
}

static double batch(struct work *w, long calls) {
  double start = now();
  for (long i = 0; i < calls; i++) {
    size_t n;
    w->sink = (uint8_t)*look_up(w, &n);
  }
  return now() - start;
}

static void show(struct work *w) {
  size_t n;
  const char *s = look_up(w, &n);
  printf("hex ");
  while (n--) printf("%02x", (uint8_t)*s++);
  printf("\n");
}

static int load(struct work *w, const char *path) {
  FILE *f = fopen(path, "rb");
  uint8_t *bytes;
  size_t n;
  if (!f) return 0;
  fseek(f, 0, SEEK_END);
  n = (size_t)ftell(f);
  rewind(f);
  bytes = malloc(n + 1);
  if (!bytes || n < 2 || fread(bytes, 1, n, f) != n) exit(3);
  fclose(f);
  memset(&w->doc, 0, sizeof w->doc);
  w->doc.begin = bytes, w->doc.end = bytes + n;
  w->doc.root = bin_item_value(&w->doc, w->doc.end - 2, 2);
  return bin_tag(w->doc.root) == BIN_TAG_ARRAY;
}

int main(int argc, char **argv) {
  struct work w;
  const char *dot = argc < 5 ? NULL : strchr(argv[1], '.');
  if (!dot) return 2;
  w.index = (size_t)atol(argv[1]) - 1, w.name = dot + 1, w.length = strlen(dot + 1);
  if (!load(&w, argv[2])) return 1;
  double seconds = atof(argv[3]), took;
  int samples = atoi(argv[4]);
  long calls = 1;
  while ((took = batch(&w, calls)) < seconds / 4) calls *= 2;
  if (took < seconds) calls = (long)((double)calls * seconds / took) + 1;
  show(&w);
  printf("calls %ld\n", calls);
  for (int i = 0; i < samples; i++) printf("ns %.2f\n", batch(&w, calls) * 1e9 / (double)calls);
  free((void *)w.doc.begin);
  return 0;
}
