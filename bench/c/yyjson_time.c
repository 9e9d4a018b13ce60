/* SPDX-License-Identifier: MIT
** yyjson_time.c -- measures how long yyjson takes to write a document that is in memory, or to read its text.
** Use: yyjson_time write|read FILE SECONDS SAMPLES; prints "version V", "bytes N", "calls N", "ns T" per sample.
** May call: yyjson, libc.  Must hold: same clock (CPU time) and same batches as measure/rounds.lua. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <yyjson.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

typedef struct {
  int read;
  yyjson_doc *doc;
  char *text;
  size_t size;
} work;

static void call(const work *w) {
  if (w->read) {
    yyjson_doc *doc = yyjson_read(w->text, w->size, YYJSON_READ_NOFLAG);
    if (!doc) exit(3);
    yyjson_doc_free(doc);
  } else {
    char *text = yyjson_write(w->doc, YYJSON_WRITE_NOFLAG, NULL);
    if (!text) exit(3);
    free(text);
  }
}

static double batch(const work *w, long calls) {
  double start = now();
  for (long i = 0; i < calls; i++) call(w);
  return now() - start;
}

static int load(work *w, const char *path) {
  yyjson_read_err error;
  FILE *f = fopen(path, "rb");
  if (!f) return 0;
  fseek(f, 0, SEEK_END);
  w->size = (size_t)ftell(f);
  rewind(f);
  w->text = malloc(w->size + 1);
  if (!w->text || fread(w->text, 1, w->size, f) != w->size) exit(3);
  fclose(f);
  w->doc = yyjson_read_opts(w->text, w->size, YYJSON_READ_NOFLAG, NULL, &error);
  if (!w->doc) fprintf(stderr, "yyjson_time: %s: %s\n", path, error.msg);
  return w->doc != NULL;
}

int main(int argc, char **argv) {
  work w;
  if (argc < 5) return 2;
  w.read = strcmp(argv[1], "read") == 0;
  if (!load(&w, argv[2])) return 1;
  double seconds = atof(argv[3]), took;
  int samples = atoi(argv[4]);
  long calls = 1;
  while ((took = batch(&w, calls)) < seconds / 4) calls *= 2;
  if (took < seconds) calls = (long)((double)calls * seconds / took) + 1;
  printf("version %s\nbytes %zu\ncalls %ld\n", YYJSON_VERSION_STRING, w.size, calls);
  for (int i = 0; i < samples; i++) printf("ns %.1f\n", batch(&w, calls) * 1e9 / (double)calls);
  yyjson_doc_free(w.doc);
  free(w.text);
  return 0;
}
