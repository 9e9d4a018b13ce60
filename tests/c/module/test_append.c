/* SPDX-License-Identifier: MIT
** test_append.c -- amendments at the end of a file and files that are replaced, with every call of the system failing
** once, or from then on: the file is the old one or the new one, and no other file is left.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/module/test_append.c -lcmocka */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* RTLD_NEXT */
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <dirent.h>
#include <dlfcn.h>
#include <sys/file.h>

#include "files/append.h"
#include "../support/heap.h"

/* ------------------------------------------------------------------------------------- calls that fail */

static long calls, fail_at; /* 0: none */
static int for_good;

static int fails(void) {
  calls++;
  if (!fail_at || !(for_good ? calls >= fail_at : calls == fail_at)) return 0;
  errno = EIO;
  return 1;
}

#define REAL(type, name, parameters)           \
  type(*real) parameters;                      \
  const void *found = dlsym(RTLD_NEXT, #name); \
  memcpy(&real, &found, sizeof real)

/* These stand in place of the C library's. */
int fsync(int fd) {
  REAL(int, fsync, (int));
  return fails() ? -1 : real(fd);
}

int ftruncate(int fd, off_t n) {
  REAL(int, ftruncate, (int, off_t));
  return fails() ? -1 : real(fd, n);
}

int rename(const char *from, const char *to) {
  REAL(int, rename, (const char *, const char *));
  return fails() ? -1 : real(from, to);
}

int flock(int fd, int what) {
  REAL(int, flock, (int, int));
  return fails() ? -1 : real(fd, what);
}

int fseek(FILE *file, long at, int from) {
  REAL(int, fseek, (FILE *, long, int));
  return fails() ? -1 : real(file, at, from);
}

int fflush(FILE *file) {
  REAL(int, fflush, (FILE *));
  return file && fails() ? -1 : real(file);
}

/* One that fails writes the first half. */
size_t fwrite(const void *bytes, size_t size, size_t n, FILE *file) {
  REAL(size_t, fwrite, (const void *, size_t, size_t, FILE *));
  if (file == stdout || file == stderr || !fails()) return real(bytes, size, n, file);
  n = real(bytes, size, n / 2, file);
  errno = EIO;
  return n;
}

/* ------------------------------------------------------------------------------------- a folder with a file */

static char folder[] = "/tmp/fleece-append-XXXXXX";
static char path[64];

static int names(void) {
  DIR *d = opendir(folder);
  int n = -2; /* "." and ".." */
  MUST(d != NULL);
  while (readdir(d)) n++;
  closedir(d);
  return n;
}

/* A part with one small integer as its body, at `frame`. */
static size_t make_part(uint8_t *frame, unsigned number, const struct bin_frames *before) {
  memset(frame, 0, BIN_FRAME_HEAD);
  frame[BIN_FRAME_HEAD] = 0, frame[BIN_FRAME_HEAD + 1] = (uint8_t)number;
  bin_frame_write(0, frame, 0, frame + BIN_FRAME_HEAD, 2, before);
  return BIN_FRAME_HEAD + 2;
}

static void make_file(size_t garbage) {
  uint8_t part[64 + 1024];
  const size_t n = make_part(part, 1, NULL);
  FILE *file = fopen(path, "wb");
  MUST(file != NULL);
  memset(part + n, 0, garbage);
  MUST(fwrite(part, 1, n + garbage, file) == n + garbage && fclose(file) == 0);
}

/* The number in the last whole state; what the frames say of the file is in *f. */
static unsigned state(struct bin_frames *f) {
  uint8_t bytes[4096];
  FILE *file = fopen(path, "rb");
  size_t n;
  MUST(file != NULL);
  n = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  bin_frames_init(f, 0);
  MUST(bin_frames_find(f, bytes, n, 1));
  return bytes[f->end - 1];
}

/* ------------------------------------------------------------------------------------- tests */

/* Appends the number 2 under the lock. */
static int append(void) {
  struct lock l;
  struct bin_frames f;
  uint8_t part[64];
  FILE *file;
  int fine;
  if (!lock_take(&l, path, 0)) return 0;
  file = append_open(path);
  bin_frames_init(&f, 0);
  fine = file && append_read_frames(file, &f, UINT64_MAX) && !f.error && f.parts == 1;
  if (fine) {
    const size_t n = make_part(part, 2, &f);
    fine = append_part(file, &f, part, BIN_FRAME_HEAD, part + BIN_FRAME_HEAD, n - BIN_FRAME_HEAD, REPLACE_SYNC_FILE);
  }
  if (file) fclose(file);
  lock_release(&l);
  return fine;
}

static int replace(void) {
  struct replace r;
  struct lock l;
  uint8_t part[64];
  const size_t n = make_part(part, 2, NULL);
  int fine;
  if (!replace_find(&r, path)) return 0;
  l.taken = 0;
  fine = lock_take(&l, r.target, 0) && lock_note(&l, r.temporary) && replace_open(&r) &&
         fwrite(part, 1, n, r.file) == n && replace_commit(&r, REPLACE_SYNC_ALL);
  replace_abort(&r);
  lock_release(&l);
  return fine;
}

/* Each call fails. After an error the state is the old one; only if all calls fail from some moment on, so that what
** was written cannot be taken back, it may be the new one. `garbage`: bytes that a killed writer has left. */
static void fail_each(int (*write)(void), size_t garbage) {
  struct bin_frames f;
  for (for_good = 0; for_good < 2; for_good++) {
    int done = 0;
    long k;
    for (k = 1; !done; k++) {
      unsigned is;
      MUST(k < 200);
      fail_at = 0;
      make_file(garbage);
      calls = 0, fail_at = k;
      done = write();
      if (!done) MUST(errno == EIO);
      if (calls < k) MUST(done); /* nothing has failed */
      else done = 0;
      fail_at = 0;
      is = state(&f);
      MUST(is == 1 || is == 2);
      if (done) MUST(is == 2);
      MUST(names() == 1);
      if (is == 1) { /* the next writer goes on */
        MUST(write());
        MUST(state(&f) == 2 && f.pending == 0);
      }
    }
    MUST(k > 5);
  }
  for_good = 0;
}

static void test_append_fails(void **unused) {
  (void)unused;
  fail_each(append, 0);
  fail_each(append, 1);
  fail_each(append, 700);
}

static void test_replace_fails(void **unused) {
  (void)unused;
  fail_each(replace, 0);
}

/* A second lock waits in vain; after the first was released it is free, and its file gone. */
static void test_lock(void **unused) {
  struct lock a, b;
  (void)unused;
  make_file(0);
  MUST(lock_take(&a, path, 0));
  assert_int_equal(names(), 2);
  MUST(!lock_take(&b, path, 20) && errno == EAGAIN);
  lock_release(&a);
  assert_int_equal(names(), 1);
  MUST(lock_take(&b, path, 0));
  lock_release(&b);
  lock_release(&b);
  assert_int_equal(names(), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_append_fails),
      cmocka_unit_test(test_replace_fails),
      cmocka_unit_test(test_lock),
  };
  int failed;
  MUST(mkdtemp(folder) != NULL);
  memcpy(path, folder, sizeof folder - 1);
  strcat(path, "/file");
  failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  rmdir(folder);
  return failed;
}
