/* SPDX-License-Identifier: MIT
** yyjson_write.c -- how long yyjson takes to write a document that it holds in memory.
** Use: yyjson_write FILE SECONDS SAMPLES; prints "version V", "bytes N", "calls N", "ns T" for each sample.
** May call: yyjson, libc.  Must hold: same clock (CPU time) and same batches as measure.lua. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <yyjson.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static size_t written; /* read by main: keeps the calls alive */

static double batch(const yyjson_doc *doc, long calls) {
  double start = now();
  for (long i = 0; i < calls; i++) {
    size_t length = 0;
    char *text = yyjson_write(doc, YYJSON_WRITE_NOFLAG, &length);
    if (!text) exit(3);
    written = length;
    free(text);
  }
  return now() - start;
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  double seconds = atof(argv[2]);
  int samples = atoi(argv[3]);
  yyjson_read_err error;
  yyjson_doc *doc = yyjson_read_file(argv[1], YYJSON_READ_NOFLAG, NULL, &error);
  if (!doc) {
    fprintf(stderr, "yyjson_write: %s: %s\n", argv[1], error.msg);
    return 1;
  }
  long calls = 1;
  double took;
  while ((took = batch(doc, calls)) < seconds / 4) calls *= 2;
  if (took < seconds) calls = (long)((double)calls * seconds / took) + 1;
  printf("version %s\nbytes %zu\ncalls %ld\n", YYJSON_VERSION_STRING, written, calls);
  for (int i = 0; i < samples; i++) printf("ns %.1f\n", batch(doc, calls) * 1e9 / (double)calls);
  yyjson_doc_free(doc);
  return 0;
}
